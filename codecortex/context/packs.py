"""Types with their outlines and notes, and a budget, in; the text of a pack, which never exceeds it, out.

What goes in first stays longest: outlines of the types that the filter matches, then those of their dependencies, then
the roles from the notes, then the notes' other sections. Within each, the type that most others name comes first, of
equals the one nearer to the ground.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.model.notes import Section

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from codecortex.model.code.types import TypeId
    from codecortex.model.packs import PackDefinition

PATIENCE = 8
"""Types in a row that do not fit, after which smaller ones further down are not looked for."""

_LONGEST_SHOWN = 200


class Member(NamedTuple):
    """A type that belongs in a pack.

    Attributes:
        id: Its id.
        fqn: Its metadata name.
        matched: Whether the filter matches it; else it is a dependency of one that it does.
        fan_in: How many types name it.
        depth: Steps to the nearest type that depends on nothing.
    """

    id: TypeId
    fqn: str
    matched: bool
    fan_in: int
    depth: int


class Note(NamedTuple):
    """What a note says of types of a pack.

    Attributes:
        about: Their names; empty where it is about one type, which it stands below.
        types: Their ids.
        stale: Whether it was made from another state of them.
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
    """The outlines that a budget has room for.

    Attributes:
        texts: By type, in the order taken.
        spent: Tokens of all of them.
    """

    texts: Mapping[TypeId, str]
    spent: int


class Contents(NamedTuple):
    """What a pack is made of.

    Attributes:
        definition: Its name, filter and budget.
        members: All that belong in it, ranked.
        outlines: Those that fit.
        notes: The notes on the types that fit, in the order of these.
        order: The types that fit, as they are to stand.
    """

    definition: PackDefinition
    members: Sequence[Member]
    outlines: Outlines
    notes: Sequence[Note]
    order: Sequence[TypeId]


class PackText(NamedTuple):
    """The text of a pack.

    Attributes:
        text: What the file holds.
        tokens: How many that are.
        types: The types in it, as they stand.
        total: How many types belong in it.
        matched: How many of those the filter matches.
        sections: Sections of notes in it.
        all_sections: Sections of the notes on the types in it.
    """

    text: str
    tokens: int
    types: tuple[TypeId, ...]
    total: int
    matched: int
    sections: int
    all_sections: int


def rank_members(members: Iterable[Member]) -> list[Member]:
    """The most important first: matched, named by many, near the ground; ties by name."""
    return sorted(members, key=lambda each: (not each.matched, -each.fan_in, each.depth, each.fqn, each.id))


def choose_outlines(
    definition: PackDefinition,
    members: Sequence[Member],
    texts: Iterable[tuple[TypeId, str]],
    count: Callable[[str], int],
) -> Outlines:
    """The outlines that fit.

    Args:
        definition: Says what the budget is.
        members: All that belong in the pack.
        texts: Their ids and outlines, in the order of their rank; no more of it is read than is needed.
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
    """The text of a pack; what was taken last goes again where the whole is more tokens than its head and pieces."""
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
        """The same without what was taken last."""
        sections = self.sections[: max(0, len(self.sections) - number)]
        more = number - (len(self.sections) - len(sections))
        return _Pieces(self.types[: max(0, len(self.types) - more)], sections)


class _PackTally(NamedTuple):
    """All that belongs in a pack, the types of it that are in, and the sections of notes that are in, of how many."""

    members: Sequence[Member]
    taken: frozenset[TypeId]
    sections: int
    all_sections: int


def _choose_sections(contents: Contents, count: Callable[[str], int]) -> list[tuple[int, Section]]:
    """The sections that fit beside the outlines: all roles before anything else."""
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
    """Outlines in their order; a note stands below the last of its types."""
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
    """Three lines: which pack, by what filter, and how much of it there is."""
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
    """A text for a budget that not even the head fits."""
    title = f"# Pack: {definition.name}\n"
    tokens = count(title)
    return (title, tokens) if tokens <= definition.token_budget else ("", 0)
