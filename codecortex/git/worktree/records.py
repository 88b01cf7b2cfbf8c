"""Reads the records of an index or a tree as git lists them, each with its path after a tab, and of what differs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

OUTLINE = b".outline.md"
"""How the names of outlines end."""
OUTLINES = b".codecortex/types/"

_SUBMODULE = "160000 "
_TAG = "H "
_CLEAN = f"{_TAG}100644 "
_STAGE = len(" 0\t")


class Clean(NamedTuple):
    """What an index says of some files.

    Attributes:
        paths: Those of ordinary files, nearly all: no links, not executable, named in printable ASCII.
        blobs: Their blob ids.
        others: The records of all others.
    """

    paths: list[str]
    blobs: list[str]
    others: bytes

    def without(self, changed: Container[str]) -> Clean:
        """The same, with records for those of the files that changed."""
        places = [place for place, path in enumerate(self.paths) if path in changed]
        if not places:
            return self
        paths, blobs = [*self.paths], [*self.blobs]
        told = [f"{_CLEAN}{blobs.pop(place)} 0\t{paths.pop(place)}\0" for place in reversed(places)]
        return Clean(paths, blobs, self.others + os.fsencode("".join(told)))


def take_clean(index: bytes, suffixes: tuple[str, ...]) -> Clean:
    """What the records of an index say of the files whose names end so, and of submodules."""
    paths, blobs, others = [], [], []
    text = os.fsdecode(index)
    at = text.find("\t") + 1  # in the first record, and so in all
    end, blob_at = at - _STAGE, len(_CLEAN)
    for record in text.split("\0")[:-1]:
        if not record.isascii() or record.startswith(_SUBMODULE, len(_TAG)):
            others.append(record)
        elif record.lower().endswith(suffixes):
            path = record[at:]
            if record.startswith(_CLEAN) and path.isprintable() and "%" not in path:
                paths.append(path)
                blobs.append(record[blob_at:end])
            else:
                others.append(record)
    return Clean(paths, blobs, os.fsencode("\0".join([*others, ""])))


def pair_changes(output: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each path that git tells with `--raw -z`, without renames, and what it says of it: `:modes ids status`."""
    fields = output.split(b"\0")
    return zip(fields[1::2], fields[::2], strict=False)


def choose_changes(output: bytes, folders: Iterable[str], files: Iterable[str]) -> Iterator[tuple[bytes, bytes]]:
    """The same of the paths in some folders and of some files."""
    inside, single = tuple(path.encode() + b"/" for path in folders), {path.encode() for path in files}
    return ((path, facts) for path, facts in pair_changes(output) if path in single or path.startswith(inside))


def drop_outlines(records: bytes) -> bytes:
    """The records of an index or a tree without those of outlines, the last ones perhaps out of order."""
    found, others = cut(records, OUTLINES)
    if found.count(OUTLINE + b"\0") == found.count(b"\0"):
        return others
    return others + b"".join([each + b"\0" for each in found.split(b"\0")[:-1] if not each.endswith(OUTLINE)])


def cut(records: bytes, path: bytes) -> tuple[bytes, bytes]:
    """The records of an index or a tree at a path, or in it, if it ends with `/`; and all others.

    Each has its path after a tab, at the same place but for submodules in trees, and they are sorted by path.
    """
    mark = b"\t" + path + (b"" if path.endswith(b"/") else b"\0")
    head = records.find(b"\t")
    first, last = records.find(mark), records.rfind(mark)
    while first >= 0 and not _begins(records, first - head):  # within a name with tabs
        first = records.find(mark, first + 1)
    if first < 0:
        return b"", records
    while not _begins(records, last - head):
        last = records.rfind(mark, 0, last)
    start, end = first - head, records.index(b"\0", last + 1) + 1
    return records[start:end], records[:start] + records[end:]


def _begins(records: bytes, at: int) -> bool:
    """Whether a record begins there."""
    return at == 0 or records[at - 1 : at] == b"\0"
