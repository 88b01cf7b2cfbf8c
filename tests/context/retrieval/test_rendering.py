from hypothesis import given, settings
from hypothesis import strategies as st

from codecortex.context.retrieval.members import RankedMember
from codecortex.context.retrieval.ranking import RankedFile
from codecortex.context.retrieval.rendering import Candidate, FileSource, Wanted, render
from codecortex.context.tokens import estimate_tokens
from codecortex.model.units import Unit
from codecortex.model.visible import show_line

TEXTS = st.text(max_size=30)


def member(name: str, line: int, length: int) -> RankedMember:
    return RankedMember(Unit(name, "method", line, line + length, "T", abstract=False, length=3), line, 1.0, 0.5)


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
    rendered = render(found, Wanted(budget, count, lambda _: source, lambda line: len(line) % 3, ["tests: A.cs"]))
    assert count(rendered.text) == rendered.tokens
    assert rendered.tokens <= budget
    seen = dict.fromkeys((digest for shown in rendered.shown for digest in shown.digests), 1_000_000)
    again = render(found, Wanted(budget, count, lambda _: source, lambda line: len(line) % 3, ["tests: A.cs"], seen))
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
