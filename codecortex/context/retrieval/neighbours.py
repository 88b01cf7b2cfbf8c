"""Chosen members and a corpus in; where else their names stand, and lines that tell of what was found there, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.context.retrieval.corpus import list_places
from codecortex.context.retrieval.endings import EndLine
from codecortex.model.code.units import Field
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.terms import split_name
from codecortex.model.text.visible import show_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from codecortex.context.retrieval.corpus import Corpus, Found

_MOST_CALLERS, _MOST_SIBLINGS = 5, 12
NAMELESS = frozenset({"constructor", "destructor", "operator", "conversion", "indexer", "invoke"})
"""Kinds of members that are used without a name of their own."""


class Place(NamedTuple):
    """A member: its file's document, its position among the file's units."""

    document: int
    unit: int


class Neighbour(NamedTuple):
    """One member near a chosen one.

    Attributes:
        name: Its type and its name.
        path: Its file.
        line: Of a caller, where it uses the chosen member; of a sibling, where it begins.
        exact: Whether C#'s own lookup leads there; else the names are equal, and nothing more is known.
        through: The interface or the base that both have to do with; empty for none.
    """

    name: str
    path: str
    line: int
    exact: bool
    through: str

    def as_json(self) -> dict[str, Any]:
        """The member as JSON values."""
        return self._asdict() | {"through": self.through or None}


class Neighbours(NamedTuple):
    """What is near a chosen member.

    Attributes:
        of: Its type and its name.
        callers: Members that use it.
        siblings: Members that implement or override the same, and what they implement or override.
        whole: Whether each file was looked at that may hold one of the callers, one of the siblings.
    """

    of: str
    callers: tuple[Neighbour, ...]
    siblings: tuple[Neighbour, ...]
    whole: tuple[bool, bool] = (True, True)

    def only(self, shows: Callable[[str], bool]) -> Neighbours:
        """Those of them whose paths may be shown."""
        callers, siblings = (tuple(each for each in found if shows(each.path)) for found in self[1:3])
        return self._replace(callers=callers, siblings=siblings)

    def write(self, known: frozenset[str]) -> list[EndLine]:
        """A line for each sort; files that are known to the reader by their path are called by their name."""
        sorts = (("used in", self.callers, _MOST_CALLERS), ("also in", self.siblings, _MOST_SIBLINGS))
        return [
            EndLine(
                f"{show_line(self.of)} is {head}: ",
                tuple(_write(each, known) for each in found[:most]),
                len(found) - min(len(found), most),
                whole,
            )
            for (head, found, most), whole in zip(sorts, self.whole, strict=True)
            if found
        ]


def _write(each: Neighbour, known: frozenset[str]) -> str:
    path = each.path.rpartition("/")[2] if each.path in known else each.path
    told = f"through {show_line(each.through)}" if each.through else ""
    told = told if each.exact else "by name"
    return f"{show_line(each.name)} {show_line(path)}:{each.line}" + (f" ({told})" if told else "")


class Named(NamedTuple):
    """Where members are called as a chosen one is, and where others may use it: all places of the tree."""

    declaring: frozenset[Place]
    using: frozenset[Place]


def find_named(names: Iterable[str], corpus: Corpus) -> dict[str, Named]:
    """By name of a member, where it stands. Of a name of one part, uses are those of any name that has that part."""
    wanted = list(dict.fromkeys(names))
    terms = {name: (split := split_name(name)).whole or "".join(split.parts) for name in wanted}
    spelt = corpus.postings.find_spelt(wanted)
    found = corpus.postings.find(filter(None, terms.values()))
    return {
        name: Named(
            _list_members(spelt.get(name.lower(), {}).get(name, ()), corpus, Field.MEMBER),
            _list_members(found.get(terms[name], ()), corpus, Field.BODY),
        )
        for name in wanted
    }


def _list_members(found: Sequence[Found], corpus: Corpus, field: Field) -> frozenset[Place]:
    """The members that have a term in a field; what stands outside of members has position 0."""
    places = list_places(found, corpus, field)
    return frozenset(Place(document, unit) for document, units in places.items() for unit in units if unit)
