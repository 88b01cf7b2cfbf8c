"""Why a node holds or not: the chain from what changed to it, and where changes stopped on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.cognition.records import cut_digests
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.cognition.engine import Engine
    from codecortex.model.cognition.records import Name, Record


class Step(NamedTuple):
    """An input that answers otherwise than when a node was made, and what of that input's own inputs does."""

    name: Name
    before: bytes
    after: bytes
    below: tuple[Step, ...] = ()


class Reasons(NamedTuple):
    """Why a node holds or not.

    Attributes:
        record: The record that it has on its line, else the newest of any line; where that no longer holds, an earlier
            one that does. None if it was never made, or was thrown away.
        changed: The inputs that answer otherwise now; none where it holds.
        stopped: What was made anew below it and came out the same, each with what had changed of its inputs.
        again: Whether it is an earlier record that holds: what it was made from is as it was then.
    """

    record: Record | None
    changed: tuple[Step, ...]
    stopped: tuple[Step, ...]
    again: bool = False


def explain(engine: Engine, kind: str, key: str) -> Reasons:
    """Why a node holds or not; its inputs are brought up, it is not."""
    record = engine.find_record(kind, key) or engine.find_newest(kind, key)
    if record is None:
        return Reasons(None, (), ())
    changed = _list_steps(engine, record)
    if changed and (earlier := engine.find_holding(kind, key)) is not None:
        return Reasons(earlier, (), (), again=True)
    stopped = {} if changed else {step.name: step for step in _find_stops(engine, record)}
    return Reasons(record, changed, tuple(stopped.values()))


def _list_steps(engine: Engine, record: Record) -> tuple[Step, ...]:
    steps = []
    for (space, name), before in zip(record.reads, cut_digests(record.digests), strict=True):
        after = engine.digests(space, (name,))[name]
        if before != after:
            below = engine.before.get((space, name))
            steps.append(Step((space, name), before, after, () if below is None else _list_steps(engine, below)))
    return tuple(steps)


def _find_stops(engine: Engine, record: Record) -> Iterator[Step]:
    for node, digest in zip(record.reads, cut_digests(record.digests), strict=True):
        before = engine.before.get(node)
        if before is not None:
            yield Step(node, digest, digest, _list_steps(engine, before))
        elif (below := engine.find_record(*node)) is not None:
            yield from _find_stops(engine, below)
