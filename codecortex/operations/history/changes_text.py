"""Writes changes of types between two trees, as lines for people and as JSON values for programs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from codecortex.operations.wording import count_noun, leave_plain, write_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.model.code.aliases import AliasDoubt
    from codecortex.model.code.changes import AssemblyChange, Comparison, MemberChange, MemberChanges, TypeChange
    from codecortex.operations.history.commit_walk import CommitChanges
    from codecortex.operations.wording import Paint

_COLOURS = {"added": "green", "removed": "red", "renamed": "cyan"}
_SHORT = 10


# -- for programs


def describe_comparison(found: Comparison) -> dict[str, Any]:
    """The changed types and the doubtful renames as JSON values."""
    return {
        "changes": [describe_change(change) for change in found.changes],
        "assemblies": [
            {"project": each.project, "before": each.before, "after": each.after} for each in found.assemblies
        ],
        "doubts": [
            {
                "oldTypeId": doubt.old_id,
                "oldFqn": doubt.old_fqn,
                "candidates": [{"typeId": c.new_id, "fqn": c.new_fqn, "score": c.score} for c in doubt.candidates],
                "why": doubt.why,
            }
            for doubt in found.doubts
        ],
    }


def describe_step(step: CommitChanges) -> dict[str, Any]:
    """A commit compared with its first parent as JSON values."""
    commit = step.commit
    told = {"commit": commit.id, "parent": step.parent or None, "time": write_time(commit.time)}
    return told | {"subject": commit.subject} | describe_comparison(step.comparison) | {"problem": step.problem or None}


def describe_change(change: TypeChange) -> dict[str, Any]:
    """One changed type as JSON values."""
    record: dict[str, Any] = {
        "typeId": change.type_id,
        "fqn": change.fqn,
        "oldTypeId": change.old_id or None,
        "oldFqn": change.old_fqn or None,
        "project": change.project or None,
        "status": change.status,
        "changeClass": change.change_class,
        "ownClass": change.own_class,
        "accessibility": change.accessibility,
        "causes": [{"typeId": cause.id, "fqn": cause.fqn, "status": cause.status} for cause in change.causes],
        "reasons": list(change.reasons),
        "members": describe_members(change.members),
        "files": list(change.files),
        "oldFiles": list(change.old_files),
        "moved": change.moved,
        "degraded": change.degraded or None,
    }
    return record if change.score is None else record | {"score": change.score}


def describe_members(members: MemberChanges) -> dict[str, Any]:
    """Changed members as JSON values."""
    return {
        "added": [_describe_member(member, member.after) for member in members.added],
        "removed": [_describe_member(member, member.before) for member in members.removed],
        "changed": [_describe_changed(member) for member in members.changed],
    }


def _describe_member(member: MemberChange, signature: str) -> dict[str, Any]:
    return {"kind": member.kind, "name": member.name, "signature": signature, "public": member.visible}


def _describe_changed(member: MemberChange) -> dict[str, Any]:
    return _describe_member(member, member.after) | {
        "oldSignature": member.before,
        "signatureChanged": member.signature_changed,
        "bodyChanged": member.body_changed,
        "attributesOnly": member.attributes_only,
    }


# -- for people


def write_comparison(found: Comparison, paint: Paint = leave_plain) -> list[str]:
    """The lines that tell of every changed type, of doubtful renames, and how many there are."""
    told = [*_write_changes(found.changes, paint), *_write_doubts(found.doubts), *_write_assemblies(found.assemblies)]
    return [*told, _count(found.changes)]


def write_step(step: CommitChanges, paint: Paint = leave_plain) -> list[str]:
    """The lines of a commit, an empty one at the end; none where it changed no type."""
    commit, found = step.commit, step.comparison
    if not found.changes and not found.doubts and not found.assemblies:
        return []
    head = f"{paint(commit.id[:_SHORT], 'yellow')} {write_time(commit.time)[:10]} {commit.subject}"
    lines = [*_write_changes(found.changes, paint, "  "), *_write_doubts(found.doubts)]
    return [head, *lines, *_write_assemblies(found.assemblies, "  "), f"  {_count(found.changes)}", ""]


def _write_assemblies(found: Iterable[AssemblyChange], indent: str = "") -> Iterator[str]:
    for each in found:
        yield f"{indent}{each.project} builds {each.after} instead of {each.before}"


def _write_changes(changes: Sequence[TypeChange], paint: Paint, indent: str = "") -> Iterator[str]:
    classes = ["Moved" if change.moved else str(change.change_class) for change in changes]
    width = max(map(len, classes), default=0)
    status = max((len(change.status) for change in changes), default=0)
    shared = Counter(change.fqn for change in changes)
    for change, name in zip(changes, classes, strict=True):
        word = paint(f"{change.status:<{status}}", _COLOURS.get(change.status))
        old = f" (was {change.old_fqn})" if change.old_fqn not in ("", change.fqn) else ""
        place = f" in {change.project}" if shared[change.fqn] > 1 and change.project else ""
        yield f"{indent}{name:<{width}}  {word}  {change.fqn}{place}{old}{_tell_files(change)}"
        if change.degraded:
            yield f"{indent}    not certain: {change.degraded}"
        if change.causes:
            yield f"{indent}    because of {', '.join(cause.fqn for cause in change.causes)}"
        if change.status in ("changed", "renamed"):
            yield from (f"{indent}    {line}" for line in _write_members(change.members, paint))


def _tell_files(change: TypeChange) -> str:
    return f" (from {', '.join(change.old_files)} to {', '.join(change.files)})" if change.moved else ""


def _write_members(members: MemberChanges, paint: Paint) -> Iterator[str]:
    yield from (paint(f"- {member.before}", "red") for member in members.removed)
    yield from (paint(f"+ {member.after}", "green") for member in members.added)
    for member in members.changed:
        if member.before != member.after:
            text = f"{member.before} -> {member.after}"
        else:
            text = f"{member.after} ({'declaration' if member.signature_changed else 'body'})"
        yield paint(f"~ {text}", "yellow")


def _write_doubts(doubts: Iterable[AliasDoubt]) -> Iterator[str]:
    for doubt in doubts:
        likely = ", ".join(candidate.new_fqn for candidate in doubt.candidates)
        yield f"Unclear: what became of {doubt.old_fqn} ({doubt.why}): perhaps {likely}"


def _count(changes: Sequence[TypeChange]) -> str:
    if not changes:
        return "No type changed."
    classes = Counter("Moved" if change.moved else str(change.change_class) for change in changes)
    return f"{count_noun(len(changes), 'type')}: {', '.join(f'{n:,} {name}' for name, n in sorted(classes.items()))}."
