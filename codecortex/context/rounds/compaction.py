"""A conversation in; the same with its older rounds cut down to a question, a decision and files each, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.conversations import Conversation, RoundSummary
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.model.conversations import Round

KEPT = 5
_MOST_CHARACTERS, _MOST_FILES = 300, 8
_DECIDING = compile_later(
    r"(?i)\b(?:decision|decided|conclusion|therefore|in short|the (?:cause|fix|solution)|we (?:will|should|now)|"
    r"i(?:'ve| have)? (?:added|changed|fixed|moved|removed|renamed))\b"
)
_SENTENCE = compile_later(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_FENCE = compile_later(r"(?ms)^```.*?(?:^```|\Z)")


def compact(conversation: Conversation, kept: int, decisions: Mapping[int, str]) -> Conversation:
    """The conversation with its last rounds whole and a summary of each older one.

    Args:
        conversation: The conversation.
        kept: How many rounds stay whole.
        decisions: By number of a round what came of it, where that is told; else the answer's own sentence.
    """
    old = conversation.rounds[: max(len(conversation.rounds) - kept, 0)]
    summaries = (summarise(each) for each in old)
    told = (each._replace(decision=shorten(decisions.get(each.number, each.decision))) for each in summaries)
    compacted = (*conversation.compacted, *told)
    return conversation._replace(rounds=conversation.rounds[len(old) :], compacted=compacted)


def summarise(each: Round) -> RoundSummary:
    """What a round is remembered by."""
    files = dict.fromkeys((*each.named, *each.edited, *(each.answer.files if each.answer is not None else ())))
    shown = (file.path for file in each.shown if file.members)
    listed = tuple(dict.fromkeys((*files, *shown)))[:_MOST_FILES]
    decision = extract_decision(each.answer.text) if each.answer is not None else ""
    return RoundSummary(each.number, shorten(each.question), decision, listed)


def extract_decision(answer: str) -> str:
    """The sentence of an answer that tells what was decided, else its first one; code is passed over."""
    sentences = [each.strip(" #*->\t") for each in _SENTENCE.split(_FENCE.sub("\n", answer))]
    told = [each for each in sentences if each]
    return shorten(next((each for each in told if _DECIDING.search(each)), told[0] if told else ""))


def shorten(text: str) -> str:
    """A text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_CHARACTERS else line[: _MOST_CHARACTERS - 3].rstrip() + "..."
