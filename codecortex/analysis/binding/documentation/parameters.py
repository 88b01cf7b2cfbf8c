"""Binds the parameters and type parameters that documentation names: those of the declaration behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.heads import find_named, type_parameter_list
from codecortex.analysis.binding.types.symbols import TypeKind
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.documentation.anchors import Anchor
    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.model.code.syntax import DocumentedName, Node

_COMMENT = rb"//[^\n]*+|/\*[^*]*+\*++(?>(?:[^/*][^*]*+\*++)*)/"
_BETWEEN = compile_later(rb"\s*+(?>(?:(?:#[^\n]*+|" + _COMMENT + rb")\s*+)*)")
"""What may stand between a comment and the declaration that it belongs to."""
_PARAMETER, _TYPE_PARAMETER = "parameter", "type parameter"
_LISTS = ("parameter_list", "bracketed_parameter_list")
_SETTERS = frozenset(("set", "init"))
_VALUE = "value"


def bind_documented_name(binder: Binder, documented: DocumentedName, anchor: Anchor) -> None:
    """Keep what a comment before a declaration calls a parameter, or a type parameter."""
    node = anchor.find_node()
    if node is None or _BETWEEN.fullmatch(binder.file.tree.root.source, documented.end, node.start) is None:
        return
    if documented.of_type:
        _bind_type_parameter(binder, documented, anchor, node)
        return
    declared = find_named(_list_parameters(node), documented.name)
    if declared is not None:
        binder.emit_documented(documented, declared, _PARAMETER)
    elif documented.is_reference:
        _bind_implied(binder, documented, anchor, node)


def _bind_type_parameter(binder: Binder, documented: DocumentedName, anchor: Anchor, node: Node) -> None:
    declared = find_named(type_parameter_list(node), documented.name)
    if declared is not None:
        binder.emit_documented(documented, declared, _TYPE_PARAMETER)
    elif documented.is_reference:
        around = (find_named(type_parameter_list(each), documented.name) for each in _list_around(binder, anchor))
        declared = next((each for each in around if each is not None), None)
        if declared is not None:
            binder.emit_documented(documented, declared, _TYPE_PARAMETER)


def _bind_implied(binder: Binder, documented: DocumentedName, anchor: Anchor, node: Node) -> None:
    """The receiver of the extension block around, or what a setter takes."""
    within = anchor.inside is not None and anchor.inside.kind is TypeKind.EXTENSION
    block = next(_list_around(binder, anchor), None) if within else None
    receiver = find_named(_list_parameters(block), documented.name) if block is not None else None
    if receiver is not None or (documented.name == _VALUE and _has_setter(node)):
        binder.emit_documented(documented, receiver, _PARAMETER)


def _list_around(binder: Binder, anchor: Anchor) -> Iterator[Node]:
    """The declarations of the types around a declaration, the innermost first; of a type, itself is the first."""
    nodes = {part.scope: node for node, part in binder.file.types.items()}
    scope: Scope | None = anchor.scope
    while scope is not None:
        if scope in nodes:
            yield nodes[scope]
        scope = scope.parent


def _list_parameters(node: Node) -> Iterable[Node]:
    listed = node.field("parameters") or node.first(*_LISTS)
    return listed.of_kind("parameter") if listed is not None else ()


def _has_setter(node: Node) -> bool:
    listed = node.field("accessors") if node.kind in ("property_declaration", "indexer_declaration") else None
    names = (each.field("name") for each in listed.of_kind("accessor_declaration")) if listed is not None else ()
    return any(each is not None and each.text in _SETTERS for each in names)
