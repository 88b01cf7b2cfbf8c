"""A desk in; what was read, what was left out and why, whether the committed files are behind, and what runs took, out.

What only a whole reading tells is remembered by everything it depends on: a tree is read once, however often one asks.
"""

from __future__ import annotations

import marshal
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.git.stamps import stamp_files, stamp_folder
from codecortex.operations.committed import has_folder
from codecortex.operations.metrics import Figures, read_figures
from codecortex.operations.reading import digest_tree
from codecortex.operations.refresh import refresh
from codecortex.store.cache import FILE_NAME as CACHE
from codecortex.store.metrics_log import FILE_NAME as METRICS
from codecortex.store.paths import FOLDER, INDEX, SEMANTIC, TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.model.projects import Project
    from codecortex.operations.desk import Desk
    from codecortex.operations.reading import Tree
    from codecortex.operations.request import Unread
    from codecortex.store.cache import Cache

_SHORT_ID = len("T_") + 8
_VERSION = 1
_NAME = "status"
_PACKS = f"{FOLDER}/packs"
_CACHE_BYTES = 1 << 30
_RESOLVE_MS = 250.0
_CALL_MS = 100.0
_ENOUGH_RUNS = 20


class Size(NamedTuple):
    """How many files there are, and how many bytes they hold."""

    files: int
    bytes: int


class Contents(NamedTuple):
    """What only reading a whole tree tells; the attributes as in `StatusResult`."""

    types: Mapping[str, int]
    generated: int
    degraded: Mapping[str, str]
    collisions: tuple[str, ...]
    unread: tuple[Unread, ...] = ()


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
        sizes: What lies on disk: `cache` and `metrics`, then `index`, `outlines`, `notes` and `packs` of the work tree.
        metrics: What the log of runs says.
        warnings: What is beyond its bounds, each with what to do.
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
    sizes: Mapping[str, Size]
    metrics: Figures
    warnings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {
            "projects": self.projects,
            "types": dict(self.types),
            "files": self.files,
            "leftOut": dict(self.left_out),
            "degraded": dict(self.degraded),
            "unread": [{"path": path, "reason": reason} for path, reason in self.unread],
            "skipped": [{"path": path, "reason": reason} for path, reason in self.skipped],
            "collisions": list(self.collisions),
            "reports": list(self.reports),
            "behind": None if self.behind is None else list(self.behind),
            "sizes": {name: {"files": files, "bytes": held} for name, (files, held) in self.sizes.items()},
            "metrics": self.metrics.as_json(),
            "warnings": list(self.warnings),
        }

    def as_text(self) -> str:
        """The state for people."""
        from codecortex.operations.status_text import write_status  # noqa: PLC0415 - people only

        return write_status(self.as_json())


def status(desk: Desk) -> StatusResult:
    """Describe a tree; nothing is written but the local cache."""
    request, repository, tree, projects = desk.request, desk.repository, desk.tree, desk.projects
    contents = _learn_contents(tree, projects, desk.cache)
    behind = None
    if request.rev is None and repository.root is not None and has_folder(repository.root):
        planned = refresh(request, dry_run=True)
        behind = (*planned.written, *planned.removed)
    left_out = dict(tree.sources.left_out)
    if contents.generated:
        left_out["generated head"] = contents.generated
    sizes, figures = _measure_sizes(repository), read_figures(repository.shared_dir)
    return StatusResult(
        projects=sum(1 for project in projects if project.files),
        types=contents.types,
        files=len(tree.sources.sources) - contents.generated - len(contents.unread),
        left_out=dict(sorted(left_out.items())),
        degraded=contents.degraded,
        unread=contents.unread,
        skipped=tuple((entry.path, str(entry.problem)) for entry in tree.listing.skipped),
        collisions=contents.collisions,
        reports=tuple(dict.fromkeys(report for project in projects for report in project.reports)),
        behind=behind,
        sizes=sizes,
        metrics=figures,
        warnings=_list_warnings(sizes, figures, repository.shared_dir),
    )


def _learn_contents(tree: Tree, projects: tuple[Project, ...], cache: Cache) -> Contents:
    digest = digest_tree(tree)
    known = _load_contents(cache.get(_NAME), digest)
    if known is not None:
        return known
    from codecortex.operations.reading import read_tree  # noqa: PLC0415 - only for a tree not seen yet

    reading = read_tree(tree, projects, cache)
    contents = Contents(
        dict(sorted(Counter(str(merged.kind) for merged in reading.types).items())),
        reading.generated,
        dict(reading.degraded),
        tuple(merged.id for merged in reading.types if len(merged.id) > _SHORT_ID),
        reading.unread,
    )
    if not reading.unread:  # what could not be read is tried again
        rows: tuple[Any, ...] = contents[:-1]
        cache.put(_NAME, marshal.dumps((_VERSION, digest, *rows)))
    return contents


def _load_contents(data: bytes | None, digest: str) -> Contents | None:
    if data is None:
        return None
    try:
        version, held, *rows = marshal.loads(data)  # noqa: S302 - our own cache, beside .git
    except (ValueError, EOFError, TypeError):
        return None
    return Contents(*rows) if (version, held) == (_VERSION, digest) else None


def _measure_sizes(repository: Repository) -> dict[str, Size]:
    shared = repository.shared_dir
    sizes = {
        "cache": _add_up(stamp_files(shared, [CACHE, f"{CACHE}-wal", f"{CACHE}-shm"])),
        "metrics": _add_up(stamp_files(shared, [METRICS])),
    }
    root = repository.root
    if root is not None and has_folder(root):
        sizes["index"] = _add_up(stamp_files(root, [INDEX]))
        for name, folder in (("outlines", TYPES), ("notes", SEMANTIC), ("packs", _PACKS)):
            sizes[name] = _add_up(stamp_folder(root, folder))
    return sizes


def _add_up(stamps: Mapping[str, tuple[int, int, int]]) -> Size:
    held = [size for _, size, _ in stamps.values() if size >= 0]
    return Size(len(held), sum(held))


def _list_warnings(sizes: Mapping[str, Size], figures: Figures, shared: Path) -> tuple[str, ...]:
    warnings = []
    for what, times, bound in (
        ("`resolve`", figures.resolve, _RESOLVE_MS),
        ("resolve through MCP", figures.resolve_calls, _CALL_MS),
    ):
        if times.runs >= _ENOUGH_RUNS and times.p95 > bound:
            warnings.append(
                f"P95 of {what} is {times.p95:,.0f} ms, more than {bound:.0f} ms: run `codecortex refresh` after large"
                " changes, or leave out sources by `exclude`."
            )
    if sizes["cache"].bytes > _CACHE_BYTES:
        warnings.append(
            f"the local cache holds more than {_CACHE_BYTES >> 30} GiB: delete {shared / CACHE}; the next refresh"
            " makes what is needed."
        )
    return tuple(warnings)
