"""A new name in; the same as it has to be written, or why it cannot be a name, out."""

from __future__ import annotations

import unicodedata

from codecortex.model.startup.patterns import compile_later

_KEYWORD = compile_later(
    "abstract|as|base|bool|break|byte|case|catch|char|checked|class|const|continue|decimal|default|delegate|do|double"
    "|else|enum|event|explicit|extern|false|finally|fixed|float|for|foreach|goto|if|implicit|in|int|interface|internal"
    "|is|lock|long|namespace|new|null|object|operator|out|override|params|private|protected|public|readonly|ref|return"
    "|sbyte|sealed|short|sizeof|stackalloc|static|string|struct|switch|this|throw|true|try|typeof|uint|ulong|unchecked"
    "|unsafe|ushort|using|virtual|void|volatile|while"
)
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
    return not (_KEYWORD.fullmatch(name) or _CONTEXTUAL.fullmatch(name))


def spell_name(name: str) -> str:
    """What stands in every source that writes a name: reserved words are names only after `@`."""
    return f"@{name}" if _KEYWORD.fullmatch(name) else name


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
