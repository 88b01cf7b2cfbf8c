"""Binds lambdas and anonymous methods: their bodies once for each choice of parameter types."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from codecortex.analysis.binding.body.frame import Local, Locals
from codecortex.analysis.binding.conversions.operands import (
    Bare,
    Lambda,
    LambdaBody,
    LambdaParameter,
    Value,
    is_certain,
)
from codecortex.analysis.binding.declarations.signatures import default_of
from codecortex.analysis.binding.expressions.reachability import Reachability
from codecortex.analysis.binding.heads.parameters import bind_attributes, make_nameable
from codecortex.analysis.binding.types.symbols import MODES, UNKNOWN, Array, Named, Parameter, Pointer, has_names
from codecortex.model.code.bindings import BindingRole
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.body.binder import Binder, LambdasAround
    from codecortex.analysis.binding.body.frame import Frame
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node

MOST_BODIES = 2000
"""How often bodies may be bound within one outermost lambda; nested overloads can ask for exponentially many."""
_WRITTEN_MODE = compile_later(rb"\b(ref|out|in)(\s+readonly)?\s+\Z")
_LONGEST_MODE = 20
_DISCARD = "_"
_STATEMENTS = frozenset(
    (
        *("invocation_expression", "assignment_expression", "await_expression", "object_creation_expression"),
        *("implicit_object_creation_expression", "throw_expression"),
    )
)
_CHANGES = frozenset(("postfix_unary_expression", "prefix_unary_expression"))


def bind_lambda(binder: Binder, node: Node) -> Expression:
    """`(a, T b) => c`."""
    listed = node.field("parameters")
    if listed is None:
        return Bare.UNKNOWN
    if listed.kind in ("implicit_parameter", "identifier"):
        parameters: tuple[LambdaParameter, ...] = (LambdaParameter(listed.name, None, "", _first_identifier(listed)),)
    else:
        parameters = _read_parameters(binder, node, listed)
    made = _make(binder, node, parameters)
    typed = node.field("type")
    if typed is not None and typed.kind != "implicit_type":
        made.returns = binder.type(typed)
    return made


def bind_anonymous_method(binder: Binder, node: Node) -> Expression:
    """`delegate (T a) { ... }`."""
    listed = node.field("parameters")
    parameters = None
    if listed is not None:
        parameters = tuple(_read_parameter(binder, each) for each in listed.of_kind("parameter"))
    return _make(binder, node, parameters)


def _read_parameters(binder: Binder, node: Node, listed: Node) -> tuple[LambdaParameter, ...]:
    """The parameters of a lambda; its attributes see them."""
    written = listed.of_kind("parameter")
    with binder.within(binder.block()):
        names = (each.field("name") for each in written)
        make_nameable(binder, listed, [Parameter(name.name if name is not None else "", UNKNOWN) for name in names])
        bind_attributes(binder, node.of_kind("attribute_list"))
        return tuple(_read_parameter(binder, each) for each in written)


def _read_parameter(binder: Binder, node: Node) -> LambdaParameter:
    bind_attributes(binder, node.of_kind("attribute_list"))
    typed, name = node.field("type"), node.field("name")
    written = binder.type(typed) if typed is not None and typed.kind != "implicit_type" else None
    binder.finish(binder.expression(default), written or UNKNOWN) if (default := default_of(node)) is not None else None
    mode = next((word for word in MODES if word in node.modifiers()), "")
    first = typed or name
    if first is not None and not mode:  # which the grammar reads in few places
        before = _WRITTEN_MODE.search(first.source, max(first.start - _LONGEST_MODE, 0), first.start)
        mode = "ref" if first.kind == "ref_type" else _read_mode(before) if before is not None else ""
    return LambdaParameter(name.name if name is not None else "_", written, mode, name)


def _read_mode(written: re.Match[bytes]) -> str:
    return "in" if written[2] else written[1].decode()


def _first_identifier(node: Node) -> Node:
    """The name of a parameter that stands alone."""
    return node.first("identifier") or node


def _make(binder: Binder, node: Node, parameters: tuple[LambdaParameter, ...] | None) -> Lambda:
    around = binder.frame, binder.lambdas
    binding = _Binding(binder, node, parameters, around)
    made = Lambda(node, parameters, binding.bind, binding.finish)
    made.is_async = binding.is_async = "async" in node.modifiers() or node.has("async")
    return made


def make_implied(
    binder: Binder, node: Node, count: int, declare: Callable[[Sequence[Type]], None], body: Callable[[], Expression]
) -> Lambda:
    """A lambda that the language implies, as a clause of a query does.

    Args:
        binder: The binder.
        node: What it is made from; no other implied lambda with as many parameters may be made from it.
        count: How many parameters it has.
        declare: Declares, for their types, what its body sees.
        body: Binds its body.
    """
    parameters = (LambdaParameter("", None),) * count
    binding = _Implied(binder, node, parameters, (binder.frame, binder.lambdas))
    binding.declare, binding.body = declare, body
    return Lambda(node, parameters, binding.bind, binding.finish)


class _Binding:
    """The binding of one lambda's body."""

    def __init__(
        self,
        binder: Binder,
        node: Node,
        parameters: Sequence[LambdaParameter] | None,
        around: tuple[Frame, LambdasAround],
    ) -> None:
        self._binder = binder
        self._node = node
        self._parameters = parameters or ()
        self._written = [each.type for each in self._parameters]
        self._frame, self._lambdas = around
        self.is_async = False

    def bind(self, types: tuple[Type, ...], returns: Type | None = None, *, certain: bool = True) -> LambdaBody:
        """Bind the body for the types of the parameters, and finally for what it should return; remembered by those.

        Args:
            types: The types.
            returns: What it should return; None as long as that is not known.
            certain: Whether those types are certain that are not written.
        """
        binder, types = self._binder, self._choose_types(types)
        certain = certain or None not in self._written
        key = (self._node, types, self._lambdas, returns, _write_names(types), certain)
        known = binder.bodies.get(key)
        if known is not None:
            return cast("LambdaBody", known)
        outermost = self._lambdas[0][0] if self._lambdas else self._node
        binder.bodies_within[outermost] += 1
        if binder.bodies_within[outermost] > MOST_BODIES and returns is None:
            binder.truncated = True
            return _NOT_BOUND
        made = self._bind_apart(types, returns, certain=certain)
        binder.bodies[key] = made
        return made

    def finish(self, types: tuple[Type, ...], returns: Type) -> None:
        """Bind the body finally, and keep what its names mean."""
        if len(types) != len(self._parameters):
            types = (UNKNOWN,) * len(self._parameters)
        types, certain = self._choose_types(types), not self._binder.unsure or None not in self._written
        body = self._binder.bodies.get((self._node, types, self._lambdas, None, _write_names(types), certain))
        if not isinstance(body, LambdaBody) or body.waits:
            body = self.bind(types, returns, certain=certain)
        self._binder.bindings.update(body.bindings)
        self._binder.errors += body.errors
        self._binder.unknowns += body.unknowns

    def _choose_types(self, types: tuple[Type, ...]) -> tuple[Type, ...]:
        """The types of the parameters: those that are written, else those that are given."""
        if len(types) != len(self._written) or not any(self._written):
            return types
        return tuple([given if said is None else said for said, given in zip(self._written, types, strict=True)])

    def _bind_apart(self, types: tuple[Type, ...], returns: Type | None, *, certain: bool) -> LambdaBody:
        """Bind the body with what it finds kept apart."""
        binder = self._binder
        before = binder.bindings, binder.errors, binder.unknowns, binder.lambdas, binder.unsure
        binder.bindings, binder.errors, binder.unknowns, binder.unsure = {}, 0, 0, False
        binder.lambdas = (*self._lambdas, (self._node, types))
        frame = self._frame.within(locals_=Locals(self._frame.locals))
        frame.results = []
        frame.returns = self._target(returns)
        try:
            with binder.within(frame):
                self._declare_parameters(types, certain=certain)
                return self._bind_body(returns)
        finally:
            binder.bindings, binder.errors, binder.unknowns, binder.lambdas, binder.unsure = before

    def _declare_parameters(self, types: Sequence[Type], *, certain: bool) -> None:
        discards = sum(each.name == _DISCARD for each in self._parameters) > 1
        for parameter, given in zip(self._parameters, types, strict=False):
            name, type_ = parameter.identifier, parameter.type if parameter.type is not None else given
            local = Local(type_, certain or parameter.type is not None, node=name, kind="parameter")
            if discards and parameter.name == _DISCARD:
                if name is not None:
                    self._binder.emit_place(name, name, local.kind, BindingRole.DECLARATION)
            elif name is None:
                self._binder.frame.locals.declare(parameter.name, local)
            else:
                self._binder.declare_local(name, local)

    def _target(self, returns: Type | None) -> Type:
        """What a `return` converts to."""
        if returns is None or not self.is_async:
            return returns if returns is not None else UNKNOWN
        if isinstance(returns, Named):
            return returns.arguments[0] if len(returns.arguments) == 1 else self._binder.session.types.void
        return UNKNOWN

    def _bind_body(self, returns: Type | None) -> LambdaBody:
        binder, types = self._binder, self._binder.session.types
        body = self._node.field("body") or next(iter(reversed(self._node.of_kind("block"))), None)
        block = body is not None and body.kind == "block"
        void, sure, results = False, True, binder.frame.results
        if block:
            binder.statement(body)
        else:
            expression = binder.expression(body)
            void, sure = isinstance(expression, Value) and expression.type == types.void, is_certain(expression)
            results = [] if void or expression is Bare.THROW else [expression]
            if returns is not None:
                target = binder.frame.returns
                binder.finish(expression, target if target != types.void else UNKNOWN)
        values = tuple(each for each in results if each is not Bare.NOTHING)
        return LambdaBody(
            *(values, binder.errors, binder.unknowns, binder.bindings, block),
            is_statement=block or (body is not None and _is_statement(body)),
            ends=block and body is not None and (len(values) < len(results) or Reachability(binder.fixed).ends(body)),
            is_void=void,
            waits=any(not isinstance(each, Value) for each in values),
            certain=sure and all(map(is_certain, values)),
        )


def _is_statement(node: Node) -> bool:
    """Whether an expression could stand as a statement."""
    return node.kind in _STATEMENTS or (node.kind in _CHANGES and (node.has("++") or node.has("--")))


class _Implied(_Binding):
    """The binding of a lambda that no syntax stands for.

    Attributes:
        declare: Declares what its body sees.
        body: Binds its body.
    """

    declare: Callable[[Sequence[Type]], None]
    body: Callable[[], Expression]

    def _declare_parameters(self, types: Sequence[Type], *, certain: bool) -> None:
        del certain  # what is declared knows of its own
        self.declare(types)

    def _bind_body(self, returns: Type | None) -> LambdaBody:
        binder = self._binder
        expression = self.body()
        void = isinstance(expression, Value) and expression.type == binder.session.types.void
        if returns is not None:
            binder.finish(expression, binder.frame.returns)
        found = ((expression,), binder.errors, binder.unknowns, binder.bindings)
        waits = not isinstance(expression, Value)
        return LambdaBody(*found, is_block=False, is_statement=False, ends=False, is_void=void, waits=waits)


def _write_names(types: tuple[Type, ...]) -> tuple[object, ...]:
    """The names of tuples' elements in some types, which are equal without them."""
    return tuple(_names_in(each) for each in types) if any(map(has_names, types)) else ()


def _names_in(type_: Type) -> tuple[object, ...]:
    if isinstance(type_, Named):
        return (type_.names, *map(_names_in, type_.arguments))
    return _names_in(type_.element) if isinstance(type_, (Array, Pointer)) else ()


_NOT_BOUND = LambdaBody(
    (Bare.UNKNOWN,), 0, 1, {}, is_block=False, is_statement=True, ends=False, is_void=False, waits=True
)

RULES: dict[str, Callable[[Binder, Node], Expression]] = {
    "lambda_expression": bind_lambda,
    "anonymous_method_expression": bind_anonymous_method,
}
"""The rules of lambdas."""
