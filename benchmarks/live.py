"""What a live context saves: tokens of ten edits, each look, change, look again, with whole files and with `live`.

    python benchmarks/live.py REPOSITORY [BUDGET]

Five sources are taken, at the 20th, 40th, 60th, 80th and 95th hundredth by size, and each is edited twice: a line of
code in its middle, then one near its end, gets a remark. Without `live`, the file is read whole, written whole, and
read whole again. With it, the model gets a live context with the cursor at the line, calls `edit replace` with the old
and the new lines, as few as stand there once, and gets its answer and another live context. All of that is the command
itself, once a step. `in` are tokens that the model is given, `out` those that it writes, by estimate. Then what a
conversation holds: with whole files all that was read and written, with `live` the calls, their answers and the latest
live context, as none stays in the history. The repository is cloned, and the clone thrown away.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from codecortex.context.tokens import estimate_tokens
from codecortex.model.budgets import LIVE_BUDGET

SHARES = (0.2, 0.4, 0.6, 0.8, 0.95)
PLACES = (0.5, 0.9)
SESSION = "bench"


class Tally(NamedTuple):
    """Tokens of one edit, with whole files and with live contexts: read, written, and what of that stays."""

    whole_in: int
    whole_out: int
    live_in: int
    live_out: int
    live_last: int
    answered: int


def choose_files(folder: Path) -> list[str]:
    """Sources at some places of the list by size."""
    listed = subprocess.run(["git", "-C", folder, "ls-files", "*.cs"], check=True, capture_output=True, text=True)
    files = sorted(listed.stdout.splitlines(), key=lambda path: ((folder / path).stat().st_size, path))
    return [files[int(len(files) * share)] for share in SHARES]


def find_line(lines: list[str], share: float) -> int:
    """The first line of code from some part of a file on, from 0."""
    start = int(len(lines) * share)
    return next((at for at in (*range(start, len(lines)), *range(start)) if lines[at].rstrip().endswith(";")), start)


def run(folder: Path, *words: str) -> str:
    """What the command prints."""
    command = [sys.executable, "-m", "codecortex", "-C", str(folder), *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout


def look(folder: Path, path: str, line: int, budget: int) -> int:
    """The tokens of a live context with the cursor in a line."""
    run(folder, "live", "state", "--session", SESSION, "--active", path, "--cursor", f"{line + 1}:1")
    return estimate_tokens(run(folder, "live", "--session", SESSION, "--budget", str(budget)))


def choose_lines(lines: list[str], at: int) -> tuple[int, int]:
    """The fewest lines around one that stand in the file once."""
    text = "\n".join(lines)
    return next(
        (start, start + size)
        for size in range(1, len(lines) + 1)
        for start in range(max(0, at - size + 1), min(at, len(lines) - size) + 1)
        if text.count("\n".join(lines[start : start + size])) == 1
    )


def edit(folder: Path, path: str, share: float, budget: int) -> Tally:
    """Edit one line of a file in the session, and count."""
    before = (folder / path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    lines = before.split("\n")
    at = find_line(lines, share)
    start, end = choose_lines(lines, at)
    old = "\n".join(lines[start:end])
    lines[at] = f"{lines[at].rstrip()} // checked"
    new, after = "\n".join(lines[start:end]), "\n".join(lines)
    seen = look(folder, path, at, budget)
    words = ("--session", SESSION, "--old", old, "--new", new, "--plan", f"Remark on line {at + 1}")
    answer = estimate_tokens(run(folder, "edit", "replace", path, *words))
    if (folder / path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n") != after:
        raise SystemExit(f"{path}: the edit is not in the file")
    again = look(folder, path, at, budget)
    whole, written, sent = estimate_tokens(before), estimate_tokens(after), estimate_tokens(" ".join(words))
    return Tally(whole + written, written, seen + answer + again, sent, again, answer)


def main(repository: Path, budget: int) -> None:
    """Print a row for each edit, and sums."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "clone")
        subprocess.run(["git", "clone", "-q", repository, folder], check=True)
        run(folder, "session", "open", SESSION)
        print(f"{'':<60}{'whole files':>16}{'live':>16}\n{'file':<54}{'lines':>6}" + f"{'in':>8}{'out':>8}" * 2)
        tallies = []
        for path in choose_files(folder):
            for share in PLACES:
                tallies.append(edit(folder, path, share, budget))
                total = (folder / path).read_bytes().count(b"\n")
                print(f"{Path(path).name[:53]:<54}{total:>6,}" + "".join(f"{each:>8,}" for each in tallies[-1][:4]))
        sums = [sum(column) for column in zip(*tallies, strict=True)]
        print(f"{'all ten':<60}" + "".join(f"{each:>8,}" for each in sums[:4]))
        held = sums[0] + sums[1], tallies[-1].live_last + sums[3] + sums[5]
        print(f"after the tenth edit a conversation holds {held[0]:,} with whole files, {held[1]:,} with live")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), int((sys.argv[2:3] or [LIVE_BUDGET])[0]))
