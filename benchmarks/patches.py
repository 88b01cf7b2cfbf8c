"""Real commits given to `edit apply` as patches: whether the trees that result equal git's, and what that costs.

    python benchmarks/patches.py REPOSITORY [COMMITS [REVISION]]

The repository is cloned, and the clone thrown away. From the oldest of the latest COMMITS (200 unless told) up to
REVISION (HEAD) on, along first parents, each `git diff A B` is applied to A; what results is stored by `git add` and
compared with B's tree. The work tree goes on from there. Patches with a part that is no text (binary, link, submodule)
are counted apart: git takes them only from `git diff --binary`. Each patch is given with one changed line, too: nothing
may change then.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

from codecortex.editing.values import Status
from codecortex.model.errors import CodecortexError
from codecortex.operations.editing.apply import apply
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.request import Request

COMMITS = 200
NO_TEXT = ("binary", "link", "submodule", "NUL", "no text")


def git(root: Path, *arguments: str) -> bytes:
    """What git prints."""
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True).stdout


def main(repository: Path, commits: int, last: str) -> None:
    """Apply, compare and print."""
    with tempfile.TemporaryDirectory(prefix="patches-") as scratch:
        root = Path(scratch, "clone")
        subprocess.run(["git", "clone", "-q", "--no-checkout", "--no-hardlinks", repository, root], check=True)
        names = git(root, "rev-list", "--first-parent", f"--max-count={commits + 1}", last).decode().split()[::-1]
        git(root, "checkout", "-q", "--detach", names[0])
        edit = EditRequest(Request(root, lasting=True), "", "default")
        told: Counter[str] = Counter()
        files, spent = 0, 0.0
        for before, after in pairwise(names):
            patch = git(root, "diff", "-M", before, after)
            if not patch:
                told["empty"] += 1
            else:
                refuse_damaged(root, edit, patch, told)
                began = time.process_time()
                kind, changed = apply_one(edit, patch)
                spent += time.process_time() - began
                files += changed
                git(root, "add", "--all")
                is_equal = git(root, "write-tree").strip() == git(root, "rev-parse", f"{after}^{{tree}}").strip()
                if kind == "applied" and not is_equal:
                    kind = "DIFFERENT"
                    print(before, after)
                told[kind] += 1
            git(root, "checkout", "-q", "--force", "--detach", after)
            git(root, "clean", "-fdq")
        print(f"{repository.name}: {dict(told)}; {files:,} files in {spent:.1f} s of CPU")


def apply_one(edit: EditRequest, patch: bytes) -> tuple[str, int]:
    """What becomes of a patch, and how many files follow it."""
    try:
        done = apply(edit, patch)
    except CodecortexError as problem:
        print(f"  {problem}")
        return "ERROR", 0
    if done.status in (Status.SUCCESS, Status.NO_OP):
        return "applied", len(done.files)
    if all(any(word in each.reason for word in NO_TEXT) for each in done.failures):
        return "no text", 0
    print("\n".join(f"  {each.file}: {each.reason}" for each in done.failures[:3]) or f"  {done.summary}")
    return "REFUSED", 0


def refuse_damaged(root: Path, edit: EditRequest, patch: bytes, told: Counter[str]) -> None:
    """Apply the patch with one line changed that has to stand there; whatever differs then is told."""
    lines = patch.split(b"\n")
    hunks = [at for at, line in enumerate(lines) if line.startswith(b"@@ -")]
    place = next((at + 1 for at in hunks if lines[at + 1].startswith((b" ", b"-"))), None)
    if place is None:
        return
    lines[place] += b" never said"
    if apply(edit, b"\n".join(lines)).status is Status.SUCCESS or git(root, "status", "--porcelain"):
        told["DAMAGED APPLIED"] += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), int((sys.argv[2:3] or [COMMITS])[0]), (sys.argv[3:4] or ["HEAD"])[0])
