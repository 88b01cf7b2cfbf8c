"""A request in; an MCP server on stdin and stdout until the client leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.errors import UsageError

if TYPE_CHECKING:
    from codecortex.operations.request import Request


def serve(request: Request, *, metrics: bool = True) -> None:
    """Serve one client.

    Raises:
        UsageError: The package mcp is missing, or another one than this was written for.
    """
    try:
        from codecortex.mcp_server.session import run_session
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"mcp", "mcp_types"}:
            raise
        message = "`codecortex mcp` needs the package mcp, version 2, which is not installed."
        raise UsageError(message, "Run `pip install 'git-codecortex[mcp]'`.") from error
    run_session(request, metrics=metrics)
