"""What each source declares by name: kept in the local cache in pieces, of which an edit makes one anew."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING
from zlib import crc32

from codecortex.analysis.binding.declarations.file_names import FileNames, list_names
from codecortex.analysis.binding.declarations.heads import read_facts
from codecortex.analysis.binding.inputs.files import digest_declarations
from codecortex.model.cognition.records import digest_text
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import BINDING_VERSION, PARSER_VERSION
from codecortex.parsing.csharp.read import list_friends
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.analysis.binding.declarations.pending import FileKey
    from codecortex.model.code.facts import FileFacts
    from codecortex.model.code.projects import Project
    from codecortex.operations.bindings.reading import SourceReader
    from codecortex.operations.catalog.workspace import Workspace

_PIECE = 64  # files
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
    paths: Sequence[str]


def read_names(
    workspace: Workspace, projects: Sequence[Project], reader: SourceReader
) -> Iterator[tuple[FileKey, DeclaredNames]]:
    """What each file of projects declares by name, in the order of projects and files; without what cannot be read."""
    entries = workspace.tree.sources.sources
    pieces = [[_Piece(_write_key(project, [f"{path} {entries[path].blob}" for path in paths]), project.path, paths)
               for paths in _divide(project.files)] for project in projects]  # fmt: skip
    kept = workspace.cache.get_many([each.key for every in pieces for each in every])
    made: list[tuple[bytes, bytes]] = []
    for project, every in zip(projects, pieces, strict=True):
        found: dict[str, DeclaredNames] = {}
        for piece in every:
            known = load_row(kept.get(piece.key), lambda rows: [_unpack(*each) for each in rows])
            if known is None:
                new = {path: each for path, each in zip(piece.paths, _make(piece, reader), strict=True) if each}
                if len(new) == len(piece.paths) and not reader.moved:
                    made.append((piece.key, pack_row([(tuple(each.names), *each[1:]) for each in new.values()])))
                found |= new
            else:
                found |= zip(piece.paths, known, strict=True)
        yield from (((path, project.path), found[path]) for path in sorted(found))
    if made:
        workspace.cache.put_many(made)


def _divide(files: Sequence[str]) -> list[list[str]]:
    """Files in pieces; each stays in its piece while the number of files stays near."""
    count = 1 << (len(files) // _PIECE).bit_length()
    pieces: dict[int, list[str]] = {}
    for path in files:
        pieces.setdefault(crc32(path.encode("utf-8", "surrogateescape")) % count, []).append(path)
    return [sorted(each) for _, each in sorted(pieces.items())]


def _write_key(project: Project, files: Iterable[str]) -> bytes:
    versions = f"{_VERSION} {BINDING_VERSION} {PARSER_VERSION}"
    head = ("declared names", versions, project.path, *sorted(project.symbols), "")
    return sha256("\n".join((*head, *files)).encode("utf-8", "surrogateescape")).digest()


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


def _unpack(names: Sequence[object], friends: Sequence[str], digest: bytes) -> DeclaredNames:
    return DeclaredNames(FileNames._make(names), friends, digest)
