"""A semantic note as a value: the fingerprints it was made from, and five sections of prose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from codecortex.model.hashing import Digest, digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.model.code.types import TypeId

LONGEST_GENERATOR = 200

_REMARKS = (
    "BUG", "CAUTION", "DEPRECATED", "EXAMPLE", "FIXME", "HACK", "HINT", "IMPORTANT", "INFO", "NOTE", "OBSOLETE", "TIP",
    "TODO", "WARNING", "XXX",
)  # fmt: skip
SECTION_NAME = rf"(?!(?:{'|'.join(_REMARKS)})(?![A-Z0-9_]))[A-Z][A-Z0-9_]{{2,}}"
"""Matches the name of a section, known or not, at the beginning of a line with a colon after it (regular expression).

A word that opens a remark (`NOTE: ...`) is not matched.
"""


class Section(StrEnum):
    """The sections of a note, in their order."""

    ROLE = "ROLE"
    LIFECYCLE = "LIFECYCLE"
    EDGE_CASES = "EDGE_CASES"
    LIMITATIONS = "LIMITATIONS"
    RECOMMENDATIONS = "RECOMMENDATIONS"


class SemanticState(StrEnum):
    """The state of a type's note; the last three only while a run is under way."""

    NONE = "none"
    CACHED = "cached"
    STALE = "stale"
    PENDING = "pending"
    GENERATING = "generating"
    FAILED = "failed"


class Base(NamedTuple):
    """The fingerprints of one type at the time its note was made.

    Attributes:
        type_id: The type.
        fqn: Its FQN.
        structure: Its structureHash.
        impl: Its implHash.
        public_impl: Its publicImplHash.
        internal_impl: Its internalImplHash.
        xml_doc: Its xmlDocHash, or None where the note does not contain it.
    """

    type_id: TypeId
    fqn: str
    structure: Digest
    impl: Digest
    public_impl: Digest
    internal_impl: Digest
    xml_doc: Digest | None


class Dependency(NamedTuple):
    """A direct structural dependency, and its structureHash at that time."""

    type_id: TypeId
    structure: Digest


@dataclass(frozen=True, slots=True)
class Note:
    """The note of one type, or of a group of types that depend on each other.

    Attributes:
        owner: The TypeId, or the GroupId (`G_` and 8 characters).
        types: The fingerprints of its type, or of the group's types, sorted by id.
        dependencies: Direct structural dependencies outside of the note's own types, sorted by id.
        generator: Who wrote it, free text on one line: `hand`, `openai:gpt-x prompt 3`.
        body_hash: `hash_body` of the texts as the generator wrote them; another value today means that a person edited
            them since. Older notes have one digest over all five. None where the note does not contain it.
        texts: The text of each section, from the colon of its heading to the next heading, in the order of `Section`;
            each ends in a line feed.
        cut: For a group, dependencies of the same component that were left out because it would have become too
            large; sorted by id.
    """

    owner: str
    types: tuple[Base, ...]
    dependencies: tuple[Dependency, ...]
    generator: str
    body_hash: str | None
    texts: tuple[str, ...]
    cut: tuple[TypeId, ...] = ()

    @property
    def writer(self) -> str:
        """The generator without its version: `extract`, `openai:gpt-x`."""
        return self.generator.partition(" ")[0]

    @property
    def is_group(self) -> bool:
        """Whether several types share it."""
        return is_group(self.owner)

    @property
    def edited(self) -> bool:
        """Whether a person edited its texts."""
        return bool(self.edited_sections)

    @property
    def edited_sections(self) -> tuple[Section, ...]:
        """The sections that a person edited; all five where the note has only one digest and it differs."""
        before, now = (self.body_hash or "").split(), hash_body(self.texts).split()
        if len(before) == len(now):
            return tuple(each for each, was, has in zip(Section, before, now, strict=True) if was != has)
        return tuple(Section) if before and before != [digest("noteBody", self.texts)] else ()


def is_group(owner: str) -> bool:
    """Whether an id is a GroupId rather than a TypeId."""
    return owner.startswith("G_")


def is_generator(text: str) -> bool:
    """Whether a text is valid as a note's generator: one short line."""
    return bool(text) and text.isprintable() and len(text) <= LONGEST_GENERATOR


def hash_body(texts: Iterable[str]) -> str:
    """The digests of the five texts, separated by spaces."""
    return " ".join([digest("noteText", (text,)) for text in texts])
