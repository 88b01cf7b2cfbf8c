"""How types differ between two trees, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.model.code.aliases import Alias, AliasDoubt


class ChangeClass(StrEnum):
    """What changed about a type, the most severe class first; all but Structure-Dependency are its own changes."""

    STRUCTURE = "Structure"
    PUBLIC_BEHAVIOR = "PublicBehavior"
    STRUCTURE_DEPENDENCY = "Structure-Dependency"
    INTERNAL = "Internal"
    DOCS = "Docs"
    COSMETIC = "Cosmetic"


class Status(StrEnum):
    """Whether a type is new, gone, changed or renamed."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    RENAMED = "renamed"


class Reason(StrEnum):
    """Which part of the input of structureHash differs."""

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
    """A member that was added, removed or changed; of a nested type (`kind` is `type`) only adding and removing counts.

    Attributes:
        kind: As in facts.
        name: Its simple name.
        before: Its canonical signature before; empty where it was added.
        after: Its canonical signature after; empty where it was removed.
        visible: Whether another assembly sees it, before or after.
        signature_changed: Whether anything but its body, documentation or position differs.
        body_changed: Whether its body, initialiser, default values or parameter names differ.
        attributes_only: Whether attributes are all that differs in its signature.
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
    """Members that were added, removed and changed, each in canonical order."""

    added: tuple[MemberChange, ...] = ()
    removed: tuple[MemberChange, ...] = ()
    changed: tuple[MemberChange, ...] = ()


class Cause(NamedTuple):
    """A structural dependency whose structure changed, or that was added or removed, and its status."""

    id: str
    fqn: str
    status: Status


class TypeChange(NamedTuple):
    """One type that differs between two trees, or depends on one that does.

    Attributes:
        type_id: Its id after the change; before it for a removed type.
        fqn: Its FQN, likewise.
        old_fqn: Its FQN before; empty for an added type.
        old_id: Its id before; empty for an added type.
        status: What became of it.
        change_class: The most severe class, changes of its dependencies included.
        causes: Structural dependencies that changed structure, by name.
        reasons: Which parts of its structure differ.
        members: Its members that differ; all members of an added or removed type.
        files: The files that declare it after the change; before it for a removed type.
        old_files: The files that declared it before.
        degraded: Why the change may be wrong; empty where it is certain.
        own_class: The class of its own change; None where only its dependencies or files differ.
        accessibility: The effective one, after the change; before it for a removed type.
        score: For a renamed type, the similarity of the two, from 0 to 1.
        project: Path of the project whose type it is, after the change; empty for the implicit one.
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
    project: str = ""

    @property
    def moved(self) -> bool:
        """Whether only the files that declare it differ."""
        return self.status is Status.CHANGED and self.own_class is None and self.files != self.old_files


class AssemblyChange(NamedTuple):
    """A project, and the names of the assemblies that it built before and builds after."""

    project: str
    before: str
    after: str


class Comparison(NamedTuple):
    """The differences between two trees.

    Attributes:
        changes: One for each type that differs or depends on one that does, sorted by name.
        aliases: Renamed types.
        doubts: Removed types that may have been renamed.
        unread: Files of either tree that could not be read, with the reason.
        assemblies: Projects that build another assembly than before, sorted; their types count as the same.
    """

    changes: tuple[TypeChange, ...]
    aliases: tuple[Alias, ...]
    doubts: tuple[AliasDoubt, ...]
    unread: tuple[str, ...] = ()
    assemblies: tuple[AssemblyChange, ...] = ()
