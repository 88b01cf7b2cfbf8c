"""Long sessions, and several processes in one: every version can be gone back to, none is lost."""

import subprocess
import sys

import pytest

from codecortex.editing.values import Mode, State, Status
from codecortex.operations.editing import verbs
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.editing.status import edit_status
from codecortex.operations.request import Request
from codecortex.operations.sessions.manage import collect, log_session

LONG = 230
APPEND = """
import sys
from pathlib import Path
from codecortex.operations.editing import verbs
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.request import Request
from codecortex.operations.sessions import remembered
remembered._PATIENCE = 600.0  # however slow the machine is
for number in range(8):
    edit = EditRequest(Request(Path(sys.argv[1])), sys.argv[2])
    print(verbs.append(edit, f"{sys.argv[3]}{number}\\n").response.status)
"""


def ask(root, file="notes.txt"):
    return EditRequest(Request(root, lasting=True), file)


@pytest.mark.slow
def test_a_long_way_back_and_forward_again(repo):
    verbs.open_file(ask(repo), Mode.MANUAL)
    texts = ["notes\n"]
    for number in range(LONG):
        verbs.append(ask(repo), f"{number}\n")
        texts.append(f"{texts[-1]}{number}\n")
    assert edit_status(Request(repo), "default").buffers[0].undo == LONG
    size = (repo / ".codecortex/local/sessions/default.json").stat().st_size
    assert size < 10_000
    collect(repo)
    for text in reversed(texts[:-1]):
        assert verbs.undo(ask(repo)).response.metrics.new_length == len(text)
    assert verbs.open_file(ask(repo)).text == "notes\n"
    told = verbs.undo(ask(repo))
    assert (told.response.status, told.response.state) == (Status.NO_OP, State.IDLE)
    for text in texts[1:]:
        assert verbs.redo(ask(repo)).response.metrics.new_length == len(text)
    assert verbs.open_file(ask(repo)).text == texts[-1]
    assert verbs.redo(ask(repo)).response.status is Status.NO_OP


@pytest.mark.slow
def test_two_processes_in_one_session_lose_nothing(repo):
    verbs.open_file(ask(repo))
    running = [
        subprocess.Popen([sys.executable, "-c", APPEND, repo, file, mark], stdout=subprocess.PIPE)
        for file, mark in (("notes.txt", "a"), ("notes.txt", "b"), ("a.cs", "c"))
    ]
    assert {line for each in running for line in each.communicate()[0].decode().split()} == {"Success"}
    lines = (repo / "notes.txt").read_text().splitlines()
    assert sorted(lines[1:]) == sorted(f"{mark}{number}" for mark in "ab" for number in range(8))
    assert (repo / "a.cs").read_text().count("c") == 8 + 1
    assert log_session(repo, "default").total == 1 + 3 * 8
    assert verbs.open_file(ask(repo)).text == (repo / "notes.txt").read_text()
