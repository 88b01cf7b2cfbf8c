"""Reads and writes what a note says of members: rows of digests in the header, and the lines below `MEMBERS:`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.notes import BY_HAND, MEMBERS, UNKNOWN, MemberLine
from codecortex.model.startup.patterns import compile_later
from codecortex.store.committed.bases import HASH

if TYPE_CHECKING:
    from collections.abc import Iterable

_BLOCK = compile_later(rf"^{MEMBERS}:[ \t]*$\n?", re.MULTILINE)
_ROW = compile_later(rf"- (\S(?:.*\S)?): ({HASH})(?: ({HASH}))?")
_LINE = compile_later(r"^- `([^`\n]+)`:[ \t]?", re.MULTILINE)


def write_rows(members: Iterable[MemberLine]) -> list[str]:
    """The lines of a header: each member with its digest, and that of its line where it has one."""
    return [f"- {each.name}: {each.digest}{f' {each.written}' if each.text else ''}" for each in members]


def read_row(line: str) -> MemberLine | None:
    """A member as a line of a header tells it, without its text; None if the line is none."""
    match = _ROW.fullmatch(line)
    return None if match is None else MemberLine(match[1], match[2], written=match[3] or "")


def write_lines(members: Iterable[MemberLine]) -> str:
    """The lines on members; their heading stands even where there is none, so that no text is taken for it."""
    return "".join([f"{MEMBERS}:\n", *(f"- `{each.name}`: {each.text}\n" for each in members if each.text)])


def split_lines(text: str) -> tuple[str, str | None]:
    """A text up to the last heading of lines on members, and what stands below it; None without one."""
    found = list(_BLOCK.finditer(text))
    return (text[: found[-1].start()], text[found[-1].end() :]) if found else (text, None)


def read_lines(block: str) -> tuple[dict[str, str], str]:
    """The lines below the heading by member, and what is wrong with them; a line may go on below, indented."""
    marks = list(_LINE.finditer(block))
    before = block[: marks[0].start()] if marks else block
    found: dict[str, str] = {}
    ends = [*(each.start() for each in marks[1:]), len(block)]
    for mark, end in zip(marks, ends, strict=False):
        text = block[mark.end() : end].rstrip()
        if mark[1] in found:
            return found, f"`{mark[1]}` stands twice among the lines on members"
        if any(line and not line.startswith(" ") for line in text.split("\n")[1:]):
            before = text.partition("\n")[2]
        found[mark[1]] = text
    stray = before.strip().partition("\n")[0]
    return found, f"{stray[:60]!r} is no line on a member, such as - `Add(int)`: what it does" if stray else ""


def join_rows(rows: Iterable[MemberLine], lines: dict[str, str]) -> tuple[MemberLine, ...]:
    """The members of a header with their lines; a line without a row was added by a person."""
    told = [each._replace(text=lines.get(each.name, ""), written=_written(each, lines)) for each in rows]
    known = {each.name for each in told}
    added = [MemberLine(name, UNKNOWN, text, BY_HAND) for name, text in lines.items() if name not in known and text]
    return (*told, *added)


def _written(row: MemberLine, lines: dict[str, str]) -> str:
    """The digest of a line as it was generated; a person who takes a line out leaves nothing to be told from."""
    return (row.written or BY_HAND) if lines.get(row.name) else ""
