"""Binds simple names: locals, members of the types around, types and namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.frame import KEYWORD, Local
from codecortex.analysis.binding.conversions.constants import evaluate
from codecortex.analysis.binding.conversions.delegates import delegate_of
from codecortex.analysis.binding.conversions.numbers import LARGEST
from codecortex.analysis.binding.conversions.operands import (
    TEXT,
    Bare,
    MethodGroup,
    NamespaceName,
    OutVariable,
    TypeName,
    Value,
)
from codecortex.analysis.binding.lookup.members import FoundMember, FoundMembers, keep_accessible
from codecortex.analysis.binding.scopes.scopes import FoundAlias, FoundNamespace, ParameterScope
from codecortex.analysis.binding.types.inspect import is_opaque
from codecortex.analysis.binding.types.symbols import (
    DYNAMIC,
    UNKNOWN,
    MemberKind,
    Named,
    TypeKind,
    TypeParameter,
)
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.scopes.scopes import Found, NamespaceScope, Scope
    from codecortex.analysis.binding.types.symbols import Member, Type, TypeDefinition
    from codecortex.model.code.syntax import Node

UNKNOWN_BASE = "an unknown base type may declare another"
_CALLABLE = (MemberKind.PROPERTY, MemberKind.FIELD, MemberKind.EVENT)
_NO_CONSTANTS = ("P:", "M:", "E:")
"""How the documentation ids of members begin of which none is a constant."""
SELF = frozenset(("this", "base"))
"""Words for the object itself: through them all of its members can be reached."""


class Name(NamedTuple):
    """A name in an expression.

    Attributes:
        identifier: Its identifier.
        text: What that means.
        arity: How many type arguments it has.
        type_arguments: Those arguments.
        invoked: Whether it is called.
    """

    identifier: Node
    text: str
    arity: int = 0
    type_arguments: tuple[Type, ...] = ()
    invoked: bool = False


def bind_identifier(binder: Binder, node: Node, invoked: bool) -> Expression:  # noqa: FBT001 - a rule of `Rules.names`
    """`a`."""
    return bind_name(binder, Name(node, node.name, invoked=invoked))


def bind_generic_name(binder: Binder, node: Node, invoked: bool) -> Expression:  # noqa: FBT001
    """`a<T>`."""
    name = read_name(binder, node, invoked=invoked)
    return bind_name(binder, name) if name is not None else Bare.UNKNOWN


def read_name(binder: Binder, node: Node, *, invoked: bool) -> Name | None:
    """A name after a dot or alone, its type arguments bound."""
    identifier, arguments = binder.session.syntax.split(node, binder.frame.scope, binder.emit_type)
    if identifier is None:
        return None
    return Name(identifier, identifier.name, len(arguments), tuple(arguments), invoked)


def found_expression(found: FoundNamespace | FoundAlias | None) -> Expression:
    """What a name of a type or a namespace is in an expression."""
    if found is None:
        return Bare.UNKNOWN
    return NamespaceName(found.name) if isinstance(found, FoundNamespace) else TypeName(found.type)


def bind_name(binder: Binder, name: Name) -> Expression:
    """Bind a name that stands alone."""
    binder.session.asked.add_type(name.text, binder.file.scope)
    local = _bind_local(binder, name)
    if local is not None:
        return local
    meaning = _find_meaning(binder, name)
    if meaning.members is not None:
        return make_expression(binder, name, meaning.members, None, certain=not meaning.poisoned)
    if meaning.parameter is not None:
        binder.emit_local(name.identifier, meaning.parameter)
        return Value(meaning.parameter.type)
    if meaning.type is not None and not name.invoked:  # a type cannot be called
        return found_expression(_complete(binder, meaning.type, name, poisoned=meaning.poisoned))
    return _bind_unknown(binder, name, poisoned=meaning.poisoned)


def doubt_constant(binder: Binder, node: Node) -> None:
    """Of a name alone after `is` that is no type, keep the member that it means only if that may be a constant."""
    meant = binder.bindings.get((node.start, ""))
    if node.kind == "identifier" and meant is not None and meant.symbol.startswith(_NO_CONSTANTS):
        binder.emit_unknown(node, "no type of this name is known, and the member is no constant")


def _is_nameof(name: Name) -> bool:
    return name.invoked and not name.arity and name.text == "nameof"


def _bind_unknown(binder: Binder, name: Name, *, poisoned: bool) -> Expression:
    """A name that nothing known bears."""
    if _is_nameof(name):
        return Bare.NAMEOF
    if name.text == "_":
        return OutVariable(UNKNOWN)
    binder.emit_unknown(name.identifier, UNKNOWN_BASE if poisoned else "nothing of this name is known")
    return Bare.UNKNOWN


def _complete(binder: Binder, found: Found, name: Name, *, poisoned: bool) -> FoundNamespace | FoundAlias | None:
    if not poisoned:
        return binder.session.syntax.complete(found, name.identifier, name.type_arguments, binder.emit_type)

    def emit(name: Node, definition: TypeDefinition | TypeParameter, *, certain: bool) -> None:
        del certain
        binder.emit_type(name, definition, certain=False)

    return binder.session.syntax.complete(found, name.identifier, name.type_arguments, emit)


def _bind_local(binder: Binder, name: Name) -> Expression | None:
    local = binder.frame.locals.find(name.text)
    if local is None or (local.kind == KEYWORD and name.identifier.text.startswith("@")):
        return None
    if name.arity and (local.function is None or len(local.function.type_parameters) != name.arity):
        return None
    binder.emit_local(name.identifier, local)
    if local.function is not None:
        return MethodGroup([FoundMember(local.function, {}, 0)], "", name.identifier, None, name.type_arguments)
    return Value(local.type, local.certain, local.constant)


# -- members


class Meaning(NamedTuple):
    """What a name that is no local means at a place.

    Attributes:
        members: Members of the types around or of an imported type.
        parameter: The parameter of a primary constructor.
        type: The type or namespace that it is.
        poisoned: Whether an unknown base type may declare another meaning.
    """

    members: FoundMembers | None = None
    parameter: Local | None = None
    type: Found | None = None
    poisoned: bool = False


def _find_meaning(binder: Binder, name: Name) -> Meaning:
    """What a name means; remembered, since a file names the same things again and again."""
    frame = binder.frame
    key = (frame.scope, frame.inside, name.text, name.arity, name.invoked, frame.is_static)
    known = binder.meanings.get(key)
    if not isinstance(known, Meaning):
        hidden = not name.arity and _is_method_parameter(frame.scope, name.text)
        known = Meaning() if hidden else _find_member(binder, name)
        if known.members is None and known.parameter is None:
            known = known._replace(type=binder.session.names.find(frame.scope, name.text, name.arity))
        binder.meanings[key] = known
    return known


def _find_member(binder: Binder, name: Name) -> Meaning:
    """The members of the types around, from the inside out, then those of imported types."""
    poisoned, doubted = False, None  # what is called and may be no delegate, so that something further out is meant
    for definition in binder.place.definitions():
        if not name.arity and any(each.name == name.text for each in definition.own_parameters):
            return Meaning(poisoned=poisoned)
        found = find_members(binder, definition.this, name, None)
        if found.members and not hides_inherited(definition.this, name, found):
            if binder.frame.is_static or definition is not binder.frame.inside:
                found = _prefer_static(found)
            meant = FoundMembers(found.members, found.known and not poisoned)
            if doubted is not None or not name.invoked or not is_unknown_value(found):
                return Meaning(doubted or meant, poisoned=poisoned or doubted is not None)
            doubted = meant
        before, poisoned = poisoned, poisoned or not found.known
        parameter = definition.primary_parameters().get(name.text) if not name.arity else None
        if parameter is not None and definition.kind is not TypeKind.EXTENSION:
            local = Local(parameter, node=definition.primary_name(name.text), kind="parameter")
            return Meaning(parameter=local)
        nested = None if name.invoked else binder.session.names.find_nested(definition.this, name.text, name.arity)
        if nested is not None:  # its own hides what its bases declare
            return Meaning(poisoned=before if nested.definition.container is definition else poisoned)
    imported = _search_imports(binder, name)
    if doubted is not None:
        return Meaning(doubted, poisoned=poisoned or bool(imported))
    found_there = FoundMembers(imported, known=not poisoned) if imported else None
    return Meaning(found_there, poisoned=poisoned)


def _prefer_static(found: FoundMembers) -> FoundMembers:
    """Of methods where there is no object, those that need none; others are an error if there is no such method."""
    static = [each for each in found.members if each.member.is_static]
    methods = found.members[0].member.kind is MemberKind.METHOD
    return FoundMembers(static, found.known) if methods and static else found


def _is_method_parameter(scope: Scope | None, name: str) -> bool:
    """Whether a name is a type parameter of a method around, which hides members of its type."""
    while isinstance(scope, ParameterScope):
        if name in scope.parameters:
            return True
        scope = scope.parent
    return False


def _search_imports(binder: Binder, name: Name) -> list[FoundMember]:
    """The static members of types that using directives import."""
    scope: Scope | None = binder.frame.scope
    while isinstance(scope, ParameterScope) or (scope is not None and scope is not scope.namespace_scope()):
        if isinstance(scope, ParameterScope) and name.text in scope.parameters and not name.arity:
            return []
        scope = scope.parent
    level: NamespaceScope | None = binder.frame.scope.namespace_scope()
    universe = binder.session.universe
    while level is not None:
        declared = universe.types_named(level.namespace, name.text, level.project)
        if not name.invoked and universe.choose(declared, name.arity, level)[0] is not None:
            return []
        for directives in level.directives():
            members = _find_imported(binder, name, directives)
            if members:
                return members
        level = level.around
    return []


def _find_imported(binder: Binder, name: Name, directives: NamespaceScope) -> list[FoundMember]:
    members: list[FoundMember] = []
    for type_ in binder.session.names.static_types(directives):
        found = binder.session.members.find(type_, name.text).members
        members += keep_accessible([each for each in found if _is_imported(each)], binder.place)
    if name.invoked:
        members = [each for each in members if is_invocable(each)]
    return members


def _is_imported(found: FoundMember) -> bool:
    """Whether `using static` of a type imports a member: neither what it inherits nor its extension methods."""
    return found.member.is_static and not found.level and not found.member.is_extension


def find_members(binder: Binder, type_: Type, name: Name, receiver: Type | None) -> FoundMembers:
    """The members of a name that are accessible; where it is called, those that can be."""
    found = binder.session.members.find(type_, name.text)
    place = binder.place
    if found.can_be_named(place) and not name.arity and (not name.invoked or _are_methods(found)):
        return found

    def is_called(member: Member) -> bool:
        if name.arity and (member.kind is not MemberKind.METHOD or len(member.type_parameters) != name.arity):
            return False
        return not name.invoked or is_invocable(FoundMember(member, {}, 0))

    found = binder.session.members.find_accessible(type_, name.text, place, receiver, is_called)
    members: Sequence[FoundMember] = [each for each in found.members if is_called(each.member)]
    if name.invoked:
        members = [each for each in members if is_invocable(each)]
    return found if len(members) == len(found.members) else FoundMembers(members, found.known)


def hides_inherited(type_: Type, name: Name, found: FoundMembers) -> bool:
    """Whether a type that lies in another one hides the members that it inherits; where a name is called it does not.

    Args:
        type_: The other type.
        name: The name of both.
        found: The members.
    """
    if not isinstance(type_, Named) or name.invoked or not all(each.level for each in found.members):
        return False
    return any(each.arity == name.arity for each in type_.definition.nested(name.text))


def is_unknown_value(found: FoundMembers) -> bool:
    """Whether a name means a field or a property of which only the type, which is not known, tells if it is called."""
    first = found.members[0]
    return first.member.kind is not MemberKind.METHOD and (first.type is UNKNOWN or is_opaque(first.type))


def _are_methods(found: FoundMembers) -> bool:
    """Whether members are methods; overloads are all of one kind."""
    return not found.members or found.members[0].member.kind is MemberKind.METHOD


def is_invocable(found: FoundMember) -> bool:
    """Whether a member can be called."""
    if found.member.kind not in _CALLABLE:
        return found.member.kind is MemberKind.METHOD
    return can_be_called(found.type)


def can_be_called(type_: Type) -> bool:
    """Whether a value of a type may be called, as far as is known."""
    if type_ is UNKNOWN or type_ is DYNAMIC or isinstance(type_, TypeParameter) or is_opaque(type_):
        return True
    return delegate_of(type_) is not None


def make_expression(
    binder: Binder, name: Name, found: FoundMembers, receiver: Expression | None, *, certain: bool
) -> Expression:
    """The expression that members of a name are."""
    first = found.members[0]
    chained = isinstance(receiver, Value) and receiver.chained
    if first.member.kind is MemberKind.METHOD:
        methods = [each for each in found.members if each.member.kind is MemberKind.METHOD]
        known = (methods, name.text, name.identifier, receiver, name.type_arguments)
        return MethodGroup(*known, certain=certain, known=found.known, chained=chained)
    sure = found.known and certain
    doubt = "" if sure else UNKNOWN_BASE if certain else "the type before the dot is not certain"
    binder.emit(name.identifier, first.member, doubt)
    type_ = first.type
    return Value(type_, sure, _constant_of(binder, first.member), chained=chained)


def _constant_of(binder: Binder, member: Member) -> int | str | None:
    """The value of a constant field, as far as it is written in plain literals."""
    if member.kind is not MemberKind.FIELD or "const" not in member.modifiers:
        return None
    if member.type == binder.session.types.string:
        return TEXT
    owner = member.owner
    if member.name == "MaxValue" and owner is not None and owner.id in LARGEST:
        return LARGEST[owner.id]
    declarator = member.node.parent if member.node is not None else None
    value = declarator.nodes[-1] if declarator is not None and declarator.kind == "variable_declarator" else None
    return evaluate(value)


NAMES: dict[str, Callable[[Binder, Node, bool], Expression]] = {
    "identifier": bind_identifier,
    "generic_name": bind_generic_name,
}
"""The rules of names."""
