"""Finds every occurrence of a name in the code of a C# file.

Comments, directives, inactive text and the contents of string and character literals are not code; the holes of
interpolated strings are. Damaged source raises no error.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from codecortex.model.code.syntax import KEYWORDS, resolve_escapes
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.columns import count_units, find_offset
from codecortex.parsing.csharp.conditional import apply_conditions
from codecortex.parsing.csharp.lexer import OPAQUE, Holes, find_string_end
from codecortex.parsing.decode import decode_source, is_binary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BLANK = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))
_LITERAL = bytes(byte if byte == ord("\n") else 1 for byte in range(256))
_FORMAT = compile_later(rb"[(\[{]|[)\]}]|::|:")
_RESERVED = frozenset(map(str.encode, KEYWORDS))
_CONDITION = compile_later(rb"#\s*if")
_NAME = compile_later(rb"[^\W\d]\w*")
_ESCAPED = compile_later(rb"\\[uU][\w\\\x80-\xff]*")
_LETTERS = frozenset(b"_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ").union(range(128, 256))
_REFERENCE = compile_later(rb"\bcref\s*=\s*([\"'])([^\"'\n]*)\1")
_DOCUMENTED = compile_later(rb"\b(?:cref|name)\s*=\s*([\"'])([^\"']*)\1")
_WORD = [chr(byte).isalnum() or byte == ord("_") for byte in range(128)]
_DOLLAR = ord("$")
_MAX_NESTING = 20
_WIDTH = 160
_LEAD = 60
_STEP = 4096  # bytes


class Code(NamedTuple):
    r"""A source and its code.

    Attributes:
        source: The source as UTF-8 with LF.
        text: Of equal length, with spaces for everything but code and `\1` for literals; line ends stay.
    """

    source: bytes
    text: bytes


class Location(NamedTuple):
    """An occurrence: offsets, line and column from 1 (column in characters), and the text of the line, truncated."""

    start: int
    end: int
    line: int
    column: int
    snippet: str


class LineStarts:
    """Offsets of the places of a source."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._is_ascii = source.isascii()
        self._starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]

    def find(self, position: tuple[int, int] | None) -> int:
        """The offset of a line and column, from 1 and in UTF-16 units; None is the end."""
        if position is None or position[0] > len(self._starts):
            return len(self._source)
        line, column = position
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self._source)
        if self._is_ascii:
            return min(start + column - 1, end)
        if end - start <= _STEP:
            return start + find_offset(self._source[start:end], column - 1)
        offsets, units = self._marks
        wanted = self._count_before(start) + column - 1
        at = bisect_right(units, wanted) - 1
        near = offsets[at]
        return min(near + find_offset(self._source[near : near + 2 * _STEP], wanted - units[at]), end)

    def find_place(self, offset: int) -> tuple[int, int]:
        """The line and column, from 1 and in UTF-16 units, of an offset."""
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        if self._is_ascii:
            return line, offset - start + 1
        if offset - start <= _STEP:
            return line, count_units(self._source[start:offset]) + 1
        return line, self._count_before(offset) - self._count_before(start) + 1

    def locate(self, start: int, end: int) -> Location:
        """The place of an extent."""
        line, column = self.find_place(start)
        return Location(start, end, line, column, _cut_line(self._source, self._starts[line - 1], start, end))

    def _count_before(self, offset: int) -> int:
        """How many units stand before an offset."""
        offsets, units = self._marks
        at = bisect_right(offsets, offset) - 1
        return units[at] + count_units(self._source[offsets[at] : offset])

    @cached_property
    def _marks(self) -> tuple[list[int], list[int]]:
        """Offsets of characters a step apart, and the units before each: a minified file is one line for thousands."""
        offsets, units, size = [0], [0], len(self._source)
        while offsets[-1] < size:
            end = offsets[-1] + _STEP
            while end < size and self._source[end] & 0xC0 == 0x80:  # noqa: PLR2004 - within a character
                end += 1
            units.append(units[-1] + count_units(self._source[offsets[-1] : end]))
            offsets.append(min(end, size))
        return offsets, units


def read_code(raw: bytes, symbols: frozenset[str]) -> Code | None:
    """The code of a file under a symbol set; None for a binary file."""
    source = decode_source(raw)
    if is_binary(source):
        return None
    return Code(source, _blank(apply_conditions(source, symbols).text, 0))


def _blank(text: bytes, depth: int) -> bytes:
    """The text with everything but code blanked, of equal length."""
    out: list[bytes] = []
    search, last = OPAQUE.search, 0
    match = search(text)
    while match is not None:
        start, at, group = match.start(), match.end(), match.lastgroup
        out.append(text[last:start])
        if group in ("c", "d"):
            out.append(text[start:at].translate(_BLANK))
        elif group == "i" or (text[start] == _DOLLAR and text.find(b"{", start, at) >= 0):
            piece = _blank_interpolated(text, start, depth)
            at = start + len(piece)
            out.append(piece)
        else:
            out.append(text[start:at].translate(_LITERAL))
        last = at
        match = search(text, at)
    out.append(text[last:])
    return b"".join(out)


def _blank_interpolated(text: bytes, start: int, depth: int) -> bytes:
    """An interpolated string with only the code of its holes left, in brackets."""
    holes: Holes = []
    end = find_string_end(text, start, text.index(b'"', start) + 1, holes)
    piece = bytearray(text[start:end].translate(_LITERAL))
    for first, last in holes if depth < _MAX_NESTING else ():
        code = _cut_format(_blank(text[first:last], depth + 1))
        piece[first - start : last - start] = code
        piece[first - start - 1] = ord("(")
        if text.startswith(b"}", last, end):  # of a hole that does not end, another character stands there
            piece[last - start] = ord(")")
    return bytes(piece)


def _cut_format(code: bytes) -> bytes:
    """The code of a hole with its format string replaced by a literal."""
    depth = 0
    for match in _FORMAT.finditer(code):
        sign = match[0]
        if sign in b"([{":
            depth += 1
        elif sign in b")]}":
            depth -= 1
        elif sign == b":" and depth == 0:
            at = match.start()
            return code[:at] + code[at:].translate(_LITERAL)
    return code


@lru_cache(maxsize=256)
def _compile(name: str) -> re.Pattern[bytes]:
    return re.compile(re.escape(name.encode("utf-8", "replace")) + rb"(?!\w)")


def find_name(code: Code, name: str) -> Iterator[Location]:
    """Yield every occurrence of a name, in order; an `@` before it is not part of it."""
    source, text = code
    reserved = name.encode("utf-8", "replace") in _RESERVED
    line, begin, at, column = 1, 0, 0, 1
    for match in _compile(name).finditer(text):
        start, end = match.span()
        if _joins_before(text, start) or _joins_after(text, end):
            continue
        if reserved and text[start - 1 : start] != b"@":
            continue
        breaks = source.count(b"\n", at, start)
        if breaks:
            line += breaks
            begin = at = source.rfind(b"\n", at, start) + 1
            column = 1
        column += count_units(source[at:start])
        at = start
        yield Location(start, end, line, column, _cut_line(source, begin, start, end))


def _joins_before(text: bytes, start: int) -> bool:
    """Whether the character before an offset is part of an identifier."""
    if not start or text[start - 1] < 128:  # noqa: PLR2004 - ASCII
        return start > 0 and _WORD[text[start - 1]]
    character = text[max(start - 4, 0) : start].decode("utf-8", "ignore")[-1:]
    return ("a" + character).isidentifier()


def _joins_after(text: bytes, end: int) -> bool:
    if end >= len(text) or text[end] < 128:  # noqa: PLR2004 - ASCII
        return False
    character = text[end : end + 4].decode("utf-8", "ignore")[:1]
    return bool(character) and ("a" + character).isidentifier()


def _cut_line(source: bytes, begin: int, start: int, end: int) -> str:
    """The line around an extent with single spaces; of a long line the part around the name."""
    far = min(end + 8 * _WIDTH, len(source))
    stop = source.find(b"\n", end, far)
    stop = far if stop < 0 else stop
    if stop - begin <= _WIDTH:
        return " ".join(source[begin:stop].decode("utf-8", "replace").split())
    before = " ".join(source[max(begin, start - 4 * _WIDTH) : start].decode("utf-8", "ignore").split(" ")).lstrip()
    after = source[start : min(stop, end + 4 * _WIDTH)].decode("utf-8", "ignore").rstrip()
    if len(before) + len(after) <= _WIDTH:
        return " ".join((before + after).split())
    if len(before) > _LEAD:
        before = "..." + before[-_LEAD:]
    room = _WIDTH - len(before)
    after = after if len(after) <= room else after[: max(room - 3, end - start)] + "..."
    return " ".join((before + after).split())


def find_inactive(raw: bytes, symbol_sets: Iterable[frozenset[str]], name: str) -> Iterator[Location]:
    """Yield the occurrences of a name in code that no symbol set compiles, and in the references of its documentation.

    Both are in order.
    """
    source = decode_source(raw)
    if not _CONDITION.search(source) or is_binary(source):
        return
    active = [apply_conditions(source, symbols).text for symbols in symbol_sets]
    for spot in (*find_name(Code(source, _blank(source, 0)), name), *_find_in_references(source, name)):
        if all(text[spot.start : spot.end] != source[spot.start : spot.end] for text in active):
            yield spot


def compile_names(names: Iterable[str]) -> re.Pattern[bytes]:
    """A pattern that finds some names as words, wherever they stand, in prose and literals too."""
    # The name first: a search for letters is many times faster than one for places where a word begins.
    escaped = map(re.escape, sorted(set(names)))
    return re.compile("|".join(rf"{each}(?<!\w{each})(?!\w)" for each in escaped).encode())


def find_escaped(text: bytes) -> Iterator[tuple[int, str]]:
    r"""Where names stand that are written with escapes such as `\u0041`, and the names; in literals too."""
    for match in _ESCAPED.finditer(text):
        start = match.start()
        while start and text[start - 1] in _LETTERS:
            start -= 1
        yield start, resolve_escapes(text[start : match.end()].decode("utf-8", "replace"))


def list_written(raw: bytes, names: Iterable[str]) -> list[int] | None:
    """The offsets of some names in code and in the documentation of parameters and references.

    None where conditions leave that open: what they leave out need not be code.
    """
    source = decode_source(raw)
    if _CONDITION.search(source):
        return None
    texts = [Code(source, _blank(source, 0))]
    documented = b"\n".join(match[2] for match in _DOCUMENTED.finditer(source))
    wanted = list(names)
    if any(each.encode("utf-8", "replace") in documented for each in wanted):
        texts.append(Code(source, _keep(source, _DOCUMENTED)))
    return [spot.start for each in wanted for text in texts for spot in find_name(text, each)]


def list_inactive_words(raw: bytes, symbol_sets: Iterable[frozenset[str]]) -> set[str]:
    """The words in code that no symbol set compiles."""
    source = decode_source(raw)
    if not _CONDITION.search(source) or is_binary(source):
        return set()
    texts = [apply_conditions(source, symbols).text for symbols in symbol_sets]
    words = _NAME.finditer(source)
    return {match[0].decode("utf-8", "replace") for match in words
            if all(text[match.start() : match.end()] != match[0] for text in texts)}  # fmt: skip


def _find_in_references(source: bytes, name: str) -> Iterator[Location]:
    """The occurrences of a name in `cref` attributes."""
    yield from find_name(Code(source, _keep(source, _REFERENCE)), name)


def _keep(source: bytes, pattern: re.Pattern[bytes]) -> bytes:
    """The text with everything but the values of some attributes blanked, of equal length."""
    text = bytearray(source.translate(_BLANK))
    for match in pattern.finditer(source):
        text[match.start(2) : match.end(2)] = match[2]
    return bytes(text)
