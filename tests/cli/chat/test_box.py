"""The box that is typed in and the answers below it, without a terminal: rows, scrolling, what is shown, blocks."""

from itertools import pairwise
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from codecortex.cli.chat.box import Box
from codecortex.cli.chat.markdown import Blocks, MarkdownView
from codecortex.cli.chat.plainly import lay_out, measure
from codecortex.cli.chat.wrapping import Row, Wrapped, choose_top, wrap
from codecortex.operations.request import Request

CHARS = st.sampled_from(["a", ".", "世", "🎉", "\u0301", "\t", "\u200d", "🇩"])
LINES = st.lists(st.lists(CHARS, max_size=40).map("".join), min_size=1, max_size=12)
WIDTH = 9


def make_rows(lines, width=WIDTH):
    shown = ["".join(lay_out(line, width).chars) + " " for line in lines]
    return Wrapped(shown.__getitem__, len(lines), width), shown


@given(LINES, st.integers(1, 9), st.data())
def test_the_cursor_is_always_seen_and_no_room_is_left_empty_below(lines, height, data):
    rows, shown = make_rows(lines)
    top, total = Row(0, 0), sum(rows.count(line) for line in range(len(lines)))
    for _ in range(4):
        line = data.draw(st.integers(0, len(lines) - 1))
        cursor = rows.find(line, data.draw(st.integers(0, len(shown[line]) - 1)))
        before = top
        top = choose_top(rows, top, cursor, height)
        assert top <= cursor <= rows.go(top, height - 1)
        if total > height:
            assert rows.go(top, height - 1) != rows.go(top, height - 2) or height == 1, "full of rows"
        else:
            assert top == Row(0, 0)
        if before <= cursor <= rows.go(before, height - 1) and before <= rows.go(rows.last, 1 - height):
            assert top == before, "what is seen does not move"


def test_a_cursor_that_would_leave_comes_to_two_thirds():
    rows, _ = make_rows(["x"] * 100)
    top = choose_top(rows, Row(0, 0), Row(50, 0), 9)
    assert top == Row(44, 0)
    assert choose_top(rows, top, Row(43, 0), 9) == Row(37, 0)
    assert choose_top(rows, top, Row(99, 0), 9) == Row(91, 0), "the end stands at the bottom"


@given(st.lists(CHARS, max_size=60).map("".join), st.integers(4, 12))
def test_each_row_fits_and_only_the_last_ends_early(line, width):
    shown = "".join(lay_out(line, width).chars)
    starts = wrap(shown, width)
    rows = [shown[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    assert "".join(rows) == shown
    widths = [sum(map(measure, row)) for row in rows]
    assert all(each == width for each in widths[:-1]), "so that nothing of an older row is left at its end"
    assert all(each <= width for each in widths)
    assert not any(row.startswith("\u0301") for row in rows[1:]), "no mark is parted from what it belongs to"


@given(st.lists(CHARS, max_size=60).map("".join))
def test_each_character_has_its_place(line):
    laid = lay_out(line, 11)
    assert laid.places == sorted(laid.places)
    assert len(laid.places) == len(line)
    for char, place in zip(line, laid.places, strict=True):
        if char in "a.世🎉":
            assert laid.chars[place] == char


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("a\tb\t\tc", "a   b       c"),
        ("世\tb", "世  b"),
        ("👨\u200d👩 🇩🇪 ❤\ufe0f", "👨👩 DE ❤"),
        ("ab世", "ab 世"),
        ("aae\u0301", "aa e\u0301"),
    ],
)
def test_what_is_shown(typed, shown):
    assert "".join(lay_out(typed, 3 if typed in ("ab世", "aae\u0301") else 80).chars) == shown


@given(st.text(st.sampled_from("a#`~ \n-"), max_size=80), st.lists(st.integers(0, 80), max_size=6))
def test_an_answer_is_cut_into_the_same_blocks_however_it_arrives(text, cuts):
    whole = Blocks()
    expected = whole.feed(text)
    pieces, blocks, found = sorted({0, *cuts, len(text)}), Blocks(), []
    for start, end in pairwise(pieces):
        found += blocks.feed(text[start:end])
    assert (found, blocks.rest) == (expected, whole.rest)
    said = "".join("\n".join([*found, blocks.rest]).split())
    assert said == "".join(text.split())


@pytest.mark.parametrize("end", ["", "\n\n"])
def test_an_answer_does_a_terminal_no_harm(end, capsys):
    view = MarkdownView()
    for piece in ("Hello \x1b", "[2J\x1b]0;title\x07 and \u202eback\r", f" \x9b31m[red]x[/red]{end}"):
        view.hear(piece)
    view.end()
    shown = capsys.readouterr().out
    assert not {"\x1b", "\x07", "\u202e", "\r", "\x9b"} & set(shown)
    assert "\\u001B[2J" in shown.replace("\n", "")
    assert "[red]x[/red]" in shown


def test_a_fence_stays_one_block():
    blocks = Blocks()
    assert blocks.feed("Look:\n```cs\na\n\nb\n") == ["Look:"]
    assert blocks.feed("```\nafter") == ["```cs\na\n\nb\n```"]
    assert blocks.rest == "after"


@pytest.mark.parametrize("piece", [1, 3, 10])
@pytest.mark.parametrize(("typed", "whole"), [("/qu", "/quit"), ("@Store.Ad", "@src/Core/Store.Adding.cs")])
def test_tab_waits_for_names_that_are_being_looked_for(shop, typed, whole, piece):
    """However the keys arrive: a search runs since the first of them, and no other begins beside it."""
    chosen = Event()

    def keep(text):
        if text == whole:
            chosen.set()

    def press():
        for start in range(0, len(typed) + 1, piece):
            keys.send_text(f"{typed}\t"[start : start + piece])
        chosen.wait(60)
        keys.send_text("\r\r")

    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        box = Box(Request(shop), (), keep)
        fingers = Thread(target=press)
        fingers.start()
        assert box.ask("", "", interrupted=False) == whole
        fingers.join()
