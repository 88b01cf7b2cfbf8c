"""Splits documentation in Markdown into its labelled sections, and its sentences by topic."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LABEL = compile_later(
    r"^(Type parameters|Parameters|Returns|Value|Exceptions|Responses|Remarks|Example|See also):[ ]?", re.MULTILINE
)
_ITEM = compile_later(r"^- (.*(?:\n(?!- ).*)*)", re.MULTILINE)
_NO_PROSE = compile_later(r"^(?:[-*|>]|\d+\. |```|~~~)")
_FENCED = compile_later(r"^[ ]*(```+|~~~+).*?(?:^[ ]*\1[ ]*$|\Z)", re.MULTILINE | re.DOTALL)
_SENTENCE_END = compile_later(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)[ ]+(?=[A-Z\[`\"(])")
_REFERENCE = compile_later(r"\[([A-Za-z_](?:[^\[\]\n`]|\[,*\])*)\](?![(\[:])")

_LIFE = compile_later(
    r"\b(?:life-?time|singleton|transient|dispos\w+|instantiated|constructed|pooled|finalized|shared instance|"
    r"(?:created|obtained) (?:by|from|through|using|via|once)|per (?:request|call|context|thread|scope))\b",
    re.IGNORECASE,
)
_THREADS = compile_later(r"\bthread|\bconcurren|\bin parallel\b|\bsynchroni[sz]ed\b|\bre-?entran", re.IGNORECASE)
_ADVICE_FIRST = compile_later(
    r"^(?:Use|Call|Prefer|Consider|See|Avoid|Do not|Don't|Always|Never|Make sure|Ensure|Note that you)\b"
)
_ADVICE = compile_later(
    r"\b(?:should|recommended|preferred|instead of|is better|best practice|advisable)\b", re.IGNORECASE
)
_LIMIT = compile_later(
    r"\b(?:not|never|cannot|can't|don't|doesn't|won't|isn't|only|must|unless|except|limited|unsupported|warning|"
    r"caution|obsolete|deprecated|experimental|ignored|fails?|throws?|no effect|at most|at least|maximum|minimum)\b",
    re.IGNORECASE,
)


class Topic(StrEnum):
    """The topic of a sentence of documentation, as far as its words tell."""

    PURPOSE = "purpose"
    LIFE = "life"
    LIMIT = "limit"
    ADVICE = "advice"


class Entry(NamedTuple):
    """One entry of a list such as that of exceptions: its name and its description."""

    name: str
    text: str


def split_doc(doc: str) -> Mapping[str, str]:
    """The sections of documentation by label; the summary has the empty label. Repeated labels are joined."""
    marks = list(_LABEL.finditer(doc))
    parts = {"": doc[: marks[0].start()] if marks else doc}
    ends = [*(mark.start() for mark in marks[1:]), len(doc)]
    for mark, end in zip(marks, ends, strict=False):
        before = f"{parts[mark[1]]}\n" if mark[1] in parts else ""
        parts[mark[1]] = before + doc[mark.end() : end].strip("\n")
    return parts


def list_entries(text: str) -> Iterator[Entry]:
    """Yield the entries of a listed section, each on one line."""
    for match in _ITEM.finditer(text):
        name, dash, said = _fold(match[1]).partition(" — ")
        yield Entry(name, write_names(said) if dash else "")


def list_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text's plain paragraphs, names in backticks; lists, tables and code are left out."""
    for paragraph in re.split(r"\n[ ]*\n", _FENCED.sub("\n\n", text)):
        folded = _fold(paragraph)
        if folded and _NO_PROSE.match(folded) is None:
            yield from map(write_names, _SENTENCE_END.split(folded))


def find_topic(sentence: str) -> Topic:
    """The topic of a sentence."""
    if _THREADS.search(sentence) is not None:
        return Topic.LIMIT
    if _ADVICE_FIRST.match(sentence) is not None:
        return Topic.ADVICE
    if _LIFE.search(sentence) is not None:
        return Topic.LIFE
    if _ADVICE.search(sentence) is not None:
        return Topic.ADVICE
    return Topic.LIMIT if _LIMIT.search(sentence) is not None else Topic.PURPOSE


def is_pointer(sentence: str) -> bool:
    """Whether a sentence only refers the reader to another page."""
    return sentence.startswith(("See ", "For more information")) and "](http" in sentence


def write_names(text: str) -> str:
    """A text with references in brackets replaced by names in backticks."""
    return _REFERENCE.sub(r"`\1`", text)


def _fold(text: str) -> str:
    return " ".join(text.split())
