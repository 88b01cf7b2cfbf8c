"""A semantic note as a value: the fingerprints it was made from, and its sections of prose."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Self

from codecortex.model.hashing import Digest, digest
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import HASH_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.model.code.types import TypeId

LONGEST_GENERATOR = 200
UNKNOWN = Digest("00000000")
"""A structureHash that a type has with a chance of one in a trillion, so that the note is stale."""

_REMARKS = (
    "BUG", "CAUTION", "DEPRECATED", "EXAMPLE", "FIXME", "HACK", "HINT", "IMPORTANT", "INFO", "NOTE", "OBSOLETE", "TIP",
    "TODO", "WARNING", "XXX",
)  # fmt: skip
SECTION_NAME = rf"(?!(?:{'|'.join(_REMARKS)})(?![A-Z0-9_]))[A-Z][A-Z0-9_]{{2,}}"
"""Matches the name of a section, known or not, at the beginning of a line with a colon after it (regular expression).

A word that opens a remark (`NOTE: ...`) is not matched.
"""


class Section(StrEnum):
    """The sections of a note, in their order: the only list of them.

    A row holds the name and the attributes. A new section takes a row with `since` one above `NOTE_FORMAT`: notes of an
    older format are read as if it were empty.

    Attributes:
        hint: What to write there; prompts for new notes show it.
        gist: The same in a few words, for prompts that update a note.
        pack_rank: The order in which packs take sections while there is room: all of rank 1 before any of rank 2.
        for_dependents: Whether prompts for types that depend on this one show it.
        since: The format of notes that it first stands in.
    """

    hint: str
    gist: str
    pack_rank: int
    for_dependents: bool
    since: int

    def __new__(cls, name: str, hint: str, gist: str, *numbers: int) -> Self:  # noqa: D102
        row = str.__new__(cls, name)
        row._value_ = name
        row.hint, row.gist = hint, gist
        row.pack_rank, row.for_dependents, row.since = numbers[0], bool(numbers[1]), numbers[2]
        return row

    ROLE = ("ROLE", "what the type is for, and what depends on its being so.", "what for", 1, True, 1)
    LIFECYCLE = (
        "LIFECYCLE",
        "who makes it, what state it holds, who may use it at once, what ends it.",
        "who makes them, what they hold, concurrent use, their end",
        *(2, True, 1),
    )
    EDGE_CASES = (
        "EDGE_CASES",
        "what happens for empty, missing, repeated, late or concurrent input; what is thrown, and when.",
        "odd input, what is thrown",
        *(5, False, 1),
    )
    LIMITATIONS = (
        "LIMITATIONS",
        "what it does not do, though one might think so.",
        "what they do not do",
        *(3, False, 1),
    )
    RECOMMENDATIONS = (
        "RECOMMENDATIONS",
        "how to use it well, and what to use instead where it does not fit.",
        "how to use them well",
        *(4, False, 1),
    )

    @property
    def is_last(self) -> bool:
        """Whether no section follows it in a note."""
        return self is LAST_SECTION


LAST_SECTION = tuple(Section)[-1]
SECTION_COUNT = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")[len(Section)]
"""How many sections there are, as messages say it."""

_SECTIONS_SINCE = max(section.since for section in Section)
_MEMBERS_SINCE = 2

NOTE_FORMAT = max(_SECTIONS_SINCE, _MEMBERS_SINCE)
"""The newest format of notes; later ones than 1 are told on a `Format:` line of the header."""

MEMBERS = "MEMBERS"
"""The heading of the lines on members, which stand below the last section."""

BY_HAND = "00000000"
"""Digest of a text that a person wrote; it matches no generated text."""


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


class MemberLine(NamedTuple):
    """What a note says of one member, and the state of the member that it says it of.

    Attributes:
        name: The member as outlines name it; in the note of a group after the name of its type and a dot.
        digest: Digest of its signature and its body at that time; `UNKNOWN` where a person added the line.
        text: The line; empty where nothing is said of the member.
        written: Digest of the text as the generator wrote it (`hash_line`), `BY_HAND` for a person's.
    """

    name: str
    digest: str
    text: str = ""
    written: str = ""

    @property
    def by_hand(self) -> bool:
        """Whether a person wrote or edited the text."""
        return self.written != (hash_line(self.text) if self.text else "")


class Note(NamedTuple):
    """The note of one type, or of a group of types that depend on each other.

    Attributes:
        owner: The TypeId, or the GroupId (`G_` and 8 characters).
        types: The fingerprints of its type, or of the group's types, sorted by id.
        dependencies: Direct structural dependencies outside of the note's own types, sorted by id.
        generator: Who wrote it, free text on one line: `hand`, `openai:gpt-x prompt 3`.
        body_hash: `hash_body` of the texts as the generator wrote them; another value today means that a person edited
            them since. Older notes have one digest over all. None where the note does not contain it.
        texts: The text of each section, from the colon of its heading to the next heading, in the order of `Section`;
            each ends in a line feed. Empty for a section that the note does not have.
        cut: For a group, dependencies of the same component that were left out because it would have become too
            large; sorted by id.
        hash_version: The version of the fingerprints in `types` and `dependencies`.
        members: Of a note with lines on members, every member that may have one, in the order of outlines.
        rest: Digest of what other members and the types themselves do; empty in a note without lines on members.
    """

    owner: str
    types: tuple[Base, ...]
    dependencies: tuple[Dependency, ...]
    generator: str
    body_hash: str | None
    texts: tuple[str, ...]
    cut: tuple[TypeId, ...] = ()
    hash_version: int = HASH_VERSION
    members: tuple[MemberLine, ...] = ()
    rest: str = ""

    @property
    def format(self) -> int:
        """The oldest format that can hold it."""
        return max(_SECTIONS_SINCE, _MEMBERS_SINCE) if self.members else _SECTIONS_SINCE

    @property
    def lines(self) -> dict[str, str]:
        """What it says of members, by their names."""
        return {each.name: each.text for each in self.members if each.text}

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
        return bool(self.edited_sections) or any(each.by_hand for each in self.members)

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
    """The digests of the texts of a note's sections, one each, with blanks between.

    A missing section counts as one whose heading has no text.
    """
    return " ".join([digest("noteText", (text or "\n",)) for text in texts])


def hash_line(text: str) -> str:
    """The digest of what a note says of one member."""
    return digest("noteLine", (text,))
