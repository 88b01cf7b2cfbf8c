"""What questions cost, against `codecortex --version` and a bare tree-sitter parse of all files in the same run.

python benchmarks/queries.py ~/src/efcore
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from common import Cost, best, codecortex, copy_sources, run
from refresh import BARE, ratio, row

ROUNDS = 9
CALLS = 40
PACK = "bench"
BUSIEST = """
import sys
from pathlib import Path
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request
with Workspace(Request(Path(sys.argv[1]))) as workspace:
    graph, types = workspace.graph, workspace.catalog.by_id
    ranked = sorted(graph.ids, key=lambda each: (-graph.fan_in_of(each), each))
    for each in ranked[: int(sys.argv[2])]:
        print(each, types[each].simple_name, types[each].fqn, graph.fan_in_of(each), sep="\\t")
"""


def main(repository: Path) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        work.mkdir()
        sources = copy_sources(repository, work)
        print(f"{repository.name}: {len(sources):,} C# files\n")
        codecortex(work, "init")
        codecortex(work, "refresh")
        names = list_busiest(work, 60)
        measure_queries(work, names)
        measure_session(work, names)
        listing = Path(folder) / "list"
        listing.write_text("\0".join(map(str, sources)))
        measure_edit(work, sources, listing, names)


def list_busiest(work: Path, number: int) -> list[tuple[str, str]]:
    """Ids and simple names of the types that most others name; the catalog and the graph are warm after it."""
    told = subprocess.run(
        [sys.executable, "-c", BUSIEST, work, str(number)], check=True, capture_output=True, text=True
    ).stdout
    rows = [line.split("\t") for line in told.splitlines()]
    print(f"{rows[0][2]} is named by {rows[0][3]} types\n")
    return [(type_id, simple) for type_id, simple, *_ in rows]


def measure_queries(work: Path, names: list[tuple[str, str]]) -> None:
    """Each command by itself, as a shell runs it."""
    type_id, simple = names[0]
    codecortex(work, "pack", "build", PACK, "--filter", f"type:{simple}*", "--budget", "4000")
    commands = (
        *(("resolve", simple), ("outline", type_id), ("search", simple)),
        *(("pack", "show", PACK), ("usages", type_id)),
    )
    costs: dict[str, list[Cost]] = {}
    for command in commands:
        codecortex(work, *command)
    for _ in range(ROUNDS):  # in turn, so that a busy spell of the machine meets all of them
        costs.setdefault("--version", []).append(codecortex(work, "--version"))
        for command in commands:
            costs.setdefault(command[0], []).append(codecortex(work, *command))
    for what, each in costs.items():
        row(f"codecortex {what}", best(*each))
    version = median(cost.wall for cost in costs["--version"])
    for command in commands:
        more = median(cost.wall for cost in costs[command[0]]) - version
        ratio(f"seconds more than --version, {command[0]}", more, 1.5 if command[0] == "usages" else 0.25)
    print()


def measure_session(work: Path, names: list[tuple[str, str]]) -> None:
    """The calls of one session of a server, the first of each kind left out."""
    if importlib.util.find_spec("mcp") is None:
        print("no session: the package mcp is not installed\n")
        return
    calls = asyncio.run(call_server(work, names))
    every = [seconds for kind, each in calls.items() if kind != "usages" for seconds in each]
    for kind, each in calls.items():
        print(f"{'mcp ' + kind:40} P50 {1000 * median(each):7.1f} ms  P95 {1000 * find_p95(each):7.1f} ms")
    ratio("ms, P95 of calls but usages", 1000 * find_p95(every), 60)
    print()


def find_p95(values: list[float]) -> float:
    """The value that 95 of 100 do not exceed."""
    return quantiles(values, n=20, method="inclusive")[-1]


async def call_server(work: Path, names: list[tuple[str, str]]) -> dict[str, list[float]]:
    """Seconds of each call by its tool."""
    from mcp import ClientSession, StdioServerParameters, stdio_client  # noqa: PLC0415 - an optional package

    command = ["-m", "codecortex", "-C", str(work), "mcp"]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    found: dict[str, list[float]] = {}
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        for number in range(CALLS + 1):
            type_id, simple = names[number % len(names)]
            asked: dict[str, dict[str, Any]] = {
                "resolve": {"symbol": simple},
                "outline": {"symbol": type_id},
                "search": {"query": simple},
                "graph": {"symbol": type_id},
                "pack": {"action": "show", "name": PACK},
                "usages": {"symbol": type_id},
            }
            for tool, arguments in asked.items():
                started = time.perf_counter()
                answer: Any = await session.call_tool(tool, arguments)
                seconds = time.perf_counter() - started
                if answer.is_error:
                    sys.exit(f"{tool} {arguments}: {answer.content}")
                if number:
                    found.setdefault(tool, []).append(seconds)
    return found


def measure_edit(work: Path, sources: list[Path], listing: Path, names: list[tuple[str, str]]) -> None:
    """The first question after one file was edited."""
    type_id, simple = names[0]
    version = best(*(codecortex(work, "--version") for _ in range(ROUNDS)))
    resolved, outlined = [], []
    for number in range(5):
        change(work, sources, number)
        resolved.append(codecortex(work, "resolve", simple))
        outlined.append(codecortex(work, "outline", type_id))
    bare = best(*(run(sys.executable, "-c", BARE, listing) for _ in range(3)))
    row("bare tree-sitter parse", bare)
    row("resolve, one file edited", best(*resolved))
    row("outline, one file edited", best(*outlined))
    first = best(*resolved).wall - version.wall
    ratio("seconds more than --version, first resolve", first, 0.5)
    ratio("that / bare parse", first / bare.wall, 0.2)


def change(work: Path, sources: list[Path], number: int) -> None:
    """Edit one file without anything being refreshed."""
    file = max(sources, key=lambda each: each.stat().st_size) if number == 0 else sources[number * len(sources) // 7]
    with file.open("a", encoding="utf-8") as text:
        text.write(f"\nclass Added{number} {{ int field; }}\n")
    subprocess.run(["git", "-C", work, "status", "--short"], check=True, capture_output=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).expanduser().resolve())
