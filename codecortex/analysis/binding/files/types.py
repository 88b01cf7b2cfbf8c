"""Binds the declarations of types: heads and members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import bind_arguments, call_constructor
from codecortex.analysis.binding.body.frame import Frame, Local, Locals
from codecortex.analysis.binding.declarations.heads import TYPES
from codecortex.analysis.binding.declarations.signatures import read_parameters
from codecortex.analysis.binding.files.members import bind_member_declaration
from codecortex.analysis.binding.heads.parameters import (
    bind_attributes,
    bind_constraints,
    bind_parameters,
    bind_type_parameters,
    declare_parameters,
)
from codecortex.analysis.binding.scopes.type_syntax import last_identifier
from codecortex.analysis.binding.types.symbols import TypeKind
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.declarations.definitions import Part, SourceDefinition
    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.model.code.syntax import Node


def bind_type(binder: Binder, node: Node) -> None:
    """One declaration of a type."""
    part = binder.file.types.get(node)
    if part is None or not binder.is_asked(node):
        return
    definition, scope = part.definition, part.scope
    definition.place_parameters(node)
    inside = definition.container if definition.kind is TypeKind.EXTENSION else definition
    with binder.within(Frame(scope, inside, Locals())):
        _declare_type(binder, node, definition)
        bind_attributes(binder, node.of_kind("attribute_list"))
        bind_type_parameters(binder, node)
        if definition.kind is TypeKind.DELEGATE:
            binder.type(node.field("type"))
            listed = node.field("parameters")
            parameters = read_parameters(binder.session.syntax, listed, scope)
            bind_parameters(binder, listed, parameters)
            declare_parameters(binder, listed, parameters)
        else:
            bind_parameters(binder, definition.primary_list(node))
        _bind_bases(binder, definition, part)
        bind_constraints(binder, node, definition.head_scope(part))
        _bind_body(binder, definition, part)


def _declare_type(binder: Binder, node: Node, definition: SourceDefinition) -> None:
    name = node.field("name")
    if name is not None and definition.kind is not TypeKind.EXTENSION:
        binder.emit_declaration(name, definition)
    primary = definition.primary_list(node)
    for parameter in primary.of_kind("parameter") if primary is not None else ():
        declared, written = definition.declared(parameter), parameter.field("name")
        if written is not None and declared is not None:
            binder.emit_declaration(written, declared.member)
        elif written is not None:
            binder.emit_place(written, written, "parameter", BindingRole.DECLARATION)


def _bind_bases(binder: Binder, definition: SourceDefinition, part: Part) -> None:
    written = part.node.first("base_list")
    if written is None or not binder.is_asked(written):
        return
    head: Scope = definition.head_scope(part)
    for node, holder in definition.base_syntax(part.node):
        base = binder.type(node, head)
        listed = holder.first("argument_list") or written.first("argument_list")
        if listed is not None and base == definition.bases.base:
            with binder.within(binder.block()):
                binder.frame.is_static = True
                for parameter, type_ in definition.primary_parameters().items():
                    local = Local(type_, node=definition.primary_name(parameter), kind="parameter")
                    binder.frame.locals.declare(parameter, local)
                chosen = call_constructor(binder, base, bind_arguments(binder, listed), as_base=True)
            written_name = last_identifier(node)
            if chosen is not None and written_name is not None:
                binder.emit_implied(written_name.start, chosen.member, BindingRole.CONSTRUCTOR)


def _bind_body(binder: Binder, definition: SourceDefinition, part: Part) -> None:
    body = part.node.field("body")
    if body is None:
        return
    if definition.kind is TypeKind.ENUM:
        for member in filter(binder.is_asked, body.of_kind("enum_member_declaration")):
            bind_attributes(binder, member.of_kind("attribute_list"))
            declared, name = definition.declared(member), member.field("name")
            if declared is not None and name is not None:
                binder.emit_declaration(name, declared.member)
            value = member.field("value")
            if value is not None:
                binder.finish(binder.expression(value), binder.session.types.int)
        return
    _bind_members(binder, body.pick(binder.is_asked_within), definition)


def _bind_members(binder: Binder, nodes: Iterable[Node], definition: SourceDefinition) -> None:
    for node in nodes:
        if node.kind in TYPES:
            bind_type(binder, node)
        elif node.kind == "ERROR":
            _bind_members(binder, node.nodes, definition)
        elif node.kind.endswith("_declaration") and binder.is_asked(node):
            with binder.within(Frame(binder.frame.scope, binder.frame.inside, Locals())):
                bind_member_declaration(binder, node, definition)
            binder.bodies.clear()  # nothing outside of a member asks for those of its lambdas
