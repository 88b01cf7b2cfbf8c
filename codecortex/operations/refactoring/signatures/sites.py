"""The declarations of a family of members, and the places that use it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.definitions import SourceDefinition
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.editing.refactoring.declarations import Extent, list_declared, measure
from codecortex.editing.refactoring.selections import open_all
from codecortex.editing.refactoring.signatures.change import find_list, read_parameters
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.refactoring.pipeline import read_draft, read_tree
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.parsing.occurrences.find import LineStarts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.analysis.binding.types.symbols import Member
    from codecortex.editing.drafts import Draft
    from codecortex.editing.refactoring.signatures.change import Parameter
    from codecortex.model.code.bindings import Binding, PlacedBinding
    from codecortex.model.code.syntax import Node
    from codecortex.model.code.usages import Usage
    from codecortex.operations.bindings.kept import KeptBindings
    from codecortex.operations.catalog.workspace import Workspace

_LISTS = ("argument_list", "attribute_argument_list")
_LABELLED = ("tuple_element", "argument", "attribute_argument")
_FRONT = compile_later(rb"(?P<name>@?[^\W\d]\w*)?(?P<rest>[^\s]?)\s*(?:<[^;{}()]*>)?\s*[?!]?\.\s*\Z")
_FAR = 200


class Declared(NamedTuple):
    """One declaration of the family."""

    path: str
    symbol: str
    project: str | None
    extent: Extent
    listed: Node
    parameters: tuple[Parameter, ...]

    @property
    def node(self) -> Node:
        """The declaration."""
        return self.extent.node

    @property
    def has_no_defaults(self) -> bool:
        """Whether no caller sees it: it implements an interface explicitly, or what another part declares."""
        is_part = "partial" in self.node.modifiers() and self.node.field("body") is not None and not self.is_primary
        return is_part or self.node.first("explicit_interface_specifier") is not None

    @property
    def is_primary(self) -> bool:
        """Whether it is a type, whose own list of parameters declares a constructor."""
        return self.node.kind not in _DECLARING


class Opened(NamedTuple):
    """A file: its text, its syntax, where it names elements of tuples, and what its names mean."""

    draft: Draft
    source: bytes
    root: Node
    starts: LineStarts
    lists: Mapping[int, Node]
    labels: frozenset[int]
    bindings: tuple[PlacedBinding, ...]

    def find(self, start: int) -> list[Binding]:
        """What stands at a place, in each project."""
        return [each.binding for each in self.bindings if each.start == start]


class Files:
    """The files of an edit, each opened once."""

    def __init__(self, workspace: Workspace, kept: KeptBindings) -> None:
        self._workspace = workspace
        self._kept = kept
        self._opened: dict[str, Opened] = {}

    def open(self, path: str) -> Opened:
        """A file.

        Raises:
            EditRefusedError: It cannot be read.
        """
        if path not in self._opened:
            draft = read_draft(self._workspace, path)
            source = draft.shown.encode()
            projects = self._kept.plan.files.get(path, ())
            symbols = {each.path: each.symbols for each in self._kept.plan.projects}
            root = read_tree(path, draft, symbols[projects[0]] if projects else frozenset()).root
            open_all(root)
            lists = {each.start: each for each in root.walk() if each.kind in _LISTS}
            elements = (each.field("name") for each in root.walk() if each.kind in _LABELLED)
            labels = frozenset(each.start for each in elements if each is not None)
            with bind_deep():
                files = [file for _, file in self._kept.bind([(path, each) for each in projects]) if file is not None]
            bindings = tuple(each for file in files for each in file.bindings)
            self._opened[path] = Opened(draft, source, root, LineStarts(source), lists, labels, bindings)
        return self._opened[path]

    def declare(self, row: Usage) -> Declared:
        """The declaration that stands at a place.

        Raises:
            EditRefusedError: Its parameters are not its own.
        """
        file = self.open(row.file)
        place = file.starts.find((row.line, row.column))
        node = next((each for each in list_declared(file.root) if _names(each, place)), None)
        listed = find_list(node) if node is not None and node.kind in _DECLARING else None
        if node is None or listed is None:
            hint = "`codecortex edit replace` edits it by its text."
            raise EditRefusedError(f"{row.file}:{row.line} declares no list of parameters of its own.", hint)
        bindings = [each for each in file.find(place) if each.role == "declaration"]
        symbol, project = (bindings[0].symbol, bindings[0].project) if bindings else ("", None)
        parameters = tuple(read_parameters(listed))
        return Declared(row.file, symbol, project, measure(node, file.source), listed, parameters)

    def declare_primary(self, member: Member) -> Declared | None:
        """The declaration of a type that declares a constructor by its own list; None of every other member.

        Raises:
            EditRefusedError: It is a record: its parameters are properties too.
        """
        owner, name = member.owner, member.node
        for part in owner.parts if isinstance(owner, SourceDefinition) and name is not None else ():
            if name is None or part.node.field("name") is not name:
                continue
            path = part.scope.file
            file = self.open(path)
            node = next((each for each in list_declared(file.root) if _names(each, name.start)), None)
            listed = find_list(node) if node is not None else None
            if node is not None and listed is not None and owner is not None:
                if owner.is_record:
                    line = file.starts.find_place(name.start)[0]
                    hint = "`codecortex edit replace` edits it by its text."
                    raise EditRefusedError(f"{path}:{line}: a record is taken apart by its parameters.", hint)
                extent = measure(node, file.source)
                found = tuple(read_parameters(listed))
                return Declared(path, id_of_symbol(member), owner.project, extent, listed, found)
        return None

    def is_static_call(self, path: str, place: int) -> bool:
        """Whether an extension method is called as what it is: on its class, or in it."""
        file = self.open(path)
        begin = max(place - _FAR, 0)
        front = _FRONT.search(file.source[begin:place])
        if front is None:
            return not re.search(rb"\.\s*\Z", file.source[begin:place])
        if not front["name"] or front["rest"]:
            return False
        found = file.find(begin + front.start("name"))
        return any(each.symbol.startswith("T:") for each in found)


_DECLARING = ("method_declaration", "constructor_declaration")


def _names(node: Node, place: int) -> bool:
    name = node.field("name")
    return name is not None and name.start == place
