"""What a refresh tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.model.code.aliases import Alias, AliasDoubt
    from codecortex.operations.request import Unread


class RefreshResult(NamedTuple):
    """Result of a refresh, or of its dry run.

    Attributes:
        types: Number of types in the tree.
        written: Paths of files written, sorted.
        removed: Paths of files removed, sorted.
        unread: Sources without facts.
        kept: Sources that cannot be read now; what was last read of them counts.
        degraded: Path to reason, for sources read in this run that could not be parsed completely.
        skipped: Paths of sources that are no readable files, with the reason.
        dry_run: Whether nothing was written.
        aliases: Aliases found in this run.
        moved: New paths of the notes that moved with their types.
        doubts: Renames that people should decide.
        taken_back: Aliases that went because their old name is that of a type again.
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
    kept: tuple[Unread, ...] = ()
    taken_back: tuple[Alias, ...] = ()


def say_nothing(types: int, skipped: Iterable[Unread], *, dry_run: bool) -> RefreshResult:
    """What a refresh tells that had nothing to do."""
    return RefreshResult(types, (), (), (), {}, tuple(skipped), dry_run)
