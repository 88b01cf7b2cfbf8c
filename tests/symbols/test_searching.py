"""Words and catalogs in, ordered hits and why each was found out (RS-24 to RS-26 of the conformance cases)."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codecortex.symbols.hits import HitKind, Match
from codecortex.symbols.query import parse_query
from codecortex.symbols.resolving import find_named, order_hits
from codecortex.symbols.searching import SearchTerms, index_members, read_hit, search_symbols, split_words

DOCS = {"docs": {
    "App.NodeStore": ("\tKeeps every node by its key.", "0\tHow many there are.", "1\tAdds one; the Key must be new."),
    "App.Tree.Leaf": ("\tThe end of a branch; İstanbul.",),
}}  # fmt: skip
MEMBERS = {"members": {"App.NodeStore": ("Count", "Add(Node)"), "App.Tree.Leaf": ("NodeCount", "Add(int)")}}
TYPES = ("App.NodeStore", "App.Tree.Leaf", "App.Tree.LeafNode`1", "App.Node")


@pytest.fixture
def search(catalog) -> Callable[..., list[tuple[str, Match]]]:
    def run(text, *types, kinds=(), most=100, ranks=None, **more):
        found = catalog(*(types or TYPES), **more)
        sought = SearchTerms(split_words(text), frozenset(kinds), ranks or {}, index_members(found))
        rows, total = search_symbols(sought, found, most)
        assert len(rows) == min(total, most)
        return [(hit.name, hit.match) for hit in (read_hit(row, found) for row in rows)]

    return run


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("global::Foo.Bar.Baz", Match.EXACT),
        ("Foo.Bar.Baz", Match.EXACT),
        ("Baz", Match.NAME),
        ("global::Foo.Bar", Match.PREFIX),
        ("Bar.Baz", Match.SUFFIX),
        ("bar", Match.PATH),
        ("az", None),
        ("T:Foo.Bar.Baz", Match.EXACT),
    ],
)
def test_rs_24_each_hit_says_why_it_was_found(search, text, why):
    assert search(text, "Foo.Bar.Baz", kinds=("type",)) == ([("Foo.Bar.Baz", why)] if why else [])


@pytest.mark.parametrize("query", ["*Baz", "B?z"])
def test_rs_25_patterns_fit_the_full_name_or_the_simple_one(catalog, query):
    (hit,) = find_named(parse_query(query), catalog("Foo.Bar.Baz", "Foo.Other"))
    assert (hit.name, hit.match) == ("Foo.Bar.Baz", Match.WILDCARD)


def test_rs_26_a_page_of_everything_is_cut_from_the_ordered_whole(catalog):
    hits = order_hits(find_named(parse_query("*"), catalog("N.C", "N.A", "N.B")), {})
    assert (len(hits), [hit.name for hit in hits][1:3]) == (3, ["N.B", "N.C"])


def test_names_go_before_beginnings_before_parts_before_paths_and_documentation(search):
    assert search("node", **DOCS, **MEMBERS) == [
        ("App.Node", Match.NAME),
        ("App.NodeStore", Match.PREFIX),
        ("App.Tree.Leaf.NodeCount", Match.PREFIX),
        ("App.Tree.LeafNode<T>", Match.CONTAINS),
    ]
    assert search("key", **DOCS, **MEMBERS) == [
        ("App.NodeStore", Match.DOC),
        ("App.NodeStore.Add(Node)", Match.DOC),
    ]


def test_initials_find_names_of_several_parts(search):
    assert search("NS") == [("App.NodeStore", Match.INITIALS)]
    assert search("NoSt") == [("App.NodeStore", Match.INITIALS)]
    assert search("LeNo") == [("App.Tree.LeafNode<T>", Match.INITIALS)]


def test_what_holds_all_of_several_words_goes_before_what_holds_some(search):
    some = Match.WORDS
    assert search("node store", **DOCS, **MEMBERS)[:2] == [("App.NodeStore", Match.NAME), ("App.Node", some)]
    assert search("store node", **DOCS, **MEMBERS)[0] == ("App.NodeStore", Match.CONTAINS)
    assert search("keeps key", **DOCS, **MEMBERS) == [("App.NodeStore", Match.DOC), ("App.NodeStore.Add(Node)", some)]
    assert search("NodeStore must be new", **DOCS, **MEMBERS)[0] == ("App.NodeStore.Add(Node)", Match.DOC)
    assert search("keeps nothing", **DOCS) == [("App.NodeStore", some)]
    assert search("utterly nothing", **DOCS) == []


def test_rare_words_weigh_more_than_common_ones(search):
    types = ["N.Rare", *(f"N.Common{number}" for number in range(20)), "N.CommonTwin"]
    assert [name for name, _ in search("the common twin or a rare one", *types)][:2] == ["N.CommonTwin", "N.Rare"]


def test_words_of_a_sentence_are_found_where_a_word_of_a_name_begins(search):
    types = ("N.Reset", "N.SetOfKeys", "N.CachedQuery", "N.Pool")
    assert [name for name, _ in search("caching queries", *types)] == ["N.CachedQuery"]
    assert [name for name, _ in search("sets: `pools`!", *types)] == ["N.Pool", "N.SetOfKeys"]
    assert [name for name, _ in search("when QueryPool fails", *types)] == ["N.Pool", "N.CachedQuery"]


def test_the_ending_of_a_file_is_no_word(search):
    types = ("N.Store", "N.CsReader")
    assert [name for name, _ in search("crash in Store.cs", *types)] == ["N.Store"]
    assert [name for name, _ in search("at N.Store.Add() in Store.cs:line 3", *types)] == ["N.Store"]


def test_all_words_go_first_in_whatever_form(search):
    members = {"members": {"App.SmartyPantType": ("Quote", "Other")}}
    common = [f"App.Quote{number}" for number in range(40)]
    found = search("smarty pants quotes", "App.SmartyPants", "App.SmartyPantType", *common, **members)
    assert found[0] == ("App.SmartyPantType.Quote", Match.WORDS)
    assert ("App.SmartyPants", Match.WORDS) in found


def test_code_of_tests_comes_last_unless_it_bears_the_very_name(search, type_entry):
    test = type_entry("A.Node")._replace(test=True)
    late = type_entry("A.NodeTest")._replace(test=True)
    names = [name for name, _ in search("node", test, late, "A.Other.NodeStore", "A.Other.LeafNode")]
    assert names == ["A.Node", "A.Other.NodeStore", "A.Other.LeafNode", "A.NodeTest"]
    assert search("node test", late, "A.NodeStore", "A.Nodes")[0] == ("A.NodeTest", Match.NAME)
    assert [name for name, _ in search("a test of the node", late, "A.NodeStore")][-1] == "A.NodeTest"


def test_documentation_is_searched_in_any_case_and_any_language(search):
    assert search("KEEPS", **DOCS) == [("App.NodeStore", Match.DOC)]
    assert search("branch", **DOCS) == [("App.Tree.Leaf", Match.DOC)]
    assert search("BRANCH;", **DOCS) == [("App.Tree.Leaf", Match.DOC)]


def test_namespaces_and_kinds_are_chosen(search):
    assert search("tree", **MEMBERS, kinds=("namespace",)) == [("App.Tree", Match.NAME)]
    assert search("count", **MEMBERS, kinds=("member",)) == [
        ("App.NodeStore.Count", Match.NAME), ("App.Tree.Leaf.NodeCount", Match.CONTAINS),
    ]  # fmt: skip
    assert search("add", **MEMBERS, kinds=("property",)) == []


def test_equal_hits_are_ordered_by_depth_then_accessibility_then_access_then_length(search, type_entry):
    types = [type_entry(fqn) for fqn in ("A.B.Node", "A.Node", "AA.Node", "A.NodeStore", "A.NodeTable", "A.NodeTab")]
    hidden = type_entry("B.Node", accessibility="internal")
    assert [name for name, _ in search("node", *types, hidden)] == [
        "A.Node", "AA.Node", "B.Node", "A.B.Node", "A.NodeTab", "A.NodeStore", "A.NodeTable",
    ]  # fmt: skip
    ranks = {types[2].id: 0, hidden.id: 1, types[4].id: 2, types[0].id: 3}
    assert [name for name, _ in search("node", *types, hidden, ranks=ranks)] == [
        "AA.Node", "A.Node", "B.Node", "A.B.Node", "A.NodeTable", "A.NodeTab", "A.NodeStore",
    ]  # fmt: skip


def test_a_page_of_many_is_the_best_of_all(search):
    types = [f"N.Node{number:03}" for number in range(300)]
    assert search("node", *types, most=3) == [(f"N.Node{number:03}", Match.PREFIX) for number in range(3)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=40))
def test_no_words_break_it(catalog, text):
    found = catalog(*TYPES, **DOCS, **MEMBERS)
    words = split_words(text)
    if words:
        rows, total = search_symbols(SearchTerms(words, frozenset(), {}, index_members(found)), found, 10)
        assert [read_hit(row, found).kind in HitKind for row in rows] == [True] * min(10, total)
