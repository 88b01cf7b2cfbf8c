"""A request in; one tree with its catalog, its graph and its types, each opened when a question needs it, out.

A command opens a desk for one question; a server keeps one and has it look again before each.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

from codecortex.git.repository import open_repository
from codecortex.operations.reading import open_tree, read_projects
from codecortex.store.cache import open_cache

if TYPE_CHECKING:
    from codecortex.model.catalog import Catalog, Graph
    from codecortex.model.projects import Project
    from codecortex.model.types import TypeId
    from codecortex.operations.past import TypeAt
    from codecortex.operations.request import Request


class Desk:
    """Where questions about one tree are answered; use it as a context manager, or close it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.repository = open_repository(request.folder)
        self.cache = open_cache(self.repository.shared_dir, warn=request.warn)
        self.tree = open_tree(request, self.repository)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the local cache."""
        self.cache.close()

    @cached_property
    def projects(self) -> tuple[Project, ...]:
        """The projects of the tree."""
        return read_projects(self.tree, self.cache)

    @cached_property
    def catalog(self) -> Catalog:
        """The types and members of the tree."""
        from codecortex.operations.catalog import open_catalog  # noqa: PLC0415 - not every question needs it

        return open_catalog(self.tree, self.projects, self.cache)

    @cached_property
    def graph(self) -> Graph:
        """What the types of the tree name."""
        from codecortex.operations.catalog import open_graph  # noqa: PLC0415 - few questions need it

        return open_graph(self.tree, self.projects, self.cache)

    def read_type(self, type_id: TypeId) -> TypeAt | None:
        """A type of the catalog with its members, nested types and hashes; None where its files cannot be read."""
        from codecortex.operations.locate import Place, read_type  # noqa: PLC0415 - not every question needs it

        entry = self.catalog.by_id[type_id]
        place = Place(entry.id, entry.fqn, entry.kind, entry.project, entry.owner, entry.files)
        return read_type(self.tree, self.projects, place, self.cache)

    def look_again(self) -> None:
        """Forget what changed since: the next question is answered from the tree as it is then."""
        tree = open_tree(self.request, self.repository)
        if (tree.listing.entries, tree.config, tree.flavour) != (
            self.tree.listing.entries, self.tree.config, self.tree.flavour,
        ):  # fmt: skip
            self.tree = tree
            for name in ("projects", "catalog", "graph"):
                self.__dict__.pop(name, None)
