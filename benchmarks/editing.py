"""What an edit costs in long files and in long sessions, in turn with git's own `hash-object` and `status`.

python benchmarks/editing.py
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from common import commit_all

from codecortex.editing.values import Mode
from codecortex.operations.editing import verbs
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.request import Request

ROUNDS = 7
LINES = 200_000
BYTES = 5 << 20
VERSIONS = 1_000
COMMAND = (sys.executable, "-m", "codecortex")


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="editing-") as folder:
        root = Path(folder)
        line = "    public int Value{0} => Compute({0}, other: {0}); // a line as long as most\n"
        count = BYTES // len(line.format(10_000))
        (root / "bytes.cs").write_text("".join(map(line.format, range(count))), "utf-8")
        (root / "lines.cs").write_text("".join(f"int a{number};\n" for number in range(LINES)), "utf-8")
        (root / "short.cs").write_text("class Short\n{\n}\n", "utf-8")
        commit_all(root)
        print("| a process each, median ms of CPU of", ROUNDS, "| `bytes.cs` (5 MB) | `lines.cs` (200,000 lines) |")
        print("|---|---|---|")
        measure_long(root, count)
        measure_session(root)


def measure_long(root: Path, count: int) -> None:
    """Replace in long files, beside what git takes for the same bytes."""
    files = {"bytes.cs": f"Value{count // 2} ", "lines.cs": f"a{LINES // 2};"}
    for file in files:
        run(root, *COMMAND, "edit", "open", file, "--mode", "immediate", "--json")
    taken: dict[str, dict[str, list[float]]] = {}
    for number in range(ROUNDS):
        for file, old in files.items():
            words = (old, f"{old[:-1]}x{old[-1]}") if number % 2 == 0 else (f"{old[:-1]}x{old[-1]}", old)
            rows = {
                "`--version`": (*COMMAND, "--version"),
                "`edit replace`": (*COMMAND, "edit", "replace", file, "--old", words[0], "--new", words[1]),
                "`edit undo`, `edit redo`": (*COMMAND, "edit", "undo", file),
                "": (*COMMAND, "edit", "redo", file),
                "`git hash-object -w`": ("git", "hash-object", "-w", file),
                "`git status`": ("git", "status", "--short"),
            }
            for name, command in rows.items():
                taken.setdefault(name or "`edit undo`, `edit redo`", {}).setdefault(file, []).append(
                    run(root, *command)
                )
    for name, times in taken.items():
        print(f"| {name} | {' | '.join(f'{median(each) * 1000:.0f}' for each in times.values())} |")


def measure_session(root: Path) -> None:
    """Verbs after few and after many versions of a session, in one process."""
    edit = EditRequest(Request(root, lasting=True), "short.cs", "long")
    verbs.open_file(edit, Mode.MANUAL)
    print(f"\n| one process and its children, median ms of CPU of {ROUNDS} | 10 versions | {VERSIONS:,} versions |")
    print("|---|---|---|")
    early = _measure_verbs(edit, 10)
    late = _measure_verbs(edit, VERSIONS)
    for name, times in early.items():
        print(f"| {name} | {median(times) * 1000:.1f} | {median(late[name]) * 1000:.1f} |")


def _measure_verbs(edit: EditRequest, versions: int) -> dict[str, list[float]]:
    for number in range(versions):
        verbs.append(edit, f"// line {number}\n")
    taken: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name, act in (("open", verbs.open_file), ("append", lambda each: verbs.append(each, "// more\n")),
                          ("undo", verbs.undo), ("redo", verbs.redo), ("diff", verbs.compare)):  # fmt: skip
            before = spend(resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
            act(edit)
            taken.setdefault(name, []).append(spend(resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) - before)
    return taken


def run(root: Path, *command: str) -> float:
    """Seconds of CPU that a command and its children take: other work on the machine disturbs these least."""
    before = spend(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit((done.stdout[-2000:] + done.stderr).decode())
    return spend(resource.RUSAGE_CHILDREN) - before


def spend(*whose: int) -> float:
    """Seconds of CPU that processes have taken so far."""
    return sum(each.ru_utime + each.ru_stime for each in map(resource.getrusage, whose))


if __name__ == "__main__":
    main()
