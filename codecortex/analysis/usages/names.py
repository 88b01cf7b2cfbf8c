"""Tells what names without a receiver of a known type certainly mean: types, and what no member hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.usages.scope import BARE
from codecortex.model.code.usages import Context, Root

if TYPE_CHECKING:
    from codecortex.analysis.usages.scope import TypeScope, Where
    from codecortex.model.code.facts import Parameter
    from codecortex.model.code.types import TypeId
    from codecortex.model.code.usages import Site

_AFTER_CONSTRUCTION = frozenset(("method", "operator", "conversion", "indexer", "destructor"))


def is_hidden_by_nothing(type_scope: TypeScope, head: str, where: Where) -> bool:
    """Whether no member of the enclosing types has this name."""
    for _, type_id in where.types:
        owner = type_scope.find_owner(type_id, head)
        if owner.type_id is not None or not owner.sure:
            return False
    return not any(head == parameter.name for parameter in primary_parameters(where))


def primary_parameters(where: Where) -> list[Parameter]:
    """The parameters of the enclosing primary constructors; in a record's methods its properties hide them."""
    hidden = where.member is not None and where.member.kind in _AFTER_CONSTRUCTION
    return [
        parameter
        for facts, _ in where.types
        if not (hidden and facts.kind.startswith("record"))
        for member in facts.members
        if member.primary and member.kind == "constructor"
        for parameter in member.parameters
    ]


def find_named_type(type_scope: TypeScope, site: Site, name: str, where: Where) -> TypeId | None:
    """The type of the tree that a name with its receiver certainly means, if it means a type at all."""
    if site.receiver.root not in (Root.NONE, Root.NAMES):
        return None
    segments = (*site.receiver.names, f"{name}`{site.arity}" if site.arity else name)
    if where.names_type_parameter(segments[0]):
        return None
    place = where.place
    if site.context is Context.IMPORT:
        place = place._replace(scopes=BARE, scope=0, fqn="")
    elif site.heads_type and where.types and where.types[0][0].line <= site.line:
        place = place._replace(fqn=place.fqn.rpartition("+")[0])
    whole = ".".join(segments)
    found = type_scope.find_type("@" + whole if site.context is Context.ATTRIBUTE else whole, place)
    return found.id if found is not None else None
