"""Which record each node of a line has: two columns of numbers, so that opening a line costs no dictionary."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_WORTH_A_DICTIONARY = 2000  # questions


class RecordTable:
    """By the number of a node's name, the number of its record.

    Attributes:
        nodes: The nodes, in ascending order.
        numbers: The record of each.
    """

    __slots__ = ("_asked", "_known", "nodes", "numbers")

    def __init__(self, nodes: Iterable[int] = (), numbers: Iterable[int] = ()) -> None:
        self.nodes = array("I", nodes)
        self.numbers = array("I", numbers)
        self._asked = 0
        self._known: dict[int, int] | None = None

    def __bool__(self) -> bool:
        return bool(self.nodes)

    def __contains__(self, node: int) -> bool:
        return self.get(node) is not None

    def get(self, node: int) -> int | None:
        """The record of a node; None if it has none."""
        if self._known is not None:
            return self._known.get(node)
        self._asked += 1
        if self._asked > _WORTH_A_DICTIONARY:
            self._known = dict(zip(self.nodes, self.numbers, strict=True))
        at = bisect_left(self.nodes, node)
        return self.numbers[at] if at < len(self.nodes) and self.nodes[at] == node else None

    def change(self, changes: Mapping[int, int]) -> RecordTable:
        """The same with other records for some nodes."""
        table = RecordTable(self.nodes, self.numbers)
        nodes, numbers = table.nodes, table.numbers
        if len(changes) > _WORTH_A_DICTIONARY:
            every = sorted({**dict(zip(nodes, numbers, strict=True)), **changes}.items())
            return RecordTable((node for node, _ in every), (number for _, number in every))
        for node, number in changes.items():
            at = bisect_left(nodes, node)
            if at == len(nodes) or nodes[at] != node:
                nodes.insert(at, node)
                numbers.insert(at, number)
            numbers[at] = number
        return table
