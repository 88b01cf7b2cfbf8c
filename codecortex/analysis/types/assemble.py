"""Assembles types from the facts of files: merges parts, assigns TypeIds, orders members."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from codecortex.analysis.types.implicit import add_members
from codecortex.analysis.types.signatures import member_key, order_members
from codecortex.model.code.facts import is_generated_name
from codecortex.model.code.types import CSharpType, Member, Part, TypeId, encode_sha256
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.facts import FileFacts, TypeFacts
    from codecortex.model.code.projects import Project

_T = TypeVar("_T")
_SHORT, _LONG = 8, 12
_WIDTH = ("private", "file", "private protected", "internal", "protected", "protected internal", "public")


class Group(NamedTuple):
    """The identity of a type; `owner` tells it from others of its FQN (project, or file for a file-local type)."""

    fqn: str
    kind: str
    project: str
    owner: str


def assemble_types(
    projects: Sequence[Project], facts_of: Callable[[Project, str], FileFacts | None]
) -> tuple[CSharpType, ...]:
    """Assemble every type of every project, sorted by id."""
    groups: dict[Group, list[Part]] = defaultdict(list)
    damaged: dict[str, str] = {}
    for project in projects:
        for path in project.files:
            facts = facts_of(project, path)
            if facts is None:
                continue
            if facts.degraded:
                damaged[path] = facts.degraded
            generated = facts.generated or is_generated_name(path)
            for declared, owner in iter_owned(facts, project.path, path):
                group = Group(declared.fqn, declared.kind, project.path, owner)
                outer = _list_outer(declared, facts)
                groups[group].append(Part(path, declared, facts.scopes, generated, outer))
    ids = assign_ids(groups)
    access = _settle_accessibility(groups)
    types = [_merge(group, parts, ids[group], access[group], damaged) for group, parts in groups.items()]
    types.sort(key=lambda merged: merged.id)
    return tuple(types)


def iter_owned(facts: FileFacts, project: str, path: str) -> Iterator[tuple[TypeFacts, str]]:
    """Yield a file's types with their owners: the file for file-local types and types in them, else the project."""
    local: set[str] = set()
    for declared in facts.types:
        if declared.accessibility == "file" or (local and declared.fqn.rpartition("+")[0] in local):
            local.add(declared.fqn)
            yield declared, path
        else:
            yield declared, project


def _list_outer(declared: TypeFacts, facts: FileFacts) -> tuple[str, ...]:
    """The names of the type parameters of the types around a declaration, the outermost first."""
    if "+" not in declared.fqn or "`" not in declared.fqn.rpartition("+")[0]:
        return ()
    around = {each.fqn: each.type_parameters for each in facts.types if declared.fqn.startswith(each.fqn + "+")}
    return tuple(name.rpartition(" ")[2] for fqn in sorted(around, key=len) for name in around[fqn])


def arity_of(fqn: str) -> int:
    """The number of type parameters of an FQN's last level."""
    tail = fqn.rpartition("`")[2]
    return int(tail) if "`" in fqn.rpartition("+")[2] and tail.isdecimal() else 0


def assign_ids(groups: Iterable[Group], short: int = _SHORT) -> dict[Group, TypeId]:
    """Assign a TypeId to each type, regardless of input order.

    Of several types with one FQN and kind, the one whose project and owner sort first has the plain id; project and
    owner are part of the others' ids. Types that would share the first `short` characters get twelve.
    """
    named: dict[tuple[str, str], list[Group]] = defaultdict(list)
    for group in groups:
        named[group.fqn, group.kind].append(group)
    long: dict[Group, str] = {}
    for (fqn, kind), same in named.items():
        plain = f"{fqn}|{kind}|{arity_of(fqn) if '`' in fqn else 0}"
        if len(same) > 1:
            same.sort(key=lambda group: (group.project, group.owner))
        long[same[0]] = encode_sha256(plain, _LONG)
        for group in same[1:]:
            key = f"{plain}|{group.project}"
            long[group] = encode_sha256(key if group.owner == group.project else f"{key}|{group.owner}", _LONG)
    cut = [text[:short] for text in long.values()]
    if len(set(cut)) < len(cut):
        holders = Counter(cut)
        cut = [own if holders[own] == 1 else text for own, text in zip(cut, long.values(), strict=True)]
    return {group: TypeId("T_" + own) for group, own in zip(long, cut, strict=True)}


def _settle_accessibility(groups: Mapping[Group, Sequence[Part]]) -> dict[Group, tuple[str, str]]:
    """Own and effective accessibility of each type; containers are processed before their nested types."""
    out: dict[Group, tuple[str, str]] = {}
    containers: dict[tuple[str, str, str], Group] = {}
    for group, parts in sorted(groups.items(), key=lambda item: item[0].fqn.count("+")):
        name = (group.fqn, group.project, group.owner)
        containers[name] = min(group, containers.get(name, group))
        place = group.fqn.rpartition("+")[0]
        container = containers.get((place, group.project, group.owner)) if place else None
        own = next((part.facts.accessibility for part in parts if part.facts.accessibility), "")
        if not own:
            own = "internal" if not place else "public" if container and container.kind == "interface" else "private"
        out[group] = own, min(own, out[container][1], key=_WIDTH.index) if container else own
    return out


def _merge(
    group: Group, parts: list[Part], type_id: TypeId, access: tuple[str, str], damaged: Mapping[str, str]
) -> CSharpType:
    parts.sort(key=lambda part: (part.path, part.facts.line))
    own, effective = access
    modifiers = {word for part in parts for word in part.facts.modifiers} - {"partial"}
    reasons = (
        sorted({f"{part.path}: {damaged[part.path]}" for part in parts if part.path in damaged}) if damaged else ()
    )
    return CSharpType(
        id=type_id,
        fqn=group.fqn,
        kind=parts[0].facts.kind,
        arity=arity_of(group.fqn),
        accessibility=own,
        effective_accessibility=effective,
        modifiers=tuple(sorted(modifiers)),
        project=group.project,
        owner=group.owner,
        parts=tuple(parts),
        members=_merge_members(parts),
        degraded="; ".join(reasons),
    )


_make_member = partial(tuple.__new__, Member)  # at half of what the class costs, for every member


def _merge_members(parts: Sequence[Part]) -> tuple[Member, ...]:
    """The members of all parts and those the compiler adds, in canonical order; partial members are merged."""
    found = [_make_member((member, part.path)) for part in parts for member in part.facts.members]
    if any("partial" in part.facts.modifiers for part in parts):
        found = _join_halves(found)
    kind, path = parts[0].facts.kind, parts[0].path
    if kind in ("class", "record") and any("abstract" in part.facts.modifiers for part in parts):
        found = [_protect(member) if member.facts.primary else member for member in found]
    if kind == "enum":
        return tuple(found)
    found += [Member(member, path) for member in add_members([part.facts for part in parts])]
    return tuple(order_members(found))


def _protect(member: Member) -> Member:
    """The primary constructor of an abstract type, which only derived types can call."""
    return member._replace(facts=member.facts._replace(accessibility="protected"))


def _unite(first: tuple[_T, ...], second: tuple[_T, ...]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*first, *second))) if first or second else ()


def _join_halves(found: Sequence[Member]) -> list[Member]:
    halves: dict[object, int] = {}
    out: list[Member] = []
    for member in found:
        key = (member.facts.kind, member_key(member.facts)) if "partial" in member.facts.modifiers else None
        if key is None or key not in halves:
            if key is not None:
                halves[key] = len(out)
            out.append(member)
            continue
        other = out[halves[key]]
        whole = member.facts.body or not other.facts.body
        definition, implementation = (other, member) if whole else (member, other)
        joined = definition.facts._replace(
            body=implementation.facts.body,
            doc=definition.facts.doc or implementation.facts.doc,
            doc_hash=definition.facts.doc_hash or implementation.facts.doc_hash,
            attributes=_unite(definition.facts.attributes, implementation.facts.attributes),
            accessor_attributes=_unite(definition.facts.accessor_attributes, implementation.facts.accessor_attributes),
            type_parameter_attributes=_unite(
                definition.facts.type_parameter_attributes, implementation.facts.type_parameter_attributes
            ),
        )
        out[halves[key]] = Member(joined, definition.path)
    return out
