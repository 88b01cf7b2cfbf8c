"""Reads the investigations of a tree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.git.paths import encode_path
from codecortex.git.worktree.disk import Disk, Problem
from codecortex.git.worktree.folders import Folder
from codecortex.model.code.types import WORD
from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.visible import show_line
from codecortex.store.paths import INVESTIGATIONS, investigation_path, investigation_slug

_PART = compile_later(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")
_SHORT = 2
_LEAST_SHARE = 0.6

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.model.code.types import TypeId
    from codecortex.model.investigations.values import Investigation
    from codecortex.operations.reading.tree import Tree


class InvestigationFile(NamedTuple):
    """One investigation of a tree.

    Attributes:
        slug: Its name.
        data: Its bytes.
        found: What it says; None if it cannot be read.
        problem: Why it cannot be read, naming file and line; else empty.
    """

    slug: str
    data: bytes
    found: Investigation | None
    problem: str = ""

    @property
    def path(self) -> str:
        """Path of its file."""
        return investigation_path(self.slug)

    @property
    def question(self) -> str:
        """The question; its name where it cannot be read."""
        return self.found.question if self.found is not None else self.slug


def read_investigations(tree: Tree) -> tuple[InvestigationFile, ...]:
    """The investigations of the tree itself, sorted by name: on disk (tracked or not), in the index, or in a revision.

    Raises:
        GitStateError: The folder cannot be read.
    """
    raw = _read_worktree(tree) if tree.request.reads_worktree else _read_blobs(tree)
    named = ((investigation_slug(path), path, data) for path, data in sorted(raw.items()))
    return tuple(parse_investigation(slug, path, data) for slug, path, data in named if slug is not None)


def parse_investigation(slug: str, path: str, data: bytes) -> InvestigationFile:
    """The investigation in a file."""
    from codecortex.store.committed.investigation_md import decode_investigation

    try:
        return InvestigationFile(slug, data, decode_investigation(data, path))
    except StoreFormatError as problem:
        return InvestigationFile(slug, data, None, problem.message)


def list_about(tree: Tree, type_ids: Iterable[TypeId]) -> tuple[InvestigationFile, ...]:
    """The investigations that rest on one of these types."""
    wanted = set(type_ids)
    every = read_investigations(tree)
    return tuple(
        each for each in every if each.found is not None and any(base.type_id in wanted for base in each.found.types)
    )


def find_answered(tree: Tree, text: str, most: int = 3) -> tuple[InvestigationFile, ...]:
    """The investigations that share most words with a text, best first; those that share too few are left out."""
    words = _list_words(text)
    found = []
    for each in read_investigations(tree) if words else ():
        if each.found is None:
            continue
        asked, said = _list_words(each.found.question), _list_words(_join(each.found))
        share = len(words & (asked | said)) / len(words)
        if share >= _LEAST_SHARE:
            found.append((-share, -len(words & asked), each.slug, each))
    return tuple(each for *_, each in sorted(found, key=lambda row: row[:3])[:most])


def tell_answered(files: Iterable[InvestigationFile]) -> list[str]:
    """A line for each: what was asked, and where the answer stands."""
    return [f"investigated: {show_line(each.question)} ({each.path})" for each in files]


def describe_answered(files: Iterable[InvestigationFile]) -> list[dict[str, str]]:
    """The same as JSON values."""
    return [{"name": each.slug, "question": each.question, "path": each.path} for each in files]


def _join(found: Investigation) -> str:
    findings = found.findings
    evidence = (f"{each.symbol} {each.says}" for each in findings.evidence)
    return " ".join((findings.conclusion, *evidence, *findings.open_points, *(base.fqn for base in found.types)))


def _list_words(text: str) -> set[str]:
    """The words of a text in lower case, parts of names too, without the shortest."""
    return {part.lower() for word in WORD.findall(text) for part in _PART.findall(word) if len(part) > _SHORT}


def _read_worktree(tree: Tree) -> dict[str, bytes]:
    root = tree.repository.require_root()
    folder = Folder(os.fsencode(root), INVESTIGATIONS.encode())
    paths = [f"{INVESTIGATIONS}/{encode_path(entry.name)}" for entry in folder.scan()]
    disk, found = Disk(root), dict[str, bytes]()
    for path in paths:
        data = disk.read(path.encode()) if investigation_slug(path) else Problem.MISSING
        if not isinstance(data, Problem):
            found[path] = data
    return found


def _read_blobs(tree: Tree) -> dict[str, bytes]:
    from codecortex.git.hooks.staging import list_held, read_blob

    held = list_held(tree.repository, tree.request.rev, f"{INVESTIGATIONS}/")
    return {path: read_blob(tree.repository, each.blob) for path, each in held.items() if investigation_slug(path)}
