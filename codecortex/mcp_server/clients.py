"""A folder in; what each client wants to read in its configuration to serve it out. Nothing is written anywhere."""

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
    """What one client wants to read.

    Attributes:
        client: The name it is asked for by.
        place: The file it belongs into.
        text: What to put there, or to add to what is there.
    """

    client: str
    place: str
    text: str


def _nest(key: str, **more: str) -> Callable[[str, Sequence[str]], str]:
    """Writes JSON with the server under a key of its own, as most clients have it."""

    def write(command: str, arguments: Sequence[str]) -> str:
        server: dict[str, Any] = {**more, "command": command, "args": list(arguments)}
        return json.dumps({key: {_NAME: server}}, indent=2, ensure_ascii=False)

    return write


def _write_toml(command: str, arguments: Sequence[str]) -> str:
    """TOML, which writes strings and lists of them as JSON does."""
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
    """The stanza of one client, or of each where none is named.

    Args:
        folder: Anywhere in the work tree to serve.
        program: What starts codecortex: an absolute path, and arguments.
        client: See `ClientConfig.client`.

    Raises:
        UsageError: No client is called that.
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
