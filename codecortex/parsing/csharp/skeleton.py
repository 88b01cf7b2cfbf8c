"""Cuts a source down to its declarations, with a map back to the source.

Bodies, initialisers, attributes, comments and directives contain most of what the grammar cannot parse and most of the
bytes. A lexical scan cuts them out and records their extents; the rest is small and nearly always parses cleanly.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.lexer import COMMENT, DIRECTIVE, FIRST, LITERAL, SOME_TRIVIA, TRIVIA, find_string_end
from codecortex.parsing.csharp.tokens import find_arguments_end

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

    def to_source(self, position: int) -> int:
        """The source position of a position in the text."""
        index = bisect_right(self.cuts, position) - 1
        return self.origins[index] + position - self.cuts[index]


EMPTY = Skeleton(b"", b"", [0], [0], [], [], [], [], {}, [])


class _UnbalancedError(Exception):
    """Brackets do not pair; the source cannot be cut."""


def _scanner(first: bytes, groups: bytes) -> re.Pattern[bytes]:
    comment, directive = rb"|(?P<c>" + COMMENT + rb")", rb"|(?P<d>" + DIRECTIVE + rb")"
    return compile_later(
        rb"[" + first + FIRST + rb"](?:" + groups + comment + directive + rb"|" + LITERAL + rb")", re.DOTALL
    )


_SEMICOLON, _PARENTHESIS, _BRACKET, _BRACE, _CLOSING_BRACE = b";([{}"
_DECLARATION = _scanner(rb"{}()\[\];=", rb"(?P<t>(?<=[{}()\[\];]))|(?P<e>(?<==)[=>]?)")
_GROUP = _scanner(rb"{}()\[\]", rb"(?P<o>(?<=[{(\[]))|(?P<x>(?<=[})\]]))")
_BRACES = _scanner(rb"{}", rb"(?P<o>(?<=\{))|(?P<x>(?<=\}))")
STATEMENT = _scanner(rb"{}()\[\];", rb"(?P<o>(?<=[{(\[]))|(?P<x>(?<=[})\]]))|(?P<s>(?<=;))")
"""Brackets, semicolons and what may hold them: `o` opens, `x` closes, `s` ends, `i` begins an interpolated text."""
_COMMAS = _scanner(rb"{}()\[\],<", rb"(?P<o>(?<=[{(\[]))|(?P<x>(?<=[})\]]))|(?P<s>(?<=,))|(?P<a>(?<=<))")
_OPAQUE = _scanner(rb"", rb"(?!)")
_ACCESSOR = compile_later(
    rb"[{}=\[/#](?:(?P<x>(?<=\}))|(?P<o>(?<=\{))|(?P<e>(?<==)>)|(?P<g>(?<=\[))|(?P<c>" + COMMENT + rb")|(?P<d>"
    + DIRECTIVE + rb"))", re.DOTALL,
)  # fmt: skip

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
    while (match := _OPAQUE.search(source, at)) is not None:
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
        self._result = Skeleton(source, b"", [0], [0], [], [], [], [], {}, [])

    # -- output

    def _cut(self, start: int, end: int, stand_in: bytes = b"") -> int:
        """Replace an extent; returns the position in the text after the stand-in."""
        self._out.append(self._source[self._last : start])
        if stand_in:
            self._out.append(stand_in)
        self._removed += end - start - len(stand_in)
        self._last = end
        self._result.cuts.append(end - self._removed)
        self._result.origins.append(end)
        return end - self._removed

    def _cut_body(self, start: int, end: int, form: str) -> None:
        self._result.bodies.append(Body(start, end, form))
        if form in ("block", "args"):
            self._cut(start, end)
        else:
            self._cut(start, end, b" 0")

    def _cut_trivia(self, start: int, end: int, group: str) -> None:
        place = self._cut(start, end, b" ")
        if group == "c":
            self._result.comments.append((place, (start, end)))
        else:
            self._result.directives.append((start, end))

    # -- scanning

    def _close(self, scanner: re.Pattern[bytes], at: int) -> int:
        """The offset after the bracket that closes the one just before `at`."""
        source, search, depth = self._source, scanner.search, 0
        while (match := search(source, at)) is not None:
            group, at = match.lastgroup, match.end()
            if group == "o":
                depth += 1
            elif group == "x":
                if depth == 0:
                    return at
                depth -= 1
            elif group == "i":
                at = find_string_end(source, match.start(), at)
        raise _UnbalancedError

    def _find_semicolon(self, at: int) -> int:
        """The offset of the semicolon that ends an expression, or of what ends the text around it if there is none."""
        source, search, depth = self._source, STATEMENT.search, 0
        while (match := search(source, at)) is not None:
            group, at = match.lastgroup, match.end()
            if group == "o":
                depth += 1
            elif group == "x":
                depth -= 1
                if depth < 0:
                    return at - 1
            elif group == "s":
                if depth == 0:
                    return at - 1
            elif group == "i":
                at = find_string_end(source, match.start(), at)
        if depth:
            raise _UnbalancedError
        return len(source)

    def _find_stray_semicolon(self, at: int, end: int) -> int:
        """The offset after the first semicolon in an enum's body; 0 if there is none.

        Nothing after it is a member, and to recover at each would cost the parser many times what it costs to read.
        """
        while self._source.find(b";", at, end) >= 0:
            match = STATEMENT.search(self._source, at, end)
            if match is None:
                break
            at = match.end()
            if match.lastgroup == "s":
                return at
            if match.lastgroup == "i":
                at = find_string_end(self._source, match.start(), at)
        return 0

    def _find_commas(self, start: int, end: int) -> list[int]:
        """The commas that separate an initialiser from the next declarator: outside brackets and type arguments.

        What follows must look like a declarator: where brackets are lost, other commas are outside of all of them.
        """
        text = self._source[start:end]
        search, depth, commas, at = _COMMAS.search, 0, [], 0
        while (match := search(text, at)) is not None:
            group, at = match.lastgroup, match.end()
            if group == "o":
                depth += 1
            elif group == "x":
                depth -= 1
            elif group == "s":
                if depth == 0 and _NEXT.match(text, at) is not None:
                    commas.append(start + at - 1)
            elif group == "a":
                found = find_arguments_end(text, at) if depth == 0 else None
                at = found[0] if found else at
            elif group == "i":
                at = find_string_end(text, match.start(), at)
        return commas

    def _cut_trivia_within(self, start: int, end: int) -> None:
        source, at = self._source, start
        if source.find(b"/", start, end) < 0 and source.find(b"#", start, end) < 0:
            return
        while (match := _OPAQUE.search(source, at, end)) is not None:
            group, at = match.lastgroup, match.end()
            if group == "i":
                at = find_string_end(source, match.start(), at)
            elif group is not None and group in "cd":
                self._cut_trivia(match.start(), at, group)

    def cut(self) -> Skeleton | None:
        """The skeleton; None if brackets do not pair."""
        try:
            return self._run()
        except _UnbalancedError:
            return None

    def _run(self) -> Skeleton | None:
        source, search, at = self._source, _DECLARATION.search, 0
        while (match := search(source, at)) is not None:
            group, start, at = match.lastgroup, match.start(), match.end()
            if group == "t":
                at = self._read_sign(source[start], at)
            elif group == "e":
                at = self._read_equals(source[start:at], at)
            elif group == "i":
                at = find_string_end(source, start, at)
            elif group in ("c", "d"):
                if not source[self._header : start].strip():
                    self._header = at
                self._cut_trivia(start, at, group)
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

    def _read_parenthesis(self, at: int) -> int:
        source = self._source
        end = self._close(_GROUP, at)
        initialises = b":" in source[self._header : at] and _INITIALISER.search(source, self._header, at - 1)
        if initialises or (self._damaged and _STATEMENTS.search(source, at, end)):
            self._cut_body(at, end - 1, "args")
        elif not self._is_extension():
            self._cut_trivia_within(at, end)
        return end

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
        end = self._close(_GROUP, at)
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
                end = self._close(_BRACES, at)
                stray = self._find_stray_semicolon(at, end)
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
        if not self._source[self._header : at - 1].strip():
            # A brace without a header, for instance because its header is inactive: ignore it and its partner.
            self._open()
            self._hollow.append(self._depth)
            self._cut(at - 1, at)
            return at
        self._end_loose(at)
        if _ACCESSORS.match(self._source, at - 1):
            return self._read_accessors(at)
        end = self._close(_BRACES, at)
        self._cut_body(at, end - 1, "block")
        return end

    def _open_extension(self, start: int) -> None:
        """Replace an extension block by a class, and record its receiver."""
        head = _EXTENSION.match(self._source, start)
        if head is None or start < self._last:
            return
        end = self._close(_GROUP, head.end())
        place = self._cut(start, start + len(b"extension"), _EXTENSION_STAND_IN)
        self._result.extensions[place - len(_EXTENSION_STAND_IN)] = (head.end(), end - 1)
        self._cut(head.end() - 1, end)

    def _read_accessors(self, at: int) -> int:
        source = self._source
        while (match := _ACCESSOR.search(source, at)) is not None:
            group, at = match.lastgroup, match.end()
            if group == "x":
                return at
            if group == "o":
                end = self._close(_BRACES, at)
                self._cut_body(at, end - 1, "block")
                at = end
            elif group == "e":
                end = self._find_semicolon(at)
                self._cut_body(at, end, "expr")
                at = end + source.startswith(b";", end)
            elif group == "g":
                start, at = at - 1, self._close(_GROUP, at)
                self._result.accessor_attributes.append((self._cut(start, at, b" "), (start, at)))
            elif group in ("c", "d"):
                self._cut_trivia(match.start(), at, group)
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
