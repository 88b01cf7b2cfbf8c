"""Short Crockford Base32 digests of texts and bytes.

Every digest is SHA-256 over a domain tag and length-prefixed parts, so that no two lists of parts hash the same bytes.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from collections.abc import Iterable

Digest = NewType("Digest", str)
"""Eight characters of Crockford Base32: the first 40 bits of a SHA-256."""

ID_PATTERN = "[0-9A-HJKMNP-TV-Z]{8}(?:[0-9A-HJKMNP-TV-Z]{4})?"
"""The characters after the `T_` of a TypeId or the `G_` of a group, as a regular expression."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = tuple(a + b for a in _ALPHABET for b in _ALPHABET)
_DIGEST_BYTES = 8


def base32(data: bytes, length: int) -> str:
    """The first `length` characters of the Crockford Base32 of the first eight bytes, upper case, no I L O U."""
    bits, pairs = int.from_bytes(data[:_DIGEST_BYTES], "big"), _PAIRS
    # Written out, for it is called once for every type: a loop takes three times as long.
    text = pairs[bits >> 54] + pairs[bits >> 44 & 1023] + pairs[bits >> 34 & 1023]
    return (text + pairs[bits >> 24 & 1023] + pairs[bits >> 14 & 1023] + pairs[bits >> 4 & 1023])[:length]


def digest_bytes(domain: str, parts: Iterable[bytes]) -> bytes:
    """The first eight bytes of the SHA-256 over the domain tag and the length-prefixed parts."""
    state = sha256(domain.encode() + b"\0")
    for part in parts:
        state.update(b"%d:" % len(part))
        state.update(part)
    return state.digest()[:_DIGEST_BYTES]


def digest(domain: str, parts: Iterable[str]) -> Digest:
    """The eight-character digest of the domain tag and the parts."""
    return Digest(base32(digest_bytes(domain, (part.encode("utf-8", "surrogatepass") for part in parts)), 8))
