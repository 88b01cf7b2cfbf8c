"""Binds the declarations of locals and local functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.frame import Local, Locals
from codecortex.analysis.binding.body.protocols import ITERATORS, deconstruct
from codecortex.analysis.binding.conversions.operands import NUMBER, Value
from codecortex.analysis.binding.declarations.signatures import make_type_parameters, read_parameters
from codecortex.analysis.binding.expressions.assignments import assign
from codecortex.analysis.binding.heads.parameters import (
    bind_attributes,
    bind_constraints,
    bind_parameters,
    bind_type_parameters,
    declare_parameters,
    make_nameable,
)
from codecortex.analysis.binding.scopes.scopes import ParameterScope
from codecortex.analysis.binding.statements.around import bind_types_alone
from codecortex.analysis.binding.types.symbols import UNKNOWN, Member, MemberKind, Named, Pointer, Signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node

_WRAPPED = frozenset(("ref_type", "scoped_type"))
_ON_STACK = frozenset(("stackalloc_expression", "implicit_stackalloc_expression"))
_NO_VALUES = frozenset(("tuple_pattern", "bracketed_argument_list"))


def bind_local_declaration(binder: Binder, node: Node) -> None:
    """`T a = b, c;`."""
    declared = node.first("variable_declaration")
    if declared is not None:
        bind_variables(binder, declared, constant="const" in node.modifiers())


def is_inferred(binder: Binder, typed: Node | None) -> bool:
    """Whether `var` stands for the type of what is assigned."""
    while typed is not None and typed.kind in _WRAPPED:
        typed = typed.field("type") or (typed.nodes[-1] if typed.nodes else None)
    if typed is None or typed.kind == "implicit_type":
        return True
    named = typed.kind == "identifier" and typed.text == "var"
    return named and binder.session.names.find(binder.frame.scope, "var", 0) is None


def bind_variables(binder: Binder, node: Node, *, constant: bool = False) -> None:
    """The variables of one declaration, which may be constants."""
    typed = node.field("type")
    type_ = None if is_inferred(binder, typed) else binder.type(typed)
    for each in node.of_kind("variable_declarator"):
        if constant and type_ is not None:
            _bind_constant(binder, each, type_)
        else:
            _bind_variable(binder, each, type_)


def _bind_constant(binder: Binder, node: Node, type_: Type) -> None:
    name, initial = node.field("name"), initial_of(node)
    if name is not None:
        binder.declare_local(name, Local(type_, node=name))  # `nameof` may name it there
    value = binder.expression(initial)
    binder.finish(value, type_)
    known = value.constant if isinstance(value, Value) and value.constant is not None else NUMBER
    if name is not None:
        binder.declare_local(name, Local(type_, node=name, constant=known))


def _bind_variable(binder: Binder, node: Node, type_: Type | None) -> None:
    name, initial = node.field("name"), initial_of(node)
    bind_sizes(binder, node)
    if type_ is not None:
        binder.declare(name, type_, discards=False)
        if initial is not None:
            assign(binder, binder.expression(initial), type_)
        return
    value = binder.value(binder.expression(initial)) if initial is not None else Value(UNKNOWN, certain=False)
    if initial is not None and initial.kind in _ON_STACK and isinstance(value.type, Named):
        value = Value(Pointer(value.type.arguments[0]), value.certain)  # alone, it is no span
    pattern = node.first("tuple_pattern")
    if pattern is not None:
        deconstruct(binder, pattern, value, node.source.find(b"=", pattern.end))
    else:
        binder.declare(name, value.type, certain=value.certain, discards=False)


def initial_of(node: Node) -> Node | None:
    """The value with which a variable begins."""
    values = [each for each in node.without(node.field("name")) if each.kind not in _NO_VALUES]
    return values[-1] if values else None


def bind_sizes(binder: Binder, node: Node) -> None:
    """The size of a fixed buffer."""
    sizes = node.first("bracketed_argument_list")
    for argument in sizes.of_kind("argument") if sizes is not None else ():
        for each in argument.nodes:
            binder.discard(each)


# -- local functions


def hoist(binder: Binder, nodes: Iterable[Node]) -> None:
    """Declare the local functions of a block before anything in it is bound."""
    for node in nodes:
        if node.kind == "local_function_statement":
            _declare_function(binder, node)
        elif node.kind == "labeled_statement":
            hoist(binder, node.nodes)


def _declare_function(binder: Binder, node: Node) -> Local | None:
    name = node.field("name")
    if name is None:
        return None
    syntax, around = binder.session.syntax, binder.frame.scope
    parameters = make_type_parameters(syntax, [(node, around)], 0, of_method=True)
    scope = ParameterScope(parameters, around) if parameters else around

    def make() -> Signature:
        taken = read_parameters(syntax, node.field("parameters"), scope)
        return Signature(taken, syntax.bind(node.field("type") or node.field("returns"), scope))

    member = Member(name.name, MemberKind.METHOD, None, make)
    member.is_static, member.type_parameters, member.id, member.node = True, parameters, "", name
    local = Local(function=member, scope=scope, node=name, kind="local function")
    binder.declare_local(name, local)
    return local


def bind_local_function(binder: Binder, node: Node) -> None:
    """A local function."""
    name = node.field("name")
    local = binder.frame.locals.find(name.name) if name is not None else None
    if local is None or local.function is None or local.node is not name:  # of two functions of a name, the other one
        local = _declare_function(binder, node)
    if local is None or local.function is None:
        return
    listed, parameters = node.field("parameters"), local.function.parameters
    with binder.within(binder.block()):
        make_nameable(binder, listed, parameters)
        bind_attributes(binder, node.of_kind("attribute_list"))
    frame = binder.frame.within(scope=local.scope, locals_=Locals(binder.frame.locals))
    frame.is_static |= "static" in node.modifiers()
    with binder.within(frame):
        returns = binder.type(node.field("type") or node.field("returns"))
        bind_parameters(binder, listed, parameters)
        bind_constraints(binder, node)
        bind_type_parameters(binder, node)
        declare_parameters(binder, listed, parameters)
        bind_body(binder, node.field("body"), returns, asynchronous="async" in node.modifiers())


def bind_body(binder: Binder, node: Node | None, returns: Type, *, asynchronous: bool = False) -> None:
    """The body of a function that returns a type, at the place that is bound."""
    if node is None or not binder.is_asked(node):
        return
    node.open()
    if node.deferred is not None:
        binder.opened.append(node)
    asked = binder.list_asked(node)
    if asked is not None and not binder.file.tree.damaged and bind_types_alone(binder, node, asked):
        return
    frame, void = binder.frame, binder.session.types.void
    frame.results, frame.is_async = [], asynchronous
    frame.returns = _awaited(returns, void) if asynchronous else returns
    if node.kind == "arrow_expression_clause":
        if node.nodes:
            target = frame.returns if frame.returns != void else UNKNOWN
            binder.finish(binder.expression(node.nodes[-1]), target)
    else:
        binder.statement(node)


def _awaited(returns: Type, void: Type) -> Type:
    """What an asynchronous function's `return` converts to."""
    if not isinstance(returns, Named):
        return UNKNOWN
    if returns.definition.id in ITERATORS:
        return returns
    return returns.arguments[0] if len(returns.arguments) == 1 else void


RULES: dict[str, Callable[[Binder, Node], None]] = {
    "local_declaration_statement": bind_local_declaration,
    "variable_declaration": bind_variables,
    "local_function_statement": bind_local_function,
}
"""The rules of declarations."""
