"""What every answer says of itself: its id, and which symbol it is about."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.operations.request import Asked

VARIABLE = "CODECORTEX_TRACE_ID"
_GIVEN = compile_later(r"[A-Za-z0-9._-]{1,64}")


class Trace:
    """One question on its way to an answer.

    Attributes:
        id: What a program got and what stderr told belong together by it; the environment may say another one.
    """

    def __init__(self) -> None:
        given = os.environ.get(VARIABLE, "")
        self.id = given if _GIVEN.fullmatch(given) else os.urandom(4).hex()
        self._asked: list[dict[str, Any]] = []

    def note_asked(self, describe: Callable[[], Asked]) -> None:
        """Keep which symbol is asked about."""
        told = describe().as_json()
        if told not in self._asked:
            self._asked.append(told)

    @property
    def asked(self) -> dict[str, Any]:
        """Which symbol the answer is about, as JSON values; none where it is about none, or about several."""
        return self._asked[0] if len(self._asked) == 1 else {}
