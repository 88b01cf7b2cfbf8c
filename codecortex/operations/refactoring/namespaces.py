"""`refactor rename` of namespaces: their declarations, directives, and names that are qualified by them."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.edits import Edit, FileEdits, sort_edits
from codecortex.editing.refactoring.names import rewrite, spell_name, write_name
from codecortex.editing.refactoring.qualifiers import find_qualifier, list_declared, list_imported, read_before
from codecortex.editing.refactoring.symbol_ids import follow_namespace
from codecortex.git.contents import read_contents
from codecortex.model.code.bindings import BindingLabel, BindingRole
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.kept import KeptBindings
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.candidates import INACTIVE, choose, make_candidate
from codecortex.operations.refactoring.overlay import Renaming, compare, refuse_changes
from codecortex.operations.refactoring.pipeline import read_draft
from codecortex.operations.refactoring.results import EditRefusedError, Plan
from codecortex.parsing.occurrences.find import LineStarts, find_inactive, find_name, read_code
from codecortex.parsing.syntax.read import read_syntax

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from codecortex.editing.drafts import Draft
    from codecortex.operations.bindings.kept import KeptFile
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.results import Candidate

_TYPED = frozenset((BindingRole.CONSTRUCTOR, BindingRole.ATTRIBUTE))
_REFERENCE = compile_later(rb"\bcref\s*=\s*([\"'])(?:N:)?([^\"'\n]*)\1")
_USING = rb"<Using\s[^>]*?\b(?:Include|Update|Remove)\s*=\s*[\"'](?:global::)?"
_ROOT = rb"<RootNamespace\s*>\s*"


def plan_namespace(workspace: Workspace, namespace: str, new: str, include: Collection[str]) -> Plan:
    """The edits that give a namespace another name, judged.

    Raises:
        EditRefusedError: Something would mean something else, or the name is taken.
        UsageError: There is no such candidate.
    """
    renaming = _NamespaceRenaming(workspace, namespace, new)
    if renaming.old == new:
        return Plan("rename", namespace, ())
    return renaming.plan(include)


class _NamespaceRenaming:
    """One renaming."""

    def __init__(self, workspace: Workspace, namespace: str, new: str) -> None:
        self._workspace = workspace
        self._namespace = namespace
        self._parts = namespace.split(".")
        self._new = new
        self.old = self._parts[-1]
        self._drafts: dict[str, Draft] = {}
        self._sure: dict[str, set[Edit]] = {}
        self._doubtful: dict[str, dict[Edit, str]] = {}
        self._known, self._types = _list_namespaces(workspace)

    def plan(self, include: Collection[str]) -> Plan:
        """The edits, judged."""
        self._refuse_taken()
        sources = SourceSearch(self._workspace)
        paths, _ = sources.find([spell_name(self.old)])
        declaring = {path for each in self._workspace.catalog.types for path in each.files if self._declares(each.fqn)}
        with bind_deep():
            kept = KeptBindings(self._workspace, paths | declaring)
            symbols = {each.path: each.symbols for each in kept.plan.projects}
            keys = [(path, project) for path in sorted(paths) for project in kept.plan.files.get(path, ())]
            for (path, project), file in kept.bind(keys):
                if file is not None:
                    self._search(path, file, symbols[project])
        for path in sorted(paths):
            every = {each.symbols for each in sources.projects_of(path)}
            for spot in find_inactive(self._open(path), every, self.old):
                self._doubt(path, spot.start, INACTIVE)
        self._search_projects()
        doubtful = {self._make_candidate(path, each, why): (path, each) for path, each, why in self._list_doubtful()}
        chosen = choose(doubtful, include)
        for candidate, (path, each) in doubtful.items():
            if candidate.id in chosen:
                self._sure.setdefault(path, set()).add(each)
        files = tuple(FileEdits(path, self._drafts[path], sort_edits(self._sure[path])) for path in sorted(self._sure))
        follow = partial(follow_namespace, old=self._namespace, new=self._full)
        seen = frozenset(each.project for each in self._workspace.catalog.types if self._declares(each.fqn))
        renaming = Renaming(frozenset((self.old, self._new)), follow, seen, follow)
        refuse_changes(self._namespace, self._new, compare(self._workspace, kept, files, renaming))
        return Plan("rename", self._namespace, files, () if include else tuple(doubtful))

    @property
    def _full(self) -> str:
        return ".".join((*self._parts[:-1], self._new))

    def _declares(self, name: str) -> bool:
        return name.startswith(f"{self._namespace}.")

    def _refuse_taken(self) -> None:
        if self._full in self._known:
            hint = "A namespace that joins another one could not be taken apart again: use another name."
            raise EditRefusedError(f"There is a namespace {self._full} already.", hint)
        if self._full in self._types:
            raise EditRefusedError(f"There is a type {self._full} already.", "Choose another name.")

    # -- places

    def _search(self, path: str, file: KeptFile, symbols: frozenset[str]) -> None:
        """The places in one file as one project has it."""
        source = self._open(path)
        tree = read_syntax(source, symbols)
        for node in (
            *list_declared(tree.root, self._namespace),
            *list_imported(tree.root, self._namespace, self._known),
        ):
            self._take(path, node.start, node.text)
        bound = set()
        for start, binding in file.bindings:
            bound.add(start)
            name = _name_type(binding.symbol, binding.role)
            if name is None or not self._declares(name) or not binding.name:
                continue
            namespace = self._find_namespace(name)
            found = find_qualifier(source, start, namespace.split("."), len(self._parts) - 1)
            if found is not None and found[0] < start:
                if binding.label is BindingLabel.EXACT:
                    self._take(path, found[0], self.old)
                else:
                    self._doubt(path, found[0], binding.why)
        for match in _REFERENCE.finditer(source):
            written = match[2].decode("utf-8", "replace").removeprefix("global::")
            if f"{written}.".startswith(f"{self._namespace}.") and written in self._known:
                start = match.end(2) - len(written.encode()) + len(".".join(self._parts[:-1]).encode())
                self._take(path, start + (len(self._parts) > 1), self.old)
        code = read_code(source, symbols)
        for spot in find_name(code, self.old) if code is not None else ():
            if spot.start not in bound and spot.start - 1 not in bound and re.match(rb"\s*\.", source[spot.end :]):
                front = find_qualifier(source, spot.start, self._parts[:-1], 0) if len(self._parts) > 1 else None
                alone = not re.search(rb"[.:]\s*\Z", read_before(source, spot.start))
                if alone or front is not None:
                    self._doubt(path, spot.start, "nothing tells whether the namespace is meant")

    def _search_projects(self) -> None:
        """Where project files name the namespace: as a directive for all sources, or for what is made of them."""
        entries = self._workspace.tree.sources.projects
        name = self._namespace.encode()
        using, root = (re.compile(rb"%b(%b)(?!\w)" % (each, re.escape(name))) for each in (_USING, _ROOT))
        for content in read_contents(self._workspace.repository, [entries[path] for path in sorted(entries)]):
            if name in (content.data or b""):
                path = content.entry.path
                for match in using.finditer(self._open(path)):
                    self._take(path, match.end() - len(self.old.encode()), self.old)
                for match in root.finditer(self._open(path)):
                    self._doubt(path, match.end() - len(self.old.encode()), "resources are named after it")

    def _find_namespace(self, name: str) -> str:
        """The namespace of a type's documentation id."""
        while name and name not in self._known:
            name = name.rpartition(".")[0]
        return name

    def _take(self, path: str, start: int, written: str) -> None:
        text = rewrite(written, self.old, self._new) or write_name(self._new)
        self._sure.setdefault(path, set()).add(Edit(start, start + len(written.encode()), text))

    def _doubt(self, path: str, start: int, why: str) -> None:
        edit = Edit(start, start + len(self.old.encode()), write_name(self._new))
        self._doubtful.setdefault(path, {}).setdefault(edit, why)

    def _list_doubtful(self) -> Iterator[tuple[str, Edit, str]]:
        for path in sorted(self._doubtful):
            taken = {each.end for each in self._sure.get(path, ())}
            for each, why in sorted(self._doubtful[path].items()):
                if each.end not in taken:
                    yield path, each, why

    def _make_candidate(self, path: str, edit: Edit, why: str) -> Candidate:
        return make_candidate(path, *LineStarts(self._open(path)).find_place(edit.start), why)

    def _open(self, path: str) -> bytes:
        if path not in self._drafts:
            self._drafts[path] = read_draft(self._workspace, path)
        return self._drafts[path].shown.encode()


def _name_type(symbol: str, role: BindingRole) -> str | None:
    """The documentation id of a type, without `T:`, where the name of a type stands."""
    if symbol.startswith("T:"):
        return symbol[2:]
    if symbol.startswith("M:") and role in _TYPED:
        return symbol[2:].partition("(")[0].rpartition(".")[0]
    return None


def _list_namespaces(workspace: Workspace) -> tuple[set[str], set[str]]:
    """The namespaces that sources declare, with those around them, and their types."""
    catalog = workspace.catalog
    types = {each.fqn.replace("+", ".") for each in catalog.types}
    namespaces: set[str] = set()
    for each in catalog.types:
        name = each.fqn.partition("+")[0].rpartition(".")[0]
        while name and name not in namespaces:
            namespaces.add(name)
            name = name.rpartition(".")[0]
    return namespaces, types
