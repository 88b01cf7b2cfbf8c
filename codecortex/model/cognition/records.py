"""Records of the cognition graph: which inputs a node was made from, as bytes that can be compared and kept."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from codecortex.model.cognition.table import RecordTable
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH = 16
ABSENT = bytes(WIDTH)
"""The digest of what is not there."""

Name = tuple[str, str]
"""A space and a name in it. What answers to it has a digest; a node is a name in the space called like its kind."""


class Record(NamedTuple):
    """What a node was made from and what came of it.

    Attributes:
        id: Its number in the store; 0 while it is in memory only.
        mark: A digest of the version and the parameters of its kind.
        output: The digest of its output; `ABSENT` where there is no such node.
        reads: The names that its builder asked for, in that order.
        digests: What answered to each, `WIDTH` bytes a name.
        exports: The names under which others may ask for parts of it.
        exported: Their digests, `WIDTH` bytes a name.
        told: What its builder had to say about it.
        created: When it was made, in seconds since 1970; 0 while it is in memory only.
    """

    id: int
    mark: bytes
    output: bytes
    reads: Sequence[Name]
    digests: bytes
    exports: Sequence[Name] = ()
    exported: bytes = b""
    told: str = ""
    created: int = 0


class Change(NamedTuple):
    """A name that answers otherwise than before.

    Attributes:
        name: Which.
        before: The digest of what answered; empty if that is not known, as the name perhaps answers as before.
        after: The digest of what answers; likewise.
    """

    name: Name
    before: bytes
    after: bytes


class KindState(NamedTuple):
    """What a line knows about a kind.

    Attributes:
        mark: A digest of the version and the parameters with which its nodes were last brought up.
        over: The space whose names are its nodes' keys; empty where nodes are only asked for one by one.
        reads: The spaces that its builder may ask.
        settled: Whether every node of it was made, except those that are noted as stale since.
    """

    mark: bytes
    over: str
    reads: tuple[str, ...]
    settled: bool


class Head(NamedTuple):
    """The beginning of what is kept of a line.

    Attributes:
        top: A digest of all names and values that were given to it.
        counter: How often it was saved.
    """

    top: bytes
    counter: int


class LineState(NamedTuple):
    """What is kept of a line (a work tree, an index, a session, a revision) besides what was given to it.

    Attributes:
        tops: By provided space, the digest of all that it answers from.
        records: Which record each of its nodes has.
        stale: By kind and key, what changed of what a node was made from; nothing for a node that was never made.
        kinds: By kind, what is known of it.
        doubted: The kinds that read a provided space which has changed since, nobody knows where.
    """

    tops: Mapping[str, bytes]
    records: RecordTable
    stale: Mapping[str, Mapping[str, tuple[Change, ...]]]
    kinds: Mapping[str, KindState]
    doubted: frozenset[str]


class Exported(NamedTuple):
    """That a node exports, or has exported, a name.

    Attributes:
        name: The name.
        key: The key of the node.
        node: Its number.
        record: The number of the record that says so.
        digest: The digest of what answers.
    """

    name: str
    key: str
    node: int
    record: int
    digest: bytes


class Saved(NamedTuple):
    """What there is to keep.

    Attributes:
        line: The name of the line; empty for one of which nothing is kept but records and outputs.
        head: Its new beginning, with the counter that it was loaded with; 0 for a new line.
        state: Its state; of its records, those that it was loaded with.
        given: By space, the names and values that were given; None where they are as they were.
        made: The records that are new, by node.
        moved: By node, the number of an older record that is its record again.
        outputs: Outputs by digest.
    """

    line: str
    head: Head
    state: LineState
    given: Mapping[str, Mapping[str, str]] | None
    made: Mapping[Name, Record]
    moved: Mapping[Name, int]
    outputs: Mapping[bytes, bytes]


EMPTY_LINE = LineState({}, RecordTable(), {}, {}, frozenset())


def digest_output(data: bytes) -> bytes:
    """The digest of an output, which is also its address."""
    return blake2b(data, digest_size=WIDTH).digest()


def digest_text(text: str) -> bytes:
    """The digest of a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=WIDTH).digest()


def cut_digests(digests: bytes) -> list[bytes]:
    """The digests that stand one after the other."""
    return [digests[at : at + WIDTH] for at in range(0, len(digests), WIDTH)]
