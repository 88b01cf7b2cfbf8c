"""Compares the files of packs with the texts they should have, and updates them.

The files are those of the workspace's own tree: on disk, in the index, or in a revision.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.git.contents import read_blobs
from codecortex.git.hooks.staging import list_held
from codecortex.git.paths import decode_path
from codecortex.git.worktree.disk import Disk
from codecortex.git.worktree.stamps import stamp_folder
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import CodecortexError, GitStateError, InvalidFilterError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.packs.text import make_text
from codecortex.store.committed.text import find_conflict
from codecortex.store.config.config import find_pack_line
from codecortex.store.paths import CONFIG, PACKS, pack_path, packed_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from codecortex.model.packs import PackDefinition
    from codecortex.operations.packs.text import Built
    from codecortex.operations.reading.tree import Tree


class PackState(StrEnum):
    """State of a pack's file, compared with the text it should have."""

    CURRENT = "current"
    STALE = "stale"
    MISSING = "missing"
    FAILED = "failed"


class Pack(NamedTuple):
    """A pack of a tree.

    Attributes:
        definition: Name, filter and budget.
        built: The text it should have; None if it cannot be built.
        state: State of the file.
        problem: Why the text cannot be built.
    """

    definition: PackDefinition
    built: Built | None
    state: PackState
    problem: CodecortexError | None = None

    @property
    def name(self) -> str:
        """Name of the pack."""
        return self.definition.name

    @property
    def path(self) -> str:
        """Path of its file."""
        return pack_path(self.name)

    @property
    def data(self) -> bytes:
        """The bytes its file should have; empty if the text cannot be built."""
        return b"" if self.built is None else self.built.text.text.encode()


class PackChanges(NamedTuple):
    """What a refresh changed: paths written and removed, and the number of packs that failed."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: int = 0


def read_files(workspace: Workspace, paths: Iterable[str]) -> dict[str, bytes]:
    """Path to bytes of those files that exist in the workspace's tree."""
    request, repository = workspace.request, workspace.repository
    if request.reads_worktree and repository.root is not None:
        return Disk(repository.root).read_all(paths)
    wanted = set(paths)
    blobs: dict[str, str] = {}
    for place in {PACKS if packed_name(path) else path for path in wanted}:
        held = list_held(repository, request.rev, place)
        blobs |= {path: entry.blob for path, entry in held.items() if path in wanted}
    return read_blobs(repository, blobs)


def inspect_pack(workspace: Workspace, definition: PackDefinition, data: bytes | None) -> Pack:
    """Build a pack and compare it with the bytes of its file.

    Raises:
        GitStateError: Git cannot read the repository.
    """
    try:
        built = make_text(workspace, definition)
    except InvalidFilterError as error:
        return Pack(definition, None, PackState.FAILED, _locate(workspace, definition, error))
    except CodecortexError as error:
        return Pack(definition, None, PackState.FAILED, error)
    if data is None:
        return Pack(definition, built, PackState.MISSING)
    same = data == built.text.text.encode()
    return Pack(definition, built, PackState.CURRENT if same else PackState.STALE)


def inspect_packs(workspace: Workspace) -> tuple[Pack, ...]:
    """All packs that the tree's configuration defines, sorted by name."""
    packs = workspace.tree.config.packs
    files = read_files(workspace, [pack_path(each.name) for each in packs])
    return tuple(inspect_pack(workspace, each, files.get(pack_path(each.name))) for each in packs)


def find_line(workspace: Workspace, name: str) -> int:
    """Line number of a pack's definition in config.yaml."""
    return find_pack_line(read_config_file(workspace), name)


def read_config_file(workspace: Workspace) -> bytes:
    """The bytes of config.yaml in the tree; empty where it has none."""
    return read_files(workspace, [CONFIG]).get(CONFIG, b"")


def _locate(workspace: Workspace, definition: PackDefinition, error: InvalidFilterError) -> InvalidFilterError:
    place = f"{CONFIG}:{find_line(workspace, definition.name)}: packs.{definition.name}.filter"
    return InvalidFilterError(f"{place}: {error.message}", error.hint, **error.details)


def is_ours(path: str, data: bytes) -> bool:
    """Whether codecortex wrote a file among the packs: its first line names the pack."""
    name = packed_name(path)
    return name is not None and data.startswith(f"# Pack: {name}\n".encode())


def find_stranger(path: str, data: bytes | None) -> GitStateError | None:
    """The error if codecortex did not write a pack's file, which must then stay; a file with merge conflicts may go."""
    if not data or is_ours(path, data) or find_conflict(data):
        return None
    return GitStateError(
        f"{path} is a file that codecortex did not write.", "Move it away, or give the pack another name."
    )


def list_undefined(root: Path, names: Iterable[str]) -> tuple[str, ...]:
    """Paths of pack files on disk that codecortex wrote, but whose packs are not among the given names."""
    kept = {pack_path(name) for name in names}
    others = [path for path in sorted(stamp_folder(root, PACKS)) if path not in kept and packed_name(path)]
    disk = Disk(root)
    found = ((path, disk.read(decode_path(path))) for path in others)
    return tuple(path for path, data in found if isinstance(data, bytes) and is_ours(path, data))


class PackPlan(NamedTuple):
    """The pack files that a refresh would write and remove.

    Attributes:
        writes: Path to bytes of every pack that can be built.
        removals: Files of packs that are no longer defined.
        held: Path to bytes of the files that exist now.
        failed: Number of packs that could not be built, or whose path another file has.
    """

    writes: Mapping[str, bytes]
    removals: tuple[str, ...]
    held: Mapping[str, bytes]
    failed: int

    @property
    def changes(self) -> PackChanges:
        """What applying it would change."""
        written = tuple(path for path, data in self.writes.items() if self.held.get(path) != data)
        return PackChanges(written, self.removals, self.failed)


def plan_packs(tree: Tree) -> PackPlan:
    """Plan the files of a tree's packs, and the removal of those whose packs are no longer defined.

    A pack is skipped with a warning if it cannot be built, or if codecortex did not write the file in its place.
    """
    root, packs = tree.repository.require_root(), tree.config.packs
    removals = list_undefined(root, [each.name for each in packs])
    held = Disk(root).read_all(pack_path(each.name) for each in packs)
    writes: dict[str, bytes] = {}
    failed = 0
    if packs:
        with Workspace(tree.request, tree) as workspace:
            for each in packs:
                pack = inspect_pack(workspace, each, None)
                problem = pack.problem or find_stranger(pack.path, held.get(pack.path))
                if problem is not None:
                    tree.request.warn(f"{problem.message} {problem.hint}".rstrip())
                    failed += 1
                else:
                    writes[pack.path] = pack.data
    return PackPlan(writes, removals, held, failed)


def apply_packs(root: Path, plan: PackPlan) -> PackChanges:
    """Write and remove pack files; the caller holds the lock."""
    if not plan.writes and not plan.removals:
        return PackChanges(failed=plan.failed)
    done = apply_writes(root, plan.writes, plan.removals)
    return PackChanges(done.written, done.removed, plan.failed)
