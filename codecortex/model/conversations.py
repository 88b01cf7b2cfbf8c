"""A conversation: its rounds, each a question with what was shown for it, and the sources as the last one left them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.packs import NAME_RULE, is_pack_name
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from decimal import Decimal

CONVERSATION_RULE = NAME_RULE


class ShownFile(NamedTuple):
    """A file that was shown: where it stood, its blob, and by digest of the lines the names of members shown whole."""

    path: str
    blob: str
    members: Mapping[str, str] = {}


class InheritedFile(NamedTuple):
    """A file that an earlier round speaks for, and what that added to its score."""

    path: str
    added: float


class Spent(NamedTuple):
    """What was sent to a model and received, and what that cost; None where no price is known.

    Attributes:
        tokens_in: Tokens sent.
        tokens_out: Tokens received.
        cost: In the currency of the prices.
    """

    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal | None = None

    def add(self, other: Spent) -> Spent:
        """Both together; a cost that is known counts where the other is not."""
        cost = other.cost if self.cost is None else self.cost if other.cost is None else self.cost + other.cost
        return Spent(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, cost)

    def as_json(self) -> dict[str, Any]:
        """The same as JSON values, the cost as text."""
        cost = f"{self.cost:f}" if self.cost is not None else None
        return {"tokensIn": self.tokens_in, "tokensOut": self.tokens_out, "cost": cost}


NOTHING = Spent()


class Action(NamedTuple):
    """What was done in a round besides answering.

    Attributes:
        what: The verb, such as `edit apply`.
        where: What it was done to; empty for nothing in particular.
        outcome: `done`, `failed` or `skipped`.
        text: What it told.
    """

    what: str
    where: str
    outcome: str
    text: str

    @property
    def line(self) -> str:
        """All but what it told, on one line."""
        return f"{self.what}{f' {self.where}' if self.where else ''}: {self.outcome}"


class ConversationAnswer(NamedTuple):
    """What was answered in a round.

    Attributes:
        text: The answer, whole.
        files: Files of the tree that it names.
        symbols: Types and members of the tree that it names.
        time: When it was told, in seconds since 1970.
        spent: What a model was paid for it.
    """

    text: str
    files: tuple[str, ...]
    symbols: tuple[str, ...]
    time: int
    spent: Spent = NOTHING


class Round(NamedTuple):
    """One question with what was given for it.

    Attributes:
        number: From 1; it stays when older rounds are compacted.
        question: As it was asked.
        time: When, in seconds since 1970.
        head: The commit that the work tree stood on; empty for none.
        mentioned: What was named with `--mention`.
        named: Files that the question or `--mention` names.
        edited: Files that were edited since the round before.
        inherited: Files that earlier rounds speak for.
        shown: Files that were shown.
        budget: The most tokens.
        tokens: Those of what was shown.
        quality: Figures about it, by name.
        answer: What was answered; None where nobody told.
        ended: When the round was ended, in seconds since 1970; 0 while it is open.
        actions: What was done in it besides, the oldest first.
    """

    number: int
    question: str
    time: int
    head: str
    mentioned: tuple[str, ...]
    named: tuple[str, ...]
    edited: tuple[str, ...]
    inherited: tuple[InheritedFile, ...]
    shown: tuple[ShownFile, ...]
    budget: int
    tokens: int
    quality: Mapping[str, float]
    answer: ConversationAnswer | None = None
    ended: int = 0
    actions: tuple[Action, ...] = ()


class RoundSummary(NamedTuple):
    """A compacted round: its number, what was asked, what was decided (empty where nobody told), files it was about."""

    number: int
    question: str
    decision: str
    files: tuple[str, ...]


class SourceState(NamedTuple):
    """The sources at some time: a commit (empty for none), and by path the blobs that differ (empty for no file)."""

    head: str = ""
    changed: Mapping[str, str] = {}


class Conversation(NamedTuple):
    """Rounds of questions.

    Attributes:
        rounds: Those that are kept whole, the oldest first.
        compacted: Older ones, the oldest first.
        state: The sources at the last round.
        spent: What models were paid in all rounds, those that were compacted or got no answer too.
    """

    rounds: tuple[Round, ...] = ()
    compacted: tuple[RoundSummary, ...] = ()
    state: SourceState = SourceState()
    spent: Spent = NOTHING

    @property
    def last_number(self) -> int:
        """The number of the last round; 0 before the first."""
        if self.rounds:
            return self.rounds[-1].number
        return self.compacted[-1].number if self.compacted else 0


def is_conversation_name(text: str) -> bool:
    """Whether a text is valid as the name of a conversation, and so as a file name on every system."""
    return is_pack_name(text)
