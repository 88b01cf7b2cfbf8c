"""Reads documentation comments of flat sections, which most are, without an XML parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.docs.crefs import display_cref
from codecortex.parsing.docs.markdown import make_span
from codecortex.parsing.docs.sections import SECTIONS, fold, head_part

if TYPE_CHECKING:
    from codecortex.parsing.docs.markdown import Block
    from codecortex.parsing.docs.sections import Parts

_FLAT_REFERENCE = compile_later(
    r'<see\s++(?:cref="(?P<cref>[^"<&]*+)"|langword="(?P<word>[^"<&]*+)")\s*+/>'
    r'|<(?:type)?paramref\s++name="(?P<name>[^"<&]*+)"\s*+/>|<c>(?P<code>[^<&]*+)</c>'
)
_FLAT_SECTION = compile_later(
    r'\s*+<(summary|typeparam|param|returns|value|exception|remarks)(?:\s++(name|cref)="([^"<&]*+)")?\s*+>'
    r"((?>(?:[^<&]++|" + re.sub(r"\?P<\w+>", "?:", _FLAT_REFERENCE.pattern) + r")*))</\1\s*+>\s*+"
)


def read_flat(xml: str) -> Parts | None:
    """The parts of a comment of flat sections, as from their XML; None if it needs an XML parser."""
    if "]]>" in xml:
        return None
    parts: Parts = {}
    at = 0
    while at < len(xml):
        match = _FLAT_SECTION.match(xml, at)
        if match is None:
            return None
        at = match.end()
        tag, key, value, text = match.groups()
        text = fold(_FLAT_REFERENCE.sub(_write_flat, text) if "<" in text else text)
        part: list[Block] = [text] if text else []
        if section := SECTIONS.get(tag):
            part = head_part(section, value if key == section.key else "", part)
        if part:
            parts.setdefault(tag if section else "", {})[tuple(part)] = None
    return parts


def _write_flat(match: re.Match[str]) -> str:
    """A reference as it is written where its XML is read."""
    if match["cref"]:
        name = fold(display_cref(match["cref"]))
        return f"[{name}]" if name else ""
    return make_span(fold(match["code"])) if match["code"] else fold(match["word"] or match["name"] or "")
