"""Responses as Markdown in both languages, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.editing import events
from codecortex.editing.describing import describe_response
from codecortex.editing.markdown import (
    SchemaViolationError,
    format_response,
    parse_response,
    write_response,
)
from codecortex.editing.reducer import refuse_write, step
from codecortex.editing.values import (
    OPTIONAL_FLAGS,
    REQUIRED_FLAGS,
    Candidate,
    Flag,
    Language,
    Metrics,
    Mode,
    Response,
    State,
    Status,
)

KINDS = {
    "success": (State.IDLE, Mode.MANUAL, events.Replace("three", "3")),
    "committed": (State.PERSIST_PENDING, Mode.MANUAL, events.Commit()),
    "read-only": (State.IDLE, Mode.DISABLED, events.Append("more\n")),
    "no-match": (State.IDLE, Mode.MANUAL, events.Replace("Two  THREE", "")),
    "multi-match": (State.IDLE, Mode.MANUAL, events.Replace("two", "2")),
    "no-op": (State.IDLE, Mode.IMMEDIATE, events.Append("")),
    "external-conflict": (State.PERSIST_PENDING, Mode.MANUAL, events.DiskChange(None)),
    "exception": (State.SELECTION_PENDING, Mode.MANUAL, events.Append("x")),
    "refreshing": (State.OUT_OF_SYNC, Mode.MANUAL, events.BeginRefresh()),
}
TEXTS = st.text(min_size=1)


@st.composite
def responses(draw: st.DrawFn) -> Response:
    """Any response that may be."""
    state = draw(st.sampled_from(State))
    optional = draw(st.sets(st.sampled_from([flag for flag in Flag if flag in OPTIONAL_FLAGS[state]])))
    count = st.integers(0, 10**9)
    candidates: tuple[Candidate, ...] = ()
    if state is State.SELECTION_PENDING:
        rows = draw(st.lists(st.tuples(st.text(), count, count, count), min_size=1, max_size=5))
        candidates = tuple(Candidate(number, *row) for number, row in enumerate(rows, start=1))
    metrics = Metrics(draw(st.integers(-(10**9), 10**9)), draw(count), draw(count) if candidates else None)
    flags = Flag(sum(optional)) | REQUIRED_FLAGS[state]
    guidance = draw(st.none() | TEXTS | st.sampled_from(["(empty)", "\uff08留空\uff09", "\\(empty)"]))
    return Response(draw(st.sampled_from(Status)), state, flags, draw(TEXTS), guidance, metrics, candidates)


@pytest.mark.parametrize("language", Language)
@given(response=responses())
def test_every_response_reads_back(language, response):
    assert parse_response(format_response(response, language)) == response
    assert write_response(response, language) == (response, format_response(response, language))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_response(reach, response_snapshot, kind, language):
    state, mode, event = KINDS[kind]
    response = step(reach(state, mode, language), event).response
    told, text = write_response(response, language)
    assert told is response
    assert text + "\n" == response_snapshot(name=f"{kind}.{language}")


@pytest.mark.parametrize("language", Language)
def test_a_file_that_cannot_be_written(reach, response_snapshot, language):
    before = reach(State.PERSIST_PENDING, Mode.MANUAL, language)
    done = refuse_write(before, step(before, events.Commit()), "Permission denied")
    assert write_response(done.response, language)[1] + "\n" == response_snapshot(name=f"persist-failure.{language}")


def test_zero_has_a_sign(reach):
    text = format_response(step(reach(State.IDLE), events.Replace("two", "2")).response, Language.ENGLISH)
    assert "| delta | +0 |" in text


@pytest.mark.parametrize("language", Language)
def test_a_response_without_its_form_is_told_as_one(response_snapshot, language):
    wrong = Response(Status.SUCCESS, State.PERSIST_PENDING, Flag(0), "x", None, Metrics(0, 1))
    told, text = write_response(wrong, language)
    assert Flag.SchemaViolation in told.flags
    assert (told.state, told.status) == (State.PERSIST_PENDING, Status.EXCEPTION)
    assert parse_response(text) == told
    assert text + "\n" == response_snapshot(name=f"schema-violation.{language}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("status: ", "Status: "),
        ("`Success`", "`Done`"),
        ("state: `PersistPending`\n", ""),
        ("`PersistPending`\n\n", "`PersistPending`, `OutOfSync`\n\n"),
        ("flags: `PersistPending`", "flags: -"),
        ("flags: `PersistPending`", "flags: `Other`"),
        ("flags: `PersistPending`", "flags: `PersistPending`, `PersistPending`"),
        ("[OK] Overview", "[Fail] Overview"),
        ("Overview", "概览"),
        ("Overview", "Summary"),
        ("summary: Replaced one passage.", "summary: (empty)"),
        ("summary: Replaced one passage.", "summary: "),
        ("- guidance", "- Guidance"),
        ("| Metric | Value |", "| Value | Metric |"),
        ("| delta | -4 |", "| delta | 4 |"),
        ("| new_length | 14 |\n", ""),
        ("| selection_count | - |", "| selection_count | 2 |"),
        ("| selection_count | - |", "| selection_count | - |\n"),
    ],
)
def test_what_is_no_response_is_refused(reach, old, new):
    text = format_response(step(reach(State.IDLE), events.Replace("three", "3")).response, Language.ENGLISH)
    assert old in text
    with pytest.raises(SchemaViolationError):
        parse_response(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| MarkerStart | MarkerEnd |", "| MarkerEnd | MarkerStart |"),
        ("Candidates", "Choices"),
        ("`[[SEL#2]]`", "`[[SEL#3]]`"),
        ("| 2 | ", "| 3 | "),
        (" | 8 | 17 |", " | 8 |"),
        ("| selection_count | 2 |", "| selection_count | - |"),
    ],
)
def test_candidates_in_another_form_are_refused(reach, old, new):
    text = format_response(step(reach(State.IDLE), events.Replace("two", "2")).response, Language.ENGLISH)
    assert old in text
    with pytest.raises(SchemaViolationError):
        parse_response(text.replace(old, new, 1))


def test_as_json(reach):
    response = step(reach(State.IDLE, Mode.DISABLED), events.Replace("two", "2")).response
    told = describe_response(response)
    assert told["flags"] == {"mask": 17, "names": ["SelectionPending", "PersistReadOnly"]}
    assert told["metrics"] == {"delta": 0, "new_length": 18, "selection_count": 2}
    assert told["candidates"][1] == {
        "id": 2,
        "marker_start": "[[SEL#2]]",
        "marker_end": "[[/SEL#2]]",
        "preview": "two three",
        "occurrence": 1,
        "context_start": 8,
        "context_end": 17,
    }
