"""Walks over a graph, groups of it, and drawings whose labels may be any text."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.analysis.graph.drawing import Box, escape_dot, escape_mermaid, write_dot, write_mermaid
from codecortex.analysis.graph.view import Arrow, group_arrows, walk

NAMES = "abcdefgh"
EDGES = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)))
ODD = st.text(st.characters(), max_size=40) | st.text('"#&;<>`\\%{}|\n\r end subgraph style:', max_size=40)


def arrow(source, target, **others):
    return Arrow(source, target, True, False, True, 1)._replace(**others)  # noqa: FBT003 - a plain one


def follow(arrows):
    return lambda node: [each for each in arrows if each.source == node]


def test_a_walk_goes_so_many_steps():
    chain = [arrow(*pair) for pair in ("ab", "bc", "cd")]
    assert walk(["a"], follow(chain), depth=2, limit=9) == ({"a": 0, "b": 1, "c": 2}, tuple(chain[:2]), 3)


def test_bases_come_before_surfaces_before_bodies_before_guesses():
    arrows = [
        arrow("a", "b", exact=False), arrow("a", "c", structural=False), arrow("a", "d", count=2), arrow("a", "e"),
        arrow("a", "f", base=True),
    ]  # fmt: skip
    assert list(walk(["a"], follow(arrows), depth=1, limit=9).nodes) == list("afdebc")


def test_what_does_not_fit_is_counted():
    arrows = [arrow("a", name) for name in "bcdef"]
    walked = walk(["a"], follow(arrows), depth=1, limit=3)
    assert (list(walked.nodes), walked.total) == (list("abc"), 6)
    assert walked.arrows == tuple(arrows[:2])


def test_a_cycle_ends_and_its_last_arrow_is_shown():
    arrows = [arrow("a", "b"), arrow("b", "a"), arrow("b", "b")]
    assert walk(["a"], follow(arrows), depth=9, limit=9) == ({"a": 0, "b": 1}, tuple(arrows), 2)


@given(EDGES, st.integers(1, 5), st.integers(1, 8), st.randoms())
def test_a_walk_does_not_depend_on_the_order_of_arrows(edges, depth, limit, random):
    arrows = [arrow(*pair) for pair in sorted(edges)]
    shuffled = random.sample(arrows, len(arrows))
    one, other = (walk(["a"], follow(each), depth=depth, limit=limit) for each in (arrows, shuffled))
    assert (one, list(one.nodes)) == (other, list(other.nodes))


@given(EDGES, st.integers(1, 8))
def test_a_walk_there_and_back_reaches_the_same(edges, depth):
    arrows = [arrow(*pair) for pair in sorted(edges)]
    for start in NAMES:
        there = walk([start], follow(arrows), depth=depth, limit=99).nodes
        for end, steps in there.items():
            back = walk([end], lambda node: [each for each in arrows if each.target == node], depth=depth, limit=99)
            assert back.nodes[start] == steps


def test_arrows_between_groups_stand_for_all_between_their_nodes():
    arrows = [
        arrow("a", "b"), arrow("a", "c", structural=False, exact=False), arrow("b", "d", base=True), arrow("c", "a"),
    ]  # fmt: skip
    groups = {"a": "x", "b": "x", "c": "y", "d": "y"}
    assert group_arrows(arrows, groups) == (
        arrow("x", "y", base=True, count=2),
        arrow("y", "x"),
    )


# -- drawings


@given(ODD.filter(bool))
def test_a_label_in_mermaid_holds_nothing_of_the_language_and_comes_back(text):
    escaped = escape_mermaid(text)
    assert not set('"<>`%{};:\n\r\\') & set(re.sub(r"#\d+;", "", escaped))
    shown = re.sub(r"#(\d+);", lambda match: chr(int(match[1])), escaped)
    assert len(shown) == len(text)
    assert all(one in {other, "?"} for one, other in zip(shown, text, strict=True))


@given(ODD)
def test_a_label_in_dot_is_one_string_and_comes_back(text):
    escaped = escape_dot(text)
    assert re.fullmatch(r'(?:[^"\\\n\r\0]|\\["\\])*', escaped)
    shown = html.unescape(re.sub(r"\\(.)", r"\1", escaped).replace("&amp;", "\0")).replace("\0", "&")
    assert all(one in {other, "?"} for one, other in zip(shown, text, strict=True))


@pytest.mark.parametrize(
    ("name", "mermaid", "dot"),
    [
        ("Ns.Store<T>", "Ns.Store#60;T#62;", "Ns.Store<T>"),
        ("Ns.Größe.日本", "Ns.Größe.日本", "Ns.Größe.日本"),
        ('R&D "x" #1', "R#38;D #34;x#34; #35;1", 'R&amp;D \\"x\\" #1'),
        ("a\\b", "a#92;b", "a\\\\b"),
        ("end", "end", "end"),
        ("", " ", ""),
    ],
)
def test_labels(name, mermaid, dot):
    assert (escape_mermaid(name), escape_dot(name)) == (mermaid, dot)


@given(st.lists(ODD, max_size=4), st.lists(ODD, max_size=2))
def test_a_drawing_has_one_line_for_each_box_arrow_and_remark(labels, remarks):
    boxes = [Box(str(number), label, root=number == 0, cycle=number == 1) for number, label in enumerate(labels)]
    arrows = [arrow(box.id, boxes[0].id, base=True) for box in boxes]
    drawn = len(boxes) + len(arrows) + len(remarks)
    mermaid = write_mermaid(boxes, arrows, remarks).splitlines()
    assert len(mermaid) == 1 + drawn + 2 * min(2, len(boxes))
    assert len(write_dot(boxes, arrows, remarks).splitlines()) == 4 + drawn


def test_what_kinds_of_arrows_look_like():
    boxes = [Box("T_A", "A", root=True, cycle=False), Box("T_B", "B", root=False, cycle=True)]
    arrows = [
        arrow("T_A", "T_B", base=True), arrow("T_A", "T_B"), arrow("T_A", "T_B", structural=False, exact=False),
    ]  # fmt: skip
    assert write_mermaid(boxes, arrows, ["all"]).splitlines() == [
        "flowchart LR", "%% all", '  n0["A"]', '  n1["B"]', "  n0 ==> n1", "  n0 --> n1", "  n0 -.->|?| n1",
        "  classDef root stroke-width:3px", "  class n0 root", "  classDef cycle stroke-dasharray:4",
        "  class n1 cycle",
    ]  # fmt: skip
    assert write_dot(boxes, arrows, ["all"]).splitlines() == [
        "digraph codecortex {", "  // all", "  rankdir=LR;", "  node [shape=box];", '  n0 [label="A", style="bold"];',
        '  n1 [label="B", style="dashed"];', "  n0 -> n1 [style=bold];", "  n0 -> n1;",
        '  n0 -> n1 [style=dotted, label="?"];', "}",
    ]  # fmt: skip
