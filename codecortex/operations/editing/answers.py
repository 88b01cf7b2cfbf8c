"""A step of a buffer in, the answer to its caller out: told in the log and counted for the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.editing.markdown import format_response, write_response
from codecortex.editing.matching import mark_candidates
from codecortex.editing.values import Flag, Status
from codecortex.editing.visibility import Verb, list_allowed
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.editing import diagnostics
from codecortex.operations.editing.results import EditResult
from codecortex.operations.request import Count

if TYPE_CHECKING:
    from codecortex.editing.reducer import Step
    from codecortex.editing.values import Response
    from codecortex.operations.editing.results import EditRequest
    from codecortex.operations.editing.transaction import Transaction

_AROUND = 2
_CATEGORIES: dict[str, str] = {
    Verb.REPLACE: diagnostics.MATCH,
    Verb.SELECT: diagnostics.MATCH,
    Verb.REFRESH: diagnostics.EXTERNAL,
}
_EDITS = frozenset({Verb.REPLACE, Verb.SELECT, Verb.APPEND, Verb.WRITE, "apply"})
_BACK = frozenset({Verb.UNDO, Verb.DISCARD})


class Outcome(NamedTuple):
    """What a verb came to.

    Attributes:
        done: What its event led to.
        told: What was changed outside before; None for nothing.
        is_shown: Whether the whole text is shown.
        patch: What differs from the file; None where that was not asked.
    """

    done: Step
    told: Response | None = None
    is_shown: bool = False
    patch: str | None = None


def answer(edit: EditRequest, work: Transaction, verb: str, outcome: Outcome) -> EditResult:
    """The answer to a verb, with the buffer as it is now."""
    done, told, is_shown, patch = outcome
    response = done.response if told is None else _join(told, done.response)
    response, markdown = write_response(response, work.state.language)
    if Flag.SchemaViolation in response.flags:
        raw = format_response(done.response, work.state.language)
        work.log.tell(diagnostics.SCHEMA, response, raw=raw)
    work.log.tell(_CATEGORIES.get(verb, diagnostics.PERSISTENCE), response, **_list_details(work, done))
    _count(edit, verb, response.status)
    selection = work.state.selection
    shown = work.state.text.shown
    text = mark_candidates(shown, selection) if selection else shown
    allowed = list_allowed(work.state.state, work.state.mode)
    return EditResult(
        verb=verb,
        file=work.path,
        session=work.session.name,
        version=work.session.tip.id,
        mode=work.state.mode,
        response=response,
        markdown=markdown,
        allowed=tuple(each.value for each in Verb if each in allowed),
        text=text if is_shown else _cut_around(text) if response.status is Status.MULTI_MATCH else None,
        patch=patch,
        nearest=done.near,
    )


def _join(told: Response, response: Response) -> Response:
    """A response that also says what was changed outside before."""
    return response._replace(summary=f"{told.summary} {response.summary}")


def _list_details(work: Transaction, done: Step) -> dict[str, Any]:
    """What a reader of the log needs to follow a decision."""
    details: dict[str, Any] = {"version": work.session.tip.id}
    selection = work.state.selection
    if selection is not None:
        details |= {"snapshot": selection.snapshot, "places": list(selection.starts), "total": selection.total}
    if done.near:
        details["nearest"] = [{"line": each.line, "differs": list(each.differs)} for each in done.near]
    return details


def _count(edit: EditRequest, verb: str, status: Status) -> None:
    if verb in _EDITS and status not in (Status.NO_OP, Status.MULTI_MATCH):
        edit.request.tally(Count.EDITS, 1)
        edit.request.tally(Count.APPLIED, int(status is Status.SUCCESS))
    if verb in _BACK and status is Status.SUCCESS:
        edit.request.tally(Count.ROLLBACKS, 1)


def _cut_around(text: str) -> str:
    """The lines with markers and those around them, each with its number."""
    lines = text.removesuffix("\n").split("\n")
    marked = [number for number, line in enumerate(lines) if "[[SEL#" in line or "[[/SEL#" in line]
    shown = sorted({near for number in marked for near in range(number - _AROUND, number + _AROUND + 1)})
    width = len(str(len(lines)))
    parts: list[str] = []
    for place, number in enumerate(each for each in shown if 0 <= each < len(lines)):
        if place and number - 1 not in shown:
            parts.append("...")
        parts.append(f"{number + 1:>{width}}  {lines[number]}")
    return "\n".join(parts)
