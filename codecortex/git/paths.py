"""Converts git's path bytes to text and back without loss, and without what would do harm where it is shown."""

from __future__ import annotations

from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.visible import encode_harmful

_NOT_UTF8 = compile_later("[\udc80-\udcff]")
_ENCODED = compile_later(rb"%([0-9A-F]{2})")


def encode_path(raw: bytes) -> str:
    """`raw` as text, with `%`, control characters and every byte that is not UTF-8 written as `%XX`."""
    if raw.isascii() and b"%" not in raw and (plain := raw.decode("ascii")).isprintable():
        return plain  # as nearly every path is
    if b"%" in raw:
        raw = raw.replace(b"%", b"%25")
    try:
        return encode_harmful(raw.decode())
    except UnicodeDecodeError:
        text = raw.decode(errors="surrogateescape")
        text = _NOT_UTF8.sub(lambda lone: f"%{ord(lone[0]) - 0xDC00:02X}", text)
        return encode_harmful(text)


def decode_path(path: str) -> bytes:
    """The bytes that `encode_path` converted to `path`."""
    raw = path.encode(errors="surrogateescape")
    return _ENCODED.sub(lambda code: bytes([int(code[1], 16)]), raw) if b"%" in raw else raw
