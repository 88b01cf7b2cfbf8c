"""`refactor usings`: directives go that certainly nothing needs, and are put in order."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.directives import (
    list_directives,
    list_names,
    list_qualifying,
    list_unnamed,
    remove_directives,
    sort_directives,
)
from codecortex.editing.refactoring.edits import FileEdits, sort_edits
from codecortex.editing.refactoring.selections import open_all
from codecortex.model.code.bindings import BindingLabel
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.bindings.sources import declare_sources, redeclare
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.queries.named_files import find_source
from codecortex.operations.refactoring.pipeline import edit_sources, judge_layout, read_draft, read_tree
from codecortex.operations.refactoring.results import EditRefusedError, Plan
from codecortex.operations.references.references import Reach
from codecortex.parsing.occurrences.find import compile_names, list_inactive_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from codecortex.editing.drafts import Draft
    from codecortex.editing.refactoring.directives import Directive
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.projects import Project
    from codecortex.operations.bindings.kept import KeptBindings
    from codecortex.operations.bindings.sources import Sources
    from codecortex.operations.refactoring.results import EditRequest, EditResult


class Meanings(NamedTuple):
    """What the names of a file mean in one project.

    Attributes:
        project: The project.
        exact: What is certain, by the place counted among all names of the file.
        doubtful: The names that are not certain.
    """

    project: str
    exact: dict[tuple[int, str], Binding]
    doubtful: frozenset[str]


def tidy_usings(asked: EditRequest, file: str, *, is_sorted: bool = False) -> EditResult:
    """Take away the using directives of a file that nothing in it needs.

    Args:
        asked: Where the edit goes.
        file: The file.
        is_sorted: Whether those that stay are put in order too.

    Raises:
        UsageError: There is no such file.
        EditRefusedError: The file is not understood.
        CodecortexError: As `edit_sources` says.
    """

    def make(workspace: Workspace) -> Plan:
        path = find_source(workspace, file)
        if path is None:
            raise UsageError(f"No source of this tree is called {file}.", "Name it as git lists it.")
        return _plan(workspace, path, is_sorted=is_sorted)

    return edit_sources(asked, make)


def find_unneeded(kept: KeptBindings, file: FileEdits, projects: Collection[str]) -> Sequence[Directive]:
    """The directives of a new file that nothing in it needs.

    Args:
        kept: What names mean in the other files.
        file: The new file.
        projects: Those that compile it.
    """
    if file.after is None:
        return ()
    own = [each for each in kept.plan.projects if each.path in projects]
    unused = _Unused(file.path, file.after, own)
    if not unused.directives:
        return ()
    with bind_deep():
        made = {file.path: sorted(projects)}
        return unused.find(kept.declare_edited({file.path: unused.source}, made=made))


def _plan(workspace: Workspace, path: str, *, is_sorted: bool) -> Plan:
    """The edits, judged."""
    draft = read_draft(workspace, path)
    unused = _open(workspace, path, draft)
    removed = _find_unused(workspace, path, unused)
    for tfm in sorted({each for project in unused.projects for each in project.tfms if each != project.tfm}):
        if removed:
            with Workspace(workspace.request._replace(tfm=tfm)) as other:
                gone = {each.start for each in _find_unused(other, path, _open(other, path, draft))}
                removed = [each for each in removed if each.start in gone]
    edits = list(remove_directives(unused.source, removed))
    if is_sorted:
        kept = [each for each in unused.directives if each not in removed]
        edits += sort_directives(unused.source, kept, removed)
    file = FileEdits(path, draft, sort_edits(edits))
    judge_layout(file, unused.symbols)
    return Plan("usings", path, (file,))


def _open(workspace: Workspace, path: str, draft: Draft) -> _Unused:
    return _Unused(path, draft, [each for each in workspace.projects if path in each.files])


def _find_unused(workspace: Workspace, path: str, unused: _Unused) -> Sequence[Directive]:
    """The directives of a file that nothing needs for one flavour."""
    with bind_deep():
        declared = declare_sources(workspace, {path}, Reach.MACHINE)
        return unused.find(declared) if unused.directives and declared.files.get(path) else ()


class _Unused:
    """The directives of one file."""

    def __init__(self, path: str, draft: Draft, projects: Sequence[Project]) -> None:
        self._path = path
        self.source = draft.shown.encode()
        self._by_project = {each.path: each.symbols for each in projects}
        self.projects = projects
        self.symbols: frozenset[str] = projects[0].symbols if projects else frozenset()
        tree = read_tree(path, draft, self.symbols)
        open_all(tree.root)
        if tree.damaged:
            raise EditRefusedError(f"{path} is not understood: {tree.damaged}.", "Edit it by its text.")
        self._unnamed = frozenset(list_unnamed(tree.root))
        self._names = {each.start: each.name for each in list_names(tree.root)}
        self._names |= {each.start: each.name for cref in tree.documentation.crefs for each in cref.segments}
        self.directives = list_directives(tree.root)

    def find(self, declared: Sources) -> Sequence[Directive]:
        """Those that nothing needs."""
        before = self._bind(declared, self.source)
        removable = [each for each in self.directives if self._is_removable(declared, each, before)]
        kept = [each for each in self.directives if each not in removable]
        removable = sorted([*removable, *_list_repeated(kept)])
        while removable:
            after = self._bind(declared, self._blank(removable))
            broken = [binding for old, new in zip(before, after, strict=True)
                      for key, binding in old.exact.items() if not _is_same(binding, new.exact.get(key))]  # fmt: skip
            gained = any(old.doubtful != new.doubtful for old, new in zip(before, after, strict=True))
            if not broken and not gained:
                break
            needed = {each for binding in broken for each in _find_needed(removable, binding)}
            if not needed:
                return ()
            removable = [each for each in removable if each not in needed]
        return tuple(removable)

    def _bind(self, declared: Sources, text: bytes) -> Sequence[Meanings]:
        sources = redeclare(declared, {self._path: text}, self._by_project)
        found = []
        for file in sources.files[self._path]:
            bound = sources.program.bind(file)
            if bound.truncated:
                raise EditRefusedError(f"{self._path} nests too deep.", "Edit it by its text.")
            rows = [(each.start, each.binding) for each in bound.bindings if not self._is_within(each.start)]
            exact = {(start, "" if each.name else each.symbol): each for start, each in rows
                     if each.label is BindingLabel.EXACT}  # fmt: skip
            known = {start for start, _ in exact}
            known |= list_qualifying(text, self._names.keys() - known, known)
            doubtful = {name for start, name in self._names.items() if start not in known}
            doubtful |= {each.name or each.symbol for _, each in rows if each.label is not BindingLabel.EXACT}
            found.append(Meanings(file.project, exact, self._unnamed | doubtful))
        return found

    def _is_within(self, start: int) -> bool:
        return any(each.start <= start < each.end for each in self.directives)

    def _blank(self, removed: Iterable[Directive]) -> bytes:
        """The text without some directives, everything else where it was."""
        text = bytearray(self.source)
        for each in removed:
            text[each.start : each.end] = re.sub(rb"[^\n]", b" ", self.source[each.start : each.end])
        return bytes(text)

    def _is_removable(self, declared: Sources, directive: Directive, before: Sequence[Meanings]) -> bool:
        """Whether nothing that is not known could need a directive."""
        if directive.is_global:
            return False
        if directive.alias:
            return not self._says(directive.alias, directive)
        program = declared.program
        hidden = self._hidden
        for project, _, doubtful in before:
            if program.may_need(project, directive.target, doubtful, of_type=directive.is_static):
                return False
            if hidden and (directive.is_static or program.may_name(project, directive.target, hidden)):
                return False
        return True

    def _says(self, name: str, directive: Directive) -> bool:
        """Whether a name stands anywhere but in one directive."""
        word = compile_names([name])
        return any(not directive.start <= each.start() < directive.end for each in word.finditer(self.source))

    @cached_property
    def _hidden(self) -> set[str]:
        """The words of code that is compiled under other symbols."""
        return list_inactive_words(self.source, {each.symbols for each in self.projects})


def _list_repeated(directives: Iterable[Directive]) -> Iterator[Directive]:
    """Directives that stand a second time, on the next line."""
    known: Directive | None = None
    for each in directives:
        if known is not None and each[2:] == known[2:]:
            yield each
        known = each


def _is_same(before: Binding, after: Binding | None) -> bool:
    return after is not None and (before.symbol, before.project, before.local) == (
        after.symbol,
        after.project,
        after.local,
    )


def _find_needed(removed: Iterable[Directive], binding: Binding) -> Sequence[Directive]:
    """The directive by which a name was found: the first of those that name the longest part of what it means."""
    known = [each for each in removed if binding.symbol[2:].startswith(f"{each.target}.")]
    longest = max((len(each.target) for each in known), default=0)
    return [each for each in known if len(each.target) == longest][:1]
