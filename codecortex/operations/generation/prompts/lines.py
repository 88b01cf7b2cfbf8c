"""Which members of a job's types want a line in its note, and what a prompt for such lines alone shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.changes.member_diffs import diff_lines
from codecortex.analysis.notes.answers import NO_CHANGE
from codecortex.analysis.notes.members import list_changed, list_members, list_missing
from codecortex.analysis.notes.staleness import CauseKind
from codecortex.context.prompts.parts import Affected
from codecortex.context.prompts.prompts import Materials, Previous, Subject, Task
from codecortex.model.errors import GitStateError
from codecortex.model.notes import MEMBERS
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.generation.prompts.past import find_then, fits_base
from codecortex.operations.generation.prompts.sources import SourceText, cut_member, is_withheld, read_source_text
from codecortex.operations.notes.headers import NoteHeaders, read_members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.analysis.notes.jobs import Job
    from codecortex.analysis.notes.members import MemberStates
    from codecortex.model.notes import Note
    from codecortex.operations.catalog.workspace import Workspace


class LineCount(NamedTuple):
    """How many members of a job's types may have a line, have one, and want one."""

    members: int
    lines: int
    wanted: int


class LineTask(NamedTuple):
    """The members that want a line.

    Attributes:
        names: Those that have none as they are now.
        alone: Whether nothing else of the note is asked for: only the bodies of these members changed.
        states: The members of the job's types; None where no lines are wanted.
    """

    names: tuple[str, ...] = ()
    alone: bool = False
    states: MemberStates | None = None

    def write_previous(self, notes: Iterable[Note]) -> str:
        """What the notes say today of the members that want a line."""
        told = {name: text for note in notes for name, text in note.lines.items()}
        return "\n".join(f"- `{name}`: {told[name]}" for name in self.names if name in told)

    def measure(self, notes: Iterable[Note]) -> LineCount:
        """How many members there are."""
        lines = {name for note in notes for name in note.lines}
        known = self.states.members if self.states is not None else {}
        return LineCount(len(known), len(lines & known.keys()), len(self.names))

    def list_by_hand(self, notes: Iterable[Note]) -> tuple[str, ...]:
        """Those of the members of which a person wrote the line."""
        return tuple(
            f"`{each.name}`" for note in notes for each in note.members if each.by_hand and each.name in self.names
        )


def find_lines(workspace: Workspace, job: Job, notes: tuple[Note, ...], exclude: tuple[str, ...] = ()) -> LineTask:
    """The members of a job's types that want a line in its note.

    Args:
        workspace: The tree.
        job: The job.
        notes: The notes that it continues from.
        exclude: Globs of files that no model may be sent.
    """
    states = read_members(workspace, job.types) if workspace.tree.config.semantics.members else None
    if states is None:
        return LineTask()
    own = notes[0] if len(notes) == 1 and notes[0].owner == job.owner and job.previous == (job.path,) else None
    if own is not None and _is_all_else_as_noted(workspace, job, own):
        names = list_changed(own, states)
        if names and not any(is_withheld(states.members[name].member.path, exclude) for name in names):
            return LineTask(names, alone=True, states=states)
    return LineTask(list_missing(own.members if own is not None else (), states), states=states)


def _is_all_else_as_noted(workspace: Workspace, job: Job, note: Note) -> bool:
    """Whether public behaviour is all that changed, of the note's types and of what they depend on."""
    if any(cause.kind is not CauseKind.PUBLIC_BEHAVIOR for cause in job.causes):
        return False
    today = NoteHeaders(workspace, [job.types]).make_note(job.owner, job.types, note.generator, note.texts)
    if today is None or today.dependencies != note.dependencies or today.hash_version != note.hash_version:
        return False
    docs = workspace.tree.config.semantics.semantic_docs_affect
    for then, now in zip(note.types, today.types, strict=True):
        if (then.type_id, then.structure, then.internal_impl) != (now.type_id, now.structure, now.internal_impl):
            return False
        if docs and then.xml_doc not in (None, now.xml_doc):
            return False
    return True


def collect_lines(workspace: Workspace, job: Job, note: Note, task: LineTask) -> Materials:
    """What a prompt for lines alone is made from: each member as it changed, or as it is where that is not known.

    Raises:
        GitStateError: The files of one of the types cannot be read.
    """
    subjects = []
    states = task.states
    for type_id, name in zip(job.types, job.names, strict=True):
        own = [each for each in task.names if states is not None and states.members[each].found.type.id == type_id]
        if states is not None and own:
            found = states.members[own[0]].found
            subjects.append(Subject(name, "", "", tuple(_list_affected(workspace, note, found, own, states))))
    told = task.write_previous((note,))
    return Materials(
        owner=job.owner,
        subjects=tuple(subjects),
        previous=(Previous("", ((MEMBERS, f"\n{told}"),)),) if told else (),
        change=(),
        dependencies=(),
        withheld=(),
        task=Task(
            whole=False,
            no_change=NO_CHANGE,
            by_hand=task.list_by_hand((note,)),
            sections=(),
            lines=task.names,
            only_lines=True,
        ),
    )


def _list_affected(
    workspace: Workspace, note: Note, found: TypeAt, names: list[str], states: MemberStates
) -> Iterator[Affected]:
    now = read_source_text(workspace.repository, found, workspace.tree.sources.sources)
    then = _read_then(workspace, note, found)
    before = list_members([then.found]).members if then is not None else {}
    for name in names:
        new = cut_member(now, states.members[name].member)
        old = before.get(name.removeprefix(f"{found.type.display_name}."), before.get(name))
        if then is None or old is None:
            yield Affected(f"Changed: `{name}`, as it is now", new, "csharp", visible=True)
        else:
            text = "\n".join(diff_lines(cut_member(then, old.member).split("\n"), new.split("\n")))
            yield Affected(f"Changed: `{name}`", text, "diff", visible=True)


def _read_then(workspace: Workspace, note: Note, found: TypeAt) -> SourceText | None:
    """A type in the state that its note was made from; None if that is unknown."""
    base = next(each for each in note.types if each.type_id == found.type.id)
    then = find_then(workspace, found, fits_base(base), "")
    try:
        return read_source_text(workspace.repository, then.found, then.blobs) if then is not None else None
    except GitStateError:  # its facts are cached, but this clone no longer has the blob
        return None
