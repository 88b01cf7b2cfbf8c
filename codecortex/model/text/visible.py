r"""What in a text from a repository would do harm on a terminal or in a file, and how it is shown instead.

These are the control characters (C0 but for the tab, DEL, C1), the line breaks of Unicode, and the marks that change
the direction of text: they move the cursor, start a line of their own, or let a reader see another order than is there.
In their place stands the C# escape, such as `\u001B`, which is the same on every machine and can be searched for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    import re

_EVERYWHERE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_IN_TEXT = compile_later(f"[{_EVERYWHERE}]")
_IN_LINE = compile_later(f"[\n{_EVERYWHERE}]")


def show_text(text: str) -> str:
    """A text of lines that end in LF, with what would do harm escaped."""
    return _IN_TEXT.sub(_escape, text)


def show_line(text: str) -> str:
    """A text on one line, with what would do harm escaped, line feeds among it."""
    return text if text.isprintable() else _IN_LINE.sub(_escape, text)


def show_json(text: str) -> str:
    """A JSON text with what would do harm escaped as JSON does; outside of its strings there is nothing of the kind."""
    return text if text.isprintable() else _IN_TEXT.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def find_harmful(text: str) -> re.Match[str] | None:
    """The first harmful character in a text of lines."""
    return _IN_TEXT.search(text)


def encode_harmful(text: str) -> str:
    """A path with each byte of what would do harm as `%XX`."""
    if text.isprintable():
        return text
    return _IN_LINE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), text)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04X}"
