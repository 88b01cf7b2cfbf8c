"""Writes the file of an investigation, whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.lock import lock_repository
from codecortex.git.worktree.disk import read_file
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import GitStateError
from codecortex.model.investigations.values import Investigation, make_slug
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.fingerprints import read_prints
from codecortex.operations.investigate.rounds import drop_rounds
from codecortex.operations.notes.backup import digest_file
from codecortex.operations.notes.headers import make_base
from codecortex.operations.notes.moves import list_unmerged, tell_unmerged
from codecortex.store.committed.investigation_md import encode_investigation
from codecortex.store.paths import INVESTIGATIONS, investigation_path

if TYPE_CHECKING:
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.investigate.answers import Concluded
    from codecortex.store.local.rounds_json import Rounds


class Written(NamedTuple):
    """What came of writing an investigation.

    Attributes:
        path: Its file.
        changed: Whether the file differs from before.
        problem: Why nothing was written; empty if it was.
    """

    path: str
    changed: bool = False
    problem: str = ""


def digest_before(workspace: Workspace, question: str) -> str:
    """A digest of the file that an answer will replace; empty if there is none.

    Raises:
        GitStateError: It is unmerged, or cannot be read.
    """
    path = investigation_path(make_slug(question))
    if path in list_unmerged(workspace.repository, INVESTIGATIONS):
        raise GitStateError(f"{tell_unmerged(path)}.")
    return digest_file(read_file(workspace.repository.require_root(), path, "Move what stands there away."))


def write_investigation(
    workspace: Workspace, rounds: Rounds, answer: Concluded, generator: str, *, seen: str
) -> Written:
    """Write findings with the fingerprints of the types that they rest on, as they are in the workspace.

    Args:
        workspace: A workspace on the work tree.
        rounds: The investigation.
        answer: The findings.
        generator: Who answered.
        seen: `digest_before` when it was asked.
    """
    root, slug = workspace.repository.require_root(), make_slug(rounds.question)
    path = investigation_path(slug)
    prints = read_prints(workspace, answer.types)
    if any(each not in prints for each in answer.types):
        return Written(path, problem="the sources of a type that it rests on cannot be read")
    known = workspace.catalog.by_id
    types = tuple(make_base(each, known[each].fqn, prints[each]) for each in answer.types)
    data = encode_investigation(Investigation(rounds.question, rounds.scope, types, generator, answer.findings))
    with lock_repository(workspace.repository):
        if digest_before(workspace, rounds.question) != seen:
            return Written(path, problem=f"{path} changed while its answer was asked for")
        written = apply_writes(root, {path: data}).written
    drop_rounds(root, slug)
    return Written(path, changed=bool(written))
