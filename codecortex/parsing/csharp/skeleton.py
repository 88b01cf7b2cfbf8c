"""Cuts a source down to its declarations, with a map back to the source.

Bodies, initialisers, attributes, comments and directives contain most of what the grammar cannot parse and most of the
bytes. A lexical scan cuts them out and records their extents; the rest is small and nearly always parses cleanly.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.lexer import (
    COMMENT_MARK,
    NOTHING_MASKED,
    OPAQUE,
    SOME_TRIVIA,
    TRIVIA,
    Masked,
    find_string_end,
    mask_opaque,
)
from codecortex.parsing.csharp.tokens import find_arguments_end

if TYPE_CHECKING:
    import re

Extent = tuple[int, int]


class Body(NamedTuple):
    """Something cut out of a declaration: its extent and its form (`block`, `expr`, `init` or `args`)."""

    start: int
    end: int
    form: str


class Skeleton(NamedTuple):
    """The declarations of a source.

    Attributes:
        source: The source.
        text: The declarations; `to_source` translates positions.
        cuts: Positions in `text` after each cut, ascending, beginning with 0.
        origins: The positions in `source` that correspond to `cuts`.
        bodies: What was cut out of declarations, ascending.
        attributes: Extents of attribute lists before declarations, ascending, each with its position in `text`.
        comments: Extents of comments outside bodies, ascending, each with its position in `text`.
        directives: Extents of directives outside bodies, ascending.
        extensions: Position in `text` of each extension block to the extent of its receiver.
        accessor_attributes: Extents of attribute lists before accessors, ascending, each with its position in `text`.
        loose: Bytes of declarations and statements outside of types, without their bodies.
        masked: The source with its opaque items masked.
    """

    source: bytes
    text: bytes
    cuts: list[int]
    origins: list[int]
    bodies: list[Body]
    attributes: list[tuple[int, Extent]]
    comments: list[tuple[int, Extent]]
    directives: list[Extent]
    extensions: dict[int, Extent]
    accessor_attributes: list[tuple[int, Extent]]
    loose: int = 0
    masked: Masked = NOTHING_MASKED

    def to_source(self, position: int) -> int:
        """The source position of a position in the text."""
        index = bisect_right(self.cuts, position) - 1
        return self.origins[index] + position - self.cuts[index]


EMPTY = Skeleton(b"", b"", [0], [0], [], [], [], [], {}, [])


_SEMICOLON, _PARENTHESIS, _CLOSING_PARENTHESIS, _BRACKET, _BRACE, _CLOSING_BRACE, _EQUALS = b";()[{}="
_AFTER_EQUALS = (b"=", b">")
_OPENING, _CLOSING = b"{([", b"})]"
_CALLED = (b"base", b"this")
_BLANKS = b" \t\n\r\f\v\xfc\xfd\xff"
_HOLLOW = ("block", "args")
"""The forms of bodies that nothing stands in for."""
_make_body = partial(tuple.__new__, Body)  # at half of what the class costs


class _UnbalancedError(Exception):
    """Brackets do not pair; the source cannot be cut."""


_SIGNS = bytes(1 if byte in b"{}()[];=\xfc\xfd" else 0 for byte in range(256))  # to find one by at memory speed
# These scan a masked text.
_COMMAS = compile_later(rb"[{}()\[\],<]")
_ITEM = compile_later(rb"[\xfc\xfd]\xff*+")
_ACCESSOR = compile_later(rb"[{}=\[\xfc\xfd](?:(?<==)>|(?<=[\xfc\xfd])\xff*+|(?<![=\xfc\xfd]))")

_MODIFIERS = (
    rb"(?>(?:(?:public|private|protected|internal|static|sealed|abstract|partial|readonly|ref|unsafe|new|file|required"
    rb"|async|extern|virtual|override|volatile|fixed|global)\b" + SOME_TRIVIA + rb")*)"
)
TYPE_HEAD = compile_later(
    TRIVIA + _MODIFIERS + rb"(?:(class|struct|interface|namespace|enum|union)\b(?!" + TRIVIA
    + rb"[({;=.])|(record)" + SOME_TRIVIA + rb"(?:(?:class|struct)" + SOME_TRIVIA + rb")?[A-Za-z_@\x80-\xff]"
    rb"|(extension)" + TRIVIA + rb"[<(])"
)  # fmt: skip
_ACCESSORS = compile_later(
    rb"\{(?>(?:" + SOME_TRIVIA + rb"|\[(?>(?:[^\]\[\"']|\"(?>(?:[^\"\\\n]|\\.)*)\"|\[[^\]]*\])*)\]"
    rb"|\b(?:private|protected|internal|public|readonly|static|extern|partial|unsafe)\b)*)"
    rb"(?:get|set|init|add|remove)" + TRIVIA + rb"(?:;|\{|=>)"
)  # fmt: skip
_USING = compile_later(TRIVIA + rb"(?:global" + SOME_TRIVIA + rb")?using\b")
_EXTENSION = compile_later(rb"extension" + TRIVIA + rb"(<(?>(?:[^()<>]|\([^()]*+\)|<[^()<>]*+>)*)>)?" + TRIVIA + rb"\(")
_INITIALISER = compile_later(rb":" + TRIVIA + rb"(?:base|this)" + TRIVIA + rb"\Z")
_NAMED = compile_later(rb"[\w\x80-\xf4>](?<!\bnew)")
_HEADER_SIGN = compile_later(rb"[(){}\[\]:]")
_DECLARATOR = compile_later(TRIVIA + rb"@?[\w\x80-\xff]++" + TRIVIA + rb"=")
_NEXT = compile_later(TRIVIA + rb"@?[\w\x80-\xff]++" + TRIVIA + rb"(?:[=,\[]|\Z)")
_STATEMENTS = compile_later(rb"[{;]")
_DEEPEST = 1000
"""Types in types; more is damage that would cost a call for each."""
_EXTENSION_STAND_IN = b"class _e_"
# White space beyond ASCII, and zero-width characters that some editors leave; the grammar does not accept them.
_EXOTIC = compile_later(
    rb"[\xc2\xe1\xe2\xe3\xef](?:(?<=\xc2)[\x85\xa0]|(?<=\xe1)\x9a\x80|(?<=\xe2)(?:\x80[\x80-\x8b\xa8\xa9\xaf]|\x81\x9f)"
    rb"|(?<=\xe3)\x80\x80|(?<=\xef)\xbb\xbf)"
)


def _blank_exotic(source: bytes) -> bytes:
    """The source with ASCII spaces for such characters outside literals, of equal length."""
    if source.isascii() or _EXOTIC.search(source) is None:
        return source
    out, at, last = [], 0, 0
    while (match := OPAQUE.search(source, at)) is not None:
        start, at = match.start(), match.end()
        if match.lastgroup == "i":
            at = find_string_end(source, start, at)
        out += [_EXOTIC.sub(_to_blanks, source[last:start]), source[start:at]]
        last = at
    return b"".join([*out, _EXOTIC.sub(_to_blanks, source[last:])])


def _to_blanks(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[0])


def cut_skeleton(source: bytes, *, damaged: bool = False) -> Skeleton | None:
    """The skeleton of a source after conditional compilation; None if its brackets do not pair.

    In a damaged one, parentheses of declarations that hold braces or statements are cut too: it is no parameters.
    """
    return Cutter(source, damaged=damaged).cut()


class Cutter:
    """One pass over the source; `_last` is the end of what was output, `_header` the start of the open declaration."""

    def __init__(self, source: bytes, *, damaged: bool = False) -> None:
        source = _blank_exotic(source)
        self._source = source
        masked = mask_opaque(source)
        self._mask = masked.text
        self._find = masked.text.translate(_SIGNS).find
        self._damaged = damaged
        self._out: list[bytes] = []
        self._last = 0
        self._removed = 0
        self._header = 0
        self._depth = 0
        self._hollow: list[int] = []
        self._namespaces: list[int] = []
        self._loose = 0
        self._extends = b"extension" in source
        self._based = -1  # the header whose arguments of a base were cut
        # A header, how far it was searched for its colon, and how many brackets are open there; -1 behind the colon.
        self._passed = -1, 0, 0
        self._cuts, self._origins = [0], [0]
        self._bodies: list[Body] = []
        self._result = Skeleton(source, b"", self._cuts, self._origins, self._bodies, [], [], [], {}, [], masked=masked)

    # -- output

    def _cut(self, start: int, end: int, stand_in: bytes = b"") -> int:
        """Replace an extent; returns the position in the text after the stand-in."""
        out = self._out
        out.append(self._source[self._last : start])
        if stand_in:
            out.append(stand_in)
        self._removed += end - start - len(stand_in)
        self._last = end
        after = end - self._removed
        self._cuts.append(after)
        self._origins.append(end)
        return after

    def _cut_body(self, start: int, end: int, form: str) -> None:
        self._bodies.append(_make_body((start, end, form)))
        self._cut(start, end, b"" if form in _HOLLOW else b" 0")

    def _cut_trivia(self, start: int, end: int) -> None:
        place = self._cut(start, end, b" ")
        if self._mask[start] == COMMENT_MARK:
            self._result.comments.append((place, (start, end)))
        else:
            self._result.directives.append((start, end))

    # -- scanning

    def _close(self, at: int) -> int:
        """The offset after the bracket that closes the one just before `at`."""
        mask, find, depth = self._mask, self._find, 0
        while (at := find(b"\1", at) + 1) > 0:
            sign = mask[at - 1]
            if sign in _OPENING:
                depth += 1
            elif sign in _CLOSING:
                if depth == 0:
                    return at
                depth -= 1
        raise _UnbalancedError

    def _close_block(self, at: int) -> int:
        """The offset after the brace that closes the one just before `at`."""
        find, count, opened = self._mask.find, self._mask.count, 1
        while (end := find(b"}", at) + 1) > 0:
            opened += count(b"{", at, end) - 1
            if opened == 0:
                return end
            at = end
        raise _UnbalancedError

    def _find_semicolon(self, at: int) -> int:
        """The offset of the semicolon that ends an expression, or of what ends the text around it if there is none."""
        mask, find, depth = self._mask, self._find, 0
        while (at := find(b"\1", at) + 1) > 0:
            sign = mask[at - 1]
            if sign in _OPENING:
                depth += 1
            elif sign in _CLOSING:
                depth -= 1
                if depth < 0:
                    return at - 1
            elif sign == _SEMICOLON and depth == 0:
                return at - 1
        if depth:
            raise _UnbalancedError
        return len(mask)

    def _find_commas(self, start: int, end: int) -> list[int]:
        """The commas that separate an initialiser from the next declarator: outside brackets and type arguments.

        What follows must look like a declarator: where brackets are lost, other commas are outside of all of them.
        """
        text, mask = self._source[start:end], self._mask[start:end]
        depth, commas, at = 0, [], 0
        while (match := _COMMAS.search(mask, at)) is not None:
            sign, at = match[0], match.end()
            if sign in _OPENING:
                depth += 1
            elif sign in _CLOSING:
                depth -= 1
            elif depth:
                continue
            elif sign == b"<":
                found = find_arguments_end(text, at)
                at = found[0] if found else at
            elif _NEXT.match(text, at) is not None:
                commas.append(start + at - 1)
        return commas

    def _cut_trivia_within(self, start: int, end: int) -> None:
        for match in _ITEM.finditer(self._mask, start, end):
            self._cut_trivia(*match.span())

    def cut(self) -> Skeleton | None:
        """The skeleton; None if brackets do not pair."""
        try:
            return self._run()
        except _UnbalancedError:
            return None

    def _run(self) -> Skeleton | None:
        source, mask, find, at = self._source, self._mask, self._find, 0
        masked = self._result.masked
        plain = not (self._damaged or self._extends)
        while (start := find(b"\1", at)) >= 0:
            sign, at = mask[start], start + 1
            if sign == _EQUALS:
                at += mask[at : at + 1] in _AFTER_EQUALS
                at = self._read_equals(mask[start:at], at)
            elif sign < COMMENT_MARK:
                if plain and sign == _PARENTHESIS and (end := self._skip_plain(start)):
                    at = end
                    continue
                at = self._read_sign(sign, at)
            else:
                at = masked.ends[bisect_left(masked.starts, start)]
                if not source[self._header : start].strip():
                    self._header = at
                self._cut_trivia(start, at)
        if self._depth:
            return None
        self._out.append(source[self._last :])
        return self._result._replace(text=b"".join(self._out), loose=self._loose)

    def _read_sign(self, sign: int, at: int) -> int:
        if sign == _SEMICOLON:
            if self._depth and not self._source[self._header : at - 1].strip():
                self._cut(at - 1, at)  # an empty declaration, which the grammar does not accept among members
            self._end_loose(at)
            self._header = at
            return at
        if sign == _PARENTHESIS:
            return self._read_parenthesis(at)
        if sign == _BRACKET:
            return self._read_bracket(at)
        if sign == _BRACE:
            self._header = at = self._read_brace(at)
            return at
        if sign == _CLOSING_BRACE:
            return self._read_closing_brace(at)
        raise _UnbalancedError

    def _skip_plain(self, start: int) -> int:
        """The offset after parentheses that are no arguments and hold no signs; 0 if they may be or do."""
        if self._mask.find(b":", self._header, start) >= 0:
            return 0
        end = self._find(b"\1", start + 1)
        return end + 1 if self._mask[end] == _CLOSING_PARENTHESIS else 0

    def _read_parenthesis(self, at: int) -> int:
        end = self._close(at)
        name = self._find_name(at)
        if self._begins_base(name, at, end):
            self._based = self._header
            items = [match.span() for match in _ITEM.finditer(self._mask, at, end)]
            self._cut_body(at, end - 1, "args")
            comments = [(self._cuts[-1], (a, b)) for a, b in items if self._mask[a] == COMMENT_MARK]
            self._result.comments.extend(comments)  # these still count as outside of bodies
        elif self._begins_initialiser(name, at) or (self._damaged and _STATEMENTS.search(self._source, at, end)):
            self._cut_body(at, end - 1, "args")
        elif not self._is_extension():
            self._cut_trivia_within(at, end)
        return end

    def _find_name(self, at: int) -> int:
        """The offset of the last byte of code before the bracket just before `at`."""
        mask, name = self._mask, at - 2
        while name >= self._header and mask[name] in _BLANKS:
            name -= 1
        return name

    def _begins_base(self, name: int, at: int, end: int) -> bool:
        """Whether parentheses behind a name hold arguments of a base type, the first in its header."""
        mask, header = self._mask, self._header
        if self._based == header or name < header or _NAMED.match(mask, name) is None:
            return False
        if not self._passes_colon(at) or not mask[at : end - 1].strip():
            return False
        head = TYPE_HEAD.match(self._source, header)
        return head is not None and head[3] is None

    def _passes_colon(self, at: int) -> bool:
        """Whether the header has a colon outside of brackets before the bracket just before `at`."""
        header, place, depth = self._passed
        if header != self._header:
            header, place, depth = self._header, self._header, 0
        if depth >= 0:
            for match in _HEADER_SIGN.finditer(self._mask, place, at - 1):
                sign = match[0]
                if sign == b":" and depth == 0:
                    depth = -1
                    break
                depth += (sign in _OPENING) - (sign in _CLOSING)
        self._passed = header, at - 1, depth
        return depth < 0

    def _begins_initialiser(self, name: int, at: int) -> bool:
        """Whether parentheses behind a name hold the arguments of a constructor's initialiser."""
        if self._mask[name - 3 : name + 1] not in _CALLED:
            return False
        colon = self._mask.rfind(b":", self._header, name)
        return colon >= 0 and _INITIALISER.match(self._source, colon, at - 1) is not None

    def _is_extension(self) -> bool:
        """Whether the open declaration is an extension block; then the head is cut, with its comments."""
        if not self._extends:
            return False
        head = TYPE_HEAD.match(self._source, self._header)
        if head is None or head[3] is None:
            return False
        self._open_extension(head.start(3))
        return True

    def _read_bracket(self, at: int) -> int:
        end = self._close(at)
        if self._source[self._header : at - 1].strip():
            self._cut_trivia_within(at, end)
        else:
            place = self._cut(at - 1, end, b" ")
            self._result.attributes.append((place, (at - 1, end)))
            self._header = end
        return end

    def _read_closing_brace(self, at: int) -> int:
        if self._hollow and self._hollow[-1] == self._depth:
            self._hollow.pop()
            self._cut(at - 1, at)
        if self._namespaces and self._namespaces[-1] == self._depth:
            self._namespaces.pop()
        self._depth -= 1
        self._header = at
        if self._depth < 0:
            raise _UnbalancedError
        return at

    def _open(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _UnbalancedError

    def _end_loose(self, at: int) -> None:
        """Count a declaration that ends here if it is in no type."""
        if self._depth == len(self._namespaces):
            self._loose += at - self._header

    def _read_brace(self, at: int) -> int:
        head = TYPE_HEAD.match(self._source, self._header)
        if head is not None and (head[1] is not None or head[2] is not None):
            if head[1] == b"enum":
                end = self._close_block(at)
                # Nothing after a semicolon is a member, and to recover at each would cost the parser many times more.
                stray = self._mask.find(b";", at, end) + 1
                self._cut_trivia_within(at, stray or end)
                if stray:
                    self._cut(stray, end - 1)
                return end
            self._open()
            if head[1] == b"namespace":
                self._namespaces.append(self._depth)
            return at
        if head is not None:
            self._open()
            self._open_extension(head.start(3))
            return at
        header = self._source[self._header : at - 1].strip()
        if not header:
            # A brace without a header, for instance because its header is inactive: ignore it and its partner.
            self._open()
            self._hollow.append(self._depth)
            self._cut(at - 1, at)
            return at
        self._end_loose(at)
        if not header.endswith(b")") and _ACCESSORS.match(self._source, at - 1):
            return self._read_accessors(at)
        end = self._close_block(at)
        self._cut_body(at, end - 1, "block")
        return end

    def _open_extension(self, start: int) -> None:
        """Replace an extension block by a class, and record its receiver."""
        head = _EXTENSION.match(self._source, start)
        if head is None or start < self._last:
            return
        end = self._close(head.end())
        place = self._cut(start, start + len(b"extension"), _EXTENSION_STAND_IN)
        self._result.extensions[place - len(_EXTENSION_STAND_IN)] = (head.end(), end - 1)
        self._cut(head.end() - 1, end)

    def _read_accessors(self, at: int) -> int:
        mask = self._mask
        while (match := _ACCESSOR.search(mask, at)) is not None:
            start, at = match.span()
            sign = mask[start]
            if sign == _CLOSING_BRACE:
                return at
            if sign == _BRACE:
                end = self._close_block(at)
                self._cut_body(at, end - 1, "block")
                at = end
            elif sign == _EQUALS:
                end = self._find_semicolon(at)
                self._cut_body(at, end, "expr")
                at = end + mask.startswith(b";", end)
            elif sign == _BRACKET:
                at = self._close(at)
                self._result.accessor_attributes.append((self._cut(start, at, b" "), (start, at)))
            else:
                self._cut_trivia(start, at)
        raise _UnbalancedError

    def _read_equals(self, sign: bytes, at: int) -> int:
        source = self._source
        if sign == b"==" or (sign == b"=" and source[at - 2] in b"!<>+-*/%&|^"):
            return at
        end = self._find_semicolon(at)
        if sign == b"=>":
            self._cut_body(at, end, "expr")
        elif _USING.match(source, self._header, at) is None:
            start = at
            commas = self._find_commas(at, end) if source.find(b",", at, end) >= 0 else []
            for comma in [*commas, end]:
                if comma > start:
                    self._cut_body(start, comma, "init")
                following = _DECLARATOR.match(source, comma + 1, end)
                start = following.end() if following is not None else end
        self._end_loose(end)
        self._header = end + source.startswith(b";", end)
        return self._header
