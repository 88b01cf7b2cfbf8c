"""What `edit apply` comes to: the files that follow a patch, or every part of it that does not apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.editing.values import Mode, Status
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.editing.patches.values import Failure


class AppliedFile(NamedTuple):
    """A file that follows a patch.

    Attributes:
        file: Its path.
        old: Its path before; None where that is the same, or where there was none.
        change: `changed`, `added`, `removed` or `renamed`.
        mode: When its buffer is written.
        state: Where the work on the buffer stands.
        written: Whether the file on disk follows already.
    """

    file: str
    old: str | None
    change: str
    mode: str
    state: str
    written: bool

    def write(self) -> str:
        """A line for people."""
        left = "" if self.mode == Mode.DISABLED else f": `commit` of {self.file} does that"
        told = "" if self.written else f"  (not on disk yet{left})"
        return f"{self.change:<8} {f'{self.old} -> ' if self.old else ''}{self.file}{told}"


class ApplyResult(NamedTuple):
    """The answer to `edit apply`.

    Attributes:
        session: The session.
        version: Its latest version.
        status: `Success`, `NoOp`, `NoMatch` where parts do not apply, or `PersistFailure`.
        summary: What happened, one sentence.
        files: The files that follow, by path.
        failures: The parts that do not apply, in the order of the patch.
    """

    session: str
    version: str
    status: Status
    summary: str
    files: tuple[AppliedFile, ...] = ()
    failures: tuple[Failure, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 where it was done or nothing was to be done, 1 where a part does not apply, 3 where a file refused."""
        return {Status.SUCCESS: 0, Status.NO_OP: 0, Status.NO_MATCH: 1}.get(self.status, 3)

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON values."""
        return {
            "verb": "apply",
            "session": self.session,
            "version": self.version,
            "status": self.status.value,
            "summary": self.summary,
            "files": [each._asdict() for each in self.files],
            "failures": [
                {
                    **each._asdict(),
                    "nearest": [{**near._asdict(), "differs": list(near.differs)} for near in each.nearest],
                    "places": [place._asdict() for place in each.places],
                }
                for each in self.failures
            ],
        }

    def as_text(self) -> str:
        """What happened, and a line for each file; for each part that does not apply what comes nearest."""
        lines = [self.summary, *(f"  {each.write()}" for each in self.files)]
        for each in self.failures:
            lines += _write_failure(each)
        return "\n".join(lines)


def _write_failure(each: Failure) -> Iterator[str]:
    place = (
        f"{each.what} {each.line}" if each.what == "replacement" else f"{each.what} on line {each.line} of the patch"
    )
    yield f"{each.file}: {place}: {each.reason}"
    for near in each.nearest:
        yield f"  line {near.line} ({', '.join(near.differs)}): {near.preview}"
    for number, found in enumerate(each.places, 1):
        yield f"  {number}. line {found.line}: {found.preview}"
