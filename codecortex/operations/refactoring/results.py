"""What an edit of sources is asked for, what it comes to, and why it is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from codecortex.model.errors import CodecortexError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from codecortex.editing.refactoring.compiling import CompileError
    from codecortex.editing.refactoring.edits import EditRow, FileEdits
    from codecortex.operations.request import Request

State = Literal["done", "planned", "choose"]


class EditRefusedError(CodecortexError, code="EditRefused", exit_code=3):
    """An edit that cannot be made as asked; nothing is changed."""


class EditRequest(NamedTuple):
    """Where an edit goes.

    Attributes:
        request: The work tree, and the flavour that its sources are read for.
        session: The session whose next version it is to be; None for the work tree.
        write: Whether the files of the work tree are to change.
        compiles: Whether it is compiled by itself; else only where candidates are left to decide.
    """

    request: Request
    session: str | None = None
    write: bool = False
    compiles: bool = True


class Candidate(NamedTuple):
    """A place that cannot be proved to belong to an edit, and why; the text is its line."""

    id: str
    file: str
    line: int
    column: int
    why: str
    text: str = ""


class CompileReport(NamedTuple):
    """What the compiler says of an edit.

    Attributes:
        done: Whether it was compiled.
        why: Why not, the end of a sentence.
        projects: The projects that were compiled after the edit, with their target frameworks.
        left_out: What depends on these and could not be compiled, with the reason.
        errors: The errors that they have since.
        milliseconds: How long it took.
    """

    done: bool
    why: str = ""
    projects: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    errors: tuple[CompileError, ...] = ()
    milliseconds: int = 0

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        if not self.done:
            return {"done": False, "why": self.why}
        left = {"leftOut": list(self.left_out)} if self.left_out else {}
        return {"done": True, "projects": list(self.projects), **left, "milliseconds": self.milliseconds}


class Plan(NamedTuple):
    """An edit as it was worked out.

    Attributes:
        verb: The verb, such as `member replace`.
        target: The symbol, for people.
        files: What is to become of files.
        candidates: Places that somebody has to choose; then nothing is applied.
        decide: Gives the same edit with some of the candidates, by id; None where the compiler cannot tell.
        decidable: The ids of the candidates at whose places errors would appear if they were left and should not be.
    """

    verb: str
    target: str
    files: tuple[FileEdits, ...]
    candidates: tuple[Candidate, ...] = ()
    decide: Callable[[Collection[str]], Plan] | None = None
    decidable: frozenset[str] = frozenset()


class EditResult(NamedTuple):
    """What an edit came to.

    Attributes:
        verb: The verb.
        target: The symbol.
        state: `done`, `planned` where nothing was to be changed, or `choose` where candidates wait.
        edits: The edits.
        candidates: Places that somebody has to choose.
        patch: All of it as a unified diff.
        compiled: What the compiler says.
        where: What was changed, if anything was: the end of a sentence.
    """

    verb: str
    target: str
    state: State
    edits: tuple[EditRow, ...]
    candidates: tuple[Candidate, ...]
    patch: str
    compiled: CompileReport
    where: str = ""

    @property
    def exit_code(self) -> int:
        """1 where something has to be chosen."""
        return int(self.state == "choose")

    def as_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {
            "verb": self.verb,
            "target": self.target,
            "state": self.state,
            "edits": [each._asdict() for each in self.edits],
            "candidates": [each._asdict() for each in self.candidates],
            "compiled": self.compiled.as_json(),
            "patch": self.patch,
        }

    def as_text(self) -> str:
        """The patch alone, so that it can be applied; what was done where something was, else what to choose from."""
        if self.state == "done":
            files = self.patch.count("\ndiff --git ") + self.patch.startswith("diff --git ")
            if not files:
                return f"{self.verb} {self.target}: nothing changes."
            return f"{self.verb} {self.target}: changed {count_noun(files, 'file')} {self.where}"
        if self.state == "choose":
            return "\n".join(self._tell_candidates())
        return self.patch.removesuffix("\n") or f"{self.verb} {self.target}: nothing changes."

    def _tell_candidates(self) -> Iterator[str]:
        yield f"{self.verb} {self.target}: choose ({count_noun(len(self.edits), 'edit')} certain)"
        for each in self.candidates:
            text = f": {each.text}" if each.text else ""
            yield f"{each.id}  {each.file}:{each.line}:{each.column}  {each.why}{text}"
        yield "--include ID takes one of them, --include all every one, --include none leaves them as they are."
