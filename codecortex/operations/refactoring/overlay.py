"""Compares what names mean before and after an edit that gives symbols another name."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from codecortex.editing.refactoring.names import spell_name
from codecortex.model.code.bindings import BindingLabel
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.parsing.occurrences.find import LineStarts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.binding.bind import FileBindings, PlacedBinding
    from codecortex.editing.refactoring.edits import Edit, FileEdits
    from codecortex.model.code.bindings import Binding
    from codecortex.operations.bindings.kept import FileKey, KeptBindings
    from codecortex.operations.catalog.workspace import Workspace

_MOST_TOLD = 5
_UNBOUND = "nothing known"


class Renaming(NamedTuple):
    """What is renamed.

    Attributes:
        names: The old name and the new one, and other words around which meanings may change.
        follow: Gives the documentation id that a symbol has afterwards.
        projects: Those that declare it; None where no file but those that are edited can see it.
        follow_using: Gives what a directive of a project file says afterwards; None where none changes.
        paths: The files that are judged; None for all that may change.
    """

    names: frozenset[str]
    follow: Callable[[str], str]
    projects: frozenset[str] | None = None
    follow_using: Callable[[str], str] | None = None
    paths: frozenset[str] | None = None


class Change(NamedTuple):
    """A place whose name would mean something else: its file, line and column, the name, and both meanings."""

    file: str
    line: int
    column: int
    name: str
    before: str
    after: str


def compare(workspace: Workspace, kept: KeptBindings, files: Sequence[FileEdits], renaming: Renaming) -> list[Change]:
    """The places whose names would mean something else, in order.

    Files that write none of the names cannot change, nor bodies that do not: they are not bound.

    Args:
        workspace: The tree.
        kept: What names mean in it.
        files: The edits.
        renaming: What they rename.
    """
    edits = {each.path: each for each in files if each.path in kept.plan.files}
    words = _compile(renaming.names)
    changes: dict[tuple[str, int, int], Change] = {}
    with bind_deep():
        keys = [each for each in _list_files(workspace, kept, edits, renaming)
                if renaming.paths is None or each[0] in renaming.paths]  # fmt: skip
        before = {key: file.bindings for key, file in kept.bind(keys) if file is not None}
        texts = _read_texts(workspace, edits, {path for path, _ in before})
        after = kept.declare_edited(texts, renaming.follow_using)
        for (path, project), meanings in before.items():
            declared = next(each for each in after.files[path] if each.project == project)
            around = [match.start() for match in words.finditer(declared.source.text)]
            bound = after.program.bind(declared, around)
            ranges = edits[path].edits if path in edits else ()
            source = edits[path].source if path in edits else declared.source.text
            comparison = _Comparison(path, source, ranges, renaming)
            for change in comparison.compare(meanings, bound):
                changes.setdefault(change[:3], change)
    return [changes[key] for key in sorted(changes)]


def refuse_changes(symbol: str, new: str, changes: Sequence[Change]) -> None:
    """Refuse a renaming after which names would mean something else.

    Raises:
        EditRefusedError: There are such names.
    """
    if changes:
        told = "; ".join(
            f"{each.file}:{each.line}:{each.column}: {each.name or 'this'} would mean {each.after}, not {each.before}"
            for each in changes[:_MOST_TOLD]
        )
        raise EditRefusedError(f"{symbol} cannot be called {new}: {told}.", "Choose another name.")


def _compile(names: Iterable[str]) -> re.Pattern[bytes]:
    """What finds names in the bytes of a source."""
    spelt = sorted(spell_name(each) for each in names)
    return re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in spelt).encode())


def _list_files(
    workspace: Workspace, kept: KeptBindings, edits: Mapping[str, FileEdits], renaming: Renaming
) -> list[FileKey]:
    """The files whose names may mean something else, as those projects have them that see what is renamed."""
    if renaming.projects is None:
        return [(path, project) for path in edits for project in kept.plan.files[path]]
    named, _ = SourceSearch(workspace).find(map(spell_name, renaming.names))
    return [
        (path, project)
        for path in sorted(named | edits.keys())
        for project in kept.plan.files.get(path, ())
        if path in edits or any(kept.sees(project, each) for each in renaming.projects)
    ]


def _read_texts(workspace: Workspace, edits: Mapping[str, FileEdits], paths: Iterable[str]) -> dict[str, bytes]:
    """What files are to say."""
    sources = SourceSearch(workspace)
    texts = {each.entry.path: each.data or b"" for each in sources.read(set(paths) - edits.keys())}
    return texts | {path: each.after.shown.encode() for path, each in edits.items() if each.after is not None}


class _Comparison:
    """What the names of one file mean, before and after."""

    def __init__(self, path: str, source: bytes, edits: Iterable[Edit], renaming: Renaming) -> None:
        self._path = path
        self._source = source
        self._follow = renaming.follow
        self._ends: list[int] = []
        self._shifts = [0]
        for each in edits:
            self._ends.append(each.end)
            self._shifts.append(self._shifts[-1] + len(each.text.encode()) - (each.end - each.start))

    def compare(self, before: Iterable[PlacedBinding], bound: FileBindings) -> Iterator[Change]:
        """The places whose meaning changes, as far as their bodies were bound."""
        starts = LineStarts(self._source)
        after = {(start, "" if each.name else each.symbol): each for start, each in bound.bindings}
        begins = [begin for begin, _ in bound.skipped]
        for start, binding in before:
            if binding.label is not BindingLabel.EXACT:
                continue
            moved = self._move(start)
            at = bisect_right(begins, moved)
            if at and moved < bound.skipped[at - 1][1]:
                continue
            found = after.get((moved, "" if binding.name else self._follow(binding.symbol)))
            if found is None or not self._is_same(binding, found):
                line, column = starts.find_place(start)
                after_text = _describe(found) if found is not None else _UNBOUND
                yield Change(self._path, line, column, binding.name, _describe(binding), after_text)

    def _move(self, start: int) -> int:
        """Where a place is afterwards."""
        return start + self._shifts[bisect_right(self._ends, start)]

    def _is_same(self, before: Binding, after: Binding) -> bool:
        """Whether a name means what it meant, perhaps by its new name."""
        declared = self._move(before.declared) if before.declared >= 0 else -1
        if after.label is not BindingLabel.EXACT or after.project != before.project:
            return False
        known = after.symbol in (before.symbol, self._follow(before.symbol))
        return known and (after.local, after.declared) == (before.local, declared)


def _describe(binding: Binding) -> str:
    meaning = binding.symbol or (f"a {binding.local}" if binding.local else _UNBOUND)
    return meaning if binding.label is BindingLabel.EXACT else f"perhaps {meaning}"
