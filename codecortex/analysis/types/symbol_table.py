"""Types and projects in; tables that say which types bear a name and which projects a project sees out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import TypeId


class Declared(NamedTuple):
    """What name lookup needs to know of a type; `owner` is the file of a file-local one, else empty or its project."""

    id: TypeId
    fqn: str
    project: str
    owner: str = ""

    @property
    def file(self) -> str:
        """The only file that may name it; empty where every file may."""
        return self.owner if self.owner != self.project else ""


class Found(NamedTuple):
    """The types a name may mean, by id; `sure` unless no project reference leads there."""

    types: tuple[Declared, ...]
    sure: bool


class SymbolTable:
    """Every type by its names, every namespace, and what each project can see.

    Attributes:
        types: Types by metadata name.
        outermost: Types that are not nested, by metadata name without namespace, then by namespace.
        nested: The own metadata names of nested types, without their containers'.
        namespaces: Every namespace and every one it lies in.
        segments: The own names of namespaces.
        projects: The paths of every project that declares a type.
    """

    def __init__(self, types: Iterable[Declared], projects: Sequence[Project]) -> None:
        self.types: dict[str, list[Declared]] = defaultdict(list)
        self.outermost: dict[str, dict[str, list[Declared]]] = defaultdict(dict)
        self.nested: set[str] = set()
        self.namespaces: set[str] = set()
        self.segments: set[str] = set()
        for declared in types:
            same = self.types[declared.fqn]
            same.append(declared)
            namespace, _, name = declared.fqn.partition("+")[0].rpartition(".")
            if "+" in declared.fqn:
                self.nested.add(declared.fqn.rpartition("+")[2])
            else:
                self.outermost[name][namespace] = same
            while namespace and namespace not in self.namespaces:
                self.namespaces.add(namespace)
                namespace, _, last = namespace.rpartition(".")
                self.segments.add(last)
        self.projects = frozenset(declared.project for same in self.types.values() for declared in same)
        references = {project.path: project.references for project in projects}
        self._visible = {path: _close(path, references) for path in references}

    def list_visible(self, project: str) -> frozenset[str]:
        """The other projects whose types a project sees: those its references lead to, however far."""
        return self._visible.get(project, frozenset())

    def list_guessed(self, project: str) -> frozenset[str]:
        """Projects that it may see beyond those: files that belong to no project may be of any, and see any."""
        return self.projects if not project else self.projects & {""}


def _close(path: str, references: Mapping[str, Sequence[str]]) -> frozenset[str]:
    seen: set[str] = set()
    pending = [path]
    while pending:
        for reference in references.get(pending.pop(), ()):
            if reference not in seen:
                seen.add(reference)
                pending.append(reference)
    return frozenset(seen)
