"""Chosen members and a corpus in; the members that call them, and those that implement the same, by name, out.

A call through an interface or a base class names the same member, so that it is found as well. A name that many types
declare tells nothing and is passed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.model.terms import split_name
from codecortex.model.units import FIELD_BITS, Field
from codecortex.model.visible import show_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from codecortex.context.retrieval.corpus import Corpus, Found
    from codecortex.model.units import Unit

_MOST_DECLARING = 8
_MOST_CALLING = 60
_SHOWN = 5
_NO_CALLS = frozenset({"constructor", "destructor", "operator", "conversion", "indexer", "enumMember"})


class Place(NamedTuple):
    """A member: its file's document, its position among the file's units."""

    document: int
    unit: int


class Neighbour(NamedTuple):
    """One member near a chosen one: its type and its name, and where it stands."""

    name: str
    path: str
    line: int


class Neighbours(NamedTuple):
    """What is near a chosen member.

    Attributes:
        of: Its type and its name.
        callers: Members that name it.
        siblings: Members of the same name in other types.
    """

    of: str
    callers: tuple[Neighbour, ...]
    siblings: tuple[Neighbour, ...]

    def write(self, known: frozenset[str]) -> list[str]:
        """A line for each sort; files that are known to the reader by their path are called by their name."""
        lines = []
        for head, found in (("named in", self.callers), ("also in", self.siblings)):
            if found:
                shown = [_write(each, known) for each in found[:_SHOWN]]
                more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
                lines.append(f"{show_line(self.of)} is {head}: {'; '.join(shown)}{more}")
        return lines


def _write(each: Neighbour, known: frozenset[str]) -> str:
    path = each.path.rpartition("/")[2] if each.path in known else each.path
    return f"{show_line(each.name)} {show_line(path)}:{each.line}"


def find_neighbours(
    chosen: Sequence[Place], corpus: Corpus, ranks: Mapping[int, int], read_units: Callable[[int], Sequence[Unit]]
) -> list[Neighbours]:
    """What is near some members.

    Args:
        chosen: The members.
        corpus: The tree.
        ranks: Of documents; callers in files that come first are told first.
        read_units: The units of a document.
    """
    units = {place: read_units(place.document)[place.unit] for place in chosen}
    names = {place: unit.name for place, unit in units.items() if unit.kind not in _NO_CALLS}
    wholes = {name: split_name(name).whole for name in names.values()}
    spelt = corpus.postings.find_spelt(names.values())
    postings = corpus.postings.find([whole for whole in wholes.values() if whole])
    result: dict[str, Neighbours] = {}

    def find_order(place: Place) -> tuple[int, str, int]:
        return ranks.get(place.document, len(ranks)), corpus.paths[place.document], place.unit

    def describe(places: set[Place]) -> tuple[Neighbour, ...]:
        listed = sorted(places, key=find_order)
        told = ((corpus.paths[each.document], read_units(each.document)[each.unit]) for each in listed)
        return tuple(Neighbour(f"{unit.owner}.{unit.name}", path, unit.line) for path, unit in told)

    for place, name in names.items():
        declaring = _list_places(spelt.get(name.lower(), {}).get(name, ()), corpus, Field.MEMBER)
        calling = _list_places(postings.get(wholes[name], ()), corpus, Field.BODY)
        if not wholes[name] or name in result or len({each.document for each in declaring}) > _MOST_DECLARING:
            continue
        callers = {each for each in calling if each.unit} - declaring if len(calling) <= _MOST_CALLING else set()
        siblings = {each for each in declaring if each.document != place.document}
        found = Neighbours(f"{units[place].owner}.{name}", describe(callers), describe(siblings))
        if found.callers or found.siblings:
            result[name] = found
    return list(result.values())


def _list_places(found: Sequence[Found], corpus: Corpus, field: Field) -> set[Place]:
    """The units that have a term in a field."""
    places = set()
    for first, posting in found:
        at = 0
        for number, count in zip(posting.documents, posting.counts, strict=True):
            for place in range(at, at + count):
                if posting.codes[place] >> FIELD_BITS == field and corpus.paths[first + number]:
                    places.add(Place(first + number, posting.units[place]))
            at += count
    return places
