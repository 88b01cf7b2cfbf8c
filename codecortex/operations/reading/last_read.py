"""Sources that cannot be read right now: what was last read of them stands in, so that their types do not vanish.

Git calls a file changed, or deleted, whose permissions are gone or whose place a folder or a pipe has taken. It is
listed with the version of the index (`git/listing.py`). Here that becomes the version that the last run read, which
may hold edits that are not staged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.listing import Entry
from codecortex.operations.gaps import list_unreadable
from codecortex.operations.reading.facts import FactsStore, digest_symbols
from codecortex.operations.reading.snapshot import Run, load_snapshots
from codecortex.operations.reading.source_states import list_blobs
from codecortex.operations.reading.sources import select_sources
from codecortex.operations.reading.tree import read_projects
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from codecortex.operations.reading.tree import Tree
    from codecortex.store.cache.cache import Cache


def hold_unreadable(tree: Tree, cache: Cache) -> Tree:
    """The tree with the last version that was read of each source that cannot be read; other trees as they are."""
    paths = {path for path, _ in list_unreadable(tree.listing)}
    for snapshot in load_snapshots(cache, tree.repository, Run.REFRESH) if paths else ():
        last = {path: blob for path, blob in list_blobs(snapshot.states).items() if path in paths}
        while last:
            held = _replace(tree, last)
            lost = _list_unknown(held, last, cache)
            if not lost:
                return held
            last = {path: blob for path, blob in last.items() if path not in lost}
    return tree


def _replace(tree: Tree, last: dict[str, str]) -> Tree:
    known = {entry.path: entry for entry in tree.listing.entries}
    entries = [entry for entry in tree.listing.entries if entry.path not in last]
    entries += [known.get(path, Entry(path, blob))._replace(blob=blob, dirty=True) for path, blob in last.items()]
    listing = tree.listing._replace(entries=tuple(sorted(entries)))
    sources = select_sources([entry for entry in listing.entries if entry.path != CONFIG], tree.config)
    return tree._replace(listing=listing, sources=sources)


def _list_unknown(tree: Tree, last: dict[str, str], cache: Cache) -> set[str]:
    """The paths whose last version is neither in the cache nor, as it never was staged, in git."""
    sets: dict[str, list[bytes]] = {path: [] for path in last}
    for project in read_projects(tree, cache):
        for path in last.keys() & set(project.files):
            sets[path].append(digest_symbols(project.symbols))
    jobs = FactsStore().load({path: (Entry(path, last[path]), each) for path, each in sets.items() if each}, cache)
    return {job.entry.path for job in jobs}
