"""Places that cannot be proved to belong to an edit, and which of them somebody chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.errors import UsageError
from codecortex.model.hashing import digest
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.results import Candidate
from codecortex.parsing.decode import decode_source
from codecortex.parsing.occurrences.find import LineStarts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from codecortex.operations.catalog.workspace import Workspace

INACTIVE = "it is compiled under other symbols only"
GENERATED = "the file is generated"
UNDECIDABLE = frozenset((INACTIVE, GENERATED))
"""Why places are doubtful that a compiler does not judge either."""
NO_CANDIDATE = "none"
"""The choice of no candidate at all."""
ALL_CANDIDATES = "all"
"""The choice of every candidate."""


def make_candidate(file: str, line: int, column: int, why: str) -> Candidate:
    """A candidate; its id is made of its place."""
    return Candidate(digest("candidate", (file, str(line), str(column)))[:6], file, line, column, why)


def add_texts(workspace: Workspace, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The same with their lines, as far as they stand in sources."""
    sources = workspace.tree.sources.sources
    contents = SourceSearch(workspace).read({each.file for each in candidates if each.file in sources})
    starts = {each.entry.path: LineStarts(decode_source(each.data or b"")) for each in contents}
    return tuple(
        each._replace(text=_read_line(starts[each.file], each)) if each.file in starts else each for each in candidates
    )


def _read_line(starts: LineStarts, candidate: Candidate) -> str:
    start = starts.find((candidate.line, candidate.column))
    return starts.locate(start, start).snippet


def choose(candidates: Iterable[Candidate], include: Collection[str]) -> set[str]:
    """The ids that were chosen.

    Raises:
        UsageError: There is no such candidate.
    """
    known = {each.id for each in candidates}
    chosen = set(include) - {NO_CANDIDATE, ALL_CANDIDATES} | (known if ALL_CANDIDATES in include else set())
    unknown = sorted(chosen - known)
    if unknown:
        hint = "Run it without --include to see them; the sources may have changed."
        raise UsageError(f"There is no candidate {unknown[0]}.", hint)
    return chosen
