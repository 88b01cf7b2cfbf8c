"""A request in; one client served until it leaves, or until the process is told to end."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from codecortex.mcp_server.log import log_aside
from codecortex.mcp_server.open_workspace import OpenWorkspace
from codecortex.mcp_server.server import make_server
from codecortex.mcp_server.stdio import speak_stdio
from codecortex.mcp_server.worker import Worker

if TYPE_CHECKING:
    from codecortex.operations.request import Request


def run_session(request: Request, *, metrics: bool) -> None:
    """Serve one client."""
    gc.freeze()  # what was imported stays; the collector need not look at it again
    gc.enable()  # unlike other commands, this one lives long
    with log_aside(), suppress(asyncio.CancelledError):  # which is what SIGTERM makes of it
        asyncio.run(_serve(OpenWorkspace(request, metrics=metrics)))


async def _serve(workspace: OpenWorkspace) -> None:
    _end_at_sigterm()
    server = make_server(workspace, Worker("questions"))
    async with speak_stdio() as (received, answers):
        await server.run(received, answers, server.create_initialization_options())


def _end_at_sigterm() -> None:
    """SIGTERM ends the session as the client's leaving does; in a process forked for a reading it just ends that."""
    own, loop, task = os.getpid(), asyncio.get_running_loop(), asyncio.current_task()

    def end(*_: object) -> None:
        if os.getpid() != own or task is None:
            os._exit(0)
        loop.call_soon_threadsafe(task.cancel)

    signal.signal(signal.SIGTERM, end)
