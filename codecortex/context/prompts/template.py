"""The text of a template in; its version and what stands around its placeholders out, or the line that is wrong.

The first line is `version: NAME`. Placeholders are `{{name}}`; each of them stands in a template exactly once.
Paragraphs are parted by empty lines; one whose placeholders all have nothing to show is left out, with its heading.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from codecortex.model.errors import StoreFormatError

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_CHARACTERS = 20_000
"""Of a template: a prompt has to have room for something else."""

_VERSION = re.compile(r"version:[ \t]*([A-Za-z0-9][A-Za-z0-9._-]{0,39})[ \t]*\Z")
_PLACEHOLDER = re.compile(r"\{\{([^{}\n]{0,40})\}\}")
_BETWEEN = re.compile(r"\n(?:[ \t]*\n)+")
_NONE = "none"


class Slot(StrEnum):
    """What a template has room for."""

    TYPES = "types"
    PREVIOUS = "previous"
    CHANGE = "change"
    MEMBERS = "members"
    OUTLINE = "outline"
    DEPENDENCIES = "dependencies"
    CUT = "cut"
    TASK = "task"


class Template(NamedTuple):
    """A prompt without what it is about.

    Attributes:
        version: What notes are headed with that were made from it.
        paragraphs: Of each, texts and, between each two of them, a slot.
    """

    version: str
    paragraphs: tuple[tuple[str, ...], ...]

    def fill(self, values: Mapping[Slot, str]) -> str:
        """The text with every slot filled; what a value holds is not looked at again."""
        kept = []
        for pieces in self.paragraphs:
            told = [values[Slot(each)] for each in pieces[1::2]]
            if any(told) or not told:
                kept.append("".join((told[at // 2] or _NONE) if at % 2 else each for at, each in enumerate(pieces)))
        return "\n\n".join(kept) + "\n"


def parse_template(text: str, path: str) -> Template:
    """Read a template.

    Args:
        text: What the file holds.
        path: Where it stands, for messages.

    Raises:
        StoreFormatError: It has no version, or not each placeholder once, or is too long; file and line are named.
    """
    if len(text) > MOST_CHARACTERS:
        _refuse(f"{path}: {len(text):,} characters are more than the {MOST_CHARACTERS:,} that a template may take")
    first, _, body = text.replace("\r\n", "\n").partition("\n")
    version = _VERSION.match(first)
    if version is None:
        _refuse(f"{path}:1: expected `version: NAME`, where the name is made of letters, digits, dots and hyphens")
    pieces = _PLACEHOLDER.split(body.strip("\n") + "\n")
    line, seen = 2 + len(body) - len(body.lstrip("\n")), set[str]()
    for before, name in zip(pieces[::2], pieces[1::2], strict=False):
        line += before.count("\n")
        if name not in set(Slot):
            _refuse(f"{path}:{line}: there is no placeholder {{{{{name}}}}}")
        if name in seen:
            _refuse(f"{path}:{line}: the placeholder {{{{{name}}}}} stands twice")
        seen.add(name)
    missing = [slot for slot in Slot if slot not in seen]
    if missing:
        _refuse(f"{path}:{text.rstrip().count(chr(10)) + 1}: up to here no placeholder {{{{{missing[0]}}}}}")
    paragraphs = _BETWEEN.split(body.strip("\n"))
    return Template(version[1], tuple(tuple(_PLACEHOLDER.split(each)) for each in paragraphs))


def _refuse(message: str) -> NoReturn:
    names = ", ".join(f"{{{{{slot}}}}}" for slot in Slot)
    raise StoreFormatError(message, f"The placeholders are {names}; without the file the built-in template is used.")
