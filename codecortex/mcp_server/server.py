"""Makes the MCP server that answers from one workspace."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from codecortex import __version__
from codecortex.mcp_server.answers import describe_error, explain, write_answer, write_error
from codecortex.mcp_server.arguments import check_arguments
from codecortex.mcp_server.open_workspace import Call
from codecortex.mcp_server.prompts import get_prompt, list_prompts
from codecortex.mcp_server.resources import list_resources, list_templates, read_resource
from codecortex.mcp_server.tools import INSTRUCTIONS, MOST_CHARS, OFFERS, SESSION, list_tools
from codecortex.model.errors import CodecortexError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from mcp.server.context import ServerRequestContext
    from mcp_types import (
        CallToolRequestParams,
        CallToolResult,
        GetPromptRequestParams,
        GetPromptResult,
        ListPromptsResult,
        ListResourcesResult,
        ListResourceTemplatesResult,
        ListToolsResult,
        PaginatedRequestParams,
        ReadResourceRequestParams,
        ReadResourceResult,
    )

    from codecortex.mcp_server.changing import Changing
    from codecortex.mcp_server.open_workspace import OpenWorkspace
    from codecortex.mcp_server.worker import Worker
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.result import Result

    Context = ServerRequestContext[Any, Any]

_T = TypeVar("_T")
_PAUSE = 0.1  # seconds between two progress messages


def make_server(workspace: OpenWorkspace, worker: Worker, changing: Changing | None = None) -> Server[Any]:
    """A server that passes every question to the workspace, one at a time, on the worker's thread.

    Args:
        workspace: The workspace.
        worker: The thread.
        changing: What a server needs that may edit; None for one that only reads.
    """
    answering = _Answering(workspace, worker, changing)
    return Server(
        "codecortex",
        version=__version__,
        instructions=INSTRUCTIONS + (changing.instructions if changing else ""),
        on_list_tools=answering.list_tools,
        on_call_tool=answering.call_tool,
        on_list_resources=answering.list_resources,
        on_list_resource_templates=answering.list_templates,
        on_read_resource=answering.read_resource,
        on_list_prompts=answering.list_prompts,
        on_get_prompt=answering.get_prompt,
        on_subscribe_resource=changing.subscribe if changing else None,
        on_unsubscribe_resource=changing.unsubscribe if changing else None,
        on_subscriptions_listen=changing.listen if changing else None,
    )


class _Answering:
    """Handlers for each kind of request."""

    def __init__(self, workspace: OpenWorkspace, worker: Worker, changing: Changing | None) -> None:
        self._workspace = workspace
        self._worker = worker
        self._changing = changing
        self._others = changing.others if changing else OFFERS
        self._offers = {each.name: each for each in (*self._others, *(changing.offers if changing else ()))}

    async def list_tools(self, context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        if self._changing is None:
            return list_tools(self._others)
        self._changing.meet(context.session)
        return list_tools((*self._others, *self._changing.listed.list_offers()))

    async def list_prompts(self, _context: Context, _params: PaginatedRequestParams | None) -> ListPromptsResult:
        return list_prompts()

    async def get_prompt(self, _context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        try:
            return get_prompt(params.name, params.arguments or {})
        except UsageError as error:
            told = describe_error(error)
            raise MCPError(INVALID_PARAMS, told["message"], told) from error

    async def list_templates(
        self, _context: Context, _params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return list_templates()

    async def list_resources(self, context: Context, _params: PaginatedRequestParams | None) -> ListResourcesResult:
        found = await self._ask_for_resource(context, list_resources)
        if self._changing is not None:
            found.resources.append(self._changing.resource)
        return found

    async def read_resource(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        uri = str(params.uri)
        read = self._changing.find_reader(uri) if self._changing is not None else None
        return await self._ask_for_resource(context, lambda workspace: (read or read_resource)(workspace, uri))

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        offer = self._offers.get(params.name)
        if offer is None:
            names = ", ".join(self._offers)
            raise MCPError(INVALID_PARAMS, f"Unknown tool {params.name[:80]!r}. The tools are: {names}.")
        call = self._make_call(context)
        try:
            given = check_arguments(params.arguments or {}, offer.all_parameters)
            room = given.pop(MOST_CHARS) or offer.most_chars
            drafts = None if offer.writes else given.pop(SESSION, None)

            def answer(workspace: Workspace) -> tuple[Result, CallToolResult]:
                result = offer.ask(workspace if drafts is None else self._workspace.open_session(drafts), given)
                return result, write_answer(result, call, room)

            result, told = await self._ask(answer, call, f"mcp.{offer.name}")
            if self._changing is not None:
                await self._changing.tell(context.session, result)
        except Exception as problem:  # noqa: BLE001 - no question may end the session: every failure becomes an answer
            return write_error(explain(problem, call.trace.id), call)
        return told

    async def _ask_for_resource(self, context: Context, question: Callable[[Workspace], _T]) -> _T:
        call = self._make_call(context)
        try:
            return await self._ask(question, call, "mcp.resource")
        except Exception as problem:
            error = explain(problem, call.trace.id)
            known = type(error) is not CodecortexError
            code = INVALID_PARAMS if known else INTERNAL_ERROR
            told = {**describe_error(error), "traceId": call.trace.id}
            raise MCPError(code, told["message"], told) from problem

    async def _ask(self, question: Callable[[Workspace], _T], call: Call, name: str) -> _T:
        try:
            return await self._worker.run(partial(self._measure, question, call, name))
        except asyncio.CancelledError:
            call.cancelled = True  # the thread stops at its next progress report
            raise
        finally:
            if not call.cancelled:
                await call.settle()  # what comes after the answer is dropped

    def _measure(self, question: Callable[[Workspace], _T], call: Call, name: str) -> _T:
        started, exit_code = time.perf_counter(), 0
        try:
            return self._workspace.ask(question, call)
        except CodecortexError as problem:
            exit_code = problem.exit_code
            raise
        except Exception:
            exit_code = CodecortexError.exit_code
            raise
        finally:
            self._workspace.measure(name, time.perf_counter() - started, call, exit_code)

    def _make_call(self, context: Context) -> Call:
        if context.meta is None or context.meta.get("progress_token") is None:
            return Call()
        reporter = _Reporter(context, asyncio.get_running_loop())
        return Call(reporter.report, reporter.settle)


class _Reporter:
    """Sends progress from the worker's thread: only increasing, and not too often.

    What follows a colon in the text may change from call to call.
    """

    def __init__(self, context: Context, loop: asyncio.AbstractEventLoop) -> None:
        self._context, self._loop = context, loop
        self._activity, self._before, self._last, self._sent, self._told = "", 0, 0, -1, 0.0
        self._sending: Future[None] | None = None

    def report(self, text: str, done: int, total: int) -> None:
        activity = text.partition(":")[0]
        if activity != self._activity:
            self._activity, self._before = activity, self._before + self._last
        elif time.monotonic() - self._told < _PAUSE and done < total:
            return
        self._last = done
        done, total = self._before + done, self._before + total
        if done <= self._sent:
            return  # the next activity begins where the last one ended
        self._told, self._sent = time.monotonic(), done
        send = self._context.session.report_progress
        self._sending = asyncio.run_coroutine_threadsafe(send(done, total, text), self._loop)

    async def settle(self) -> None:
        """Wait until the last report is sent; whether it reached anybody does not matter."""
        if self._sending is not None:
            await asyncio.gather(asyncio.wrap_future(self._sending), return_exceptions=True)
