"""The last round of a conversation and what was answered in; the same with what the answer names, out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from codecortex.context.retrieval.mentions import find_mentioned
from codecortex.context.retrieval.question import read_question
from codecortex.model.conversations import NOTHING, Conversation, ConversationAnswer, Round
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.terms import split_name
from codecortex.model.text.visible import show_line
from codecortex.operations.context.index import open_index
from codecortex.operations.context.rounds.files import read_conversation, update_conversation
from codecortex.operations.context.tests import select_product
from codecortex.operations.wording import count_noun, mend_halves

if TYPE_CHECKING:
    from codecortex.model.conversations import Spent
    from codecortex.operations.catalog.workspace import Workspace

MOST_CHARACTERS = 200_000
_MOST_NAMED = 100
_MOST_ALIKE = 5


class EndedRound(NamedTuple):
    """A round that was ended, and its conversation's name."""

    name: str
    round: Round

    def as_json(self) -> dict[str, Any]:
        """The round's number and what its answer names, as JSON values."""
        answer = self.round.answer
        return {
            "name": self.name,
            "number": self.round.number,
            "answered": answer is not None,
            "files": list(answer.files) if answer is not None else [],
            "symbols": list(answer.symbols) if answer is not None else [],
        }

    def as_text(self) -> str:
        """One line, and one for each sort of what is named."""
        head = f"ended  round {self.round.number} of {self.name}"
        answer = self.round.answer
        if answer is None:
            return f"{head}, without an answer"
        files, symbols = count_noun(len(answer.files), "file"), count_noun(len(answer.symbols), "symbol")
        lines = [f"{head}, which names {files} and {symbols}"]
        for word, named in (("files", answer.files), ("symbols", answer.symbols)):
            if named:
                lines.append(f"{word}  {show_line(', '.join(named))}")
        return "\n".join(lines)


def end_round(workspace: Workspace, name: str, answer: str | None, spent: Spent = NOTHING) -> EndedRound:
    """End the last round of a conversation; with its answer, where somebody tells it.

    Args:
        workspace: The work tree.
        name: The conversation.
        answer: What was answered; None where nobody tells.
        spent: What a model was paid for it, or in vain.

    Raises:
        UsageError: There is no such conversation, its last round is ended with an answer, or the answer is no text.
        StoreFormatError: The file of the conversation is damaged.
    """
    number = _require_open(name, read_conversation(workspace.repository, name)).number
    told = None
    if answer is not None:
        _check(answer)
        text = mend_halves(answer)
        files, symbols = find_named(workspace, text)
        told = ConversationAnswer(text, files, symbols, int(time.time()), spent)

    def close(found: Conversation | None) -> Conversation:
        held = found or Conversation()
        last = _require_open(name, held)
        if last.number != number:
            raise UsageError(f"Round {last.number} of {name} began meanwhile.", f"The answer was to round {number}.")
        rounds = (*held.rounds[:-1], last._replace(answer=told, ended=int(time.time())))
        return held._replace(rounds=rounds, spent=held.spent.add(spent))

    return EndedRound(name, update_conversation(workspace.repository, name, close).rounds[-1])


def _require_open(name: str, conversation: Conversation) -> Round:
    if not conversation.rounds:
        raise UsageError(
            f"No round of {name} is open.", f"`codecortex context QUESTION --conversation {name}` asks one."
        )
    last = conversation.rounds[-1]
    if last.answer is not None:
        raise UsageError(
            f"Round {last.number} of {name} has an answer already.",
            f"`codecortex context QUESTION --conversation {name}` begins the next.",
        )
    return last


def _check(answer: str) -> None:
    if not answer.strip():
        raise UsageError("The answer is empty.", "Leave out --answer to end the round without one.")
    if "\0" in answer:
        raise UsageError("The answer is no text: it holds NUL characters.")
    if len(answer) > MOST_CHARACTERS:
        raise UsageError(f"{len(answer):,} characters are too many for an answer; {MOST_CHARACTERS:,} are allowed.")


def find_named(workspace: Workspace, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sources of the tree that a text names by path, and the types and members that it names."""
    question = read_question(text)
    sources = sorted(workspace.tree.sources.sources)
    files: dict[str, None] = {}
    for mention in question.mentions:
        found = [path for path in sources if path == mention.path or path.endswith(f"/{mention.path}")]
        files |= dict.fromkeys(found[:_MOST_ALIKE])
    index = open_index(workspace, select_product(workspace, sources), "product")
    known = {each.name for types in index.corpus.types for each in types}
    symbols: dict[str, None] = {}
    for dotted in question.dotted:
        pair = read_question(".".join(dotted[-2:]))
        if find_mentioned(pair, index.corpus, index.read_units).documents:
            symbols[".".join(dotted[-2:])] = None
    compounds = [word for word in question.names if split_name(word).whole]
    spelt = index.find_spelt(compounds)
    for word in question.names:
        if word in known or (word in compounds and word in spelt.get(word.lower(), {})):
            symbols[word] = None
    return tuple(files)[:_MOST_NAMED], tuple(symbols)[:_MOST_NAMED]
