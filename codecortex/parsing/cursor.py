"""A skeleton in; the trivia, bodies and lines that belong to each declaration out, taken in source order."""

from __future__ import annotations

import re
from bisect import bisect_left
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from codecortex.parsing.headers import read_attributes
from codecortex.parsing.tokens import fold_tokens
from codecortex.parsing.xmldoc import doc_text, render_doc

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.parsing.skeleton import Body, Extent, Skeleton

_NOT_BLANK = bytes(byte for byte in range(256) if byte not in b" \t\n")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_BLOCK_MARGIN = re.compile(r"^[ \t]*\*(?!/) ?", re.MULTILINE)


def short_digest(parts: Iterable[bytes]) -> str:
    """64 bits of SHA-256 over the parts, in hexadecimal: a fact about bytes, not yet a fingerprint to show."""
    state = sha256()
    for part in parts:
        state.update(b"%d:" % len(part))
        state.update(part)
    return state.hexdigest()[:16]


class Leading(NamedTuple):
    """What stands before a declaration.

    Attributes:
        start: Where it begins in the source; the declaration's own start where there is none.
        attributes: Attribute texts without brackets.
        doc: Documentation as Markdown.
        doc_hash: Digest of its text, or empty.
    """

    start: int
    attributes: tuple[str, ...]
    doc: str
    doc_hash: str


def _is_documentation(comment: bytes) -> bool:
    if comment.startswith(b"///"):
        return comment[3:4] != b"/"
    return comment.startswith(b"/**") and comment[3:4] not in (b"*", b"/")


def read_documentation(comments: list[bytes]) -> tuple[str, str]:
    """Markdown and digest of documentation comments."""
    if not comments:
        return "", ""
    lines = []
    for comment in comments:
        text = comment.decode("utf-8", "replace")
        if text.startswith("///"):
            lines.append(text[3:].removeprefix(" "))
        else:
            lines.append(_BLOCK_MARGIN.sub("", text[3:].removesuffix("*/")))
    xml = "\n".join(lines)
    return render_doc(xml), short_digest([doc_text(xml).encode("utf-8", "replace")])


class Cursor:
    """Walks the side tables of a skeleton along with its declarations, each entry taken once."""

    def __init__(self, skeleton: Skeleton, original: bytes, inactive: tuple[Extent, ...]) -> None:
        self.skeleton = skeleton
        self.text = skeleton.text
        self.source = skeleton.source
        self._original = original
        self._inactive = list(inactive)
        self._body_at = 0
        self._attribute_at = 0
        self._comment_at = 0
        self._line = 1
        self._line_at = 0

    def line_of(self, position: int) -> int:
        """The line of a source position, from 1; cheap while positions stay near each other."""
        if position >= self._line_at:
            self._line += self.source.count(b"\n", self._line_at, position)
        else:
            self._line -= self.source.count(b"\n", position, self._line_at)
        self._line_at = position
        return self._line

    def take_leading(self, start: int) -> Leading:
        """What stands before a position of the text; only blanks part it, once comments and directives are cut."""
        begin = self.skeleton.to_source(start)
        first, attributes = self._take_attributes(start)
        begin = min(begin, first) if attributes else begin
        first, comments = self._take_documentation(start)
        begin = min(begin, first) if comments else begin
        return Leading(begin, attributes, *read_documentation(comments))

    def _take_attributes(self, start: int) -> tuple[int, tuple[str, ...]]:
        entries, at, found, begin = self.skeleton.attributes, self._attribute_at, [], 0
        while at < len(entries) and entries[at][0] <= start:
            place, (first, last) = entries[at]
            if place == start or not self.text[place:start].strip():
                begin = begin if found else first
                found.extend(read_attributes(self.source[first:last]))
            at += 1
        self._attribute_at = at
        return begin, tuple(name for name in found if not name.startswith(("assembly: ", "module: ")))

    def _take_documentation(self, start: int) -> tuple[int, list[bytes]]:
        """The last run of documentation comments; others after it are passed over, others within it end it."""
        entries, first = self.skeleton.comments, self._comment_at
        at, begin = first, 0
        while at < len(entries) and entries[at][0] <= start:
            at += 1
        self._comment_at = at
        found: list[bytes] = []
        for place, (opened, closed) in reversed(entries[first:at]):
            if self.text[place:start].strip():
                break
            docs = [line for line in _COMMENT.findall(self.source, opened, closed) if _is_documentation(line)]
            if docs:
                found[:0] = docs
                begin = opened
            elif found:
                break
        return begin, found

    def take_bodies(self, end: int) -> list[Body]:
        """Bodies not yet taken that begin before a source position."""
        bodies, first = self.skeleton.bodies, self._body_at
        at, size = first, len(bodies)
        while at < size and bodies[at].start < end:
            at += 1
        self._body_at = at
        return bodies[first:at]

    def take_inactive(self, start: int, end: int) -> list[bytes]:
        """Tokens of inactive text that begins within a source extent, each taken once."""
        if not self._inactive:
            return []
        inside = [extent for extent in self._inactive if start <= extent[0] < end]
        self._inactive = [extent for extent in self._inactive if not start <= extent[0] < end]
        return [b"#if\0" + fold_tokens(self._original[a:b]) for a, b in inside]

    def layout(self, start: int, end: int, nested: list[Extent]) -> list[bytes]:
        """Blanks and ordinary comments of a source extent, without what is nested in it."""
        entries = self.skeleton.comments
        low = bisect_left(entries, start, key=lambda entry: entry[1][0])
        high = bisect_left(entries, end, key=lambda entry: entry[1][0])
        parts = [
            self.source[a:b]
            for _, (a, b) in entries[low:high]
            if not _is_documentation(self.source[a : a + 4]) and not any(x <= a < y for x, y in nested)
        ]
        at = start
        for x, y in nested:
            parts.append(self.source[at:x].translate(None, _NOT_BLANK))
            at = max(at, y)
        parts.append(self.source[at:end].translate(None, _NOT_BLANK))
        return parts
