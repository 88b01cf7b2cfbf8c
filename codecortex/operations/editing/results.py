"""What is asked of a text that is edited, and what is answered: the response, and what goes with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from codecortex.editing.describing import describe_response
from codecortex.editing.values import Status
from codecortex.model.sessions import DEFAULT_SESSION
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.request import say_nothing
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.editing.nearest import Passage
    from codecortex.editing.values import Response
    from codecortex.operations.request import Request

MOST_SHOWN = 40_000
_FENCE = "```"


@dataclass(frozen=True, slots=True)
class EditRequest:
    """Which text is edited.

    Attributes:
        request: Where; its tree is the work tree.
        file: The file, from the folder of the request or from the top; empty for a patch, which names its files.
        session: The session whose buffer it is; it is opened where there is none.
        plan: What the caller means to reach by it, remembered with the version; empty for nothing.
        debug: Called with each line of diagnostics that `CODECORTEX_DEBUG` chooses.
    """

    request: Request
    file: str
    session: str = DEFAULT_SESSION
    plan: str = ""
    debug: Callable[[str], None] = field(default=say_nothing)


class EditResult(NamedTuple):
    """The answer to one verb.

    Attributes:
        verb: What was asked for.
        file: The path of the file.
        session: The session.
        version: The latest version of the session.
        mode: When the buffer is written to its file.
        response: What happened.
        markdown: The same as Markdown.
        allowed: The verbs that may be used now.
        text: The buffer, or the lines of the candidates, with markers around these; None where it is not shown.
        patch: What differs between file and buffer; None where that was not asked.
        nearest: Where nothing matched, the passages that come nearest.
    """

    verb: str
    file: str
    session: str
    version: str
    mode: str
    response: Response
    markdown: str
    allowed: tuple[str, ...]
    text: str | None = None
    patch: str | None = None
    nearest: tuple[Passage, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 where it was done or nothing was to be done, 1 where a passage has to be named better, 3 otherwise."""
        match self.response.status:
            case Status.SUCCESS | Status.NO_OP:
                return 0
            case Status.NO_MATCH | Status.MULTI_MATCH:
                return 1
            case _:
                return 3

    def as_json(self) -> dict[str, Any]:
        """The response and what goes with it as JSON values."""
        return {
            "verb": self.verb,
            "file": self.file,
            "session": self.session,
            "version": self.version,
            "mode": self.mode,
            **describe_response(self.response),
            "allowed": list(self.allowed),
            "text": self.text,
            "patch": self.patch,
            "nearest": [{**each._asdict(), "differs": list(each.differs)} for each in self.nearest],
        }

    def as_text(self) -> str:
        """The response as Markdown, and what is shown in a fence behind it."""
        parts = [self.markdown]
        if self.text is not None:
            parts.append(_fence(self.text, ""))
        if self.patch:
            parts.append(_fence(self.patch, "diff"))
        return "\n\n".join(parts)


def _fence(text: str, language: str) -> str:
    """A text in a fence that it does not close itself, cut where it is long."""
    shown = text if len(text) <= MOST_SHOWN else text[: text.rfind("\n", 0, MOST_SHOWN) + 1 or MOST_SHOWN]
    fence = _FENCE
    while fence in shown:
        fence += "`"
    left = text.count("\n", len(shown))
    more = f"\n({count_noun(left, 'more line')}; --json has all of them)" if len(shown) < len(text) else ""
    return f"{fence}{language}\n{shown.removesuffix(chr(10))}\n{fence}{more}"
