"""User-defined operators: which one operands mean, and what it makes of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import resolve
from codecortex.analysis.binding.conversions.answers import NO, YES
from codecortex.analysis.binding.conversions.numbers import WIDENING
from codecortex.analysis.binding.conversions.operands import (
    Argument,
    Bare,
    Branches,
    CollectionLiteral,
    Lambda,
    MethodGroup,
    TupleLiteral,
    Value,
)
from codecortex.analysis.binding.declarations.members import ASSIGNING, BINARY, UNARY
from codecortex.analysis.binding.lookup.members import FoundMember
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.analysis.binding.types.inspect import (
    id_of,
    is_by_reference,
    is_kind,
    is_reference,
    nullable_of,
    strip_nullable,
)
from codecortex.analysis.binding.types.substitution import substitute, substitution_of
from codecortex.analysis.binding.types.symbols import NULL, UNKNOWN, Named, TypeKind, TypeParameter
from codecortex.model.code.bindings import BindingRole
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.conversions.resolver import Applicable, Resolution
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node

CONVERSIONS = ("op_Explicit", "op_Implicit")
COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_COMPARING = frozenset(f"op_{BINARY[sign]}" for sign in COMPARISONS)
_EQUALS = frozenset(("op_Equality", "op_Inequality"))
UNTYPED = (Lambda, MethodGroup, TupleLiteral, CollectionLiteral, Branches)
"""What may have no type of its own, and yet can be the operand of a user-defined operator."""
_TRANSPARENT = frozenset(("parenthesized_expression", "prefix_unary_expression", "postfix_unary_expression"))
_STRING = "System.String"
_OF_LANGUAGE = WIDENING.keys() | {_STRING, "System.Delegate", "System.MulticastDelegate"}
_SPANS = ("P:System.Span`1.Item(", "P:System.ReadOnlySpan`1.Item(")


def apply_user_operator(binder: Binder, name: str, operands: Sequence[Expression], start: int) -> Value | None:
    """What a user-defined operator returns; None if there is none, of unknown type if an operand's is unknown."""
    candidates: list[FoundMember] = []
    seen: set[Type] = set()
    values = [each for each in operands if isinstance(each, Value)]
    for operand in values:
        type_ = strip_nullable(operand.type)
        if type_ is UNKNOWN:
            return Value(UNKNOWN)
        if type_ is not NULL:
            candidates += _nearest_operators(binder, type_, name, operands, seen)
    chosen = _choose_operator(binder, name, candidates, operands)
    if chosen.best is None:
        chosen = _choose_operator(binder, name, list(_extension_operators(binder, name, operands)), operands)
    if chosen.best is None:
        return None
    certain = chosen.certain and all(each.certain for each in values)
    binder.emit_implied(
        start, chosen.best.member, BindingRole.OPERATOR, "" if certain else "the operands' types are not certain"
    )
    for each, type_ in zip(operands, chosen.best.types, strict=False):
        if isinstance(each, UNTYPED):
            binder.finish(each, type_)
    returned = chosen.best.returns
    lifted = chosen.lifted and name not in _COMPARING
    return Value(binder.session.types.nullable(returned) if lifted else returned, certain)


def _nearest_operators(
    binder: Binder, type_: Type, name: str, operands: Sequence[Expression], seen: set[Type]
) -> Sequence[FoundMember]:
    """The operators that a type means: those of a base class count only where none of a derived one applies."""
    found = list(operators_of(binder, type_, name, seen))
    owners = list(dict.fromkeys(each.member.owner for each in found))
    if len(owners) > 1 and isinstance(type_, Named):
        for number in range(1, len(owners)):
            near = [each for each in found if each.member.owner in owners[:number]]
            best = _choose_operator(binder, name, near, operands).best
            if best is not None and best.answer == YES:
                return near
    return found


def _is_predefined(binder: Binder, name: str, values: Sequence[Value]) -> bool:
    """Whether the language itself defines an operation of types with no operators of their own that apply."""
    if name in _EQUALS and all(is_reference(each.type) for each in values):
        return True
    types = [strip_nullable(each.type) for each in values]
    if name == "op_Addition" and binder.session.types.string in types:
        return True
    return all(
        id_of(type_) in WIDENING
        or any(id_of(found.type) in WIDENING for found in operators_of(binder, type_, "op_Implicit", set()))
        for type_ in types
    )


class _ChosenOperator(NamedTuple):
    """The operator that operands mean, whether it is certain, and whether it is lifted to nullable ones."""

    best: Applicable | None = None
    certain: bool = False
    lifted: bool = False


def _choose_operator(
    binder: Binder, name: str, candidates: Sequence[FoundMember], operands: Sequence[Expression]
) -> _ChosenOperator:
    """The operator that applies, else one that is lifted to nullable operands."""
    resolution = resolve(binder, candidates, [Argument(each) for each in operands])
    if resolution.best is not None or not candidates:
        return _ChosenOperator(resolution.best, resolution.certain)
    liftable = [each for each in candidates if _can_be_lifted(each, name)]
    resolution = resolve(binder, liftable, [Argument(_strip(each)) for each in operands])
    lifted = any(isinstance(each, Value) and nullable_of(each.type) is not None for each in operands)
    return _ChosenOperator(resolution.best, resolution.certain, lifted)


def _can_be_lifted(found: FoundMember, name: str) -> bool:
    """Whether an operator has a form for nullable operands: one of values alone; one for equality, of two of a type."""
    taken = [substitute(each.type, found.given) for each in found.member.parameters]
    if name in _EQUALS and len(set(taken)) > 1:
        return False
    return all(
        is_reference(each) is False and nullable_of(each) is None and not is_by_reference(each)
        for each in (*taken, found.type)
    )


def _strip(operand: Expression) -> Expression:
    """An operand as the operator is given it that is lifted to nullable types."""
    if isinstance(operand, Value):
        return Value(strip_nullable(operand.type), operand.certain)
    return Bare.DEFAULT if operand is Bare.NULL else operand


def _extension_operators(binder: Binder, name: str, operands: Sequence[Expression]) -> Iterable[FoundMember]:
    """The operators that extension blocks declare, with the type arguments that the operands tell.

    There are none where the language itself defines the operation.
    """
    candidates = _prefer_checked(binder, name, partial(_find_extended, binder))
    if not candidates or _is_predefined(binder, name, [each for each in operands if isinstance(each, Value)]):
        return
    for found in candidates:
        owner = found.member.owner
        taken = [each.type for each in found.member.parameters]
        if owner is None or len(taken) != len(operands):
            continue
        given = binder.session.applicability.infer_block(owner.parameters, taken, operands)
        if given is not None and binder.session.applicability.check_constraints(owner.parameters, given) != NO:
            yield FoundMember(found.member, given, 0)


class Target(NamedTuple):
    """What an operator changes, what it is before, and where the operator is kept."""

    node: Node
    value: Value
    start: int


def apply_assigning_operator(binder: Binder, sign: str, target: Target, operands: Sequence[Value]) -> bool:
    """Keep the operator that changes a value in place, if one applies that its type or else an extension declares."""
    chosen = _choose_assigning(binder, sign, target, operands)
    if chosen is None or chosen.best is None:
        return False
    sure = chosen.certain and target.value.certain and all(each.certain for each in operands)
    doubt = "" if sure else "the operands' types are not certain"
    binder.emit_implied(target.start, chosen.best.member, BindingRole.OPERATOR, doubt)
    return True


def _choose_assigning(binder: Binder, sign: str, target: Target, operands: Sequence[Value]) -> Resolution | None:
    type_, name = target.value.type, f"op_{ASSIGNING[sign]}"
    if not isinstance(type_, (Named, TypeParameter)):
        return None
    extended = _assigning_extensions(binder, name, target.value, operands)
    found = _prefer_checked(binder, name, lambda declared: binder.session.members.find(type_, declared).members)
    if not (found or extended) or not _is_variable(binder, target.node):
        return None
    arguments = [Argument(each) for each in operands]
    chosen = resolve(binder, found, arguments) if found else None
    if (chosen is not None and chosen.best is not None) or not extended:
        return chosen
    plain, values = f"op_{(BINARY if operands else UNARY)[sign]}", (target.value, *operands)
    own = [each for value in values for each in operators_of(binder, strip_nullable(value.type), plain, set())]
    if _is_predefined(binder, plain, values) or _choose_operator(binder, plain, own, values).best is not None:
        return None
    return resolve(binder, extended, arguments)


def _assigning_extensions(binder: Binder, name: str, target: Value, operands: Sequence[Value]) -> Sequence[FoundMember]:
    """The operators in place that extension blocks declare for a value, with the type arguments that it tells."""
    found: list[FoundMember] = []
    applicability = binder.session.applicability
    for each in _prefer_checked(binder, name, partial(_find_extended, binder)):
        owner, receiver = each.member.owner, each.member.receiver
        if owner is None or receiver is None:
            continue
        taken = [receiver().type, *(parameter.type for parameter in each.member.parameters)]
        if len(taken) != 1 + len(operands):
            continue
        given = applicability.infer_block(owner.parameters, taken, (target, *operands))
        if given is None or applicability.check_constraints(owner.parameters, given) == NO:
            continue
        if applicability.convert_receiver(target, substitute(taken[0], given)) == YES:
            found.append(FoundMember(each.member, given, 0))
    return found


def _find_extended(binder: Binder, name: str) -> Sequence[FoundMember]:
    return list(binder.session.extensions.operators(binder.frame.scope, name, binder.file.project))


def _is_variable(binder: Binder, node: Node) -> bool:
    """Whether what is changed has a place: a property and an indexer have none, but where they give a reference."""
    while node.kind in _TRANSPARENT and node.nodes:
        node = node.nodes[-1]
    listed = node.field("subscript")
    name = node.field("name") or node
    if listed is not None:
        symbols = [written for start, written in binder.bindings if start == listed.start]
    else:
        symbols = [binder.bindings[key].symbol for key in ((name.start, ""),) if key in binder.bindings]
    return not any(each.startswith("P:") and not _gives_reference(binder, each) for each in symbols)


def _gives_reference(binder: Binder, property_: str) -> bool:
    """Whether a property, by its documentation id, gives a reference."""
    if property_.startswith(_SPANS):
        return True
    owner, _, _ = property_[2:].partition("(")[0].rpartition(".")
    for definition in binder.session.declarations.find_identified(owner):
        for node, declared in definition.list_declared():
            typed = node.field("type")
            if typed is not None and typed.kind == "ref_type" and id_of_symbol(declared.member) == property_:
                return True
    return False


def _prefer_checked(binder: Binder, name: str, find: Callable[[str], Sequence[FoundMember]]) -> Sequence[FoundMember]:
    """The operators of a name; where overflow is checked, the checked ones in place of those for the same operands."""
    plain = find(name)
    checked = find(name.replace("op_", "op_Checked", 1)) if binder.frame.is_checked else ()
    if not checked:
        return plain
    replaced = [[parameter.type for parameter in each.member.parameters] for each in checked]
    kept = [each for each in plain if [parameter.type for parameter in each.member.parameters] not in replaced]
    return [*checked, *kept]


def operators_of(binder: Binder, type_: Type, name: str, seen: set[Type]) -> Iterable[FoundMember]:
    """The operators of a name that a type declares or inherits; of a type parameter, those of its constraints too.

    Args:
        binder: The binder.
        type_: The type.
        name: The name.
        seen: Types that are left out; those that are looked at are added.
    """
    constrained = isinstance(type_, TypeParameter)
    for base in binder.session.bases.of(type_)[0]:
        if base in seen:
            continue
        seen.add(base)
        if _is_without_operators(base, name):
            continue
        if isinstance(base, Named) and (constrained or base.definition.kind is not TypeKind.INTERFACE):
            yield from _declared_operators(binder, base, name)


def _is_without_operators(type_: Type, name: str) -> bool:
    """Whether the language itself defines the operators of a type, whatever its assembly declares."""
    if id_of(type_) in _OF_LANGUAGE or is_kind(type_, TypeKind.DELEGATE):
        return name not in CONVERSIONS or id_of(type_) == _STRING
    return False


def _declared_operators(binder: Binder, base: Named, name: str) -> Iterable[FoundMember]:
    """The operators of a name that one type declares; where overflow is checked, the checked ones in their place."""
    given, definition = substitution_of(base), base.definition

    def find(declared: str) -> list[FoundMember]:
        binder.session.asked.add_member(definition, declared)
        return [FoundMember(member, given, 0) for member in definition.members(declared)]

    return _prefer_checked(binder, name, find)
