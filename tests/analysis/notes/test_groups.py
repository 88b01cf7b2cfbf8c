"""Which types share a note: whole small circles, and of large ones what hangs together most."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codecortex.analysis.graph.components import find_components
from codecortex.analysis.notes.groups import Limits, Tie, Ties, join_texts, name_group, take_part
from codecortex.model.code.types import TypeId
from codecortex.model.hashing import Digest
from codecortex.model.notes import Base, Note, Section

A, B, C, D, E = (TypeId(f"T_{letter * 8}") for letter in "ABCDE")


def tie(*named, structural=True):
    """The edges of a graph: `(A, B)` or `(A, B, 3)` that A names B, how often."""
    found = {}
    for source, target, *count in named:
        found.setdefault(source, []).append(Tie(target, structural, count[0] if count else 1))
        found.setdefault(target, [])
    return found


def find(ties, *, types=8, tokens=1000, size=10):
    return Ties(ties, lambda few: dict.fromkeys(few, size), Limits(types, tokens)).find_groups(ties)


def test_types_that_name_each_other_share_a_note_and_others_do_not():
    assert find(tie((A, B), (B, A), (B, C), (C, D))) == [(A, B)]
    assert find(tie((A, B), (B, C), (C, A), (D, A))) == [(A, B, C)]
    assert find(tie((A, B), (B, C))) == []


def test_a_type_that_names_itself_stays_alone():
    assert find(tie((A, A))) == []


def test_a_circle_that_is_too_large_is_cut_where_it_is_weakest():
    ties = tie((A, B, 5), (B, A, 5), (B, C, 1), (C, B, 1), (C, D, 4), (D, C, 4))
    assert find(ties, types=4) == [(A, B, C, D)]
    assert find(ties, types=3) == [(A, B), (C, D)]


def test_edges_of_one_strength_go_together_so_that_no_order_decides():
    ring = tie((A, B), (B, C), (C, D), (D, A))
    assert find(ring, types=3) == []


def test_a_circle_with_long_outlines_is_cut_too():
    ties = tie((A, B, 2), (B, A, 2), (B, C), (C, B))
    assert find(ties, tokens=30) == [(A, B, C)]
    assert find(ties, tokens=29) == [(A, B)]
    assert find(ties, tokens=19) == []


def test_what_surfaces_say_binds_more_than_what_bodies_say():
    bodies, surfaces = tie((A, B, 9), (B, A, 9), structural=False), tie((B, C), (C, B))
    ties = {each: [*bodies.get(each, ()), *surfaces.get(each, ())] for each in (A, B, C)}
    assert find(ties, types=2) == [(B, C)]


def test_a_group_goes_on_while_it_hangs_together_and_fits():
    ties = tie((A, B), (B, A), (B, C), (C, B), (C, D), (D, C))
    ground = Ties(ties, lambda few: dict.fromkeys(few, 10), Limits(3, 100))
    assert ground.is_whole((A, B, C))
    assert not ground.is_whole((A, B, C, D))  # too many
    assert not ground.is_whole((A, B, D))  # D hangs on C alone
    assert not ground.is_whole((A, B, E))  # nothing is known of E
    assert not Ties(ties, lambda few: dict.fromkeys(few, 50), Limits(3, 100)).is_whole((A, B, C))


def test_a_group_is_named_after_its_types_in_whatever_order():
    names = {name_group(order) for order in permutations((A, B, C))}
    assert len(names) == 1
    assert names != {name_group((A, B))}
    assert next(iter(names)).startswith("G_")
    assert len(next(iter(names))) == len("G_12345678")


TYPES = [TypeId(f"T_{number:08d}") for number in range(12)]
EDGES = st.lists(st.tuples(st.sampled_from(TYPES), st.sampled_from(TYPES), st.integers(0, 3)), max_size=60)


@settings(max_examples=150, deadline=None)
@given(EDGES, st.integers(2, 6), st.randoms())
def test_groups_are_disjoint_fit_and_hang_together_whatever_the_order(edges, most, random):
    found = find(tie(*edges), types=most)
    mixed = list(edges)
    random.shuffle(mixed)
    if len({edge[:2] for edge in edges}) == len(edges):
        assert find(tie(*mixed), types=most) == found
    members = [each for group in found for each in group]
    assert len(members) == len(set(members))
    targets = {source: [each.target for each in ties] for source, ties in tie(*edges).items()}
    circles = [circle for circle in find_components(targets) if len(circle) > 1]
    for group in found:
        assert 1 < len(group) <= most
        inside = {each: [target for target in targets[each] if target in group] for each in group}
        assert len(find_components(inside)) == 1
    for circle in circles:
        assert len(circle) > most or circle in found


def make(fqn, **texts):
    base = Base(TypeId("T_AAAAAAAA"), fqn, *map(Digest, "ABCD"), None)
    told = dict.fromkeys(Section, "\n") | {Section[name]: text for name, text in texts.items()}
    return Note("T_AAAAAAAA", (base,), (), "hand", None, tuple(told.values()))


def test_the_text_of_one_note_is_carried_on_as_it_is():
    note = make("N.A", ROLE=" Keeps.\n\n", LIMITATIONS="\n- one\n- two\n\n")
    assert join_texts([note]) == note.texts
    assert join_texts([]) is None


SHARED = "`A<T>`:\nOne.\n`B` is near.\n\n`N.B`:\n- two\n\n- three"


@pytest.mark.parametrize(
    ("text", "own", "part"),
    [
        (SHARED, "A<T>", "One.\n`B` is near."),
        (SHARED, "N.B", "- two\n\n- three"),
        (SHARED, "C", ""),
        ("Both keep orders.\n`N.B`:\n- two", "N.B", "Both keep orders.\n`N.B`:\n- two"),
        ("", "C", ""),
    ],
)
def test_of_a_shared_text_the_part_of_one_type_is_taken(text, own, part):
    assert take_part(text, own, ["A<T>", "N.B", "C"]) == part


def test_the_texts_of_several_notes_become_one_that_says_of_which_types_each_speaks():
    first = make("N.A", ROLE=" Keeps.\n\n", RECOMMENDATIONS="\n- one\n")
    second = make("N.B", ROLE="\nHolds.\nAll of it.\n\n", RECOMMENDATIONS=" None.\n")
    joined = dict(zip(Section, join_texts([first, second]), strict=True))
    assert joined[Section.ROLE] == "\nAbout N.A: Keeps.\n\nAbout N.B:\nHolds.\nAll of it.\n\n"
    assert joined[Section.LIFECYCLE] == ""
    assert joined[Section.RECOMMENDATIONS] == "\nAbout N.A:\n- one\n\nAbout N.B: None.\n"
