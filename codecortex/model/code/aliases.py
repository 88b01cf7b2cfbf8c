"""What became of a type's old identity."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class AliasReason(StrEnum):
    """How a type came to another identity."""

    RENAME = "rename"
    NAMESPACE_MOVE = "namespaceMove"
    NESTING = "nesting"
    PROJECT = "project"


class Alias(NamedTuple):
    """An old identity and what it is called now.

    Attributes:
        old_id: TypeId that no type has any more.
        old_fqn: The metadata name it stood for.
        new_id: TypeId of the type it became.
        new_fqn: That type's metadata name.
        reason: What changed.
        score: Similarity of the two, from 0 to 1, two decimals.
        collapsed: Whether it was called something else in between.
    """

    old_id: str
    old_fqn: str
    new_id: str
    new_fqn: str
    reason: AliasReason
    score: float
    collapsed: bool = False


class AliasDoubt(NamedTuple):
    """A vanished type that may have become one of several, or none: a question for people.

    Attributes:
        old_id: TypeId of the vanished type.
        old_fqn: Its metadata name.
        candidates: What it may have become, the likeliest first.
        why: One clause that says why none was taken.
    """

    old_id: str
    old_fqn: str
    candidates: tuple[Alias, ...]
    why: str
