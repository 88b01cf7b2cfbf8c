"""What a chat is, and what comes of a message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codecortex.model.conversations import NOTHING
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.context.rounds.manage import tell_spent

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.editing.patches.values import Failure, Stage
    from codecortex.model.config_choices import ProviderName
    from codecortex.model.conversations import Spent
    from codecortex.model.errors import CodecortexError
    from codecortex.operations.request import Request

CHAT = "chat"
"""The conversation and the session of a chat that names none."""


class PendingChange(NamedTuple):
    """A proposed change of which a part stands in several places, so that somebody has to say which is meant."""

    parts: tuple[Stage, ...]
    failure: Failure


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat under way.

    Attributes:
        request: Where; its tree is the work tree.
        conversation: The conversation that it goes on with.
        session: The session that changes go into.
        budget: Most tokens of what is shown for a message; None for `context.budget`.
        provider: Overrides the configured provider.
        mentions: Paths and symbols that come first for every message.
        spent: What was spent since the chat was started, which the limits of a run are about.
        pending: The change that waits for a choice.
        changed: The files of the last change that was taken, for `/edit undo`.
    """

    request: Request
    conversation: str = CHAT
    session: str = CHAT
    budget: int | None = None
    provider: ProviderName | None = None
    mentions: tuple[str, ...] = ()
    spent: Spent = NOTHING
    pending: PendingChange | None = None
    changed: tuple[str, ...] = ()


class Listener(NamedTuple):
    """Who is told how an answer goes.

    Attributes:
        sending: Called once, when all is gathered and the model is about to be asked.
        heard: Called with each piece of the answer as it arrives; with an empty one where it begins anew.
        stopped: Called several times a second; returns whether to give up.
    """

    sending: Callable[[], None]
    heard: Callable[[str], None]
    stopped: Callable[[], bool]


class Turn(NamedTuple):
    """What came of a message.

    Attributes:
        conversation: The conversation.
        number: Its round.
        files: The files that were shown, best first.
        prompt: What was sent, or is to be pasted: all messages as one text.
        answer: The answer, as far as it came; empty for none.
        spent: What was spent for it.
        total: What was spent in the whole conversation.
        problem: Why the answer is none, or not whole; None where it is.
        advice: How to set up a provider, where there is none; else empty.
    """

    conversation: str
    number: int
    files: tuple[str, ...]
    prompt: str
    answer: str
    spent: Spent = NOTHING
    total: Spent = NOTHING
    problem: CodecortexError | None = None
    advice: str = ""

    def as_json(self) -> dict[str, Any]:
        """The turn as JSON values; the prompt where nobody was asked."""
        return {
            "conversation": self.conversation,
            "round": self.number,
            "files": list(self.files),
            "answer": self.answer or None,
            "spent": self.spent.as_json(),
            "total": self.total.as_json(),
            "problem": self.problem.as_json() if self.problem is not None else None,
            "advice": self.advice or None,
            "prompt": self.prompt if self.advice else None,
        }

    def as_text(self) -> str:
        """The answer; without a provider, what is to be pasted."""
        return self.prompt if self.advice else self.answer

    def tell_spent(self) -> str:
        """One line: what this message took, and all of them."""
        return f"{tell_spent(self.spent)}; all: {tell_spent(self.total)}"
