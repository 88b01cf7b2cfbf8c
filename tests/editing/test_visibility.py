"""The visibility matrix of the design, row by row."""

from itertools import product

import pytest

from codecortex.editing import events
from codecortex.editing.reducer import step
from codecortex.editing.values import Mode, State, Status
from codecortex.editing.visibility import Verb, list_allowed

COLUMNS = ("replace", "select", "append", "commit", "discard", "refresh", "diff")
MATRIX = {
    "Idle": "yes no yes yes yes yes no",
    "SelectionPending": "yes yes no no yes yes yes",
    "PersistPending": "yes no yes yes yes yes yes",
    "OutOfSync": "yes no no no yes yes yes",
    "Refreshing": "no no no no no no no",
}
EVENTS = {
    Verb.REPLACE: events.Replace("absent", ""),
    Verb.SELECT: events.Select(1),
    Verb.APPEND: events.Append("more"),
    Verb.WRITE: events.Write("whole"),
    Verb.UNDO: events.Undo(None, known=False),
    Verb.REDO: events.Redo(None, known=False),
    Verb.COMMIT: events.Commit(),
    Verb.SAVE_AS: events.SaveAs("other.txt"),
    Verb.DISCARD: events.Discard(None),
    Verb.DIFF: events.Compare(),
    Verb.REFRESH: events.BeginRefresh(),
}


@pytest.mark.parametrize(("state", "verb"), list(product(MATRIX, COLUMNS)))
def test_matrix(state, verb):
    expected = dict(zip(COLUMNS, MATRIX[state].split(), strict=True))[verb] == "yes"
    assert (Verb(verb) in list_allowed(State(state), Mode.MANUAL)) is expected


@pytest.mark.parametrize("state", MATRIX)
def test_commit_is_hidden_where_nothing_is_written_later(state):
    manual = list_allowed(State(state), Mode.MANUAL)
    assert list_allowed(State(state), Mode.DISABLED) == manual - {Verb.COMMIT}
    at_once = {Verb.COMMIT} if state == "Idle" else set()
    assert list_allowed(State(state), Mode.IMMEDIATE) == manual - at_once


@pytest.mark.parametrize("state", MATRIX)
def test_the_verbs_that_the_matrix_does_not_name_are_allowed_as_their_nearest_is(state):
    allowed = list_allowed(State(state), Mode.MANUAL)
    assert {verb in allowed for verb in (Verb.WRITE, Verb.UNDO, Verb.REDO)} == {Verb.APPEND in allowed}
    assert (Verb.SAVE_AS in allowed) is (state not in {"SelectionPending", "Refreshing"})


@pytest.mark.parametrize(("state", "mode", "verb"), list(product(State, Mode, Verb)))
def test_a_verb_is_refused_exactly_where_it_is_not_allowed_and_then_changes_nothing(reach, state, mode, verb):
    before = reach(state, mode)
    done = step(before, EVENTS[verb])
    refused = done.response.status is Status.EXCEPTION and "not allowed" in done.response.summary
    assert refused is (verb not in list_allowed(state, mode))
    if refused:
        assert (done.state, done.is_due) == (before, False)


@pytest.mark.parametrize(("state", "mode"), list(product(State, Mode)))
def test_showing_is_allowed_always(reach, state, mode):
    assert step(reach(state, mode), events.Show()).response.status is Status.SUCCESS
