"""What a terminal shows of a long run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import codecortex

if TYPE_CHECKING:
    from collections.abc import Callable

TWO_BARS = """
from codecortex.cli.progress import ProgressBar

bar = ProgressBar(started=-1000.0)  # it has been going on for long
for done in (50, 100):
    bar.show("Reading C#", done, 100)
    bar.end()
"""


IMPATIENT = """
import sys
from codecortex.cli import progress
from codecortex.cli.main import main

progress._PATIENCE = 0.0
sys.exit(main(sys.argv[1:]))
"""


def run_on_terminal(code: str, *arguments: str, folder: Path | None = None) -> tuple[int, bytes]:
    """Run Python code whose stderr is a terminal; its exit code, and what the terminal was told."""
    master, terminal = os.openpty()
    environment = os.environ | {"PYTHONPATH": str(Path(codecortex.__file__).parents[1]), "TERM": "xterm"}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, env=environment, stdout=subprocess.DEVNULL,
        stderr=terminal, check=False, timeout=60,
    )  # fmt: skip
    os.close(terminal)
    shown = b""
    with suppress(OSError):  # how Linux says that this was all
        while data := os.read(master, 4096):
            shown += data
    os.close(master)
    return done.returncode, shown


@pytest.mark.skipif(os.name == "nt", reason="no such terminals there")
def test_a_bar_shows_how_far_the_work_is_from_the_first_and_can_come_again() -> None:
    code, shown = run_on_terminal(TWO_BARS)
    assert code == 0, shown.decode()
    assert list(dict.fromkeys(re.findall(rb"(\d+)%", shown))) == [b"50", b"100"]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no such terminals there")
@pytest.mark.parametrize("words", [("search", "order"), ("context", "order key"), ("usages", "Shop.Core.Order")])
def test_the_first_question_of_a_cold_tree_tells_how_far_it_is_on_a_terminal_alone(shop, process, words) -> None:
    cache = shop / ".git/codecortex"
    shutil.rmtree(cache, ignore_errors=True)
    code, shown = run_on_terminal(IMPATIENT, *words, folder=shop)
    assert code == 0, shown.decode()
    assert b"Reading C#" in shown
    shutil.rmtree(cache)
    done = process(shop, *words)
    assert (done.returncode, done.stderr) == (0, b"")


def test_quiet_shows_neither_progress_nor_hints(shop: Path, process: Callable[..., subprocess.CompletedProcess[bytes]]):
    code, shown = run_on_terminal(IMPATIENT, "-C", str(shop), "-q", "refresh", "--full")
    assert (code, shown) == (0, b"")
    said = process(shop, "resolve", "Stor").stderr
    quiet = process(shop, "--quiet", "resolve", "Stor").stderr
    assert b"hint: " in said
    assert quiet == said.partition(b"hint: ")[0]


def test_verbose_says_what_was_counted_and_how_long_it_took(
    shop: Path, process: Callable[..., subprocess.CompletedProcess[bytes]]
):
    done = process(shop, "--verbose", "index", "--json")
    assert json.loads(done.stdout)
    said = rb"index: [0-9,]+ ms, 0 cached, 4 parsed(, [0-9,]+ [a-z ]+)+\n"
    assert re.fullmatch(said, done.stderr), done.stderr
    assert process(shop, "index").stderr == b""


def test_quiet_and_verbose_exclude_each_other(shop: Path, process: Callable[..., subprocess.CompletedProcess[bytes]]):
    assert process(shop, "-q", "-v", "index").returncode == 2
