"""Processes that work side by side: what each takes, and how they start where systems start them afresh."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import codecortex
from codecortex.operations.workers import Sharing, hand_out, share_out

# Started like the console script: by a file that stands elsewhere, in the repository as the current folder.
START = """import sys
if __name__ == "__main__":
    import multiprocessing
    multiprocessing.get_all_start_methods = lambda: ["spawn"]  # what Windows says
    from codecortex.cli.main import main
    sys.exit(main(sys.argv[1:]))
"""
HOSTILE = ("multiprocessing", "json", "pickle", "click", "sitecustomize", "encodings/__init__", "codecortex/__init__")


def test_workers_take_no_module_from_the_repository(tmp_path, git):
    root = tmp_path / "repo"
    root.mkdir()
    for number in range(100):
        (root / f"C{number}.cs").write_text(f"namespace N;\npublic class C{number} {{ }}\n")
    marker = tmp_path / "marker"
    for name in HOSTILE:
        file = root / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"open({str(marker)!r}, 'a').write({name!r} + ' ')\nraise SystemExit(9)\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    start = tmp_path / "elsewhere" / "start.py"
    start.parent.mkdir()
    start.write_text(START)
    environment = {**os.environ, "PYTHONPATH": str(Path(codecortex.__file__).parents[1])}
    environment.pop("PYTHONSAFEPATH", None)
    done = subprocess.run(
        [sys.executable, str(start), "index", "--json", "--jobs", "2"],
        cwd=root, env=environment, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(json.loads(done.stdout)["types"]) == 100
    assert not marker.exists()


def die_at_seven(number):
    if number == 7 and os.getpid() != HERE:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def fail_at_seven(number):
    if number == 7:
        raise KeyError(number)
    return number * number


HERE = os.getpid()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="workers import this module elsewhere")
@pytest.mark.parametrize("work", [die_at_seven, fail_at_seven])
@pytest.mark.parametrize("processes", [1, 3])
def test_what_a_worker_that_dies_had_in_hand_is_told_and_nobody_waits_for_it(work, processes):
    lost = []
    done = list(hand_out(work, range(50), processes, lost))
    assert 7 in lost
    assert sorted([*done, *(number * number for number in lost)]) == [number * number for number in range(50)]
    assert len(lost) <= 2 or processes == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="as above")
def test_a_refresh_whose_workers_are_killed_reads_everything_all_the_same(tmp_path, git):
    assert count_types(tmp_path, git, KILLED) == 200


@pytest.mark.skipif(not hasattr(os, "fork"), reason="as above")
def test_a_refresh_with_workers_parses_nothing_in_its_own_process(tmp_path, git):
    assert count_types(tmp_path, git, ALONE) == 200


def count_types(folder, git, script):
    """How many of 200 types in as many files a script finds that runs `index` with two workers."""
    for number in range(200):
        (folder / f"C{number}.cs").write_text(f"namespace N;\npublic class C{number} {{ }}\n")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    environment = {**os.environ, "PYTHONPATH": str(Path(codecortex.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", script, "index", "--json", "--jobs", "2"],
        cwd=folder, env=environment, capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    return len(json.loads(done.stdout)["types"])


ALONE = """
import os, sys
from codecortex.operations.reading import facts
from codecortex.cli.main import main
home, parse = os.getpid(), facts._parse
def refuse(*arguments, **options):
    if os.getpid() == home:
        sys.exit("the parent parses")
    return parse(*arguments, **options)
facts._parse = refuse
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="as above")
def test_a_result_that_cannot_be_sent_is_told_of(capfd):
    lost = []
    assert list(hand_out(make_unsendable, range(3), 1, lost)) == []
    assert sorted(lost) == [0, 1, 2]
    assert "cannot pickle" in capfd.readouterr().err


def make_unsendable(_):
    return (each for each in ())


KILLED = """
import os, signal, sys
from codecortex.operations.reading import facts
from codecortex.cli.main import main
def killed(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)
facts._parse_chunk = killed
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="as above")
def test_ctrl_c_in_the_moment_of_a_fork_comes_after_it():
    environment = {**os.environ, "PYTHONPATH": str(Path(codecortex.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], env=environment, capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"interrupted\n")


# Another thread takes the signal, so that its handler would run in the first thread's hooks of the fork.
INTERRUPTED = """
import os, signal, sys, threading, time
from codecortex.operations.workers import hand_out
def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.2)
threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
os.register_at_fork(before=interrupt)
try:
    print(*hand_out(abs, range(50), 2, []))
except KeyboardInterrupt:
    sys.stderr.write("interrupted\\n")
    sys.stderr.flush()
    os._exit(130)
"""


def note(slice_):
    return [(each, os.getpid(), len(slice_)) for each in slice_]


@given(
    weights=st.lists(st.integers(min_value=0, max_value=50), min_size=1, max_size=40),
    processes=st.integers(min_value=1, max_value=4),
    apart=st.booleans(),
)
def test_every_item_is_worked_on_once_and_in_order(weights, processes, apart):
    done = share_out(note, list(range(len(weights))), Sharing(processes, 1, apart), weights)

    assert [each for each, _, _ in done] == list(range(len(weights)))
    assert len({process for _, process, _ in done}) <= processes
    assert processes == 1 or (os.getpid() in {process for _, process, _ in done}) is not apart


def test_a_heavy_item_is_weighed_against_many_light_ones():
    done = share_out(note, list(range(9)), Sharing(2, 1), [8, 1, 1, 1, 1, 1, 1, 1, 1])

    assert [size for _, _, size in done] == [1] + [8] * 8


def test_few_items_stay_in_this_process():
    assert {process for _, process, _ in share_out(note, list(range(9)), Sharing(2, 10))} == {os.getpid()}
