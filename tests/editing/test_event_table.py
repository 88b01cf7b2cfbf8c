"""The event table of the design, row by row, and what is settled where it leaves a case open."""

from itertools import product

import pytest

from codecortex.editing import events
from codecortex.editing.drafts import Draft
from codecortex.editing.reducer import open_draft, refuse_write, step
from codecortex.editing.values import Flag, Mode, State, Status

NONE = Flag(0)
IDLE, SELECTION, PERSIST = State.IDLE, State.SELECTION_PENDING, State.PERSIST_PENDING
OUT, REFRESHING = State.OUT_OF_SYNC, State.REFRESHING
OTHER = Draft("other\n")


def told(done):
    return done.response.status, done.state.state, done.response.flags


@pytest.mark.parametrize("state", [IDLE, PERSIST])
def test_replace_one_match_immediate(reach, state):
    done = step(reach(state, Mode.IMMEDIATE), events.Replace("three", "3"))
    assert told(done) == (Status.SUCCESS, IDLE, NONE)
    assert done.is_due
    assert done.state.draft.raw.endswith("two 3\n")
    assert done.response.metrics == (-4, len(done.state.draft.shown), None)


@pytest.mark.parametrize("state", [IDLE, PERSIST])
def test_replace_one_match_manual(reach, state):
    done = step(reach(state, Mode.MANUAL), events.Replace("three", "3"))
    assert told(done) == (Status.SUCCESS, PERSIST, Flag.PersistPending)
    assert not done.is_due
    assert "`commit`" in done.response.guidance
    assert "`discard`" in done.response.guidance


def test_replace_one_match_disabled(reach):
    done = step(reach(IDLE, Mode.DISABLED), events.Replace("three", "3"))
    assert told(done) == (Status.SUCCESS, PERSIST, Flag.PersistPending | Flag.PersistReadOnly)
    assert not done.is_due
    assert "commit" not in done.response.guidance
    assert "buffer alone" in done.response.guidance


@pytest.mark.parametrize(("state", "mode"), list(product([IDLE, SELECTION, PERSIST, OUT], Mode)))
def test_replace_several_matches(reach, state, mode):
    done = step(reach(state, mode), events.Replace("two", "2"))
    read_only = Flag.PersistReadOnly if mode is Mode.DISABLED else NONE
    assert told(done) == (Status.MULTI_MATCH, SELECTION, Flag.SelectionPending | read_only)
    assert [each.id for each in done.response.candidates] == [1, 2]
    assert done.response.metrics.selection_count == 2
    assert "`select`" in done.response.guidance


def test_select_immediate(reach):
    done = step(reach(SELECTION, Mode.IMMEDIATE), events.Select(2))
    assert told(done) == (Status.SUCCESS, IDLE, NONE)
    assert (done.is_due, done.state.draft.raw) == (True, "one two\n2 three\n")


def test_select_manual(reach):
    done = step(reach(SELECTION, Mode.MANUAL), events.Select(1, "deux"))
    assert told(done) == (Status.SUCCESS, PERSIST, Flag.PersistPending)
    assert done.state.draft.raw == "one deux\ntwo three\n"


@pytest.mark.parametrize("mode", [Mode.MANUAL, Mode.IMMEDIATE])
def test_commit_done(reach, mode):
    before = reach(PERSIST, mode)
    done = step(before, events.Commit())
    assert told(done) == (Status.SUCCESS, IDLE, NONE)
    assert (done.is_due, done.state.draft) == (True, before.draft)


def test_commit_failed(reach):
    before = reach(PERSIST)
    done = refuse_write(before, step(before, events.Commit()), "the disk is full")
    assert told(done) == (Status.PERSIST_FAILURE, OUT, Flag.OutOfSync)
    assert (done.state.draft, done.state.base, done.is_due) == (before.draft, before.base, False)
    assert "`diff`" in done.response.guidance
    assert "`refresh`" in done.response.guidance
    assert "the disk is full" in done.response.summary


def test_immediate_write_failed(reach):
    before = reach(IDLE, Mode.IMMEDIATE)
    done = refuse_write(before, step(before, events.Replace("three", "3")), "the disk is full")
    assert told(done) == (Status.PERSIST_FAILURE, OUT, Flag.OutOfSync)
    assert done.state.base == before.base
    assert "`save-as`" in done.response.guidance


@pytest.mark.parametrize("mode", Mode)
def test_changed_outside_in_persist_pending(reach, mode):
    before = reach(PERSIST, mode)
    done = step(before, events.DiskChange(OTHER))
    read_only = Flag.PersistReadOnly if mode is Mode.DISABLED else NONE
    assert told(done) == (Status.EXTERNAL_CONFLICT, OUT, Flag.OutOfSync | Flag.ExternalConflict | read_only)
    assert done.state.draft == before.draft
    assert "`diff`" in done.response.guidance


@pytest.mark.parametrize(("mode", "disk"), list(product(Mode, [None, events.Unreadable("is binary")])))
def test_changed_outside_in_idle_into_what_no_buffer_can_show(reach, mode, disk):
    before = reach(IDLE, mode)
    done = step(before, events.DiskChange(disk))
    assert (done.response.status, done.state.state) == (Status.EXTERNAL_CONFLICT, OUT)
    assert Flag.ExternalConflict in done.response.flags
    assert done.state.draft == before.draft


@pytest.mark.parametrize("mode", Mode)
def test_changed_outside_in_idle_is_read_anew(reach, mode):
    done = step(reach(IDLE, mode), events.DiskChange(OTHER))
    assert (done.response.status, done.state.state) == (Status.SUCCESS, IDLE)
    assert done.state.draft == done.state.base == OTHER
    assert "changed outside" in done.response.summary


def test_changed_outside_makes_candidates_void(reach):
    done = step(reach(SELECTION), events.DiskChange(OTHER))
    assert told(done) == (Status.SUCCESS, IDLE, NONE)
    assert done.state.selection is None


def test_changed_outside_into_what_the_buffer_says(reach):
    before = reach(PERSIST)
    assert told(step(before, events.DiskChange(before.draft))) == (Status.SUCCESS, IDLE, NONE)


@pytest.mark.parametrize(("state", "mode"), list(product([IDLE, SELECTION, PERSIST, OUT], Mode)))
def test_refresh_begins(reach, state, mode):
    done = step(reach(state, mode), events.BeginRefresh())
    assert told(done) == (Status.SUCCESS, REFRESHING, Flag.DiagnosticHint)


def test_refresh_ends(reach):
    done = step(reach(REFRESHING), events.EndRefresh(OTHER))
    assert told(done) == (Status.SUCCESS, IDLE, NONE)
    assert done.state.draft == OTHER
    same = reach(REFRESHING)
    assert told(step(same, events.EndRefresh(same.base))) == (Status.NO_OP, IDLE, NONE)


def test_refresh_fails(reach):
    done = step(reach(REFRESHING), events.EndRefresh(events.Unreadable("is binary")))
    flags = Flag.OutOfSync | Flag.ExternalConflict | Flag.DiagnosticHint
    assert told(done) == (Status.EXCEPTION, OUT, flags)
    assert "log" in done.response.guidance


@pytest.mark.parametrize("state", [PERSIST, OUT])
def test_discard_takes_the_text_of_the_file(reach, state):
    done = step(reach(state), events.Discard(OTHER))
    assert told(done) == (Status.SUCCESS, IDLE, NONE)
    assert done.state.draft == OTHER


@pytest.mark.parametrize("earlier", [IDLE, PERSIST, OUT])
@pytest.mark.parametrize("leave", [events.Discard(OTHER), events.Replace("absent", "")])
def test_leaving_a_selection_returns_to_the_state_before_the_first_one(reach, earlier, leave):
    start = reach(earlier)
    first = step(start, events.Replace("two", "2")).state
    second = step(first, events.Replace("o", "0")).state
    assert second.state is SELECTION
    after = step(second, leave).state
    assert after == start


def test_a_replace_while_out_of_sync_stays_there_and_writes_nothing(reach):
    done = step(reach(OUT, Mode.IMMEDIATE), events.Replace("three", "3"))
    assert (done.response.status, done.state.state, done.is_due) == (Status.SUCCESS, OUT, False)
    assert done.state.draft.raw.endswith("3\n")


def test_candidates_of_another_text_are_void(reach):
    before = reach(SELECTION)._replace(draft=OTHER)
    done = step(before, events.Select(1))
    assert (done.response.status, done.state.state) == (Status.NO_MATCH, IDLE)
    assert done.state.draft == OTHER
    assert "`replace` again" in done.response.guidance


@pytest.mark.parametrize("number", [-1, 0, 3])
def test_a_candidate_that_there_is_not(reach, number):
    before = reach(SELECTION)
    done = step(before, events.Select(number))
    assert (done.response.status, done.state) == (Status.EXCEPTION, before)


def test_nothing_to_look_for(reach):
    before = reach(IDLE)
    done = step(before, events.Replace("", "x"))
    assert (done.response.status, done.state) == (Status.EXCEPTION, before)


def test_no_match_names_the_nearest_passage(reach):
    done = step(reach(IDLE), events.Replace("ONE  two", "x"))
    assert (done.response.status, done.state.state) == (Status.NO_MATCH, IDLE)
    assert "line 1, differs in white space, case: one two" in done.response.guidance
    assert [each.preview for each in done.near] == ["one two"]


@pytest.mark.parametrize(
    "event",
    [
        events.Replace("three", "three"),
        events.Append(""),
        events.Write("one two\ntwo three\n"),
        events.Undo(None, known=False),
    ],
)
@pytest.mark.parametrize("mode", Mode)
def test_what_would_change_nothing_does_nothing(reach, mode, event):
    before = reach(IDLE, mode)
    done = step(before, event)
    assert (done.response.status, done.state, done.is_due) == (Status.NO_OP, before, False)


def test_undoing_what_differs_from_the_file_is_idle_again(reach):
    before = reach(PERSIST)
    assert told(step(before, events.Undo(before.base))) == (Status.SUCCESS, IDLE, NONE)


@pytest.mark.parametrize(
    ("disk", "intent", "status"),
    [
        (None, "create", Status.SUCCESS),
        (None, "either", Status.SUCCESS),
        (None, "update", Status.EXCEPTION),
        (OTHER, "create", Status.EXCEPTION),
        (OTHER, "either", Status.SUCCESS),
        (OTHER, "update", Status.SUCCESS),
    ],
)
@pytest.mark.parametrize("text", ["", "new\n"])
def test_write_tells_created_from_updated(disk, intent, status, text):
    before = open_draft(disk)
    done = step(before, events.Write(text, events.Intent(intent)))
    assert done.response.status is status
    if status is Status.SUCCESS:
        assert (done.is_due, done.state.draft) == (True, Draft(text))
        assert done.response.summary.startswith("Created" if disk is None else "Replaced the whole")
    else:
        assert (done.state, done.is_due) == (before, False)


def test_a_text_that_does_not_exist_is_idle_and_nothing_of_it_is_committed():
    before = open_draft(None, Mode.MANUAL)
    done = step(before, events.Commit())
    assert (done.response.status, done.state, done.is_due) == (Status.NO_OP, before, False)


def test_what_the_encoding_cannot_write_is_refused():
    before = open_draft(Draft("café", Draft().form._replace(encoding="cp1252")))
    done = step(before, events.Append("→"))
    assert (done.response.status, done.state, done.is_due) == (Status.EXCEPTION, before, False)
    assert "U+2192" in done.response.summary


@pytest.mark.parametrize("failure", ["", "no space left"])
def test_save_as_changes_neither_buffer_nor_state(reach, failure):
    before = reach(OUT)
    done = step(before, events.SaveAs("b.txt", failure))
    assert done.state == before
    assert done.response.status is (Status.PERSIST_FAILURE if failure else Status.SUCCESS)
    assert "b.txt" in done.response.summary


def test_another_mode_holds_from_now_on(reach):
    done = step(reach(PERSIST), events.Show(Mode.DISABLED))
    assert done.response.flags == Flag.PersistPending | Flag.PersistReadOnly
    assert done.state.mode is Mode.DISABLED
