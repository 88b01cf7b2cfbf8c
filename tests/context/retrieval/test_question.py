import pytest

from codecortex.context.retrieval.question import Mention, read_question
from codecortex.model.text.terms import split_name


def test_a_name_gives_its_parts_its_whole_and_their_pairs():
    split = split_name("GetRetryDelays")
    assert split.parts == ("get", "retry", "delay")
    assert split.whole == "getretrydelays"
    assert split.pairs == ("get retry", "retry delay")


def test_capitals_in_a_row_are_one_part():
    assert split_name("XMLHttpReader").parts == ("xml", "http", "read")


def test_words_that_say_nothing_are_left_out():
    assert set(read_question("Why is the null Connection not closed?").terms) == {"connection", "clos"}


def test_the_type_of_a_conventional_commit_says_nothing_and_its_scope_something():
    assert set(read_question("feat(streaming)!: pooled buffers").terms) == {"stream", "pool", "buff"}
    assert set(read_question("test: pooled buffers").terms) == {"pool", "buff"}
    assert "test" in read_question("a test: pooled buffers").terms
    assert "test" in read_question("test pooled buffers").terms


def test_a_question_of_one_word_asks_for_it_whatever_it_is():
    assert read_question("Within?").names == ("Within",)
    assert read_question("Lock").terms == {"lock": 1.0}
    assert read_question("And then?").terms == {}


def test_a_word_that_is_repeated_weighs_more_but_not_without_end():
    terms = read_question("pool " * 50 + "lease").terms
    assert terms == {"pool": 3**0.5, "leas": 1.0}


def test_places_in_files_are_found_however_they_are_written():
    text = (
        "src/A.cs:12 and B.cs(3,4): error CS0103 "
        "at N.T.M(String s) in /home/me/repo/src/C.cs:line 77 see D.cs#L5 and E.cs"
    )
    assert set(read_question(text).mentions) == {
        Mention("src/A.cs", 12),
        Mention("B.cs", 3),
        Mention("home/me/repo/src/C.cs", 77),
        Mention("D.cs", 5),
        Mention("E.cs", 0),
    }


def test_frames_of_a_stack_trace_name_the_member_that_the_compiler_moved():
    frame = "   at Shop.Store`1.<FindAsync>d__3.MoveNext() in Store.cs:line 9"
    assert ("Shop", "Store", "FindAsync", "d__3") in read_question(frame).dotted or (
        "Shop",
        "Store",
        "FindAsync",
    ) in read_question(frame).dotted


@pytest.mark.slow
def test_a_long_run_of_signs_takes_no_time():
    for unit in ("a.", "A+", "\\", "at ", "::", "((", "x" * 50, "a/b\\"):
        read_question(unit * (32_000 // len(unit)))
