"""Reads the lines on members in an answer: `- `Find(string)`: what it does`, below `MEMBERS:`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.analysis.notes.claims import list_claims
from codecortex.analysis.notes.members import LONGEST_LINE
from codecortex.analysis.notes.sanitize import sanitize
from codecortex.model.notes import MEMBERS
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_MOST_TOLD = 5
_HEADING = compile_later(
    rf"^[ ]{{0,3}}(?:#{{1,6}}[ \t]+)?(?:\*\*|__)?{MEMBERS}(?:\*\*|__)?[ \t]*:?(?:\*\*|__)?[ \t]*$", re.MULTILINE
)
_LINE = compile_later(r"^[ ]{0,3}[-*][ \t]+(?:\*\*)?`([^`\n]+)`(?:\*\*)?[ \t]*:(?:\*\*)?", re.MULTILINE)


def part_lines(text: str) -> tuple[str, str | None]:
    """An answer up to its last heading of lines on members, and what stands below it; None without one."""
    found = list(_HEADING.finditer(text))
    return (text[: found[-1].start()], text[found[-1].end() :].strip()) if found else (text, None)


def read_lines(block: str, allowed: Collection[str], known: Collection[str]) -> Mapping[str, str] | str:
    """The lines by member, sanitized; or what is wrong with them, in a sentence.

    Args:
        block: What stands below the heading.
        allowed: The members that may have a line.
        known: The names that the lines may use as members of a type.
    """
    marks = list(_LINE.finditer(block))
    if block and (not marks or block[: marks[0].start()].strip()):
        return f"Below {MEMBERS} stand only lines such as - `{next(iter(allowed), 'Add(int)')}`: what it does."
    found: dict[str, str] = {}
    ends = [*(each.start() for each in marks[1:]), len(block)]
    for mark, end in zip(marks, ends, strict=False):
        name, text = " ".join(mark[1].split()), " ".join(sanitize(block[mark.end() : end]).split())
        if name in found:
            return f"There are two lines on `{name}`. Join the two."
        if len(text) > LONGEST_LINE:
            return f"The line on `{name}` is longer than {LONGEST_LINE} characters. Say it shorter."
        found[name] = text
    strange = [name for name in found if name not in allowed]
    if strange:
        return f"No line was asked for on {_tell(strange)}. Name members exactly as the task does."
    claims = [name for text in found.values() for name in list_claims(text) if name not in known]
    return f"No such member exists: {_tell(claims)}." if claims else found


def _tell(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_TOLD} more" if len(names) > _MOST_TOLD else ""
    return ", ".join(f"`{name}`" for name in names[:_MOST_TOLD]) + more
