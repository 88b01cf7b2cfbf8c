"""Serves one client until it disconnects, or until the process gets SIGTERM."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

from mcp.server.lowlevel.server import NotificationOptions

from codecortex.mcp_server.log import log_in_background
from codecortex.mcp_server.open_workspace import OpenWorkspace
from codecortex.mcp_server.server import make_server
from codecortex.mcp_server.stdio import speak_stdio
from codecortex.mcp_server.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.mcp_server.changing import Changing
    from codecortex.operations.request import Request


def run_session(request: Request, *, metrics: bool, edits: bool) -> None:
    """Serve one client, which may edit files or only read."""
    gc.freeze()  # imported objects stay: the collector need not scan them again
    gc.enable()  # unlike other commands, this one runs for long
    with log_in_background(), suppress(asyncio.CancelledError):  # raised on SIGTERM
        asyncio.run(_serve(request, OpenWorkspace(request, metrics=metrics), edits=edits))


async def _serve(request: Request, workspace: OpenWorkspace, *, edits: bool) -> None:
    _end_at_sigterm()
    worker = Worker("questions", workspace.prefetch)
    with _begin_changing(request, workspace, worker) if edits else nullcontext() as changing:
        server = make_server(workspace, worker, changing)
        options = server.create_initialization_options(NotificationOptions(tools_changed=edits))
        async with speak_stdio() as (received, answers):
            await server.run(received, answers, options)


@contextmanager
def _begin_changing(request: Request, workspace: OpenWorkspace, worker: Worker) -> Iterator[Changing]:
    from codecortex.mcp_server.changing import Changing, watch_in_background

    changing = Changing()
    stop = watch_in_background(request, lambda sessions: changing.tell_outside(workspace, worker, sessions))
    try:
        yield changing
    finally:
        stop.set()


def _end_at_sigterm() -> None:
    """On SIGTERM, end the session as if the client had disconnected; in a forked worker, just exit."""
    own, loop, task = os.getpid(), asyncio.get_running_loop(), asyncio.current_task()

    def end(*_: object) -> None:
        if os.getpid() != own or task is None:
            os._exit(0)
        loop.call_soon_threadsafe(task.cancel)

    signal.signal(signal.SIGTERM, end)
