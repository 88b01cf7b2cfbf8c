"""`codecortex ops stream`: what happens in a run, told to any process, each event once and in order."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

NOTE = "\n\n".join(f"{name}:\nSaid." for name in ("ROLE", "LIFECYCLE", "EDGE_CASES", "LIMITATIONS", "RECOMMENDATIONS"))
SLOW = """
import pathlib, sys, time
sys.stdin.read()
gate = pathlib.Path(sys.argv[1])
asked = gate / f"asked-{len(list(gate.iterdir()))}"
asked.touch()
while not (gate / "go").exists() and asked.name != "asked-0":
    time.sleep(0.02)
print(NOTE)
"""


@pytest.fixture
def start(source):
    """Start a command in a process of its own: `start(folder, "ops", "stream")`."""
    running = []

    def run(folder, *arguments):
        command = [sys.executable, "-m", "codecortex", *arguments]
        environment = {**os.environ, "PYTHONPATH": source}
        running.append(
            subprocess.Popen(
                command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        )
        return running[-1]

    yield run
    for each in running:
        each.kill()
        each.communicate()


@pytest.fixture
def slow(tmp_path, monkeypatch):
    """A model that answers its first prompt, and each further one once the file `go` is in this folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    gate, program = tmp_path / "gate", tmp_path / "slow.py"
    gate.mkdir()
    program.write_text(f"NOTE = {NOTE!r}\n{SLOW}")
    command = [sys.executable, str(program), str(gate)]
    config = tmp_path / "config/codecortex/config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text(json.dumps({"llm": {"provider": "command", "command": command, "concurrency": 1}}))
    return gate


def wait_for_second_prompt(run, gate):
    while not (gate / "asked-1").exists():
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)


def read_all(process):
    out, err = process.communicate()
    assert process.returncode == 0, err
    return list(map(json.loads, out.splitlines()))


def list_kinds(rows):
    return [row["event"] for row in rows]


def judge(rows):
    """What holds of every stream from the beginning."""
    assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
    progress = [row["progress"] for row in rows]
    assert progress == sorted(progress)
    assert all(0 <= each <= 1 for each in progress)
    assert list_kinds(rows)[0] == "started"
    assert list_kinds(rows)[-1] == "done"


def stream(cli, root, *words):
    done = cli(root, "ops", "stream", *words)
    assert done.code == 0, done.err
    return list(map(json.loads, done.out.splitlines()))


def test_two_streams_of_a_run_that_is_cancelled_tell_the_same(shop, cli, start, slow):
    run = start(shop, "semantic", "generate")
    wait_for_second_prompt(run, slow)
    first, second = start(shop, "ops", "stream"), start(shop, "ops", "stream", "latest", "--from", "3")
    opening = [json.loads(first.stdout.readline()) for _ in range(5)]
    assert list_kinds(opening) == ["started", "asked", "answered", "written", "asked"]
    assert opening[3]["path"].startswith(".codecortex/semantic/")
    assert cli(shop, "ops", "cancel", "latest").code == 0
    rest, others = read_all(first), read_all(second)
    judge([*opening, *rest])
    assert [*opening, *rest][2:] == others
    assert (rest[-1]["status"], rest[-1]["progress"] < 1) == ("cancelled", True)
    assert run.wait() == 1
    assert stream(cli, shop) == [*opening, *rest], "afterwards too"


def test_a_run_that_is_killed_is_told_dead_and_goes_on_under_the_next_number(shop, cli, start, slow):
    run = start(shop, "semantic", "generate")
    wait_for_second_prompt(run, slow)
    follower = start(shop, "ops", "stream")
    opening = [json.loads(follower.stdout.readline()) for _ in range(5)]
    run.send_signal(signal.SIGKILL)
    run.wait()
    rows = [*opening, *read_all(follower)]
    judge(rows)
    assert (rows[-1]["status"], rows[-1]["reason"]) == ("interrupted", "it was killed")
    (log,) = shop.glob(".codecortex/local/ops/*/events.jsonl")
    with log.open("ab") as half:
        half.write(b'{"number": 6, "at": "20')
    (slow / "go").touch()
    assert cli(shop, "semantic", "generate", "--resume", "latest").code == 0
    whole = stream(cli, shop)
    judge(whole)
    assert whole[:5] == opening
    assert (whole[5]["event"], whole[5]["status"], whole[6]["event"]) == ("done", "interrupted", "resumed")
    assert (whole[-1]["status"], whole[-1]["progress"]) == ("finished", 1)


def test_a_run_that_writes_extracts_asks_nobody(shop, cli):
    assert cli(shop, "semantic", "generate").code == 0
    rows = stream(cli, shop)
    judge(rows)
    assert list_kinds(rows) == ["started", *["written"] * (len(rows) - 2), "done"]
    assert rows[-1]["progress"] == 1
    shown = json.loads(cli(shop, "ops", "show", "--json").out)
    assert (shown["progress"], shown["states"]["cached"]) == (1, len(rows) - 2)
    assert stream(cli, shop, "--from", str(len(rows))) == rows[-1:]
    assert stream(cli, shop, "--from", str(len(rows) + 1)) == []


def test_a_run_that_is_given_up_says_so_at_its_end(shop, cli, start, slow):
    run = start(shop, "semantic", "generate")
    wait_for_second_prompt(run, slow)
    run.send_signal(signal.SIGINT)
    run.wait()
    assert stream(cli, shop)[-1]["status"] == "interrupted"
    assert cli(shop, "ops", "cancel", "latest").code == 0
    rows = stream(cli, shop)
    judge(rows)
    assert [row["status"] for row in rows[-2:]] == ["interrupted", "cancelled"]


def test_a_run_without_a_log_is_told_by_its_end_alone(shop, cli):
    assert cli(shop, "semantic", "generate").code == 0
    (log,) = shop.glob(".codecortex/local/ops/*/events.jsonl")
    log.unlink()
    (row,) = stream(cli, shop)
    assert (row["number"], row["event"], row["status"], row["progress"]) == (1, "done", "finished", 1)


def test_a_run_that_is_not_there_is_refused(shop, cli):
    done = cli(shop, "ops", "stream", "nothing")
    assert (done.code, "codecortex ops list" in done.err) == (2, True)


def test_edits_are_followed_too(shop, cli, start):
    assert cli(shop, "refresh").code == 0
    for text in ("one", "two"):
        assert cli(shop, "edit", "write", "notes.txt", "--text", text).code == 0
    known = json.loads(cli(shop, "edit", "log", "--json").out)["records"][::-1]
    follower = start(shop, "edit", "log", "--follow", "--json")
    seen = [json.loads(follower.stdout.readline()) for _ in known]
    assert seen == known
    assert cli(shop, "edit", "write", "notes.txt", "--text", "three").code == 0
    added = json.loads(cli(shop, "edit", "log", "--json").out)["records"][::-1][len(known) :]
    assert added
    assert [json.loads(follower.stdout.readline()) for _ in added] == added
    last = start(shop, "edit", "log", "--follow", "--limit", "1")
    assert added[-1]["at"] in last.stdout.readline()
