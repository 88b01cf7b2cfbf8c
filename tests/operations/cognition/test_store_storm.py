"""Two work trees, a session and a process that lasts at once on one store, while writers are killed.

`CODECORTEX_STORM=SECONDS` makes it last; otherwise it is over in a moment. A writer is killed each second or so.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
import traceback
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest

from codecortex.cli.main import main
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.cognition.upkeep import verify
from codecortex.operations.request import Request
from codecortex.operations.sessions.versions import find_commit
from tests.operations.cognition.test_store_law import CONFIG, PROJECT, ask_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECONDS = float(os.environ.get("CODECORTEX_STORM", "3"))
TYPES = 6
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")


def write_type(number: int, chance: Random) -> str:
    other, kind = chance.randrange(TYPES + 1), chance.choice(("long", "int"))
    return (
        f"namespace N;\n/// <summary>Says. Only {number}.</summary>\npublic class T{number}\n{{\n"
        f"    public T{other} Of({kind} x) => throw new System.Exception();\n"
        f"    public int P => {chance.random()};\n}}\n"
    )


def edit(root: Path, chance: Random) -> None:
    number = chance.randrange(TYPES)
    (root / f"T{number}.cs").write_text(write_type(number, chance), "utf-8")


def refuse(text: str) -> None:
    raise AssertionError(text)


def live(root: Path, seed: int, end: float, *, lasting: bool = False, rev: str | None = None) -> None:
    """Edit and ask until the end: each answer is that of a process without a store, and nothing is warned of."""
    chance, kept = Random(seed), None  # noqa: S311 - to be repeated
    request = Request(root, jobs=1, rev=rev, lasting=lasting, warn=refuse)
    while time.monotonic() < end:
        if rev is None:
            edit(root, chance)
        if kept is None or not lasting:
            kept = Workspace(request)
        else:
            kept.look_again()
        found = ask_all(kept)
        with Workspace(Request(root, jobs=1, rev=rev, caches=False)) as nowhere:
            assert found == ask_all(nowhere)
        if not lasting:
            kept.close()


def write_on(root: Path, seed: int) -> None:
    """Make nodes and keep them, for ever."""
    chance = Random(seed)  # noqa: S311 - to be repeated
    while True:
        edit(root, chance)
        with Workspace(Request(root, jobs=1, warn=refuse)) as workspace:
            ask_all(workspace)


def start(work: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException:  # noqa: BLE001 - the parent looks at the exit code
        traceback.print_exc()
    finally:
        os._exit(code)


@pytest.mark.slow
def test_at_once_and_killed_the_store_stays_right(tmp_path: Path) -> None:
    root, second, third = tmp_path / "one", tmp_path / "two", tmp_path / "three"
    chance = Random(1)  # noqa: S311 - to be repeated
    root.mkdir()
    git = ("git", "-C", str(root), "-c", "user.name=law", "-c", "user.email=law@example.org")
    subprocess.run([*git, "init", "--quiet"], check=True)
    (root / ".codecortex").mkdir()
    (root / ".codecortex/config.yaml").write_text(CONFIG)
    (root / "L.csproj").write_text(PROJECT.format(""))
    for number in range(TYPES):
        (root / f"T{number}.cs").write_text(write_type(number, chance))
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "x"], check=True)
    for other in (second, third):
        subprocess.run([*git, "worktree", "add", "--quiet", "--detach", other], check=True)
    assert main(["-C", str(root), "session", "open", "law"]) == 0
    commit, end = find_commit(root, "law"), time.monotonic() + SECONDS
    living = [
        start(lambda: live(root, 1, end)),
        start(lambda: live(second, 2, end, lasting=True)),
        start(lambda: live(root, 3, end, rev=commit)),
    ]
    killed = 0
    while time.monotonic() < end or not killed:
        writer = start(partial(write_on, third, killed))
        time.sleep(chance.uniform(0.2, 1.4))
        os.kill(writer, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(writer, 0)[1])
        killed += 1
    assert [os.waitpid(each, 0)[1] for each in living] == [0, 0, 0]
    for place in (root, second, third):
        with Workspace(Request(place, jobs=1, warn=refuse)) as workspace:
            ask_all(workspace)
            told = verify(workspace).values
            assert (told["different"], told["damaged"]) == ([], [])
