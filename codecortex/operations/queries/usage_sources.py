"""Finds the files that may contain given names, and reads their bytes and facts."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.types.references import collect_usings
from codecortex.git.contents import read_contents
from codecortex.git.paths import encode_path
from codecortex.git.process import Call
from codecortex.model.code.facts import is_generated_name
from codecortex.model.code.types import Part
from codecortex.model.errors import GitStateError
from codecortex.operations.reading.facts import digest_symbols, extract

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.git.contents import Content
    from codecortex.git.listing import Entry
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.facts import FileFacts, Scope, Using
    from codecortex.model.code.projects import Project
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.reading.facts import FactsStore

_GREP = ("grep", "-l", "-z", "-F", "-a", "--no-color", "--full-name", "--no-recurse-submodules")
_WIDE = (b"\xff\xfe", b"\xfe\xff")
"""Byte order marks of UTF-16: a byte search finds no name in such files."""
_FEW = 20  # files
_MOST_KEPT = 20  # answers of git


class SourceSearch:
    """The sources of a workspace's tree; only files that may contain a name are read."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._stores: dict[str, FactsStore] = {}
        self._digests = {project.path: digest_symbols(project.symbols) for project in workspace.projects}
        self.unread: dict[str, str] = {}

    @cached_property
    def _compiling(self) -> Mapping[str, Sequence[Project]]:
        found: dict[str, list[Project]] = {}
        for project in self._workspace.projects:
            for path in project.files:
                found.setdefault(path, []).append(project)
        return found

    # -- which files

    def find(self, names: Iterable[str], words: Iterable[str] = ()) -> tuple[set[str], set[str]]:
        """Paths of the sources that may contain one of the names; and of those that contain one of the ASCII phrases.

        Sources that git cannot search, or that are in UTF-16, are in both.
        """
        workspace = self._workspace
        calls = [*self._list_calls(list(names)), self._search([*_WIDE, *(word.encode() for word in words)])]
        sources = {path: workspace.tree.sources.sources[path] for path in self._compiling}
        try:
            *found, other = self._ask(calls)
        except GitStateError:  # a partial clone lacks blobs: search every source instead
            return set(sources), set(sources)
        hidden = {path for path, entry in sources.items() if workspace.request.reads_worktree and not entry.from_disk}
        special = self._take(other) | hidden
        special.update(() if self._asks_untracked else self._untracked)
        return special.union(*map(self._take, found)) & sources.keys(), special & sources.keys()

    def look_ahead(self, *wanted: Iterable[str]) -> None:
        """Ask git at once for several sets of names that will be searched for."""
        with suppress(GitStateError):  # who searches will be told
            self._ask([*(call for names in wanted for call in self._list_calls(list(names))), self._search(_WIDE)])

    def _list_calls(self, names: list[str]) -> list[Call]:
        spelt = [name.encode("utf-8", "replace") for name in names]
        spelt += [name.encode("cp1252", "ignore") for name in names if not name.isascii()]
        return [self._search(sorted(spelt), "-w")] if spelt else []

    def _ask(self, calls: Sequence[Call]) -> list[bytes]:
        """What git answers; it is asked once as long as the tree is the same."""
        known: dict[Call, bytes] = self._workspace.keep("searches", self._workspace.tree.listing, dict)
        if len(known) > _MOST_KEPT:
            known.clear()
        new = [each for each in dict.fromkeys(calls) if each not in known]
        known.update(zip(new, self._workspace.repository.ask_all(*new) if new else (), strict=True))
        return [known[each] for each in calls]

    def _search(self, patterns: Sequence[bytes], *options: str) -> Call:
        request = self._workspace.request
        head = (*_GREP, *options, *(("--cached",) if request.staged else ()))
        if self._asks_untracked:
            head += ("--untracked",)
        given = [argument for pattern in patterns for argument in ("-e", os.fsdecode(pattern))]
        revision = (request.rev,) if request.rev is not None else ()
        return Call("search the sources", (*head, *given, *revision, "--", ":(top,icase)*.cs"), accept=(0, 1))

    @property
    def _asks_untracked(self) -> bool:
        """Whether git is to search what it does not track: for a few files it is not worth walking over all folders."""
        return len(self._untracked) > _FEW

    @cached_property
    def _untracked(self) -> Sequence[str]:
        """The files that count and that git may not track: a listing tells only which the index has otherwise."""
        tree = self._workspace.tree
        if not (tree.config.untracked and tree.request.reads_worktree):
            return ()
        return [path for path, entry in tree.sources.sources.items() if entry.dirty]

    def _take(self, output: bytes) -> set[str]:
        revision = self._workspace.request.rev
        start = len(revision.encode()) + 1 if revision is not None else 0
        return {encode_path(record[start:]) for record in output.split(b"\0") if record}

    # -- their contents

    def read(self, paths: Iterable[str]) -> Iterator[Content]:
        """Yield the files with their bytes; record in `unread` what cannot be read."""
        sources = self._workspace.tree.sources.sources
        for content in read_contents(self._workspace.repository, [sources[path] for path in sorted(paths)]):
            if content.data is None:
                self.unread[content.entry.path] = str(content.problem)
            else:
                yield content

    def load(self, paths: Iterable[str]) -> None:
        """Load the facts of several files at once."""
        sources = self._workspace.tree.sources.sources
        wanted: dict[str, tuple[Entry, list[frozenset[str]]]] = {}
        for path in sorted(paths):
            if path in self._compiling and path not in self._stores:
                sets = list(dict.fromkeys(project.symbols for project in self._compiling[path]))
                wanted[path] = (sources[path], sets)
        if wanted:
            store = extract(self._workspace.request, self._workspace.repository, wanted, self._workspace.cache)
            self._stores |= dict.fromkeys(wanted, store)

    def facts_of(self, path: str, project: str) -> FileFacts | None:
        """The facts of a file under the symbols of a project."""
        self.load([path])
        store = self._stores.get(path)
        return store.get(path, self._digests[project]) if store is not None else None

    def projects_of(self, path: str) -> Sequence[Project]:
        """The projects that compile a file."""
        return self._compiling.get(path, ())

    def parts_of(self, entry: TypeEntry) -> tuple[Part, ...]:
        """The parts of a type."""
        parts = []
        for path in entry.files:
            facts = self.facts_of(path, entry.project)
            if facts is not None:
                same = (each for each in facts.types if (each.fqn, each.kind) == (entry.fqn, entry.kind))
                generated = facts.generated or is_generated_name(path)
                parts += [Part(path, each, facts.scopes, generated) for each in same]
        return tuple(parts)

    def collect_usings(self, holding: Iterable[str]) -> dict[str, tuple[Using, ...]]:
        """Global usings by project path; `holding` are the files that may declare any."""
        scopes: dict[str, list[tuple[Scope, ...]]] = {}
        paths = sorted(holding)
        self.load(paths)
        for path in paths:
            for project in self._compiling.get(path, ()):
                facts = self.facts_of(path, project.path)
                if facts is not None:
                    scopes.setdefault(project.path, []).append(facts.scopes)
        return collect_usings(self._workspace.projects, scopes)
