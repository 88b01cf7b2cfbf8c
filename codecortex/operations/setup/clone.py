"""Probes of a clone: git, the repository's state, hooks, attributes, what killed commands left, clocks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from codecortex.git.config_file import read_version
from codecortex.git.hooks.files import read_hook
from codecortex.git.revisions import read_shallow
from codecortex.git.worktree.stamps import stamp_files
from codecortex.git.worktree.underway import find_underway
from codecortex.git.worktree.writing import is_temporary
from codecortex.operations.hooks.install import describe
from codecortex.operations.sessions.manage import list_all
from codecortex.operations.setup.rows import Row, State
from codecortex.operations.wording import count_noun
from codecortex.store.hook_scripts import SCRIPTS, write_scripts
from codecortex.store.paths import FOLDER, INDEX, PACKS, SEMANTIC

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.git.repository import Repository
    from codecortex.operations.hooks.install import HooksStatus

_LEAST_GIT = (2, 31)
_SOUND_SECONDS = 60
_NOTE = f"{SEMANTIC}/T_00000000.md"
_INSTALL = "codecortex hooks install"


def look_at_git(repository: Repository) -> Iterator[Row]:
    """Git's version."""
    version = read_version(repository)
    told = ".".join(map(str, version))
    if version < _LEAST_GIT:
        yield Row("git", State.PROBLEM, told, f"install git {'.'.join(map(str, _LEAST_GIT))} or newer")
    else:
        yield Row("git", State.OK, told)


def look_at_state(repository: Repository) -> Iterator[Row]:
    """What kind of repository it is, and what is under way in it."""
    kind = "shallow, so that only recent changes are counted" if read_shallow(repository) else ""
    told = f"{repository.folder}{f' ({kind})' if kind else ''}"
    if kind:
        yield Row("repository", State.WARNING, told, "git fetch --unshallow")
    elif repository.root is None:
        yield Row("repository", State.WARNING, f"{told} has no work tree", "run this in a clone with one")
    else:
        yield Row("repository", State.OK, told)
    for each in sorted(find_underway(repository)):
        told = f"{each.name.lower().replace('_', '-')} is under way"
        yield Row("repository", State.WARNING, told, "finish or abort it; `git status` says how")
    for lock in ("index.lock", "HEAD.lock"):
        if (repository.git_dir / lock).exists():
            told = f"{repository.git_dir / lock} is there"
            yield Row("repository", State.WARNING, told, "if no git is at work, a killed one left it: remove it")


def look_at_hooks(repository: Repository) -> Iterator[Row]:
    """Whether each hook runs and is as it was installed, and whether git merges notes by our driver."""
    status = describe(repository.folder)
    off = [each for each in status.hooks if not each.runs]
    if len(off) == len(status.hooks) and not status.interpreter:
        yield Row("hooks", State.WARNING, "not installed in this clone", _INSTALL)
    else:
        yield from (Row("hooks", State.WARNING, f"{each.event}: {each.problem}", each.mend) for each in off)
        yield from _look_at_scripts(repository, status)
        if not off:
            yield Row("hooks", State.OK, f"{count_noun(len(status.hooks), 'hook')} run")
    if status.switched_off:
        yield Row("hooks", State.WARNING, "CODECORTEX=0 is set here: every hook leaves at once", "unset CODECORTEX")
    if status.merge_driver:
        yield Row("merge driver", State.OK, "registered for notes")
    else:
        yield Row("merge driver", State.WARNING, "not registered; git merges notes as text", _INSTALL)


def _look_at_scripts(repository: Repository, status: HooksStatus) -> Iterator[Row]:
    if not status.interpreter_found:
        told = f"{status.interpreter or 'the Python of the hooks'} is gone, which the hooks start"
        yield Row("hooks", State.PROBLEM, told, _INSTALL)
        return
    folder = repository.common_dir / SCRIPTS
    held = {name: read_hook(folder / name) for name in write_scripts(status.interpreter)}
    written = write_scripts(status.interpreter)
    other = [name for name, file in held.items() if file is None or file.data != written[name]]
    if other:
        told = f"{', '.join(other)}: edited, or of another version"
        yield Row("hooks", State.WARNING, told, _INSTALL)


def look_at_attributes(repository: Repository) -> Iterator[Row]:
    """Whether git knows how to merge generated files and notes; asked of git, for any file may say it."""
    told = repository.ask("tell attributes", "check-attr", "-z", "merge", "--", INDEX, _NOTE).split(b"\0")
    values = dict(zip(told[::3], told[2::3], strict=False))
    wrong = [
        f"{path} is merged as {values.get(path.encode(), b'').decode(errors='replace')}, not {wanted}"
        for path, wanted in ((INDEX, "union"), (_NOTE, "codecortex"))
        if values.get(path.encode()) != wanted.encode()
    ]
    if wrong:
        mend = f"restore {FOLDER}/.gitattributes: remove it, then run `codecortex init`"
        yield Row("attributes", State.WARNING, "; ".join(wrong), mend)
    else:
        yield Row("attributes", State.OK, "git merges generated files and notes by their own rules")


def look_at_leftovers(repository: Repository) -> Iterator[Row]:
    """What killed commands left, and sessions that are open."""
    root = repository.require_root()
    left = [
        f"{folder}/{entry}"
        for folder in (FOLDER, SEMANTIC, PACKS)
        if (root / folder).is_dir()
        for entry in sorted(path.name for path in (root / folder).iterdir())
        if is_temporary(entry)
    ]
    if (repository.local_dir / "journal").exists():
        left.append("the journal of a commit that was interrupted")
    if left:
        yield Row("leftovers", State.WARNING, ", ".join(left), "codecortex refresh")
    names = [each.name for each in list_all(repository.folder).sessions]
    told = f"{count_noun(len(names), 'session')} kept: {', '.join(names)}" if names else "no session is kept"
    yield Row("sessions", State.OK, told, "`codecortex session drop NAME` ends one" if names else "")


def look_at_clock(repository: Repository) -> Iterator[Row]:
    """Whether the clock is behind what has been written: then what looks unchanged may not be."""
    now = time.time()
    told = repository.ask("tell the time of commits", "log", "-1", "--format=%ct", "--branches", "--")
    ahead = [("the latest commit of a branch", int(told or b"0"))]
    ahead += [
        ("git's index", stamp[0] // 1_000_000_000)
        for stamp in stamp_files(repository.git_dir, ["index"]).values()
        if stamp[1] >= 0
    ]
    late = [f"{what} is {seconds - now:,.0f} s ahead of the clock" for what, seconds in ahead if _is_late(seconds, now)]
    if late:
        yield Row("clock", State.WARNING, "; ".join(late), "set the clock")
    else:
        yield Row("clock", State.OK, "not behind the latest commit")


def _is_late(seconds: int, now: float) -> bool:
    return seconds - now > _SOUND_SECONDS
