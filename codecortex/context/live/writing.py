"""Writes a live context as Markdown, and as JSON values with the exact texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.context.live.excerpts import write_member, write_piece
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.visible import show_line, show_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.context.live.values import Materials, PlanHint, Shown, ShownDiff, Step
    from codecortex.model.editor import EditorState, Position, Span

_SHORT = 12
_ALSO = 5
_LONGEST_TOLD = 300
_TICKS = compile_later("`+")


def write_markdown(live: Shown) -> str:
    """The live context as Markdown, without a line feed at its end."""
    blocks = ["# Live context", *_write_head(live.materials), "## Current document", *_write_document(live)]
    blocks += ["## Recent diffs (newest first)", *(_write_step(*pair) for pair in live.steps)]
    blocks += [] if live.steps else ["None."]
    if live.anchor is not None:
        blocks += ["## Anchor diff", _write_anchor(live, live.anchor)]
    told = "\n".join(write_editor(live.materials.editor)) if live.with_editor else ""
    blocks += ["## Editor state", told] if told else []
    if live.plans:
        blocks += ["## Plan hints", "\n".join(map(_write_plan, live.plans))]
    return "\n\n".join(blocks)


def _write_head(materials: Materials) -> Iterator[str]:
    whose = f"session {materials.session}" if materials.session else "work tree against HEAD"
    made = f" of {materials.time}" if materials.time else ""
    lines = [f"{show_line(materials.path)}: {whose}, version {materials.version[:_SHORT]}{made}"]
    lines += [materials.disk] if materials.disk else []
    if materials.also:
        more = len(materials.also) - _ALSO
        names = ", ".join(map(show_line, materials.also[:_ALSO])) + (f" and {more:,} more" if more > 0 else "")
        lines.append(f"Also changed: {names}")
    yield "\n".join(lines)


def _write_document(live: Shown) -> Iterator[str]:
    materials, excerpt = live.materials, live.excerpt
    if materials.file.text is None:
        yield f"No text: {materials.file.reason}." if materials.file.reason else "There is no such file."
        return
    lines = f"{excerpt.total:,} line" + ("" if excerpt.total == 1 else "s")
    if excerpt.whole:
        ended = "" if materials.file.text.endswith("\n") or not materials.file.text else "; no line feed at the end"
        yield f"All of it: {lines}, {materials.file.form}{ended}."
        yield _fence(materials.file.text, _name_language(materials.path))
        return
    read = f"`codecortex read {show_line(materials.path)}:A-B{materials.more}`"
    yield f"Too long to be shown whole: {lines}, {materials.file.form}. {read} prints others."
    for piece in excerpt.pieces:
        span = f"Lines {piece.first}-{piece.first + len(piece.lines) - 1}:"
        yield f"{span}\n{_fence(write_piece(piece), _name_language(materials.path))}"
    if excerpt.members:
        yield "\n".join(["Members by line:", *(show_line(write_member(each)) for each in excerpt.members)])
    if _name_language(materials.path) and (excerpt.left_out or not excerpt.members):
        more = f"{excerpt.left_out:,} more members" if excerpt.left_out else "its members"
        yield f"`codecortex outline {show_line(materials.path)} --members{materials.more}` lists {more}."


def _write_step(step: Step, diff: ShownDiff) -> str:
    when = f" {step.time}" if step.time else ""
    made = ", ".join(filter(None, (step.op, step.status)))
    mark = "FAILED: " if step.failed else ""
    lines = [f"### {step.version[:_SHORT]}{when}: {mark}{_clip(step.title)}" + (f" ({made})" if made else "")]
    lines += [f"Error: {_clip(step.error)}"] if step.error else []
    return "\n".join([*lines, *_write_diff(diff)])


def _write_anchor(live: Shown, diff: ShownDiff) -> str:
    anchor = live.materials.anchor
    since = f"Since {anchor.version[:_SHORT]}" + (f" of {anchor.time}" if anchor.time else "") if anchor else ""
    told = list(_write_diff(diff)) or ["The file said the same."]
    return "\n".join([since, *told])


def _write_diff(diff: ShownDiff) -> Iterator[str]:
    if diff.first:
        yield f"{diff.kind.capitalize()}, lines {diff.first}-{diff.last}"
    elif diff.kind != "same":
        yield diff.kind.capitalize()
    if diff.note:
        yield diff.note
    if diff.patch:
        yield _fence(f"{diff.patch}\n", "diff")


def write_editor(state: EditorState) -> Iterator[str]:
    """A line for each part of what an editor shows."""
    if state.active:
        yield f"Active: {show_line(state.active)}"
    if state.cursor is not None:
        yield f"Cursor: {write_position(state.cursor)}"
    if state.selections:
        yield f"Selected: {', '.join(f'{show_line(each.file)}:{_write_span(each)}' for each in state.selections)}"
    if state.open:
        yield f"Open: {', '.join(map(show_line, state.open))}"


def _write_span(span: Span) -> str:
    return f"{write_position(span.start)}-{write_position(span.end)}"


def write_position(position: Position) -> str:
    """A line and a column, as a user gives them."""
    return f"{position.line}:{position.column}"


def _write_plan(hint: PlanHint) -> str:
    outcome = f"failed{f': {_clip(hint.error)}' if hint.error else ''}" if hint.failed else "done"
    what = " ".join(filter(None, (hint.op, hint.file)))
    return f"- {hint.version[:_SHORT]}: {_clip(hint.plan)} ({show_line(what)}): {outcome}"


def _clip(text: str) -> str:
    shown = show_line(text)
    return shown if len(shown) <= _LONGEST_TOLD else f"{shown[:_LONGEST_TOLD]}..."


def _fence(text: str, language: str) -> str:
    shown = show_text(text)
    marks = "`" * max(3, 1 + max(map(len, _TICKS.findall(shown)), default=0))
    return f"{marks}{language}\n{shown}{'' if shown.endswith(chr(10)) or not shown else chr(10)}{marks}"


def _name_language(path: str) -> str:
    return "csharp" if path.lower().endswith(".cs") else ""


# -- JSON


def describe_live(live: Shown) -> dict[str, Any]:
    """The live context as JSON values."""
    materials = live.materials
    return {
        "session": materials.session or None,
        "version": materials.version,
        "time": materials.time or None,
        "currentDocument": _describe_document(live),
        "disk": materials.disk or None,
        "alsoChanged": list(materials.also),
        "recentDiffs": [_describe_step(*pair) for pair in live.steps],
        "anchorDiff": _describe_anchor(live),
        "editorState": describe_editor(materials.editor),
        "planHints": [_describe_plan(each) for each in live.plans],
        "budget": live.budget,
        "tokens": live.tokens,
    }


def _describe_document(live: Shown) -> dict[str, Any]:
    excerpt, file = live.excerpt, live.materials.file
    return {
        "file": live.materials.path,
        "exists": bool(file.reason) or file.text is not None,
        "reason": file.reason or None,
        "form": file.form or None,
        "totalLines": excerpt.total,
        "whole": excerpt.whole,
        "text": file.text if excerpt.whole else None,
        "window": [
            {"line": piece.first, "endLine": piece.first + len(piece.lines) - 1, "text": write_piece(piece)}
            for piece in ([] if excerpt.whole else excerpt.pieces)
        ],
        "members": [
            {"line": each.first, "endLine": each.last, "depth": each.depth, "name": each.name}
            for each in excerpt.members
        ],
        "membersLeftOut": excerpt.left_out,
    }


def _describe_step(step: Step, diff: ShownDiff) -> dict[str, Any]:
    return {
        "version": step.version,
        "time": step.time or None,
        "title": step.title,
        "op": step.op or None,
        "status": step.status or None,
        "isError": step.failed,
        "error": step.error or None,
        **_describe_diff(diff),
    }


def _describe_anchor(live: Shown) -> dict[str, Any] | None:
    anchor = live.materials.anchor
    if anchor is None or live.anchor is None:
        return None
    return {"version": anchor.version, "time": anchor.time or None, **_describe_diff(live.anchor)}


def _describe_diff(diff: ShownDiff) -> dict[str, Any]:
    return {
        "kind": diff.kind,
        "patch": diff.patch,
        "affectedLineStart": diff.first or None,
        "affectedLineEnd": diff.last or None,
        "note": diff.note or None,
    }


def describe_editor(state: EditorState) -> dict[str, Any]:
    """The state of an editor as JSON values; lines and columns from 1."""
    return {
        "active": state.active,
        "cursor": state.cursor and list(state.cursor),
        "selections": [
            {"file": each.file, "start": list(each.start), "end": list(each.end)} for each in state.selections
        ],
        "open": list(state.open),
    }


def _describe_plan(hint: PlanHint) -> dict[str, Any]:
    return {
        "version": hint.version,
        "time": hint.time or None,
        "plan": hint.plan,
        "op": hint.op or None,
        "file": hint.file or None,
        "outcome": "failed" if hint.failed else "done",
        "error": hint.error or None,
    }
