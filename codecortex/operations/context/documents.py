"""A workspace and paths in; the documents of an index with their names, and the units of those asked for, out."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from codecortex.git.contents import read_contents
from codecortex.model.code.units import UNITS_VERSION, BlobUnits, DeclaredType, Unit
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.reading.facts import digest_symbols, extract, make_key
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.git.listing import Entry
    from codecortex.model.code.projects import Project
    from codecortex.operations.catalog.workspace import Workspace

_TAIL = b"units%d" % UNITS_VERSION
_LEVEL = 6
_NONE: frozenset[str] = frozenset()
_STEP = 50


class Document(NamedTuple):
    """One source.

    Attributes:
        entry: Where it stands.
        symbols: What it is read under: the symbols of the first project that compiles it.
        keys: What it may be called: by its blob alone, or by the symbols too where these matter.
    """

    entry: Entry
    symbols: frozenset[str]
    keys: tuple[bytes, bytes]


class ReadUnits(NamedTuple):
    """What was read of documents.

    Attributes:
        units: By name of the document.
        found: Path to the name that its document has.
        unread: Path to reason of those that could not be read.
    """

    units: dict[bytes, BlobUnits]
    found: dict[str, bytes]
    unread: dict[str, str]


def list_documents(workspace: Workspace, paths: Iterable[str]) -> list[Document]:
    """The documents of some sources."""
    symbols = workspace.keep("context/symbols", workspace.tree, lambda: _list_symbols(workspace.projects))
    nothing = (_NONE, digest_symbols(_NONE))
    documents = []
    for path in paths:
        entry = workspace.tree.sources.sources[path]
        chosen, digest = symbols.get(path, nothing)
        blob = bytes.fromhex(entry.blob)
        documents.append(Document(entry, chosen, (blob, blob + digest)))
    return documents


def _list_symbols(projects: Iterable[Project]) -> dict[str, tuple[frozenset[str], bytes]]:
    """By path, the symbols of the first project that compiles it, and their digest."""
    symbols: dict[str, tuple[frozenset[str], bytes]] = {}
    for project in projects:
        pair = (project.symbols, digest_symbols(project.symbols))
        for path in project.files:
            symbols.setdefault(path, pair)
    return symbols


def read_units(workspace: Workspace, documents: Sequence[Document], *, keep: bool) -> ReadUnits:
    """The units of documents: from the local cache, else from their bytes.

    Args:
        workspace: The tree.
        documents: Which.
        keep: Whether to keep a row for each in the local cache.
    """
    result = ReadUnits({}, {}, {})
    rest = _load(workspace, documents, result) if keep else list(documents)
    if not rest:
        return result
    wanted = {each.entry.path: (each.entry, [each.symbols]) for each in rest}
    facts = extract(workspace.request, workspace.repository, wanted, workspace.cache)
    result.unread.update((path, reason) for path, reason in facts.unread)
    by_path = {each.entry.path: each for each in rest}
    from codecortex.parsing.units.extract import extract_units

    rows = []
    for done, content in enumerate(read_contents(workspace.repository, [each.entry for each in rest]), 1):
        if done % _STEP == 0:
            workspace.request.progress("Indexing for questions", done, len(rest))
        path, data = content.entry.path, content.data
        document = by_path[path]
        read = facts.get(path, digest_symbols(document.symbols))
        if data is None or read is None:
            result.unread.setdefault(path, str(content.problem or "no facts"))
            continue
        key = document.keys[read.conditional]
        result.found[path] = key
        if key not in result.units:
            result.units[key] = extract_units(b"" if read.left_out else data, read)
            rows.append((_name_row(document, conditional=read.conditional), _pack(key, result.units[key])))
    if keep:
        workspace.cache.put_many(rows)
    return result


def _load(workspace: Workspace, documents: Sequence[Document], result: ReadUnits) -> list[Document]:
    """Take from the cache what is there; the documents that are left."""
    names = {_name_row(each, conditional=with_symbols): each for each in documents for with_symbols in (False, True)}
    rest = {each.entry.path: each for each in documents}
    for name, data in workspace.cache.get_many(list(names)).items():
        loaded = _unpack(data)
        if loaded is not None:
            key, units = loaded
            result.units[key] = units
            result.found[names[name].entry.path] = key
            rest.pop(names[name].entry.path, None)
    return list(rest.values())


def _name_row(document: Document, *, conditional: bool) -> bytes:
    return make_key(document.entry.blob, digest_symbols(document.symbols) if conditional else bytes(8)) + _TAIL


def _pack(key: bytes, units: BlobUnits) -> bytes:
    types, each_unit = [tuple(each) for each in units.types], [tuple(each) for each in units.units]
    row = (key, units.size, types, each_unit, units.lengths, dict(units.postings))
    return zlib.compress(pack_row(row), _LEVEL)


def _unpack(data: bytes) -> tuple[bytes, BlobUnits] | None:
    try:
        return load_row(zlib.decompress(data), _read)
    except zlib.error:
        return None


def _read(row: Any) -> tuple[bytes, BlobUnits]:
    key, size, types, units, lengths, postings = row
    return key, BlobUnits(size, tuple(map(DeclaredType._make, types)), tuple(map(Unit._make, units)), lengths, postings)
