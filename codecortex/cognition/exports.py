"""Which nodes export which names on one line: as the store has it, less what this process has made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.cognition.records import ABSENT, digest_output

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.cognition.interface import NodeStore
    from codecortex.cognition.line import Line
    from codecortex.model.cognition.records import Exported

_WORTH_ALL = 4000  # names asked for at once beyond which all of the space are read


class ExportTable:
    """The names of one space; asked only once all nodes that export to it are fresh."""

    def __init__(self, store: NodeStore, space: str, line: Line) -> None:
        self._store = store
        self._space = space
        self._line = line
        self._mine: dict[str, dict[str, bytes]] = {}
        self._anew: set[str] = set()
        self._known: dict[str, dict[str, bytes]] = {}
        self._whole = False

    def put(self, key: str, exported: Iterable[tuple[str, bytes]]) -> None:
        """Take in what a node exports that this process has made anew, or whose record is another one now."""
        self._anew.add(key)
        for name, digest in exported:
            self._mine.setdefault(name, {})[key] = digest

    def find(self, names: Sequence[str]) -> list[Mapping[str, bytes]]:
        """For each name, who exports it, and the digest of what answers."""
        if not self._whole and self._line.records:
            missing = [name for name in names if name not in self._known]
            if len(missing) > _WORTH_ALL:
                self._load_all()
            elif missing:
                self._known.update((name, {}) for name in missing)
                self._add(self._store.find_exports(self._store.find_ids(self._space, missing).values()))
        none: Mapping[str, bytes] = {}
        known, mine = self._known, self._mine
        if not known:
            return [mine.get(name, none) for name in names]
        return [{**known.get(name, none), **mine.get(name, none)} for name in names]

    def digests(self, names: Sequence[str]) -> list[bytes]:
        """For each name, one digest of who exports it and of what answers; `ABSENT` where nobody does."""
        return [_join(held) if held else ABSENT for held in self.find(names)]

    def list_names(self) -> set[str]:
        """All names that anybody exports."""
        if not self._whole and self._line.records:
            self._load_all()
        return {name for name, held in self._known.items() if held} | self._mine.keys()

    def _load_all(self) -> None:
        self._known, self._whole = {}, True
        self._add(self._store.list_exports(self._space))

    def _add(self, rows: Iterable[Exported]) -> None:
        records, anew = self._line.records, self._anew
        for name, key, node, record, digest in rows:
            if records.get(node) == record and key not in anew:
                self._known.setdefault(name, {})[key] = digest


def _join(held: Mapping[str, bytes]) -> bytes:
    if len(held) == 1:
        ((key, digest),) = held.items()
        return digest_output(key.encode("utf-8", "surrogatepass") + digest)
    return digest_output(b"\0".join([key.encode("utf-8", "surrogatepass") + held[key] for key in sorted(held)]))
