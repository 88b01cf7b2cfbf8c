"""Finds the declared type of a local variable or parameter in code, as far as it is written."""

from __future__ import annotations

import re
from functools import lru_cache

from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.occurrences.tokens import (
    KEYWORDS,
    TYPE_WORDS,
    angle_start,
    find_close,
    find_open,
    is_name,
    skip_back,
    token_after,
    token_before,
    word_start,
)

_ENDS = frozenset(
    (b"=", b";", b",", b")", b"in", b":", b"{", b"(", b"<", b"=>", b"]", b"&&", b"||", b"when", b"?", b"}")
)
_LONGEST_LIST = 400
_RANGE_WORDS = frozenset((b"let", b"into", b"from", b"join"))
_CREATED = compile_later(rb"\s*=\s*new\s+([@A-Za-z_\x80-\xff][\w\x80-\xff.:@]*(?:\s*<[^;(){}]*>)?)\s*[({]")
_CAST = compile_later(
    rb"\s*=\s*\(\s*([@A-Za-z_\x80-\xff][\w\x80-\xff.:@<>, ]*\??)\s*\)\s*[\w@\x80-\xff.]+\s*(?:\([^()]*\)\s*)?;"
)
_AS = compile_later(rb"\s*=[^;{}?=]*?\bas\s+([@A-Za-z_\x80-\xff][\w\x80-\xff.:@<>, ]*)\s*;")


@lru_cache(maxsize=4096)
def _compile(name: str) -> re.Pattern[bytes]:
    word = re.escape(name.encode("utf-8", "replace"))
    return re.compile(rb"(?<![\w@.\x80-\xff])@?" + word + rb"(?![\w\x80-\xff])")


@lru_cache(maxsize=64)  # occurrences within a member follow each other
def find_local(text: bytes, name: str, extent: tuple[int, int], *, own: bool = False) -> str | None:
    """The type of the local variable, parameter or local function with a name in an extent.

    Args:
        text: The code, from `Code.text`.
        name: The name.
        extent: Where to look: the extent of a member.
        own: Whether the member itself has that name; its declaration, the first one, is then skipped.

    Returns:
        The type as written; empty if it is not written, or if several declarations disagree; None if nothing with that
        name is declared.
    """
    found: set[str] = set()
    for match in _compile(name).finditer(text, *extent):
        written = _read_declaration(text, match.start(), match.end())
        if written is not None and not own:
            found.add(written)
        own = own and written is None
    if not found:
        return None
    return found.pop() if len(found) == 1 else ""


def _read_declaration(text: bytes, start: int, end: int) -> str | None:
    """The type before a declared name; None if the name is not declared here, empty if no type is written."""
    after, _ = token_after(text, end)
    before, where = token_before(text, start)
    if after == b"=>" or before in _RANGE_WORDS:
        return ""
    if before in (b",", b"("):
        return _judge_listed(text, start, after)
    if after not in _ENDS or not _ends_type(text, before, where):
        return None
    if after in (b"(", b"<"):
        return "" if before not in (b"?", b">") else None
    if before == b"var":
        return _read_initialiser(text, end) if after == b"=" else ""
    return _read_type_back(text, skip_back(text, start))


def _ends_type(text: bytes, before: bytes, where: int) -> bool:
    if is_name(before):
        return before in TYPE_WORDS or before not in KEYWORDS
    if before == b">":
        return text[where - 1 : where] != b"=" and angle_start(text, where) >= 0
    if before == b"]":
        return re.search(rb"\[[\s,]*\Z", text[max(0, where - 20) : where]) is not None
    if before == b"?":
        return where > 0 and (text[where - 1 : where].isalnum() or text[where - 1 : where] in (b"_", b">", b"]", b")"))
    return before == b")" and _is_tuple(text, where)


def _is_tuple(text: bytes, closing: int) -> bool:
    """Whether the list that ends with a bracket is a tuple type, not the head of a statement."""
    opening = find_open(text, closing)
    if opening < 0 or b"," not in text[opening:closing]:
        return False
    return not is_name(token_before(text, opening)[0])


def _judge_listed(text: bytes, start: int, after: bytes) -> str | None:
    """A name in a list without types: empty (declared) in a lambda or a deconstruction, else None."""
    if after not in (b",", b")"):
        return None
    opening = find_open(text, start)
    if opening < 0 or text[opening : opening + 1] != b"(":
        return None
    close = find_close(text, opening, _LONGEST_LIST)
    following, _ = token_after(text, close + 1) if close >= 0 else (b"", 0)
    before, _ = token_before(text, opening)
    return "" if following == b"=>" or before == b"var" else None


def _read_initialiser(text: bytes, end: int) -> str:
    """The type of a `var` whose initialiser shows it (`new T()`, a cast, `as`); else empty."""
    head = text[end : end + 400]
    match = _CREATED.match(head)
    if match is not None:
        return match[1].decode("utf-8", "replace") if _is_whole(text, end + match.end() - 1) else ""
    match = _CAST.match(head) or _AS.match(head)
    return match[1].decode("utf-8", "replace") if match is not None else ""


def _is_whole(text: bytes, opening: int) -> bool:
    """Whether only an object initialiser follows the arguments of a `new`."""
    close = find_close(text, opening)
    following, end = token_after(text, close + 1) if close >= 0 else (b"", 0)
    if following == b"{":
        close = find_close(text, end - 1)
        following, _ = token_after(text, close + 1) if close >= 0 else (b"", 0)
    return following in (b";", b",", b")")


def _read_type_back(text: bytes, end: int) -> str:
    """The type that ends at an offset, as written; empty if it is not a name."""
    at = end
    while at and text[at - 1 : at] == b"?":
        at = skip_back(text, at - 1)
    if at and text[at - 1 : at] in (b"]", b")", b"*"):
        return ""
    while True:
        if at and text[at - 1 : at] == b">":
            opening = angle_start(text, at - 1)
            if opening < 0:
                return ""
            at = skip_back(text, opening)
        start = word_start(text, at)
        if start == at or text[start:at] in KEYWORDS:
            return ""
        before, where = token_before(text, start)
        if before == b".":
            at = skip_back(text, where)
        elif before == b":" and text[where - 1 : where] == b":":
            at = skip_back(text, where - 1)
        else:
            return text[start:end].decode("utf-8", "replace")
