"""The values of constant numbers: which of several types a constant converts to depends on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.numbers import RANGES, SHIFTS
from codecortex.analysis.binding.conversions.operands import NUMBER, Bare, Value
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.model.code.syntax import Node

    Constant = int | str

INT, _BOOL = "System.Int32", "System.Boolean"
MOST_INT = 2**31 - 1
_EXTENTS = RANGES | {INT: (-MOST_INT - 1, MOST_INT), "System.Int64": (-(2**63), 2**63 - 1)}
_BITS = {INT: 32, "System.UInt32": 32, "System.Int64": 64, "System.UInt64": 64}
_SIZED = frozenset(("System.IntPtr", "System.UIntPtr"))
"""Types of which a machine tells how large their values are."""
_BASES = {"0x": 16, "0b": 2}
_MOST_BITS = 64
_OPERATIONS = frozenset(("binary_expression", "parenthesized_expression", "prefix_unary_expression"))
_DEEPEST = 50  # operations in each other in the value of a field


class Literal(NamedTuple):
    """A number as it is written, and the letters behind it in lower case."""

    number: int
    suffix: str


def read_integer(text: str) -> Literal:
    """`1`, `0xFFu`, `1_000`; of what is no number of 64 bits, 0."""
    text = text.lower().replace("_", "")
    digits = text.rstrip("ul")
    base = _BASES.get(digits[:2])
    try:
        number = int(digits) if base is None else int(digits[2:], base)
    except ValueError:
        number = 0
    return Literal(number if number < 1 << _MOST_BITS else 0, text[len(digits) :])


def _divide(left: int, right: int) -> int:
    """Toward zero, as the language does."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": lambda a, b: a - b * _divide(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
_UNARY: dict[str, Callable[[int], int]] = {"-": lambda a: -a, "+": lambda a: a, "~": lambda a: ~a}


def fold(sign: str, left: Constant | None, right: Constant | None, made: str) -> Constant | None:
    """What an operator makes of two constants: a number, `NUMBER` where its value is not known, None if one is none.

    Args:
        sign: The operator.
        left: The first constant.
        right: The second one.
        made: The id of the type of the result.
    """
    if made == _BOOL:
        return compare(sign, left, right)
    if left is None or right is None or made not in _EXTENTS:
        return None
    if not isinstance(left, int) or not isinstance(right, int):
        return NUMBER
    if sign in SHIFTS:
        return _shift(sign, left, right, made)
    if sign not in _BINARY or (sign in "/%" and right == 0):
        return NUMBER
    return fit(_BINARY[sign](left, right), made)


def _shift(sign: str, left: int, right: int, made: str) -> Constant:
    bits = _BITS.get(made)
    if bits is None:
        return NUMBER
    count = right & (bits - 1)
    shifted = left << count if sign == "<<" else left >> count if sign == ">>" else left % (1 << bits) >> count
    return _wrap(shifted, made)


def _wrap(number: int, made: str) -> int:
    """A number without the bits that a type has no place for."""
    least, bits = _EXTENTS[made][0], _BITS.get(made, _MOST_BITS)
    return (number - least) % (1 << bits) + least


_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
_LOGICAL: dict[str, Callable[[bool, bool], bool]] = {
    **dict.fromkeys(("&&", "&"), lambda a, b: a and b),
    **dict.fromkeys(("||", "|"), lambda a, b: a or b),
    **dict.fromkeys(("!=", "^"), lambda a, b: a is not b),
    "==": lambda a, b: a is b,
}


def compare(sign: str, left: Constant | None, right: Constant | None) -> Constant | None:
    """What a comparison or a logical operator makes of two constants, as `fold` tells it."""
    if left is None or right is None:
        return None
    truths = isinstance(left, bool) and isinstance(right, bool)
    known = (_LOGICAL if truths else _COMPARISONS).get(sign)
    whole = isinstance(left, int) and isinstance(right, int)
    return known(left, right) if known is not None and whole else NUMBER  # type: ignore[arg-type]


def constant_of(expression: Expression) -> Constant | None:
    """The value of an expression if it is a constant; `NUMBER` of one of which that is not known."""
    if isinstance(expression, Value):
        return expression.constant
    return NUMBER if expression is Bare.NULL else None


def fold_unary(sign: str, operand: Constant | None, made: str) -> Constant | None:
    """The same of an operator with one operand."""
    if operand is None or sign not in _UNARY or made not in _EXTENTS:
        return 0 if operand == 0 and sign in "+-" else None  # of a real type
    if not isinstance(operand, int):
        return NUMBER
    number = _UNARY[sign](operand)
    return fit(_wrap(number, made) if sign == "~" else number, made)


def fit(constant: Constant | None, type_id: str) -> Constant | None:
    """A constant as one of a numeric type; `NUMBER` where that does not hold it, None where it is no whole number."""
    if constant is None or type_id not in _EXTENTS:
        return None
    if not isinstance(constant, int) or type_id in _SIZED:
        return NUMBER
    least, most = _EXTENTS[type_id]
    return constant if least <= constant <= most else NUMBER


def is_literal(node: Node | None) -> bool:
    """Whether an expression is made of literals alone."""
    if node is None:
        return False
    if node.kind in _OPERATIONS:
        return all(is_literal(each) for each in node.without(node.field("operator")))
    return node.kind.endswith("_literal")


def evaluate(node: Node | None, depth: int = 0) -> Constant:
    """The value of an expression of plain literals; `NUMBER` of every other one."""
    if node is None or depth > _DEEPEST:
        return NUMBER
    if node.kind == "boolean_literal":
        return node.text == "true"
    if node.kind == "integer_literal":
        number, suffix = read_integer(node.text)
        return NUMBER if suffix or number > MOST_INT else number
    parts = node.nodes
    if node.kind == "parenthesized_expression" and len(parts) == 1:
        return evaluate(parts[0], depth + 1)
    found = None
    if node.kind == "prefix_unary_expression" and len(parts) == 1:
        found = fold_unary(node.sign, evaluate(parts[0], depth + 1), INT)
    elif node.kind == "binary_expression":
        left, right = (evaluate(node.field(each), depth + 1) for each in ("left", "right"))
        found = fold(node.sign, left, right, INT)
    return NUMBER if found is None else found
