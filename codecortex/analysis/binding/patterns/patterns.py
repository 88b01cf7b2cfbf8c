"""Binds patterns against values; each rule gives the type that its pattern narrows to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.protocols import deconstruct_type, emit_deconstruction
from codecortex.analysis.binding.conversions.answers import YES
from codecortex.analysis.binding.conversions.operands import TypeName, Value
from codecortex.analysis.binding.expressions.calls import bind_named
from codecortex.analysis.binding.expressions.indexing import element_of, slice_of
from codecortex.analysis.binding.expressions.members import bind_member, emit_element
from codecortex.analysis.binding.expressions.names import doubt_constant
from codecortex.analysis.binding.expressions.operators import join_arms
from codecortex.analysis.binding.expressions.undefined import never_equals
from codecortex.analysis.binding.scopes.scopes import FoundAlias
from codecortex.analysis.binding.types.inspect import has_unknown, is_reference, is_tuple, nullable_of, strip_nullable
from codecortex.analysis.binding.types.symbols import UNKNOWN, Named
from codecortex.model.code.bindings import BindingRole
from codecortex.model.code.syntax import SLICE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node

_TYPE_NAMES = frozenset(("identifier", "member_access_expression", "generic_name", "qualified_name"))
_PARTS = frozenset(("subpattern", "argument"))
_COMBINED = frozenset(("and_pattern", "or_pattern"))
_BEFORE = 12  # how far the mark of a slice may stand before its pattern
_BLANKS = b" \t\r\n"  # the mark itself counts as white space too


def bind_pattern(binder: Binder, node: Node | None, value: Value) -> Type:
    """Bind a pattern, or an expression in its place."""
    if node is None or node.kind == "discard":
        return value.type
    rule = _RULES.get(node.kind)
    if rule not in _UNTESTED:
        value = Value(strip_nullable(value.type), value.certain)
    return rule(binder, node, value) if rule is not None else _bind_constant(binder, node, value)


def _bind_constants(binder: Binder, node: Node, value: Value) -> Type:
    """A constant; a type, where only a name stands."""
    type_ = value.type
    for each in node.nodes:
        type_ = _bind_constant(binder, each, value)
    return type_


def _bind_constant(binder: Binder, node: Node, value: Value) -> Type:
    if node.kind == "tuple_expression":
        _bind_positional(binder, node.of_kind("argument"), value, node.start)
        return value.type
    if node.kind == "parenthesized_expression" and len(node.nodes) == 1:
        return _bind_constant(binder, node.nodes[0], value)
    if node.kind == "invocation_expression":
        typed, arguments = node.field("function"), node.field("arguments")
        if typed is not None and typed.kind == "is_expression":
            typed = typed.field("right")
        if typed is not None and arguments is not None and typed.kind in _TYPE_NAMES and typed.text != "nameof":
            matched = Value(binder.type(typed))  # `T (a, b)`, which the grammar takes for a call
            _bind_positional(binder, arguments.of_kind("argument"), matched, node.start)
            return matched.type
    if node.kind in _TYPE_NAMES and _is_after_is(node):
        found = binder.session.syntax.find(node, binder.frame.scope)
        if isinstance(found, FoundAlias):
            return binder.type(node)
    narrowed = _narrow(binder, binder.expression(node), value)
    if _is_after_is(node):
        doubt_constant(binder, node)
    return narrowed


def _narrow(binder: Binder, expression: Expression, value: Value) -> Type:
    """What a value is that a type or a constant takes."""
    if isinstance(expression, TypeName):
        return expression.type
    if not isinstance(expression, Value):
        binder.finish(expression, value.type)
        return value.type
    binder.errors += never_equals(binder, expression, value)
    narrows = expression.constant is not None and expression.certain and is_reference(value.type)
    return expression.type if narrows else value.type


def _is_after_is(node: Node) -> bool:
    """Whether a name alone is the whole pattern behind `is`, where a type is preferred; elsewhere a constant is."""
    parent = node.parent
    if parent is not None and parent.kind == "constant_pattern":
        parent = parent.parent
    return parent is not None and parent.kind == "is_pattern_expression"


def _bind_declaration(binder: Binder, node: Node, value: Value) -> Type:
    """`T a`, `var a`, `var (a, b)`."""
    typed = node.field("type")
    inferred = typed is None or typed.kind == "implicit_type"
    if typed is not None and typed.text == "nameof":
        for each in node.without(typed):
            _bind_nameof(binder, each)
        return value.type
    type_ = value.type if inferred else binder.type(typed)
    declared = Value(type_, value.certain or not inferred)
    for each in node.without(typed):
        if each.kind == "parenthesized_variable_designation" and not inferred:
            _bind_positional(binder, each.nodes, declared, node.start)  # `T (a, _)`
        else:
            designate(binder, each, declared)
    return type_


def _bind_nameof(binder: Binder, designation: Node) -> None:
    """`nameof(a)`, which the grammar takes for a type with a designation."""
    for each in designation.nodes if designation.kind == "parenthesized_variable_designation" else ():
        bind_named(binder, each)


def _bind_var(binder: Binder, node: Node, value: Value) -> Type:
    for each in node.nodes:
        designate(binder, each, value)
    return value.type


def designate(binder: Binder, node: Node, value: Value) -> None:
    """Declare the variables of a designation."""
    if node.kind == "identifier":
        binder.declare(node, value.type, certain=value.certain)
    elif node.kind == "parenthesized_variable_designation":
        parts = node.nodes
        made = deconstruct_type(binder, strip_nullable(value.type), len(parts))
        if nullable_of(value.type) is None:  # of a nullable value the compiler names no method
            emit_deconstruction(binder, node.start, made, value)
        for part, type_ in zip(parts, made.types, strict=True):
            designate(binder, part, Value(type_, value.certain))


def _bind_type(binder: Binder, node: Node, value: Value) -> Type:
    typed = node.field("type") or (node.nodes[0] if node.nodes else None)
    named = typed is not None and typed.kind in _TYPE_NAMES
    if typed is not None and named and binder.session.syntax.find(typed, binder.frame.scope) is None:
        return _bind_constant(binder, typed, value)  # `T (_, A.B)`: no type of the name is known
    return binder.type(typed)


def _bind_recursive(binder: Binder, node: Node, value: Value) -> Type:
    """`T (a, b) { C: d } e`."""
    typed = node.field("type")
    if typed is not None and typed.kind != "implicit_type":
        value = Value(binder.type(typed))
    positional = node.first("positional_pattern_clause")
    if positional is not None:
        _bind_positional(binder, positional.of_kind("subpattern"), value, node.start)
    properties = node.first("property_pattern_clause")
    for each in properties.of_kind("subpattern") if properties is not None else ():
        parts = each.nodes
        if parts:
            member = _bind_path(binder, parts[0], value) if len(parts) > 1 else value
            bind_pattern(binder, parts[-1], member)
    name = node.field("name")
    if name is not None:
        designate(binder, name, value)
    return value.type


def _bind_path(binder: Binder, node: Node, value: Value) -> Value:
    """The member that a property pattern names, maybe of a member."""
    left, right = node.field("expression"), node.field("name")
    if node.kind == "member_access_expression" and left is not None and right is not None:
        value, node = _bind_path(binder, left, value), right
    member = bind_member(binder, Value(strip_nullable(value.type), value.certain), node)
    return member if isinstance(member, Value) else Value(UNKNOWN, certain=False)


def _bind_positional(binder: Binder, patterns: Sequence[Node], value: Value, start: int) -> None:
    made = deconstruct_type(binder, value.type, len(patterns))
    emit_deconstruction(binder, start, made, value)
    for pattern, type_ in zip(patterns, made.types, strict=True):
        wrapped = pattern.kind in _PARTS
        name = pattern.field("name") if wrapped else None
        parts = pattern.without(name) if wrapped else [pattern]
        if len(parts) > 1 and parts[0].kind == "identifier" and pattern.has(":"):
            name, *parts = parts
        if name is not None and isinstance(value.type, Named) and is_tuple(value.type) and not has_unknown(value.type):
            emit_element(binder, name, value.type, BindingRole.READ, certain=value.certain)
        elif name is not None and made.member is not None:
            binder.emit_argument(name, made.member, "" if value.certain else "what is taken apart is not certain")
        for each in parts[-1:]:
            if each.text != "_":
                bind_pattern(binder, each, Value(type_, value.certain))


def _bind_list(binder: Binder, node: Node, value: Value) -> Type:
    """`[a, .. b]`; a part after the mark of a slice stands for several elements."""
    element = element_of(binder, value.type)
    name = node.field("name")
    for each in node.nodes:
        if each is name:
            designate(binder, each, value)
        elif each.text == "..":
            continue  # as an argument
        elif node.source[each.start - _BEFORE : each.start].rstrip(_BLANKS).endswith(SLICE):
            bind_pattern(binder, each, slice_of(binder, value))
        else:
            bind_pattern(binder, each, Value(element, value.certain))
    return value.type


def _bind_argument(binder: Binder, node: Node, value: Value) -> Type:
    """A part of a list that the grammar takes for an index."""
    for each in node.nodes:
        bind_pattern(binder, each, value)
    return value.type


def _bind_tuple(binder: Binder, node: Node, value: Value) -> Type:
    """`(A, B.C)` or `(A a, B b)`, which the grammar takes for a type."""
    _bind_positional(binder, node.of_kind("tuple_element"), value, node.start)
    return value.type


def _bind_element(binder: Binder, node: Node, value: Value) -> Type:
    return (_bind_declaration if node.field("name") is not None else _bind_type)(binder, node, value)


def _bind_combined(binder: Binder, node: Node, value: Value) -> Type:
    """`a and b`, `a or b`, `a or b or c` and so on: people list hundreds of constants, programs thousands."""
    chain, first = [node], node.field("left")
    while first is not None and first.kind in _COMBINED:
        chain.append(first)
        first = first.field("left")
    type_ = bind_pattern(binder, first, value)
    for each in reversed(chain):
        both = each.kind == "and_pattern"
        right = bind_pattern(binder, each.field("right"), Value(type_, value.certain) if both else value)
        type_ = right if both else _join(binder, type_, right, value.type)
    return type_


def _join(binder: Binder, one: Type, other: Type, around: Type) -> Type:
    """The type of what one of two patterns takes: the wider one, if there is one."""
    convert = binder.session.conversions.types.convert
    if one == other or convert(other, one, user_defined=False) == YES:
        return one
    return other if convert(one, other, user_defined=False) == YES else around


def _bind_negated(binder: Binder, node: Node, value: Value) -> Type:
    for each in node.nodes:
        bind_pattern(binder, each, value)
    return value.type


def _bind_parenthesized(binder: Binder, node: Node, value: Value) -> Type:
    type_ = value.type
    for each in node.nodes:
        type_ = bind_pattern(binder, each, value)
    return type_


def _bind_relational(binder: Binder, node: Node, value: Value) -> Type:
    type_ = value.type
    for each in node.nodes:
        type_ = _bind_constant(binder, each, value)
    return type_


def bind_switch_expression(binder: Binder, node: Node) -> Expression:
    """`a switch { b when c => d }`."""
    value = binder.value(binder.expression(node.nodes[0] if node.nodes else None))
    results = []
    for arm in node.of_kind("switch_expression_arm"):
        with binder.within(binder.block()):
            parts = arm.nodes
            bind_pattern(binder, parts[0], value)
            for each in parts[1:-1]:
                for condition in each.nodes if each.kind == "when_clause" else ():
                    binder.finish(binder.expression(condition), binder.session.types.bool)
            results.append(binder.expression(parts[-1]))
    return join_arms(binder, results)


_RULES: dict[str, Callable[[Binder, Node, Value], Type]] = {
    "constant_pattern": _bind_constants,
    "declaration_pattern": _bind_declaration,
    "var_pattern": _bind_var,
    "type_pattern": _bind_type,
    "recursive_pattern": _bind_recursive,
    "list_pattern": _bind_list,
    "element_binding_expression": _bind_list,
    "argument": _bind_argument,
    "declaration_expression": _bind_declaration,
    "tuple_type": _bind_tuple,
    "tuple_element": _bind_element,
    "and_pattern": _bind_combined,
    "or_pattern": _bind_combined,
    "negated_pattern": _bind_negated,
    "parenthesized_pattern": _bind_parenthesized,
    "relational_pattern": _bind_relational,
}

_UNTESTED = (_bind_var, _bind_combined, _bind_negated, _bind_parenthesized, _bind_declaration, _bind_argument)
"""The rules of patterns that take null too, or leave it to others whether they do."""

RULES: dict[str, Callable[[Binder, Node], Expression]] = {"switch_expression": bind_switch_expression}
"""The rules of expressions with patterns."""
