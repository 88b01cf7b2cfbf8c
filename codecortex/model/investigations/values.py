"""An investigation as a value: a question, its answer, and the evidence for it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codecortex.model.hashing import digest
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.versions import HASH_VERSION

if TYPE_CHECKING:
    from codecortex.model.notes import Base

LONGEST_QUESTION = 2_000
_WORD = compile_later("[a-z0-9]+")
_WORDS, _LONGEST_SLUG, _MARK = 7, 48, 6


class Evidence(NamedTuple):
    """One piece of evidence: a symbol, or words on a line of a file.

    Attributes:
        says: What it shows, as one line.
        symbol: The symbol, as a query; empty for words on a line.
        path: The file.
        line: The line, from 1; where the file changed since, the words may stand on another one.
        quote: The words.
    """

    says: str
    symbol: str = ""
    path: str = ""
    line: int = 0
    quote: str = ""

    @property
    def place(self) -> str:
        """The symbol, or `path:line`."""
        return self.symbol or f"{self.path}:{self.line}"

    def as_json(self) -> dict[str, Any]:
        """The evidence as JSON values."""
        if self.symbol:
            return {"symbol": self.symbol, "says": self.says}
        return {"path": self.path, "line": self.line, "quote": self.quote, "says": self.says}


class Findings(NamedTuple):
    """The answer to a question.

    Attributes:
        conclusion: The answer itself, in Markdown.
        evidence: What it rests on.
        open_points: What was not found out, a line each.
    """

    conclusion: str
    evidence: tuple[Evidence, ...]
    open_points: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Investigation:
    """An answered question.

    Attributes:
        question: The question, as one line.
        scope: The symbols that it was narrowed to.
        types: The types that the evidence rests on, with their fingerprints then; sorted by id.
        generator: Who answered, free text on one line.
        findings: The answer.
        hash_version: The version of the fingerprints.
    """

    question: str
    scope: tuple[str, ...]
    types: tuple[Base, ...]
    generator: str
    findings: Findings
    hash_version: int = HASH_VERSION

    @property
    def slug(self) -> str:
        """Its name."""
        return make_slug(self.question)


def fold_question(text: str) -> str:
    """A question as one line."""
    return " ".join(text.split())


def make_slug(question: str) -> str:
    """The name of an investigation: the first words of the question in ASCII and six characters of its digest."""
    folded = fold_question(question)
    plain = unicodedata.normalize("NFKD", folded).encode("ascii", "ignore").decode().lower()
    words: list[str] = []
    for word in _WORD.findall(plain)[:_WORDS]:
        if len("-".join((*words, word))) > _LONGEST_SLUG:
            break
        words.append(word)
    mark = digest("codecortex/investigation", (folded,))[:_MARK].lower()
    return "-".join((*(words or ("question",)), mark))
