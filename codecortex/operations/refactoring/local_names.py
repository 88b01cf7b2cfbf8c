"""`refactor rename` of locals, parameters and type parameters: what has no name outside of a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.refactoring.edits import Edit, FileEdits, sort_edits
from codecortex.editing.refactoring.names import rewrite, write_name
from codecortex.operations.refactoring.candidates import INACTIVE, choose, make_candidate
from codecortex.operations.refactoring.locals import DeclaredName, find_local
from codecortex.operations.refactoring.overlay import Renaming, compare, refuse_changes
from codecortex.operations.refactoring.pipeline import read_draft
from codecortex.operations.refactoring.results import EditRefusedError, Plan
from codecortex.parsing.occurrences.find import LineStarts, find_inactive

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from codecortex.editing.drafts import Draft
    from codecortex.operations.bindings.kept import KeptBindings
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.locals import Local, Span
    from codecortex.operations.refactoring.results import Candidate


def plan_local(
    workspace: Workspace, kept: KeptBindings, declared: DeclaredName, new: str, include: Collection[str]
) -> Plan:
    """The edits that give what a file declares another name, judged.

    Raises:
        EditRefusedError: Something would mean something else.
        UsageError: There is no such candidate.
    """
    path, _, old, kind = declared
    local = find_local(workspace, kept, declared)
    target = f"{kind} {old}"
    if old == new:
        return Plan("rename", target, ())
    drafts = {each: read_draft(workspace, each) for each in {path, *(span.path for span in local.spans)}}
    starts = {each: LineStarts(draft.shown.encode()) for each, draft in drafts.items()}
    if new in local.taken:
        line, column = starts[path].find_place(local.taken[new])
        raise EditRefusedError(f"{path}:{line}:{column} declares {new} already.", "Choose another name.")
    doubtful = {_make_candidate(span, starts[span.path]): span for span in local.spans if span.why}
    doubtful |= {
        _make_candidate(span, starts[path]): span for span in _list_inactive(workspace, path, drafts[path], local)
    }
    chosen = choose(doubtful, include)
    spans = [span for span in local.spans if not span.why]
    spans += [span for candidate, span in doubtful.items() if candidate.id in chosen]
    edits: dict[str, list[Edit]] = {}
    for span in spans:
        written = drafts[span.path].shown.encode()[span.start : span.end].decode()
        is_code = rewrite(written, old, new) or write_name(new)
        edits.setdefault(span.path, []).append(Edit(span.start, span.end, new if span.is_text else is_code))
    files = tuple(FileEdits(each, drafts[each], sort_edits(edits[each])) for each in sorted(edits))
    renaming = Renaming(frozenset((old, new)), lambda symbol: symbol)
    refuse_changes(target, new, compare(workspace, kept, files, renaming))
    return Plan("rename", target, files, () if include else tuple(doubtful))


def _list_inactive(workspace: Workspace, path: str, draft: Draft, local: Local) -> Iterator[Span]:
    """Places of the name in code around that is compiled under other symbols only."""
    symbols = {each.symbols for each in workspace.projects if path in each.files}
    for spot in find_inactive(draft.shown.encode(), symbols, local.name):
        if local.first <= spot.start < local.last:
            yield local.spans[0]._replace(start=spot.start, end=spot.end, why=INACTIVE)


def _make_candidate(span: Span, starts: LineStarts) -> Candidate:
    return make_candidate(span.path, *starts.find_place(span.start), span.why)
