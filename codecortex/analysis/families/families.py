"""Finds the family of a member: all that it overrides or implements, and all that overrides or implements it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.definitions import SourceDefinition
from codecortex.analysis.binding.lookup.members import FoundMember
from codecortex.analysis.binding.types.ancestors import ancestors_of, close_interfaces
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.analysis.binding.types.shapes import find_alike, key_of
from codecortex.analysis.binding.types.substitution import substitution_of
from codecortex.analysis.binding.types.symbols import MemberKind, Named, TypeKind
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.analysis.binding.bind import Program
    from codecortex.analysis.binding.types.symbols import Member, TypeDefinition

_KINDS = frozenset(
    (MemberKind.METHOD, MemberKind.PROPERTY, MemberKind.INDEXER, MemberKind.EVENT, MemberKind.OPERATOR)
)  # fmt: skip


class Family(NamedTuple):
    """Members that one call may mean.

    Attributes:
        members: Those that sources declare, the one that was asked for first.
        outside: The documentation ids of those that assemblies declare: a family does not join through them.
    """

    members: tuple[Member, ...]
    outside: tuple[str, ...] = ()


def find_family(program: Program, member: Member) -> Family:
    """The family of a member among all types that sources declare."""
    if member.kind not in _KINDS or member.owner is None:
        return Family((member,))
    links = _Links(_simple_name(member))
    todo: list[TypeDefinition] = [member.owner]
    seen: set[TypeDefinition] = set()
    while todo:
        owner = todo.pop()
        below = program.list_below([owner]) if owner not in seen else ()
        for definition in (each for each in below if each not in seen):
            seen.add(definition)
            links.add_type(definition)
            todo += links.list_declaring(definition)
    return links.close(member)


def _simple_name(member: Member) -> str:
    """The name of a member without the interface that it says to implement."""
    return member.name.rpartition(".")[2]


class _Links:
    """What overrides or implements what, of the members of one name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._near: dict[Member, dict[Member, None]] = {}
        self._outside: dict[Member, dict[str, None]] = {}

    def add_type(self, definition: SourceDefinition) -> None:
        """Add what the members of a type override, and what implements the interfaces that it lists."""
        if definition.kind in (TypeKind.ENUM, TypeKind.DELEGATE, TypeKind.EXTENSION):
            return
        own = self._list_own(definition)
        for member in own:
            if "override" in member.modifiers:
                self._add_overridden(definition, member)
        listed = _list_interfaces(definition)
        explicit = [
            (member, told)
            for member in own
            if member.name != self._name and isinstance(told := definition.find_explicit_interface(member), Named)
        ]
        for interface in listed:
            # One that is listed under other arguments alone is implemented for these.
            fit = [each for each, told in explicit if told == interface or _is_only_alike(told, interface, listed)]
            for wanted in interface.definition.members(self._name):
                if wanted.kind in _KINDS:
                    self._add_implementation(definition, fit, FoundMember(wanted, substitution_of(interface), 0))

    def list_declaring(self, definition: SourceDefinition) -> Iterator[TypeDefinition]:
        """The types of the sources that one inherits from, and that may declare a member of the name."""
        for base in ancestors_of(definition).types:
            if isinstance(base.definition, SourceDefinition) and base.definition.may_declare(self._name):
                yield base.definition

    def close(self, member: Member) -> Family:
        """The members that links join to one, itself included."""
        found = {member: None}
        todo = [member]
        while todo:
            for each in self._near.get(todo.pop(), ()):
                if each not in found:
                    found[each] = None
                    todo.append(each)
        outside = dict.fromkeys(written for each in found for written in self._outside.get(each, ()))
        return Family(tuple(found), tuple(sorted(outside)))

    def _link(self, member: Member, other: Member) -> None:
        if other.owner is not None and other.owner.project is None:
            self._outside.setdefault(member, {})[id_of_symbol(other)] = None
        else:
            self._near.setdefault(member, {})[other] = None
            self._near.setdefault(other, {})[member] = None

    def _list_own(self, definition: SourceDefinition) -> list[Member]:
        """The members of the name that a type declares, explicit implementations included."""
        if not definition.may_declare(self._name):
            return []
        every = definition.all_members()
        named = (name for name in every if name == self._name or name.endswith(f".{self._name}"))
        return [member for name in named for member in every[name] if member.kind in _KINDS]

    # -- overrides

    def _add_overridden(self, definition: SourceDefinition, member: Member) -> None:
        """Link an override with the member of the nearest base class that it overrides."""
        found = find_alike(member, self._name, ancestors_of(definition).types, interfaces=False)
        if found is not None:
            self._link(member, found[0])

    # -- implementations

    def _add_implementation(
        self, definition: SourceDefinition, explicit: Sequence[Member], wanted: FoundMember
    ) -> None:
        """Link what implements an interface's member in a type that lists the interface."""
        key = key_of(wanted.member, wanted.given)
        for member in explicit:
            if key_of(member, {}) == key:
                self._link(member, wanted.member)
                return
        if definition.kind is TypeKind.INTERFACE:
            return
        for found in self._list_implicit(definition, wanted.member):
            if key_of(found.member, found.given) == key:
                if found.member.owner is not None and found.member.owner.project is not None:
                    self._link(found.member, wanted.member)
                return

    def _list_implicit(self, definition: SourceDefinition, wanted: Member) -> Iterator[FoundMember]:
        """The public members of the name, of a type and its base classes, that could implement an interface's."""
        classes = [each for each in ancestors_of(definition).types if each.definition.kind is not TypeKind.INTERFACE]
        for type_ in (definition.this, *classes):
            given = substitution_of(type_)
            for member in type_.definition.members(self._name):
                if (member.kind, member.is_static, member.access) == (wanted.kind, wanted.is_static, "public"):
                    yield FoundMember(member, given, 0)


def _is_only_alike(told: Named, interface: Named, listed: Iterable[Named]) -> bool:
    """Whether a type names an interface as it does not list it, such as with `dynamic` for `object`."""
    return told.definition is interface.definition and told not in listed


def _list_interfaces(definition: SourceDefinition) -> Iterable[Named]:
    """The interfaces that a type lists itself, and those that they inherit."""
    found, _ = close_interfaces([each for each in definition.bases.interfaces if isinstance(each, Named)])
    return [each for each in found if each.definition.kind is TypeKind.INTERFACE]
