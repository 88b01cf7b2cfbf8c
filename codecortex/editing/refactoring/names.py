"""A new name in; the same as it has to be written, or why it cannot be a name, out."""

from __future__ import annotations

import unicodedata

from codecortex.model.code.syntax import KEYWORDS
from codecortex.model.startup.patterns import compile_later

_CONTEXTUAL = compile_later(
    "and|ascending|async|await|by|descending|dynamic|equals|extension|field|file|from|global|group|into|join|let|managed"
    "|nameof|nint|not|notnull|nuint|on|or|orderby|partial|record|required|scoped|select|unmanaged|var|when|where|with"
    "|yield"
)
_NAME = compile_later(r"@?[^\W\d]\w*")
_ATTRIBUTE = "Attribute"
_LAST_OF_BMP = 0xFFFF
"""C# has no names with characters beyond."""


def read_name(text: str) -> str | None:
    """The name that a text writes, without an escape; None where it is no identifier."""
    if not _NAME.fullmatch(text) or any(ord(each) > _LAST_OF_BMP for each in text):
        return None
    return unicodedata.normalize("NFC", text).removeprefix("@")


def write_name(name: str) -> str:
    """A name as sources have to write it: words that mean something to the language are escaped."""
    return name if is_plain(name) else f"@{name}"


def is_plain(name: str) -> bool:
    """Whether a name is no word that means something to the language."""
    return not (name in KEYWORDS or _CONTEXTUAL.fullmatch(name))


def spell_name(name: str) -> str:
    """What stands in every source that writes a name: reserved words are names only after `@`."""
    return f"@{name}" if name in KEYWORDS else name


def rewrite(written: str, old: str, new: str) -> str | None:
    """What a place is to say that writes a symbol's old name; None where it says something else, such as an alias.

    An attribute may be written without its suffix, and is so again where its new name has the suffix too.
    """
    plain = written.removeprefix("@")
    if plain == old:
        return write_name(new)
    if plain == old.removesuffix(_ATTRIBUTE):
        short = new.removesuffix(_ATTRIBUTE)
        return write_name(short or new)
    return None
