import pytest

RULES = {
    "a type": "class B { } /** <see cref='{T:B}B'/> */ class C { }",
    "a member": "/** <see cref='{M:C.F(System.Int32)}F(int)'/> <see cref='{F:C.N}N'/> */ class C { void F(int n) { } void F() { } int N; }",
    "a member of a member's type": "class B { public int N; } class C { /** <see cref='{T:B}B.{F:B.N}N'/> */ int G; }",
    "type arguments": "class B<T> { void F(T t) { } } /** <see cref='{T:B`1}B{X}'/> <see cref='{T:B`1}B{X}.{M:B`1.F(`0)}F(X)'/> */ class C { }",
    "constructors": "class B { public B(int n) { } } /** <see cref='{M:B.#ctor(System.Int32)}B(int)'/> <see cref='{T:B}B.{M:B.#ctor(System.Int32)}B(int)'/> */ class C { }",
    "constructors of generic types": "class B<T> { public B(int n, T t) { } } /** <see cref='{M:B`1.#ctor(System.Int32,`0)}B{X}(int, X)'/> */ class C { }",
    "several lines": "class B { } /// <see cref='{M:C.F(System.Int32,B)}F(int,\n///   {T:B}B)'/>\n//// <see cref='B'/>\n/// <see cref='{T:B}B'/>\nclass C { void F(int n, B b) { } }",
    "lines of a block": "class B { } /** <see cref='{M:C.F(System.Int32,B)}F(int,\n *   {T:B}B)'/> */ class C { void F(int n, B b) { } }",
    "a plain method before a generic one": "class C { void F<T>(int n) { } void F(int n) { } /** <see cref='{M:C.F(System.Int32)}F(int)'/> */ int N; }",
    "entities": "class B<T> { void F(T t) { } } /** <see cref='{T:B`1}B&lt;int&gt;.{M:B`1.F(`0)}F(int)'/> */ class C { }",
    "operators by the names of their methods": "/** <see cref='{M:CN.op_Addition(CN,System.Int32)}op_Addition(CN, int)'/> */ class CN { public static CN operator +(CN a, int b) => a; }",
    "what a static using imports": "using static X; static class X { public static int P => 1; public static void F(int n) { } public static void F() { } } /** <see cref='{P:X.P}P'/> <see cref='{M:X.F(System.Int32)}F(int)'/> */ class C { }",
    "types of parameters of conversions": "class B<T> { public static implicit operator int(B<T> b) => 1; } /** <see cref='{T:B`1}B{X}.implicit operator int({T:B`1}B{X})'/> */ class C { }",
    "generic methods": "class C { /** <see cref='{M:C.F``1(``0)}F{T}(T)'/> */ void F<T>(T t) { } void F(int t) { } }",
    "nothing inherited is seen": "class B { public int N; } /** <see cref='N'/> <see cref='{T:B}B'/> */ class C : B { }",
    "types within what a static using imports": "using static X; static class X { public class B { public int N; } } /** <see cref='{T:X.B}B'/> <see cref='{T:X.B}B.{F:X.B.N}N'/> */ class C { }",
    "dynamic is object": "class C { /** <see cref='{M:C.F(System.Object)}F(object)'/> <see cref='{M:C.G(System.Object)}G(dynamic)'/> */ void F(dynamic d) { } void G(object o) { } void G(string s) { } }",
    "the own constructor of a generic type": "class B<T> { B() { } B(int n) { } /** <see cref='{M:B`1.#ctor}B()'/> <see cref='{M:B`1.#ctor(System.Int32)}B(int)'/> */ void M() { } }",
    "the constructor of a type that is called as the generic one": "class B { public B() { } public B(int n) { } } class B<T> { B() { } B(string s) { } /** <see cref='{M:B.#ctor}B()'/> <see cref='{M:B.#ctor(System.Int32)}B(int)'/> */ void M() { } }",
    "a destructor": "class B { ~B() { } /** <see cref='{M:B.Finalize}Finalize()'/> <see cref='{T:B}B.{M:B.Finalize}Finalize'/> */ void M() { } }",
    "types of parameters of what is not known": "class B { } /** <see cref='Missing({T:B}B)'/> */ class C { }",
}


@pytest.mark.parametrize("source", RULES.values(), ids=RULES)
def test_crefs(bind, source):
    written, expected = "", {}
    rest = source
    while "{" in rest and rest.find("'") >= 0:
        head, mark, tail = rest.partition("{")
        kind = tail[:2]
        if kind in ("T:", "M:", "F:", "P:"):
            symbol, _, rest = tail.partition("}")
            written += head
            expected[len(written)] = symbol
        else:
            written += head + mark
            rest = tail
    written += rest
    found, _ = bind(written)

    assert {at: found[at].symbol if at in found else None for at in expected} == expected
    assert all(str(found[at].label) == "exact" for at in expected)
    assert "N" in source or all(str(each.role) != "cref" or each.local or at in expected for at, each in found.items())


def test_keywords_name_no_member(bind):
    found, _ = bind("/** <see cref='object'/> */ class C { int @object; }")

    assert not any(str(each.role) == "cref" for each in found.values())


@pytest.mark.parametrize(
    ("cref", "role", "symbol"),
    [
        ("this[int]", "indexer", "P:C.Item(System.Int32)"),
        ("operator +(C, C)", "operator", "M:C.op_Addition(C,C)"),
        ("operator checked +(C, C)", "operator", "M:C.op_CheckedAddition(C,C)"),
        ("operator &lt;(C, C)", "operator", "M:C.op_LessThan(C,C)"),
        ("operator +=(int)", "operator", "M:C.op_AdditionAssignment(System.Int32)"),
        ("C.implicit operator int(C)", "operator", "M:C.op_Implicit(C)~System.Int32"),
        ("C.explicit operator C(int)", "operator", "M:C.op_Explicit(System.Int32)~C"),
        ("explicit operator string(C)", "operator", "M:C.op_Explicit(C)~System.String"),
        ("explicit operator checked byte(C)", "operator", "M:C.op_CheckedExplicit(C)~System.Byte"),
    ],
)
def test_what_has_no_name_of_its_own(bind, cref, role, symbol):
    members = (
        "int this[int i] => i; public static C operator +(C a, C b) => a; public static implicit operator int(C c) => 1;"
        """
        public static C operator checked +(C a, C b) => a; public static bool operator <(C a, C b) => true; public void operator +=(int n) { }
        public static explicit operator C(int n) => null; public static explicit operator string(C c) => null;
        public static explicit operator byte(C c) => 1; public static explicit operator checked byte(C c) => 1;"""
    )
    _, bound = bind(f"/** <see cref='{cref}'/> */ class C {{ {members} }}")

    assert (role, symbol, "", "exact") in {(str(b.role), b.symbol, b.name, str(b.label)) for _, b in bound.bindings}


@pytest.mark.parametrize(
    "text", ['<!-- <see cref="N"/> -->', '<![CDATA[ <see cref="N"/> ]]>', '&lt;see cref="N"/>', '<see cref="N&#50;"/>']
)
def test_what_stands_in_a_text_is_no_reference(bind, text):
    found, _ = bind(f"/// <summary>\n/// {text} <b/> <see\n/// cref='F'/>\nclass C {{ int N; int F; }}")

    assert [each.symbol for each in found.values() if str(each.role) == "cref"] == ["F:C.F"]


def test_a_parameter_by_reference_tells_overloads_apart(bind):
    source = '/** <see cref="F(ref int)"/> <see cref="F(int)"/> */ class A { void F(int n) { } void F(ref int n) { } }'
    found, _ = bind(source)

    assert found[source.index("F(ref")].symbol == "M:A.F(System.Int32@)"
    assert found[source.index("F(int)")].symbol == "M:A.F(System.Int32)"


def test_a_property_may_be_written_as_if_it_were_called(bind):
    source = '/// <see cref="P()"/> <see cref="F()"/>\nclass C { int P => 0; int F; }'
    found, _ = bind(source)

    assert found[source.index("P()")].symbol == "P:C.P"
    assert source.index("F()") not in found


def test_of_two_type_parameters_of_one_name_the_last_is_meant(bind):
    source = '/// <see cref="System.Collections.Generic.IDictionary{S, S}"/>\nclass C { }'
    found, _ = bind(source)

    assert [found[source.index(each)].declared for each in ("S,", "S}")] == [source.index("S}")] * 2
