"""Writes the prompt for a note from what is known of its types and a template, within a token budget.

The budget grows with the number of members to consider. In the order of priority: the previous text, the members, the
outlines, the dependencies; each gets a share of what is left. Everything that is cut is listed in the prompt and in the
result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.prompts.parts import fence, fit_lines, fit_members, fit_source, join_names, shorten_line
from codecortex.context.prompts.secrets import mask_secrets
from codecortex.context.prompts.template import Slot
from codecortex.model.errors import StoreFormatError
from codecortex.model.notes import MEMBERS, SECTION_COUNT
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from codecortex.context.prompts.parts import Affected, Source
    from codecortex.context.prompts.template import Template

BASE_TOKENS, MEMBER_TOKENS, MOST_TOKENS = 1800, 200, 16_000
"""Budget of a prompt: at least (beside its template), for each relevant member, at most (with its template)."""

ANSWER_TOKENS, ANSWER_MEMBER_TOKENS, MOST_ANSWER_TOKENS = 1500, 50, 8000
"""The same for the answer; a previous text adds its own length, since it may be written again in full."""

_PREVIOUS_SHARE, _MEMBERS_SHARE, _OUTLINE_SHARE = 0.4, 0.7, 0.7
_CHANGE_TOKENS = 4000
_NARROWER = (1.0, 0.85, 0.6, 0.3, 0.0)
_RESERVE = 120
"""Tokens reserved for the list of what was cut."""

_SECTIONS = (
    "with the sections that the change concerns, each in full, and nothing else; sections that you leave out stay as "
    "they are. Keep the style of the previous text, and keep of it what still holds. Leave out a section of which you "
    "were shown only a part."
)
_ANSWER = f"Answer {_SECTIONS}"
_ANSWER_MILD = (
    "If the change makes nothing wrong that the previous text says, and nothing new is worth saying, answer with "
    f"exactly\n{{words}}\nand nothing else. Otherwise answer {_SECTIONS}"
)

_LINES_TOO = (
    "Below the sections write `{heading}:`, and below that a line for each of these members of which there is more to "
    "say than its signature does, begun by a hyphen, its name in backticks exactly as it stands here, and a colon. "
    "Leave out the others. The members: {names}."
)
_LINES_CHANGED = (
    "These members are new or changed: {names}. Where a line on one is missing or wrong, write `{heading}:` below the "
    "sections, if there are any, and below that a line for it, begun by a hyphen, its name in backticks exactly as it "
    "stands here, and a colon. Lines that you leave out stay as they are."
)
_ANSWER_LINES = (
    "If what the lines say still holds, and nothing new is worth saying, answer with exactly\n{words}\nand nothing "
    "else. Otherwise answer `MEMBERS:`, and below it a line for each of these members whose line is missing or wrong, "
    "begun by a hyphen, its name in backticks exactly as it stands here, and a colon: {names}."
)
_MOST_LINES = 80


class Previous(NamedTuple):
    """A previous text of the note, or of another note that it replaces.

    Attributes:
        about: The names of the other note's types; empty for the note's own text.
        texts: Its sections with their headings; for a damaged note, its whole text without a heading.
    """

    about: str
    texts: tuple[tuple[str, str], ...]


class Subject(NamedTuple):
    """One of the types that the note is about.

    Attributes:
        name: Its FQN.
        outline: Its outline, condensed.
        brief: The outline without members, used if its whole source is shown.
        affected: Its changed members, if their previous state is known.
        source: Its whole source, if that is not known.
    """

    name: str
    outline: str
    brief: str
    affected: tuple[Affected, ...] = ()
    source: Source | None = None

    @property
    def weight(self) -> int:
        """The number of members to consider."""
        return len(self.affected) if self.source is None else self.source.members + 1


class Task(NamedTuple):
    """What the model is asked to do.

    Attributes:
        whole: Whether all five sections are wanted, because there is no valid text to keep the others from.
        no_change: The answer that means that nothing has to change; empty if that is not allowed.
        by_hand: The sections that a person wrote.
        sections: The headings of a note, in order.
        lines: The members that want a line each.
        only_lines: Whether nothing else is wanted.
    """

    whole: bool
    no_change: str
    by_hand: tuple[str, ...]
    sections: tuple[str, ...]
    lines: tuple[str, ...] = ()
    only_lines: bool = False


class Materials(NamedTuple):
    """Everything a prompt is made from.

    Attributes:
        owner: The TypeId or GroupId of the note.
        subjects: Its types.
        previous: The previous text, or the texts that it continues.
        change: What happened since: lines, each with a diff or an empty string.
        dependencies: Name of each type that they depend on, with text from its note; highest fan-in first.
        withheld: What must not be shown, and why, in sentences.
        task: What the model is asked to do.
    """

    owner: str
    subjects: tuple[Subject, ...]
    previous: tuple[Previous, ...]
    change: tuple[tuple[str, str], ...]
    dependencies: tuple[tuple[str, str], ...]
    withheld: tuple[str, ...]
    task: Task


class Prompt(NamedTuple):
    """A finished prompt.

    Attributes:
        owner: The TypeId or GroupId of the note to write.
        text: The prompt.
        version: The version of its template.
        tokens: Its tokens.
        most_answer_tokens: The most tokens of the answer.
        cut: What it does not show of the materials, in sentences.
        no_change: Whether the answer may be that nothing has to change.
        whole: Whether the answer must have all five sections.
        still_valid: Whether the note is certainly still valid, so that no model needs to be asked.
    """

    owner: str
    text: str
    version: str
    tokens: int
    most_answer_tokens: int
    cut: tuple[str, ...]
    no_change: bool
    whole: bool
    still_valid: bool = False


class _Filled(NamedTuple):
    """The values of the slots, and what was cut."""

    values: Mapping[Slot, str]
    cut: tuple[str, ...]


def write_prompt(materials: Materials, template: Template, count: Callable[[str], int]) -> Prompt:
    """Write the prompt for a note.

    Args:
        materials: Everything it is made from.
        template: The text around it.
        count: Counts tokens.

    Raises:
        StoreFormatError: The template leaves too little room.
    """
    materials, kinds = _mask(materials)
    change, missed = _write_change(materials.change, count)
    materials = _shorten_names(materials._replace(withheld=(*materials.withheld, *missed)))
    fixed = {
        **dict.fromkeys(Slot, ""),
        Slot.TYPES: join_names([subject.name for subject in materials.subjects]),
        Slot.CHANGE: change,
        Slot.TASK: _write_task(materials),
    }
    weight = sum(subject.weight for subject in materials.subjects)
    least = count(template.fill(fixed))
    most = min(MOST_TOKENS, least + BASE_TOKENS + MEMBER_TOKENS * weight)
    if most - least < BASE_TOKENS:
        raise StoreFormatError(
            f"The template and what is asked take {least:,} tokens of the {MOST_TOKENS:,} that a prompt may take.",
            "Make the templates in .codecortex/prompts shorter.",
        )
    text, tokens, filled = "", most + 1, _Filled(fixed, ())
    for share in _NARROWER:
        if tokens > most:
            filled = _fill(materials, int((most - least) * share), count, kinds)
            text = template.fill({**fixed, **filled.values})
            tokens = count(text)
    said = sum(count(part) for each in materials.previous for _, part in each.texts)
    answer = min(MOST_ANSWER_TOKENS, ANSWER_TOKENS + ANSWER_MEMBER_TOKENS * weight + said)
    task = materials.task
    return Prompt(materials.owner, text, template.version, tokens, answer, filled.cut, bool(task.no_change), task.whole)


def _mask(materials: Materials) -> tuple[Materials, tuple[str, ...]]:
    """The materials with secrets masked, and the kinds of secrets found; done before any text is cut in two."""
    kinds: dict[str, None] = {}

    def clean(text: str) -> str:
        cleaned, found = mask_secrets(text)
        kinds.update(dict.fromkeys(found))
        return cleaned

    def clean_subject(subject: Subject) -> Subject:
        source = subject.source
        if source is not None:
            source = source._replace(chunks=tuple(each._replace(text=clean(each.text)) for each in source.chunks))
        affected = tuple(each._replace(title=clean(each.title), text=clean(each.text)) for each in subject.affected)
        return subject._replace(
            outline=clean(subject.outline), brief=clean(subject.brief), affected=affected, source=source
        )

    cleaned = materials._replace(
        subjects=tuple(map(clean_subject, materials.subjects)),
        previous=tuple(
            each._replace(texts=tuple((heading, clean(text)) for heading, text in each.texts))
            for each in materials.previous
        ),
        change=tuple((clean(line), clean(diff)) for line, diff in materials.change),
        dependencies=tuple((name, clean(text)) for name, text in materials.dependencies),
    )
    return cleaned, tuple(kinds)


def _shorten_names(materials: Materials) -> Materials:
    """The materials with every text outside of fences shortened, since names can have any length."""

    def shorten_subject(subject: Subject) -> Subject:
        affected = tuple(each._replace(title=shorten_line(each.title)) for each in subject.affected)
        return subject._replace(name=shorten_line(subject.name), affected=affected)

    previous = tuple(each._replace(about=shorten_line(each.about)) for each in materials.previous)
    return materials._replace(subjects=tuple(map(shorten_subject, materials.subjects)), previous=previous)


def _write_change(change: Sequence[tuple[str, str]], count: Callable[[str], int]) -> tuple[str, list[str]]:
    """The text of the change, and a list of what was cut from it."""
    blocks, cut, room = [], [], _CHANGE_TOKENS
    for line, diff in change:
        told = shorten_line(line)
        blocks.append(told)
        shown, more = fit_lines(diff, max(0, room), count) if diff else ("", 0)
        if more:
            cut.append(f"{more:,} lines of: {told.removeprefix('- ').rstrip(':')}")
        if shown:
            blocks.append(fence(shown, "diff"))
            room -= count(shown)
    return "\n".join(blocks), cut


def _fill(materials: Materials, room: int, count: Callable[[str], int], kinds: Sequence[str]) -> _Filled:
    """The slot values that fit into this many tokens."""
    cut = list(materials.withheld)
    if kinds:
        cut.append(f"Words in brackets stand where the text held what looks like {', '.join(kinds)}.")
    left = max(0, room - count("\n".join(cut)) - _RESERVE)
    previous = _write_previous(materials.previous, int(left * _PREVIOUS_SHARE), count, cut)
    left = max(0, left - count(previous))
    members, whole = _write_members(materials, int(left * _MEMBERS_SHARE), count, cut)
    left = max(0, left - count(members))
    texts = [(each.name, each.brief if each.name in whole else each.outline) for each in materials.subjects]
    outlines = _write_outlines(texts, int(left * _OUTLINE_SHARE), count, cut)
    left = max(0, left - count(outlines))
    dependencies = _write_dependencies(materials.dependencies, left, count, cut)
    values = {
        Slot.PREVIOUS: previous,
        Slot.MEMBERS: members,
        Slot.OUTLINE: outlines,
        Slot.DEPENDENCIES: dependencies,
        Slot.CUT: "\n".join(f"- {shorten_line(each)}" for each in cut),
    }
    return _Filled(values, tuple(cut))


def _write_previous(texts: Sequence[Previous], room: int, count: Callable[[str], int], cut: list[str]) -> str:
    """The previous texts; if they do not all fit, the first lines of each section."""
    blocks = []
    parts = sum(len(each.texts) for each in texts)
    whole = sum(count(text) for each in texts for _, text in each.texts) <= room
    for each in texts:
        lines = []
        for heading, text in each.texts:
            shown, more = (text, 0) if whole else fit_lines(text, room // max(1, parts), count)
            label = heading or "the damaged text"
            if more:
                where = f" of the note on {each.about}" if each.about else ""
                cut.append(f"{label}{where}: its last {more:,} lines.")
            lines.append(f"{heading}: {shown}" if heading else shown)
        told = f"The note on {each.about}, whose place this one takes:\n" if each.about else ""
        blocks.append(told + fence("\n\n".join(lines), "text"))
    return "\n\n".join(blocks)


def _write_members(
    materials: Materials, room: int, count: Callable[[str], int], cut: list[str]
) -> tuple[str, set[str]]:
    """The text about members, and the types whose source is shown completely."""
    blocks: list[str] = []
    whole: set[str] = set()
    several = len(materials.subjects) > 1
    weight = sum(subject.weight for subject in materials.subjects)
    for subject in materials.subjects:
        share = room * subject.weight // max(1, weight)
        if subject.source is None:
            shown, missed = fit_members(subject.affected, share, count)
        else:
            shown, missed = fit_source(subject.source, share, count)
            whole.update(() if missed else (subject.name,))
        cut.extend(f"In {subject.name}: {each}" if several else each for each in missed)
        if shown:
            blocks.append(f"In {subject.name}:\n{shown}" if several else shown)
    return "\n\n".join(blocks), whole


def _write_outlines(texts: Sequence[tuple[str, str]], room: int, count: Callable[[str], int], cut: list[str]) -> str:
    blocks = []
    for at, (name, text) in enumerate(texts):
        shown, more = fit_lines(text, room // (len(texts) - at), count)
        if more:
            cut.append(f"The last {more:,} lines of the outline of {name}.")
        if shown:
            blocks.append(fence(shown, "text"))
        room -= count(shown)
    return "\n\n".join(blocks)


def _write_dependencies(
    found: Sequence[tuple[str, str]], room: int, count: Callable[[str], int], cut: list[str]
) -> str:
    taken: list[str] = []
    for name, text in found:
        block = f"{name}\n{text}"
        cost = count(block) + 2
        if cost > room:
            break
        room -= cost
        taken.append(block)
    if len(taken) < len(found):
        cut.append(f"What notes say of {join_names([name for name, _ in found[len(taken) :]])}.")
    return fence("\n\n".join(taken), "text") if taken else ""


def _write_task(materials: Materials) -> str:
    task, names = materials.task, ", ".join(materials.task.sections)
    lines = []
    if len(materials.subjects) > 1:
        lines.append(f"The note is about the {len(materials.subjects)} types together: what they are to each other.")
    if task.only_lines:
        lines.append(_ANSWER_LINES.format(words=task.no_change, names=_quote(task.lines)))
    elif task.whole:
        taking = " Take over from the previous text what still holds." if materials.previous else ""
        lines.append(
            f"Write the note: all {SECTION_COUNT} sections, {names}, in this order, and nothing else.{taking} "
            "Where there is nothing to say, write: None known."
        )
    else:
        lines.append(_ANSWER_MILD.format(words=task.no_change) if task.no_change else _ANSWER)
    if task.lines and not task.only_lines:
        names = _quote(task.lines)
        lines.append((_LINES_TOO if task.whole else _LINES_CHANGED).format(heading=MEMBERS, names=names))
    if task.by_hand:
        who = ", ".join(task.by_hand)
        lines.append(
            f"A person wrote what the previous text says under {who}: keep it unless the data shows it to be wrong."
        )
    return "\n".join(lines)


def _quote(names: Sequence[str]) -> str:
    return join_names([f"`{shorten_line(name)}`" for name in names], _MOST_LINES)
