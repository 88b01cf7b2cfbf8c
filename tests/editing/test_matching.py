"""Places of a needle, candidates, markers; what comes near where there is no place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.editing.matching import (
    MOST_COUNTED,
    Selection,
    find_places,
    make_candidates,
    mark_candidates,
)
from codecortex.editing.nearest import Differs, find_nearest

SHORT = st.text("ab\n", max_size=30)


@given(text=SHORT, needle=st.text("ab\n", min_size=1, max_size=3))
def test_every_place_is_found_overlapping_ones_too(text, needle):
    assert find_places(text, needle) == [place for place in range(len(text)) if text.startswith(needle, place)]


def test_counting_stops():
    assert len(find_places("a" * (MOST_COUNTED + 5), "a")) == MOST_COUNTED


@given(text=SHORT, needle=st.text("ab\n", min_size=1, max_size=3))
def test_without_its_markers_a_marked_text_is_the_text(text, needle):
    places = find_places(text, needle)[:5]
    selection = Selection(needle, "", "", tuple(places), len(places))
    marked = mark_candidates(text, selection)
    for each in make_candidates(text, selection):
        before, _, rest = marked.partition(each.marker_start)
        inside, _, after = rest.partition(each.marker_end)
        assert needle == _strip(inside)
        assert len(_strip(before)) == places[each.id - 1]
        assert _strip(before + inside + after) == text
        assert text[each.context_start : each.context_end].find(needle) >= 0


def _strip(marked: str) -> str:
    for number in range(1, 6):
        marked = marked.replace(f"[[SEL#{number}]]", "").replace(f"[[/SEL#{number}]]", "")
    return marked


def test_a_preview_shows_what_stands_around_on_the_same_lines():
    text = "void Foo() {\n    int someRatherLongName = Foo();\n"
    selection = Selection("Foo()", "", "", (5, 42), 2)
    assert [(each.preview, each.occurrence) for each in make_candidates(text, selection)] == [
        ("void Foo() {", 0),
        ("...omeRatherLongName = Foo();", 1),
    ]
    assert mark_candidates(text, selection).splitlines()[0] == "void [[SEL#1]]Foo()[[/SEL#1]] {"


@pytest.mark.parametrize(
    ("text", "needle", "expected"),
    [
        ("  if (a)\n\t\treturn;\n", "if (a)\n    return;", ["white space"]),
        ("var Name = 1;", "var name = 1;", ["case"]),
        ("Say(“hi”);", 'Say("hi");', ["quotes"]),
        ("Say( “Hi” );", "say('hi');", []),
        ("Say( “Hi” );", 'say("hi");', ["white space", "case", "quotes"]),
        ("x = 1;", "  x = 1;", ["white space"]),
    ],
)
def test_what_differs_is_named(text, needle, expected):
    assert [[*each.differs] for each in find_nearest(text, needle)] == ([expected] if expected else [])


def test_a_line_that_shares_most_words_comes_near():
    text = "int a;\npublic void Save(string path, bool twice)\n{\n"
    (near,) = find_nearest(text, "{\npublic void Save(string file, bool twice)\n")
    assert (near.line, near.differs) == (2, (Differs.TEXT,))
    assert text[near.start : near.end] == near.preview == "public void Save(string path, bool twice)"


@pytest.mark.parametrize("needle", ["   ", "entirely different", "?"])
def test_nothing_comes_near(needle):
    assert find_nearest("class A { }\n", needle) == ()


@given(text=SHORT, needle=SHORT.filter(bool))
def test_passages_lie_in_the_text(text, needle):
    for each in find_nearest(text, needle):
        assert 0 <= each.start < each.end <= len(text)
        assert text[: each.start].count("\n") == each.line - 1
