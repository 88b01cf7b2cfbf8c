"""Reads and edits a config.yaml that sets something; needs the YAML parser."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from codecortex.model.config import KEYS, Config, build_config
from codecortex.model.errors import ConfigError
from codecortex.store.committed.requires import check_requires
from codecortex.store.committed.text import decode_text
from codecortex.store.config.pack_config import SECTION, cut_in, cut_out, locate_pack, read_packs
from codecortex.store.config.yaml_nodes import Source, compose, end_of, list_entries, near_key, pairs_of, value_of
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from codecortex.model.packs import PackDefinition
    from codecortex.store.config.yaml_nodes import Node

_BOM = b"\xef\xbb\xbf"


def read_yaml_config(data: bytes, path: str, version: str | None) -> Config:
    """Implements `read_config` for a file that sets something."""
    return build_config(_read_values(Source(path, decode_text(data, path, ConfigError)), version))


def _read_values(source: Source, version: str | None = None) -> dict[str, object]:
    root = compose(source)
    if root is None:
        return {}
    if version is not None:
        for name, key, node in pairs_of(source, root, ""):
            if name == "requires":
                check_requires(build_config({name: _read_value(source, name, key, node)}), version)
    return {name: _read_value(source, name, key, node) for name, key, node in list_entries(source, root)}


def _read_value(source: Source, name: str, key: Node, node: Node) -> object:
    if name == SECTION:
        return read_packs(source, node)
    value = value_of(node)
    rule = KEYS[name].rule
    if not rule.fits(value):
        raise source.error(key, f"{name}: expected {rule.wanted}; found {source.quote(node)}", rule.doc)
    return value


def edit_yaml_config(data: bytes, key: str, value: object) -> bytes:
    """Implements `set_config_value`."""
    if key not in KEYS:
        raise ConfigError(f"unknown key {key}", near_key(key))
    rule = KEYS[key].rule
    if not rule.fits(value):
        raise ConfigError(f"{key}: expected {rule.wanted}; found {json.dumps(value, default=str)}", rule.doc)
    source = Source("config.yaml", decode_text(data, "config.yaml", ConfigError))
    values = _read_values(source)
    text = _splice(source, key, value)
    # YAML can be written in more ways than `_splice` handles: check that the result reads as requested.
    try:
        done = _read_values(Source(source.path, text)) == {**values, key: value}
    except ConfigError:
        done = False
    if not done:
        raise ConfigError(f"cannot set {key} without rewriting the file", f"set it by hand to {_write(value)}")
    return text.encode()


def edit_yaml_pack(data: bytes, pack: PackDefinition | str) -> bytes:
    """Implements `set_pack`, and `drop_pack` for a name."""
    source = Source(CONFIG, decode_text(data, CONFIG, ConfigError))
    values = _read_values(source)
    name = pack if isinstance(pack, str) else pack.name
    known: Any = values.get(SECTION, ())
    packs = {each.name: each for each in known if each.name != name}
    if not isinstance(pack, str):
        packs[name] = pack
    if tuple(sorted(packs.values())) == known:
        return data
    text = cut_out(source, name) if isinstance(pack, str) else cut_in(source, pack)
    try:
        done = _read_values(Source(CONFIG, text)) == {**values, SECTION: tuple(sorted(packs.values()))}
    except ConfigError:
        done = False
    if not done:  # YAML can be written in more ways than these functions handle
        raise ConfigError(f"{CONFIG}: cannot change {SECTION}.{name} without rewriting the file", "change it by hand")
    return (_BOM if data.startswith(_BOM) else b"") + text.encode()


def find_yaml_pack(data: bytes, name: str) -> int:
    """Implements `find_pack_line`."""
    return locate_pack(Source(CONFIG, decode_text(data, CONFIG, ConfigError)), name)


def _splice(source: Source, key: str, value: object) -> str:
    section, _, leaf = key.rpartition(".")
    root = compose(source)
    entries = {} if root is None else {name: (at, node) for name, at, node in pairs_of(source, root, "")}
    if not section:
        return _replace(source.text, *entries[key], value) if key in entries else _append(source, root, key, value)
    if section not in entries:
        return _append(source, root, key, value)
    at, holder = entries[section]
    leaves = {name: (at, node) for name, at, node in pairs_of(source, holder, f"{section}.")}
    if key in leaves:
        return _replace(source.text, *leaves[key], value)
    return _add_to_section(source.text, at, holder, f"{leaf}: {_write(value)}")


def _write(value: object) -> str:
    if isinstance(value, Decimal):
        return f"{value:f}"
    # Printable text in JSON is YAML.
    return json.dumps(value, ensure_ascii=False)


def _line_break(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _append(source: Source, root: Node | None, key: str, value: object) -> str:
    line_break = _line_break(source.text)
    indent = " " * root.start_mark.column if root is not None else ""
    section, _, leaf = key.rpartition(".")
    line = f"{indent}{section}:{line_break}{indent}  {leaf}" if section else f"{indent}{leaf}"
    gap = line_break if source.text and not source.text.endswith("\n") else ""
    return f"{source.text}{gap}{line}: {_write(value)}{line_break}"


def _add_to_section(text: str, key: Node, holder: Node, entry: str) -> str:
    if holder.value and not isinstance(holder.value, str) and not holder.flow_style:
        column, after = holder.start_mark.column, end_of(text, holder)
    else:
        column, after = key.start_mark.column + 2, key.end_mark.index
    line_break = _line_break(text)
    end = text.find(line_break, after)
    end = len(text) if end < 0 else end
    return f"{text[:end]}{line_break}{' ' * column}{entry}{text[end:]}"


def _replace(text: str, key: Node, old: Node, value: object) -> str:
    start: int = old.start_mark.index
    end = end_of(text, old)
    is_block_list = isinstance(old.value, list) and not old.flow_style
    if is_block_list and isinstance(value, tuple) and value:
        between: str = _line_break(text) + " " * old.start_mark.column
        return text[:start] + between.join(f"- {_write(item)}" for item in value) + text[end:]
    if is_block_list or old.value == "":
        # A block list or an empty value may start on a later line: put the new value right after the key.
        start = text.index(":", key.end_mark.index) + 1
        return f"{text[:start]} {_write(value)}{text[end if is_block_list else start :]}"
    return text[:start] + _write(value) + text[end:]
