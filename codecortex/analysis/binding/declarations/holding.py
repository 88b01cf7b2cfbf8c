"""Finds the declarations in the bodies of a type that hold a word, for who asks for few words or for many."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.heads import leave
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.model.code.syntax import Node

_RUN = compile_later(rb"[0-9A-Za-z_\x80-\xff]+")
_MANY = 20_000  # declarations that were looked into: an index of some thousands takes as long


class Holding:
    """The declarations in some bodies, by the words that they hold, maybe as parts of longer ones."""

    def __init__(self, bodies: Sequence[Node]) -> None:
        self._bodies = bodies
        self._looked = 0
        self._index: _Index | None = None

    def list_nodes(self, word: bytes) -> Iterable[tuple[Node, Node]]:
        """The declarations that hold a word, in order, each behind its body; those that wait are made."""
        if self._index is None and self._looked > _MANY:
            self._index = _Index(self._bodies)
        if self._index is not None and _RUN.fullmatch(word) is not None:
            return self._index.list_nodes(word)
        return self._look(word)

    def _look(self, word: bytes) -> Iterator[tuple[Node, Node]]:
        for body in self._bodies:
            holds = partial(_holds, body.source, word)
            nodes = body.pick(holds)
            self._looked += len(nodes) + len(body.waiting)
            yield from ((body, each) for each in nodes if holds(each.start, each.end))


class _Index:
    """What tells at once which declarations hold a word: each run of letters in them, and where it stands."""

    def __init__(self, bodies: Sequence[Node]) -> None:
        self._places: list[tuple[Node, tuple[int, int]]] = []
        self._nodes: dict[int, list[Node]] = {}  # by places; of those that nobody has asked for yet none is known
        self._spans: dict[Node, tuple[int, list[int]]] = {}  # the first place in a body, and where its places start
        holders: dict[bytes, list[int]] = {}
        for body in bodies:
            nodes = body.pick(leave)
            extents = sorted((*((each.start, each.end) for each in nodes), *body.waiting))
            self._spans[body] = len(self._places), [start for start, _ in extents]
            for start, end in extents:
                for run in set(_RUN.findall(body.source, start, end)):
                    holders.setdefault(run, []).append(len(self._places))
                self._places.append((body, (start, end)))
            self._place(body, nodes)
        self._runs = b"\n".join(holders)
        self._starts = [*accumulate((len(each) + 1 for each in holders), initial=0)]
        self._holders = [*holders.values()]

    def list_nodes(self, word: bytes) -> Sequence[tuple[Node, Node]]:
        """The same, at once."""
        places = self._find(word)
        self._make([each for each in places if each not in self._nodes])
        nodes = ((self._places[each][0], node) for each in places for node in self._nodes.get(each, ()))
        return [(body, node) for body, node in nodes if _holds(body.source, word, node.start, node.end)]

    def _find(self, word: bytes) -> Sequence[int]:
        found: set[int] = set()
        at = self._runs.find(word)
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            found.update(self._holders[number])
            at = self._runs.find(word, self._starts[number + 1])
        return sorted(found)

    def _make(self, places: Sequence[int]) -> None:
        """Make what waits in some places; what others have made there in the meantime is taken over."""
        waiting: dict[Node, list[tuple[int, int]]] = {}
        for body, extent in map(self._places.__getitem__, places):
            left = waiting.setdefault(body, [])
            if extent in body.waiting:
                left.append(extent)
        for body, left in waiting.items():
            self._place(body, body.take(left))
        for body in {self._places[each][0]: None for each in places if each not in self._nodes}:
            self._place(body, body.pick(leave))

    def _place(self, body: Node, nodes: Iterable[Node]) -> None:
        first, starts = self._spans[body]
        for node in nodes:
            placed = self._nodes.setdefault(first + bisect_right(starts, node.start) - 1, [])
            if node not in placed:
                placed.append(node)


def _holds(text: bytes, word: bytes, start: int, end: int) -> bool:
    return text.find(word, start, end) >= 0
