"""A type that moves: what means it, what stands in its way, and which directives its names need."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.usages.words import words_of_type
from codecortex.editing.refactoring.directives import list_directives
from codecortex.editing.refactoring.edits import Edit
from codecortex.editing.refactoring.moves.imports import write_directive
from codecortex.editing.refactoring.moves.units import find_root, is_conditional
from codecortex.editing.refactoring.qualifiers import read_before
from codecortex.editing.refactoring.symbol_ids import TypeMove
from codecortex.model.code.bindings import BindingLabel, BindingRole
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.kept import KeptBindings
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.bindings.sources import find_version
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.reading.tree import list_compiling
from codecortex.operations.refactoring.pipeline import read_draft
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.operations.usages.targets import find_definitions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.editing.refactoring.directives import Directive
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.overlay import Change
    from codecortex.operations.refactoring.places import DeclaredAt

_QUALIFIER = compile_later(rb"(?:@?[^\W\d]\w*\s*(?:\.|::)\s*)+\Z")
_SPELLING = compile_later(rb"[\s@]")
_FILE_SCOPED = 10.0
_TYPED = frozenset((BindingRole.CONSTRUCTOR, BindingRole.ATTRIBUTE))
_IMPLIED = {
    **dict.fromkeys(("GetEnumerator", "GetAsyncEnumerator"), "foreach"),
    "GetAwaiter": "await",
    "Add": "new",
    "GetPinnableReference": "fixed",
    **dict.fromkeys(("Select", "SelectMany", "Where", "Join", "GroupJoin", "GroupBy", "OrderBy", "Cast"), "from"),
}
"""The words that stand where extension methods are called without their names."""


@dataclass(frozen=True)
class Move:
    """One type that moves.

    Attributes:
        workspace: The tree.
        entry: The type.
        parts: Its declarations that move.
        file: The file that it goes to; None where it stays in its own.
        namespace: The namespace that it goes to; None where that stays.
    """

    workspace: Workspace
    entry: TypeEntry
    parts: Sequence[DeclaredAt]
    file: str | None
    namespace: str | None

    @property
    def old(self) -> str:
        """The namespace that it is in."""
        return self.entry.fqn.rpartition(".")[0]

    @property
    def new(self) -> str:
        """The namespace that it is to be in."""
        return self.old if self.namespace is None else self.namespace

    @property
    def stays(self) -> bool:
        """Whether it is there already."""
        return self.new == self.old and self.file in (None, *(each.path for each in self.parts))

    @cached_property
    def follow(self) -> TypeMove:
        """Gives the ids that symbols have afterwards."""
        return TypeMove(self.entry.fqn, self.new)

    @cached_property
    def owners(self) -> frozenset[str]:
        """The projects that compile its declarations."""
        return frozenset(
            each.path for each in self.workspace.projects if any(part.path in each.files for part in self.parts)
        )

    @cached_property
    def may_scope(self) -> bool:
        """Whether the language of its projects has namespaces for the rest of a file."""
        own = [each for each in self.workspace.projects if each.path in self.owners]
        return all(find_version(each.language, each.tfm) >= _FILE_SCOPED for each in own)

    @property
    def is_there(self) -> bool:
        """Whether the file that it goes to is there already."""
        return self.file in self.workspace.tree.sources.sources

    def is_own(self, symbol: str) -> bool:
        """Whether a symbol is the type or something in it."""
        return self.follow.follow(symbol) != symbol and symbol[2:].startswith(self.entry.fqn)

    # -- what is in the way

    def refuse_unmovable(self) -> None:
        """Refuse what cannot stand where it is to go.

        Raises:
            EditRefusedError: It cannot.
        """
        entry = self.entry
        if "+" in entry.fqn:
            outer = entry.display.rpartition(".")[0]
            raise EditRefusedError(f"{entry.display} is nested.", f"Move {outer}, which takes it along.")
        for part in self.parts:
            cut = (part.extent.first, part.extent.end)
            if is_conditional(part.source, *cut):
                hint = "Take the directives out of the way first, with `codecortex edit replace`."
                raise EditRefusedError(f"{part.where}: #if or #region cuts the declaration of {entry.display}.", hint)
        if self.new != self.old:
            self._refuse_taken()
        if self.file is not None and not self.stays:
            self._refuse_file(self.file)

    def _refuse_taken(self) -> None:
        name = self.entry.fqn.rpartition(".")[2]
        for each in self.workspace.catalog.types:
            written = each.fqn.replace("+", ".")
            if written in (self.new, f"{self.new}.{name}") or f"{self.new}.".startswith(f"{written}."):
                raise EditRefusedError(f"There is a type {each.display} already.", "Choose another namespace.")
        if any(each.fqn.startswith(f"{self.new}.{name}.") for each in self.workspace.catalog.types):
            raise EditRefusedError(f"{self.new}.{name} is a namespace.", "Choose another namespace.")

    def _refuse_file(self, file: str) -> None:
        if len(self.parts) > 1:
            rows = ", ".join(each.where for each in self.parts)
            hint = f"Move one to the file by its place, without --to-namespace: {rows}."
            raise EditRefusedError(f"{self.entry.display} is declared in several parts.", hint)
        compiling = list_compiling(self.workspace.tree, self.workspace.cache, file)
        if compiling != self.owners:
            others = ", ".join(sorted(compiling)) or "no project"
            own = ", ".join(sorted(self.owners)) or "no project"
            raise EditRefusedError(
                f"{file} is compiled by {others}, {self.parts[0].path} by {own}: a type does not change its project.",
                "Choose a file of the same projects.",
            )

    # -- what means it

    @cached_property
    def names(self) -> frozenset[str]:
        """The words around which names may change: the type, its extension methods, parts of new namespaces."""
        own = set(words_of_type(self.entry.simple_name).names)
        if self.new == self.old:
            return frozenset(own)
        return frozenset(own | self._extensions | {_IMPLIED[each] for each in self._extensions & _IMPLIED.keys()}
                         | {each.rpartition(".")[2] for each in self._list_new()})  # fmt: skip

    @cached_property
    def _extensions(self) -> frozenset[str]:
        with bind_deep():
            definitions = list(find_definitions(self._declaring.sources.program, self.entry))
            return frozenset(name for each in definitions for name in each.list_extensions())

    @cached_property
    def _declaring(self) -> KeptBindings:
        return KeptBindings(self.workspace, self.entry.files)

    def _list_new(self) -> Iterator[str]:
        """The namespaces that there are only afterwards."""
        name = self.new
        while name and not any(each.fqn.startswith(f"{name}.") for each in self.workspace.catalog.types):
            yield name
            name = name.rpartition(".")[0]

    @cached_property
    def kept(self) -> KeptBindings:
        """What names mean in the files that may mean it."""
        named, _ = SourceSearch(self.workspace).find(self.names)
        return KeptBindings(self.workspace, named | {*self.entry.files})

    def list_places(self) -> Iterator[tuple[str, int, Binding]]:
        """Where its name stands and means it, or may: the file, the offset and what is known."""
        own = words_of_type(self.entry.simple_name).names
        wanted = self.entry.fqn
        paths = sorted(path for path in self.kept.plan.files if path in self.kept.plan.asked)
        keys = [
            (path, project)
            for path in paths
            for project in self.kept.plan.files[path]
            if self.kept.sees(project, self.entry.project)
        ]
        with bind_deep():
            for (path, _), file in self.kept.bind(keys):
                for start, binding in file.bindings if file is not None else ():
                    if binding.name.removeprefix("@") in own and binding.role is not BindingRole.DECLARATION:
                        symbol = binding.symbol
                        if symbol[2:] == wanted or (not symbol and not binding.local):
                            yield path, start, binding

    def find_qualifiers(self) -> tuple[Mapping[str, set[Edit]], Sequence[tuple[str, int, str]]]:
        """The edits of names that are qualified by the namespace, and the places that are not certain, with why."""
        edits: dict[str, set[Edit]] = {}
        doubtful: dict[tuple[str, int], str] = {}
        if self.new == self.old:
            return edits, ()
        texts: dict[str, bytes] = {}
        for path, start, binding in self.list_places():
            source = texts.get(path) or texts.setdefault(path, read_draft(self.workspace, path).shown.encode())
            before = read_before(source, start)
            found = _QUALIFIER.search(before)
            if binding.label is not BindingLabel.EXACT:
                doubtful.setdefault((path, start), binding.why or "only the name is the same")
            elif found is not None:
                front = "global::" if found[0].startswith(b"global::") else ""
                edits.setdefault(path, set()).add(
                    Edit(start - len(before) + found.start(), start, f"{front}{self.new}.")
                )
        sure = {(path, each.end) for path, found in edits.items() for each in found}
        for path, edit in self._complete_qualifiers():
            edits.setdefault(path, set()).add(edit)
        return edits, [(*place, why) for place, why in sorted(doubtful.items()) if place not in sure]

    def _complete_qualifiers(self) -> Iterator[tuple[str, Edit]]:
        """The edits of names in it that are qualified from within a namespace that it leaves."""
        parts = [(part, each) for part in self.parts for each in self.kept.plan.files.get(part.path, ())]
        with bind_deep():
            bound = dict(self.kept.bind(dict.fromkeys((part.path, project) for part, project in parts)))
        for part, project in parts:
            file = bound[part.path, project]
            for start, binding in file.bindings if file is not None else ():
                if part.extent.first <= start < part.extent.end and binding.symbol.startswith("T:"):
                    yield from ((part.path, each) for each in self._complete(part.source, start, binding.symbol))

    def _complete(self, source: bytes, start: int, symbol: str) -> Iterator[Edit]:
        """The edit of one name, where its qualifier is the end of its type's namespace."""
        before = read_before(source, start)
        found = _QUALIFIER.search(before)
        if found is None:
            return
        namespace, written = self._find_namespace(symbol), _SPELLING.sub(b"", found[0]).decode()[:-1]
        around = namespace.removesuffix(f".{written}")
        if around != namespace and self._leaves(around):
            yield Edit(start - len(before) + found.start(), start, f"{namespace}.")

    def _leaves(self, namespace: str) -> bool:
        """Whether it is in a namespace that it is not in afterwards."""
        front = f"{namespace}."
        return f"{self.old}.".startswith(front) and not f"{self.new}.".startswith(front)

    # -- directives

    def find_directive(self, change: Change) -> str | None:
        """The directive that gives a name its meaning back; None where none does."""
        if self.is_own(change.symbol):
            return write_directive(self.new) if self.new else None
        if change.file not in {each.path for each in self.parts}:
            return None
        part = next(each for each in self.parts if each.path == change.file)
        known = self._find_written(part, change)
        namespace = self._find_namespace(change.symbol)
        if known is not None and len(known.target) >= len(namespace):
            return part.source[known.start : known.end].decode()
        return write_directive(namespace) if namespace else None

    def _find_written(self, part: DeclaredAt, change: Change) -> Directive | None:
        """The directive of the file by which a name was found."""
        found = [each for each in list_directives(find_root(part.extent.node)) if not each.is_global]
        named = [each for each in found if each.alias and each.alias == change.name.removeprefix("@")]
        near = [each for each in found if not each.alias and change.symbol[2:].startswith(f"{each.target}.")]
        return max([*named, *near], key=lambda each: (bool(each.alias), len(each.target)), default=None)

    def _find_namespace(self, symbol: str) -> str:
        """The namespace of what sources declare."""
        name = symbol[2:].partition("(")[0]
        while name and name not in self._namespaces:
            name = name.rpartition(".")[0]
        return name

    @cached_property
    def _namespaces(self) -> frozenset[str]:
        return frozenset(each.fqn.partition("+")[0].rpartition(".")[0] for each in self.workspace.catalog.types)

    # -- the namespace that it leaves

    @cached_property
    def is_left_empty(self) -> bool:
        """Whether nothing that sources declare is in its namespace any more."""
        if self.new == self.old or not self.old or f"{self.new}.".startswith(f"{self.old}."):
            return False
        front = f"{self.old}."
        return not any(each.fqn.startswith(front) for each in self.workspace.catalog.types if each is not self.entry)

    def list_importing(self) -> Sequence[str]:
        """The files that may import the namespace that it leaves."""
        sources = SourceSearch(self.workspace)
        paths, _ = sources.find([self.old.rpartition(".")[2]])
        front = re.compile(rb"using\s[^;\n]*" + re.escape(self.old.encode()))
        return [each.entry.path for each in sources.read(sorted(paths)) if front.search(each.data or b"")]
