"""What refreshes, questions, hooks and a server cost once a repository has its map, beside the goals for efcore.

    python benchmarks/goals.py ~/src/efcore [--copies N] [--against CHECKOUT] [--rounds N] [--rows WORD ...]

Seconds are those over `codecortex --version` (hooks: over an empty hook), least of some rounds; with another checkout
both are run in turn, each in a repository of its own. With `--copies` the repository stands there several times, each
under a namespace of its own: Polly 16 times are 12,752 files. `--rows` chooses by what a row's name contains.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from common import Cost, best, commit_all, copy_sources
from growth import replicate
from hook import is_plain, write_scripts
from queries import BUSIEST, find_p95
from refresh import put_away

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ROOT = Path(__file__).parents[1]
_CALLS = 200
_RETURN = re.compile(r"^(\s+)return ", re.MULTILINE)
_PACK = "bench"


class Side(NamedTuple):
    """One checkout of codecortex and the repository that it works on."""

    checkout: Path
    work: Path
    scripts: Path
    source: Path
    busiest: tuple[str, str]

    def __call__(self, *arguments: str | Path, stdin: bool = False) -> Cost:
        """Run codecortex."""
        return self.run(sys.executable, "-m", "codecortex", "-C", self.work, *arguments, stdin=stdin)

    def run(self, *command: str | Path, stdin: bool = False) -> Cost:
        """Run any command, with this codecortex for whatever it starts."""
        started = time.perf_counter()
        process = subprocess.Popen(
            [*command],
            stdin=None if stdin else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self.environment,
            cwd=self.checkout,  # which `-m` takes modules from before all else
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            sys.exit(f"{' '.join(map(str, command))}: exit {process.returncode}")
        return Cost(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)

    @property
    def environment(self) -> dict[str, str]:
        """What its processes see."""
        environment = {**os.environ, "PYTHONPATH": str(self.checkout)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return environment

    def edit(self, old: str | re.Pattern[str], new: str) -> None:
        """Change the source that all edits are made in."""
        text = self.source.read_text("utf-8-sig")
        self.source.write_text(re.sub(old, new, text, count=1), "utf-8")

    def git(self, *arguments: str) -> None:
        """Run git there."""
        options = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
        subprocess.run(["git", "-C", self.work, *options, *arguments], check=True, capture_output=True)


class Row(NamedTuple):
    """One row: its name, its goal in seconds of wall time, what is measured, and what happens before."""

    name: str
    goal: float
    measured: Callable[[Side], Cost]
    ready: Callable[[Side, int], object] = lambda _, __: None
    rounds: int = 0  # 0: as many as were asked for
    over: str = "--version"


def main(options: argparse.Namespace) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        checkouts = [_ROOT, *([options.against.expanduser().resolve()] if options.against else [])]
        once = Path(folder) / "once"
        make_tree(options.repository.expanduser().resolve(), once, options.copies)
        sides = [prepare(checkout, once, Path(folder) / f"side{at}") for at, checkout in enumerate(checkouts)]
        found: dict[str, list[Cost]] = {}
        for row in list_rows():
            if row.over == "" or not options.rows or any(word in row.name for word in options.rows):
                found[row.name] = costs = measure(row, sides, row.rounds or options.rounds)
                tell(row, costs, found.get(row.over))
        if not options.rows or "mcp" in options.rows:
            for side in sides:
                tell_server(side)


def make_tree(repository: Path, once: Path, copies: int) -> None:
    """The sources of a repository, in a repository of their own, some times."""
    once.mkdir()
    sources = [file.relative_to(once) for file in copy_sources(repository, once)]
    if copies > 1:
        shutil.rmtree(once / ".git")
        single = once.rename(once.with_name("single"))
        for copy in range(copies):
            replicate(single, once / f"copy{copy}", f"Copy{copy}.", sources)
        commit_all(once)
    print(f"{repository.name}: {len(sources) * copies:,} C# files\n")


def prepare(checkout: Path, once: Path, folder: Path) -> Side:
    """A copy with its map committed, then one more commit of a changed body."""
    folder.mkdir()
    work = folder / "work"
    shutil.copytree(once, work, symlinks=True)
    sources = sorted(work.rglob("*.cs"))
    side = Side(checkout, work, write_scripts(folder / "hooks"), find_source(sources), ("", ""))
    (work / "notes.txt").write_text("notes\n")
    subprocess.run([sys.executable, "-m", "compileall", "-q", checkout / "codecortex"], check=False)
    side("init")
    side.edit(r"\}\s*$", "\n    public int Benchmark(int a) => 1;\n}\n")
    cold = side("refresh")
    print(f"cold refresh: {cold.wall:.2f} s wall, {cold.cpu:.2f} s CPU, {cold.peak:.0f} MB in the largest process\n")
    commit_all(work)
    side.git("config", "user.name", "bench")
    side.git("config", "user.email", "bench@localhost")
    side.edit(_RETURN, r"\1_ = 7; return ")
    side("refresh")
    commit_all(work)
    told = subprocess.run(
        [sys.executable, "-c", BUSIEST, work, "1"],
        check=True,
        capture_output=True,
        text=True,
        env=side.environment,
        cwd=checkout,
    ).stdout.split("\t")
    return side._replace(busiest=(told[0], told[1]))


def find_source(sources: list[Path]) -> Path:
    """A plain class with a method, in the middle of the list."""
    middle = [*sources[len(sources) // 2 :], *sources]
    return next(each for each in middle if is_plain(each) and _RETURN.search(each.read_text("utf-8", "replace")))


def list_rows() -> Iterator[Row]:
    """Every row, in an order in which none spoils the next."""
    plain = (sys.executable, "-m", "codecortex", "--version")  # `-C` has it load click
    yield Row("--version", 0.045, lambda side: side.run(*plain), rounds=9, over="")
    yield Row("--help", 0.075, lambda side: side("--help"), rounds=9, over="none")
    yield Row("refresh: nothing", 0.1, lambda side: side("refresh"))
    yield Row("refresh: a body", 0.3, lambda side: side("refresh"), change_body)
    yield Row("refresh: a signature", 0.3, lambda side: side("refresh"), change_signature)
    yield Row("refresh: a new class", 0.6, lambda side: side("refresh"), add_class)
    for name in ("resolve", "outline", "search", "graph"):
        yield Row(name, 0.2, lambda side, name=name: side(name, side.busiest[name == "search"]), ask_once(name))
    yield Row("window", 0.2, lambda side: side("window"))
    yield Row(
        "usages of a much-used name, again", 0.4, lambda side: side("usages", side.busiest[0]), ask_once("usages")
    )
    yield Row("usages of it, a body edited", 1.0, lambda side: side("usages", side.busiest[0]), change_body)
    yield Row("changes of one commit, first", 0.3, lambda side: side("changes", "HEAD~1..HEAD"), rounds=1)
    yield Row("changes of one commit", 0.3, lambda side: side("changes", "HEAD~1..HEAD"))
    yield Row("log", 0.4, lambda side: side("log", side.busiest[0]))
    yield Row("diff", 0.4, lambda side: side("diff", side.busiest[0]))
    yield Row("status", 0.4, lambda side: side("status"))
    yield Row("semantic list", 0.4, lambda side: side("semantic", "list"))
    yield Row("check", 0.2, lambda side: side("check"))
    yield Row("empty hook", 0.0, run_hook("empty"), rounds=9, over="")
    yield Row("hook: nothing relevant", 0.008, run_hook("pre-commit"), stage_notes, rounds=9, over="empty hook")
    yield Row("hook: a body", 0.35, run_hook("pre-commit"), stage_body, over="empty hook")
    yield Row("first question after a cold one", 0.6, lambda side: side("resolve", side.busiest[0]), refresh_cold, 1)
    yield Row("pack show", 0.2, lambda side: side("pack", "show", _PACK), build_pack)
    yield Row("refresh: a body, a pack committed", 0.35, lambda side: side("refresh"), change_body)


def change_body(side: Side, _: int) -> None:
    """Another statement in a method."""
    side.edit(r"_ = \d+; return ", f"_ = {time.monotonic_ns()}; return ")


def change_signature(side: Side, _: int) -> None:
    """Another name of a parameter."""
    side.edit(r"Benchmark\(int \w+\)", f"Benchmark(int a{time.monotonic_ns()})")


def add_class(side: Side, _: int) -> None:
    """A type that nothing knows."""
    side.edit(r"\Z", f"\npublic class Added{time.monotonic_ns()} {{ }}\n")


def ask_once(name: str) -> Callable[[Side, int], object]:
    """Asked before, so that what is measured is the answer asked again."""
    return lambda side, number: None if number else side(name, side.busiest[name == "search"])


def run_hook(name: str) -> Callable[[Side], Cost]:
    """A hook where git runs it."""
    return lambda side: side.run("env", "-C", side.work, "sh", side.scripts / name)


def stage_notes(side: Side, number: int) -> None:
    """Stage a file that is no source, everything else being committed."""
    if number == 0:
        side("refresh")
        side.git("add", "-A")
        side.git("commit", "-q", "--no-verify", "--allow-empty", "-m", "before")
    (side.work / "notes.txt").write_text(f"{number}\n")
    side.git("add", "notes.txt")


def stage_body(side: Side, number: int) -> None:
    """Commit what the hook staged, and stage the next body."""
    side.git("commit", "-q", "--no-verify", "--allow-empty", "-m", f"edit {number}")
    change_body(side, number)
    side.git("add", str(side.source))


def refresh_cold(side: Side, _: int) -> None:
    """Everything that earlier runs left is put away, and made anew."""
    put_away(side.work)
    side("refresh")


def build_pack(side: Side, number: int) -> None:
    """A pack of many types, committed."""
    if number == 0:
        side("pack", "build", _PACK, "--filter", "type:*Builder*", "--budget", "40000")
        side("pack", "show", _PACK)
        commit_all(side.work)


def measure(row: Row, sides: Iterable[Side], rounds: int) -> list[Cost]:
    """The least of each side, the sides in turn."""
    costs: dict[Path, list[Cost]] = {}
    for number in range(rounds):
        for side in sides:
            row.ready(side, number)
            costs.setdefault(side.work, []).append(row.measured(side))
    return [best(*each) for each in costs.values()]


def tell(row: Row, costs: list[Cost], floors: list[Cost] | None) -> None:
    """One line: wall and CPU seconds of each side over its floor."""
    cells = []
    for at, cost in enumerate(costs):
        floor = floors[at] if floors else Cost(0, 0, 0)
        cells.append(f"{cost.wall - floor.wall:8.3f} {cost.cpu - floor.cpu:8.3f} {cost.peak:5.0f} MB")
    least = min(costs[0].wall - (floors[0].wall if floors else 0), costs[0].cpu - (floors[0].cpu if floors else 0))
    missed = row.goal and least > row.goal  # other work on the machine adds to both
    print(f"{row.name:<36}{'  |'.join(cells)}   goal {row.goal:g}{'  MISSED' if missed else ''}", flush=True)


def tell_server(side: Side) -> None:
    """Calls of a server, then as many while a file changes: each answer has to tell of the newest text."""
    for what, seconds, stale in asyncio.run(call_server(side)):
        tail = f"P50 {1000 * median(seconds):6.1f} ms  P95 {1000 * find_p95(seconds):6.1f} ms   goal 5, 20 ms"
        print(f"{'mcp ' + what:<36}{tail}{f'   {stale} stale' if stale is not None else ''}")


async def call_server(side: Side) -> list[tuple[str, list[float], int | None]]:
    """Seconds of each call by its tool; the first of each is left out."""
    from mcp import ClientSession, StdioServerParameters, stdio_client  # noqa: PLC0415 - an optional package

    command = ["-m", "codecortex", "-C", str(side.work), "mcp"]
    server = StdioServerParameters(command=sys.executable, args=command, env=side.environment)
    found: list[tuple[str, list[float], int | None]] = []
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        for tool in ("resolve", "outline"):
            seconds = [await timed(session, tool, side.busiest[0]) for _ in range(_CALLS + 1)]
            found.append((tool, [each for each, _ in seconds[1:]], None))
        change_signature(side, 0)
        seconds, stale, changed = [], 0, 0.0
        (source_id, *_), member = (await timed(session, "resolve", side.source.stem))[1].split(), ""
        for _ in range(_CALLS):
            if time.monotonic() - changed > 1:
                member, changed = f"a{time.monotonic_ns()}", time.monotonic()
                side.edit(r"Benchmark\(int \w+\)", f"Benchmark(int {member})")
            spent, text = await timed(session, "outline", source_id)
            seconds.append(spent)
            stale += member not in text
            await asyncio.sleep(0.03)
        found.append(("outline, a file changing", seconds, stale))
    return found


async def timed(session: object, tool: str, symbol: str) -> tuple[float, str]:
    """Seconds of a call, and its text."""
    started = time.perf_counter()
    answer = await session.call_tool(tool, {"symbol": symbol})  # type: ignore[attr-defined]
    if answer.is_error:
        sys.exit(f"{tool} {symbol}: {answer.content}")
    return time.perf_counter() - started, answer.content[0].text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", type=Path, help="another checkout of codecortex, measured in turn")
    parser.add_argument(
        "--rows", nargs="*", default=[], help="only rows whose name holds one of these; mcp: the server"
    )
    parser.add_argument("--folder", type=Path, help="where the copies are made (default: where temporary files are)")
    main(parser.parse_args())
