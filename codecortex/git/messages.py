"""A repository and a tip in; the messages of its commits, each with the C# files that it touched, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.paths import encode_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.git.repository import Repository

_FORMAT = "%x01%H%x00%ct%x00%B%x00"


class Message(NamedTuple):
    """One commit.

    Attributes:
        id: Its full id.
        time: When it was committed, in seconds since 1970.
        text: Its whole message; bytes that are not text are shown as U+FFFD.
        paths: The C# files that it touched.
    """

    id: str
    time: int
    text: str
    paths: tuple[str, ...]


def list_messages(repository: Repository, tip: str, since: str | None = None) -> Iterator[Message]:
    """Yield the commits, merges left out, that a tip reaches and another one does not, with their messages.

    Raises:
        GitStateError: Git cannot read the history.
    """
    output = repository.ask(
        "read the history",
        *("log", f"--format={_FORMAT}", "-z", "--name-only", "--no-renames", "--no-merges", "--full-history"),
        *("--root", "--no-color", "--no-ext-diff", "--no-show-signature", "--encoding=UTF-8"),
        *(tip, *(["^" + since] if since else []), "--", ":(top,icase)*.cs"),
    )
    for record in output.split(b"\x01")[1:]:
        name, time, text, *paths = record.split(b"\0")
        if time.isdigit():
            touched = (encode_path(each) for path in paths if (each := path.lstrip(b"\n")))
            yield Message(name.decode(), int(time), text.decode(errors="replace"), tuple(touched))
