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
