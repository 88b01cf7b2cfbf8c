"""Ctrl-C ends a command wherever it falls."""

import subprocess
import sys

LOSES = """
import signal, sys, time
from codecortex.cli.interrupts import raise_lost_interrupts

class Left:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

raise_lost_interrupts()
try:
    Left()
    while True:
        time.sleep(3600)
except KeyboardInterrupt:
    print("heard")
"""
FAILS = """
from codecortex.cli.interrupts import raise_lost_interrupts

class Left:
    def __del__(self):
        raise ValueError("told")

raise_lost_interrupts()
Left()
"""


def run(code, source):
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=120, check=True)


def test_an_interrupt_that_falls_into_a_destructor_is_raised_soon_after(source):
    done = run(LOSES, source)
    assert (done.stdout, done.stderr) == ("heard\n", "")


def test_any_other_problem_of_a_destructor_is_told_as_before(source):
    assert "ValueError: told" in run(FAILS, source).stderr
