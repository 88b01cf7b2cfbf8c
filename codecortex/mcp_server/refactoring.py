"""The tool of a server that may edit for changes by symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.mcp_server.arguments import Parameter
from codecortex.mcp_server.tools import Arguments, Offer
from codecortex.model.errors import UsageError

if TYPE_CHECKING:
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.result import Result

_BATCH, _UNDO = "batch", "undo"
_VERBS = ("rename", "member replace", "member insert", "member remove", "extract-method", "usings")
_WHERE = ("session", "write")


def _refactor(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.refactoring.batches.reading import read_batch
    from codecortex.operations.refactoring.batches.run import run_batch
    from codecortex.operations.refactoring.batches.verbs import make_step, run_step
    from codecortex.operations.refactoring.results import EditRequest
    from codecortex.operations.refactoring.undo import undo

    verb = given["verb"]
    if verb == _UNDO:
        return undo(workspace.request)
    asked = EditRequest(workspace.request, *(given[name] for name in _WHERE))
    if verb == _BATCH:
        if given["edits"] is None:
            raise UsageError("The argument 'edits' is missing: 'batch' needs it.")
        return run_batch(asked, read_batch(given["edits"], "edits"))
    others = {"verb", "edits", *_WHERE}
    named = {name: value for name, value in given.items() if name not in others and value not in (None, ())}
    return run_step(asked, make_step(verb, named))


REFACTOR = Offer(
    "refactor",
    "Change C# by symbol, everywhere and safely: every name keeps its meaning, else it is refused. Without write or "
    "session it only shows the patch. choose: give include the ids of candidates, or none. batch: edits made together "
    "or not at all. undo takes the last write back.",
    (
        Parameter("verb", str, choices=(*_VERBS, _BATCH, _UNDO), required=True),
        Parameter("symbol", str, note="Or path:line:column; extract-method: path:L:C-L:C; usings: path"),
        Parameter("name", str, note="rename, extract-method: new name"),
        Parameter("text", str, note="member: one declaration"),
        Parameter("where", str, choices=("before", "after", "end"), note="member insert"),
        Parameter("include", str, (), repeated=True, note="rename"),
        Parameter("sort", bool, note="usings"),
        Parameter("edits", str, note="batch: JSON list of {verb, symbol, name, ...}"),
        Parameter("write", bool, default=False, note="Change the files"),
        Parameter("session", str, note="Make it a version of this session"),
    ),
    _refactor,
    writes=True,
    destroys=True,
)
