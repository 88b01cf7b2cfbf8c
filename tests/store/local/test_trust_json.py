"""trust.json: what is written is read, and nothing else is taken for allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.store.local.trust_json import Grant, GrantKind, decode_grants, encode_grants

TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
GRANT = st.builds(
    Grant,
    TEXT,
    st.sampled_from(GrantKind),
    st.lists(TEXT, min_size=1, max_size=3).map(tuple),
    st.from_regex(r"[0-9a-f]{64}", fullmatch=True),
)


@given(st.lists(GRANT, max_size=4))
def test_what_is_written_is_read(grants):
    assert decode_grants(encode_grants(grants), "trust.json") == tuple(sorted(set(grants)))


@given(st.binary(max_size=80))
def test_any_bytes_are_one_error(data):
    with pytest.raises(StoreFormatError, match=r"^trust\.json: "):
        decode_grants(data, "trust.json")


@pytest.mark.parametrize(
    "row",
    [
        '{"repository":"/a","kind":"command","words":["a"],"digest":"x"}',
        '{"repository":"/a","kind":"all","words":["a"],"digest":"%s"}',
        '{"repository":"/a","kind":"command","words":[1],"digest":"%s"}',
        '{"repository":["/a"],"kind":"command","words":["a"],"digest":"%s"}',
        '{"kind":"command","words":["a"],"digest":"%s"}',
        "[]",
    ],
)
def test_a_row_that_makes_no_sense_allows_nothing(row):
    text = f'{{"schemaVersion":"1.0","allowed":[{row.replace("%s", "0" * 64)}]}}'
    with pytest.raises(StoreFormatError):
        decode_grants(text.encode(), "trust.json")


def test_a_newer_list_is_told():
    with pytest.raises(NewerFormatError):
        decode_grants(b'{"schemaVersion":"2.1","everything":true}', "trust.json")
