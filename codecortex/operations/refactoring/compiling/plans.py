"""A plan in; the same, judged by the compiler, out: refused where errors appear, completed where it can decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.text.columns import count_units
from codecortex.operations.refactoring.compiling.judge import Judge
from codecortex.operations.refactoring.results import CompileReport, EditRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.editing.refactoring.compiling import CompileError
    from codecortex.editing.refactoring.edits import FileEdits
    from codecortex.model.config import EditConfig
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.results import Candidate, Plan

_MOST_TOLD = 5
_MOST_ROUNDS = 4
_WAITS = "candidates wait to be chosen"
_LATER = "it is compiled with the edits that follow"
_LEFT = "none"


def judge_plan(
    workspace: Workspace, config: EditConfig, plan: Plan, *, alone: bool = True
) -> tuple[Plan, CompileReport]:
    """Compile what a plan comes to; one that others follow only where candidates are left to decide.

    Raises:
        EditRefusedError: It has errors that there were not before, or cannot be compiled and has to be.
    """
    if not (alone or plan.candidates):
        return plan, CompileReport(done=False, why=_LATER)
    with Judge(workspace, config) as judge:
        if plan.candidates:
            if plan.decide is None or judge.obstacle:
                return plan, CompileReport(done=False, why=judge.obstacle or _WAITS)
            return _complete(judge, plan)
        report = judge.compile(plan.files)
    _refuse_errors(plan, report.errors)
    return plan, report


def _refuse_errors(plan: Plan, errors: Sequence[CompileError]) -> None:
    if errors:
        told = describe_errors(errors)
        raise EditRefusedError(f"{plan.verb} {plan.target} would not compile: {told}", "Nothing was changed.")


def describe_errors(errors: Sequence[CompileError]) -> str:
    """The first errors with their places, on one line."""
    rows = (f"{each.file}:{each.line}:{each.column}: {each.code}: {each.text}" for each in errors[:_MOST_TOLD])
    return "; ".join(rows)


def _complete(judge: Judge, plan: Plan) -> tuple[Plan, CompileReport]:
    """Take the candidates at whose places errors appear without them; leave those where errors appear with them.

    Where both compile, as behind a dynamic receiver, nobody but the caller can tell.
    """
    decide = plan.decide
    if decide is None:
        return plan, CompileReport(done=False, why=_WAITS)
    open_ = [each for each in plan.candidates if each.id in plan.decidable]
    chosen: set[str] = set()
    for _ in range(_MOST_ROUNDS):
        trial = decide(chosen or {_LEFT})
        report = judge.compile(trial.files)
        if not report.done:
            return plan, report
        found = {each.id for each in _list_found(open_, report.errors, trial.files)} - chosen
        if not found:
            break
        chosen |= found
    if report.errors:
        return plan, CompileReport(done=False, why=_WAITS)
    rest = [each for each in open_ if each.id not in chosen]
    refused: set[str] = set()
    if rest:
        other = decide({each.id for each in open_})
        refused = {each.id for each in _list_found(rest, judge.compile(other.files).errors, other.files)}
    left = tuple(each for each in plan.candidates if each.id not in chosen | refused)
    return trial._replace(candidates=left), report


def _list_found(
    candidates: Iterable[Candidate], errors: Iterable[CompileError], files: Iterable[FileEdits]
) -> list[Candidate]:
    """The candidates at whose places errors are."""
    rows: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for file in files:
        for row in file.list_rows():
            rows.setdefault((row.file, row.line), []).append((row.column, count_units(row.text.encode()) - row.length))
    at = {(each.file, each.line, each.column) for each in errors}
    found = []
    for each in candidates:
        shift = sum(change for column, change in rows.get((each.file, each.line), ()) if column < each.column)
        if (each.file, each.line, each.column + shift) in at:
            found.append(each)
    return found
