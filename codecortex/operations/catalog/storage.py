"""Stores catalogs and graphs in the local cache, as rows, and computes the digests of what they depend on.

Every row begins with a version mark and the digest of the tree it was written for; the head row has the digests of all
other rows. Rows are used together only if these agree, so that rows of concurrent runs are never mixed.
"""

from __future__ import annotations

import gc
import os
from array import array
from bisect import bisect_left
from contextlib import contextmanager
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from codecortex.model.code.catalog import Lines
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import OUTLINE_VERSION, PARSER_VERSION
from codecortex.operations.wording import tell_unread
from codecortex.store.cache.facts_codec import CODEC_VERSION
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.git.listing import Entry
    from codecortex.model.code.projects import Project
    from codecortex.operations.reading.tree import Tree
    from codecortex.store.cache.cache import Cache

KEPT_VERSION = 5

_MARK = sha256(f"{KEPT_VERSION}|{CODEC_VERSION}".encode()).digest()
_HEAD = len(_MARK) + 64

_T = TypeVar("_T")
Rows = dict[str, tuple[Any, ...]]
"""Rows by the name of the part."""

STATE = "state"
"""The part with the settings, the states of the sources, and further data for the next update."""


class RowKind(StrEnum):
    """What is stored for a tree."""

    CATALOG = "types"
    GRAPH = "graph"


class CatalogInputs(NamedTuple):
    """What a catalog or a graph is built from: a tree, its projects, and the cache for facts and rows."""

    tree: Tree
    projects: tuple[Project, ...]
    cache: Cache

    @property
    def name(self) -> str:
        """Prefix of the cache names: for the work tree or for all other trees, and for one flavour."""
        request = self.tree.request
        kind = "work" if request.reads_worktree else "other"
        asked = repr((request.tfm, request.configuration, request.define)).encode("utf-8", "surrogatepass")
        place = sha256(os.fsencode(self.tree.repository.folder) + b"\0" + asked).hexdigest()[:16]
        return f"catalog/{kind}/{place}"


class CatalogSnapshot(NamedTuple, Generic[_T]):
    """A catalog or a graph, from which the next one can be updated.

    Attributes:
        digest: A digest of everything it depends on.
        settings: The part of that digest without the sources.
        states: The states of its sources.
        columns: Its data.
        whole: Whether it is exactly the requested tree: every source was read, and none was edited meanwhile.
    """

    digest: str
    settings: str
    states: Mapping[str, str]
    columns: _T
    whole: bool = True


class CatalogKind(NamedTuple, Generic[_T]):
    """How a catalog or a graph is built and stored.

    Attributes:
        kind: Catalog or graph.
        parts: The names of its rows, except `STATE`.
        pack: Converts its data to rows, given earlier data also: rows made from the same objects are left out. For
            `STATE` only what is stored besides settings and states.
        unpack: Converts rows to its data.
        update_columns: Updates the data from an earlier one; also gives path to reason of unreadable sources. None if
            everything has to be read.
        build: Gives the same from every source.
    """

    kind: RowKind
    parts: Sequence[str]
    pack: Callable[[_T, _T | None], Rows]
    unpack: Callable[[Rows], _T]
    update_columns: Callable[[CatalogInputs, Mapping[str, str], CatalogSnapshot[_T]], tuple[_T, dict[str, str]] | None]
    build: Callable[[CatalogInputs], tuple[_T, dict[str, str]]]


def digest_catalog_settings(inputs: CatalogInputs) -> str:
    """A digest of everything but the sources that a catalog depends on.

    Of the configuration, only what selects the sources and how they are read counts: the sources cover `exclude` and
    `untracked`, the projects' symbols cover the flavour. All other settings, from hash rules to hooks, change nothing
    in a catalog and must not invalidate it.
    """
    told = [
        (each.path, each.assembly, each.test, sorted(each.symbols), each.references, each.usings, each.nullable)
        for each in inputs.projects
    ]
    return _digest("catalog", PARSER_VERSION, told)


def digest_graph_settings(inputs: CatalogInputs) -> str:
    """A digest of everything but the sources that a graph depends on.

    In addition to a catalog's settings: what a project can see, how many links an outline has, and which edges count
    for depth.
    """
    config = inputs.tree.config
    told = [(each.path, each.references, each.usings) for each in inputs.projects]
    counted = (config.outline.max_dependencies, config.include_internal_for_dependencies)
    return _digest("graph", digest_catalog_settings(inputs), OUTLINE_VERSION, counted, told)


def digest_catalog(inputs: CatalogInputs, settings: str) -> str:
    """A digest of the settings and of the sources: path, content, and the projects that compile them."""
    return sha256(f"{_MARK.hex()}|{settings}|{_digest_sources(inputs)}".encode()).hexdigest()


class _Digested(NamedTuple):
    """The digest of some sources and projects."""

    sources: Mapping[str, Entry]
    projects: Sequence[Project]
    digest: str


_digested: list[_Digested] = []


def _digest_sources(inputs: CatalogInputs) -> str:
    """A digest of the sources and of the projects' files; made once for the catalog and the graph of a tree."""
    sources, projects = inputs.tree.sources.sources, inputs.projects
    for each in _digested:
        if each.sources is sources and each.projects is projects:
            return each.digest
    state = sha256("\n".join([f"{path}\0{entry.blob}" for path, entry in sources.items()]).encode())
    for project in projects:
        state.update("\n".join(["", project.path, *project.files]).encode())
    _digested[:] = [_Digested(sources, projects, state.hexdigest())]
    return _digested[0].digest


def warn_of_unread(inputs: CatalogInputs, unread: Mapping[str, str]) -> None:
    """Warn that types may be missing because sources could not be read; path to reason."""
    for line in tell_unread(unread.items()):
        inputs.tree.request.warn(line)


def mark_incomplete(digest: str, unread: frozenset[str]) -> str:
    """The digest of an incomplete result: it equals no tree's digest, so that the sources are tried again."""
    return _digest(digest, sorted(unread)) if unread else digest


def _digest(*values: object) -> str:
    return sha256(repr(values).encode("utf-8", "surrogatepass")).hexdigest()


# -- rows


class CatalogStore(NamedTuple):
    """The stored parts of a catalog or a graph, one row each, with the digest that each was last written with.

    Most edits change only a few parts: then only these and the head row are written again.
    """

    inputs: CatalogInputs
    kind: RowKind
    digest: str
    keys: Mapping[str, str]

    def load(self, part: str) -> tuple[Any, ...] | None:
        """The row of a part, unless another run has overwritten it."""
        data = self.inputs.cache.get(_name(self.inputs, self.kind, part))
        return _read_row(data, self.keys.get(part, "")) if data is not None else None

    def load_all(self, part: str) -> list[tuple[Any, ...]] | None:
        """The rows of a split part, in order; None if another run has overwritten one of them."""
        whats = name_rows(part)
        names = [_name(self.inputs, self.kind, what) for what in whats]
        found = self.inputs.cache.get_all(names)
        rows = [
            _read_row(found.get(name, b""), self.keys.get(what, "")) for name, what in zip(names, whats, strict=True)
        ]
        kept = [row for row in rows if row is not None]
        return kept if len(kept) == len(rows) else None


def find_store(inputs: CatalogInputs, kind: RowKind, digest: str) -> CatalogStore | None:
    """The stored parts of a catalog or a graph if they belong to the tree with this digest."""
    data = inputs.cache.get(_name(inputs, kind))
    return _read_head(inputs, kind, data, digest) if data is not None else None


def load_store(kind: CatalogKind[_T], inputs: CatalogInputs, settings: str) -> CatalogSnapshot[_T] | None:
    """The stored catalog or graph of any tree of this kind; None if a row is missing or the settings differ."""
    names = {what: _name(inputs, kind.kind, what) for what in ("", STATE, *kind.parts)}
    found = inputs.cache.get_all(list(names.values()))
    store = _read_head(inputs, kind.kind, found[names[""]], None) if len(found) == len(names) else None
    if store is None:
        return None
    rows = {part: _read_row(found[name], store.keys.get(part, "")) for part, name in names.items() if part}
    kept = {part: row for part, row in rows.items() if row is not None}
    if len(kept) < len(rows) or kept[STATE][0] != settings:
        return None
    return CatalogSnapshot(store.digest, settings, kept[STATE][1], kind.unpack(kept))


def save_store(
    kind: CatalogKind[_T], inputs: CatalogInputs, made: CatalogSnapshot[_T], last: CatalogSnapshot[_T] | None
) -> None:
    """Store the parts of a catalog or a graph in one transaction; unchanged parts are not written."""
    before = find_store(inputs, kind.kind, last.digest) if last is not None else None
    if last is not None and before is None:
        return  # another run was faster: the stored parts are complete, so leave them
    packed = kind.pack(made.columns, None if last is None else last.columns)
    old = {} if last is None or made.columns is last.columns else kind.pack(last.columns, made.columns)
    new = {part: row for part, row in packed.items() if part == STATE or old.get(part) != row}
    new[STATE] = (made.settings, made.states, *packed.get(STATE, ()))
    parts = (STATE, *kind.parts)
    keys = {part: made.digest if part in new or before is None else before.keys.get(part, "") for part in parts}
    written = {_name(inputs, kind.kind, part): _write_row(made.digest, row) for part, row in new.items()}
    inputs.cache.put_all({**written, _name(inputs, kind.kind): _write_row(made.digest, (keys,))})


def _name(inputs: CatalogInputs, kind: RowKind, part: str = "") -> str:
    return f"{inputs.name}/{kind}/{part}"


def _read_head(inputs: CatalogInputs, kind: RowKind, data: bytes, digest: str | None) -> CatalogStore | None:
    held = data[len(_MARK) : _HEAD].decode("ascii", "replace")
    row = _read_row(data, held) if digest in (None, held) else None
    return CatalogStore(inputs, kind, held, row[0]) if row is not None else None


def _write_row(digest: str, row: tuple[Any, ...]) -> bytes:
    return _MARK + digest.encode() + pack_row(row)


def _read_row(data: bytes, digest: str) -> tuple[Any, ...] | None:
    if data[:_HEAD] != _MARK + digest.encode():
        return None
    return load_row(memoryview(data)[_HEAD:], tuple)


@contextmanager
def without_collection() -> Iterator[None]:
    """Disable garbage collection while many long-lived objects are created, which would trigger it again and again."""
    held = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if held:
            gc.enable()


# -- split parts

# Ids are spread evenly, so an edit changes one or two of these rows, and writing is the expensive part.
_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def name_rows(part: str) -> list[str]:
    """The names of the rows of a split part: one for each first character of an id."""
    return [f"{part}/{sign}" for sign in _SIGNS]


def cut_rows(part: str, ids: Sequence[str], cut: Callable[[int, int], tuple[Any, ...]]) -> Rows:
    """The rows of a part; `cut` makes the row for the types from one index up to another."""
    ends = [*(bisect_left(ids, f"T_{sign}") for sign in _SIGNS), len(ids)]
    return {row: cut(ends[at], ends[at + 1]) for at, row in enumerate(name_rows(part))}


# -- columns and texts


def pack_numbers(numbers: Sequence[int]) -> bytes:
    """Numbers below 2^32 as bytes."""
    return (numbers if isinstance(numbers, array) else array("I", numbers)).tobytes()


def unpack_numbers(data: bytes) -> Sequence[int]:
    """The numbers that `pack_numbers` packed."""
    numbers = array("I")
    numbers.frombytes(data)
    return numbers


def join_blocks(blocks: Sequence[str]) -> Lines:
    """Join the lines of each type, in order."""
    starts, at = array("I", [0]), 0
    for block in blocks:
        at += len(block)
        starts.append(at)
    return Lines("".join(blocks), starts)


def pack_lines(lines: Lines, first: int, last: int) -> tuple[Any, ...]:
    """The lines of the types from one index up to another, as values for a row."""
    begin = lines.starts[first]
    starts = pack_numbers([start - begin for start in lines.starts[first : last + 1]])
    return lines.text[begin : lines.starts[last]], starts


def unpack_lines(row: tuple[Any, ...]) -> Lines:
    """The lines from a result of `pack_lines`."""
    text, packed = row
    return Lines(text, unpack_numbers(packed))
