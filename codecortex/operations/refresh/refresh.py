"""Updates the generated files in `.codecortex`."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.listing import list_worktree
from codecortex.git.lock import lock_repository
from codecortex.git.repository import open_repository
from codecortex.git.revisions import find_commit
from codecortex.git.worktree.stamps import StampDigest, stamp_files, stamp_folder
from codecortex.model.versions import PACK_VERSION, TOKENS_VERSION
from codecortex.operations.reading.committed_files import require_folder
from codecortex.operations.reading.snapshot import (
    Run,
    SnapshotMark,
    load_behind,
    load_mark,
    load_snapshot,
    load_snapshots,
    name_snapshot,
    save_behind,
    save_mark,
    save_snapshot,
)
from codecortex.operations.reading.sources import SOURCE_SUFFIXES, select_sources
from codecortex.operations.reading.tree import Tree, digest_tree, open_tree
from codecortex.operations.request import Unread
from codecortex.store.cache.cache import Cache, open_cache
from codecortex.store.paths import ALIASES, CONFIG, INDEX, PACKS, SEMANTIC, TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from codecortex.git.worktree.stamps import Stamp
    from codecortex.model.code.aliases import Alias, AliasDoubt
    from codecortex.operations.refresh.plan import Plan
    from codecortex.operations.request import Request

_FAR = 100  # above this number of differing sources, the plan is saved for the next one
_WRONG = (0, -1, 0)  # a stamp that no file has
_WATCHED = ((TYPES, SEMANTIC, PACKS), (INDEX, ALIASES))


class RefreshResult(NamedTuple):
    """Result of a refresh, or of its dry run.

    Attributes:
        types: Number of types in the tree.
        written: Paths of files written, sorted.
        removed: Paths of files removed, sorted.
        unread: Sources without facts.
        degraded: Path to reason, for sources read in this run that could not be parsed completely.
        skipped: Paths of sources that are no readable files, with the reason.
        dry_run: Whether nothing was written.
        aliases: Aliases found in this run.
        moved: New paths of the notes that moved with their types.
        doubts: Renames that people should decide.
    """

    types: int
    written: tuple[str, ...]
    removed: tuple[str, ...]
    unread: tuple[Unread, ...]
    degraded: Mapping[str, str]
    skipped: tuple[Unread, ...]
    dry_run: bool
    aliases: tuple[Alias, ...] = ()
    moved: tuple[str, ...] = ()
    doubts: tuple[AliasDoubt, ...] = ()


def refresh(request: Request, *, dry_run: bool = False, full: bool = False, relayout: bool = False) -> RefreshResult:
    """Update `.codecortex` in the work tree from a tree.

    Args:
        request: Selects the tree; files are always written into the work tree.
        dry_run: Plan only.
        full: Ignore the snapshot of the last refresh.
        relayout: Choose the layout of the outlines anew, by the number of types.

    Raises:
        UsageError: There is no `.codecortex` folder.
        GitStateError: Git cannot read the repository, or a file cannot be written.
        StoreFormatError: A newer codecortex wrote the existing files.
        BusyError: Another process holds the lock.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    root = require_folder(repository)
    with (
        nullcontext() if dry_run else lock_repository(repository),
        StampDigest(root, *_WATCHED) as lying,  # runs while git does, whose answer is needed next
        open_cache(repository.shared_dir, warn=request.warn) as cache,
    ):
        tree = open_tree(request, repository)
        if untracked := explain_untracked(tree):
            request.warn(untracked)
        state = _State(cache, name_snapshot(Run.REFRESH, repository), _digest_all(tree))
        mark = None if full or relayout else load_mark(cache, state.name)
        if mark is not None and mark.tree == state.tree and mark.stamps == lying.result():
            return RefreshResult(mark.types, (), (), (), {}, _list_skipped(tree), dry_run)
        return _bring_up(tree, state, dry_run=dry_run, full=full, relayout=relayout)


def explain_untracked(tree: Tree) -> str:
    """A warning if the work tree has only untracked sources, with what to do; else empty."""
    if tree.sources.sources or tree.sources.left_out or tree.config.untracked or not tree.request.reads_worktree:
        return ""
    listing = list_worktree(tree.repository, SOURCE_SUFFIXES, untracked=True)
    number = len(select_sources(listing.entries, tree.config.exclude).sources)
    if not number:
        return ""
    are = "is" if number == 1 else "are"
    mend = f"`git add` {'it' if number == 1 else 'them'}, or set `untracked: true` in {CONFIG}"
    return f"No C# source is tracked here, {number:,} {are} untracked: {mend}."


def list_behind(tree: Tree, cache: Cache) -> tuple[str, ...]:
    """The generated files that a refresh would write or remove.

    Once sources differ from those of the last refresh, the answer is cached under all that it depends on.
    """
    repository, told = tree.repository, []
    head = find_commit(repository, "HEAD")  # vanished types are looked up there
    with StampDigest(require_folder(repository), *_WATCHED) as lying:
        state = _State(cache, name_snapshot(Run.REFRESH, repository), _digest_all(tree))
        mark = load_mark(cache, state.name)
        if mark is not None and mark.tree == state.tree and mark.stamps == lying.result():
            return ()
        last = name_snapshot(Run.PLAN, repository)
        known = load_behind(cache, last, (state.tree, lying.result(), head))
        if known is not None:
            return known

    def warn(text: str) -> None:
        told.append(text)
        tree.request.warn(text)

    loud = tree._replace(request=replace(tree.request, warn=warn))
    planned = _bring_up(loud, state, dry_run=True, full=False, relayout=False)
    behind = (*planned.written, *planned.removed)
    if not told and not planned.unread:  # else try, and warn, again
        save_behind(cache, last, (state.tree, lying.result(), head), behind)
    return behind


class _State(NamedTuple):
    """Where the state of the last refresh is cached, and the digest of what this one depends on."""

    cache: Cache
    name: str
    tree: str


def _list_skipped(tree: Tree) -> tuple[Unread, ...]:
    return tuple(Unread(entry.path, str(entry.problem)) for entry in tree.listing.skipped)


def _bring_up(tree: Tree, state: _State, *, dry_run: bool, full: bool, relayout: bool) -> RefreshResult:
    from codecortex.operations.notes.moves import apply_note_writes, drop_swap, restore_notes
    from codecortex.operations.refresh.plan import GeneratedFiles, choose_nearest, plan_refresh
    from codecortex.operations.refresh.renames import plan_aliases

    root = tree.repository.require_root()
    if not dry_run:
        restore_notes(tree.repository)
    stamps = stamp_artefacts(root)
    if dry_run:
        kept_runs = load_snapshots(state.cache, tree.repository, Run.REFRESH, Run.PLAN)
        before = None if full else choose_nearest(tree, kept_runs, state.cache)
    else:
        before = None if full else load_snapshot(state.cache, state.name)
    held = GeneratedFiles(stamps, lambda path: _read_generated(root / path))
    plan = plan_refresh(tree, before, held, state.cache, relayout=relayout)
    renames = plan_aliases(tree, plan, held, state.cache)
    if not dry_run and (renames.writes or renames.moves):
        apply_note_writes(tree.repository, renames.writes, renames.moves)  # first: the new index hides them
    written, removed = _apply(root, plan, stamps, dry_run=dry_run)
    packed, unpacked, failed = _bring_up_packs(tree, dry_run=dry_run)
    types = len(plan.snapshot.rows)
    if not dry_run:
        drop_swap(tree.repository)
        kept = {path: stamp for path, stamp in stamps.items() if path not in removed}
        kept |= stamp_files(root, written)
        save_snapshot(state.cache, state.name, plan.memory._replace(stamps=kept))
        with StampDigest(root, *_WATCHED) as lying:
            # An unread source or failed pack is tried, and warned of, again: such a tree is never up to date.
            tree_digest = "" if plan.unread or failed else state.tree
            save_mark(state.cache, state.name, SnapshotMark(tree_digest, lying.result(), types))
    elif not relayout and (before is None or len(before.states.items() ^ plan.snapshot.states.items()) > _FAR):
        known = {path: stamp for path, stamp in stamps.items() if path not in removed} | dict.fromkeys(written, _WRONG)
        save_snapshot(state.cache, name_snapshot(Run.PLAN, tree.repository), plan.memory._replace(stamps=known))
    return RefreshResult(
        types, tuple(sorted({*written, *renames.writes, *packed})),
        tuple(sorted({*removed, *renames.removals, *unpacked})),
        plan.unread, plan.degraded, _list_skipped(tree), dry_run,
        renames.aliases, tuple(move.new_path for move in renames.moves), renames.doubts,
    )  # fmt: skip


def _bring_up_packs(tree: Tree, *, dry_run: bool) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Paths of pack files written and removed, and the number of packs that failed."""
    if not tree.config.packs and not (tree.repository.require_root() / PACKS).is_dir():
        return (), (), 0
    from codecortex.operations.packs.files import refresh_packs

    return refresh_packs(tree, dry_run=dry_run)


def _read_generated(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None


def stamp_artefacts(root: Path) -> dict[str, Stamp]:
    """Path to stamp of every generated file on disk."""
    return {**stamp_folder(root, TYPES), **stamp_files(root, [INDEX])}


def _digest_all(tree: Tree) -> str:
    """Digest of everything that generated files depend on, including packs and tokenizer."""
    packs = (tree.config.packs, PACK_VERSION, tree.config.tokens, TOKENS_VERSION)
    return sha256(f"{digest_tree(tree)}{packs}".encode()).hexdigest()


def _apply(
    root: Path, plan: Plan, stamps: Mapping[str, Stamp], *, dry_run: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if dry_run:
        written = tuple(path for path, data in plan.writes.items() if not _holds(root / path, data))
        return tuple(sorted(written)), tuple(path for path in plan.removals if path in stamps)
    if not plan.writes and not plan.removals:
        return (), ()
    from codecortex.git.worktree.writing import apply_writes

    done = apply_writes(root, plan.writes, plan.removals)
    return tuple(sorted(done.written)), tuple(sorted(done.removed))


def _holds(file: Path, data: bytes) -> bool:
    return file.is_file() and file.read_bytes() == data
