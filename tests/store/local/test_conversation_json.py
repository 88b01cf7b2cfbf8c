"""A conversation survives being written and read; damage is named, never guessed at."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codecortex.model.conversations import (
    NOTHING,
    Action,
    Conversation,
    ConversationAnswer,
    InheritedFile,
    Round,
    RoundSummary,
    ShownFile,
    SourceState,
    Spent,
)
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.store.local.conversation_json import decode_conversation, encode_conversation

_TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
_TEXTS = st.lists(_TEXT, max_size=3).map(tuple)
_TIME = st.integers(0, 1 << 40)
_FIGURE = st.floats(allow_nan=False, allow_infinity=False)
_SPENT = st.just(NOTHING) | st.builds(Spent, _TIME, _TIME, st.none() | st.decimals(0, 10**9, places=6))
_ANSWER = st.none() | st.builds(ConversationAnswer, _TEXT, _TEXTS, _TEXTS, _TIME, _SPENT)
_ACTIONS = st.lists(st.builds(Action, _TEXT, _TEXT, _TEXT, _TEXT), max_size=2).map(tuple)
_SHOWN = st.lists(st.builds(ShownFile, _TEXT, _TEXT, st.dictionaries(_TEXT, _TEXT, max_size=2)), max_size=3).map(tuple)
_ROUND = st.builds(
    Round, st.just(0), _TEXT, _TIME, _TEXT, _TEXTS, _TEXTS, _TEXTS,
    st.lists(st.builds(InheritedFile, _TEXT, _FIGURE), max_size=2).map(tuple), _SHOWN, _TIME, _TIME,
    st.dictionaries(_TEXT, _FIGURE, max_size=2), _ANSWER, _TIME, _ACTIONS,
)  # fmt: skip
_SUMMARY = st.builds(RoundSummary, st.just(0), _TEXT, _TEXT, _TEXTS)
_STATE = st.builds(SourceState, st.sampled_from(["", "a" * 40, "0" * 64]), st.dictionaries(_TEXT, _TEXT, max_size=3))


@st.composite
def conversations(draw):
    compacted = [each._replace(number=at) for at, each in enumerate(draw(st.lists(_SUMMARY, max_size=2)), 1)]
    first = len(compacted) + 1
    rounds = [each._replace(number=at) for at, each in enumerate(draw(st.lists(_ROUND, max_size=3)), first)]
    return Conversation(tuple(rounds), tuple(compacted), draw(_STATE), draw(_SPENT))


@settings(max_examples=60)
@given(conversations())
def test_what_is_written_is_read(conversation):
    data = encode_conversation("talk", conversation)
    assert decode_conversation(data, "talk.json") == ("talk", conversation)
    assert encode_conversation("talk", decode_conversation(data, "talk.json")[1]) == data


@given(st.binary())
def test_any_bytes_are_read_or_refused(data):
    with pytest.raises(StoreFormatError):
        decode_conversation(data, "talk.json")


@pytest.mark.slow
def test_a_file_that_was_cut_anywhere_is_refused():
    data = encode_conversation("talk", make_conversation(3))
    for length in range(0, len(data) - 2, 7):
        with pytest.raises(StoreFormatError, match=r"^talk\.json:"):
            decode_conversation(data[:length], "talk.json")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"kind":"conversation"', '"kind":"window"'),
        ('"name":"talk","head":"', '"name":"talk","head":"HEAD\\n'),
        ('"schemaVersion":"1.0"', '"schemaVersion":"1.7"'),
        ('"schemaVersion":"1.0"', '"schemaVersion":"0.1"'),
        ('"name":"talk"', '"name":"../talk"'),
        ('"number":2', '"number":1'),
        ('"number":2', '"number":true'),
        ('"named":[', '"named":[-1,'),
        ('"named":[', '"named":[999999,'),
        ('"relevance":0.1', '"relevance":NaN'),
        ('"relevance":0.1', '"relevance":1e999'),
        ('"question":"', '"question":"\\ud800'),
        ('"question":"', '"question":"\\uD800'),
        ('"rounds":[', '"rounds":[7,'),
        ('"files":[', '"files":[["a"],'),
    ],
)
def test_damage_is_named(old, new):
    text = encode_conversation("talk", make_conversation(3)).decode()
    assert old in text
    with pytest.raises(StoreFormatError, match=r"^talk\.json:"):
        decode_conversation(text.replace(old, new, 1).encode(), "talk.json")


def test_a_newer_file_is_told_from_a_damaged_one():
    data = encode_conversation("talk", Conversation()).replace(b'"1.0"', b'"2.0"')
    with pytest.raises(NewerFormatError):
        decode_conversation(data, "talk.json")


def make_conversation(rounds):
    """A conversation whose rounds show 150 of 3,000 files, 60 members of them whole, and are answered at length."""
    dice = random.Random(1)  # noqa: S311 - no secret

    def write_id(bits):
        return f"{dice.getrandbits(bits):0{bits // 4}x}"

    files = [(f"src/Shop.Core.Orders/Folder{at % 37}/OrderService{at}.cs", write_id(160)) for at in range(3000)]

    def make_round(number):
        picked = dice.sample(files, 150)
        shown = tuple(
            ShownFile(*file, {write_id(40): f"FindOrderByKey{at}Async" for at in range(6)} if place < 10 else {})
            for place, file in enumerate(picked)
        )
        answer = ConversationAnswer("The cause is the cache. " * 40, (picked[0][0],), ("Store.Find",), 1)
        named = (picked[0][0],)
        inherited = tuple(InheritedFile(path, 1.5) for path, _ in picked[:20])
        return Round(
            number, "Why is the order lost? " * 8, 1_700_000_000, "a" * 40, (), named, named, inherited, shown,
            50_000, 49_000, {"relevance": 0.1, "budget": 0.98}, answer, 1,
        )  # fmt: skip

    state = SourceState("a" * 40, dict(files[:100]))
    return Conversation(tuple(make_round(number) for number in range(1, rounds + 1)), (), state)


def test_two_hundred_rounds_stay_small():
    conversation = make_conversation(200)
    data = encode_conversation("talk", conversation)
    assert len(data) < 2_000_000
    assert decode_conversation(data, "talk.json")[1] == conversation
