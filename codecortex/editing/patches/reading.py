"""A text in; the patch that it is out, whichever of the three forms it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.patches.blocks import BEGIN, read_block
from codecortex.editing.patches.replacements import read_replacements
from codecortex.editing.patches.unified import read_unified

if TYPE_CHECKING:
    from codecortex.editing.patches.values import Stage


def read_patch(data: bytes) -> tuple[Stage, ...]:
    """The stages of a patch.

    Lines keep bytes that are no UTF-8, as `surrogateescape` does, so that files in other encodings can be patched.

    Raises:
        PatchError: It is none.
    """
    text = data.decode("utf-8-sig", "surrogateescape")
    if text.lstrip().startswith("["):
        return read_replacements(text)
    if any(line.strip() == BEGIN for line in text.split("\n")):
        return read_block(text)
    return read_unified(text)
