"""What changed about types between two trees."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class ChangeClass(StrEnum):
    """What changed about a type, the gravest first; all but Structure-Dependency are its own doing."""

    STRUCTURE = "Structure"
    PUBLIC_BEHAVIOR = "PublicBehavior"
    STRUCTURE_DEPENDENCY = "Structure-Dependency"
    INTERNAL = "Internal"
    DOCS = "Docs"
    COSMETIC = "Cosmetic"


class Status(StrEnum):
    """What became of a type."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    RENAMED = "renamed"


class Reason(StrEnum):
    """Which part of what structureHash holds differs."""

    MEMBER_ADDED = "memberAdded"
    MEMBER_REMOVED = "memberRemoved"
    MEMBER_CHANGED = "memberChanged"
    BASE_LIST_CHANGED = "baseListChanged"
    CONSTRAINTS_CHANGED = "constraintsChanged"
    MODIFIERS_CHANGED = "modifiersChanged"
    ATTRIBUTES_CHANGED = "attributesChanged"
    ENUM_VALUE_CHANGED = "enumValueChanged"
    TYPE_PARAMETERS_CHANGED = "typeParametersChanged"


class MemberChange(NamedTuple):
    """One member that came, went or changed; of a nested type, `kind` is `type` and only its coming and going counts.

    Attributes:
        kind: As in facts.
        name: Its simple name.
        before: Its canonical signature before; empty where it was not there.
        after: Its canonical signature after; empty where it is no more.
        visible: Whether another assembly sees it, before or after.
        signature_changed: Whether anything but its body, documentation or place differs.
        body_changed: Whether its body, initialiser, default values or parameter names differ.
        attributes_only: Whether of its signature only attributes differ.
    """

    kind: str
    name: str
    before: str
    after: str
    visible: bool
    signature_changed: bool
    body_changed: bool
    attributes_only: bool = False


class MemberChanges(NamedTuple):
    """Members that came, went and changed, each in canonical order."""

    added: tuple[MemberChange, ...] = ()
    removed: tuple[MemberChange, ...] = ()
    changed: tuple[MemberChange, ...] = ()


class Cause(NamedTuple):
    """A structural dependency that changed structure, came or went, and what became of it."""

    id: str
    fqn: str
    status: Status


class TypeChange(NamedTuple):
    """One type that differs between two trees, or depends on one that does.

    Attributes:
        type_id: Its id after; of a removed type, before.
        fqn: Its metadata name, likewise.
        old_fqn: Its metadata name before; empty where it was not there.
        old_id: Its id before; empty where it was not there.
        status: What became of it.
        change_class: The gravest class, that of its dependencies included.
        causes: Structural dependencies that changed structure, by name.
        reasons: Which parts of its structure differ.
        members: Its members that differ; of an added or a removed type, all.
        files: Where it is declared after; of a removed type, before.
        old_files: Where it was declared before.
        degraded: Why the change may be another than this; empty where it is certain.
        own_class: The class of its own change; None where only dependencies or its files differ.
        accessibility: As seen from outside, after; of a removed type, before.
        score: Of a renamed type, how alike the two are, from 0 to 1.
    """

    type_id: str
    fqn: str
    old_fqn: str
    old_id: str
    status: Status
    change_class: ChangeClass
    causes: tuple[Cause, ...]
    reasons: tuple[Reason, ...]
    members: MemberChanges
    files: tuple[str, ...]
    old_files: tuple[str, ...]
    degraded: str
    own_class: ChangeClass | None
    accessibility: str
    score: float | None = None

    @property
    def moved(self) -> bool:
        """Whether nothing about it differs but the files that declare it."""
        return self.status is Status.CHANGED and self.own_class is None and self.files != self.old_files
