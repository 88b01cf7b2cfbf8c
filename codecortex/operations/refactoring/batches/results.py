"""What a batch came to: edits that were made together, or those that stood in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from codecortex.model.errors import CodecortexError
    from codecortex.operations.refactoring.batches.verbs import Step
    from codecortex.operations.refactoring.results import Candidate, CompileReport, EditResult

_MOST_TOLD = 3


class Rejected(NamedTuple):
    """An edit that was not made: its number from 1, the edit, why, and candidates where some have to be chosen."""

    number: int
    step: Step
    problem: CodecortexError
    candidates: tuple[Candidate, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The edit as JSON values."""
        chosen = {"candidates": [each._asdict() for each in self.candidates]} if self.candidates else {}
        return {"number": self.number, "verb": self.step.verb, "target": self.step.given["symbol"],
                "error": self.problem.as_json(), **chosen}  # fmt: skip


class Made(NamedTuple):
    """An edit that was made: its number from 1, the edit, what it came to, and the tree before and after it."""

    number: int
    step: Step
    result: EditResult
    before: str
    after: str

    def as_json(self) -> dict[str, Any]:
        """The edit as JSON values."""
        return {"number": self.number, "verb": self.step.verb, "target": self.result.target}


class BatchResult(NamedTuple):
    """What a batch came to.

    Attributes:
        whole: All of it as one edit.
        made: Its edits.
        session: The session that holds them; empty where none does any longer.
    """

    whole: EditResult
    made: tuple[Made, ...]
    session: str

    @property
    def exit_code(self) -> int:
        """As of one edit: what cannot be made whole is refused."""
        return self.whole.exit_code

    def as_json(self) -> dict[str, Any]:
        """The batch as JSON values."""
        return {
            **self.whole.as_json(), "session": self.session or None, "made": [each.as_json() for each in self.made]
        }  # fmt: skip

    def as_text(self) -> str:
        """The patch, or what was done."""
        return self.whole.as_text()


def refuse_batch(made: list[Made], rejected: list[Rejected], compiled: CompileReport, session: str) -> EditRefusedError:
    """The error that names the edits which cannot be made; the others are kept in a session, if there is one."""
    first = [f"{each.number} ({each.step.target}): {each.problem.message}" for each in rejected[:_MOST_TOLD]]
    more = f" and {len(rejected) - _MOST_TOLD} more" if len(rejected) > _MOST_TOLD else ""
    kept = count_noun(len(made), "other edit")
    hint = (
        f"{kept} are kept in session {session}: give the rest again with `--session {session} --write`."
        if session
        else f"With --session NAME the {kept} would be kept."
    )
    return EditRefusedError(
        f"Nothing is written, because of edit {'; '.join(first)}{more}",
        hint,
        session=session or None,
        rejected=[each.as_json() for each in rejected],
        made=[each.as_json() for each in made],
        compiled=compiled.as_json(),
    )
