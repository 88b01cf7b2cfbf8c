from codecortex.context.rounds.compaction import compact, extract_decision, shorten
from codecortex.model.conversations import Conversation, ConversationAnswer, Round, RoundSummary, ShownFile


def make_round(number, answer=""):
    told = ConversationAnswer(answer, ("Answered.cs",), (), 1) if answer else None
    shown = (ShownFile("Whole.cs", "b", {"D": "M"}), ShownFile("Name.cs", "b"))
    return Round(number, f"question\n{number}", 1, "", (), (), (), (), shown, 100, 90, {}, told)


def test_the_last_rounds_stay_and_the_others_become_summaries():
    rounds = tuple(make_round(number, "It leaks. Decided to drop the cache.") for number in range(1, 9))
    done = compact(Conversation(rounds), 3, {})
    assert done.rounds == rounds[5:]
    assert [each.number for each in done.compacted] == [1, 2, 3, 4, 5]
    assert done.compacted[0] == RoundSummary(1, "question 1", "Decided to drop the cache.", ("Answered.cs", "Whole.cs"))
    assert done.last_number == 8


def test_what_somebody_tells_of_a_round_takes_the_place_of_its_answer_s_own_sentence():
    rounds = tuple(make_round(number, "It leaks. Decided to drop the cache.") for number in range(1, 4))
    done = compact(Conversation(rounds), 1, {2: "The cache\ngoes.", 3: "Not compacted."})
    assert [each.decision for each in done.compacted] == ["Decided to drop the cache.", "The cache goes."]


def test_compacting_again_keeps_what_was_compacted():
    rounds = tuple(make_round(number) for number in range(1, 9))
    once = compact(Conversation(rounds), 5, {})
    assert compact(once, 5, {}) == once
    twice = compact(once, 0, {})
    assert twice.rounds == ()
    assert [each.number for each in twice.compacted] == list(range(1, 9))
    assert twice.last_number == 8


def test_a_decision_is_prose_that_decides_else_the_first_sentence():
    assert extract_decision("# Retry\nIt counts twice. Therefore the fix is one line.") == (
        "Therefore the fix is one line."
    )
    assert extract_decision("```cs\nwe should();\n```\nIt counts twice. It is old.") == "It counts twice."
    assert extract_decision("\u7f13\u5b58\u8fc7\u671f\u3002\u6539\u3002") == "\u7f13\u5b58\u8fc7\u671f\u3002"
    assert extract_decision("```\nunclosed") == ""
    assert extract_decision("") == ""


def test_a_long_text_is_cut():
    assert shorten("a\n b\t c") == "a b c"
    assert len(shorten("word " * 1000)) <= 300
