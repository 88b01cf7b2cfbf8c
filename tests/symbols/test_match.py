"""Queries and names in, the types they mean out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.symbols import match as matching
from codecortex.symbols import near
from codecortex.symbols.match import Name
from codecortex.symbols.query import parse_query

FQNS = (
    "App.Node", "App.Node`1", "App.Node`2", "App.Node`1+Child", "App.Node`1+Child`1", "App.Tree.Node", "Lib.Node",
    "Lib.Leaf", "Lib.LEAF", "Root", "App.Dictionary`2+Enumerator", "App.Übung",
)  # fmt: skip
NAMES = tuple(Name(f"T_{number:08d}", fqn) for number, fqn in enumerate(FQNS))


def match_types(text, names):
    return matching.match_types(parse_query(text), names)


def suggest_names(text, names):
    return near.suggest_names(parse_query(text), names)


def match(query, names=NAMES):
    return [name.fqn for name in match_types(query, names)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("T_00000003", ["App.Node`1+Child"]),
        ("App.Node", ["App.Node"]),
        ("App.Node`1", ["App.Node`1"]),
        ("App.Node<T>", ["App.Node`1"]),
        ("App.Node<int, string>", ["App.Node`2"]),
        ("App.Node<List<(int, string)>>", ["App.Node`1"]),
        ("App.Node<>", ["App.Node`1"]),
        ("App.Node<,>", ["App.Node`2"]),
        ("T:App.Node`1", ["App.Node`1"]),
        ("T:App.Node`1.Child", ["App.Node`1+Child"]),
        ("global::App.Node", ["App.Node"]),
        ("  App.Node ", ["App.Node"]),
        ("App.@Node", ["App.Node"]),
        ("Node<T>.Child", ["App.Node`1+Child"]),
        ("Node`1+Child", ["App.Node`1+Child"]),
        ("Child`1", ["App.Node`1+Child`1"]),
        ("Child", ["App.Node`1+Child"]),
        ("Node", ["App.Node", "App.Tree.Node", "Lib.Node"]),
        ("Tree.Node", ["App.Tree.Node"]),
        ("Leaf", ["Lib.Leaf"]),
        ("leaf", ["Lib.LEAF", "Lib.Leaf"]),
        ("app.node", ["App.Node"]),
        ("root", ["Root"]),
        ("übung", ["App.Übung"]),
        ("Dictionary.Enumerator", ["App.Dictionary`2+Enumerator"]),
        ("Dictionary<K>.Enumerator", []),
        ("*", sorted(FQNS)),
        ("App.Tree.*", ["App.Tree.Node"]),
        ("*Leaf", ["Lib.LEAF", "Lib.Leaf"]),
        ("Lib.Nod?", ["Lib.Node"]),
        ("App.Node.*", ["App.Node`1+Child", "App.Node`1+Child`1"]),
        ("ode", []),
        ("Node.App", []),
        ("Nothing", []),
        ("", []),
        ("   ", []),
        (".", []),
        ("T:", []),
    ],
)
def test_a_query_means(query, found):
    assert match(query) == found


def test_a_plain_name_means_the_generic_types_where_there_is_no_plain_one():
    names = [name for name in NAMES if name.fqn != "App.Node"]
    assert match("App.Node", names) == ["App.Node`1", "App.Node`2"]


def test_types_of_one_name_in_two_projects_are_both_found():
    names = (Name("T_B", "X.Y"), Name("T_A", "X.Y"))
    assert match_types("Y", names) == (Name("T_A", "X.Y"), Name("T_B", "X.Y"))


@pytest.mark.parametrize("fqn", FQNS)
def test_every_type_answers_to_its_id_its_name_and_its_documentation_id(fqn):
    name = NAMES[FQNS.index(fqn)]
    assert match_types(name.id, NAMES) == match_types(fqn, NAMES) == match_types(f"T:{fqn}", NAMES) == (name,)
    assert name in match_types(f"T:{fqn.replace('+', '.')}", NAMES)


@given(st.text(alphabet="AbNode.+`<>,*?@ 01\u00b2\\([{^$|", max_size=40))
def test_no_query_breaks_it_and_what_it_finds_is_sorted(query):
    found = match_types(query, NAMES)
    assert set(found) <= set(NAMES)
    assert list(found) == sorted(found, key=lambda name: (name.fqn, name.id))
    suggest_names(query, NAMES)


def test_a_long_query_takes_no_time():
    for query in ("*a" * 40 + "b", "<" * 3000, "<" * 1500 + ">" * 1500, "A<" * 1500, "." * 3000, "`" * 3000):
        match_types(query, [Name("T_X", "a" * 200)])
        suggest_names(query, [Name("T_X", "a" * 200)])


def test_suggestions_are_near_names_best_first():
    assert suggest_names("Leef", NAMES) == ("Lib.LEAF", "Lib.Leaf")
    assert suggest_names("App.Tree.Nodes", NAMES)[0] == "App.Node"
    assert len(suggest_names("Node", NAMES)) == 5
    assert suggest_names("zzz", NAMES) == ()
    assert suggest_names("", NAMES) == ()
