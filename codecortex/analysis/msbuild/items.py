"""Evaluates the item groups of a project: the files it compiles, its references and its global usings."""

from __future__ import annotations

import re
from collections import defaultdict
from posixpath import relpath
from typing import TYPE_CHECKING, Protocol

from codecortex.analysis.msbuild.expressions import shorten
from codecortex.analysis.msbuild.functions import unescape
from codecortex.analysis.msbuild.globs import Tree, compile_pattern, locate
from codecortex.model.code.projects import ItemFact
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.model.code.projects import GroupFact

NEEDED = ", needed by "
"""Separates the cause in a report from what depends on it."""

_COMPILE, _REFERENCE, _USING = "compile", "projectreference", "using"
_SEEN = "referenceoutputassembly"
_UPWARDS = compile_later(r"(?:\.\./)+")
_ASKED = compile_later(r"@\(\s*([A-Za-z_][\w-]*)")
_LIST = compile_later(r"@\(\s*([A-Za-z_][\w-]*)\s*(?:->\s*'%\((?:Identity|FullPath)\)'\s*)?\)", re.IGNORECASE)


class Evaluation(Protocol):
    """The part of the first pass that the items need: the final property values, and the reports."""

    folder: str
    groups: list[tuple[GroupFact, str]]
    trees: tuple[Tree, Tree]

    def enter(self, file: str) -> str:
        """Make `file` the one being read."""

    def expand(self, text: str, subject: str, file: str) -> str:
        """Expand a text; problems are reported."""

    def holds(self, condition: str, subject: str) -> bool:
        """Evaluate a condition; problems are reported."""

    def list_unset(self, text: str) -> list[str]:
        """The properties in a text that are not set."""

    def report(self, *sentences: str) -> None:
        """Add sentences to the reports, without duplicates."""


class Items:
    """The second pass over a project: its items, evaluated with the final property values.

    Item kinds that are not needed are not evaluated, and groups that contain only these are skipped.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._file = ""
        self._taken: defaultdict[str, set[str]] = defaultdict(set)
        self._usings: set[tuple[str, str]] = set()
        wanted = _list_wanted(group for group, _ in evaluation.groups)
        for group, file in evaluation.groups:
            items = [each for each in group.members if isinstance(each, ItemFact) and each.kind.lower() in wanted]
            if not items:
                continue
            self._file = file
            evaluation.enter(file)
            if evaluation.holds(group.condition, "item group"):
                self._take_all(items)

    @property
    def files(self) -> set[str]:
        """The source paths that the project compiles."""
        return self._taken[_COMPILE]

    @property
    def references(self) -> set[str]:
        """The paths of referenced projects."""
        return self._taken[_REFERENCE]

    @property
    def usings(self) -> set[str]:
        """The global usings in C# syntax, without `using` and `;`."""
        return {text for _, text in self._usings}

    def _take_all(self, items: Sequence[ItemFact]) -> None:
        for item in items:
            if not self._evaluation.holds(item.condition, item.kind):
                continue
            if item.kind.lower() == _USING:
                self._take_using(item)
            elif not (item.kind.lower() == _REFERENCE and self._is_unseen(item)):
                self._take(item, self._taken[item.kind.lower()])

    def _is_unseen(self, item: ItemFact) -> bool:
        """Whether a project is only built before, as analyzers and generators are: its types are not seen."""
        told = next((value for name, value in reversed(item.metadata) if name == _SEEN), "")
        return bool(told) and self._evaluation.expand(told, item.kind, self._file).strip().lower() == "false"

    def _take(self, item: ItemFact, taken: set[str]) -> None:
        found = self._find(item, item.include)
        if found and item.exclude:
            found -= self._find_among(item, item.exclude, found)
        taken |= found
        if item.remove:
            taken -= self._find_among(item, item.remove, taken)

    def _take_using(self, item: ItemFact) -> None:
        details = {name: self._evaluation.expand(value, "Using", self._file) for name, value in item.metadata}
        prefix = f"{details['alias']} = " if details.get("alias") else ""
        if details.get("static", "").lower() == "true":
            prefix = "static "
        self._usings |= {(name, prefix + name) for name in self._list(item, item.include)}
        removed = {name.lower() for name in self._list(item, item.remove)}
        if removed:
            self._usings = {each for each in self._usings if each[0].lower() not in removed}

    def _list(self, item: ItemFact, text: str) -> list[str]:
        """The entries of a list, expanded; references to other items stay as `@(Name)`."""
        expanded = self._evaluation.expand(text, item.kind, self._file) if text else ""
        entries = (entry.strip() for entry in expanded.split(";"))
        return [unescape(entry) for entry in entries if entry]

    def _find(self, item: ItemFact, text: str) -> set[str]:
        """The paths that match a list of patterns, relative to the project, whatever file contains the list."""
        found: set[str] = set()
        trees = self._choose_trees(item)
        for entry in self._list(item, text) if text else ():
            if "@(" in entry:
                found |= self._copy(item, entry, trees)
                continue
            located = locate(entry, self._evaluation.folder)
            if located:
                found.update(*(tree.find(located) for tree in trees))
        if text and not found and text == item.include and (unset := self._evaluation.list_unset(text)):
            names = ", ".join(f"`$({name})`" for name in dict.fromkeys(unset))
            self._evaluation.report(f"{self._file}: nothing sets {names}{NEEDED}{item.kind} `{shorten(text)}`")
        return found

    def _find_among(self, item: ItemFact, text: str, taken: AbstractSet[str]) -> set[str]:
        """The paths to be left out of those taken.

        MSBuild compares a pattern with how an item is spelled: `**/X` finds an X of another folder too, `../Y/X`.
        """
        found = self._find(item, text)
        folder = self._evaluation.folder
        inside = f"{folder}/" if folder else ""
        outside = {path: _UPWARDS.sub("", relpath(path, folder)) for path in taken if not path.startswith(inside)}
        for entry in self._list(item, text) if outside else ():
            pattern = entry.replace("\\", "/")
            if pattern.startswith("**/"):
                matches = compile_pattern(pattern).fullmatch
                found.update(path for path, spelled in outside.items() if matches(spelled))
        return found

    def _copy(self, item: ItemFact, entry: str, trees: tuple[Tree, ...]) -> set[str]:
        """The paths of other items; items that a build would generate have none."""
        asked = _LIST.fullmatch(entry)
        if asked is None:
            self._evaluation.report(f"{self._file}: {item.kind} `{shorten(entry)}` asks for more than a list of items")
            return set()
        return {path for path in self._taken[asked[1].lower()] if any(tree.has_file(path) for tree in trees)}

    def _choose_trees(self, item: ItemFact) -> tuple[Tree, ...]:
        files, sources = self._evaluation.trees
        return {_COMPILE: (sources,), _REFERENCE: (files,)}.get(item.kind.lower(), (files, sources))


def _list_wanted(groups: Iterable[GroupFact]) -> set[str]:
    """The item kinds, in lower case, from which files, references and usings are computed."""
    asked: defaultdict[str, set[str]] = defaultdict(set)
    for group in groups:
        for item in group.members:
            if isinstance(item, ItemFact) and "@(" in (text := f"{item.include};{item.exclude};{item.remove}"):
                asked[item.kind.lower()].update(name.lower() for name in _ASKED.findall(text))
    wanted: set[str] = set()
    waiting = [_COMPILE, _REFERENCE, _USING]
    while waiting:
        kind = waiting.pop()
        if kind not in wanted:
            wanted.add(kind)
            waiting.extend(asked.get(kind, ()))
    return wanted
