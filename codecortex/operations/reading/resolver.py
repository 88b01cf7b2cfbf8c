"""Builds the resolver over all types of a reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.references import resolve_among

if TYPE_CHECKING:
    from codecortex.analysis.types.references import Resolver
    from codecortex.operations.reading.tree import Reading


def make_resolver(reading: Reading) -> Resolver:
    """A resolver over all types of a reading."""
    return resolve_among(reading.types, reading.projects, reading.usings)
