"""Installs, removes and describes the git hooks.

The scripts are always in the git directory. They are started, in this order of preference, by git's own configuration
if git supports that; by a line that the user adds to a hook manager's file; by a link in git's hooks folder.
"""

from __future__ import annotations

import os
import sys
from itertools import product
from typing import TYPE_CHECKING

from codecortex.git.config_file import read_settings, read_version, remove_section, write_settings
from codecortex.git.hooks.files import put_hook, read_hook, remove_folder, remove_hook, restore_hook
from codecortex.git.repository import open_repository
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.hooks.places import (
    HookLocation,
    HookTrace,
    Manager,
    Snippet,
    find_place,
    list_linked,
    list_mentions,
    name_path,
    trace_event,
    write_snippets,
)
from codecortex.store.hook_scripts import (
    EVENTS,
    MERGE_DRIVER,
    SCRIPTS,
    LinkMark,
    before_name,
    read_interpreter,
    recognise_link,
    write_command,
    write_driver_command,
    write_link,
    write_scripts,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from codecortex.git.repository import Repository

_CONFIG_HOOKS = (2, 54)
_DRIVER = "merge.codecortex"
_DRIVER_NAME = "codecortex: semantic notes"
_FALSE = {"false", "no", "off", "0", ""}
_INSTALL = "codecortex hooks install"
_ELSEWHERE = ("", ".legacy", ".old")
"""Suffixes under which other managers keep a hook that they replaced."""


class HookState(NamedTuple):
    """State of the hook for one event.

    Attributes:
        event: Git's name of the event.
        through: What runs our hook; empty if nothing does.
        problem: Why it does not run; empty if it does.
        mend: The next step; empty if there is none.
    """

    event: str
    through: str
    problem: str
    mend: str

    @property
    def runs(self) -> bool:
        """Whether our hook runs."""
        return not self.problem


class HooksStatus(NamedTuple):
    """State of all hooks of a repository.

    Attributes:
        git: Git's version, as numbers.
        manager: Who manages the hooks.
        folder: The folder where git looks for hooks.
        hooks: The state per event, in the order of a commit.
        merge_driver: Whether the merge driver for notes is registered.
        interpreter: The Python that the scripts call; empty if none are installed.
        interpreter_found: Whether it exists.
        switched_off: Whether CODECORTEX=0 disables every hook in this environment.
        snippets: Lines to add to files of other managers.
    """

    git: tuple[int, ...]
    manager: Manager
    folder: Path
    hooks: tuple[HookState, ...]
    merge_driver: bool
    interpreter: str
    interpreter_found: bool
    switched_off: bool
    snippets: tuple[Snippet, ...]


class UninstallResult(NamedTuple):
    """What was removed and restored, links kept because they were edited, and files that still mention the hooks."""

    removed: tuple[str, ...]
    restored: tuple[str, ...]
    edited: tuple[str, ...]
    mentions: tuple[str, ...]


def install(folder: Path) -> HooksStatus:
    """Install the hooks; may be repeated, and replaces nobody else's hooks.

    Raises:
        GitStateError: There is no work tree, or the git directory cannot be written.
        StoreFormatError: This installation of codecortex lacks its hook scripts.
    """
    repository = open_repository(folder)
    place = find_place(repository)
    for name, data in write_scripts(sys.executable).items():
        put_hook(repository.common_dir / SCRIPTS / name, data)
    write_settings(repository, {f"{_DRIVER}.name": _DRIVER_NAME, f"{_DRIVER}.driver": write_driver_command()})
    by_config = read_version(repository) >= _CONFIG_HOOKS
    if by_config:
        for event in EVENTS:
            section = _name_section(event)
            write_settings(
                repository, {f"{section}.command": write_command(event, quiet=False), f"{section}.event": event}
            )
        _unlink(repository, place)
    else:
        _remove_sections(repository, "hook")
        for event in list_linked(place):
            _link(repository, place, event)
    return _describe(repository, place)


def uninstall(folder: Path) -> UninstallResult:
    """Remove exactly what `install` wrote, and restore the hooks that were there before.

    Raises:
        GitStateError: There is no work tree, or the git directory cannot be written.
    """
    repository = open_repository(folder)
    place = find_place(repository)
    removed, restored, edited = _unlink(repository, place)
    removed += _remove_sections(repository, "hook") + _remove_sections(repository, "merge")
    scripts = repository.common_dir / SCRIPTS
    present = [scripts / name for name in (*EVENTS, MERGE_DRIVER) if read_hook(scripts / name) is not None]
    if present and not edited:  # an edited link still calls them
        for path in present:
            remove_hook(path)
        removed.append(name_path(repository.require_root(), scripts))
    remove_folder(scripts)
    remove_folder(scripts.parent)
    root = repository.require_root()
    return UninstallResult(tuple(removed), tuple(restored), tuple(edited), list_mentions(root, place))


def describe(folder: Path) -> HooksStatus:
    """Describe for each hook whether it runs, through what, and how to fix it.

    Raises:
        GitStateError: There is no work tree, or git fails.
    """
    repository = open_repository(folder)
    return _describe(repository, find_place(repository))


def _link(repository: Repository, place: HookLocation, event: str) -> None:
    path = place.folder / event
    link = write_link(event, os.path.relpath(repository.common_dir / SCRIPTS, place.folder).replace(os.sep, "/"))
    mark = _read_mark(path)
    if mark is None and read_hook(path) is not None:
        if not trace_event(repository, place, event).through:  # running it twice would only cost time
            put_hook(path, link, kept_at=path.with_name(before_name(event)))
    elif mark is None or mark.whole:
        put_hook(path, link)


def _unlink(repository: Repository, place: HookLocation) -> tuple[list[str], list[str], list[str]]:
    """Remove our links, even where another manager has moved them, and restore the hooks that were there before.

    Returns: Names of what was removed, what was restored, and links that somebody has edited, which stay.
    """
    removed, restored, edited, root = [], [], [], repository.require_root()
    for folder in dict.fromkeys([place.folder, repository.common_dir / "hooks"]):
        for event, ending in product(EVENTS, _ELSEWHERE):
            path = folder / f"{event}{ending}"
            mark = _read_mark(path)
            if mark is None or mark.event != event:
                continue
            if not mark.whole:
                edited.append(name_path(root, path))
            elif restore_hook(path, folder / before_name(event)):
                restored.append(name_path(root, path))
            else:
                removed.append(name_path(root, path))
    return removed, restored, edited


def _read_mark(path: Path) -> LinkMark | None:
    found = read_hook(path)
    return recognise_link(found.data) if found is not None else None


def _remove_sections(repository: Repository, kind: str) -> list[str]:
    """Remove our sections from this clone's git configuration; return their descriptions."""
    keys = read_settings(repository, rf"^{kind}\.codecortex(-[a-z-]+)?\.", local=True)
    sections = list(dict.fromkeys(key.rpartition(".")[0] for key in keys))
    for section in sections:
        remove_section(repository, section)
    return [f"{section} in git's configuration" for section in sections]


def _name_section(event: str) -> str:
    """The section of a configured hook; its name must not be that of an event."""
    return f"hook.codecortex-{event}"


def _describe(repository: Repository, place: HookLocation) -> HooksStatus:
    git = read_version(repository)
    scripts = repository.common_dir / SCRIPTS
    driver = read_hook(scripts / MERGE_DRIVER)
    interpreter = read_interpreter(driver.data) if driver is not None else ""
    settings = read_settings(repository, r"^(hook\..*|merge\.codecortex\.driver)$")
    states, lines = [], []
    for event in EVENTS:
        trace = _trace_settings(settings, event) if git >= _CONFIG_HOOKS else None
        trace = trace or trace_event(repository, place, event)
        by_us = git >= _CONFIG_HOOKS or event in list_linked(place)
        if not (trace.through or trace.mend or by_us):
            lines.append(event)
        step = trace.mend or (_INSTALL if by_us else f"add the line below to {place.file}")
        states.append(_judge(event, trace, step, installed=read_hook(scripts / event) is not None))
    return HooksStatus(
        git, place.manager, place.folder, tuple(states),
        f"{_DRIVER}.driver" in settings,
        interpreter,
        bool(interpreter) and os.access(interpreter, os.X_OK),
        os.environ.get("CODECORTEX") == "0",
        write_snippets(place, tuple(lines)) if driver is not None else (),
    )  # fmt: skip


def _trace_settings(settings: Mapping[str, str], event: str) -> HookTrace | None:
    """Whether git's configuration runs our hook; None if it does not mention it."""
    section = _name_section(event)
    if settings.get(f"{section}.event") != event or not settings.get(f"{section}.command"):
        return None
    for key in (f"{section}.enabled", f"hook.{event}.enabled"):
        if settings.get(key, "true").lower() in _FALSE:
            return HookTrace("", f"{key} is false", f"git config --unset {key}")
    return HookTrace("git's configuration")


def _judge(event: str, trace: HookTrace, step: str, *, installed: bool) -> HookState:
    if trace.through and (installed or not trace.script):
        return HookState(event, trace.through, "", "")
    if not installed:
        return HookState(event, "", "not installed in this clone", _INSTALL)
    return HookState(event, "", trace.problem, step)
