"""What differs between two texts, line by line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codecortex.analysis.changes.member_diffs import diff_lines

LINES = st.lists(st.sampled_from(["a", "b", "c", "{", "}", ""]), max_size=40)


def test_only_what_changed_is_shown_with_two_lines_around_it():
    before = [f"line {at}" for at in range(20)]
    after = [*before[:10], "new", *before[11:]]
    assert diff_lines(before, after) == (
        "...",
        " line 8",
        " line 9",
        "-line 10",
        "+new",
        " line 11",
        " line 12",
        "...",
    )


def test_the_same_text_has_no_difference():
    assert diff_lines(["a", "b"], ["a", "b"]) == ()


def test_texts_too_long_to_compare_are_shown_as_gone_and_new():
    assert diff_lines(["a"] * 2000, ["b"]) == (*["-a"] * 2000, "+b")


@given(LINES, LINES)
def test_nothing_that_differs_is_lost(before, after):
    lines = diff_lines(before, after)
    shown = [line for line in lines if line != "..."]
    gone = [line[1:] for line in shown if line.startswith("-")]
    came = [line[1:] for line in shown if line.startswith("+")]
    kept = [line[1:] for line in shown if line.startswith(" ")]
    assert len(before) - len(gone) == len(after) - len(came)
    assert _is_within([line[1:] for line in shown if not line.startswith("+")], before)
    assert _is_within([line[1:] for line in shown if not line.startswith("-")], after)
    assert bool(lines) == (before != after)
    assert len(kept) <= 4 * (len(gone) + len(came))


def _is_within(some, every):
    """Whether lines stand in a text in this order."""
    rest = iter(every)
    return all(line in rest for line in some)
