"""Binds operators, assignments, casts and branches."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import resolve
from codecortex.analysis.binding.body.protocols import await_type
from codecortex.analysis.binding.conversions.answers import NO, YES
from codecortex.analysis.binding.conversions.constants import fit, fold, fold_unary, is_literal
from codecortex.analysis.binding.conversions.numbers import SMALL, WIDENING, promote
from codecortex.analysis.binding.conversions.operands import (
    NUMBER,
    TEXT,
    Argument,
    Bare,
    Branches,
    CollectionLiteral,
    Lambda,
    MethodGroup,
    TupleLiteral,
    Value,
    is_unknown,
)
from codecortex.analysis.binding.declarations.members import ASSIGNING, BINARY, UNARY
from codecortex.analysis.binding.expressions.names import doubt_constant
from codecortex.analysis.binding.expressions.undefined import is_undefined, is_undefined_unary
from codecortex.analysis.binding.lookup.members import FoundMember
from codecortex.analysis.binding.scopes.type_syntax import NAMES
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.analysis.binding.types.inspect import (
    id_of,
    is_by_reference,
    is_kind,
    is_opaque,
    is_reference,
    nullable_of,
    strip_nullable,
)
from codecortex.analysis.binding.types.substitution import substitute, substitution_of
from codecortex.analysis.binding.types.symbols import DYNAMIC, NULL, UNKNOWN, Named, Pointer, TypeKind, TypeParameter
from codecortex.model.code.bindings import BindingRole
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.answers import Answer
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.conversions.resolver import Applicable, Resolution
    from codecortex.analysis.binding.types.symbols import Member, Type
    from codecortex.analysis.binding.types.wellknown import WellKnown
    from codecortex.model.code.syntax import Node

_LOGICAL = {"&&": "&", "||": "|"}
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_COMPARING = frozenset(f"op_{BINARY[sign]}" for sign in _COMPARISONS)
_EQUALITIES = frozenset(("==", "!="))
_EQUALS = frozenset(("op_Equality", "op_Inequality"))
_UNTYPED = (Lambda, MethodGroup, TupleLiteral, CollectionLiteral, Branches)
"""What may have no type of its own, and yet can be the operand of a user-defined operator."""
_WITHOUT_TYPE = (Bare.NULL, Bare.DEFAULT)
_MISREAD = frozenset(("<", ">"))
_STEPS = frozenset(("++", "--"))
_ARITHMETIC = frozenset("+-*/%&|^")
_UNSIGNED = frozenset(("System.UInt32", "System.UInt64"))
_LONG_UNSIGNED = frozenset(("System.UInt64", "System.UIntPtr"))
_LONG = "System.Int64"
_TRANSPARENT = frozenset(("parenthesized_expression", "prefix_unary_expression", "postfix_unary_expression"))
_SPANS = ("P:System.Span`1.Item(", "P:System.ReadOnlySpan`1.Item(")
_BITWISE = frozenset("|&^")
_LEAST: dict[tuple[str, object], str] = {
    ("System.UInt32", 2**31): "System.Int32",
    ("System.UInt64", 2**63): "System.Int64",
}
"""Of what type a number is with a minus before it that is too large for it without."""


# -- binary operators


def bind_binary(binder: Binder, node: Node) -> Expression:
    """`a + b`; long chains are bound from the left in a loop."""
    chain: list[Node] = []
    left: Node | None = node
    while left is not None and left.kind == "binary_expression":
        chain.append(left)
        left = left.field("left")
    bound = binder.expression(left)
    for each in reversed(chain):
        bound = apply_binary(binder, (each.sign, each.start), bound, binder.expression(each.field("right")))
    return bound


def apply_binary(  # noqa: PLR0911 - one exit for each kind of operator
    binder: Binder, operator: tuple[str, int], left: Expression, right: Expression
) -> Expression:
    """What an operator, given with its place, makes of two operands."""
    sign, start = operator
    if sign in _MISREAD:
        left, right = _doubt_group(left), _doubt_group(right)
    if sign == "??":
        return _coalesce(binder, left, right)
    if any(isinstance(each, Value) and each.type is DYNAMIC for each in (left, right)):
        _finish_beside(binder, left, right)
        _finish_beside(binder, right, left)
        return Value(DYNAMIC)
    if sign in _LOGICAL or sign in _COMPARISONS:
        return _compare(binder, operator, left, right)
    if isinstance(left, Value) and isinstance(right, Value):
        return _calculate(binder, (sign, start), left, right)
    if sign in BINARY and _can_be_operand(left, sign) and _can_be_operand(right, sign):
        made = apply_user_operator(binder, f"op_{BINARY[sign]}", (left, right), start)
        if made is not None and made.type is not UNKNOWN:
            return made
    if isinstance(left, (Value, Branches)) and isinstance(right, (Value, Branches)):
        return _calculate(binder, (sign, start), binder.value(left), binder.value(right))
    known = left if isinstance(left, Value) else right
    combined = isinstance(known, Value) and is_kind(known.type, TypeKind.DELEGATE)
    for each in (left, right):
        binder.finish(each, known.type if combined and isinstance(known, Value) else UNKNOWN)
    if isinstance(known, Value) and (combined or (sign == "+" and known.type == binder.session.types.string)):
        return Value(known.type, known.certain)
    return Bare.UNKNOWN


def _compare(binder: Binder, operator: tuple[str, int], left: Expression, right: Expression) -> Value:
    """A comparison, or a logical operator."""
    sign, start = operator
    made, name, bool_ = None, f"op_{BINARY[_LOGICAL.get(sign, sign)]}", binder.session.types.bool
    if isinstance(left, Value) and isinstance(right, Value):
        if bool_ != left.type or left.type != right.type:
            made = apply_user_operator(binder, name, (left, right), start)
            binder.errors += made is None and is_undefined(binder, sign, left, right)
    elif _can_be_operand(left, sign) and _can_be_operand(right, sign):
        made = apply_user_operator(binder, name, (left, right), start)
    if made is None or made.type is UNKNOWN:
        _finish_beside(binder, left, right)
        _finish_beside(binder, right, left)
        return Value(bool_)
    return made


def _doubt_group(operand: Expression) -> Expression:
    """A group of methods is no operand: a generic call was misread."""
    if not isinstance(operand, MethodGroup):
        return operand
    given = (operand.methods, operand.name, operand.identifier, operand.receiver, operand.type_arguments)
    return MethodGroup(*given, certain=False, known=operand.known)


def _can_be_operand(operand: Expression, sign: str) -> bool:
    """Whether an expression can be the operand of a user-defined operator."""
    if operand in _WITHOUT_TYPE:
        return operand is Bare.NULL or sign in _EQUALITIES
    return isinstance(operand, (Value, *_UNTYPED))


def _finish_beside(binder: Binder, operand: Expression, other: Expression) -> None:
    """Bind an operand that waits for the type of the other one."""
    if not isinstance(operand, Value):
        binder.finish(operand, other.type if isinstance(other, Value) else UNKNOWN)


def _coalesce(binder: Binder, left: Expression, right: Expression) -> Expression:
    """`a ?? b`."""
    if not isinstance(left, Value):
        binder.finish(left, UNKNOWN)
        return right if isinstance(right, Value) else Bare.UNKNOWN
    inner = strip_nullable(left.type)
    if right in (Bare.THROW, Bare.DEFAULT):
        return Value(inner, left.certain)
    if inner is UNKNOWN:
        binder.finish(right, UNKNOWN)
        return Bare.UNKNOWN
    if isinstance(right, Value) and right.type is not UNKNOWN:
        return _coalesce_values(binder, left, right)
    binder.finish(right, left.type)
    return Value(left.type if right in (Bare.NULL, Bare.UNKNOWN) else inner, left.certain)


def _coalesce_values(binder: Binder, left: Value, right: Value) -> Value:
    inner, convert = strip_nullable(left.type), binder.session.conversions.types.convert
    if inner is not left.type and convert(right.type, inner, right.constant) == YES:
        return Value(inner, left.certain)
    certain = left.certain and right.certain
    if convert(right.type, left.type, right.constant) == YES:
        return Value(left.type, certain)
    if convert(inner, right.type) == YES:
        return Value(right.type, certain)
    return Value(inner, certain=False)


def _calculate(binder: Binder, operator: tuple[str, int], left: Value, right: Value) -> Expression:
    """Arithmetic, bitwise operators, shifts and concatenation."""
    sign, start = operator
    types, certain = binder.session.types, left.certain and right.certain
    if sign == "+" and types.string in (left.type, right.type):
        other = right.type if left.type == types.string else left.type
        known = isinstance(other, (Named, TypeParameter))
        if known and other != types.string and id_of(other) not in WIDENING:
            own = apply_user_operator(binder, "op_Addition", (left, right), start)
            if own is not None and own.type is not UNKNOWN:
                return own
        constant = TEXT if left.constant is not None and right.constant is not None else None
        certain = any(each.certain and each.type == types.string for each in (left, right))
        return Value(types.string, certain, constant, left.interpolated and right.interpolated)
    one, other = strip_nullable(left.type), strip_nullable(right.type)
    lifted = one is not left.type or other is not right.type
    if sign in _ARITHMETIC:
        one, other = _convert_constant(types, left, right)
        certain = certain and not (other is UNKNOWN or one is UNKNOWN)
    made = _calculate_builtin(binder, sign, one, other)
    if made is None:
        own = apply_user_operator(binder, f"op_{BINARY.get(sign, sign)}", (left, right), start)
        made = _calculate_converted(binder, sign, one, other) if own is None else None
        binder.errors += own is None and made is None and is_undefined(binder, sign, left, right)
        return own or (Value(made, certain) if made is not None else Bare.UNKNOWN)
    if lifted:
        return Value(types.nullable(made), certain)
    return Value(made, certain, fold(sign, left.constant, right.constant, id_of(made)))


def _convert_constant(types: WellKnown, left: Value, right: Value) -> tuple[Type, Type]:
    """The types of two operands, that of a constant by what is beside it.

    Zero beside an enum is of that, and a number that is not negative beside an unsigned one is unsigned.
    """
    one, other = strip_nullable(left.type), strip_nullable(right.type)
    for value, type_, beside in ((right, other, one), (left, one, other)):
        constant = value.constant
        if constant == 0 and is_kind(beside, TypeKind.ENUM) and (value is left or type_ != _find_underlying(beside)):
            return beside, beside
        if id_of(beside) in _LONG_UNSIGNED and id_of(type_) == _LONG and isinstance(constant, int):
            wide = types.get("System.UInt64")
            return (wide, wide) if constant >= 0 else (one, other)
        if id_of(beside) in _UNSIGNED and id_of(type_) == "System.Int32" and constant is not None:
            if isinstance(constant, int):
                return (beside, beside) if constant >= 0 else (one, other)
            return (UNKNOWN, other) if value is left else (one, UNKNOWN)
    return one, other


def _calculate_builtin(binder: Binder, sign: str, one: Type, other: Type) -> Type | None:
    """The type of an operation that the language itself defines; None if it defines none."""
    types = binder.session.types
    promoted = promote(sign, id_of(one), id_of(other))
    if promoted is not None:
        return types.get(promoted)
    if is_kind(one, TypeKind.ENUM) or is_kind(other, TypeKind.ENUM):
        return _calculate_enum(sign, one, other)
    if isinstance(other, Pointer) and sign in ("+", "-"):
        return types.get(_LONG) if isinstance(one, Pointer) else other
    joined = sign in ("+", "-") and (is_kind(one, TypeKind.DELEGATE) or isinstance(one, Pointer))
    if joined or (one == other == types.bool and sign in _BITWISE):
        return one
    return None


def _calculate_enum(sign: str, one: Type, other: Type) -> Type | None:
    """The same of operands one of which is of an enum."""
    if not all(map(_is_beside_enum, (one, other))):
        return None
    if not is_kind(one, TypeKind.ENUM):
        return other
    kept = sign in _BITWISE or sign == "+" or id_of(other) in WIDENING
    return _find_underlying(one) if sign == "-" and not kept else one


def _is_beside_enum(type_: Type) -> bool:
    """Whether the language may define operations of an enum and a type."""
    other = isinstance(type_, Named) and type_.definition.kind is not TypeKind.ENUM and not is_opaque(type_)
    return not other or id_of(type_) in WIDENING


def _calculate_converted(binder: Binder, sign: str, one: Type, other: Type) -> Type | None:
    """The type of such an operation on what operands convert to by conversions of their own."""
    converted = _find_converted(binder, one), _find_converted(binder, other)
    if converted == (one, other):
        return None
    if sign == "+" and binder.session.types.string in converted:
        return binder.session.types.string
    return _calculate_builtin(binder, sign, *converted)


def _find_converted(binder: Binder, type_: Type) -> Type:
    """What the language has operators for that a type alone converts to; the type itself if there is not one such."""
    if not isinstance(type_, (Named, TypeParameter)) or id_of(type_) in WIDENING:
        return type_
    types = binder.session.types
    found = {found.type for found in _operators_of(binder, type_, "op_Implicit", set())}
    fit = [each for each in found if id_of(each) in WIDENING or each in (types.bool, types.string)]
    return fit[0] if len(fit) == 1 else type_


def _find_underlying(type_: Type) -> Type:
    """The type of an enum's values; unknown if that is not known."""
    found = type_.definition.find_underlying() if isinstance(type_, Named) else None
    return found or UNKNOWN


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
        if isinstance(each, _UNTYPED):
            binder.finish(each, type_)
    returned = chosen.best.returns
    lifted = chosen.lifted and name not in _COMPARING
    return Value(binder.session.types.nullable(returned) if lifted else returned, certain)


def _nearest_operators(
    binder: Binder, type_: Type, name: str, operands: Sequence[Expression], seen: set[Type]
) -> Sequence[FoundMember]:
    """The operators that a type means: those of a base class count only where none of a derived one applies."""
    found = list(_operators_of(binder, type_, name, seen))
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
        or any(id_of(found.type) in WIDENING for found in _operators_of(binder, type_, "op_Implicit", set()))
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
        if given is not None:
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
    own = [each for value in values for each in _operators_of(binder, strip_nullable(value.type), plain, set())]
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
        if given is not None and applicability.convert_receiver(target, substitute(taken[0], given)) == YES:
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


def _operators_of(binder: Binder, type_: Type, name: str, seen: set[Type]) -> Iterable[FoundMember]:
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
        if base == binder.session.types.string:
            continue  # the language itself defines its operators
        if isinstance(base, Named) and (constrained or base.definition.kind is not TypeKind.INTERFACE):
            yield from _declared_operators(binder, base, name)


def _declared_operators(binder: Binder, base: Named, name: str) -> Iterable[FoundMember]:
    """The operators of a name that one type declares; where overflow is checked, the checked ones in their place."""
    given, definition = substitution_of(base), base.definition

    def find(declared: str) -> list[FoundMember]:
        binder.session.asked.add_member(definition, declared)
        return [FoundMember(member, given, 0) for member in definition.members(declared)]

    return _prefer_checked(binder, name, find)


# -- unary operators


def bind_prefix(binder: Binder, node: Node) -> Expression:
    """`!a`, `-a`, `&a`, `*a`, `^a`."""
    operand = binder.expression(node.nodes[-1] if node.nodes else None)
    sign = node.sign
    types = binder.session.types
    if isinstance(operand, Value) and operand.type is DYNAMIC:
        return operand
    if sign == "!":
        binder.finish(operand, types.bool)
        made = None
        if isinstance(operand, Value) and operand.type != types.bool:
            made = apply_user_operator(binder, "op_LogicalNot", (operand,), node.start)
            binder.errors += made is None and is_undefined_unary(binder, operand)
            if made is None and nullable_of(operand.type) == types.bool:
                made = operand
        return made if made is not None and made.type is not UNKNOWN else Value(types.bool)
    if sign == "&" and isinstance(operand, MethodGroup):
        return replace(operand, is_address=True)
    if not isinstance(operand, Value):
        return operand
    if sign in _POINTERS or sign == "^":
        return _POINTERS[sign](operand) if sign != "^" else Value(types.get("System.Index"))
    return _calculate_unary(binder, sign, operand, node)


def _take_address(operand: Value) -> Expression:
    return Value(Pointer(operand.type), operand.certain)


def follow_pointer(operand: Value) -> Expression:
    """What a pointer points to."""
    return Value(operand.type.element, operand.certain) if isinstance(operand.type, Pointer) else Bare.UNKNOWN


_POINTERS: dict[str, Callable[[Value], Expression]] = {"&": _take_address, "*": follow_pointer}


def _calculate_unary(binder: Binder, sign: str, operand: Value, node: Node) -> Expression:
    type_, name = operand.type, id_of(strip_nullable(operand.type))
    made: Type | None = None
    certain = operand.certain
    if sign in ("+", "-", "~") and name in SMALL:
        made = binder.session.types.int
    elif sign == "-" and name == "System.UInt32":
        made = binder.session.types.get("System.Int64")
    elif sign in _STEPS and apply_assigning_operator(binder, sign, Target(node, operand, node.start), ()):
        made = type_
    elif isinstance(type_, (Named, TypeParameter)) and name not in WIDENING and sign in UNARY:
        own = apply_user_operator(binder, f"op_{UNARY[sign]}", (operand,), node.start)
        converted = _find_converted(binder, type_) if own is None and sign not in _STEPS else type_
        if converted != type_:
            return _calculate_unary(binder, sign, Value(converted, operand.certain), node)
        binder.errors += own is None and is_undefined_unary(binder, operand)
        made, certain = (own.type, own.certain) if own is not None else (None, certain)
    least = _LEAST.get((name, operand.constant)) if sign == "-" else None
    if least is not None:
        made = binder.session.types.get(least)
    if made is not None and nullable_of(type_) is not None and name in WIDENING:
        made = binder.session.types.nullable(made)
    result = made if made is not None else type_
    return Value(result, certain, fold_unary(sign, operand.constant, id_of(result)))


def bind_postfix(binder: Binder, node: Node) -> Expression:
    """`a!`, `a++`."""
    operand = binder.expression(node.nodes[0] if node.nodes else None)
    if node.has("!") or not isinstance(operand, Value):
        return operand
    sign = "++" if node.has("++") else "--"
    if isinstance(operand.type, (Named, TypeParameter)) and id_of(operand.type) not in WIDENING:
        target = Target(node, operand, node.start)
        changed = _is_unused(node) and apply_assigning_operator(binder, sign, target, ())
        made = None if changed else apply_user_operator(binder, f"op_{UNARY[sign]}", (operand,), node.start)
        if made is None and not changed and apply_assigning_operator(binder, sign, target, ()):
            return Value(binder.session.types.void)  # what it was before is not kept
    return Value(operand.type, operand.certain)


def _is_unused(node: Node) -> bool:
    """Whether nobody asks for the value of an operation."""
    above = node.parent
    return above is not None and (
        above.kind == "expression_statement" or (above.kind == "for_statement" and above.field("condition") is not node)
    )


# -- casts and tests


def bind_cast(binder: Binder, node: Node) -> Expression:
    """`(T)a`."""
    typed, value = node.field("type"), node.field("value")
    if typed is None or value is None:
        return Bare.UNKNOWN
    type_ = binder.type(typed)
    operand = binder.expression(value)
    binder.finish(operand, type_)
    if isinstance(operand, Value):
        _convert_explicitly(binder, operand, type_, node.start)
        text = operand.constant == TEXT and type_ == binder.session.types.string
        return Value(type_, constant=TEXT if text else _cast_constant(operand, value, type_))
    return Value(type_)


def _cast_constant(operand: Value, node: Node, target: Type) -> int | str | None:
    """What a cast makes of a constant; of a real one only that it is some number is known."""
    known = NUMBER if operand.constant is None and is_literal(node) and id_of(operand.type) in WIDENING else None
    return fit(operand.constant if known is None else known, id_of(target))


def _convert_explicitly(binder: Binder, operand: Value, target: Type, start: int) -> None:
    """Keep the user-defined conversion that a cast names, if there is one and the language itself converts neither way.

    Of those that take what the operand converts to or from, and make what the target converts to or from, it is the
    one from the most specific source to the most specific target.
    """
    source, convert = operand.type, binder.session.conversions.types.convert
    if source in (NULL, UNKNOWN) or target is UNKNOWN or not operand.certain:
        return
    if convert(source, target, user_defined=False) != NO or convert(target, source, user_defined=False) != NO:
        return
    found: list[tuple[Type, Type, Member]] = []
    for name in ("op_Explicit", "op_Implicit"):
        seen: set[Type] = set()
        for type_ in (strip_nullable(source), strip_nullable(target)):
            for each in _operators_of(binder, type_, name, seen):
                taken = substitute(each.member.parameters[0].type, each.given)
                if _is_near(convert, source, taken) and _is_near(convert, target, each.type):
                    found.append((taken, each.type, each.member))
    takes = _most_specific([each[0] for each in found], source, convert, outer=False)
    makes = _most_specific([each[1] for each in found], target, convert, outer=True)
    chosen = [member for taken, made, member in found if taken == takes and made == makes]
    if len(chosen) == 1:
        lifted = nullable_of(source) is not None and makes == nullable_of(target)
        doubt = "" if lifted or makes == target else "what the operator makes is converted once more"
        binder.emit_implied(start, chosen[0], BindingRole.OPERATOR, doubt)


def _is_near(convert: Callable[..., Answer], one: Type, other: Type) -> bool:
    """Whether the language itself surely converts one of two types to the other."""
    return YES in (convert(one, other, user_defined=False), convert(other, one, user_defined=False))


def _most_specific(types: Iterable[Type], wanted: Type, convert: Callable[..., Answer], *, outer: bool) -> Type | None:
    """The type that comes nearest to one; None if no single one does.

    Args:
        types: All types that come near.
        wanted: The type to which or from which they convert.
        convert: The conversions of the language itself.
        outer: Whether those count first that convert to the wanted one; else those to which it converts.
    """
    candidates = list(dict.fromkeys(types))
    if wanted in candidates:
        return wanted

    def converts(one: Type, other: Type) -> bool:
        return convert(*((one, other) if outer else (other, one)), user_defined=False) == YES

    inside = [each for each in candidates if converts(each, wanted)]
    if inside:  # the nearest of them is the one that all others convert to, or that converts to all
        fit = [each for each in inside if all(converts(other, each) for other in inside)]
    else:
        fit = [each for each in candidates if all(converts(each, other) for other in candidates)]
    return fit[0] if len(fit) == 1 else None


def bind_as(binder: Binder, node: Node) -> Expression:
    """`a as T`."""
    binder.discard(node.field("left"))
    return Value(binder.type(node.field("right")))


def bind_is(binder: Binder, node: Node) -> Expression:
    """`a is T`; where no type of the name is known, `a is B.C` tests for a constant."""
    left, right = node.field("left"), node.field("right")
    value = binder.value(binder.expression(left))
    named = right is not None and right.kind in NAMES
    if named and right is not None and binder.session.syntax.find(right, binder.frame.scope) is None:
        binder.finish(binder.expression(right), value.type)
        doubt_constant(binder, right)
    elif right is not None and right.kind == "tuple_type":
        binder.pattern(right, value)
    else:
        binder.type(right)
    return Value(binder.session.types.bool)


def bind_is_pattern(binder: Binder, node: Node) -> Expression:
    """`a is P`."""
    value = binder.value(binder.expression(node.field("expression")))
    binder.pattern(node.field("pattern"), value)
    return Value(binder.session.types.bool)


# -- branches and others


def bind_conditional(binder: Binder, node: Node) -> Expression:
    """`a ? b : c`."""
    condition = node.field("condition")
    asked = binder.expression(condition)
    binder.finish(asked, binder.session.types.bool)
    branches = [binder.expression(node.field("consequence")), binder.expression(node.field("alternative"))]
    joined = join_branches(binder, branches)
    if isinstance(joined, Value) and condition is not None:
        constants = [each.constant if isinstance(each, Value) else None for each in branches]
        if condition.kind == "boolean_literal":
            return joined._replace(constant=constants[condition.text == "false"])
        fixed = is_literal(condition) or (isinstance(asked, Value) and asked.constant is not None)
        if fixed and None not in constants:
            return joined._replace(constant=NUMBER)
    return joined


def join_arms(binder: Binder, parts: Sequence[Expression]) -> Expression:
    """The value of a switch expression: where its arms are constants, they convert to a target each for itself."""
    joined = join_branches(binder, parts)
    constant = any(isinstance(each, Value) and each.constant is not None for each in parts)
    if isinstance(joined, Value) and (
        (constant and id_of(joined.type) in WIDENING) or any(isinstance(each, TupleLiteral) for each in parts)
    ):
        return Branches(tuple(parts), joined.certain)
    return joined


def join_branches(binder: Binder, parts: Sequence[Expression]) -> Expression:
    """The expression that has the value of one of several."""
    conversions = binder.session.conversions
    common = conversions.common(parts)
    certain = all(part.certain for part in parts if isinstance(part, Value))
    settled = all(isinstance(part, (Value, Bare)) for part in parts)
    settled = settled or any(
        isinstance(part, (Value, TupleLiteral)) and conversions.natural(part) == common for part in parts
    )
    if common is not UNKNOWN and settled:  # no target counts where one of them has that type
        for part in parts:
            binder.finish(part, common)
        return Value(common, certain)
    if any(map(is_unknown, parts)):
        for part in parts:
            binder.finish(part, UNKNOWN)
        known = [part.type for part in parts if isinstance(part, Value) and part.type is not UNKNOWN]
        return Value(known[0], certain=False) if known else Bare.UNKNOWN
    return Branches(tuple(parts), certain)


def bind_range(binder: Binder, node: Node) -> Expression:
    """`a..b`."""
    for each in node.nodes:
        if each.kind != "..":
            binder.discard(each)
    return Value(binder.session.types.get("System.Range"))


def bind_throw(binder: Binder, node: Node) -> Expression:
    """`throw a`."""
    for each in node.nodes:
        binder.discard(each)
    return Bare.THROW


def bind_await(binder: Binder, node: Node) -> Expression:
    """`await a`."""
    value = binder.value(binder.expression(node.nodes[-1] if node.nodes else None))
    awaited = await_type(binder, value.type)
    for member in awaited.members:
        binder.emit_implied(node.start, member, BindingRole.IMPLIED, "" if value.certain else "the type is not certain")
    return Value(awaited.result, value.certain) if awaited.result is not UNKNOWN else Bare.UNKNOWN


RULES: dict[str, Callable[[Binder, Node], Expression]] = {
    "binary_expression": bind_binary,
    "prefix_unary_expression": bind_prefix,
    "postfix_unary_expression": bind_postfix,
    "cast_expression": bind_cast,
    "as_expression": bind_as,
    "is_expression": bind_is,
    "is_pattern_expression": bind_is_pattern,
    "conditional_expression": bind_conditional,
    "range_expression": bind_range,
    "throw_expression": bind_throw,
    "await_expression": bind_await,
}
"""The rules of operators."""
