"""Two texts in, a patch out, as git writes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.git.process import Call
from codecortex.git.worktree.folders import make_scratch

if TYPE_CHECKING:
    from codecortex.git.repository import Repository

_FIXED = ("--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--text", "-U3")


def diff_texts(repository: Repository, before: str | None, after: str | None, path: str) -> str:
    """What turns one text into the other, as a unified diff; empty where they are the same, None being no file."""
    with make_scratch() as folder:
        files = [Path(folder, name) for name in ("before", "after")]
        for file, text in zip(files, (before, after), strict=True):
            file.write_bytes((text or "").encode("utf-8", "surrogatepass"))
        call = Call("compare two texts", ("diff", *_FIXED, *map(str, files)), accept=(0, 1))
        output = repository.ask_all(call)[0].decode("utf-8", "replace")
    hunks = output.partition("\n@@")[2]
    if not hunks:
        return ""
    names = (f"--- {f'a/{path}' if before is not None else '/dev/null'}",
             f"+++ {f'b/{path}' if after is not None else '/dev/null'}")  # fmt: skip
    return "\n".join([*names, f"@@{hunks}"])
