"""Finds tokens, names and brackets before and after an offset in code whose comments and literals are blanked.

All backward searches are bounded, so that damaged code takes no longer than intact code.
"""

from __future__ import annotations

import re

from codecortex.model.code.syntax import KEYWORDS as RESERVED
from codecortex.model.code.syntax import PREDEFINED
from codecortex.model.code.usages import Receiver, Root
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.tokens import find_arguments_end

_WORD_BYTES = bytes(
    byte if byte >= 128 or chr(byte).isalnum() or byte in b"_@" else ord(" ")  # noqa: PLR2004 - ASCII
    for byte in range(256)
)
_REACH = 20_000
_REACH_FORWARD = 2000
_LONGEST_CHAIN = 40
_STEP = 500
_NEXT = compile_later(rb"\s*+(?:(@?[\w\x80-\xff]++)|(=>|==|::|\?\?|\?\.|\?\[|&&|\|\||.)|\Z)", re.DOTALL)
_BRACKETS = compile_later(rb"[(){}\[\]]")
_ANGLES = compile_later(rb"[<>(){};]")
_CAST = compile_later(rb"\s*\(\s*(@?[A-Za-z_\x80-\xff][\w\x80-\xff.:<>,@ ]*\??)\s*\)\s*[\w@\x80-\xff(]")
_AS = compile_later(rb"[^;{}?]*?\bas\s+(@?[A-Za-z_\x80-\xff][\w\x80-\xff.:<>,@ ]*)\s*\Z")
_OPEN, _CLOSING_ANGLE, _CLOSING, _DOT = b"(>)."
_PAIR = {b")": b"(", b"]": b"[", b"}": b"{"}

TYPE_WORDS = frozenset(map(str.encode, PREDEFINED)) | {b"dynamic", b"nint", b"nuint", b"var"}
KEYWORDS = frozenset(map(str.encode, RESERVED - PREDEFINED)).union(
    b"await and or not when with where yield async get set init add remove required file partial scoped record global"
    b" select from let join into on equals by orderby ascending descending group nameof managed unmanaged".split()
)
"""Words that are no type: a name after one of them is not a declaration."""


def skip_back(text: bytes, at: int) -> int:
    """The offset after the last token before `at`."""
    width = 64
    while at > 0:
        low = max(0, at - width)
        size = len(text[low:at].rstrip())
        if size:
            return low + size
        at, width = low, width * 4
    return 0


def word_start(text: bytes, at: int) -> int:
    """The start of the word that ends at an offset; the offset itself if there is none."""
    width = 64
    while True:
        low = max(0, at - width)
        found = text[low:at].translate(_WORD_BYTES).rfind(b" ")
        if found >= 0 or low == 0:
            return low + found + 1
        width *= 8


def token_before(text: bytes, at: int) -> tuple[bytes, int]:
    """The token before an offset, a word or one sign, and its start; empty at the beginning of the text."""
    at = skip_back(text, at)
    if at == 0:
        return b"", 0
    start = word_start(text, at)
    return (text[start:at], start) if start < at else (text[at - 1 : at], at - 1)


def token_after(text: bytes, at: int) -> tuple[bytes, int]:
    """The token at or after an offset, a word or a sign, and its end; empty at the end of the text."""
    match = _NEXT.match(text, at)
    if match is None:
        return b"", at
    return match[1] or match[2] or b"", match.end()


def is_name(token: bytes) -> bool:
    """Whether a token has the form of an identifier."""
    return token[:1].isalpha() or token[:1] in (b"_", b"@") or token[:1] >= b"\x80"


def take_arguments(text: bytes, at: int) -> tuple[int, int]:
    """The number of type arguments that follow an offset, and their end."""
    token, end = token_after(text, at)
    if token != b"<":
        return 0, at
    found = find_arguments_end(text, end)
    return (found[1], found[0]) if found is not None else (0, at)


def find_open(text: bytes, at: int) -> int:
    """The offset of the innermost bracket that is open at an offset; -1 if none is near."""
    pending: list[bytes] = []
    lowest = max(0, at - _REACH)
    while at > lowest:
        low = max(lowest, at - _STEP)
        for match in reversed(list(_BRACKETS.finditer(text, low, at))):
            sign = match[0]
            if sign in _PAIR:
                pending.append(_PAIR[sign])
            elif not pending:
                return match.start()
            elif pending.pop() != sign:
                return -1
        at = low
    return -1


def find_pair(text: bytes, closing: int) -> int:
    """The offset of the bracket that the one at `closing` closes; -1 if none is near."""
    return find_open(text, closing)


def find_close(text: bytes, opening: int, reach: int = _REACH_FORWARD) -> int:
    """The offset of the bracket that closes the one at `opening`; -1 if it is not near."""
    depth = 0
    for match in _BRACKETS.finditer(text, opening, opening + reach):
        depth += 1 if match[0] in b"([{" else -1
        if depth == 0:
            return match.start()
    return -1


def count_arguments(text: bytes, opening: int) -> int:
    """The number of arguments in the list that opens at an offset; -1 if it does not end near."""
    close = find_close(text, opening)
    if close < 0:
        return -1
    inside = text[opening + 1 : close]
    if not inside.strip():
        return 0
    commas, depth, at = 0, 0, 0
    for match in re.finditer(rb"[(\[{]|[)\]}]|,|(?<=[\w\x80-\xff])<", inside):
        sign = match[0]
        if match.start() < at:
            continue
        if sign == b"<":
            found = find_arguments_end(inside, match.end())
            at = found[0] if found is not None else at
        elif sign == b",":
            commas += depth == 0
        else:
            depth += 1 if sign in b"([{" else -1
    return commas + 1


def angle_start(text: bytes, closing: int) -> int:
    """The offset of the `<` whose type arguments a `>` closes; -1 if it closes none."""
    depth = 0
    low = max(0, closing - 1000)
    for match in reversed(list(_ANGLES.finditer(text, low, closing + 1))):
        sign = match[0]
        if sign in b"{};":
            return -1
        if sign == b">":
            depth += 1
        elif sign == b"<":
            depth -= 1
            if depth == 0:
                return match.start()
    return -1


def read_name_back(text: bytes, at: int) -> tuple[str, int]:
    """The name that ends at an offset, with its number of type arguments, and its start; empty if there is none."""
    end, arity = at, ""
    if end and text[end - 1] == _CLOSING_ANGLE:
        opening = angle_start(text, end - 1)
        if opening < 0:
            return "", at
        count, _ = take_arguments(text, opening)
        if not count:
            return "", at
        end, arity = skip_back(text, opening), f"`{count}"
    start = word_start(text, end)
    word = text[start:end]
    if not is_name(word):
        return "", at
    return word.lstrip(b"@").decode("utf-8", "replace") + arity, start


def read_receiver(text: bytes, at: int) -> Receiver:
    """The receiver of the name that begins at an offset."""
    names: list[str] = []
    start = at
    while True:
        end = skip_back(text, start)
        link = _link_before(text, end)
        if not link:
            return Receiver(Root.NAMES if names else Root.NONE, tuple(reversed(names)), "", start)
        end = skip_back(text, end - link)
        if link == 1:
            while end and text[end - 1] in b"?!":
                end = skip_back(text, end - 1)
        name, begin = read_name_back(text, end)
        if not name or name in ("this", "base"):
            return _read_root(text, end, name, begin, tuple(reversed(names)))
        if name.encode() in TYPE_WORDS or len(names) == _LONGEST_CHAIN:
            return Receiver(Root.OTHER, (), "", begin)
        names.append(name)
        start = begin


def _link_before(text: bytes, end: int) -> int:
    """The length of the sign (`.`, `::`, `->`) before an offset that joins a name to its receiver, or 0."""
    if end and text[end - 1] == _DOT:
        return 0 if text[end - 2 : end - 1] == b"." else 1
    return 2 if text[max(end - 2, 0) : end] in (b"::", b"->") else 0


def _read_root(text: bytes, end: int, name: str, begin: int, names: tuple[str, ...]) -> Receiver:
    if name:
        return Receiver(Root.THIS if name == "this" else Root.BASE, names, "", begin)
    if not end or text[end - 1] != _CLOSING:
        return Receiver(Root.OTHER, (), "", end)
    opening = find_pair(text, end - 1)
    if opening < 0:
        return Receiver(Root.OTHER, (), "", end)
    created = read_created(text, opening)
    if created:
        return Receiver(Root.TYPED, names, created, opening)
    before, where = token_before(text, opening)
    arrow = before == b">" and text[where - 1 : where] == b"="
    if arrow or before in KEYWORDS or (not is_name(before) and before not in (b")", b"]", b">")):
        inside = text[opening + 1 : end - 1]
        match = _CAST.match(inside) or _AS.match(inside)
        if match is not None and not _is_compound(inside, match):
            return Receiver(Root.TYPED, names, match[1].decode("utf-8", "replace"), opening)
    return Receiver(Root.OTHER, (), "", opening)


def _is_compound(inside: bytes, match: re.Match[bytes]) -> bool:
    """Whether the text after a cast is more than the value that is cast."""
    if match.re is _AS:
        return re.search(rb"[=|&]|=>", inside) is not None
    return re.fullmatch(rb"[\w@\x80-\xff.\s!?]*(?:\([^()]*\))?[\w@\x80-\xff.\s!]*", inside[match.end() - 1 :]) is None


def read_created(text: bytes, at: int) -> str:
    """The type, as written, between `new` and an offset; empty if there is none."""
    end = skip_back(text, at)
    start = end
    while True:
        name, begin = read_name_back(text, start)
        if not name or (name.encode() in KEYWORDS):
            return ""
        before, where = token_before(text, begin)
        if before == b"new":
            return text[begin:end].decode("utf-8", "replace")
        if before == b".":
            start = skip_back(text, where)
        elif before == b":" and text[where - 1 : where] == b":":
            start = skip_back(text, where - 1)
        else:
            return ""
