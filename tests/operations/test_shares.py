"""Work that is shared out: every item once and in order, slices of about the same weight."""

import os

from hypothesis import given
from hypothesis import strategies as st

from codecortex.operations.workers import share_out


def note(slice_):
    return [(each, os.getpid(), len(slice_)) for each in slice_]


@given(
    weights=st.lists(st.integers(min_value=0, max_value=50), min_size=1, max_size=40),
    processes=st.integers(min_value=1, max_value=4),
)
def test_every_item_is_worked_on_once_and_in_order(weights, processes):
    done = share_out(note, list(range(len(weights))), processes, worth=1, weights=weights)

    assert [each for each, _, _ in done] == list(range(len(weights)))
    assert len({process for _, process, _ in done}) <= processes


def test_a_heavy_item_is_weighed_against_many_light_ones():
    done = share_out(note, list(range(9)), 2, worth=1, weights=[8, 1, 1, 1, 1, 1, 1, 1, 1])

    assert [size for _, _, size in done] == [1] + [8] * 8


def test_few_items_stay_in_this_process():
    assert {process for _, process, _ in share_out(note, list(range(9)), 2, worth=10)} == {os.getpid()}
