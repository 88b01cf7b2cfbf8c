"""The symbol table: which types have a name, and which projects a project sees."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import TypeId


class Declared(NamedTuple):
    """What name lookup needs to know of a type; `owner` is its file if it is file-local, else empty or its project."""

    id: TypeId
    fqn: str
    project: str
    owner: str = ""

    @property
    def file(self) -> str:
        """The only file that may name it; empty if every file may."""
        return self.owner if self.owner != self.project else ""


class Found(NamedTuple):
    """The types that a name may mean, by id; not `sure` if no project reference leads there."""

    types: tuple[Declared, ...]
    sure: bool


class SymbolTable:
    """Every type by its names, every namespace, and the projects that each project sees.

    Attributes:
        types: Types by FQN.
        outermost: Types that are not nested, by name with arity, then by namespace.
        nested: The names with arity of nested types, without their containers.
        namespaces: Every namespace and all its parents.
        segments: The last names of namespaces.
        projects: The paths of all projects that declare a type.
        nullable: The paths of the projects in which reference types without `?` may not be null.
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
        self.nullable = frozenset(project.path for project in projects if project.nullable)
        references = {project.path: project.references for project in projects}
        self._visible = {path: _close(path, references) for path in references}

    @cached_property
    def by_word(self) -> Mapping[str, str]:
        """For each name with its arity, a text that tells every type and namespace whose own name it is."""
        told: dict[str, list[str]] = defaultdict(list)
        for fqn, same in self.types.items():
            owners = sorted((declared.project, declared.owner) for declared in same)
            told[fqn.rpartition("+")[2] if "+" in fqn else fqn.rpartition(".")[2]].append(f"{fqn} {owners}")
        for namespace in self.namespaces:
            told[namespace.rpartition(".")[2]].append(f"{namespace}.")
        return {word: "\n".join(sorted(texts)) for word, texts in told.items()}

    def list_visible(self, project: str) -> frozenset[str]:
        """The other projects whose types a project sees: those it references directly or indirectly."""
        return self._visible.get(project, frozenset())

    def list_guessed(self, project: str) -> frozenset[str]:
        """Further projects that it may see: files without a project may belong to any, and may see any."""
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
