"""What a live context is made from, and what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.context.ranges import Piece
    from codecortex.model.editor import EditorState


class FileText(NamedTuple):
    """What a file says at one version.

    Attributes:
        text: With a line feed for each line end; None where there is no text.
        reason: Why there is none; empty where there is no file.
        form: Encoding and line ends.
    """

    text: str | None = None
    reason: str = ""
    form: str = ""


NO_FILE = FileText()


class Step(NamedTuple):
    """One version of a session, as far as it is about one file.

    Attributes:
        version: Its id.
        time: When it was made; empty for what lies on disk.
        title: What happened, for people.
        op: What made it.
        status: What that came to; empty where nobody said.
        error: Why it failed, else empty.
        failed: Whether it failed.
        before: The file before.
        after: The file after.
    """

    version: str
    time: str
    title: str
    op: str
    status: str
    error: str
    failed: bool
    before: FileText
    after: FileText


class Anchor(NamedTuple):
    """An older version to compare with: its id, when it was made, and the file then."""

    version: str
    time: str
    before: FileText


class PlanHint(NamedTuple):
    """What was planned, and what became of it."""

    version: str
    time: str
    plan: str
    op: str
    file: str
    failed: bool
    error: str


class MemberLine(NamedTuple):
    """A type or member of a source: its lines, how deep it is nested, and how it is called."""

    first: int
    last: int
    depth: int
    name: str


class Materials(NamedTuple):
    """All that a live context may show.

    Attributes:
        session: The session; empty for the work tree against HEAD.
        version: Id of the version that is shown.
        time: When that was made; empty for what lies on disk.
        path: The file.
        file: What it says.
        disk: How the file on disk differs from that, in words; empty where it does not.
        also: Other files that differ from the oldest version.
        steps: What happened to the file, the newest first.
        anchor: The older version; None where there is none.
        editor: The state of the editor.
        plans: What was planned, the newest first.
        members: Lists the types and members of the file; asked only where not all of it fits.
        more: What to ask for more with: options that name the same tree.
    """

    session: str
    version: str
    time: str
    path: str
    file: FileText
    disk: str
    also: tuple[str, ...]
    steps: tuple[Step, ...]
    anchor: Anchor | None
    editor: EditorState
    plans: tuple[PlanHint, ...]
    members: Callable[[], Sequence[MemberLine]]
    more: str = ""


class Excerpt(NamedTuple):
    """What is shown of a file.

    Attributes:
        total: How many lines the file has.
        whole: Whether all of it is shown.
        pieces: Its lines, in their order; of a whole file one piece, exactly.
        members: Its types and members, where not all of it is shown.
        left_out: How many types and members are not listed for want of room.
    """

    total: int
    whole: bool
    pieces: tuple[Piece, ...] = ()
    members: tuple[MemberLine, ...] = ()
    left_out: int = 0


class ShownDiff(NamedTuple):
    """A patch, or what it would say.

    Attributes:
        kind: `changed`, `created`, `removed`, `form` (other encoding or line ends), `same`, or `binary`.
        patch: The hunks of a unified diff; None where there is no room for them, or no text.
        first: The first affected line after it; 0 for none.
        last: The last one.
        note: What the patch does not say, for people.
    """

    kind: str
    patch: str | None
    first: int = 0
    last: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What of it is shown.

    Attributes:
        materials: What there is.
        excerpt: What is shown of the file.
        steps: What happened to it, the newest first, each with its patch.
        anchor: The patch since the older version; None where there is none.
        plans: What was planned, the newest first.
        with_editor: Whether there is room for the state of the editor.
        budget: How many tokens the text may have.
        tokens: How many it has.
        text: The whole as Markdown, without a line feed at its end.
    """

    materials: Materials
    excerpt: Excerpt
    steps: tuple[tuple[Step, ShownDiff], ...]
    anchor: ShownDiff | None
    plans: tuple[PlanHint, ...]
    with_editor: bool
    budget: int
    tokens: int = 0
    text: str = ""
