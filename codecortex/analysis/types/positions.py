"""Tells which positions of records make no property, because a base record has a member of that name already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.views import name_of_base
from codecortex.model.code.types import cut_simple_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from codecortex.analysis.types.references import Resolver
    from codecortex.model.code.facts import FileFacts, MemberFacts, TypeFacts
    from codecortex.model.code.types import CSharpType, Part

_HELD = frozenset({"property", "field"})


def settle_positions(types: Iterable[CSharpType], find_resolver: Callable[[], Resolver]) -> tuple[CSharpType, ...]:
    """The types, without the properties that a base record's members take the place of.

    Args:
        types: Types as their own files declare them.
        find_resolver: Returns the resolver of their tree; called only if there is a record to look at.
    """
    given = tuple(types)
    if not any(map(_may_inherit, given)):
        return given
    resolver = find_resolver()
    return tuple(drop_positions(each, find_inherited(each, resolver)) if _may_inherit(each) else each for each in given)


def find_inherited(merged: CSharpType, resolver: Resolver) -> frozenset[str]:
    """The positions of a record for which the nearest member of that name in its bases can be read.

    An abstract member is overridden by the position's property; private members, and internal ones of other projects,
    are not seen.
    """
    open_names = {member.facts.name for member in merged.members if _is_position(member.facts)}
    found = set()
    for base in resolver.list_base_classes(merged):
        for member in base.members:
            facts = member.facts
            seen = facts.accessibility != "private" and (facts.accessibility != "internal" or _same(base, merged))
            if facts.name in open_names and facts.kind in _HELD and seen and not facts.explicit_interface:
                open_names.discard(facts.name)
                if "abstract" not in facts.modifiers:
                    found.add(facts.name)
    return frozenset(found)


def drop_positions(merged: CSharpType, names: Iterable[str]) -> CSharpType:
    """A record without the properties of these positions."""
    gone = frozenset(names)
    if not gone:
        return merged
    kept = (each for each in merged.members if not (_is_position(each.facts) and each.facts.name in gone))
    return merged._replace(members=tuple(kept))


def list_dropped(merged: CSharpType) -> tuple[str, ...]:
    """The positions of a record that have no property in it."""
    if merged.kind != "record":
        return ()
    made = (each.facts for each in merged.members if each.facts.primary and each.facts.kind == "constructor")
    primary = next(made, None)
    if primary is None:
        return ()
    held = {each.facts.name for each in merged.members if each.facts.kind in _HELD}
    return tuple(each.name for each in primary.parameters if each.name not in held)


def list_base_names(parts: Iterable[Part]) -> tuple[str, ...]:
    """The simple names in the base list of a record; empty for other types."""
    bases = (base for part in parts if part.facts.kind == "record" for base in part.facts.bases)
    return tuple(dict.fromkeys(name_of_base(base).rpartition(".")[2].partition("`")[0] for base in bases))


def find_heirs(names: Iterable[str], records: Mapping[str, Iterable[str]]) -> set[str]:
    """The keys of the records that derive from a type with one of these simple names, by their names alone.

    Args:
        names: Simple names.
        records: Simple name of each record, to the simple names in the base lists of records of that name.
    """
    known, pending = set(), list(names)
    while pending:
        name = pending.pop()
        heirs = {heir for heir, bases in records.items() if name in bases and heir not in known}
        known |= heirs
        pending += heirs
    return known


def list_changed_records(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> set[str]:
    """The simple names of records of which heirs may inherit something else than before."""
    old, new = _describe_records(before), _describe_records(after)
    return {cut_simple_name(fqn) for fqn in old.keys() | new.keys() if old.get(fqn) != new.get(fqn)}


def _describe_records(files: Iterable[FileFacts]) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for file in files:
        for declared in file.types:
            if declared.kind == "record":
                found.setdefault(declared.fqn, []).append(_tell_heirs(declared))
    return {fqn: sorted(parts, key=repr) for fqn, parts in found.items()}


def _tell_heirs(declared: TypeFacts) -> object:
    """What heirs of a record depend on."""
    held = {(m.name, m.accessibility, "abstract" in m.modifiers) for m in declared.members if m.kind in _HELD}
    positions = {parameter.name for m in declared.members if m.primary for parameter in m.parameters}
    return sorted(held), sorted(positions), declared.bases


def _may_inherit(merged: CSharpType) -> bool:
    return (
        merged.kind == "record"
        and any(part.facts.bases for part in merged.parts)
        and any(_is_position(member.facts) for member in merged.members)
    )


def _is_position(facts: MemberFacts) -> bool:
    return facts.primary and facts.kind == "property"


def _same(base: CSharpType, merged: CSharpType) -> bool:
    return base.project == merged.project
