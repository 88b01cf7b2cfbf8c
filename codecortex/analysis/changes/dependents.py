"""The change of a type whose structural dependencies changed structure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.code.changes import Cause, ChangeClass, MemberChanges, Reason, Status, TypeChange
from codecortex.model.code.facts import VISIBLE

if TYPE_CHECKING:
    from codecortex.model.code.types import CSharpType
    from codecortex.model.config import Config


def classify_dependent(
    merged: CSharpType,
    change: TypeChange | None,
    causes: tuple[Cause, ...],
    affecting: tuple[ChangeClass, ...],
    renamed: set[str],
) -> TypeChange | None:
    """The change of a type with the causes that it has in its dependencies; None where its own change is graver.

    Args:
        merged: The type as it is now.
        change: Its own change, if it differs itself.
        causes: The dependencies whose structure changed.
        affecting: The change classes that make a note stale by themselves.
        renamed: Simple names of those causes that were renamed.
    """
    change = change or _describe_unchanged(merged)
    if change.own_class is ChangeClass.STRUCTURE:
        return None
    change = change._replace(causes=causes)
    reasons = _find_renamed(merged, renamed)
    if reasons:
        return change._replace(change_class=ChangeClass.STRUCTURE, reasons=reasons)
    if change.own_class not in affecting:
        return change._replace(change_class=ChangeClass.STRUCTURE_DEPENDENCY)
    return change


def _find_renamed(merged: CSharpType, names: set[str]) -> tuple[Reason, ...]:
    """The parts of a declaration that contain one of these names: what others see there has another FQN than before."""
    if not names:
        return ()
    word = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    parts = [part.facts for part in merged.parts]
    shown = [member for member in merged.members if member.facts.accessibility in VISIBLE and not member.facts.implicit]
    texts = (
        (Reason.MEMBER_CHANGED, (text for m in shown for text in (m.facts.type, m.signature, *m.facts.constraints))),
        (Reason.BASE_LIST_CHANGED, (base for part in parts for base in part.bases)),
        (Reason.CONSTRAINTS_CHANGED, (clause for part in parts for clause in part.constraints)),
    )
    return tuple(reason for reason, spelled in texts if any(word.search(text) for text in spelled))


def _describe_unchanged(merged: CSharpType) -> TypeChange:
    """A change for a type that does not differ itself."""
    return TypeChange(
        type_id=merged.id,
        fqn=merged.fqn,
        old_fqn=merged.fqn,
        old_id=merged.id,
        status=Status.CHANGED,
        change_class=ChangeClass.STRUCTURE_DEPENDENCY,
        causes=(),
        reasons=(),
        members=MemberChanges(),
        files=merged.files,
        old_files=merged.files,
        degraded=merged.degraded,
        own_class=None,
        accessibility=merged.effective_accessibility,
        project=merged.project,
    )


def list_affecting(config: Config) -> tuple[ChangeClass, ...]:
    """The change classes that make a note stale by themselves."""
    semantics = config.semantics
    return (
        ChangeClass.PUBLIC_BEHAVIOR,
        *((ChangeClass.INTERNAL,) if semantics.internal_impl_affects_semantic else ()),
        *((ChangeClass.DOCS,) if semantics.semantic_docs_affect else ()),
    )
