"""Splits the selected work into units, one note each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.analysis.notes.groups import name_group
from codecortex.analysis.notes.jobs import is_by_hand
from codecortex.model.code.types import TypeId
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.generation.jobs.selection import tie
from codecortex.operations.notes.moves import list_unmerged, tell_unmerged
from codecortex.store.paths import semantic_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.jobs.selection import SelectedTypes
    from codecortex.operations.notes.states import NoteState, Orphan, Survey

_MEMBER = compile_later(rb"^- \S+ (T_[0-9A-Z]+):", re.MULTILINE)


class JobUnit(NamedTuple):
    """One note that has to be written.

    Attributes:
        owner: The TypeId or group id of the note.
        types: The types of the note, sorted.
        notes: Stale notes about these types, the note's own first.
        orphans: Orphans whose alias leads to one of these types.
    """

    owner: str
    types: tuple[TypeId, ...]
    notes: tuple[NoteState, ...] = ()
    orphans: tuple[Orphan, ...] = ()


class Units(NamedTuple):
    """The units, in no order.

    Attributes:
        units: One per note.
        left_over: Paths of notes of groups that no longer exist, whose types all have other notes.
        problems: Messages about note files that cannot be used.
    """

    units: tuple[JobUnit, ...]
    left_over: tuple[str, ...]
    problems: tuple[str, ...]


class _Notes(NamedTuple):
    """Notes by what they are about.

    Attributes:
        own: Notes of single types, by TypeId.
        standing: Notes of groups that stay as they are, valid or stale, with their types.
        broken: Notes of groups that no longer exist.
        lost: Damaged notes of groups whose types are unknown.
    """

    own: Mapping[str, NoteState]
    standing: Sequence[tuple[NoteState, tuple[TypeId, ...]]]
    broken: Sequence[NoteState]
    lost: Sequence[NoteState]


def make_units(workspace: Workspace, wanted: SelectedTypes) -> Units:
    """Split the work into units.

    Valid notes are left alone. A group stays as it is while its types depend on each other and are within the limits; a
    stale note that is damaged, by a person, or of a type that a group covers stays the note of its type. All other
    types without a valid note are grouped as far as the limits allow.
    """
    by_type = wanted.survey.by_type()
    behind = {each for each in wanted.types if each not in by_type or by_type[each].causes}
    behind.update(each.id for note in wanted.survey.notes if note.causes and note.group_id for each in note.types)
    ties = tie(workspace, behind)
    notes = _sort_notes(workspace, wanted, ties.is_whole)
    singles, loose = _part_types(wanted, notes)
    units = [JobUnit(note.owner, types, (note,)) for note, types in notes.standing if note.causes]
    units += [JobUnit(note.owner, (TypeId(note.owner),), (note,)) for note in singles]
    groups = ties.find_groups(loose)
    grouped = {each for group in groups for each in group}
    groups += [(each,) for each in sorted(loose) if each not in grouped]
    heirs = {orphan.alias.new_id: orphan for orphan in wanted.survey.orphans if orphan.alias and orphan.movable}
    for types in groups:
        owner = name_group(types) if len(types) > 1 else types[0]
        before = {note.path: note for each in types for note in loose[each]}
        before |= {note.path: note for note in notes.lost if note.owner == owner}
        own_first = sorted(before.values(), key=lambda note: (note.owner != owner, note.path))
        orphans = tuple(heirs[each] for each in types if each in heirs)
        units.append(JobUnit(owner, types, tuple(own_first), orphans))
    used = {note.path for found in loose.values() for note in found}
    left_over = tuple(note.path for note in notes.broken if note.path not in used)
    taken = {unit.owner for unit in units}
    lost = (problem for note in notes.lost if note.owner not in taken for problem in note.problems)
    problems = (*wanted.survey.problems, *lost, *_tell_unmerged(workspace, wanted.survey, units))
    return Units(tuple(units), left_over, problems)


def _tell_unmerged(workspace: Workspace, survey: Survey, units: Iterable[JobUnit]) -> Iterator[str]:
    """Messages about unmerged notes: they are never overwritten, even if they parse."""
    if not workspace.request.reads_worktree:
        return
    paths = {each.path for each in survey.notes} | {each.path for each in survey.orphans}
    paths |= {semantic_path(unit.owner) for unit in units}
    yield from map(tell_unmerged, sorted(paths & list_unmerged(workspace.repository)))


def _sort_notes(workspace: Workspace, wanted: SelectedTypes, is_whole: Callable[[Sequence[TypeId]], bool]) -> _Notes:
    own: dict[str, NoteState] = {}
    standing: list[tuple[NoteState, tuple[TypeId, ...]]] = []
    broken, lost = [], []
    for note in wanted.survey.notes:
        if note.group_id is None:
            own[note.owner] = note
            continue
        types = _list_types(workspace, note)
        if note.note is None:
            standing += [(note, types)] if types else []
            lost += [] if types else [note]
        elif not note.causes or (len(types) == len(note.note.types) and is_whole(types)):
            standing.append((note, types))
        else:
            broken.append(note)
    return _Notes(own, standing, broken, lost)


def _list_types(workspace: Workspace, note: NoteState) -> tuple[TypeId, ...]:
    """The existing types of a group; for a damaged note, those whose header lines can still be read."""
    if note.note is not None:
        return tuple(each.id for each in note.types)
    told = {TypeId(each.decode()) for each in _MEMBER.findall(note.data)}
    return tuple(sorted(each for each in told if each in workspace.catalog.by_id))


def _part_types(wanted: SelectedTypes, notes: _Notes) -> tuple[list[NoteState], dict[TypeId, list[NoteState]]]:
    """Stale notes that stay notes of one type; and the types that may share one, each with the stale notes about it."""
    covered = {each for _, types in notes.standing for each in types}
    singles = []
    loose: dict[TypeId, list[NoteState]] = {}
    for type_id in sorted(wanted.types):
        note = notes.own.get(type_id)
        if note is not None and not note.causes:
            continue
        if note is not None and (type_id in covered or is_by_hand(note.note)):
            singles.append(note)
        elif note is not None or type_id not in covered:
            parted = [each for each in notes.broken if any(type_id == one.id for one in each.types)]
            loose[type_id] = [note, *parted] if note is not None else parted
    return singles, loose
