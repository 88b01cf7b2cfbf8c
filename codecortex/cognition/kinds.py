"""Kinds of nodes: how one is built, what it may ask, and what others may ask of it by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.cognition.records import digest_text
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.cognition.ask import Ask


class Kind(NamedTuple):
    """A kind of nodes.

    Attributes:
        name: Its name, which is also the space of its nodes' outputs.
        version: Changes whenever its builder gives other bytes for the same inputs.
        reads: The spaces that its builder may ask: given and provided ones, and those of kinds before this one.
        build: By key, an `Ask` in; each key with its output, or None where there is no such node, out. Keys that are
            left out cannot be made now, such as those of sources that cannot be read.
        spaces: The spaces that it exports names to.
        exports: What others may ask of an output by name.
        over: The space whose names are the keys of all its nodes; empty where they are asked for one by one.
        params: All else that its outputs depend on.
        keep: Whether outputs are kept. Else only their digests are, and an output is made again when it is asked for.
    """

    name: str
    version: str
    reads: tuple[str, ...]
    build: Callable[[Mapping[str, Ask]], Iterable[tuple[str, bytes | None]]]
    spaces: tuple[str, ...] = ()
    exports: Callable[[bytes], Mapping[str, Mapping[str, bytes]]] | None = None
    over: str = ""
    params: str = ""
    keep: bool = True

    @property
    def mark(self) -> bytes:
        """A digest of the version and the parameters."""
        return digest_text(f"{self.version}\0{self.params}")[:8]


class Space(NamedTuple):
    """A space whose answers the caller has, rather than nodes.

    Attributes:
        name: Its name.
        top: A digest of all that its answers depend on: where it is as it was, no name is looked at.
        look_up: The digest of what answers to each name, in their order; `ABSENT` where nothing does.
        find_moved: Given what the line was given before, tells which names may answer otherwise since; None where any
            may. Without it any may wherever the top is another one.
    """

    name: str
    top: bytes
    look_up: Callable[[Sequence[str]], Iterable[bytes]]
    find_moved: Callable[[Mapping[str, Mapping[str, str]]], Callable[[str], bool] | None] | None = None


class Inputs(NamedTuple):
    """What a line is brought up to.

    Attributes:
        given: By space, names and values: the sources with their blobs, settings. None may hold a NUL. Every process
            gives the same spaces to a line.
        spaces: The spaces that the caller answers for.
    """

    given: Mapping[str, Mapping[str, str]]
    spaces: Sequence[Space] = ()


class LineName(NamedTuple):
    """The name of a line (a work tree, an index, a session, a revision), and of the one to start from if it is new.

    Of one without a name only records and outputs are kept.
    """

    name: str
    basis: str = ""


def one_by_one(build: Callable[[Ask, str], bytes | None]) -> Callable[..., Iterator[tuple[str, bytes | None]]]:
    """A builder of many nodes that builds each by itself."""

    def build_all(asks: Mapping[str, Ask]) -> Iterator[tuple[str, bytes | None]]:
        for key, ask in asks.items():
            yield key, build(ask, key)

    return build_all
