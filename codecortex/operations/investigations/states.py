"""Judges whether investigations still hold: the types that they rest on, and their evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.staleness import Cause, CauseKind, explain_cause, sort_causes
from codecortex.model.notes import SemanticState
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import HASH_VERSION
from codecortex.operations.catalog.fingerprints import read_prints
from codecortex.operations.investigations.evidence import check_evidence
from codecortex.operations.notes.investigations import read_investigations

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.analysis.types.fingerprints import Fingerprints
    from codecortex.model.code.types import TypeId
    from codecortex.model.investigations.values import Investigation
    from codecortex.model.notes import Base
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.investigations.evidence import Checked
    from codecortex.operations.notes.investigations import InvestigationFile


class InvestigationState(NamedTuple):
    """An investigation and whether it holds.

    Attributes:
        file: It.
        changed: The types that differ from what it rests on, the gravest change first.
        checked: Its evidence.
        reasons: Why it does not hold, as clauses; empty if it does.
    """

    file: InvestigationFile
    changed: tuple[Cause, ...]
    checked: tuple[Checked, ...]
    reasons: tuple[str, ...]

    @property
    def state(self) -> SemanticState:
        """Cached or stale."""
        return SemanticState.STALE if self.reasons else SemanticState.CACHED

    def as_json(self) -> dict[str, Any]:
        """Its state as JSON values."""
        found = self.file.found
        return {
            "name": self.file.slug,
            "path": self.file.path,
            "question": self.file.question,
            "state": self.state,
            "reasons": list(self.reasons),
            "types": [{"id": base.type_id, "fqn": base.fqn} for base in found.types] if found is not None else [],
            "generator": found.generator if found is not None else None,
        }


def judge_investigations(
    workspace: Workspace, files: Sequence[InvestigationFile] | None = None
) -> tuple[InvestigationState, ...]:
    """Judge investigations; without `files`, all of the tree."""
    files = read_investigations(workspace.tree) if files is None else files
    wanted = {base.type_id for file in files if file.found is not None for base in file.found.types}
    prints = read_prints(workspace, wanted) if wanted else {}
    return tuple(_judge(workspace, file, prints) for file in files)


def _judge(workspace: Workspace, file: InvestigationFile, prints: Mapping[TypeId, Fingerprints]) -> InvestigationState:
    if file.found is None:
        return InvestigationState(file, (), (), (file.problem,))
    causes = sort_causes(_compare(file.found, prints))
    checked = tuple(check_evidence(workspace, file.found.findings.evidence))
    names: dict[str, str] = {base.type_id: base.fqn for base in file.found.types}
    reasons = [explain_cause(cause, names, {}) for cause in causes]
    reasons += [each.problem.rstrip(".") for each in checked if each.problem]
    return InvestigationState(file, causes, checked, tuple(reasons))


def _compare(found: Investigation, prints: Mapping[TypeId, Fingerprints]) -> Iterator[Cause]:
    """The types that differ; hashes of another version tell nothing but that the type exists."""
    for base in found.types:
        now = prints.get(base.type_id)
        kind = CauseKind.TYPE_GONE if now is None else _classify(base, now)
        if kind is not None and (now is None or found.hash_version == HASH_VERSION):
            yield Cause(kind, base.type_id)


def _classify(base: Base, now: Fingerprints) -> CauseKind | None:
    if now.structure != base.structure:
        return CauseKind.STRUCTURE
    if now.public_impl != base.public_impl:
        return CauseKind.PUBLIC_BEHAVIOR
    return CauseKind.INTERNAL if now.internal_impl != base.internal_impl else None
