"""Declares the namespaces and types of files by their heads, and opens their scopes."""

from __future__ import annotations

from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from codecortex.analysis.binding.declarations.definitions import Part, SourceDefinition
from codecortex.analysis.binding.declarations.file_names import ESCAPE, PROGRAM
from codecortex.analysis.binding.declarations.heads import read_using
from codecortex.analysis.binding.scopes.scopes import NamespaceScope, TypeScope, Using
from codecortex.analysis.binding.types.symbols import TypeKind
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.binding.declarations.heads import ScopeHead, TypeHead, UsingHead
    from codecortex.analysis.binding.declarations.pending import FileKey, PendingFiles
    from codecortex.analysis.binding.declarations.source import Source
    from codecortex.analysis.binding.scopes.type_syntax import TypeSyntax
    from codecortex.analysis.binding.scopes.universe import Universe
    from codecortex.analysis.binding.types.wellknown import WellKnown
    from codecortex.model.code.syntax import Node, SyntaxTree

_Key = TypeVar("_Key")
_Known = TypeVar("_Known")
_WORD = compile_later(r"\w+")
_NOISE = compile_later(r"[\s@]|global::")


class DeclaredFile:
    """A file, its types declared; which node of its syntax declares what is found out when that is asked for.

    Attributes:
        path: Its path.
        project: The path of the project that it is read for.
        source: Its text and syntax.
        scope: Its outermost scope.
        scopes: The scopes of its namespaces, that of the file first.
        parts: The declarations of its types.
        rank: Its number among all files.
    """

    def __init__(self, path: str, source: Source, scope: NamespaceScope, rank: int) -> None:
        self.path = path
        self.rank = rank
        self.project = scope.project
        self.source = source
        self.scope = scope
        self.scopes: list[NamespaceScope] = [scope]
        self.parts: list[Part] = []

    @property
    def tree(self) -> SyntaxTree:
        """Its syntax."""
        return self.source.tree

    def open(self) -> None:
        """Read its syntax, if that still waits."""
        self.source.declared  # noqa: B018 - remembered

    @cached_property
    def namespaces(self) -> Mapping[Node, NamespaceScope]:
        """The scopes of its namespaces, by their declarations."""
        declared = self.source.declared
        names = [each.namespace for each in declared.head.scopes[1:]]
        pairs = _pair(declared.namespaces, names, self.scopes[1:], [e.namespace for e in self.source.head.scopes[1:]])
        return dict(pairs)

    @cached_property
    def types(self) -> Mapping[Node, Part]:
        """The declarations of its types, by their nodes."""
        declared, head = self.source.declared, self.source.head
        return dict(_pair(declared.types, _write_keys(declared.head.types), self.parts, _write_keys(head.types)))

    def list_definitions(self) -> Iterator[SourceDefinition]:
        """What its declarations declare, each with each of its parts."""
        return (part.definition for part in self.parts)

    @cached_property
    def nodes(self) -> Mapping[Part, Node]:
        """The nodes that declare its types."""
        return {part: node for node, part in self.types.items()}

    def find_using(self, scope: int, using: UsingHead) -> Node | None:
        """What a directive names."""
        declared = self.source.declared
        found = zip(declared.head.scopes[scope].usings, declared.usings[scope], strict=True)
        return next((node for head, node in found if (head.text, head.alias) == (using.text, using.alias)), None)


def _pair(
    found: Sequence[Node], keys: Sequence[_Key], known: Sequence[_Known], wanted: Sequence[_Key]
) -> Iterable[tuple[Node, _Known]]:
    """What is found beside what is known under the same key; of several under one key, in order."""
    if keys == wanted:
        return zip(found, known, strict=True)
    waiting: dict[_Key, list[_Known]] = {}
    for key, each in zip(reversed(wanted), reversed(known), strict=True):
        waiting.setdefault(key, []).append(each)
    return [(each, waiting[key].pop()) for each, key in zip(found, keys, strict=True) if waiting.get(key)]


def _write_keys(types: Sequence[TypeHead]) -> list[tuple[object, ...]]:
    """What tells the types of a file from each other: their names and those of the types around them."""
    keys: list[tuple[object, ...]] = []
    for each in types:
        around = keys[each.outer] if each.outer >= 0 else ()
        keys.append((*around, each.name, each.arity, each.kind))
    return keys


class Declarations:
    """Declares the types of the files of all projects."""

    def __init__(
        self, universe: Universe, syntax: TypeSyntax, types: WellKnown, pending: PendingFiles[DeclaredFile]
    ) -> None:
        self._universe = universe
        self._pending = pending
        self._environment = (syntax, types)
        self._everywhere: dict[str, NamespaceScope] = {}
        self._known: dict[tuple[object, ...], SourceDefinition] = {}
        self._by_name: dict[str, list[SourceDefinition]] = {}
        self._by_id: dict[str, list[SourceDefinition]] = {}
        self._files: dict[FileKey, DeclaredFile] = {}

    def everywhere(self, project: str) -> NamespaceScope:
        """The scope of the using directives that hold in all files of a project."""
        known = self._everywhere.get(project)
        if known is None:
            known = self._everywhere[project] = NamespaceScope("", None, project, "")
        return known

    # -- what is declared, in the order of files

    @property
    def definitions(self) -> Sequence[SourceDefinition]:
        """All types but those that the compiler adds."""
        self._pending.open_all()
        return _sort(each for named in self._by_name.values() for each in named)

    def find_named(self, name: str) -> Sequence[SourceDefinition]:
        """The types of a simple name."""
        self._pending.open_named(name)
        return _sort(self._by_name.get(name, ()))

    def find_identified(self, id_: str) -> Sequence[SourceDefinition]:
        """The types of a documentation id without `T:`."""
        self._pending.open_id(id_)
        return _sort(self._by_id.get(id_, ()))

    def list_extending(self, name: str) -> Iterator[SourceDefinition]:
        """The classes that may declare an extension member of a name."""
        listed: dict[SourceDefinition, None] = {}
        for key in self._pending.open_extending(name):
            file = self._files.get(key)  # which is missing where no project at hand sees it
            listed |= dict.fromkeys(part.definition for part in file.parts) if file is not None else {}
        for each in _sort(listed):
            if each.is_static and not each.arity and each.container is None and name in each.list_extensions():
                yield each

    def list_aliases(self, words: Collection[str]) -> Iterator[str]:
        """The aliases that hold in all of a project and may stand for a type of one of some names."""
        for scope in self._everywhere.values():
            for name, using in scope.aliases.items():
                if ESCAPE in using.text or not set(_WORD.findall(using.text)).isdisjoint(words):
                    yield name

    def file(self, key: FileKey) -> DeclaredFile:
        """A file that was declared."""
        return self._files[key]

    # -- declaring

    def declare(self, path: str, project: str, source: Source, rank: int) -> DeclaredFile:
        """Declare the types of one file, which has a number among all files."""
        scope = NamespaceScope("", None, project, path)
        scope.everywhere = self.everywhere(project)
        file = self._files[path, project] = DeclaredFile(path, source, scope, rank)
        head = source.head
        for number, each in enumerate(head.scopes):
            inner = self._open_namespace(each, file) if number else scope
            for using in each.usings:
                target = scope.everywhere if using.everywhere and not number else inner
                _add(using, inner, target, partial(file.find_using, number, using))
        for one in head.types:
            self._declare_type(one, file)
        if head.is_program:
            self._declare_program(source, scope, rank)
        return file

    def _declare_program(self, source: Source, scope: NamespaceScope, rank: int) -> None:
        """The class around statements that stand outside of types."""
        declared = self._universe.list_declared(*PROGRAM)
        if not any(each.project == scope.project for each in declared):
            definition = SourceDefinition(self._environment, PROGRAM, 0, TypeKind.CLASS, None)
            definition.project, definition.access = scope.project, "internal"
            definition.order = (rank, 0)
            definition.parts.append(
                Part(definition, None, TypeScope(definition, scope), lambda: source.tree.root, source)
            )
            self._universe.add_type(definition)

    def _open_namespace(self, head: ScopeHead, file: DeclaredFile) -> NamespaceScope:
        """The scope of a namespace, one level for each part of its name."""
        scope = file.scopes[head.parent]
        for part in head.namespace.split("."):
            full = f"{scope.namespace}.{part}" if scope.namespace else part
            scope = NamespaceScope(full, scope, scope.project, scope.file)
        file.scopes.append(scope)
        return scope

    def _declare_type(self, head: TypeHead, file: DeclaredFile) -> None:
        outer = file.parts[head.outer] if head.outer >= 0 else None
        container = outer.definition if outer is not None else None
        around = outer.scope if outer is not None else file.scopes[head.scope]
        definition = self._find_definition(head, around, container, (file.rank, len(file.parts) + 1))
        part = Part(definition, head, TypeScope(definition, around), lambda: file.nodes.get(part), file.source)
        definition.parts.append(part)
        file.parts.append(part)
        _read_modifiers(definition, head)

    def _find_definition(
        self,
        head: TypeHead,
        scope: NamespaceScope | TypeScope,
        container: SourceDefinition | None,
        order: tuple[int, int],
    ) -> SourceDefinition:
        """The definition that a declaration is a part of; `order` is where that stands."""
        name, arity = head.name, head.arity
        namespace = scope.namespace_scope().namespace
        if head.kind is TypeKind.EXTENSION and container is not None:
            return self._add_extension_block(namespace, arity, container)
        local = scope.file if "file" in head.modifiers else ""
        around = container.id if container is not None else namespace
        key = (scope.project, around, name, arity, local)
        known = self._known.get(key)
        if known is None:
            known = SourceDefinition(self._environment, (namespace, name), arity, head.kind, container)
            known.project = scope.project
            known.is_record = head.is_record
            known.order = order
            self._known[key] = known
            self._by_name.setdefault(name, []).append(known)
            self._by_id.setdefault(known.id, []).append(known)
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


def _sort(definitions: Iterable[SourceDefinition]) -> Sequence[SourceDefinition]:
    return sorted(definitions, key=attrgetter("order"))


def add_using(node: Node, scope: NamespaceScope, target: NamespaceScope) -> None:
    """Add a using directive to the scope in which it holds."""
    read = read_using(node)
    if read is not None:
        using, named = read
        _add(using, scope, target, lambda: named)


def _add(using: UsingHead, scope: NamespaceScope, target: NamespaceScope, find: Callable[[], Node | None]) -> None:
    made = Using(using.text, scope, _NOISE.sub("", using.text), find)
    if using.alias:
        target.aliases[using.alias] = made
    elif using.static:
        target.statics.append(made)
    else:
        target.usings.append(made)


def _read_modifiers(definition: SourceDefinition, head: TypeHead) -> None:
    definition.is_static |= "static" in head.modifiers
    definition.is_ref |= "ref" in head.modifiers
    definition.is_abstract |= "abstract" in head.modifiers
    definition.is_sealed |= "sealed" in head.modifiers or definition.kind is not TypeKind.CLASS
    around = definition.container
    private = around is not None and around.kind is not TypeKind.INTERFACE
    definition.access = head.access or definition.access or ("private" if private else "")
    definition.is_handler |= head.is_handler
    definition.builder |= head.is_builder
    definition.is_inline |= head.is_inline
    definition.has_promises |= head.has_promises
