"""The text of a member as somebody wrote it in; the same with the indentation of the place where it is to stand out."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection

    from codecortex.model.code.syntax import Node

_LITERALS = frozenset(("verbatim_string_literal", "interpolated_string_expression", "raw_string_literal"))
_DEPTH = compile_later(r"[ \t]*")
_TAB = 4
_BEFORE = ("[", "/")  # attributes and comments, which a declaration does not stand deeper than
_ARROW = "=>"
_CLOSING = frozenset(("}", "};", "},"))


def list_fixed_lines(root: Node) -> set[int]:
    """The lines of a text, from 0, that begin within a literal: white space counts there.

    Those of raw literals too, which say the same only where all of their lines move by as much.
    """
    fixed: set[int] = set()
    todo = [root]
    while todo:
        node = todo.pop()
        node.open()
        if node.kind in _LITERALS:
            first = node.source.count(b"\n", 0, node.start)
            fixed.update(range(first + 1, first + node.source.count(b"\n", node.start, node.end) + 1))
        todo += node.nodes
    return fixed


def fit(text: str, indent: str, fixed: Collection[int] = ()) -> str:
    """The lines of a text, moved together so that the first one that counts has the given indentation.

    Args:
        text: The text, a line feed for every line end.
        indent: The white space to begin with.
        fixed: The lines, from 0, that stay as they are, as `list_fixed_lines` finds them.
    """
    lines = text.split("\n")
    movable = [number for number, line in enumerate(lines) if _moves(number, line, fixed)]
    if not movable:
        return text
    if "\t" in indent:
        step = _find_step([lines[number] for number in movable])
        for number in movable:
            lines[number] = _write_tabs(lines[number], step)
    own = _find_own(lines, movable, _measure(indent))
    for number in movable:
        depth = _measure(lines[number])
        if depth >= own:
            lines[number] = indent + lines[number][own:]
    return "\n".join(lines)


def _moves(number: int, line: str, fixed: Collection[int]) -> bool:
    """Whether a line moves with the others: directives may stand at the margin however deep the code does."""
    return bool(line.strip()) and number not in fixed and not line.startswith("#")


def _find_own(lines: list[str], movable: list[int], wanted: int) -> int:
    """How deep a text stands: as its first line does, unless that lost its white space when it was copied.

    It did where all others stand as deep as the place that the text goes to, or end with a brace that is not at the
    margin.
    """
    own = _measure(lines[movable[0]])
    rest = [lines[number] for number in movable[1:]]
    nearest = min(map(_measure, rest), default=0)
    if own or not nearest:
        return own
    if lines[movable[0]].startswith(_BEFORE):
        return nearest
    if rest[-1].strip() in _CLOSING and not _continues(lines, _measure(rest[-1])):
        return _measure(rest[-1])
    return wanted if nearest >= wanted and nearest > _TAB else 0


def _continues(lines: list[str], depth: int) -> bool:
    """Whether what stands at a depth is the expression behind an arrow: that stands deeper than its member."""
    return any(
        line.rstrip().endswith(_ARROW) and _measure(below) == depth for line, below in pairwise(lines) if below.strip()
    )


def _measure(line: str) -> int:
    match = _DEPTH.match(line)
    return match.end() if match is not None else 0


def _find_step(lines: list[str]) -> int:
    """How many spaces make one step of a text."""
    return min([_TAB, *(_measure(line) for line in lines if line.startswith(" "))])


def _write_tabs(line: str, step: int) -> str:
    """A line whose indentation is of spaces, with tabs."""
    depth = _measure(line)
    if "\t" in line[:depth]:
        return line
    return "\t" * (depth // step) + " " * (depth % step) + line[depth:]
