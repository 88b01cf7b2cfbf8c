"""Columns in UTF-16 units, as compilers and editors count them: a character outside of the BMP is two."""

from __future__ import annotations


def count_units(text: bytes) -> int:
    """How many units the UTF-8 bytes of a text are."""
    return len(text) if text.isascii() else len(text.decode("utf-8", "replace").encode("utf-16-le")) // 2


def find_unit(text: str, units: int) -> int:
    """The index of the character before which a text has so many units; its length where it has fewer."""
    if text.isascii():
        return min(units, len(text))
    before = text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore")
    return len(before)


def find_offset(text: bytes, units: int) -> int:
    """The same of UTF-8 bytes: how many of them stand before."""
    if text.isascii():
        return min(units, len(text))
    whole = text.decode("utf-8", "replace")
    return len(whole[: find_unit(whole, units)].encode())
