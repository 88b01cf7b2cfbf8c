"""Shows notes, writes notes handed in by a person or tool, and lists all notes with their states."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.jobs import HAND
from codecortex.analysis.notes.members import list_missing
from codecortex.git.lock import lock_repository
from codecortex.git.repository import open_repository
from codecortex.git.worktree.disk import read_file
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import (
    GitStateError,
    NewerFormatError,
    StoreFormatError,
    SymbolNotFoundError,
    UsageError,
)
from codecortex.model.notes import MEMBERS, SECTION_COUNT, Note, Section, SemanticState, is_generator, is_group
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.folder import require_folder
from codecortex.operations.generation.jobs.stale_groups import remove_stale_groups_of
from codecortex.operations.notes.backup import UNREADABLE, Backup, back_up_notes
from codecortex.operations.notes.headers import NoteHeaders, read_members
from codecortex.operations.notes.investigations import describe_answered, list_about, tell_answered
from codecortex.operations.notes.runs import read_marks
from codecortex.operations.notes.states import Survey, mark_note
from codecortex.operations.notes.texts import NoteText, judge_workspace_notes, read_group_note, read_note
from codecortex.operations.notes.writing import list_lost, tell_lost
from codecortex.operations.queries.resolve import find_type
from codecortex.store.committed.semantic_md import (
    MAX_BODY,
    check_size,
    decode_body,
    decode_note,
    encode_note,
    split_body,
)
from codecortex.store.paths import semantic_owner, semantic_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from codecortex.model.code.catalog import TypeEntry
    from codecortex.operations.notes.investigations import InvestigationFile
    from codecortex.operations.request import Request

MOST_BYTES = 4 * MAX_BODY
"""Maximum size of a body that is read: a whole note with its header is smaller."""

_HEADING = f"{MEMBERS}:".encode()
_AWAY = "Move what stands there away, then run this again."


class NoteResult(NamedTuple):
    """The note of a symbol.

    Attributes:
        id: Id of the type or group that the symbol matches.
        name: FQN of the type; of a group, the FQNs of its types.
        note: The note that applies to it; None if there is none.
        redirected_from: The old name that led to it, or empty.
        about: Investigations that rest on it.
    """

    id: str
    name: str
    note: NoteText | None
    redirected_from: str = ""
    about: tuple[InvestigationFile, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The note as JSON values."""
        told: dict[str, Any] = {
            "id": self.id, "name": self.name, "semanticState": SemanticState.NONE, "note": None,
        }  # fmt: skip
        told |= self.note.as_json() if self.note is not None else {}
        told |= {"investigations": describe_answered(self.about)} if self.about else {}
        return told | ({"redirectedFrom": self.redirected_from} if self.redirected_from else {})

    def write_next(self) -> str:
        """How to have a stale note mended, as a paragraph; empty if it holds."""
        if self.note is None or not self.note.causes:
            return ""
        return f"\n\nNext: `codecortex semantic show {self.note.found.owner} --mend` has it written anew."

    def as_text(self) -> str:
        """The note; or that there is none, and what to do."""
        links = "".join(f"\n\n{line}" for line in tell_answered(self.about))
        if self.note is not None:
            return f"{self.note.as_text()}{links}{self.write_next()}"
        write = f"`codecortex semantic generate {self.id}`, or `codecortex semantic put {self.id} FILE`"
        return f"{self.name} {self.id} has no note.{links}\nNext: {write}."


class StatesResult(NamedTuple):
    """All notes of a tree.

    Attributes:
        head: The commit that HEAD names; None before the first.
        names: Metadata name of every type, by id.
        survey: The notes.
        totals: Number of types by state.
    """

    head: str | None
    names: Mapping[str, str]
    survey: Survey
    totals: Mapping[str, int]


class PutResult(NamedTuple):
    """Result of writing a note.

    Attributes:
        path: Path of the note.
        note: The note as written.
        name: FQN of the type; of a group, the FQNs of its types.
        given: The sections that were handed in.
        existed: Whether there was a note, whose other sections were kept.
        changed: Whether the file differs from before.
        removed: Paths of stale groups that were removed.
        lines: The members whose lines were handed in.
    """

    path: str
    note: Note
    name: str
    given: tuple[Section, ...]
    existed: bool
    changed: bool
    removed: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class Body(NamedTuple):
    """Sections that are handed in, their origin (for messages), and their generator."""

    data: bytes
    source: str
    generator: str


def show(workspace: Workspace, symbol: str) -> NoteResult:
    """The note that applies to the one type, or belongs to the group, that a symbol matches.

    Raises:
        SymbolNotFoundError: It matches nothing.
        AmbiguousSymbolError: It matches several types.
    """
    if is_group(symbol):
        group = read_group_note(workspace, symbol)
        if group is None:
            raise _miss_group(symbol)
        ids = [merged.id for merged in group.found.types]
        return NoteResult(symbol, group.name, _mark(workspace, group), about=list_about(workspace.tree, ids))
    entry, old = find_type(workspace, symbol)
    note = read_note(workspace, entry.id)
    about = list_about(workspace.tree, (entry.id,))
    return NoteResult(entry.id, entry.fqn, _mark(workspace, note) if note is not None else None, old, about)


def _mark(workspace: Workspace, note: NoteText) -> NoteText:
    """A note with the state that a run under way gives it, and those of its lines that are about what changed."""
    found = mark_note(note.found, read_marks(workspace.request, workspace.repository))
    lines = found.note.members if found.note is not None else ()
    states = read_members(workspace, [each.id for each in found.types]) if lines else None
    changed = frozenset(list_missing(lines, states)) if states is not None else frozenset[str]()
    return note._replace(found=found, changed=changed)


def list_notes(request: Request) -> StatesResult:
    """All notes of a tree with their states."""
    with Workspace(request) as workspace:
        names: dict[str, str] = {entry.id: entry.fqn for entry in workspace.catalog.types}
        survey = judge_workspace_notes(workspace)
        marks = read_marks(request, workspace.repository)
        head = workspace.tree.listing.head
    survey = survey._replace(notes=tuple(mark_note(each, marks) for each in survey.notes))
    known: dict[str, SemanticState] = {each: found.state for each, found in survey.by_type().items()}
    counts = Counter({**marks, **known}.values())
    counts[SemanticState.NONE] = len(names) - counts.total()
    wanted = (SemanticState.NONE, SemanticState.CACHED, SemanticState.STALE)
    totals = {str(each): counts[each] for each in SemanticState if each in wanted or marks}
    return StatesResult(head, names, survey, totals)


def put(request: Request, symbol: str, body: Body) -> PutResult:
    """Write the note of a type, or of a group that has one, with a header computed from the work tree.

    The sections handed in replace those of the note; the others are kept byte for byte. Text that is lost unasked is
    backed up: a damaged note, headings outside the five sections, and stale groups.


    Raises:
        UsageError: There is no `.codecortex`, or the generator is not one short line.
        StoreFormatError: The body does not consist of the five sections, or the existing note is damaged and the body
            does not replace all of it.
        SymbolNotFoundError: The symbol matches nothing.
        AmbiguousSymbolError: It matches several types.
        BusyError: Another process holds the lock.
        GitStateError: The note or the sources of its types cannot be read, or a file cannot be written.
    """
    data, lines = split_body(body.data, body.source) if _HEADING in body.data else (body.data, {})
    given = decode_body(data, body.source) if data.strip() or not lines else {}
    generator = body.generator.strip()
    if not is_generator(generator):
        raise UsageError("The generator is not one short line of text.", "Name it such as `openai:gpt-x prompt 3`.")
    repository = open_repository(request.folder)
    root = require_folder(repository)
    with ExitStack() as stack:
        with lock_repository(repository):
            workspace = stack.enter_context(Workspace(request))  # list the tree only under the lock
            owner, types = _find_owner(workspace, root, symbol)
            path = semantic_path(owner)
            before, backups = _read_before(root, path, given)
            kept = before.texts if before is not None else ("",) * len(Section)
            texts = tuple(given.get(section, text) for section, text in zip(Section, kept, strict=True))
            note = _make_note(workspace, types, Note(owner, (), (), generator, None, texts), before, lines)
            check_size((*texts, *note.lines.values()), path)
            back_up_notes(root, backups, request.warn)
            written = apply_writes(root, {path: encode_note(note)}).written
        ids = tuple(entry.id for entry in types)
        removed = remove_stale_groups_of(workspace, ids)
    existed = before is not None
    return PutResult(path, note, _join_names(types), tuple(given), existed, bool(written), removed, tuple(lines))


def _find_owner(workspace: Workspace, root: Path, symbol: str) -> tuple[str, tuple[TypeEntry, ...]]:
    """The owner of the note, and its types."""
    if not is_group(symbol):
        entry, _ = find_type(workspace, symbol)
        return entry.id, (entry,)
    path = semantic_path(symbol)
    data = read_file(root, path, _AWAY) if semantic_owner(path) is not None else None
    if data is None:
        raise _miss_group(symbol)
    named = {base.type_id for base in decode_note(data, path).types}
    types = tuple(entry for entry in workspace.catalog.types if entry.id in named)
    if not types:
        raise SymbolNotFoundError(f"No type of the group {symbol} is left.", f"Remove {path}.")
    return symbol, types


def _make_note(
    workspace: Workspace, types: Sequence[TypeEntry], said: Note, before: Note | None, lines: Mapping[str, str]
) -> Note:
    """A note with its header; `said` has its owner, its generator and its texts."""
    ids = [entry.id for entry in types]
    heads = NoteHeaders(workspace, [ids])
    note = heads.make_note(said.owner, ids, said.generator, said.texts)
    if note is None:
        files = sorted({path for entry in types for path in entry.files})
        raise GitStateError(f"{', '.join(files)} cannot be read, so nothing is known of {_join_names(types)}.")
    old = before.members if before is not None else ()
    note = heads.add_lines(note, old, lines, by_hand=said.generator == HAND)
    strange = [name for name in lines if name not in {each.name for each in note.members}]
    if strange:
        hint = (
            "A line names a member as its outline does; `semantics.members: true` has notes say something of members."
        )
        raise StoreFormatError(f"{_join_names(types)} has no member {strange[0]} that may have a line.", hint)
    return note._replace(cut=before.cut if before is not None else ())


def _read_before(root: Path, path: str, given: Mapping[Section, str]) -> tuple[Note | None, tuple[Backup, ...]]:
    """The existing note, and the backups to make of it.

    A damaged note is treated as missing, and backed up, if all five sections are replaced.
    """
    data = read_file(root, path, _AWAY)
    if data is None:
        return None, ()
    try:
        note = decode_note(data, path)
    except NewerFormatError:
        raise
    except StoreFormatError as problem:
        if len(given) == len(Section):
            return None, (Backup(path, data, UNREADABLE),)
        raise StoreFormatError(
            problem.message, f"Mend it by hand, or hand in all {SECTION_COUNT} sections."
        ) from problem
    lost = list_lost(note, given)
    return note, (Backup(path, data, tell_lost(lost)),) if lost else ()


def _miss_group(symbol: str) -> SymbolNotFoundError:
    return SymbolNotFoundError(f"No group {symbol} has a note.", "`codecortex semantic states` lists every note.")


def _join_names(types: Sequence[TypeEntry]) -> str:
    return ", ".join(entry.fqn for entry in types)
