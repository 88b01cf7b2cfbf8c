"""What calls of the MCP server take in a repository that has an index: the first of each kind, and many after it.

    python benchmarks/mcp_calls.py REPOSITORY [CALLS]        300 calls unless told otherwise

Times are those of a client on two pipes, from writing a request to having read its answer. Calls resolve full, partial
and misspelt names, search for parts of names and words, and outline types, all drawn at random from the index.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

CALLS = 300
ALLOWED = 0.060
GREETING = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}


class Server:
    """The server and the pipes to it."""

    def __init__(self, repository: Path) -> None:
        self.started = time.perf_counter()
        command = [sys.executable, "-m", "codecortex", "-C", repository, "--no-metrics", "mcp"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        assert self._process.stdin is not None  # noqa: S101 - for mypy
        assert self._process.stdout is not None  # noqa: S101
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def call(self, tool: str, arguments: dict[str, Any]) -> float:
        """Seconds that a call took."""
        started = time.perf_counter()
        self.ask("tools/call", {"name": tool, "arguments": arguments})
        return time.perf_counter() - started

    def leave(self) -> float:
        """Seconds that the end took."""
        started = time.perf_counter()
        assert self._process.stdin is not None  # noqa: S101
        self._process.stdin.close()
        self._process.wait()
        return time.perf_counter() - started


def draw_calls(names: list[str], count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls drawn at random, the same in every run."""
    choose = random.Random(1)  # noqa: S311 - any would do
    for _ in range(count):
        name = choose.choice(names)
        simple = name.rpartition(".")[2].rpartition("+")[2].partition("`")[0]
        at = choose.randrange(len(simple))
        yield choose.choice((
            ("resolve", {"symbol": name}),
            ("resolve", {"symbol": simple}),
            ("resolve", {"symbol": simple[:at] + simple[at + 1 :] or simple}),
            ("outline", {"symbol": name}),
            ("outline", {"symbol": name, "source": True}),
            ("search", {"query": simple[:6]}),
            ("search", {"query": f"{simple[:4]} {simple[4:8]}"}),
        ))  # fmt: skip


def rank(seconds: list[float], percent: int) -> str:
    """Milliseconds that so many percent took at most."""
    ordered = sorted(seconds)
    return f"{ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] * 1000:7.1f}"


def main(repository: Path, count: int) -> int:
    """Print the table; 1 where 5 of 100 calls take longer than they may."""
    names = [row["fqn"] for row in json.loads((repository / ".codecortex/index.json").read_text("utf-8"))["types"]]
    server = Server(repository)
    server.ask("initialize", GREETING)
    greeted = time.perf_counter() - server.started
    size = len(json.dumps(server.ask("tools/list", {})["result"], separators=(",", ":")))
    listed = time.perf_counter() - server.started
    print(f"initialize answered after {greeted:.2f} s, tools/list ({size:,} bytes) after {listed:.2f} s")
    for tool, argument in (("resolve", "symbol"), ("search", "query"), ("outline", "symbol")):
        print(f"first {tool}: {server.call(tool, {argument: names[0]}) * 1000:.0f} ms")
    taken: dict[str, list[float]] = {}
    for tool, arguments in draw_calls(names, count):
        taken.setdefault(tool, []).append(server.call(tool, arguments))
    every = [seconds for each in taken.values() for seconds in each]
    print(f"{'':10}{'calls':>7}{'P50 ms':>9}{'P95 ms':>9}{'max ms':>9}")
    for tool, seconds in (*sorted(taken.items()), ("all", every)):
        print(f"{tool:10}{len(seconds):7}  {rank(seconds, 50)}  {rank(seconds, 95)}  {rank(seconds, 100)}")
    print(f"the end took {server.leave() * 1000:.0f} ms")
    return int(float(rank(every, 95)) > ALLOWED * 1000)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else CALLS))  # noqa: PLR2004
