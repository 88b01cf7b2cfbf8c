"""The innermost nodes around places, as a walk from the root down finds each of them."""

import json
import re
from pathlib import Path

import pytest

from codecortex.model.code.syntax import Descent
from codecortex.parsing.syntax.read import read_syntax

CASES = Path(__file__).parents[2] / "cases"
SOURCES = {
    **{each.name: each.read_text("utf-8") for each in sorted((CASES / "csharp").glob("*.cs"))},
    **{each["name"]: each["source"] for each in json.loads((CASES / "csharp_syntax.json").read_text("utf-8"))},
    "patterns wider than what they stand in": (
        "class C { bool F(object a, int b) => a is not null && b == 1 && (a is not string || F(a, b)); }"
    ),
    "a long chain": f"class C {{ C F(int a) => this{'.F(1)' * 300}; }}",
    "damaged": "class C { int F() { if (a) { return (1, b; } int G(string s) => s; } void H( { x.y(); }",
}


def walk_down(root, start, end):
    node, inner = root, root
    while inner is not None:
        node = inner
        node.open()
        inner = next((each for each in node.nodes if each.start <= start and end <= each.end), None)
    return node


@pytest.mark.parametrize("name", SOURCES)
def test_it_finds_what_a_walk_from_the_root_finds(name):
    root = read_syntax(SOURCES[name].encode("utf-8", "replace"), frozenset()).root
    places = [match.span() for match in re.finditer(rb"\w+|[^\w\s]", root.source)]
    expected = {place: walk_down(root, *place) for place in places}
    mixed = sorted(places, key=lambda place: (place[0] * 7919 % 101, place))
    for order in (places, places[::-1], mixed):
        descent = Descent(root)
        assert all(descent.find(*place) is expected[place] for place in order)


def test_it_opens_only_the_bodies_it_goes_through():
    root = read_syntax(b"class C { int F() { return a; } int G() { return b; } }", frozenset()).root

    assert Descent(root).find(27, 28).text == "a"
    first, second = (each for each in root.walk() if each.kind == "block")
    assert first.nodes
    assert not second.nodes
