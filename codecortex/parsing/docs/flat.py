"""Reads documentation comments of flat sections, which most are, without an XML parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.docs.crefs import display_cref, display_type_cref
from codecortex.parsing.docs.markdown import make_span
from codecortex.parsing.docs.sections import SECTIONS, fold

if TYPE_CHECKING:
    from codecortex.parsing.docs.sections import Section

_FLAT_REFERENCE = compile_later(
    r'<see\s++(?:cref="(?P<cref>[^"<&]*+)"|langword="(?P<word>[^"<&]*+)")\s*+/>'
    r'|<(?:type)?paramref\s++name="(?P<name>[^"<&]*+)"\s*+/>|<c>(?P<code>[^<&]*+)</c>'
)
_FLAT_SECTION = compile_later(
    r'\s*+<(summary|typeparam|param|returns|value|exception|remarks)(?:\s++(name|cref)="([^"<&]*+)")?\s*+>'
    r"((?>(?:[^<&]++|" + re.sub(r"\?P<\w+>", "?:", _FLAT_REFERENCE.pattern) + r")*))</\1\s*+>\s*+"
)


def render_flat(xml: str) -> str | None:
    """A comment of flat sections as Markdown, the same as from its XML; None if it needs an XML parser."""
    if "]]>" in xml:
        return None
    parts: dict[str, dict[str, None]] = {}
    at, match_section = 0, _FLAT_SECTION.match
    while at < len(xml):
        match = match_section(xml, at)
        if match is None:
            return None
        at = match.end()
        tag, key, value, text = match.groups()
        text = fold(_FLAT_REFERENCE.sub(_write_flat, text) if "<" in text else text)
        section = SECTIONS.get(tag)
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
    name = display_type_cref(name) if section.key == "cref" else fold(name)
    return f"{name} — {text}" if name and text else name or text


def _write_section(section: Section, texts: dict[str, None]) -> str:
    first, between = ("\n- ", "\n- ") if section.listed else (" ", "\n\n  ")
    return section.label + first + between.join(texts)


def _write_flat(match: re.Match[str]) -> str:
    """A reference as it is written where its XML is read."""
    if match["cref"]:
        name = fold(display_cref(match["cref"]))
        return f"[{name}]" if name else ""
    return make_span(fold(match["code"])) if match["code"] else fold(match["word"] or match["name"] or "")
