"""A request in; what was read, what was left out and why, and whether the committed files are behind, out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.repository import open_repository
from codecortex.operations.index import read_whole
from codecortex.operations.refresh import refresh
from codecortex.store.cache import open_cache
from codecortex.store.paths import FOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.operations.request import Request, Unread

_SHORT_ID = len("T_") + 8


class StatusResult(NamedTuple):
    """The state of a tree and of what is committed about it.

    Attributes:
        projects: How many projects compile something.
        types: How many types there are, by kind.
        files: How many C# files were read.
        left_out: How many C# files each rule took.
        degraded: Path to reason of files that could not be parsed whole.
        unread: Files that could not be read.
        skipped: Paths that are no readable files.
        collisions: Ids that had to be longer.
        reports: What could not be evaluated in project files.
        behind: Generated files that a refresh would write or remove; None where there is no `.codecortex`, or another
            tree than the work tree was asked for.
    """

    projects: int
    types: Mapping[str, int]
    files: int
    left_out: Mapping[str, int]
    degraded: Mapping[str, str]
    unread: tuple[Unread, ...]
    skipped: tuple[tuple[str, str], ...]
    collisions: tuple[str, ...]
    reports: tuple[str, ...]
    behind: tuple[str, ...] | None


def status(request: Request) -> StatusResult:
    """Describe a tree; nothing is written but the local cache."""
    repository = open_repository(request.folder)
    with open_cache(repository.shared_dir, warn=request.warn) as cache:
        reading = read_whole(request, repository, cache)
    behind = None
    if request.rev is None and repository.root is not None and (repository.root / FOLDER).is_dir():
        planned = refresh(request, dry_run=True)
        behind = (*planned.written, *planned.removed)
    sources = reading.tree.sources
    left_out = dict(sources.left_out)
    if reading.generated:
        left_out["generated head"] = reading.generated
    reports = [report for project in reading.projects for report in project.reports]
    return StatusResult(
        projects=sum(1 for project in reading.projects if project.files),
        types=dict(sorted(Counter(merged.kind for merged in reading.types).items())),
        files=len(sources.sources) - reading.generated - len(reading.unread),
        left_out=dict(sorted(left_out.items())),
        degraded=reading.degraded,
        unread=reading.unread,
        skipped=tuple((entry.path, str(entry.problem)) for entry in reading.tree.listing.skipped),
        collisions=tuple(merged.id for merged in reading.types if len(merged.id) > _SHORT_ID),
        reports=tuple(dict.fromkeys(reports)),
        behind=behind,
    )
