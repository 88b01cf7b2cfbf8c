import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.parsing.docs.crefs import display_cref, display_type_cref


@pytest.mark.parametrize(
    ("cref", "shown"),
    [
        ("M:N.C.Add(System.Int32,System.String)", "Add(int, string)"),
        ("M:N.C.Main", "Main"),
        ("M:N.C.#ctor(System.Int32)", "C(int)"),
        ("M:N.C.N#IFoo#Bar(System.Int32)", "Bar(int)"),
        ("M:N.C.Fill(System.Int32[0:,0:],System.String[])", "Fill(int[,], string[])"),
        ("M:N.C.TryGet(System.String,System.Int32@)", "TryGet(string, int&)"),
        ("M:N.C.Set(System.Nullable{System.Int32})", "Set(int?)"),
        ("M:N.C.op_Explicit(N.C)~System.Int32", "op_Explicit(C)"),
        ("P:N.C.Item(System.Int32)", "this[int]"),
        ("P:N.C.Count", "Count"),
        ("O:N.C.Save", "Save"),
    ],
)
def test_xd_10_member_ids_show_the_member_as_written_in_csharp(cref, shown):
    assert display_cref(cref) == shown


@pytest.mark.parametrize(
    ("cref", "shown"),
    [
        ("T:System.Boolean", "bool"),
        ("System.String", "string"),
        ("string", "string"),
        ("T:My.Ns.Thing", "Thing"),
        ("T:My.Ns.Box{System.Int32}", "Box<int>"),
        ("N:System.Text", "System.Text"),
        ("!:Missing", "Missing"),
    ],
)
def test_xd_11_type_ids_show_the_type_name(cref, shown):
    assert display_cref(cref) == shown


@pytest.mark.parametrize(
    ("cref", "shown"),
    [
        ("T:System.Collections.Generic.Dictionary`2", "Dictionary<T1, T2>"),
        ("T:System.Collections.Generic.List`1", "List<T>"),
        ("System.Collections.Generic.List`1", "System.Collections.Generic.List<T>"),
        ("T:A.Outer`1.Inner`2", "Inner<T2, T3>"),
        (
            "M:N.C.Map``2(System.Collections.Generic.IEnumerable{``0},System.Func{``0,``1})",
            "Map<T1, T2>(IEnumerable<T1>, Func<T1, T2>)",
        ),
        ("M:N.C`1.Zip``1(`0,``0)", "Zip<U>(T, U)"),
        ("M:N.C.Odd(`3)", "Odd(T4)"),
    ],
)
def test_xd_12_each_type_parameter_is_shown(cref, shown):
    assert display_cref(cref) == shown


@pytest.mark.parametrize(
    ("cref", "shown"),
    [
        ("List{T}.Add(T)", "List<T>.Add(T)"),
        ("List<System.String>.Add(System.String)", "List<string>.Add(string)"),
        ("Foo.Bar(int,string)", "Foo.Bar(int, string)"),
        ("IDictionary{TKey,TValue}", "IDictionary<TKey, TValue>"),
        ("Foo(int[,], int[,,])", "Foo(int[,], int[,,])"),
        ("this[int]", "this[int]"),
        ("operator <(A.B, C)", "operator <(B, C)"),
        ("global::A.B", "A.B"),
        ("N::A.B", "N::A.B"),
        ("A{T}\n    .With(E{F{T, System.Collections.Generic.IEnumerable{U}}})", "A<T>.With(E<F<T, IEnumerable<U>>>)"),
        ("", ""),
        (" \n ", ""),
        ("T:", ""),
    ],
)
def test_csharp_references_keep_their_path_and_lose_their_braces(cref, shown):
    assert display_cref(cref) == shown


@pytest.mark.parametrize(
    "cref", ["System.ArgumentNullException", "T:System.ArgumentNullException", "global::System.ArgumentNullException"]
)
def test_a_reference_to_a_type_loses_its_namespace_in_either_spelling(cref):
    assert display_type_cref(cref) == "ArgumentNullException"


@given(st.text("MTP:.#`~@{}<>(),[]0129NC \n"))
def test_any_reference_gives_one_trimmed_line(cref):
    shown = display_cref(cref)
    assert "\n" not in shown
    assert shown == display_cref(f" {cref}\n")
    assert not {"{", "}"} & set(shown) or not {"{", "}"}.isdisjoint(cref)


@pytest.mark.parametrize("unit", ["a.", "a", "`19", "{", "(", "0:", ",", " ", "Nullable{", "~)"])
def test_a_hostile_reference_takes_linear_room(unit):
    assert len(display_cref("M:" + unit * 20_000)) < 200_000
