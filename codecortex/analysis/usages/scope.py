"""Resolves names to types and members in the context of a place, as far as that is certain."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.types.implicit import add_members
from codecortex.analysis.types.references import NameContext, Resolver, name_of_base
from codecortex.model.code.facts import Scope
from codecortex.model.code.types import CSharpType, cut_simple_name, list_levels
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.analysis.types.symbol_table import Declared, SymbolTable
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.facts import MemberFacts, TypeFacts, Using
    from codecortex.model.code.types import Part, TypeId

_INTERFACE = compile_later(r"I[A-Z]")
_OF_OBJECT = frozenset(
    ("ToString", "Equals", "GetHashCode", "GetType", "MemberwiseClone", "ReferenceEquals", "Finalize")
)
_CLASSES = ("class", "record")
_RECORDS = ("record", "record struct")
_VALUE_TYPES = ("struct", "enum", "record struct")
_UNNAMED = ("constructor", "destructor", "indexer", "operator", "conversion")
_MOST_BASES = 64


class DeclaredMember(NamedTuple):
    """A member and the part of the type that declares it."""

    facts: MemberFacts
    part: Part


class Shape(NamedTuple):
    """The declarations of a type.

    Attributes:
        entry: The type.
        parts: Its parts.
        members: By name, if they have one; without explicit implementations and members of extension blocks.
        bases: The types in its base list that the tree declares.
        whole: Whether it has no other members: every base class is known, and every part was read completely.
    """

    entry: TypeEntry
    parts: tuple[Part, ...]
    members: Mapping[str, Sequence[DeclaredMember]]
    bases: tuple[TypeId, ...]
    whole: bool


class Owner(NamedTuple):
    """The type that declares the member a name means; None if there is none. `sure` unless it may be hidden."""

    type_id: TypeId | None
    sure: bool


class Where(NamedTuple):
    """The context of a place.

    Attributes:
        place: The context for name lookup.
        types: The enclosing types with their ids, the innermost first.
        member: The enclosing member, or None.
    """

    place: NameContext
    types: tuple[tuple[TypeFacts, TypeId], ...]
    member: MemberFacts | None

    def names_type_parameter(self, name: str) -> bool:
        """Whether a name is that of a type parameter in scope."""
        lists = [facts.type_parameters for facts, _ in self.types]
        if self.member is not None:
            lists.append(self.member.type_parameters)
        return any(name == parameter.rpartition(" ")[2] for each in lists for parameter in each)


def _list_members(parts: Sequence[Part]) -> Iterator[DeclaredMember]:
    """Yield the members with a name, including those that a record's positions and the compiler add."""
    held = [DeclaredMember(facts, part) for part in parts for facts in part.facts.members]
    if parts and parts[0].facts.kind in _RECORDS:
        first = next((part for facts, part in held if facts.primary), parts[0])
        held += [DeclaredMember(facts, first) for facts in add_members([part.facts for part in parts])]
    for each in held:
        facts = each.facts
        if not facts.explicit_interface and not facts.receiver and facts.kind not in _UNNAMED:
            yield each


class TypeScope:
    """Name resolution for the judges of usages, with a cache.

    Args:
        entries: Every type by its id.
        table: The symbol table of these types.
        usings: Each project's global usings.
        read_parts: Returns the parts of a type; empty if they cannot be read.
    """

    def __init__(
        self,
        entries: Mapping[TypeId, TypeEntry],
        table: SymbolTable,
        usings: Mapping[str, Sequence[Using]],
        read_parts: Callable[[TypeEntry], tuple[Part, ...]],
    ) -> None:
        self.entries = entries
        self.resolver = Resolver(table, _Types(self), usings)  # type: ignore[arg-type]  # it only calls `get`
        self._read_parts = read_parts
        self._parts: dict[TypeId, tuple[Part, ...]] = {}
        self._shapes: dict[TypeId, Shape] = {}
        self._owners: dict[tuple[TypeId, str], Owner] = {}

    def parts_of(self, type_id: TypeId) -> tuple[Part, ...]:
        """The parts of a type."""
        parts = self._parts.get(type_id)
        if parts is None:
            parts = self._parts[type_id] = self._read_parts(self.entries[type_id])
        return parts

    def shape_of(self, type_id: TypeId) -> Shape:
        """The declarations of a type."""
        shape = self._shapes.get(type_id)
        if shape is None:
            shape = self._shapes[type_id] = self._read_shape(self.entries[type_id])
        return shape

    def _read_shape(self, entry: TypeEntry) -> Shape:
        parts = self.parts_of(entry.id)
        members: dict[str, list[DeclaredMember]] = {}
        bases: dict[TypeId, None] = {}
        whole = bool(parts) and set(entry.files) == {part.path for part in parts}
        inherited = entry.inherited.split()
        for held in _list_members(parts):
            if inherited and held.facts.primary and held.facts.name in inherited:
                continue
            members.setdefault(held.facts.name, []).append(held)
        for part in parts:
            place = NameContext(entry.project, part.scopes, part.facts.scope, entry.fqn.rpartition("+")[0], part.path)
            for text in part.facts.bases:
                found = self.find_type(name_of_base(text), place)
                if found is not None:
                    bases[found.id] = None
                elif entry.kind == "interface" or not _INTERFACE.match(cut_simple_name(name_of_base(text))):
                    whole = False
        if entry.kind in ("enum", "delegate"):
            whole = False  # the runtime adds members to them
        return Shape(entry, parts, members, tuple(bases), whole)

    # -- types

    def find_type(self, name: str, place: NameContext) -> Declared | None:
        """The one type that a whole dotted name certainly means."""
        found = self.resolver.resolve(name, place)
        if len(found.types) != 1 or not found.sure:
            return None
        head, dot, _ = name.rpartition(".")
        if dot:
            outer = self.resolver.resolve(head.removeprefix("@"), place)
            if found.types[0] in outer.types:  # the last segment is a member, not a type
                return None
        return found.types[0]

    def find_written(self, text: str, where: Where) -> TypeId | None:
        """The type of the tree that a written type certainly means; None for arrays, tuples and type parameters."""
        bare = text.strip().removesuffix("?").strip()
        if not bare or bare[-1] in "])*" or where.names_type_parameter(bare):
            return None
        found = self.find_type(name_of_base(bare), where.place)
        if found is None or (text.strip().endswith("?") and self.entries[found.id].kind in _VALUE_TYPES):
            return None
        return found.id

    def where_is(self, shape: Shape, part: Part, member: MemberFacts | None = None) -> Where:
        """The context of the members of a part of a type."""
        entry = shape.entry
        types = ((part.facts, entry.id), *self._list_containers(entry))
        return Where(NameContext(entry.project, part.scopes, part.facts.scope, entry.fqn, part.path), types, member)

    def _list_containers(self, inner: TypeEntry) -> Iterator[tuple[TypeFacts, TypeId]]:
        """Yield one part of each enclosing type."""
        for fqn in list_levels(inner.fqn.rpartition("+")[0]):
            entry = self.find_entry(fqn, inner.project, inner.files[0])
            parts = self.parts_of(entry.id) if entry is not None else ()
            if entry is not None and parts:
                yield parts[0].facts, entry.id

    def find_entry(self, fqn: str, project: str, path: str) -> TypeEntry | None:
        """The type with an FQN that a file of a project declares."""
        same = self._by_fqn.get(fqn, ())
        own = [entry for entry in same if entry.project == project and entry.owner in (project, path)]
        return max(own, key=lambda entry: entry.owner == path, default=None)

    @cached_property
    def _by_fqn(self) -> Mapping[str, Sequence[TypeEntry]]:
        found: dict[str, list[TypeEntry]] = {}
        for entry in self.entries.values():
            found.setdefault(entry.fqn, []).append(entry)
        return found

    # -- members

    def find_owner(self, type_id: TypeId, name: str) -> Owner:
        """The type that declares a member name for a type: itself, else the nearest it inherits from."""
        key = (type_id, name)
        owner = self._owners.get(key)
        if owner is None:
            self._owners[key] = Owner(None, sure=False)  # stops recursion in a cycle of inheritance
            owner = self._owners[key] = self._seek_owner(type_id, name)
        return owner

    def _seek_owner(self, type_id: TypeId, name: str) -> Owner:
        shape = self.shape_of(type_id)
        if name in shape.members:
            return Owner(type_id, sure=True)
        if shape.entry.kind == "interface":
            return self._seek_interfaces(shape, name)
        for base in shape.bases:
            if self.entries[base].kind in _CLASSES and shape.entry.kind in _CLASSES:
                owner = self.find_owner(base, name)
                if owner.type_id is None or not self._is_private(owner.type_id, name):
                    return owner
        return Owner(None, sure=shape.whole and name not in _OF_OBJECT)

    def _seek_interfaces(self, shape: Shape, name: str) -> Owner:
        owners = [self.find_owner(base, name) for base in shape.bases[:_MOST_BASES]]
        found = {owner.type_id for owner in owners if owner.type_id is not None}
        if len(found) == 1 and all(owner.sure for owner in owners):
            return Owner(found.pop(), sure=True)
        return Owner(None, sure=not found and shape.whole and name not in _OF_OBJECT and all(o.sure for o in owners))

    def _is_private(self, type_id: TypeId, name: str) -> bool:
        return all(held.facts.accessibility == "private" for held in self.shape_of(type_id).members[name])

    def is_static(self, type_id: TypeId, name: str) -> bool:
        """Whether a name certainly means a static member of a type, so that only the type can be before the dot."""
        held = self.shape_of(type_id).members.get(name, ())
        return bool(held) and all(
            each.facts.kind in ("constant", "enumMember") or "static" in each.facts.modifiers for each in held
        )

    def inherits(self, type_id: TypeId, base: TypeId) -> bool:
        """Whether a type derives from another, or implements it."""
        seen, pending = {type_id}, [type_id]
        while pending:
            for each in self.shape_of(pending.pop()).bases:
                if each == base:
                    return True
                if each not in seen:
                    seen.add(each)
                    pending.append(each)
        return False

    def type_of_member(self, owner: TypeId, name: str) -> TypeId | None:
        """The type of a field or property, if the tree declares it; None if it is not certain, and for methods."""
        shape = self.shape_of(owner)
        found = {
            self.find_written(held.facts.type, self.where_is(shape, held.part, held.facts))
            for held in shape.members[name]
            if held.facts.kind in ("field", "property", "constant", "event")
        }
        return found.pop() if len(found) == 1 and len(shape.members[name]) == 1 else None


class _Types:
    """The types for a resolver, with only their base lists and attributes."""

    def __init__(self, type_scope: TypeScope) -> None:
        self._type_scope = type_scope
        self._known: dict[str, CSharpType | None] = {}

    def get(self, type_id: TypeId) -> CSharpType | None:
        if type_id not in self._known:
            self._known[type_id] = self._make(type_id)
        return self._known[type_id]

    def _make(self, type_id: TypeId) -> CSharpType | None:
        entry = self._type_scope.entries.get(type_id)
        parts = self._type_scope.parts_of(type_id) if entry is not None else ()
        if entry is None or not parts:
            return None
        own = next((part.facts.accessibility for part in parts if part.facts.accessibility), "")
        return CSharpType(
            entry.id, entry.fqn, parts[0].facts.kind, len(parts[0].facts.type_parameters),
            own or ("private" if "+" in entry.fqn else "internal"),
            entry.accessibility, (), entry.project, entry.owner, parts, (), "",
        )  # fmt: skip


BARE = (Scope("", -1, ()),)
"""The scopes of a place where only full names are seen."""
