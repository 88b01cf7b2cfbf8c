"""The text of one member in; whether it is one, and of which kind, out.

A member is parsed within a type of its own, because that is the only place where the grammar knows one.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import find_body, list_declared, name_kind
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.terms import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.model.code.syntax import Node

_RESERVED = KEYWORDS - {"async", "await", "record", "var", "when", "where", "yield"}
_BRANCH = compile_later(r"^[ \t]*#[ \t]*(if|elif|else|endif)\b")


class Around(NamedTuple):
    """What stands around a member for the parser; `head` is one line."""

    head: str
    tail: str


class Snippet(NamedTuple):
    """The text of one declaration.

    Attributes:
        text: The text, a line feed for every line end.
        kind: What it declares.
        fixed: Its lines, from 0, whose white space counts.
    """

    text: str
    kind: str
    fixed: frozenset[int] = frozenset()

    def trim(self) -> Snippet:
        """The same without blank lines around it."""
        lines = self.text.split("\n")
        skipped = next((number for number, line in enumerate(lines) if line.strip()), 0)
        kept = "\n".join(lines[skipped:]).rstrip()
        moved = frozenset(number - skipped for number in self.fixed)
        return Snippet(kept if "\n" in kept else kept.lstrip(), self.kind, moved)


class Refusal(NamedTuple):
    """Why a text cannot stand where it is to: its line, from 1, and the end of a sentence about it."""

    line: int
    reason: str


def choose_around(type_name: str, *, is_enum: bool) -> Around:
    """What a member of a type is parsed within."""
    return Around(f"{'enum' if is_enum else 'class'} {type_name or 'C'} {{\n", "\n}\n")


IN_NAMESPACE = Around("\n", "\n")
"""Around a type that lies in no other."""


def read_member(root: Node, text: str, errors: tuple[int, ...], around: Around) -> Node | Refusal:
    """The one declaration that a text is, in the tree of the text with what is around it.

    Args:
        root: The tree.
        text: The text alone.
        errors: Where the syntax is not understood.
        around: What is around it.
    """
    if errors:
        line = root.source.count(b"\n", 0, errors[0])
        return Refusal(min(max(line, 1), text.count("\n") + 1), "is not understood")
    unpaired = find_unpaired_branch(text)
    if unpaired:
        return Refusal(unpaired, "has a directive without its partner")
    holder = root
    if around is not IN_NAMESPACE:
        body = find_body(root.nodes[0]) if len(root.nodes) == 1 else None
        if body is None or root.nodes[0].end < len(root.source.rstrip()):
            return Refusal(text.count("\n") + 1, "closes more than it opens")
        holder = body
    return _find_single(holder)


def _find_single(holder: Node) -> Node | Refusal:
    """The one declaration among the children of a node."""
    found = holder.nodes
    odd = [each for each in found if not name_kind(each)]
    if not found:
        return Refusal(1, "declares nothing")
    if odd or len(found) > 1:
        place = (odd or found[1:])[0].start
        reason = "is no declaration of a type or a member" if odd else "begins a second declaration"
        return Refusal(holder.source.count(b"\n", 0, place), reason)
    if found[0].text in _RESERVED:  # which the grammar takes for the name of an enum's member
        return Refusal(holder.source.count(b"\n", 0, found[0].start), "is a keyword")
    return found[0]


def find_unpaired_branch(text: str) -> int:
    """The line of a `#if`, `#else` or `#endif` whose partner is not in the text; 0 if there is none."""
    opened: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        match = _BRANCH.match(line)
        if match is None:
            continue
        if match[1] == "if":
            opened.append(number)
        elif not opened:
            return number
        elif match[1] == "endif":
            opened.pop()
    return opened[0] if opened else 0


def outline(root: Node, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """The declarations that lie in none of some ranges, with their places; those within a range are at its ends."""
    rows = []
    for each in list_declared(root):
        at = bisect_right(ranges, (each.start, len(each.source) + 1)) - 1
        first, last = ranges[at] if at >= 0 else (-1, -1)
        if first <= each.start and each.end <= last and first < last:
            continue
        start = first if first <= each.start < last else each.start
        end = next((high for low, high in ranges[at + (at < 0) :] if low < each.end < high), each.end)
        rows.append((start, end, each.kind))
    return rows
