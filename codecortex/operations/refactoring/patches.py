"""What is to become of files in, one patch out, as git reads it: UTF-8, LF."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from codecortex.context.live.patches import make_patch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.editing.drafts import Draft
    from codecortex.editing.refactoring.edits import FileEdits

_NOTHING = "/dev/null"


def write_patch(files: Iterable[FileEdits]) -> str:
    """A unified diff of all files that change, by path; empty where none does."""
    return "".join(f"{line}\n" for file in sorted(files, key=lambda each: each.path) for line in _write_file(file))


def _show(draft: Draft | None) -> str:
    """A text as it is shown, with the mark before it that git takes for part of its first line."""
    if draft is None:
        return ""
    return BOM_UTF8.decode() + draft.shown if draft.form.mark == BOM_UTF8 else draft.shown


def _write_file(file: FileEdits) -> Iterator[str]:
    after = file.after
    before_text, after_text = map(_show, (file.before, after))
    aligned = not any("\n" in each.text or b"\n" in file.source[each.start : each.end] for each in file.edits)
    hunks = make_patch(before_text, after_text, aligned=aligned).text
    is_made, is_gone = file.before is None, after is None
    if not (hunks or is_made or is_gone or file.moved_to):
        return
    yield f"diff --git a/{file.path} b/{file.target}"
    if is_made:
        yield "new file mode 100644"
    if is_gone:
        yield "deleted file mode 100644"
    if file.moved_to:
        yield from (f"rename from {file.path}", f"rename to {file.target}")
    if hunks:
        yield f"--- {_NOTHING if is_made else f'a/{file.path}'}"
        yield f"+++ {_NOTHING if is_gone else f'b/{file.target}'}"
        yield hunks
