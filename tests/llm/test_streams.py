"""Server-sent events: however they are cut, the same events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.llm.streams import Event, EventReader
from codecortex.model.errors import ProviderError

WORDS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\n\ufeff"), max_size=8)
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def read(*chunks):
    reader = EventReader()
    return [event for chunk in chunks for event in reader.feed(chunk)]


@given(st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3))), LINE_ENDS, st.data())
def test_events_are_the_same_however_they_come(events, line_end, data):
    lines = []
    for name, texts in events:
        lines += [":comment", f"event: {name}", *(f"data: {text}" for text in texts), ""]
    sent = "".join(line + line_end for line in lines).encode()
    if line_end == "\r":
        sent += b":"  # a last CR may be the first half of a CR LF
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=5)))
    chunks = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    assert read(*chunks) == [Event(name or "message", "\n".join(texts)) for name, texts in events]


@given(st.binary(max_size=80))
def test_any_bytes_are_events_or_one_error(data):
    message = "UTF-8"
    try:
        EventReader().feed(data)
    except ProviderError as problem:
        message = problem.message
    assert "UTF-8" in message


def test_what_is_unfinished_is_no_event():
    assert read(b"data: a\n") == []
    assert read(b"event: a\n\n", b"data\n\n") == [Event("message", "")]
    assert read(b"\xef\xbb\xbfdata:a\n\n") == [Event("message", "a")]


def test_an_event_without_an_end_is_refused():
    with pytest.raises(ProviderError, match="without an end"):
        read(*[b"data: " + b"x" * 400_000] * 3)
    with pytest.raises(ProviderError, match="without an end"):
        read(*[b"data: " + b"x" * 400_000 + b"\n"] * 3)
