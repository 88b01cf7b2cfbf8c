"""What many versions cost: commands on a session of 10 versions and of 1,000, beside git's own on the same refs.

    python benchmarks/sessions.py REPOSITORY [FILE] [VERSIONS]

The repository is cloned, and the clone thrown away. Each version changes one line of FILE, by default the largest
source. Figures are the median CPU seconds of runs in turn, children included; then loose objects and kilobytes before
and after `session gc`, and a `session log` and a `live` after it.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from common import Cost, codecortex, run

from codecortex.git.objects.opening import open_objects
from codecortex.git.repository import open_repository
from codecortex.operations.sessions.manage import open_session
from codecortex.operations.sessions.versions import PREFIX, add_version, find_session

FEW, MANY, RUNS = 10, 1000, 7
REGULAR = 0o100644


def add_versions(folder: Path, name: str, path: str, number: int) -> None:
    """Add versions to a session, each with another line changed."""
    repository = open_repository(folder, lasting=True)
    objects = open_objects(repository)
    lines = (folder / path).read_bytes().split(b"\n")
    session = find_session(repository, name)
    for at in range(number):
        lines[at * 7 % len(lines)] += b" // %d" % at
        changes = {path.encode(): (REGULAR, objects.write_blob(b"\n".join(lines)))}
        facts = {"op": "replace", "file": path, "status": "Success"}
        session = add_version(repository, session, changes, f"Edit {at}", facts)


def find_largest(folder: Path) -> str:
    """The largest C# source."""
    listed = subprocess.run(["git", "-C", folder, "ls-files", "*.cs"], check=True, capture_output=True, text=True)
    return max(listed.stdout.splitlines(), key=lambda path: (folder / path).stat().st_size)


def measure(commands: dict[str, tuple[str | Path, ...]]) -> dict[str, float]:
    """The median CPU seconds of each command, all of them in turn."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, words in commands.items():
            costs[name].append(run(*words) if words[0] == "git" else codecortex(Path(words[0]), *map(str, words[1:])))
    return {name: statistics.median(each.cpu for each in found) for name, found in costs.items()}


def list_commands(folder: Path, path: str, versions: int) -> dict[str, tuple[str | Path, ...]]:
    """The commands about the session of so many versions, each above git's own that does the like."""
    ref = f"{PREFIX}s{versions}"
    return {
        "session log --limit 10": (folder, "session", "log", f"s{versions}", "--limit", "10"),
        "  git log -10": ("git", "-C", folder, "log", "-10", ref, "^HEAD"),
        "session show": (folder, "session", "show", f"s{versions}"),
        "  git diff --stat": ("git", "-C", folder, "diff", "--stat", "HEAD", ref),
        "live": (folder, "live", "--session", f"s{versions}", "--file", path),
        "  git log -p -5 FILE": ("git", "-C", folder, "log", "-p", "-5", ref, "^HEAD", "--", path),
    }


def count_loose(folder: Path) -> str:
    """Loose objects, and the kilobytes of loose and packed ones."""
    output = subprocess.run(["git", "-C", folder, "count-objects", "-v"], check=True, capture_output=True, text=True)
    fields = dict(line.split(": ") for line in output.stdout.splitlines())
    return f"{int(fields['count']):,} loose, {int(fields['size']):,} KiB; packed {int(fields['size-pack']):,} KiB"


def main(repository: Path, path: str, versions: int) -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "clone")
        subprocess.run(["git", "clone", "-q", "--no-hardlinks", repository, folder], check=True)
        subprocess.run(["git", "-C", folder, "repack", "-adq"], check=True)
        path = path or find_largest(folder)
        print(f"{path}: {len((folder / path).read_bytes()):,} bytes; before: {count_loose(folder)}")
        for number in (FEW, versions):
            open_session(folder, f"s{number}")
            add_versions(folder, f"s{number}", path, number)
        few, many = (list_commands(folder, path, number) for number in (FEW, versions))
        both = {f"{name}|{len(tag)}": words for tag, found in (("", few), (" ", many)) for name, words in found.items()}
        report(few, measure(both), versions)
        opened = [codecortex(folder, "session", "open", f"new{number}").cpu for number in range(RUNS)]
        stash = [run("git", "-C", folder, "stash", "create").cpu for _ in range(RUNS)]
        told = f"{statistics.median(opened):.3f} s; git stash create {statistics.median(stash):.3f} s"
        print(f"session open beside {versions:,} versions: {told}")
        print(f"before session gc: {count_loose(folder)}")
        codecortex(folder, "session", "gc")
        print(f"after session gc:  {count_loose(folder)}")
        report(few, measure(both), versions)


def report(names: dict[str, tuple[str | Path, ...]], costs: dict[str, float], versions: int) -> None:
    """Print the medians of both sessions side by side."""
    print(f"{'CPU seconds (median)':<26}{FEW:>8,}{versions:>8,}")
    for name in names:
        print(f"{name:<26}{costs[f'{name}|0']:>8.3f}{costs[f'{name}|1']:>8.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *(sys.argv[2:3] or [""]), int((sys.argv[3:4] or [MANY])[0]))
