"""Random edits of a repository: bindings that are kept beside those made anew, after every step.

python benchmarks/kept_bindings.py ~/src/Polly [STEPS] [SEED]

Prints for each step what was edited, how many files were bound for it, and processor seconds; ends at a difference.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from codecortex.operations.bindings.kept import KeptBindings
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request

_MEMBER = re.compile(r"^(\s+)((?:public|internal|private|protected)[\w<>\[\]?, ]* (\w+)\([^()\n]*\))\s*$", re.MULTILINE)
_USING = re.compile(r"^using [\w.]+;\n", re.MULTILINE)
_STATEMENT = re.compile(r"^(\s+)(return |var )", re.MULTILINE)
_NAMESPACE = re.compile(r"^namespace [\w.]+;$", re.MULTILINE)


def edit_body(chance: random.Random, text: str) -> str:
    """Another statement in a body."""
    return replace_one(chance, _STATEMENT, text, lambda match: f"{match[1]}System.GC.KeepAlive(null);{match[0]}")


def edit_signature(chance: random.Random, text: str) -> str:
    """Another parameter."""
    return replace_one(chance, _MEMBER, text, lambda match: match[0].rstrip()[:-1].rstrip("(") + "(object added)")


def add_member(chance: random.Random, text: str) -> str:
    """An overload of a member."""
    return replace_one(
        chance, _MEMBER, text, lambda match: f"{match[1]}public int {match[3]}(int one, long two) => 1;\n{match[0]}"
    )


def add_type(chance: random.Random, text: str) -> str:
    """A type of a name that is in use."""
    names = re.findall(r"\b[A-Z]\w{4,}\b", text) or ["Added"]
    return replace_one(
        chance, _NAMESPACE, text, lambda match: f"{match[0]}\npublic class {chance.choice(names)} {{ int Length; }}\n"
    )


def drop_using(chance: random.Random, text: str) -> str:
    """A using directive less."""
    return replace_one(chance, _USING, text, lambda _: "")


def replace_one(chance: random.Random, pattern: re.Pattern[str], text: str, make: object) -> str:
    """The text with one match replaced."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = chance.choice(found)
    return text[: match.start()] + make(match) + text[match.end() :]


EDITS = (edit_body, edit_body, edit_signature, add_member, add_type, drop_using)


def bind_all(root: Path, *, caches: bool) -> tuple[object, dict[str, int], float]:
    """Everything that is bound, how many files were bound for it, and the seconds."""
    began = time.process_time()
    with Workspace(Request(root, caches=caches, jobs=1)) as workspace, bind_deep():
        kept = KeptBindings(workspace, workspace.tree.sources.sources)
        keys = [(path, project) for path, projects in sorted(kept.plan.files.items()) for project in projects]
        found = list(kept.bind(keys))
    return found, dict(kept.engine.built), time.process_time() - began


def main(repository: Path, steps: int, seed: int) -> None:
    """Edit and compare."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "work"
        subprocess.run(["git", "clone", "--quiet", repository, root], check=True)
        sources = sorted(root.rglob("*.cs"))
        bind_all(root, caches=True)
        for step in range(steps):
            file = chance.choice([each for each in sources if each.exists()])
            if chance.random() < 0.1:  # noqa: PLR2004 - one step of ten
                file.unlink()
                told = "delete"
            else:
                change = chance.choice(EDITS)
                file.write_text(change(chance, file.read_text("utf-8-sig")), "utf-8")
                told = change.__name__
            kept, built, warm = bind_all(root, caches=True)
            fresh, _, cold = bind_all(root, caches=False)
            count = built.get("bindings", 0)
            print(f"{step:4} {told:15} {count:4} bound, {warm:.1f} s instead of {cold:.1f}  {file.name}", flush=True)
            if kept != fresh:
                first = next(one[0] for one, other in zip(kept, fresh, strict=True) if one != other)
                sys.exit(f"step {step}: {first} differs")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *(int(each) for each in (*sys.argv[2:4], *("30", "1")[len(sys.argv) - 2 :])))
