"""Judges whether an occurrence of a name means a given member.

The verdict is exact if the receiver's type is written nearby: the enclosing type, a type's name, a parameter, a
variable, a field or a property, a `new`, a cast. Where type inference or extension methods matter, it is by name only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.usages.names import find_named_type, is_hidden_by_nothing, primary_parameters
from codecortex.model.code.facts import covers
from codecortex.model.code.types import parameter_types
from codecortex.model.code.usages import BY_NAME, DECLARATION, EXACT, Context, Role, Root, mean_other
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.usages.scope import TypeScope, Where
    from codecortex.model.code.facts import MemberFacts, TypeFacts
    from codecortex.model.code.types import TypeId
    from codecortex.model.code.usages import Site, Verdict

_TYPES_ONLY = frozenset((Context.TYPE, Context.CREATED, Context.ATTRIBUTE, Context.IMPORT))
_NEVER = frozenset((Context.NAMESPACE, Context.DECLARED, Context.LABEL))
_LISTED = frozenset(("field", "event", "constant"))


class MemberTarget(NamedTuple):
    """The member whose usages are searched.

    Attributes:
        type_id: The type that declares it.
        name: Its simple name.
        parameters: Its parameter types if only one overload is meant; else None.
    """

    type_id: TypeId
    name: str
    parameters: str | None


class MemberJudge:
    """Judges occurrences of a member's name."""

    def __init__(self, type_scope: TypeScope, target: MemberTarget) -> None:
        self._type_scope = type_scope
        self._target = target
        self._given: set[tuple[object, ...]] = set()

    def judge(self, site: Site, name: str, where: Where) -> Verdict:
        """Judge one occurrence."""
        declared = self._judge_declaration(site, name, where)
        if declared is not None:
            return declared
        if site.context in _NEVER:
            return BY_NAME
        if site.context in _TYPES_ONLY:
            found = find_named_type(self._type_scope, site, name, where)
            return BY_NAME if found is None else mean_other(self._type_scope.entries[found].fqn)
        return self._judge_reference(site, name, where)

    # -- declarations

    def _judge_declaration(self, site: Site, name: str, where: Where) -> Verdict | None:
        if not where.types:
            return None
        facts, type_id = where.types[0]
        for member in (*facts.members, *self._list_positional(facts, type_id, name)):
            if member.name != name or not covers(member, (site.line, site.column)):
                continue
            key = (type_id, where.place.path, member.line, member.column, member.name, parameter_types(member))
            if key not in self._given and _gives_name(site, member, innermost=member is where.member):
                self._given.add(key)
                return self._name_declared(member, type_id)
        return None

    def _list_positional(self, facts: TypeFacts, type_id: TypeId, name: str) -> list[MemberFacts]:
        """The property that a record's positional parameter declares, with the extent of its primary constructor."""
        primary = next((each for each in facts.members if each.primary and each.kind == "constructor"), None)
        if primary is None or not facts.kind.startswith("record"):
            return []
        held = [each.facts for each in self._type_scope.shape_of(type_id).members.get(name, ())]
        positional = [each for each in held if each.primary and each.kind == "property"]
        extent = {field: getattr(primary, field) for field in ("line", "end_line", "column", "end_column")}
        return [each._replace(**extent) for each in positional]

    def _name_declared(self, member: MemberFacts, type_id: TypeId) -> Verdict:
        target, same = self._target, not member.explicit_interface and not member.receiver
        own = type_id == target.type_id and (same or self._is_only(member))
        if own and target.parameters in (None, parameter_types(member)):
            return DECLARATION
        more = f"({parameter_types(member)})" if own else ""
        return mean_other(f"{self._type_scope.entries[type_id].fqn}.{member.name}{more}", Role.DECLARATION)

    def _is_only(self, member: MemberFacts) -> bool:
        return member.name not in self._type_scope.shape_of(self._target.type_id).members

    # -- references

    def _judge_reference(self, site: Site, name: str, where: Where) -> Verdict:
        root = site.receiver.root
        if root is Root.NONE and site.context is not Context.ASSIGNED:
            return self._judge_bare(site, name, where)
        type_id = self._type_receiver(site, where)
        if type_id is None:
            return BY_NAME
        return self._judge_owner(type_id, site)

    def _judge_bare(self, site: Site, name: str, where: Where) -> Verdict:
        """Judge a name without a receiver: a member of the enclosing types, from the inside out."""
        if site.local is not None or any(name == each.name for each in primary_parameters(where)):
            return BY_NAME
        if site.following and find_named_type(self._type_scope, site, name, where) is not None:
            return BY_NAME
        for _, type_id in where.types:
            owner = self._type_scope.find_owner(type_id, name)
            if owner.type_id is not None:
                return self._judge_owner(type_id, site)
            if not owner.sure:
                return BY_NAME
        return BY_NAME

    def _judge_owner(self, type_id: TypeId, site: Site) -> Verdict:
        """Judge the name as a member of a type."""
        type_scope, target = self._type_scope, self._target
        owner = type_scope.find_owner(type_id, target.name)
        if owner.type_id is None or not owner.sure:
            return BY_NAME
        held = [each.facts for each in type_scope.shape_of(owner.type_id).members[target.name]]
        methods = all(facts.kind == "method" for facts in held)
        if site.context is Context.INVOKED and methods and not _takes_any(held, site.arguments):
            return BY_NAME  # an extension method, or an overload outside the tree
        if owner.type_id != target.type_id:
            interfaces = {type_scope.entries[each].kind == "interface" for each in (owner.type_id, target.type_id)}
            if methods and len(interfaces) == 1 and type_scope.inherits(owner.type_id, target.type_id):
                return BY_NAME  # an inherited overload may be meant
            return mean_other(f"{type_scope.entries[owner.type_id].fqn}.{target.name}")
        if target.parameters is None:
            return EXACT
        return self._judge_overload(held, site)

    def _judge_overload(self, held: Sequence[MemberFacts], site: Site) -> Verdict:
        fitting = [facts for facts in held if site.arguments < 0 or _takes(facts, site.arguments)]
        if len(fitting) != 1:
            return BY_NAME
        parameters = parameter_types(fitting[0])
        if parameters == self._target.parameters:
            return EXACT
        return mean_other(f"{self._type_scope.entries[self._target.type_id].fqn}.{self._target.name}({parameters})")

    # -- receivers

    def _type_receiver(self, site: Site, where: Where) -> TypeId | None:
        """The type of the receiver, if it is certain."""
        receiver, type_scope = site.receiver, self._type_scope
        if receiver.root is Root.TYPED:
            return self._follow(type_scope.find_written(receiver.type, where), receiver.names)
        if not where.types:
            return None if receiver.root is not Root.NAMES else self._type_names(site, where)
        own = where.types[0][1]
        if receiver.root is Root.THIS:
            return self._follow(own, receiver.names)
        if receiver.root is Root.BASE:
            bases = [
                each for each in type_scope.shape_of(own).bases if type_scope.entries[each].kind in ("class", "record")
            ]
            return self._follow(bases[0], receiver.names) if len(bases) == 1 else None
        return self._type_names(site, where) if receiver.root is Root.NAMES else None

    def _follow(self, type_id: TypeId | None, names: Sequence[str]) -> TypeId | None:
        """The type at the end of a chain of fields and properties."""
        for name in names:
            owner = self._type_scope.find_owner(type_id, name) if type_id is not None else None
            if owner is None or owner.type_id is None or not owner.sure:
                return None
            type_id = self._type_scope.type_of_member(owner.type_id, name)
        return type_id

    def _type_names(self, site: Site, where: Where) -> TypeId | None:
        """The type of a chain of names that starts with a variable, a member of the enclosing types, or a type."""
        type_scope, (head, *rest) = self._type_scope, site.receiver.names
        if site.local is not None:
            return self._follow(type_scope.find_written(site.local, where), rest) if site.local else None
        for parameter in primary_parameters(where):
            if parameter.name == head:
                return self._follow(type_scope.find_written(parameter.type, where), rest)
        for _, type_id in where.types:
            owner = type_scope.find_owner(type_id, head)
            if owner.type_id is not None:
                return self._follow(type_scope.type_of_member(owner.type_id, head), rest) if owner.sure else None
            if not owner.sure:
                break
        return self._type_static(site, where)

    def _type_static(self, site: Site, where: Where) -> TypeId | None:
        """The type that a chain of names names, or that its members after a type lead to."""
        names = site.receiver.names
        if where.names_type_parameter(names[0]):
            return None
        for size in range(len(names), 0, -1):
            found = self._type_scope.find_type(".".join(names[:size]), where.place)
            if found is None:
                continue
            if size < len(names) or not self._type_scope.is_static(found.id, self._target.name):
                hidden = not is_hidden_by_nothing(self._type_scope, names[0].partition("`")[0], where)
                if hidden:
                    return None
            return self._follow(found.id, names[size:])
        return None


def _gives_name(site: Site, member: MemberFacts, *, innermost: bool) -> bool:
    """Whether an occurrence within a member's extent is the name that the declaration defines.

    Args:
        site: The occurrence.
        member: The member.
        innermost: Whether no other member is nearer around the occurrence, such as a declarator before this one.
    """
    if member.kind == "enumMember":
        return site.receiver.root in (Root.NONE, Root.OTHER) and site.before in ("{", ",", "]")
    if site.context is Context.DECLARED:
        return True
    if member.explicit_interface:
        return site.receiver.root is Root.NAMES and site.context in (Context.VALUE, Context.INVOKED, Context.TYPE)
    unreceived = site.receiver.root is Root.NONE or (site.receiver.root is Root.OTHER and innermost)
    return member.kind in _LISTED and unreceived and site.before == ","


def _takes(facts: MemberFacts, count: int) -> bool:
    """Whether a method can be called with this many arguments."""
    parameters = facts.parameters
    least = sum(each.default is None and "params" not in each.modifier.split() for each in parameters)
    extended = bool(parameters) and "this" in parameters[0].modifier.split()
    endless = bool(parameters) and "params" in parameters[-1].modifier.split()
    return least - extended <= count and (endless or count <= len(parameters))


def _takes_any(held: Sequence[MemberFacts], count: int) -> bool:
    return count < 0 or any(_takes(facts, count) for facts in held)
