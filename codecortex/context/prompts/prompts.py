"""What is known of the types of a note, and a template, in; the text that a model is asked with out, never too long.

Budgets are in tokens and grow with what there is to look at. What goes in first stays longest: the previous text, the
members, the outlines, the dependencies; each may take a share of what is left. Whatever is not shown is said, to the
model and to whoever asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.context.prompts.parts import fence, fit_lines, fit_members, fit_source, join_names, shorten_line
from codecortex.context.prompts.secrets import mask_secrets
from codecortex.context.prompts.template import Slot
from codecortex.model.errors import StoreFormatError
from codecortex.model.notes import SECTION_COUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from codecortex.context.prompts.parts import Affected, Source
    from codecortex.context.prompts.template import Template

BASE_TOKENS, MEMBER_TOKENS, MOST_TOKENS = 1800, 200, 16_000
"""What a prompt may take beside its template: at least, for each member that matters, and at most with its template."""

ANSWER_TOKENS, ANSWER_MEMBER_TOKENS, MOST_ANSWER_TOKENS = 1500, 50, 8000
"""The same for the answer; a text that is there already may be written again in full."""

_PREVIOUS_SHARE, _MEMBERS_SHARE, _OUTLINE_SHARE = 0.4, 0.7, 0.7
_CHANGE_TOKENS = 4000
_NARROWER = (1.0, 0.85, 0.6, 0.3, 0.0)
_RESERVE = 120
"""Tokens kept for what is to be said of what does not fit."""

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


class Previous(NamedTuple):
    """A text that the note had, or that a note had whose types are among its own now.

    Attributes:
        about: The names of its types; empty where it is the note's own.
        texts: Its sections with their headings; of a damaged one, all of it without a heading.
    """

    about: str
    texts: tuple[tuple[str, str], ...]


class Subject(NamedTuple):
    """One of the types that the note is about.

    Attributes:
        name: Its metadata name.
        outline: Its outline, condensed.
        brief: The same without its members, for where the whole of its source is shown.
        affected: Its members that changed, where what they were is known.
        source: The whole of its source, where it is not.
    """

    name: str
    outline: str
    brief: str
    affected: tuple[Affected, ...] = ()
    source: Source | None = None

    @property
    def weight(self) -> int:
        """How many members there are to look at."""
        return len(self.affected) if self.source is None else self.source.members + 1


class Task(NamedTuple):
    """What is asked for.

    Attributes:
        whole: Whether all five sections are wanted, because no text is there that the rest could be taken from.
        no_change: The answer that says that nothing has to change; empty where that is no answer.
        by_hand: The sections that a person wrote.
        sections: The headings of a note, in their order.
    """

    whole: bool
    no_change: str
    by_hand: tuple[str, ...]
    sections: tuple[str, ...]


class Materials(NamedTuple):
    """All that is known.

    Attributes:
        owner: The id of the type or group.
        subjects: Its types.
        previous: The text that is there, and texts that it comes from.
        change: What happened since: lines, each with a diff, or with nothing.
        dependencies: Name of each type that they depend on, and what its note says; the most referenced first.
        withheld: What may not be shown, and why, in sentences.
        task: What is asked for.
    """

    owner: str
    subjects: tuple[Subject, ...]
    previous: tuple[Previous, ...]
    change: tuple[tuple[str, str], ...]
    dependencies: tuple[tuple[str, str], ...]
    withheld: tuple[str, ...]
    task: Task


class Prompt(NamedTuple):
    """What a model is asked with.

    Attributes:
        owner: The id of the type or group whose note it is to write.
        text: The prompt.
        version: That of its template.
        tokens: How many it takes.
        most_answer_tokens: How many the answer may take.
        cut: What of the materials it does not show, in sentences.
        no_change: Whether the answer may be that nothing has to change.
        whole: Whether the answer has to have all five sections.
        still_valid: Whether the answer is certain to be that nothing has to change, so that nobody needs to be asked.
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
    """What slots are filled with, and what is not shown."""

    values: Mapping[Slot, str]
    cut: tuple[str, ...]


def write_prompt(materials: Materials, template: Template, count: Callable[[str], int]) -> Prompt:
    """The prompt for a note.

    Args:
        materials: What is known.
        template: What stands around it.
        count: Counts tokens.

    Raises:
        StoreFormatError: The template leaves no room.
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
    """The materials without what looks like secrets, and which kinds there were; before anything is cut in two."""
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
    """The materials with an end to what stands outside of fences: names may be of any length."""

    def shorten_subject(subject: Subject) -> Subject:
        affected = tuple(each._replace(title=shorten_line(each.title)) for each in subject.affected)
        return subject._replace(name=shorten_line(subject.name), affected=affected)

    previous = tuple(each._replace(about=shorten_line(each.about)) for each in materials.previous)
    return materials._replace(subjects=tuple(map(shorten_subject, materials.subjects)), previous=previous)


def _write_change(change: Sequence[tuple[str, str]], count: Callable[[str], int]) -> tuple[str, list[str]]:
    """What happened, and what of it does not fit."""
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
    """What fits into so many tokens."""
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
    """The texts there are, each section at its beginning at least; of those that do not fit, the first lines."""
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
    """What is shown of members, and the types whose source is shown without gaps."""
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
    if task.whole:
        taking = " Take over from the previous text what still holds." if materials.previous else ""
        lines.append(
            f"Write the note: all {SECTION_COUNT} sections, {names}, in this order, and nothing else.{taking} "
            "Where there is nothing to say, write: None known."
        )
    else:
        lines.append(_ANSWER_MILD.format(words=task.no_change) if task.no_change else _ANSWER)
    if task.by_hand:
        who = ", ".join(task.by_hand)
        lines.append(
            f"A person wrote what the previous text says under {who}: keep it unless the data shows it to be wrong."
        )
    return "\n".join(lines)
