"""A desk, jobs and what answers to them mean in; notes written, with headers from the tree, out.

A section that an answer does not name stays byte for byte. What a person wrote is known by the body hash: it stays
marked as theirs until an answer, made with it in view, takes its place; and where a note's file is not what the answer
was made from, nothing is written and the job has to be done again.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.answers import NoChange, Refusal, Sections
from codecortex.analysis.jobs import HAND
from codecortex.git.disk import Disk, Problem
from codecortex.git.lock import lock_repository
from codecortex.git.writing import apply_writes
from codecortex.model.errors import GitStateError, NewerFormatError, StoreFormatError
from codecortex.model.notes import Base, Dependency, Note, Section, hash_body
from codecortex.operations.committed import require_folder
from codecortex.operations.jobs_previous import list_superseded, read_previous
from codecortex.operations.local_files import write_local
from codecortex.operations.note_texts import list_needed
from codecortex.operations.prints import read_prints
from codecortex.store.paths import REPLACED
from codecortex.store.semantic_md import check_size, decode_note, encode_note, lay_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from codecortex.analysis.answers import Outcome
    from codecortex.analysis.fingerprints import Fingerprints
    from codecortex.analysis.jobs import Job
    from codecortex.model.types import TypeId
    from codecortex.operations.desk import Desk
    from codecortex.operations.jobs_previous import Previous

BY_HAND = "00000000"
"""Stands for the digest of a section that a person wrote; no text of its writer's has it."""

Seen = dict[str, str]
"""Path of each file that a job's prompt was made from to a digest of its bytes; empty where there was none."""


class Answered(NamedTuple):
    """A job and what the answer to it means.

    Attributes:
        job: The job.
        outcome: What the answer means.
        generator: Who gave it, one short line: `extract 1`, `openai:gpt-x prompt 3`.
        seen: `look_at` of the moment when the prompt was made; None where nothing else can have written since.
    """

    job: Job
    outcome: Outcome
    generator: str
    seen: Seen | None = None


class Written(NamedTuple):
    """What became of an answer.

    Attributes:
        owner: The note's owner.
        path: Its file.
        changed: Whether the file is another than before.
        given: The sections that the answer replaced.
        by_hand: The sections that a person had written before, whether or not they were replaced.
        removed: Files of notes that say nothing more, now that this one stands.
        problem: Why nothing was written; empty where it was. The job is as open as before.
    """

    owner: str
    path: str
    changed: bool
    given: tuple[Section, ...] = ()
    by_hand: tuple[Section, ...] = ()
    removed: tuple[str, ...] = ()
    problem: str = ""


def look_at(desk: Desk, job: Job) -> Seen:
    """What a job's prompt is about to be made from: the note's file and those that its text goes on from.

    Raises:
        GitStateError: One of them is no file that can be read, or a newer codecortex wrote it.
    """
    held = _read_files(Disk(desk.repository.require_root()), job)
    if newer := _find_newer(held):  # nobody is asked for what could not be written
        raise GitStateError(newer)
    return {path: _digest(held.get(path)) for path in _list_files(job)}


def write_outcome(desk: Desk, job: Job, outcome: Outcome, generator: str, *, seen: Seen | None = None) -> Written:
    """Write the note of one job; see `write_outcomes`."""
    return write_outcomes(desk, [Answered(job, outcome, generator, seen)])[0]


def write_outcomes(desk: Desk, answers: Sequence[Answered]) -> list[Written]:
    """Write the notes of several jobs, each whole or not at all, under the lock; what became of each, in order.

    The headers speak of the desk's tree, which the answers were made from; what changed on disk since makes a note
    stale at once, as it should.

    Raises:
        UsageError: There is no `.codecortex`.
        BusyError: Another process writes.
        GitStateError: The disk refuses.
    """
    root = require_folder(desk.repository)
    with lock_repository(desk.repository):
        heads = _Heads(desk, [answer.job for answer in answers])
        planned = [_plan(desk, answer, heads, Disk(root)) for answer in answers]
        _keep_aside(desk, root, {path: data for each in planned for path, data in each.aside.items()})
        writes = {each.told.path: each.data for each in planned if each.data is not None}
        changed = set(apply_writes(root, writes).written)
        return [
            _finish(desk, root, answer.job, each.told._replace(changed=each.told.path in changed))
            for answer, each in zip(answers, planned, strict=True)
        ]


def _keep_aside(desk: Desk, root: Path, files: Mapping[str, bytes]) -> None:
    """Keep damaged notes before others take their place, and say so: there may be a person's text in them."""
    if files:
        write_local(root, files)
    for path in files:
        desk.request.warn(f"A note that could not be read is replaced; what it said is kept in {path}.")


class _Planned(NamedTuple):
    """What an answer comes to: the note's new bytes, bytes to be kept aside, and what there is to tell."""

    told: Written
    data: bytes | None
    aside: Mapping[str, bytes]


class _Heads:
    """What the headers of notes say of the tree; all hashes are read at once."""

    def __init__(self, desk: Desk, jobs: Iterable[Job]) -> None:
        self._desk = desk
        self._needed = {job.owner: list_needed(desk, job.types) for job in jobs}
        wanted = {each for needed in self._needed.values() for each in needed}
        self._prints = read_prints(desk, wanted.union(*(job.types for job in jobs)))

    def make_note(self, job: Job, generator: str, texts: tuple[str, ...], body_hash: str) -> Note | None:
        """The note of a job; None where the sources of one of its types cannot be read."""
        if any(each not in self._prints for each in job.types):
            return None
        names = zip(job.types, job.names, strict=True)
        types = tuple(sorted(_make_base(each, name, self._prints[each]) for each, name in names))
        needed = self._needed[job.owner]
        dependencies = tuple(Dependency(each, self._prints[each].structure) for each in needed if each in self._prints)
        return Note(job.owner, types, dependencies, generator, body_hash, texts, job.cut)


def _make_base(type_id: TypeId, fqn: str, own: Fingerprints) -> Base:
    return Base(type_id, fqn, own.structure, own.impl, own.public_impl, own.internal_impl, own.xml_doc)


def _plan(desk: Desk, answer: Answered, heads: _Heads, disk: Disk) -> _Planned:
    job, outcome, generator, seen = answer
    told = Written(job.owner, job.path, changed=False)
    try:
        held = _read_files(disk, job)
    except GitStateError as problem:
        return _give_up(told, problem.message)
    obstacle = outcome.reason if isinstance(outcome, Refusal) else _find_obstacle(job, held, seen)
    if obstacle:
        return _give_up(told, obstacle)
    previous = read_previous(desk, job) if held else None
    before = previous.texts if previous is not None else None
    given = outcome.texts if isinstance(outcome, Sections) else {}
    if before is None and len(given) < len(Section):
        return _give_up(told, f"{job.path} has no text that can be read, so all five sections are needed")
    texts, body_hash = _join(previous, before or ("",) * len(Section), given, generator)
    if isinstance(outcome, NoChange) and previous is not None and len(previous.notes) == 1:
        generator, body_hash = previous.notes[0].generator, previous.notes[0].body_hash or body_hash
    note = heads.make_note(job, generator, texts, body_hash)
    if note is None:
        return _give_up(told, f"the sources of {', '.join(job.names)} cannot be read")
    told = told._replace(given=tuple(given), by_hand=list_by_hand(previous.notes) if previous is not None else ())
    unread = previous.unread if previous is not None else ()
    try:
        check_size(texts, job.path)
    except StoreFormatError as problem:
        return _give_up(told, problem.message)
    return _Planned(told, encode_note(note), {_name_aside(path, held[path]): held[path] for path in unread})


def _find_obstacle(job: Job, held: Mapping[str, bytes], seen: Seen | None) -> str:
    """Why nothing may be written over what lies on disk; empty where it may."""
    if seen is not None and seen != {path: _digest(held.get(path)) for path in _list_files(job)}:
        return f"{job.path} changed since the text for it was asked for"
    if job.path in held and job.path not in job.previous:
        return f"{job.path} was written since the text for it was asked for"
    return _find_newer(held)


def _find_newer(held: Mapping[str, bytes]) -> str:
    """Which file a newer codecortex wrote, as a sentence; empty where none did."""
    for path, data in held.items():
        try:
            decode_note(data, path)
        except NewerFormatError as problem:
            return f"{problem.message}. {problem.hint}"
        except StoreFormatError:
            continue  # a damaged one is replaced as a whole, and kept aside
    return ""


def _give_up(told: Written, problem: str) -> _Planned:
    return _Planned(told._replace(problem=problem), None, {})


def _join(
    previous: Previous | None, before: tuple[str, ...], given: Mapping[Section, str], generator: str
) -> tuple[tuple[str, ...], str]:
    """The texts of a note, and the digests that tell later who wrote which."""
    notes = previous.notes if previous is not None else ()
    texts = tuple(
        lay_out(section, "\n" + given[section]) if section in given else kept
        for section, kept in zip(Section, before, strict=True)
    )
    digests = hash_body(texts).split()
    if generator != HAND:
        kept_by_hand = [section for section in list_by_hand(notes) if section not in given]
        digests = [BY_HAND if section in kept_by_hand else own for section, own in zip(Section, digests, strict=True)]
    return texts, " ".join(digests)


def list_by_hand(notes: Sequence[Note]) -> tuple[Section, ...]:
    """The sections that a person wrote, or changed after somebody else did, in some of these notes."""
    found: set[Section] = set()
    for note in notes:
        whole = note.generator == HAND or note.body_hash is None
        told = (each for each, text in zip(Section, note.texts, strict=True) if text.strip())
        found.update(told if whole else note.edited_sections)
    return tuple(section for section in Section if section in found)


def _finish(desk: Desk, root: Path, job: Job, told: Written) -> Written:
    """Remove what says nothing more, now that the new note stands."""
    if told.problem or not job.previous or job.previous == (job.path,):
        return told
    removed = apply_writes(root, {}, list_superseded(desk, job)).removed
    return told._replace(removed=removed)


def _read_files(disk: Disk, job: Job) -> dict[str, bytes]:
    """The bytes of a job's files that are there; what cannot be read cannot be kept, so nothing is written over it."""
    found = {path: disk.read(path.encode()) for path in _list_files(job)}
    for path, data in found.items():
        if isinstance(data, Problem) and data is not Problem.MISSING:
            raise GitStateError(f"{path} cannot be read: {data}", "Move what stands there away.")
    return {path: data for path, data in found.items() if isinstance(data, bytes)}


def _list_files(job: Job) -> tuple[str, ...]:
    return tuple(dict.fromkeys((job.path, *job.previous)))


def _digest(data: bytes | None) -> str:
    return sha256(data).hexdigest()[:16] if data is not None else ""


def _name_aside(path: str, data: bytes) -> str:
    """Where a damaged note is kept that a new one takes the place of."""
    return f"{REPLACED}/{path.rpartition('/')[2].removesuffix('.md')}-{_digest(data)}.md"
