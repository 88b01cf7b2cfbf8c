"""`refactor batch`: edits made one on the other in a session, compiled together, and written at once or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.errors import CodecortexError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.bindings.memory import forget_declared
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.editing.allowed import read_edit_config
from codecortex.operations.refactoring.batches.differences import compare_sources, fit_disk
from codecortex.operations.refactoring.batches.results import BatchResult, Made, Rejected, refuse_batch
from codecortex.operations.refactoring.batches.scratch import BatchSession, drop_scratch, open_batch
from codecortex.operations.refactoring.batches.verbs import run_step
from codecortex.operations.refactoring.compiling.judge import Judge
from codecortex.operations.refactoring.compiling.plans import describe_errors
from codecortex.operations.refactoring.patches import write_patch
from codecortex.operations.refactoring.pipeline import list_changes, write_changes
from codecortex.operations.refactoring.results import CompileReport, EditRefusedError, EditRequest, EditResult, Plan
from codecortex.operations.request import Count
from codecortex.operations.sessions.versions import add_tree, find_session, open_worktree
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.editing.refactoring.edits import FileEdits
    from codecortex.operations.refactoring.batches.verbs import Step

_VERB = "batch"


class NotChosenError(EditRefusedError, code="EditNotChosen"):
    """Candidates of an edit have to be chosen first."""


class _Judged(NamedTuple):
    """What a tree of the session comes to: its files as edits, and what the compiler says."""

    files: tuple[FileEdits, ...]
    report: CompileReport


def run_batch(asked: EditRequest, steps: Sequence[Step]) -> BatchResult:
    """Make several edits as one.

    With a session they become its versions, and it begins if there is none; else they are made in a session that
    lasts only as long as this, unless it was to be written and an edit cannot be made.

    Args:
        asked: Where the edits go; of a session that is to be written too, all that it changed is written.
        steps: The edits, in order.

    Raises:
        EditRefusedError: One of them cannot be made; nothing is written, and the others are kept in the session.
        CodecortexError: As `edit_sources` says.
    """
    request = asked.request
    repository = open_worktree(request.folder)
    session = open_batch(request, repository, asked.session)
    is_kept = asked.session is not None
    try:
        run = _Run(asked, session)
        judged = run.make(steps)
        if run.rejected:
            is_kept = is_kept or (asked.write and bool(run.made))
            raise refuse_batch(run.made, run.rejected, judged.report, session.name if is_kept else "")
        whole = run.finish(judged)
    finally:
        if not is_kept:
            drop_scratch(request, session)
    return BatchResult(whole, tuple(run.made), session.name if is_kept else "")


class _Run:
    """One batch.

    Attributes:
        made: The edits that were made.
        rejected: Those that cannot be.
    """

    def __init__(self, asked: EditRequest, session: BatchSession) -> None:
        self._asked = asked
        self._session = session
        self._repository = open_worktree(asked.request.folder)
        self._start = find_session(self._repository, session.name).tree
        self.made: list[Made] = []
        self.rejected: list[Rejected] = []

    def make(self, steps: Sequence[Step]) -> _Judged:
        """Make the edits and compile what they come to, without those that have errors."""
        self._make(enumerate(steps, 1))
        with Workspace(self._asked.request._replace(rev=self._session.base)) as workspace:
            config = read_edit_config(self._repository)
            while True:
                with Judge(workspace, config) as judge:
                    judged = self._judge(judge, self._tree)
                    if not judged.report.errors:
                        break
                    place, report = self._find_culprit(judge, judged.report)
                self._reject(place, report)
        self.rejected.sort(key=lambda each: each.number)
        return judged

    @property
    def _tree(self) -> str:
        return find_session(self._repository, self._session.name).tree

    def _make(self, steps: Iterable[tuple[int, Step]]) -> None:
        """Make edits on the session as it is."""
        asked = EditRequest(self._asked.request, self._session.name, compiles=False)
        for number, step in steps:
            before = self._tree
            forget_declared()
            try:
                result = run_step(asked, step)
            except CodecortexError as problem:
                self.rejected.append(Rejected(number, step, problem))
                continue
            if result.state == "choose":
                told = f"{count_noun(len(result.candidates), 'place')} may belong to it."
                open_ = NotChosenError(told, "`include` takes the ids of those that do, or `none`.")
                self.rejected.append(Rejected(number, step, open_, result.candidates))
            else:
                self.made.append(Made(number, step, result, before, self._tree))

    # -- the compiler

    def _judge(self, judge: Judge, tree: str) -> _Judged:
        files = compare_sources(self._repository, self._session.base, tree)
        return _Judged(files, judge.compile(files))

    def _find_culprit(self, judge: Judge, report: CompileReport) -> tuple[int, CompileReport]:
        """The edit without which there are no errors yet, and the errors with it.

        It is looked for from the end: an edit may mend what an earlier one broke.
        """
        bad, step = len(self.made), 1
        good = -1
        while good < 0 and bad > 0:
            place = max(bad - step, 0)
            found = self._judge(judge, self.made[place].before).report
            if not found.errors:
                good = place
            elif place:
                bad, report, step = place, found, step * 2
            else:
                break
        if good < 0:
            told = describe_errors(report.errors)
            raise EditRefusedError(f"Session {self._session.name} does not compile as it was: {told}", "Mend it first.")
        while bad - good > 1:
            place = (good + bad) // 2
            found = self._judge(judge, self.made[place].before).report
            if found.errors:
                bad, report = place, found
            else:
                good = place
        return good, report

    def _reject(self, place: int, report: CompileReport) -> None:
        """Take an edit back, and make those after it anew."""
        culprit, later = self.made[place], self.made[place + 1 :]
        self.made = self.made[:place]
        problem = EditRefusedError(f"It would not compile: {describe_errors(report.errors)}", "The others were kept.")
        self.rejected.append(Rejected(culprit.number, culprit.step, problem))
        session = find_session(self._repository, self._session.name)
        facts = {"op": _VERB, "status": "Rejected", "error": problem.message}
        add_tree(self._repository, session, culprit.before, f"{_VERB}: without {culprit.step.target}", facts)
        self._asked.request.tally(Count.ROLLBACKS, 1)
        self._make((each.number, each.step) for each in later)

    # -- the end

    def finish(self, judged: _Judged) -> EditResult:
        """Write what the session comes to, where that was asked for."""
        files = judged.files
        rows = tuple(row for each in files for row in each.list_rows())
        target = count_noun(len(self.made), "edit")
        result = EditResult(_VERB, target, "planned", rows, (), write_patch(files), judged.report)
        if self._asked.write:
            changes = fit_disk(self._repository, list_changes(files))
            write_changes(self._asked.request, self._repository, Plan(_VERB, target, files), changes)
            return result._replace(state="done", where="in the work tree; `codecortex refactor undo` takes it back.")
        if self._asked.session is None:
            return result
        name = self._session.name
        where = f"in session {name}; `codecortex session merge {name}` writes it."
        return result._replace(state="done", where=where)
