"""Walks a skeleton in source order and hands each declaration its trivia, bodies and lines."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache, partial
from hashlib import sha256
from operator import itemgetter
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.columns import count_units
from codecortex.parsing.csharp.headers import read_attributes
from codecortex.parsing.csharp.tokens import scan_tokens
from codecortex.parsing.docs.xmldoc import doc_text, render_doc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.model.code.facts import Position
    from codecortex.parsing.csharp.skeleton import Body, Extent, Skeleton

_NOT_BLANK = bytes(byte for byte in range(256) if byte not in b" \t\n")
_COMMENT = compile_later(rb"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_ONLY_LINES = compile_later(rb"(?>(?:///(?!/)[^\n]*+(?:\n[ \t]*+|\Z))+)")
_LINE_MARGIN = compile_later(r"^[ \t]*/// ?", re.MULTILINE)
_BLOCK_MARGIN = compile_later(r"^[ \t]*\*(?!/) ?", re.MULTILINE)
_NULLABLE = compile_later(rb"\#[ \t]*nullable[ \t]+(enable|disable|restore)(?![ \t]+warnings\b)")
_NULLABLE_WORDS = {b"enable": "enable", b"disable": "disable", b"restore": ""}
_NEVER = 1 << 62
_start_of = itemgetter(0)


def short_digest(parts: Sequence[bytes]) -> str:
    """The first 64 bits of a SHA-256 over the parts, in hexadecimal; used in facts, never shown as a fingerprint."""
    return sha256(b"".join([b"%d:%b" % (len(part), part) for part in parts])).hexdigest()[:16]


class LeadingTrivia(NamedTuple):
    """The attributes and documentation before a declaration.

    Attributes:
        start: Where they begin in the source; the declaration's own start if there are none.
        attributes: Attribute texts without brackets.
        doc: Documentation as Markdown.
        doc_hash: Digest of the documentation's text, or empty.
    """

    start: int
    attributes: tuple[str, ...]
    doc: str
    doc_hash: str


_make_trivia = partial(tuple.__new__, LeadingTrivia)  # at half of what the class costs
_UNDOCUMENTED = "", ""


def _list_nullable(source: bytes) -> list[tuple[int, str]]:
    """The position of each `#nullable` that concerns annotations, and what it says."""
    if b"nullable" not in source:
        return []
    return [
        (match.end(), _NULLABLE_WORDS[match[1]])
        for match in _NULLABLE.finditer(source)
        if not source[source.rfind(b"\n", 0, match.start()) + 1 : match.start()].strip(b" \t")
    ]


def _is_documentation(comment: bytes) -> bool:
    if comment.startswith(b"///"):
        return comment[3:4] != b"/"
    return comment.startswith(b"/**") and comment[3:4] not in (b"*", b"/")


def _strip_margin(comment: bytes) -> str:
    text = comment.decode("utf-8", "replace")
    if text.startswith("///"):
        return text[3:].removeprefix(" ")
    return _BLOCK_MARGIN.sub("", text[3:].removesuffix("*/"))


@lru_cache(maxsize=8192)
def _read_documentation(comments: bytes) -> tuple[str, str] | None:
    """Markdown and digest of the documentation in a run of comments; None if there is none."""
    if _ONLY_LINES.fullmatch(comments):
        xml = _LINE_MARGIN.sub("", comments.decode("utf-8", "replace"))
    else:
        found = [_strip_margin(comment) for comment in _COMMENT.findall(comments) if _is_documentation(comment)]
        if not found:
            return None
        xml = "\n".join(found)
    return render_doc(xml), short_digest([doc_text(xml).encode("utf-8", "replace")])


class Cursor:
    """Iterates over the side tables of a skeleton along with its declarations; each entry is taken once."""

    def __init__(self, skeleton: Skeleton, original: bytes, inactive: tuple[Extent, ...]) -> None:
        self.skeleton = skeleton
        self.text = skeleton.text
        self.source = skeleton.source
        self._cuts, self._origins = skeleton.cuts, skeleton.origins
        self._attributes, self._comments = skeleton.attributes, skeleton.comments
        self._original = original
        self._inactive = inactive
        self.conditional = bool(inactive)
        self._passed: list[Extent] = []  # inactive text before the current position that no declaration has taken
        self._inactive_at = 0
        self._body_at = 0
        self._next_body = skeleton.bodies[0].start if skeleton.bodies else _NEVER
        self._attribute_at = 0
        self._comment_at = 0
        self._nullable = _list_nullable(self.source)
        self._next_trivia = -1
        self._line = 1
        self._line_at = 0
        self._ascii = self.source.isascii()

    def to_source(self, position: int) -> int:
        """The source position of a position in the text."""
        index = bisect_right(self._cuts, position) - 1
        return self._origins[index] + position - self._cuts[index]

    def place_of(self, position: int) -> Position:
        """The line and column of a source position, both from 1, the column in UTF-16 units."""
        source, last = self.source, self._line_at
        if position >= last:
            line = self._line + source.count(b"\n", last, position)
        else:
            line = self._line - source.count(b"\n", position, last)
        self._line, self._line_at = line, position  # the next position is likely near
        start = source.rfind(b"\n", 0, position) + 1
        if self._ascii:
            return line, 1 + position - start
        return line, 1 + count_units(source[start:position])

    def nullable_at(self, position: int) -> str:
        """What the last `#nullable` before a source position says: `enable`, `disable`, or empty for the project's."""
        index = bisect_right(self._nullable, position, key=_start_of)
        return self._nullable[index - 1][1] if index else ""

    def take_leading(self, start: int, own: int) -> LeadingTrivia:
        """The attributes and documentation directly before a declaration.

        Args:
            start: Position of the declaration in the text.
            own: The same position in the source.
        """
        if start < self._next_trivia:
            return _make_trivia((own, (), "", ""))
        first, attributes = self._take_attributes(start)
        opened, (doc, doc_hash) = self._take_documentation(start)
        attribute, comment = self._attributes, self._comments
        self._next_trivia = min(
            attribute[self._attribute_at][0] if self._attribute_at < len(attribute) else _NEVER,
            comment[self._comment_at][0] if self._comment_at < len(comment) else _NEVER,
        )
        return _make_trivia((min(own, first, opened), attributes, doc, doc_hash))

    def _blank_from(self, place: int, start: int) -> int:
        """The first position from `place` on after which the text has only blanks up to `start`."""
        return place + len(self.text[place:start].rstrip())

    def _take_attributes(self, start: int) -> tuple[int, tuple[str, ...]]:
        entries, first = self._attributes, self._attribute_at
        if first == len(entries) or entries[first][0] > start:
            return _NEVER, ()
        self._attribute_at = at = bisect_right(entries, start, first, key=_start_of)
        blank = self._blank_from(entries[first][0], start)
        near = [extent for place, extent in entries[first:at] if place >= blank]
        found = [name for a, b in near for name in read_attributes(self.source[a:b])]
        return (near[0][0] if near else _NEVER), tuple(
            [name for name in found if not name.startswith(("assembly: ", "module: "))]
        )

    def _take_documentation(self, start: int) -> tuple[int, tuple[str, str]]:
        """The last run of documentation comments; ordinary comments after it are skipped, others within it end it."""
        entries, first = self._comments, self._comment_at
        if first == len(entries) or entries[first][0] > start:
            return _NEVER, _UNDOCUMENTED
        self._comment_at = at = bisect_right(entries, start, first, key=_start_of)
        blank = self._blank_from(entries[first][0], start)
        begin, found, documentation = _NEVER, [], None
        while at > first and entries[at - 1][0] >= blank:
            at -= 1
            a, b = entries[at][1]
            comment = self.source[a:b]
            told = _read_documentation(comment)
            if told is not None:
                found.append(comment)
                begin, documentation = a, told
            elif found:
                break
        if len(found) > 1:
            documentation = _read_documentation(b"\n".join(reversed(found)))
        return begin, documentation or _UNDOCUMENTED

    def list_accessor_attributes(self, start: int, end: int) -> list[tuple[int, str]]:
        """The attributes of accessors in an extent of the text, each with its position there."""
        entries = self.skeleton.accessor_attributes
        first = bisect_left(entries, start, key=_start_of)
        found = entries[first : bisect_right(entries, end, first, key=_start_of)]
        return [(place, name) for place, (a, b) in found for name in read_attributes(self.source[a:b])]

    def take_bodies(self, end: int) -> Sequence[Body]:
        """Bodies not yet taken that begin before a source position."""
        if self._next_body >= end:
            return ()
        bodies, first = self.skeleton.bodies, self._body_at
        at, size = first + 1, len(bodies)
        while at < size and bodies[at][0] < end:
            at += 1
        self._body_at = at
        self._next_body = bodies[at][0] if at < size else _NEVER
        return bodies[first:at]

    def find_arguments(self, start: int, end: int) -> Body | None:
        """The first body in a source extent, if it is of arguments."""
        bodies = self.skeleton.bodies
        at = bisect_left(bodies, start, self._body_at, key=_start_of)
        return bodies[at] if at < len(bodies) and bodies[at].start < end and bodies[at].form == "args" else None

    def take_inactive(self, start: int, end: int) -> list[bytes]:
        """Tokens of inactive text that begins within a source extent, each taken once."""
        taken: list[Extent] = []
        while self._passed and self._passed[-1][0] >= start:
            taken.append(self._passed.pop())
        taken.reverse()
        while self._inactive_at < len(self._inactive) and self._inactive[self._inactive_at][0] < end:
            extent = self._inactive[self._inactive_at]
            (taken if extent[0] >= start else self._passed).append(extent)
            self._inactive_at += 1
        return [b"#if\0" + scan_tokens(self._original[a:b])[0] for a, b in taken]

    def layout(self, start: int, end: int, nested: list[Extent]) -> list[bytes]:
        """White space and ordinary comments of a source extent, without nested types."""
        blanks, comments = [], []
        at = start
        for x, y in [*nested, (end, end)]:
            blanks.append(self.source[at:x].translate(None, _NOT_BLANK))
            comments += self._ordinary_comments(at, x)
            at = max(at, y)
        return comments + blanks

    def _ordinary_comments(self, start: int, end: int) -> list[bytes]:
        entries = self.skeleton.comments
        at = bisect_left(entries, start, key=_source_start_of)
        found = []
        while at < len(entries) and entries[at][1][0] < end:
            a, b = entries[at][1]
            if not _is_documentation(self.source[a : a + 4]):
                found.append(self.source[a:b])
            at += 1
        return found


def _source_start_of(entry: tuple[int, Extent]) -> int:
    return entry[1][0]
