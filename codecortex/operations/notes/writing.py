"""Writes notes from the answers to jobs, with headers computed from the workspace's tree.

A section that an answer leaves out stays byte for byte. Text by a person is recognized by its body hash: it stays
marked as theirs until an answer whose prompt showed it replaces it. If a note's file differs from what the prompt
showed, nothing is written and the job has to be done again. Files that are unmerged, written by a newer codecortex, or
too long to show in a prompt are never overwritten: a person has to resolve these. Text that is replaced without having
been shown is backed up, and so is a note that goes because there is nothing to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.answers import NoChange, Nothing, Refusal, Sections
from codecortex.analysis.notes.jobs import HAND
from codecortex.git.lock import lock_repository
from codecortex.git.worktree.disk import read_file
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import CodecortexError, GitStateError, NewerFormatError, StoreFormatError, UnmergedError
from codecortex.model.notes import BY_HAND, MEMBERS, SECTION_COUNT, Section, hash_body
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import require_folder
from codecortex.operations.notes.backup import UNREADABLE, Backup, back_up_notes, digest_file, remove_notes
from codecortex.operations.notes.headers import NoteHeaders
from codecortex.operations.notes.moves import list_unmerged, tell_unmerged
from codecortex.operations.notes.previous import Previous, list_superseded, read_previous
from codecortex.store.committed.semantic_md import check_size, decode_note, encode_note, lay_out, list_unknown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from codecortex.analysis.notes.answers import Outcome
    from codecortex.analysis.notes.jobs import Job
    from codecortex.model.notes import MemberLine, Note
    from codecortex.operations.catalog.workspace import Workspace

InputDigests = dict[str, str]
"""Digest of each file that a job's prompt is made from, by path; empty if there is no such file."""


class JobAnswer(NamedTuple):
    """A job and the parsed answer to it.

    Attributes:
        job: The job.
        outcome: The parsed answer.
        generator: Who gave it, one short line: `extract 1`, `openai:gpt-x prompt 3`.
        seen: `digest_inputs` when the prompt was made; None if nothing else can have written since.
    """

    job: Job
    outcome: Outcome
    generator: str
    seen: InputDigests | None = None


class WriteOutcome(NamedTuple):
    """Result of writing one answer.

    Attributes:
        owner: Id of the note's type or group.
        path: Path of the note.
        changed: Whether the file differs from before.
        given: The sections that the answer replaced.
        lines: The members whose lines it replaced.
        by_hand: The sections that a person had written before, whether or not they were replaced.
        removed: Paths of superseded notes that were removed.
        problem: Why nothing was written; empty if it was. The job then stays open.
    """

    owner: str
    path: str
    changed: bool
    given: tuple[Section, ...] = ()
    by_hand: tuple[Section, ...] = ()
    removed: tuple[str, ...] = ()
    problem: str = ""
    lines: tuple[str, ...] = ()

    @property
    def replaced(self) -> tuple[str, ...]:
        """What the answer replaced, as headings of the note."""
        return (*self.given, *([MEMBERS] if self.lines else []))


def digest_inputs(workspace: Workspace, job: Job) -> InputDigests:
    """Digests of the files that a job's prompt is made from: the note's file and the old notes it continues from.

    Raises:
        GitStateError: One of them cannot be read or must not be overwritten: a newer codecortex wrote it, it is
            unmerged, or it is too long.
    """
    return _look(workspace, job, list_unmerged(workspace.repository))


def try_digest_inputs(workspace: Workspace, job: Job) -> InputDigests | None:
    """Digests of a job's files, whether or not they may be written; None if one cannot be read (writing reports it)."""
    try:
        return _digest_files(job, _read_files(workspace.repository.require_root(), job))
    except GitStateError:
        return None


def find_obstacles(workspace: Workspace, jobs: Iterable[Job]) -> list[str]:
    """For each job, a clause that says what prevents writing its note at the moment; empty if nothing does.

    Git's index is read once for all jobs: a caller that writes has to check again per job.

    Raises:
        GitStateError: Git cannot read the index.
    """
    unmerged = list_unmerged(workspace.repository)
    return [_tell_obstacle(workspace, job, unmerged) for job in jobs]


def _tell_obstacle(workspace: Workspace, job: Job, unmerged: Collection[str]) -> str:
    try:
        _look(workspace, job, unmerged)
    except GitStateError as problem:
        return _write_problem(problem)
    return ""


def _look(workspace: Workspace, job: Job, unmerged: Collection[str]) -> InputDigests:
    """`digest_inputs`, given the unmerged paths."""
    held = _read_files(workspace.repository.require_root(), job)
    if problem := _find_untouchable(job, held, unmerged):
        raise GitStateError(f"{problem}.")  # no prompt is sent for a note that could not be written
    return _digest_files(job, held)


def write_outcome(
    workspace: Workspace, job: Job, outcome: Outcome, generator: str, *, seen: InputDigests | None = None
) -> WriteOutcome:
    """Write the note of one job; see `write_outcomes`."""
    return write_outcomes(workspace, [JobAnswer(job, outcome, generator, seen)])[0]


def write_outcomes(workspace: Workspace, answers: Sequence[JobAnswer]) -> list[WriteOutcome]:
    """Write the notes of several jobs under the lock, each whole or not at all; return the results in order.

    Headers describe the workspace's tree, which the answers were made from; a change on disk since then makes the note
    stale at once, as it should.

    Raises:
        UsageError: There is no `.codecortex`.
        BusyError: Another process holds the lock.
        GitStateError: A file cannot be written.
    """
    root = require_folder(workspace.repository)
    with lock_repository(workspace.repository):
        plan = _Planner(workspace, answers).plan
        planned = [plan(answer) for answer in answers]
        back_up_notes(root, [backup for each in planned for backup in each.backups], workspace.request.warn)
        writes = {each.told.path: each.data for each in planned if each.data is not None}
        changed = set(apply_writes(root, writes).written)
        return [
            _finish(workspace, root, answer, each.told._replace(changed=each.told.path in changed))
            for answer, each in zip(answers, planned, strict=True)
        ]


class _Planned(NamedTuple):
    """What is to be done for an answer: the result to report, the note's new bytes, and the backups."""

    told: WriteOutcome
    data: bytes | None = None
    backups: tuple[Backup, ...] = ()


class _Planner:
    """Plans what to write for answers, from the files on disk and the tree now."""

    def __init__(self, workspace: Workspace, answers: Sequence[JobAnswer]) -> None:
        self._workspace = workspace
        self._root = workspace.repository.require_root()
        self._unmerged = list_unmerged(workspace.repository)
        self._heads = NoteHeaders(workspace, [answer.job.types for answer in answers])

    def plan(self, answer: JobAnswer) -> _Planned:
        """The plan for one answer; it carries a problem if nothing is to be written."""
        job = answer.job
        told = WriteOutcome(job.owner, job.path, changed=False)
        try:
            held = _read_files(self._root, job)
        except GitStateError as problem:
            return _Planned(told._replace(problem=_write_problem(problem)))
        obstacle = _find_obstacle(answer, held, self._unmerged)
        planned = obstacle or self._make(answer, held)
        return _Planned(told._replace(problem=planned)) if isinstance(planned, str) else planned

    def _make(self, answer: JobAnswer, held: Mapping[str, bytes]) -> _Planned | str:
        """The new note, merged from the answer and the old text, or why it cannot be written."""
        job, outcome, generator, _ = answer
        if isinstance(outcome, Nothing):
            return _Planned(WriteOutcome(job.owner, job.path, changed=False))
        previous = read_previous(self._workspace, job) if held else Previous(None, (), ())
        given = outcome.texts if isinstance(outcome, Sections) else {}
        if previous.texts is None and len(given) < len(Section):
            return f"{job.path} has no text that can be read, so all {SECTION_COUNT} sections are needed"
        texts, body_hash = _join(previous, given, generator)
        if isinstance(outcome, NoChange) and len(previous.notes) == 1:
            generator, body_hash = previous.notes[0].generator, previous.notes[0].body_hash or body_hash
        note = self._heads.make_note(job.owner, job.types, generator, texts)
        if note is None:
            return f"the sources of {', '.join(job.names)} cannot be read"
        note = self._heads.add_lines(note, _list_lines(job, previous), _lines_of(outcome))
        try:
            check_size((*texts, *note.lines.values()), job.path)
        except StoreFormatError as problem:
            return problem.message
        by_hand = list_by_hand(previous.notes)
        lines = _lines_of(outcome)
        told = WriteOutcome(job.owner, job.path, changed=False, given=tuple(given), by_hand=by_hand, lines=tuple(lines))
        data = encode_note(note._replace(body_hash=body_hash, cut=job.cut))
        return _Planned(told, data, tuple(_list_backups(job, held, previous, given)))


def _list_lines(job: Job, previous: Previous) -> tuple[MemberLine, ...]:
    """The lines on members that the new note takes over: those of a note on other types name members otherwise."""
    return next((note.members for note in previous.notes if note.owner == job.owner), ())


def _lines_of(outcome: Outcome) -> Mapping[str, str]:
    return outcome.lines if isinstance(outcome, Sections) else {}


def _list_backups(
    job: Job, held: Mapping[str, bytes], previous: Previous, given: Collection[Section]
) -> Iterator[Backup]:
    """Backups of old text that the new note replaces without having continued from it."""
    for path in previous.unread:
        yield Backup(path, held[path], UNREADABLE)
    for note in previous.notes:
        lost = list_lost(note, given) if note.owner == job.owner else ()
        if lost:
            yield Backup(job.path, held[job.path], tell_lost(lost))


def list_lost(note: Note, given: Collection[Section]) -> list[str]:
    """Headings outside the five sections that a person wrote, and that are lost if the given sections are replaced."""
    by_hand = list_by_hand((note,))
    texts = (text for each, text in zip(Section, note.texts, strict=True) if each in given and each in by_hand)
    return [name for text in texts for name in list_unknown(text)]


def tell_lost(names: Sequence[str]) -> str:
    """`Backup.why` for the headings that `list_lost` found."""
    return f"is replaced where it had {', '.join(names)}, which is none of the {SECTION_COUNT} sections"


def _find_obstacle(answer: JobAnswer, held: Mapping[str, bytes], unmerged: Collection[str]) -> str:
    """Why an answer must not be written over the files on disk; empty if it may."""
    job, outcome, _, seen = answer
    if isinstance(outcome, Refusal):
        return outcome.reason
    if seen is not None and seen != _digest_files(job, held):
        return f"{job.path} changed since the text for it was asked for"
    if job.path in held and job.path not in job.previous:
        return f"{job.path} was written since the text for it was asked for"
    return _find_untouchable(job, held, unmerged)


def _find_untouchable(job: Job, held: Mapping[str, bytes], unmerged: Collection[str]) -> str:
    """The file that no answer may overwrite, why, and what to do, as a sentence; empty if there is none."""
    problems = (tell_unmerged(path) if path in unmerged else "" for path in _list_files(job))
    others = (_judge_file(path, data) for path, data in held.items())
    return next(filter(None, (*problems, *others)), "")


def _judge_file(path: str, data: bytes) -> str:
    """The same for one file; a damaged one may be replaced as a whole and is backed up."""
    try:
        note = decode_note(data, path)
    except (NewerFormatError, UnmergedError) as problem:
        return _write_problem(problem)
    except StoreFormatError:
        return ""
    try:
        check_size(note.texts, path)  # a prompt could not show all of it
    except StoreFormatError as problem:
        return _write_problem(problem)
    return ""


def _write_problem(problem: CodecortexError) -> str:
    """An error and its hint, as a sentence without the full stop."""
    return f"{problem.message.rstrip('.')}. {problem.hint}".rstrip(" .")


def _join(previous: Previous, given: Mapping[Section, str], generator: str) -> tuple[tuple[str, ...], str]:
    """The texts of a note, and its body hash: a digest per section, by which text of a person is recognized later."""
    before = previous.texts or ("",) * len(Section)
    texts = tuple(
        (lay_out(section, "\n" + given[section]) if given[section] else "") if section in given else kept
        for section, kept in zip(Section, before, strict=True)
    )
    digests = hash_body(texts).split()
    if generator != HAND:
        kept_by_hand = [section for section in list_by_hand(previous.notes) if section not in given]
        digests = [BY_HAND if section in kept_by_hand else own for section, own in zip(Section, digests, strict=True)]
    return texts, " ".join(digests)


def list_by_hand(notes: Sequence[Note]) -> tuple[Section, ...]:
    """The sections of these notes that a person wrote, or edited after they were generated."""
    found: set[Section] = set()
    for note in notes:
        whole = note.generator == HAND or note.body_hash is None
        told = (each for each, text in zip(Section, note.texts, strict=True) if text.strip())
        found.update(told if whole else note.edited_sections)
    return tuple(section for section in Section if section in found)


def _finish(workspace: Workspace, root: Path, answer: JobAnswer, told: WriteOutcome) -> WriteOutcome:
    """Remove superseded notes, now that the new note is written; and its own where there is nothing to say."""
    job = answer.job
    own = [job.path] if isinstance(answer.outcome, Nothing) and job.path in job.previous else []
    if told.problem or not (own or set(job.previous) - {job.path}):
        return told
    removed = remove_notes(root, [*own, *list_superseded(workspace, job)])
    return told._replace(changed=told.changed or job.path in removed, removed=removed)


def _read_files(root: Path, job: Job) -> dict[str, bytes]:
    """Bytes of a job's existing files; fails on one that cannot be read, as it could not be backed up either."""
    found = {path: read_file(root, path, "Move what stands there away.") for path in _list_files(job)}
    return {path: data for path, data in found.items() if data is not None}


def _digest_files(job: Job, held: Mapping[str, bytes]) -> InputDigests:
    return {path: digest_file(held.get(path)) for path in _list_files(job)}


def _list_files(job: Job) -> tuple[str, ...]:
    return tuple(dict.fromkeys((job.path, *job.previous)))
