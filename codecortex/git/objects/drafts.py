"""Formats commits to be written, and refuses paths that no tree may contain."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codecortex.model.errors import GitStateError
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable

_BAD_NAMES = compile_later(rb"(?:^|/)(?:\.{0,2}|\.git|git~1)(?:/|$)|\0", re.IGNORECASE)
_NO_NAME = str.maketrans("", "", "\0\n<>")


@dataclass(frozen=True, slots=True)
class Signature:
    """Who made a commit, and when: seconds since 1970, and how many minutes their clock is ahead of UTC."""

    name: str
    email: str
    time: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class CommitDraft:
    """A commit to be written.

    Attributes:
        tree: The id of its tree.
        parents: Ids, the first one first.
        message: Its text; a line feed is added where it has none at its end.
        signature: Its author and committer.
    """

    tree: str
    parents: tuple[str, ...]
    message: str
    signature: Signature


def require_paths(paths: Iterable[bytes]) -> None:
    """Refuse what git would never check out.

    Raises:
        GitStateError: One of the paths is none that a tree may hold.
    """
    for path in paths:
        if _BAD_NAMES.search(path):
            raise GitStateError(
                f"Git takes no file of the name {path.decode(errors='replace')!r}.", "Choose another name for it."
            )


def format_commit(draft: CommitDraft) -> bytes:
    """The bytes of a commit, the same for every backend; what cannot stand in a name is left out of it."""
    who = draft.signature
    ahead = abs(who.offset)
    zone = f"{'-' if who.offset < 0 else '+'}{ahead // 60:02}{ahead % 60:02}"
    name, email = (text.translate(_NO_NAME).strip() for text in (who.name, who.email))
    stamp = f"{name or 'unknown'} <{email}> {who.time} {zone}"
    message = draft.message.replace("\0", "").rstrip("\n") + "\n"
    head = [f"tree {draft.tree}", *(f"parent {each}" for each in draft.parents)]
    return "\n".join([*head, f"author {stamp}", f"committer {stamp}", "", message]).encode("utf-8", "replace")
