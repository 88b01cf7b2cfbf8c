"""Writes the configuration that each MCP client needs to start the server; changes no files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.git.repository import open_repository
from codecortex.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_NAME = "codecortex"


class ClientConfig(NamedTuple):
    """Configuration for one client.

    Attributes:
        client: Name of the client.
        place: The file that it belongs in.
        text: What to put into the file, or to add to it.
    """

    client: str
    place: str
    text: str


def _nest(key: str, **more: str) -> Callable[[str, Sequence[str]], str]:
    """A writer of JSON with the server under a given key, as most clients expect it."""

    def write(command: str, arguments: Sequence[str]) -> str:
        server: dict[str, Any] = {**more, "command": command, "args": list(arguments)}
        return json.dumps({key: {_NAME: server}}, indent=2, ensure_ascii=False)

    return write


def _write_toml(command: str, arguments: Sequence[str]) -> str:
    """Write TOML; its strings and lists of strings look as in JSON."""
    program, rest = (json.dumps(each, ensure_ascii=False) for each in (command, list(arguments)))
    return f"[mcp_servers.{_NAME}]\ncommand = {program}\nargs = {rest}"


_CLIENTS = {
    "claude-code": (".mcp.json at the top of the repository", _nest("mcpServers")),
    "claude-desktop": ("claude_desktop_config.json (Settings > Developer > Edit Config)", _nest("mcpServers")),
    "codex": ("~/.codex/config.toml", _write_toml),
    "cursor": (".cursor/mcp.json in the repository, or ~/.cursor/mcp.json", _nest("mcpServers")),
    "gemini": (".gemini/settings.json in the repository, or ~/.gemini/settings.json", _nest("mcpServers")),
    "vscode": (".vscode/mcp.json in the repository", _nest("servers", type="stdio")),
    "zed": ("settings.json (zed: open settings)", _nest("context_servers", source="custom")),
}


def write_stanzas(folder: Path, program: Sequence[str], client: str = "") -> tuple[ClientConfig, ...]:
    """The configuration of one client, or of all if none is named.

    Args:
        folder: Any folder in the work tree to serve.
        program: The command that starts codecortex: an absolute path, and arguments.
        client: Name of the client, or empty.

    Raises:
        UsageError: There is no such client.
        GitStateError: There is no work tree.
    """
    if client and client not in _CLIENTS:
        raise UsageError(f"No client is called {client!r}.", f"Known are: {', '.join(_CLIENTS)}.")
    arguments = [*program[1:], "-C", str(open_repository(folder).require_root()), "mcp"]
    return tuple(
        ClientConfig(name, place, write(program[0], arguments))
        for name, (place, write) in _CLIENTS.items()
        if client in {"", name}
    )
