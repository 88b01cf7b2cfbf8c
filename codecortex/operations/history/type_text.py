"""Writes the history and the difference of one type, as lines for people and as JSON values for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.operations.history.changes_text import describe_members
from codecortex.operations.wording import leave_plain, write_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.analysis.changes.states import Change
    from codecortex.git.history import Commit
    from codecortex.model.code.changes import MemberChange, MemberChanges
    from codecortex.operations.wording import Paint

_COLOURS = {"Structure": "red", "PublicBehavior": "yellow", "Internal": "cyan", "Docs": "blue"}
_LINE_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_SHORT = 10
_MOST_MEMBERS = 6
_CHANGED = ("renamed", "changed")


# -- for programs


def describe_change(change: Change) -> dict[str, Any]:
    """A change of a type as JSON values."""
    return {
        "status": change.status,
        "changeClass": change.change_class,
        "reasons": list(change.reasons),
        "members": describe_members(change.members),
        "fqn": change.fqn,
        "oldFqn": change.old_fqn or None,
        "files": list(change.files),
        "oldFiles": list(change.old_files),
    }


def describe_entry(entry: tuple[Commit, Change]) -> dict[str, Any]:
    """A commit that changed a type, and the change, as JSON values."""
    commit, change = entry
    return {
        "commit": commit.id,
        "author": commit.author,
        "email": commit.email,
        "date": write_time(commit.authored).replace("+00:00", "Z"),
        "subject": commit.subject,
    } | describe_change(change)


# -- for people


def tell_redirection(redirected_from: str, fqn: str) -> list[str]:
    """A line that tells that an old name was asked for; none where it was not."""
    return [f"note: {redirected_from} is now {fqn}"] if redirected_from else []


def write_log(entries: Iterable[tuple[Commit, Change]], paint: Paint = leave_plain) -> Iterator[str]:
    """The lines of commits that changed a type."""
    for commit, change in entries:
        told = change.status if change.status != "changed" else change.change_class
        kind = paint(f"{told:<14}", _COLOURS.get(change.change_class))
        day = write_time(commit.authored)[:10]
        yield f"{paint(commit.id[:_SHORT], 'yellow')}  {day}  {kind}  {commit.author}: {commit.subject}"
        if change.status == "renamed":
            yield f"{'':<12}was {change.old_fqn}"
        if change.files != change.old_files and change.status in _CHANGED:
            yield f"{'':<12}from {', '.join(change.old_files)}"
        if change.status in _CHANGED:
            yield from _write_members(change.members, " " * 12, paint)


def write_diff(change: Change, outline: Iterable[str], paint: Paint = leave_plain) -> Iterator[str]:
    """The lines of a change of a type and of the unified diff of its outline."""
    renamed = f" (was {change.old_fqn})" if change.status == "renamed" else ""
    told = change.change_class if change.status == "changed" else f"{change.status}, {change.change_class}"
    yield f"{change.fqn}{renamed}: {told}"
    if change.status in _CHANGED:
        yield from _write_members(change.members, "  ", paint, most=None)
    for line in outline:
        heads = line.startswith(("--- ", "+++ "))
        yield paint(line, "bold" if heads else _LINE_COLOURS.get(line[:1]))


def _write_members(
    members: MemberChanges, indent: str, paint: Paint, most: int | None = _MOST_MEMBERS
) -> Iterator[str]:
    """Changed members, one on a line; only the first `most`, or all if that is None."""
    lines = [
        *(paint(f"+ {each.after}", "green") for each in members.added),
        *(paint(f"- {each.before}", "red") for each in members.removed),
        *(f"~ {_write_changed(each)}" for each in members.changed),
    ]
    yield from (f"{indent}{line}" for line in lines[:most])
    if len(lines) > len(lines[:most]):
        yield f"{indent}and {len(lines) - len(lines[:most]):,} more members"


def _write_changed(change: MemberChange) -> str:
    if change.before != change.after:
        return f"{change.before} -> {change.after}"
    what = (
        "attributes" if change.attributes_only else "signature" if change.signature_changed else "",
        "body" if change.body_changed else "",
    )
    return f"{change.after} ({', '.join(filter(None, what))})"
