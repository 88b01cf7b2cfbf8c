"""Converts git's path bytes to text and back without loss."""

from __future__ import annotations

import re

_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_ENCODED = re.compile(rb"%([0-9A-F]{2})")


def encode_path(raw: bytes) -> str:
    """`raw` as text, with `%` and every byte that is not UTF-8 written as `%XX`."""
    if b"%" in raw:
        raw = raw.replace(b"%", b"%25")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        text = raw.decode(errors="surrogateescape")
        return _NOT_UTF8.sub(lambda lone: f"%{ord(lone[0]) - 0xDC00:02X}", text)


def decode_path(path: str) -> bytes:
    """The bytes that `encode_path` converted to `path`."""
    raw = path.encode()
    return _ENCODED.sub(lambda code: bytes([int(code[1], 16)]), raw) if b"%" in raw else raw
