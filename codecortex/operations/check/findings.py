"""Findings of `check`, and how they are stored in the local cache."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.store.cache.cache import Cache

REFRESH = "codecortex refresh"
"""Command that fixes a generated file of the work tree."""

GENERATE = "codecortex semantic generate"
NEXT = "codecortex semantic next"
PUT = "codecortex semantic put"
"""Commands that, with a note's owner, renew a stale note: by a provider, an agent, or a person."""


class Level(StrEnum):
    """Whether a finding fails the check."""

    ERROR = "error"
    WARNING = "warning"


class Code(StrEnum):
    """Kind of a finding."""

    OUTLINE_MISSING = "outline-missing"
    OUTLINE_BEHIND = "outline-behind"
    OUTLINE_LEFT_OVER = "outline-left-over"
    INDEX_MISSING = "index-missing"
    INDEX_BEHIND = "index-behind"
    INDEX_UNREADABLE = "index-unreadable"
    FORMAT_NEWER = "format-newer"
    FORMAT_OLDER = "format-older"
    MERGE_MARKER = "merge-marker"
    ALIASES_UNREADABLE = "aliases-unreadable"
    ALIAS_TWICE = "alias-twice"
    ALIAS_LOOP = "alias-loop"
    ALIAS_TARGET_GONE = "alias-target-gone"
    ALIAS_OLD_ID_EXISTS = "alias-old-id-exists"
    NOTE_STALE = "note-stale"
    NOTE_DAMAGED = "note-damaged"
    NOTE_TEXT = "note-text"
    NOTE_ORPHAN = "note-orphan"
    NOTE_FILTER = "note-filter"
    INVESTIGATION_STALE = "investigation-stale"
    INVESTIGATION_DAMAGED = "investigation-damaged"
    PACK_MISSING = "pack-missing"
    PACK_BEHIND = "pack-behind"
    PACK_LEFT_OVER = "pack-left-over"
    PACK_FAILED = "pack-failed"
    FOREIGN_FILE = "foreign-file"
    SOURCE_UNREAD = "source-unread"


RULES = {
    Code.OUTLINE_MISSING: "Every type has an outline.",
    Code.OUTLINE_BEHIND: "An outline says what the sources say.",
    Code.OUTLINE_LEFT_OVER: "No outline outlives its type.",
    Code.INDEX_MISSING: "The index is there.",
    Code.INDEX_BEHIND: "The index lists the types that the sources declare.",
    Code.INDEX_UNREADABLE: "The index can be read.",
    Code.FORMAT_NEWER: "No committed file is of a newer format than this codecortex knows.",
    Code.FORMAT_OLDER: "Generated files are of the format that this codecortex writes.",
    Code.MERGE_MARKER: "No merge marker is left in a committed file.",
    Code.ALIASES_UNREADABLE: "The alias table can be read.",
    Code.ALIAS_TWICE: "An alias leads to one type.",
    Code.ALIAS_LOOP: "No chain of aliases leads back to its start.",
    Code.ALIAS_TARGET_GONE: "An alias leads to a type that exists.",
    Code.ALIAS_OLD_ID_EXISTS: "No type has an id that an alias calls old.",
    Code.NOTE_STALE: "A semantic note was made from the type as it is.",
    Code.NOTE_DAMAGED: "A semantic note can be read.",
    Code.NOTE_TEXT: "The text of a semantic note is such as `codecortex semantic put` takes.",
    Code.NOTE_ORPHAN: "Every semantic note belongs to a type.",
    Code.NOTE_FILTER: "The filter `semantics.types` makes sense.",
    Code.INVESTIGATION_STALE: "What an investigation rests on is as it was, and its evidence is there.",
    Code.INVESTIGATION_DAMAGED: "An investigation can be read.",
    Code.PACK_MISSING: "Every pack that is defined has its file.",
    Code.PACK_BEHIND: "A pack says what the sources, the notes and its definition say.",
    Code.PACK_LEFT_OVER: "No pack's file outlives its definition.",
    Code.PACK_FAILED: "The text of every pack can be worked out.",
    Code.FOREIGN_FILE: "Only files of codecortex stand in its folders.",
    Code.SOURCE_UNREAD: "Every source can be read.",
}
"""For each code, the rule that it violates, in one sentence."""


class Finding(NamedTuple):
    """One problem found by the check.

    Attributes:
        code: Kind of the finding.
        level: Whether it fails the check.
        path: Path from the root: the source for findings about a type, else the file itself.
        line: Line number, from 1.
        message: One sentence without the full stop.
        command: Command that fixes it, or empty.
        artefact: The committed file concerned, if it is not `path`.
    """

    code: Code
    level: Level
    path: str
    line: int
    message: str
    command: str
    artefact: str = ""

    @property
    def advice(self) -> str:
        """The command for people; for a stale note that they are to confirm, with the condition to check it first."""
        stamps = self.code is Code.NOTE_STALE and self.command.startswith(f"{PUT} ")
        return f"if it is still true: {self.command}" if stamps else self.command


def sort_findings(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Errors first, then by place."""

    def place(each: Finding) -> tuple[object, ...]:
        return each.level, each.path, each.line, each.code, each.message, each.artefact, each.command

    return tuple(sorted(set(findings), key=place))


def load_findings(cache: Cache, key: bytes) -> tuple[Finding, ...] | None:
    """Cached findings of an earlier check of the same state, or None."""
    return load_row(cache.get_many([key]).get(key), _read_findings)


def _read_findings(rows: Any) -> tuple[Finding, ...]:
    return tuple(Finding(Code(code), Level(level), *others) for code, level, *others in rows)


def save_findings(cache: Cache, key: bytes, findings: Sequence[Finding]) -> None:
    """Cache the findings of a state."""
    rows = [(str(code), str(level), *others) for code, level, *others in findings]
    cache.put_many([(key, pack_row(rows))])
