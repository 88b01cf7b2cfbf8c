"""Reads the answer of a model: no change, sections for a note, or a refusal that says what to correct.

Text for a note is sanitized by `analysis.notes.sanitize`. Only the form of an answer is judged here, and which names it
uses as members; whether these exist is decided by the caller.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from codecortex.analysis.notes.answer_lines import part_lines, read_lines
from codecortex.analysis.notes.claims import list_claims
from codecortex.analysis.notes.sanitize import drop_controls, sanitize, split_code
from codecortex.model.notes import MEMBERS, SECTION_COUNT, SECTION_NAME, Section
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NO_CHANGE = "NO SEMANTIC CHANGE"
"""The whole text of an answer that leaves the note as it is."""

_LONGEST_PREFACE = 200
_MOST_TOLD = 5
_SLACK = 8192
"""Characters besides the sections that an answer may have before it is refused for its length alone."""

_NAMES = "|".join(Section)
_DRESSED = r"(?:#{1,6}[ \t]+)?(?:\*\*|__)?"
_UNDRESSED = r"(?:\*\*|__)?"
_HEADING = compile_later(
    rf"^[ ]{{0,3}}{_DRESSED}({_NAMES})(?:{_UNDRESSED}[ \t]*:{_UNDRESSED}(?=\s|$)|{_UNDRESSED}[ \t]*$|:)", re.MULTILINE
)
_STRANGE = compile_later(
    rf"^[ ]{{0,3}}(?:#{{1,6}}[ \t]+([^\n]+)|{_UNDRESSED}({SECTION_NAME}){_UNDRESSED}[ \t]*:{_UNDRESSED}(?=\s|$))",
    re.MULTILINE,
)
# A line that the line below turns into a Markdown heading. Conflict markers are sanitized elsewhere.
_UNDERLINED = compile_later(
    r"^[ ]{0,3}(?![-*+>#|=]|\d+[.)])(\S[^\n]*)\n(?!={7}(?: |$))[ ]{0,3}(?:=+|-+)[ \t]*$", re.MULTILINE
)
_FENCE = compile_later(r"^(`{3,}|~{3,})[ \t]*[\w.+-]*[ \t]*$", re.MULTILINE)


class Allowed(NamedTuple):
    """Which answers are allowed.

    Attributes:
        no_change: Whether the answer may be that nothing has to change.
        members: Those of the names it uses as members (`list_claims`) that exist.
        most_bytes: The most UTF-8 bytes of its sections together.
        whole: Whether it must have all five sections, as for a note without text.
        lines: The members of which it may say something on a line each.
        only_lines: Whether it may have nothing but such lines.
    """

    no_change: bool
    members: frozenset[str]
    most_bytes: int
    whole: bool = False
    lines: frozenset[str] = frozenset()
    only_lines: bool = False


class NoChange(NamedTuple):
    """The note's text is still valid."""


class Sections(NamedTuple):
    """New text.

    Attributes:
        texts: By section, in order; stripped, sanitized. An empty one takes the section out of the note.
        lines: By member, what is said of it alone; an empty one takes the line out.
    """

    texts: Mapping[Section, str]
    lines: Mapping[str, str] = MappingProxyType({})


class Refusal(NamedTuple):
    """An answer that cannot be used.

    Attributes:
        reason: What is wrong and what to do instead, in sentences to send back.
    """

    reason: str


class Nothing(NamedTuple):
    """There is nothing to say, so that no note is to be there; only extracts end so."""


Outcome = NoChange | Sections | Refusal | Nothing


def read_answer(text: str, allowed: Allowed) -> Outcome:
    """Read an answer.

    Tolerated: a code fence around everything, a short line before the first heading or around that fence, headings in
    Markdown. Anything else that is not a section is refused.
    """
    if len(text) > allowed.most_bytes + _SLACK:
        return Refusal(_say_too_long(allowed.most_bytes))
    if text.strip() == NO_CHANGE:
        if allowed.no_change:
            return NoChange()
        return Refusal(f"`{NO_CHANGE}` is no answer to this change. Write the sections that it touches.")
    parted = _part(text, with_lines=bool(allowed.lines))
    return Refusal(parted) if isinstance(parted, str) else _judge(*parted, allowed)


def _judge(found: Mapping[Section, str], block: str | None, allowed: Allowed) -> Sections | Refusal:
    """What an answer with these sections, and these lines on members, comes to."""
    if allowed.only_lines and (found or not block):
        return Refusal(f"Answer with `{MEMBERS}:` and a line for each of the members that the task names, alone.")
    problem = "" if allowed.only_lines else _judge_sections(found, allowed)
    lines = read_lines(block, allowed.lines, allowed.members) if block else {}
    if problem or isinstance(lines, str):
        return Refusal(problem or str(lines))
    return Sections({section: sanitize(found[section]) for section in Section if section in found}, lines)


def list_names(text: str, *, with_lines: bool = False) -> tuple[str, ...]:
    """The distinct names that an answer uses as members: the caller has to decide which exist."""
    parted = _part(text, with_lines=with_lines)
    if isinstance(parted, str):
        return ()
    texts = [*parted[0].values(), parted[1] or ""]
    return tuple(dict.fromkeys(name for each in texts for name in list_claims(each)))


def _say_too_long(most: int) -> str:
    return f"The answer is too long: its sections may take {most:,} bytes together. Say it shorter."


def _part(text: str, *, with_lines: bool) -> tuple[dict[Section, str], str | None] | str:
    """The text of each section, stripped, and of the lines on members; or why they cannot be separated."""
    body, problem = _unwrap(drop_controls(text).strip("\n"))
    if problem:
        return problem
    body, block = part_lines(body) if with_lines else (body, None)
    found = list(_HEADING.finditer(body))
    if block is not None and not found and _is_preface(body.strip()):
        return {}, block
    names = ", ".join(f"`{section}:`" for section in Section)
    if not found:
        return f"No section was found. Begin each with its heading on a line of its own: {names}."
    preface = body[: found[0].start()].strip()
    if not preface.startswith("# Semantic") and not _is_preface(preface):
        return f"There is text before `{found[0][1]}:`. Answer with the sections alone."
    ends = [*(match.start() for match in found[1:]), len(body)]
    out: dict[Section, str] = {}
    for match, end in zip(found, ends, strict=True):
        section = Section[match[1]]
        if section in out:
            return f"The section `{section}:` stands twice. Join the two."
        out[section] = body[match.end() : end].strip()
    return out, block


def _unwrap(text: str) -> tuple[str, str]:
    """An answer without a code fence around everything and the text around that fence; and what is wrong."""
    heading, opening = _HEADING.search(text), _FENCE.search(text)
    if opening is None or (heading is not None and heading.start() < opening.start()):
        return text, ""
    fences = (match for match in _FENCE.finditer(text, opening.end()) if match[0].rstrip() == opening[1])
    closing = max(fences, key=lambda match: match.start(), default=None)
    if closing is None:
        return text, "A code fence is not closed. Write the sections without a fence around them."
    around = text[: opening.start()].strip(), text[closing.end() :].strip()
    if not all(map(_is_preface, around)):
        return text, "There is text around the sections. Answer with the sections alone."
    return text[opening.end() : closing.start()].strip("\n"), ""


def _is_preface(text: str) -> bool:
    """Whether a text may stand beside what was asked for."""
    return len(text) <= _LONGEST_PREFACE and "\n" not in text


def _judge_sections(found: Mapping[Section, str], allowed: Allowed) -> str:
    """What is wrong with the sections of an answer; empty if nothing is."""
    missing = [section for section in Section if section not in found] if allowed.whole else []
    if missing:
        return f"All {SECTION_COUNT} sections are needed; missing: {', '.join(missing)}."
    for section, text in found.items():
        problem = _judge_text(section, text)
        if problem:
            return problem
    if sum(len(sanitize(text).encode("utf-8", "replace")) for text in found.values()) > allowed.most_bytes:
        return _say_too_long(allowed.most_bytes)
    unknown = [name for text in found.values() for name in list_claims(text) if name not in allowed.members]
    return _say_unknown(list(dict.fromkeys(unknown))) if unknown else ""


def _judge_text(section: Section, text: str) -> str:
    if not text:
        return f"The section {section} is empty. Leave it out if it stays as it is, or say `None known.`"
    if NO_CHANGE in text:
        return f"`{NO_CHANGE}` stands inside {section}. Leave out sections that stay as they are."
    heading = _HEADING.search(text)
    if heading is not None:
        return f"The heading `{heading[1]}:` stands inside {section}. Begin each section on a line of its own."
    strange = _STRANGE.search(text) or _UNDERLINED.search(text)
    if strange is not None:
        name = next(filter(None, strange.groups())).strip()[:60]
        known = f"The {SECTION_COUNT} are {', '.join(Section)}"
        return f"There is no section `{name}`. {known}; put what it says into one of them."
    if split_code(text).open:
        return f"A code fence in {section} is not closed. Close it, or do without: name members in backticks."
    return ""


def _say_unknown(names: Sequence[str]) -> str:
    told = ", ".join(f"`{name}`" for name in names[:_MOST_TOLD])
    more = f" and {len(names) - _MOST_TOLD} more" if len(names) > _MOST_TOLD else ""
    return (
        f"No such member exists: {told}{more}. Name members as the outline has them, and leave backticks off words "
        "that are no names."
    )
