"""How records of nodes and the states of lines stand in the columns of the local cache."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from codecortex.model.cognition.records import Change, KindState, LineState
from codecortex.model.cognition.table import RecordTable
from codecortex.store.cache.rows import pack_row

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from codecortex.model.cognition.records import Name

MOST_NUMBER = (1 << 32) - 1
"""The greatest number that a column holds: no table comes near it."""
_BATCH = 500

_T = TypeVar("_T")


class LazyNames(Sequence["Name"]):
    """Names that are looked up when the first of them is needed."""

    def __init__(self, numbers: array[int], look_up: Callable[[Iterable[int]], list[Name]]) -> None:
        self.numbers = numbers
        self._look_up = look_up
        self._names: list[Name] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, at: Any) -> Any:
        if self._names is None:
            self._names = self._look_up(self.numbers)
        return self._names[at]

    def __iter__(self) -> Iterator[Name]:
        return iter(self[:])


def digest_row(values: tuple[Any, ...]) -> int:
    """What guards a record or a name against chance."""
    parts = [value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass") for value in values]
    return crc32(b"\0".join(parts))


def pack_state(state: LineState) -> bytes:
    """The state of a line as its column has it."""
    stale = {
        kind: {key: [tuple(c) for c in each] for key, each in nodes.items()} for kind, nodes in state.stale.items()
    }
    kinds = {name: tuple(kind) for name, kind in state.kinds.items()}
    records = (state.records.nodes.tobytes(), state.records.numbers.tobytes())
    return pack_row((dict(state.tops), *records, stale, kinds, sorted(state.doubted)))


def read_state(row: Any) -> LineState:
    """The state that stands in such a column."""
    tops, nodes, records, stale, kinds, doubted = row
    return LineState(
        tops,
        RecordTable(unpack_numbers(nodes), unpack_numbers(records)),
        {kind: {key: tuple(map(Change._make, c)) for key, c in each.items()} for kind, each in stale.items()},
        {name: KindState._make(kind) for name, kind in kinds.items()},
        frozenset(doubted),
    )


def pack_numbers(numbers: Iterable[int]) -> bytes:
    """Numbers as a column has them."""
    return array("I", numbers).tobytes()


def unpack_numbers(data: object) -> array[int]:
    """The numbers in a column; none where it is damaged."""
    numbers = array("I")
    if isinstance(data, bytes) and len(data) % numbers.itemsize == 0:
        numbers.frombytes(data)
    return numbers


def cut(values: Collection[_T]) -> Iterator[tuple[list[_T], str]]:
    """Values in batches, with a mark for each."""
    every = list(values)
    for start in range(0, len(every), _BATCH):
        batch = every[start : start + _BATCH]
        yield batch, ",".join("?" * len(batch))


def to_column(text: str) -> str | bytes:
    """A name as SQLite takes it: paths need not be text."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def from_column(value: str | bytes) -> str:
    """The name that stands in such a column."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")
