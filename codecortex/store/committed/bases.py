"""Reads and writes the fingerprints of a type as one line of a header."""

from __future__ import annotations

from codecortex.model.code.types import TypeId
from codecortex.model.hashing import ID_PATTERN, Digest
from codecortex.model.notes import Base
from codecortex.model.startup.patterns import compile_later

HASH = "[0-9A-HJKMNP-TV-Z]{8}"
IMPL = compile_later(rf"({HASH}) \(public ({HASH}), internal ({HASH})\)")
_ROW = compile_later(
    rf"- (\S+) (T_{ID_PATTERN}): structure ({HASH}), impl ({HASH}) "
    rf"\(public ({HASH}), internal ({HASH})\)(?:, doc ({HASH}))?"
)


def write_impl(base: Base) -> str:
    """The implHash of a type with the two that it is made of."""
    return f"{base.impl} (public {base.public_impl}, internal {base.internal_impl})"


def write_base(base: Base) -> str:
    """The line of a type."""
    docs = f", doc {base.xml_doc}" if base.xml_doc else ""
    return f"- {base.fqn} {base.type_id}: structure {base.structure}, impl {write_impl(base)}{docs}"


def read_base(line: str) -> Base | None:
    """The type of a line; None if it has none."""
    match = _ROW.fullmatch(line)
    if match is None:
        return None
    fqn, type_id, *hashes = match.groups()
    structure, impl, public, internal, docs = hashes
    return Base(
        TypeId(type_id), fqn, Digest(structure), Digest(impl), Digest(public), Digest(internal),
        Digest(docs) if docs else None,
    )  # fmt: skip
