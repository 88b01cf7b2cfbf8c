"""Builds the resolver over all types of a reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.references import Resolver
from codecortex.analysis.types.symbol_table import Declared, SymbolTable

if TYPE_CHECKING:
    from codecortex.operations.reading.tree import Reading


def make_resolver(reading: Reading) -> Resolver:
    """A resolver over all types of a reading."""
    table = SymbolTable((Declared(t.id, t.fqn, t.project, t.owner) for t in reading.types), reading.projects)
    return Resolver(table, {t.id: t for t in reading.types}, reading.usings)
