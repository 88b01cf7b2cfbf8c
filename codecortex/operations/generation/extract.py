"""Makes the sections of notes from the sources alone, without a model."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from codecortex.analysis.notes.answers import NoChange, Nothing, Refusal, Sections
from codecortex.analysis.notes.extract import Material, extract_sections
from codecortex.analysis.notes.extract_lines import extract_lines
from codecortex.analysis.notes.members import list_members
from codecortex.git.contents import read_contents
from codecortex.model.code.facts import VISIBLE
from codecortex.model.config_choices import ProviderName
from codecortex.model.notes import MEMBERS, Section
from codecortex.operations.catalog.describe import read_types
from codecortex.operations.generation.prompts.prompt import holds_anyway
from codecortex.operations.notes.previous import read_previous
from codecortex.operations.notes.writing import list_by_hand
from codecortex.parsing.csharp.bodies import read_body
from codecortex.parsing.csharp.conditional import apply_conditions
from codecortex.parsing.decode import decode_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.analysis.notes.answers import Outcome
    from codecortex.analysis.notes.jobs import Job
    from codecortex.model.code.bodies import BodyFacts
    from codecortex.model.code.types import CSharpType, TypeId
    from codecortex.operations.catalog.workspace import Workspace

_WITH_BODIES = frozenset(
    {"method", "constructor", "destructor", "property", "indexer", "operator", "conversion", "event"}
)
_CHUNK = 256


def extract_notes(workspace: Workspace, jobs: Sequence[Job]) -> list[Outcome]:
    """The outcome for each job, in order.

    Text by a person or a model is worth more than an extract, and whether it is valid cannot be judged here: such a job
    is refused, unless the text is certain to be still valid.
    """
    out: list[Outcome] = []
    for start in range(0, len(jobs), _CHUNK):
        some = jobs[start : start + _CHUNK]
        types = read_types(workspace, [each for job in some for each in job.types])
        bodies = _read_bodies(workspace, [found.type for found in types.values()])
        out += [_extract(workspace, job, types, bodies) for job in some]
    return out


def is_silent(workspace: Workspace, found: TypeAt) -> bool:
    """Whether an extract on a type would be empty."""
    merged = found.type
    if extract_sections([Material(merged, {})]):
        return False  # bodies only add to it
    bodies = _read_bodies(workspace, (merged,))[merged.id]
    return not bodies or not extract_sections([Material(merged, bodies)])


def _extract(
    workspace: Workspace, job: Job, types: Mapping[TypeId, TypeAt], bodies: Mapping[TypeId, Mapping[int, BodyFacts]]
) -> Outcome:
    missing = [name for each, name in zip(job.types, job.names, strict=True) if each not in types]
    if missing:
        return Refusal(f"The sources of {', '.join(missing)} cannot be read.")
    notes = read_previous(workspace, job).notes if job.previous else ()
    others = sorted({note.generator for note in notes if note.writer != ProviderName.EXTRACT})
    by_hand = [*list_by_hand(notes), *(MEMBERS for note in notes if any(each.by_hand for each in note.members))]
    if by_hand or (others and not job.is_replaced):
        if holds_anyway(workspace, job):
            return NoChange()
        who = f"written by {', '.join(others)}" if others else f"changed by hand in {', '.join(by_hand)}"
        return Refusal(
            f"The text there was {who}, and an extract can neither judge nor replace that. See to it, then hand it in "
            f"with `codecortex semantic put {job.owner} FILE`, have a model write it, or remove {job.path}"
        )
    texts = extract_sections([Material(types[each].type, bodies[each]) for each in job.types])
    if not texts:
        return Nothing()
    lines = {}
    if workspace.tree.config.semantics.members:
        states = list_members([types[each] for each in job.types])
        lines = dict.fromkeys(states.members, "") | extract_lines(states, bodies)
    return Sections({section: texts.get(section, "") for section in Section}, lines)


def _read_bodies(workspace: Workspace, types: Iterable[CSharpType]) -> dict[TypeId, dict[int, BodyFacts]]:
    """Throws, guards and locks in the bodies of visible members, by TypeId and index of the member."""
    wanted = list(types)
    lines = _read_lines(workspace, wanted)
    found: dict[TypeId, dict[int, BodyFacts]] = {}
    for merged in wanted:
        own: dict[int, BodyFacts] = {}
        shared = _find_shared(merged)
        for number, member in enumerate(merged.members):
            facts = member.facts
            text = lines.get((merged.project, member.path))
            visible = facts.accessibility in VISIBLE and not facts.implicit and facts.kind in _WITH_BODIES
            if text is None or not visible or not facts.body or (member.path, facts.line) in shared:
                continue
            body = read_body(b"\n".join(text[facts.line - 1 : facts.end_line]))
            if body.throws or body.guards or body.locks:
                own[number] = body
        found[merged.id] = own
    return found


def _find_shared(merged: CSharpType) -> set[tuple[str, int]]:
    """Path and first line of members that share a line with another: lines cannot tell their texts apart."""
    places = sorted(
        (each.path, each.facts.line, each.facts.end_line) for each in merged.members if not each.facts.implicit
    )
    shared: set[tuple[str, int]] = set()
    for _, group in groupby(places, key=lambda place: place[0]):
        last = ("", 0, 0)
        for place in group:
            if place[1] <= last[2]:
                shared.update([place[:2], last[:2]])
            last = max(last, place, key=lambda each: each[2])
    return shared


def _read_lines(workspace: Workspace, types: Iterable[CSharpType]) -> dict[tuple[str, str], list[bytes]]:
    """The lines of the types' files after conditional compilation, by project and path."""
    projects: dict[str, set[str]] = {}
    for merged in types:
        for path in merged.files:
            projects.setdefault(path, set()).add(merged.project)
    symbols = {project.path: project.symbols for project in workspace.projects}
    sources = workspace.tree.sources.sources
    found = {}
    for content in read_contents(workspace.repository, [sources[path] for path in sorted(projects)]):
        if content.data is not None:
            source = decode_source(content.data)
            for project in projects[content.entry.path]:
                text = apply_conditions(source, symbols[project]).text
                found[project, content.entry.path] = text.split(b"\n")
    return found
