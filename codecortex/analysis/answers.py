"""What a model said in; what it means out: no change, sections for a note, or a sentence that says what to mend.

Text that goes into a note is made harmless: `codecortex.analysis.taming`. Only the shape of an answer is judged here,
and which names it calls members; what exists is for the caller to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.claims import list_claims
from codecortex.analysis.taming import drop_controls, split_code, tame
from codecortex.model.notes import Section

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NO_CHANGE = "NO SEMANTIC CHANGE"
"""The whole of an answer that leaves a note's text as it is."""

_LONGEST_PREFACE = 200
_MOST_TOLD = 5
_SLACK = 8192
"""Characters around the sections of an answer that are read before it is refused for its length alone."""

_NAMES = "|".join(Section)
_DRESSED = r"(?:#{1,6}[ \t]+)?(?:\*\*|__)?"
_UNDRESSED = r"(?:\*\*|__)?"
_HEADING = re.compile(
    rf"^[ ]{{0,3}}{_DRESSED}({_NAMES})(?:{_UNDRESSED}[ \t]*:{_UNDRESSED}(?=\s|$)|{_UNDRESSED}[ \t]*$|:)", re.MULTILINE
)
_STRANGE = re.compile(
    rf"^[ ]{{0,3}}(?:#{{1,6}}[ \t]+([^\n]+)|{_UNDRESSED}([A-Z][A-Z0-9_]{{2,}}){_UNDRESSED}[ \t]*:{_UNDRESSED}(?=\s|$))",
    re.MULTILINE,
)
_FENCE = re.compile(r"^(`{3,}|~{3,})[ \t]*[\w.+-]*[ \t]*$", re.MULTILINE)


class Allowed(NamedTuple):
    """What an answer may be.

    Attributes:
        no_change: Whether it may say that nothing has to change.
        members: Those of the names it calls members (`list_claims`) that exist.
        most_bytes: UTF-8 bytes that its sections may take together.
        whole: Whether all five sections have to be in it, as for a note that has no text yet.
    """

    no_change: bool
    members: frozenset[str]
    most_bytes: int
    whole: bool = False


class NoChange(NamedTuple):
    """The note's text still holds."""


class Sections(NamedTuple):
    """New text.

    Attributes:
        texts: By section, in their order; without space around them, never empty, safe to store and to read.
    """

    texts: Mapping[Section, str]


class Refusal(NamedTuple):
    """An answer that cannot be used.

    Attributes:
        reason: What is wrong and what to do instead, as sentences that whoever answered can be sent.
    """

    reason: str


Outcome = NoChange | Sections | Refusal


def read_answer(text: str, allowed: Allowed) -> Outcome:
    """What an answer means.

    Tolerated: one code fence around the whole, a short line before the first heading or around that fence, headings
    dressed as Markdown. Whatever else is not a section is refused.
    """
    if len(text) > allowed.most_bytes + _SLACK:
        return Refusal(_say_too_long(allowed.most_bytes))
    if text.strip() == NO_CHANGE:
        if allowed.no_change:
            return NoChange()
        return Refusal(f"`{NO_CHANGE}` is no answer to this change. Write the sections that it touches.")
    body = _unwrap(drop_controls(text).strip("\n"))
    if isinstance(body, Refusal):
        return body
    found = _part(body)
    if isinstance(found, Refusal):
        return found
    problem = _judge_sections(found, allowed)
    if problem:
        return Refusal(problem)
    return Sections({section: tame(found[section]) for section in Section if section in found})


def list_names(text: str) -> tuple[str, ...]:
    """The names that an answer calls members, each once: those of which somebody has to say whether they exist."""
    body = _unwrap(drop_controls(text).strip("\n"))
    return () if isinstance(body, Refusal) else list_claims(body)


def _say_too_long(most: int) -> str:
    return f"The answer is too long: its sections may take {most:,} bytes together. Say it shorter."


def _unwrap(text: str) -> str | Refusal:
    """An answer without the code fence around the whole of it, and without what was said around that."""
    heading, opening = _HEADING.search(text), _FENCE.search(text)
    if opening is None or (heading is not None and heading.start() < opening.start()):
        return text
    closing = None
    for match in _FENCE.finditer(text, opening.end()):
        if match[0].rstrip() == opening[1]:
            closing = match
    if closing is None:
        return Refusal("A code fence is not closed. Write the sections without a fence around them.")
    around = text[: opening.start()].strip(), text[closing.end() :].strip()
    if any(len(each) > _LONGEST_PREFACE or "\n" in each for each in around):
        return Refusal("There is text around the sections. Answer with the sections alone.")
    return text[opening.end() : closing.start()].strip("\n")


def _part(text: str) -> dict[Section, str] | Refusal:
    """The text of each section, without the space around it."""
    found = list(_HEADING.finditer(text))
    names = ", ".join(f"`{section}:`" for section in Section)
    if not found:
        return Refusal(f"No section was found. Begin each with its heading on a line of its own: {names}.")
    preface = text[: found[0].start()].strip()
    if not preface.startswith("# Semantic") and (len(preface) > _LONGEST_PREFACE or "\n" in preface):
        return Refusal(f"There is text before `{found[0][1]}:`. Answer with the sections alone.")
    ends = [*(match.start() for match in found[1:]), len(text)]
    out: dict[Section, str] = {}
    for match, end in zip(found, ends, strict=True):
        section = Section(match[1])
        if section in out:
            return Refusal(f"The section `{section}:` stands twice. Join the two.")
        out[section] = text[match.end() : end].strip()
    return out


def _judge_sections(found: Mapping[Section, str], allowed: Allowed) -> str:
    """What is wrong with the sections of an answer; empty where nothing is."""
    missing = [section for section in Section if section not in found] if allowed.whole else []
    if missing:
        return f"All five sections are needed; missing: {', '.join(missing)}."
    for section, text in found.items():
        problem = _judge_text(section, text)
        if problem:
            return problem
    if sum(len(tame(text).encode("utf-8", "replace")) for text in found.values()) > allowed.most_bytes:
        return _say_too_long(allowed.most_bytes)
    unknown = [name for text in found.values() for name in list_claims(text) if name not in allowed.members]
    return _say_unknown(list(dict.fromkeys(unknown))) if unknown else ""


def _judge_text(section: Section, text: str) -> str:
    if not text:
        return f"The section {section} is empty. Leave it out if it stays as it is, or say `None known.`"
    if NO_CHANGE in text:
        return f"`{NO_CHANGE}` stands inside {section}. Leave out sections that stay as they are."
    strange = _STRANGE.search(text)
    if strange is not None:
        name = (strange[1] or strange[2]).strip()[:60]
        return f"There is no section `{name}`. The five are {', '.join(Section)}; put what it says into one of them."
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
