"""What the prompt window holds, and what it leaves out first; that it never exceeds its budget."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.context.window import Block, Reason, Window, WindowSection, compose_window, measure_block
from codecortex.model.code.types import TypeId
from codecortex.model.notes import Section

NOTE = {section: f"About its {section.lower()}." for section in Section}


def make_block(name: str, size: int = 100, notes: Mapping[Section, str] | None = None, remark: str = "") -> Block:
    """A type of which the window takes `size` characters, its gap included, without its note."""
    head = f"# {name}\n"
    return Block(head + "x" * (size - len(head) - 3) + "\n", notes or {}, remark)


def compose(budget: int, blocks: Mapping[str, Block], **queues: Sequence[str]) -> Window:
    known = {TypeId(name): block for name, block in blocks.items()}
    wanted = {WindowSection[place.upper()]: [TypeId(name) for name in names] for place, names in queues.items()}
    return compose_window(wanted, lambda ids: {i: known[i] for i in ids if i in known}, budget)


def list_names(window: Window, place: WindowSection) -> list[str]:
    return [each.type_id for each in window.kept if each.place is place]


def headings(*places: str) -> int:
    return sum(len(f"# {place}\n\n") for place in places)


def test_pw_01_pinned_and_focus_are_there_and_recent_ends_where_the_budget_does():
    blocks = {name: make_block(name, 700) for name in ("P1", "P2", "R1", "R2", "R3")} | {"F1": make_block("F1", 600)}
    budget = 2 * 700 + 600 + 700 + headings("Pinned", "Focus", "Recent") + 600
    window = compose(budget, blocks, pinned=["P1", "P2"], focus=["F1"], recent=["R1", "R2", "R3"])
    assert list_names(window, WindowSection.PINNED) == ["P1", "P2"]
    assert list_names(window, WindowSection.FOCUS) == ["F1"]
    assert list_names(window, WindowSection.RECENT) == ["R1"]
    assert "# Recent\n\n## R1\n" in window.text
    assert "R2" not in window.text
    assert [(each.type_id, each.reason) for each in window.left_out] == [("R2", Reason.NO_ROOM), ("R3", Reason.NO_ROOM)]


def test_pw_02_a_type_of_which_nothing_can_be_told_is_skipped():
    window = compose(1000, {"A": make_block("A"), "C": make_block("C")}, pinned=["A", "B", "C"], focus=["D"])
    assert list_names(window, WindowSection.PINNED) == ["A", "C"]
    assert "# Focus" not in window.text
    assert [(each.type_id, each.reason) for each in window.left_out] == [
        ("B", Reason.UNREADABLE), ("D", Reason.UNREADABLE),
    ]  # fmt: skip


def test_pw_07_recent_is_dropped_where_little_is_left_and_then_the_oldest_of_the_focus():
    blocks = {name: make_block(name) for name in ("P", "F1", "F2", "F3")} | {"R": make_block("R", 20)}
    queues = {"pinned": ["P"], "focus": ["F1", "F2", "F3"], "recent": ["R"]}
    full = 400 + headings("Pinned", "Focus")
    little_left = compose(full + 60, blocks, **queues)
    assert list_names(little_left, WindowSection.FOCUS) == ["F1", "F2", "F3"]
    assert "# Recent" not in little_left.text
    less_left = compose(full - 50, blocks, **queues)
    assert list_names(less_left, WindowSection.FOCUS) == ["F1", "F2"]
    enough_left = compose(full + 100, blocks, **queues)
    assert list_names(enough_left, WindowSection.RECENT) == ["R"]


def test_outlines_come_before_roles_and_roles_before_the_rest_of_the_notes():
    block = make_block("A", 100, NOTE, "This note is stale: Order changed.")
    basics = measure_block(block)
    budgets = range(90, basics + 400)
    told = [compose(budget + headings("Pinned"), {"A": block}, pinned=["A"]).kept for budget in budgets]
    seen = list(dict.fromkeys(kept[0].sections if kept else None for kept in told))
    assert seen == [None, (), *(tuple(Section)[: n + 1] for n in range(len(Section)))]


def test_every_type_has_its_turn_before_notes_are_told_in_full():
    blocks = {name: make_block(name, 100, NOTE) for name in ("A", "B", "C")}
    basics = sum(map(measure_block, blocks.values()))
    window = compose(basics + headings("Focus") + 40, blocks, focus=["A", "B", "C"])
    assert [each.sections for each in window.kept] == [
        (Section.ROLE, Section.LIFECYCLE), (Section.ROLE,), (Section.ROLE,),
    ]  # fmt: skip


def test_a_remark_stands_before_the_note_it_is_about_and_never_without_it():
    block = make_block("A", 100, {Section.ROLE: "Keeps orders."}, "This note is stale: Order changed.")
    whole = compose(1000, {"A": block}, pinned=["A"]).text
    assert "x\n\nThis note is stale: Order changed.\n\nROLE:\nKeeps orders.\n" in whole
    assert "stale" not in compose(120, {"A": block}, pinned=["A"]).text


def test_a_type_is_told_once_in_the_first_section_that_has_it():
    blocks = {name: make_block(name) for name in ("A", "B")}
    window = compose(1000, blocks, pinned=["A", "A"], focus=["A", "B"], recent=["B", "A"])
    assert [(each.place, each.type_id) for each in window.kept] == [
        (WindowSection.PINNED, "A"),
        (WindowSection.FOCUS, "B"),
    ]


def test_what_does_not_fit_of_the_focus_is_passed_over():
    blocks = {"A": make_block("A", 900), "B": make_block("B")}
    assert list_names(compose(500, blocks, focus=["A", "B"]), WindowSection.FOCUS) == ["B"]


def test_texts_are_loaded_only_as_long_as_there_is_room():
    names = [TypeId(f"T{number}") for number in range(1000)]
    asked: list[TypeId] = []

    def load(ids: Sequence[TypeId]) -> dict[TypeId, Block]:
        asked.extend(ids)
        return {type_id: make_block(type_id) for type_id in ids}

    compose_window({WindowSection.RECENT: names}, load, 500)
    assert len(asked) < 50


@pytest.mark.parametrize("budget", [0, 1, 9])
def test_a_budget_too_small_for_anything_gives_nothing(budget: int):
    assert compose(budget, {"A": make_block("A", 20)}, pinned=["A"]).text == ""


_NAMES = st.sampled_from("ABCDEFGH")
_TEXTS = st.text(min_size=1, max_size=40)
_BLOCKS = st.dictionaries(
    _NAMES, st.builds(Block, _TEXTS.map("# {}\n".format), st.dictionaries(st.sampled_from(Section), _TEXTS), _TEXTS)
)
_QUEUES = st.lists(_NAMES, max_size=12)


@given(_BLOCKS, _QUEUES, _QUEUES, _QUEUES, st.integers(0, 1500))
def test_pw_09_the_text_never_exceeds_the_budget_and_no_heading_stands_alone(
    blocks: dict[str, Block], pinned: list[str], focus: list[str], recent: list[str], budget: int
):
    window = compose(budget, blocks, pinned=pinned, focus=focus, recent=recent)
    assert len(window.text) <= budget
    for place in WindowSection:
        texts = [each.text for each in window.kept if each.place is place]
        whole = "\n\n".join([f"# {place}", *texts])
        assert not texts or whole in window.text
    assert bool(window.text) == bool(window.kept)
    expected = [
        part
        for p in WindowSection
        if (own := [k.text for k in window.kept if k.place is p])
        for part in (f"# {p}", *own)
    ]
    assert window.text == ("\n\n".join(expected) + "\n" if expected else "")
    told = [each.type_id for each in (*window.kept, *window.left_out)]
    assert sorted(told) == sorted({*pinned, *focus, *recent})


@given(_BLOCKS, _QUEUES, _QUEUES, st.integers(0, 800))
def test_no_note_is_told_in_part_before_its_role(
    blocks: dict[str, Block], pinned: list[str], focus: list[str], budget: int
):
    for each in compose(budget, blocks, pinned=pinned, focus=focus).kept:
        present = [section for section in Section if section in blocks[each.type_id].notes]
        assert list(each.sections) == present[: len(each.sections)]
