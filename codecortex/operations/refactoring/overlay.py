"""Compares what names mean before and after an edit that gives symbols another name."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from codecortex.model.code.bindings import BindingLabel
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.bindings.sources import redeclare
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.parsing.occurrences.find import LineStarts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.binding.bind import Program
    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.editing.refactoring.edits import Edit, FileEdits
    from codecortex.model.code.bindings import Binding
    from codecortex.operations.bindings.sources import Sources

_MOST_TOLD = 5
_UNBOUND = "nothing known"


class Renaming(NamedTuple):
    """What is renamed.

    Attributes:
        names: The old name and the new one, and other words around which meanings may change.
        follow: Gives the documentation id that a symbol has afterwards.
        everywhere: Whether meanings may change in every file: the language itself calls what has the name.
    """

    names: frozenset[str]
    follow: Callable[[str], str]
    everywhere: bool = False


class Change(NamedTuple):
    """A place whose name would mean something else: its file, line and column, the name, and both meanings."""

    file: str
    line: int
    column: int
    name: str
    before: str
    after: str


def compare(
    sources: Sources,
    files: Sequence[FileEdits],
    renaming: Renaming,
    symbols: Mapping[str, frozenset[str]],
    *,
    only_edited: bool = False,
) -> list[Change]:
    """The places whose names would mean something else, in order.

    Args:
        sources: The sources as they are.
        files: The edits.
        renaming: What they rename.
        symbols: The preprocessor symbols of the projects, by path.
        only_edited: Whether no other file can see what is renamed.
    """
    edits = {each.path: each.edits for each in files}
    words = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in sorted(renaming.names)).encode())
    texts = {path: declared[0].source.text for path, declared in sources.files.items()}
    if only_edited:
        texts = {path: texts[path] for path in edits}
    elif not renaming.everywhere:
        texts = {path: text for path, text in texts.items() if path in edits or words.search(text)}
    edited = {each.path: each.after.shown.encode() for each in files if each.after is not None}
    changes: dict[tuple[str, int, int], Change] = {}
    with bind_deep():
        after = redeclare(sources, edited, symbols)
        for path in sorted(texts):
            for one, other in zip(sources.files[path], after.files[path], strict=True):
                old = _bind(sources.program, one, None if renaming.everywhere else words)
                new = _bind(after.program, other, None if renaming.everywhere else words)
                for change in _Comparison(one, edits.get(path, ()), renaming).compare(old, new):
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


def _bind(program: Program, file: DeclaredFile, words: re.Pattern[bytes] | None) -> dict[tuple[int, str], Binding]:
    around = None if words is None else [match.start() for match in words.finditer(file.source.text)]
    return {(each.start, "" if each.binding.name else each.binding.symbol): each.binding
            for each in program.bind(file, around).bindings}  # fmt: skip


class _Comparison:
    """What the names of one file mean, before and after."""

    def __init__(self, file: DeclaredFile, edits: Iterable[Edit], renaming: Renaming) -> None:
        self._file = file
        self._follow = renaming.follow
        self._ends: list[int] = []
        self._shifts = [0]
        for each in edits:
            self._ends.append(each.end)
            self._shifts.append(self._shifts[-1] + len(each.text.encode()) - (each.end - each.start))

    def compare(
        self, before: Mapping[tuple[int, str], Binding], after: Mapping[tuple[int, str], Binding]
    ) -> Iterator[Change]:
        """The places whose meaning changes, and those that begin to mean what they did not."""
        starts = LineStarts(self._file.source.text)
        for (start, implied), binding in before.items():
            if binding.label is not BindingLabel.EXACT:
                continue
            found = after.get((self._move(start), self._follow(implied) if implied else ""))
            if found is None or not self._is_same(binding, found):
                line, column = starts.find_place(start)
                after_text = _describe(found) if found is not None else _UNBOUND
                yield Change(self._file.path, line, column, binding.name, _describe(binding), after_text)

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
