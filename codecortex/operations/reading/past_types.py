"""Reads a type as it was at another commit, from the blobs of its files, under today's symbols of its project."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.changes.states import TypeAt
from codecortex.analysis.types.assemble import assemble_types
from codecortex.analysis.types.positions import settle_positions
from codecortex.git.listing import Entry
from codecortex.model.code.projects import Project
from codecortex.operations.reading.facts import FactsStore, digest_symbols, extract
from codecortex.operations.reading.facts_library import FactsLibrary
from codecortex.operations.reading.hashes import Nested, rules_of
from codecortex.operations.reading.meanings import read_meanings, read_resolver

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.analysis.types.meanings import Meanings
    from codecortex.analysis.types.references import Resolver
    from codecortex.model.code.facts import FileFacts
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.reading.tree import Tree
    from codecortex.store.cache.cache import Cache

_NO_PROJECT = Project("", "root", "root", "root", "", (), frozenset(), (), (), (), ())


class PastTypes:
    """Types at other commits, read under today's symbols and with today's meaning of names and members of base records.

    Each blob is read once, and blobs are read in batches.

    Args:
        tree: The request, configuration and repository to use.
        projects: Today's projects, for their symbols; files of other projects are read without symbols.
        cache: The cache for facts.
    """

    def __init__(self, tree: Tree, projects: Sequence[Project], cache: Cache) -> None:
        self._tree = tree
        self._cache = cache
        self.library = FactsLibrary(tree.request, tree.repository, cache)  # of today's files
        self._projects = {project.path: project for project in projects}
        self._owners = {path: project.path for project in reversed(projects) for path in project.files}
        self._digests = {path: digest_symbols(project.symbols) for path, project in self._projects.items()}
        self._stores: dict[tuple[bytes, str], FactsStore] = {}
        self._read: dict[object, TypeAt | None] = {}
        self.unread: dict[str, str] = {}
        """The reasons why blobs could not be read, such as that a partial clone lacks them, by blob."""

    @cached_property
    def _meanings(self) -> Meanings:
        """What names mean today."""
        return read_meanings(self._tree, tuple(self._projects.values()), self.library)

    @cached_property
    def _resolver(self) -> Resolver:
        """What resolves names among today's types."""
        return read_resolver(self._tree, tuple(self._projects.values()), self.library)

    def project_near(self, path: str) -> str:
        """The project that compiles a file today, else the project in the nearest folder above it, or empty."""
        own = self._owners.get(path)
        if own is not None:
            return own
        above = [each for each in self._projects if each and path.startswith(each[: each.rfind("/") + 1])]
        return max(above, key=lambda each: (each.count("/"), each), default="")

    def load(self, project: str, blobs: Iterable[str]) -> None:
        """Read blobs for a project in one batch; `read` and `list_types` read others when they need them."""
        digest, symbols = self._symbols_of(project)
        wanted = {
            # A blob may have been at many paths: its id is used as the path.
            blob: (Entry(blob, blob), [symbols])
            for blob in blobs
            if blob and (digest, blob) not in self._stores
        }
        if wanted:
            store = extract(self._tree.request, self._tree.repository, wanted, self._cache)
            self._stores.update(dict.fromkeys([(digest, blob) for blob in wanted], store))
            self.unread.update((blob, reason) for blob, reason in store.unread)

    def read(self, fqn: str, project: str, files: Mapping[str, str]) -> TypeAt | None:
        """A type as a project's files declared it, or None if they did not.

        Args:
            fqn: Its FQN at that time.
            project: Path of the project whose symbols apply; empty for none.
            files: Path to blob of the files that may declare it.
        """
        key = (fqn, project, tuple(sorted(files.items())))
        if key not in self._read:  # the type after one commit is the type before the next
            self._read[key] = self._merge(fqn, project, files)
        return self._read[key]

    def _merge(self, fqn: str, project: str, files: Mapping[str, str]) -> TypeAt | None:
        types = self._assemble(project, files, {fqn, *_list_containers(fqn)}, inside=fqn)
        found = [merged for merged in types if merged.fqn == fqn]
        if not found:
            return None
        # If a file-local type has the same name, take the one that the whole project sees.
        merged = min(found, key=lambda each: (each.owner != each.project, each.owner, each.kind))
        (merged,) = settle_positions([merged], lambda: self._resolver)
        nested = tuple(Nested(types).of(merged))
        return TypeAt(merged, nested, rules_of(self._tree.config), lambda: self._meanings)

    def list_types(self, project: str, files: Mapping[str, str]) -> tuple[CSharpType, ...]:
        """Every type that the files declared, sorted by id; parts in other files are missing."""
        return self._assemble(project, files, None)

    def _symbols_of(self, project: str) -> tuple[bytes, frozenset[str]]:
        known = self._projects.get(project)
        symbols: frozenset[str] = known.symbols if known is not None else frozenset()
        return self._digests.get(project) or digest_symbols(symbols), symbols

    def _assemble(
        self, project: str, files: Mapping[str, str], wanted: set[str] | None, inside: str = ""
    ) -> tuple[CSharpType, ...]:
        self.load(project, files.values())
        digest, _ = self._symbols_of(project)

        def facts_of(_: Project, path: str) -> FileFacts | None:
            store = self._stores.get((digest, files[path]))
            facts = store.get(files[path], digest) if store is not None else None
            if facts is None or wanted is None:
                return facts
            kept = (t for t in facts.types if t.fqn in wanted or t.fqn.rpartition("+")[0] == inside)
            return facts._replace(types=tuple(kept))

        holder = self._projects.get(project, _NO_PROJECT)
        return assemble_types([holder._replace(files=tuple(sorted(files)))], facts_of)


def _list_containers(fqn: str) -> Iterable[str]:
    while "+" in fqn:
        fqn = fqn.rpartition("+")[0]
        yield fqn
