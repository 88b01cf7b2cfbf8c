"""Binds attributes, parameters and constraints."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import (
    UNSURE_OVERLOAD,
    bind_argument,
    constructors_of,
    emit_argument_names,
    finish_arguments,
    resolve,
)
from codecortex.analysis.binding.body.frame import Local, Locals
from codecortex.analysis.binding.declarations.heads import type_parameter_list
from codecortex.analysis.binding.declarations.signatures import default_of
from codecortex.analysis.binding.scopes.type_syntax import last_identifier
from codecortex.analysis.binding.types.symbols import UNKNOWN, Named
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Argument
    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.analysis.binding.types.symbols import Parameter, Type
    from codecortex.model.code.syntax import Node


def bind_attributes(binder: Binder, lists: Iterable[Node]) -> None:
    """The attributes of some lists, at the place that is bound."""
    for listed in filter(binder.is_asked, lists):
        for attribute in listed.of_kind("attribute"):
            name = attribute.field("name")
            if name is not None:
                with binder.within(binder.block()):
                    _bind_attribute(binder, attribute, name)


def _bind_attribute(binder: Binder, attribute: Node, name: Node) -> None:
    type_ = binder.session.syntax.bind_attribute(name, binder.frame.scope, binder.emit_type)
    listed = attribute.first("attribute_argument_list")
    arguments: list[Argument] = []
    for node in listed.of_kind("attribute_argument") if listed is not None else ():
        assigned = node.field("name")
        if assigned is not None and node.has("="):
            found = binder.session.members.find(type_, assigned.name).members
            if found:
                binder.emit(assigned, found[0].member)
            for each in node.without(assigned):
                binder.finish(binder.expression(each), found[0].type if found else UNKNOWN)
        else:
            arguments.append(bind_argument(binder, node))
    _choose_constructor(binder, type_, arguments, last_identifier(name))


def _choose_constructor(binder: Binder, type_: Type, arguments: list[Argument], name: Node | None) -> None:
    best = None
    if isinstance(type_, Named):
        resolution = resolve(binder, constructors_of(binder, type_), arguments)
        best = resolution.best
        if best is not None and resolution.certain and name is not None:
            binder.emit_implied(name.start, best.member, BindingRole.ATTRIBUTE)
        if best is not None:
            emit_argument_names(binder, arguments, best.member, "" if resolution.certain else UNSURE_OVERLOAD)
    finish_arguments(binder, arguments, best.types if best is not None else ())


def make_nameable(binder: Binder, listed: Node | None, parameters: Iterable[Parameter]) -> None:
    """Let `nameof` see the parameters of a list, at the place that is bound."""
    binder.frame.nameable = Locals(binder.frame.locals)
    binder.frame.nameable.declared = _list_nameable(listed, parameters)


def _list_nameable(listed: Node | None, parameters: Iterable[Parameter]) -> dict[str, Local]:
    names = [each.field("name") for each in listed.of_kind("parameter")] if listed is not None else []
    return {
        parameter.name: Local(parameter.type, node=name, kind="parameter")
        for parameter, name in zip_longest(parameters, names)
        if parameter is not None
    }


def bind_parameters(binder: Binder, listed: Node | None, parameters: Iterable[Parameter] = ()) -> None:
    """The types, attributes and default values of parameters."""
    nameable: dict[str, Local] | None = None
    for parameter in listed.of_kind("parameter") if listed is not None else ():
        attributes = parameter.of_kind("attribute_list")
        if attributes:
            nameable = nameable if nameable is not None else _list_nameable(listed, parameters)
            with binder.within(binder.block()):
                shared = Locals(binder.frame.locals)
                shared.declared = nameable
                binder.frame.nameable = Locals(shared)  # what `nameof` itself declares, others do not see
                bind_attributes(binder, attributes)
        typed = parameter.field("type")
        if typed is not None:
            type_ = binder.type(typed)
            default = default_of(parameter)
            if default is not None:
                binder.finish(binder.expression(default), type_)
    bind_attributes(binder, listed.of_kind("attribute_list") if listed is not None else ())


def declare_parameters(binder: Binder, listed: Node | None, parameters: Iterable[Parameter]) -> None:
    """Let a body see the parameters of a list, at the place that is bound."""
    nodes = listed.of_kind("parameter") if listed is not None else ()
    for node, parameter in zip(nodes, parameters, strict=True):
        name = node.field("name")
        if name is not None:
            binder.declare_local(name, Local(parameter.type, node=name, kind="parameter"))


def bind_type_parameters(binder: Binder, node: Node) -> None:
    """The attributes of a declaration's type parameters, and what their names declare."""
    for parameter in type_parameter_list(node):
        bind_attributes(binder, parameter.of_kind("attribute_list"))
        name = parameter.field("name")
        if name is not None:
            binder.emit_place(name, name, "type parameter", BindingRole.DECLARATION)


def bind_constraints(binder: Binder, node: Node, scope: Scope | None = None) -> None:
    """The constraints of a declaration's type parameters; of a type's, what lies in it is not seen."""
    declared = {name.name: name for each in type_parameter_list(node) if (name := each.field("name")) is not None}
    for clause in node.of_kind("type_parameter_constraints_clause"):
        constrained = clause.first("identifier")
        if constrained is not None and constrained.name in declared:
            binder.emit_place(constrained, declared[constrained.name], "type parameter", BindingRole.TYPE)
        for constraint in clause.of_kind("type_parameter_constraint"):
            typed = constraint.field("type")
            if typed is not None:
                binder.type(typed, scope)
