"""Tells what changed since an investigation was written: the members of its types, and the evidence that went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.staleness import CauseKind, explain_cause
from codecortex.context.prompts.parts import fit_members, fit_source
from codecortex.context.prompts.secrets import mask_secrets
from codecortex.model.errors import GitStateError
from codecortex.operations.catalog.describe import read_types
from codecortex.operations.generation.prompts.changes import TypePair, list_affected
from codecortex.operations.generation.prompts.past import find_then, fits_base
from codecortex.operations.generation.prompts.sources import cut_source, drop_excluded, read_source_text
from codecortex.store.committed.investigation_md import write_findings

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.model.notes import Base
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.prompts.sources import SourceText
    from codecortex.operations.investigations.states import InvestigationState

_UNKNOWN = "What it was then is not known; its source as it is now:"


def write_changes(
    workspace: Workspace, state: InvestigationState, exclude: tuple[str, ...], room: int, count: Callable[[str], int]
) -> str:
    """The findings as they stand, and what changed of what they rest on, within so many tokens."""
    found = state.file.found
    if found is None:
        return ""
    causes = {cause.type_id: cause for cause in state.changed}
    bases = [base for base in found.types if base.type_id in causes]
    names: dict[str, str] = {base.type_id: base.fqn for base in found.types}
    now = read_types(workspace, [base.type_id for base in bases])
    pieces = []
    for base in bases:
        told = explain_cause(causes[base.type_id], names, {})
        share = room // len(bases)
        at = now.get(base.type_id)
        text = _tell(workspace, base, at, state.file.path, exclude, share, count) if at is not None else ""
        gone = causes[base.type_id].kind is CauseKind.TYPE_GONE
        pieces.append(f"{told}.\n{text}".rstrip() if text or gone else f"{told}: no model may be sent its files.")
    pieces += [each.problem for each in state.checked if each.problem]
    return f"{mask_secrets(write_findings(found.findings))[0]}\nWHAT CHANGED SINCE\n\n" + "\n\n".join(pieces)


def _tell(  # noqa: PLR0913, PLR0917 - what a type was and is, and the room for it
    workspace: Workspace, base: Base, now: TypeAt, path: str, exclude: tuple[str, ...], room: int,
    count: Callable[[str], int],
) -> str:  # fmt: skip
    shown = drop_excluded(now, exclude)
    if shown is None:
        return ""
    source = read_source_text(workspace.repository, shown, workspace.tree.sources.sources)
    old = _read_old(workspace, base, now, path, exclude) if shown.type.files == now.type.files else None
    if old is None:
        text, cut = fit_source(cut_source(source, _UNKNOWN), room, count)
    else:
        text, cut = fit_members(list_affected(TypePair(old, source), workspace.tree.config), room, count)
    return "\n".join([text, *(f"LEFT OUT: {each}" for each in cut)])


def _read_old(workspace: Workspace, base: Base, now: TypeAt, path: str, exclude: tuple[str, ...]) -> SourceText | None:
    then = find_then(workspace, now, fits_base(base._replace(xml_doc=None)), path)
    shown = drop_excluded(then.found, exclude) if then is not None else None
    if then is None or shown is None:
        return None
    try:
        return read_source_text(workspace.repository, shown, then.blobs)
    except GitStateError as problem:
        workspace.request.warn(f"{base.fqn}: {problem.message} Its source is shown as it is.")
        return None
