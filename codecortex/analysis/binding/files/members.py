"""Binds the declarations of members: signatures and bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import bind_arguments, call_constructor
from codecortex.analysis.binding.body.frame import KEYWORD, Frame, Local, Locals
from codecortex.analysis.binding.declarations.signatures import read_parameters
from codecortex.analysis.binding.heads.parameters import (
    bind_attributes,
    bind_constraints,
    bind_parameters,
    bind_type_parameters,
    declare_parameters,
    make_nameable,
)
from codecortex.analysis.binding.statements.declarations import bind_body, bind_sizes, initial_of
from codecortex.analysis.binding.types.symbols import UNKNOWN, TypeKind
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.declarations.definitions import DeclaredMember, SourceDefinition
    from codecortex.analysis.binding.types.symbols import Member, Type
    from codecortex.model.code.syntax import Node

_STATIC = frozenset(("static", "const"))
_SETTERS = frozenset(("set", "init", "add", "remove"))
_WORDS = {
    "indexer_declaration": ("this", "parameters"),
    "conversion_operator_declaration": ("operator", "type"),
}
"""The words that stand for the names of members that have none, each with the field behind it."""
_FIELDS = frozenset(("field_declaration", "event_field_declaration"))


def bind_member_declaration(binder: Binder, node: Node, definition: SourceDefinition) -> None:
    """One declaration of a member."""
    declared = definition.declared(node)
    _declare_receiver(binder, definition)
    _bind_member_attributes(binder, node, declared)
    explicit = node.first("explicit_interface_specifier")
    for typed in explicit.nodes if explicit is not None else ():
        binder.type(typed)
    if declared is not None and declared.member.node is not None:
        _emit_declared(binder, node, declared.member)
    rule = _RULES.get(node.kind, _bind_function)
    binder.frame.is_static = not node.modifiers().isdisjoint(_STATIC)
    rule(binder, node, definition)


def _emit_declared(binder: Binder, node: Node, member: Member) -> None:
    """Keep what a member declares, where its name stands, or the word that is one for it."""
    name = node.field("name") or node.field("operator")
    word, before = _WORDS.get(node.kind, ("", ""))
    end = node.field(before)
    start = node.source.rfind(word.encode(), node.start, end.start) if end is not None and word else -1
    if name is not None:
        binder.emit_declaration(name, member)
    elif start >= 0:
        binder.emit_used(start, word, member, BindingRole.DECLARATION)
    elif member.node is not None:
        binder.emit_declaration(member.node, member)


def _bind_member_attributes(binder: Binder, node: Node, declared: DeclaredMember | None) -> None:
    """The attributes of a member: `nameof` in them sees its parameters and type parameters."""
    lists = node.of_kind("attribute_list")
    if not lists:
        return
    scope = declared.scope if declared is not None else None
    with binder.within(binder.frame.within(scope=scope)):
        listed = node.field("parameters") or node.first("parameter_list", "bracketed_parameter_list")
        make_nameable(binder, listed, declared.member.parameters if declared is not None else ())
        bind_attributes(binder, lists)


def _declare_receiver(binder: Binder, definition: SourceDefinition) -> None:
    """In an extension block, the receiver is a parameter of every member."""
    if definition.kind is TypeKind.EXTENSION:
        receiver = definition.receiver()
        name = definition.primary_name(receiver.name)
        binder.frame.locals.declare(receiver.name, Local(receiver.type, node=name, kind="parameter"))


def _within_initializer(binder: Binder, definition: SourceDefinition) -> AbstractContextManager[Frame]:
    """Where a field begins: there is no object yet, and parameters of the primary constructor come before members."""
    frame = Frame(binder.frame.scope, binder.frame.inside, Locals())
    frame.is_static = True
    for name, type_ in definition.primary_parameters().items():
        frame.locals.declare(name, Local(type_, node=definition.primary_name(name), kind="parameter"))
    return binder.within(frame)


def _bind_fields(binder: Binder, node: Node, definition: SourceDefinition) -> None:
    declared = node.first("variable_declaration")
    if declared is None:
        return
    type_ = binder.type(declared.field("type"))
    for each in declared.of_kind("variable_declarator"):
        member, name = definition.declared(each), each.field("name")
        if member is not None and name is not None:
            binder.emit_declaration(name, member.member)
        with _within_initializer(binder, definition):
            bind_sizes(binder, each)
            initial = initial_of(each)
            if initial is not None:
                binder.finish(binder.expression(initial), type_)


def _bind_property(binder: Binder, node: Node, definition: SourceDefinition) -> None:
    type_ = binder.type(node.field("type"))
    _bind_accessors(binder, node, type_, with_field=node.kind == "property_declaration")
    value = node.field("value")
    if value is not None and value.kind != "arrow_expression_clause":
        with _within_initializer(binder, definition):
            binder.finish(binder.expression(value), type_)


def _bind_indexer(binder: Binder, node: Node, definition: SourceDefinition) -> None:
    del definition
    type_ = binder.type(node.field("type"))
    listed = node.field("parameters")
    bind_parameters(binder, listed)
    declare_parameters(binder, listed, read_parameters(binder.session.syntax, listed, binder.frame.scope))
    _bind_accessors(binder, node, type_)


def _bind_accessors(binder: Binder, node: Node, type_: Type, *, with_field: bool = False) -> None:
    value = node.field("value")
    if value is not None and value.kind == "arrow_expression_clause":
        with binder.within(binder.block()):
            if with_field:
                binder.frame.locals.declare("field", Local(type_, kind=KEYWORD))
            bind_body(binder, value, type_)
    listed = node.field("accessors")
    for accessor in listed.of_kind("accessor_declaration") if listed is not None else ():
        bind_attributes(binder, accessor.of_kind("attribute_list"))
        name = accessor.field("name")
        word = name.text if name is not None else ""
        with binder.within(binder.block()):
            _declare_accessor_locals(binder, word, type_, with_field=with_field)
            bind_body(binder, accessor.field("body"), type_ if word == "get" else binder.session.types.void)


def _declare_accessor_locals(binder: Binder, word: str, type_: Type, *, with_field: bool) -> None:
    """`value` of a setter, and from C# 14 on the keyword `field` of a property."""
    if word in _SETTERS:
        binder.frame.locals.declare("value", Local(type_, kind="parameter"))
    inside = binder.frame.inside
    own = inside is not None and bool(binder.session.members.find(inside.this, "field").members)
    if with_field and (binder.session.conversions.types.spans or not own):
        binder.frame.locals.declare("field", Local(type_, kind=KEYWORD))


def _bind_function(binder: Binder, node: Node, definition: SourceDefinition) -> None:
    declared = definition.declared(node)
    scope = declared.scope if declared is not None else binder.frame.scope
    with binder.within(binder.frame.within(scope=scope)):
        written = node.field("returns") or node.field("type")
        returns = binder.type(written) if written is not None else binder.session.types.void
        bind_type_parameters(binder, node)
        listed = node.field("parameters")
        parameters = read_parameters(binder.session.syntax, listed, scope)
        bind_parameters(binder, listed, parameters)
        bind_constraints(binder, node)
        name = node.field("name")
        if name is not None and node.first("type_parameter_list") is not None:
            binder.session.asked.add_member(definition, name.name)  # an override inherits constraints
        declare_parameters(binder, listed, parameters)
        _bind_constructor_initializer(binder, node, definition)
        bind_body(binder, node.field("body"), returns, asynchronous="async" in node.modifiers())


def _bind_constructor_initializer(binder: Binder, node: Node, definition: SourceDefinition) -> None:
    """`: this(a)`, `: base(a)`."""
    initializer = node.first("constructor_initializer")
    if initializer is None:
        return
    own = initializer.has("this")
    target: Type = definition.this if own else definition.bases.base or UNKNOWN
    with binder.within(binder.frame.within(locals_=binder.frame.locals)):  # the body sees what is declared in it
        binder.frame.is_static = True  # there is no object yet
        chosen = call_constructor(
            binder, target, bind_arguments(binder, initializer.first("argument_list")), as_base=True
        )
    word = b"this" if own else b"base"
    start = initializer.start + initializer.source[initializer.start : initializer.end].find(word)
    if chosen is not None:
        binder.emit_implied(start, chosen.member, BindingRole.CONSTRUCTOR)


_RULES: dict[str, Callable[[Binder, Node, SourceDefinition], None]] = {
    **dict.fromkeys(_FIELDS, _bind_fields),
    "property_declaration": _bind_property,
    "event_declaration": _bind_property,
    "indexer_declaration": _bind_indexer,
}
