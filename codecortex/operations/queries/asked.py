"""Says which symbol an answer is about, and what is public in place of one that is not."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from codecortex.model.code.facts import VISIBLE
from codecortex.model.code.types import encode_sha256
from codecortex.operations.request import Asked
from codecortex.symbols.near import MOST_ALIKE, list_alike

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.model.code.catalog import MemberEntry, TypeEntry
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.symbols.hits import Hit


def tell_asked(workspace: Workspace, hits: Sequence[Hit]) -> None:
    """Tell whoever made the request which symbol it is about: one hit, or the overloads of one member."""
    workspace.request.asked(partial(_describe, workspace, hits))


def _describe(workspace: Workspace, hits: Sequence[Hit]) -> Asked:
    entry, member = hits[0].entry, hits[0].member
    if entry is None:
        return Asked({"path": hits[0].name})
    told: dict[str, Any] = {"path": entry.fqn if member is None else f"{entry.fqn}.{member.name}", "typeId": entry.id}
    if member is not None and len(hits) == 1:
        told |= _name_member(workspace, entry.id, member)
    seen = (entry.accessibility, *([] if member is None else [member.accessibility]))
    if all(each in VISIBLE for each in seen):
        return Asked(told)
    return Asked(told, tuple(_list_public(workspace, entry, member)))


def _name_member(workspace: Workspace, type_id: TypeId, member: MemberEntry) -> dict[str, str]:
    from codecortex.operations.catalog.declared_types import read_plain_types

    merged = read_plain_types(workspace.inputs, workspace.catalog, [type_id]).get(type_id)
    if merged is None or member.number >= len(merged.members):  # its files cannot be read any more
        return {}
    return {"memberId": f"{type_id}_{encode_sha256(merged.members[member.number].signature, 6)}"}


def _list_public(workspace: Workspace, entry: TypeEntry, member: MemberEntry | None) -> list[dict[str, str]]:
    """What others may use instead, the nearest first: bases of the type, then what is called alike in its assembly."""
    catalog = workspace.catalog
    if member is not None and entry.accessibility in VISIBLE:
        others = {each.name: each.name for each in catalog.members_of(entry.id) if each.accessibility in VISIBLE}
        return [{"id": entry.id, "fqn": f"{entry.fqn}.{name}"} for name in list_alike(member.name, others)]
    public = [each for each in catalog.types if each.accessibility in VISIBLE and not each.test]
    bases = {each.target for each in workspace.graph.dependencies_of(entry.id) if each.base and each.exact}
    found = sorted((each for each in public if each.id in bases), key=lambda each: each.fqn)
    named = {each.fqn: each for each in public if each.assembly == entry.assembly}
    alike = list_alike(entry.simple_name, {fqn: each.simple_name for fqn, each in named.items()})
    shown = dict.fromkeys([*found, *map(named.__getitem__, alike)])
    return [{"id": each.id, "fqn": each.fqn} for each in islice(shown, MOST_ALIKE)]
