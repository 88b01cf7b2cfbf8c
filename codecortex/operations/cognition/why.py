"""Says why a node holds or not, what it was made from, and what it was before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codecortex.cognition.reasons import explain
from codecortex.model.cognition.records import cut_digests
from codecortex.model.errors import UsageError
from codecortex.operations.cognition.kinds import BINDINGS, MEANINGS, find_node, label_digest, label_name, open_node
from codecortex.operations.packs.text import PACK
from codecortex.operations.wording import write_time
from codecortex.store.cache.nodes import SqliteNodes
from codecortex.store.cache.rows import load_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.cognition.engine import Engine
    from codecortex.cognition.reasons import Reasons, Step
    from codecortex.model.cognition.records import Record
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.cognition.kinds import Node

_INDENT = "  "


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command says of a node, as JSON values and as lines."""

    values: dict[str, Any]
    lines: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON values."""
        return self.values

    def as_text(self) -> str:
        """The answer as plain text."""
        return "\n".join(self.lines)


def tell_why(workspace: Workspace, text: str) -> Answer:
    """Why a node holds or not: the chain from what changed. Its inputs are brought up, it is not."""
    with open_node(workspace, text) as (node, engine):
        reasons = explain(engine, node.kind, node.key)
    state = "unknown" if reasons.record is None else "stale" if reasons.changed else "fresh"
    head = {
        "unknown": f"{node.label} was never made, or was thrown away: the next question makes it",
        "stale": f"{node.label} no longer holds",
        "fresh": f"{node.label} holds",
    }[state]
    if reasons.again and reasons.record is not None:
        head += f"; it is again as it was made {write_time(reasons.record.created)}"
    if reasons.stopped:
        head += "; what changed below it stopped at"
    lines = [head, *_write_steps(workspace, reasons.changed, 1), *_write_steps(workspace, reasons.stopped, 1)]
    return Answer({"node": node.label, "state": state, **_describe_reasons(workspace, reasons)}, tuple(lines))


def _describe_reasons(workspace: Workspace, reasons: Reasons) -> dict[str, Any]:
    return {
        "changed": [_describe_step(workspace, step) for step in reasons.changed],
        "stopped": [_describe_step(workspace, step) for step in reasons.stopped],
    }


def _describe_step(workspace: Workspace, step: Step) -> dict[str, Any]:
    return {
        "input": label_name(workspace, step.name),
        "before": label_digest(step.before),
        "after": label_digest(step.after),
        "below": [_describe_step(workspace, each) for each in step.below],
    }


def _write_steps(workspace: Workspace, steps: Sequence[Step], depth: int) -> Iterator[str]:
    for step in steps:
        before, after = label_digest(step.before), label_digest(step.after)
        told = f"{before} as before" if before == after else f"{before} -> {after}"
        yield f"{_INDENT * depth}{label_name(workspace, step.name)}  {told}"
        yield from _write_steps(workspace, step.below, depth + 1)


def show_node(workspace: Workspace, text: str) -> Answer:
    """The record of a node and its inputs as a tree; nothing is built."""
    with open_node(workspace, text) as (node, engine):
        return _show(workspace, node, engine)


def _show(workspace: Workspace, node: Node, engine: Engine) -> Answer:
    record = engine.find_record(node.kind, node.key) or engine.find_newest(node.kind, node.key)
    if record is None:
        return Answer({"node": node.label, "record": None}, (f"{node.label} has no record",))

    def describe(each: Record) -> list[dict[str, Any]]:
        inputs = []
        for name, digest in zip(each.reads, cut_digests(each.digests), strict=True):
            below = engine.find_record(*name)
            inputs.append(
                {
                    "input": label_name(workspace, name),
                    "digest": label_digest(digest),
                    "inputs": [] if below is None else describe(below),
                }
            )
        return inputs

    def write(inputs: list[dict[str, Any]], depth: int) -> Iterator[str]:
        for each in inputs:
            yield f"{_INDENT * depth}{each['input']}  {each['digest']}"
            yield from write(each["inputs"], depth + 1)

    values = _describe_record(workspace, node.kind, record) | {"node": node.label, "kind": MEANINGS[node.kind]}
    values["inputs"] = describe(record)
    head = f"{node.label}: {MEANINGS[node.kind]}"
    made = f"  made {write_time(record.created)}, output {label_digest(record.output)} = {values['value']!r}"
    return Answer(values, (head, made, *write(values["inputs"], 1)))


def _describe_record(workspace: Workspace, kind: str, record: Record) -> dict[str, Any]:
    data = SqliteNodes(workspace.cache).load_outputs([record.output]).get(record.output)
    return {
        "created": write_time(record.created),
        "output": label_digest(record.output),
        "value": _tell_value(kind, data),
        "told": record.told,
    }


def _tell_value(kind: str, data: bytes | None) -> Any:
    if kind == BINDINGS:
        return _count_names(data)
    if kind == PACK:
        return load_row(data, lambda row: f"{row[0][1]:,} tokens, {len(row[0][2]):,} types")
    return load_row(data, lambda row: row)


def _count_names(data: bytes | None) -> str:
    from codecortex.operations.bindings.kept import unpack_file

    file = None if data is None else unpack_file(data)
    return "" if file is None else f"{len(file.bindings):,} names"


def list_versions(workspace: Workspace, text: str) -> Answer:
    """The versions of a node that are kept, of whatever tree, newest first."""
    node = find_node(workspace, text)
    rows = [_describe_record(workspace, node.kind, record) for record in _list_records(workspace, node.kind, node.key)]
    lines = [f"{at}  {row['created']}  {row['output']}  {row['value']!r}" for at, row in enumerate(rows, 1)]
    return Answer({"node": node.label, "versions": rows}, (f"{node.label}: {len(rows)} kept", *lines))


def _list_records(workspace: Workspace, kind: str, key: str) -> list[Record]:
    nodes = SqliteNodes(workspace.cache)
    numbers = nodes.list_records(nodes.find_ids(kind, (key,)).values())
    found = nodes.load_records([number for each in numbers.values() for number in each])
    return sorted(found.values(), key=lambda record: -record.id)


def compare_versions(workspace: Workspace, text: str, new: int = 1, old: int = 2) -> Answer:
    """What is different between two versions of a node: its value, and the inputs that it was made from.

    Raises:
        UsageError: There are not so many versions.
    """
    node = find_node(workspace, text)
    records = _list_records(workspace, node.kind, node.key)
    if not 0 < min(new, old) <= max(new, old) <= len(records):
        raise UsageError(f"{node.label} has {len(records)} versions.", "`codecortex cache history` lists them.")
    one, other = records[old - 1], records[new - 1]
    was, is_now = (dict(zip(each.reads, cut_digests(each.digests), strict=True)) for each in (one, other))
    nothing = bytes(16)
    inputs = [
        {
            "input": label_name(workspace, name),
            "before": label_digest(was.get(name, nothing)),
            "after": label_digest(is_now.get(name, nothing)),
        }
        for name in dict.fromkeys((*was, *is_now))
        if was.get(name) != is_now.get(name)
    ]
    before, after = (_describe_record(workspace, node.kind, each)["value"] for each in (one, other))
    values = {"node": node.label, "before": before, "after": after, "inputs": inputs}
    told = [f"- {before!r}", f"+ {after!r}"] if before != after else [f"  {before!r}"]
    lines = [f"  {each['input']}  {each['before']} -> {each['after']}" for each in inputs]
    return Answer(values, (node.label, *told, *lines))
