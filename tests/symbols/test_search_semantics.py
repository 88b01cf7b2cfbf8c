"""Queries and catalogs in, hits with their flags out (section H of the conformance cases)."""

import pytest

from codecortex.model.code.aliases import Alias, AliasReason
from codecortex.symbols.hits import Flag, HitKind, Match
from codecortex.symbols.query import parse_query
from codecortex.symbols.resolving import find_named, follow_aliases, order_hits

LIST = "System.Collections.Generic.List`1"
ENUMERATOR = f"{LIST}+Enumerator"
ARITY, CASE = Flag.ARITY_INSENSITIVE, Flag.IGNORE_CASE


def told(hits):
    """What there is of each hit but its ambiguity."""
    return [
        (hit.entry.fqn if hit.entry is not None else hit.name, *[f for f in hit.flags if f is not Flag.AMBIGUOUS])
        for hit in hits
    ]


def test_se_01_the_documentation_id_of_a_generic_type_is_exact(find):
    (hit,) = find(f"T:{LIST}", LIST, "Other.List`1")
    assert (hit.flags, hit.entry.namespace, hit.entry.assembly) == ((), "System.Collections.Generic", "App")


def test_se_02_a_global_name_with_type_arguments_has_no_flags(find):
    assert told(find("global::System.Collections.Generic.List<T>", LIST)) == [(LIST,)]


def test_se_03_a_namespace_query_means_that_namespace_alone(find):
    (hit,) = find("System.Collections", LIST, "System.Collections.Queue")
    assert (hit.kind, hit.name) == (HitKind.NAMESPACE, "System.Collections")


def test_se_04_a_bare_generic_name_with_its_namespace_overlooks_the_arity(find):
    assert told(find("System.Collections.Generic.List", LIST)) == [(LIST, ARITY)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (f"T:{LIST}".lower(), LIST),
        (f"T:{LIST.lower()}", LIST),
        ("global::system.collections.generic.list<t>", LIST),
        ("system.collections", "System.Collections"),
    ],
)
def test_se_05_lower_case_is_found_and_told(find, query, found):
    assert told(find(query, LIST)) == [(found, CASE)]


def test_se_06_a_global_name_begins_at_the_root(find):
    assert told(find("global::System", LIST)) == [("System",)]
    assert find("global::Collections", LIST) == []
    assert told(find("global::System.Collections.Generic", LIST)) == [("System.Collections.Generic",)]


def test_se_07_a_type_of_the_global_namespace_is_found_by_its_anchored_name(find):
    assert told(find("global::Program", "Program", "App.Program")) == [("Program",)]


def test_se_08_nested_types_are_exact_where_every_arity_is_stated(find):
    for query in (f"T:{LIST}.Enumerator", "global::System.Collections.Generic.List<T>.Enumerator"):
        assert told(find(query, LIST, ENUMERATOR)) == [(ENUMERATOR,)]
    assert told(find("System.Collections.Generic.List.Enumerator", LIST, ENUMERATOR)) == [(ENUMERATOR, ARITY)]


def test_se_09_a_namespace_is_a_symbol_with_a_parent(find):
    (hit,) = find("N:System.Collections", LIST)
    assert (hit.kind, hit.name, hit.entry) == (HitKind.NAMESPACE, "System.Collections", None)
    hits = find("Core", "App.Core.Store", "Lib.Core", kinds=("namespace",))
    assert [(hit.kind, hit.name) for hit in hits] == [(HitKind.NAMESPACE, "App.Core")]


def test_se_10_a_simple_name_finds_the_type_but_not_among_namespaces(find):
    (hit,) = find("Store", "App.Core.Store")
    assert (hit.entry.fqn, hit.entry.namespace) == ("App.Core.Store", "App.Core")
    assert find("Store", "App.Core.Store", kinds=("namespace",)) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("T:N.Outer`1", "N.Outer`1"),
        ("N.Outer", "N.Outer`1"),
        ("N.Outer<T>", "N.Outer`1"),
        ("Inner", "N.Outer`1+Inner"),
        ("N", "N"),
    ],
)
def test_se_11_every_level_of_a_nesting_is_found(find, query, found):
    assert [each[0] for each in told(find(query, "N.Outer`1", "N.Outer`1+Inner"))] == [found]


def test_se_12_a_deep_nesting_in_two_assemblies_is_found_twice_at_every_level(find, type_entry):
    levels = ["Mega.A`2", "Mega.A`2+B`1", "Mega.A`2+B`1+C`3", "Mega.A`2+B`1+C`3+D"]
    types = [type_entry(fqn, project) for fqn in levels for project in ("One", "Two")]
    bare = ["Mega.A", "Mega.A.B", "Mega.A.B.C", "Mega.A.B.C.D"]
    for fqn, name in zip(levels, bare, strict=True):
        dotted = fqn.replace("+", ".")
        for query, flags in ((f"T:{dotted}", ()), (name, (ARITY,)), (name.lower(), (ARITY, CASE))):
            hits = find(query, *types)
            assert told(hits) == [(fqn, *flags)] * 2
            assert [hit.entry.assembly for hit in hits] == ["One", "Two"]


def test_se_13_a_dot_at_the_end_asks_for_direct_children(find):
    hits = find("Ns.", "Ns.Type", "Ns.Deep.Other", "Ns.Type+Inner")
    assert [(hit.name, hit.match) for hit in hits] == [("Ns.Deep", Match.CHILD), ("Ns.Type", Match.CHILD)]
    hits = find("Ns.Type.", "Ns.Type", "Ns.Type+Inner", "Ns.Type+Inner+Deep", members={"Ns.Type": ("Count",)})
    assert [hit.name for hit in hits] == ["Ns.Type.Inner", "Ns.Type.Count"]


def test_se_14_children_may_be_types_alone(find):
    hits = find("Ns.", "Ns.Type", "Ns.Deep.Other", "Ns.Type+Inner", kinds=("type",))
    assert [hit.name for hit in hits] == ["Ns.Type"]


def test_se_15_another_case_is_found_and_told(find):
    assert told(find("Foo", "foo")) == [("foo", CASE)]


def test_se_16_a_pattern_finds_by_the_end_of_a_name(find):
    (hit,) = find("*E2E.Target.Type?", "My.E2E.Target.TypeA", "My.E2E.Target.TypeAB")
    assert (hit.name, hit.flags) == ("My.E2E.Target.TypeA", (Flag.WILDCARD,))


def test_se_17_near_names_are_looked_for_only_where_nothing_bears_the_name(find):
    hits = find("TydeA", "N.TypeA", "N.TypeB")
    assert [hit.name for hit in hits] == ["N.TypeA"]
    assert all(Flag.FUZZY in hit.flags for hit in hits)
    assert told(find("TydeA", "N.TypeA", "N.TydeA")) == [("N.TydeA", Flag.PARTIAL)]


def test_se_18_one_simple_name_in_two_namespaces_is_ambiguous(find):
    assert [Flag.AMBIGUOUS in hit.flags for hit in find("Type", "A.Type", "B.Type")] == [True, True]


def test_se_19_a_global_name_in_the_wrong_case_is_told_the_right_name_is_exact(find):
    assert told(find("global::ns.TYPE", "Ns.Type")) == [("Ns.Type", CASE)]
    assert told(find("Ns.Type", "Ns.Type")) == [("Ns.Type",)]


def test_se_20_a_bare_name_finds_the_generic_type_alone(find):
    assert ARITY in find("GList", "N.GList`1")[0].flags


def test_se_21_repeated_namespaces_are_kept_apart(find):
    types = ("A.B.A.B.R1", "A.B.A.B.R2")
    assert told(find("A.B.A.B", *types)) == [("A.B.A.B",)]
    assert told(find("A.B.A.B.R1", *types)) == [("A.B.A.B.R1",)]
    assert told(find("A.B.A.B.R2", *types)) == [("A.B.A.B.R2",)]
    assert told(find("A.B", *types)) == [("A.B",), ("A.B.A.B", Flag.PARTIAL)]
    assert told(find("N:A.B", *types)) == [("A.B",)]


def test_se_22_arities_choose_among_outer_types(find):
    types = ("G.Outer`1", "G.Outer`1+Inner", "G.Other+Inner")
    assert told(find("G.Outer", *types)) == [("G.Outer`1", ARITY)]
    assert told(find("G.Outer<T>", *types)) == [("G.Outer`1",)]
    assert told(find("G.Outer.Inner", *types)) == [("G.Outer`1+Inner", ARITY)]
    assert {hit.entry.fqn for hit in find("Inner", *types)} == {"G.Outer`1+Inner", "G.Other+Inner"}


def test_se_23_a_generic_and_a_plain_type_of_one_name_are_kept_apart(find):
    types = ("My.Collections.Generic.List`1", "My.Collections.List")
    assert [each[0] for each in told(find("My.Collections.Generic.List", *types))] == [types[0]]
    assert [each[0] for each in told(find("My.Collections.List", *types))] == [types[1]]
    assert [each[0] for each in told(find("List<T>", *types))] == [types[0]]


def test_se_24_mirrored_namespaces_are_two_types(find):
    types = ("X.Y.AA", "Y.X.AA")
    assert told(find("X.Y.AA", *types)) == [("X.Y.AA",)]
    assert told(find("Y.X.AA", *types)) == [("Y.X.AA",)]


def test_se_28_scores_are_in_order(find):
    def score(query, *types):
        return find(query, *types)[0].score

    ladder = [
        score("N.Type", "N.Type"),
        score("N.Type", "N.Type`1"),
        score("n.type", "N.Type"),
        score("n.type", "N.Type`1"),
        score("Type", "N.Type"),
        score("N.Ty*", "N.Type"),
        score("Typo", "N.Type"),
    ]
    assert ladder == [0, 10, 20, 30, 40, 60, 80]


def test_se_28_ties_go_by_name_then_assembly(find, type_entry):
    types = [type_entry("B.Type", "One"), type_entry("A.Type", "Two"), type_entry("A.Type", "One")]
    assert [(hit.name, hit.entry.assembly) for hit in find("Type", *types)] == [
        ("A.Type", "One"), ("A.Type", "Two"), ("B.Type", "One"),
    ]  # fmt: skip


def test_what_was_asked_for_last_breaks_ties_alone(catalog, type_entry):
    types = [type_entry("A.Type", "One", kind=kind) for kind in ("class", "struct")] + [type_entry("B.Type", "One")]
    found = catalog(*types)
    hits = find_named(parse_query("Type"), found)
    for first in types[:2]:
        ordered = order_hits(hits, {types[2].id: 0, first.id: 1})
        assert [hit.entry.id for hit in ordered][0::2] == [first.id, types[2].id]


def test_se_31_the_generic_type_of_a_namespace_is_found_beside_a_plain_one_elsewhere(find):
    types = ("My.Collections.Generic.List`1", "My.Collections.List")
    assert told(find("My.Collections.Generic.List", *types)) == [(types[0], ARITY)]


def test_se_32_a_bare_name_means_the_plain_type_first(find):
    hits = find("List", "My.Collections.Generic.List`1", "My.Collections.List")
    assert told(hits) == [
        ("My.Collections.List", Flag.PARTIAL),
        ("My.Collections.Generic.List`1", ARITY, Flag.PARTIAL),
    ]


# -- old names


def alias(old, new, old_id="T_00000000"):
    return Alias(old_id, old, new.id, new.fqn, AliasReason.RENAME, 0.9)


@pytest.mark.parametrize(
    ("query", "found", "old"),
    [
        ("Old.Type", "New.Kind`1", "Old.Type"),
        ("Type", "New.Kind`1", "Old.Type"),
        ("T:Old.Type", "New.Kind`1", "Old.Type"),
        ("T_00000000", "New.Kind`1", "Old.Type"),
        ("Old.Type.Inner", "New.Kind`1+Inner", "Old.Type.Inner"),
        ("T:Old.Type.Inner", "New.Kind`1+Inner", "Old.Type.Inner"),
        ("Old.Type.Find", "New.Kind<T>.Find(int)", "Old.Type.Find"),
        ("M:Old.Type.Find(System.Int32)", "New.Kind<T>.Find(int)", "Old.Type.Find"),
        ("Type.Find", "New.Kind<T>.Find(int)", "Old.Type.Find"),
    ],
)
def test_an_old_name_leads_to_what_is_there_today(catalog, type_entry, query, found, old):
    new = type_entry("New.Kind`1")
    there = catalog(new, "New.Kind`1+Inner", members={"New.Kind`1": ("Find(int)",)})
    parsed = parse_query(query)
    assert find_named(parsed, there) == []
    (hit,) = follow_aliases(parsed, [alias("Old.Type", new), alias("Other", new, "T_00000001")], there)
    assert (hit.name if hit.member is not None else hit.entry.fqn, hit.redirected_from) == (found, old)


def test_two_types_that_bore_an_old_name_are_ambiguous(catalog, type_entry):
    one, two = type_entry("New.One"), type_entry("New.Two")
    rows = [alias("Old.Type", one), alias("Older.Type", two, "T_00000001")]
    hits = follow_aliases(parse_query("Type"), rows, catalog(one, two))
    assert {hit.entry.fqn for hit in hits if Flag.AMBIGUOUS in hit.flags} == {"New.One", "New.Two"}


@pytest.mark.parametrize("query", ["Nothing", "*", "Old.", "T_99999999", "", "Old.Type.Nothing"])
def test_what_no_alias_knows_leads_nowhere(catalog, type_entry, query):
    new = type_entry("New.Kind")
    assert follow_aliases(parse_query(query), [alias("Old.Type", new)], catalog(new)) == []
