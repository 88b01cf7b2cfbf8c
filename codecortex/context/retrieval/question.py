"""The text of a question in; its terms with their weights, its names, and what it points at exactly, out."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.terms import ENGLISH, KEYWORDS, WORD, split_name

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_CHARACTERS = 32_000
_MOST_TERMS = 400
_MOST_COUNT = 3
_STOP = KEYWORDS | ENGLISH | {"fix", "fixed", "fixes", "issue"}
_PATH = compile_later(
    r"(?:(?<!\w)\w{2,20}:)?(?P<path>[\w.@+~$/\\:-]{0,400}[\w@+~-]\.[cC][sS])\b"
    r"(?:\((?P<paren>\d{1,7})(?:,\d{1,7}){0,3}\)|[:,]? ?(?:on )?line (?P<word>\d{1,7})|[:#]L?(?P<colon>\d{1,7}))?"
)
_FRAME = compile_later(r"\bat (?P<name>[\w.+`<>|]+?)(?:\[[^\]\s]*\])?\(")
_DOTTED = compile_later(r"(?<![\w./\\@-])[A-Za-z_]\w*(?:(?:[?!]?\.|::|\+|#)[A-Za-z_]\w*(?:`\d+)?)+(?![\w/\\])")
_ARGUMENTS = compile_later(r"(?<=\w)<[\w ,.?\[\]]{0,100}>")
_MOST_NESTED = 3
_ACCESSOR = compile_later(r"(?:get|set|add|remove)_(?=\w)")
_MOST_MENTIONS = 200
# What a commit's message begins with by convention says nothing of the code; a scope in brackets behind it does.
_COMMIT_TYPE = compile_later(
    r"\s*(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?=(?:\([^()\n]{1,80}\))?!?: )"
)


class Mention(NamedTuple):
    """A file, and a line of it where one is given (0 elsewhere)."""

    path: str
    line: int


class Question(NamedTuple):
    """What a question asks for.

    Attributes:
        terms: By term, its weight.
        pairs: Neighbouring terms.
        names: The words as they are spelt, longest known first; those of several parts are compounds.
        mentions: Files that it names.
        dotted: Names with dots, split at them.
    """

    terms: Mapping[str, float]
    pairs: tuple[str, ...]
    names: tuple[str, ...]
    mentions: tuple[Mention, ...]
    dotted: tuple[tuple[str, ...], ...]


def read_question(text: str) -> Question:
    """The terms, pairs, names and mentions of a question."""
    begun = _COMMIT_TYPE.match(text)
    text = text[begun.end() :] if begun is not None else text
    counts: Counter[str] = Counter()
    pairs: dict[str, None] = {}
    names: dict[str, None] = {}
    sentences = [WORD.findall(sentence) for sentence in re.split(r"[.;:!?()\[\]{}\n]\s", text)]
    telling = [[word for word in words if word.lower() not in _STOP] for words in sentences]
    if sum(map(len, sentences)) == 1:  # a member may be called `Within`
        telling = sentences
    for words in telling:
        run: list[str] = []
        for word in words:
            split = split_name(word)
            counts.update(split.parts)
            if split.whole:
                counts[split.whole] += 1
            names[word] = None
            run += split.parts
        pairs |= dict.fromkeys(f"{first} {second}" for first, second in pairwise(run) if first != second)
    kept = list(counts.items())[:_MOST_TERMS]
    terms = {term: min(count, _MOST_COUNT) ** 0.5 for term, count in kept}
    shown = tuple(pairs)[:_MOST_TERMS], tuple(names)[:_MOST_TERMS]
    return Question(terms, *shown, _find_mentions(text), _find_dotted(text))


def _find_mentions(text: str) -> tuple[Mention, ...]:
    found: dict[Mention, None] = {}
    for match in _PATH.finditer(text):
        line = match["paren"] or match["word"] or match["colon"] or "0"
        path = match["path"].replace("\\", "/").lstrip("./")
        found[Mention(path, int(line))] = None
    return tuple(found)[:_MOST_MENTIONS]


def _find_dotted(text: str) -> tuple[tuple[str, ...], ...]:
    found: dict[tuple[str, ...], None] = {}
    for match in _FRAME.finditer(text):
        name = re.sub(r"<(\w+)>[\w|]*", r".\1.", match["name"])
        *outer, last = [part for part in re.split(r"[.+]|`\d+", name) if part and part != "MoveNext"] or [""]
        found[*outer, _ACCESSOR.sub("", last, count=1)] = None
    for _ in range(_MOST_NESTED):
        text = _ARGUMENTS.sub("", text)
    for match in _DOTTED.finditer(text):
        if not match[0].lower().endswith(".cs"):
            *outer, last = [part for part in re.split(r"[?!]?[.+#]|::|`\d+", match[0]) if part]
            found[*outer, _ACCESSOR.sub("", last, count=1)] = None
    return tuple(each for each in found if len(each) > 1)[:_MOST_MENTIONS]
