"""Has git look at the work tree before `refresh` is loaded, told by the words of the command line alone.

A wrong guess costs some processes of git: what they answer is taken up by who asks for exactly the same.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMAND = "refresh"
_NOT_NOW = ("-h", "--help", "--dry-run", "--rev", "--staged", "--session")


def begin_early(arguments: Sequence[str]) -> AbstractContextManager[None]:
    """Begin what `refresh` will ask of git, if that is the command."""
    if _COMMAND not in arguments or any(each.startswith(_NOT_NOW) for each in arguments):
        return nullcontext()
    folder, rest = Path(), iter(arguments)
    for each in rest:
        if each == "-C":
            folder = Path(next(rest, ""))
        elif each.startswith("-C"):
            folder = Path(each[2:])
        elif not each.startswith("-"):
            if each == _COMMAND:
                return _begin(folder)
            break
    return nullcontext()


def _begin(folder: Path) -> AbstractContextManager[None]:
    from codecortex.git.head_start import head_start_under_lock
    from codecortex.store.paths import GENERATED

    return head_start_under_lock(folder, *GENERATED)
