"""Decodes source files to UTF-8 with LF."""

from __future__ import annotations

import codecs


def decode_source(raw: bytes) -> bytes:
    """The source as UTF-8 without a byte order mark, with LF line ends.

    UTF-16 is recognised by its byte order mark; other bytes that are not UTF-8 are read as Windows-1252, the compiler's
    fallback.
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
            raw = raw.decode("cp1252", "replace").encode()
    return raw


def is_binary(source: bytes) -> bool:
    """Whether decoded text contains a NUL byte, which no C# source does."""
    return b"\0" in source
