from codecortex.context.rounds.inheritance import (
    inherit_classic,
    inherit_edited,
    list_edited,
    list_files,
    list_seen,
    measure_likeness,
)
from codecortex.model.conversations import ConversationAnswer, Round, ShownFile


def make_round(number, question, *shown, named=(), answered=()):
    answer = ConversationAnswer("It is so.", tuple(answered), (), 1) if answered else None
    files = tuple(ShownFile(path, "b", {f"{path}{number}": "M"}) for path in shown)
    return Round(number, question, number, "", (), tuple(named), (), (), files, 100, 90, {}, answer)


def test_edited_is_what_is_new_or_other_than_before():
    before = {"same.cs": "1", "other.cs": "1", "gone.cs": "1"}
    assert list_edited(before, {"new.cs": "1", "same.cs": "1", "other.cs": "2"}) == ("new.cs", "other.cs")
    assert inherit_edited(("new.cs",)) == {"new.cs": 1.5}


def test_a_question_like_the_last_one_takes_over_its_files():
    rounds = [make_round(1, "orders lost in cache", "A.cs"), make_round(2, "widget colours", "B.cs")]
    found = inherit_classic("widget colours wrong", (), rounds)
    assert list(found) == ["B.cs"]
    assert 0.6 < found["B.cs"] <= 1.5


def test_a_question_about_anything_else_takes_over_nothing():
    rounds = [make_round(1, "orders lost in cache", "A.cs"), make_round(2, "widget colours", "B.cs")]
    assert inherit_classic("retry timeout of leases", (), rounds) == {}
    assert inherit_classic("", (), []) == {}


def test_a_file_that_is_named_again_relates_its_round():
    rounds = [make_round(1, "orders lost in cache", "A.cs", "B.cs")]
    assert list(inherit_classic("lost in A.cs", ("A.cs",), rounds)) == ["A.cs", "B.cs"]
    assert inherit_classic("lost in A.cs", (), rounds) == {}


def test_the_threshold_sinks_where_the_last_rounds_were_close():
    old = make_round(1, "cache of orders keeps stale leases forever", "Old.cs")
    close = [make_round(number, "orders cache stale", "New.cs") for number in (2, 3, 4)]
    assert "Old.cs" in inherit_classic("orders cache stale", (), [old, *close])
    other = [make_round(number, "widget colours", "New.cs") for number in (2, 3, 4)]
    assert "Old.cs" not in inherit_classic("orders cache stale", (), [old, *other])


def test_at_most_twenty_files_are_taken_over():
    rounds = [make_round(1, "orders lost", *(f"{at:02}.cs" for at in range(40)))]
    assert list(inherit_classic("orders lost", (), rounds)) == [f"{at:02}.cs" for at in range(20)]


def test_likeness_is_the_share_of_terms_of_both():
    assert measure_likeness(frozenset("ab"), frozenset("bc")) == 1 / 3
    assert measure_likeness(frozenset(), frozenset()) == 0.0


def test_the_files_of_a_round_begin_with_what_was_named():
    each = make_round(1, "q", "Shown.cs", "Named.cs", named=("Named.cs",), answered=("Answered.cs",))
    assert list_files(each) == ["Named.cs", "Answered.cs", "Shown.cs"]


def test_a_body_was_seen_in_the_last_round_that_showed_it():
    rounds = [make_round(1, "q", "A.cs"), make_round(2, "q", "A.cs")]
    again = rounds[0]._replace(number=3)
    assert list_seen([*rounds, again]) == {"A.cs1": 3, "A.cs2": 2}
