"""Tells the settings in force, and where each comes from."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from codecortex.git.repository import open_repository
from codecortex.git.worktree.disk import read_file
from codecortex.model.config_keys import KEYS, list_values
from codecortex.model.errors import UsageError
from codecortex.model.packs import PackDefinition
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.generation.providers.settings import read_settings
from codecortex.store.config.config import find_key_lines
from codecortex.store.config.user_config import find_user_config
from codecortex.store.config.yaml_nodes import near_key
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from pathlib import Path

    from codecortex.operations.catalog.workspace import Workspace

_HINT = "Put a regular file there, or remove what stands there."
_LLM = {
    "llm.provider": "provider",
    "llm.baseUrl": "base_url",
    "llm.model": "model",
    "llm.command": "command",
    "llm.exclude": "exclude",
    "llm.maxTokensPerRun": "max_tokens_per_run",
    "llm.maxCostPerRun": "max_cost_per_run",
    "llm.concurrency": "concurrency",
    "llm.priceIn": "price_in",
    "llm.priceOut": "price_out",
}
"""The keys that the user's own file may set too, and the fields of `Settings` that join the two files."""

_WIDEST = 40
"""A longer value pushes its origin to the right, and no other."""


class Setting(NamedTuple):
    """One key.

    Attributes:
        key: Its dotted name.
        value: Its value in force.
        files: The files that set it, as `path:line` or, of the user's own file, as a path; empty for the default.
    """

    key: str
    value: object
    files: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The setting as JSON values."""
        return {"key": self.key, "value": _write_json(self.value), "files": list(self.files)}

    def as_text(self) -> str:
        """The value alone, for a shell; of a list, one item per line."""
        return "\n".join(map(_write_text, self.value)) if isinstance(self.value, tuple) else _write_text(self.value)


class SettingList(NamedTuple):
    """Every key, in the order of the template."""

    settings: tuple[Setting, ...]

    def as_json(self) -> dict[str, Any]:
        """The settings as JSON values."""
        return {"settings": [each.as_json() for each in self.settings]}

    def as_text(self) -> str:
        """Key, value and origin, aligned."""
        rows = [(each.key, _write_text(each.value), ", ".join(each.files) or "default") for each in self.settings]
        key, value = (max(len(row[at]) for row in rows) for at in (0, 1))
        value = min(value, _WIDEST)
        return "\n".join(f"{row[0]:<{key}}  {row[1]:<{value}}  {row[2]}" for row in rows)


class ConfigFiles(NamedTuple):
    """Where the repository's file and the user's own lie, whether or not they exist; no first one without work tree."""

    repository: Path | None
    user: Path

    def as_json(self) -> dict[str, Any]:
        """The paths as JSON values."""
        return {
            "repository": None if self.repository is None else str(self.repository),
            "user": str(self.user),
        }

    def as_text(self) -> str:
        """One path per line."""
        return "\n".join(str(path) for path in self if path is not None)


def find_config_files(folder: Path) -> ConfigFiles:
    """Where the files lie; neither is read."""
    root = open_repository(folder).root
    return ConfigFiles(None if root is None else root / CONFIG, find_user_config())


def list_settings(workspace: Workspace) -> SettingList:
    """Every key with its value in force.

    Raises:
        ConfigError: The repository's file or the user's own cannot be read.
    """
    root = workspace.repository.require_root()
    lines = find_key_lines(read_file(root, CONFIG, _HINT) or b"")
    settings = read_settings(workspace)
    values = list_values(workspace.tree.config)
    own, path = settings.user.values, str(settings.user.path)
    found = []
    for key, value in values.items():
        held = getattr(settings, _LLM[key]) if key in _LLM else value
        files = [f"{CONFIG}:{lines[key]}"] if key in lines and _counts(value, held) else []
        files += [path] if key in own and _counts(own[key], held) else []
        found.append(Setting(key, held, tuple(files)))
    found += [Setting(key, value, (path,)) for key, value in own.items() if key not in KEYS]
    return SettingList(tuple(found))


def _counts(value: object, held: object) -> bool:
    """Whether a file's value is the one in force, or, of a list that both files add to, part of it."""
    if isinstance(value, tuple) and isinstance(held, tuple):
        return set(value) <= set(held)
    return value == held


def get_setting(workspace: Workspace, key: str) -> Setting:
    """One key.

    Raises:
        UsageError: There is no such key.
        ConfigError: As of `list_settings`.
    """
    found = {each.key: each for each in list_settings(workspace).settings}
    if key not in found:
        raise UsageError(f"There is no key {key}.", near_key(key))
    return found[key]


def _write_text(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str() | int() | Decimal():
            return str(value)
        case PackDefinition():
            return value.name
        case tuple():
            return f"[{', '.join(map(_write_text, value))}]"
        case _:
            raise TypeError(value)


def _write_json(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, tuple) and any(isinstance(each, PackDefinition) for each in value):
        return {each.name: {"filter": each.filter, "tokenBudget": each.token_budget} for each in value}
    return list(value) if isinstance(value, tuple) else value
