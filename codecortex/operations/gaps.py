"""Refuses to go on where files are missing whose types would otherwise count as deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.worktree.disk import UNREADABLE, Problem
from codecortex.model.errors import GitStateError
from codecortex.operations.request import Unread
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.git.listing import Listing

_GAPS = frozenset(map(str, {*UNREADABLE, Problem.MISSING}))
FETCH = "git fetch --refetch --no-filter"
"""Gets what a partial clone lacks; `git backfill` does so too, from git 2.49 on."""


def list_unreadable(listing: Listing) -> tuple[Unread, ...]:
    """The files that are there, or should be, and cannot be read: something else stands for them."""
    return tuple(Unread(path, str(problem)) for path, problem in listing.skipped if problem in UNREADABLE)


def refuse_gaps(unread: Iterable[Unread]) -> None:
    """Refuse to go on without files that this clone lacks or that cannot be read; other reasons pass.

    Raises:
        GitStateError: There are such files.
    """
    gaps = [each for each in unread if each.reason in _GAPS]
    if not gaps:
        return
    path, reason = min(gaps)
    if any(each.reason == Problem.MISSING for each in gaps):
        be = "is" if len(gaps) == 1 else "are"
        told = f"{count_noun(len(gaps), 'file')} {be} not in this clone ({path} first)"
        hint = f"Fetch {'it' if len(gaps) == 1 else 'them'}, as `{FETCH}` does, then run this again."
    else:
        told = f"{count_noun(len(gaps), 'file')} cannot be read ({path} first: {reason})"
        hint = "Make sure that it can be read, then run this again."
    raise GitStateError(f"{told}, so nothing is said of types and nothing is written.", hint)
