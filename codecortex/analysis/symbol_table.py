"""Types and projects in; a table that answers which type a metadata name means to a project out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.model.projects import Project
    from codecortex.model.types import TypeId


class Declared(NamedTuple):
    """What name lookup needs to know of a type."""

    id: TypeId
    fqn: str
    project: str


class SymbolTable:
    """Every type by metadata name, every namespace, and what each project can see."""

    def __init__(self, types: Iterable[Declared], projects: Sequence[Project]) -> None:
        self._by_fqn: dict[str, list[Declared]] = defaultdict(list)
        self.namespaces: set[str] = set()
        self.heads: set[str] = set()
        for declared in types:
            self._by_fqn[declared.fqn].append(declared)
            outermost, *inner = declared.fqn.split("+")
            namespace, _, name = outermost.rpartition(".")
            self.heads.update(level.partition("`")[0] for level in (name, *inner))
            while namespace and namespace not in self.namespaces:
                self.namespaces.add(namespace)
                namespace, _, last = namespace.rpartition(".")
                self.heads.add(last)
        self._visible = {project.path: _close(project.path, projects) for project in projects}

    def find(self, fqn: str, project: str, *, anywhere: bool = False) -> tuple[Declared, ...]:
        """The types of that name that a project can see, its own before others'; with `anywhere`, all there are."""
        found = self._by_fqn.get(fqn)
        if found is None:
            return ()
        own = [declared for declared in found if declared.project == project]
        if own:
            return tuple(own)
        if anywhere:
            return tuple(found)
        visible = self._visible.get(project, frozenset())
        return tuple(declared for declared in found if declared.project in visible)

    def declares(self, fqn: str) -> bool:
        """Whether any project declares the name."""
        return fqn in self._by_fqn


def _close(path: str, projects: Sequence[Project]) -> frozenset[str]:
    """The projects reachable from one by its references."""
    references: Mapping[str, tuple[str, ...]] = {project.path: project.references for project in projects}
    seen: set[str] = set()
    pending = [path]
    while pending:
        for reference in references.get(pending.pop(), ()):
            if reference not in seen:
                seen.add(reference)
                pending.append(reference)
    return frozenset(seen)
