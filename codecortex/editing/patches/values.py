"""What a patch wants of files, whatever form it has; and what of it does not apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.editing.nearest import Passage

KEPT, GONE, NEW = " ", "-", "+"


class PatchError(ValueError):
    """A text is no patch; the message is a sentence that says which line is wrong, and what was expected there."""


class Row(NamedTuple):
    """A line of a hunk: whether it stays, goes or comes, and its text with its line end, where it has one."""

    sign: str
    text: str


class Hunk(NamedTuple):
    """Lines that follow each other in a file, and what becomes of them.

    Attributes:
        line: The line of the patch that it begins on, from 1.
        rows: The lines, in the order of the patch.
        at: The line of the file that it is said to begin on, from 1; None where nothing is said.
        below: Lines of the file that stand before it, each below the one before.
        at_end: Whether it is at the end of the file.
        chosen: Which is meant of the places that its lines stand in, from 0; None where nobody chose.
    """

    line: int
    rows: tuple[Row, ...]
    at: int | None = None
    below: tuple[str, ...] = ()
    at_end: bool = False
    chosen: int | None = None

    @property
    def before(self) -> list[str]:
        """The lines that have to stand there."""
        return [row.text for row in self.rows if row.sign != NEW]


class Replacement(NamedTuple):
    """A text that has to stand in a file once, and what comes in its place.

    Attributes:
        old: The text.
        new: What comes in its place.
        symbol: The declaration that it has to stand in once; None for the whole file.
        chosen: Which is meant of the places that it stands in, from 0; None where nobody chose.
    """

    old: str
    new: str
    symbol: str | None = None
    chosen: int | None = None


class FilePatch(NamedTuple):
    """What becomes of one file.

    Attributes:
        line: The line of the patch that it begins on, from 1; of a list of replacements the number of the item.
        old: The path of the file as it is, from the top; None for one that is to be made.
        new: Its path afterwards; None for one that is to go.
        hunks: What becomes of its lines.
        replacement: What becomes of a passage; None for nothing.
        executable: Whether its owner may run it afterwards; None as before.
        copied: Whether the old file stays.
        unseen: Whether the file goes whatever it says.
        problem: Why the patch cannot be applied to text: the end of a sentence; empty where it can.
    """

    line: int
    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...] = ()
    replacement: Replacement | None = None
    executable: bool | None = None
    copied: bool = False
    unseen: bool = False
    problem: str = ""

    @property
    def path(self) -> str:
        """The path to speak of."""
        return self.new or self.old or ""


Stage = tuple[FilePatch, ...]
"""Parts that are all made on the same texts; those of the next stage are made on what they lead to."""


class Place(NamedTuple):
    """One of several places that a part of a patch may be about: its line, from 1, and what it says, shortened."""

    line: int
    preview: str


class Failure(NamedTuple):
    """A part of a patch that does not apply.

    Attributes:
        file: The path of the file.
        line: The line of the patch that the part begins on, or the number of the replacement, from 1.
        what: What it is: `hunk`, `replacement` or `file`.
        reason: Why it does not apply, one sentence.
        nearest: The passages of the file that come nearest.
        places: Where it would apply, if it were said which of them is meant; the first of them.
    """

    file: str
    line: int
    what: str
    reason: str
    nearest: tuple[Passage, ...] = ()
    places: tuple[Place, ...] = ()
