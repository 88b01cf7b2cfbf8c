"""What a live context saves: tokens of ten edits, each look, change, look again, with whole files and with `live`.

    python benchmarks/live.py REPOSITORY [BUDGET]

Five sources are taken, at the 20th, 40th, 60th, 80th and 95th hundredth by size, and each is edited twice: a line of
code in its middle, then one near its end, gets a remark. Without `live`, the file is read whole, written whole, and
read whole again. With it, the model gets a live context with the cursor at the line, sends the old and the new line,
and gets another live context. `in` are tokens that the model is given, `out` those that it writes, by estimate. Then
what a conversation holds: with whole files all that was read and written, with `live` what was written and the latest
live context, as none stays in the history. The repository is cloned, and the clone thrown away.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from codecortex.context.tokens import estimate_tokens
from codecortex.git.objects.opening import open_objects
from codecortex.git.repository import open_repository
from codecortex.model.budgets import LIVE_BUDGET
from codecortex.operations.live.live import LiveQuestion, show_live
from codecortex.operations.live.state import StateChange, change_state
from codecortex.operations.request import Request
from codecortex.operations.sessions.manage import open_session
from codecortex.operations.sessions.versions import add_version, find_session

SHARES = (0.2, 0.4, 0.6, 0.8, 0.95)
PLACES = (0.5, 0.9)
SESSION = "bench"
REGULAR = 0o100644
NOW = 2_000_000_000


class Tally(NamedTuple):
    """Tokens of one edit: read and written with whole files, read and written with live contexts."""

    whole_in: int
    whole_out: int
    live_in: int
    live_out: int
    live_last: int


def choose_files(folder: Path) -> list[str]:
    """Sources at some places of the list by size."""
    listed = subprocess.run(["git", "-C", folder, "ls-files", "*.cs"], check=True, capture_output=True, text=True)
    files = sorted(listed.stdout.splitlines(), key=lambda path: ((folder / path).stat().st_size, path))
    return [files[int(len(files) * share)] for share in SHARES]


def find_line(lines: list[str], share: float) -> int:
    """The first line of code from some part of a file on, from 0."""
    start = int(len(lines) * share)
    return next((at for at in (*range(start, len(lines)), *range(start)) if lines[at].rstrip().endswith(";")), start)


def look(folder: Path, path: str, line: int, budget: int) -> int:
    """The tokens of a live context with the cursor in a line."""
    request = Request(folder)
    change_state(request, SESSION, StateChange(active=path, cursor=f"{line + 1}:1"))
    return estimate_tokens(show_live(request, LiveQuestion(SESSION, budget=budget), NOW).as_text())


def edit(folder: Path, path: str, share: float, budget: int) -> Tally:
    """Edit one line of a file in the session, and count."""
    repository = open_repository(folder)
    objects = open_objects(repository)
    session = find_session(repository, SESSION)
    blob = objects.find_blobs([(session.tip.id, path)])[session.tip.id, path]
    ((_, data),) = objects.read_blobs([blob])
    before = data.decode("utf-8-sig")
    lines = before.split("\n")
    at = find_line(lines, share)
    old, new = lines[at].rstrip("\r"), f"{lines[at].rstrip()} // checked"
    after = "\n".join([*lines[:at], new, *lines[at + 1 :]])
    seen = look(folder, path, at, budget)
    changes = {path.encode(): (REGULAR, objects.write_blob(after.encode()))}
    facts = {"op": "replace", "file": path, "status": "Success", "plan": f"Remark on line {at + 1}"}
    add_version(repository, session, changes, f"replace {path}", facts)
    again = look(folder, path, at, budget)
    whole, written = estimate_tokens(before), estimate_tokens(after)
    return Tally(whole + written, written, seen + again, estimate_tokens(f"{old}\n{new}"), again)


def main(repository: Path, budget: int) -> None:
    """Print a row for each edit, and sums."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "clone")
        subprocess.run(["git", "clone", "-q", repository, folder], check=True)
        open_session(folder, SESSION)
        print(f"{'':<60}{'whole files':>16}{'live':>16}\n{'file':<54}{'lines':>6}" + f"{'in':>8}{'out':>8}" * 2)
        tallies = []
        for path in choose_files(folder):
            for share in PLACES:
                tallies.append(edit(folder, path, share, budget))
                total = (folder / path).read_bytes().count(b"\n")
                print(f"{Path(path).name[:53]:<54}{total:>6,}" + "".join(f"{each:>8,}" for each in tallies[-1][:4]))
        sums = [sum(column) for column in zip(*tallies, strict=True)]
        print(f"{'all ten':<60}" + "".join(f"{each:>8,}" for each in sums[:4]))
        held = sums[0] + sums[1], tallies[-1].live_last + sums[3]
        print(f"after the tenth edit a conversation holds {held[0]:,} with whole files, {held[1]:,} with live")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), int((sys.argv[2:3] or [LIVE_BUDGET])[0]))
