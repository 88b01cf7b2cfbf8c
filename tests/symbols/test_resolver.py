"""Queries and catalogs in, ordered hits out (section F of the conformance cases)."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codecortex.symbols.hits import Flag, HitKind, Match
from codecortex.symbols.query import parse_query
from codecortex.symbols.resolving import find_named, find_near, order_hits

CODE = st.text(alphabet="AbNode.+`<>(),*?@ 01#~{}[]:_²\\^$|\0\ud800TMPFEN", max_size=60)


@pytest.fixture
def names(find) -> Callable[..., list[str]]:
    return lambda *arguments, **more: [hit.name for hit in find(*arguments, **more)]


def test_rs_01_a_full_name_is_exact(find):
    (hit,) = find("A.B.C", "A.B.C", "A.B.D")
    assert (hit.match, hit.flags, hit.score) == (Match.EXACT, (), 0)


def test_rs_02_a_full_name_in_another_case_is_exact_but_for_it(find):
    (hit,) = find("a.b.c", "A.B.C", "A.B.D")
    assert (hit.match, hit.flags, hit.score) == (Match.EXACT_IGNORE_CASE, (Flag.IGNORE_CASE,), 20)


def test_rs_03_one_simple_name_in_two_namespaces_is_ambiguous(find):
    hits = find("Service", "X.Y.Service", "Z.Q.Service")
    assert [(hit.name, hit.match) for hit in hits] == [("X.Y.Service", Match.SUFFIX), ("Z.Q.Service", Match.SUFFIX)]
    assert all(Flag.AMBIGUOUS in hit.flags for hit in hits)


def test_rs_04_a_pattern_spans_namespaces(names):
    found = names("App.*.Node*", "App.Core.NodeStore", "App.Api.NodeController", "App.Core.Store", "Lib.App.Nod")
    assert found == ["App.Api.NodeController", "App.Core.NodeStore"]


def test_rs_05_a_misspelt_name_is_found_nearby(find):
    (hit,) = find("NodeStor", "Lib.Data.NodeStore", "Lib.Data.Tree")
    assert (hit.name, hit.match, hit.flags) == ("Lib.Data.NodeStore", Match.FUZZY, (Flag.FUZZY,))


def test_rs_06_what_nothing_is_like_is_not_found(find):
    assert find("Nope", "Lib.Data.NodeStore") == []


def test_rs_07_and_rs_08_a_page_holds_the_best_by_score_then_name(names):
    types = [f"N{number:02}.Other{number}.Item`1" for number in range(10)]
    types += [f"N{number:02}.Item" for number in range(20, 0, -1)]
    assert names("Item", *types)[:5] == [f"N{number:02}.Item" for number in range(1, 6)]
    assert len(names("Item", *types)) == 30


def test_rs_09_a_pattern_finds_nothing_near(find):
    hits = find("*MyServ*", "A.MyService", "A.MyServer", "A.MyServ")
    assert [hit.match for hit in hits] == [Match.WILDCARD] * 3
    assert find("*MyServx*", "A.MyService") == []


def test_rs_10_longer_names_may_have_two_letters_wrong(find):
    (hit,) = find("NodeStorexxes", "Lib.NodeStoreages")
    assert (hit.match, hit.score) == (Match.FUZZY, 81)
    assert find("NodeStorxxes", "Lib.NodeStorages") == []


def test_rs_11_a_star_finds_every_type(find):
    hits = find("*", *[f"N.Type{number:02}" for number in range(40)])
    assert len(hits) == 40
    assert {hit.match for hit in hits[:10]} == {Match.WILDCARD}


def test_rs_12_equal_hits_are_ordered_by_name(names):
    assert names("Type", "NsB.Type", "NsA.Type") == ["NsA.Type", "NsB.Type"]


def test_rs_13_a_gap_in_length_beyond_the_threshold_is_no_misspelling(find):
    assert find("Node", "Lib.NodeStore") == []


def test_rs_14_hits_stay_ambiguous_on_a_short_page(find):
    hits = find("Same", *[f"N{number:02}.Same" for number in range(12)])[:5]
    assert all(Flag.AMBIGUOUS in hit.flags for hit in hits)


def test_rs_15_a_generic_type_answers_to_its_base_name(find):
    hits = find("List", "A.List`1", "A.LispEngine")
    assert [(hit.name, hit.match) for hit in hits] == [("A.List<T>", Match.GENERIC_BASE)]


@pytest.mark.parametrize("query", ["List<int>", "List<", "List<>", "System.Collections.Generic.List<int>", "List`1"])
def test_rs_16_every_generic_spelling_finds_the_generic_type(find, query):
    hits = find(query, "System.Collections.Generic.List`1", "System.List")
    assert [(hit.name, hit.match) for hit in hits] == [("System.Collections.Generic.List<T>", Match.GENERIC_BASE)]


def test_rs_17_generic_types_of_one_name_are_ordered_by_namespace(names):
    assert names("List", "C.List`1", "A.List`1", "B.List`1") == ["A.List<T>", "B.List<T>", "C.List<T>"]


def test_rs_18_a_generic_type_goes_before_a_near_name(names):
    assert names("List", "A.List`1", "A.Lisp") == ["A.List<T>"]


@pytest.mark.parametrize("query", ["", "  ", "\n", ".", "T:", "global::"])
def test_rs_19_blank_finds_nothing(find, query):
    assert find(query, "A.B") == []


def test_rs_20_a_suffix_is_made_of_whole_segments(find):
    assert find("Service", "A.MyService") == []


def test_rs_21_near_names_are_found_in_any_case(names):
    assert names("nodestor", "Lib.NodeStore") == ["Lib.NodeStore"]


def test_rs_22_an_exact_hit_beside_longer_names_is_not_ambiguous(find):
    hits = find("App.Service", "App.Service", "X.App.Service", "Y.App.Service")
    assert [(hit.name, Flag.AMBIGUOUS in hit.flags) for hit in hits] == [
        ("App.Service", False), ("X.App.Service", True), ("Y.App.Service", True),
    ]  # fmt: skip


# -- members


STORE = {"members": {"App.Store`1": (
    "Count", "Find(string,bool)", "Find(int)", "Find(Key<int>)", "Map<1>(T,U)", ".ctor(string)", "this(string)",
    "IEnumerable:GetEnumerator()", "+(Store<T>,Store<T>)", "implicit=int(Store<T>)", "implicit=string(Store<T>)",
    "Save(ref int,int[],(int a, string b),T?)", "Put(T)", "Put(Order)", "Load(System.IO.Stream?)",
    "At(Date,Date?,Culture?)", "At(Date?,Date?,Culture?)",
)}}  # fmt: skip


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("App.Store.Count", ["Count"]),
        ("Store<T>.Count", ["Count"]),
        ("store.count", ["Count"]),
        ("Count", ["Count"]),
        ("Store.Find", ["Find(Key<int>)", "Find(int)", "Find(string, bool)"]),
        ("Store.Find(int)", ["Find(int)"]),
        ("Store.Find(System.Int32)", ["Find(int)"]),
        ("Store.Find( string key , bool deep = false )", ["Find(string, bool)"]),
        ("Store.Find(Key<System.Int32>)", ["Find(Key<int>)"]),
        ("Find(int)", ["Find(int)"]),
        ("Store.Map<A>", ["Map<T>(T, U)"]),
        ("Store.Store(string)", ["Store(string)"]),
        ("Store.this(string)", ["this(string)"]),
        ("Store.GetEnumerator()", ["IEnumerable.GetEnumerator()"]),
        ("Store.IEnumerable.GetEnumerator", ["IEnumerable.GetEnumerator()"]),
        ("Store.operator +", ["operator +(Store<T>, Store<T>)"]),
        ("Store.implicit operator int(Store<T>)", ["implicit operator int(Store<T>)"]),
        ("Store.implicit operator System.String", ["implicit operator string(Store<T>)"]),
        ("Store.Load(Stream)", ["Load(System.IO.Stream?)"]),
        ("M:App.Store`1.Find(System.String,System.Boolean)", ["Find(string, bool)"]),
        ("M:App.Store`1.Find(App.Key{System.Int32})", ["Find(Key<int>)"]),
        ("M:App.Store`1.Map``1(`0,``0)", ["Map<T>(T, U)"]),
        ("M:App.Store`1.#ctor(System.String)", ["Store(string)"]),
        ("P:App.Store`1.Item(System.String)", ["this(string)"]),
        ("P:App.Store`1.Cell(System.String)", ["this(string)"]),
        ("P:App.Store`1.Count", ["Count"]),
        ("M:App.Store`1.At(X.Date,System.Nullable{X.Date},X.Culture)", ["At(Date, Date?, Culture?)"]),
        (
            "M:App.Store`1.At(System.Nullable{X.Date},System.Nullable{X.Date},X.Culture)",
            ["At(Date?, Date?, Culture?)"],
        ),
        ("M:App.Store`1.System#Collections#IEnumerable#GetEnumerator", ["IEnumerable.GetEnumerator()"]),
        ("M:App.Store`1.op_Addition(App.Store{`0},App.Store{`0})", ["operator +(Store<T>, Store<T>)"]),
        (
            "M:App.Store`1.op_Implicit(App.Store{`0})~System.String",
            ["implicit operator string(Store<T>)"],
        ),
        (
            "M:App.Store`1.Save(System.Int32@,System.Int32[],System.ValueTuple{System.Int32,System.String},`0)",
            ["Save(ref int, int[], (int a, string b), T?)"],
        ),
        ("M:App.Store`1.Put(`0)", ["Put(T)"]),
        ("M:App.Store`1.Put(App.Order)", ["Put(Order)"]),
        ("Store.Get*", ["IEnumerable.GetEnumerator()"]),
        ("Store.Coun", ["Count"]),
    ],
)
def test_a_query_means_members(names, query, found):
    assert names(query, "App.Store`1", **STORE) == [f"App.Store<T>.{each}" for each in found]


@pytest.mark.parametrize("query", ["P:App.Store`1.Cell", "P:App.Store`1.Cell(System.Int32)", "Store.Cell(string)"])
def test_only_an_id_with_fitting_parameters_means_an_indexer_by_another_name(names, query):
    assert "App.Store<T>.this(string)" not in names(query, "App.Store`1", **STORE)


def test_types_go_before_members_of_the_same_name(find):
    hits = find("Order", "App.Order", "App.Line", members={"App.Line": ("Order",)})
    assert [hit.kind for hit in hits] == [HitKind.TYPE]
    hits = find("Order", "App.Order", "App.Line", kinds=("member",), members={"App.Line": ("Order",)})
    assert [hit.name for hit in hits] == ["App.Line.Order"]


def test_a_member_named_in_full_is_found_beside_a_type_that_ends_so(find):
    hits = find("App.Line.Order", "X.App.Line+Order", "App.Line", members={"App.Line": ("Order",)})
    assert [(hit.kind, hit.score) for hit in hits] == [(HitKind.MEMBER, 0), (HitKind.TYPE, 40)]


def test_parameter_types_that_no_overload_has_find_the_overloads_nearby(find):
    hits = find("Store.Find()", "App.Store`1", **STORE)
    assert [hit.flags for hit in hits] == [(Flag.FUZZY,)] * 3
    assert [hit.flags for hit in find("Store.Count()", "App.Store`1", **STORE)] == [(Flag.FUZZY,)]


def test_overloads_are_ambiguous(find):
    hits = find("Store.Find", "App.Store`1", **STORE)
    assert all(Flag.AMBIGUOUS in hit.flags for hit in hits)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=CODE)
def test_no_query_breaks_it(catalog, query):
    found = catalog("App.Store`1", "App.Node", "Nod", **STORE)
    parsed = parse_query(query)
    hits = find_named(parsed, found) or find_near(parsed, found, lambda _: 0)
    assert order_hits(hits, {}) is not None


@pytest.mark.parametrize("piece", ["*a", "?", "a.", "*", "a*?", "A.b+", "a" * 50 + "."])
def test_no_query_takes_long(find, piece):
    query = (piece * 2000)[:2000]
    find(query, "a" * 500, "a." * 300 + "a", members={"a" * 500: ("a" * 300,)})
