"""Looks up extension members: by the namespaces around a place, the innermost first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.lookup.accessibility import EVERYWHERE, is_accessible
from codecortex.analysis.binding.lookup.members import FoundMember
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.analysis.binding.types.inspect import is_opaque
from codecortex.analysis.binding.types.symbols import MemberKind, Named, Parameter, Special, TypeDefinition
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.declarations.declare import Declarations
    from codecortex.analysis.binding.declarations.definitions import SourceDefinition
    from codecortex.analysis.binding.lookup.accessibility import Place
    from codecortex.analysis.binding.scopes.names import Names
    from codecortex.analysis.binding.scopes.scopes import NamespaceScope, Scope
    from codecortex.analysis.binding.scopes.universe import Universe
    from codecortex.analysis.binding.types.ancestors import BaseTypes
    from codecortex.analysis.binding.types.symbols import Member, Type

_BLOCK_MEMBERS = (MemberKind.METHOD, MemberKind.PROPERTY, MemberKind.OPERATOR)
_CONVERTED_TO = ("System.Span`", "System.ReadOnlySpan`")  # which have sources that do not derive from them


class Level(NamedTuple):
    """The classes whose extension members are considered together."""

    namespaces: frozenset[str]
    classes: frozenset[TypeDefinition] = frozenset()

    def has(self, definition: TypeDefinition) -> bool:
        """Whether a class belongs to it."""
        return definition.namespace in self.namespaces or definition in self.classes


class _Candidates(NamedTuple):
    """The extension methods of one name at one level.

    Attributes:
        members: The methods.
        restricted: Whether some of them can not be named everywhere.
    """

    members: Sequence[Member]
    restricted: bool


class Extensions:
    """The extension members of sources and assemblies."""

    def __init__(self, universe: Universe, names: Names, bases: BaseTypes, declarations: Declarations) -> None:
        self._asked = names.asked
        self._universe = universe
        self._names = names
        self._bases = bases
        self._declarations = declarations
        self._own: dict[str, Sequence[Member]] = {}
        self._referenced: dict[str, Sequence[Member]] = {}
        self._levels: dict[NamespaceScope, Sequence[Level]] = {}
        self._candidates: dict[tuple[NamespaceScope, str], Sequence[_Candidates]] = {}
        self._receivers: dict[Member, TypeDefinition | None] = {}
        self._reached: dict[Type, frozenset[TypeDefinition] | None] = {}

    def exists(self, name: str) -> bool:
        """Whether any extension member bears a name."""
        self._asked.add_extension(name)
        return bool(self.declared(name)) or name in self._universe.references.extension_names

    def is_declared_in(self, name: str, namespace: str) -> bool:
        """Whether a class of a namespace declares an extension member of a name in the sources."""
        owners = (member.container or member.owner for member in self.declared(name))
        return any(each is not None and each.namespace == namespace for each in owners)

    def declared(self, name: str) -> Sequence[Member]:
        """The extension members of a name that sources declare."""
        known = self._own.get(name)
        if known is None:
            declaring = self._declarations.list_extending(name)
            known = self._own[name] = [member for each in declaring for member in _list_members(each, name)]
        return known

    def levels(self, scope: Scope) -> Sequence[Level]:
        """The levels that are searched from a scope, in order."""
        innermost = scope.namespace_scope()
        known = self._levels.get(innermost)
        if known is None:
            known = self._levels[innermost] = list(self._list_levels(innermost))
        return known

    def _list_levels(self, scope: NamespaceScope | None) -> Iterator[Level]:
        while scope is not None:
            yield Level(frozenset((scope.namespace,)))
            namespaces = {each for directives in scope.directives() for each in self._names.imported(directives)}
            classes = {
                each.definition for directives in scope.directives() for each in self._names.static_types(directives)
            }
            if namespaces or classes:
                yield Level(frozenset(namespaces), frozenset(classes))
            scope = scope.around

    def candidates(
        self, scope: Scope, name: str, place: Place, receiver: Type | None
    ) -> Iterator[Sequence[FoundMember]]:
        """For each level the extension methods of a name whose receiver could be of a type."""
        self._asked.add_extension(name)
        self._asked.add_types({each.owner.name for each in self._find_referenced(name) if each.owner is not None})
        for members, restricted in self._find_candidates(scope.namespace_scope(), name):
            found = members
            if restricted:
                accessible = [each for each in members if is_accessible(each, place._replace(shown=None))]
                found = _prefer_project(accessible, place.project)
            if receiver is not None:
                found = self._filter(found, receiver)
            if found:
                yield [FoundMember(each, {}, 0) for each in found]

    def _find_candidates(self, scope: NamespaceScope, name: str) -> Sequence[_Candidates]:
        """The extension methods of a name, level by level."""
        known = self._candidates.get((scope, name))
        if known is None:
            known = self._candidates[scope, name] = list(self._list_candidates(scope, name))
        return known

    def _list_candidates(self, scope: NamespaceScope, name: str) -> Iterator[_Candidates]:
        own, referenced = self.declared(name), self._find_referenced(name)
        if own or referenced:
            found = list(self._list_at_levels(scope, self._list_shown(own, scope), referenced))
            yield from found or self._list_at_levels(scope, own, referenced)  # it compiles: some are shown after all

    def _list_at_levels(
        self, scope: NamespaceScope, own: Sequence[Member], referenced: Sequence[Member]
    ) -> Iterator[_Candidates]:
        for level in self.levels(scope):
            found = [each for each in own if self._counts(each, level, scope.project)]
            found += [each for each in referenced if self._reaches(each.owner, level, scope.project)]
            restricted = any(each.access not in EVERYWHERE for each in found)
            if found:
                yield _Candidates(found if restricted else _prefer_project(found, scope.project), restricted)

    def properties(self, scope: Scope, name: str, place: Place) -> Iterator[Sequence[Member]]:
        """For each level the extension properties of a name."""
        self._asked.add_extension(name)
        declared = [each for each in self.declared(name) if each.kind is MemberKind.PROPERTY]
        declared = [*self._list_shown(declared, scope)] or declared
        declared = [each for each in declared if is_accessible(each, place._replace(shown=None))]
        for level in self.levels(scope) if declared else ():
            owners = ((each, each.container or each.owner) for each in declared)
            found = [
                each
                for each, owner in owners
                if owner is not None and self._sees(owner, place.project) and level.has(owner)
            ]
            if found:
                yield found

    def operators(self, scope: Scope, name: str, project: str) -> Iterator[FoundMember]:
        """The operators of a name that extension blocks declare."""
        self._asked.add_extension(name)
        declared, shown = self.declared(name), self._universe.list_shown(project)
        for member in [each for each in declared if shown is None or _is_shown(each, shown)] or declared:
            owner = member.container or member.owner
            seen = member.kind is MemberKind.OPERATOR and owner is not None and self._sees(owner, project)
            if seen and owner is not None and any(level.has(owner) for level in self.levels(scope)):
                yield FoundMember(member, {}, 0)

    def _find_referenced(self, name: str) -> Sequence[Member]:
        """The extension methods of assemblies."""
        known = self._referenced.get(name)
        if known is None:
            known = self._referenced[name] = self._universe.references.find_extensions(name)
        return known

    def _is_declared(self, owner: TypeDefinition, project: str) -> bool:
        """Whether a source that a project sees declares a class of this name: a package may hold an older build."""
        declared = self._universe.declared_in(owner.namespace, owner.name)
        return any(each.arity == 0 and self._sees(each, project) for each in declared)

    def _reaches(self, owner: TypeDefinition | None, level: Level, project: str) -> bool:
        """Whether a class of an assembly is considered on a level."""
        if owner is None or not level.has(owner) or not self._universe.references.sees(owner, project):
            return False
        return not self._is_declared(owner, project)

    def _sees(self, owner: TypeDefinition, project: str) -> bool:
        return owner.project in self._universe.visible[project]

    def _list_shown(self, members: Sequence[Member], scope: Scope) -> Sequence[Member]:
        """Of extension members of sources those that a scope may name, as far as internals and files are concerned."""
        shown = self._universe.list_shown(scope.project)
        return [e for e in members if self._is_of(scope.file, e) and (shown is None or _is_shown(e, shown))]

    def _is_of(self, file: str, member: Member) -> bool:
        """Whether the class of a member is not local to another file."""
        owner = member.container or member.owner
        return owner is None or self._universe.file_of(owner) in ("", file)

    def _counts(self, member: Member, level: Level, project: str) -> bool:
        owner = member.container or member.owner
        if member.kind is not MemberKind.METHOD or owner is None or not self._sees(owner, project):
            return False
        return level.has(owner)

    # -- receivers

    def _filter(self, members: Sequence[Member], receiver: Type) -> Sequence[Member]:
        """The members whose first parameter could take a receiver, by the definitions of its base types alone."""
        reached = self._reach(receiver)
        if reached is None:
            return members
        return [each for each in members if (first := self._receiver_definition(each)) is None or first in reached]

    def _reach(self, receiver: Type) -> frozenset[TypeDefinition] | None:
        """The definitions of a type's base types; None if not all are known."""
        if receiver not in self._reached:
            bases, known = self._bases.of(receiver)
            named = frozenset(each.definition for each in bases if isinstance(each, Named))
            self._reached[receiver] = named if known and not isinstance(receiver, Special) else None
        return self._reached[receiver]

    def _receiver_definition(self, member: Member) -> TypeDefinition | None:
        """The definition that a receiver has to reach; None if it can be reached in other ways."""
        if member not in self._receivers:
            type_ = receiver_of(member).type
            fixed = isinstance(type_, Named) and not is_opaque(type_)
            definition = type_.definition if isinstance(type_, Named) and fixed else None
            if definition is not None and (
                definition.id.startswith(_CONVERTED_TO) or definition.id in ("System.Object", "System.ValueType")
            ):
                definition = None
            self._receivers[member] = definition
        return self._receivers[member]


def receiver_of(member: Member) -> Parameter:
    """The parameter that an extension member's receiver is given to."""
    return member.receiver() if member.receiver is not None else member.parameters[0]


def _is_shown(member: Member, shown: AbstractSet[str]) -> bool:
    """Whether a member of a class is public, or its project shows its internals."""
    owner = member.container or member.owner
    return owner is None or owner.project in shown or (member.access == "public" and owner.access == "public")


def _list_members(definition: SourceDefinition, name: str) -> Iterator[Member]:
    yield from (each for each in definition.members(name) if each.is_extension and each.node is not None)
    for block in definition.extension_blocks:
        yield from (each for each in block.members(name) if each.kind in _BLOCK_MEMBERS)


def _prefer_project(members: Sequence[Member], project: str) -> Sequence[Member]:
    """Of members of the same id, as files that several projects compile have them, the own project's."""
    if len(members) < 2:  # noqa: PLR2004 - one alone needs no choice
        return members
    own = {id_of_symbol(each) for each in members if each.owner is not None and each.owner.project == project}
    return [
        each
        for each in members
        if id_of_symbol(each) not in own or (each.owner is not None and each.owner.project == project)
    ]
