"""Names and prose in; the terms that retrieval compares, in the order they stand, out.

A term is a part of a name, in lower case, without its endings (`Policies` gives `polic`, as `Policy` does), or the
whole of a name that has several parts (`openconnection`). Two neighbouring parts are a pair (`open connection`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

WORD = compile_later(r"[^\W\d]\w*")
"""A name, or a word of prose."""

_KEYWORD_LINES = """
abstract as async await base bool break byte case catch char checked class const continue decimal default
delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in
int interface internal is lock long namespace new null object operator out override params private protected
public readonly record ref return sbyte sealed short sizeof stackalloc static string struct switch this throw
true try typeof uint ulong unchecked unsafe ushort using var virtual void volatile when where while yield
"""
KEYWORDS = frozenset(_KEYWORD_LINES.split())
"""Words of C#, which tell nothing of what code is about."""

_ENGLISH_LINES = """
a about above after again all also always am an and any are as at be because been before being below between both
but by can cannot could did do does doing done down due during each either else etc every few for from further had
has have having he her here hers him his how however i if in instead into is it its just like may me might more most
must my no nor not now of off on once one only or other our out over own please same see shall she should since so
some still such than that the their them then there these they this those through to too under until up upon us use
used uses using very via was we were what when where whether which while who whose why will with within without
would you your
"""
ENGLISH = frozenset(_ENGLISH_LINES.split())
"""Words of sentences, which tell nothing of it either."""

_PART = compile_later(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_A-Za-z]+")
_PLURAL = compile_later(r"(?<=...)(?:(?<=[sxz])es|(?<=[cs]h)es|ies|(?<![sui])s)\Z")
_ENDING = compile_later(
    r"(?:"
    r"(?<=...)(?:ied|(?<=[^aeiou])y|ing|ed|e)"
    r"|(?<=....)(?:er|at(?:ion|or|e|ed|ing)|(?<=[st])ion|iz|(?<=.....)(?<=[st])or)"
    r"|(?<=...)(?<=([b-df-hj-np-rtv-z]))\1"  # `cancelled`, `mapping`
    r")\Z"
)
"""Ends that are cut off, one after the other, the plural's first. At least three letters stay."""
_ACRONYMS = compile_later("[A-Z]{2,}s")
_DIGIT = compile_later(r"[^\W\d_]\d|\d[^\W\d_]")
_MOST_STEMS = 100_000
_MOST_REMEMBERED = 400_000
_LONGEST = 100


class Split(NamedTuple):
    """The terms of one name.

    Attributes:
        parts: Its parts of two letters and more, stemmed.
        whole: The name in lower case where it has several parts or a digit (`OAuth2`), else empty.
        pairs: Each two neighbouring parts.
    """

    parts: tuple[str, ...]
    whole: str
    pairs: tuple[str, ...]


_known: dict[str, Split] = {}


def split_name(name: str) -> Split:
    """The terms of a name; none of one that is absurdly long."""
    found = _known.get(name)
    if found is None:
        if len(_known) > _MOST_REMEMBERED:
            _known.clear()
        found = _known[name] = _split(name) if len(name) <= _LONGEST else Split((), "", ())
    return found


def _split(name: str) -> Split:
    found = (part[:-1] if _ACRONYMS.match(part) else part for part in _PART.findall(name) if len(part) > 1)
    parts = tuple(stem(part.lower()) for part in found)
    pairs = tuple(f"{first} {second}" for first, second in pairwise(parts))
    told = name.strip("_")
    return Split(parts, told.lower() if len(parts) > 1 or _DIGIT.search(told) else "", pairs)


@lru_cache(_MOST_STEMS)
def stem(word: str) -> str:
    """A word in lower case without its endings: how all its forms begin."""
    word = _PLURAL.sub("", word)
    while (found := _ENDING.search(word)) is not None:
        word = word[: found.start()]
    return word


def compile_some(terms: Iterable[str]) -> Callable[[str], object]:
    """What tells, of a text in lower case, whether it may hold one of some terms."""
    listed = sorted(terms, key=lambda term: (len(term), term))
    return re.compile("|".join(map(re.escape, listed)) or r"(?!)").search
