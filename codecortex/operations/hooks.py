"""A repository in; its hooks put where they run, taken away byte for byte, or described, out.

The scripts lie in the git directory in every case. What runs them is, in this order: git's own configuration where git
knows such hooks; a line in the file of whoever manages the hooks, which is theirs to add; a link in git's hooks folder.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.config_file import read_settings, read_version, remove_section, write_settings
from codecortex.git.hook_files import move_hook, put_hook, read_hook, remove_folder, remove_hook
from codecortex.git.repository import open_repository
from codecortex.operations.hook_places import (
    Manager, Place, Snippet, Trace, find_place, list_linked, list_mentions, trace_event, write_snippets,
)  # fmt: skip
from codecortex.store.hook_scripts import (
    EVENTS, MERGE_DRIVER, SCRIPTS, before_name, read_interpreter, recognise_link, write_command, write_driver_command,
    write_link, write_scripts,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from codecortex.git.repository import Repository

_CONFIG_HOOKS = (2, 54)
_DRIVER = "merge.codecortex"
_DRIVER_NAME = "codecortex: semantic notes"
_INSTALL = "codecortex hooks install"
_ELSEWHERE = ("", ".legacy", ".old")
"""Endings under which other managers keep a hook that they found in their place."""


class HookState(NamedTuple):
    """What happens at one event.

    Attributes:
        event: Git's name of it.
        through: Who runs our hook; empty for nobody.
        problem: Why it does not run; empty where it does.
        mend: The next step; empty where there is none.
    """

    event: str
    through: str
    problem: str
    mend: str

    @property
    def runs(self) -> bool:
        """Whether our hook really runs."""
        return not self.problem


class HooksStatus(NamedTuple):
    """Everything about the hooks of a repository.

    Attributes:
        git: Git's version, as numbers.
        manager: Who owns the hooks.
        folder: Where git looks for them.
        hooks: Each event, in the order in which a commit meets them.
        merge_driver: Whether the merge driver for notes is registered.
        interpreter: The Python that the scripts call; empty where none are installed.
        interpreter_found: Whether it is there.
        switched_off: Whether CODECORTEX=0 makes every hook leave at once, in this environment.
        snippets: What files of other managers still need.
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
    """What was taken away, what stands in its place again, and files that still name the hooks."""

    removed: tuple[str, ...]
    restored: tuple[str, ...]
    edited: tuple[str, ...]
    mentions: tuple[str, ...]


def install(folder: Path) -> HooksStatus:
    """Put the hooks where they will run; safe to repeat, and nothing of anybody else's is replaced.

    Raises:
        GitStateError: There is no work tree, or the git directory cannot be written.
        StoreFormatError: This installation has lost its hooks.
    """
    repository = open_repository(folder)
    place = find_place(repository)
    for name, data in write_scripts(sys.executable).items():
        put_hook(repository.common_dir / SCRIPTS / name, data)
    write_settings(repository, {f"{_DRIVER}.name": _DRIVER_NAME, f"{_DRIVER}.driver": write_driver_command()})
    by_config = read_version(repository) >= _CONFIG_HOOKS
    wanted = () if by_config else list_linked(place)
    _unlink(repository, place, tuple(event for event in EVENTS if event not in wanted))
    if by_config:
        for event in EVENTS:
            section = f"hook.{_name_hook(event)}"
            write_settings(repository, {f"{section}.command": write_command(event, quiet=False), f"{section}.event": event})
    else:
        _remove_sections(repository, "hook")
    for event in wanted:
        _link(repository, place, event)
    return _describe(repository, place)


def uninstall(folder: Path) -> UninstallResult:
    """Take away exactly what `install` put there; what stood in its place stands there again as it was.

    Raises:
        GitStateError: There is no work tree, or the git directory cannot be written.
    """
    repository = open_repository(folder)
    place = find_place(repository)
    removed, restored, edited = _unlink(repository, place, EVENTS)
    removed += _remove_sections(repository, "hook") + _remove_sections(repository, "merge")
    scripts = repository.common_dir / SCRIPTS
    for name in (*EVENTS, MERGE_DRIVER):
        if read_hook(scripts / name) is not None and not edited:
            remove_hook(scripts / name)
            removed.append(f"{SCRIPTS}/{name} in the git directory")
    remove_folder(scripts)
    remove_folder(scripts.parent)
    return UninstallResult(
        tuple(removed), tuple(restored), tuple(edited), list_mentions(repository.require_root(), place)
    )


def describe(folder: Path) -> HooksStatus:
    """Say of each hook whether it runs, through whom, and how to mend it.

    Raises:
        GitStateError: There is no work tree, or git cannot tell.
    """
    repository = open_repository(folder)
    return _describe(repository, find_place(repository))


def _link(repository: Repository, place: Place, event: str) -> None:
    path = place.folder / event
    found = read_hook(path)
    link = write_link(event, os.path.relpath(repository.common_dir / SCRIPTS, place.folder).replace(os.sep, "/"))
    mark = recognise_link(found.data) if found is not None else None
    if found is not None and mark is None:
        if trace_event(repository, place, event).through:
            return  # by whatever way: a second one would only cost time
        move_hook(path, path.with_name(before_name(event)))
    if mark is None or mark.whole:
        put_hook(path, link)


def _unlink(repository: Repository, place: Place, events: tuple[str, ...]) -> tuple[list[str], list[str], list[str]]:
    """Take links away, wherever another manager has put them, and put back what stood there before."""
    removed, restored, edited = [], [], []
    for path in _list_links(repository, place, events):
        event = path.name.partition(".")[0]
        found = read_hook(path)
        mark = recognise_link(found.data) if found is not None else None
        if mark is None or mark.event != event:
            continue
        if not mark.whole:
            edited.append(str(path))
            continue
        before = path.with_name(before_name(event))
        if os.path.lexists(before):
            before.replace(path)
            restored.append(str(path))
        else:
            remove_hook(path)
            removed.append(str(path))
    return removed, restored, edited


def _list_links(repository: Repository, place: Place, events: tuple[str, ...]) -> Iterator[Path]:
    folders = dict.fromkeys([place.folder, repository.common_dir / "hooks"])
    return (folder / f"{event}{ending}" for folder in folders for event in events for ending in _ELSEWHERE)


def _remove_sections(repository: Repository, kind: str) -> list[str]:
    """Take our sections out of this clone's configuration."""
    keys = read_settings(repository, rf"^{kind}\.codecortex(-[a-z-]+)?\.", local=True)
    sections = list(dict.fromkeys(key.rpartition(".")[0] for key in keys))
    for section in sections:
        remove_section(repository, section)
    return [f"{section} in git's configuration" for section in sections]


def _name_hook(event: str) -> str:
    """The name of a configured hook, which may not be that of an event."""
    return f"codecortex-{event}"


def _describe(repository: Repository, place: Place) -> HooksStatus:
    git = read_version(repository)
    scripts = repository.common_dir / SCRIPTS
    driver = read_hook(scripts / MERGE_DRIVER)
    interpreter = read_interpreter(driver.data) if driver is not None else ""
    settings = read_settings(repository, rf"^(hook\..*|{_DRIVER.replace('.', '[.]')}\.driver)$")
    states = []
    for event in EVENTS:
        trace = _trace_settings(settings, event) if git >= _CONFIG_HOOKS else None
        trace = trace or trace_event(repository, place, event)
        states.append(_judge(event, trace, place, installed=read_hook(scripts / event) is not None))
    missing = tuple(state.event for state in states if not state.through and git < _CONFIG_HOOKS)
    lines = tuple(event for event in missing if event not in list_linked(place))
    return HooksStatus(
        git, place.manager, place.folder, tuple(states),
        f"{_DRIVER}.driver" in settings,
        interpreter,
        bool(interpreter) and os.access(interpreter, os.X_OK),
        os.environ.get("CODECORTEX") == "0",
        write_snippets(place, lines) if interpreter else (),
    )  # fmt: skip


def _trace_settings(settings: dict[str, str], event: str) -> Trace | None:
    """Whether git's configuration runs our hook; None where it says nothing of it."""
    section = f"hook.{_name_hook(event)}"
    if settings.get(f"{section}.event") != event or not settings.get(f"{section}.command"):
        return None
    off = next((key for key in (f"{section}.enabled", f"hook.{event}.enabled") if _is_off(settings.get(key))), None)
    return Trace("git's configuration") if off is None else Trace("", f"{off} is false")


def _is_off(value: str | None) -> bool:
    return value is not None and value.lower() in {"false", "no", "off", "0", ""}


def _judge(event: str, trace: Trace, place: Place, *, installed: bool) -> HookState:
    if trace.through and (installed or not trace.script):
        return HookState(event, trace.through, "", "")
    if trace.through or not installed:
        return HookState(event, "", "its script is not installed in this clone", _INSTALL)
    if "is false" in trace.problem:
        return HookState(event, "", trace.problem, f"git config --unset {trace.problem.partition(' ')[0]}")
    if event in list_linked(place):
        return HookState(event, "", trace.problem, _INSTALL)
    return HookState(event, "", trace.problem, f"add its line to {place.file or place.folder}")
