"""Describes a tree: what was read and left out, whether generated files are out of date, and how long runs took.

What needs the facts of every source is cached, so that only changed sources are read again.
"""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from codecortex.git.worktree.folder_digest import FolderDigest
from codecortex.git.worktree.stamps import stamp_files, stamp_folder
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.storage import digest_catalog_settings
from codecortex.operations.check.note_work import NoteWork, read_note_work
from codecortex.operations.check.status_text import write_status
from codecortex.operations.folder import has_folder
from codecortex.operations.metrics import Figures, read_figures
from codecortex.operations.notes.files import has_notes
from codecortex.operations.notes.investigations import read_investigations
from codecortex.operations.reading.source_states import state_sources
from codecortex.operations.reading.sources import NAMED_GENERATED
from codecortex.operations.reading.tree import list_unread, read_marks, separate_binary
from codecortex.operations.refresh.run import explain_untracked, list_behind
from codecortex.store.cache.cache import FILE_NAME as CACHE
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.store.local.metrics_log import FILE_NAME as METRICS
from codecortex.store.paths import FOLDER, GENERATED, INDEX, SEMANTIC, TYPES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.model.code.projects import Project
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.request import Unread

_SHORT_ID = len("T_") + 8
_VERSION = 3
_PACKS = f"{FOLDER}/packs"
_CACHE_BYTES = 1 << 30
_RESOLVE_MS = 250.0
_CALL_MS = 100.0
_ENOUGH_RUNS = 20
_SERVER_MB = 2048


class Size(NamedTuple):
    """Number of files, and their total size in bytes."""

    files: int
    bytes: int


class Contents(NamedTuple):
    """What the facts of the sources yield; the attributes as in `StatusResult`."""

    types: Mapping[str, int]
    generated: int
    left_out: Mapping[str, int]
    degraded: Mapping[str, str]
    collisions: tuple[str, ...]
    unread: tuple[Unread, ...] = ()


class NoteCounts(NamedTuple):
    """How many notes hold, how many do not, and how many are about no type."""

    cached: int
    stale: int
    orphans: int


class InvestigationCounts(NamedTuple):
    """How many investigations hold, and how many do not."""

    cached: int
    stale: int


class StatusResult(NamedTuple):
    """The state of a tree and of its generated files.

    Attributes:
        projects: Number of projects that compile something.
        types: Number of types by kind.
        files: Number of C# files that were read.
        generated: How many of them are generated code.
        left_out: Number of C# files that each rule excluded.
        degraded: Path to reason, for files that could not be parsed completely.
        unread: Files that could not be read.
        skipped: Paths that are no readable files.
        collisions: TypeIds that are longer than usual because of a collision.
        reports: What could not be evaluated in project files.
        behind: Generated files that a refresh would write or remove; None without `.codecortex`, or for another tree
            than the work tree.
        notes: What is known of the notes; None if the tree has none.
        investigations: What is known of the investigations; None if the tree has none.
        sizes: Sizes on disk: `cache` and `metrics`, then `index`, `outlines`, `notes` and `packs` of the work tree.
        metrics: Figures from the log of runs.
        note_work: How the writing of notes goes.
        warnings: What exceeds its limit, each with what to do.
    """

    projects: int
    types: Mapping[str, int]
    files: int
    generated: int
    left_out: Mapping[str, int]
    degraded: Mapping[str, str]
    unread: tuple[Unread, ...]
    skipped: tuple[tuple[str, str], ...]
    collisions: tuple[str, ...]
    reports: tuple[str, ...]
    behind: tuple[str, ...] | None
    notes: NoteCounts | None
    investigations: InvestigationCounts | None
    sizes: Mapping[str, Size]
    metrics: Figures
    note_work: NoteWork
    warnings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {
            "projects": self.projects,
            "types": dict(self.types),
            "files": self.files,
            "generated": self.generated,
            "leftOut": dict(self.left_out),
            "degraded": dict(self.degraded),
            "unread": [{"path": path, "reason": reason} for path, reason in self.unread],
            "skipped": [{"path": path, "reason": reason} for path, reason in self.skipped],
            "collisions": list(self.collisions),
            "reports": list(self.reports),
            "behind": None if self.behind is None else list(self.behind),
            "notes": None if self.notes is None else self.notes._asdict(),
            "investigations": None if self.investigations is None else self.investigations._asdict(),
            "sizes": {name: {"files": files, "bytes": held} for name, (files, held) in self.sizes.items()},
            "metrics": self.metrics.as_json(),
            "outline": {"gen": {"count": self.metrics.outlines}},
            **self.note_work.as_json(),
            "warnings": list(self.warnings),
        }

    def as_text(self) -> str:
        """The state as text for people."""
        return write_status(self.as_json())


def status(workspace: Workspace) -> StatusResult:
    """Describe a tree; only the local cache is written."""
    request, repository, tree, projects = workspace.request, workspace.repository, workspace.tree, workspace.projects
    generates = request.rev is None and repository.root is not None and has_folder(repository.root)
    with FolderDigest(repository, *GENERATED) if generates else nullcontext() as lying:
        contents, sizes = _learn_contents(workspace), _measure_sizes(repository)
        behind = list_behind(tree, workspace.cache, lying) if lying is not None else None
    named = len(list_unread(tree, projects))
    left_out = Counter(tree.sources.left_out) + Counter(contents.left_out) + Counter({NAMED_GENERATED: named})
    figures = read_figures(repository.shared_dir)
    work = read_note_work(repository)
    warnings = (explain_untracked(tree), *_list_warnings(sizes, figures, repository.shared_dir), *work.list_warnings())
    return StatusResult(
        projects=sum(1 for project in projects if project.files),
        types=contents.types,
        files=len(tree.sources.sources) - named - sum(contents.left_out.values()) - len(contents.unread),
        generated=contents.generated,
        left_out=dict(sorted(left_out.items())),
        degraded=contents.degraded,
        unread=contents.unread,
        skipped=tuple((entry.path, str(entry.problem)) for entry in tree.listing.skipped),
        collisions=contents.collisions,
        reports=tuple(dict.fromkeys(report for project in projects for report in project.reports)),
        behind=behind,
        notes=_count_notes(workspace),
        investigations=_count_investigations(workspace),
        sizes=sizes,
        metrics=figures,
        note_work=work,
        warnings=tuple(filter(None, warnings)),
    )


def _count_notes(workspace: Workspace) -> NoteCounts | None:
    if not has_notes(workspace.tree):
        return None
    from codecortex.operations.notes.texts import judge_workspace_notes

    survey = judge_workspace_notes(workspace)
    stale = sum(bool(each.causes) for each in survey.notes)
    return NoteCounts(len(survey.notes) - stale, stale, len(survey.orphans))


def _count_investigations(workspace: Workspace) -> InvestigationCounts | None:
    files = read_investigations(workspace.tree)
    if not files:
        return None
    from codecortex.operations.investigations.states import judge_investigations

    stale = sum(bool(each.reasons) for each in judge_investigations(workspace, files))
    return InvestigationCounts(len(files) - stale, stale)


def _learn_contents(workspace: Workspace) -> Contents:
    catalog = workspace.catalog
    marks, lost = _learn_marks(workspace)
    unread, degraded = separate_binary(lost, marks.degraded)
    return Contents(
        dict(sorted(Counter(entry.kind for entry in catalog.types).items())),
        len(marks.generated),
        Counter(marks.left_out.values()),
        dict(sorted(degraded.items())),
        tuple(entry.id for entry in catalog.types if len(entry.id) > _SHORT_ID),
        unread,
    )


class _Marks(NamedTuple):
    """The state of each source, see `state_sources`, when it was read; generated, left out and degraded sources."""

    states: Mapping[str, str]
    generated: list[str]
    left_out: Mapping[str, str]
    degraded: Mapping[str, str]


def _learn_marks(workspace: Workspace) -> tuple[_Marks, tuple[Unread, ...]]:
    """The marks of all sources, and the sources without facts; only changed sources are read again."""
    settings, name = digest_catalog_settings(workspace.inputs), f"{workspace.inputs.name}/status"
    known = _load_marks(workspace.cache.get(name), settings)
    states = state_sources(workspace.tree, workspace.projects)
    if states == known.states:
        return known, ()
    changed = {path for path, state in states.items() if known.states.get(path) != state}
    found, unread = read_marks(workspace.tree, _take_files(workspace.projects, changed), workspace.cache)
    lost = {path for path, _ in unread}
    stay = states.keys() - changed
    marks = _Marks(
        {path: state for path, state in states.items() if path not in lost},  # unread sources are tried again
        sorted([*found.generated, *stay.intersection(known.generated)]),
        found.left_out | {path: why for path, why in known.left_out.items() if path in stay},
        found.degraded | {path: why for path, why in known.degraded.items() if path in stay},
    )
    rows: tuple[Any, ...] = marks
    workspace.cache.put(name, pack_row((_VERSION, settings, *rows)))
    return marks, unread


def _take_files(projects: Sequence[Project], paths: Collection[str]) -> list[Project]:
    """The projects that compile some of the files, reduced to these."""
    cut = (each._replace(files=tuple(path for path in each.files if path in paths)) for each in projects)
    return [each for each in cut if each.files]


def _load_marks(data: bytes | None, settings: str) -> _Marks:
    found = load_row(data, _read_marks)
    return found[1] if found is not None and found[0] == (_VERSION, settings) else _Marks({}, [], {}, {})


def _read_marks(row: Any) -> tuple[tuple[int, str], _Marks]:
    version, settings, *marks = row
    return (version, settings), _Marks(*marks)


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
    if (figures.server_megabytes or 0) > _SERVER_MB:
        warnings.append(
            f"a server took {figures.server_megabytes:,} MB of memory, more than {_SERVER_MB:,}: start it again, or"
            " leave out sources by `exclude`."
        )
    if sizes["cache"].bytes > _CACHE_BYTES:
        warnings.append(
            f"the local cache holds more than {_CACHE_BYTES >> 30} GiB: delete {shared / CACHE}; the next refresh"
            " makes what is needed."
        )
    return tuple(warnings)
