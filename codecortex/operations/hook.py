"""The name of a git hook and its arguments in; what that hook does done, and its exit code out.

A hook never stands in the way: whatever goes wrong is told in one line and the commit goes on, unless the repository's
`hooks.strict` says otherwise.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.git.repository import open_repository
from codecortex.model.errors import CodecortexError, UsageError
from codecortex.operations.request import Request
from codecortex.store.paths import CONFIG, FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository

_LOCK_SECONDS = 5.0
_STRICT = re.compile(rb"^[^#\r\n]*\bstrict[\"']?\s*:\s*true\b", re.MULTILINE)


def run_hook(folder: Path, name: str, arguments: Sequence[str], say: Callable[[str], None]) -> int:
    """Run one hook.

    Args:
        folder: Where git runs it: the top of the work tree.
        name: As git names it, such as `pre-commit`.
        arguments: What git passes to it.
        say: Told each line that people should read.

    Returns:
        The exit code: 0, or 1 where the work could not be done and `hooks.strict` is set.
    """
    repository = None
    try:
        run = _find_hook(name)
        repository = open_repository(folder)
        repository.require_root()
        run(repository, arguments, say)
    except CodecortexError as error:
        say(f"{error.message} {error.hint}".strip())
    except OSError as error:
        say(f"{error.strerror or error}: {error.filename or folder}")
    except Exception as error:  # noqa: BLE001 - the boundary: a bug of ours must not cost anyone a commit
        say(f"{name} failed ({type(error).__name__}: {error}); `codecortex refresh` mends what it left.")
    else:
        return 0
    return 1 if name == "pre-commit" and repository is not None and _is_strict(repository) else 0


def _find_hook(name: str) -> Callable[[Repository, Sequence[str], Callable[[str], None]], None]:
    if name not in _HOOKS:
        raise UsageError(f"There is no hook {name!r}.", f"It is one of {', '.join(_HOOKS)}.")
    return _HOOKS[name]


def _is_strict(repository: Repository) -> bool:
    """What the committed configuration says, read without understanding the rest of it, which may be what is wrong."""
    try:
        return _STRICT.search(repository.ask("read the configuration", "cat-file", "blob", f":{CONFIG}")) is not None
    except CodecortexError:
        return False


def _run_pre_commit(repository: Repository, _: Sequence[str], say: Callable[[str], None]) -> None:
    from codecortex.git.staging import list_staged  # noqa: PLC0415 - each hook loads what it needs

    held = list_staged(repository, FOLDER)
    if not held:
        return
    from codecortex.git.lock import hold_lock  # noqa: PLC0415
    from codecortex.operations.committing import commit_generated  # noqa: PLC0415

    with hold_lock(repository.git_dir / "codecortex" / "lock", wait=_LOCK_SECONDS):
        request = Request(repository.require_root(), staged=True, warn=say)
        commit_generated(request, repository, list_staged(repository, FOLDER))


def _run_post_commit(repository: Repository, _: Sequence[str], _say: Callable[[str], None]) -> None:
    if not (repository.git_dir / "codecortex" / "journal").exists():
        return
    from codecortex.git.journal import replay_journal  # noqa: PLC0415
    from codecortex.git.lock import hold_lock  # noqa: PLC0415

    with hold_lock(repository.git_dir / "codecortex" / "lock", wait=_LOCK_SECONDS):
        replay_journal(repository, FOLDER)


_HOOKS = {
    "pre-commit": _run_pre_commit,
    "post-commit": _run_post_commit,
}
