"""Tells a client that may edit which verbs are listed now, and that a live context changed.

Clients of protocols before 2026-07-28 get notifications, later ones what they listen to; the library drops the other.
"""

from __future__ import annotations

import asyncio
import sys
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ToolsListChanged
from mcp_types import EmptyResult

from codecortex.mcp_server.editing import (
    EDIT_OFFERS,
    INSTRUCTIONS,
    LIVE,
    READ_OFFERS,
    Listed,
    describe_live,
    name_live,
    read_live,
)
from codecortex.mcp_server.open_workspace import Call
from codecortex.model.errors import CodecortexError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession
    from mcp_types import ReadResourceResult, SubscribeRequestParams, UnsubscribeRequestParams

    from codecortex.mcp_server.open_workspace import OpenWorkspace
    from codecortex.mcp_server.worker import Worker
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.request import Request
    from codecortex.operations.result import Result


class Changing:
    """What a server that may edit has besides one that only reads.

    Attributes:
        instructions: What they say besides.
        offers: The tools, with every verb.
        others: The tools of a server that only reads, as they are here.
        listed: The verbs that are listed.
        resource: The live context.
        listen: Serves the streams of changes that clients listen to.
    """

    instructions = INSTRUCTIONS
    offers = EDIT_OFFERS
    others = READ_OFFERS

    def __init__(self) -> None:
        self.listed = Listed()
        self.resource = describe_live()
        self._bus = InMemorySubscriptionBus()
        self.listen = ListenHandler(self._bus)
        self._subscribed: set[str] = set()
        self._session: ServerSession | None = None

    def meet(self, session: ServerSession) -> None:
        """Remember whom to tell what happens between two calls."""
        self._session = session

    async def subscribe(self, context: ServerRequestContext[Any, Any], params: SubscribeRequestParams) -> EmptyResult:
        """Tell of a resource from now on."""
        self.meet(context.session)
        self._subscribed.add(str(params.uri))
        return EmptyResult()

    async def unsubscribe(self, _: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams) -> EmptyResult:
        """Tell of a resource no longer."""
        self._subscribed.discard(str(params.uri))
        return EmptyResult()

    def find_reader(self, uri: str) -> Callable[[Workspace, str], ReadResourceResult] | None:
        """What reads a resource that only this server has."""
        return read_live if uri.startswith(LIVE) else None

    async def tell(self, session: ServerSession, result: Result) -> None:
        """Tell what an answer changed."""
        self.meet(session)
        has_other_verbs, name = self.listed.follow(result)
        await self._send(has_other_verbs=has_other_verbs, sessions=[name] if name else [])

    async def tell_outside(self, workspace: OpenWorkspace, worker: Worker, sessions: Iterable[str]) -> None:
        """Tell what was changed by others than this server."""
        try:
            has_other_verbs = await worker.run(lambda: workspace.ask(self.listed.look_again, Call()))
        except CodecortexError as problem:
            sys.stderr.write(f"codecortex: {problem}\n")  # the next call will tell the client
            has_other_verbs = False
        await self._send(has_other_verbs=has_other_verbs, sessions=sessions)

    async def _send(self, *, has_other_verbs: bool, sessions: Iterable[str]) -> None:
        if has_other_verbs:
            await self._bus.publish(ToolsListChanged())
            if self._session is not None:
                await self._session.send_tool_list_changed()
        for uri in sorted(map(name_live, sessions)):
            await self._bus.publish(ResourceUpdated(uri))
            if self._session is not None and uri in self._subscribed:
                await self._session.send_resource_updated(uri)


def watch_in_background(request: Request, tell: Callable[[frozenset[str]], Any]) -> Event:
    """Watch the work tree on a thread; `tell(sessions)` makes a coroutine for the loop that runs now.

    Returns:
        What ends the watch when it is set.
    """
    stop, loop = Event(), asyncio.get_running_loop()

    def watch() -> None:
        from codecortex.operations.editing.watching import watch_sessions

        try:
            for sessions in watch_sessions(request, stop):
                if sessions:
                    asyncio.run_coroutine_threadsafe(tell(sessions), loop)
        except (CodecortexError, OSError) as problem:
            sys.stderr.write(f"codecortex: not watched: {problem} Each call still looks at its file.\n")

    Thread(target=watch, name="watch", daemon=True).start()
    return stop
