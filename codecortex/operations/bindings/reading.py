"""Reads sources for programs: what they declare from facts that are cached, their syntax once it is asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.heads import read_facts
from codecortex.analysis.binding.declarations.source import Reading, Source
from codecortex.git.contents import read_contents
from codecortex.operations.reading.facts import FactsStore, digest_symbols
from codecortex.parsing.csharp.read import read_csharp
from codecortex.parsing.decode import decode_source
from codecortex.parsing.syntax.read import read_head, read_syntax

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.binding.declarations.heads import FileHead
    from codecortex.analysis.binding.declarations.pending import FileKey
    from codecortex.git.contents import Content
    from codecortex.model.code.facts import FileFacts
    from codecortex.model.code.projects import Project
    from codecortex.model.code.syntax import SyntaxTree
    from codecortex.operations.catalog.workspace import Workspace

_EVERY: frozenset[str] = frozenset(("every set of symbols",))


class SourceReader:
    """Reads the sources of projects; projects share those that their symbols do not tell apart.

    Attributes:
        unread: Files that could not be read, with the reason.
        moved: Whether a file that was read was edited since the tree was listed.
    """

    def __init__(self, workspace: Workspace, projects: Sequence[Project]) -> None:
        """Make it; nothing is read yet."""
        self._workspace = workspace
        self._symbols = {each.path: each.symbols for each in projects}
        self._digests = {each.symbols: digest_symbols(each.symbols) for each in projects}
        self._compiling: dict[str, list[bytes]] = {}
        for project in projects:
            for path in project.files:
                self._compiling.setdefault(path, []).append(self._digests[project.symbols])
        self._contents: dict[str, Content] = {}
        self._store = FactsStore()
        self._looked_up: set[str] = set()  # whose facts were taken from the cache, or are not there
        self._without_facts: set[str] = set()
        self._known: dict[tuple[str, frozenset[str]], Source] = {}
        self._heads: dict[tuple[str, frozenset[str]], FileHead | None] = {}
        self.unread: dict[str, str] = {}
        self.moved = False

    def load(self, paths: Iterable[str]) -> None:
        """Read files and their facts, many at once."""
        entries = self._workspace.tree.sources.sources
        new = sorted({each for each in paths if each not in self._contents})
        same: list[str] = []
        for content in read_contents(self._workspace.repository, [entries[each] for each in new]):
            path = content.entry.path
            self._contents[path] = content
            if content.data is None:
                self.unread[path] = str(content.problem)
            elif content.entry.blob == entries[path].blob:
                same.append(path)
            else:
                self.moved = True
        self._without_facts.update(set(new).difference(same))
        self.load_facts(same)

    def load_facts(self, paths: Iterable[str]) -> None:
        """Take the facts of files from the cache, many at once."""
        entries = self._workspace.tree.sources.sources
        wanted = {each: (entries[each], self._compiling[each]) for each in paths if each not in self._looked_up}
        if wanted:
            self._looked_up.update(wanted)
            self._without_facts |= {job.entry.path for job in self._store.load(wanted, self._workspace.cache)}

    def read_facts(self, keys: Sequence[FileKey]) -> list[FileFacts | None]:
        """What is known of some sources without reading them; None where there are no facts in the cache."""
        self.load_facts(path for path, _ in keys)
        return [self._get_facts(path, self._symbols[project]) for path, project in keys]

    def _get_facts(self, path: str, symbols: frozenset[str]) -> FileFacts | None:
        return None if path in self._without_facts else self._store.get(path, self._digests[symbols])

    def forget_facts(self) -> None:
        """Let facts go that were asked for: their heads stay, and little else is asked for again."""
        self._store.forget_decoded()

    def find_head(self, key: FileKey, facts: FileFacts) -> FileHead | None:
        """The head of a source by its facts; None where they do not tell all of it."""
        path, project = key
        known = path, self._symbols[project] if facts.conditional else _EVERY
        if known not in self._heads:
            self._heads[known] = read_facts(facts)
        return self._heads[known]

    def parse_facts(self, key: FileKey) -> FileFacts:
        """The facts of a source that was read, whether they are in the cache or not."""
        path, project = key
        return read_csharp(self._contents[path].data or b"", self._symbols[project])

    def read(self, keys: Sequence[FileKey]) -> list[Source]:
        """Some sources; one that cannot be read is empty."""
        self.load(path for path, _ in keys)
        return [self._read(key) for key in keys]

    def _read(self, file: FileKey) -> Source:
        path, project = file
        symbols = self._symbols[project]
        key = path, _EVERY if (path, _EVERY) in self._heads else symbols
        if key not in self._heads:
            facts = self._get_facts(path, symbols)
            if facts is not None:
                self.find_head(file, facts)
                key = path, symbols if facts.conditional else _EVERY
        known = self._known.get(key)
        if known is None:
            data = self._contents[path].data or b""
            if key in self._heads:
                head = self._heads[key]
                read = partial(read_syntax, data, symbols, by_member=head is not None)
                known = Source(decode_source(data), head, Reading(read, read_head))
            else:
                known = read_source(data, symbols)
            self._known[key] = known
        return known


def read_source(data: bytes, symbols: frozenset[str]) -> Source:
    """A source without facts: its syntax is read at once.

    Facts tell more than syntax of what does not parse whole, and must tell it whether they are at hand or not.
    """
    tree = read_syntax(data, symbols)
    head = _read_damaged(data, symbols) if tree.damaged else None
    return Source(tree.source, head, Reading(partial(_give, tree), read_head))


def _read_damaged(data: bytes, symbols: frozenset[str]) -> FileHead | None:
    return read_facts(read_csharp(data, symbols, patterns=False))


def _give(tree: SyntaxTree) -> SyntaxTree:
    return tree
