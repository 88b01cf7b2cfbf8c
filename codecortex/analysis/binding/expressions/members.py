"""Binds what stands after a dot: members, nested types, extension members."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import find_static_extensions
from codecortex.analysis.binding.conversions.answers import NO, YES
from codecortex.analysis.binding.conversions.operands import (
    Argument,
    Bare,
    MethodGroup,
    NamespaceName,
    TypeName,
    Value,
)
from codecortex.analysis.binding.expressions.indexing import bind_index
from codecortex.analysis.binding.expressions.names import (
    SELF,
    Name,
    can_be_called,
    find_members,
    found_expression,
    hides_inherited,
    is_unknown_value,
    make_expression,
    read_name,
)
from codecortex.analysis.binding.lookup.extensions import receiver_of
from codecortex.analysis.binding.lookup.members import FoundMembers
from codecortex.analysis.binding.scopes.scopes import FoundNamespace, FoundType
from codecortex.analysis.binding.types.ids import id_of_element
from codecortex.analysis.binding.types.inspect import (
    LONG_TUPLE,
    has_unknown,
    is_kind,
    is_opaque,
    is_tuple,
    strip_nullable,
    tuple_elements,
)
from codecortex.analysis.binding.types.substitution import substitute
from codecortex.analysis.binding.types.symbols import (
    DYNAMIC,
    UNKNOWN,
    MemberKind,
    Named,
    Pointer,
    TypeKind,
    TypeParameter,
)
from codecortex.model.code.bindings import BindingLabel, BindingRole
from codecortex.model.code.syntax import CONDITIONAL
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.analysis.binding.body.binder import Binder, Key
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Member, Substitution, Type
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.syntax import Node

_UNSURE_TUPLE = "the tuple's type is not certain"
_ELEMENT = compile_later(r"Item(\d+)")
_UNKNOWN_RECEIVER = "the type before the dot is unknown"
_TWO_MEANINGS = "the name means a value or its type"


def bind_member_access(binder: Binder, node: Node, invoked: bool) -> Expression:  # noqa: FBT001 - a rule
    """`a.b`, `a->b`; `a?.b` where something is assigned to it."""
    left, right = node.field("expression"), node.field("name")
    if left is None or right is None:
        return binder.rules.fallback(binder, node)
    conditional = CONDITIONAL in node.source[left.end : right.start]
    receiver = binder.expression(left) if conditional else bind_receiver(binder, left, right)
    if isinstance(receiver, Either):
        return _bind_of_either(binder, receiver, right, invoked=invoked)
    if conditional and isinstance(receiver, Value):
        receiver = Value(strip_nullable(receiver.type), receiver.certain)
    if isinstance(receiver, Value) and isinstance(receiver.type, Pointer) and node.has("->"):
        receiver = Value(receiver.type.element, receiver.certain)
    return bind_member(binder, receiver, right, invoked=invoked, own=left.kind in SELF)


def bind_conditional_access(binder: Binder, node: Node, invoked: bool) -> Expression:  # noqa: FBT001 - a rule
    """`a?.b`, `a?[b]`; the result is lifted where the chain ends."""
    condition = node.field("condition")
    binding = node.first("member_binding_expression", "element_binding_expression")
    value = binder.value(binder.expression(condition))
    receiver = Value(strip_nullable(value.type), value.certain, chained=True)
    if binding is None:
        for each in node.without(condition):
            binder.discard(each)
        return Bare.UNKNOWN
    if binding.kind == "element_binding_expression":
        return bind_index(binder, receiver, binding, binding.start)
    name = binding.field("name")
    return bind_member(binder, receiver, name, invoked=invoked) if name is not None else Bare.UNKNOWN


def bind_qualified_name(binder: Binder, node: Node, invoked: bool) -> Expression:  # noqa: FBT001 - a rule
    """`A.B` where the grammar expects a type, and `global::A`; maybe a member after all."""
    found = binder.session.syntax.find(node, binder.frame.scope, binder.emit_type)
    left, right = node.field("qualifier"), node.field("name")
    if found is not None or left is None or right is None:
        return found_expression(found)
    receiver = bind_receiver(binder, left, right)
    if isinstance(receiver, Either):
        return _bind_of_either(binder, receiver, right, invoked=invoked)
    return bind_member(binder, receiver, right, invoked=invoked)


# -- receivers


class Either(NamedTuple):
    """A name that is a value and its own type, of which the member after the dot cannot tell which is meant."""

    value: Value
    settle: Callable[[bool | None], None]


def _bind_of_either(binder: Binder, receiver: Either, node: Node, *, invoked: bool) -> Expression:
    """Methods of which some are static: the one that is chosen tells what stands before the dot."""
    name = read_name(binder, node, invoked=invoked)
    if name is None:
        return Bare.UNKNOWN
    found = find_members(binder, receiver.value.type, name, receiver.value.type)
    methods = [each for each in found.members if each.member.kind is MemberKind.METHOD]
    known = (methods, name.text, name.identifier, receiver.value, name.type_arguments)
    return MethodGroup(*known, certain=receiver.value.certain, known=found.known, settle=receiver.settle)


def bind_receiver(binder: Binder, node: Node, name: Node, *, named: bool = False) -> Expression | Either:
    """Bind what stands before a dot; of a name that is a value and its own type, the member tells which is meant.

    Args:
        binder: The binder.
        node: What stands before the dot.
        name: The name of the member.
        named: Whether `nameof` names it: methods are those of the type then.
    """
    if node.kind != "identifier":
        return binder.expression(node)
    found = binder.session.names.find(binder.frame.scope, node.name, 0)
    if isinstance(found, FoundNamespace):
        return binder.expression(node)
    before, binder.bindings = binder.bindings, {}
    try:
        expression = binder.expression(node)
        made = binder.bindings
    finally:
        binder.bindings = before
    if not isinstance(expression, Value):
        binder.bindings.update(made)
        return expression
    if found is None:
        doubtful = is_opaque(expression.type) and _name_of_type(expression.type) == node.name
        binder.bindings.update(_doubt(made) if doubtful else made)
        return expression
    completed = binder.session.syntax.complete(found, node, ())
    type_ = getattr(completed, "type", UNKNOWN)
    if type_ != expression.type:
        binder.bindings.update(made)
        return expression
    return _choose_meaning(binder, node, name, expression, made, named=named)


def _choose_meaning(  # noqa: PLR0913 - what is known of a place
    binder: Binder, node: Node, name: Node, value: Value, made: dict[Key, Binding], *, named: bool
) -> Expression | Either:
    """What a name means that is a value and its own type."""
    identifier = name if name.kind == "identifier" else name.first("identifier")
    text = identifier.name if identifier is not None else ""
    found = binder.session.members.find(value.type, text).members
    kinds = {each.member.is_static for each in found}
    nested = not found and binder.session.names.find_nested(value.type, text, 0) is not None
    if kinds == {True} or nested or (named and found and found[0].member.kind is MemberKind.METHOD):
        if isinstance(value.type, Named):
            binder.emit_type(node, value.type.definition, certain=True)
        return TypeName(value.type)
    if len(kinds) > 1:

        def settle(static: bool | None) -> None:  # noqa: FBT001 - an answer
            if static and isinstance(value.type, Named):
                binder.emit_type(node, value.type.definition, certain=True)
            else:
                binder.bindings.update(made if static is False else _doubt(made))

        return Either(value, settle)
    binder.bindings.update(made)
    return value


def _doubt(made: dict[Key, Binding]) -> dict[Key, Binding]:
    return {key: each._replace(label=BindingLabel.LIKELY, why=_TWO_MEANINGS) for key, each in made.items()}


def _name_of_type(type_: Type) -> str:
    return type_.definition.name if isinstance(type_, Named) else ""


# -- members


def bind_member(
    binder: Binder, receiver: Expression, node: Node, *, invoked: bool = False, own: bool = False
) -> Expression:
    """Bind a name after a dot.

    Args:
        binder: The binder.
        receiver: What stands before the dot.
        node: The name, maybe with type arguments.
        invoked: Whether it is called.
        own: Whether `this` or `base` stands before the dot.
    """
    name = read_name(binder, node, invoked=invoked)
    if name is None:
        return Bare.UNKNOWN
    binder.session.asked.add_type(name.text, binder.file.scope)
    if isinstance(receiver, NamespaceName):
        return _bind_in_namespace(binder, receiver, name)
    if not isinstance(receiver, (Value, TypeName)):
        receiver = binder.value(receiver)
    if receiver.type is DYNAMIC:
        return Value(DYNAMIC)
    if receiver.type is UNKNOWN:
        binder.emit_unknown(name.identifier, _UNKNOWN_RECEIVER)
        return Bare.UNKNOWN
    element = _bind_element(binder, receiver, name) if isinstance(receiver, Value) else None
    return element or _bind_in_type(binder, receiver, name, own=own)


def _bind_in_namespace(binder: Binder, receiver: NamespaceName, name: Name) -> Expression:
    syntax, scope = binder.session.syntax, binder.frame.scope
    found = syntax.find_within(FoundNamespace(receiver.name), name.text, name.arity, scope)
    if found is None:
        binder.emit_unknown(name.identifier, "the namespace declares nothing of this name that is known")
        return Bare.UNKNOWN
    return found_expression(syntax.complete(found, name.identifier, name.type_arguments, binder.emit_type))


def emit_element(binder: Binder, name: Node, type_: Named, role: BindingRole, *, certain: bool) -> None:
    """Keep that a name means an element of a tuple."""
    binder.emit_text(name, id_of_element(type_, name.name), role, "" if certain else _UNSURE_TUPLE)


def _bind_element(binder: Binder, receiver: Value, name: Name) -> Value | None:
    """An element of a tuple."""
    type_ = receiver.type
    if not isinstance(type_, Named) or not is_tuple(type_):
        return None
    elements = tuple_elements(type_)
    if type_.names is not None and name.text in type_.names:
        if name.invoked and not can_be_called(elements[type_.names.index(name.text)]):
            return None  # maybe an extension method of this name
        sure = receiver.certain and not has_unknown(type_)
        emit_element(binder, name.identifier, type_, BindingRole.READ, certain=sure)
        return Value(elements[type_.names.index(name.text)], receiver.certain, chained=receiver.chained)
    match = _ELEMENT.fullmatch(name.text)
    if match is not None and 0 < int(match[1]) <= len(elements):
        if len(elements) >= LONG_TUPLE:
            emit_element(binder, name.identifier, type_, BindingRole.READ, certain=receiver.certain)
        for field in type_.definition.members(name.text) if len(elements) < LONG_TUPLE else ():
            binder.emit(name.identifier, field, "" if receiver.certain else _UNSURE_TUPLE)
        return Value(elements[int(match[1]) - 1], receiver.certain, chained=receiver.chained)
    return None


def _bind_in_type(binder: Binder, receiver: Value | TypeName, name: Name, *, own: bool) -> Expression:
    certain = isinstance(receiver, TypeName) or receiver.certain
    through = receiver.type if isinstance(receiver, Value) and not own else None
    found = find_members(binder, receiver.type, name, through)
    found = _keep_fitting(binder, found, name, static=isinstance(receiver, TypeName))
    certain = certain and (found.known or not _may_be_hidden(receiver.type, found))
    if found.members and isinstance(receiver, Value) and name.invoked and is_unknown_value(found):
        called = _bind_extension(binder, receiver, name, known=found.known)
        if isinstance(called, MethodGroup):
            return replace(called, settle=lambda _: _emit_missing(binder, name, found, certain=certain))
    hidden = isinstance(receiver, TypeName) and hides_inherited(receiver.type, name, found)
    if found.members and not hidden:
        return make_expression(binder, name, found, receiver, certain=certain)
    if isinstance(receiver, TypeName):
        nested = binder.session.names.find_nested(receiver.type, name.text, name.arity)
        if nested is not None:
            own_one = isinstance(receiver.type, Named) and nested.definition.container is receiver.type.definition
            sure = FoundType(nested.definition, nested.inside, certain=found.known or own_one)
            made = binder.session.syntax.complete(sure, name.identifier, name.type_arguments, binder.emit_type)
            return found_expression(made)
    extension = _bind_extension(binder, receiver, name, known=found.known)
    if extension is not None:
        return extension
    blind = name.invoked and binder.session.names.is_blind(binder.frame.scope)
    if found.known and certain and not has_unknown(receiver.type) and not is_opaque(receiver.type) and not blind:
        binder.errors += 1
        return Bare.UNKNOWN
    binder.emit_unknown(name.identifier, "not all members of the type before the dot are known")
    return Bare.UNKNOWN


def _may_be_hidden(type_: Type, found: FoundMembers) -> bool:
    """Whether what nothing known declares may go before what was found.

    A constraint that is not known may, but not before a class; a base interface may before what all objects have.
    """
    owners = [each.member.owner for each in found.members]
    if any(each is not None and each.id == "System.Object" for each in owners):
        return isinstance(type_, TypeParameter) or is_kind(type_, TypeKind.INTERFACE)
    return isinstance(type_, TypeParameter) and any(each is None or each.kind is TypeKind.INTERFACE for each in owners)


def _emit_missing(binder: Binder, name: Name, found: FoundMembers, *, certain: bool) -> None:
    """Keep the member that a name means if it means no extension method."""
    if (name.identifier.start, "") not in binder.bindings:
        make_expression(binder, name, found, None, certain=certain)


def _keep_fitting(binder: Binder, found: FoundMembers, name: Name, *, static: bool) -> FoundMembers:
    """Of methods, those that are called on a type or on a value; if none fits, extensions may."""
    if not found.members or found.members[0].member.kind is not MemberKind.METHOD:
        return found
    fit = [each for each in found.members if each.member.is_static == static]
    if fit or (not static and binder.session.extensions.exists(name.text)):
        return FoundMembers(fit, found.known)
    return found


# -- extension members


def _bind_extension(binder: Binder, receiver: Value | TypeName, name: Name, *, known: bool) -> Expression | None:
    value = _bind_extension_property(binder, receiver, name, known=known)
    if value is not None:
        return value
    if isinstance(receiver, TypeName):
        levels = find_static_extensions(binder, receiver.type, name.text)
        methods = [each for level in levels for each in level]
        return MethodGroup(methods, name.text, name.identifier, receiver, name.type_arguments) if methods else None
    candidates = binder.session.extensions.candidates(binder.frame.scope, name.text, binder.place, receiver.type)
    if next(candidates, None) is not None:
        return MethodGroup(
            *((), name.text, name.identifier, receiver, name.type_arguments),
            certain=known,
            known=known,
            chained=receiver.chained,
        )
    return None


def _bind_extension_property(binder: Binder, receiver: Value | TypeName, name: Name, *, known: bool) -> Value | None:
    for members in binder.session.extensions.properties(binder.frame.scope, name.text, binder.place):
        applicable = [made for each in members if (made := _extend(binder, receiver, each)) is not None]
        if name.invoked:
            applicable = [each for each in applicable if can_be_called(substitute(each.member.type, each.given))]
        if not applicable:
            continue
        applicable = [each for each in applicable if not any(_outranks(other, each) for other in applicable)]
        compare = binder.session.conversions.types.compare
        best = [
            each
            for each in applicable
            if all(each is other or compare(each.receiver, other.receiver) > 0 for other in applicable)
        ]
        member, given, _ = best[0] if best else applicable[0]
        certain = known and bool(best) and (isinstance(receiver, TypeName) or receiver.certain)
        binder.emit(name.identifier, member, "" if certain else _UNKNOWN_RECEIVER)
        return Value(substitute(member.type, given), certain, chained=isinstance(receiver, Value) and receiver.chained)
    return None


class _Extending(NamedTuple):
    """An extension property for a receiver, with the type arguments and its own receiver's type."""

    member: Member
    given: Substitution
    receiver: Type


def _outranks(one: _Extending, other: _Extending) -> bool:
    """Whether a property is declared in the same class as another one, with a higher priority."""
    return one.member.container is other.member.container and one.member.priority > other.member.priority


def _extend(binder: Binder, receiver: Value | TypeName, member: Member) -> _Extending | None:
    """A property as it extends a receiver; None if it does not."""
    if member.is_static != isinstance(receiver, TypeName) or member.owner is None:
        return None
    applicability, parameters = binder.session.applicability, member.owner.parameters
    target, argument = receiver_of(member).type, Argument(Value(receiver.type))
    given = applicability.infer_receiver(parameters, target, argument)
    if given is None or applicability.check_constraints(parameters, given) == NO:
        return None
    wanted = substitute(target, given)
    return (
        _Extending(member, given, wanted)
        if applicability.convert_receiver(argument.expression, wanted) == YES
        else None
    )


NAMES: dict[str, Callable[[Binder, Node, bool], Expression]] = {
    "member_access_expression": bind_member_access,
    "conditional_access_expression": bind_conditional_access,
    "qualified_name": bind_qualified_name,
    "alias_qualified_name": bind_qualified_name,
}
"""The rules of names after dots."""
