"""Random events lead to what the table has and to nothing else; every response reads back; the buffer is a model's.

`CODECORTEX_SEQUENCES=10000 pytest tests/editing/test_machine.py` plays that many sequences.
"""

import os

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from codecortex.editing import events
from codecortex.editing.drafts import Draft, fold_ends
from codecortex.editing.markdown import parse_response, write_response
from codecortex.editing.reducer import EditState, Step, open_draft, refuse_write, step
from codecortex.editing.values import Language, Mode, State, Status
from codecortex.editing.visibility import Verb, list_allowed

SEQUENCES = int(os.environ.get("CODECORTEX_SEQUENCES", "100"))
IDLE, SELECTION, PERSIST = State.IDLE, State.SELECTION_PENDING, State.PERSIST_PENDING
OUT, REFRESHING = State.OUT_OF_SYNC, State.REFRESHING
WRITTEN = {IDLE: {IDLE, PERSIST}, PERSIST: {IDLE, PERSIST}, OUT: {OUT}}
"""Where an edit leads to from the state before candidates were found."""

PIECES = st.sampled_from(["a", "b", "A", " ", "\n", "é"])
TEXTS = st.lists(PIECES, max_size=8).map("".join)
ENDS = st.sampled_from(["\n", "\r\n"])
DISKS = st.builds(lambda text, end: Draft(text.replace("\n", end)), TEXTS, ENDS)
ANY_DISKS = st.one_of(DISKS, DISKS, st.none(), st.just(events.Unreadable("is binary")))


class Machine(RuleBasedStateMachine):
    """Plays a shell over the reducer, beside a model that is a plain text."""

    state: EditState
    model: str

    @initialize(disk=st.none() | DISKS, mode=st.sampled_from(Mode), language=st.sampled_from(Language))
    def open(self, disk, mode, language):
        self.state = open_draft(disk, mode, language)
        self.model = disk.shown if disk is not None else ""
        self.past = [self.state.draft]
        self.place = 0

    def play(self, event: events.Event, *, refused: bool = False) -> Step:
        before = self.state
        done = step(before, event)
        if done.is_due and refused:
            done = refuse_write(before, done, "no space left on device")
        elif done.is_due:
            assert done.state.draft == done.state.base
        told, text = write_response(done.response, before.language)
        assert told is done.response
        assert parse_response(text) == told
        assert told.state is done.state.state
        assert told.metrics.new_length == len(done.state.text.shown)
        assert told.metrics.delta == len(done.state.text.shown) - len(before.text.shown)
        self.state = done.state
        return done

    def play_verb(self, verb: Verb, event: events.Event, *, refused: bool = False) -> Step | None:
        """None where the verb is not allowed, which changes nothing."""
        before = self.state
        done = self.play(event, refused=refused)
        if verb in list_allowed(before.state, before.mode):
            return done
        assert (done.response.status, done.state, done.is_due) == (Status.EXCEPTION, before, False)
        return None

    def check_edit(self, before: EditState, done: Step, *, refused: bool) -> None:
        assert done.response.status in {Status.SUCCESS, Status.NO_OP, Status.PERSIST_FAILURE}
        if done.response.status is Status.PERSIST_FAILURE:
            assert refused
            assert before.mode is Mode.IMMEDIATE
            assert done.state.state is OUT
        elif done.response.status is Status.NO_OP:
            assert done.state.state is before.settled
        else:
            assert done.state.state in WRITTEN[before.settled]
            if done.state.draft != self.past[self.place]:
                self.past = [*self.past[: self.place + 1], done.state.draft]
                self.place += 1

    @rule(old=TEXTS, new=TEXTS, refused=st.booleans())
    def replace(self, old, new, refused):
        before = self.state
        done = self.play_verb(Verb.REPLACE, events.Replace(old, new), refused=refused)
        if done is None:
            return
        old = fold_ends(old)
        places = [place for place in range(len(self.model)) if old and self.model.startswith(old, place)]
        if not old:
            assert (done.response.status, done.state) == (Status.EXCEPTION, before)
        elif not places:
            assert (done.response.status, done.state.state) == (Status.NO_MATCH, before.settled)
        elif len(places) > 1:
            assert (done.response.status, done.state.state) == (Status.MULTI_MATCH, SELECTION)
            assert done.response.metrics.selection_count == len(places)
            assert done.state.settled is before.settled
        else:
            self.model = self.model[: places[0]] + new + self.model[places[0] + len(old) :]
            self.check_edit(before, done, refused=refused)

    @rule(number=st.integers(0, 6), new=st.none() | TEXTS, refused=st.booleans())
    def select(self, number, new, refused):
        before = self.state
        done = self.play_verb(Verb.SELECT, events.Select(number, new), refused=refused)
        if done is None:
            return
        selection = before.selection
        if not 0 < number <= len(selection.starts):
            assert (done.response.status, done.state) == (Status.EXCEPTION, before)
            return
        start = selection.starts[number - 1]
        text = selection.replacement if new is None else new
        self.model = self.model[:start] + text + self.model[start + len(selection.needle) :]
        self.check_edit(before, done, refused=refused)

    @rule(text=TEXTS, refused=st.booleans())
    def append(self, text, refused):
        before = self.state
        done = self.play_verb(Verb.APPEND, events.Append(text), refused=refused)
        if done is not None:
            self.model += text
            self.check_edit(before, done, refused=refused)

    @rule(text=TEXTS, intent=st.sampled_from(events.Intent), refused=st.booleans())
    def write(self, text, intent, refused):
        before = self.state
        done = self.play_verb(Verb.WRITE, events.Write(text, intent), refused=refused)
        if done is None:
            return
        wrong = {events.Intent.CREATE: before.base is not None, events.Intent.UPDATE: before.base is None}
        if wrong.get(intent):
            assert (done.response.status, done.state) == (Status.EXCEPTION, before)
            return
        self.model = text
        self.check_edit(before, done, refused=refused)

    @rule(draft=st.none() | DISKS, refused=st.booleans())
    def put(self, draft, refused):
        before = self.state
        done = self.play_verb(Verb.WRITE, events.Put(draft), refused=refused)
        if done is not None:
            self.model = draft.shown if draft is not None else ""
            self.check_edit(before, done, refused=refused)

    @rule(forward=st.booleans(), refused=st.booleans())
    def go(self, forward, refused):
        before, place = self.state, self.place + (1 if forward else -1)
        known = 0 <= place < len(self.past)
        to = self.past[place] if known else None
        verb, event = (Verb.REDO, events.Redo(to, known)) if forward else (Verb.UNDO, events.Undo(to, known))
        done = self.play_verb(verb, event, refused=refused)
        if done is None:
            return
        if not known:
            assert (done.response.status, done.state) == (Status.NO_OP, before)
            return
        self.model, self.place = to.shown if to is not None else "", place
        self.check_edit(before, done, refused=refused)

    @rule(refused=st.booleans())
    def commit(self, refused):
        before = self.state
        done = self.play_verb(Verb.COMMIT, events.Commit(), refused=refused)
        if done is not None:
            failed = refused and before.state is PERSIST
            expected = {IDLE: Status.NO_OP, PERSIST: Status.PERSIST_FAILURE if failed else Status.SUCCESS}
            assert done.response.status is expected[before.state]
            assert done.state.state is (OUT if failed else IDLE)

    @rule(failure=st.sampled_from(["", "no"]))
    def save_as(self, failure):
        before = self.state
        done = self.play_verb(Verb.SAVE_AS, events.SaveAs("b.txt", failure))
        if done is not None:
            assert done.response.status is (Status.PERSIST_FAILURE if failure else Status.SUCCESS)
            assert done.state == before

    @rule(disk=ANY_DISKS)
    def discard(self, disk):
        before = self.state
        if before.state in {IDLE, PERSIST}:
            disk = before.base  # a shell tells of changes outside first
        done = self.play_verb(Verb.DISCARD, events.Discard(disk))
        if done is None:
            return
        if before.state is SELECTION:
            assert (done.response.status, done.state.state) == (Status.SUCCESS, before.settled)
            assert done.state.draft == before.draft
        else:
            self.check_taken(before, done, disk)

    @rule()
    def compare(self):
        before = self.state
        done = self.play_verb(Verb.DIFF, events.Compare())
        if done is not None:
            assert (done.response.status, done.state) == (Status.SUCCESS, before)

    @rule(disk=ANY_DISKS, same=st.booleans())
    def refresh(self, disk, same):
        done = self.play_verb(Verb.REFRESH, events.BeginRefresh())
        if done is not None:
            assert (done.response.status, done.state.state) == (Status.SUCCESS, REFRESHING)
        if self.state.state is REFRESHING:
            before = self.state
            disk = before.base if same else disk
            self.check_taken(before, self.play(events.EndRefresh(disk)), disk)

    @rule()
    def begin_refresh(self):
        """Another reader sees a text while it is refreshed."""
        self.play_verb(Verb.REFRESH, events.BeginRefresh())

    def check_taken(self, before: EditState, done: Step, disk: events.OnDisk) -> None:
        if isinstance(disk, events.Unreadable):
            assert (done.response.status, done.state.state) == (Status.EXCEPTION, OUT)
            assert done.state.draft == before.draft
            return
        assert done.response.status in {Status.SUCCESS, Status.NO_OP}
        assert done.state.state is IDLE
        self.take(disk)

    def take(self, disk: Draft | None) -> None:
        self.model = disk.shown if disk is not None else ""
        if self.state.draft != self.past[self.place]:
            self.past = [*self.past[: self.place + 1], self.state.draft]
            self.place += 1

    @rule(disk=ANY_DISKS)
    def change_outside(self, disk):
        before = self.state
        done = self.play(events.DiskChange(disk))
        is_back = before.state is OUT and disk == before.draft
        if before.state is OUT and before.conflict and disk == before.base and not is_back:
            restored = before._replace(state=PERSIST, conflict=False)
            assert (done.response.status, done.state) == (Status.SUCCESS, restored)
        elif before.state is REFRESHING or (disk == before.base and not is_back):
            assert (done.response.status, done.state) == (Status.NO_OP, before)
        elif disk == before.draft or (before.settled is IDLE and isinstance(disk, Draft)):
            assert (done.response.status, done.state.state) == (Status.SUCCESS, IDLE)
            self.take(disk)
        else:
            assert (done.response.status, done.state.state) == (Status.EXTERNAL_CONFLICT, OUT)

    @rule(mode=st.none() | st.sampled_from(Mode))
    def show(self, mode):
        before = self.state
        done = self.play(events.Show(mode))
        assert (done.response.status, done.state.state) == (Status.SUCCESS, before.state)

    @invariant()
    def the_buffer_is_the_models(self):
        assert self.state.text.shown == self.model

    @invariant()
    def the_parts_of_a_state_fit_each_other(self):
        state = self.state
        assert (state.selection is not None) == (state.state is SELECTION)
        assert state.returns_to in {IDLE, PERSIST, OUT}
        assert state.state is SELECTION or state.returns_to is IDLE
        if state.settled is IDLE:
            assert state.draft == state.base
        if state.settled is PERSIST:
            assert state.draft != state.base


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=SEQUENCES, stateful_step_count=40, deadline=None)
