"""The record of a run as bytes."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.config_choices import ProviderName
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.runs import JobRecord, JobState, Prices, RunRecord, RunRequest, RunStatus
from codecortex.store.local.ops_json import decode_run, encode_run

PATH = ".codecortex/local/ops/20240102T030405-00ff.json"

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
counts = st.integers(0, 1 << 40)
amounts = st.none() | st.decimals(0, 1000, places=4)
jobs = st.builds(
    JobRecord,
    owner=texts,
    names=st.lists(texts, max_size=3).map(tuple),
    types=st.lists(texts, max_size=3).map(tuple),
    kind=texts,
    path=texts,
    state=st.sampled_from(JobState),
    attempts=counts,
    last_error=texts,
    tokens_in=counts,
    tokens_out=counts,
    part=st.floats(0, 1),
)
runs = st.builds(
    RunRecord,
    id=st.just("20240102T030405-00ff"),
    status=st.sampled_from(RunStatus),
    reason=texts,
    asked=st.builds(
        RunRequest,
        symbols=st.lists(texts, max_size=2).map(tuple),
        every=st.booleans(),
        limit=st.none() | counts,
        provider=st.sampled_from(ProviderName),
        model=texts,
    ),
    started=texts,
    updated=texts,
    prices=st.builds(Prices, amounts, amounts),
    jobs=st.lists(jobs, max_size=4).map(tuple),
)
RUN = RunRecord(
    "20240102T030405-00ff",
    RunStatus.STOPPED,
    "enough",
    RunRequest(("Store",), every=True, limit=3, provider="openai", model="m"),
    "2024-01-02T03:04:05+00:00",
    "2024-01-02T03:04:06+00:00",
    Prices(Decimal("2.50"), Decimal(10)),
    (
        JobRecord("T_00000001", ("A",), ("T_00000001",), "new", "a.md", JobState.CACHED, 0, "", 1000, 100),
        JobRecord("T_00000002", ("B",), ("T_00000002",), "stale", "b.md", JobState.FAILED, 3, "no sections", 300, 0),
    ),
)


@given(runs)
def test_what_was_written_is_read_again(run):
    assert decode_run(encode_run(run), PATH) == run


def test_a_record_says_what_was_taken_and_what_it_cost():
    told = json.loads(encode_run(RUN))
    assert (told["schemaVersion"], told["status"], told["provider"]) == ("1.0", "stopped", "openai")
    assert (told["tokensIn"], told["tokensOut"], told["cost"]) == (1300, 100, "0.00425")
    assert told["states"] == {"pending": 0, "generating": 0, "cached": 1, "failed": 1}
    assert told["jobs"][1]["lastError"] == "no sections"


def test_without_prices_there_is_no_cost():
    told = json.loads(encode_run(RUN._replace(prices=Prices(Decimal(1), None))))
    assert told["cost"] is None


@pytest.mark.parametrize(
    "change",
    [
        {"jobs": None},
        {"jobs": [{}]},
        {"status": "asleep"},
        {"id": "../../etc"},
        {"limit": -1},
        {"limit": True},
        {"priceIn": "NaN"},
        {"priceIn": "-1"},
        {"priceIn": 1},
        {"symbols": "Store"},
        {"schemaVersion": 1},
    ],
)
def test_a_damaged_record_is_refused_by_name(change):
    data = json.dumps(json.loads(encode_run(RUN)) | change).encode()
    with pytest.raises(StoreFormatError, match="20240102T030405-00ff"):
        decode_run(data, PATH)


@pytest.mark.parametrize("data", [b"", b"null", b"[]", b"\xff", b'{"schemaVersion":"1.0"}', b"[" * 100_000])
def test_what_is_no_record_is_refused(data):
    with pytest.raises(StoreFormatError):
        decode_run(data, PATH)


def test_a_newer_record_is_refused_as_that():
    data = json.dumps(json.loads(encode_run(RUN)) | {"schemaVersion": "2.0"}).encode()
    with pytest.raises(NewerFormatError, match="newer"):
        decode_run(data, PATH)
