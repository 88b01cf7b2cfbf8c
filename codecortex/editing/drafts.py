"""The text of a file as it is edited: exact characters with their own line ends, and back to the same bytes.

Whoever edits sees one character for each line end (`Draft.shown`); what stands outside an edit keeps its bytes.
"""

from __future__ import annotations

import codecs
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.model.hashing import digest
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)
_FALLBACK = "cp1252"
_MARKED = " with mark"
_CONTROLS = compile_later(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


class Form(NamedTuple):
    """How a text is written as bytes: encoding, and the byte order mark before it."""

    encoding: str = "utf-8"
    mark: bytes = b""

    @property
    def name(self) -> str:
        """What `read_form` reads back."""
        return f"{self.encoding}{_MARKED}" if self.mark else self.encoding


_PLAIN_FORM = Form()


@dataclass(frozen=True)
class Draft:
    """A text.

    Attributes:
        raw: Its characters, with line ends as the file has them.
        form: How it is written.
        executable: Whether the owner of its file may run it.
    """

    raw: str = ""
    form: Form = _PLAIN_FORM
    executable: bool = False

    @cached_property
    def shown(self) -> str:
        """The text with a line feed for every line end."""
        return fold_ends(self.raw)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the exact text."""
        return digest("draft", (self.raw,))

    @cached_property
    def line_end(self) -> str:
        """The line end that the text has most often; of equally frequent ones the first of LF, CRLF, CR."""
        if "\r" not in self.raw:
            return "\n"
        pairs = self.raw.count("\r\n")
        counts = {"\n": self.raw.count("\n") - pairs, "\r\n": pairs, "\r": self.raw.count("\r") - pairs}
        return max(counts, key=lambda end: counts[end])

    @cached_property
    def _pairs(self) -> tuple[int, ...]:
        """Where CRLF stands in the text as shown, so often that position in `raw` is position plus pairs before."""
        found: list[int] = []
        position = self.raw.find("\r\n") if "\r" in self.raw else -1
        while position >= 0:
            found.append(position - len(found))
            position = self.raw.find("\r\n", position + 2)
        return tuple(found)

    def splice(self, start: int, end: int, new: str) -> Draft:
        """The text with a range, in characters as shown, replaced; the new text takes the line ends of this one."""
        return self.splice_all([(start, end, new)])

    def splice_all(self, ranges: Iterable[tuple[int, int, str]]) -> Draft:
        """The same for several ranges, which follow each other and do not overlap."""
        parts: list[str] = []
        done = 0
        for start, end, new in ranges:
            first, last = (position + bisect_left(self._pairs, position) for position in (start, end))
            parts += [self.raw[done:first], self.fit(new)]
            done = last
        return replace(self, raw="".join([*parts, self.raw[done:]]))

    def fit(self, text: str) -> str:
        """A text with the line ends that this one has."""
        folded = fold_ends(text)
        return folded if self.line_end == "\n" else folded.replace("\n", self.line_end)

    def encode(self) -> bytes:
        """The bytes of the file.

        Raises:
            UnicodeEncodeError: The encoding of the file cannot write one of the characters.
        """
        return self.form.mark + self.raw.encode(self.form.encoding)


def read_form(name: str) -> Form:
    """The form of a name.

    Raises:
        ValueError: No form has that name.
    """
    known = {form.name: form for form in (_PLAIN_FORM, Form(_FALLBACK), *(Form(each, mark) for mark, each in _MARKS))}
    if name not in known:
        raise ValueError(name)
    return known[name]


def decode_as(data: bytes, form: Form) -> Draft | None:
    """The text that bytes are in a form; None where they are none."""
    try:
        return Draft(data[len(form.mark) :].decode(form.encoding), form) if data.startswith(form.mark) else None
    except UnicodeDecodeError:
        return None


def fold_ends(text: str) -> str:
    """A text with a line feed for every line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def decode_draft(data: bytes) -> Draft | str:
    """The text of a file, or why it has none that can be edited: one sentence's end, as `is binary`.

    Without a byte order mark it is UTF-8 or else Windows-1252, as the compiler has it.
    """
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    body = data[len(mark) :]
    try:
        raw = body.decode(encoding)
    except UnicodeDecodeError as problem:
        if mark:
            return f"is not valid {encoding.upper()} at byte {len(mark) + problem.start}"
        return _decode_fallback(body, problem.start)
    if "\0" in raw:
        return "is binary: it holds NUL characters"
    return Draft(raw, Form(encoding, mark))


def _decode_fallback(data: bytes, position: int) -> Draft | str:
    if _CONTROLS.search(data):
        return "is binary: it is no UTF-8 and holds control characters"
    try:
        return Draft(data.decode(_FALLBACK), Form(_FALLBACK))
    except UnicodeDecodeError:
        return f"is neither valid UTF-8 (byte {position}) nor Windows-1252"
