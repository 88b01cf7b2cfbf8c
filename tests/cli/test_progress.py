"""What a terminal shows of a long run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import codecortex

TWO_BARS = """
from codecortex.cli.progress import ProgressBar

bar = ProgressBar(started=-1000.0)  # it has been going on for long
for done in (50, 100):
    bar.show("Reading C#", done, 100)
    bar.end()
"""


@pytest.mark.skipif(os.name == "nt", reason="no such terminals there")
def test_a_bar_shows_how_far_the_work_is_from_the_first_and_can_come_again() -> None:
    master, terminal = os.openpty()
    environment = os.environ | {"PYTHONPATH": str(Path(codecortex.__file__).parents[1]), "TERM": "xterm"}
    done = subprocess.run([sys.executable, "-c", TWO_BARS], env=environment, stderr=terminal, check=False, timeout=60)
    os.close(terminal)
    shown = b""
    with suppress(OSError):  # how Linux says that this was all
        while data := os.read(master, 4096):
            shown += data
    os.close(master)
    assert done.returncode == 0, shown.decode()
    assert list(dict.fromkeys(re.findall(rb"(\d+)%", shown))) == [b"50", b"100"]
