"""A reading in; how each semantic note of the same tree stands to its types out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.staleness import Cause, CauseKind, Drift, Today, judge, judge_drift
from codecortex.model.notes import SemanticState
from codecortex.operations.notes import fingerprint_some, list_dependencies, read_notes
from codecortex.store.semantic_md import owner_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.analysis.fingerprints import Fingerprints
    from codecortex.analysis.staleness import Verdict
    from codecortex.model.aliases import Alias
    from codecortex.model.notes import Note
    from codecortex.model.types import CSharpType, TypeId
    from codecortex.operations.notes import NoteFile, NoteFiles
    from codecortex.operations.reading import Reading
    from codecortex.store.cache import Cache


class NoteState(NamedTuple):
    """A note, and whether it still holds.

    Attributes:
        owner: The id of its type or group.
        path: Its file.
        types: Those of its types that exist, sorted by id; none of a damaged note of a group.
        state: Cached or stale.
        causes: Why it is stale, the gravest first.
        internal_changed: Whether a type is inside not what the note was made from, and that alone.
        drifts: How far each such type drifted.
        note: What it says; None where it is damaged.
        problems: What is wrong with the file itself, naming file and line.
    """

    owner: str
    path: str
    types: tuple[CSharpType, ...]
    state: SemanticState
    causes: tuple[Cause, ...]
    internal_changed: bool
    drifts: Mapping[TypeId, Drift]
    note: Note | None
    problems: tuple[str, ...]

    @property
    def group_id(self) -> str | None:
        """The id of its group; None where it is about one type."""
        return self.owner if self.owner.startswith("G_") else None


class Orphan(NamedTuple):
    """A note of which no type exists.

    Attributes:
        owner: The id of the type or group that is not there.
        path: Its file.
        fqn: What the type was called; empty where that cannot be read.
        alias: What became of the type, as the alias table has it.
        movable: Whether a refresh will move it to there: the type it became has no note of its own.
    """

    owner: str
    path: str
    fqn: str
    alias: Alias | None
    movable: bool


class Survey(NamedTuple):
    """The notes of a tree.

    Attributes:
        notes: Those of types that exist, sorted by the types' names.
        orphans: The others, sorted by path.
        problems: Files among the notes that are none, and an alias table that cannot be read.
    """

    notes: tuple[NoteState, ...]
    orphans: tuple[Orphan, ...]
    problems: tuple[str, ...]

    def by_type(self) -> dict[TypeId, NoteState]:
        """The note that speaks for each type that has one: its own before its group's."""
        out: dict[TypeId, NoteState] = {}
        for each in sorted(self.notes, key=lambda each: each.group_id is None):
            out.update((merged.id, each) for merged in each.types)
        return out


def list_states(reading: Reading, cache: Cache) -> dict[TypeId, NoteState]:
    """The state of every type that has a note, or whose group has."""
    return survey_notes(reading, cache).by_type()


def survey_notes(reading: Reading, cache: Cache, *, only: str | None = None) -> Survey:
    """Judge the notes that stand in the tree that was read.

    Args:
        reading: The tree.
        cache: Facts of earlier commits, which drift is counted in.
        only: The id of a type: notes that do not speak of it are left out.
    """
    held = read_notes(reading.tree)
    known = {merged.id: merged for merged in reading.types}
    found: list[tuple[NoteFile, str, tuple[CSharpType, ...]]] = []
    orphans: list[NoteFile] = []
    problems = list(held.problems)
    for file in held.files:
        owner = owner_of(file.path)
        if owner is None:
            problems.append(f"{file.path}: no note: its name is not the id of a type or a group")
            continue
        named = [base.type_id for base in file.note.types] if file.note is not None else [owner]
        types = tuple(known[each] for each in sorted(named) if each in known)
        if only is not None and only not in named:
            continue
        if types or (file.note is None and owner.startswith("G_")):
            found.append((file, owner, types))
        else:
            orphans.append(file)
    notes = _judge_all(reading, found, held, cache) if found else []
    owners = {owner for _, owner, _ in found}
    return Survey(
        tuple(sorted(notes, key=lambda each: ([merged.fqn for merged in each.types], each.path))),
        tuple(_describe_orphan(file, held, known, owners) for file in orphans),
        tuple(problems),
    )


def _describe_orphan(
    file: NoteFile, held: NoteFiles, known: Mapping[TypeId, CSharpType], owners: set[str]
) -> Orphan:
    owner = owner_of(file.path) or ""
    alias = held.aliases.get(owner)
    movable = alias is not None and alias.new_id in known and alias.new_id not in owners
    fqn = file.note.types[0].fqn if file.note is not None else ""
    return Orphan(owner, file.path, fqn, alias, movable)


def _judge_all(
    reading: Reading, found: Sequence[tuple[NoteFile, str, tuple[CSharpType, ...]]], held: NoteFiles, cache: Cache
) -> list[NoteState]:
    from codecortex.operations.relations import make_resolver  # noqa: PLC0415 - only where there are notes

    config = reading.tree.config
    resolver = make_resolver(reading)
    needs = {file.path: list_dependencies(types, resolver, config) for file, _, types in found}
    prints = fingerprint_some(reading, _list_wanted(found, needs))
    aliases = {old: alias.new_id for old, alias in held.aliases.items()}
    states = []
    for file, owner, types in found:
        if file.note is None:
            cause = Cause(CauseKind.DAMAGED, "", file.problem)
            state = NoteState(
                owner, file.path, types, SemanticState.STALE, (cause,), internal_changed=False, drifts={}, note=None,
                problems=(file.problem,),
            )  # fmt: skip
            states.append((file, state))
            continue
        verdict = judge(file.note, Today(prints, needs[file.path], aliases), config.semantics)
        states.append((file, _make_state(file, owner, types, verdict)))
    return _add_drifts(reading, states, prints, cache)


def _list_wanted(
    found: Sequence[tuple[NoteFile, str, tuple[CSharpType, ...]]], needs: Mapping[str, Sequence[TypeId]]
) -> set[str]:
    wanted = {merged.id for _, _, types in found for merged in types}
    wanted.update(each for needed in needs.values() for each in needed)
    wanted.update(each.type_id for file, _, _ in found if file.note is not None for each in file.note.dependencies)
    return wanted


def _make_state(file: NoteFile, owner: str, types: tuple[CSharpType, ...], verdict: Verdict) -> NoteState:
    return NoteState(
        owner, file.path, types, verdict.state, verdict.causes, internal_changed=bool(verdict.internal),
        drifts=dict.fromkeys(verdict.internal, Drift(1, 0, exact=False)), note=file.note, problems=(),
    )  # fmt: skip


def _add_drifts(
    reading: Reading, states: Sequence[tuple[NoteFile, NoteState]], prints: Mapping[TypeId, Fingerprints], cache: Cache
) -> list[NoteState]:
    """Count the drift of those whose types changed inside alone, and judge them again by it."""
    from codecortex.operations.drift import Drifting, measure_drift  # noqa: PLC0415 - only where something drifted
