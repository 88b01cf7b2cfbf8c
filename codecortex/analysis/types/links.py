"""What the outline of a type links to: its base list with full names, and the types that its surface depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.references import name_of_base, place_of_bases
from codecortex.analysis.types.views import write_base
from codecortex.model.code.types import display_fqn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.analysis.types.references import Resolver
    from codecortex.model.code.types import CSharpType, TypeId


def link_outline(
    merged: CSharpType, resolver: Resolver, fqns: Mapping[TypeId, str], limit: int
) -> tuple[list[str], list[str]]:
    """Base types, and the other types in the repository that the surface depends on, in C# syntax.

    Only dependencies that are certain are listed, the most frequent first, ties by name. Bases and enclosing types are
    left out because the outline already names them, attributes because they say little about a type.
    """
    bases, known = _link_bases(merged, resolver)
    enclosing = merged.fqn + "+"
    edges = [
        edge
        for edge in resolver.surface_edges_of(merged, attributes=False)
        if edge.exact and edge.target not in known and not enclosing.startswith(fqns[edge.target] + "+")
    ]
    edges.sort(key=lambda edge: (-edge.count, fqns[edge.target]))
    return bases, [display_fqn(fqns[edge.target]) for edge in edges[:limit]]


def list_bases(merged: CSharpType, resolver: Resolver) -> set[TypeId]:
    """The types that a base list certainly names."""
    return _link_bases(merged, resolver)[1]


def _link_bases(merged: CSharpType, resolver: Resolver) -> tuple[list[str], set[TypeId]]:
    """The base list, with full names for bases that are certain, and the types of these."""
    out: dict[str, None] = {}
    known: set[TypeId] = set()
    for part in merged.parts:
        if not part.facts.bases:
            continue
        place = place_of_bases(merged, part)
        for base in part.facts.bases:
            found = resolver.resolve(name_of_base(base), place)
            if found.sure and len(found.types) == 1:
                known.add(found.types[0].id)
                out[write_base(base, found.types[0].fqn)] = None
            else:
                out[base] = None
    return list(out), known
