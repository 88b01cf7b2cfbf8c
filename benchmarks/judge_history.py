"""What `changes` says of the commits of a history case, as labels for the judge of the case.

python benchmarks/judge_history.py ~/src/Polly cases/history/Polly.json labels.json
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ATTRIBUTES = ["attributesChanged"]


def main(repository: Path, case: Path, labels: Path) -> None:
    """Compare every commit of the case with its first parent and write the labels."""
    data = json.loads(case.read_text("utf-8"))
    commits = {each["commit"] for each in data["cases"]}
    window = data["window"]
    first = subprocess.run(
        ["git", "-C", repository, "rev-parse", "--verify", "-q", f"{window['first']}^"],
        capture_output=True,
        check=False,
    ).stdout
    span = f"{first.decode().strip()}..{window['last']}" if first else window["last"]
    command = [sys.executable, "-m", "codecortex", "-C", repository, "changes", "--each", span, "--json"]
    said: dict[str, dict[str, str]] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        for line in process.stdout or ():
            step = json.loads(line)
            if step["commit"] in commits:
                said[step["commit"]] = label_types(step["changes"])
    if process.returncode:
        sys.exit(f"codecortex changes: exit {process.returncode}")
    labels.write_text(json.dumps(said, indent=1), "utf-8")
    print(f"{len(said):,} of {len(commits):,} commits judged")


def label_types(changes: list[dict[str, Any]]) -> dict[str, str]:
    """The label of each type that changed: `structure` where what another assembly sees of it differs."""
    out: dict[str, str] = {}
    for change in changes:
        own = change["changeClass"] == "Structure" and (
            change["status"] != "changed" or change["reasons"] != ATTRIBUTES
        )
        for name in (change["fqn"], change["oldFqn"]):
            if name and out.get(name) != "structure":
                out[name] = "structure" if own else change["changeClass"]
    return out


if __name__ == "__main__":
    main(*(Path(name).expanduser().resolve() for name in sys.argv[1:4]))
