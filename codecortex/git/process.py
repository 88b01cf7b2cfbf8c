"""Runs git: the only place that starts the git binary.

No shell, no questions on the terminal, no network, and stderr in English, so that messages can be recognised.
"""

from __future__ import annotations

import errno
import os
import subprocess
from contextlib import ExitStack
from typing import TYPE_CHECKING

from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.work import DONE, Work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# A replace ref would give other bytes under the same id; a lazy fetch would make run time depend on the machine.
_ALWAYS = {
    "LC_ALL": "C",
    **dict.fromkeys((f"GIT_{kind}_PATHSPECS" for kind in ("LITERAL", "GLOB", "NOGLOB", "ICASE")), "0"),
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
}
# A repository may name a program here, which git would run to learn what has changed.
_SETTINGS = ("-c", "core.fsmonitor=false")
_TOO_MANY = frozenset({errno.EMFILE, errno.ENFILE})
_REBUILD = "Move .git/index away and run `git reset` to rebuild it."
_ROOM = "Make room or grant access, then run this again."
_HINTS = (
    ("dubious ownership", "If you trust it: git config --global --add safe.directory <its path>"),
    ("not a git repository", "Run this inside a repository, or `git init` one."),
    ("index file corrupt", _REBUILD),
    ("index file smaller", _REBUILD),
    ("not a tree object", "Is that commit in this clone? A shallow one may need `git fetch --unshallow`."),
    (".lock': File exists", "If no other git is at work, a killed one left that file: remove it."),
    ("No space left on device", _ROOM),
    ("Disk quota exceeded", _ROOM),
    ("File too large", _ROOM),
    ("couldn't write", _ROOM),
    ("could not fetch", "This partial clone lacks those objects: run `git fetch` first."),
)
_LAST_HINT = "`git fsck` tells whether the repository is damaged."

_begun: dict[object, subprocess.Popen[bytes]] = {}  # calls that run already, by what they are asked for


class Call(NamedTuple):
    """One git command to run.

    Attributes:
        purpose: Completes "Git could not ...".
        arguments: The arguments after `git`.
        stdin: Bytes for its stdin.
        accept: Exit codes that are not failures.
    """

    purpose: str
    arguments: tuple[str, ...]
    stdin: bytes = b""
    accept: tuple[int, ...] = (0,)

    def narrow(self, paths: Sequence[bytes]) -> Call:
        """The same about these paths alone, from the top of the work tree, if there are any."""
        named = [f":(top,literal){os.fsdecode(path)}" for path in paths]
        return self._replace(arguments=(*self.arguments, "--", *named)) if named else self


def start_git(
    folder: Path, arguments: tuple[str, ...], variables: Mapping[str, str], *, stderr: int = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """Start git in `folder` with piped stdin and stdout; the caller waits for it.

    Raises:
        GitStateError: Git cannot be started.
    """
    DONE[Work.PROCESSES] += 1
    try:
        return subprocess.Popen(  # noqa: S603 - a list of arguments, no shell
            ["git", *_SETTINGS, *arguments],  # noqa: S607 - the user's git is the one on PATH
            cwd=folder,
            env={**os.environ, **variables, **_ALWAYS},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
    except OSError as error:
        hint = "Install git 2.31 or newer and put it on PATH."
        if error.errno in _TOO_MANY:
            hint = "Close other programs, or raise the limit of open files (`ulimit -n`)."
        elif error.errno != errno.ENOENT:
            hint = "Grant access, or make room for another process, then run this again."
        raise GitStateError(f"Git cannot be started in {folder}: {error.strerror}.", hint) from error


def run_git(folder: Path, calls: tuple[Call, ...], variables: Mapping[str, str]) -> list[bytes]:
    """Run the calls concurrently and return the stdout of each, in order.

    Raises:
        GitStateError: Git cannot be started, or one call ended with an exit code it does not accept.
    """
    with ExitStack() as stack:
        running = [stack.enter_context(_take_up(folder, call, variables)) for call in calls]
        outputs = [process.communicate(call.stdin) for process, call in zip(running, calls, strict=True)]
    for call, process, (_, complaint) in zip(calls, running, outputs, strict=True):
        if process.returncode not in call.accept:
            raise _explain(call.purpose, complaint)
    return [output for output, _ in outputs]


def begin_git(folder: Path, calls: tuple[Call, ...], variables: Mapping[str, str]) -> None:
    """Start calls that `run_git` will soon be asked for; it takes each up once.

    Raises:
        GitStateError: Git cannot be started.
    """
    for call in calls:
        _begun[_name(folder, call, variables)] = start_git(folder, call.arguments, variables)


def drop_git(folder: Path, call: Call, variables: Mapping[str, str]) -> None:
    """End a call that was begun and that nobody needs."""
    name = _name(folder, call, variables)
    if name in _begun:
        _end(_begun.pop(name))


def abandon_git() -> None:
    """End what was begun and is not taken up."""
    while _begun:
        _end(_begun.popitem()[1])


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


def _take_up(folder: Path, call: Call, variables: Mapping[str, str]) -> subprocess.Popen[bytes]:
    begun = _begun.pop(_name(folder, call, variables), None) if _begun else None
    return start_git(folder, call.arguments, variables) if begun is None else begun


def _name(folder: Path, call: Call, variables: Mapping[str, str]) -> object:
    """What a begun call is found by, in the process that began it alone."""
    return os.getpid(), folder, call, tuple(variables.items())


def _explain(purpose: str, complaint: bytes) -> GitStateError:
    text = complaint.decode(errors="replace").strip()
    fatal = [line for line in text.splitlines() if line.startswith(("fatal: ", "error: "))]
    reason = fatal[-1].partition(": ")[2] if fatal else text or "it gave no reason"
    hint = next((hint for needle, hint in _HINTS if needle in text), _LAST_HINT)
    return GitStateError(f"Git could not {purpose}: {reason.rstrip('.')}.", hint)
