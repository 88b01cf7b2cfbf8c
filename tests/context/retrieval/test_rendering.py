from hypothesis import given, settings
from hypothesis import strategies as st

from codecortex.context.retrieval.endings import EndLine
from codecortex.context.retrieval.members import RankedMember
from codecortex.context.retrieval.ranking import RankedFile
from codecortex.context.retrieval.rendering import Candidate, FileSource, Wanted, render
from codecortex.context.tokens import estimate_tokens
from codecortex.model.code.units import Unit
from codecortex.model.text.visible import show_line

TEXTS = st.text(max_size=30)


def member(name: str, line: int, length: int) -> RankedMember:
    return RankedMember(
        Unit(name, "method", line, line + length, "T", abstract=False, inner=(), length=3), line, 1.0, 0.5
    )


@st.composite
def candidates(draw):
    found = []
    for place in range(draw(st.integers(0, 8))):
        members = [
            member(draw(TEXTS), draw(st.integers(1, 60)), draw(st.integers(0, 60)))
            for _ in range(draw(st.integers(0, 6)))
        ]
        path = f"src/{draw(TEXTS)}{place}.cs"
        found.append(
            Candidate(RankedFile(place, path, 5.0 - place, 0.6 / (1 + place), {}), [(draw(TEXTS), 1)], members)
        )
    return found


@settings(max_examples=60, deadline=None)
@given(
    candidates(), st.integers(1, 700), st.lists(TEXTS, min_size=1, max_size=80), st.sampled_from([estimate_tokens, len])
)
def test_no_answer_takes_more_than_its_budget(found, budget, lines, count):
    source = FileSource(lines, {1: "class T"}, {number: ["void M()"] for number in range(1, 60)})
    rendered = render(found, Wanted(budget, count, lambda _: source, lambda line: len(line) % 3, [], ["test/A.cs"]))
    assert count(rendered.text) == rendered.tokens
    assert rendered.tokens <= budget
    seen = dict.fromkeys((digest for shown in rendered.shown for digest in shown.digests), 1_000_000)
    again = render(found, Wanted(budget, count, lambda _: source, lambda line: len(line) % 3, [], ["test/A.cs"], seen))
    assert again.tokens <= budget
    assert not seen.keys() & {digest for shown in again.shown for digest in shown.digests}
    assert not any(
        not char.isprintable() for char in rendered.text.replace("\n", "").replace("\t", "") if char < "\x80"
    )


def test_no_source_passes_for_the_text_around_it():
    lines = ["void M()", "{", 'var s = "', "src/Other.cs", "members: Evil", '";', "}"]
    found = [Candidate(RankedFile(0, "src/T.cs", 1.0, 0.9, {}), [("T", 1)], [member("M", 1, 6)])]
    text = render(found, Wanted(500, len, lambda _: FileSource(lines, {}, {}), lambda _: 1.0, ())).text
    assert "  src/Other.cs" in text
    assert [line for line in text.split("\n") if not line.startswith("  ")] == ["src/T.cs", "1: T", "1-7:"]


def test_what_a_terminal_obeys_or_turns_text_around_is_shown_as_a_sign():
    assert show_line("a\x1b[2J\u202eb\u2066\x85\t") == r"a\u001B[2J\u202Eb\u2066\u0085" + "\t"


def ask_for(found, budget, lines=(), tests=()):
    source = FileSource(["x"] * 200, {}, {})
    return render(found, Wanted(budget, estimate_tokens, lambda _: source, lambda _: 0.0, lines, tests))


def place(number, members, name="T"):
    return Candidate(RankedFile(number, f"src/{name}{number}.cs", 1.0, 0.9 / (1 + number), {}), [(name, 1)], members)


def test_members_without_a_body_are_named_with_their_lines_in_the_first_files():
    members = [member(f"Member{number}", number * 50, 40) for number in range(1, 4)]
    members[1] = members[1]._replace(unit=members[1].unit._replace(inner=("Step", "Retry")))
    text = ask_for([place(number, members) for number in range(30)], 1600).text
    assert "members: Member1 50-90, Member2 100-140 (local Step Retry), Member3 150-190" in text
    assert "src/T17.cs\n1: T\nmembers: " in text
    assert "src/T18.cs\nT\nsrc/T19.cs\n" in text  # further down a file is worth more than names


def test_tests_are_named_even_where_callers_take_all_their_room():
    callers = [EndLine("T.M is used in: ", (f"T.Caller{number} src/T{number}.cs:5",)) for number in range(40)]
    found = [place(number, [member("M", 1, 3)]) for number in range(20)]
    tests = [f"test/Unit/Long/Folder/T{number}Tests.cs" for number in range(6)]
    rendered = ask_for(found, 2000, callers, tests)
    assert "\ntests: test/Unit/Long/Folder/T0Tests.cs, test/Unit/Long/Folder/T1Tests.cs" in rendered.text
    assert rendered.tokens <= 2000


def test_a_line_of_which_all_has_no_room_is_shown_with_what_has():
    siblings = tuple(f"T{number}.M src/T{number}.cs:5" for number in range(12))
    found = [place(number, [member("M", 1, 3)]) for number in range(20)]
    for budget, whole in ((600, True), (600, False), (2000, True), (2000, False)):
        rendered = ask_for(found, budget, [EndLine("I.M is also in: ", siblings, 3, whole)])
        line = next(line for line in rendered.text.split("\n") if line.startswith("I.M is also in: "))
        shown = line.count("src/")
        assert shown == 12 if budget == 2000 else 1 <= shown < 12
        assert line.endswith(f" and {'' if whole else 'at least '}{15 - shown} more")


def test_a_line_says_that_not_all_was_looked_for():
    found = [place(number, [member("M", 1, 3)]) for number in range(3)]
    text = ask_for(found, 2000, [EndLine("T.M is used in: ", ("T.N src/T.cs:5",), whole=False)]).text
    assert "T.M is used in: T.N src/T.cs:5 and perhaps more\n" in f"{text}\n"


def test_room_that_is_left_names_further_files_of_which_none_is_shown():
    found = [place(number, [member(f"Member{number}", 1, 150)], "T" * 60) for number in range(80)]
    rendered = ask_for(found, 1500)
    *_, last = rendered.text.split("\n")
    paths = last.removeprefix("further: ").split(", ")
    shown = {found[each.place].file.path for each in rendered.shown}
    assert last.startswith("further: ")
    assert shown.isdisjoint(paths)
    assert paths == [each.file.path for each in found if each.file.path not in shown][: len(paths)]
