"""Chooses what of a live context fits in a budget: it is never exceeded, whoever counts.

The text of the file goes before the patches, because whoever does not see it has to read it again. Where it leaves them
too little room, a window around the cursor and the last changes stands for it, with an index of its members.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.context.live.excerpts import choose_members, cut_window, fits
from codecortex.context.live.patches import compare_lines, make_patch, split_lines
from codecortex.context.live.values import NO_FILE, Excerpt, Shown, ShownDiff
from codecortex.context.live.writing import write_markdown
from codecortex.context.ranges import Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from codecortex.context.live.values import FileText, Materials

    Count = Callable[[str], int]

MOST_STEPS, FEWEST_STEPS = 5, 3
MOST_PLANS = 5
_DOCUMENT_SHARE = 0.8
"""Of the room; a file that needs more is shown in part, so that there is room for what was changed."""
_DIFFS_SHARE = 0.35
"""Of the room, where a file is shown in part."""
_MEMBERS_SHARE = 0.3
"""Of the room of a file that is shown in part."""
_MOST_ROUNDS = 8
_NO_ROOM = "No room for its patch: a larger --budget shows it."
_NEAR = 40
"""A change that has more lines than this counts as two places, its beginning and its end."""


def fit_live(materials: Materials, budget: int, count: Count) -> Shown:
    """The live context that fits in a budget.

    Args:
        materials: What there is.
        budget: How many tokens its text may have.
        count: Counts tokens.
    """
    fitting = _Fitting(materials, budget, count)
    live = fitting.fit()
    return _cut(live, count) if live.tokens > budget else live


def _cut(live: Shown, count: Count) -> Shown:
    """The beginning of a text that does not fit even with the least that there is to tell."""
    text = live.text
    while text and count(text) > live.budget:
        text = text[: len(text) // 2]
    return replace(live, text=text, tokens=count(text))


class _Fitting:
    """The parts of one live context, each computed once."""

    def __init__(self, materials: Materials, budget: int, count: Count) -> None:
        self._materials, self._budget, self._count = materials, budget, count
        self._diffs = tuple((step, diff_texts(step.before, step.after)) for step in materials.steps[:MOST_STEPS])
        self._anchor = self._make_anchor()

    def fit(self) -> Shown:
        """The fullest that fits; the barest where nothing does."""
        bare = self._make_bare()
        room = self._budget - bare.tokens
        for attempt in range(_MOST_ROUNDS):
            live = self._measure(self._fill(bare, max(0, room)))
            if live.tokens <= self._budget:
                return live
            room -= (live.tokens - self._budget) << attempt  # headings take their part too, and lines come whole
        return bare

    def _make_bare(self) -> Shown:
        """All that is told whatever the file says: no text, no patch, and less of it in a small budget."""
        excerpt = Excerpt(len(self._lines), whole=False)
        live = Shown(self._materials, excerpt, (), None, (), with_editor=False, budget=self._budget)
        anchor = self._anchor and _leave_out(self._anchor)
        every = tuple((step, _leave_out(diff)) for step, diff in self._diffs)
        plans = self._materials.plans[:MOST_PLANS]
        for steps, hints in ((MOST_STEPS, MOST_PLANS), (FEWEST_STEPS, 1), (1, 0)):
            full = replace(live, steps=every[:steps], anchor=anchor, plans=plans[:hints], with_editor=True)
            measured = self._measure(full)
            if measured.tokens <= self._budget // 2:
                return measured
        return self._measure(live)

    def _fill(self, bare: Shown, room: int) -> Shown:
        text = self._materials.file.text
        if text is None:
            return self._add_diffs(bare, room)[0]
        if fits(text, int(room * _DOCUMENT_SHARE), self._count):
            live = replace(bare, excerpt=Excerpt(len(self._lines), whole=True, pieces=(Piece(1, self._lines),)))
            return self._add_diffs(live, room - self._count(text))[0]
        live, used = self._add_diffs(bare, int(room * _DIFFS_SHARE))
        return replace(live, excerpt=self._cut_excerpt(room - used))

    def _add_diffs(self, live: Shown, room: int) -> tuple[Shown, int]:
        """The same with the patches that there is room for, the newest first, and the tokens of these."""
        used = 0
        shown = []
        for (step, left_out), (_, whole) in zip(live.steps, self._diffs, strict=False):
            fitting = fits(whole.patch or "", room - used, self._count)
            used += self._count(whole.patch or "") if fitting else 0
            shown.append((step, whole if fitting else left_out))
        anchor = live.anchor
        if anchor is not None and self._anchor is not None and fits(self._anchor.patch or "", room - used, self._count):
            anchor = self._anchor
            used += self._count(anchor.patch or "")
        return replace(live, steps=tuple(shown), anchor=anchor), used

    def _cut_excerpt(self, room: int) -> Excerpt:
        places = tuple(self._list_places())
        members = self._materials.members()
        listed = choose_members(members, places, int(room * _MEMBERS_SHARE), self._count)
        room = int(room * (1 - _MEMBERS_SHARE)) if listed else room
        pieces = cut_window(self._lines, places, room, self._count)
        return Excerpt(
            len(self._lines), whole=False, pieces=pieces, members=listed, left_out=len(members) - len(listed)
        )

    def _list_places(self) -> Iterator[int]:
        """The lines that matter: cursor, selections, what the shown versions changed; without any the first line."""
        editor, path = self._materials.editor, self._materials.path
        if editor.cursor is not None and editor.active == path:
            yield editor.cursor.line
        yield from (each.start.line for each in editor.selections if each.file == path)
        oldest = next((step.before.text for step, _ in reversed(self._diffs) if step.before.text is not None), None)
        changes = compare_lines(split_lines(oldest), self._split) if oldest is not None else []
        for change in reversed(changes):
            yield change.new_first + 1
            if change.new_last - change.new_first > _NEAR:
                yield change.new_last
        if not changes and not (editor.active == path and (editor.cursor or editor.selections)):
            yield 1

    def _make_anchor(self) -> ShownDiff | None:
        """The patch since the older version, unless one version alone lies between."""
        anchor = self._materials.anchor
        if anchor is None or anchor.before == self._materials.file == NO_FILE:
            return None
        same = next((step for step, _ in self._diffs if step.before != step.after), None)
        if same is not None and (same.before, same.after) == (anchor.before, self._materials.file):
            return ShownDiff("same", "", note=f"The same as {same.version[:12]} above.")
        return diff_texts(anchor.before, self._materials.file)

    def _measure(self, live: Shown) -> Shown:
        text = write_markdown(live)
        return replace(live, text=text, tokens=self._count(text))

    @cached_property
    def _split(self) -> list[str]:
        return split_lines(self._materials.file.text or "")

    @cached_property
    def _lines(self) -> Sequence[str]:
        return [line.removesuffix("\n") for line in self._split]


def _leave_out(diff: ShownDiff) -> ShownDiff:
    return diff._replace(patch=None, note=_NO_ROOM) if diff.patch else diff


def diff_texts(before: FileText, after: FileText) -> ShownDiff:
    """What lies between two states of a file."""
    if before == after:
        return ShownDiff("same", "")
    if before.reason or after.reason:
        return ShownDiff("binary", None, note=before.reason or after.reason)
    patch = make_patch(before.text or "", after.text or "")
    if before.text is None:
        return ShownDiff("created", *patch)
    if after.text is None:
        return ShownDiff("removed", patch.text)
    note = f"From {before.form} to {after.form}." if before.form != after.form else ""
    return ShownDiff("changed" if patch.text else "form", *patch, note=note)
