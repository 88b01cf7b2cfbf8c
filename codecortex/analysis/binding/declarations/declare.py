"""Declares the namespaces and types of files, and opens their scopes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.binding.declarations.definitions import Part, SourceDefinition
from codecortex.analysis.binding.declarations.members import read_access
from codecortex.analysis.binding.declarations.signatures import type_parameter_list
from codecortex.analysis.binding.scopes.scopes import NamespaceScope, TypeScope, Using
from codecortex.analysis.binding.types.symbols import TypeKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.analysis.binding.scopes.type_syntax import TypeSyntax
    from codecortex.analysis.binding.scopes.universe import Universe
    from codecortex.analysis.binding.types.wellknown import WellKnown
    from codecortex.model.code.syntax import Node, SyntaxTree

TYPES = {
    "class_declaration": TypeKind.CLASS,
    "record_declaration": TypeKind.CLASS,
    "struct_declaration": TypeKind.STRUCT,
    "interface_declaration": TypeKind.INTERFACE,
    "enum_declaration": TypeKind.ENUM,
    "delegate_declaration": TypeKind.DELEGATE,
    "extension_declaration": TypeKind.EXTENSION,
}
_NOISE = re.compile(r"[\s@]|global::")
_NAMESPACES = frozenset(("namespace_declaration", "file_scoped_namespace_declaration"))


class DeclaredFile(NamedTuple):
    """A file, its types declared.

    Attributes:
        path: Its path.
        project: The path of the project that it is read for.
        tree: Its syntax.
        scope: Its outermost scope.
        namespaces: The scopes of its namespaces.
        types: The definitions of its types, and the scopes of their insides.
    """

    path: str
    project: str
    tree: SyntaxTree
    scope: NamespaceScope
    namespaces: dict[Node, NamespaceScope]
    types: dict[Node, tuple[SourceDefinition, TypeScope]]


class Declarations:
    """Declares the types of the files of all projects."""

    def __init__(self, universe: Universe, syntax: TypeSyntax, types: WellKnown) -> None:
        self._universe = universe
        self._environment = (syntax, types)
        self._everywhere: dict[str, NamespaceScope] = {}
        self._known: dict[tuple[object, ...], SourceDefinition] = {}
        self.definitions: list[SourceDefinition] = []

    def everywhere(self, project: str) -> NamespaceScope:
        """The scope of the using directives that hold in all files of a project."""
        known = self._everywhere.get(project)
        if known is None:
            known = self._everywhere[project] = NamespaceScope("", None, project, "")
        return known

    def declare(self, path: str, project: str, tree: SyntaxTree) -> DeclaredFile:
        """Declare the types of one file."""
        scope = NamespaceScope("", None, project, path)
        scope.everywhere = self.everywhere(project)
        file = DeclaredFile(path, project, tree, scope, {}, {})
        self._read_usings(tree.root.nodes, scope)
        inner = scope
        for node in tree.root.nodes:
            if node.kind == "file_scoped_namespace_declaration":
                inner = self._open_namespace(node, scope, file)
                self._read_usings(node.nodes, inner)
                self._declare_all(node.nodes, inner, file, None)
            elif node.kind == "using_directive" and inner is not scope:
                add_using(node, inner, inner)
        self._declare_all(tree.root.nodes, inner, file, None)
        if any(node.kind == "global_statement" for node in tree.root.nodes):
            self._declare_program(tree.root, scope)
        return file

    def _declare_program(self, root: Node, scope: NamespaceScope) -> None:
        """The class around statements that stand outside of types."""
        declared = self._universe.declared_in("", "Program")
        if not any(each.project == scope.project for each in declared):
            definition = SourceDefinition(self._environment, ("", "Program"), 0, TypeKind.CLASS, None)
            definition.project, definition.access = scope.project, "internal"
            definition.parts.append(Part(root, TypeScope(definition, scope)))
            self._universe.add_type(definition)

    def _read_usings(self, nodes: Iterable[Node], scope: NamespaceScope) -> None:
        for node in nodes:
            if node.kind == "using_directive":
                everywhere = node.has("global") and scope.everywhere is not None
                add_using(node, scope, scope.everywhere if everywhere and scope.everywhere is not None else scope)
            elif node.kind in _NAMESPACES:
                return

    def _open_namespace(self, node: Node, scope: NamespaceScope, file: DeclaredFile) -> NamespaceScope:
        """The scope of a namespace, one level for each part of its name."""
        name = node.field("name")
        written = "".join(name.text.split()).replace("@", "") if name is not None else ""
        for part in written.split("."):
            full = f"{scope.namespace}.{part}" if scope.namespace else part
            self._universe.add_namespace(full, scope.project)
            scope = NamespaceScope(full, scope, scope.project, scope.file)
        file.namespaces[node] = scope
        return scope

    def _declare_all(
        self, nodes: Iterable[Node], scope: NamespaceScope | TypeScope, file: DeclaredFile,
        container: SourceDefinition | None,
    ) -> None:  # fmt: skip
        for node in nodes:
            if node.kind in TYPES:
                self._declare_type(node, scope, file, container)
            elif node.kind == "namespace_declaration" and isinstance(scope, NamespaceScope):
                inner, body = self._open_namespace(node, scope, file), node.field("body")
                if body is not None:
                    self._read_usings(body.nodes, inner)
                    self._declare_all(body.nodes, inner, file, None)
            elif node.kind in ("ERROR", "declaration_list"):
                self._declare_all(node.nodes, scope, file, container)

    def _declare_type(
        self, node: Node, scope: NamespaceScope | TypeScope, file: DeclaredFile, container: SourceDefinition | None
    ) -> None:
        name = node.field("name")
        kind = _name_kind(node)
        if name is None or (kind is TypeKind.EXTENSION and container is None):
            return
        definition = self._find_definition(node, kind, scope, container)
        part = Part(node, TypeScope(definition, scope))
        definition.parts.append(part)
        file.types[node] = (definition, part.scope)
        _read_modifiers(definition, node)
        body = node.field("body")
        if body is not None and kind is not TypeKind.ENUM:
            self._declare_all(body.nodes, part.scope, file, definition)

    def _find_definition(
        self, node: Node, kind: TypeKind, scope: NamespaceScope | TypeScope, container: SourceDefinition | None
    ) -> SourceDefinition:
        """The definition that a declaration is a part of."""
        name, arity = _name_of(node), len(type_parameter_list(node))
        namespace = scope.namespace_scope().namespace
        if kind is TypeKind.EXTENSION and container is not None:
            return self._add_extension_block(namespace, arity, container)
        local = scope.file if "file" in node.modifiers() else ""
        around = container.id if container is not None else namespace
        key = (scope.project, around, name, arity, local)
        known = self._known.get(key)
        if known is None:
            known = SourceDefinition(self._environment, (namespace, name), arity, kind, container)
            known.project = scope.project
            known.is_record = node.kind == "record_declaration"
            self._known[key] = known
            self.definitions.append(known)
            if container is not None:
                container.add_nested(known)
            else:
                self._universe.add_type(known, local)
        return known

    def _add_extension_block(self, namespace: str, arity: int, container: SourceDefinition) -> SourceDefinition:
        block = SourceDefinition(self._environment, (namespace, ""), arity, TypeKind.EXTENSION, container)
        block.project, block.id, block.is_static = container.project, container.id, True
        container.extension_blocks.append(block)
        return block


def add_using(node: Node, scope: NamespaceScope, target: NamespaceScope) -> None:
    """Add a using directive to the scope in which it holds."""
    name = node.field("name")
    rest = node.without(name)
    target_node = rest[-1] if rest else name
    if target_node is None:
        return
    using = Using(target_node, scope, _NOISE.sub("", target_node.text))
    if name is not None and rest:
        target.aliases[name.name] = using
    elif node.has("static"):
        target.statics.append(using)
    else:
        target.usings.append(using)


def _name_of(node: Node) -> str:
    name = node.field("name")
    return name.name if name is not None else ""


def _name_kind(node: Node) -> TypeKind:
    return TypeKind.STRUCT if node.kind == "record_declaration" and node.has("struct") else TYPES[node.kind]


def _read_modifiers(definition: SourceDefinition, node: Node) -> None:
    modifiers = node.modifiers()
    definition.is_static |= "static" in modifiers
    definition.is_abstract |= "abstract" in modifiers
    definition.is_sealed |= "sealed" in modifiers or definition.kind is not TypeKind.CLASS
    around = definition.container
    private = around is not None and around.kind is not TypeKind.INTERFACE
    definition.access = read_access(modifiers) or definition.access or ("private" if private else "")
    attributes = " ".join(each.text for each in node.of_kind("attribute_list"))
    definition.is_handler |= "InterpolatedStringHandler" in attributes
    definition.builder |= "CollectionBuilder" in attributes
