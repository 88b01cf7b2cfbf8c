"""Has git list a work tree while a command still loads what it needs to go on; `listing` then finds the answers."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from codecortex.git.process import Call, abandon_git
from codecortex.git.repository import forget_opened
from codecortex.model.errors import GitStateError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.git.repository import Repository

INDEX = Call("list the index", ("ls-files", "-s", "-t", "-z"))
CHANGES = Call("compare the work tree with the index", ("diff-files", "--raw", "-z", "--ignore-submodules=all"))
HEAD = Call("resolve HEAD", ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), accept=(0, 1, 128))
_BUT_OUTLINES = ("--", ":(top)", ":(top,exclude,glob).codecortex/types/**/*.outline.md")


def leave_out_outlines(call: Call) -> Call:
    """A call about files without the outlines, of which there is one for each type."""
    return call._replace(arguments=(*call.arguments, *_BUT_OUTLINES))


@contextmanager
def head_start(repository: Repository) -> Iterator[None]:
    """Have git list the work tree, for the listing that comes within this context, without untracked files.

    What it cannot begin is left to that listing, which tells why. Nothing is begun where files change all at once right
    now: what a killed process left of it is put right before anything is listed.
    """
    try:
        if repository.root is not None and not repository.is_applying:
            with suppress(GitStateError):
                repository.begin(leave_out_outlines(INDEX), leave_out_outlines(CHANGES), HEAD)
        yield
    finally:
        abandon_git()
        forget_opened()
