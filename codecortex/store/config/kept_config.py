"""Remembers what a config.yaml sets: to load a YAML parser and parse takes as long as many an answer."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from codecortex.model.config_keys import KEYS, build_config, list_values
from codecortex.model.packs import PackDefinition
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from codecortex.model.config import Config
    from codecortex.store.cache.cache import Cache

_DECIMAL, _PACKS, _PLAIN = range(3)


def read_kept_config(data: bytes, path: str, version: str, cache: Cache) -> Config:
    """Implements `read_config` for a file that sets something; nothing is kept where it wants no local cache."""
    key = sha256(b"config\0%b\0%b" % (version.encode(), data)).digest()
    values = load_row(cache.get_many([key]).get(key), _unpack)
    if values is not None:
        return build_config(values)
    from codecortex.store.config.yaml_config import read_yaml_config

    config = read_yaml_config(data, path, version)
    if config.cache.enabled:
        cache.put_many([(key, pack_row(_pack(config)))])
    return config


def _pack(config: Config) -> list[tuple[str, int, object]]:
    return [(name, *_pack_value(value)) for name, value in list_values(config).items() if value != KEYS[name].default]


def _pack_value(value: Any) -> tuple[int, object]:
    if isinstance(value, Decimal):
        return _DECIMAL, str(value)
    if isinstance(value, tuple) and value and isinstance(value[0], PackDefinition):
        return _PACKS, [tuple(each) for each in value]
    return _PLAIN, str(value) if isinstance(value, StrEnum) else value


def _unpack(rows: list[tuple[str, int, Any]]) -> dict[str, object]:
    return {name: _unpack_value(form, value) for name, form, value in rows}


def _unpack_value(form: int, value: Any) -> object:
    if form == _DECIMAL:
        return Decimal(value)
    return tuple(PackDefinition(*each) for each in value) if form == _PACKS else value
