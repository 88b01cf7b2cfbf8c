"""Applies `#if` directives: returns the source as the compiler sees it, of equal length, inactive text blanked."""

from __future__ import annotations

import re

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.lexer import OPAQUE, find_string_end

_BLANK = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))
_IF = compile_later(rb"#[ \t]*+if\b")
_DIRECTIVE = compile_later(rb"#[ \t]*(if|elif|else|endif|define|undef)\b([^\n]*)")
_BRANCH = compile_later(rb"^[ \t\x0b\x0c]*#[ \t]*(if|elif|else|endif)\b([^\n]*)", re.MULTILINE)
_TOKEN = compile_later(rb"[ \t]*(?://.*|([A-Za-z_\x80-\xff][\w\x80-\xff]*)|(\|\||&&|==|!=|!|\(|\)))")
_MAX_DEPTH = 100


class Conditioned(NamedTuple):
    """Source after conditional compilation.

    Attributes:
        text: As long as the source, with the same line ends; inactive text and conditional directives are blanks.
        inactive: Extents of inactive text.
        conditional: Whether the source tests symbols at all; if not, every symbol set gives this text.
    """

    text: bytes
    inactive: tuple[tuple[int, int], ...]
    conditional: bool


class _Expression:
    """A recursive-descent evaluator of one `#if` expression."""

    def __init__(self, text: bytes, symbols: frozenset[str]) -> None:
        self._tokens: list[bytes] = []
        self._at = 0
        self._symbols = symbols
        at = 0
        while (match := _TOKEN.match(text, at)) and (match[1] or match[2]):
            self._tokens.append(match[1] or match[2])
            at = match.end()
        self._tokens.append(b"")

    def any_of(self, depth: int = 0) -> bool:
        value = self._all_of(depth)
        while self._take(b"||"):
            value = self._all_of(depth) or value
        return value

    def _take(self, token: bytes) -> bool:
        if self._tokens[self._at] != token:
            return False
        self._at += 1
        return True

    def _all_of(self, depth: int) -> bool:
        value = self._equal(depth)
        while self._take(b"&&"):
            value = self._equal(depth) and value
        return value

    def _equal(self, depth: int) -> bool:
        value = self._primary(depth)
        while True:
            if self._take(b"=="):
                value = self._primary(depth) == value
            elif self._take(b"!="):
                value = self._primary(depth) != value
            else:
                return value

    def _primary(self, depth: int) -> bool:
        negated = False
        while self._take(b"!"):
            negated = not negated
        if self._take(b"("):
            value = depth < _MAX_DEPTH and self.any_of(depth + 1)
            self._take(b")")
        else:
            token = self._tokens[self._at]
            self._at += token != b""
            value = token == b"true" or (token not in (b"", b"false") and token.decode() in self._symbols)
        return value != negated


def evaluate(expression: bytes, symbols: frozenset[str]) -> bool:
    """Whether an `#if` expression is true; malformed expressions are false."""
    return _Expression(expression, symbols).any_of()


def list_symbols(source: bytes) -> frozenset[str]:
    """Every symbol that a directive of the source tests."""
    words = (word for match in _BRANCH.finditer(source) for word in _TOKEN.findall(match[2]))
    return frozenset(name.decode() for name, _ in words if name not in (b"", b"true", b"false"))


def apply_conditions(source: bytes, symbols: frozenset[str]) -> Conditioned:
    """Blank the text that is inactive under a symbol set.

    Active text is scanned for strings and comments, since these may contain what looks like a directive; inactive text
    is scanned for directives only, as the language defines it.
    """
    if b"#" not in source or _IF.search(source) is None:
        return Conditioned(source, (), conditional=False)
    return _Conditioner(source, symbols).run()


class _Conditioner:
    def __init__(self, source: bytes, symbols: frozenset[str]) -> None:
        self._source = source
        self._symbols = symbols
        self._out: list[bytes] = []
        self._last = 0
        self._taken: list[bool] = []  # per open #if: whether one of its branches was taken
        self._inactive: list[tuple[int, int]] = []
        self._conditional = False

    def run(self) -> Conditioned:
        source, search, at = self._source, OPAQUE.search, 0
        while (match := search(source, at)) is not None:
            at, group = match.end(), match.lastgroup
            if group == "i":
                at = find_string_end(source, match.start(), at)
            elif group == "d":
                at = self._read_directive(match.start(), at)
        self._out.append(source[self._last :])
        return Conditioned(b"".join(self._out), tuple(self._inactive), self._conditional)

    def _blank(self, start: int, end: int) -> None:
        self._out.append(self._source[self._last : start])
        self._out.append(self._source[start:end].translate(_BLANK))
        self._last = end

    def _read_directive(self, start: int, end: int) -> int:
        source = self._source
        match = _DIRECTIVE.match(source, start)
        if match is None or source[source.rfind(b"\n", 0, start) + 1 : start].strip():
            return end
        word, rest = match[1], match[2]
        self._blank(start, end)
        if word in (b"define", b"undef"):
            name = {rest.split(b"//")[0].strip().decode()}
            self._symbols = self._symbols | name if word == b"define" else self._symbols - name
            return end
        if word == b"if":
            self._conditional = True
            self._taken.append(evaluate(rest, self._symbols))
            return end if self._taken[-1] else self._skip(end)
        if word == b"endif":
            if self._taken:
                self._taken.pop()
            return end
        return self._skip(end) if self._taken else end

    def _skip(self, start: int) -> int:
        """Blank from a branch not taken to the one taken or the end; returns the offset to continue from."""
        source, depth, stop, end = self._source, 0, len(self._source), len(self._source)
        for match in _BRANCH.finditer(source, start):
            word = match[1]
            if word == b"if":
                depth += 1
            elif depth:
                depth -= word == b"endif"
            elif word == b"endif":
                self._taken.pop()
                stop, end = match.span()
                break
            elif not self._taken[-1] and (word == b"else" or evaluate(match[2], self._symbols)):
                self._taken[-1] = True
                stop, end = match.span()
                break
        if source[start:stop].strip():
            self._inactive.append((start, stop))
        self._blank(start, end)
        return end
