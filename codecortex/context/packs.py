"""Writes the text of a pack from outlines and notes; it never exceeds the budget.

In the order of priority: outlines of the types that match the filter, outlines of their dependencies, the roles from
the notes, the notes' other sections. Within each, types with the highest fan-in come first, then those with the lowest
depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.notes import Section
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from codecortex.model.code.types import TypeId
    from codecortex.model.packs import PackDefinition

PATIENCE = 8
"""After this many types in a row that do not fit, the search for smaller ones ends."""

_LONGEST_SHOWN = 200


class Member(NamedTuple):
    """A type that belongs in a pack.

    Attributes:
        id: Its TypeId.
        fqn: Its FQN.
        matched: Whether it matches the filter; otherwise it is a dependency of a type that does.
        fan_in: The number of types that reference it.
        depth: Steps to the nearest type that depends on nothing.
    """

    id: TypeId
    fqn: str
    matched: bool
    fan_in: int
    depth: int


class Note(NamedTuple):
    """A note on types of a pack.

    Attributes:
        about: The names of its types; empty for a note on one type, which is written below that type.
        types: Their TypeIds.
        stale: Whether it is stale.
        sections: Its texts.
    """

    about: str
    types: tuple[TypeId, ...]
    stale: bool
    sections: Mapping[Section, str]

    def write(self, sections: Iterable[Section]) -> str:
        """Some of its sections below an empty line and a heading."""
        about = f" on {self.about}" if self.about else ""
        lines = [f"{section}: {self.sections[section]}\n" for section in Section if section in set(sections)]
        return "".join([f"\nNote{about}{' (stale)' if self.stale else ''}:\n", *lines])


class Outlines(NamedTuple):
    """The outlines that fit into the budget.

    Attributes:
        texts: By type, in the order taken.
        spent: Their tokens in total.
    """

    texts: Mapping[TypeId, str]
    spent: int


class Contents(NamedTuple):
    """The contents of a pack before it is written.

    Attributes:
        definition: Its name, filter and budget.
        members: All types that belong in it, ranked.
        outlines: The outlines that fit.
        notes: The notes on the types that fit, in the order of these.
        order: The types that fit, in the order in which they are written.
    """

    definition: PackDefinition
    members: Sequence[Member]
    outlines: Outlines
    notes: Sequence[Note]
    order: Sequence[TypeId]


class PackText(NamedTuple):
    """The text of a pack.

    Attributes:
        text: The content of its file.
        tokens: The tokens of the text.
        types: The types in it, in the order of the text.
        total: The number of types that belong in it.
        matched: How many of these match the filter.
        sections: The number of note sections in it.
        all_sections: The number of sections of all notes on the types in it.
    """

    text: str
    tokens: int
    types: tuple[TypeId, ...]
    total: int
    matched: int
    sections: int
    all_sections: int


def rank_members(members: Iterable[Member]) -> list[Member]:
    """Sort by priority: matched types, highest fan-in, lowest depth; ties by name."""
    return sorted(members, key=lambda each: (not each.matched, -each.fan_in, each.depth, each.fqn, each.id))


def choose_outlines(
    definition: PackDefinition,
    members: Sequence[Member],
    texts: Iterable[tuple[TypeId, str]],
    count: Callable[[str], int],
) -> Outlines:
    """Choose the outlines that fit.

    Args:
        definition: The definition, which has the budget.
        members: All types that belong in the pack.
        texts: Their ids and outlines, in the order of their rank; read only as far as needed.
        count: Counts tokens.
    """
    everything = _PackTally(members, frozenset(each.id for each in members), 0, 0)
    left = definition.token_budget - count(_write_head(definition, everything))
    chosen: dict[TypeId, str] = {}
    spent = missed = 0
    for type_id, text in texts:
        cost = count(f"\n{text}")
        if spent + cost <= left:
            chosen[type_id] = text
            spent += cost
            missed = 0
        else:
            missed += 1
            if missed == PATIENCE or spent >= left:
                break
    return Outlines(chosen, spent)


def write_pack(contents: Contents, count: Callable[[str], int]) -> PackText:
    """Write a pack; the pieces taken last are dropped if the whole text has more tokens than the budget."""
    definition, members, outlines, notes, _ = contents
    budget = definition.token_budget
    whole = sum(len(note.sections) for note in notes)
    pieces = _Pieces(list(outlines.texts), _choose_sections(contents, count))
    drop = 1
    while True:
        tally = _PackTally(members, frozenset(pieces.types), len(pieces.sections), whole)
        text = _write_head(definition, tally) + _write_body(contents, pieces)
        tokens = count(text)
        if tokens <= budget or not pieces.types:
            break
        pieces = pieces.without(drop)
        drop *= 2
    if tokens > budget:
        text, tokens = _write_least(definition, count)
    types = tuple(type_id for type_id in contents.order if type_id in tally.taken)
    matched = sum(each.matched for each in members)
    return PackText(text, tokens, types, len(members), matched, len(pieces.sections), whole)


class _Pieces(NamedTuple):
    """Types and sections of notes (number of the note, section) in the order taken."""

    types: list[TypeId]
    sections: list[tuple[int, Section]]

    def without(self, number: int) -> _Pieces:
        """The pieces without the last `number` taken."""
        sections = self.sections[: max(0, len(self.sections) - number)]
        more = number - (len(self.sections) - len(sections))
        return _Pieces(self.types[: max(0, len(self.types) - more)], sections)


class _PackTally(NamedTuple):
    """The members of a pack, its types that are taken, and the numbers of note sections taken and available."""

    members: Sequence[Member]
    taken: frozenset[TypeId]
    sections: int
    all_sections: int


def _choose_sections(contents: Contents, count: Callable[[str], int]) -> list[tuple[int, Section]]:
    """The sections that fit beside the outlines: all roles before any other section."""
    definition, members, outlines, notes, _ = contents
    whole = sum(len(note.sections) for note in notes)
    head = _write_head(definition, _PackTally(members, frozenset(outlines.texts), whole, whole))
    left = definition.token_budget - count(head) - outlines.spent
    chosen = []
    for section in sorted(Section, key=lambda each: each.pack_rank):
        for number, note in enumerate(notes):
            cost = count(note.write([section])) if section in note.sections else left + 1
            if cost <= left:
                chosen.append((number, section))
                left -= cost
    return chosen


def _write_body(contents: Contents, pieces: _Pieces) -> str:
    """The outlines in order; each note below the last of its types."""
    taken = set(pieces.types)
    order = [type_id for type_id in contents.order if type_id in taken]
    places = {type_id: place for place, type_id in enumerate(order)}
    sections: dict[int, list[Section]] = {}
    for number, section in pieces.sections:
        sections.setdefault(number, []).append(section)
    below: dict[int, list[str]] = {}
    for number, chosen in sorted(sections.items()):
        note = contents.notes[number]
        place = max(places[type_id] for type_id in note.types if type_id in places)
        below.setdefault(place, []).append(note.write(chosen))
    blocks = []
    for place, type_id in enumerate(order):
        blocks += ["\n", contents.outlines.texts[type_id], *below.get(place, ())]
    return "".join(blocks)


def _write_head(definition: PackDefinition, tally: _PackTally) -> str:
    """Three lines: the pack's name, its filter, and how much of it is included."""
    shown = " ".join(definition.filter.split())
    shown = shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}..."
    matched = [each.id for each in tally.members if each.matched]
    others = [each.id for each in tally.members if not each.matched]
    counts = [_write_count(tally.taken, matched, "matched"), _write_count(tally.taken, others, "depended on")]
    line = f"Types: {_write_count(tally.taken, [*matched, *others])} ({', '.join(counts)})"
    if tally.all_sections:
        cut = f"{tally.sections:,} of " if tally.sections < tally.all_sections else ""
        line += f" | Note sections: {cut}{tally.all_sections:,}"
    return f"# Pack: {definition.name}\nFilter: {shown}\n{line} | Budget: {definition.token_budget:,} tokens\n"


def _write_count(taken: frozenset[TypeId], types: Sequence[TypeId], noun: str = "") -> str:
    number = sum(type_id in taken for type_id in types)
    cut = f"{number:,} of " if number < len(types) else ""
    return f"{cut}{len(types):,} {noun}".rstrip()


def _write_least(definition: PackDefinition, count: Callable[[str], int]) -> tuple[str, int]:
    """A text for a budget that is too small even for the head."""
    title = f"# Pack: {definition.name}\n"
    tokens = count(title)
    return (title, tokens) if tokens <= definition.token_budget else ("", 0)
