"""Reads the semantic notes and the alias table of a tree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.git.listing import list_index, list_revision
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.worktree.disk import Disk, Problem
from codecortex.git.worktree.folders import Folder
from codecortex.model.errors import StoreFormatError, UnmergedError
from codecortex.model.notes import is_group
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.committed.semantic_md import decode_note
from codecortex.store.paths import SEMANTIC, semantic_owner

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from codecortex.analysis.types.references import Resolver
    from codecortex.model.code.aliases import Alias
    from codecortex.model.code.types import CSharpType, TypeId
    from codecortex.model.config import Config
    from codecortex.model.notes import Note
    from codecortex.operations.reading.tree import Tree

_SUFFIX, _OF_GROUP = ".md", b"G_"


class NoteFile(NamedTuple):
    """One file of the folder `semantic`.

    Attributes:
        path: Path of the file, from the root.
        data: Its bytes; empty if they cannot be read.
        note: The parsed note; None if it cannot be read.
        problem: Why it cannot be read, naming file and line; else empty.
    """

    path: str
    data: bytes
    note: Note | None
    problem: str


class NoteFiles(NamedTuple):
    """The notes of a tree.

    Attributes:
        files: The note files, sorted by path.
        aliases: Old TypeId to alias.
        problems: Why the alias table cannot be read, if so.
    """

    files: tuple[NoteFile, ...]
    aliases: Mapping[str, Alias]
    problems: tuple[str, ...]


def read_notes(tree: Tree, owners: Collection[str] | None = None) -> NoteFiles:
    """The notes and aliases of the tree itself: on disk (tracked or not), in the index, or in a revision.

    Args:
        tree: The tree.
        owners: Ids of types and groups: only their notes, and those of groups whose file mentions one, are read.
    """
    raw = dict(_read_worktree(tree, owners) if tree.request.reads_worktree else _read_blobs(tree, owners))
    files = tuple(_read_note(path, data) for path, data in sorted(raw.items()) if _names_any(path, data, owners))
    aliases, problem = _read_aliases(tree) if files else ({}, "")
    return NoteFiles(files, aliases, (problem,) if problem else ())


def has_notes(tree: Tree) -> bool:
    """Whether the tree has any note file."""
    if tree.request.reads_worktree:
        return next(_list_worktree(tree.repository.require_root()), None) is not None
    from codecortex.git.hooks.staging import list_held

    return any(path.endswith(_SUFFIX) for path in list_held(tree.repository, tree.request.rev, f"{SEMANTIC}/"))


def _may_name(path: str, owners: Collection[str] | None) -> bool:
    """Whether a note may be about one of the owners, judging by its file name alone."""
    if owners is None:
        return True
    owner = semantic_owner(path)
    return owner is not None and (owner in owners or is_group(owner))


def _names_any(path: str, data: bytes | Problem, owners: Collection[str] | None) -> bool:
    """Whether a note belongs to one of the owners, or to a group whose file mentions one."""
    if owners is None or semantic_owner(path) in owners:
        return True
    return not isinstance(data, Problem) and any(owner.encode() in data for owner in owners)


def _list_worktree(root: Path, owners: Collection[str] | None = None) -> Iterator[str]:
    """Paths of the notes on disk; given owners, only their notes and those of all groups."""
    own = {f"{owner}{_SUFFIX}".encode() for owner in owners or ()}
    for entry in Folder(os.fsencode(root), SEMANTIC.encode()).scan():
        if owners is not None and entry.name not in own and not entry.name.startswith(_OF_GROUP):
            continue
        path = f"{SEMANTIC}/{encode_path(entry.name)}"
        if path.endswith(_SUFFIX):
            yield path


def _read_worktree(tree: Tree, owners: Collection[str] | None) -> Iterator[tuple[str, bytes | Problem]]:
    root = tree.repository.require_root()
    disk = Disk(root)
    for path in _list_worktree(root, owners):
        data = disk.read(decode_path(path)) if _may_name(path, owners) else Problem.MISSING
        if data is not Problem.MISSING:
            yield path, data


def _read_blobs(tree: Tree, owners: Collection[str] | None) -> Iterator[tuple[str, bytes | Problem]]:
    from codecortex.git.contents import read_contents

    rev, wanted = tree.request.rev, (_SUFFIX,)
    listing = list_index(tree.repository, wanted) if rev is None else list_revision(tree.repository, rev, wanted)
    held = [entry for entry in listing.entries if entry.path.rpartition("/")[0] == SEMANTIC]
    entries = [entry for entry in held if _may_name(entry.path, owners)]
    skipped = [(path, problem) for path, problem in listing.skipped if path.rpartition("/")[0] == SEMANTIC]
    yield from ((path, problem) for path, problem in skipped if _may_name(path, owners))
    for entry, data, problem in read_contents(tree.repository, entries):
        if data is not None:
            yield entry.path, data
        elif problem is not None:
            yield entry.path, problem


def _read_note(path: str, data: bytes | Problem) -> NoteFile:
    if isinstance(data, Problem):
        return NoteFile(path, b"", None, f"{path}: {data}")
    try:
        return NoteFile(path, data, decode_note(data, path), "")
    except UnmergedError as problem:
        return NoteFile(path, data, None, f"{problem.message}: left as it is until it is resolved")
    except StoreFormatError as problem:
        return NoteFile(path, data, None, problem.message)


def _read_aliases(tree: Tree) -> tuple[Mapping[str, Alias], str]:
    from codecortex.operations.reading.alias_table import read_aliases

    try:
        return read_aliases(tree), ""
    except StoreFormatError as problem:
        return {}, problem.message


def list_dependencies(types: Sequence[CSharpType], resolver: Resolver, config: Config) -> tuple[TypeId, ...]:
    """Direct dependencies of these types outside themselves, by exact structural edges, sorted by TypeId.

    With `includeInternalForDependencies`, also those that only bodies and internal members name.
    """
    edges_of = resolver.edges_of if config.include_internal_for_dependencies else resolver.surface_edges_of
    own = {merged.id for merged in types}
    found = {edge.target for merged in types for edge in edges_of(merged) if edge.exact}
    return tuple(sorted(found - own))
