"""Writes blocks of documentation as lines of Markdown.

A paragraph is a plain `str` of Markdown with the author's line breaks; other blocks have types of their own.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class CellPolicy(Enum):
    """How to write code and lists in a table cell, where Markdown allows neither."""

    STRICT = "strict"
    """The cell is left empty and its content is written below the table."""
    INLINE = "inline"
    """The cell contains the first line of the code, or the items of the list."""
    HTML = "html"
    """The table is written as HTML."""


class Code(NamedTuple):
    """Lines of code without their common indentation, and the language that the author named (may be empty)."""

    lines: tuple[str, ...]
    language: str


class Listing(NamedTuple):
    """The items of a bulleted or numbered list, each a non-empty run of blocks."""

    items: tuple[tuple[Block, ...], ...]
    numbered: bool


class Table(NamedTuple):
    """The finished lines of a table, in Markdown or HTML."""

    lines: tuple[str, ...]


_HEADER_LINES = 2

Block: TypeAlias = "str | Code | Listing | Table"
Cell: TypeAlias = "Sequence[Block]"


def write_blocks(blocks: Iterable[Block]) -> list[str]:
    """Writes blocks one below the other, with a blank line only where Markdown needs one."""
    lines: list[str] = []
    previous: Block | None = None
    for block in blocks:
        if previous is not None and _need_blank(previous, block):
            lines.append("")
        lines += _write_block(block)
        previous = block
    return lines


def write_labelled(label: str, blocks: Sequence[Block]) -> list[str]:
    """Writes a section: the first paragraph on the line of the label, the rest below it, indented by two."""
    return _indent("", write_blocks(join_head([label], " ", blocks)), 2)


def join_head(head: list[Block], joiner: str, body: Sequence[Block]) -> list[Block]:
    """Puts a name before its description: on one line if both are text, else one above the other."""
    if head and body and isinstance(head[-1], str) and isinstance(body[0], str):
        return [*head[:-1], f"{head[-1]}{joiner}{body[0]}", *body[1:]]
    return [*head, *body]


def make_span(code: str) -> str:
    """A code span whose delimiters are longer than any backticks inside."""
    if "`" not in code:
        return f"`{code}`" if code else ""
    ticks = "`" * (_longest_ticks(code) + 1)
    pad = " " if code[0] == "`" or code[-1] == "`" else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _need_blank(above: Block, below: Block) -> bool:
    if isinstance(above, str):
        return isinstance(below, str | Table)
    return not isinstance(above, Code) or isinstance(below, Table)


def _write_block(block: Block) -> list[str]:
    if isinstance(block, str):
        return block.split("\n") if "\n" in block else [block]
    if isinstance(block, Listing):
        return _write_list(block)
    if isinstance(block, Table):
        return list(block.lines)
    fence = "`" * max(3, _longest_ticks("\n".join(block.lines)) + 1)
    return [fence + block.language, *block.lines, fence]


def _write_list(block: Listing) -> list[str]:
    lines: list[str] = []
    for number, item in enumerate(block.items, 1):
        marker = f"{number}. " if block.numbered else "- "
        lines += _indent(marker, write_blocks(item), len(marker))
    return lines


def _indent(first: str, lines: list[str], width: int) -> list[str]:
    """Puts a marker before the first line and indents the others to match."""
    if len(lines) == 1:
        return [first + lines[0]]
    margin = " " * width
    return [first + lines[0], *(margin + line if line else "" for line in lines[1:])]


def fit_table(
    header: Sequence[Cell], rows: Sequence[Sequence[Cell]], policy: CellPolicy
) -> tuple[list[Block], list[str]]:
    """Lays out a table.

    Args:
        header: The cells of the header; none if its author wrote none.
        rows: The cells of each row.
        policy: What to do with a cell that contains more than text.

    The table, unless it is empty, and after it the blocks moved out of it; and a diagnostic for each cell that lost
    blocks.
    """
    named, header = bool(header), _complete_header(header, max(map(len, rows), default=0))
    crowded = any(not isinstance(block, str) for row in (header, *rows) for cell in row for block in cell)
    if crowded and policy is CellPolicy.HTML:
        return [Table(tuple(_write_html_table(header, rows)))], []
    evicted: list[Block] = []
    diagnostics: list[str] = []
    lines: list[str] = []
    for number, row in enumerate((header, *rows)):
        cells: list[str] = []
        for column, cell in enumerate(row, 1):
            if policy is CellPolicy.STRICT and not all(isinstance(block, str) for block in cell):
                evicted += cell
                diagnostics.append(f"table row {number}, column {column}: code or a list was moved below the table")
                cells.append("")
            else:
                cells.append(_flatten_cell(cell))
        if number == 0:
            lines += [_write_row(cells), _write_row(["---"] * len(cells))]
        elif any(cells):
            lines.append(_write_row(cells))
    shown: list[Block] = [Table(tuple(lines))] if named or len(lines) > _HEADER_LINES else []
    return shown + evicted, diagnostics


def _complete_header(header: Sequence[Cell], columns: int) -> Sequence[Cell]:
    """Gives each column a header cell: Markdown requires a header and shows no cells beyond it."""
    names: Sequence[Cell] = header or ([["Item"]] if columns == 1 else [["Term"], ["Description"]])
    return [*names, *([[]] * (columns - len(names)))]


def _write_row(cells: Iterable[str]) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def _flatten_cell(cell: Cell) -> str:
    return " ".join(filter(None, map(_flatten_block, cell))).replace("|", "\\|")


def _flatten_block(block: Block) -> str:
    """A block on one line, shortened if necessary."""
    match block:
        case str():
            return block.replace("\n", " ")
        case Code():
            return make_span(block.lines[0].strip())
        case Listing():
            return "; ".join(" ".join(map(_flatten_block, item)) for item in block.items)
        case Table():
            return " ".join(block.lines)


def _write_html_table(header: Sequence[Cell], rows: Sequence[Sequence[Cell]]) -> Iterable[str]:
    yield "<table>"
    for name, row in (("th", header), *(("td", row) for row in rows)):
        yield f"<tr>{''.join(f'<{name}>{_write_html(cell)}</{name}>' for cell in row)}</tr>"
    yield "</table>"


def _write_html(cell: Cell) -> str:
    return "<br/>".join(map(_write_html_block, cell))


def _write_html_block(block: Block) -> str:
    match block:
        case str():
            return _escape(block).replace("\n", "<br/>")
        case Code():
            # A raw line break would let a blank line in the code end the HTML block.
            return f"<pre><code>{'&#10;'.join(map(_escape, block.lines))}</code></pre>"
        case Listing():
            name = "ol" if block.numbered else "ul"
            return f"<{name}>{''.join(f'<li>{_write_html(item)}</li>' for item in block.items)}</{name}>"
        case Table():
            return "".join(block.lines)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
