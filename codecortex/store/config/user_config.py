"""Finds and reads the user's own configuration, and the user's state folder."""

from __future__ import annotations

import os
import stat
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.model.config_keys import USER_RULES
from codecortex.model.errors import ConfigError
from codecortex.store.committed.text import decode_text
from codecortex.store.local.flags import UNWAITING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "codecortex"
_SECTION = "llm"
_MOST_BYTES = 1 << 20


def find_user_config() -> Path:
    """The path of the user's own configuration file, whether or not it exists."""
    return _find_home("XDG_CONFIG_HOME", "APPDATA", ".config") / NAME / "config.yaml"


def find_state_home() -> Path:
    """The folder in which programs keep their state for a user."""
    return _find_home("XDG_STATE_HOME", "LOCALAPPDATA", ".local/state")


def _find_home(variable: str, on_windows: str, below_home: str) -> Path:
    """The folder that an environment variable names, else a folder in the home folder; relative values are ignored."""
    named = os.environ.get(on_windows if sys.platform == "win32" else variable, "")
    if os.path.isabs(named):  # noqa: PTH117 - it may be empty, which a Path cannot be
        return Path(named)
    try:
        return Path.home() / below_home
    except RuntimeError as problem:
        raise ConfigError("Nobody says where your own folder is.", "Set HOME.") from problem


def load_user_config(file: Path) -> Mapping[str, object]:
    """The settings in the user's own file, by dotted key; empty if there is no such file.

    Raises:
        ConfigError: `path:line: ...`; or the file exists and cannot be read.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | UNWAITING)  # people link their own files from elsewhere
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as problem:
        raise ConfigError(f"{file} cannot be read: {problem.strerror}.", "Grant access, or move it away.") from problem
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ConfigError(f"{file} is not a file.", "Put a regular file there, or remove what stands there.")
        data = os.read(descriptor, _MOST_BYTES)
    finally:
        os.close(descriptor)
    return read_user_config(data, str(file))


def read_user_config(data: bytes, path: str) -> Mapping[str, object]:
    """The settings in the text of a user's file, by dotted key.

    Raises:
        ConfigError: `path:line: ...`, with the nearest valid key or the key's purpose as the hint.
    """
    text = decode_text(data, path, ConfigError)
    if all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines()):
        return {}
    from codecortex.store.config.yaml_nodes import Source, compose, pairs_of, value_of

    source = Source(path, text)
    root = compose(source)
    found: dict[str, object] = {}
    for section, at, holder in pairs_of(source, root, "") if root is not None else ():
        if section != _SECTION:
            raise source.error(at, f"unknown key {section}", _name_near(section))
        for name, key, node in pairs_of(source, holder, f"{section}."):
            if name not in USER_RULES:
                raise source.error(key, f"unknown key {name}", _name_near(name))
            if name in found:
                raise source.error(key, f"the key {name} stands twice", "keep one of the two")
            found[name] = value_of(node)
            rule = USER_RULES[name]
            if not rule.fits(found[name]):
                raise source.error(key, f"{name}: expected {rule.wanted}; found {source.quote(node)}", rule.doc)
    return found


def _name_near(name: str) -> str:
    near = get_close_matches(name, USER_RULES, n=1, cutoff=0.7)
    return f"did you mean {near[0]}?" if near else "valid keys: " + ", ".join(USER_RULES)
