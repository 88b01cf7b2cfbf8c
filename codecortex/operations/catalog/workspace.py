"""A workspace: one tree with its catalog, its graph and its types, each opened when it is needed.

A command opens a workspace for one question; a server keeps one and calls `look_again` before each.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeVar, cast

from codecortex.git.repository import open_repository
from codecortex.git.revisions import find_object
from codecortex.git.worktree.freshness import Freshness
from codecortex.operations.catalog.storage import CatalogInputs
from codecortex.operations.catalog.symbols import open_catalog
from codecortex.operations.reading.sources import SUFFIXES
from codecortex.operations.reading.tree import heed_config, open_tree, read_projects, reopen_tree
from codecortex.store.cache.cache import open_cache
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.analysis.graph.columns import Columns
    from codecortex.analysis.types.meanings import Meanings
    from codecortex.model.code.catalog import Catalog, Graph
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.storage import CatalogSnapshot
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.request import Request

_T = TypeVar("_T")


class Workspace:
    """Answers questions about one tree; a context manager.

    Args:
        request: Selects the tree.
        tree: The tree, where it is listed already.
    """

    def __init__(self, request: Request, tree: Tree | None = None) -> None:
        self.request = request
        self.repository = open_repository(request.folder, lasting=request.lasting)
        self.cache = open_cache(
            self.repository.shared_dir,
            warn=request.warn,
            keeps=request.caches,
            writes=not request.read_only,
            lasting=request.lasting,
        )
        if tree is None:
            tree = open_tree(request, self.repository, cache=self.cache)
        else:
            heed_config(self.cache, tree.config)
        self.tree = tree
        self._last_catalog: tuple[CatalogInputs, Catalog] | None = None
        self._last_meanings: tuple[CatalogInputs, Meanings] | None = None
        self._last_graph: tuple[Graph, CatalogSnapshot[Columns] | None] | None = None
        self._freshness: Freshness | None = None
        self._object: str | None = None
        self._kept: dict[str, tuple[object, object]] = {}
        self._flavours: dict[str, Workspace] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the local cache, and watch nothing any more."""
        for each in self._flavours.values():
            each.close()
        self.cache.close()
        if self._freshness is not None:
            self._freshness.close()

    def open_flavour(self, tfm: str) -> Workspace:
        """The same tree read for another target framework; it is closed with this one."""
        if tfm not in self._flavours:
            self._flavours[tfm] = Workspace(self.request._replace(tfm=tfm))
        return self._flavours[tfm]

    @cached_property
    def projects(self) -> tuple[Project, ...]:
        """The projects of the tree."""
        return read_projects(self.tree, self.cache)

    @cached_property
    def inputs(self) -> CatalogInputs:
        """What the catalog and the graph are built from."""
        return CatalogInputs(self.tree, self.projects, self.cache)

    @cached_property
    def catalog(self) -> Catalog:
        """The types and members of the tree."""
        return self._catalog[1]

    @cached_property
    def _catalog(self) -> tuple[CatalogInputs, Catalog]:
        return open_catalog(self.inputs, self._last_catalog)

    @cached_property
    def graph(self) -> Graph:
        """Which types of the tree reference which."""
        return self._graph[0]

    @property
    def meanings(self) -> Meanings:
        """What the names of the tree mean."""
        return self._meanings[1]

    @property
    def has_meanings(self) -> bool:
        """Whether it was found out before what names mean: then what rests on it is made sooner than looked up."""
        return "_meanings" in self.__dict__ or self._last_meanings is not None

    @cached_property
    def _meanings(self) -> tuple[CatalogInputs, Meanings]:
        from codecortex.operations.reading.facts_library import FactsLibrary
        from codecortex.operations.reading.meanings import compare_names, read_meanings

        tree, projects, cache = self.inputs
        library = FactsLibrary(tree.request, tree.repository, cache)
        if self._last_meanings is not None:
            (before, known, _), meanings = self._last_meanings
            found = compare_names(before, tree, projects, library) if known == projects else None
            if found is not None and found.is_empty:
                return self.inputs, meanings
        return self.inputs, read_meanings(tree, projects, library)

    @cached_property
    def _graph(self) -> tuple[Graph, CatalogSnapshot[Columns] | None]:
        from codecortex.operations.catalog.graph import open_graph

        return open_graph(self.inputs, self._last_graph)

    def read_type(self, type_id: TypeId) -> TypeAt | None:
        """A type of the catalog with its members, nested types and fingerprints; None if its files cannot be read."""
        from codecortex.operations.catalog.declared_types import read_types

        return read_types(self.inputs, self.catalog, (type_id,), lambda: self.meanings).get(type_id)

    def keep(self, name: str, key: object, make: Callable[[], _T]) -> _T:
        """A value that is costly to open: the one kept under a name if it was made for an equal key, else a new one.

        Args:
            name: Always of the same type of value.
            key: All that the value depends on.
            make: Makes the value.
        """
        held = self._kept.get(name)
        if held is None or held[0] != key:
            self.drop(name)  # before another one is made: two at a time take twice the memory
            held = (key, make())
            self._kept[name] = held
        return cast("_T", held[1])

    def drop(self, *names: str) -> None:
        """Keep nothing under some names."""
        for name in names:
            self._kept.pop(name, None)

    def look_again(self) -> None:
        """Drop what is outdated, so that the next question is answered from the current tree."""
        whole = self._is_whole()
        changed = self._find_changed()
        if changed is not None and not changed and whole:
            return
        tree = reopen_tree(self.tree, changed) if changed else None
        projects = self.__dict__.get("projects") if tree is not None else None
        if tree is None:
            tree = open_tree(self.request, self.repository, cache=self.cache)
        same = (tree.listing, tree.config, tree.flavour) == (self.tree.listing, self.tree.config, self.tree.flavour)
        if same and whole:
            return
        self._last_catalog = self.__dict__.get("_catalog", self._last_catalog)
        self._last_graph = self.__dict__.get("_graph", self._last_graph)
        self._last_meanings = self.__dict__.get("_meanings", self._last_meanings)
        self.tree = tree
        for name in ("projects", "inputs", "_catalog", "catalog", "_graph", "graph", "_meanings"):
            self.__dict__.pop(name, None)
        if projects is not None:
            self.projects = projects  # which rest on paths, not on what sources say

    def _is_whole(self) -> bool:
        """Whether the tree was read as listed; otherwise, what could not be read is tried and reported again."""
        if "_catalog" in self.__dict__ and (self._catalog[0] is not self.inputs or self._catalog[1].unread):
            return False
        made = self._graph[1] if "_graph" in self.__dict__ else None
        return made is None or made.whole

    def _find_changed(self) -> AbstractSet[bytes] | None:
        """The files that may have changed since the tree was listed; None if the caller has to list all again."""
        if self.request.rev is not None:
            found = find_object(self.repository, self.request.rev)
            known, self._object = self._object, found
            return frozenset() if found is not None and found == known else None
        if self._freshness is None:
            self._freshness = Freshness(self.repository, SUFFIXES, (CONFIG,))
        if self.tree.config.untracked:
            return None  # a new untracked file leaves no trace in anything that is watched
        changed = self._freshness.find_changed()
        if changed is None:
            self._freshness.take(files=not self.request.staged)
        return changed
