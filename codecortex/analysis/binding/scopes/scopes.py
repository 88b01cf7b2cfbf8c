"""The scopes of a file: namespaces with their using directives, types, type parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from codecortex.analysis.binding.types.symbols import Type, TypeDefinition, TypeParameter
    from codecortex.model.code.syntax import Node


class FoundNamespace(NamedTuple):
    """A name means a namespace."""

    name: str


class FoundType(NamedTuple):
    """A name means a type definition.

    Attributes:
        definition: The definition.
        inside: The constructed type around it, where that gives it type arguments.
        certain: Whether it is the only one.
    """

    definition: TypeDefinition
    inside: Type | None = None
    certain: bool = True


class FoundAlias(NamedTuple):
    """A name means a type that is complete: a type parameter or what an alias stands for."""

    type: Type


Found = FoundNamespace | FoundType | FoundAlias


class Using(NamedTuple):
    """A using directive.

    Attributes:
        text: What it names, as written.
        scope: The scope in which that is looked up.
        written: The namespace that it names.
        find: Gives the syntax of what it names; None where it shows in no syntax.
    """

    text: str
    scope: NamespaceScope
    written: str
    find: Callable[[], Node | None]


class Scope:
    """A scope within another.

    Attributes:
        parent: The scope around it.
        project: The path of the project.
        file: The path of the file; empty for what a project file says.
        memo: What names were found to mean, by name and number of type arguments.
    """

    __slots__ = ("file", "memo", "parent", "project")

    def __init__(self, parent: Scope | None, project: str, file: str) -> None:
        self.parent = parent
        self.project = project
        self.file = file
        self.memo: dict[tuple[str, int], Found | None] = {}

    def namespace_scope(self) -> NamespaceScope:
        """The innermost namespace around, maybe the scope itself."""
        scope: Scope | None = self
        while not isinstance(scope, NamespaceScope):
            if scope is None:  # pragma: no cover - every chain ends in a namespace
                raise LookupError(self.file)
            scope = scope.parent
        return scope


class NamespaceScope(Scope):
    """A namespace as one part of a file sees it; the outermost is the global one, with the file's directives.

    Attributes:
        namespace: Its full name.
        usings: The using directives of namespaces.
        statics: Those of types whose static members are imported.
        aliases: Those that give names.
        everywhere: For the outermost, the scope of the project's global directives.
        around: The namespace scope around it.
    """

    __slots__ = ("_bare", "aliases", "around", "everywhere", "namespace", "statics", "usings")

    def __init__(self, namespace: str, parent: NamespaceScope | None, project: str, file: str) -> None:
        super().__init__(parent, project, file)
        self.namespace = namespace
        self.around = parent
        self.usings: list[Using] = []
        self.statics: list[Using] = []
        self.aliases: dict[str, Using] = {}
        self.everywhere: NamespaceScope | None = None
        self._bare: NamespaceScope | None = None

    def without_usings(self) -> NamespaceScope:
        """The scope in which its own directives are looked up."""
        if not self.usings and not self.statics and not self.aliases and self.everywhere is None:
            return self
        if self._bare is None:
            self._bare = NamespaceScope(self.namespace, self.around, self.project, self.file)
        return self._bare

    def directives(self) -> Iterable[NamespaceScope]:
        """The scopes whose directives hold in it."""
        return (self,) if self.everywhere is None else (self, self.everywhere)


class TypeScope(Scope):
    """The inside of a type."""

    __slots__ = ("definition",)

    def __init__(self, definition: TypeDefinition, parent: Scope) -> None:
        super().__init__(parent, parent.project, parent.file)
        self.definition = definition


class ParameterScope(Scope):
    """Type parameters of a method, or of a type whose nested types are not seen: in its own head."""

    __slots__ = ("parameters",)

    def __init__(self, parameters: Iterable[TypeParameter], parent: Scope) -> None:
        super().__init__(parent, parent.project, parent.file)
        self.parameters = {each.name: each for each in parameters}
