"""What a refresh does where there may be something to do: it lists the tree, plans, and writes."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from codecortex import __version__
from codecortex.git.listing import list_worktree
from codecortex.git.revisions import find_commit
from codecortex.git.worktree.disk import Disk
from codecortex.git.worktree.folder_digest import FolderDigest, FollowedDigest
from codecortex.git.worktree.stamps import stamp_files, stamp_folder
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import PACK_VERSION, TOKENS_VERSION
from codecortex.operations.gaps import list_unreadable, refuse_gaps
from codecortex.operations.reading.known_index import keep_index, load_index
from codecortex.operations.reading.snapshot import (
    Run,
    SnapshotLostError,
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
from codecortex.operations.reading.tree import Tree, digest_tree, open_tree, separate_binary
from codecortex.operations.refresh.result import RefreshResult, say_nothing
from codecortex.operations.refresh.unchanged import find_committed, keep_unchanged
from codecortex.operations.request import Unread
from codecortex.store.paths import ALIASES, CONFIG, GENERATED, INDEX, NOTES_ASIDE, PACKS, TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.git.worktree.look import Look
    from codecortex.git.worktree.stamps import Stamp
    from codecortex.operations.packs.files import PackChanges, PackPlan
    from codecortex.operations.reading.snapshot import Snapshot
    from codecortex.operations.refresh.plan import Plan
    from codecortex.operations.refresh.renames import AliasPlan
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

_FAR = 100  # above this number of differing sources, the plan is saved for the next one
_WRONG = (0, -1, 0)  # a stamp that no file has


class Listed(NamedTuple):
    """A tree, what earlier runs left, and the digest of the generated files as they lie in the work tree."""

    tree: Tree
    cache: Cache
    lying: FolderDigest


def list_all(request: Request, repository: Repository, cache: Cache, look: Look | None) -> Listed:
    """List what a refresh reads, and begin to sum up what it generated.

    Args:
        request: Selects the tree.
        repository: Where it lies.
        cache: What earlier runs left; it remembers a new index.
        look: What git says of the work tree; None where that does not matter.
    """
    if look is not None:
        look.recall(load_index(repository, cache, look.digest))
    with FolderDigest(repository, *GENERATED, look) as lying:  # may run beside what comes next
        tree = open_tree(request, repository, cache=cache, known=look)
    if look is not None:
        keep_index(repository, cache, look, lying)
    return Listed(tree, cache, lying)


def run(listed: Listed, look: Look | None, *, dry_run: bool, full: bool, relayout: bool) -> RefreshResult:
    """Do what is to be done; arguments and errors are those of `refresh`."""
    tree, cache, lying = listed
    if untracked := explain_untracked(tree):
        tree.request.warn(untracked)
    state = _State(cache, name_snapshot(Run.REFRESH, tree.repository), _digest_all(tree), lying.result())
    mark = None if full or relayout or tree.request.upgrade else load_mark(cache, state.name)
    if mark is not None and mark.stamps == state.lying:
        current = bool(mark.tree) and mark.packing == _digest_packing(tree)
        state = state._replace(untouched=bool(mark.stamps), packed=current)
    if mark is not None and mark.tree == state.tree and state.untouched:
        if look is not None:
            keep_unchanged(tree, cache, look, mark.types)
        nothing = say_nothing(mark.types, _list_skipped(tree), dry_run=dry_run)
        return nothing._replace(kept=list_unreadable(tree.listing))
    return _bring_up(tree, state, dry_run=dry_run, full=full, relayout=relayout)


def explain_untracked(tree: Tree) -> str:
    """A warning if the work tree has no sources, or untracked ones alone, with what to do; else empty."""
    if tree.sources.sources or tree.sources.left_out or tree.config.untracked or not tree.request.reads_worktree:
        return ""
    listing = list_worktree(tree.repository, SOURCE_SUFFIXES, untracked=True)
    number = len(select_sources(listing.entries, tree.config).sources)
    if not number:
        return "No C# source is here."
    are = "is" if number == 1 else "are"
    mend = f"`git add` {'it' if number == 1 else 'them'}, or set `untracked: true` in {CONFIG}"
    return f"No C# source is tracked here, {number:,} {are} untracked: {mend}."


def list_behind(tree: Tree, cache: Cache, lying: FolderDigest) -> tuple[str, ...]:
    """The generated files that a refresh would write or remove.

    Once sources differ from those of the last refresh, the answer is cached under all that it depends on.

    Args:
        tree: The tree that they have to describe.
        cache: Facts, and what earlier runs left.
        lying: A digest of `GENERATED` in the work tree.
    """
    repository, told = tree.repository, []
    state = _State(cache, name_snapshot(Run.REFRESH, repository), _digest_all(tree), lying.result())
    mark = load_mark(cache, state.name)
    if mark is not None and mark.tree == state.tree and mark.stamps == state.lying:
        return ()
    head = find_commit(repository, "HEAD")  # vanished types are looked up there
    last = name_snapshot(Run.PLAN, repository)
    known = load_behind(cache, last, (state.tree, state.lying, head))
    if known is not None:
        return known

    def warn(text: str) -> None:
        told.append(text)
        tree.request.warn(text)

    loud = tree._replace(request=tree.request._replace(warn=warn))
    planned = _bring_up(loud, state, dry_run=True, full=False, relayout=False)
    behind = (*planned.written, *planned.removed)
    if not told and not planned.unread and not planned.kept:  # else try, and warn, again
        save_behind(cache, last, (state.tree, state.lying, head), behind)
    return behind


class _State(NamedTuple):
    """Where the state of the last refresh is cached, and the digest of what this one depends on.

    `lying` is the digest of the generated files as they lie there, `untouched` whether the last refresh left them so,
    and `packed` whether it wrote every pack, from definitions and rules that hold today.
    """

    cache: Cache
    name: str
    tree: str
    lying: str
    untouched: bool = False
    packed: bool = False


def _list_skipped(tree: Tree) -> tuple[Unread, ...]:
    return tuple(Unread(entry.path, str(entry.problem)) for entry in tree.listing.skipped)


def _bring_up(tree: Tree, state: _State, *, dry_run: bool, full: bool, relayout: bool) -> RefreshResult:
    if not dry_run:
        if _is_swapping(tree.repository):
            from codecortex.operations.notes.moves import restore_notes

            restore_notes(tree.repository)
        before = None if full else load_snapshot(state.cache, state.name, piecemeal=True)
        stamps = before.stamps if before is not None and state.untouched else None
        try:
            planned = plan(tree, before, state.cache, relayout=relayout, stamps=stamps)
        except SnapshotLostError:
            planned = plan(tree, None, state.cache, relayout=relayout)
        mended = _mend_notes(tree, state.cache)
        done = apply(planned, state)
        return done._replace(written=tuple(sorted((*done.written, *mended))))
    from codecortex.operations.refresh.plan import choose_nearest

    kept_runs = load_snapshots(state.cache, tree.repository, Run.REFRESH, Run.PLAN)
    before = None if full else choose_nearest(tree, kept_runs, state.cache)
    planned = plan(tree, before, state.cache, relayout=relayout)
    changes = planned.list_changes()
    if not relayout and (before is None or len(before.states.items() ^ planned.files.snapshot.states.items()) > _FAR):
        _remember_plan(planned, changes, state.cache)
    packs = _plan_packs(tree)
    return _describe(planned, changes, packs.changes if packs is not None else None, dry_run=True)


def _is_swapping(repository: Repository) -> bool:
    """Whether types swap names, and their notes with them, or did when a run was killed."""
    return (repository.local_dir / NOTES_ASIDE).is_dir()


def _mend_notes(tree: Tree, cache: Cache) -> tuple[str, ...]:
    """Write the headers of notes of an older version anew, if that is asked for and the tree is the work tree."""
    if not (tree.request.upgrade and tree.request.reads_worktree):
        return ()
    from codecortex.operations.notes.older import mend_notes

    return mend_notes(tree, cache)


_Changes = tuple[tuple[str, ...], tuple[str, ...]]
"""Paths of generated files to write, and of those to remove."""


class RefreshPlan(NamedTuple):
    """Everything that a refresh would change, but for packs, which are built from notes where they will be.

    Attributes:
        tree: The tree that the generated files describe.
        stamps: Stamps of the generated files as they are now.
        files: The outlines and the index.
        renames: The aliases, and notes that follow their types.
    """

    tree: Tree
    stamps: Mapping[str, Stamp | str]
    files: Plan
    renames: AliasPlan

    def list_changes(self) -> _Changes:
        """The generated files that are not yet as planned; each is read."""
        root = self.tree.repository.require_root()
        disk = Disk(root)  # which follows no link: what lies behind one is not ours
        written = tuple(sorted(each for each, data in self.files.writes.items() if disk.read(each.encode()) != data))
        return written, tuple(path for path in self.files.removals if path in self.stamps)


def plan(
    tree: Tree, before: Snapshot | None, cache: Cache, *, relayout: bool = False,
    stamps: Mapping[str, Stamp | str] | None = None,
) -> RefreshPlan:  # fmt: skip
    """Plan a refresh of the work tree; nothing is written.

    Args:
        tree: The tree that the generated files have to describe.
        before: The snapshot to go on from; None to read everything.
        cache: Facts, and what earlier runs left.
        relayout: Choose the layout of outlines anew.
        stamps: Those of the generated files, if known.

    Raises:
        GitStateError: Sources are missing in this clone, or cannot be read and never were.
        SnapshotLostError: What `before` left unread is not there any more.
    """
    from codecortex.operations.refresh.plan import GeneratedFiles, list_indexed, plan_refresh
    from codecortex.operations.refresh.renames import plan_aliases

    root = tree.repository.require_root()
    stamps = stamp_artefacts(root) if stamps is None else stamps
    held = GeneratedFiles(stamps, lambda path: _read_generated(root / path))
    if unreadable := list_unreadable(tree.listing):
        from codecortex.operations.reading.last_read import hold_unreadable

        tree = hold_unreadable(tree, cache)
        indexed = list_indexed(held, tree) - tree.sources.sources.keys()
        refuse_gaps(each for each in unreadable if each.path in indexed)
    files = plan_refresh(tree, before, held, cache, relayout=relayout)
    refuse_gaps(files.unread)
    renames = plan_aliases(tree, files, held, cache)
    if files.writes or files.removals or renames.is_unneeded:
        stamps = {**stamps}  # which `apply` will need: they may turn out to be lost, as long as nothing is written
    return RefreshPlan(tree, stamps, files, renames)


def apply(planned: RefreshPlan, state: _State) -> RefreshResult:
    """Write everything of a plan, then the packs, then the snapshot for the next run; the caller holds the lock."""
    from codecortex.git.worktree.writing import apply_writes, is_temporary, sweep_temporary

    tree, stamps, files, renames = planned
    removals = (*files.removals, *([ALIASES] if renames.is_unneeded else ()))
    root = tree.repository.require_root()
    if not state.untouched:
        sweep_temporary(root, {path.rpartition("/")[0] for path in stamps if is_temporary(path)})
    followed = FollowedDigest(tree.repository, state.lying)
    followed.begin([*renames.writes, *(path for each in renames.moves for path in each[:2])])
    followed.begin([*files.writes, *removals])
    if renames.writes or renames.moves:
        from codecortex.operations.notes.moves import apply_note_writes

        apply_note_writes(tree.repository, renames.writes, renames.moves)  # first: the new index hides them
    done = apply_writes(root, files.writes, removals)
    packs = None if files.quiet and state.packed and not _has_packed_notes(tree) else _plan_packs(tree)
    packed = None
    if packs is not None:
        written, removed, _ = packs.changes
        followed.begin([*written, *removed])
        packed = _apply_packs(root, packs)
    if _is_swapping(tree.repository):
        from codecortex.operations.notes.moves import drop_swap

        drop_swap(tree.repository)
    if done.states or done.removed:
        stamps = {path: stamp for path, stamp in stamps.items() if path not in done.removed}
        stamps |= done.states
    save_snapshot(state.cache, state.name, files.memory._replace(stamps=stamps))
    # Not looked at again: what somebody does meanwhile to a file is not this run's, and the next one sees it.
    lying = followed.finish(files.writes, done.states)
    # Unreadable sources and failed packs are retried and reported again: such a tree is never up to date.
    lacking = files.unread or list_unreadable(tree.listing) or (packed is not None and packed.failed)
    tree_digest = "" if lacking else state.tree
    mark = SnapshotMark(tree_digest, lying, len(files.snapshot.rows), _digest_packing(tree))
    save_mark(state.cache, state.name, mark)
    return _describe(planned, (tuple(sorted(done.written)), tuple(sorted(done.removed))), packed, dry_run=False)


def _remember_plan(planned: RefreshPlan, changes: _Changes, cache: Cache) -> None:
    """Keep the snapshot of a dry run for the next one."""
    written, removed = changes
    known = {path: stamp for path, stamp in planned.stamps.items() if path not in removed}
    known |= dict.fromkeys(written, _WRONG)
    name = name_snapshot(Run.PLAN, planned.tree.repository)
    save_snapshot(cache, name, planned.files.memory._replace(stamps=known))


def _describe(planned: RefreshPlan, changed: _Changes, packs: PackChanges | None, *, dry_run: bool) -> RefreshResult:
    tree, _, files, renames = planned
    written, removed = changed
    packed, unpacked = (packs.written, packs.removed) if packs is not None else ((), ())
    return RefreshResult(
        len(files.snapshot.rows), tuple(sorted({*written, *renames.writes, *packed})),
        tuple(sorted({*removed, *renames.removals, *unpacked})),
        *separate_binary(files.unread, files.degraded), _list_skipped(tree), dry_run,
        renames.aliases, tuple(move.new_path for move in renames.moves), renames.doubts, list_unreadable(tree.listing),
        renames.taken_back,
    )  # fmt: skip


def _has_packs(tree: Tree) -> bool:
    """Whether it has packs, or had some."""
    return bool(tree.config.packs) or (tree.repository.require_root() / PACKS).is_dir()


def _has_packed_notes(tree: Tree) -> bool:
    """Whether it has packs, and notes that may be in them."""
    if not _has_packs(tree):
        return False
    from codecortex.operations.notes.files import has_notes

    return has_notes(tree)


def _plan_packs(tree: Tree) -> PackPlan | None:
    """The plan for the files of packs; None in a tree that has and had none."""
    if not _has_packs(tree):
        return None
    from codecortex.operations.packs.files import plan_packs

    return plan_packs(tree)


def _apply_packs(root: Path, packs: PackPlan) -> PackChanges:
    from codecortex.operations.packs.files import apply_packs

    return apply_packs(root, packs)


def _read_generated(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None


def stamp_artefacts(root: Path) -> dict[str, Stamp]:
    """Path to stamp of every generated file on disk."""
    return {**stamp_folder(root, TYPES), **stamp_files(root, [INDEX])}


def _digest_all(tree: Tree) -> str:
    """Digest of everything that generated files depend on, including packs, tokenizer and what HEAD says of aliases."""
    committed = find_committed(tree.repository) if tree.request.reads_worktree else ""
    return sha256(f"{digest_tree(tree)}{_digest_packing(tree)}{committed}".encode()).hexdigest()


def _digest_packing(tree: Tree) -> str:
    packs = (tree.config.packs, PACK_VERSION, tree.config.tokens, TOKENS_VERSION, __version__)
    return sha256(repr(packs).encode("utf-8", "surrogatepass")).hexdigest()
