"""Looks up the members of a type by name (the language's member lookup)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from codecortex.analysis.binding.lookup.accessibility import EVERYWHERE, is_accessible
from codecortex.analysis.binding.types.ancestors import ancestors_of, derives_from
from codecortex.analysis.binding.types.inspect import is_kind
from codecortex.analysis.binding.types.shapes import key_of
from codecortex.analysis.binding.types.substitution import substitute, substitution_of
from codecortex.analysis.binding.types.symbols import (
    Anonymous,
    Array,
    Member,
    MemberKind,
    Named,
    Signature,
    TypeKind,
    TypeParameter,
)
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.lookup.accessibility import Place
    from codecortex.analysis.binding.types.ancestors import BaseTypes
    from codecortex.analysis.binding.types.asked import Asked
    from codecortex.analysis.binding.types.symbols import Substitution, Type
    from codecortex.analysis.binding.types.wellknown import WellKnown

OVERLOADED = frozenset((MemberKind.METHOD, MemberKind.INDEXER, MemberKind.CONSTRUCTOR, MemberKind.OPERATOR))
"""The kinds of members of which several can bear one name."""


class FoundMember(NamedTuple):
    """A member that a lookup found.

    Attributes:
        member: The member.
        given: The type arguments of the type that declares it.
        level: How many base types lie between; of an overridden member, to where it was first declared.
        overridden: What it overrides, where that was first declared.
    """

    member: Member
    given: Substitution
    level: int
    overridden: Member | None = None

    @property
    def type(self) -> Type:
        """What it returns or holds, with the type arguments."""
        return substitute(self.member.type, self.given)


def keep_accessible(members: Sequence[FoundMember], place: Place, receiver: Type | None = None) -> list[FoundMember]:
    """What can be named at a place, as members of a receiver.

    Where nothing can, internals count of projects that are not known to show theirs: what compiles has its reasons.
    """
    kept = [each for each in members if is_accessible(each.member, place, receiver)]
    anywhere = place._replace(shown=None)
    return kept or [each for each in members if is_accessible(each.member, anywhere, receiver)]


class FoundMembers(NamedTuple):
    """What a lookup found.

    Attributes:
        members: Overloads of one name, or one member of another kind.
        known: Whether no other member could be there: no base type that counts is unknown.
        everywhere: Whether all of them are known to be accessible everywhere, internals shown.
        internals: The projects of which internals are among them.
    """

    members: Sequence[FoundMember]
    known: bool
    everywhere: bool = False
    internals: AbstractSet[str] = frozenset()

    def can_be_named(self, place: Place) -> bool:
        """Whether all of them can be named at a place, whatever the receiver; False if that is not known."""
        return self.everywhere and (place.shown is None or self.internals <= place.shown)


_NOTHING = FoundMembers((), known=True)


class MemberLookup:
    """Looks up members, and remembers what was found."""

    def __init__(self, bases: BaseTypes, types: WellKnown, asked: Asked) -> None:
        self.asked = asked
        self._bases = bases
        self._types = types
        self._known: dict[tuple[object, str], FoundMembers] = {}
        self._constructed: dict[tuple[Named, str], FoundMembers] = {}

    def find(self, type_: Type, name: str) -> FoundMembers:
        """All members of a name, whether accessible or not."""
        if isinstance(type_, Named):
            self.asked.add_member(type_.definition, name)
            found = self._find_remembered(type_.definition, type_.definition.this, name)
            return self._construct(found, type_, name) if type_.arguments and found.members else found
        if isinstance(type_, (TypeParameter, Array)):
            self.asked.add_members(self._bases.of(type_)[0], name)
            return self._find_remembered(type_, type_, name)
        if isinstance(type_, Anonymous):
            return self._find_anonymous(type_, name)
        return FoundMembers((), known=False)

    def find_kept(self, type_: Type, name: str, keep: Callable[[Member], bool]) -> FoundMembers:
        """The members of a name that pass; the others are passed over as if they were not there."""
        found = self.find(type_, name)
        if all([keep(each.member) for each in found.members]):  # noqa: C419 - a generator costs more than it saves
            return found
        return self._walk(type_, name, keep)

    def find_accessible(
        self,
        type_: Type,
        name: str,
        place: Place,
        receiver: Type | None,
        wanted: Callable[[Member], bool] | None = None,
    ) -> FoundMembers:
        """The members of a name that can be named at a place, as members of a receiver, of those that are wanted.

        Where none can, internals count of projects that are not known to show theirs.
        """
        found = self.find(type_, name)
        if wanted is None and found.can_be_named(place):
            return found

        def keep(member: Member) -> bool:
            return (wanted is None or wanted(member)) and is_accessible(member, place, receiver)

        kept = self.find_kept(type_, name, keep)
        if not kept.members and place.shown is not None and found.members:
            place = place._replace(shown=None)
            kept = self.find_kept(type_, name, keep)
        return kept

    def _find_remembered(self, key: object, type_: Type, name: str) -> FoundMembers:
        known = self._known.get((key, name))
        if known is None:
            self._known[key, name] = _NOTHING
            found = self._walk(type_, name, None)
            everywhere = all(each.member.access in EVERYWHERE for each in found.members)
            internals = frozenset(filter(None, (_internal_to(each.member) for each in found.members)))
            known = self._known[key, name] = FoundMembers(found.members, found.known, everywhere, internals)
        return known

    def _construct(self, found: FoundMembers, type_: Named, name: str) -> FoundMembers:
        """What was found in a definition, with the type arguments of a type."""
        if type_.has_names:
            return found._replace(members=_construct(found.members, type_))
        known = self._constructed.get((type_, name))
        if known is None:
            made = found._replace(members=_construct(found.members, type_))
            known = self._constructed[type_, name] = made
        return known

    def _find_anonymous(self, type_: Anonymous, name: str) -> FoundMembers:
        for each, value in type_.properties:
            if each == name:
                member = Member(name, MemberKind.PROPERTY, None, partial(Signature, (), value))
                member.id = ""
                return FoundMembers((FoundMember(member, {}, 0),), known=True)
        return self.find(self._types.object, name)

    def _walk(self, type_: Type, name: str, keep: Callable[[Member], bool] | None) -> FoundMembers:
        """Walk the base types outwards; a member that is no method ends the walk."""
        levels, known = self._list_levels(type_)
        walk = _Walk()
        for level, base in levels:
            members: Sequence[Member] = base.definition.members(name)
            known = known and not base.definition.hides(name)
            if keep is not None and members:
                members = [each for each in members if keep(each)]
            if not members:
                continue
            given = substitution_of(base)
            single = next((each for each in members if each.kind not in OVERLOADED), None)
            if single is None:
                for member in members:
                    walk.take(FoundMember(member, given, level))
            elif walk.is_empty():
                return FoundMembers((FoundMember(single, given, level),), known=not base.definition.hides(name))
        return FoundMembers(walk.finish(), known)

    def _list_levels(self, type_: Type) -> tuple[list[tuple[int, Named]], bool]:
        """The types that members are taken from, each with its level; and whether that is all."""
        if isinstance(type_, Array):
            type_ = self._types.array  # an array implements its interfaces explicitly
        if isinstance(type_, Named) and type_.definition.kind is not TypeKind.INTERFACE:
            bases, _ = self._bases.of(type_)
            named = (each for each in bases if isinstance(each, Named))
            chain = [each for each in named if each is type_ or each.definition.kind is not TypeKind.INTERFACE]
            known = ancestors_of(type_.definition).classes_known
            if isinstance(self._types.object, Named) and type_.definition.is_value and self._types.object not in chain:
                chain.append(self._types.object)
            return list(enumerate(chain)), known
        bases, known = self._bases.of(type_)
        if isinstance(type_, TypeParameter):
            promised = self._list_promised(type_)
            bases = tuple([each for each in bases if not is_kind(each, TypeKind.INTERFACE) or each in promised])
        root = self._types.object
        chain = _put_derived_first([each for each in bases if isinstance(each, Named) and each != root])
        chain.sort(key=lambda each: each.definition.kind is TypeKind.INTERFACE)
        if isinstance(root, Named):
            chain.append(root)  # what all objects have hides nothing of an interface
        return list(enumerate(chain)), known

    def _list_promised(self, parameter: TypeParameter) -> set[Type]:
        """The interfaces that constraints name, with all they inherit: those of a class that is one do not count."""
        found: set[Type] = set()
        seen: set[Type] = set()
        todo: list[Type] = [parameter]
        while todo:
            each = todo.pop()
            if isinstance(each, TypeParameter) and each not in seen:
                seen.add(each)
                todo += each.constraints
            elif is_kind(each, TypeKind.INTERFACE):
                found.update(self._bases.of(each)[0])
        return found


def _is_of_interface(member: Member) -> bool:
    """Whether an interface declares a member."""
    return member.owner is not None and member.owner.kind is TypeKind.INTERFACE


def _internal_to(member: Member) -> str | None:
    """The project of an internal member; None of any other one."""
    owner = member.container or member.owner
    return owner.project if owner is not None and member.access == "internal" else None


class _Walk:
    """The overloads that are met on the way to the outermost base type."""

    def __init__(self) -> None:
        self._found: list[FoundMember] = []
        self._seen: dict[object, int] = {}  # at which level
        self._overrides: dict[object, FoundMember] = {}

    def is_empty(self) -> bool:
        return not self._found and not self._overrides

    def take(self, found: FoundMember) -> None:
        """Take a member; an override waits for what it overrides."""
        if found.member.is_static and found.member.kind is MemberKind.CONSTRUCTOR:
            return
        key = key_of(found.member, found.given)
        if "override" in found.member.modifiers:
            self._overrides.setdefault(key, found)
        elif self._seen.setdefault(key, found.level) != found.level:
            self._overrides.pop(key, None)  # it overrides this, which an interface hides
        else:  # of one level, type arguments may make two alike
            override = self._overrides.pop(key, None) if not _is_of_interface(found.member) else None
            if override is not None:
                found = override._replace(level=found.level, overridden=found.member)
            self._found.append(found)

    def finish(self) -> list[FoundMember]:
        """The overloads; an override of what is not known counts as declared where it stands."""
        return [*self._found, *self._overrides.values()]


def _put_derived_first(types: Sequence[Named]) -> list[Named]:
    """Types in their order, but that none stands behind what it derives from: what it declares hides that."""
    ordered: list[Named] = []
    for each in types:
        after = (at for at, other in enumerate(ordered) if derives_from(each.definition, other.definition))
        ordered.insert(next(after, len(ordered)), each)
    return ordered


def _construct(members: Sequence[FoundMember], type_: Named) -> list[FoundMember]:
    given = substitution_of(type_)
    made = []
    for each in members:
        inner = (
            {parameter: substitute(own, given) for parameter, own in each.given.items()} if each.given else each.given
        )
        made.append(each._replace(given=inner))
    return made
