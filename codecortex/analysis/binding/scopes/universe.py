"""All definitions: those of the sources by project, those of assemblies, and those that nothing declares."""

from __future__ import annotations

from bisect import insort
from operator import attrgetter
from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.symbols import OpaqueDefinition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.references.assemblies import References
    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.analysis.binding.types.symbols import TypeDefinition

UNKNOWN_NAMESPACE = "?"
_VOID = "System.Void"  # which only its keyword names


class Universe:
    """Where definitions are found by their full names.

    Attributes:
        references: The definitions of assemblies.
        visible: For each project the projects whose sources it sees, itself included.
        internals: For each project the others that let it see their internals, as far as that is known.
        open_types: Declares the types of a namespace and a name, as far as that waits.
        list_waiting: Gives the names of the types that sources declare in a namespace, be they declared yet or not.
        passed_over: Names of types, with their numbers of type arguments, that some project does not see since another
            one does not show its internals.
    """

    def __init__(self, references: References, visible: Mapping[str, frozenset[str]]) -> None:
        self.references = references
        self.visible = visible
        self.internals: dict[str, frozenset[str]] = {}
        self.open_types: Callable[[Iterable[tuple[str, str]]], None] = lambda _: None
        self.list_waiting: Callable[[str], AbstractSet[str]] = lambda _: frozenset()
        self.passed_over: set[tuple[str, int]] = set()
        self._types: dict[str, dict[str, list[TypeDefinition]]] = {}
        self._files: dict[TypeDefinition, str] = {}
        self._namespaces: dict[str, set[str]] = {}
        self._opaque: dict[tuple[str, int], OpaqueDefinition] = {}
        self._names: dict[str, AbstractSet[str]] = {}
        self._named: dict[tuple[str, str, str], Sequence[TypeDefinition]] = {}
        self._found: dict[tuple[str, str, int, str, bool], tuple[TypeDefinition | None, bool]] = {}

    # -- filling

    def add_namespace(self, namespace: str, project: str) -> None:
        """Add a namespace that a source of a project declares, and those around it."""
        while namespace and project not in self._namespaces.setdefault(namespace, set()):
            self._namespaces[namespace].add(project)
            namespace = namespace.rpartition(".")[0]

    def add_type(self, definition: TypeDefinition, file: str = "") -> None:
        """Add a type of a source that lies in no other one; one that is local to a file, with its path."""
        named = self._types.setdefault(definition.namespace, {}).setdefault(definition.name, [])
        insort(named, definition, key=attrgetter("order"))
        if file:
            self._files[definition] = file

    # -- asking

    @property
    def namespaces(self) -> Iterable[tuple[str, frozenset[str]]]:
        """The namespaces that sources declare, each with the projects of these sources."""
        return ((name, frozenset(declaring)) for name, declaring in self._namespaces.items())

    def has_namespace(self, name: str) -> bool:
        """Whether sources of any project declare a namespace."""
        return name in self._namespaces

    def file_of(self, definition: TypeDefinition) -> str:
        """The file that alone sees a type; empty for all that are not local to one."""
        return self._files.get(definition, "")

    def is_namespace(self, name: str, project: str) -> bool:
        """Whether a project sees a namespace of this name."""
        declaring = self._namespaces.get(name)
        if declaring is not None and not declaring.isdisjoint(self.visible[project]):
            return True
        return self.references.has_namespace(name, project)

    def is_declared(self, name: str, project: str) -> bool:
        """Whether all that is in a namespace is known: a project sees it in sources, and in no assembly."""
        return self.is_namespace(name, project) and not self.references.has_namespace(name, project)

    def names_in(self, namespace: str) -> AbstractSet[str]:
        """The simple names of the types of a namespace, of all projects and assemblies."""
        known = self._names.get(namespace)
        if known is None:
            declared, referenced = self.list_waiting(namespace), self.references.names_in(namespace)
            known = self._names[namespace] = declared | referenced if declared else referenced
        return known

    def types_named(self, namespace: str, name: str, project: str) -> Sequence[TypeDefinition]:
        """The types of a namespace with a simple name that a project sees, of any arity; all must be added before."""
        key = (namespace, name, project)
        known = self._named.get(key)
        if known is None:
            known = self._named[key] = self._list_named(namespace, name, project)
        return known

    def _list_named(self, namespace: str, name: str, project: str) -> Sequence[TypeDefinition]:
        self.open_types([(namespace, name)])
        space = self._types.get(namespace)
        own = space.get(name) if space is not None else None
        referenced = self.references.types_named(namespace, name, project)
        if own is None:
            return referenced
        visible = self.visible[project]
        return [*(each for each in own if each.project in visible), *referenced]

    def find(
        self, namespace: str, name: str, arity: int, scope: Scope, *, hidden: bool = False
    ) -> tuple[TypeDefinition | None, bool]:
        """The type of a namespace that a name with so many type arguments means, and whether there is no other.

        Internals that their project does not show count only where that is said.
        """
        if name not in self.names_in(namespace):
            return None, True
        if self._files:
            return self.choose(self.types_named(namespace, name, scope.project), arity, scope, hidden=hidden)
        key = (namespace, name, arity, scope.project, hidden)
        known = self._found.get(key)
        if known is None:
            named = self.types_named(namespace, name, scope.project)
            known = self._found[key] = self.choose(named, arity, scope, hidden=hidden)
        return known

    def declared_in(self, namespace: str, name: str) -> Sequence[TypeDefinition]:
        """The types of a namespace with a simple name that sources of any project declare."""
        self.open_types([(namespace, name)])
        return self.list_declared(namespace, name)

    def list_declared(self, namespace: str, name: str) -> Sequence[TypeDefinition]:
        """The same, as far as they do not wait."""
        return self._types.get(namespace, {}).get(name, ())

    def list_shown(self, project: str) -> AbstractSet[str] | None:
        """The projects whose internals a project may name; None for all."""
        return {project, *self.internals.get(project, ())} if project else None

    def choose(
        self, candidates: Sequence[TypeDefinition], arity: int, scope: Scope, *, hidden: bool = False
    ) -> tuple[TypeDefinition | None, bool]:
        """The candidate that a name with so many type arguments means, and whether there is no other.

        Of several the own project's counts, then those of other projects, first what they let be seen, then those of
        assemblies.

        Args:
            candidates: The candidates.
            arity: The number of type arguments.
            scope: Where the name stands.
            hidden: Whether internals count that their project does not show.
        """
        fit = [each for each in candidates if each.arity == arity and each.id != _VOID]
        if not hidden:
            shown = [each for each in fit if not self.is_hidden(each, scope.project)]
            if len(shown) < len(fit):
                self.passed_over.add((fit[0].name, arity))
            fit = shown
        if self._files:
            fit = [each for each in fit if self._files.get(each, scope.file) == scope.file]
        if len(fit) < 2:  # noqa: PLR2004 - one alone needs no choice
            return (fit[0] if fit else None), True
        own = [each for each in fit if each.project == scope.project]
        if own:
            return own[0], True
        declared = [each for each in fit if each.project is not None] or fit
        friends = self.internals.get(scope.project, frozenset())
        declared = [each for each in declared if each.access == "public" or each.project in friends] or declared
        return declared[0], len({each.id for each in declared}) == 1

    def is_hidden(self, definition: TypeDefinition, project: str) -> bool:
        """Whether another project declares a type that it does not show to a project."""
        declaring = definition.project
        if declaring is None or definition.access == "public" or declaring == project or not project:
            return False
        return declaring not in self.internals.get(project, frozenset())

    def opaque(self, name: str, arity: int) -> OpaqueDefinition:
        """The definition that stands for a type that nothing declares."""
        known = self._opaque.get((name, arity))
        if known is None:
            known = self._opaque[name, arity] = OpaqueDefinition(UNKNOWN_NAMESPACE, name, arity)
        return known
