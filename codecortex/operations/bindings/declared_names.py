"""What each source declares by name: kept in the local cache in pieces, of which an edit makes one anew."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING
from zlib import crc32

from codecortex.analysis.binding.declarations.file_names import FileNames, list_names
from codecortex.analysis.binding.declarations.heads import read_facts
from codecortex.analysis.binding.inputs.files import digest_declarations
from codecortex.model.cognition.records import digest_text
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import BINDING_VERSION, PARSER_VERSION
from codecortex.operations.workers import Sharing, count_processes, share_out
from codecortex.parsing.csharp.read import list_friends
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.analysis.binding.declarations.pending import FileKey
    from codecortex.git.listing import Entry
    from codecortex.model.code.facts import FileFacts
    from codecortex.model.code.projects import Project
    from codecortex.operations.bindings.reading import SourceReader
    from codecortex.operations.catalog.workspace import Workspace

    _Row = tuple[tuple[object, ...], Sequence[str], bytes]

_PIECE = 64  # files
_WORTH_FORKING = 16  # pieces
_VERSION = 2  # of what is kept of a file


class DeclaredNames(NamedTuple):
    """What a source declares by name.

    Attributes:
        names: The names.
        friends: The assemblies that it lets see the internals of its project.
        digest: Of all that it declares, so far as that can be told from its bodies; else of all its text.
    """

    names: FileNames
    friends: Sequence[str]
    digest: bytes


class _Piece(NamedTuple):
    """Some files of a project, and the key of what they declare."""

    key: bytes
    project: str
    paths: tuple[str, ...]


def read_names(
    workspace: Workspace, projects: Sequence[Project], reader: SourceReader
) -> Iterator[tuple[FileKey, DeclaredNames]]:
    """What each file of projects declares by name, in the order of projects and files; without what cannot be read."""
    entries = workspace.tree.sources.sources
    pieces = [[_write_piece(project, paths, entries) for paths in _divide(project.files)] for project in projects]
    kept = workspace.cache.get_many([each.key for every in pieces for each in every])
    known = {
        each: rows
        for every in pieces
        for each in every
        if (rows := load_row(kept.get(each.key), _unpack_all)) is not None
    }
    missing = [each for every in pieces for each in every if each not in known]
    known |= _make_missing(workspace, missing, reader)
    for project, every in zip(projects, pieces, strict=True):
        found = {path: names for each in every for path, names in zip(each.paths, known[each], strict=True)}
        yield from (((path, project.path), names) for path in sorted(found) if (names := found[path]) is not None)


def _make_missing(
    workspace: Workspace, pieces: Sequence[_Piece], reader: SourceReader
) -> dict[_Piece, Sequence[DeclaredNames | None]]:
    """What files declare of which nothing is kept, by pieces; what was read whole is kept."""
    processes = count_processes(workspace.request)
    if processes > 1 and len(pieces) >= _WORTH_FORKING:
        reader.load_facts(path for each in pieces for path in each.paths)  # once, for all processes
    made = share_out(partial(_make_all, reader), pieces, Sharing(processes, _WORTH_FORKING))
    for each in made:
        reader.unread.update(each.unread)
        reader.moved |= each.moved
    found = dict(zip(pieces, made, strict=True))
    whole = [(piece.key, pack_row(each.rows)) for piece, each in found.items() if not (each.unread or each.moved)]
    if whole:
        workspace.cache.put_many(whole)
    return {piece: _unpack_all(each.rows) for piece, each in found.items()}


class _Made(NamedTuple):
    """What the files of a piece declare, as rows; those that could not be read; whether one was edited meanwhile."""

    rows: Sequence[_Row | None]
    unread: Mapping[str, str]
    moved: bool


def _make_all(reader: SourceReader, pieces: Sequence[_Piece]) -> list[_Made]:
    made = []
    for piece in pieces:
        rows = [each and (tuple(each.names), each.friends, each.digest) for each in _make(piece, reader)]
        unread = {path: reader.unread[path] for path in piece.paths if path in reader.unread}
        made.append(_Made(rows, unread, reader.moved))
    return made


def _divide(files: Sequence[str]) -> list[list[str]]:
    """Files in pieces; each stays in its piece while the number of files stays near."""
    count = 1 << (len(files) // _PIECE).bit_length()
    pieces: dict[int, list[str]] = {}
    for path in files:
        pieces.setdefault(crc32(path.encode("utf-8", "surrogateescape")) % count, []).append(path)
    return [sorted(each) for _, each in sorted(pieces.items())]


def _write_piece(project: Project, paths: Sequence[str], entries: Mapping[str, Entry]) -> _Piece:
    files = (f"{path} {entries[path].blob}" for path in paths)
    versions = f"{_VERSION} {BINDING_VERSION} {PARSER_VERSION}"
    head = ("declared names", versions, project.path, *sorted(project.symbols), "")
    key = sha256("\n".join((*head, *files)).encode("utf-8", "surrogateescape")).digest()
    return _Piece(key, project.path, tuple(paths))


def _make(piece: _Piece, reader: SourceReader) -> Iterator[DeclaredNames | None]:
    """What files declare: by their facts, and by their syntax where facts do not tell all."""
    keys = [(path, piece.project) for path in piece.paths]
    facts = dict(zip(piece.paths, reader.read_facts(keys), strict=True))
    heads = {
        path: head
        for path, known in facts.items()
        if known and (head := reader.find_head((path, piece.project), known)) is not None
    }
    rest = [key for key in keys if key[0] not in heads]
    sources = dict(zip((path for path, _ in rest), reader.read(rest), strict=True))
    for path, known in facts.items():
        head, source = heads.get(path), sources.get(path)
        if path in reader.unread:
            yield None
        elif head is not None and known is not None:
            yield DeclaredNames(list_names(head), known.friends, digest_declarations(known))
        elif source is not None:
            digest = _digest(known or reader.parse_facts((path, piece.project)), source.text)
            yield DeclaredNames(list_names(source.head, source), list_friends(source.text), digest)


def _digest(facts: FileFacts, text: bytes) -> bytes:
    """A digest of what a file declares; of all its text where facts do not tell all of that."""
    whole = read_facts(facts) is None
    return digest_text(text.decode("utf-8", "surrogateescape")) if whole else digest_declarations(facts)


def _unpack_all(rows: Sequence[_Row | None]) -> Sequence[DeclaredNames | None]:
    return [each and DeclaredNames(FileNames._make(each[0]), *each[1:]) for each in rows]
