"""Opens what assemblies declare: read once, then remembered in the local cache by the digest of the files."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from codecortex.model.errors import StoreFormatError
from codecortex.model.versions import ASSEMBLIES_VERSION
from codecortex.parsing.metadata.image import BadMetadataError
from codecortex.store.metadata.index import Index
from codecortex.store.metadata.pack import collect, pack
from codecortex.store.packages.folders import read_bytes, stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from codecortex.model.code.metadata import AssemblyRows
    from codecortex.store.cache.cache import Cache


class AssemblyReader:
    """Opens assemblies as indexes.

    Attributes:
        unread: Files that are no assemblies or cannot be read, with the reason.
    """

    def __init__(self, cache: Cache, progress: Callable[[str, int, int], None]) -> None:
        self._cache = cache
        self._progress = progress
        self.unread: dict[Path, str] = {}

    def open_all(self, bundles: Sequence[Sequence[Path]]) -> list[Index]:
        """An index for each bundle of files."""
        stamps = [_digest_stamps(bundle) for bundle in bundles]
        digests = self._cache.get_many(stamps)
        known = self._cache.get_many([digests[each] for each in stamps if each in digests])
        opened: list[Index] = []
        new: list[tuple[bytes, bytes]] = []
        for done, (key, bundle) in enumerate(zip(stamps, bundles, strict=True), 1):
            index = _open(known.get(digests.get(key, b"")))
            if index is None:
                index, rows = self._read(key, bundle)
                new += rows
                self._progress("Reading assemblies", done, len(bundles))
            opened.append(index)
        self._cache.put_many(new)
        return opened

    def _read(self, key: bytes, bundle: Sequence[Path]) -> tuple[Index, list[tuple[bytes, bytes]]]:
        """The index of a bundle, and what the cache remembers of it; nothing if a file could not be read."""
        contents = {path: data for path in bundle if (data := self._load(path)) is not None}
        state = sha256(b"assemblies %d\0" % ASSEMBLIES_VERSION)
        for data in contents.values():
            state.update(sha256(data).digest())
        digest = state.digest()
        packed = self._cache.get_many([digest]).get(digest)
        index = _open(packed)
        if packed is None or index is None:
            packed = pack(collect(list(self._parse(contents)), bundle[0].stem if bundle else ""))
            index = Index(packed)
        whole = not any(path in self.unread for path in bundle)
        return index, [(key, digest), (digest, packed)] if whole else []

    def _load(self, path: Path) -> bytes | None:
        try:
            return read_bytes(path)
        except OSError as problem:
            self.unread[path] = problem.strerror or str(problem)
            return None

    def _parse(self, contents: dict[Path, bytes]) -> Iterator[AssemblyRows]:
        from codecortex.parsing.metadata.read import read_assembly  # few machines have one that is not known yet

        for path, data in contents.items():
            try:
                yield read_assembly(data)
            except BadMetadataError as problem:
                self.unread[path] = str(problem)


def _digest_stamps(bundle: Sequence[Path]) -> bytes:
    state = sha256(b"stamps %d\0" % ASSEMBLIES_VERSION)
    for path in bundle:
        found = stamp(path)
        state.update(f"{path}|{found.size}|{found.written}\0".encode("utf-8", "surrogateescape") if found else b"\0")
    return state.digest()


def _open(packed: bytes | None) -> Index | None:
    """An index from the cache; None if it is not there or damaged."""
    if packed is None:
        return None
    try:
        return Index(packed)
    except (StoreFormatError, ValueError, LookupError):
        return None
