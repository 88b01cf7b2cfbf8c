"""What can happen to a text that is being edited: what was asked for, and what became of its file."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.editing.drafts import Draft
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.editing.values import Mode


class Intent(StrEnum):
    """What a caller takes a whole text to be written for."""

    EITHER = "either"
    CREATE = "create"
    UPDATE = "update"


class Unreadable(NamedTuple):
    """A file that cannot be edited, and why: the end of a sentence about it."""

    reason: str


OnDisk = Draft | Unreadable | None
"""What a file says; None where there is no file."""


class Replace(NamedTuple):
    """Put `new` where `old` stands; `within` is the range, in characters as shown, that is looked at, None for all."""

    old: str
    new: str
    within: tuple[int, int] | None = None


class Select(NamedTuple):
    """Choose a candidate; `new` in place of the replacement that was given before."""

    id: int
    new: str | None = None


class Append(NamedTuple):
    """Add a text at the end."""

    text: str


class Write(NamedTuple):
    """Put a text in place of the whole one."""

    text: str
    intent: Intent = Intent.EITHER


class Put(NamedTuple):
    """Put a text in place of the whole one, character by character; None removes the file."""

    draft: Draft | None


class Undo(NamedTuple):
    """Go back to an earlier text, None being no file; where there is nothing to go back to, `known` is false."""

    to: Draft | None
    known: bool = True


class Redo(NamedTuple):
    """Go forward again to a later text; the same holds."""

    to: Draft | None
    known: bool = True


class Commit(NamedTuple):
    """Write the buffer to its file."""


class SaveAs(NamedTuple):
    """The buffer was written to another path; `failure` says why it was not."""

    path: str
    failure: str = ""


class Discard(NamedTuple):
    """Give up the candidates, or else what differs from the file."""

    disk: OnDisk


class Compare(NamedTuple):
    """Show what differs from the file."""


class BeginRefresh(NamedTuple):
    """Begin to read the file anew."""


class EndRefresh(NamedTuple):
    """The file was read anew."""

    disk: OnDisk


class DiskChange(NamedTuple):
    """The file says something else than it did when it was last read or written.

    Attributes:
        disk: What it says.
        moved_to: Where it is gone, another file that says what it said; empty for none.
    """

    disk: OnDisk
    moved_to: str = ""


class Show(NamedTuple):
    """Show the text and its state; from now on in this mode, where there is one."""

    mode: Mode | None = None


Event = (
    Replace
    | Select
    | Append
    | Write
    | Put
    | Undo
    | Redo
    | Commit
    | SaveAs
    | Discard
    | Compare
    | BeginRefresh
    | EndRefresh
    | DiskChange
    | Show
)
