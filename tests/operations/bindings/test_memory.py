"""What binding names leaves in a process that lasts is collected, and nothing while they are bound."""

import gc
import subprocess

import pytest

from codecortex.operations.bindings.bindings import bindings
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request


@pytest.fixture
def root(tmp_path):
    (tmp_path / "C.cs").write_text("class C { int P { get; set; } int M(C c) => c.P + M(this); }")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "add", "."], check=True)
    return tmp_path


def test_questions_that_declare_nothing_leave_the_collector_its_work(root):
    def ask():
        with Workspace(Request(root, jobs=1)) as workspace:
            assert list(bindings(workspace, ("C.cs",)).rows)

    ask()  # declares, and keeps the answer
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(150):
        ask()

    assert len(gc.get_objects()) - before < 15_000  # what the last few left


def test_nothing_is_collected_within_and_the_collector_is_as_it_was_afterwards():
    assert gc.isenabled()
    with bind_deep(), bind_deep():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), bind_deep():
        raise ZeroDivisionError
    assert gc.isenabled()
