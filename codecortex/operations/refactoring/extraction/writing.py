"""Lays a new method out in its file: two edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import find_line_end
from codecortex.editing.refactoring.edits import Edit
from codecortex.editing.refactoring.extraction import (
    Piece,
    Style,
    move_lines,
    write_call,
    write_method,
    write_statements,
)
from codecortex.editing.refactoring.selections import list_own
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from codecortex.editing.refactoring.extraction import Extracted
    from codecortex.editing.refactoring.selections import Around, Selection
    from codecortex.model.code.syntax import Node

_LISTS = frozenset(("block", "switch_section"))
_STEP = "    "
_CHAINS = frozenset(
    ("member_access_expression", "element_access_expression", "conditional_access_expression", "invocation_expression",
     "postfix_unary_expression")
)  # fmt: skip


class Written(NamedTuple):
    """The edits that extract a method: where the text stood, and the new one; and the parts of what moved.

    Attributes:
        edits: The edits.
        pieces: The text of the new body in parts.
        now: Where the first of them begins once the file is edited.
    """

    edits: tuple[Edit, Edit]
    pieces: Sequence[Piece]
    now: int


def write_edits(
    source: bytes, selection: Selection, around: Around, extracted: Extracted, fixed: Collection[int]
) -> Written:
    """Lay a method and its call out.

    Args:
        source: The text of the file.
        selection: What moves.
        around: What stands around it.
        extracted: The method.
        fixed: The lines of the file, from 0, whose white space counts.
    """
    style = _find_style(source, around)
    before = _indent_of(source, selection.start)
    first = source.count(b"\n", 0, selection.start)
    pieces = _cut(source, selection, extracted)
    lines = frozenset(number - first for number in fixed)
    body = move_lines("".join(each.text for each in pieces), before, style.body, lines)
    if selection.is_expression:
        call = write_call(extracted)
        parent = selection.nodes[0].parent
        wrapped = extracted.awaits is not None and parent is not None and parent.kind in _CHAINS
        here = f"({call})" if wrapped else call
    else:
        step = style.body.removeprefix(style.member) or _STEP
        here = _lay_out(write_statements(extracted, step, is_open=style.is_open), before, step, selection.nodes[0])
    method = write_method(extracted, style, body)
    place = find_line_end(source, around.member.end)
    end = around.member.end if place is None else place
    added = f"\n\n{method}" + ("\n" if place is None else "")
    shift = len(here.encode()) - (selection.end - selection.start)
    within = method.encode().index(body.encode()) + len(style.body)
    return Written(
        (Edit(selection.start, selection.end, here), Edit(end, end, added)), pieces, end + shift + 2 + within
    )


def _cut(source: bytes, selection: Selection, extracted: Extracted) -> list[Piece]:
    """The text that moves, with `return` in front of an expression and what tells that the caller has to return."""
    start, end = selection.start, selection.end
    if selection.is_expression:
        return [Piece("return "), Piece(source[start:end].decode(), start), Piece(";")]
    pieces: list[Piece] = []
    if extracted.returned is not None:
        returns = [each for each in list_own(selection.nodes) if each.kind == "return_statement"]
        for each in sorted(returns, key=lambda node: node.start):
            pieces.append(Piece(source[start : each.start].decode(), start))
            start = each.end
            if not each.nodes:
                pieces.append(Piece("return true;"))
                continue
            value = each.nodes[-1]
            pieces.append(Piece(f"{{ {extracted.returned} = "))
            pieces.append(Piece(source[value.start : value.end].decode(), value.start))
            pieces.append(Piece("; return true; }"))
    return [*pieces, Piece(source[start:end].decode(), start)]


def _lay_out(lines: list[str], indent: str, step: str, first: Node) -> str:
    parent = first.parent
    if len(lines) == 1 or (parent is not None and parent.kind in _LISTS):
        return f"\n{indent}".join(lines)
    inside = "".join(f"\n{indent}{step}{each}" for each in lines)
    return f"{{{inside}\n{indent}}}"


def _find_style(source: bytes, around: Around) -> Style:
    member = _indent_of(source, around.member.start)
    step = "\t" if "\t" in member else _STEP
    block = around.body.first("block")
    holder = around.holder.first("declaration_list")
    statements = block.nodes if block is not None else []
    body = _indent_of(source, statements[0].start) if statements else ""
    if around.body is not around.member or not (body.startswith(member) and len(body) > len(member)):
        body = member + step
    shown = block or holder
    is_open = shown is None or not source[source.rfind(b"\n", 0, shown.start) + 1 : shown.start].strip()
    return Style(member, body, is_open)


def _indent_of(source: bytes, place: int) -> str:
    line = source[source.rfind(b"\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(b" \t"))].decode()
