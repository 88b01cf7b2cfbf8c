"""Reads and judges the notes of given types or groups, fast enough for a query.

Dependencies come from the graph, and fingerprints from the local cache where files are unchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.groups import take_part
from codecortex.analysis.notes.staleness import explain_cause, explain_drift
from codecortex.model.notes import MEMBERS, Section
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.fingerprints import read_prints
from codecortex.operations.notes.files import read_notes as _read_notes
from codecortex.operations.notes.states import NoteInputs, describe_note, judge_notes, list_sections
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.model.code.types import TypeId
    from codecortex.model.notes import SemanticState
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.states import NoteState, Survey


class NoteText(NamedTuple):
    """The note that applies to a type, or the note of a group.

    Attributes:
        id: Id of the type or group asked for.
        name: FQN of the type; of a group, the FQNs of its types.
        found: The note and its state.
        names: FQNs of the types that the note mentions, by TypeId.
        titles: How extracts call the types of the note where they tell them apart, by TypeId.
        changed: The members that are not any more what their lines were made from.
    """

    id: str
    name: str
    found: NoteState
    names: Mapping[str, str]
    titles: Mapping[str, str]
    changed: frozenset[str] = frozenset()

    @property
    def state(self) -> SemanticState:
        """Cached or stale."""
        return self.found.state

    @property
    def path(self) -> str:
        """Path of the note."""
        return self.found.path

    @property
    def causes(self) -> tuple[str, ...]:
        """Why it is stale, as clauses for people, gravest first."""
        return tuple(explain_cause(cause, self.names, self.found.drifts) for cause in self.found.causes)

    @property
    def sections(self) -> Mapping[Section, str]:
        """Section to stripped text, without empty sections; empty for a damaged note."""
        note = self.found.note
        told = list_sections(note) if note is not None else {}
        return {section: told[section] for section in Section if told.get(section)}

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the file itself."""
        return self.found.problems

    @property
    def own_sections(self) -> Mapping[Section, str]:
        """The sections as far as they speak of the type asked for; all of them where the text does not tell that."""
        own = self.titles.get(self.id)
        if own is None or len(self.titles) == 1:
            return self.sections
        parts = {each: take_part(text, own, self.titles.values()) for each, text in self.sections.items()}
        return {section: text for section, text in parts.items() if text}

    def explain(self) -> str:
        """The state, and why it is stale or how far its types drifted, as one line."""
        why = self.causes or tuple(explain_drift(drift) for drift in self.found.drifts.values())
        return f"{self.state}: {'; '.join(why)}" if why else str(self.state)

    def as_json(self) -> dict[str, Any]:
        """The note as JSON values."""
        told = {"id": self.id, "name": self.name, "semanticState": self.state}
        note = describe_note(self.found, self.names)
        for each in note["members"] or ():
            each["changed"] = each["name"] in self.changed
        return told | {"note": note}

    def as_text(self) -> str:
        """The note as text; the first line gives the state and its causes."""
        head = f"{self.name} {self.id}: {self.explain()} ({self.path})"
        own = self.own_sections
        texts = [f"{section}:\n{text}" for section, text in own.items()]
        lines = self.found.note.lines if self.found.note is not None else {}
        if lines:
            texts.append("\n".join([f"{MEMBERS}:", *(self._write_line(name, text) for name, text in lines.items())]))
        if own != self.sections:
            others = count_noun(len(self.titles) - 1, "other type")
            texts.append(f"Shared with {others}: `codecortex semantic show {self.found.owner}` prints all of it.")
        return "\n\n".join([head, *texts])

    def _write_line(self, name: str, text: str) -> str:
        return f"- `{name}`: {text}{' (changed since)' if name in self.changed else ''}"


def read_note(workspace: Workspace, type_id: TypeId) -> NoteText | None:
    """The note that applies to a type: its own, else its group's, else None."""
    return read_notes(workspace, (type_id,)).get(type_id)


def read_notes(workspace: Workspace, type_ids: Iterable[TypeId]) -> dict[TypeId, NoteText]:
    """The notes that apply to types, by TypeId; types without one are left out."""
    wanted = dict.fromkeys(type_ids)
    found = judge_workspace_notes(workspace, wanted).by_type()
    return {i: _tell(workspace, i, found[i]) for i in wanted if i in found}


def read_group_note(workspace: Workspace, group_id: str) -> NoteText | None:
    """The note of a group; None if there is none, or if none of its types exist."""
    found = next((each for each in judge_workspace_notes(workspace, (group_id,)).notes if each.owner == group_id), None)
    return _tell(workspace, group_id, found) if found is not None else None


def judge_workspace_notes(workspace: Workspace, owners: Iterable[str] | None = None) -> Survey:
    """Judge the notes of these types and groups, and of groups that contain one of them; without `owners`, all notes.

    Sources are parsed only where fingerprints are not cached.
    """
    held = _read_notes(workspace.tree, None if owners is None else set(owners))
    inputs = NoteInputs(
        workspace.tree,
        workspace.projects,
        workspace.catalog.by_id if held.files else {},
        lambda ids: list_needed(workspace, ids),
        lambda wanted: read_prints(workspace, wanted),
    )
    return judge_notes(held, inputs, workspace.cache)


def list_needed(workspace: Workspace, type_ids: Iterable[TypeId]) -> list[TypeId]:
    """Direct dependencies of these types outside themselves, by exact structural edges, sorted by TypeId.

    With `includeInternalForDependencies`, also those that only bodies and internal members name.
    """
    own, bodies = set(type_ids), workspace.tree.config.include_internal_for_dependencies
    edges = (edge for type_id in own for edge in workspace.graph.dependencies_of(type_id))
    return sorted({edge.target for edge in edges if edge.exact and (edge.structural or bodies)} - own)


def _tell(workspace: Workspace, asked: str, found: NoteState) -> NoteText:
    ids = {cause.type_id for cause in found.causes} | {merged.id for merged in found.types}
    if found.note is not None:
        ids.update(each.type_id for each in found.note.dependencies)
    known = workspace.catalog.by_id
    names: dict[str, str] = {i: known[i].fqn for i in ids if i in known}  # type: ignore[index]
    name = names.get(asked) or ", ".join(merged.fqn for merged in found.types)
    titles: dict[str, str] = {merged.id: known[merged.id].display for merged in found.types}
    return NoteText(asked, name, found, names, titles)
