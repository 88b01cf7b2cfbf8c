"""Serves one client until it disconnects, or until the process gets SIGTERM."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from codecortex.mcp_server.log import log_in_background
from codecortex.mcp_server.open_workspace import OpenWorkspace
from codecortex.mcp_server.server import make_server
from codecortex.mcp_server.stdio import speak_stdio
from codecortex.mcp_server.worker import Worker

if TYPE_CHECKING:
    from codecortex.operations.request import Request


def run_session(request: Request, *, metrics: bool) -> None:
    """Serve one client."""
    gc.freeze()  # imported objects stay: the collector need not scan them again
    gc.enable()  # unlike other commands, this one runs for long
    with log_in_background(), suppress(asyncio.CancelledError):  # raised on SIGTERM
        asyncio.run(_serve(OpenWorkspace(request, metrics=metrics)))


async def _serve(workspace: OpenWorkspace) -> None:
    _end_at_sigterm()
    server = make_server(workspace, Worker("questions"))
    async with speak_stdio() as (received, answers):
        await server.run(received, answers, server.create_initialization_options())


def _end_at_sigterm() -> None:
    """On SIGTERM, end the session as if the client had disconnected; in a forked worker, just exit."""
    own, loop, task = os.getpid(), asyncio.get_running_loop(), asyncio.current_task()

    def end(*_: object) -> None:
        if os.getpid() != own or task is None:
            os._exit(0)
        loop.call_soon_threadsafe(task.cancel)

    signal.signal(signal.SIGTERM, end)
