"""A layout in; the same with the directives that are missing, so that every name means what it meant, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.refactoring.directives import list_directives
from codecortex.editing.refactoring.moves.imports import write_directive
from codecortex.editing.refactoring.moves.placing import Imports
from codecortex.editing.refactoring.moves.units import list_namespaces
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.candidates import INACTIVE, choose, make_candidate
from codecortex.operations.refactoring.overlay import Renaming, compare, tell_changes
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.operations.refactoring.usings import find_unneeded
from codecortex.parsing.occurrences.find import LineStarts, find_inactive

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from codecortex.editing.refactoring.edits import FileEdits
    from codecortex.operations.refactoring.moving.layout import LaidOut, Layout
    from codecortex.operations.refactoring.overlay import Change
    from codecortex.operations.refactoring.results import Candidate

_MOST_ROUNDS = 4


def settle(layout: Layout, include: Collection[str]) -> tuple[tuple[FileEdits, ...], tuple[Candidate, ...]]:
    """Add directives until every name means what it meant.

    Args:
        layout: Where the declarations go.
        include: The ids of doubtful places whose files are to see the type.

    Raises:
        EditRefusedError: No directive helps.
        UsageError: There is no such candidate.
    """
    move = layout.move
    doubtful = {make_candidate(path, *_find(layout, path, start), why): path
                for path, start, why in [*layout.doubtful, *_list_inactive(layout)]}  # fmt: skip
    chosen = choose(doubtful, include)
    imports: dict[str, Imports] = {}
    for candidate, path in doubtful.items():
        if candidate.id in chosen:
            imports[path] = Imports(added=frozenset((write_directive(move.new),)))
    done = layout.make(imports)
    for _ in range(_MOST_ROUNDS):
        changes = _judge(layout, done, imports)
        if not changes:
            break
        _mend(layout, imports, changes)
        done = layout.make(imports)
    else:
        _refuse(layout, changes)
    for file in done.files:
        if file.before is None:
            text = file.after.shown.encode() if file.after is not None else b""
            found = find_unneeded(move.kept, file, move.owners)
            unneeded = {text[each.start : each.end].decode() for each in found}
            known = imports.get(file.path, Imports())
            imports[file.path] = known._replace(without=frozenset(unneeded - known.added))
            done = layout.make(imports)
            changes = _judge(layout, done, imports)
            if changes:
                _refuse(layout, changes)
    seen = {path for path in {*doubtful.values()} if _sees(layout, path, imports)}
    open_ = tuple(each for each, path in doubtful.items() if path not in seen)
    return done.files, () if include else open_


def _sees(layout: Layout, path: str, imports: Mapping[str, Imports]) -> bool:
    """Whether all of a file sees the new namespace."""
    new, root = layout.move.new, layout.read(path)
    known = imports.get(path)
    imported = {each.target for each in list_directives(root) if not each.alias and not each.is_static}
    inside = any(f"{each.name}.".startswith(f"{new}.") for each in list_namespaces(root) if each.is_file_scoped)
    return inside or new in imported or (known is not None and write_directive(new) in known.added)


def _find(layout: Layout, path: str, start: int) -> tuple[int, int]:
    return LineStarts(layout.open(path)).find_place(start)


def _list_inactive(layout: Layout) -> Iterator[tuple[str, int, str]]:
    """Places of the name in code that is compiled under other symbols only."""
    move = layout.move
    if move.new == move.old:
        return
    sources = SourceSearch(move.workspace)
    paths, _ = sources.find([move.entry.simple_name])
    for content in sources.read(sorted(paths)):
        path = content.entry.path
        symbols = {each.symbols for each in sources.projects_of(path)}
        own = [each.extent for each in move.parts if each.path == path]
        for spot in find_inactive(content.data or b"", symbols, move.entry.simple_name):
            if any(each.first <= spot.start < each.end for each in own):
                continue
            layout.open(path)
            yield path, spot.start, INACTIVE


def _judge(layout: Layout, done: LaidOut, imports: Mapping[str, Imports]) -> list[Change]:
    move = layout.move
    made = {each.path: sorted(move.owners) for each in done.files if each.before is None}
    whole = {path for path, each in imports.items() if each.added} | {each.path for each in move.parts}
    renaming = Renaming(
        move.names,
        move.follow.follow,
        frozenset((move.entry.project,)),
        passages=done.passages,
        made=made,
        whole=frozenset({*whole, *made, *(each.target for each in done.files if each.moved_to)}),
    )
    return compare(move.workspace, move.kept, done.files, renaming)


def _mend(layout: Layout, imports: dict[str, Imports], changes: list[Change]) -> None:
    """Add the directives that names miss; where a type is not known, what is said of it is not either."""
    helped = False
    for change in changes:
        directive = layout.move.find_directive(change)
        if directive is None:
            continue
        path = next((old for old, new in layout.moved_to.items() if new == change.target), change.target)
        known = imports.get(path, Imports())
        if directive not in known.added:
            imports[path] = known._replace(added=known.added | {directive})
            helped = True
    if not helped:
        _refuse(layout, [each for each in changes if not layout.move.find_directive(each)] or changes)


def _refuse(layout: Layout, changes: list[Change]) -> None:
    told = tell_changes(changes)
    raise EditRefusedError(f"{layout.move.entry.display} cannot move: {told}.", "Move it elsewhere, or rename it.")
