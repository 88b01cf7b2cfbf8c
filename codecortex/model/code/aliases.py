"""Values for renamed types: old identities, what they became, and why."""

from __future__ import annotations

from enum import StrEnum

from codecortex.model.startup.named_tuple import NamedTuple


class AliasReason(StrEnum):
    """Why a type got another identity."""

    RENAME = "rename"
    NAMESPACE_MOVE = "namespaceMove"
    NESTING = "nesting"
    PROJECT = "project"


class Alias(NamedTuple):
    """An old TypeId and the type it became.

    Attributes:
        old_id: TypeId that no type has any more.
        old_fqn: The FQN it stood for.
        new_id: TypeId of the type it became.
        new_fqn: That type's FQN.
        reason: What changed.
        score: Similarity of the two, from 0 to 1, two decimals.
        collapsed: Whether the type had other names in between, so that several renames are one entry here.
    """

    old_id: str
    old_fqn: str
    new_id: str
    new_fqn: str
    reason: AliasReason
    score: float
    collapsed: bool = False


class AliasDoubt(NamedTuple):
    """A vanished type that may have become one of several types, or none: a person has to decide.

    Attributes:
        old_id: TypeId of the vanished type.
        old_fqn: Its FQN.
        candidates: What it may have become, the likeliest first.
        why: One clause: why no candidate was taken.
    """

    old_id: str
    old_fqn: str
    candidates: tuple[Alias, ...]
    why: str
