"""Binds operators, assignments, casts and branches."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.protocols import await_type
from codecortex.analysis.binding.conversions.answers import YES
from codecortex.analysis.binding.conversions.constants import compare, constant_of, fold, fold_unary, is_literal
from codecortex.analysis.binding.conversions.numbers import SMALL, WIDENING, promote
from codecortex.analysis.binding.conversions.operands import (
    NUMBER,
    TEXT,
    Bare,
    Branches,
    MethodGroup,
    TupleLiteral,
    Value,
    is_unknown,
)
from codecortex.analysis.binding.declarations.members import BINARY, UNARY
from codecortex.analysis.binding.expressions.undefined import is_undefined, is_undefined_unary
from codecortex.analysis.binding.expressions.user_operators import (
    COMPARISONS,
    UNTYPED,
    Target,
    apply_assigning_operator,
    apply_user_operator,
    operators_of,
)
from codecortex.analysis.binding.types.inspect import (
    id_of,
    is_kind,
    is_opaque,
    nullable_of,
    strip_nullable,
)
from codecortex.analysis.binding.types.symbols import DYNAMIC, UNKNOWN, Named, Pointer, TypeKind, TypeParameter
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.analysis.binding.types.wellknown import WellKnown
    from codecortex.model.code.syntax import Node

_LOGICAL = {"&&": "&", "||": "|"}
_EQUALITIES = frozenset(("==", "!="))
_WITHOUT_TYPE = (Bare.NULL, Bare.DEFAULT)
_MISREAD = frozenset(("<", ">"))
_STEPS = frozenset(("++", "--"))
_ARITHMETIC = frozenset("+-*/%&|^")
_UNSIGNED = frozenset(("System.UInt32", "System.UInt64"))
_LONG_UNSIGNED = frozenset(("System.UInt64", "System.UIntPtr"))
_LONG = "System.Int64"
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
    if sign in _LOGICAL or sign in COMPARISONS:
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
        certain = not _may_define_logic(left) and not _may_define_logic(right)
        return Value(bool_, certain, compare(sign, constant_of(left), constant_of(right)))
    return made


def _may_define_logic(operand: Expression) -> bool:
    """Whether nothing known tells if an operand's type has operators that return something else than a truth."""
    return isinstance(operand, Value) and is_opaque(operand.type)


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
    return isinstance(operand, (Value, *UNTYPED))


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
    found = {found.type for found in operators_of(binder, type_, "op_Implicit", set())}
    fit = [each for each in found if id_of(each) in WIDENING or each in (types.bool, types.string)]
    return fit[0] if len(fit) == 1 else type_


def _find_underlying(type_: Type) -> Type:
    """The type of an enum's values; unknown if that is not known."""
    found = type_.definition.find_underlying() if isinstance(type_, Named) else None
    return found or UNKNOWN


def bind_prefix(binder: Binder, node: Node) -> Expression:
    """`!a`, `-a`, `&a`, `*a`, `^a`."""
    operand = binder.expression(node.nodes[-1] if node.nodes else None)
    sign = node.sign
    if isinstance(operand, Value) and operand.type is DYNAMIC:
        return operand
    if sign == "!":
        return _negate(binder, operand, node)
    if sign == "&" and isinstance(operand, MethodGroup):
        return replace(operand, is_address=True)
    if not isinstance(operand, Value):
        return operand
    if sign in _POINTERS or sign == "^":
        return _POINTERS[sign](operand) if sign != "^" else Value(binder.session.types.get("System.Index"))
    return _calculate_unary(binder, sign, operand, node)


def _negate(binder: Binder, operand: Expression, node: Node) -> Value:
    """`!a`."""
    bool_, made = binder.session.types.bool, None
    binder.finish(operand, bool_)
    if isinstance(operand, Value) and nullable_of(operand.type) == bool_:
        made = operand
    elif isinstance(operand, Value) and operand.type != bool_:
        made = apply_user_operator(binder, "op_LogicalNot", (operand,), node.start)
        binder.errors += made is None and is_undefined_unary(binder, operand)
    if made is not None and made.type is not UNKNOWN:
        return made
    constant = constant_of(operand)
    negated = not constant if isinstance(constant, bool) else constant
    return Value(bool_, not _may_define_logic(operand), negated)


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


def bind_conditional(binder: Binder, node: Node) -> Expression:
    """`a ? b : c`."""
    condition = node.field("condition")
    asked = binder.expression(condition)
    binder.finish(asked, binder.session.types.bool)
    branches = [binder.expression(node.field("consequence")), binder.expression(node.field("alternative"))]
    joined = join_branches(binder, branches)
    if isinstance(joined, Value) and condition is not None:
        constants = [each.constant if isinstance(each, Value) else None for each in branches]
        chosen = constant_of(asked)
        if isinstance(chosen, bool):
            return joined._replace(constant=constants[not chosen])
        if (is_literal(condition) or chosen is not None) and None not in constants:
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
    "conditional_expression": bind_conditional,
    "range_expression": bind_range,
    "throw_expression": bind_throw,
    "await_expression": bind_await,
}
"""The rules of operators."""
