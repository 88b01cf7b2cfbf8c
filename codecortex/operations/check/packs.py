"""Checks packs: whether they can be built, and whether their files are up to date.

A pack that is out of date is only a warning: commits update outlines and leave packs to the next refresh.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.errors import InvalidFilterError
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.check.files import is_temporary, tell_foreign
from codecortex.operations.check.findings import Code, Finding, Level
from codecortex.operations.packs.files import PackState, find_line, find_stranger, inspect_pack, is_ours
from codecortex.store.committed.text import find_conflict
from codecortex.store.paths import CONFIG, PACKS, pack_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.operations.check.files import Question
    from codecortex.operations.packs.files import Pack


def judge_packs(question: Question, blobs: Mapping[str, str], refresh: str) -> Iterator[Finding]:
    """Findings about the packs of a tree.

    Args:
        question: The state to check.
        blobs: Blob id of every file in `.codecortex`, by path.
        refresh: The command that updates generated files.
    """
    tree, files = question.tree, question.files
    held = files.read(path for path in blobs if path.startswith(f"{PACKS}/") and not is_temporary(path))
    defined = {pack_path(each.name): each for each in tree.config.packs}
    if defined:
        with Workspace(tree.request) as workspace:
            for path, definition in defined.items():
                pack = inspect_pack(workspace, definition, held.get(path))
                line = find_line(workspace, pack.name) if pack.state in (PackState.MISSING, PackState.FAILED) else 1
                yield from _judge_pack(pack, line, held.get(path, b""), refresh)
    for path, data in held.items():
        if path in defined and find_stranger(path, data) is None:
            continue
        if is_ours(path, data):
            yield Finding(Code.PACK_LEFT_OVER, Level.WARNING, path, 1, "no pack is defined by this name", refresh)
        else:
            yield tell_foreign(path, tree)


def _judge_pack(pack: Pack, line: int, data: bytes, refresh: str) -> Iterator[Finding]:
    marker = find_conflict(data)
    if pack.problem is not None:
        level = Level.ERROR if isinstance(pack.problem, InvalidFilterError) else Level.WARNING
        said = pack.problem.message.removeprefix(f"{CONFIG}:{line}: ").rstrip(".")
        yield Finding(Code.PACK_FAILED, level, CONFIG, line, said, "", pack.path)
    elif find_stranger(pack.path, data) is not None:
        return  # reported as a foreign file
    elif marker and pack.state is PackState.STALE:
        said = f"merge marker in the pack {pack.name}"
        yield Finding(Code.MERGE_MARKER, Level.ERROR, pack.path, marker, said, refresh)
    elif pack.state is PackState.MISSING:
        said = f"the pack {pack.name} is missing"
        yield Finding(Code.PACK_MISSING, Level.WARNING, CONFIG, line, said, refresh, pack.path)
    elif pack.state is PackState.STALE:
        yield Finding(Code.PACK_BEHIND, Level.WARNING, pack.path, 1, f"the pack {pack.name} is behind", refresh)
