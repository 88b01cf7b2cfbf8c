"""Binds literals, keywords that are values, and what only names a type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.constants import MOST_INT, fit, read_integer
from codecortex.analysis.binding.conversions.numbers import SIZES
from codecortex.analysis.binding.conversions.operands import NUMBER, REAL, TEXT, Bare, TypeName, Value
from codecortex.analysis.binding.types.inspect import id_of
from codecortex.analysis.binding.types.symbols import UNKNOWN, Named, TypeKind
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node

_MOST_UINT, _MOST_LONG = 2**32 - 1, 2**63 - 1
_ZERO = compile_later(r"[0._]*(?:[eE][+-]?[0-9_]+)?[fFdDmM]?")
_REAL_SUFFIXES = {"f": "Single", "m": "Decimal"}


def bind_integer(binder: Binder, node: Node) -> Expression:
    """`1`, `0xFFu`."""
    number, suffix = read_integer(node.text)
    unsigned, long = "u" in suffix, "l" in suffix
    if unsigned or long:
        name = "UInt64" if unsigned and long else "Int64" if long else "UInt32"
    elif number <= MOST_INT:
        name = "Int32"
    else:
        name = "UInt32" if number <= _MOST_UINT else "Int64" if number <= _MOST_LONG else "UInt64"
    return Value(binder.session.types.get(f"System.{name}"), constant=number)


def bind_real(binder: Binder, node: Node) -> Expression:
    """`1.5`, `1m`."""
    name = _REAL_SUFFIXES.get(node.text[-1].lower(), "Double")
    return Value(binder.session.types.get(f"System.{name}"), constant=0 if _ZERO.fullmatch(node.text) else REAL)


def bind_character(binder: Binder, node: Node) -> Expression:
    """`'a'`."""
    text = node.text[1:-1]
    number = ord(text) if len(text) == 1 else NUMBER
    return Value(binder.session.types.get("System.Char"), constant=number)


def bind_truth(binder: Binder, node: Node) -> Expression:
    """`true`, `false`."""
    return Value(binder.session.types.bool, constant=node.text == "true")


def bind_string(binder: Binder, node: Node) -> Expression:
    """`"a"`, `"a"u8`."""
    types = binder.session.types
    if node.source[node.end - 1 : node.end] == b"8":  # the end of `u8`, for which not all literals have a node
        return Value(types.get("System.ReadOnlySpan`1", types.get("System.Byte")))
    return Value(types.string, constant=TEXT)


def bind_interpolated(binder: Binder, node: Node) -> Expression:
    """`$"{a}"`; of constants alone it is one."""
    constant = True
    for hole in node.of_kind("interpolation"):
        constant = constant and not hole.of_kind("interpolation_alignment_clause", "interpolation_format_clause")
        for each in hole.nodes:
            if each.kind == "interpolation_alignment_clause":
                for inner in each.nodes:
                    binder.discard(inner)
            elif each.kind not in ("interpolation_format_clause", "interpolation_brace"):
                expression = binder.expression(each)
                constant = constant and isinstance(expression, Value) and expression.constant == TEXT
                binder.finish(expression, UNKNOWN)
    string = binder.session.types.string
    return Value(string, constant=TEXT if constant else None, interpolated=True)


def _bare(bare: Bare) -> Callable[[Binder, Node], Expression]:
    def bind(binder: Binder, node: Node) -> Expression:
        del binder, node
        return bare

    return bind


def bind_this(binder: Binder, node: Node) -> Expression:
    """`this`; in an extension block there is none."""
    del node
    inside = binder.frame.inside
    return Value(inside.this if inside is not None and inside.kind is not TypeKind.EXTENSION else UNKNOWN)


def bind_base(binder: Binder, node: Node) -> Expression:
    """`base`."""
    del node
    inside = binder.frame.inside
    base = inside.bases.base if inside is not None else None
    return Value(base if base is not None else UNKNOWN)


def bind_type_syntax(binder: Binder, node: Node) -> Expression:
    """`int` before a dot, `int[]` in a pattern."""
    return TypeName(binder.type(node))


def bind_inner(binder: Binder, node: Node) -> Expression:
    """`(a)`, `ref a`: what stands inside."""
    inner = node.nodes
    return binder.expression(inner[-1]) if inner else Bare.UNKNOWN


def bind_checked(binder: Binder, node: Node) -> Expression:
    """`checked(a)`, `unchecked(a)`."""
    with binder.within(binder.frame.within(locals_=binder.frame.locals)) as frame:
        frame.is_checked = node.has("checked")
        return bind_inner(binder, node)


def bind_default(binder: Binder, node: Node) -> Expression:
    """`default`, `default(T)`."""
    typed = node.field("type")
    return zero_of(binder.type(typed)) if typed is not None else Bare.DEFAULT


def zero_of(type_: Type) -> Value:
    """The default value of a type, constant where it is a number."""
    return Value(type_, constant=fit(0, id_of(type_)))


def bind_typeof(binder: Binder, node: Node) -> Expression:
    """`typeof(T)`."""
    binder.type(node.field("type"))
    return Value(binder.session.types.type)


def bind_sizeof(binder: Binder, node: Node) -> Expression:
    """`sizeof(T)`; of an enum it is as constant as of the type that it holds."""
    type_ = binder.type(node.field("type"))
    held = type_.definition.find_underlying() if isinstance(type_, Named) else None
    return Value(binder.session.types.int, constant=SIZES.get(id_of(held or type_)))


RULES: dict[str, Callable[[Binder, Node], Expression]] = {
    "integer_literal": bind_integer,
    "real_literal": bind_real,
    **dict.fromkeys(("string_literal", "raw_string_literal", "verbatim_string_literal"), bind_string),
    "interpolated_string_expression": bind_interpolated,
    "character_literal": bind_character,
    "boolean_literal": bind_truth,
    "null_literal": _bare(Bare.NULL),
    "this": bind_this,
    "base": bind_base,
    **dict.fromkeys(("predefined_type", "array_type", "nullable_type", "tuple_type", "pointer_type"), bind_type_syntax),
    **dict.fromkeys(("parenthesized_expression", "ref_expression"), bind_inner),
    "checked_expression": bind_checked,
    "default_expression": bind_default,
    "typeof_expression": bind_typeof,
    "sizeof_expression": bind_sizeof,
}
"""The rules of literals and keywords."""
