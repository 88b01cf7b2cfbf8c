"""Keeps the rounds of investigations under way in `local/investigations`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.worktree.disk import read_file
from codecortex.git.worktree.writing import apply_writes, list_files
from codecortex.model.errors import StoreFormatError
from codecortex.model.investigations.values import make_slug
from codecortex.operations.local_files import write_local
from codecortex.store.local.rounds_json import decode_rounds, encode_rounds
from codecortex.store.paths import INQUIRIES, rounds_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codecortex.store.local.rounds_json import Rounds


def load_rounds(root: Path, slug: str) -> Rounds | None:
    """The rounds of an investigation; None if none is under way.

    Raises:
        StoreFormatError: The file is damaged.
    """
    path = rounds_path(slug)
    data = read_file(root, path, "Move what stands there away.")
    return decode_rounds(data, path) if data is not None else None


def save_rounds(root: Path, rounds: Rounds) -> None:
    """Keep the rounds of an investigation."""
    write_local(root, {rounds_path(make_slug(rounds.question)): encode_rounds(rounds)})


def drop_rounds(root: Path, slug: str) -> None:
    """Forget an investigation under way."""
    apply_writes(root, {}, [rounds_path(slug)])


def list_rounds(root: Path, warn: Callable[[str], None]) -> list[Rounds]:
    """The investigations under way; damaged files are warned of."""
    found = []
    for path in sorted(list_files(root, INQUIRIES)):
        data = read_file(root, path, "Move what stands there away.")
        try:
            found += [decode_rounds(data, path)] if data is not None else []
        except StoreFormatError as problem:
            warn(f"{problem.message} {problem.hint}")
    return found
