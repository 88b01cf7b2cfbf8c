"""Runs under whatever happens to sources, notes and servers: no note is half, wrong or lost."""

import json
import re
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from codecortex.model.errors import ProviderError
from codecortex.model.runs import MOST_ATTEMPTS, JobRecord, JobState, RunStatus
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.generation.jobs.jobs import Selection, list_jobs
from codecortex.operations.generation.run import generate, resume
from codecortex.operations.notes.runs import cancel_run, list_runs
from codecortex.operations.notes.texts import judge_workspace_notes
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.committed.semantic_md import decode_note

NAMES = ("Alpha", "Beta", "Gamma")
ANSWERS = st.sampled_from(["good", "good", "good", "bad", "same", "broken", "denied", "cancel", "edit"])
NOTE = "ROLE:\nSaid {}.\n\nLIFECYCLE:\nNone.\n\nEDGE_CASES:\nNone.\n\nLIMITATIONS:\nNone.\n\nRECOMMENDATIONS:\nNone.\n"


# -- one job


@pytest.mark.parametrize("fails", range(MOST_ATTEMPTS + 1))
def test_cc_13_earlier_failures_wait_and_the_third_is_for_good(fails):
    job = JobRecord("T_00000000", ("A",), ("T_00000000",), "new", "a.md")
    for _ in range(fails):
        job = job.dispatch().fail("no")
    assert job.attempts == fails
    assert job.state is (JobState.FAILED if fails == MOST_ATTEMPTS else JobState.PENDING)


def test_cc_14_what_was_being_generated_waits_and_attempts_are_kept():
    job = JobRecord("T_00000000", ("A",), ("T_00000000",), "new", "a.md").dispatch().fail("no").dispatch()
    assert job.state is JobState.GENERATING
    assert (job.put_back().state, job.put_back().attempts) == (JobState.PENDING, 1)
    assert job.succeed().put_back().state is JobState.CACHED


# -- a server that does what it is told


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status, text = self.server.answer(body["messages"][0]["content"])
        told = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
        data = json.dumps(told if status == 200 else {"error": {"message": text}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module", autouse=True)
def server(tmp_path_factory):
    """A server that the user's configuration names."""
    home = tmp_path_factory.mktemp("user")
    found = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    found.daemon_threads = True
    threading.Thread(target=found.serve_forever, args=(0.02,), daemon=True).start()
    host = f"127.0.0.1:{found.server_port}"
    told = {"provider": "openai", "baseUrl": f"http://{host}/v1", "model": "m", "hosts": [host], "concurrency": 2}
    (home / "codecortex").mkdir()
    (home / "codecortex/config.yaml").write_text(json.dumps({"llm": told}))
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_CONFIG_HOME", str(home))
        environment.setenv("XDG_STATE_HOME", str(home))
        environment.delenv("OPENAI_API_KEY", raising=False)
        Life.server = found
        yield
    found.shutdown()
    found.server_close()


# -- everything at once


class Life(RuleBasedStateMachine):
    """Three classes, their notes, and what happens to them; `noted` is what each note was made from."""

    server = None

    @initialize()
    def begin(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.git("init", "--quiet")
        self.names = dict.fromkeys(NAMES, 0)
        self.bodies = dict.fromkeys(NAMES, (0, 0))
        self.comments = 0
        self.noted, self.sent, self.numbers, self.by_hand = {}, [], count(), []
        self.script, self.turn = [], threading.Lock()
        self.server.answer = self.answer
        init(self.root)
        (self.root / ".codecortex/config.yaml").write_text("semantics: {internalImplAffectsSemantic: true}\n")
        for name in NAMES:
            self.write(name)
        self.git("add", ".")
        refresh(Request(self.root))
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "one")

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True)

    def write(self, name):
        public, private = self.bodies[name]
        own = f"{name}{self.names[name]}"
        members = "".join(f"    public int {name}{each}(int x) => x + {each};\n" for each in range(4))
        text = (
            f"namespace N;\n// {self.comments}\npublic class {own}\n{{\n{members}"
            f"    public int Run() {{ return {public} + Look(); }}\n    private int Look() => {private};\n}}\n"
        )
        (self.root / f"{name}.cs").write_text(text)

    def answer(self, prompt):
        """What the server says to a prompt."""
        with self.turn:
            self.sent.append(prompt)
            told = self.script.pop(0) if self.script else "good"
            text = NOTE.format(f"m{next(self.numbers)}")
        if told == "cancel":
            cancel_run(self.root, list_runs(self.root).runs[0].id)
        if told == "edit":
            self.edit_some_note()
        match told:
            case "bad":
                return 200, "I would rather talk about the weather."
            case "same":
                return 200, "NO SEMANTIC CHANGE"
            case "broken":
                return 400, "too much"
            case "denied":
                return 401, "who are you"
            case _:
                return 200, text

    def edit_some_note(self):
        files = sorted((self.root / ".codecortex/semantic").glob("*.md"))
        if files:
            mark = f"Said h{next(self.numbers)}."
            text = files[0].read_text()
            files[0].write_text(text.replace("ROLE:\n", f"ROLE:\n{mark} ", 1))
            self.by_hand.append(mark)

    # -- what happens

    @rule(name=st.sampled_from(NAMES), public=st.booleans())
    def change_a_body(self, name, public):
        before = self.bodies[name]
        self.bodies[name] = (before[0] + public, before[1] + (not public))
        self.write(name)

    @rule(name=st.sampled_from(NAMES))
    def change_a_comment(self, name):
        self.comments += 1
        self.write(name)

    @rule()
    def edit_by_hand(self):
        self.edit_some_note()

    @rule(name=st.sampled_from(NAMES))
    def rename(self, name):
        self.git("add", ".")
        refresh(Request(self.root))
        self.git("add", ".")
        self.git("commit", "--quiet", "--allow-empty", "-m", "more")
        self.names[name] += 1
        self.write(name)
        self.git("add", ".")
        refresh(Request(self.root))
        self.noted.pop(name, None)  # whether it holds is for the alias table to say; see the tests of aliases

    @rule(script=st.lists(ANSWERS, max_size=6), limit=st.none() | st.just(1))
    def run(self, script, limit):
        self.script = list(script)
        with Workspace(Request(self.root)) as workspace:
            try:
                done = generate(workspace, Selection(limit=limit))
            except ProviderError:
                assert {"denied", "broken"} & set(script)
                self.settle(list_runs(self.root).runs[0])
                return
        if done.run is not None:
            self.settle(done.run)
        if done.complete and limit is None:
            with Workspace(Request(self.root)) as workspace:
                assert not list_jobs(workspace, Selection()).jobs

    @precondition(lambda self: any(run.open for run in list_runs(self.root).runs))
    @rule(script=st.lists(ANSWERS, max_size=4))
    def update_columns(self, script):
        self.script = list(script)
        run = next(run for run in list_runs(self.root).runs if run.open)
        attempts = {job.owner: job.attempts for job in run.jobs}
        written = {job.owner for job in run.jobs if job.state is JobState.CACHED}
        with Workspace(Request(self.root)) as workspace:
            try:
                done = resume(workspace, run.id).run
            except ProviderError:
                done = next(each for each in list_runs(self.root).runs if each.id == run.id)
        assert all(job.attempts >= attempts[job.owner] for job in done.jobs)
        self.settle(done, written)

    @precondition(lambda self: bool(list_runs(self.root).runs))
    @rule()
    def forget_how_a_run_ended(self):
        """What a kill leaves behind: a record that says that the run is under way."""
        run = list_runs(self.root).runs[0]
        file = self.root / f".codecortex/local/ops/{run.id}.json"
        told = json.loads(file.read_text())
        for job in told["jobs"]:
            job["state"] = "generating" if job["state"] == "pending" else job["state"]
        file.write_text(json.dumps(told | {"status": "running"}))
        found = list_runs(self.root).runs[0]
        assert found.status is RunStatus.INTERRUPTED
        assert found.counts["generating"] == 0

    def settle(self, run, before=frozenset()):
        """What a run must leave behind; `before` are owners whose notes it had written earlier."""
        assert run.status is not RunStatus.RUNNING
        assert run.counts["generating"] == 0
        if run.status is RunStatus.FINISHED:
            assert run.counts["pending"] == 0
        for job in run.jobs:
            assert job.attempts <= MOST_ATTEMPTS
            assert job.state is not JobState.FAILED or job.last_error
        for job in run.jobs:
            name = re.sub(r"N\.|\d", "", job.names[0])
            if (
                job.state is JobState.CACHED
                and job.owner not in before
                and f"N.{name}{self.names[name]}" == job.names[0]
            ):
                self.noted[name] = self.bodies[name]

    # -- what always holds

    @invariant()
    def every_note_is_whole(self):
        for file in (self.root / ".codecortex/semantic").glob("*.md"):
            note = decode_note(file.read_bytes(), f".codecortex/semantic/{file.name}")
            assert all(text.strip() for text in note.texts)

    @invariant()
    def a_note_holds_just_where_it_was_made_from_what_there_is(self):
        with Workspace(Request(self.root)) as workspace:
            states = {t.fqn: note.state for note in judge_workspace_notes(workspace).notes for t in note.types}
        for name, made_from in self.noted.items():
            expected = "cached" if made_from == self.bodies[name] else "stale"
            assert states[f"N.{name}{self.names[name]}"] == expected, name

    @invariant()
    def what_a_person_wrote_stands_or_was_read_by_who_replaced_it(self):
        texts = "".join(file.read_text() for file in (self.root / ".codecortex/semantic").glob("*.md"))
        for mark in self.by_hand:
            assert mark in texts or any(mark in prompt for prompt in self.sent), mark

    def teardown(self):
        self.folder.cleanup()


Life.TestCase.settings = settings(
    max_examples=10, stateful_step_count=10, deadline=None, suppress_health_check=list(HealthCheck)
)
test_life = Life.TestCase
