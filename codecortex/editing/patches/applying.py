"""Texts by path and the parts of a patch in; the texts afterwards out, or every part that does not apply.

A hunk applies where its lines stand exactly, byte for byte; where they do not, as text: without regard to line ends,
encoding and byte order mark, which stay as the file has them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from codecortex.editing.drafts import Draft, decode_draft, fold_ends
from codecortex.editing.matching import find_places, shorten
from codecortex.editing.nearest import Passage, find_nearest, name_differences
from codecortex.editing.patches.placing import Lines
from codecortex.editing.patches.values import NEW, Failure, Place
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from codecortex.editing.patches.placing import Miss
    from codecortex.editing.patches.values import FilePatch, Hunk, Replacement, Stage

    Locate = Callable[[str, Draft, str], tuple[int, int] | str]
    """From path, text and symbol to the range of its declaration, in characters as shown, or why there is none."""

_MARK = "\ufeff"
_NAMED = 5
_MOST_PLACES = 20


class Outcome(NamedTuple):
    """The texts afterwards by path, None for no file; and the parts that do not apply, in their order."""

    texts: dict[str, Draft | None]
    failures: tuple[Failure, ...]


def apply_stages(stages: Sequence[Stage], texts: Mapping[str, Draft | None], locate: Locate) -> Outcome:
    """Apply a patch.

    Args:
        stages: The patch.
        texts: The text of each path that it names, None for no file.
        locate: Finds declarations, for replacements in a symbol.
    """
    known = dict(texts)
    failures: list[Failure] = []
    for stage in stages:
        after = dict(known)
        after.update({part.old: None for part in stage if part.old is not None and not part.copied})
        for part in stage:
            found = _apply(part, known, after, locate)
            if isinstance(found, list):
                failures += found
                after.update({path: known.get(path) for path in (part.old, part.new) if path is not None})
            elif part.new is not None:
                after[part.new] = found
        known = after
    return Outcome(known, tuple(failures))


def _apply(
    part: FilePatch, known: Mapping[str, Draft | None], after: Mapping[str, Draft | None], locate: Locate
) -> Draft | list[Failure] | None:
    """What the file says afterwards."""
    reason = _find_obstacle(part, known, after)
    if reason:
        return [Failure(part.path, part.line, "file", reason)]
    before = (known[part.old] if part.old is not None else None) or Draft()
    done: Draft | list[Failure] = before
    if part.replacement is not None:
        done = _replace(part, part.replacement, before, locate)
    elif part.old is None:
        made = _make(part)
        done = made if isinstance(made, Draft) else [made]
    elif part.hunks:
        done = _change(part, before)
    if isinstance(done, list):
        return done
    if part.new is None:
        is_left = done.raw and not part.unseen
        return [Failure(part.path, part.line, "file", "The file says more than is removed.")] if is_left else None
    return done if part.executable in (None, done.executable) else replace(done, executable=bool(part.executable))


def _find_obstacle(part: FilePatch, known: Mapping[str, Draft | None], after: Mapping[str, Draft | None]) -> str:
    """Why a part cannot be applied whatever the file says; empty where it may."""
    if part.problem:
        return f"The file {part.problem}."
    if part.old is not None and known.get(part.old) is None:
        return f"There is no file {part.old}."
    if part.new is not None and after.get(part.new) is not None:
        return f"There is a file {part.new} already."
    return ""


def _make(part: FilePatch) -> Draft | Failure:
    rows = [row for hunk in part.hunks for row in hunk.rows]
    if any(row.sign != NEW for row in rows):
        return Failure(part.path, part.line, "file", "A file that is made has lines that stood there before.")
    return _decode(part, "".join(row.text for row in rows), Draft())


def _change(part: FilePatch, before: Draft) -> Draft | list[Failure]:
    with suppress(UnicodeEncodeError):  # of a text that was never written
        exact = before.encode().decode("utf-8", "surrogateescape")
        lines = Lines(exact, part.hunks)
        changes, misses = lines.place(part.hunks)
        if not misses:
            pieces, done = [], 0
            for start, end, new in lines.list_ranges(changes):
                pieces += [exact[done:start], new]
                done = end
            found = _decode(part, "".join([*pieces, exact[done:]]), before)
            return found if isinstance(found, Draft) else [found]
    hunks = tuple(map(_fold, part.hunks))
    lines = Lines(before.shown, hunks)
    changes, misses = lines.place(hunks)
    if misses:
        return [_tell(part, before, lines, each) for each in misses]
    if any("\ud800" <= sign <= "\udfff" for each in changes for sign in each.new):
        return [Failure(part.path, part.line, "file", "Its new lines are not UTF-8.")]
    return before.splice_all(lines.list_ranges(changes))


def _fold(hunk: Hunk) -> Hunk:
    rows = tuple(row._replace(text=fold_ends(row.text).removeprefix(_MARK)) for row in hunk.rows)
    return hunk._replace(rows=rows)


def _decode(part: FilePatch, text: str, like: Draft) -> Draft | Failure:
    data = text.encode("utf-8", "surrogateescape")
    if data.isascii() and not like.form.mark and like.form.encoding == "cp1252" and b"\0" not in data:
        return replace(like, raw=data.decode("ascii"))
    draft = decode_draft(data)
    if isinstance(draft, str):
        return Failure(part.path, part.line, "file", f"The file {draft} afterwards, so that it would be no text.")
    return replace(draft, executable=like.executable)


def _replace(part: FilePatch, wanted: Replacement, before: Draft, locate: Locate) -> Draft | list[Failure]:
    text, old = before.shown, fold_ends(wanted.old)
    within = (0, len(text)) if wanted.symbol is None else locate(part.path, before, wanted.symbol)
    if isinstance(within, str):
        return [Failure(part.path, part.line, "replacement", within)]
    first, last = within
    places = [first + place for place in find_places(text[first:last], old)]
    meant = places if len(places) == 1 else places[wanted.chosen :][:1] if wanted.chosen is not None else []
    if meant:
        return before.splice(meant[0], meant[0] + len(old), wanted.new)
    if not places:
        near = find_nearest(text, old, within)
        return [Failure(part.path, part.line, "replacement", "No passage matches.", near)]
    lines = [text.count("\n", 0, place) for place in places[:_MOST_PLACES]]
    told = ", ".join(str(line + 1) for line in lines[:_NAMED])
    reason = f"{len(places)} passages match, on line {told}{' and others' if len(places) > _NAMED else ''}."
    return [Failure(part.path, part.line, "replacement", reason, places=_show_places(text.split("\n"), lines))]


def _show_places(texts: Sequence[str], lines: Sequence[int]) -> tuple[Place, ...]:
    return tuple(Place(line + 1, shorten(texts[line].strip())) for line in lines)


def _tell(part: FilePatch, before: Draft, lines: Lines, miss: Miss) -> Failure:
    """What is wrong with a hunk, and what comes nearest: the line that differs where most fits, else what is alike."""
    text = before.shown
    if miss.near is None:
        needle = miss.expected or "".join(miss.hunk.before)
        near = find_nearest(text, needle.strip("\n")) if needle.strip() and not miss.places else ()
        places = _show_places(lines.lines, miss.places[:_MOST_PLACES])
        return Failure(part.path, miss.hunk.line, "hunk", miss.reason, near, places)
    said, expected = lines.lines[miss.near], miss.expected.removesuffix("\n")
    start = sum(map(len, lines.lines[: miss.near]))
    shown = said.removesuffix("\n")
    passage = Passage(start, start + len(shown), miss.near + 1, shorten(shown), name_differences(shown, expected))
    reason = f"{miss.reason} Where most of them stand, line {miss.near + 1} is not {shorten(expected.strip())!r}."
    return Failure(part.path, miss.hunk.line, "hunk", reason, (passage,))
