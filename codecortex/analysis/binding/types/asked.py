"""Records which names a file's bindings ask other files for, whether anything of the name is there or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from codecortex.analysis.binding.types.symbols import Named
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.analysis.binding.types.symbols import Type, TypeDefinition

TYPES = "types"
"""The space of the simple names of types and namespaces, wherever they are declared."""
EXTENSIONS = "extensions"
"""The space of the names of extension members."""


class AskedName(NamedTuple):
    """A name that was looked up.

    Attributes:
        space: `TYPES`, `EXTENSIONS`, or the documentation id of the type whose members were looked through.
        name: The name; empty for what a type inherits.
    """

    space: str
    name: str


class InFile(Protocol):
    """A scope: the path of its file, and of the project that the file is read for."""

    file: str
    project: str


class Asked:
    """The names that were looked up for one file.

    What is found out once for all files, such as a signature, may look up more names when the first file needs it.
    Only what a file itself asks for is recorded, so that it does not matter which file was bound first: what a
    signature depends on is part of the digest of the member.
    """

    def __init__(self) -> None:
        self._types: set[str] = set()
        self._names: set[tuple[str, str]] = set()
        self._file = self._project = ""

    def begin(self, file: InFile) -> None:
        """Record for a file as its project has it."""
        self._types, self._names = set(), set()
        self._file, self._project = file.file, file.project

    def add_type(self, name: str, scope: InFile) -> None:
        """A name of a type or a namespace was looked up in a scope."""
        if scope.file == self._file and scope.project == self._project:
            self._types.add(name)

    def add_types(self, names: Iterable[str]) -> None:
        """It counts whether sources declare types of some names: then those of assemblies do not."""
        self._types.update(names)

    def add_extension(self, name: str) -> None:
        """A name of extension members was looked up."""
        self._names.add((EXTENSIONS, name))

    def add_member(self, definition: TypeDefinition, name: str) -> None:
        """A name was looked up among the members of a type of the sources."""
        if definition.project is not None:
            self._names.add((f"T:{definition.id}", name))

    def add_members(self, types: Iterable[Type], name: str) -> None:
        """A name was looked up among the members of types."""
        for each in types:
            if isinstance(each, Named):
                self.add_member(each.definition, name)

    def list_names(self) -> tuple[AskedName, ...]:
        """The names, in order."""
        return tuple(AskedName(*each) for each in sorted(self._names.union((TYPES, name) for name in self._types)))
