"""What is asked of an index: values that the ranking reads, whoever keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from codecortex.model.code.units import FIELD_BITS
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.context.retrieval.segments import Posting
    from codecortex.model.code.units import Field


class TypeName(NamedTuple):
    """A type that a document declares.

    Attributes:
        name: Its simple name.
        line: Its first line.
        parts: Those of its name.
        fqn: Its FQN.
        kind: See `TypeKind`.
        local: Whether its file alone may name it.
    """

    name: str
    line: int
    parts: tuple[str, ...]
    fqn: str
    kind: str
    local: bool


class Found(NamedTuple):
    """A posting, and the number of the first document of its segment."""

    first: int
    posting: Posting


class Postings(Protocol):
    """Where postings come from."""

    def find(self, terms: Iterable[str]) -> Mapping[str, Sequence[Found]]:
        """The postings of each term that there is."""

    def find_spelt(self, names: Iterable[str]) -> Mapping[str, Mapping[str, Sequence[Found]]]:
        """By each name in lower case: the names spelt so, whatever their case, with where they are declared."""


class Corpus(NamedTuple):
    """The documents of one tree.

    Attributes:
        paths: By document; empty where the tree has no such document.
        total: How many there are.
        sizes: Characters.
        lengths: By field: how many terms each document has in it.
        types: The types that each declares.
        first_units: The number of the first unit of each.
        unit_lengths: How many terms each unit holds.
        postings: Where the terms stand.
    """

    paths: Sequence[str]
    total: int
    sizes: Sequence[int]
    lengths: Sequence[Sequence[int]]
    types: Sequence[tuple[TypeName, ...]]
    first_units: Sequence[int]
    unit_lengths: Sequence[int]
    postings: Postings


def list_places(found: Sequence[Found], corpus: Corpus, field: Field) -> dict[int, list[int]]:
    """By document, the units that have a term in a field."""
    places: dict[int, list[int]] = {}
    for first, posting in found:
        at = 0
        for number, count in zip(posting.documents, posting.counts, strict=True):
            for place in range(at, at + count):
                if posting.codes[place] >> FIELD_BITS == field and corpus.paths[first + number]:
                    places.setdefault(first + number, []).append(posting.units[place])
            at += count
    return places
