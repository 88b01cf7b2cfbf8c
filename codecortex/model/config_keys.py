"""Every key of config.yaml by its dotted name, and a configuration made of values by key."""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.model.config import Config
from codecortex.model.rules import (
    Rule,
    hosts,
    switch,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Key(NamedTuple):
    """One key of config.yaml.

    Attributes:
        default: Its value where the file does not set it: bool, int, Decimal, str, None or a tuple of str.
        rule: Which other values are allowed.
    """

    default: object
    rule: Rule


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(map(str.capitalize, tail))


def _list_keys(owner: type[Any], prefix: str) -> Iterator[tuple[str, Key]]:
    for entry in fields(owner):
        name = prefix + _camel(entry.name)
        if "rule" in entry.metadata:
            yield name, Key(entry.default, entry.metadata["rule"])
        else:
            yield from _list_keys(type(entry.default), f"{name}.")


def list_values(config: Config) -> dict[str, object]:
    """The value of every key, by its dotted name."""
    return dict(_list_values(config, ""))


def _list_values(holder: Any, prefix: str) -> Iterator[tuple[str, object]]:
    for entry in fields(holder):
        name, value = prefix + _camel(entry.name), getattr(holder, entry.name)
        if "rule" in entry.metadata:
            yield name, value
        else:
            yield from _list_values(value, f"{name}.")


KEYS: Mapping[str, Key] = MappingProxyType(dict(_list_keys(Config, "")))
"""Every key of config.yaml by its dotted name, in the order of the template."""


USER_RULES: Mapping[str, Rule] = MappingProxyType(
    {name: key.rule for name, key in KEYS.items() if name.startswith("llm.")}
    | {
        "llm.hosts": hosts("Hosts that may be sent sources and the key.")["rule"],
        "llm.keyVariable": text(
            r"[A-Za-z_][A-Za-z0-9_]{0,99}", "the name of an environment variable", "Where the key stands."
        )["rule"],
        "llm.keyring": switch("Whether the key is looked for in the system's keyring too.")["rule"],
    }
)
"""What the user's own configuration may set: all of `llm.*`, and keys that a repository must not set."""


def build_config(values: Mapping[str, object]) -> Config:
    """The defaults with some keys set.

    Args:
        values: Dotted key to a value that fits the key's rule.
    """
    config: Config = _build(Config, "", values)
    return config


def _build(owner: type[Any], prefix: str, values: Mapping[str, object]) -> Any:
    arguments: dict[str, object] = {}
    for entry in fields(owner):
        name = prefix + _camel(entry.name)
        if "rule" not in entry.metadata:
            arguments[entry.name] = _build(type(entry.default), f"{name}.", values)
        elif name in values:
            value = values[name]
            arguments[entry.name] = type(entry.default)(str(value)) if isinstance(entry.default, StrEnum) else value
    return owner(**arguments)


_APART = frozenset(
    {
        "requires",
        "references",
        "hooks",
        "check",
        "prompt_window",
        "tokens",
        "context",
        "edit",
        "llm",
        "metrics",
        "packs",
    }
)


def describe_sources_part(config: Config) -> str:
    """A text of the settings that outlines and the index depend on; changing any other setting needs no new reading."""
    return repr([(each.name, getattr(config, each.name)) for each in fields(config) if each.name not in _APART])
