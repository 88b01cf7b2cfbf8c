"""Judges the semantic notes of a tree: cached or stale, why, and how far their types drifted."""

from __future__ import annotations

import shlex
from functools import cache as cached
from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.staleness import Cause, CauseKind, CurrentState, Verdict, judge, judge_drift
from codecortex.model.code.types import TypeId
from codecortex.model.notes import Section, SemanticState, is_group
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import HASH_VERSION
from codecortex.operations.notes.excluded import find_excluded
from codecortex.operations.notes.files import list_dependencies, read_notes
from codecortex.operations.reading.hashes import fingerprint_some
from codecortex.operations.reading.tree import make_resolver
from codecortex.store.paths import semantic_owner

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from codecortex.analysis.notes.staleness import Drift
    from codecortex.analysis.types.fingerprints import Fingerprints
    from codecortex.analysis.types.references import Resolver
    from codecortex.model.code.aliases import Alias
    from codecortex.model.code.projects import Project
    from codecortex.model.config import SemanticsConfig
    from codecortex.model.notes import Base, Note
    from codecortex.operations.notes.drift import NotedType
    from codecortex.operations.notes.files import NoteFile, NoteFiles
    from codecortex.operations.reading.tree import Reading, Tree
    from codecortex.store.cache.cache import Cache


PRUNE = "codecortex semantic prune"
"""The command that removes notes of no type."""


class NoteInputs(NamedTuple):
    """What notes are judged against.

    Attributes:
        tree: The tree that contains the notes.
        projects: Its projects.
        types: Existing types that notes may be about, by TypeId.
        list_needed: Returns the direct exact dependencies of given types, outside them.
        fingerprint: Returns the fingerprints of those of the given types that exist.
    """

    tree: Tree
    projects: Sequence[Project]
    types: Mapping[TypeId, NotedType]
    list_needed: Callable[[Sequence[TypeId]], Sequence[TypeId]]
    fingerprint: Callable[[set[str]], Mapping[TypeId, Fingerprints]]


class NoteState(NamedTuple):
    """A note and its state.

    Attributes:
        owner: Id of the type or group that the note belongs to.
        path: Path of the note.
        types: Its types that exist, sorted by TypeId; empty for a damaged note of a group.
        state: Cached or stale; while a run is under way, see `mark_note`.
        causes: Why it is stale, gravest first.
        internal_changed: Whether some type differs from the note's header in its internal implementation alone.
        drifts: Drift of each such type.
        note: The parsed note; None if it is damaged.
        data: Bytes of the file.
        problems: What is wrong with the file itself, naming file and line.
    """

    owner: str
    path: str
    types: tuple[NotedType, ...]
    state: SemanticState
    causes: tuple[Cause, ...]
    internal_changed: bool
    drifts: Mapping[TypeId, Drift]
    note: Note | None
    data: bytes
    problems: tuple[str, ...]

    @property
    def group_id(self) -> str | None:
        """Id of its group; None if the note belongs to one type."""
        return self.owner if is_group(self.owner) else None


class Orphan(NamedTuple):
    """A note none of whose types exist.

    Attributes:
        owner: Id of the missing type or group.
        path: Path of the note.
        fqn: FQN of its (first) type; empty if it cannot be read.
        alias: The alias table's entry for the owner.
        movable: Whether a refresh will move it: the alias leads to a type without a note of its own.
        types: Ids of its types; the owner alone if it cannot be read.
        excluded: Whether these are declared in sources that the configuration excludes.
    """

    owner: str
    path: str
    fqn: str
    alias: Alias | None
    movable: bool
    types: tuple[str, ...]
    excluded: bool = False

    @property
    def name(self) -> str:
        """What to call it: the type's name, or the id where that cannot be read."""
        return self.fqn or self.owner

    @property
    def command(self) -> str:
        """The command that says what became of the type, or takes the note away."""
        if self.excluded:
            return PRUNE
        if self.movable:
            return "codecortex refresh"
        if self.alias is not None:
            return f"git rm {self.path}"
        return f"codecortex alias add {shlex.quote(self.name)} NEW_NAME"

    @property
    def reason(self) -> str:
        """What became of the type, as far as that is known, as a predicate."""
        if self.excluded:
            return "is declared in sources that are excluded"
        return "is gone" if self.alias is None else f"is now {self.alias.new_fqn}, which has a note of its own"

    @property
    def advice(self) -> str:
        """What became of the type, as far as that is known, and what to do with the note."""
        if self.excluded:
            return f"{self.reason}; `{PRUNE}` removes the note"
        if self.alias is None:
            moves = f"`codecortex refresh` or `codecortex alias add {self.owner} NEW` moves the note"
            return f"is gone; if it was renamed, {moves}; else `{PRUNE}` removes it"
        if self.movable:
            return f"is now {self.alias.new_fqn}; `codecortex refresh` moves the note"
        return f"is now {self.alias.new_fqn}, which has a note of its own; join the two"

    def as_json(self) -> dict[str, Any]:
        """It as JSON values."""
        new = self.alias
        heir = None if new is None else {"newTypeId": new.new_id, "newFqn": new.new_fqn, "movable": self.movable}
        return {
            "owner": self.owner,
            "path": self.path,
            "fqn": self.fqn or None,
            "alias": heir,
            "excluded": self.excluded,
        }


class Survey(NamedTuple):
    """All notes of a tree.

    Attributes:
        notes: Notes with an existing type, sorted by FQN, and damaged notes of groups.
        orphans: The other notes, sorted by path.
        problems: Messages about files that are no notes, and about an unreadable alias table.
    """

    notes: tuple[NoteState, ...]
    orphans: tuple[Orphan, ...]
    problems: tuple[str, ...]

    def by_type(self) -> dict[TypeId, NoteState]:
        """The note that applies to each type: its own before its group's, a valid one before a stale one."""
        out: dict[TypeId, NoteState] = {}
        for each in sorted(self.notes, key=lambda each: (each.group_id is None, not each.causes)):
            out.update((merged.id, each) for merged in each.types)
        return out


def mark_note(found: NoteState, marks: Mapping[str, SemanticState]) -> NoteState:
    """A note with the state that a run under way gives to one of its types, if any; `marks` maps TypeId to state."""
    mark = next((marks[merged.id] for merged in found.types if merged.id in marks), None)
    return found if mark is None else found._replace(state=mark)


def describe_base(base: Base) -> dict[str, str | None]:
    """The fingerprints of a type in a note's header, as JSON values."""
    return {
        "structureHash": base.structure,
        "publicImplHash": base.public_impl,
        "internalImplHash": base.internal_impl,
        "implHash": base.impl,
        "xmlDocHash": base.xml_doc,
    }


def describe_state(found: NoteState, names: Mapping[str, str]) -> dict[str, Any]:
    """A note's state as JSON values; `names` maps TypeId to FQN."""
    note = found.note
    return {
        "owner": found.owner,
        "path": found.path,
        "semanticGroupId": found.group_id,
        "types": [{"id": merged.id, "fqn": merged.fqn} for merged in found.types],
        "semanticState": found.state,
        "causes": [
            {"kind": kind, "typeId": type_id or None, "fqn": names.get(type_id), "detail": detail or None}
            for kind, type_id, detail in found.causes
        ],
        "internalChanged": found.internal_changed,
        "drift": [
            {"typeId": type_id, "changes": drift.changes, "hours": drift.hours, "exact": drift.exact}
            for type_id, drift in found.drifts.items()
        ],
        "generator": note.generator if note is not None else None,
        "edited": note.edited if note is not None else None,
        "problems": list(found.problems),
    }


def describe_note(found: NoteState, names: Mapping[str, str]) -> dict[str, Any]:
    """A note in full as JSON values: state, header and sections; null for a damaged note."""
    note = found.note
    return describe_state(found, names) | {
        "bases": None if note is None else {base.type_id: describe_base(base) for base in note.types},
        "dependencies": None
        if note is None
        else [
            {"id": each.type_id, "fqn": names.get(each.type_id), "structureHash": each.structure}
            for each in note.dependencies
        ],
        "sections": None if note is None else list_sections(note),
        "members": None
        if note is None
        else [{"name": each.name, "text": each.text, "edited": each.by_hand} for each in note.members if each.text],
    }


def list_sections(note: Note) -> dict[str, str]:
    """Section to text, with surrounding whitespace stripped."""
    return {section: text.strip() for section, text in zip(Section, note.texts, strict=True)}


def describe_note_of(type_id: TypeId, found: NoteState | None) -> dict[str, Any]:
    """The fields about its note, if any, in the JSON record of a type."""
    if found is None:
        return {"semanticState": SemanticState.NONE, "semanticGroupId": None, "lastSemanticBase": None}
    bases = found.note.types if found.note is not None else ()
    base = next((base for base in bases if base.type_id == type_id), None)
    return {
        "semanticState": found.state,
        "semanticGroupId": found.group_id,
        "lastSemanticBase": None if base is None else describe_base(base),
    }


def list_states(reading: Reading, cache: Cache | None) -> dict[TypeId, NoteState]:
    """The note that applies to each type that has one, by TypeId; arguments as for `judge_tree_notes`."""
    return judge_tree_notes(reading, cache).by_type()


def judge_tree_notes(reading: Reading, cache: Cache | None) -> Survey:
    """Judge all notes of a tree that was read as a whole; `judge_workspace_notes` needs no such reading.

    Args:
        reading: The tree as read.
        cache: Cache of facts of earlier commits, for measuring drift; None leaves drift out, so that the answer
            depends on the tree alone.
    """

    @cached
    def resolver() -> Resolver:
        return make_resolver(reading)

    types = {merged.id: merged for merged in reading.types}
    inputs = NoteInputs(
        reading.tree,
        reading.projects,
        types,
        lambda ids: list_dependencies([types[each] for each in ids], resolver(), reading.tree.config),
        lambda wanted: fingerprint_some(reading, wanted),
    )
    return judge_notes(read_notes(reading.tree), inputs, cache)


def judge_notes(held: NoteFiles, inputs: NoteInputs, cache: Cache | None) -> Survey:
    """Judge notes against the current state of their types and dependencies."""
    held = held._replace(files=_restate(inputs.tree, held.files, cache))
    known = inputs.types
    found: list[_Found] = []
    orphans: list[NoteFile] = []
    problems = list(held.problems)
    for file in held.files:
        owner = semantic_owner(file.path)
        if owner is None:
            problems.append(f"{file.path}: no note: its name is not the id of a type or a group")
            continue
        named = [base.type_id for base in file.note.types] if file.note is not None else [owner]
        types = tuple(known[TypeId(each)] for each in sorted(named) if each in known)
        if types or (file.note is None and is_group(owner)):
            found.append(_Found(file, owner, types))
        else:
            orphans.append(file)
    owners = {each.owner for each in found}
    notes = _judge_all(inputs, found, held, cache) if found else []
    notes.sort(key=lambda each: ([merged.fqn for merged in each.types], each.path))
    lost = [_describe_orphan(file, held, known, owners) for file in orphans]
    if cache is not None:
        excluded = find_excluded(inputs.tree, {i for each in lost if not each.movable for i in each.types}, cache)
        lost = [each._replace(excluded=excluded.issuperset(each.types)) for each in lost]
    return Survey(tuple(notes), tuple(lost), tuple(problems))


def _restate(tree: Tree, files: tuple[NoteFile, ...], cache: Cache | None) -> tuple[NoteFile, ...]:
    """The notes, those with hashes of an older version with the hashes of today's version of what they are from."""
    if cache is None or all(file.note is None or file.note.hash_version == HASH_VERSION for file in files):
        return files
    from codecortex.operations.notes.older import restate

    anew = restate(tree, files, cache)
    return tuple(file._replace(note=anew.get(file.path, file.note)) for file in files)


class _Found(NamedTuple):
    """A note, the id of its owner, and its existing types."""

    file: NoteFile
    owner: str
    types: tuple[NotedType, ...]


def _describe_orphan(file: NoteFile, held: NoteFiles, known: Mapping[TypeId, NotedType], owners: set[str]) -> Orphan:
    owner = semantic_owner(file.path) or ""
    alias = held.aliases.get(owner)
    movable = alias is not None and alias.new_id in known and alias.new_id not in owners
    fqn = file.note.types[0].fqn if file.note is not None else ""
    types = tuple(base.type_id for base in file.note.types) if file.note is not None else (owner,)
    return Orphan(owner, file.path, fqn, alias, movable, types)


def _judge_all(inputs: NoteInputs, found: Sequence[_Found], held: NoteFiles, cache: Cache | None) -> list[NoteState]:
    config = inputs.tree.config
    needs = [inputs.list_needed([merged.id for merged in each.types]) for each in found]
    prints = inputs.fingerprint(_list_wanted(found, needs))
    aliases = {old: alias.new_id for old, alias in held.aliases.items()}
    verdicts = [
        _judge(each.file, CurrentState(prints, needed, aliases), config.semantics)
        for each, needed in zip(found, needs, strict=True)
    ]
    drifts = _measure_drifts(inputs, found, verdicts, prints, cache)
    states = []
    for each, first, drift in zip(found, verdicts, drifts, strict=True):
        verdict = judge_drift(first, drift, config.semantics)
        states.append(
            NoteState(
                owner=each.owner,
                path=each.file.path,
                types=each.types,
                state=verdict.state,
                causes=verdict.causes,
                internal_changed=bool(verdict.internal),
                drifts=drift,
                note=each.file.note,
                data=each.file.data,
                problems=(each.file.problem,) if each.file.problem else (),
            )
        )
    return states


def _list_wanted(found: Sequence[_Found], needs: Sequence[Sequence[TypeId]]) -> set[str]:
    wanted: set[str] = {each for needed in needs for each in needed}
    for file, _, types in found:
        wanted.update(merged.id for merged in types)
        wanted.update(each.type_id for each in (file.note.dependencies if file.note is not None else ()))
    return wanted


def _judge(file: NoteFile, today: CurrentState, config: SemanticsConfig) -> Verdict:
    if file.note is None:
        return Verdict(SemanticState.STALE, (Cause(CauseKind.DAMAGED, "", file.problem),), ())
    return judge(file.note, today, config)


def _measure_drifts(
    inputs: NoteInputs,
    found: Sequence[_Found],
    verdicts: Sequence[Verdict],
    prints: Mapping[TypeId, Fingerprints],
    cache: Cache | None,
) -> list[dict[TypeId, Drift]]:
    """For each note, the drift of those of its types that changed in their internal implementation alone."""
    out: list[dict[TypeId, Drift]] = [{} for _ in found]
    if cache is None or not any(verdict.internal for verdict in verdicts):
        return out
    from codecortex.operations.notes.drift import DriftingType, measure_drift

    bases = {(file.path, base.type_id): base for file, *_ in found if file.note for base in file.note.types}
    drifting: list[DriftingType] = []
    homes: list[dict[TypeId, Drift]] = []
    for (file, _, types), verdict, home in zip(found, verdicts, out, strict=True):
        for merged in types:
            if merged.id in verdict.internal:
                base = bases[file.path, merged.id].internal_impl
                drifting.append(DriftingType(file.path, file.data, merged, base, prints[merged.id].internal_impl))
                homes.append(home)
    drifts = measure_drift(inputs.tree, inputs.projects, drifting, cache)
    for each, drift, home in zip(drifting, drifts, homes, strict=True):
        home[each.merged.id] = drift
    return out
