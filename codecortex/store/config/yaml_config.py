"""Reads and edits a config.yaml that sets something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.config_keys import KEYS, build_config
from codecortex.model.errors import ConfigError
from codecortex.store.committed.requires import check_requires
from codecortex.store.committed.text import decode_text
from codecortex.store.config.pack_config import SECTION, cut_in, cut_out, locate_pack, read_packs
from codecortex.store.config.yaml_nodes import Source, compose, list_entries, pairs_of, value_of
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from codecortex.model.config import Config
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


def find_yaml_lines(data: bytes) -> dict[str, int]:
    """Implements `find_key_lines` for a file that sets something."""
    source = Source(CONFIG, decode_text(data, CONFIG, ConfigError))
    root = compose(source)
    return {} if root is None else {name: key.start_mark.line + 1 for name, key, _ in list_entries(source, root)}
