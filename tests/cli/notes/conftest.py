"""Notes are written on types of which there is something to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shop(telling_shop: Path) -> Path:
    """The shop of all commands, of whose public types an extract has something to say."""
    return telling_shop
