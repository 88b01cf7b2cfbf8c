"""A small repository, and the server on a bare pair of pipes: what a client that knows no better would do."""

import json
import os
import select
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import codecortex
from codecortex.cli.main import main

SOURCE = str(Path(codecortex.__file__).parents[1])
PATIENCE = 120.0  # no test is judged by the clock
FILES = {
    "src/Core/Core.csproj": '<Project Sdk="Microsoft.NET.Sdk">\n  <PropertyGroup>'
    "<TargetFramework>net8.0</TargetFramework></PropertyGroup>\n</Project>\n",
    "src/Core/Store.cs": """namespace Shop.Core;

/// <summary>Keeps orders.</summary>
public sealed class Store : IStore
{
    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    public Order? Find(string key) => null;
}
""",
    "src/Core/Order.cs": "namespace Shop.Core;\npublic record Order(string Key);\n"
    "public interface IStore { int Count { get; } }\n",
    "src/App/Order.cs": "using Shop.Core;\nnamespace Shop.App;\npublic class Order { public Store Store; }\n",
    "src/App/Broken.cs": "namespace Shop.App;\npublic class Broken { public void M( { } int x }\n",
}
NOTE = """ROLE:
Remembers every order.

LIFECYCLE:
One for each process.
"""


class Server:
    """One server process and the pipes to it."""

    def __init__(self, folder, *arguments, **variables):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "codecortex", "-C", folder, "mcp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": SOURCE, **variables},
        )
        self._rest = b""
        self._last = 0

    def send(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def read(self, patience=PATIENCE):
        """Return the next message, or None where the server said nothing more."""
        end = time.monotonic() + patience
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not data:
                return None
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)

    def ask(self, method, **params):
        """Return the answer to one request, whatever is told besides."""
        self._last += 1
        self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        while (message := self.read()) is not None:
            if message.get("id") == self._last:
                return message
        return None

    def greet(self):
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        answer = self.ask("initialize", **hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]

    def leave(self):
        """Close stdin; the exit code and what stood on stderr."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        return code, self.process.stderr.read().decode()

    def measure(self):
        """Seconds of CPU time until now, where the system tells them; else none."""
        told = Path(f"/proc/{self.process.pid}/stat")
        ticks = told.read_text().rpartition(")")[2].split()[11:13] if told.exists() else []
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") if ticks else 0.0

    def kill(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError):
                pipe.close()


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A repository with outlines, a stale note, a pack, an ambiguous name and a file that cannot be read whole."""
    root = tmp_path_factory.mktemp("made") / "shop"
    for path, text in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def git(*arguments):
        subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)

    def run(*arguments):
        assert main(["-C", str(root), *arguments]) == 0

    git("init", "--quiet")
    git("add", ".")
    run("init")
    run("refresh")
    note = root.parent / "note.md"
    note.write_text(NOTE, "utf-8")
    run("semantic", "put", "Shop.Core.Store", str(note))
    run("pack", "build", "core", "--filter", "namespace:Shop.Core")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    return root


@pytest.fixture
def shop(made, tmp_path):
    """A copy of it that a test may change."""
    root = tmp_path / "shop"
    shutil.copytree(made, root, symlinks=True)
    return root


@pytest.fixture(scope="session")
def shared(made):
    """One server for every test that leaves it as it was."""
    server = Server(made)
    server.greet()
    yield server
    server.kill()


@pytest.fixture
def start():
    """`start(folder)`: a server of this test's own, not yet greeted."""
    running = []

    def run(folder, *arguments, **variables):
        running.append(Server(folder, *arguments, **variables))
        return running[-1]

    yield run
    for server in running:
        server.kill()


@pytest.fixture
def source():
    """Where this codecortex lies, for PYTHONPATH."""
    return SOURCE
