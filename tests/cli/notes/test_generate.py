"""`codecortex semantic generate` as people use it: with extracts, with a program, with a server."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.conftest import is_alive

NOTE = (
    "ROLE:\nWritten by a model.\n\nLIFECYCLE:\nNone known.\n\nEDGE_CASES:\nNone known.\n\n"
    "LIMITATIONS:\nNone known.\n\nRECOMMENDATIONS:\nNone known.\n"
)
QUEUE = """namespace Shop.Core;

/// <summary>Orders that wait.</summary>
public class Queue
{
    private volatile int depth;

    /// <summary>Takes the next order.</summary>
    public Order? Take(int most) { return Look(most); }

    private Order? Look(int most) { depth = most; return null; }
}
"""
TOUCHED = "check: {semantic: strict}\n"


@pytest.fixture
def library(shop, cli, git):
    """A refreshed and committed shop with one class more, where every stale note fails a check."""
    (shop / "src/Core/Queue.cs").write_text(QUEUE)
    (shop / ".codecortex/config.yaml").write_text(TOUCHED)
    git(shop, "add", ".")
    assert cli(shop, "refresh").code == 0
    commit(git, shop)
    return shop


@pytest.fixture
def user(tmp_path, monkeypatch):
    """Write the user's own configuration: `user("llm: {...}")`; nothing of the machine's own is seen."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def write(settings):
        file = tmp_path / "config/codecortex/config.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"llm": settings}))

    return write


@pytest.fixture
def command(tmp_path, user):
    """Have prompts answered by a Python program, given as text: `command("print(...)", concurrency=1)`."""

    def use(program, **settings):
        file = tmp_path / "model.py"
        file.write_text(f"import os, sys, time\nprompt = sys.stdin.read()\nNOTE = {NOTE!r}\n{program}\n")
        user({"provider": "command", "command": [sys.executable, str(file)], "concurrency": 1, **settings})
        return file

    return use


def commit(git, root):
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "more")


def read_run(done):
    return json.loads(done.out)["run"]


def find_note(root, name):
    """The note on a type of that simple name."""
    (found,) = (note for note in list_notes(root) if f".{name} T_" in note.read_text().partition("\n")[0])
    return found


def list_notes(root):
    return sorted((root / ".codecortex/semantic").glob("*.md"))


def edit(root, path, before, after):
    file = root / path
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after, 1))


# -- extracts


def test_a_new_user_keeps_notes_true_without_a_model(library, cli, git):
    done = cli(library, "semantic", "generate")
    assert done.code == 0, done.err
    assert "finished: " in done.out
    assert "Generator: extract 2" in list_notes(library)[0].read_text()
    commit(git, library)
    assert cli(library, "check").code == 0

    edit(library, "src/Core/Queue.cs", "return Look(most);", "return Look(most + 1);")
    assert cli(library, "refresh").code == 0
    commit(git, library)
    failed = cli(library, "check")
    assert failed.code == 1
    assert "Shop.Core.Queue" in failed.out + failed.err
    assert "PublicBehavior" in failed.out + failed.err

    again = cli(library, "semantic", "generate", "--json")
    assert [job["names"] for job in read_run(again)["jobs"]] == [["Shop.Core.Queue"]]
    commit(git, library)
    assert cli(library, "check").code == 0

    edit(library, "src/Core/Queue.cs", "    private volatile int depth;", "    // how deep\n    private int depth;")
    edit(library, "src/Core/Queue.cs", "depth = most; return", "this.depth = most; return")
    assert cli(library, "refresh").code == 0
    commit(git, library)
    assert cli(library, "check").code == 0


def test_what_holds_is_left_alone(library, cli, look):
    assert cli(library, "semantic", "generate").code == 0
    before = look(library / ".codecortex/semantic")
    done = cli(library, "semantic", "generate")
    assert (done.code, done.out) == (0, "Every note holds: nothing to write.\n")
    told = cli(library, "semantic", "generate", "Queue").out
    assert told == cli(library, "semantic", "generate", "Queue", "--dry-run").out
    assert told == "Every note on Queue holds: nothing to write.\n"
    assert look(library / ".codecortex/semantic") == before


def test_only_what_is_asked_for_is_written(library, cli):
    assert [job["names"] for job in read_run(cli(library, "semantic", "generate", "Queue", "--json"))["jobs"]] == [
        ["Shop.Core.Queue"]
    ]
    assert len(read_run(cli(library, "semantic", "generate", "--limit", "1", "--json"))["jobs"]) == 1
    assert len(list_notes(library)) == 2
    done = cli(library, "semantic", "generate", "Nothing")
    assert (done.code, "Nothing" in done.err) == (3, True)


def test_what_a_person_wrote_is_not_replaced_by_an_extract(library, cli):
    assert cli(library, "semantic", "generate", "Queue").code == 0
    (file,) = list_notes(library)
    edit(library, file.relative_to(library), "LIMITATIONS:\n", "LIMITATIONS:\nMade by hand at start-up.\n")
    edit(library, "src/Core/Queue.cs", "return Look(most);", "return Look(most + 1);")
    before = file.read_bytes()
    done = cli(library, "semantic", "generate", "Queue")
    assert done.code == 1
    assert f"codecortex semantic put {file.stem}" in done.out
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("symbol", "said", "hint"),
    [
        ("Shop.Core.Queue.Take(int)", "is a member, not a type", "Name its type: Shop.Core.Queue."),
        ("Queue.Take", "is a member, not a type", "Name its type: Shop.Core.Queue."),
        ("Shop.Core", "is a namespace, not a type", "'Shop.Core.*'"),
    ],
)
def test_what_is_no_type_is_told_as_what_it_is(library, cli, symbol, said, hint):
    for verb in ("generate", "list", "show"):
        done = cli(library, "semantic", verb, symbol)
        assert (done.code, said in done.err, hint in done.err) == (3, True, True), done.err
    assert cli(library, "semantic", "list", "Shop.Core.*").code == 0


def test_where_no_type_is_wanted_nothing_is_said_to_hold(library, cli):
    (library / ".codecortex/config.yaml").write_text("semantics: {types: 'type:Nobody'}\n")
    for verb in (("generate",), ("generate", "--dry-run"), ("list",)):
        out = cli(library, "semantic", *verb).out
        assert out.endswith("No type needs a note.\n")
        assert "holds" not in out


def test_a_dry_run_knows_what_an_extract_would_not_replace_and_a_provider_that_cannot_be_asked(library, cli, user):
    user({})
    assert cli(library, "semantic", "generate").code == 0
    file = find_note(library, "Queue")
    edit(library, file.relative_to(library), "LIMITATIONS:\n", "LIMITATIONS:\nMade by hand.\n")
    edit(library, "src/Core/Queue.cs", "return Look(most);", "return Look(most + 1);")
    told = cli(library, "semantic", "generate", "--dry-run").out
    assert "changed by hand in LIMITATIONS" in told
    assert told.endswith("0 notes would be written; 1 note would not, for the reason above.\n")
    (job,) = json.loads(cli(library, "semantic", "generate", "--dry-run", "--json").out)["jobs"]
    assert (job["owner"], job["settled"], "semantic put" in job["problem"]) == (file.stem, False, True)
    for provider, why in (("openai", "llm.model names no model"), ("agent", "the agent asks for its work by itself")):
        done = cli(library, "semantic", "generate", "--dry-run", "--provider", provider)
        assert done.out.endswith("No note would be written.\n")
        assert why in done.err


def test_files_that_go_for_a_new_note_are_named(repo, cli):
    (repo / "a.cs").write_text("[Obsolete] public class A { public B Next; }\n")
    (repo / "src/b.cs").write_text("[Obsolete] public class B { public A Next; }\n")
    assert cli(repo, "init").code == 0
    assert "Removed" not in cli(repo, "semantic", "generate").out
    (group,) = list_notes(repo)
    (repo / "a.cs").write_text("[Obsolete] public class A { }\n")
    done = cli(repo, "semantic", "generate")
    assert not group.exists()
    assert f"Removed, and kept in .codecortex/local/replaced: .codecortex/semantic/{group.name}.\n" in done.out


def test_a_dry_run_writes_nothing(library, cli, read_tree):
    before = read_tree(library / ".codecortex")
    done = cli(library, "semantic", "generate", "--dry-run")
    assert done.code == 0
    assert "Shop.Core.Queue" in done.out
    assert read_tree(library / ".codecortex") == before


@pytest.mark.parametrize("model", [False, True])
def test_a_note_in_conflict_is_left_as_it_is_and_the_others_are_written(library, cli, command, tmp_path, model):
    assert cli(library, "semantic", "generate", "Queue").code == 0
    (file,) = list_notes(library)
    conflict = b"<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
    broken = file.read_bytes().replace(b"LIMITATIONS:\n", b"LIMITATIONS:\n" + conflict, 1)
    file.write_bytes(broken)
    line = broken[: broken.index(b"<<<<<<<")].count(b"\n") + 1
    assert (
        f"{file.name}:{line}: conflict marker: left as it is until it is resolved"
        in cli(library, "semantic", "list").out
    )
    if model:
        command(f"open({str(tmp_path / 'asked')!r}, 'a').write('x')\nprint(NOTE)")
    run = read_run(done := cli(library, "semantic", "generate", "--json"))
    failed = [job for job in run["jobs"] if job["state"] == "failed"]
    assert (done.code, [job["owner"] for job in failed]) == (1, [file.stem])
    assert f"{file.name}:{line}: conflict marker. Resolve it, then `git add` the file" in failed[0]["lastError"]
    assert failed[0]["attempts"] < 3
    assert len(list_notes(library)) == len(run["jobs"]) > 1
    assert file.read_bytes() == broken
    assert not model or (tmp_path / "asked").read_text() == "x" * (len(run["jobs"]) - 1)
    file.write_bytes(broken.replace(conflict, b"Both.\n"))
    assert cli(library, "semantic", "states", "--exit-code").code == 0


def test_a_damaged_note_is_made_anew_and_its_bytes_are_kept(library, cli):
    assert cli(library, "semantic", "generate", "Queue").code == 0
    (file,) = list_notes(library)
    broken = file.read_bytes().replace(b"StructureHash", b"Structure", 1)
    file.write_bytes(broken)
    done = cli(library, "semantic", "generate", "Queue")
    assert done.code == 0
    assert b"StructureHash" in file.read_bytes()
    (kept,) = (library / ".codecortex/local/replaced").iterdir()
    assert kept.read_bytes() == broken
    assert f"{file.name} cannot be read, and is replaced; what it said is kept in" in done.err
    assert kept.name in done.err


def test_a_note_that_a_newer_codecortex_wrote_is_left_alone(library, cli):
    assert cli(library, "semantic", "generate", "Queue").code == 0
    (file,) = list_notes(library)
    edit(library, file.relative_to(library), "\nGenerator: ", "\nFormat: 99\nGenerator: ")
    before = file.read_bytes()
    done = cli(library, "semantic", "generate", "Queue")
    assert file.read_bytes() == before
    assert done.code != 0
    assert "newer" in done.out + done.err


# -- notes that hold, written anew


def test_extracts_are_replaced_by_a_model_from_the_whole_source_and_hand_written_text_stays(library, cli, command):
    assert cli(library, "semantic", "generate").code == 0
    mine = find_note(library, "Queue")
    mine.write_text(mine.read_text().replace("is volatile", "Mine."))
    command("assert 'public' in prompt and 'all five sections' in prompt\nprint(NOTE)")
    assert "nothing to write" in cli(library, "semantic", "generate").out
    plan = json.loads(cli(library, "semantic", "plan", "--replace", "extract", "--json").out)
    assert {job["kind"] for job in plan["jobs"]} == {"replaced"}
    done = cli(library, "semantic", "generate", "--replace", "extract")
    assert done.code == 0, done.err
    others = [note.read_text() for note in list_notes(library) if note != mine]
    assert len(others) == plan["total"]
    (writer,) = {re.search("Generator: (.*)", text)[1] for text in others}
    assert re.fullmatch(r"command:python\S* prompt 1", writer)
    assert "Mine." in mine.read_text()
    assert "nothing to write" in cli(library, "semantic", "generate", "--replace", "extract").out


def test_an_extract_is_made_anew_after_documentation_changed(library, cli):
    assert cli(library, "semantic", "generate").code == 0
    edit(
        library,
        "src/Core/Queue.cs",
        "that wait.</summary>",
        "that wait.</summary>\n/// <remarks>They are sorted.</remarks>",
    )
    assert "nothing to write" in cli(library, "semantic", "generate").out
    done = cli(library, "semantic", "generate", "Queue", "--replace", "extract")
    assert (done.code, done.out.count("cached")) == (0, 1)
    note = find_note(library, "Queue")
    assert "ROLE:\nThey are sorted.\n" in note.read_text()


def test_only_the_writer_that_is_named_is_replaced(library, cli, command):
    command("print(NOTE)", model="large")
    assert cli(library, "semantic", "generate").code == 0
    for writer, kinds in (("extract", set()), ("command", {"replaced"}), ("command:large", {"replaced"})):
        told = json.loads(cli(library, "semantic", "list", "--replace", writer, "--json").out)
        assert {job["kind"] for job in told["jobs"]} == kinds
    assert json.loads(cli(library, "semantic", "list", "--replace", "command:small", "--json").out)["jobs"] == []
    done = cli(library, "semantic", "generate", "--replace", "command", "--provider", "extract")
    assert done.code == 0, done.err
    assert all("Generator: extract 2\n" in note.read_text() for note in list_notes(library))


def test_a_run_that_replaces_is_gone_on_with(library, cli, command):
    assert cli(library, "semantic", "generate").code == 0
    command("print(NOTE)", maxTokensPerRun=3000)
    first = read_run(cli(library, "semantic", "generate", "--replace", "extract", "--json"))
    assert (first["status"], first["replace"]) == ("stopped", "extract")
    command("print(NOTE)")
    last = read_run(cli(library, "semantic", "generate", "--resume", first["id"], "--json"))
    assert last["states"]["cached"] == len(last["jobs"]) == len(first["jobs"])
    assert all("Generator: command" in note.read_text() for note in list_notes(library))


# -- a program that answers


def test_a_program_writes_notes_and_they_say_who_wrote_them(library, cli, command):
    command("print(NOTE)", model="tiny")
    done = cli(library, "semantic", "generate", "Queue", "--json")
    run = read_run(done)
    (job,) = run["jobs"]
    assert (done.code, run["status"], job["state"], job["attempts"]) == (0, "finished", "cached", 0)
    assert run["tokensIn"] > 100
    assert run["tokensOut"] > 10
    (file,) = list_notes(library)
    assert "Generator: command:tiny prompt " in file.read_text()
    assert "ROLE:\nWritten by a model.\n" in file.read_text()


def test_a_bad_answer_is_asked_for_again_with_the_reason(library, cli, command, tmp_path):
    count = tmp_path / "count"
    command(
        f"seen = os.path.exists({str(count)!r})\nopen({str(count)!r}, 'a').write(prompt)\n"
        "print(NOTE if seen else NOTE + 'GOSSIP:\\nx\\n')"
    )
    done = cli(library, "semantic", "generate", "Queue", "--json")
    run = read_run(done)
    (job,) = run["jobs"]
    assert (done.code, job["state"], job["attempts"], job["lastError"]) == (0, "cached", 1, None)
    sent = count.read_text()
    assert "COULD NOT BE USED" in sent
    assert "There is no section `GOSSIP`" in sent
    kept = library / ".codecortex/local/ops" / run["id"] / f"{job['owner']}-1.txt"
    assert "GOSSIP:" in kept.read_text()


def test_cc_13_the_third_bad_answer_is_the_last(library, cli, command, tmp_path):
    count = tmp_path / "count"
    command(f"open({str(count)!r}, 'a').write('x')\nprint('I would rather not.')")
    done = cli(library, "semantic", "generate", "Queue", "--json")
    run = read_run(done)
    (job,) = run["jobs"]
    assert (done.code, run["status"]) == (1, "finished")
    assert (job["state"], job["attempts"]) == ("failed", 3)
    assert "No section was found" in job["lastError"]
    assert count.read_text() == "xxx"
    assert len(list((library / ".codecortex/local/ops" / run["id"]).glob("*.txt"))) == 3
    assert not list_notes(library)
    shown = cli(library, "ops", "show", run["id"])
    assert "No section was found" in shown.out
    assert "(attempt 3)" in shown.out


def test_cc_12_no_semantic_change_keeps_the_text_and_the_note_holds(library, cli, command, git):
    command("print(NOTE)")
    (library / ".codecortex/config.yaml").write_text(TOUCHED + "semantics: {internalImplAffectsSemantic: true}\n")
    assert cli(library, "semantic", "generate", "Queue").code == 0
    (file,) = list_notes(library)
    body = file.read_text().partition("\n\n")[2]
    commit(git, library)
    edit(library, "src/Core/Queue.cs", "depth = most;", "depth = most + 2;")
    assert json.loads(cli(library, "semantic", "list", "Queue", "--json").out)["total"] == 1
    command("print('NO SEMANTIC CHANGE')")
    assert cli(library, "semantic", "generate", "Queue").code == 0
    assert file.read_text().partition("\n\n")[2] == body
    assert json.loads(cli(library, "semantic", "list", "Queue", "--json").out)["total"] == 0


def test_prompts_can_be_seen_before_anything_is_sent(library, cli, command, tmp_path):
    command(f"open({str(tmp_path / 'count')!r}, 'a').write('x')\nprint(NOTE)")
    done = cli(library, "semantic", "generate", "Queue", "--show-prompt")
    assert done.code == 0
    assert "public Order? Take(int most)" in done.out
    assert not (tmp_path / "count").exists()
    assert not (library / ".codecortex/local/ops").exists()


@pytest.mark.parametrize("good", [0, 1])
def test_a_program_that_fails_for_three_jobs_in_a_row_ends_the_run(library, cli, command, good):
    file = command(
        "with open(__file__ + '.n', 'a') as n:\n  n.write('x')\n"
        f"  if n.tell() > {good}: sys.exit('out of paper')\nprint(NOTE)"
    )
    done = cli(library, "semantic", "generate", "--json")
    error = json.loads(done.out)["error"]
    assert (done.code, error["code"]) == (3, "ProviderError")
    assert "out of paper" in error["message"]
    assert file.with_suffix(".py.n").read_text() == "x" * (good + 3)
    run = json.loads(cli(library, "ops", "show", error["run"], "--json").out)
    assert (run["status"], run["states"]["cached"], run["states"]["failed"]) == ("stopped", good, 0)
    assert error["hint"] == f"Look at llm.command. Go on: `codecortex semantic generate --resume {run['id']}`." or (
        error["hint"].endswith(f"Then go on: `codecortex semantic generate --resume {run['id']}`.")
    )
    command("print(NOTE)")
    assert cli(library, "semantic", "generate", "--resume", run["id"]).code == 0


def test_one_job_that_a_program_fails_for_ends_no_run(library, cli, command):
    command("sys.exit(3) if 'class Queue' in prompt else print(NOTE)")
    run = read_run(done := cli(library, "semantic", "generate", "--json"))
    assert (done.code, run["status"]) == (1, "finished")
    assert run["states"]["cached"] == len(run["jobs"]) - run["states"]["failed"] > 0
    (failed,) = [job for job in run["jobs"] if job["state"] == "failed"]
    assert (failed["attempts"], "exit code 3" in failed["lastError"]) == (3, True)


def test_the_quota_ends_a_run_before_it_is_exceeded_and_the_rest_waits(library, cli, command):
    command("print(NOTE)", maxTokensPerRun=3000)
    done = cli(library, "semantic", "generate", "--json")
    run = read_run(done)
    assert (done.code, run["status"]) == (1, "stopped")
    assert "llm.maxTokensPerRun" in run["reason"]
    assert 0 < run["states"]["cached"] < len(run["jobs"])
    assert run["states"]["pending"] == len(run["jobs"]) - run["states"]["cached"]
    assert run["tokensIn"] + run["tokensOut"] <= 3000
    command("print(NOTE)", maxTokensPerRun=1_000_000)
    resumed = cli(library, "semantic", "generate", "--resume", run["id"], "--json")
    assert (resumed.code, read_run(resumed)["id"]) == (0, run["id"])
    assert read_run(resumed)["states"]["cached"] == len(run["jobs"])
    assert read_run(resumed)["tokensIn"] > run["tokensIn"]


def test_a_limit_that_ended_a_run_is_told_with_what_helps(library, cli, command):
    command("print(NOTE)", maxTokensPerRun=3000)
    out = cli(library, "semantic", "generate", "Shop.*", "--all").out
    again = "`codecortex semantic generate 'Shop.*' --all`, a new run with a fresh limit; or raise llm.maxTokensPerRun"
    assert f"Next: {again}, then `codecortex semantic generate --resume 2" in out
    assert "a new run with a fresh limit" in cli(library, "ops", "show").out
    resumed = cli(library, "semantic", "generate", "--resume", "latest").out
    assert "0 failed" not in resumed
    assert "a new run with a fresh limit" in resumed


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"maxTokensPerRun": 1000}, r"llm\.maxTokensPerRun, 1,000, is below one request of about [\d,]+ tokens"),
        ({"maxCostPerRun": 0.0001, "priceIn": 9, "priceOut": 9}, r"llm\.maxCostPerRun, 0\.0001, is below one request"),
    ],
)
def test_a_limit_below_one_request_has_to_be_raised(library, cli, command, settings, said):
    command("print(NOTE)", **settings)
    out = cli(library, "semantic", "generate").out
    assert re.search(said, out)
    assert "fresh limit" not in out
    assert re.search(r"Next: raise llm\.max\w+PerRun, then `codecortex semantic generate --resume \S+`\.", out)


def test_the_cost_is_counted_and_bounded(library, cli, command):
    command("print(NOTE)", maxCostPerRun=0.03, priceIn=10, priceOut=10)
    run = read_run(cli(library, "semantic", "generate", "--json"))
    assert run["status"] == "stopped"
    assert "llm.maxCostPerRun" in run["reason"]
    assert 0 < float(run["cost"]) <= 0.03


def test_the_agent_is_not_asked(library, cli):
    done = cli(library, "semantic", "generate", "--provider", "agent")
    assert done.code == 2
    assert "codecortex semantic next" in done.err


def test_a_run_of_nothing_is_not_remembered(library, cli, command):
    command("print(NOTE)")
    assert cli(library, "semantic", "generate").code == 0
    assert "nothing to write" in cli(library, "semantic", "generate").out
    assert len(json.loads(cli(library, "ops", "list", "--json").out)["runs"]) == 1


# -- runs that end early


PATIENCE = 120.0  # no test is judged by the clock


@contextmanager
def running(source, root, *arguments):
    environment = {**os.environ, "PYTHONPATH": source}
    command = [sys.executable, "-m", "codecortex", "semantic", "generate", *arguments]
    with subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until(condition, process=None):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert process is None or process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def test_ctrl_c_names_the_run_where_more_was_asked_for_than_usual(library, cli, command, source):
    file = command("open(__file__ + '.n', 'w').close()\ntime.sleep(600)")
    with running(source, library, "Queue", "--all") as process:
        wait_until(file.with_suffix(".py.n").exists, process)  # recorded before, and asked
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    run = json.loads(cli(library, "ops", "list", "--json").out)["runs"][0]["id"]
    assert f"`codecortex semantic generate --resume {run}` goes on from there." in said.decode()


def test_ctrl_c_keeps_what_is_written_and_the_run_goes_on(library, cli, command, source):
    file = command(
        "with open(__file__ + '.n', 'a') as n:\n  n.write('x')\n  if n.tell() > 1: time.sleep(600)\nprint(NOTE)"
    )
    with running(source, library) as process:
        wait_until(file.with_suffix(".py.n").exists)
        wait_until(lambda: file.with_suffix(".py.n").stat().st_size == 2)  # the first answer was read
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
    hint = "What is written stays; `codecortex semantic generate` goes on from there."
    assert said.decode().split(os.linesep) == ["", hint, "interrupted", ""]
    (run,) = json.loads(cli(library, "ops", "list", "--json").out)["runs"]
    assert run["status"] == "interrupted"
    assert run["states"]["generating"] == 0
    assert run["states"]["cached"] == 1
    command("print(NOTE)")
    assert cli(library, "semantic", "generate", "--resume", run["id"]).code == 0
    assert json.loads(cli(library, "semantic", "list", "--json").out)["total"] == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no such signals there")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_whoever_ends_a_run_ends_the_program_and_what_that_started(library, cli, command, source, name):
    if signal.getsignal(getattr(signal, name)) is signal.SIG_IGN:
        pytest.skip("these tests were started deaf to that signal, and so is all that they start")
    file = command(
        "import subprocess\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "with open(__file__ + '.new', 'w') as n: n.write(f'{os.getpid()} {child.pid}')\n"
        "os.rename(__file__ + '.new', __file__ + '.pids')\n"
        "time.sleep(600)"
    )
    pids = file.with_suffix(".py.pids")
    with running(source, library) as process:
        wait_until(pids.exists, process)
        started = [int(each) for each in pids.read_text().split()]
        process.send_signal(getattr(signal, name))
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in said
    wait_until(lambda: not any(map(is_alive, started)))
    (run,) = json.loads(cli(library, "ops", "list", "--json").out)["runs"]
    assert (run["status"], run["reason"], run["states"]["generating"]) == ("interrupted", None, 0)
    assert run["states"]["pending"] == len(json.loads(cli(library, "ops", "show", "--json").out)["jobs"])
    command("print(NOTE)")
    assert cli(library, "semantic", "generate", "--resume", run["id"]).code == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forked workers there")
def test_workers_that_read_sources_for_a_run_end_without_a_word(shop, git, source):
    for number in range(120):
        (shop / f"src/Core/C{number}.cs").write_text(f"namespace N;\npublic class C{number} {{ }}\n")
    git(shop, "add", ".")
    with running(source, shop, "C1") as process:
        out, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (0, b""), out


def test_cc_14_a_killed_run_is_told_as_interrupted_and_its_jobs_wait(library, cli, command, source):
    command("time.sleep(600)")
    with running(source, library) as process:
        wait_until(lambda: any((library / ".codecortex/local/ops").glob("*.json")))
        wait_until(lambda: "running" in cli(library, "ops", "list").out, process)
        process.kill()
        process.wait()
    (run,) = json.loads(cli(library, "ops", "list", "--json").out)["runs"]
    assert (run["status"], run["reason"], run["states"]["generating"]) == ("interrupted", "it was killed", 0)
    assert run["states"]["pending"] > 0
    command("print(NOTE)")
    assert cli(library, "semantic", "generate").code == 0


def test_of_two_records_that_say_they_run_the_one_that_is_written_to_is_believed(library, cli, command, source):
    command("print(NOTE)", maxTokensPerRun=3000)
    old = read_run(cli(library, "semantic", "generate", "--json"))
    ops = library / ".codecortex/local/ops"
    killed = json.loads((ops / f"{old['id']}.json").read_text()) | {"id": "29990101T000000-0000", "status": "running"}
    (ops / "29990101T000000-0000.json").write_text(json.dumps(killed))
    command("time.sleep(600)")
    with running(source, library, "--resume", old["id"]) as process:
        wait_until(lambda: "running" in cli(library, "ops", "show", old["id"]).out, process)
        runs = json.loads(cli(library, "ops", "list", "--json").out)["runs"]
        assert [run["status"] for run in runs] == ["interrupted", "running"]
        assert cli(library, "ops", "cancel", old["id"]).code == 0
        process.communicate(timeout=PATIENCE)
    assert json.loads(cli(library, "ops", "show", old["id"], "--json").out)["status"] == "cancelled"


def test_a_job_whose_note_is_no_more_is_not_told_as_written(library, cli, command):
    command("print(NOTE)", maxTokensPerRun=3000)
    run = read_run(cli(library, "semantic", "generate", "--json"))
    waiting = [job for job in run["jobs"] if job["state"] == "pending"]
    assert {job["names"][0] for job in waiting} > {"Shop.Core.Queue"}
    (library / "src/Core/Queue.cs").unlink()
    other = next(job for job in waiting if job["names"] != ["Shop.Core.Queue"])
    command("print(NOTE)", maxTokensPerRun=1_000_000)
    assert cli(library, "semantic", "generate", other["owner"], "--provider", "extract").code == 0
    done = cli(library, "semantic", "generate", "--resume", run["id"], "--json")
    after = read_run(done)
    (gone,) = [job for job in after["jobs"] if job["state"] != "cached"]
    assert (done.code, gone["names"], gone["state"], gone["attempts"]) == (1, ["Shop.Core.Queue"], "failed", 0)
    assert "no such note to write any more" in gone["lastError"]
    assert all((library / job["path"]).exists() for job in after["jobs"] if job is not gone)
    assert cli(library, "semantic", "generate", "--resume", run["id"]).code == 1
    assert "nothing to write" in cli(library, "semantic", "generate").out


def test_two_runs_at_once_are_refused(library, cli, command, source):
    command("time.sleep(600)")
    with running(source, library) as process:
        wait_until(lambda: "running" in cli(library, "ops", "list").out, process)
        done = cli(library, "semantic", "generate", "--json")
        assert done.code == 3
        assert json.loads(done.out)["error"]["code"] == "Busy"
        assert "codecortex ops cancel" in done.err


def test_a_run_is_cancelled_from_elsewhere(library, cli, command, source):
    command("time.sleep(600)")
    with running(source, library) as process:
        wait_until(lambda: "running" in cli(library, "ops", "list").out, process)
        (run,) = json.loads(cli(library, "ops", "list", "--json").out)["runs"]
        assert cli(library, "ops", "cancel", run["id"]).code == 0
        out, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 1
        assert b"cancelled" in out
    assert json.loads(cli(library, "ops", "show", run["id"], "--json").out)["status"] == "cancelled"


# -- a server that answers


class _Model(BaseHTTPRequestHandler):
    """Answers by what the test put into `server.script`: (status, headers, text), the last for ever."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        with server.turn:
            server.prompts.append(body["messages"][0]["content"])
            server.under_way += 1
            server.most = max(server.most, server.under_way)
            status, headers, text = server.script.pop(0) if len(server.script) > 1 else server.script[0]
        server.wait()
        with server.turn:
            server.under_way -= 1
        told = {"model": "tiny-1", "choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
        told["usage"] = {"prompt_tokens": 1000, "completion_tokens": 50}
        data = json.dumps(told if status == 200 else {"error": {"message": text}}).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def server(user):
    """Return a server that the user's configuration names; it answers with a good note until told otherwise."""
    found = ThreadingHTTPServer(("127.0.0.1", 0), _Model)
    found.daemon_threads = True
    found.turn, found.prompts, found.under_way, found.most = threading.Lock(), [], 0, 0
    found.wait = lambda: None  # called before each answer
    found.script = [(200, {}, NOTE)]
    threading.Thread(target=found.serve_forever, args=(0.02,), daemon=True).start()
    host = f"127.0.0.1:{found.server_port}"
    found.settings = {
        "provider": "openai", "baseUrl": f"http://{host}/v1", "model": "tiny", "hosts": [host], "concurrency": 1,
    }  # fmt: skip
    user(found.settings)
    yield found
    found.shutdown()
    found.server_close()


def test_a_server_writes_notes_and_its_own_counts_are_kept(library, cli, server, user):
    user({**server.settings, "priceIn": 1, "priceOut": 2})
    run = read_run(cli(library, "semantic", "generate", "Queue", "--json"))
    assert (run["status"], run["tokensIn"], run["tokensOut"], run["cost"]) == ("finished", 1000, 50, "0.0011")
    assert "Generator: openai:tiny-1 prompt " in list_notes(library)[0].read_text()
    assert "public Order? Take(int most)" in server.prompts[0]


def test_several_prompts_are_asked_at_a_time(library, cli, server, user):
    user({**server.settings, "concurrency": 3})
    server.wait = lambda: wait_until(lambda: len(server.prompts) >= 3)
    run = read_run(cli(library, "semantic", "generate", "--json"))
    assert run["states"]["cached"] == len(run["jobs"]) == len(server.prompts)
    assert server.most == 3


def test_a_server_that_refuses_the_key_ends_the_run_at_once(library, cli, server):
    server.script = [(200, {}, NOTE), (401, {}, "wrong key")]
    done = cli(library, "semantic", "generate", "--json")
    error = json.loads(done.out)["error"]
    assert (done.code, error["code"]) == (3, "ProviderError")
    run = json.loads(cli(library, "ops", "show", error["run"], "--json").out)
    assert (run["status"], len(server.prompts)) == ("stopped", 2)
    assert run["states"] == {"pending": len(run["jobs"]) - 1, "generating": 0, "cached": 1, "failed": 0}
    server.script = [(200, {}, NOTE)]
    assert cli(library, "semantic", "generate", "--resume", error["run"]).code == 0
    assert len(list_notes(library)) == len(run["jobs"])


def test_three_jobs_that_a_server_refuses_end_a_run_only_where_nothing_was_ever_answered(library, cli, server):
    server.script = [(400, {}, "no such parameter")]
    done = cli(library, "semantic", "generate", "--json")
    assert (done.code, len(server.prompts)) == (3, 3)
    assert len(set(server.prompts)) == 3
    assert "no such parameter" in json.loads(done.out)["error"]["message"]
    server.script = [(200, {}, NOTE), (400, {}, "prompt too long")]
    run = read_run(done := cli(library, "semantic", "generate", "--json"))
    assert (done.code, run["status"]) == (1, "finished")
    assert run["states"] == {"pending": 0, "generating": 0, "cached": 1, "failed": len(run["jobs"]) - 1}


@pytest.mark.parametrize("status", [400, 409, 413, 422])
def test_a_request_that_a_server_refuses_is_sent_once(library, cli, server, status):
    server.script = [(status, {}, "prompt too long")]
    run = read_run(done := cli(library, "semantic", "generate", "Queue", "--json"))
    assert (done.code, len(server.prompts)) == (1, 1)
    assert [(job["state"], job["attempts"]) for job in run["jobs"]] == [("failed", 1)]


def test_a_spent_quota_is_told_as_such(library, cli, server):
    server.script = [(402, {}, "insufficient_quota")]
    done = cli(library, "semantic", "generate")
    assert done.code == 3
    assert "hint: Look at your quota and billing with that server. Then go on: `codecortex" in done.err


def test_a_server_that_is_busy_is_asked_again(library, cli, server):
    server.script = [(429, {"Retry-After": "0"}, "slow down"), (200, {}, NOTE)]
    run = read_run(cli(library, "semantic", "generate", "Queue", "--json"))
    assert (run["states"]["cached"], run["jobs"][0]["attempts"], len(server.prompts)) == (1, 0, 2)


def test_text_that_a_person_changes_meanwhile_is_not_overwritten(library, cli, server):
    assert cli(library, "semantic", "generate", "Queue").code == 0
    (file,) = list_notes(library)
    edit(library, "src/Core/Queue.cs", "return Look(most);", "return Look(most + 1);")
    answers = []
    server.wait = lambda: wait_until(lambda: answers)
    worker = threading.Thread(
        target=lambda: (
            wait_until(lambda: len(server.prompts) == 2),
            edit(library, file.relative_to(library), "ROLE:\n", "ROLE:\nSaid by hand. "),
            answers.append(True),
        )
    )
    worker.start()
    run = read_run(cli(library, "semantic", "generate", "Queue", "--json"))
    worker.join()
    assert answers == [True]
    assert (run["jobs"][0]["state"], run["jobs"][0]["attempts"]) == ("cached", 1)
    assert "Said by hand." not in server.prompts[1]
    assert "Said by hand." in server.prompts[2]


@pytest.mark.slow
def test_while_a_run_is_under_way_states_say_what_it_does(library, cli, command, source):
    assert cli(library, "semantic", "generate", "Queue").code == 0
    edit(library, "src/Core/Queue.cs", "return Look(most);", "return Look(most + 1);")
    command("time.sleep(600)")
    file = list_notes(library)[0]
    file.write_text(file.read_text().replace("Generator: extract 2", "Generator: other"))
    with running(source, library, "Queue", "Store"):
        wait_until(lambda: '"generating": 1' in cli(library, "ops", "list", "--json").out)
        totals = json.loads(cli(library, "semantic", "states", "--json").out)["totals"]
        assert (totals["generating"], totals["pending"]) == (1, 1)
        assert json.loads(cli(library, "semantic", "show", "Queue", "--json").out)["semanticState"] in (
            "generating",
            "pending",
        )
        listed = json.loads(cli(library, "semantic", "list", "Queue", "Store", "--json").out)
        states = {job["types"][0]["fqn"]: job["semanticState"] for job in listed["jobs"]}
        assert sorted(states.values()) == ["generating", "pending"]
        assert listed["states"] == {"none": 0, "cached": 0, "stale": 0, "pending": 1, "generating": 1, "failed": 0}
        told = cli(library, "semantic", "list", "Queue", "Store").out
        assert f"Shop.Core.Queue  ({states['Shop.Core.Queue']}; PublicBehavior of Shop.Core.Queue changed)" in told
        assert "types: 0 cached, 0 stale, 0 without a note, 1 pending, 1 generating." in told
        records = json.loads(cli(library, "index", "--json").out)["types"]
        assert {each["fqn"]: each["semanticState"] for each in records if each["fqn"] in states} == states
        listed = json.loads(cli(library, "semantic", "list", "--rev", "HEAD", "--json").out)
        assert set(listed["states"]) == {"none", "cached", "stale"}, "no run writes into a commit"
    totals = json.loads(cli(library, "semantic", "states", "--json").out)["totals"]
    assert totals == {"none": totals["none"], "cached": 0, "stale": 1}


# -- a run that is killed


@pytest.mark.slow
def test_killed_at_any_moment_no_note_is_half_and_the_next_run_ends_with_the_same_bytes(shop, cli, git, source):
    for number in range(100):
        members = "".join(f"    public C{(number * 7 + each) % 100} M{each}(int a) => null;\n" for each in range(4))
        (shop / f"src/Core/C{number}.cs").write_text(f"namespace N;\npublic class C{number}\n{{\n{members}}}\n")
    git(shop, "add", ".")
    assert cli(shop, "refresh").code == 0
    began = time.monotonic()
    with running(source, shop) as process:
        process.communicate()
    took = time.monotonic() - began
    expected = {file.name: file.read_bytes() for file in list_notes(shop)}
    moments = random.Random(5)  # noqa: S311 - moments, not secrets
    for _ in range(5):
        shutil.rmtree(shop / ".codecortex/semantic")
        with running(source, shop) as process:
            time.sleep(moments.uniform(0.3, 1.0) * took)
            process.kill()
            process.communicate()
        found = {file.name: file.read_bytes() for file in list_notes(shop)}
        assert found.items() <= expected.items(), "each is whole, or not there"
        assert cli(shop, "semantic", "generate").code == 0
        assert {file.name: file.read_bytes() for file in list_notes(shop)} == expected
        assert {run["states"]["generating"] for run in json.loads(cli(shop, "ops", "list", "--json").out)["runs"]} == {
            0
        }
