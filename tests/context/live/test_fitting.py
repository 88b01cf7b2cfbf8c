"""What is shown fits in the budget, whoever counts; what is most needed goes first."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.context.live.excerpts import find_most
from codecortex.context.live.fitting import fit_live
from codecortex.context.live.values import NO_FILE, Anchor, FileText, Materials, MemberLine, PlanHint, Step
from codecortex.context.live.writing import describe_live
from codecortex.context.tokens import estimate_tokens
from codecortex.model.editor import EditorState, Position, Span

COUNTERS = {
    "estimate": estimate_tokens,
    "characters": len,
    "bytes": lambda text: len(text.encode()),
    "words": lambda text: len(re.findall(r"\S+", text)),
    "quarters": lambda text: -(-len(text) // 4),
    "lines": lambda text: text.count("\n") + 1,
    "with a head": lambda text: 7 + len(text) // 3,
}


def make_materials(text, older=(), **others):
    texts = [FileText(each, form="utf-8, LF") for each in (text, *older)]
    steps = tuple(
        Step(f"{number:040x}", "2026-01-01T00:00:00+00:00", f"Change {number}", "replace", "Success", "",
             failed=False, before=before, after=after)
        for number, (after, before) in enumerate(pairwise(texts))
    )  # fmt: skip
    anchor = Anchor("a" * 40, "2026-01-01T00:00:00+00:00", texts[-1]) if older else None
    fields = {
        "session": "s", "version": "f" * 40, "time": "2026-01-01T00:00:00+00:00", "path": "src/a.cs", "file": texts[0],
        "disk": "", "also": (), "steps": steps,
        "anchor": anchor, "editor": EditorState(), "plans": (), "members": tuple,
    }  # fmt: skip
    return Materials(**{**fields, **others})


lines = st.lists(st.text("ab {}`é\u2028\x1b", max_size=60), max_size=120).map("\n".join)


@given(
    st.sampled_from(sorted(COUNTERS)),
    st.integers(8, 3000),
    st.lists(lines, min_size=1, max_size=6),
    st.integers(1, 200),
    st.integers(0, 50),
)
def test_the_budget_is_never_exceeded(counter, budget, texts, line, members):
    text, *older = texts
    count = COUNTERS[counter]
    editor = EditorState("src/a.cs", Position(line, 1), (Span("src/a.cs", Position(1, 1), Position(2, 1)),), ("b.cs",))
    plans = tuple(
        PlanHint("e" * 40, "", f"Rename {number}", "rename", "b.cs", number % 2 == 0, "no") for number in range(6)
    )
    listed = [MemberLine(number, number + 1, number % 3, f"method M{number}()") for number in range(1, members)]
    materials = make_materials(
        text, older, editor=editor, plans=plans, also=tuple(map(str, range(9))), members=lambda: listed
    )
    shown = fit_live(materials, budget, count)
    assert count(shown.text) == shown.tokens <= budget
    assert fit_live(materials, budget, count) == shown
    described = describe_live(shown)["currentDocument"]
    assert described["text"] in {None, text}
    for piece in described["window"]:
        assert piece["text"] == "".join(f"{each}\n" for each in text.split("\n")[piece["line"] - 1 : piece["endLine"]])


def number_lines(total):
    return "".join(f"int field{number};\n" for number in range(1, total + 1))


def test_where_all_of_it_fits_all_of_it_is_shown():
    after = number_lines(30)
    shown = fit_live(make_materials(after, [after.replace("field7;", "seven;")]), 2000, estimate_tokens)
    assert shown.excerpt.whole
    assert f"```csharp\n{after}```" in shown.text
    assert "-int seven;\n+int field7;" in shown.text
    assert "The same as 000000000000 above." in shown.text


def test_a_long_file_is_shown_around_the_cursor_and_the_last_changes_with_an_index_of_members():
    after = number_lines(5000)
    members = [MemberLine(1, 5000, 0, "class A"), *(MemberLine(n, n, 1, f"field field{n}") for n in range(1, 5001))]
    editor = EditorState("src/a.cs", Position(4000, 3))
    before = after.replace("field2000;", "two;")
    materials = make_materials(after, [before], editor=editor, members=lambda: members, more=" --session s")
    shown = fit_live(materials, 1500, estimate_tokens)
    spans = [(piece.first, piece.first + len(piece.lines) - 1) for piece in shown.excerpt.pieces]
    assert [first <= place <= last for (first, last), place in zip(spans, (2000, 4000), strict=True)] == [True, True]
    assert spans[0][1] - spans[0][0] > 20
    listed = [each.name for each in shown.excerpt.members]
    assert {"class A", "field field4000"} <= set(listed) <= {each.name for each in members}
    assert shown.excerpt.left_out == 5001 - len(listed) > 0
    assert "`codecortex read src/a.cs:A-B --session s`" in shown.text
    assert "`codecortex outline src/a.cs --members --session s`" in shown.text
    assert "-int two;\n+int field2000;" in shown.text
    assert shown.tokens > 1000


def test_an_index_is_asked_only_for_a_file_that_does_not_fit():
    def refuse():
        raise AssertionError

    assert fit_live(make_materials("a\n", members=refuse), 1000, len).excerpt.whole


def test_the_newest_patches_go_first_and_what_has_no_room_says_so():
    texts = [number_lines(40).replace("field1;", f"f{n};") + f"{n} " * 600 * (n == 2) for n in range(5)]
    shown = fit_live(make_materials(texts[0], texts[1:]), 900, estimate_tokens)
    assert [diff.patch is not None for _, diff in shown.steps] == [True, False, False, True]
    assert shown.text.count("No room for its patch") >= 2
    assert describe_live(shown)["recentDiffs"][1]["patch"] is None


@pytest.mark.parametrize(
    ("before", "after", "kind", "told"),
    [
        (NO_FILE, FileText("a\n", form="utf-8, LF"), "created", "Created, lines 1-1"),
        (FileText("a\n", form="utf-8, LF"), NO_FILE, "removed", "There is no such file."),
        (
            FileText("a\n", form="utf-8, LF"),
            FileText("a\n", form="utf-8, CRLF"),
            "form",
            "From utf-8, LF to utf-8, CRLF.",
        ),
        (FileText("a\n", form="utf-8, LF"), FileText(reason="it is binary"), "binary", "No text: it is binary."),
    ],
)
def test_what_is_no_change_of_lines_has_a_word(before, after, kind, told):
    step = Step("1" * 40, "", "Something", "", "", "", failed=False, before=before, after=after)
    shown = fit_live(make_materials("", file=after, steps=(step,)), 1000, len)
    assert [diff.kind for _, diff in shown.steps] == [kind]
    assert told in shown.text


def test_a_failure_is_marked_and_says_why():
    same = FileText("a\n", form="utf-8, LF")
    step = Step("1" * 40, "", "Replace x", "replace", "NoMatch", "x is nowhere", failed=True, before=same, after=same)
    hint = PlanHint("1" * 40, "", "Rename x to y", "replace", "src/a.cs", failed=True, error="x is nowhere")
    shown = fit_live(make_materials("a\n", steps=(step,), plans=(hint,)), 1000, len)
    assert "FAILED: Replace x (replace, NoMatch)\nError: x is nowhere" in shown.text
    assert "Rename x to y (replace src/a.cs): failed: x is nowhere" in shown.text
    (told,) = describe_live(shown)["recentDiffs"]
    assert (told["isError"], told["error"], told["patch"]) == (True, "x is nowhere", "")


def test_a_fence_is_longer_than_any_in_the_text():
    shown = fit_live(make_materials("````\nnot the end\n````"), 1000, len)
    assert "`````csharp\n````\nnot the end\n````\n`````" in shown.text


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_greatest_number_that_holds_is_found(high, bound):
    assert find_most(0, high, lambda number: number <= bound) == min(high, bound)
