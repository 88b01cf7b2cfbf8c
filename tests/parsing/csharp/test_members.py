import pytest

from codecortex.parsing.csharp.read import read_csharp


def read(source, *symbols):
    facts = read_csharp(source.encode(), frozenset(symbols))
    assert facts.degraded == ""
    return facts


def type_of(source):
    return read(source).types[0]


def member(source, owner="class C"):
    (found,) = type_of(f"{owner} {{ {source}\n}}").members
    return found


@pytest.mark.parametrize(
    ("source", "kind", "name", "result"),
    [
        ("int M() => 1;", "method", "M", "int"),
        ("C() { }", "constructor", "C", ""),
        ("~C() { }", "destructor", "C", ""),
        ("int P { get; }", "property", "P", "int"),
        ("int this[int i] => i;", "indexer", "this", "int"),
        ("event Action E;", "event", "E", "Action"),
        ("event Action E { add { } remove { } }", "event", "E", "Action"),
        ("readonly int f;", "field", "f", "int"),
        ("const int K = 1 + 2;", "constant", "K", "int"),
        ("public static C operator +(C a, C b) => a;", "operator", "+", "C"),
        ("public static C operator checked -(C a) => a;", "operator", "checked -", "C"),
        ("public void operator +=(int x) { }", "operator", "+=", "void"),
        ("public static implicit operator int(C c) => 1;", "conversion", "implicit", "int"),
        ("public static explicit operator checked int(C c) => 1;", "conversion", "checked explicit", "int"),
        ("int @class;", "field", "class", "int"),
        ("Dictionary < string , int > f;", "field", "f", "Dictionary<string, int>"),
    ],
)
def test_each_kind_of_member(source, kind, name, result):
    found = member(source)
    assert (found.kind, found.name, found.type) == (kind, name, result)


def test_each_declarator_is_a_member():
    first, second = type_of("class C { int a = new D<int, string>(x, y), b; }").members
    assert (first.name, second.name, second.type) == ("a", "b", "int")
    assert first.body
    assert not second.body


@pytest.mark.parametrize(
    ("source", "interface"),
    [
        ("void I.M() { }", "I"),
        ("int I<int>.P { get; }", "I<int>"),
        ("event E N.I.Ev { add { } remove { } }", "N.I"),
        ("C I.this[int i] => null;", "I"),
        ("static C I<C>.operator +(C a, C b) => a;", "I<C>"),
        ("static explicit I<C>.operator int(C a) => 1;", "I<C>"),
    ],
)
def test_explicit_implementations_name_their_interface(source, interface):
    found = member(source)
    assert found.explicit_interface == interface
    assert found.accessibility == "private"


@pytest.mark.parametrize(
    ("owner", "source", "accessibility", "modifiers"),
    [
        ("class C", "int f;", "private", ()),
        ("interface I", "void M();", "public", ()),
        ("class C", "protected internal static int f;", "protected internal", ("static",)),
        ("class C", "private protected int f;", "private protected", ()),
        ("class C", "public override sealed void M() { }", "public", ("override", "sealed")),
        ("class C", "public const int K = 1;", "public", ("const",)),
    ],
)
def test_accessibility_has_the_default_of_the_language(owner, source, accessibility, modifiers):
    found = member(source, owner)
    assert (found.accessibility, found.modifiers) == (accessibility, modifiers)


def test_accessors_carry_their_own_accessibility():
    assert member("public int P { get; private set; }").accessors == (("", "get"), ("private", "set"))
    assert member("public int P => 1;").accessors == (("", "get"),)
    assert member("public int this[int i] => 1;").accessors == (("", "get"),)


def test_parameters_have_modifiers_defaults_and_attributes():
    a, b, c = member("void M([A(1)] in int a, params string[] b, D<int, F> c = default) { }").parameters
    assert (a.type, a.modifier, a.name, a.attributes) == ("int", "in", "a", ("A(1)",))
    assert (b.type, b.modifier) == ("string[]", "params")
    assert (c.type, c.name, c.default) == ("D<int, F>", "c", "default")


def test_type_parameters_and_constraints():
    found = member("void M<T, U>() where T : class, new() where U : I<T>, allows ref struct { }")
    assert found.arity == 2
    assert found.constraints == ("T : class, new()", "U : I<T>, allows ref struct")


def test_attributes_keep_their_target():
    assert member('[return: A] [B("x, y"), C] int M() => 1;').attributes == ("return: A", 'B("x, y")', "C")


def test_extension_members_have_a_receiver_and_others_none():
    first, second, last = type_of(
        "static class E { extension<T>(List<T> s) { public int A => 1; public void B() { } } static void M() { } }"
    ).members
    assert (first.receiver, second.receiver, last.receiver) == ("List<T> s", "List<T> s", "")


def test_primary_constructors_records_and_unions():
    assert type_of("class P(int x) : B(x), I;").bases == ("B", "I")
    (constructor,) = type_of("public record R<T>(int A, [property: X] string B);").members
    assert constructor.primary
    assert [p.name for p in constructor.parameters] == ["A", "B"]
    union = type_of("public union U<T>(int, List<T>) { void M() { } }")
    assert (union.kind, union.modifiers) == ("struct", ("union",))
    assert [[p.type for p in m.parameters] for m in union.members] == [["int"], ["List<T>"], []]


def test_enums_and_delegates():
    first, second = type_of("enum E : byte { A = 1 << 2, B }").members
    assert (first.name, first.value, second.value) == ("A", "1 << 2", "")
    (invoke,) = type_of("public delegate int D<in T>(T x);").members
    assert (invoke.kind, invoke.name, invoke.type) == ("invoke", "Invoke", "int")


def test_types_nest_and_namespaces_name_them():
    facts = read("namespace A.B; class O<T> { partial class I { } file struct S { } }")
    assert [t.fqn for t in facts.types] == ["A.B.O`1", "A.B.O`1+I", "A.B.O`1+S"]
    assert facts.types[1].modifiers == ("partial",)
    assert facts.types[2].accessibility == "file"


def test_usings_stand_in_their_scope():
    facts = read("global using static System.Math; using X = A.B<int>; namespace N { using M; class C; }")
    outer, inner = facts.scopes
    assert [(u.target, u.alias, u.static, u.everywhere) for u in outer.usings] == [
        ("System.Math", "", True, True),
        ("A.B<int>", "X", False, False),
    ]
    assert [u.target for u in inner.usings] == ["M"]
    assert facts.types[0].scope == 1


def test_a_program_is_a_class_of_the_compiler():
    (program,) = read("using System;\nRun(1);\nvoid Run(int x) { }\n").types
    assert (program.fqn, program.implicit, program.members[0].name) == ("Program", True, "<Main>$")


def test_an_expression_body_is_the_statement_it_stands_for():
    assert member("int M() => f(1);").body == member("int M() { return f(1); }").body
    assert member("void M() => f(1);").body == member("void M() { f(1); }").body
    assert member("int P => 1;").body == member("int P { get { return 1; } }").body
    assert member("int M() => f(1);").body != member("int M() => f(2);").body


def test_inactive_text_belongs_to_the_body_around_it():
    def body(inactive):
        return member(f"void M() {{\n#if X\n{inactive}\n#endif\n}}").body

    assert body("a();") != body("b();")
    assert body("a();") == body("a( ) ; // x")


def test_layout_and_comments_are_cosmetic_alone():
    one = type_of("class C { int M() { return 1; } }")
    other = type_of("class C {\n // a\n int M()\n {\n return /* b */ 1; }\n}")
    assert one.cosmetic != other.cosmetic
    assert (one.members[0].body, one.surface, one.inner) == (other.members[0].body, other.surface, other.inner)


@pytest.mark.parametrize(
    ("source", "doc"),
    [
        ("/// <summary>A</summary>\nint f;", "A"),
        ("/** <summary>A</summary> */ int f;", "A"),
        ("/// <summary>A</summary>\n[X]\nint f;", "A"),
        ("/// <summary>A</summary>\n// note\n#region r\nint f;\n#endregion", "A"),
        ("/// <summary>X</summary>\n/* between */\n/// <summary>A</summary>\nint f;", "A"),
        ("//// no\nint f;", ""),
        ("/*** no */ /**/ int f;", ""),
        ("[X] /// <summary>A</summary>\npublic int f;", "A"),
    ],
)
def test_documentation_is_the_last_run_before_a_declaration(source, doc):
    found = member("\n" + source)
    assert found.doc == doc
    assert bool(found.doc_hash) == bool(doc)


def test_documentation_after_code_belongs_to_the_next_declaration():
    first, second = type_of("class C {\nint a; /// <summary>B</summary>\nint b;\n}").members
    assert (first.doc, second.doc) == ("", "B")


def test_lines_are_those_of_the_declaration_after_its_attributes():
    found = member("\n/// <summary>A</summary>\n[X]\nint M()\n{\n}\n")
    assert (found.line, found.end_line) == (4, 6)
