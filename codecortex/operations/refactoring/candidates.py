"""Places that cannot be proved to belong to an edit, and which of them somebody chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.errors import UsageError
from codecortex.model.hashing import digest
from codecortex.operations.refactoring.results import Candidate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

INACTIVE = "it is compiled under other symbols only"
GENERATED = "the file is generated"
UNDECIDABLE = frozenset((INACTIVE, GENERATED))
"""Why places are doubtful that a compiler does not judge either."""
NO_CANDIDATE = "none"
"""The choice of no candidate at all."""


def make_candidate(file: str, line: int, column: int, why: str) -> Candidate:
    """A candidate; its id is made of its place."""
    return Candidate(digest("candidate", (file, str(line), str(column)))[:6], file, line, column, why)


def choose(candidates: Iterable[Candidate], include: Collection[str]) -> set[str]:
    """The ids that were chosen.

    Raises:
        UsageError: There is no such candidate.
    """
    known = {each.id for each in candidates}
    chosen = set(include) - {NO_CANDIDATE}
    unknown = sorted(chosen - known)
    if unknown:
        hint = "Run it without --include to see them; the sources may have changed."
        raise UsageError(f"There is no candidate {unknown[0]}.", hint)
    return chosen
