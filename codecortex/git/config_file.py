"""Reads git's version and settings, and changes the settings of this clone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.git.process import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.git.repository import Repository


def read_version(repository: Repository) -> tuple[int, ...]:
    """Git's version, as numbers: `git version 2.39.5 (Apple Git-154)` is (2, 39, 5).

    Raises:
        GitStateError: Git cannot be started.
    """
    told = repository.ask("tell its version", "version").decode(errors="replace")
    match = re.search(r"\d+(?:\.\d+)+", told)
    return tuple(map(int, match[0].split("."))) if match else ()


def read_settings(repository: Repository, pattern: str, *, local: bool = False) -> dict[str, str]:
    """The last value of every key that matches, from all configuration files.

    Args:
        repository: The repository.
        pattern: An extended regular expression over keys; sections and names are in lower case.
        local: Whether to read only this clone's own configuration file.

    Raises:
        GitStateError: A configuration file is broken.
    """
    scope = ("--local",) if local else ()
    arguments = ("config", *scope, "--null", "--get-regexp", pattern)
    told = repository.ask_all(Call("read its configuration", arguments, accept=(0, 1)))[0]
    pairs = (record.partition("\n") for record in told.decode("utf-8", "surrogateescape").split("\0") if record)
    return {key: value for key, _, value in pairs}


def write_settings(repository: Repository, settings: Mapping[str, str]) -> None:
    """Set keys in this clone's own configuration file, replacing all their values there.

    Raises:
        GitStateError: The file cannot be written.
    """
    for key, value in settings.items():
        repository.ask("write its configuration", "config", "--local", "--replace-all", key, value)


def remove_section(repository: Repository, section: str) -> None:
    """Remove a section from this clone's own configuration file.

    Raises:
        GitStateError: There is no such section, or the file cannot be written.
    """
    repository.ask("write its configuration", "config", "--local", "--remove-section", section)
