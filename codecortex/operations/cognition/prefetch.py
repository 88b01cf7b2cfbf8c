"""Brings nodes up before they are asked for: on request, after a merge, between two changes, in an idle server."""

from __future__ import annotations

from collections import deque
from itertools import groupby
from time import monotonic
from typing import TYPE_CHECKING

from codecortex.git.repository import open_repository
from codecortex.model.errors import CodecortexError
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.cognition.kinds import BINDINGS, MEANINGS, OF_FILES, find_node, open_bindings, open_nodes
from codecortex.operations.cognition.upkeep import require_written
from codecortex.operations.cognition.why import Answer
from codecortex.operations.reading.tree import read_config_alone
from codecortex.store.cache.presence import is_anybody_there
from codecortex.store.cache.upkeep import list_newest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from codecortex.operations.request import Request

MOST_WAITING = 1000
"""How many nodes wait to be brought up when nobody asked for them; those asked for longest ago are left out."""

_AT_A_TIME = 20  # nodes, between two looks at whether anybody wants something else
_AT_ONCE = 100


def prefetch(workspace: Workspace, nodes: Sequence[str] = ()) -> Answer:
    """Bring up some nodes, else all on types that this tree has had, until `cache.prefetchSeconds` are over."""
    engine = open_nodes(workspace)
    engines = [engine]
    for node in (find_node(workspace, text) for text in nodes):
        if node.kind != BINDINGS:
            engine.get(node.kind, node.key)
            continue
        path, _, project = node.key.partition("\n")
        with open_bindings(workspace, [path]) as kept:
            deque(kept.bind([(path, project)]), maxlen=0)
            engines.append(kept.engine)
    end = monotonic() + workspace.tree.config.cache.prefetch_seconds
    for kind in MEANINGS:
        keys = [] if nodes or kind in OF_FILES else engine.list_made(kind)
        for start in range(0, len(keys), _AT_ONCE):
            if monotonic() > end:
                break
            engine.get_many(kind, keys[start : start + _AT_ONCE])
    engine.save()
    require_written(workspace.cache)
    made = {kind: sum(each.built.get(kind, 0) for each in engines) for kind in MEANINGS}
    lines = [
        f"{sum(made.values()):,} nodes were made anew",
        *(f"  {count:>7,}  {kind}" for kind, count in made.items()),
    ]
    return Answer({"built": made}, tuple(lines))


def prefetch_unasked(workspace: Workspace, is_over: Callable[[], bool] = lambda: False) -> int:
    """Bring up the nodes that were made or asked for most lately, if `cache.prefetch` is on and nobody is at work.

    Args:
        workspace: The tree; one of a process that lasts, which does not count as somebody at work.
        is_over: Whether somebody wants something else of this process.

    Returns:
        How many nodes were made anew.
    """
    config, folder = workspace.tree.config.cache, workspace.cache.folder
    if not (config.prefetch and config.enabled) or is_anybody_there(folder):
        return 0
    engine, end = open_nodes(workspace), monotonic() + config.prefetch_seconds
    for kind, keys in _list_waiting(workspace):
        if is_over() or monotonic() > end or is_anybody_there(folder):
            break
        engine.get_many(kind, keys)
    engine.save()
    return sum(engine.built.values())


def _list_waiting(workspace: Workspace) -> Iterator[tuple[str, list[str]]]:
    """The newest nodes on types by kind, a few at a time."""
    kinds = [kind for kind in MEANINGS if kind not in OF_FILES]
    newest = list_newest(workspace.cache, kinds, MOST_WAITING)
    for kind, some in groupby(newest, key=lambda node: node[0]):
        keys = [key for _, key in some]
        for start in range(0, len(keys), _AT_A_TIME):
            yield kind, keys[start : start + _AT_A_TIME]


def prefetch_for_later(request: Request, is_over: Callable[[], bool] = lambda: False) -> int:
    """The same for a tree of which no workspace is open; one that cannot be read is only warned of."""
    try:
        config = read_config_alone(request, open_repository(request.folder)).cache
        if not (config.prefetch and config.enabled):  # known before any source is looked at
            return 0
        with Workspace(request._replace(lasting=True)) as workspace:
            return prefetch_unasked(workspace, is_over)
    except CodecortexError as problem:
        request.warn(f"Nothing was made for later: {problem.message}")
        return 0
