import pytest

from codecortex.context.retrieval.question import Mention, read_question
from codecortex.model.text.terms import split_name, stem


def test_a_name_gives_its_parts_its_whole_and_their_pairs():
    split = split_name("GetRetryDelays")
    assert split.parts == ("get", "retr", "delay")
    assert split.whole == "getretrydelays"
    assert split.pairs == ("get retr", "retr delay")


def test_capitals_in_a_row_are_one_part():
    assert split_name("XMLHttpReader").parts == ("xml", "http", "read")
    assert split_name("GetURLs").parts == ("get", "url")
    assert split_name("IDs").parts == split_name("Id").parts


@pytest.mark.parametrize(
    "forms",
    [
        "retry retries retried retrying", "query queries querying", "policy policies", "factory factories",
        "process processes processed processing processor", "address addresses", "status statuses",
        "cache caches caching",
        "cancel cancelled cancellation", "map maps mapped mapping mapper", "filter filters filtering filtered",
        "buffer buffered buffering", "serialize serializer serialization", "validate validator validating validation",
        "create creates created creating creation", "connect connection connections connected", "call calls calling",
    ],
)  # fmt: skip
def test_all_forms_of_a_word_are_one_term_that_all_of_them_begin_with(forms):
    (term,) = {stem(word) for word in forms.split()}
    assert all(word.startswith(term) for word in forms.split())


def test_words_that_only_look_like_forms_of_another_are_not():
    words = ["add", "address", "access", "class", "clause", "form", "format", "status", "stat", "factor", "fact"]
    assert len(set(map(stem, words))) == len(words)


def test_a_digit_tells_names_apart():
    assert split_name("OAuth1").whole == "oauth1"
    assert read_question("OAuth2 tokens").terms.keys() == {"auth", "oauth2", "token"}
    assert split_name("Int32").parts == split_name("Int64").parts


def test_words_that_say_nothing_are_left_out():
    assert set(read_question("Why is the null Connection not closed?").terms) == {"connect", "clos"}


def test_the_type_of_a_conventional_commit_says_nothing_and_its_scope_something():
    assert set(read_question("feat(streaming)!: pooled buffers").terms) == {"stream", "pool", "buf"}
    assert set(read_question("test: pooled buffers").terms) == {"pool", "buf"}
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


@pytest.mark.parametrize(
    ("text", "dotted"),
    [
        ("Pool<T>.Rent fails", ("Pool", "Rent")),
        ("Pool<int, List<string>>.Rent(int)", ("Pool", "Rent")),
        ("Mediator?.Send and more", ("Mediator", "Send")),
        ("at Demo.Mediator.get_Timeout()", ("Demo", "Mediator", "Timeout")),
        ("Demo.Mediator.set_Timeout(5)", ("Demo", "Mediator", "Timeout")),
    ],
)
def test_members_are_found_as_code_and_stack_traces_write_them(text, dotted):
    assert dotted in read_question(text).dotted


@pytest.mark.parametrize(
    "text", ["A.cs:9", "see:A.cs:9", "A.cs, line 9", "A.cs line 9", "in A.cs on line 9", "A.cs#L9", "A.cs(9)"]
)
def test_a_line_is_found_however_it_is_written(text):
    assert read_question(text).mentions == (Mention("A.cs", 9),)


def test_an_ending_in_capitals_is_one():
    assert read_question("src/A.CS is wrong").mentions == (Mention("src/A.CS", 0),)
