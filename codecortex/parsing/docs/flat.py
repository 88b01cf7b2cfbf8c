"""Reads documentation comments of flat sections, which most are, without an XML parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.docs.crefs import display_cref
from codecortex.parsing.docs.markdown import make_span
from codecortex.parsing.docs.sections import BEHIND_NAME, SECTIONS, fold, show_name

if TYPE_CHECKING:
    from codecortex.parsing.docs.sections import Section

_REFERENCE = compile_later(
    r'<see\s++(?:cref="(?P<cref>[^"<&]*+)"|langword="(?P<word>[^"<&]*+)"|href="(?P<href>[^"<&]++)")'
    r"\s*+(?:/>|>(?P<said>[^<&]*+)</see\s*+>)"
    r'|<(?:type)?paramref\s++name="(?P<name>[^"<&]*+)"\s*+/>|<c>(?P<code>[^<&]*+)</c>'
)
_WORD = r"[^<&]++|" + re.sub(r"\?P<\w+>", "?:", _REFERENCE.pattern)
_SECTION = compile_later(
    r"\s*+<(summary|typeparam|param|returns|value|exception|remarks|response|example)"
    r'(?:\s++(name|cref|code)="([^"<&]*+)")?\s*+>'
    rf"((?>(?:{_WORD}|<para\s*+>(?>(?:{_WORD})*)</para\s*+>)*))</\1\s*+>\s*+"
)
_PARAGRAPH_TAG = compile_later(r"</?para\s*>")


def render_flat(xml: str) -> str | None:
    """A comment of flat sections as Markdown, the same as from its XML; None if it needs an XML parser."""
    if "]]>" in xml:
        return None
    parts: dict[str, dict[str, None]] = {}
    at, match_section = 0, _SECTION.match
    while at < len(xml):
        match = match_section(xml, at)
        if match is None:
            return None
        at = match.end()
        tag, key, value, text = match.groups()
        section = SECTIONS.get(tag)
        text = _write_text(text, "\n\n" if section is None else "\n\n  ") if "<" in text else fold(text)
        if section is None:
            tag = ""
        elif section.key:
            text = _head_text(section, value if key == section.key else "", text)
        if text:
            parts.setdefault(tag, {})[text] = None
    written = ["\n\n".join(parts.pop(""))] if "" in parts else []
    if parts:
        written += [_write_section(section, parts[tag]) for tag, section in SECTIONS.items() if tag in parts]
    return "\n\n".join(written)


def _head_text(section: Section, name: str, text: str) -> str:
    """The text of a section's entry with its name before it, as `head_part` gives it."""
    if not (text or section.keeps_bare):
        return ""
    return BEHIND_NAME.join(filter(None, (show_name(section, name), text)))


def _write_section(section: Section, texts: dict[str, None]) -> str:
    first, between = ("\n- ", "\n- ") if section.listed else (" ", "\n\n  ")
    return section.label + first + between.join(texts)


def _write_text(text: str, between: str) -> str:
    """The paragraphs of a text with tags; `between` is what stands between two."""
    if "<para" not in text:
        return fold(_REFERENCE.sub(_write_reference, text))
    pieces = [_REFERENCE.sub(_write_reference, piece) for piece in _PARAGRAPH_TAG.split(text)]
    return between.join(filter(None, map(fold, pieces)))


def _write_reference(match: re.Match[str]) -> str:
    """A reference as it is written where its XML is read."""
    cref, word, href, said, name, code = match.groups()
    said = fold(said) if said else ""
    if href is not None:
        href = "%20".join(href.split())
        return f"[{said}]({href})" if said and said != href else href
    if cref is not None:
        said = said or fold(display_cref(cref))
        return f"[{said}]" if said else ""
    return make_span(fold(code)) if code else said or fold(word or name or "")
