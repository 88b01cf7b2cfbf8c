"""Binds compilation units: using directives, namespaces, attributes, top-level statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.frame import Frame, Local, Locals
from codecortex.analysis.binding.declarations.heads import NAMESPACES, TYPES
from codecortex.analysis.binding.files.types import bind_type
from codecortex.analysis.binding.heads.parameters import bind_attributes
from codecortex.analysis.binding.scopes.type_syntax import NAMES
from codecortex.analysis.binding.statements.declarations import hoist
from codecortex.analysis.binding.types.symbols import Array

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.scopes.scopes import NamespaceScope
    from codecortex.model.code.syntax import Node


def bind_unit(binder: Binder) -> None:
    """The whole file, but for its documentation."""
    _bind_all(binder, binder.file.tree.root.nodes, binder.file.scope)


def _bind_all(binder: Binder, nodes: Sequence[Node], scope: NamespaceScope) -> None:
    for node in nodes:
        if node.kind == "using_directive":
            _bind_using(binder, node, scope)
        elif node.kind in NAMESPACES:
            inner = binder.file.namespaces.get(node)
            body = node.field("body")
            if inner is not None:
                _bind_all(binder, body.nodes if body is not None else node.nodes, inner)
                scope = inner if body is None else scope
        elif node.kind in TYPES:
            bind_type(binder, node)
        elif node.kind == "global_attribute":
            with binder.within(Frame(scope, None, Locals())):
                bind_attributes(binder, [node])
        elif node.kind in ("ERROR", "declaration_list"):
            _bind_all(binder, node.nodes, scope)
    _bind_top_level(binder, [each for each in nodes if each.kind == "global_statement"], scope)


def _bind_using(binder: Binder, node: Node, scope: NamespaceScope) -> None:
    """The type that a directive names; a namespace is no symbol here."""
    name = node.field("name")
    rest = node.without(name)
    target = rest[-1] if rest else name
    if target is None or not (node.has("static") or (rest and name is not None)):
        return
    bare = scope.without_usings()
    if target.kind in NAMES:
        binder.session.syntax.find(target, bare, binder.emit_type)
    else:
        binder.type(target, bare)


def _bind_top_level(binder: Binder, statements: Iterable[Node], scope: NamespaceScope) -> None:
    """Statements outside of types: they stand in a method of `Program`."""
    nodes = [each for statement in statements for each in statement.nodes]
    if not nodes:
        return
    declared = binder.session.universe.declared_in("", "Program")
    inside = next((each for each in declared if each.project == binder.file.project), None)
    with binder.within(Frame(scope, inside, Locals())):
        binder.frame.locals.declare("args", Local(Array(binder.session.types.string), kind="parameter"))
        hoist(binder, nodes)
        for each in nodes:
            binder.statement(each)
