"""Looks after the local cache: what it holds, whether it is right, and what may go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.cognition.engine import Engine
from codecortex.cognition.kinds import LineName
from codecortex.model.errors import GitStateError
from codecortex.operations.cognition.kinds import (
    MEANINGS,
    OF_FILES,
    find_node,
    label_name,
    list_kinds,
    make_all_inputs,
    open_bindings,
    open_nodes,
    split_file,
)
from codecortex.operations.cognition.why import Answer
from codecortex.operations.metrics import read_figures
from codecortex.operations.wording import write_time
from codecortex.store.cache import upkeep
from codecortex.store.cache.cache import open_cache
from codecortex.store.cache.nodes import SqliteNodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.store.cache.cache import Cache

_MEGABYTE = 1_000_000
_AT_A_TIME = 100  # nodes


def require_written(cache: Cache) -> None:
    """Refuse to go on where the cache could not be written.

    Raises:
        GitStateError: It could not.
    """
    if cache.refused is not None:
        hint = "Another process may hold it, or its folder may not be written to; what was to be changed is as it was."
        raise GitStateError(f"The local cache in {cache.folder} was not written: {cache.refused}", hint)


def tell_status(workspace: Workspace) -> Answer:
    """What the local cache holds, how often it was of use, and when it was last collected."""
    cache = workspace.cache
    kinds, rows, size = upkeep.count_kinds(cache), upkeep.count_rows(cache), upkeep.measure(cache)
    ratio = read_figures(cache.folder).node_hit_ratio
    collected = upkeep.find_collected(cache)
    lines = [f"{size / _MEGABYTE:,.1f} MB", *(f"  {count:>9,}  {table}" for table, count in rows.items())]
    lines += [
        "nodes by kind",
        *(f"  {count:>9,}  {kind}: {MEANINGS.get(kind, 'unknown')}" for kind, count in kinds.items()),
    ]
    lines += [f"{ratio:.0%} of the nodes that were asked for were kept"] if ratio is not None else []
    lines += [f"collected {write_time(collected)}" if collected else "never collected"]
    values = {"bytes": size, "rows": rows, "kinds": kinds, "hitRatio": ratio}
    return Answer(values | {"collected": write_time(collected) if collected else None}, tuple(lines))


def verify(workspace: Workspace, sample: int | None = None) -> Answer:
    """Look for damaged rows, and build nodes again without the cache to compare the bytes.

    What is damaged is thrown away, and so is a node that came out otherwise: both are made anew when asked for.

    Args:
        workspace: The tree.
        sample: How many nodes of each kind to build; None for all.
    """
    cache = workspace.cache
    if not cache.is_open:
        raise GitStateError(
            f"There is no local cache to verify in {cache.folder}.", "Questions are answered without one."
        )
    damaged = upkeep.find_damage(cache)
    upkeep.drop_rows(cache, damaged)
    count, wrong = 0, []
    with open_cache(cache.folder, warn=workspace.request.warn, keeps=False) as nowhere:
        for kind, keys, kept, anew in _open_each(workspace, nowhere):
            for start in range(0, len(keys[:sample]), _AT_A_TIME):
                some = keys[:sample][start : start + _AT_A_TIME]
                old, new = kept.get_many(kind, some), anew.get_many(kind, some)
                count += len(some)
                bad = [key for key in some if old[key] != new[key]]
                upkeep.forget(cache, SqliteNodes(cache).find_ids(kind, bad).values())
                wrong += [label_name(workspace, (kind, key)) for key in bad]
    lines = [f"{count:,} nodes built again: {len(wrong):,} came out otherwise; {len(damaged):,} damaged rows"]
    lines += [f"  {name} came out otherwise" for name in wrong]
    lines += [f"  {row.table} {row.number}: {row.about} is damaged" for row in damaged]
    lines += ["  the database was damaged as a whole, and is made anew"] if cache.was_set_aside else []
    rows = [{"table": row.table, "row": row.number, "about": row.about} for row in damaged]
    values = {"nodes": count, "different": wrong, "damaged": rows, "setAside": cache.was_set_aside}
    return Answer(values, tuple(lines))


def _open_each(workspace: Workspace, nowhere: Cache) -> Iterator[tuple[str, list[str], Engine, Engine]]:
    """Each kind, the keys of its nodes that are kept, and two engines: with the cache and without one."""
    engine = open_nodes(workspace)
    anew = Engine(SqliteNodes(nowhere), LineName(""), list_kinds(workspace), make_all_inputs(workspace))
    for kind in MEANINGS:
        if kind not in OF_FILES:
            yield kind, engine.list_made(kind), engine, anew
    compiled = {each.path: frozenset(each.files) for each in workspace.projects}
    for kind in OF_FILES:
        known = sorted(SqliteNodes(workspace.cache).list_ids(kind))
        places = {key: split_file(kind, key) for key in known}
        keys = [key for key, (path, project) in places.items() if path in compiled.get(project, ())]
        if keys:
            with open_bindings(workspace, {places[key][0] for key in keys}) as kept:
                yield kind, keys, kept.engine, kept.open_engine(nowhere)


def invalidate(workspace: Workspace, text: str, *, with_readers: bool) -> Answer:
    """Throw the records of a node away, and on request those of all that rest on it."""
    node, store = find_node(workspace, text), SqliteNodes(workspace.cache)
    asked = list(store.find_ids(node.kind, (node.key,)).values())
    names = {(node.kind, node.key): asked[0]} if asked else {}
    while with_readers and asked:
        numbers = list({node for nodes in store.find_readers(asked).values() for node in nodes})
        readers = dict(zip(store.names_of(numbers), numbers, strict=True))
        asked = [number for name, number in readers.items() if name not in names]
        names |= readers
    gone = upkeep.forget(workspace.cache, names.values())
    require_written(workspace.cache)
    labels = sorted(label_name(workspace, name) for name in names)
    lines = [f"{gone} records of {len(labels)} nodes are thrown away", *(f"  {label}" for label in labels)]
    return Answer({"nodes": labels, "records": gone}, tuple(lines))


def collect(workspace: Workspace) -> Answer:
    """Throw away what no tree needs, down to `cache.maxMegabytes`."""
    config = workspace.tree.config.cache
    before = upkeep.measure(workspace.cache)
    gone = upkeep.collect(workspace.cache, most_bytes=config.max_megabytes * _MEGABYTE, days=config.days)
    require_written(workspace.cache)
    values: dict[str, Any] = {**gone._asdict(), "bytesBefore": before, "bytesAfter": upkeep.measure(workspace.cache)}
    told = ", ".join(f"{count:,} {what}" for what, count in gone._asdict().items())
    sizes = f"{before / _MEGABYTE:,.1f} MB before, {values['bytesAfter'] / _MEGABYTE:,.1f} MB now"
    return Answer(values, (f"gone: {told}; {sizes}",))


def clear(workspace: Workspace) -> Answer:
    """Throw everything away."""
    before = upkeep.measure(workspace.cache)
    upkeep.clear(workspace.cache)
    require_written(workspace.cache)
    after = upkeep.measure(workspace.cache)
    told = f"{before / _MEGABYTE:,.1f} MB before, {after / _MEGABYTE:,.1f} MB now; everything is made when asked for"
    return Answer({"bytesBefore": before, "bytesAfter": after}, (told,))
