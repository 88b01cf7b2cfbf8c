"""Query texts in, what they ask for out (section G of the conformance cases)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.symbols.paths import write_doc_id
from codecortex.symbols.query import LONGEST_QUERY, METHOD_KINDS, parse_query

CODE = st.text(alphabet="AbNode.+`<>(),*?@ 01#~{}[]:_²\\^$|\0\ud800TMPFENglobal", max_size=80)


def names(text):
    return [(segment.name, segment.arity) for segment in parse_query(text).segments]


def test_qn_01_a_documentation_id_of_a_generic_type_states_kind_root_and_arity():
    query = parse_query("T:System.Collections.Generic.List`1")
    assert (query.kinds, query.anchored, query.segments[-1].arity) == ({"type"}, True, 1)


def test_qn_02_a_global_prefix_anchors_and_a_mixed_name_has_a_lower_variant():
    query = parse_query("global::System.Collections.Generic.List<int>")
    assert (query.anchored, query.segments[-1].arity, query.segments[-1].folded) == (True, 1, "list")


def test_qn_03_nested_generic_segments_carry_their_own_arities():
    assert names("Namespace.Outer<T1>.Inner<T2>") == [("Namespace", 0), ("Outer", 1), ("Inner", 1)]
    assert not parse_query("Namespace.Outer<T1>.Inner<T2>").anchored


def test_qn_04_lower_variants_exist_only_where_they_differ():
    assert [segment.folded for segment in parse_query("a.b.c").segments] == [None, None, None]
    assert [segment.folded for segment in parse_query("a.Bc.d").segments] == [None, "bc", None]


@pytest.mark.parametrize("text", ["System.Func<T", "List<int>>", "List<<int>"])
def test_qn_05_unbalanced_brackets_are_rejected(text):
    assert parse_query(text).segments == ()


@pytest.mark.parametrize("text", ["", "   ", "\t\n"])
def test_qn_06_blank_asks_for_nothing(text):
    query = parse_query(text)
    assert (query.segments, query.anchored, query.problem) == ((), False, "")


def test_qn_07_documentation_ids_state_their_kind():
    assert (parse_query("N:System.Collections").kinds, parse_query("N:System.Collections").anchored) == (
        {"namespace"}, True,
    )  # fmt: skip
    assert (parse_query("M:System.String.Length").kinds, parse_query("M:System.String.Length").anchored) == (
        METHOD_KINDS, True,
    )  # fmt: skip


def test_qn_08_the_global_prefix_is_case_sensitive():
    assert parse_query("global::X.Y").anchored
    assert not parse_query("Global::X.Y").anchored


def test_qn_09_nesting_may_be_written_with_a_plus():
    assert names("Namespace.Outer+Inner<T>") == [("Namespace", 0), ("Outer", 0), ("Inner", 1)]


@pytest.mark.parametrize(
    ("text", "arity"),
    [("Dictionary<string,int>", 2), ("Wrapper<,>", 2), ("Pair<>", 0), ("NoGeneric", 0)],
)
def test_qn_10_arity_is_the_number_of_arguments(text, arity):
    assert parse_query(text).segments[-1].arity == arity


def test_qn_11_nested_arguments_count_once():
    assert names("Wrapper<List<int>>") == [("Wrapper", 1)]


def test_qn_12_only_commas_of_the_top_level_count():
    assert names("Wrapper<Dictionary<int,string>>") == [("Wrapper", 1)]
    assert names("Wrapper<(int, string)>") == [("Wrapper", 1)]


def test_qn_13_dots_inside_arguments_separate_nothing():
    assert names("Ns.List<System.Int32>") == [("Ns", 0), ("List", 1)]


def test_qn_14_parameter_types_of_a_documentation_id_stay_together():
    query = parse_query("M:Ns.Store.Find(System.Int32,System.Collections.Generic.List{System.String})")
    assert [segment.name for segment in query.segments] == ["Ns", "Store", "Find"]
    assert [shape.path[-1] for shape in query.parameters] == ["Int32", "List"]


def test_qn_15_empty_segments_are_left_out():
    assert names("System..Collections") == [("System", 0), ("Collections", 0)]


def test_qn_16_a_dot_at_the_end_asks_for_children():
    for text in ("A.B.", "A.B..."):
        assert (names(text), parse_query(text).children) == ([("A", 0), ("B", 0)], True)
    assert not parse_query("A.B").children


@pytest.mark.parametrize("text", ["!:ErrorType", "X:Whatever", ""])
def test_qn_17_unknown_prefixes_are_no_documentation_ids(text):
    query = parse_query(text)
    assert (query.documentation, query.anchored, query.kinds) == (False, False, frozenset())


def test_qn_18_plus_and_dot_may_be_mixed():
    assert names("Outer+Inner.Leaf") == [("Outer", 0), ("Inner", 0), ("Leaf", 0)]


@pytest.mark.parametrize("text", ["Func<T", "List<int>>", "a(b", "a)b(", "List`x", "f(int,)", "<T>", "x" * 9_999])
def test_qn_19_a_rejected_query_says_why(text):
    query = parse_query(text)
    assert query.problem
    assert query.segments == ()


def test_qn_20_the_kind_of_a_prefix_joins_the_kinds_asked_for():
    assert parse_query("T:Ns.Store", frozenset({"namespace"})).kinds == {"type", "namespace"}


def test_qn_21_documentation_ids_of_nested_types_are_joined_by_dots():
    fqns = ("N.Outer`1", "N.Outer`1+Inner", "N.Outer`1+Inner+Leaf", "N.Outer`1+Another`1")
    ids = [write_doc_id(fqn) for fqn in fqns]
    assert ids == ["T:N.Outer`1", "T:N.Outer`1.Inner", "T:N.Outer`1.Inner.Leaf", "T:N.Outer`1.Another`1"]


def test_ids_are_no_paths():
    assert parse_query("T_0A3F9K2M").type_id == "T_0A3F9K2M"
    assert parse_query("T_0A3F9K2M_ABCDEF")[6:8] == ("T_0A3F9K2M", "_ABCDEF")
    assert parse_query("T_lower123").type_id == ""


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Vector.operator +", "+"),
        ("Vector.operator <(Vector, Vector)", "<"),
        ("Vector.operator checked -", "checked -"),
        ("Vector.operator *=", "*="),
        ("Vector.implicit operator int", "implicit"),
        ("Vector.explicit operator checked List<int>(Vector)", "checked explicit"),
    ],
)
def test_operators_are_written_as_in_csharp(text, last):
    query = parse_query(text)
    assert [segment.name for segment in query.segments] == ["Vector", last]
    assert query.kinds == METHOD_KINDS
    assert not query.is_pattern


@pytest.mark.parametrize(
    ("text", "last"),
    [("Ns.Store<int>", "Store"), ("T:Ns.Store`1", "Store"), ("@class", "class"), ("Sto*", ""), ("T_0A3F9K2M", "")],
)
def test_the_last_name_of_a_query(text, last):
    assert parse_query(text).last_name == last


@given(CODE)
def test_every_text_is_a_query_or_says_why_not(text):
    query = parse_query(text)
    assert not (query.problem and query.segments)


@pytest.mark.parametrize("piece", ["<", "List<", "A.", "(", "a(", "`", "*a", "?", "{", "f((", "[", "A<B,", "@", "::"])
def test_bombs_are_read_in_one_pass(piece):
    for length in (LONGEST_QUERY, LONGEST_QUERY * 50):
        parse_query((piece * length)[:length])
        parse_query("f(" + (piece * length)[: length - 3] + ")")
