"""Runs one git hook and returns its exit code.

A hook never blocks a commit: failures are reported in one line and the commit goes on, unless the repository sets
`hooks.strict`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.git.repository import open_repository
from codecortex.git.worktree.underway import Operation, find_underway
from codecortex.model.errors import CodecortexError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.request import Request
from codecortex.store.paths import CONFIG, FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository

_LOCK_SECONDS = 5.0
_SEEN = "seen"
_STRICT = compile_later(rb"^[^#\r\n]*\bstrict[\"']?\s*:\s*true\b", re.MULTILINE)
_WRITES = compile_later(rb"^[^#\r\n]*\bpostMerge[\"']?\s*:\s*[\"']?write\b", re.MULTILINE)


class _Call(NamedTuple):
    """One call of a hook.

    Attributes:
        repository: Where.
        arguments: What git passes to it.
        say: Called with each line for the user.
        caches: Whether the local cache is read and written.
    """

    repository: Repository
    arguments: Sequence[str]
    say: Callable[[str], None]
    caches: bool


def run_hook(
    folder: Path, name: str, arguments: Sequence[str], say: Callable[[str], None], *, caches: bool = True
) -> int:
    """Run one hook.

    Args:
        folder: The folder where git runs it: the top of the work tree.
        name: Git's name of the hook, such as `pre-commit`.
        arguments: The arguments that git passes to it.
        say: Called with each line for the user.
        caches: Whether the local cache is read and written.

    Returns:
        The exit code: 0; 1 if the hook failed and `hooks.strict` is set; 2 for an unknown hook.
    """
    repository = None
    try:
        run = _find_hook(name)
        repository = open_repository(folder)
        repository.require_root()
        run(_Call(repository, arguments, say, caches))
    except CodecortexError as error:
        say(f"{error.message} {error.hint}".strip())
        if name not in _HOOKS:
            return error.exit_code
    except OSError as error:
        say(f"{error.strerror or error}: {error.filename or folder}")
    except Exception as error:  # noqa: BLE001 - the boundary: a bug of ours must not cost anyone a commit
        say(f"{name} failed ({type(error).__name__}: {error}); `codecortex refresh` mends what it left.")
    else:
        return 0
    return 1 if name == "pre-commit" and repository is not None and _is_set(repository, _STRICT) else 0


def _find_hook(name: str) -> Callable[[_Call], None]:
    if name not in _HOOKS:
        known = ", ".join(each for each in _HOOKS if each != WARM)
        raise UsageError(f"There is no hook {name!r}.", f"It is one of {known}.")
    return _HOOKS[name]


def _is_set(repository: Repository, setting: re.Pattern[bytes]) -> bool:
    """Whether the staged configuration sets an option; matched by pattern, since the file may be invalid."""
    try:
        text = repository.ask("read the configuration", "cat-file", "blob", f":{CONFIG}")
    except CodecortexError:
        return False
    return setting.search(text) is not None


def _run_pre_commit(call: _Call) -> None:
    from codecortex.git.lock import lock_repository
    from codecortex.operations.hooks.commit import commit_generated

    repository, say = call.repository, call.say
    with lock_repository(repository, wait=_LOCK_SECONDS):
        request = Request(repository.require_root(), staged=True, caches=call.caches, warn=say)
        commit_generated(request, repository)
        (repository.local_dir / _SEEN).write_text("1\n", "ascii")  # the script empties it, without `rm`
    if _has_notice(repository):
        from codecortex.operations.hooks.warming import drop_notice, read_notice

        if behind := read_notice(repository):
            say(f"{_count(behind)} of the last commit {_be(behind)} behind; this one mends that.")
            drop_notice(repository)
    _tell_stale_notes(call)


def _tell_stale_notes(call: _Call) -> None:
    """Say how many notes the commit leaves stale; where that cannot be told, the commit is as good without."""
    from codecortex.operations.hooks.stale_notes import count_stale_notes

    try:
        stale = count_stale_notes(call.repository, caches=call.caches)
    except CodecortexError as problem:
        call.say(f"Stale notes are not counted: {problem.message}")
        return
    if stale:
        notes = "1 note does" if stale == 1 else f"{stale:,} notes do"
        call.say(f"{notes} not hold after this commit; `codecortex semantic generate --stale` mends what is stale.")


def _run_post_commit(call: _Call) -> None:
    """Replay the journal onto the real index; warm the cache for a commit that bypassed pre-commit."""
    repository = call.repository
    if (repository.local_dir / "journal").exists():
        from codecortex.git.hooks.journal import replay_journal
        from codecortex.git.lock import lock_repository

        with lock_repository(repository, wait=_LOCK_SECONDS):
            replay_journal(repository, FOLDER)
    seen = repository.local_dir / _SEEN
    if seen.exists() and seen.stat().st_size:
        seen.write_bytes(b"")
    elif not find_underway(repository):
        _start_warming(call)


def _run_post_merge(call: _Call) -> None:
    if not find_underway(call.repository) - {Operation.MERGE}:
        _follow(call)


def _run_post_checkout(call: _Call) -> None:
    if call.arguments[2:3] != ["0"] and not find_underway(call.repository):
        _follow(call)


def _run_post_rewrite(call: _Call) -> None:
    """Handle the end of a rebase, whose state git removes after this hook; an amended commit ran pre-commit."""
    underway = find_underway(call.repository) - {Operation.REBASE, Operation.APPLY}
    if call.arguments[:1] != ["amend"] and not underway:
        _follow(call)


def _follow(call: _Call) -> None:
    """Report the notice about HEAD, write the work tree if so configured, and warm the cache in the background."""
    repository = call.repository
    if _has_notice(repository):
        from codecortex.operations.hooks.warming import read_notice

        if behind := read_notice(repository):
            call.say(f"{_count(behind)} {_be(behind)} behind; run `codecortex refresh`.")
    if _is_set(repository, _WRITES):
        _write_all(call)
    _start_warming(call)


def _start_warming(call: _Call) -> None:
    from codecortex.git.background import start_detached

    start_detached(call.repository, *(() if call.caches else ("--no-cache",)), "hook", WARM)


def _write_all(call: _Call) -> None:
    """Refresh the work tree, unless `.codecortex` has uncommitted changes or a rebase will restore an autostash."""
    repository, say = call.repository, call.say
    if any((repository.git_dir / each / "autostash").exists() for each in (Operation.REBASE, Operation.APPLY)):
        return
    if repository.ask("compare the work tree with HEAD", "status", "--porcelain", "-uall", "--", FOLDER):
        say(f"{FOLDER} has changes that are not committed, so it is left as it is.")
        return
    from codecortex.operations.refresh.refresh import refresh

    done = refresh(Request(repository.require_root(), caches=call.caches, warn=say))
    if changed := len(done.written) + len(done.removed):
        say(f"{_count(changed)} brought up to date in the work tree; commit them.")


def _run_warm(call: _Call) -> None:
    from codecortex.operations.hooks.warming import warm

    warm(call.repository, caches=call.caches)


def _has_notice(repository: Repository) -> bool:
    return (repository.local_dir / "notice").exists()


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _count(files: int) -> str:
    return f"{files:,} generated file{'' if files == 1 else 's'}"


WARM = "warm"
_HOOKS = {
    "pre-commit": _run_pre_commit,
    "post-commit": _run_post_commit,
    "post-merge": _run_post_merge,
    "post-checkout": _run_post_checkout,
    "post-rewrite": _run_post_rewrite,
    WARM: _run_warm,
}
