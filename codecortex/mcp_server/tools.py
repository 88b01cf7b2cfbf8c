"""The tools for agents: names, schemas, and the operation that each calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_types import ListToolsResult, Tool, ToolAnnotations

from codecortex.context.window import DEFAULT_TTL
from codecortex.mcp_server.answers import MAX_CHARS
from codecortex.mcp_server.arguments import Parameter, write_schema
from codecortex.model.budgets import QUESTION_BUDGET, READ_BUDGET
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.operations.catalog.among import Among
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.result import Result

Arguments = dict[str, Any]

MOST_CHARS = "maxChars"
SESSION = "session"
_PLACE = compile_later(r".+\.cs:\d+:\d+")
_SYMBOL = Parameter("symbol", str, required=True)
_KINDS = Parameter("kinds", str, (), repeated=True, note="type, member, namespace, or e.g. interface, method")
_OFFSET = Parameter("offset", int, 0)
_PATHS = Parameter("paths", str, (), repeated=True, note="Globs of files")
_AMONG = (
    Parameter("tests", bool, note="true: only tests; false: none"),
    _PATHS._replace(note=""),
    Parameter("projects", str, (), repeated=True),
    Parameter("files", bool, default=False),
)
_CHARS = Parameter(MOST_CHARS, int, least=1_000)
_PROMPT_CHARS = 120_000
"""A prompt that is cut is useless; each form of the answer contains its text once."""
_GRAPH_CHARS = 12_000
"""Nodes and arrows of a whole repository take far more as JSON than as the text that agents read."""

_SYMBOL_FORMS = (
    "Symbols: a simple, partial or full name (Ns.Outer<T>.Inner, Ns.Type.Member(int)), "
    "a doc id (T:..., M:...) or a TypeId."
)
INSTRUCTIONS = (
    "A map of the C# repository this server was started in, always of the files as they are now. Start a task with "
    f"context; then read types with outline instead of whole files, and ask usages or graph. {_SYMBOL_FORMS}"
)


class Offer(NamedTuple):
    """One tool.

    Attributes:
        name: Name of the tool.
        description: When to use it.
        parameters: Its parameters, besides `maxChars`.
        ask: Asks the workspace.
        writes: Whether it changes files, without `destroys` only those of `.codecortex`.
        most_chars: Maximum size of each form of its answer, unless the call sets another.
        destroys: Whether it changes sources.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    ask: Callable[[Workspace, Arguments], Result]
    writes: bool = False
    most_chars: int = MAX_CHARS
    destroys: bool = False

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        """All parameters, including `maxChars`."""
        return (*self.parameters, _CHARS)


def _limit(number: int) -> Parameter:
    return Parameter("limit", int, number, least=1)


def _context(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.context.ask import Asking, ask

    asking = Asking(given["budget"], given["tests"], given["paths"], given["explain"])
    return ask(workspace, given["question"], asking)


def _resolve(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.queries.resolve import resolve

    if _PLACE.fullmatch(given["symbol"]):
        from codecortex.operations.bindings.bindings import bindings

        return bindings(workspace, (given["symbol"],))
    return resolve(
        workspace, given["symbol"], limit=given["limit"], offset=given["offset"], kinds=frozenset(given["kinds"])
    )


def _search(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.queries.search import SearchQuery, search, search_files

    query = SearchQuery(given["query"], frozenset(given["kinds"]), _read_among(given))
    operation: Callable[..., Result] = search_files if given["files"] else search
    return operation(workspace, query, limit=given["limit"], offset=given["offset"])


def _read_among(given: Arguments) -> Among:
    from codecortex.operations.catalog.among import Among

    return Among(given["tests"], given["paths"], given["projects"])


def _outline(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.queries.outline import OutlineView, outline

    view = OutlineView(given["source"], given["members"], given["lines"])
    return outline(workspace, given["symbol"], view, limit=given["limit"], offset=given["offset"])


def _graph(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.queries.graph import By, Format, GraphQuery, graph, graph_files

    by, form = given["by"], given["format"]
    if given["calls"]:
        from codecortex.operations.usages.calls import CallQuery, show_calls

        if by or given["files"] or _read_among(given) != _read_among({"tests": None, "paths": (), "projects": ()}):
            raise UsageError("calls takes depth, reverse, limit and format alone.", "Leave the others out.")
        kind = Format(form) if form else None
        return show_calls(
            workspace, CallQuery(_require(given, "symbol"), given["reverse"], given["depth"], given["limit"], kind)
        )
    query = GraphQuery(
        given["symbol"],
        depth=given["depth"],
        reverse=given["reverse"],
        by=By(by) if by else None,
        limit=given["limit"],
        format=Format(form) if form else None,
        among=_read_among(given),
    )
    operation: Callable[..., Result] = graph_files if given["files"] else graph
    return operation(workspace, query)


def _note(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.generation.put import show

    return show(workspace, given["symbol"])


def _read(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.queries.read import read_files

    return read_files(workspace.request, workspace.repository, given["files"], budget=given["budget"])


def _usages(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.usages.usages import UsageQuery, usage_files, usages

    query = UsageQuery(given["symbol"], given["exact"], _read_among(given))
    operation: Callable[..., Result] = usage_files if given["files"] else usages
    return operation(workspace, query, limit=given["limit"], offset=given["offset"])


def _history(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.check.check import CheckOptions, check
    from codecortex.operations.history.changes import list_changes
    from codecortex.operations.history.log import LogFilter, log
    from codecortex.operations.history.type_diff import diff_type
    from codecortex.operations.sessions.versions import name_range

    request, revisions = workspace.request, given["revisions"]
    if given["action"] == "check":
        return check(request, CheckOptions(against=revisions))
    if request.rev is not None:
        revisions = name_range(request.rev, revisions, whole=given["action"] == "log")
    if given["action"] == "changes":
        return list_changes(request, revisions)
    symbol = _require(given, "symbol")
    if given["action"] == "log":
        return log(request, symbol, LogFilter(revisions, given["limit"]))
    return diff_type(request, symbol, revisions)


def _pack(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.packs.packs import build_pack, build_packs, list_packs, pack_files, show_pack

    if given["action"] == "list":
        return list_packs(workspace)
    if given["action"] == "build":
        if not given["name"] and given["filter"] is None and given["budget"] is None:
            return build_packs(workspace)
        return build_pack(workspace, _require(given, "name"), filter_text=given["filter"], budget=given["budget"])
    name, among = _require(given, "name"), _read_among(given)
    if given["files"]:
        return pack_files(workspace, name, among)
    shown = show_pack(workspace, name, among)
    if shown.behind:
        workspace.request.warn(shown.notice)
    return shown


def _window(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.window import pins as window_marks
    from codecortex.operations.window.window import show_window

    if given["action"] == "show":
        return show_window(workspace, budget=given["budget"], pack=given["pack"])
    if given["action"] == "clear":
        return window_marks.clear_context(workspace)
    if given["action"] == "list":
        return window_marks.list_context(workspace)
    symbol = _require(given, "symbol")
    if given["action"] == "add":
        return window_marks.add_context(workspace, symbol, ttl=given["ttl"])
    marks = {"pin": window_marks.pin, "unpin": window_marks.unpin, "dismiss": window_marks.dismiss}
    return marks[given["action"]](workspace, symbol)


def _require(given: Arguments, name: str) -> str:
    """An argument that this action requires."""
    value: str | None = given[name]
    if not value:
        raise UsageError(f"The argument {name!r} is missing: {given['action']!r} needs it.")
    return value


def _next(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.generation.agent import ask_next

    return ask_next(workspace, given["symbol"])


def _put(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.generation.agent import take_answer
    from codecortex.operations.investigate.agent import find_rounds
    from codecortex.operations.investigate.agent import take_answer as take_round

    take: Callable[..., Result] = take_round if find_rounds(workspace, given["id"]) is not None else take_answer
    return take(workspace, given["id"], given["text"])


def _investigate(workspace: Workspace, given: Arguments) -> Result:
    from codecortex.operations.investigate.agent import ask_next
    from codecortex.operations.investigate.background import cancel, follow, start
    from codecortex.operations.investigate.manage import list_investigations
    from codecortex.operations.investigate.run import Question

    action, named = given["action"], given["question"]
    if action == "list":
        return list_investigations(workspace)
    if action == "next":
        return ask_next(workspace, Question(named) if named else None)
    if action == "update":
        return start(workspace, None, (named,) if named else ())
    if action == "follow":
        return follow(workspace, named or "latest")
    named = _require(given, "question")
    return cancel(workspace, named) if action == "cancel" else start(workspace, Question(named))


def _status(workspace: Workspace, _: Arguments) -> Result:
    from codecortex.operations.check.status import status

    return status(workspace)


OFFERS = (
    Offer(
        "context",
        "Call this first, with the text of your task (issue, stack trace, compiler errors, names): the code to read "
        "or change for it, best first.",
        (
            Parameter("question", str, required=True),
            Parameter("budget", int, QUESTION_BUDGET, least=100, note="Tokens"),
            Parameter("tests", bool, note="true: rank tests too; false: name none"),
            _PATHS,
            Parameter("explain", bool, default=False, note="Why each file"),
        ),
        _context,
    ),
    Offer(
        "resolve",
        f"The symbol that a name means, or every candidate, best first. {_SYMBOL_FORMS} Wildcards: * ?",
        (_SYMBOL._replace(note="Or path:line:column"), _KINDS, _limit(20), _OFFSET),
        _resolve,
    ),
    Offer(
        "search",
        "Find symbols by parts of names, initials, misspellings, words of their documentation.",
        (Parameter("query", str, required=True), _KINDS._replace(note=""), *_AMONG, _limit(20), _OFFSET),
        _search,
    ),
    Offer(
        "outline",
        "Signatures and documentation of a type, a member's overloads, a file's types, or a namespace's children.",
        (
            _SYMBOL._replace(note="Or a path"),
            Parameter("source", bool, default=False, note="Add the source text"),
            Parameter("members", bool, default=False, note="Hidden ones and lines too"),
            Parameter("lines", bool, default=False, note="Line ranges"),
            _limit(50),
            _OFFSET,
        ),
        _outline,
    ),
    Offer(
        "read",
        "Numbered lines of files or ranges within one budget; ask for all you need at once.",
        (
            Parameter("files", str, required=True, repeated=True, note="path, path:A-B or path:A-B,C-D"),
            Parameter("budget", int, READ_BUDGET, least=100, note="Tokens"),
        ),
        _read,
    ),
    Offer(
        "usages",
        "Where a symbol is used, the most certain first.",
        (_SYMBOL, Parameter("exact", bool, default=False, note="Certain ones only"), *_AMONG, _limit(50), _OFFSET),
        _usages,
    ),
    Offer(
        "graph",
        "The types that a type names; reverse: that name it; without symbol, the whole repository's.",
        (
            _SYMBOL._replace(required=False),
            Parameter("calls", bool, default=False, note="A member's callees; reverse: its callers"),
            Parameter("depth", int, 1, least=1),
            Parameter("reverse", bool, default=False),
            Parameter("by", str, choices=("type", "namespace", "project"), note="Nodes, without symbol"),
            Parameter("format", str, choices=("mermaid", "dot")),
            *_AMONG,
            _limit(50),
        ),
        _graph,
        most_chars=_GRAPH_CHARS,
    ),
    Offer(
        "history",
        "What changed. changes: types between two revisions, HEAD and the files as they are unless told. log: commits "
        "that changed symbol. diff: how it differs. check: what of .codecortex is behind.",
        (
            Parameter("action", str, "changes", choices=("changes", "log", "diff", "check")),
            Parameter("revisions", str, note="A..B, A...B or A"),
            _SYMBOL._replace(required=False, note="log, diff"),
            _limit(20)._replace(note="log"),
        ),
        _history,
    ),
    Offer(
        "note",
        "The note on a type (role, life cycle, limits), and whether it is stale and why.",
        (_SYMBOL,),
        _note,
    ),
    Offer(
        "pack",
        "Texts about several types within a token budget: list, show or build them. "
        "Filter: namespace: type: access: tag: depends: test: with * ?, AND OR ! ( ).",
        (
            Parameter("action", str, "list", choices=("list", "show", "build")),
            Parameter("name", str, ""),
            Parameter("filter", str, note="build: defines the pack"),
            Parameter("budget", int, note="build: tokens"),
            *_AMONG,
        ),
        _pack,
        writes=True,
    ),
    Offer(
        "window",
        "Types at hand in one text: pinned, in focus (added or asked for), recent.",
        (
            Parameter("action", str, "show", choices=("show", "pin", "unpin", "dismiss", "add", "clear", "list")),
            _SYMBOL._replace(required=False),
            Parameter("ttl", str, DEFAULT_TTL, note="add: how long"),
            Parameter("budget", int, note="show: characters"),
            Parameter("pack", str, "", note="show: gets more weight"),
        ),
        _window,
        writes=True,
    ),
    Offer(
        "next",
        "Only when asked to write notes: the prompt for the note most in need of it, with an id for put.",
        (Parameter("symbol", str, "", note="The note of this type"),),
        _next,
        writes=True,
        most_chars=_PROMPT_CHARS,
    ),
    Offer(
        "put",
        "Takes the answer to a prompt, checks and writes it.",
        (Parameter("id", str, required=True), Parameter("text", str, required=True)),
        _put,
        writes=True,
    ),
    Offer(
        "investigate",
        "Answer a question for good, in a committed file with checked evidence. start: by the configured model, gives "
        "a run's id at once; next: by you, answer with put.",
        (
            Parameter("action", str, "list", choices=("list", "start", "update", "follow", "cancel", "next")),
            Parameter("question", str, "", note="update: name; follow, cancel: id"),
        ),
        _investigate,
        writes=True,
        most_chars=_PROMPT_CHARS,
    ),
    Offer("status", "What was read, what could not be, what is behind or slow.", (), _status),
)


def list_tools(offers: Sequence[Offer]) -> ListToolsResult:
    """The tools as described to the client."""
    return ListToolsResult(tools=[_describe(offer) for offer in offers])


def _describe(offer: Offer) -> Tool:
    return Tool(
        name=offer.name,
        description=offer.description,
        input_schema=write_schema(offer.all_parameters),
        annotations=ToolAnnotations(
            read_only_hint=not offer.writes,
            destructive_hint=offer.destroys if offer.writes else None,
            open_world_hint=False,
        ),
    )
