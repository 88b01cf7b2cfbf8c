"""Pairs the brackets of C# text that has lost some, and blanks the contents of its literals."""

from __future__ import annotations

import re

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.lexer import OPAQUE, find_string_end

_PAIRS = {ord(")"): ord("("), ord("]"): ord("["), ord("}"): ord("{")}
_OPENERS = frozenset(_PAIRS.values())
_CLOSERS = {opener: closer for closer, opener in _PAIRS.items()}
_APOSTROPHE = ord("'")
_CLOSED = compile_later(rb'[$@]*(?:"(?:[^"\\]|\\.)*"|"(?:[^"]|"")*"|"{3}.*"{3}|\$[$@]*".*")|[^"]+', re.DOTALL)
_LINE_OR_SIGN = compile_later(rb"\n[ \t]*|[()\[\]{}]|;(?=[ \t\r]*\n)")
_LINE_END, _SEMICOLON, _OPENING_BRACE, _CLOSING_BRACE = b"\n;{}"
_MOST = 1000
"""Brackets that are open at once, and repairs; what follows is left out."""
_GOES_ON = frozenset(bytes([sign]) for sign in b"\r\n)]}0.?:&|+=<>,") | {b""}
"""What a line begins with that belongs to the one before, or is no code."""
_REST = compile_later(rb"[ \t]*\r?\n")
_TO_BLANKS = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))


def blank_literals(text: bytes) -> bytes:
    """The text with digits in place of every string and character literal; comments and directives stay."""
    return _replace_opaque(text, trivia=False)[0]


class Paired(NamedTuple):
    """A text whose brackets all have a partner, and the line of the first that had none; 0 if all had."""

    text: bytes
    line: int


class _Opened(NamedTuple):
    """An opening bracket that waits for its partner; `indent` is that of its line."""

    sign: int
    at: int
    line: int
    indent: int


def pair_brackets(text: bytes) -> Paired:
    """The text with brackets put in where the indentation shows that they are missing, and the others blanked.

    A closing brace that begins a line closes what was opened in a line that is indented as far, or less: what was
    opened deeper inside has lost its own. Lines stay where they are; a literal that never ends is blanked.
    """
    signs, last = _replace_opaque(text, trivia=True)
    if last < len(text):  # so that code can follow it
        text = text[:last] + (signs[last:].translate(_TO_BLANKS) if text[last] in b"/#" else signs[last:])
    return _Pairing(text, signs).run()


class _Pairing:
    """One pass over the brackets of a text; `_kept` is the end of what was output."""

    def __init__(self, text: bytes, signs: bytes) -> None:
        self._text = text
        self._signs = signs
        self._missing = {sign: signs.count(sign) - signs.count(closer) for sign, closer in _CLOSERS.items()}
        self._opened: list[_Opened] = []
        self._out: list[bytes] = []
        self._kept = 0
        self._first = 0
        self._repairs = 0

    def run(self) -> Paired:
        signs, line, begin = self._signs, 0, 0
        indent = len(signs) - len(signs.lstrip(b" \t"))
        for match in _LINE_OR_SIGN.finditer(signs):
            at = match.start()
            sign = signs[at]
            if self._repairs == _MOST or len(self._opened) == _MOST:
                self._mark(line)
                self._put(at, b"", len(self._text))
                break
            if sign == _LINE_END:
                line, begin, indent = line + 1, at + 1, match.end() - at - 1
                self._begin_line(match.end(), indent)
            elif sign == _SEMICOLON:
                self._end_statement(at)
            elif sign in _OPENERS:
                self._opened.append(_Opened(sign, at, line, indent))
            elif sign != _CLOSING_BRACE:
                self._close_other(sign, at, line)
            elif not self._close_brace(at, line, indent if at == begin + indent else -1):
                self._drop(at, line)
        if self._opened:
            self._mark(self._opened[-1].line)
        self._out.append(self._text[self._kept :])
        self._out.append(bytes(_CLOSERS[opened.sign] for opened in reversed(self._opened)))
        return Paired(b"".join(self._out), self._first)

    def _end_statement(self, at: int) -> None:
        """Close parentheses and brackets that have lost their partner before a semicolon or an arrow."""
        opened = self._opened
        while opened and opened[-1].sign != _OPENING_BRACE and self._missing[opened[-1].sign] > 0:
            self._close_top(at)

    def _begin_line(self, at: int, indent: int) -> None:
        """Close what has lost its partner before a line that is indented no deeper than the one it was opened in."""
        opened = self._opened
        if opened and self._signs.startswith(b"=>", at):
            self._end_statement(at)
        if not opened or opened[-1].indent < indent or self._signs[at : at + 1] in _GOES_ON:
            return
        while opened and self._missing[opened[-1].sign] > 0 and self._is_over(opened[-1], indent):
            self._close_top(at)

    def _is_over(self, opened: _Opened, indent: int) -> bool:
        """Whether code that is indented so far is outside of what was opened."""
        if opened.sign != _OPENING_BRACE or opened.indent != indent:
            return opened.indent >= indent
        return _REST.match(self._signs, opened.at + 1) is None  # in `{ get; set;`; else people may indent nothing

    def _close_brace(self, at: int, line: int, indent: int) -> bool:
        """Pair a closing brace, closing what is open inside its partner; False if it has none.

        `indent` is -1 where the brace does not begin its line.
        """
        opened = self._opened
        partner = next((each for each in reversed(opened) if each.sign == _OPENING_BRACE), None)
        if partner is None:
            return False
        if self._missing[_OPENING_BRACE] < 0 and partner.line != line and self._is_odd(at, partner, indent):
            self._missing[_OPENING_BRACE] += 1
            return False
        while (len(opened) > 1 and opened[-1].indent > indent >= 0) or opened[-1].sign != _OPENING_BRACE:
            self._close_top(at)
            if not opened:
                return False
        opened.pop()
        return True

    def _is_odd(self, at: int, partner: _Opened, indent: int) -> bool:
        """Whether a brace stands where nobody would write the partner of one in an earlier line."""
        if indent >= 0:
            return partner.indent < indent
        line = self._signs[self._signs.rfind(b"\n", 0, at) + 1 : at]
        return bool(line.strip(b" \t)]}"))

    def _close_other(self, sign: int, at: int, line: int) -> None:
        """Pair a closing parenthesis or bracket with the last opening one, or the one before that."""
        opened, wanted = self._opened, _PAIRS[sign]
        if len(opened) > 1 and opened[-1].sign not in (wanted, _OPENING_BRACE) and opened[-2].sign == wanted:
            self._close_top(at)
        if opened and opened[-1].sign == wanted:
            opened.pop()
        else:
            self._drop(at, line)

    def _close_top(self, at: int) -> None:
        top = self._opened.pop()
        self._missing[top.sign] -= 1
        self._mark(top.line)
        self._put(at, bytes([_CLOSERS[top.sign]]), at)

    def _drop(self, at: int, line: int) -> None:
        self._mark(line)
        self._put(at, b" ", at + 1)

    def _put(self, start: int, text: bytes, end: int) -> None:
        self._repairs += 1
        self._out += (self._text[self._kept : start], text)
        self._kept = end

    def _mark(self, line: int) -> None:
        self._first = self._first or line + 1


def find_open_string(text: bytes) -> int:
    """The line of the first string literal that does not end; 0 if all do."""
    at = 0
    while (match := OPAQUE.search(text, at)) is not None:
        start, at, group = match.start(), match.end(), match.lastgroup
        if group == "i":
            at = find_string_end(text, start, at)
        if group not in ("c", "d") and text[start] != _APOSTROPHE and _CLOSED.fullmatch(text, start, at) is None:
            return text.count(b"\n", 0, start) + 1
    return 0


def _replace_opaque(text: bytes, *, trivia: bool) -> tuple[bytes, int]:
    """The text with its literals, and its comments and directives too, blanked; and where one that ends it begins."""
    out: list[bytes] = []
    start = last = at = 0
    while (match := OPAQUE.search(text, at)) is not None:
        start, at, group = match.start(), match.end(), match.lastgroup
        if group == "i":
            at = find_string_end(text, start, at)
        if trivia or group not in ("c", "d"):
            out += [text[last:start], _blank(text[start:at])]
            last = at
    return b"".join([*out, text[last:]]), start if at == len(text) else len(text)


def _blank(literal: bytes) -> bytes:
    """A number as long as the literal; in a literal of several lines a zero and spaces, so that line ends stay."""
    return b"0" + literal[1:].translate(_TO_BLANKS) if b"\n" in literal else b"0" * len(literal)
