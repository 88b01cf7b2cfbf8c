"""Decodes source files to UTF-8 with LF."""

from __future__ import annotations

import codecs
import re

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later


def decode_source(raw: bytes) -> bytes:
    """The source as UTF-8 without a byte order mark, with LF for everything that ends a line in C#.

    UTF-16 is recognised by its byte order mark; UTF-32 is not, as the compiler does not read it. Other bytes that are
    not UTF-8 are read as Shift JIS where they look like it, as its second bytes may be backslashes and break literals;
    else as Windows-1252. The compiler's own fallback depends on the machine. A Ctrl-Z at the end is no text.
    """
    if raw[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raw = raw.decode("utf-16", "replace").encode("utf-8", "replace")
    elif raw[:3] == codecs.BOM_UTF8:
        raw = raw[3:]
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not raw.isascii():
        try:
            raw.decode()
        except UnicodeDecodeError:
            raw = raw.decode("cp932" if is_shift_jis(raw) else "cp1252", "replace").encode()
        for sign in _LINE_ENDS:
            if sign in raw:
                raw = raw.replace(sign, b"\n")
    return raw.removesuffix(b"\x1a")


def is_shift_jis(raw: bytes) -> bool:
    """Whether bytes that are not UTF-8 look like Japanese: with kana, or with characters beside no Latin letters.

    The letters of a word in Windows-1252 can make up a Japanese character too, but only inside of the word.
    """
    try:
        text = raw.decode("cp932")
    except UnicodeDecodeError:
        return False
    # These patterns take 5 ms to compile; `re` does it when a file that is not UTF-8 comes.
    if re.search(_PRIVATE, text):
        return False
    return bool(re.search(_KANA, text)) or (bool(re.search(_WIDE, text)) and not re.search(_IN_WORD, text))


def is_binary(source: bytes) -> bool:
    """Whether decoded text contains a NUL byte, which no C# source does."""
    return b"\0" in source


_LINE_ENDS = ("\u2028".encode(), "\u2029".encode(), "\u0085".encode())
_PRIVATE = "[\ue000-\uf8ff\x80-\xa0]"
_KANA = "[\u3041-\u30fe]"
_WIDE = "[\u3000-\u9fff\uff01-\uff5e]"
_IN_WORD = f"[A-Za-z]{_WIDE}|{_WIDE}[A-Za-z]"

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"), (codecs.BOM_UTF8, "utf-8-sig"),
)  # fmt: skip
_CONTROLS = compile_later(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


class Text(NamedTuple):
    """The text of a file with LF alone, and the name of its encoding."""

    text: str
    encoding: str


def decode_text(raw: bytes) -> Text | None:
    """The text of any file; None of one that is binary, or that no encoding known here can read."""
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "utf-8")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8" or _CONTROLS.search(raw):
            return None
        encoding = "shift-jis" if is_shift_jis(raw) else "windows-1252"
        try:
            text = raw.decode("cp932" if encoding == "shift-jis" else "cp1252")
        except UnicodeDecodeError:
            return None
    if "\0" in text:
        return None
    return Text(text.replace("\r\n", "\n").replace("\r", "\n"), encoding.removesuffix("-sig"))
