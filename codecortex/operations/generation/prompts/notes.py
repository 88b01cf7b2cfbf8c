"""Reads the old texts that a job's note replaces, and what other notes tell about its dependencies."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from codecortex.analysis.notes.extract import FILLERS
from codecortex.context.prompts.prompts import Previous
from codecortex.model.notes import Section, is_group
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.generation.prompts.sources import is_withheld
from codecortex.operations.notes.files import read_notes
from codecortex.operations.notes.states import list_sections
from codecortex.operations.notes.texts import list_needed
from codecortex.operations.notes.writing import list_by_hand
from codecortex.store.paths import semantic_owner

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.analysis.notes.jobs import Job
    from codecortex.model.code.types import TypeId
    from codecortex.model.hashing import Digest
    from codecortex.model.notes import Base, Note
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.prompts.dependencies import Compared
    from codecortex.operations.notes.files import NoteFile

_NOTHING = "(nothing is said)"
_MOST_DEPENDENCIES = 20


class PreviousNotes(NamedTuple):
    """The old notes that a job's note continues from.

    Attributes:
        texts: Their texts, the note's own first.
        bases: The fingerprints in their headers, with the path of the note, by today's TypeId.
        dependencies: The structureHash of each dependency in their headers, by TypeId.
        whole: Whether the answer must give all sections: the text is to be replaced, or no single old one is about
            exactly the job's types.
        by_hand: The sections that a person wrote.
        notes: Those of them that can be read.
    """

    texts: tuple[Previous, ...] = ()
    bases: Mapping[str, tuple[Base, str]] = MappingProxyType({})
    dependencies: Mapping[str, Digest] = MappingProxyType({})
    whole: bool = True
    by_hand: tuple[Section, ...] = ()
    notes: tuple[Note, ...] = ()


class PromptContext(NamedTuple):
    """What a prompt is made from.

    Attributes:
        workspace: The tree.
        job: The job.
        types: The job's types as they are now, by TypeId, without those that cannot be read.
        past: The old notes.
        exclude: Globs of files that no model may be sent.
        compared: How dependencies differ from what the old notes were made from, by TypeId.
    """

    workspace: Workspace
    job: Job
    types: Mapping[TypeId, TypeAt]
    past: PreviousNotes
    exclude: tuple[str, ...]
    compared: Mapping[str, Compared]


def read_past(workspace: Workspace, job: Job) -> PreviousNotes:
    """Read the old notes that a job's note continues from."""
    if not job.previous:
        return PreviousNotes()
    held = read_notes(workspace.tree, {owner for path in job.previous if (owner := semantic_owner(path))})
    files = {each.path: each for each in held.files}
    found = [files[path] for path in job.previous if path in files]
    notes = [each.note for each in found if each.note is not None]
    bases: dict[str, tuple[Base, str]] = {}
    for each in reversed(found):
        for base in each.note.types if each.note is not None else ():
            alias = held.aliases.get(base.type_id)
            today = alias.new_id if alias is not None and base.type_id not in workspace.catalog.by_id else base.type_id
            bases[today] = base, each.path
    texts = [_tell(each, "" if each.path == job.path else _name_types(each)) for each in found]
    return PreviousNotes(
        texts=tuple(each for each in texts if each.texts),
        bases=bases,
        dependencies={each.type_id: each.structure for note in reversed(notes) for each in note.dependencies},
        whole=job.is_replaced or len(found) > 1 or not notes or set(bases) != set(job.types),
        by_hand=list_by_hand(notes),
        notes=tuple(notes),
    )


def _name_types(file: NoteFile) -> str:
    return ", ".join(base.fqn for base in file.note.types) if file.note is not None else file.path


def _tell(file: NoteFile, about: str) -> Previous:
    if file.note is None:
        text = file.data.decode("utf-8", "replace").replace("\r\n", "\n").strip()
        return Previous(about, (("", text),) if text else ())
    told = list_sections(file.note)
    texts = tuple((str(section), told.get(section) or _NOTHING) for section in Section)
    return Previous(about, texts if any(told.values()) else ())


def read_dependencies(context: PromptContext, named: Container[str] | None) -> tuple[tuple[tuple[str, str], ...], int]:
    """Role and lifecycle from the notes of a job's dependencies, most referenced dependency first.

    Args:
        context: The prompt's context.
        named: Simple names of the dependencies that matter; None for all.

    Returns:
        Pairs of type names and text; and the number of types left out because no model may be sent their files.
    """
    workspace, job = context.workspace, context.job
    known = workspace.catalog.by_id
    ids = [each for each in _rank(workspace, job.types) if named is None or known[each].simple_name in named]
    ids = ids[:_MOST_DEPENDENCIES]
    allowed = [each for each in ids if not any(is_withheld(path, context.exclude) for path in known[each].files)]
    told: dict[str, tuple[list[str], str]] = {}
    notes: dict[str, NoteFile] = {}
    own = {job.path, *job.previous}
    files = read_notes(workspace.tree, set(allowed)).files if allowed else ()
    for file in sorted(files, key=lambda each: not is_group(semantic_owner(each.path) or "")):  # own note last: it wins
        if file.note is not None and file.path not in own:
            notes.update((base.type_id, file) for base in file.note.types)
    for type_id in allowed:
        if type_id in notes:
            names, _ = told.setdefault(notes[type_id].path, ([], _write_role(notes[type_id])))
            names.append(known[type_id].fqn)
    return tuple((", ".join(names), text) for names, text in told.values() if text), len(ids) - len(allowed)


def _rank(workspace: Workspace, types: Sequence[TypeId]) -> Iterator[TypeId]:
    """Dependencies of these types, most referenced first."""
    needed = set(list_needed(workspace, types))
    counts: dict[TypeId, int] = dict.fromkeys(needed, 0)
    for type_id in types:
        for edge in workspace.graph.dependencies_of(type_id):
            if edge.target in needed:
                counts[edge.target] += edge.count
    known = workspace.catalog.by_id
    yield from sorted(needed, key=lambda each: (-counts[each], known[each].fqn, each))


def _write_role(file: NoteFile) -> str:
    told = list_sections(file.note) if file.note is not None else {}
    wanted = (each for each in Section if each.for_dependents and told.get(each))
    return "\n".join(f"{each}: {told[each]}" for each in wanted if not told[each].startswith(FILLERS))
