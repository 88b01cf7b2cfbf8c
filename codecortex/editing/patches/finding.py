"""Prose in; the patches that it shows out, in fences or bare."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.patches.blocks import BEGIN
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = compile_later(r" {0,3}(`{3,}|~{3,})[^`\n]*")
_HEAD = compile_later(r"(?m)^(?:diff --git \S|--- \S.*\n\+\+\+ \S)")
_LIST = compile_later(r'\[\s*\{\s*"(?:file|old|new|in)"\s*:')
_BARE = compile_later(
    rf"(?ms)^{re.escape(BEGIN)}[ \t]*$.*?^\*\*\* End Patch[ \t]*$|^(?:diff --git \S|--- \S[^\n]*\n\+\+\+ \S).*"
)


def find_patches(text: str) -> tuple[str, ...]:
    """The patches in a text, in their order: unified diffs, `apply_patch` blocks, lists of replacements as JSON."""
    found: list[str] = []
    for piece, is_fenced in _split(text):
        if not is_fenced:
            found += [match.group().strip("\n") + "\n" for match in _BARE.finditer(piece)]
        elif BEGIN in piece or _HEAD.search(piece) or _LIST.match(piece.lstrip()):
            found.append(piece)
    return tuple(found)


def _split(text: str) -> Iterator[tuple[str, bool]]:
    """The pieces of a text, and whether each stands in a fence; one that is not closed ends with the text."""
    piece: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        match = _FENCE.match(line)
        if not fence and match is not None:
            yield "".join(piece), False
            piece, fence = [], match[1]
        elif fence and match is not None and match[1].startswith(fence) and line.strip() == match[1]:
            yield "".join(piece), True
            piece, fence = [], ""
        else:
            piece.append(line)
    yield "".join(piece), bool(fence)
