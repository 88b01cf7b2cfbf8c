"""Lists the notes that have to be written, most urgent first.

Valid notes are left alone. Every stale note is one job, and so is every type without a note; types of one cycle share a
job within the limits for groups. A note by a person stays the note of its type, and a group stays as it is while its
types still depend on each other and are within the limits.
"""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.jobs import RENAMED, Job, JobKind, name_class, name_kind, order_jobs, weigh
from codecortex.analysis.notes.staleness import explain_cause, sort_causes
from codecortex.model.config_choices import ProviderName
from codecortex.model.notes import SemanticState
from codecortex.model.runs import RunRequest
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.generation.jobs.selection import Selection, choose
from codecortex.operations.generation.jobs.units import make_units
from codecortex.operations.generation.providers.settings import read_settings
from codecortex.operations.generation.silent import list_silent_types
from codecortex.operations.notes.runs import read_marks, spell_generate
from codecortex.operations.notes.texts import list_needed
from codecortex.operations.notes.writing import find_obstacles
from codecortex.operations.wording import count_noun
from codecortex.store.paths import semantic_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.jobs.selection import SelectedTypes
    from codecortex.operations.generation.jobs.units import JobUnit

NO_TYPE = "No type needs a note."
AGENT_ASKS = "With the provider agent, the agent asks for its work by itself."

_MOST_REASONS = 3
_AT_REST = (SemanticState.NONE, SemanticState.CACHED, SemanticState.STALE)

__all__ = ["Jobs", "Selection", "explain_rest", "list_jobs", "list_work"]


class Jobs(NamedTuple):
    """The notes that have to be written.

    Attributes:
        jobs: The jobs, most urgent first, up to the limit of the selection.
        kinds: Number of all jobs by kind, without the limit.
        states: Number of the selected types by state of their note.
        words: Why each note is stale, as clauses for people, by owner.
        marks: State that the current run gives to its jobs, by owner.
        left_over: Paths of stale groups: groups that no longer exist, whose types all have other notes.
        problems: Messages about note files that no job can be made of.
        next_step: What to do next, as a sentence.
        silent: Number of the selected types without a note of which an extract would say nothing.
    """

    jobs: tuple[Job, ...]
    kinds: Mapping[str, int]
    states: Mapping[str, int]
    words: Mapping[str, tuple[str, ...]]
    marks: Mapping[str, SemanticState]
    left_over: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    next_step: str = ""
    silent: int = 0

    @property
    def total(self) -> int:
        """Number of jobs, without the limit of the selection."""
        return sum(self.kinds.values())

    def as_json(self) -> dict[str, Any]:
        """The jobs as JSON values."""
        return {
            "total": self.total,
            "kinds": dict(self.kinds),
            "states": dict(self.states),
            "nothingToSay": self.silent,
            "jobs": [self._describe(job) for job in self.jobs],
            "leftOver": list(self.left_over),
            "problems": list(self.problems),
        }

    def _describe(self, job: Job) -> dict[str, Any]:
        return {
            "owner": job.owner,
            "kind": job.kind,
            "types": job.describe_types(),
            "semanticState": self.marks.get(job.owner, SemanticState.STALE if job.causes else SemanticState.NONE),
            "changeClass": job.change_class or None,
            "causes": [
                {"kind": kind, "typeId": type_id or None, "detail": detail or None}
                for kind, type_id, detail in job.causes
            ],
            "reasons": list(self.words.get(job.owner, ())),
            "priority": round(job.priority, 3),
            "path": job.path,
            "previous": list(job.previous),
            "cut": list(job.cut),
        }

    def as_text(self) -> str:
        """A line per job, then stale groups and problems, then the totals."""
        wide = max((len(f"{job.priority:,.1f}") for job in self.jobs), default=0)
        lines = [self._write_row(job, wide) for job in self.jobs]
        lines += [f"left over: {path}: all its types have other notes" for path in self.left_over]
        lines += [f"problem: {problem}" for problem in self.problems]
        return "\n".join([*lines, *self._write_totals()])

    def _write_row(self, job: Job, wide: int) -> str:
        reasons = self.words.get(job.owner, ())
        more = len(reasons) - _MOST_REASONS
        told = [str(self.marks[job.owner])] if job.owner in self.marks else []
        told += [*reasons[:_MOST_REASONS], *([f"and {more:,} more"] if more > 0 else [])]
        names, why = ", ".join(sorted(job.names)), f"  ({'; '.join(told)})" if told else ""
        return f"{job.kind:<10}  {job.change_class or '-':<20}  {job.priority:>{wide},.1f}  {names}{why}"

    def _write_totals(self) -> Iterator[str]:
        if len(self.jobs) < self.total:
            yield f"{len(self.jobs):,} of {self.total:,} jobs shown."
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in self.kinds.items() if number)
        cached, stale, none = (self.states[state] for state in ("cached", "stale", "none"))
        told = f"{cached:,} cached, {stale:,} stale, {none:,} without a note"
        told += f" ({self.silent:,} of them with nothing to say)" if self.silent else ""
        told += "".join(f", {n:,} {state}" for state, n in self.states.items() if state not in _AT_REST and n)
        yield f"{count_noun(self.total, 'job')}{f' ({kinds})' if kinds else ''}; types: {told}."
        if not self.total and not sum(self.states.values()):
            yield NO_TYPE
        if self.total and self.next_step:
            yield self.next_step


def explain_rest(found: Jobs, selection: Selection) -> str:
    """Why there is no job, as a sentence."""
    if not sum(found.states.values()):
        return NO_TYPE
    about = f" on {', '.join(selection.symbols)}" if selection.symbols else ""
    if found.silent == sum(found.states.values()):
        return "The sources state nothing that the outlines do not show: an extract would say nothing."
    return f"Every note{about} holds: nothing to write."


def list_work(workspace: Workspace, selection: Selection) -> Jobs:
    """`list_jobs`, with the next step.

    Raises:
        ConfigError: The user's own configuration is invalid.
    """
    found = list_jobs(workspace, selection, read_settings(workspace).provider)
    return found._replace(next_step=_advise(workspace, found, selection)) if found.jobs else found


def _advise(workspace: Workspace, found: Jobs, selection: Selection) -> str:
    obstacles = find_obstacles(workspace, found.jobs) if workspace.request.reads_worktree else []
    if obstacles and all(obstacles):
        return f"Next: {obstacles[0]}."
    if read_settings(workspace).provider is ProviderName.AGENT:
        words = ["codecortex", "semantic", "next", *(selection.symbols if len(selection.symbols) == 1 else ())]
        return f"Next: `{shlex.join(words)}` gives the prompt for one of them."
    symbols, every, _, replace, stale = selection
    generate = spell_generate(RunRequest(symbols, every, replace=replace, stale=stale))
    return f"Next: {generate}; {generate.replace(' generate', ' plan', 1)} says what a model would be sent."


def list_jobs(workspace: Workspace, selection: Selection, writer: ProviderName | None = None) -> Jobs:
    """The notes that have to be written in a tree; raises as `choose`.

    With the writer `extract`, types that have no note, and of which it would say nothing, need none.
    """
    wanted = choose(workspace, selection)
    units, left_over, problems = make_units(workspace, wanted)
    asked = {unit.owner: unit for unit in units if wanted.concern((unit.owner, *unit.types))}
    if selection.stale:
        asked = {owner: unit for owner, unit in asked.items() if unit.notes or unit.orphans}
    silent = _drop_silent(workspace, asked) if writer is ProviderName.EXTRACT else 0
    jobs = order_jobs((_make_job(workspace, unit) for unit in asked.values()), workspace.graph.depth_of)
    shown = jobs if selection.limit is None else jobs[: selection.limit]
    kinds = Counter(job.kind for job in jobs)
    words = {job.owner: _explain(workspace, job, asked[job.owner]) for job in shown}
    told = {str(kind): kinds[kind] for kind in JobKind}
    by_type = read_marks(workspace.request, workspace.repository)
    marks = {job.owner: by_type[each] for job in shown for each in job.types if each in by_type}
    return Jobs(shown, told, _count_states(wanted, by_type), words, marks, left_over, problems, silent=silent)


def _drop_silent(workspace: Workspace, units: dict[str, JobUnit]) -> int:
    """Take out the units of new notes that an extract would say nothing in; return the number of their types."""
    new = [unit for unit in units.values() if not unit.notes and not unit.orphans]
    silent = list_silent_types(workspace, [each for unit in new for each in unit.types])
    dropped = [unit for unit in new if silent.issuperset(unit.types)]
    for unit in dropped:
        del units[unit.owner]
    return sum(len(unit.types) for unit in dropped)


def _count_states(wanted: SelectedTypes, marks: Mapping[str, SemanticState]) -> dict[str, int]:
    states: dict[str, SemanticState] = {each: note.state for each, note in wanted.survey.by_type().items()}
    states |= marks
    asked = [each for each in wanted.types if wanted.concern((each,))]
    counts = Counter(states.get(each, SemanticState.NONE) for each in asked)
    return {str(state): counts[state] for state in SemanticState if state in _AT_REST or marks}


def _make_job(workspace: Workspace, unit: JobUnit) -> Job:
    causes = sort_causes({cause for note in unit.notes for cause in note.causes})
    kind, change_class = name_kind(causes), name_class(causes)
    if not causes and unit.orphans:
        kind, change_class = JobKind.REDIRECTED, RENAMED
    graph, path = workspace.graph, semantic_path(unit.owner)
    dependents = {each for type_id in unit.types for each in graph.dependents_of(type_id)}.difference(unit.types)
    cut: tuple[TypeId, ...] = ()
    if len(unit.types) > 1:
        component = set(graph.component_of(unit.types[0]))
        cut = tuple(each for each in list_needed(workspace, unit.types) if each in component)
    return Job(
        owner=unit.owner,
        kind=kind,
        types=unit.types,
        names=tuple(workspace.catalog.by_id[each].fqn for each in unit.types),
        change_class=change_class,
        causes=causes,
        priority=weigh(kind, change_class, len(dependents), min(graph.depth_of(each) for each in unit.types)),
        path=path,
        previous=tuple(dict.fromkeys([*(note.path for note in unit.notes), *(each.path for each in unit.orphans)])),
        cut=cut,
    )


def _explain(workspace: Workspace, job: Job, unit: JobUnit) -> tuple[str, ...]:
    """Why a note is stale, as clauses for people."""
    known, names = workspace.catalog.by_id, dict[str, str]()
    for note in unit.notes:
        names |= {base.type_id: base.fqn for base in note.note.types} if note.note is not None else {}
    names |= {cause.type_id: known[cause.type_id].fqn for cause in job.causes if cause.type_id in known}  # type: ignore[index]
    drifts = {type_id: drift for note in unit.notes for type_id, drift in note.drifts.items()}
    was = (f"was {orphan.fqn or orphan.owner}" for orphan in unit.orphans)
    return (*(explain_cause(cause, names, drifts) for cause in job.causes), *was)
