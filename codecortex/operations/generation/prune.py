"""Removes notes that are about no type, and on request those on tests; what they said is kept aside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.jobs import is_by_hand
from codecortex.git.lock import lock_repository
from codecortex.model.code.types import TypeId
from codecortex.model.config_choices import ProviderName
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import require_folder
from codecortex.operations.generation.jobs.selection import is_for_tests
from codecortex.operations.generation.jobs.stale_groups import is_whole, may_return
from codecortex.operations.notes.backup import remove_notes
from codecortex.operations.notes.moves import list_unmerged, tell_unmerged
from codecortex.operations.notes.texts import judge_workspace_notes
from codecortex.operations.wording import count_noun, list_some
from codecortex.store.paths import REPLACED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.states import NoteState, Orphan, Survey

_UNREAD = "Not every source can be read, so a type may be there all the same (`codecortex status`)."


class Pruned(NamedTuple):
    """A note, and why it is of no use, or why it stays, as a clause."""

    path: str
    name: str
    why: str


class PruneResult(NamedTuple):
    """Result of pruning.

    Attributes:
        removed: The notes that were removed, or that would be.
        kept: The notes of no type that stay.
        dry_run: Whether nothing was removed.
    """

    removed: tuple[Pruned, ...]
    kept: tuple[Pruned, ...]
    dry_run: bool

    def as_json(self) -> dict[str, Any]:
        """The notes as JSON values."""
        return {
            "removed": [each._asdict() for each in self.removed],
            "kept": [each._asdict() for each in self.kept],
            "dryRun": self.dry_run,
        }

    def as_text(self) -> str:
        """The notes by what happens to them, then their number."""
        return "\n".join(self._write())

    def _write(self) -> Iterator[str]:
        yield from list_some([f"remove  {path}  {name}: {why}" for path, name, why in self.removed])
        yield from list_some([f"keep    {path}  {name}: {why}" for path, name, why in self.kept])
        if not self.removed:
            yield "Nothing to remove."
        elif self.dry_run:
            yield f"{count_noun(len(self.removed), 'note')} to remove."
        else:
            yield f"{count_noun(len(self.removed), 'note')} removed, and kept in {REPLACED}."


def prune(workspace: Workspace, *, tests: bool = False, dry_run: bool = False) -> PruneResult:
    """Remove the notes that are about no type.

    A note stays that a refresh would move, whose type may still turn out to be renamed, or that is in conflict.

    Args:
        workspace: A workspace on the work tree.
        tests: Whether to remove extracts on code of tests and benchmarks too, unless `semantics.tests` wants them.
        dry_run: Whether to remove nothing.

    Raises:
        UsageError: There is no `.codecortex`.
        BusyError: Another process holds the lock.
        GitStateError: A backup cannot be written, or a note not removed.
    """
    root = require_folder(workspace.repository)
    with lock_repository(workspace.repository):
        survey = judge_workspace_notes(workspace)
        unmerged = list_unmerged(workspace.repository)
        found = [_judge_orphan(workspace, root, each) for each in survey.orphans]
        if tests and not workspace.tree.config.semantics.tests:
            found += [(each, True) for each in _list_on_tests(workspace, survey)]
        going = [each for each, goes in found if goes and each.path not in unmerged]
        kept = [each for each, goes in found if not goes]
        kept += [each._replace(why=tell_unmerged(each.path)) for each, goes in found if goes and each.path in unmerged]
        if not dry_run:
            remove_notes(root, [each.path for each in going])
    return PruneResult(tuple(going), tuple(kept), dry_run)


def _judge_orphan(workspace: Workspace, root: Path, orphan: Orphan) -> tuple[Pruned, bool]:
    """A note of no type, and whether it goes."""
    told = Pruned(orphan.path, orphan.name, orphan.reason)
    if orphan.movable:
        return told._replace(why=orphan.advice), False
    if orphan.excluded:
        return told, True
    if not is_whole(workspace):
        return told._replace(why=_UNREAD), False
    if any(may_return(workspace, root, TypeId(each)) for each in orphan.types):
        return told._replace(why="`codecortex refresh` has yet to see what became of its type"), False
    return told, True


def _list_on_tests(workspace: Workspace, survey: Survey) -> Iterable[Pruned]:
    known = workspace.catalog.by_id
    for each in survey.notes:
        if _is_extract(each) and all(is_for_tests(known[merged.id]) for merged in each.types):
            yield Pruned(each.path, ", ".join(merged.fqn for merged in each.types), "code of tests needs no note")


def _is_extract(found: NoteState) -> bool:
    return found.note is not None and found.note.writer == ProviderName.EXTRACT and not is_by_hand(found.note)
