"""Restates notes whose header has hashes of an older version: with those that their types would have had then.

Hashes of two versions cannot be compared. What can is the tree that a note was made from, hashed as today. That tree is
the one of the oldest commit, along first parents, from which on the hashes in the note's header stand unchanged.
"""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING

from codecortex.analysis.types.canonical import canonicalize
from codecortex.analysis.types.fingerprints import fingerprint
from codecortex.git.contents import read_contents
from codecortex.git.history import list_commits
from codecortex.git.listing import Entry
from codecortex.model.errors import CodecortexError, StoreFormatError
from codecortex.model.notes import UNKNOWN
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import HASH_VERSION
from codecortex.operations.notes.files import read_notes
from codecortex.operations.notes.moves import apply_note_writes
from codecortex.operations.reading.facts_library import FactsLibrary
from codecortex.operations.reading.hashes import rules_of
from codecortex.operations.reading.tree import open_tree, read_projects
from codecortex.operations.reading.type_table import build_type_table
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.store.committed.semantic_md import decode_note, encode_note
from codecortex.store.paths import SEMANTIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.analysis.types.fingerprints import Fingerprints
    from codecortex.git.history import Commit
    from codecortex.git.repository import Repository
    from codecortex.model.code.types import TypeId
    from codecortex.model.notes import Note
    from codecortex.operations.notes.files import NoteFile
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.reading.type_table import TypeTable
    from codecortex.store.cache.cache import Cache

_Hashes = tuple[tuple[str, ...], ...]


class _Origin(NamedTuple):
    """The commit from which on a note has its hashes, and the note as it was then."""

    commit: str
    note: Note


def restate(tree: Tree, files: Sequence[NoteFile], cache: Cache) -> dict[str, Note]:
    """The restated notes by path; those whose origin cannot be found are left out, and stay as they are.

    Args:
        tree: The tree that has the notes.
        files: Notes of any version.
        cache: Facts, and the notes restated before.
    """
    head = tree.listing.head
    old = [file for file in files if file.note is not None and _is_older(file.note)]
    if not old or head is None:
        return {}
    keys = {file.path: _make_key(tree, head, file) for file in old}
    rows = cache.get_many(list(keys.values()))
    known = {file.path: load_row(rows.get(keys[file.path]), tuple) for file in old}
    found = {path: decode_note(row[0], path) for path, row in known.items() if row and row[0]}
    missing = [file for file in old if known[file.path] is None]
    if missing:
        try:
            made = _restate(tree, missing, head, cache)
        except CodecortexError as problem:
            tree.request.warn(f"Notes of an older version: {problem.message} They count as stale.")
            return found
        texts = {file.path: encode_note(made[file.path]) if file.path in made else b"" for file in missing}
        cache.put_many((keys[path], pack_row((text,))) for path, text in texts.items())
        found |= made
    return found


def mend_notes(tree: Tree, cache: Cache) -> tuple[str, ...]:
    """Write the header of each note of an older version anew; the caller holds the lock.

    Returns:
        The paths of the notes written, sorted.
    """
    files = [file for file in read_notes(tree).files if file.note is not None and _is_older(file.note)]
    anew = restate(tree, files, cache)
    if anew:
        apply_note_writes(tree.repository, {path: encode_note(note) for path, note in anew.items()}, ())
        notes = f"{len(anew):,} notes had" if len(anew) > 1 else "1 note had"
        tree.request.warn(f"{notes} hashes of an older version; now of version {HASH_VERSION}. Commit that.")
    return tuple(sorted(anew))


def _is_older(note: Note) -> bool:
    return note.hash_version < HASH_VERSION and all(base.structure != UNKNOWN for base in note.types)


def _make_key(tree: Tree, head: str, file: NoteFile) -> bytes:
    rules = rules_of(tree.config)
    settings = sorted(rules.cosmetic_attributes), rules.include_internal, rules.include_docs
    told = HASH_VERSION, settings, head, file.path, file.data
    return sha256(repr(told).encode()).digest()


def _restate(tree: Tree, files: Sequence[NoteFile], head: str, cache: Cache) -> dict[str, Note]:
    origins = _find_origins(tree.repository, files, head)
    by_commit: dict[str, list[NoteFile]] = defaultdict(list)
    for file in files:
        if file.path in origins:
            by_commit[origins[file.path].commit].append(file)
    library = FactsLibrary(tree.request, tree.repository, cache)
    table: TypeTable | None = None
    found: dict[str, Note] = {}
    for commit, held in sorted(by_commit.items()):
        past = open_tree(tree.request._replace(rev=commit, staged=False), tree.repository, tree.config)
        table = build_type_table(past, read_projects(past, cache), library, table)
        for file in held:
            note = _write_anew(file.note, origins[file.path].note, table) if file.note is not None else None
            if note is not None:
                found[file.path] = note
    return found


def _write_anew(today: Note, then: Note, table: TypeTable) -> Note | None:
    """A note with the hashes that its types had in the tree it was made from; None if one of them is not there."""
    ids = [*(base.type_id for base in then.types), *(each.type_id for each in then.dependencies)]
    prints = _hash_types(table, ids)
    if any(base.type_id not in prints for base in then.types):
        return None
    own = {(base.structure, base.public_impl, base.internal_impl): prints[base.type_id] for base in then.types}
    needed = {each.structure: prints[each.type_id].structure for each in then.dependencies if each.type_id in prints}
    types = []
    for base in today.types:
        new = own[base.structure, base.public_impl, base.internal_impl]
        types.append(
            base._replace(
                structure=new.structure,
                impl=new.impl,
                public_impl=new.public_impl,
                internal_impl=new.internal_impl,
                xml_doc=new.xml_doc if base.xml_doc is not None else None,
            )
        )
    dependencies = tuple(each._replace(structure=needed.get(each.structure, UNKNOWN)) for each in today.dependencies)
    return today._replace(types=tuple(types), dependencies=dependencies, hash_version=HASH_VERSION)


def _hash_types(table: TypeTable, ids: Iterable[TypeId]) -> dict[TypeId, Fingerprints]:
    rules = rules_of(table.tree.config)
    groups = {type_id: table.groups[type_id] for type_id in ids if type_id in table.groups}
    table.assemble([inner for group in groups.values() for inner in (group, *table.nested_in(group))])
    found = {}
    for type_id, group in groups.items():
        nested = [table.type_of(inner) for inner in table.nested_in(group)]
        found[type_id] = fingerprint(canonicalize(table.type_of(group), table.meanings), nested, rules)
    return found


# -- the commits that notes are from


def _find_origins(repository: Repository, files: Sequence[NoteFile], head: str) -> dict[str, _Origin]:
    """The origin of each note by its path today; notes that are not committed as they are have none."""
    followed = {file.path: (file.path, file.note) for file in files if file.note is not None}
    origins: dict[str, _Origin] = {}
    for commit in list_commits(repository, tip=head, paths=[SEMANTIC], first_parent=True):
        notes = _read_notes(repository, commit)
        for path in followed.keys() & {change.path for change in commit.changes if change.new_blob}:
            today, wanted = followed.pop(path)
            written = notes.get((path, True))
            if written is None or _list_hashes(written) != _list_hashes(wanted):
                continue
            origins[today] = _Origin(commit.id, written)
            older = _find_older(path, _list_hashes(wanted), commit, notes)
            if older:
                followed[older] = (today, wanted)
        if not followed:
            break
    return origins


def _find_older(path: str, hashes: _Hashes, commit: Commit, notes: Mapping[tuple[str, bool], Note]) -> str:
    """The path of the note with the same hashes before a commit: its own, or that of a note that went; or empty."""
    gone = [change.old_path for change in commit.changes if change.path == path or not change.new_blob]
    return next((old for old in gone if (note := notes.get((old, False))) and _list_hashes(note) == hashes), "")


def _read_notes(repository: Repository, commit: Commit) -> dict[tuple[str, bool], Note]:
    """The notes that a commit changed, by path, and whether as they were after it."""
    entries = [Entry(change.path, change.new_blob) for change in commit.changes if change.new_blob]
    olds = [Entry(change.old_path, change.old_blob) for change in commit.changes if change.old_blob]
    found = {}
    for after, wanted in ((True, entries), (False, olds)):
        for entry, data, _ in read_contents(repository, wanted):
            try:
                found[entry.path, after] = decode_note(data or b"", entry.path)
            except StoreFormatError:
                continue  # no note, or a damaged one: nothing is from it
    return found


def _list_hashes(note: Note) -> _Hashes:
    """The hashes in a note's header, whatever its types are called."""
    own = sorted((base.structure, base.public_impl, base.internal_impl, base.xml_doc or "") for base in note.types)
    return (*own, tuple(sorted(each.structure for each in note.dependencies)))
