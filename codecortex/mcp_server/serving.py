"""Starts an MCP server on stdin and stdout, if the package mcp is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.errors import UsageError

if TYPE_CHECKING:
    from codecortex.operations.request import Request


def serve(request: Request, *, metrics: bool = True, edits: bool = False) -> None:
    """Serve one client until it disconnects.

    Raises:
        UsageError: The package mcp is missing or has an unsupported version.
    """
    try:
        from codecortex.mcp_server.session import run_session
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"mcp", "mcp_types"}:
            raise
        message = "`codecortex mcp` needs the package mcp, version 2, which is not installed."
        raise UsageError(message, "Run `pip install 'git-codecortex[mcp]'`.") from error
    run_session(request, metrics=metrics, edits=edits)
