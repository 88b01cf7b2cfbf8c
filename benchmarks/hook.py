"""What the hooks cost a commit, a checkout and a merge, against an empty hook in the same run.

python benchmarks/hook.py ~/src/efcore
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import Cost, best, codecortex, commit_all, copy_sources, run

ROUNDS = 7
SETTLE_SECONDS = 3.0
SCRIPTS = Path(__file__).parents[1] / "hooks"


def main(repository: Path) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        work.mkdir()
        sources = copy_sources(repository, work)
        (work / "notes.txt").write_text("notes\n")
        print(f"{repository.name}: {len(sources):,} C# files\n")
        codecortex(work, "init")
        codecortex(work, "refresh")
        commit_all(work)
        subprocess.run(["git", "-C", work, "update-ref", "ORIG_HEAD", "HEAD"], check=True)
        scripts = write_scripts(Path(folder) / "hooks")
        measure_commits(work, scripts, sources)
        measure_moves(work, scripts)


def write_scripts(folder: Path) -> Path:
    """The hooks with this interpreter in them, as an installation has it, and one that does nothing."""
    folder.mkdir()
    for script in SCRIPTS.iterdir():
        if script.suffix != ".md":
            command = f'set -- "{sys.executable}" -m codecortex hook'
            (folder / script.name).write_text(script.read_text().replace("set -- codecortex hook", command))
    (folder / "empty").write_text("#!/bin/sh\nexit 0\n")
    return folder


def measure_commits(work: Path, scripts: Path, sources: list[Path]) -> None:
    """Pre-commit with nothing relevant staged, and with one file, each commit made before the next."""
    empty = best(*(run_hook(work, scripts, "empty") for _ in range(ROUNDS)))
    (work / "notes.txt").write_text("other notes\n")
    git(work, "add", "notes.txt")
    nothing = best(*(run_hook(work, scripts, "pre-commit") for _ in range(ROUNDS)))
    after = best(*(run_hook(work, scripts, "post-commit") for _ in range(ROUNDS)))
    file = next(each for each in sources[len(sources) // 2 :] if is_plain(each))
    costs = [commit_edit(work, scripts, file, number) for number in range(ROUNDS)]
    row("empty hook", empty)
    row("pre-commit, nothing relevant staged", nothing)
    row("post-commit, nothing to replay", after)
    row("pre-commit, one staged file", best(*costs))
    goal("milliseconds, nothing relevant staged", nothing.wall * 1000, 10)
    goal("seconds more than an empty hook, one staged file", best(*costs[1:]).wall - empty.wall, 0.5)


def is_plain(file: Path) -> bool:
    """Whether the last brace of a file closes its one class."""
    text = file.read_text("utf-8", "replace")
    return "\npublic class " in text and text.count("class ") == 1 and "#if" not in text and text.rstrip()[-1] == "}"


def commit_edit(work: Path, scripts: Path, file: Path, number: int) -> Cost:
    """Add a public member, stage it, run the hook, and commit what there is then."""
    text = file.read_text("utf-8", "replace")
    place = text.rindex("}")
    file.write_text(f"{text[:place]}    public int Benchmark{number} => {number};\n{text[place:]}", "utf-8")
    git(work, "add", str(file))
    cost = run_hook(work, scripts, "pre-commit")
    staged = git(work, "diff", "--cached", "--name-only").split()
    if not any(path.startswith(".codecortex/types/") for path in staged):
        sys.exit(f"the hook staged no outline: {staged}")
    git(work, "commit", "-q", "--no-verify", "-m", f"edit {number}")
    return cost


def measure_moves(work: Path, scripts: Path) -> None:
    """What the hooks after a merge and a checkout cost before they let go; the rest is done beside."""
    idle = best(*(run_hook(work, scripts, "post-checkout", "HEAD", "HEAD", "1") for _ in range(ROUNDS)))
    moved = best(*(run_and_settle(work, scripts, "post-checkout", "HEAD~1", "HEAD", "1") for _ in range(ROUNDS)))
    merged = best(*(run_and_settle(work, scripts, "post-merge", "0") for _ in range(ROUNDS)))
    row("post-checkout, nothing moved", idle)
    row("post-checkout, sources moved", moved)
    row("post-merge, sources moved", merged)
    goal("milliseconds before post-checkout lets go", moved.wall * 1000, 50)
    goal("milliseconds before post-merge lets go", merged.wall * 1000, 50)


def run_hook(work: Path, scripts: Path, name: str, *arguments: str) -> Cost:
    """Run one script where git runs it."""
    return run("env", "-C", work, "sh", scripts / name, *arguments)


def run_and_settle(work: Path, scripts: Path, name: str, *arguments: str) -> Cost:
    """The same, and some time for what it started to end, so that the next round does not meet it."""
    cost = run_hook(work, scripts, name, *arguments)
    time.sleep(SETTLE_SECONDS)
    return cost


def git(work: Path, *arguments: str) -> str:
    """Run git there."""
    command = ["git", "-C", work, "-c", "user.name=bench", "-c", "user.email=bench@localhost", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def row(what: str, cost: Cost) -> None:
    """One measured command."""
    print(f"{what:<50}{cost.wall:8.3f} s wall {cost.cpu:8.3f} s CPU {cost.peak:7.0f} MB")


def goal(what: str, value: float, most: float) -> None:
    """One figure beside its goal."""
    print(f"{what:<50}{value:8.3f}   goal {most:g}{'' if value <= most else '   MISSED'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).expanduser().resolve())
