import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.text.columns import count_units, find_offset, find_unit
from codecortex.parsing.occurrences.find import LineStarts

TEXTS = st.text(alphabet=st.sampled_from("aé€\U0001f600\U0001d49c "), max_size=12)


@given(TEXTS, TEXTS)
def test_a_column_leads_back_to_its_place(before, after):
    units = count_units(before.encode())

    assert units == sum(1 + (ord(each) > 0xFFFF) for each in before)
    assert find_unit(before + after, units) == len(before)
    assert find_offset((before + after).encode(), units) == len(before.encode())


def test_a_column_within_a_pair_is_that_of_its_character():
    assert (find_unit("a😀b", 2), find_offset("a😀b".encode(), 2)) == (1, 1)
    assert (find_unit("a😀b", 99), find_offset("a😀b".encode(), 99)) == (3, 6)


def test_places_of_a_source_count_units():
    source = 'x\n"😀é" y'.encode()
    starts = LineStarts(source)

    assert starts.find_place(source.index(b"y")) == (2, 7)
    assert starts.find((2, 7)) == source.index(b"y")


@pytest.mark.parametrize("long", ["a", "é", "€", "😀", "aé€😀", "a" * 4095 + "😀", "a" * 4094 + "€"])
def test_places_of_a_long_line_count_units(long):
    lines = ["é", long * (20_000 // len(long)), "x😀y", long * (9_000 // len(long)) + "z", ""]
    starts = LineStarts("\n".join(lines).encode())
    begin = 0
    for line, text in enumerate(lines, 1):
        for at in {*range(0, len(text), 997), *range(4090, min(4100, len(text))), len(text)}:
            before = text[:at].encode()
            assert starts.find_place(begin + len(before)) == (line, count_units(before) + 1)
            assert starts.find((line, count_units(before) + 1)) == begin + len(before)
        begin += len(text.encode()) + (line < len(lines))
        assert starts.find((line, 1_000_000)) == begin


def test_a_column_within_a_pair_is_that_of_its_character_in_a_long_line():
    starts = LineStarts(("😀" * 9000).encode())

    assert [starts.find((1, column)) for column in (1, 2, 3, 8192, 8193, 8194)] == [0, 0, 4, 16380, 16384, 16384]
