"""The symbol table: which types have a name, and which projects a project sees."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.model.code.types import cut_own_name, list_enclosing
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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


class Namesakes(list[Declared]):
    """The types with one FQN."""

    @cached_property
    def by_place(self) -> Mapping[tuple[str, str], Sequence[Declared]]:
        """By project, and by the only file that may name them, if there is one."""
        found: dict[tuple[str, str], list[Declared]] = defaultdict(list)
        for declared in self:
            found[declared.project, declared.file].append(declared)
        return found


_NOBODY = Namesakes()


class Found(NamedTuple):
    """The types that a name may mean, by id; not `sure` if no project reference leads there."""

    types: tuple[Declared, ...]
    sure: bool


class SymbolTable:
    """Every type by its names, every namespace, and the projects that each project sees.

    Most questions are about few names: what is known of a name is put together when it is first looked up.

    Attributes:
        nested: The names with arity of nested types, without their containers.
        namespaces: Every namespace and all its parents.
        segments: The last names of namespaces.
        projects: The paths of all projects that declare a type.
        nullable: The paths of the projects in which reference types without `?` may not be null.
    """

    def __init__(self, types: Iterable[tuple[TypeId, str, str, str]], projects: Sequence[Project]) -> None:
        """Make the table.

        Args:
            types: Of each type what `Declared` has, as one or as a plain tuple.
            projects: Every project.
        """
        self._named: dict[str, list[tuple[TypeId, str, str, str]]] = defaultdict(list)
        self._same: dict[str, dict[str, Namesakes]] = {}  # by name with arity, by FQN
        self._outermost: dict[str, dict[str, Namesakes]] = {}
        self._nested: dict[str, dict[str, Namesakes]] = {}
        self.nested: set[str] = set()
        direct: set[str] = set()
        seen: set[str] = set()
        for row in types:
            namespace, _, name = row[1].rpartition(".")
            if "+" in name:
                name = name.rpartition("+")[2]
                self.nested.add(name)
            self._named[name].append(row)
            direct.add(namespace)
            seen.add(row[2])
        self.namespaces = {each for namespace in direct for each in list_enclosing(namespace)}
        self.segments = {namespace.rpartition(".")[2] for namespace in self.namespaces}
        self.projects = frozenset(seen)
        self.nullable = frozenset(project.path for project in projects if project.nullable)
        references = {project.path: project.references for project in projects}
        self._visible = {path: _close(path, references) for path in references}

    def find(self, fqn: str) -> Namesakes:
        """The types of an FQN; always the same list."""
        return self._find_same(cut_own_name(fqn)).get(fqn, _NOBODY)

    def _find_same(self, name: str) -> Mapping[str, Namesakes]:
        """The types with a name (with its arity), by FQN."""
        found = self._same.get(name)
        if found is None:
            rows = self._named.get(name)
            if rows is None:
                return {}
            found = self._same[name] = defaultdict(Namesakes)
            for row in rows:
                found[row[1]].append(Declared(*row))
        return found

    def find_outermost(self, name: str) -> Mapping[str, Namesakes]:
        """The types that are not nested with a name (with its arity), by namespace."""
        found = self._outermost.get(name)
        if found is None:
            same = self._find_same(name).items()
            found = {fqn.rpartition(".")[0]: each for fqn, each in same if "+" not in fqn}
            if found:
                self._outermost[name] = found
        return found

    def find_nested(self, name: str) -> Mapping[str, Namesakes]:
        """The nested types with a name (with its arity), by the FQN of the type around each."""
        found = self._nested.get(name)
        if found is None:
            same = self._find_same(name).items()
            found = {fqn.rpartition("+")[0]: each for fqn, each in same if "+" in fqn}
            if found:
                self._nested[name] = found
        return found

    def list_fqns(self) -> Iterator[str]:
        """Yield the FQN of every type."""
        return (fqn for rows in self._named.values() for _, fqn, _, _ in rows)

    @cached_property
    def by_word(self) -> Mapping[str, str]:
        """For each name with its arity, a text that tells every type and namespace whose own name it is."""
        told: dict[str, list[str]] = defaultdict(list)
        for word, rows in self._named.items():
            owners: dict[str, list[tuple[str, str]]] = defaultdict(list)
            for _, fqn, project, owner in rows:
                owners[fqn].append((project, owner))
            told[word] = [f"{fqn} {sorted(each)}" for fqn, each in owners.items()]
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
