"""Finds where brackets stop pairing in C# text, and blanks the contents of its literals."""

from __future__ import annotations

import re

from codecortex.parsing.csharp.lexer import OPAQUE, find_string_end

_PAIRS = {ord(")"): ord("("), ord("]"): ord("["), ord("}"): ord("{")}
_OPENERS = frozenset(_PAIRS.values())
_CLOSERS = {opener: closer for closer, opener in _PAIRS.items()}
_APOSTROPHE = ord("'")
_CLOSED = re.compile(rb'[$@]*(?:"(?:[^"\\]|\\.)*"|"(?:[^"]|"")*"|"{3}.*"{3}|\$[$@]*".*")|[^"]+', re.DOTALL)
_NEITHER = bytes(byte for byte in range(256) if byte not in b"()[]{}\n")

_TO_BLANKS = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))


def blank_literals(text: bytes) -> bytes:
    """The text with digits in place of every string and character literal; comments and directives stay."""
    return _replace_opaque(text, trivia=False)


def find_unpaired(text: bytes) -> tuple[int, bytes]:
    """Find where brackets stop pairing, and what would close those left open at the end.

    Returns:
        The line of the first closing bracket without a partner, and nothing; else the line of the last opening bracket
        without a partner, and the closing brackets that are missing; 0 and nothing if all pair.
    """
    signs = _replace_opaque(text, trivia=True).translate(None, _NEITHER)
    line = 1
    opened: list[tuple[int, int]] = []
    for sign in signs:
        if sign in _OPENERS:
            opened.append((sign, line))
        elif sign in _PAIRS:
            if not opened or opened[-1][0] != _PAIRS[sign]:
                return line, b""
            opened.pop()
        else:
            line += 1
    closers = bytes(_CLOSERS[sign] for sign, _ in reversed(opened))
    return opened[-1][1] if opened else 0, closers


def close_by_indentation(text: bytes) -> bytes:
    """The text with closing braces where the indentation shows that they are missing, the others at the end.

    A closing brace that begins a line closes what was opened in a line that is indented as far, or less: what was
    opened deeper inside has lost its own.
    """
    signs = _replace_opaque(text, trivia=True)
    opened: list[tuple[int, int]] = []  # the bracket, and the indentation of its line
    out: list[bytes] = []
    at = 0
    for line in signs.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip(b" \t"))
        kept = at
        for place, sign in enumerate(line):
            if sign in _OPENERS:
                opened.append((sign, indent))
            elif sign in _PAIRS:
                while place == indent and len(opened) > 1 and opened[-1][1] > indent:
                    out += [text[kept : at + place], bytes([_CLOSERS[opened.pop()[0]]])]
                    kept = at + place
                if opened:
                    opened.pop()
        out.append(text[kept : at + len(line)])
        at += len(line)
    return b"".join(out) + bytes(_CLOSERS[sign] for sign, _ in reversed(opened))


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


def _replace_opaque(text: bytes, *, trivia: bool) -> bytes:
    out: list[bytes] = []
    last = at = 0
    while (match := OPAQUE.search(text, at)) is not None:
        start, at, group = match.start(), match.end(), match.lastgroup
        if group == "i":
            at = find_string_end(text, start, at)
        if trivia or group not in ("c", "d"):
            out += [text[last:start], _blank(text[start:at])]
            last = at
    return b"".join([*out, text[last:]])


def _blank(literal: bytes) -> bytes:
    """A number as long as the literal; in a literal of several lines a zero and spaces, so that line ends stay."""
    return b"0" + literal[1:].translate(_TO_BLANKS) if b"\n" in literal else b"0" * len(literal)
