"""Recovers from a broken or conflicted index.json what a refresh has to keep.

Rows are computed again from the sources and the configuration. Only the layout of the outlines is recorded nowhere
else: every line that contains it counts, whichever side of a conflict it is on.
"""

from __future__ import annotations

from codecortex.model.startup.patterns import compile_later
from codecortex.store.committed.index_json import (
    HASH_VERSION,
    OUTLINE_VERSION,
    SCHEMA_VERSION,
    IndexFile,
    decode_index,
    encode_index,
)
from codecortex.store.committed.text import drop_base
from codecortex.store.paths import Layout

_VERSION = compile_later(r'"(schemaVersion|hashVersion|outlineVersion)":"([0-9]{1,9}(?:\.[0-9]{1,9}){0,3})"')
_LAYOUT = compile_later(rf'"layout":{{"types":"({"|".join(Layout)})"')


def mend_index(data: bytes, path: str) -> IndexFile | None:
    """The layout and versions in a broken index.json, without rows.

    Args:
        data: The file's bytes, with or without conflict markers, complete or not.
        path: The file's path, for messages.

    Returns: None if it contains no layout.

    Raises:
        NewerFormatError: One of the sides was written by a newer codecortex.
    """
    text = drop_base(data.decode("utf-8", "replace"))
    versions: dict[str, str] = {}
    for name, version in _VERSION.findall(text):
        versions[name] = max(versions.get(name, version), version, key=_count)
    layouts = set(_LAYOUT.findall(text))
    kept = IndexFile(
        schema_version=versions.get("schemaVersion", SCHEMA_VERSION),
        hash_version=versions.get("hashVersion", HASH_VERSION),
        outline_version=versions.get("outlineVersion", OUTLINE_VERSION),
        layout=Layout.FAN_OUT if Layout.FAN_OUT in layouts else Layout.FLAT,
    )
    decode_index(encode_index(kept), path)  # raises an error if a version is newer
    return kept if layouts else None


def _count(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]
