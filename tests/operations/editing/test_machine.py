"""Random verbs, and somebody outside at the file: answers read back, the file follows the mode, nothing is lost."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from codecortex.editing.markdown import parse_response
from codecortex.editing.values import Mode, State, Status
from codecortex.git.objects.opening import open_objects
from codecortex.git.repository import open_repository
from codecortex.operations.editing import verbs
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.editing.status import edit_status
from codecortex.operations.request import Request
from codecortex.operations.sessions.manage import log_session
from codecortex.operations.sessions.versions import find_session

PIECES = st.sampled_from(["a", "b", " ", "\n", "é"])
TEXTS = st.lists(PIECES, min_size=1, max_size=6).map("".join)
START = "a b\nb é\n"


class Edits(RuleBasedStateMachine):
    """Verbs by an agent on one file, and a person who changes it now and then, beside a model of both texts."""

    @initialize(mode=st.sampled_from(Mode))
    def open(self, mode):
        self.root = Path(tempfile.mkdtemp(prefix="edits-"))
        subprocess.run(["git", "init", "--quiet"], cwd=self.root, check=True)
        self.file = self.root / "a.txt"
        self.file.write_text(START, "utf-8")
        self.mode, self.disk, self.text, self.clean = mode, START, START, True
        self.state = State.IDLE
        self.known = {START}
        self.take(verbs.open_file(self.ask(), mode))

    def teardown(self):
        if hasattr(self, "root"):
            shutil.rmtree(self.root)

    def ask(self):
        return EditRequest(Request(self.root, lasting=True), "a.txt")

    def take(self, result):
        assert parse_response(result.markdown) == result.response
        self.state = result.response.state
        now = verbs.open_file(self.ask()).text
        if result.response.state is not State.SELECTION_PENDING:
            self.text = now
            self.known.add(now)
        on_disk = self.file.read_text("utf-8")
        if self.mode is not Mode.IMMEDIATE and result.verb != "commit":
            assert on_disk == self.disk
        if self.state is State.IDLE:
            assert on_disk == self.text
        self.disk = on_disk
        return result

    @rule(old=TEXTS, new=TEXTS)
    def replace(self, old, new):
        before, state = self.text, self.state
        result = self.take(verbs.replace(self.ask(), old, new))
        if result.response.status is Status.SUCCESS and state is not State.SELECTION_PENDING:
            assert self.text == before.replace(old, new, 1) or self.text != before

    @rule(number=st.integers(1, 3))
    def select(self, number):
        self.take(verbs.select(self.ask(), number))

    @rule(text=TEXTS)
    def append(self, text):
        self.take(verbs.append(self.ask(), text))

    @rule(text=TEXTS)
    def write(self, text):
        self.take(verbs.write(self.ask(), text))

    @rule()
    def undo(self):
        self.take(verbs.undo(self.ask()))

    @rule()
    def redo(self):
        self.take(verbs.redo(self.ask()))

    @rule()
    def commit(self):
        result = self.take(verbs.commit(self.ask()))
        if result.response.status is Status.SUCCESS:
            assert self.disk == self.text

    @rule()
    def discard(self):
        self.take(verbs.discard(self.ask()))

    @rule()
    def refresh(self):
        result = self.take(verbs.refresh(self.ask()))
        assert result.response.state is State.IDLE

    @precondition(lambda self: self.state is not State.SELECTION_PENDING)
    @rule(text=TEXTS)
    def change_outside(self, text):
        self.file.write_text(text, "utf-8")
        differs = text not in (self.disk, self.text)
        kept = self.text
        self.disk = text
        if differs:
            result = verbs.append(self.ask(), "mine")
            if result.response.status is Status.EXTERNAL_CONFLICT:
                assert verbs.open_file(self.ask()).text == kept
            self.mode = Mode(result.mode)
            self.disk = self.file.read_text("utf-8")
            self.state = result.response.state
            self.text = verbs.open_file(self.ask()).text
            self.known.add(self.text)

    @invariant()
    def every_text_is_a_version(self):
        if not hasattr(self, "root"):
            return
        repository = open_repository(self.root)
        session = find_session(repository, "default")
        objects = open_objects(repository)
        versions = [each.id for each in log_session(self.root, "default").versions]
        blobs = objects.find_blobs([(each, "a.txt") for each in versions])
        texts = {data.decode() for _, data in objects.read_blobs(sorted(set(blobs.values())))}
        assert self.text in texts
        assert self.known <= texts
        assert edit_status(Request(self.root), session.name).buffers[0].state == self.state


Edits.TestCase.settings = settings(
    max_examples=6, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
)
TestEdits = Edits.TestCase
