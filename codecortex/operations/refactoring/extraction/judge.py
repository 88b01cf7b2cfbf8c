"""Compares what names mean before and after statements moved into a method of their own."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from codecortex.analysis.flow.passing import NotProvedError
from codecortex.model.code.bindings import BindingLabel, BindingRole
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.bindings.sources import redeclare
from codecortex.parsing.occurrences.find import LineStarts, compile_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.editing.refactoring.edits import FileEdits
    from codecortex.model.code.bindings import Binding
    from codecortex.operations.bindings.sources import Sources
    from codecortex.operations.refactoring.extraction.writing import Written

_SIGN = compile_later(rb"\S")


class Places:
    """Where the places of a file are once it is edited."""

    def __init__(self, after: bytes, written: Written) -> None:
        self._ends = [each.end for each in written.edits]
        self._shifts = [0]
        for each in written.edits:
            self._shifts.append(self._shifts[-1] + len(each.text.encode()) - (each.end - each.start))
        self._moved: dict[int, int] = {}
        now = _SIGN.finditer(after, written.now)
        for piece in written.pieces:
            for match in _SIGN.finditer(piece.text.encode()):
                place = next(now)
                if piece.start >= 0:
                    self._moved[piece.start + match.start()] = place.start()

    def find(self, start: int) -> int:
        """Where a place is."""
        if start in self._moved:
            return self._moved[start]
        return start + self._shifts[bisect_right(self._ends, start)]


def judge(
    sources: Sources, file: FileEdits, written: Written, name: str, symbols: Mapping[str, frozenset[str]]
) -> None:
    """Bind the edited file and those that say the new name, and refuse what would mean something else.

    Args:
        sources: The sources as they are, the file with the text that the edits are of.
        file: The edits.
        written: The same, with the parts of what moved.
        name: The name of the new method.
        symbols: The preprocessor symbols of the projects, by path.

    Raises:
        NotProvedError: A name would mean something else, or the call would not mean the new method.
    """
    if file.after is None:
        return
    text = file.after.shown.encode()
    word = compile_names([name])
    texts = {path: each[0].tree.source for path, each in sources.files.items()
             if path == file.path or word.search(each[0].tree.source)}  # fmt: skip
    with bind_deep():
        before, after = (redeclare(sources, each, symbols) for each in (texts, texts | {file.path: text}))
        for path in sorted(texts):
            for one, other in zip(before.files[path], after.files[path], strict=True):
                around = None if path == file.path else [match.start() for match in word.finditer(one.tree.source)]
                old = _bind(before, one, around)
                new = _bind(after, other, around)
                places = Places(text, written) if path == file.path else None
                _compare(one, old, new, places)
                if path == file.path:
                    _require_call(new, name, set(_list_places(places, old)) if places is not None else set())


def _bind(sources: Sources, file: DeclaredFile, around: Sequence[int] | None) -> dict[tuple[int, str], Binding]:
    bound = sources.program.bind(file, around).bindings
    return {(each.start, "" if each.binding.name else each.binding.symbol): each.binding for each in bound}


def _list_places(places: Places, bindings: Mapping[tuple[int, str], Binding]) -> list[int]:
    return [places.find(start) for start, _ in bindings]


def _compare(
    file: DeclaredFile,
    before: Mapping[tuple[int, str], Binding],
    after: Mapping[tuple[int, str], Binding],
    places: Places | None,
) -> None:
    for (start, implied), old in before.items():
        if old.label is not BindingLabel.EXACT:
            continue
        new = after.get((places.find(start) if places is not None else start, implied))
        if new is None or new.label is not BindingLabel.EXACT or not _is_same(old, new):
            line, column = LineStarts(file.tree.source).find_place(start)
            meaning = new.symbol or new.local if new is not None else "nothing known"
            raise NotProvedError(
                f"{file.path}:{line}:{column}: {old.name or 'this'} would mean {meaning}, not {old.symbol or old.local}"
            )


def _is_same(before: Binding, after: Binding) -> bool:
    """Whether a name means what it meant; variables that are passed are parameters afterwards."""
    if before.local and after.local:
        same = before.name == after.name
        return same and (before.local == after.local or "function" not in before.local + after.local)
    return before.symbol == after.symbol and before.project == after.project and before.local == after.local


def _require_call(after: Mapping[tuple[int, str], Binding], name: str, known: set[int]) -> None:
    """The call is the one new name that calls something, and means what is declared anew."""
    found = [each for (start, _), each in after.items()
             if each.name.removeprefix("@") == name and start not in known]  # fmt: skip
    declared = [each for each in found if each.role is BindingRole.DECLARATION]
    calls = [each for each in found if each.role is BindingRole.CALL]
    if len(declared) != 1 or not calls:
        raise NotProvedError(f"{name} cannot be followed")
    for each in calls:
        if each.symbol != declared[0].symbol or each.label is not BindingLabel.EXACT:
            raise NotProvedError(f"the call of {name} would not surely mean it")
