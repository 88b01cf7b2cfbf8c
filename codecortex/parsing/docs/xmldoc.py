"""Renders the XML of a C# documentation comment as Markdown, or as the text to hash.

Malformed XML gives empty documentation, as for the compiler. The comment is wrapped in an element, where no document
type can be declared, so the input cannot define entities.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.docs.crefs import display_cref
from codecortex.parsing.docs.flat import render_flat
from codecortex.parsing.docs.markdown import (
    Block,
    CellPolicy,
    Code,
    Listing,
    fit_table,
    join_head,
    make_span,
    write_blocks,
    write_labelled,
)
from codecortex.parsing.docs.sections import SECTIONS, fold, head_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from codecortex.parsing.docs.sections import Parts

__all__ = ["CellPolicy", "doc_text", "render_doc", "render_doc_with_diagnostics"]

_CONTROLS = compile_later("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
_CHARACTER_REFERENCE = compile_later(r"&#(?:x0*([0-9a-fA-F]{1,2})|0*([0-9]{1,3}));")
_BLOCK_TAG = compile_later(
    r"(</?(?:summary|remarks|returns|value|example|param|typeparam|exception|permission|para|code"
    r"|list|listheader|item|term|description|seealso|inheritdoc|include)(?=[ />])[^<>]*>)"
)
_PLAIN_SUMMARY = compile_later(r"\s*+<summary>([^<&\]]*+)</summary>\s*+")

# Deeper elements are read as text, so that no input exhausts the stack.
_MAX_DEPTH = 32
_LINE_BREAK = "\0"


_WRAPPERS = frozenset(("doc", "member"))
_SILENT = frozenset(("inheritdoc", "include", "exclude", "filterpriority"))
_LISTS = frozenset(("list", "ul", "ol"))
_PARAGRAPHS = frozenset(
    ("para", "p", "div", "note", "blockquote", "summary", "item", "li", "term", "description", "listheader", *SECTIONS)
)


@lru_cache(maxsize=1)
def _compile_unprintables() -> re.Pattern[str]:
    """Control characters (but XML's white space), lone surrogates and noncharacters: 4 ms that ASCII does without."""
    return re.compile("[^\t\n\r -~\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def doc_text(xml: str) -> str:
    """The comment's words, tags and attributes with white space collapsed; this text is hashed.

    White space next to the tag of a block, which no reader shows, is left out.
    """
    return "".join([piece.strip(" ") for piece in _BLOCK_TAG.split(" ".join(xml.split()))])


def render_doc(xml: str, *, policy: CellPolicy = CellPolicy.STRICT) -> str:
    """Renders a documentation comment as Markdown.

    Args:
        xml: The comment's XML without its `///`, lines joined by line feeds; the comments of several parts may be
            concatenated.
        policy: How to write code and lists in table cells.

    Returns:
        Lines joined by line feeds, without trailing blanks; `''` for empty or malformed XML.
    """
    return render_doc_with_diagnostics(xml, policy=policy)[0]


@lru_cache(maxsize=4096)
def render_doc_with_diagnostics(xml: str, *, policy: CellPolicy = CellPolicy.STRICT) -> tuple[str, tuple[str, ...]]:
    """Renders like `render_doc`, and reports content that was moved to another place, one sentence each."""
    xml = (_CONTROLS if xml.isascii() else _compile_unprintables()).sub("", xml)
    if plain := _PLAIN_SUMMARY.fullmatch(xml):
        return fold(plain[1]), ()
    flat = render_flat(xml)
    if flat is not None:
        return flat, ()
    root = _parse(xml)
    if root is None:
        return "", ()
    reader = _XmlReader(policy)
    parts = _collect_parts(root, reader)
    return "\n\n".join(["\n".join(lines) for lines in _write_sections(parts)]), tuple(reader.diagnostics)


def _parse(xml: str) -> ET.Element | None:
    if "&#" in xml:
        xml = _CHARACTER_REFERENCE.sub(_drop_unprintable, xml)
    try:
        root = ET.XML(f"<doc>{xml}</doc>")
    except ET.ParseError:
        return None
    while len(root) == 1 and root[0].tag in _WRAPPERS:
        root = root[0]
    return root


def _drop_unprintable(reference: re.Match[str]) -> str:
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    return "" if code == ord("\r") or _compile_unprintables().match(chr(code)) else reference[0]


def _write_sections(parts: Parts) -> Iterable[list[str]]:
    """The lines of the summary, then of each section with content."""
    if "" in parts:
        yield write_blocks(chain.from_iterable(parts[""]))
    for tag, section in SECTIONS.items():
        if tag not in parts:
            continue
        if section.listed:
            yield [section.label, *write_blocks([Listing(tuple(parts[tag]), numbered=False)])]
        else:
            yield write_labelled(section.label, list(chain.from_iterable(parts[tag])))


def _collect_parts(root: ET.Element, reader: _XmlReader) -> Parts:
    """The content of the top elements by section; the empty tag is the summary and everything without a section.

    The parts of a section are keys of a dictionary, since the declarations of a partial type often repeat each other.
    """
    parts: Parts = {}
    if lead := _make_paragraphs(root.text or ""):
        parts[""] = {tuple(lead): None}
    for element in root:
        tag = element.tag if element.tag in SECTIONS else ""
        if part := _read_part(element, reader):
            parts.setdefault(tag, {})[tuple(part)] = None
        if element.tail and (stray := _make_paragraphs(element.tail)):
            parts.setdefault("", {})[tuple(stray)] = None
    return parts


def _read_part(element: ET.Element, reader: _XmlReader) -> list[Block]:
    body = reader.read_alone(element)
    section = SECTIONS.get(element.tag)
    return body if section is None else head_part(section, element.get(section.key, ""), body)


def _make_paragraphs(text: str) -> list[Block]:
    """Folds text into paragraphs; explicit line breaks stay, and two in a row end a paragraph."""
    if _LINE_BREAK not in text:
        folded = " ".join(text.split())
        return [folded] if folded else []
    lines = "\n".join(map(fold, text.split(_LINE_BREAK)))
    return list(filter(None, (part.strip("\n") for part in lines.split("\n\n"))))


def _spell_out(element: ET.Element) -> str:
    """The element's text without markup, with the names of references."""
    if len(element):
        for node in element.iter():
            if node is not element and not node.text and len(node) == 0:
                node.text = _name_target(node)
    return "".join(element.itertext())


def _name_target(element: ET.Element) -> str:
    if cref := element.get("cref"):
        return display_cref(cref)
    return element.get("langword") or element.get("name") or element.get("href") or ""


def _write_reference(element: ET.Element) -> str:
    """A name in brackets, a link, or a bare keyword; the author's text is preferred to the name."""
    text = fold(_spell_out(element))
    if href := element.get("href"):
        href = "%20".join(href.split())
        return f"[{text}]({href})" if text and text != href else href
    name = text or fold(_name_target(element))
    return f"[{name}]" if name and "cref" in element.attrib else name


def _write_name(element: ET.Element) -> str:
    return fold(element.get("name") or _spell_out(element))


def _write_code_span(element: ET.Element) -> str:
    return make_span(fold(_spell_out(element)))


def _break_line(_: ET.Element) -> str:
    return _LINE_BREAK


_INLINE: dict[str, Callable[[ET.Element], str]] = {
    "see": _write_reference,
    "seealso": _write_reference,
    "a": _write_reference,
    "paramref": _write_name,
    "typeparamref": _write_name,
    "c": _write_code_span,
    "br": _break_line,
}


class _XmlReader:
    """Reads elements into blocks and collects diagnostics about tables."""

    def __init__(self, policy: CellPolicy) -> None:
        self.policy = policy
        self.diagnostics: list[str] = []

    def read(self, element: ET.Element, depth: int = 0) -> list[Block]:
        """The blocks of an element's content."""
        if len(element) == 0:
            return _make_paragraphs(element.text or "")
        blocks: list[Block] = []
        parts: list[str] = []
        self._walk(element, blocks, parts, depth)
        return blocks + _make_paragraphs("".join(parts))

    def read_alone(self, element: ET.Element, depth: int = 0) -> list[Block]:
        """The blocks of an element including itself, without neighbours."""
        blocks: list[Block] = []
        parts: list[str] = []
        self._visit(element, blocks, parts, depth)
        return blocks + _make_paragraphs("".join(parts))

    def _walk(self, element: ET.Element, blocks: list[Block], parts: list[str], depth: int) -> None:
        if element.text:
            parts.append(element.text)
        for child in element:
            self._visit(child, blocks, parts, depth)
            if child.tail:
                parts.append(child.tail)

    def _visit(self, element: ET.Element, blocks: list[Block], parts: list[str], depth: int) -> None:
        """Adds an element to the current paragraph, or ends the paragraph and adds the element's own blocks."""
        tag = element.tag
        if write := _INLINE.get(tag):
            parts.append(write(element))
        elif tag in _SILENT:
            return
        elif depth >= _MAX_DEPTH:
            parts.append(_spell_out(element))
        elif tag in _PARAGRAPHS or tag in _LISTS or tag == "code":
            blocks += _make_paragraphs("".join(parts))
            parts.clear()
            blocks += self._read_block(element, depth + 1)
        else:
            self._walk(element, blocks, parts, depth + 1)

    def _read_block(self, element: ET.Element, depth: int) -> list[Block]:
        if element.tag == "code":
            return _read_code(element)
        if element.tag not in _LISTS:
            return self.read(element, depth)
        if element.get("type") == "table":
            return self._read_table(element, depth)
        return self._read_list(element, depth)

    def _read_list(self, element: ET.Element, depth: int) -> list[Block]:
        blocks = _read_strays(element)
        items: list[tuple[Block, ...]] = []
        for child in element:
            item = self._read_item(child, depth)
            if child.tag == "listheader":
                blocks += item
            elif item:
                items.append(tuple(item))
        numbered = element.get("type", "number" if element.tag == "ol" else "") == "number"
        return [*blocks, Listing(tuple(items), numbered)] if items else blocks

    def _read_item(self, item: ET.Element, depth: int) -> list[Block]:
        """The blocks of a list item, its term joined to its description."""
        head: list[Block] = []
        body: list[Block] = []
        parts = [item.text or ""]
        for child in item:
            if child.tag == "term":
                head += self.read(child, depth)
            else:
                self._visit(child, body, parts, depth)
            parts.append(child.tail or "")
        return join_head(head, " — ", body + _make_paragraphs("".join(parts)))

    def _read_table(self, element: ET.Element, depth: int) -> list[Block]:
        header: Sequence[Sequence[Block]] = ()
        rows: list[list[list[Block]]] = []
        for child in element:
            cells = self._read_cells(child, depth)
            if child.tag != "listheader":
                rows.append(cells)
            elif any(cells):
                header = cells
        blocks, diagnostics = fit_table(header, rows, self.policy)
        self.diagnostics += diagnostics
        return _read_strays(element) + blocks

    def _read_cells(self, row: ET.Element, depth: int) -> list[list[Block]]:
        """The cells of a row: its terms and descriptions, or all its content as one cell."""
        if row.find("term") is None and row.find("description") is None:
            return [self.read(row, depth)]
        strays = _read_strays(row)
        return [self.read_alone(cell, depth) for cell in row] + ([strays] if strays else [])


def _read_strays(element: ET.Element) -> list[Block]:
    """The text between an element's children, where only elements belong."""
    return _make_paragraphs(" ".join((element.text or "", *(child.tail or "" for child in element))))


def _read_code(element: ET.Element) -> list[Block]:
    """A block of code without its common indentation and surrounding blank lines."""
    lines = [line.rstrip() for line in _spell_out(element).split("\n")]
    margins = [line[: len(line) - len(line.lstrip())] for line in lines if line]
    if not margins:
        return []
    margin = len(_common_prefix(min(margins), max(margins)))
    first = next(at for at, line in enumerate(lines) if line)
    last = next(at for at in range(len(lines), 0, -1) if lines[at - 1])
    language = fold(element.get("lang") or element.get("language") or "")
    return [Code(tuple(line[margin:] for line in lines[first:last]), language)]


def _common_prefix(left: str, right: str) -> str:
    return left[: next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), len(left))]
