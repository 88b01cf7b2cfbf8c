"""The text of a pack: never more tokens than its budget; what matters most goes in first."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.context.packs import Contents, Member, Note, choose_outlines, rank_members, write_pack
from codecortex.context.tokens import estimate_tokens
from codecortex.model.notes import Section
from codecortex.model.packs import LEAST_BUDGET, MOST_BUDGET, PackDefinition


def count_words(text):
    return len(text.split())


def count_steps(text):
    """Tokens that are no sum over pieces: the whole may have more than its parts together."""
    return len(text) // 7 + len(text) ** 2 // 50_000


COUNTERS = st.sampled_from([estimate_tokens, count_words, count_steps, len])
BUDGETS = st.integers(0, 400) | st.integers(0, 20_000) | st.just(MOST_BUDGET)


def make(members, texts, notes=(), *, budget=4000, count=count_words):
    definition = budget if isinstance(budget, PackDefinition) else PackDefinition("name", "type:*", budget)
    ranked = rank_members(members)
    read = []

    def give():
        for each in ranked:
            read.append(each.id)
            yield each.id, texts[each.id]

    outlines = choose_outlines(definition, ranked, give(), count)
    kept = [note for note in notes if set(note.types) & set(outlines.texts)]
    order = sorted(outlines.texts)
    return write_pack(Contents(definition, ranked, outlines, kept, order), count), read


def member(number, *, matched=True, fan_in=0, depth=0):
    return Member(f"T_{number:03}", f"Ns.Type{number:03}", matched, fan_in, depth)


MEMBERS = st.lists(
    st.tuples(st.booleans(), st.integers(0, 3), st.integers(0, 3), st.integers(0, 60), st.integers(0, 3)), max_size=30
)


@given(MEMBERS, BUDGETS, COUNTERS, st.text("aä界 :*.", max_size=300))
def test_no_text_exceeds_its_budget(rows, budget, count, filter_text):
    members = [member(n, matched=m, fan_in=f, depth=d) for n, (m, f, d, _, _) in enumerate(rows)]
    texts = {
        each.id: f"# {each.fqn} {each.id}\n" + "int x; // y\n" * row[3] for each, row in zip(members, rows, strict=True)
    }
    notes = [
        Note(
            "A, B" if row[4] == 2 else "",
            (each.id,),
            row[4] == 3,
            dict.fromkeys(list(Section)[: row[4]], "What it is."),
        )
        for each, row in zip(members, rows, strict=True)
        if row[4]
    ]
    made, _ = make(members, texts, notes, budget=PackDefinition("name", filter_text, budget), count=count)
    assert made.tokens == count(made.text) <= budget
    assert set(made.types) <= set(texts)
    assert all(f"\n# Ns.Type{type_id[2:]} {type_id}\n" in made.text for type_id in made.types)
    assert made.text.count("\n# Ns.") == len(made.types)
    if budget == MOST_BUDGET:
        assert (len(made.types), made.sections) == (len(members), made.all_sections)


@pytest.mark.parametrize("count", [estimate_tokens, len])
def test_the_least_budget_holds_at_least_the_name_of_the_pack(count):
    definition = PackDefinition("n" * 64, "type:" + "界" * 900, LEAST_BUDGET)
    outlines = choose_outlines(definition, [], iter(()), count)
    made = write_pack(Contents(definition, [], outlines, [], []), count)
    assert made.text.startswith(f"# Pack: {'n' * 64}\n")
    assert count(made.text) <= LEAST_BUDGET


def test_the_head_says_what_was_left_out():
    members = [member(n, matched=n < 6) for n in range(9)]
    texts = {each.id: "word " * 50 for each in members}
    assert "\nTypes: 9 (6 matched, 3 depended on) | Budget: 4,000 tokens\n" in make(members, texts)[0].text
    made, _ = make(members, texts, budget=250)
    assert "\nTypes: 4 of 9 (4 of 6 matched, 0 of 3 depended on) | Budget: 250 tokens\n" in made.text
    assert (len(made.types), made.total, made.matched) == (4, 9, 6)


def test_who_is_named_most_and_stands_nearest_to_the_ground_stays():
    members = [
        member(0, matched=False, fan_in=9), member(1, fan_in=1), member(2, fan_in=5, depth=3),
        member(3, fan_in=5, depth=1), member(4, fan_in=5, depth=1),
    ]  # fmt: skip
    assert [each.id for each in rank_members(members)] == ["T_003", "T_004", "T_002", "T_001", "T_000"]
    texts = {each.id: "word " * 100 for each in members}
    kept = [set(make(members, texts, budget=40 + 101 * number)[0].types) for number in range(6)]
    assert [len(each) for each in kept] == [0, 1, 2, 3, 4, 5]
    for less, more in pairwise(kept):
        assert less < more
    assert kept[1] == {"T_003"}
    assert "T_000" not in kept[4]


def test_what_is_too_large_makes_room_for_what_is_not():
    members = [member(n, fan_in=50 - n) for n in range(50)]
    texts = {each.id: "word " * (5000 if n == 0 else 10) for n, each in enumerate(members)}
    made, read = make(members, texts, budget=200)
    assert "T_000" not in made.types
    assert made.types[0] == "T_001"
    assert len(read) < 40  # no more is read than is needed


def test_outlines_come_before_roles_and_roles_before_the_rest():
    members = [member(0, fan_in=2), member(1, fan_in=1)]
    texts = {each.id: f"outline{each.id} " * 20 for each in members}
    notes = [
        Note("", (each.id,), stale=False, sections={section: f"{section}{number} " * 10 for section in Section})
        for number, each in enumerate(members)
    ]
    found = []
    for budget in range(20, 250):
        text = make(members, texts, notes, budget=budget)[0].text
        for piece in (*(f"outline{each.id}" for each in members), *(f"{s}{n}" for s in Section for n in (0, 1))):
            if f"{piece} " in text and piece not in found:
                found.append(piece)
    worth = ("ROLE", "LIFECYCLE", "LIMITATIONS", "RECOMMENDATIONS", "EDGE_CASES")
    assert found == ["outlineT_000", "outlineT_001", *(f"{section}{number}" for section in worth for number in (0, 1))]


def test_a_note_stands_once_below_the_last_of_its_types_and_says_when_it_is_stale():
    members = [member(0), member(1), member(2)]
    texts = {each.id: f"# {each.id}\n" for each in members}
    notes = [
        Note("Ns.A, Ns.B", ("T_000", "T_002"), stale=True, sections={Section.ROLE: "Both."}),
        Note("", ("T_001",), stale=False, sections={Section.LIMITATIONS: "None.", Section.ROLE: "One."}),
    ]
    made, _ = make(members, texts, notes)
    body = made.text.partition("tokens\n")[2]
    assert body == (
        "\n# T_000\n\n# T_001\n\nNote:\nROLE: One.\nLIMITATIONS: None.\n"
        "\n# T_002\n\nNote on Ns.A, Ns.B (stale):\nROLE: Both.\n"
    )
    assert " | Note sections: 3 | Budget:" in made.text


def test_a_pack_of_nothing_says_so():
    made, _ = make([], {})
    assert made.text == "# Pack: name\nFilter: type:*\nTypes: 0 (0 matched, 0 depended on) | Budget: 4,000 tokens\n"


@given(MEMBERS, st.integers(0, 2000), st.randoms(use_true_random=False))
def test_the_order_in_which_types_are_given_changes_nothing(rows, budget, mixer):
    members = [member(n, matched=m, fan_in=f, depth=d) for n, (m, f, d, _, _) in enumerate(rows)]
    texts = {each.id: "int x;\n" * row[3] for each, row in zip(members, rows, strict=True)}
    mixed = list(members)
    mixer.shuffle(mixed)
    assert make(members, texts, budget=budget)[0] == make(mixed, texts, budget=budget)[0]


def test_counting_a_large_pack_takes_few_looks():
    looks = []

    def count(text):
        looks.append(len(text))
        return count_steps(text)

    members = [member(n) for n in range(500)]
    made, _ = make(members, {each.id: "x" * 200 for each in members}, budget=10_000, count=count)
    assert re.search(r"Types: \d+ of 500", made.text)
    assert sum(looks) < 3_000_000
