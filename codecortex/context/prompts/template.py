"""Parses the template of a prompt and fills its placeholders.

The first line is `version: NAME`. Placeholders are `{{name}}`; each of those wanted occurs exactly once. Paragraphs
are separated by empty lines; a paragraph whose placeholders are all empty is left out, with its heading.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

MOST_CHARACTERS = 20_000
"""The most characters of a template, so that a prompt has room for the rest."""

_VERSION = compile_later(r"version:[ \t]*([A-Za-z0-9][A-Za-z0-9._-]{0,39})[ \t]*\Z")
_PLACEHOLDER = compile_later(r"\{\{([^{}\n]{0,40})\}\}")
_BETWEEN = compile_later(r"\n(?:[ \t]*\n)+")
_NONE = "none"


class Slot(StrEnum):
    """The placeholders of a template."""

    TYPES = "types"
    PREVIOUS = "previous"
    CHANGE = "change"
    MEMBERS = "members"
    OUTLINE = "outline"
    DEPENDENCIES = "dependencies"
    CUT = "cut"
    TASK = "task"


ALL_SLOTS = frozenset(Slot)
OF_MEMBERS = frozenset({Slot.TYPES, Slot.PREVIOUS, Slot.MEMBERS, Slot.CUT, Slot.TASK})
"""The placeholders of a template that asks for lines on members alone."""


class Template(NamedTuple):
    """A parsed template.

    Attributes:
        version: Its version, written into the header of notes made with it.
        paragraphs: For each paragraph, texts and slots alternating, beginning and ending with a text.
    """

    version: str
    paragraphs: tuple[tuple[str, ...], ...]

    def fill(self, values: Mapping[Slot, str]) -> str:
        """The text with every slot filled; placeholders in values are not replaced."""
        kept = []
        for pieces in self.paragraphs:
            told = [values[Slot(each)] for each in pieces[1::2]]
            if any(told) or not told:
                kept.append("".join((told[at // 2] or _NONE) if at % 2 else each for at, each in enumerate(pieces)))
        return "\n\n".join(kept) + "\n"


def parse_template(text: str, path: str, slots: Collection[Slot] = ALL_SLOTS) -> Template:
    """Parse a template.

    Args:
        text: The content of the file.
        path: The file's path, for messages.
        slots: The placeholders that it is to have.

    Raises:
        StoreFormatError: It has no version, lacks or repeats a placeholder, or is too long; the message names the line.
    """
    if len(text) > MOST_CHARACTERS:
        _refuse(
            f"{path}: {len(text):,} characters are more than the {MOST_CHARACTERS:,} that a template may take", slots
        )
    first, _, body = text.replace("\r\n", "\n").partition("\n")
    version = _VERSION.match(first)
    if version is None:
        _refuse(
            f"{path}:1: expected `version: NAME`, where the name is made of letters, digits, dots and hyphens", slots
        )
    pieces = _PLACEHOLDER.split(body.strip("\n") + "\n")
    line, seen = 2 + len(body) - len(body.lstrip("\n")), set[str]()
    for before, name in zip(pieces[::2], pieces[1::2], strict=False):
        line += before.count("\n")
        if name not in slots:
            _refuse(f"{path}:{line}: there is no placeholder {{{{{name}}}}}", slots)
        if name in seen:
            _refuse(f"{path}:{line}: the placeholder {{{{{name}}}}} stands twice", slots)
        seen.add(name)
    missing = [slot for slot in Slot if slot in slots and slot not in seen]
    if missing:
        _refuse(f"{path}:{text.rstrip().count(chr(10)) + 1}: up to here no placeholder {{{{{missing[0]}}}}}", slots)
    paragraphs = _BETWEEN.split(body.strip("\n"))
    return Template(version[1], tuple(tuple(_PLACEHOLDER.split(each)) for each in paragraphs))


def _refuse(message: str, slots: Collection[Slot]) -> NoReturn:
    names = ", ".join(f"{{{{{slot}}}}}" for slot in Slot if slot in slots)
    raise StoreFormatError(message, f"The placeholders are {names}; without the file the built-in template is used.")
