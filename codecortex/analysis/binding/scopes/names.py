"""Looks up names of namespaces and types, from a scope outwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.scopes.scopes import (
    FoundAlias,
    FoundNamespace,
    FoundType,
    NamespaceScope,
    ParameterScope,
    TypeScope,
)
from codecortex.analysis.binding.types.symbols import Named, TypeKind, Unfinished
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.scopes.scopes import Found, Scope, Using
    from codecortex.analysis.binding.scopes.universe import Universe
    from codecortex.analysis.binding.types.ancestors import BaseTypes
    from codecortex.analysis.binding.types.asked import Asked
    from codecortex.analysis.binding.types.symbols import Type, TypeDefinition

_ROOTED = compile_later(r"\s*global\s*::")
_IDENTIFIER = compile_later(r"\w+")
_INTERNAL = ("internal", "private protected")


class Names:
    """Looks up names in scopes."""

    def __init__(
        self, universe: Universe, bases: BaseTypes, resolve: Callable[[Using], Found | None], asked: Asked
    ) -> None:
        """Keep what is asked.

        Args:
            universe: All definitions.
            bases: Base types.
            resolve: What the target of a using directive means.
            asked: Where the names are recorded that are looked up.
        """
        self.asked = asked
        self._universe = universe
        self._bases = bases
        self._resolve = resolve
        self._spaces: dict[tuple[NamespaceScope, str], str | None] = {}
        self._imported: dict[NamespaceScope, Sequence[str]] = {}
        self._offered: dict[NamespaceScope, Sequence[tuple[str, AbstractSet[str]]]] = {}
        self._everywhere: dict[tuple[NamespaceScope, str], Sequence[TypeDefinition]] = {}
        self._statics: dict[NamespaceScope, list[Named]] = {}
        self._blind: dict[NamespaceScope, bool] = {}
        self._unknown: dict[NamespaceScope, frozenset[str]] = {}

    # -- lookup

    def find(self, scope: Scope, name: str, arity: int) -> Found | None:
        """What a name means; internals that another project does not show count where nothing else does."""
        self.asked.add_type(name, scope)
        found = self._find_around(scope, name, arity)
        if found is None and (name, arity) in self._universe.passed_over:
            return self._find_hidden(scope, name, arity)
        return found

    def _find_hidden(self, scope: Scope | None, name: str, arity: int) -> Found | None:
        while scope is not None:
            found = self._find_in(scope, name, arity, hidden=True)
            if found is not None or _find_alias(scope, name, arity) is not None:
                return found
            scope = scope.parent
        return None

    def _find_around(self, scope: Scope, name: str, arity: int) -> Found | None:
        key = (name, arity)
        if key in scope.memo:
            return scope.memo[key]
        scope.memo[key], reads = None, Unfinished.reads
        found = self._find_in(scope, name, arity)
        if found is None and scope.parent is not None and _find_alias(scope, name, arity) is None:
            found = self._find_around(scope.parent, name, arity)
        scope.memo[key] = found
        if reads != Unfinished.reads:
            del scope.memo[key]
        return found

    def find_attribute(
        self, scope: Scope, name: str, arity: int, accept: Callable[[TypeDefinition], bool]
    ) -> Found | None:
        """What a name means where only a type that is accepted can be meant."""
        self.asked.add_type(name, scope)
        found = self._find_accepted(scope, name, arity, accept, hidden=False)
        if found is None and (name, arity) in self._universe.passed_over:
            return self._find_accepted(scope, name, arity, accept, hidden=True)
        return found

    def _find_accepted(
        self, level: Scope | None, name: str, arity: int, accept: Callable[[TypeDefinition], bool], *, hidden: bool
    ) -> Found | None:
        while level is not None:
            found = self._find_in(level, name, arity, hidden=hidden)
            taken = found.type if isinstance(found, FoundAlias) else None
            if isinstance(taken, Named) and accept(taken.definition):
                return found
            if isinstance(found, FoundType) and accept(found.definition):
                return found
            level = level.parent
        return None

    def _find_in(self, scope: Scope, name: str, arity: int, *, hidden: bool = False) -> Found | None:
        """What a name means by what one scope itself declares."""
        if isinstance(scope, NamespaceScope):
            return self._find_in_namespace(scope, name, arity, hidden=hidden)
        if isinstance(scope, TypeScope):
            return self._find_in_type(scope.definition, name, arity)
        parameter = scope.parameters.get(name) if isinstance(scope, ParameterScope) and not arity else None
        return FoundAlias(parameter) if parameter is not None else None

    def _find_in_type(self, definition: TypeDefinition, name: str, arity: int) -> Found | None:
        if not arity:
            extension = definition.kind is TypeKind.EXTENSION
            for parameter in definition.parameters if extension else definition.own_parameters:
                if parameter.name == name:
                    return FoundAlias(parameter)
        if definition.kind is TypeKind.EXTENSION:
            return None
        return self.find_nested(definition.this, name, arity)

    def _find_in_namespace(self, scope: NamespaceScope, name: str, arity: int, *, hidden: bool) -> Found | None:
        definition, certain = self._universe.find(scope.namespace, name, arity, scope, hidden=hidden)
        if definition is not None:
            return FoundType(definition, None, certain)
        if not arity:
            namespace = f"{scope.namespace}.{name}" if scope.namespace else name
            if self._universe.is_namespace(namespace, scope.project):
                return FoundNamespace(namespace)
        return self._find_in_directives(scope, name, arity, hidden=hidden)

    def _find_in_directives(self, scope: NamespaceScope, name: str, arity: int, *, hidden: bool) -> Found | None:
        """What a name means by directives: aliases go first, and those of the project are as those of the file."""
        alias = _find_alias(scope, name, arity)
        if alias is not None:
            return self._resolve(alias)  # whether that is known or not: nothing else is meant
        candidates = dict.fromkeys(self._list_imported(scope, name))
        if scope.everywhere is not None:
            candidates |= dict.fromkeys(self._list_imported_everywhere(scope.everywhere, name))
        if candidates:
            definition, certain = self._universe.choose([*candidates], arity, scope, hidden=hidden)
            if definition is not None:
                return FoundType(definition, None, certain)
        for imported in (each for directives in scope.directives() for each in self.static_types(directives)):
            for nested in imported.definition.nested(name):  # what it inherits is not imported
                if nested.arity == arity:
                    return FoundType(nested, imported)
        return None

    def _list_imported(self, scope: NamespaceScope, name: str) -> Iterator[TypeDefinition]:
        """The types of a name in the namespaces that the directives of a scope import."""
        for namespace, names in self._names_of(scope):
            if name in names:
                yield from self._universe.types_named(namespace, name, scope.project)

    def _list_imported_everywhere(self, scope: NamespaceScope, name: str) -> Sequence[TypeDefinition]:
        """The same of the directives of a project, which all its files ask."""
        key = scope, name
        if key not in self._everywhere:
            self._everywhere[key] = tuple(self._list_imported(scope, name))
        return self._everywhere[key]

    def find_nested(self, type_: Type, name: str, arity: int) -> FoundType | None:
        """A nested type of a type or of one that it inherits from; private ones of its bases are passed over.

        Only an interface has those of other interfaces.
        """
        inherits = isinstance(type_, Named) and type_.definition.kind is TypeKind.INTERFACE
        for base in self._bases.of(type_)[0]:
            if isinstance(base, Named) and (inherits or base.definition.kind is not TypeKind.INTERFACE):
                for definition in base.definition.nested(name):
                    if definition.arity == arity and (base == type_ or self._is_inherited(definition, type_)):
                        return FoundType(definition, base)
        return None

    def _is_inherited(self, nested: TypeDefinition, type_: Type) -> bool:
        """Whether a type may name a nested type of one of its bases as its own."""
        project = type_.definition.project if isinstance(type_, Named) else None
        internal = nested.access in _INTERNAL and self._universe.is_hidden(nested, project or "")
        return nested.access != "private" and not internal

    # -- using directives

    def find_alias(self, scope: Scope, name: str) -> Using | None:
        """The innermost alias of a name around, whether that is known or not for which it stands."""
        level: NamespaceScope | None = scope.namespace_scope()
        while level is not None:
            alias = _find_alias(level, name, 0)
            if alias is not None:
                return alias
            level = level.around
        return None

    def ask_directives(self, file: NamespaceScope, scopes: Iterable[NamespaceScope]) -> None:
        """Record that the bindings of a file depend on what the directives of its scopes name."""
        for scope in scopes:
            for using in (*scope.usings, *scope.statics, *scope.aliases.values()):
                for name in _IDENTIFIER.findall(using.text):
                    self.asked.add_type(name, file)

    def imported(self, scope: NamespaceScope) -> Sequence[str]:
        """The namespaces that the directives of a scope import."""
        known = self._imported.get(scope)
        if known is None:
            namespaces = (self.namespace_of(using) for using in scope.usings)
            known = self._imported[scope] = [each for each in namespaces if each is not None]
        return known

    def _names_of(self, scope: NamespaceScope) -> Sequence[tuple[str, AbstractSet[str]]]:
        """The namespaces that the directives of a scope import, each with the names of its types."""
        known = self._offered.get(scope)
        if known is None:
            known = self._offered[scope] = [(each, self._universe.names_in(each)) for each in self.imported(scope)]
        return known

    def namespace_of(self, using: Using) -> str | None:
        """The namespace that a directive means, relative ones first; None where no known one."""
        key = (using.scope, using.text)
        if key not in self._spaces:
            outermost = _ROOTED.match(using.text) is not None
            self._spaces[key] = self._search_namespace(using.scope, using.written, outermost=outermost)
        return self._spaces[key]

    def _search_namespace(self, scope: NamespaceScope | None, written: str, *, outermost: bool) -> str | None:
        while scope is not None:
            full = f"{scope.namespace}.{written}" if scope.namespace and not outermost else written
            if self._universe.is_namespace(full, scope.project):
                return full
            scope = scope.around
        return None

    def static_types(self, scope: NamespaceScope) -> Sequence[Named]:
        """The types whose static members the directives of a scope import, as far as they are known."""
        known = self._statics.get(scope)
        if known is None:
            known = self._statics[scope] = []
            for using in scope.statics:
                found = self._resolve(using)
                if isinstance(found, FoundAlias) and isinstance(found.type, Named):
                    known.append(found.type)
        return known

    def is_blind(self, scope: Scope) -> bool:
        """Whether directives around import what no source and no known assembly declares."""
        level: NamespaceScope | None = scope.namespace_scope()
        return level is not None and self._is_blind(level)

    def _is_blind(self, scope: NamespaceScope) -> bool:
        known = self._blind.get(scope)
        if known is None:
            own = any(self.is_blind_itself(each) for each in scope.directives())
            known = own or (scope.around is not None and self._is_blind(scope.around))
            self._blind[scope] = known
        return known

    def is_blind_itself(self, scope: NamespaceScope) -> bool:
        """Whether the directives of one scope import what nothing known declares."""
        unknown = any(self.namespace_of(using) is None for using in scope.usings)
        return unknown or len(self.static_types(scope)) < len(scope.statics)

    def unknown_usings(self, scope: Scope) -> frozenset[str]:
        """The namespaces that directives around name and that nothing known declares."""
        innermost = scope.namespace_scope()
        known = self._unknown.get(innermost)
        if known is None:
            known = self._unknown[innermost] = frozenset(self._list_unknown(innermost))
        return known

    def _list_unknown(self, level: NamespaceScope | None) -> Iterator[str]:
        while level is not None:
            for directives in level.directives():
                yield from (using.written for using in directives.usings if self.namespace_of(using) is None)
            level = level.around


def _find_alias(scope: Scope, name: str, arity: int) -> Using | None:
    """The alias of a name that holds in a scope."""
    if arity or not isinstance(scope, NamespaceScope):
        return None
    found = scope.aliases.get(name)
    return scope.everywhere.aliases.get(name) if found is None and scope.everywhere is not None else found
