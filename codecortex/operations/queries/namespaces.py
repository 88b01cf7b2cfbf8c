"""Lists what is directly in a namespace: namespaces with counts, then types with a line each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.outline import summarise_member
from codecortex.operations.result import find_next
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.catalog import TypeEntry
    from codecortex.operations.catalog.workspace import Workspace


def outline_namespace(workspace: Workspace, namespace: str, *, limit: int, offset: int) -> tuple[str, dict[str, Any]]:
    """One page of what is directly in a namespace, as text and as JSON values."""
    inside, types = _count_inside(workspace, namespace)
    rows: list[tuple[str, TypeEntry | int]] = [*sorted(inside.items()), *((entry.fqn, entry) for entry in types)]
    page = rows[offset : offset + limit]
    following = find_next(offset, len(page), len(rows))
    children = [_describe(workspace, name, each) for name, each in page]
    record: dict[str, Any] = {
        "kind": "namespace",
        "fqn": namespace,
        "types": len(types),
        "namespaces": len(inside),
        "children": children,
        "total": len(rows),
        "nextOffset": following,
    }
    lines = [f"# {namespace}", f"Kind: namespace | Namespaces: {len(inside):,} | Types: {len(types):,}", ""]
    lines.extend(_write(children))
    if following is not None:
        lines += ["", f"{following:,} of {len(rows):,}; the next page begins at offset {following}."]
    return "\n".join(lines), record


def _count_inside(workspace: Workspace, namespace: str) -> tuple[Counter[str], list[TypeEntry]]:
    """Number of types, at any depth, in each direct child namespace; and the top-level types of the namespace."""
    inside: Counter[str] = Counter()
    types = []
    prefix = f"{namespace}."
    for entry in workspace.catalog.types:
        own = entry.namespace
        if own == namespace:
            if "+" not in entry.fqn:
                types.append(entry)
        elif own.startswith(prefix):
            inside[prefix + own[len(prefix) :].partition(".")[0]] += 1
    return inside, sorted(types, key=lambda entry: (entry.fqn, entry.id))


def _describe(workspace: Workspace, name: str, each: TypeEntry | int) -> dict[str, Any]:
    if isinstance(each, int):
        return {"kind": "namespace", "fqn": name, "types": each}
    doc = workspace.catalog.docs_of(each.id).get(-1, "")
    return {
        "id": each.id,
        "fqn": each.fqn,
        "kind": each.kind,
        "accessibility": each.accessibility,
        "display": each.display,
        "doc": summarise_member(doc),
    }


def _write(children: list[dict[str, Any]]) -> Iterator[str]:
    for child in children:
        if "id" not in child:
            yield f"  namespace {child['fqn']} ({count_noun(child['types'], 'type')})"
            continue
        yield f"  {child['accessibility']} {child['kind']} {child['display'].rpartition('.')[2]} {child['id']}"
        if child["doc"]:
            yield f"      {child['doc']}"
