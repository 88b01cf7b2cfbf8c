"""Which declarations hold a word: looked into one by one or told by an index, they are the same."""

import pytest

from codecortex.analysis.binding.declarations import holding
from codecortex.analysis.binding.declarations.holding import Holding
from codecortex.parsing.syntax.read import read_syntax

FIRST = """class C {
  int Count() => Total + 1; int Total; /* Count */ int Account(int n) { return n; }
  string Größe => "Count"; int \\u0041b; void @class() { } C() { } int this[int at] => at;
  public static C operator +(C a, C b) => a; event System.Action Done, Undone; class Inner { int Count; }
}
"""
SECOND = "class C { int Count(int a) => a; int\u00a0Apart; int Rest; }"
WORDS = (
    *("Count", "count", "Total", "C", "Größe", "öß", "Ab", "u0041b", "class", "operator", "this", "Done", "Undone"),
    *("Apart", "Nothing", "=> a", "n) {"),
)


def list_bodies():
    trees = [read_syntax(text.encode(), frozenset(), by_member=True) for text in (FIRST, SECOND)]
    return [tree.root.nodes[0].field("body") for tree in trees]


def ask(bodies, word, asked):
    return [(bodies.index(body), node.start, node.end) for body, node in asked.list_nodes(word.encode())]


@pytest.fixture
def indexed(monkeypatch):
    monkeypatch.setattr(holding, "_MANY", -1)


@pytest.mark.parametrize("order", [WORDS, WORDS[::-1]])
def test_an_index_tells_what_the_declarations_tell(monkeypatch, order):
    bodies = list_bodies()
    looked = Holding(bodies)
    expected = {word: ask(bodies, word, looked) for word in order}
    assert expected["Count"]
    assert not expected["Nothing"]

    monkeypatch.setattr(holding, "_MANY", -1)
    bodies = list_bodies()
    asked = Holding(bodies)
    assert {word: ask(bodies, word, asked) for word in order} == expected


@pytest.mark.usefixtures("indexed")
def test_an_index_makes_only_what_holds_the_word():
    bodies = list_bodies()
    before = [len(body.waiting) for body in bodies]

    found = ask(bodies, "Rest", Holding(bodies))

    assert len(found) == 1
    assert [len(body.waiting) for body in bodies] == [before[0], before[1] - 1]


@pytest.mark.usefixtures("indexed")
def test_an_index_tells_what_others_have_made_since():
    bodies = list_bodies()
    asked = Holding(bodies)
    expected = ask(bodies, "Total", asked)
    made = {id(node): node for body in bodies for node in body.nodes}

    found = list(asked.list_nodes(b"Count"))

    assert ask(bodies, "Total", asked) == expected
    assert found
    assert all(id(node) in made for _, node in found)
