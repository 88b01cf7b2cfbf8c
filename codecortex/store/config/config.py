"""Reads config.yaml, and changes its packs without touching anything else.

Most repositories keep the defaults, so the YAML parser is loaded only for a file that sets something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.config import Config
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from codecortex.model.packs import PackDefinition
    from codecortex.store.cache.cache import Cache

_BOM = b"\xef\xbb\xbf"
_ACTIVE_LINE = compile_later(rb"(?:^|[\r\n])[ \t]*[^\s#]")


def sets_something(data: bytes) -> bool:
    """Whether the file is more than comments, as `init` writes it."""
    return _ACTIVE_LINE.search(data.removeprefix(_BOM)) is not None


def read_config(data: bytes, path: str, *, version: str | None = None, cache: Cache | None = None) -> Config:
    """Read the settings of a repository.

    Args:
        data: The bytes of config.yaml; empty if there is none.
        path: The file's path, for messages.
        version: The running version. If given, `requires` is checked first, because an unknown key is best explained by
            the version to install.
        cache: Where the running version keeps what the file sets.

    Raises:
        ConfigError: `path:line: ...`, with the nearest valid key or the key's purpose as the hint.
    """
    if not sets_something(data):
        return Config()
    if cache is not None and version is not None:
        from codecortex.store.config.kept_config import read_kept_config

        return read_kept_config(data, path, version, cache)
    from codecortex.store.config.yaml_config import read_yaml_config

    return read_yaml_config(data, path, version)


def set_pack(data: bytes, pack: PackDefinition) -> bytes:
    """The file with one pack added or changed; everything else stays byte for byte.

    Raises:
        ConfigError: The file cannot be read, or its YAML is written in a way that only a person should edit.
    """
    from codecortex.store.config.yaml_config import edit_yaml_pack

    return edit_yaml_pack(data, pack)


def drop_pack(data: bytes, name: str) -> bytes:
    """The file without one pack; raises the same errors as `set_pack`."""
    from codecortex.store.config.yaml_config import edit_yaml_pack

    return edit_yaml_pack(data, name)


def find_pack_line(data: bytes, name: str) -> int:
    """The line, from 1, on which a valid file defines a pack; 1 if it does not."""
    from codecortex.store.config.yaml_config import find_yaml_pack

    return find_yaml_pack(data, name)


def find_key_lines(data: bytes) -> dict[str, int]:
    """The line, from 1, of every key that a valid file sets."""
    if not sets_something(data):
        return {}
    from codecortex.store.config.yaml_config import find_yaml_lines

    return find_yaml_lines(data)
