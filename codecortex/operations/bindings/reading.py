"""Reads sources for programs: what they declare from facts that are cached, their syntax once it is asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.heads import read_facts
from codecortex.analysis.binding.declarations.source import Reading, Source
from codecortex.operations.reading.facts import FactsStore, digest_symbols
from codecortex.parsing.csharp.read import read_csharp
from codecortex.parsing.decode import decode_source
from codecortex.parsing.syntax.read import read_head, read_syntax

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.analysis.binding.declarations.heads import FileHead
    from codecortex.git.contents import Content
    from codecortex.git.listing import Entry
    from codecortex.model.code.facts import FileFacts
    from codecortex.model.code.projects import Project
    from codecortex.model.code.syntax import SyntaxTree
    from codecortex.operations.catalog.workspace import Workspace

_EVERY: frozenset[str] = frozenset(("every set of symbols",))


class SourceReader:
    """Reads the sources of projects; projects share those that their symbols do not tell apart."""

    def __init__(self, workspace: Workspace, projects: Iterable[Project], contents: Mapping[str, Content]) -> None:
        self._contents = contents
        self._digests = {each.symbols: digest_symbols(each.symbols) for each in projects}
        self._store = FactsStore()
        self._known: dict[tuple[str, frozenset[str]], Source] = {}
        entries = workspace.tree.sources.sources
        wanted: dict[str, tuple[Entry, list[bytes]]] = {}
        for project in projects:
            for path in project.files:
                if path in contents and contents[path].entry.blob == entries[path].blob:
                    _, sets = wanted.setdefault(path, (entries[path], []))
                    sets.append(self._digests[project.symbols])
        self._missing = {job.entry.path for job in self._store.load(wanted, workspace.cache)}
        self._missing |= contents.keys() - wanted.keys()

    def read(self, path: str, symbols: frozenset[str], *, keep: bool) -> Source:
        """A source.

        Args:
            path: The file.
            symbols: The symbols.
            keep: Whether what is parsed for its declarations is kept for its bodies.
        """
        facts = None if path in self._missing else self._store.get(path, self._digests[symbols])
        key = path, symbols if facts is None or facts.conditional else _EVERY
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = read_source(self._contents[path].data or b"", symbols, facts, keep=keep)
        return known


def read_source(data: bytes, symbols: frozenset[str], facts: FileFacts | None = None, *, keep: bool = True) -> Source:
    """A source by its facts; where there are none its syntax is read at once.

    Facts tell more than syntax of what does not parse whole, and must tell it whether they are at hand or not.
    """
    read = partial(read_syntax, data, symbols, keep=keep)
    if facts is not None:
        return Source(decode_source(data), read_facts(facts), Reading(read, read_head))
    tree = read()
    head = _read_damaged(data, symbols) if tree.damaged else None
    return Source(tree.source, head, Reading(partial(_give, tree), read_head))


def _read_damaged(data: bytes, symbols: frozenset[str]) -> FileHead | None:
    return read_facts(read_csharp(data, symbols))


def _give(tree: SyntaxTree) -> SyntaxTree:
    return tree
