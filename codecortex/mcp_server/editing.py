"""The tools of a server that may edit, and what a client is told when a text changed.

Listed are the verbs that the text which was last asked about allows; any other may be called, and is refused with what
to do instead.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from mcp_types import ReadResourceResult, Resource, TextResourceContents

from codecortex.editing.values import Mode, State
from codecortex.editing.visibility import Verb, list_allowed
from codecortex.mcp_server.arguments import Parameter
from codecortex.mcp_server.tools import OFFERS, SESSION, Arguments, Offer
from codecortex.model.budgets import LIVE_BUDGET
from codecortex.model.errors import UsageError
from codecortex.model.sessions import DEFAULT_SESSION
from codecortex.operations.wording import mend_halves

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.editing.results import EditRequest, EditResult
    from codecortex.operations.live.live import LiveContext
    from codecortex.operations.result import Result

INSTRUCTIONS = (
    " Change files with edit, which answers what happened and which verbs come next, and look at the file with live "
    "before the next change. With session, tools that read answer of its drafts, written to files or not."
)
LIVE = "codecortex://live/"
_ALWAYS = ("open", "apply", "status")
_SESSION = Parameter(SESSION, str, DEFAULT_SESSION)
_NO_SESSION = _SESSION._replace(default=None)
_BATCH, _UNDO = "batch", "undo"
_REFACTORINGS = (
    "rename",
    "member replace",
    "member insert",
    "member remove",
    "move",
    "signature",
    "extract-method",
    "extract-interface",
    "usings",
)
_WHERE = ("session", "write")


def _run_verb(edit: EditRequest, given: Arguments) -> EditResult:
    """Let one verb happen.

    Raises:
        UsageError: An argument that the verb needs is missing.
    """
    from codecortex.editing.events import Intent
    from codecortex.operations.editing import verbs

    def need(name: str) -> Any:
        if given[name] is None:
            raise UsageError(f"The argument {name!r} is missing: {given['verb']!r} needs it.")
        return given[name]

    mode = Mode(given["mode"]) if given["mode"] else None
    runs: dict[str, Callable[[], EditResult]] = {
        "open": lambda: (
            verbs.open_file(edit, mode)
            if given["new"] is None
            else verbs.open_text(edit, given["new"], mode or Mode.MANUAL)
        ),
        Verb.REPLACE: lambda: verbs.replace(edit, need("old"), need("new"), given["in"]),
        Verb.SELECT: lambda: verbs.select(edit, need("id"), given["new"]),
        Verb.APPEND: lambda: verbs.append(edit, need("new")),
        Verb.WRITE: lambda: verbs.write(edit, need("new"), Intent(given["intent"])),
        Verb.UNDO: lambda: verbs.undo(edit),
        Verb.REDO: lambda: verbs.redo(edit),
        Verb.COMMIT: lambda: verbs.commit(edit),
        Verb.SAVE_AS: lambda: verbs.save_as(edit, need("path")),
        Verb.DISCARD: lambda: verbs.discard(edit),
        Verb.DIFF: lambda: verbs.compare(edit),
        Verb.REFRESH: lambda: verbs.refresh(edit),
    }
    return runs[given["verb"]]()


def _edit(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.editing.results import EditRequest
    from codecortex.operations.editing.status import edit_status

    if given["verb"] == "status":
        return edit_status(workspace.request, given["session"], given["file"])
    if given["verb"] == "apply":
        return _apply(workspace, given)
    if given["file"] is None:
        raise UsageError(f"The argument 'file' is missing: {given['verb']!r} needs it.")
    return _run_verb(EditRequest(workspace.request, given["file"], given["session"], given["plan"]), given)


def _apply(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.editing.apply import apply
    from codecortex.operations.editing.results import EditRequest

    if given["patch"] is None:
        raise UsageError("The argument 'patch' is missing: 'apply' needs it.")
    asked = EditRequest(workspace.request, "", given["session"], given["plan"])
    return apply(asked, given["patch"].encode("utf-8", "replace"), Mode(given["mode"]) if given["mode"] else None)


def _live(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.live.state import StateChange, change_state

    change = StateChange(given["active"], given["cursor"], given["selections"] or None, given["open"] or None)
    if not change.is_empty:
        change_state(workspace.request, given["session"], change)
    return _show_live(workspace, given["session"], given["file"], given["at"], given["budget"])


def _show_live(workspace: Workspace, session: str | None, file: str | None, at: str | None, budget: int) -> LiveContext:
    from codecortex.operations.live.live import LiveQuestion, show_live

    return show_live(workspace.request, LiveQuestion(session, file, at, budget), int(time.time()))


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


_VERBS = Parameter("verb", str, choices=(*_ALWAYS, *Verb), required=True)
_EDIT = Offer(
    "edit",
    "Change a file in a session. open shows it. replace: old must stand there once; several matches become candidates, "
    "chosen by select. write: new is the whole text. apply: a patch of several files, all of it or nothing. The verbs "
    "listed are those that the file last named allows.",
    (
        _VERBS,
        Parameter("file", str, note="All verbs but apply, status"),
        Parameter("old", str, note="replace"),
        Parameter("new", str, note="replace, select, append, write; open: draft"),
        Parameter("patch", str, note="apply: git diff, *** Begin Patch, or [{file, old, new, in}]; paths from the top"),
        Parameter("in", str, note="replace: in this symbol only"),
        Parameter("id", int, least=1, note="select"),
        Parameter("mode", str, choices=tuple(Mode), note="open, apply: when to write (manual: on commit)"),
        Parameter("intent", str, "either", choices=("either", "create", "update"), note="write"),
        Parameter("path", str, note="save-as"),
        Parameter("plan", str, "", note="What you are after, for live to tell"),
        _SESSION,
    ),
    _edit,
    writes=True,
    destroys=True,
)
_LIVE = Offer(
    "live",
    "What to see of a file right now: its text, or the lines that matter of a long one, its latest changes, failed "
    "ones too, and plans. Give what the editor shows to have it remembered.",
    (
        Parameter("file", str, note="Else the active one"),
        Parameter("at", str, note="A version"),
        Parameter("budget", int, LIVE_BUDGET, least=100, note="Tokens"),
        Parameter("active", str, note="Active file"),
        Parameter("cursor", str, note="L:C"),
        Parameter("selections", str, (), repeated=True, note="L:C-L:C"),
        Parameter("open", str, (), repeated=True, note="Open files"),
        _NO_SESSION,
    ),
    _live,
    writes=True,
)
_REFACTOR = Offer(
    "refactor",
    "Change C# by symbol, everywhere and safely: every name keeps its meaning, else it is refused. Without write or "
    "session it only shows the patch. choose: give include the ids of candidates, or none. batch: edits made together "
    "or not at all. undo takes the last write back.",
    (
        Parameter("verb", str, choices=(*_REFACTORINGS, _BATCH, _UNDO), required=True),
        Parameter("symbol", str, note="Or path:line:column; extract-method: path:L:C-L:C; usings: path"),
        Parameter("name", str, note="rename, extract-*: new name"),
        Parameter("text", str, note="member: one declaration"),
        Parameter("where", str, choices=("before", "after", "end"), note="member insert"),
        Parameter("file", str, note="move, extract-interface: where to"),
        Parameter("namespace", str, note="move: where to"),
        Parameter("members", str, (), repeated=True, note="extract-interface"),
        Parameter("add", str, note="signature: a parameter such as int n = 0"),
        Parameter("argument", str, note="What callers pass for it"),
        Parameter("before", str, note="Parameter that it goes before"),
        Parameter("doc", str, note="What is said of it"),
        Parameter("remove", str, (), repeated=True, note="signature: parameters"),
        Parameter("order", str, note="signature: all names, with commas"),
        Parameter("include", str, (), repeated=True, note="Candidates"),
        Parameter("sort", bool, note="usings"),
        Parameter("edits", str, note="batch: JSON list of {verb, symbol, name, ...}"),
        Parameter("write", bool, default=False, note="Change the files"),
        Parameter("session", str, note="Make it a version of this session"),
    ),
    _refactor,
    writes=True,
    destroys=True,
)
EDIT_OFFERS = (_EDIT, _REFACTOR, _LIVE)
READ_OFFERS = tuple(
    each if each.writes else each._replace(parameters=(*each.parameters, _NO_SESSION)) for each in OFFERS
)
"""The other tools; those that only read can be asked of what a session holds."""


class Listed:
    """The verbs that are listed: those of the text that was last asked about, at first those of one just opened."""

    def __init__(self) -> None:
        self._verbs = self._order(list_allowed(State.IDLE, Mode.IMMEDIATE))
        self._last: tuple[str, str] | None = None

    def list_offers(self) -> tuple[Offer, ...]:
        """The tools with the verbs that are allowed."""
        verb = _VERBS._replace(choices=(*_ALWAYS, *self._verbs))
        return _EDIT._replace(parameters=(verb, *_EDIT.parameters[1:])), *EDIT_OFFERS[1:]

    def follow(self, result: Result) -> tuple[bool, str]:
        """Take over what an answer allows: whether that is new, and the session that was edited, empty for none."""
        from codecortex.operations.editing.applied import ApplyResult
        from codecortex.operations.editing.results import EditResult

        if isinstance(result, ApplyResult):
            return False, result.session
        if not isinstance(result, EditResult):
            return False, ""
        self._last = result.session, result.file
        return self._change(result.allowed), result.session

    def look_again(self, workspace: Workspace) -> bool:
        """Take over what the same text allows now: whether that is new."""
        from codecortex.operations.editing.status import edit_status

        if self._last is None:
            return False
        session, file = self._last
        buffers = edit_status(workspace.request, session).buffers
        return any(self._change(each.allowed) for each in buffers if each.file == file)

    def _change(self, allowed: tuple[str, ...]) -> bool:
        before, self._verbs = self._verbs, self._order(frozenset(allowed))
        return before != self._verbs

    def _order(self, allowed: frozenset[str]) -> tuple[str, ...]:
        return tuple(each.value for each in Verb if each in allowed)


def name_live(session: str = DEFAULT_SESSION) -> str:
    """The address of a session's live context."""
    return LIVE + quote(session, safe="")


def describe_live() -> Resource:
    """The live context of the default session, as it is listed."""
    told = "What to see of the active file right now"
    return Resource(name="live", uri=name_live(), description=told, mime_type="text/markdown")


def read_live(workspace: Workspace, uri: str) -> ReadResourceResult:
    """The live context at an address.

    Raises:
        UsageError: There is no such session, or no file is active.
    """
    shown = _show_live(workspace, unquote(uri.removeprefix(LIVE)), None, None, LIVE_BUDGET)
    content = TextResourceContents(uri=uri, mime_type="text/markdown", text=mend_halves(shown.as_text()))
    return ReadResourceResult(contents=[content])
