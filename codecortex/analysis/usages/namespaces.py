"""Judges whether an occurrence of the last part of a namespace's name means that namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.usages.names import is_hidden_by_nothing
from codecortex.model.code.types import cut_namespace
from codecortex.model.code.usages import BY_NAME, DECLARATION, EXACT, Context, Root

if TYPE_CHECKING:
    from codecortex.analysis.usages.scope import TypeScope, Where
    from codecortex.model.code.usages import Site, Verdict


def judge_namespace(type_scope: TypeScope, namespace: str, site: Site, where: Where) -> Verdict:
    """Judge one occurrence of the last part of a namespace's name."""
    if site.receiver.root not in (Root.NONE, Root.NAMES) or site.arity:
        return BY_NAME
    written = ".".join((*site.receiver.names, namespace.rpartition(".")[2])).removeprefix("global.")
    if site.context is Context.NAMESPACE:
        return DECLARATION if written == namespace else BY_NAME
    if site.context is Context.IMPORT:
        return EXACT if written == namespace else BY_NAME
    if site.context not in (Context.VALUE, Context.TYPE, Context.CREATED) or not site.following:
        return BY_NAME
    if site.local is not None or not is_hidden_by_nothing(type_scope, written.partition(".")[0], where):
        return BY_NAME
    found = type_scope.find_type(f"{written}.{site.following}", where.place)
    means = cut_namespace(found.fqn) if found is not None else ""
    return EXACT if means == namespace and namespace.endswith(written) else BY_NAME
