"""The command `changes`: which types changed between two trees, and how."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, flavour_options, json_option, make_request
from codecortex.cli.output import echo, style
from codecortex.cli.text import print_json
from codecortex.operations.wording import count_noun, write_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.model.code.aliases import AliasDoubt
    from codecortex.model.code.changes import MemberChange, MemberChanges, TypeChange
    from codecortex.operations.history.changes import ChangesResult
    from codecortex.operations.history.commit_walk import CommitChanges

_COLOURS = {"added": "green", "removed": "red", "renamed": "cyan"}


@click.command()
@click.argument("span", metavar="[A..B]", required=False)
@click.option("--staged", is_flag=True, help="Compare what is staged instead of the work tree.")
@click.option("--worktree", is_flag=True, help="Compare the work tree; what is done where no second tree is named.")
@click.option("--each", is_flag=True, help="Compare each first-parent commit of the range with its parent.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where a type changed.")
@json_option
@flavour_options
@click.pass_context
def changes(  # noqa: PLR0913 - one parameter for each option
    click_context: click.Context, /, span: str | None, *, worktree: bool, each: bool, exit_code: bool, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Say which types changed between two trees, and how.

    A..B compares two revisions, A...B their merge base with B, A alone with the work tree; nothing stands for HEAD.
    """
    from codecortex.model.errors import UsageError
    from codecortex.operations.history.changes import list_changes, list_each

    context: Context = click_context.obj
    if worktree and (options["staged"] or each or (span and ".." in span)):
        raise UsageError("--worktree and another tree are named.", "Give one of them.")
    request = make_request(context, options)
    changed = False
    if each:
        for step in list_each(request, span):
            _print_step(step, as_json=as_json)
            changed = changed or bool(step.comparison.changes)
    else:
        result = list_changes(request, span)
        _print_result(result, as_json=as_json)
        changed = bool(result.comparison.changes)
    if exit_code and changed:
        click_context.exit(1)


def _print_result(result: ChangesResult, *, as_json: bool) -> None:
    from codecortex.cli.progress import end_progress

    found = result.comparison
    if as_json:
        told = {"before": result.before, "after": result.after} | _describe_all(found.changes, found.doubts)
        print_json(told | {"unread": list(found.unread)})
        return
    end_progress()
    _print_changes(found.changes)
    _print_doubts(found.doubts)
    echo(_count(found.changes))


def _print_step(step: CommitChanges, *, as_json: bool) -> None:
    from codecortex.cli.progress import end_progress

    commit, found = step.commit, step.comparison
    time = write_time(commit.time)
    if as_json:
        told = {"commit": commit.id, "parent": step.parent or None, "time": time, "subject": commit.subject}
        print_json(told | _describe_all(found.changes, found.doubts) | {"problem": step.problem or None})
        return
    if step.problem:
        end_progress()
        echo(f"{commit.id[:10]}: read by an earlier configuration: {step.problem}", err=True)
    if found.changes or found.doubts:
        end_progress()
        echo(f"{style(commit.id[:10], fg='yellow')} {time[:10]} {commit.subject}")
        _print_changes(found.changes, "  ")
        _print_doubts(found.doubts)
        echo(f"  {_count(found.changes)}\n")


# -- for programs


def _describe_all(changes: Iterable[TypeChange], doubts: Iterable[AliasDoubt]) -> dict[str, Any]:
    return {
        "changes": [describe_change(change) for change in changes],
        "doubts": [
            {
                "oldTypeId": doubt.old_id,
                "oldFqn": doubt.old_fqn,
                "candidates": [{"typeId": c.new_id, "fqn": c.new_fqn, "score": c.score} for c in doubt.candidates],
                "why": doubt.why,
            }
            for doubt in doubts
        ],
    }


def describe_change(change: TypeChange) -> dict[str, Any]:
    """One changed type as JSON values."""
    record: dict[str, Any] = {
        "typeId": change.type_id,
        "fqn": change.fqn,
        "oldTypeId": change.old_id or None,
        "oldFqn": change.old_fqn or None,
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


def _print_changes(changes: Sequence[TypeChange], indent: str = "") -> None:
    classes = {change: "Moved" if change.moved else str(change.change_class) for change in changes}
    width = max((len(name) for name in classes.values()), default=0)
    status = max((len(change.status) for change in changes), default=0)
    for change in changes:
        word = style(f"{change.status:<{status}}", fg=_COLOURS.get(change.status))
        old = f" (was {change.old_fqn})" if change.old_fqn not in ("", change.fqn) else ""
        echo(f"{indent}{classes[change]:<{width}}  {word}  {change.fqn}{old}{_tell_files(change)}")
        if change.degraded:
            echo(f"{indent}    not certain: {change.degraded}")
        if change.causes:
            echo(f"{indent}    because of {', '.join(cause.fqn for cause in change.causes)}")
        if change.status in ("changed", "renamed"):
            _print_members(change, indent + "    ")


def _tell_files(change: TypeChange) -> str:
    return f" (from {', '.join(change.old_files)} to {', '.join(change.files)})" if change.moved else ""


def _print_members(change: TypeChange, indent: str) -> None:
    members = change.members
    for member in members.removed:
        echo(indent + style(f"- {member.before}", fg="red"))
    for member in members.added:
        echo(indent + style(f"+ {member.after}", fg="green"))
    for member in members.changed:
        if member.before != member.after:
            text = f"{member.before} -> {member.after}"
        else:
            text = f"{member.after} ({'declaration' if member.signature_changed else 'body'})"
        echo(indent + style(f"~ {text}", fg="yellow"))


def _print_doubts(doubts: Iterable[AliasDoubt]) -> None:
    for doubt in doubts:
        likely = ", ".join(candidate.new_fqn for candidate in doubt.candidates)
        echo(f"Unclear: what became of {doubt.old_fqn} ({doubt.why}): perhaps {likely}")


def _count(changes: Sequence[TypeChange]) -> str:
    if not changes:
        return "No type changed."
    classes = Counter("Moved" if change.moved else str(change.change_class) for change in changes)
    return f"{count_noun(len(changes), 'type')}: {', '.join(f'{n:,} {name}' for name, n in sorted(classes.items()))}."
