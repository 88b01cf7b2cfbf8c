"""Projects and the facts of their files in, types out: parts merged, identities settled, members in order."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.implicit import add_members
from codecortex.analysis.signatures import canonical_signature, member_key, member_order
from codecortex.model.facts import FileFacts
from codecortex.model.types import CSharpType, Member, Part, TypeId, encode_sha256

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from codecortex.model.facts import MemberFacts
    from codecortex.model.projects import Project

_SHORT, _LONG = 8, 12
_WIDTH = ("private", "file", "private protected", "internal", "protected", "protected internal", "public")


class _Group(NamedTuple):
    """What will be one type: `owner` tells it from others of its name (project, or file for a file-local type)."""

    fqn: str
    kind: str
    project: str
    owner: str


def assemble_types(
    projects: Sequence[Project], facts_of: Callable[[Project, str], FileFacts | None]
) -> tuple[CSharpType, ...]:
    """Every type of every project, sorted by id."""
    groups: dict[_Group, list[Part]] = defaultdict(list)
    damaged: dict[str, str] = {}
    for project in projects:
        for path in project.files:
            facts = facts_of(project, path)
            if facts is None:
                continue
            if facts.degraded:
                damaged[path] = facts.degraded
            for declared in facts.types:
                owner = path if declared.accessibility == "file" else project.path
                groups[_Group(declared.fqn, declared.kind, project.path, owner)].append(
                    Part(path, declared, facts.scopes)
                )
    ids = assign_ids(groups)
    access = _settle_accessibility(groups)
    types = [_merge(group, parts, ids[group], access, damaged) for group, parts in groups.items()]
    return tuple(sorted(types, key=lambda merged: merged.id))


def arity_of(fqn: str) -> int:
    """Type parameters of a metadata name's last level."""
    tail = fqn.rpartition("`")[2]
    return int(tail) if "`" in fqn.rpartition("+")[2] and tail.isdigit() else 0


def assign_ids(groups: Iterable[_Group]) -> dict[_Group, TypeId]:
    """An id for each type, whatever the order they come in.

    Of several types with one name and kind, the one whose owner sorts first has the plain id; the others' takes in
    their owner. Types that would share eight characters take twelve.
    """
    named: dict[tuple[str, str], list[_Group]] = defaultdict(list)
    for group in groups:
        named[group.fqn, group.kind].append(group)
    keys: dict[_Group, str] = {}
    for (fqn, kind), same in named.items():
        plain = f"{fqn}|{kind}|{arity_of(fqn)}"
        for place, group in enumerate(sorted(same, key=lambda g: (g.project, g.owner))):
            keys[group] = plain if place == 0 else f"{plain}|{group.owner}"
    long = {group: encode_sha256(key, _LONG) for group, key in keys.items()}
    holders: dict[str, int] = defaultdict(int)
    for text in long.values():
        holders[text[:_SHORT]] += 1
    return {
        group: TypeId("T_" + (text[:_SHORT] if holders[text[:_SHORT]] == 1 else text)) for group, text in long.items()
    }


def _settle_accessibility(groups: dict[_Group, list[Part]]) -> dict[tuple[str, str], tuple[str, str]]:
    """(project, fqn) to own and effective accessibility; containers come before what is nested in them."""
    kinds = {(group.project, group.fqn): group.kind for group in groups}
    out: dict[tuple[str, str], tuple[str, str]] = {}
    for group, parts in sorted(groups.items(), key=lambda item: item[0].fqn.count("+")):
        container = (group.project, group.fqn.rpartition("+")[0])
        own = next((part.facts.accessibility for part in parts if part.facts.accessibility), "")
        if not own:
            own = "internal" if not container[1] else "public" if kinds.get(container) == "interface" else "private"
        outer = out[container][1] if container in out else "public"
        out[group.project, group.fqn] = own, min(own, outer, key=_WIDTH.index)
    return out


def _merge(
    group: _Group, parts: list[Part], type_id: TypeId, access: dict[tuple[str, str], tuple[str, str]],
    damaged: dict[str, str],
) -> CSharpType:  # fmt: skip
    parts.sort(key=lambda part: (part.path, part.facts.line))
    own, effective = access[group.project, group.fqn]
    modifiers = {word for part in parts for word in part.facts.modifiers} - {"partial"}
    reasons = sorted({f"{part.path}: {damaged[part.path]}" for part in parts if part.path in damaged})
    return CSharpType(
        id=type_id,
        fqn=group.fqn,
        kind=parts[0].facts.kind,
        arity=arity_of(group.fqn),
        accessibility=own,
        effective_accessibility=effective,
        modifiers=tuple(sorted(modifiers)),
        project=group.project,
        parts=tuple(parts),
        members=_merge_members(parts),
        degraded="; ".join(reasons),
    )


def _merge_members(parts: Sequence[Part]) -> tuple[Member, ...]:
    """Every part's members and the compiler's, in canonical order; the two halves of a partial member are one."""
    found: list[tuple[MemberFacts, str]] = [(member, part.path) for part in parts for member in part.facts.members]
    if any("partial" in member.modifiers for member, _ in found):
        found = _join_halves(found)
    found.extend((member, parts[0].path) for member in add_members([part.facts for part in parts]))
    if parts[0].facts.kind != "enum":
        found.sort(key=lambda item: member_order(item[0]))
    return tuple(Member(member, path, canonical_signature(member)) for member, path in found)


def _join_halves(found: list[tuple[MemberFacts, str]]) -> list[tuple[MemberFacts, str]]:
    halves: dict[object, int] = {}
    out: list[tuple[MemberFacts, str]] = []
    for member, path in found:
        key = (member.kind, member_key(member))
        if "partial" not in member.modifiers or key not in halves:
            if "partial" in member.modifiers:
                halves[key] = len(out)
            out.append((member, path))
            continue
        other, other_path = out[halves[key]]
        definition, implementation = (other, member) if member.body or not other.body else (member, other)
        joined = replace(
            definition,
            body=implementation.body,
            doc=definition.doc or implementation.doc,
            doc_hash=definition.doc_hash or implementation.doc_hash,
            attributes=tuple(dict.fromkeys((*definition.attributes, *implementation.attributes))),
        )
        out[halves[key]] = (joined, other_path if definition is other else path)
    return out
