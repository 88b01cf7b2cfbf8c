"""Writes the configuration that each MCP client needs to start the server; changes no files.

A file of a repository is committed: it names the command as PATH finds it, and no folder of this machine. A file that a
client keeps for all repositories names this one, and this program.
"""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from codecortex import __version__
from codecortex.git.repository import open_repository
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_NAME = "codecortex"
_FOLDER = "${workspaceFolder}"
_ON_PATH = (_NAME,)
_UVX = ("uvx", "--from", f"git-codecortex[mcp]=={__version__}", _NAME)
"""Pinned: what is committed must not start whatever is published next."""


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


class _Client(NamedTuple):
    """How one client is configured.

    Attributes:
        place: The file.
        write: Writes the text from a command and its arguments.
        folder: What stands for the repository, where the client may start the server elsewhere; empty for nothing, None
            for the path on this machine.
    """

    place: str
    write: Callable[[Sequence[str]], str]
    folder: str | None = ""


def _nest(key: str, **more: Any) -> Callable[[Sequence[str]], str]:
    """A writer of JSON with the server under a given key, as most clients expect it."""

    def write(command: Sequence[str]) -> str:
        return _write_json({key: {_NAME: {**more, "command": command[0], "args": list(command[1:])}}})

    return write


def _write_opencode(command: Sequence[str]) -> str:
    server = {"type": "local", "command": list(command), "enabled": True}
    return _write_json({"$schema": "https://opencode.ai/config.json", "mcp": {_NAME: server}})


def _write_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _write_toml(command: Sequence[str]) -> str:
    """Write TOML; its strings and lists of strings look as in JSON."""
    program, rest = (json.dumps(each, ensure_ascii=False) for each in (command[0], list(command[1:])))
    return f"[mcp_servers.{_NAME}]\ncommand = {program}\nargs = {rest}"


_CLIENTS = {
    "claude-code": _Client(".mcp.json at the top of the repository", _nest("mcpServers")),
    "claude-desktop": _Client(
        "claude_desktop_config.json (Settings > Developer > Edit Config)", _nest("mcpServers"), None
    ),
    "cline": _Client("cline_mcp_settings.json (MCP Servers > Configure)", _nest("mcpServers"), None),
    "codex": _Client(".codex/config.toml in the repository, which Codex reads once it is trusted", _write_toml),
    "copilot-cli": _Client("~/.copilot/mcp-config.json", _nest("mcpServers", type="local", tools=["*"])),
    "cursor": _Client(".cursor/mcp.json in the repository", _nest("mcpServers", type="stdio"), _FOLDER),
    "gemini": _Client(".gemini/settings.json in the repository", _nest("mcpServers")),
    "opencode": _Client("opencode.json at the top of the repository", _write_opencode),
    "rider": _Client(
        ".junie/mcp/mcp.json in the repository; or Settings > Tools > AI Assistant > Model Context Protocol (MCP)",
        _nest("mcpServers"),
    ),
    "visual-studio": _Client(".mcp.json beside the solution", _nest("servers", type="stdio")),
    "vscode": _Client(".vscode/mcp.json in the repository", _nest("servers", type="stdio"), _FOLDER),
    "windsurf": _Client("~/.codeium/windsurf/mcp_config.json", _nest("mcpServers"), None),
    "zed": _Client(".zed/settings.json in the repository", _nest("context_servers", source="custom")),
}


def write_stanzas(
    folder: Path, program: Sequence[str], client: str = "", *, uvx: bool = False, edits: bool = False
) -> tuple[ClientConfig, ...]:
    """The configuration of one client, or of all if none is named.

    Args:
        folder: Any folder in the work tree to serve.
        program: The command that starts this codecortex on this machine: an absolute path, and arguments.
        client: Name of the client, or empty.
        uvx: Whether uvx is to fetch and start this version, instead of the command on PATH.
        edits: Whether the client may edit files.

    Raises:
        UsageError: There is no such client.
        GitStateError: There is no work tree.
    """
    if client and client not in _CLIENTS:
        near = get_close_matches(client.lower(), _CLIENTS, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise UsageError(f"No client is called {client[:80]!r}.", f"{meant}Known are: {', '.join(_CLIENTS)}.")
    root = str(open_repository(folder).require_root())
    stanzas = []
    for name, (place, write, named) in _CLIENTS.items():
        start = _UVX if uvx else tuple(program) if named is None else _ON_PATH
        where = root if named is None else named
        if client in {"", name}:
            command = [*start, *(["-C", where] if where else []), "mcp", *(["--edit"] if edits else [])]
            stanzas.append(ClientConfig(name, place, write(command)))
    return tuple(stanzas)
