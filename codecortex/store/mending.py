"""Bytes of an index.json that a merge has left broken in; what a refresh has to keep of it out.

Rows of projects and types are read anew from the sources. What is written nowhere else is the packs and how outlines
are spread over folders: every line that holds such a thing counts, whichever side of a conflict it stands on.
"""

from __future__ import annotations

import json
import re
from typing import Any

from codecortex.store.index_json import (
    HASH_VERSION,
    OUTLINE_VERSION,
    SCHEMA_VERSION,
    IndexFile,
    PackRow,
    decode_index,
    encode_index,
)
from codecortex.store.paths import Layout
from codecortex.store.text import drop_base

_VERSION = re.compile(r'"(schemaVersion|hashVersion|outlineVersion)":"([0-9]{1,9}(?:\.[0-9]{1,9}){0,3})"')
_LAYOUT = re.compile(rf'"layout":{{"types":"({"|".join(Layout)})"')


def mend_index(data: bytes, path: str) -> IndexFile | None:
    """What of a broken index.json is to be kept: its packs, its layout and its versions; no projects and no types.

    Args:
        data: The file's bytes, with conflict markers or without, whole or not.
        path: Where it stands, for messages.

    Returns: None where nothing in it is to be kept.

    Raises:
        NewerFormatError: One of the sides was written by a newer codecortex.
    """
    text = drop_base(data.decode("utf-8", "replace"))
    versions: dict[str, str] = {}
    for name, version in _VERSION.findall(text):
        versions[name] = max(versions.get(name, version), version, key=_count)
    packs: dict[str, PackRow] = {}
    for name, pack in filter(None, map(_read_pack_line, text.split("\n"))):
        packs[name] = max(packs.get(name, pack), pack)
    layouts = set(_LAYOUT.findall(text))
    kept = IndexFile(
        schema_version=versions.get("schemaVersion", SCHEMA_VERSION),
        hash_version=versions.get("hashVersion", HASH_VERSION),
        outline_version=versions.get("outlineVersion", OUTLINE_VERSION),
        layout=Layout.FAN_OUT if Layout.FAN_OUT in layouts else Layout.FLAT,
        packs=packs,
    )
    decode_index(encode_index(kept), path)  # which refuses what is newer
    return kept if layouts or packs else None


def _count(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def _read_pack_line(line: str) -> tuple[str, PackRow] | None:
    try:
        row: dict[str, Any] = json.loads("{" + line.strip().rstrip(",") + "}")
        json.dumps(row, ensure_ascii=False).encode()  # an escape can spell half a character, which has no bytes
    except (ValueError, RecursionError):
        return None
    match list(row.items()):
        case [(name, {"filter": str(text), "tokenBudget": budget})] if type(budget) is int:
            return name, PackRow(text, budget)
    return None
