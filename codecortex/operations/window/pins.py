"""Pins, unpins and dismisses types in the prompt window, and adds types to its Focus."""

from __future__ import annotations

import re
import time
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from codecortex.context.window import DEFAULT_TTL
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.folder import require_folder
from codecortex.operations.queries.asked import tell_asked
from codecortex.operations.queries.resolve import find_type, list_hits, read_query
from codecortex.operations.window.queues import count_asked
from codecortex.operations.window.state import make_follower, read_state, update_state
from codecortex.operations.window.texts import Texts
from codecortex.operations.wording import write_time
from codecortex.store.local.window_json import WindowMark
from codecortex.symbols.hits import Flag, HitKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.store.local.window_json import WindowState

_TTL = compile_later(r"([1-9][0-9]{0,5})\s*([smhd])", re.IGNORECASE)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_LONGEST = 366 * _SECONDS["d"]
_SHOWN = 60


class Action(StrEnum):
    """What can be done with a type."""

    PIN = "pin"
    UNPIN = "unpin"
    DISMISS = "dismiss"
    ADD = "add"


_TOLD = {
    Action.PIN: ("pinned", "already pinned"),
    Action.UNPIN: ("unpinned", "was not pinned"),
    Action.DISMISS: ("dismissed", "already dismissed"),
    Action.ADD: ("in focus", "in focus"),
}


class MarkResult(NamedTuple):
    """Result of an action on a type.

    Attributes:
        action: The action.
        type_id: TypeId of the type.
        fqn: FQN of the type.
        changed: Whether the action changed anything.
        redirected_from: The old name by which it was found, or empty.
        until: End of the time in the Focus, in seconds since 1970; 0 for other actions.
    """

    action: Action
    type_id: TypeId
    fqn: str
    changed: bool
    redirected_from: str = ""
    until: int = 0

    def as_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        told = {"action": self.action, "id": self.type_id, "fqn": self.fqn, "changed": self.changed}
        old = {"redirectedFrom": self.redirected_from} if self.redirected_from else {}
        return told | old | ({"until": write_time(self.until)} if self.until else {})

    def as_text(self) -> str:
        """The result as one line."""
        end = f" until {write_time(self.until)}" if self.until else ""
        old = f" (was {self.redirected_from})" if self.redirected_from else ""
        return f"{_TOLD[self.action][0 if self.changed else 1]}  {self.fqn} {self.type_id}{end}{old}"


class ContextResult(NamedTuple):
    """The types added to the Focus that have not expired, newest last; or those that were cleared."""

    added: tuple[WindowMark, ...]
    cleared: bool = False

    def as_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        rows = [{"id": mark.id, "fqn": mark.fqn, "until": write_time(mark.number)} for mark in self.added]
        return {"cleared" if self.cleared else "added": rows}

    def as_text(self) -> str:
        """One line per type."""
        if not self.added:
            return "Nothing was added to the Focus."
        if self.cleared:
            return "\n".join(f"taken out  {mark.fqn} {mark.id}" for mark in self.added)
        return "\n".join(f"{mark.fqn} {mark.id} until {write_time(mark.number)}" for mark in self.added)


def pin(workspace: Workspace, symbol: str) -> MarkResult:
    """Pin a type.

    Raises:
        UsageError: The pinned types would exceed their share of the budget.
    """
    found, old = _find_mark(workspace, symbol)
    follow = make_follower(workspace)

    def change(state: WindowState) -> WindowState:
        pinned = {follow(mark): mark for mark in state.pinned}
        if found.id in pinned:
            return state
        _require_room(workspace, [i for i in pinned if i is not None], found)
        return state._replace(
            pinned=(*state.pinned, found),
            dismissed=tuple(mark for mark in state.dismissed if follow(mark) != found.id),
        )

    return MarkResult(Action.PIN, found.id, found.fqn, update_state(workspace, change), old)


def unpin(workspace: Workspace, symbol: str) -> MarkResult:
    """Unpin a type, which may no longer exist."""
    follow, asked = make_follower(workspace), symbol.strip()
    gone = next((m for m in read_state(workspace).pinned if asked in (m.id, m.fqn) and follow(m) is None), None)
    found, old = _find_mark(workspace, symbol) if gone is None else (gone, "")

    def change(state: WindowState) -> WindowState:
        kept = tuple(mark for mark in state.pinned if found.id not in (mark.id, follow(mark)))
        return state._replace(pinned=kept)

    return MarkResult(Action.UNPIN, found.id, found.fqn, update_state(workspace, change), old)


def dismiss(workspace: Workspace, symbol: str) -> MarkResult:
    """Keep a type out of Focus and Recent until it is asked for again."""
    found, old = _find_mark(workspace, symbol)
    follow = make_follower(workspace)
    mark = found._replace(number=count_asked(workspace, follow).get(found.id, 0))

    def change(state: WindowState) -> WindowState:
        added = tuple(each for each in state.added if follow(each) != mark.id)
        if mark in state.dismissed and added == state.added:
            return state
        others = tuple(each for each in state.dismissed if follow(each) != mark.id)
        return state._replace(added=added, dismissed=(*others, mark))

    return MarkResult(Action.DISMISS, found.id, found.fqn, update_state(workspace, change), old)


def add_context(workspace: Workspace, symbol: str, *, ttl: str = DEFAULT_TTL) -> MarkResult:
    """Add a type to the Focus for a time; the time starts again if it is already there.

    Raises:
        UsageError: `ttl` is no duration such as `30m`.
    """
    until = int(time.time()) + read_ttl(ttl)
    found, old = _find_mark(workspace, symbol)
    follow = make_follower(workspace)
    mark = found._replace(number=until)

    def change(state: WindowState) -> WindowState:
        return state._replace(
            added=(*(each for each in state.added if follow(each) != mark.id), mark),
            dismissed=tuple(each for each in state.dismissed if follow(each) != mark.id),
        )

    return MarkResult(Action.ADD, found.id, found.fqn, update_state(workspace, change), old, until)


def clear_context(workspace: Workspace) -> ContextResult:
    """Remove all added types from the Focus."""
    added: list[WindowMark] = []

    def change(state: WindowState) -> WindowState:
        added.extend(state.added)
        return state._replace(added=())

    update_state(workspace, change)
    return ContextResult(tuple(added), cleared=True)


def list_context(workspace: Workspace) -> ContextResult:
    """The types added to the Focus that have not expired."""
    return ContextResult(read_state(workspace).added)


def read_ttl(text: str) -> int:
    """Parse a duration such as `30m` into seconds.

    Raises:
        UsageError: It is no duration, or is longer than 366 days.
    """
    match = _TTL.fullmatch(text.strip())
    seconds = int(match[1]) * _SECONDS[match[2].lower()] if match else 0
    if not 0 < seconds <= _LONGEST:
        raise UsageError(
            f"{text[:_SHOWN]!r} is no time to keep a type in focus.",
            "Give a number and s, m, h or d, such as 30m; at most 366d.",
        )
    return seconds


def _find_mark(workspace: Workspace, symbol: str) -> tuple[WindowMark, str]:
    """The type that a symbol matches, and the old name that led to it; not counted as an access.

    Raises:
        SymbolNotFoundError: It matches none.
        AmbiguousSymbolError: It matches several.
    """
    require_folder(workspace.repository)
    query = read_query(symbol, frozenset({HitKind.TYPE}))
    hits = [hit for hit in list_hits(workspace, query) if Flag.FUZZY not in hit.flags]
    best = [hit for hit in hits if hit.score == hits[0].score]
    if len(best) == 1 and best[0].entry is not None:
        entry, old = best[0].entry, best[0].redirected_from
        tell_asked(workspace, best)
    else:
        entry, old = find_type(workspace, symbol)  # which raises the right error
    return WindowMark(entry.id, entry.fqn), old


def _require_room(workspace: Workspace, pinned: Sequence[TypeId], mark: WindowMark) -> None:
    """Check that a type may be pinned besides others.

    Raises:
        UsageError: The pinned types would exceed their share of the budget.
    """
    window = workspace.tree.config.prompt_window
    texts = Texts(workspace)
    before, own = texts.measure(pinned), texts.measure([mark.id])
    limit = int(window.max_chars * window.pinned_share)
    if before + own > limit:
        raise UsageError(
            f"{mark.fqn} takes {own:,} characters; what is pinned takes {before:,} of the {limit:,} that it may "
            f"({window.pinned_share * 100:.0f} % of promptWindow.maxChars).",
            "Unpin something, or raise promptWindow.maxChars or promptWindow.pinnedShare.",
            chars=own,
            pinnedChars=before,
            limit=limit,
        )
