"""Reads what documentation comments name: the text of `cref="..."` into names and types, and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.syntax import Cref, CrefSegment, Documentation, DocumentedName
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.syntax.build import parse_fragment

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from codecortex.model.code.syntax import Node

_ATTRIBUTE = compile_later(rb"""\bcref\s*=\s*(?:"([^"\n]*|[^"<>]*)"|'([^'\n]*|[^'<>]*)')""")
_PARAMETER = compile_later(rb"""<(type)?param(ref)?\s+name\s*=\s*(["'])\s*([^\s"'<>&]+)\s*\3""")
_LINE_BEGINNING = compile_later(rb"(?m)(?:\A|^[ \t]*)(?:///(?!/)|//[^\n]*)")
"""What begins a line of a comment that is made of lines; all of a line that is no documentation."""
_BLOCK_BEGINNING = compile_later(rb"(?m)(?:\A|^[ \t]*)/?\*+(?!/)")
"""The same in a comment between two signs."""
_UNREAD = compile_later(rb"(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>")
"""What XML takes for comments, and for text."""
_ESCAPED = b"&lt;"
_ID = compile_later(r"[A-Z!]:")
_NAME = compile_later(r"\s*(@?[^\W\d]\w*)\s*")
_INDEXER = "this[]"
_THIS = compile_later(r"this(?=\s*(?:\[|$))")
_OPERATOR = compile_later(r"operator\s*(checked\s+)?(true\b|false\b|(?:\s*[{}])+=?|[^\s\w({]+)")
_CONVERSION = compile_later(r"(implicit|explicit)\s+operator\s+(checked\b)?")
_ANGLES = str.maketrans("{}", "<>", " ")
_MODIFIERS = compile_later(r"\s*(?:(?:ref\s+readonly|ref|out|in)\s+)?")
_NO_TYPE = compile_later(r"\s*(?:\(|(?:params|this|scoped)\b)")
"""How a parameter begins that no reference may have."""
_KEYWORDS = frozenset(
    (
        *("bool", "byte", "sbyte", "char", "decimal", "double", "float", "int", "uint", "nint", "nuint", "long"),
        *("ulong", "object", "short", "ushort", "string", "void"),
    )
)
_CREF, _PARAM = b"cref", b"param"
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_HEAD, _TAIL = b"class C { ", b" f; }"
_ROOT = "global::"


def read_documentation(text: bytes, comments: Iterable[tuple[int, int]]) -> Documentation:
    """What documentation comments name, as far as names can be read from it.

    Args:
        text: The source.
        comments: The extents of all comments; several lines of them may be one.
    """
    crefs: list[Cref] = []
    names: list[DocumentedName] = []
    for start, end in comments:
        of_lines = text.startswith(b"//", start)
        documents = of_lines or (text.startswith(b"/**", start) and not text.startswith(b"/***", start))
        if not documents or (text.find(_CREF, start, end) < 0 and text.find(_PARAM, start, end) < 0):
            continue
        beginning = _LINE_BEGINNING if of_lines else _BLOCK_BEGINNING
        told = beginning.sub(_blank, text[start:end])
        told = _UNREAD.sub(_blank, told) if b"<!" in told else told
        crefs += _read_crefs(told, start)
        for match in _PARAMETER.finditer(told):
            name = match[4].decode("utf-8", "replace").removeprefix("@")
            names.append(DocumentedName(name, start + match.start(4), match[1] is not None, match[2] is not None, end))
    return Documentation(tuple(crefs), tuple(names))


def _read_crefs(told: bytes, start: int) -> Iterator[Cref]:
    """The references in a comment that begins at an offset."""
    for match in _ATTRIBUTE.finditer(told):
        if _ESCAPED in told[told.rfind(b"<", 0, match.start()) + 1 : match.start()]:
            continue  # it stands in a text
        group = 1 if match[1] is not None else 2
        cref = read_cref(match[group], start + match.start(group))
        if cref is not None:
            yield cref


def read_cref(data: bytes, start: int) -> Cref | None:
    """The reference that a text is, its offsets counted from one; None of an id, a keyword and what cannot be read."""
    text = data.decode("utf-8", "replace").replace("&lt;", "   {").replace("&gt;", "   }").replace("&amp;", "    &")
    if not text.isascii() or "&#" in text or _ID.match(text) or text in _KEYWORDS:
        return None
    reading = _Reading(text, start, len(_ROOT) if text.startswith(_ROOT) else 0)
    segments = []
    while True:
        read = reading.segment()
        if read is None:
            return None
        segment, reading = read
        segments.append(segment)
        if not reading.rest.startswith("."):
            break
        reading = reading.advance(1)
    return Cref(start, tuple(segments), reading.parameters(segments[-1].name), text.startswith(_ROOT))


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[0])


class _Reading(NamedTuple):
    """A reference, read up to a place.

    Attributes:
        text: All of it.
        start: Where it stands.
        at: How far it is read.
    """

    text: str
    start: int
    at: int

    @property
    def rest(self) -> str:
        return self.text[self.at :]

    def advance(self, count: int) -> _Reading:
        return self._replace(at=self.at + count)

    def segment(self) -> tuple[CrefSegment, _Reading] | None:
        """The next name with its type arguments."""
        place = self.start + self.at
        indexer = _THIS.match(self.rest)
        if indexer is not None:
            return CrefSegment(_INDEXER, place), self.advance(indexer.end())
        operator = _OPERATOR.match(self.rest)
        if operator is not None:
            name = f"operator {'checked ' if operator[1] else ''}{operator[2].translate(_ANGLES)}"
            return CrefSegment(name, place), self.advance(operator.end())
        conversion = _CONVERSION.match(self.rest)
        if conversion is not None:
            return self._conversion(conversion, place)
        match = _NAME.match(self.rest)
        if match is None:
            return None
        reading = self.advance(match.end())
        arguments: tuple[Node | None, ...] = ()
        if reading.rest.startswith("{"):
            end = _find_closer(self.text, reading.at)
            arguments = reading.types(reading.at + 1, end)
            reading = reading._replace(at=end + 1)
        name = match[1].removeprefix("@")
        return CrefSegment(name, place + match.start(1), tuple(each for each in arguments if each is not None)), reading

    def _conversion(self, operator: re.Match[str], place: int) -> tuple[CrefSegment, _Reading]:
        name = f"{operator[1]} operator{' checked' if operator[2] else ''}"
        first = self.at + operator.end()
        end = self.text.find("(", first)
        last = end if end >= 0 else len(self.text)
        return CrefSegment(name, place, (), self._type(first, last)), self._replace(at=last)

    def parameters(self, name: str) -> tuple[Node | None, ...] | None:
        """The types of the list of parameters behind a name."""
        at = self.at + len(self.rest) - len(self.rest.lstrip())
        if self.text[at : at + 1] != ("[" if name == _INDEXER else "("):
            return None
        return self.types(at + 1, _find_closer(self.text, at))

    def types(self, first: int, last: int) -> tuple[Node | None, ...]:
        """The types between two places, separated by commas."""
        if not self.text[first:last].strip():
            return ()
        return tuple(self._type(start, end) for start, end in _split(self.text, first, last))

    def _type(self, first: int, last: int) -> Node | None:
        piece = self.text[first:last]
        if _NO_TYPE.match(piece):
            return None
        lead = _MODIFIERS.match(piece)
        skipped = lead.end() if lead is not None else 0
        written = piece[skipped:].rstrip()
        node = _parse_type(written.replace("{", "<").replace("}", ">").encode())
        if node is not None:
            shift = self.start + first + skipped - len(_HEAD)
            for each in node.walk():
                each.start += shift
                each.end += shift
                each.source = b" " * shift + each.source if shift >= 0 else each.source[-shift:]
        return node


def _parse_type(text: bytes) -> Node | None:
    root = parse_fragment(_HEAD + text + _TAIL)
    if root is None:
        return None
    for node in root.walk():
        if node.kind == "variable_declaration":
            found = node.field("type")
            return found if found is not None and found.end - found.start == len(text) else None
    return None


def _find_closer(text: str, at: int) -> int:
    """Where the bracket that opens at a place closes; the end if it does not."""
    depth, opener = 0, text[at]
    for end in range(at, len(text)):
        if text[end] == opener:
            depth += 1
        elif text[end] == _CLOSERS[opener]:
            depth -= 1
            if not depth:
                return end
    return len(text)


def _split(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The parts of a list, by the commas outside of brackets."""
    depth, start = 0, first
    for at in range(first, last):
        if text[at] in "{[(":
            depth += 1
        elif text[at] in "}])":
            depth -= 1
        elif text[at] == "," and not depth:
            yield start, at
            start = at + 1
    yield start, last
