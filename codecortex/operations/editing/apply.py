"""`edit apply`: a patch of any form applied to the buffers of its files, all of it or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.editing import events
from codecortex.editing.patches.applying import apply_stages
from codecortex.editing.patches.reading import read_patch
from codecortex.editing.patches.values import Failure, PatchError
from codecortex.editing.reducer import step
from codecortex.editing.values import Language, Status
from codecortex.git.sessions.applying import FileChange, apply_changes
from codecortex.model.errors import CodecortexError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.editing import diagnostics
from codecortex.operations.editing.allowed import read_edit_config, require_allowed
from codecortex.operations.editing.applied import AppliedFile, ApplyResult
from codecortex.operations.editing.declarations import find_declaration
from codecortex.operations.editing.files import NoTextError, require_editable
from codecortex.operations.editing.held import hold_session
from codecortex.operations.editing.transaction import Transaction
from codecortex.operations.reading.places import place_file
from codecortex.operations.request import Count
from codecortex.operations.sessions.versions import check_name, open_worktree
from codecortex.operations.wording import count_noun, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.editing.drafts import Draft
    from codecortex.editing.patches.values import FilePatch, Stage
    from codecortex.editing.reducer import Step
    from codecortex.editing.values import Mode
    from codecortex.git.repository import Repository
    from codecortex.operations.editing.held import HeldSession
    from codecortex.operations.editing.results import EditRequest

APPLY = "apply"
_NAMED = 3


class _Opened(NamedTuple):
    """The buffers of a patch by path, and what stands in the way of some."""

    buffers: dict[str, Transaction]
    failures: list[Failure]
    met: set[str]


def apply(edit: EditRequest, patch: bytes, mode: Mode | None = None) -> ApplyResult:
    """Apply a patch: a unified diff, an `apply_patch` block or a JSON list of replacements.

    Each file is written as the mode of its buffer says, all of them or none. Where a part does not apply, nothing is
    changed.

    Args:
        edit: The session; the patch names the files.
        patch: The patch.
        mode: The mode of its buffers from now on; None for what each has, which for a new one is `immediate`.

    Raises:
        UsageError: The text is no patch, or names a path that cannot be edited.
        NotAllowedError: The configuration does not allow it.
        BusyError: Another process is at work in the session.
        GitStateError: Git or the disk refuses; nothing is changed.
    """
    return apply_parts(edit, read_parts(patch), mode)


def apply_parts(edit: EditRequest, parts: Sequence[Stage], mode: Mode | None = None) -> ApplyResult:
    """Apply the parts of a patch; see `apply`."""
    check_name(edit.session)
    repository = open_worktree(edit.request.folder)
    config = read_edit_config(repository)
    stages = _place(edit, repository, parts)
    paths = sorted({path for stage in stages for part in stage for path in (part.old, part.new) if path is not None})
    require_allowed(config, APPLY, paths)
    with hold_session(edit, repository, Language(config.language.value)) as held:
        opened = _open(edit, held, stages, paths)
        texts = {path: work.state.draft for path, work in opened.buffers.items()}
        after, failures = apply_stages(stages, texts, _locate)
        steps = _make_steps(opened.buffers, after, mode)
        known = {each.file for each in (*opened.failures, *failures)}
        refused = [
            _refuse(stages, path, done) for path, done in steps.items() if done.response.status is Status.EXCEPTION
        ]
        problems = [
            *opened.failures,
            *(each for each in failures if each.file not in {e.file for e in opened.failures}),
        ]
        problems += [each for each in refused if each.file not in known]
        if problems:
            return _give_up(edit, held, opened, problems)
        return _carry_out(edit, held, opened, steps, stages)


def read_parts(patch: bytes) -> tuple[Stage, ...]:
    """The parts of a patch, in the stages that they are made in.

    Raises:
        UsageError: The text is none.
    """
    try:
        return read_patch(patch)
    except PatchError as problem:
        hint = "`git diff` writes one; `edit replace` needs none."
        raise UsageError(f"The patch cannot be read. {problem}", hint) from problem


def _place(edit: EditRequest, repository: Repository, stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """The same with paths as git has them; those of a patch are from the top."""
    request = edit.request._replace(folder=repository.require_root())
    placed: dict[str, str] = {}

    def place(path: str | None) -> str | None:
        if path is not None and path not in placed:
            placed[path] = place_file(request, repository, path)
            require_editable(repository, placed[path])
        return None if path is None else placed[path]

    return tuple(tuple(part._replace(old=place(part.old), new=place(part.new)) for part in stage) for stage in stages)


def _open(edit: EditRequest, held: HeldSession, stages: Sequence[Stage], paths: Sequence[str]) -> _Opened:
    entries = held.read_entries(paths)
    opened = _Opened({}, [], set())
    root = held.repository.require_root()
    for path in paths:
        work = Transaction(held, path, diagnostics.Diagnostics(edit, root, path, APPLY), entries[path])
        try:
            work.begin(None)
        except NoTextError as problem:
            opened.failures.append(Failure(path, _find_line(stages, path), "file", problem.message))
            continue
        opened.buffers[path] = work
        told = work.meet_disk()
        if told is not None:
            opened.met.add(path)
            if told.status is Status.EXTERNAL_CONFLICT:
                opened.failures.append(Failure(path, _find_line(stages, path), "file", told.summary))
    return opened


def _find_line(stages: Sequence[Stage], path: str) -> int:
    return next(part.line for stage in stages for part in stage if path in (part.old, part.new))


def _locate(path: str, draft: Draft, symbol: str) -> tuple[int, int] | str:
    try:
        return find_declaration(path, draft.shown, symbol)
    except CodecortexError as problem:
        return problem.message


def _make_steps(
    buffers: Mapping[str, Transaction], after: Mapping[str, Draft | None], mode: Mode | None
) -> dict[str, Step]:
    """What becomes of each buffer that changes."""
    steps = {}
    for path, work in buffers.items():
        before = work.state if mode is None else work.state._replace(mode=mode)
        if after.get(path) != before.draft:
            steps[path] = step(before, events.Put(after.get(path)))
    return steps


def _refuse(stages: Sequence[Stage], path: str, done: Step) -> Failure:
    told = " ".join(filter(None, (done.response.summary, done.response.guidance)))
    return Failure(path, _find_line(stages, path), "file", told)


def _give_up(edit: EditRequest, held: HeldSession, opened: _Opened, failures: list[Failure]) -> ApplyResult:
    """Change nothing, and keep the attempt as one of the same texts."""
    edit.request.tally(Count.EDITS, 1)
    failures.sort(key=lambda each: each.line)
    do = "does" if len(failures) == 1 else "do"
    summary = f"Nothing is changed: {count_noun(len(failures), 'part')} of the patch {do} not apply."
    files = sorted({each.file for each in failures})
    error = f"{summary} {failures[0].file}: {failures[0].reason}"
    facts = {"op": APPLY, "file": files[0] if len(files) == 1 else None, "status": Status.NO_MATCH, "error": error}
    held.add_version({}, {}, f"{APPLY} {name_some(files, _NAMED)}: {Status.NO_MATCH}", facts)
    held.remember({path: opened.buffers[path].record for path in opened.met}, shown=None)
    return ApplyResult(held.session.name, held.session.tip.id, Status.NO_MATCH, summary, failures=tuple(failures))


def _carry_out(
    edit: EditRequest, held: HeldSession, opened: _Opened, steps: Mapping[str, Step], stages: Sequence[Stage]
) -> ApplyResult:
    """Add the version, then write the files that follow their buffers."""
    works = {path: opened.buffers[path] for path in steps}
    result = ApplyResult(held.session.name, "", Status.NO_OP, "Nothing to do: the files say so already.")
    if works:
        edit.request.tally(Count.EDITS, 1)
        kept = {path: (work.record, work.state) for path, work in works.items()}
        _add(held, works, [work.capture(APPLY, steps[path]) for path, work in works.items()], {"op": APPLY})
        problem = _write(held, works, steps)
        if problem:
            _take_back(held, works, kept, problem)
            summary = f"Nothing is changed: the files could not be written. {problem}"
            result = result._replace(status=Status.PERSIST_FAILURE, summary=summary)
        else:
            edit.request.tally(Count.APPLIED, 1)
            summary = f"Applied the patch to {count_noun(len(works), 'file')}."
            result = result._replace(status=Status.SUCCESS, summary=summary, files=_describe(works, steps, stages))
    for path, work in works.items():
        work.log.tell(diagnostics.PERSISTENCE, steps[path].response, version=held.session.tip.id)
    buffers = {path: opened.buffers[path].record for path in (*opened.met, *works)}
    shown = next((path for path, work in works.items() if work.state.draft is not None), None)
    held.remember(buffers, shown=shown)
    return result._replace(version=held.session.tip.id)


def _add(
    held: HeldSession, works: Mapping[str, Transaction], rows: list[dict[str, Any]], facts: dict[str, Any]
) -> None:
    known = {path: work.entry for path, work in works.items()}
    entries = {path: work.make_entry() for path, work in works.items()}
    changes = {path: entry for path, entry in entries.items() if entry != known[path]}
    status = facts.get("status", Status.SUCCESS)
    told = "" if status is Status.SUCCESS else f": {status}"
    facts = {"file": next(iter(works)) if len(works) == 1 else None, "status": status, **facts, "files": rows}
    held.add_version(known, changes, f"{APPLY} {name_some(list(works), _NAMED)}{told}", facts)
    for path, work in works.items():
        work.entry = entries[path]


def _write(held: HeldSession, works: Mapping[str, Transaction], steps: Mapping[str, Step]) -> str:
    """Write the files that have to follow; why that was not done, empty where it was."""
    changes = []
    for path, work in works.items():
        draft = work.state.draft
        if steps[path].is_due and draft is None:
            changes.append(FileChange(path, work.found.data, None))
        elif steps[path].is_due and draft is not None:
            may_run = draft.executable if draft.executable != work.found.executable else None
            changes.append(FileChange(path, work.found.data, draft.encode(), may_run))
    if not changes:
        return ""
    names = name_some([each.path for each in changes], _NAMED)
    try:
        apply_changes(held.repository, changes, f"{APPLY} {names}", {"op": APPLY, "session": held.session.name})
    except CodecortexError as problem:
        return problem.message
    for each in changes:
        works[each.path].mark_written()
    return ""


def _take_back(held: HeldSession, works: Mapping[str, Transaction], kept: Mapping[str, Any], problem: str) -> None:
    """Go back to the texts before; what could not be written stands in the version before."""
    rows = []
    for path, work in works.items():
        after = work.record.text
        work.record, work.state = kept[path]
        rows.append(work.describe(after))
    _add(held, works, rows, {"op": "undo", "status": Status.PERSIST_FAILURE, "error": problem})


def _describe(
    works: Mapping[str, Transaction], steps: Mapping[str, Step], stages: Sequence[Stage]
) -> tuple[AppliedFile, ...]:
    parts = [part for stage in stages for part in stage]
    moved = {new: old for part in parts for new, old in _list_moves(part)}
    gone = {old for new, old in moved.items() if new in works and works[new].state.draft is not None}
    found = []
    for path, work in works.items():
        is_gone = work.state.draft is None
        if is_gone and path in gone:
            continue
        change = "renamed" if path in moved else "removed" if is_gone else "changed" if work.existed else "added"
        written = steps[path].is_due
        found.append(AppliedFile(path, moved.get(path), change, work.state.mode, work.state.state, written))
    return tuple(found)


def _list_moves(part: FilePatch) -> list[tuple[str, str]]:
    if part.old is None or part.new is None or part.old == part.new or part.copied:
        return []
    return [(part.new, part.old)]
