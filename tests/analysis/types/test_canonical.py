"""Spellings that mean the same have one structureHash, and those that do not have two."""

import pytest

from codecortex.analysis.types.enum_values import count_enum

SAME = {
    "keyword and framework name": ("using System; class C { public String M(Int32 a, object b) => null; }",
                                   "class C { public string M(int a, System.Object b) => null; }"),
    "nullable value type": ("using System; class C { public Nullable<int> M(int? a) => null; }",
                            "class C { public int? M(System.Nullable<int> a) => null; }"),
    "qualified or not": ("namespace N { public class D { } public class C { public N.D F; } }",
                         "namespace N { public class D { } public class C { public D F; } }"),
    "global::": ("using System.Text; class C { public StringBuilder F; }",
                 "class C { public global::System.Text.StringBuilder F; }"),
    "an alias renamed": ("using M = System.Text.StringBuilder; class C { public M F; }",
                         "using Q = System.Text.StringBuilder; class C { public Q F; }"),
    "an alias with type arguments": (
        "using M = System.Collections.Generic.Dictionary<string, int>; class C { public M F; }",
        "using System.Collections.Generic; class C { public Dictionary<String, int> F; } ".replace("String", "string")),
    "the suffix of attributes": (
        "using System; [ObsoleteAttribute] class C { }", "using System; [Obsolete] class C { }"),
    "the suffix of unknown attributes": ("[Foo.BarAttribute(1)] class C { }", "[Foo.Bar(1)] class C { }"),
    "order of constraints": ("class C { public void M<T>() where T : class, System.IDisposable, new() { } }",
                             "class C { public void M<T>() where T : System.IDisposable, new(), class { } }"),
    "names of type parameters": ("class C<T> { public T M<U>(U a, T b) where U : T => b; }",
                                 "class C<A> { public A M<B>(B a, A b) where B : A => b; }"),
    "names of the parameters of a type around": ("class O<T> { public class C { public T F; } }",
                                                 "class O<X> { public class C { public X F; } }"),
    ": object": ("class C : object { }", "class C { }"),
    ": int": ("enum C : int { A }", "enum C { A }"),
    "values written out": ("enum C { A = 0, B = 1, D = 2, E = 0x10, F = 17, G = 1 << 3, H }",
                           "enum C { A, B, D, E = 16, F, G = 8, H = 9 }"),
    "public and abstract in an interface": ("interface C { public abstract void M(); }", "interface C { void M(); }"),
    "new alone": ("class C { public new string ToString() => null; }", "class C { public string ToString() => null; }"),
    "a nested type by its container": (
        "class C<T> { public class D { } public D F; public C<T>.D G; }",
        "class C<T> { public class D { } public C<T>.D F; public D G; }"),
    "typeof in an attribute": (
        'using System.Text; [X(typeof(StringBuilder), "a.b")] class C { }',
        '[X(typeof(System.Text.StringBuilder), "a.b")] class C { }'),
    "a constant in an attribute": (
        "using System; [AttributeUsage(AttributeTargets.Class)] class C { }",
        "[System.AttributeUsage(System.AttributeTargets.Class)] class C { }"),
    "types within types, deeper than calls nest": (
        f"using System.Collections.Generic; class C {{ public {'List<' * 300}string{'>' * 300} F; }}",
        f"class C {{ public {'System.Collections.Generic.List<' * 300}System.String{'>' * 300} F; }}"),
    "names of a nested namespace's using": (
        "namespace N { using System.Text; class C { public StringBuilder F; } }",
        "using System.Text; namespace N { class C { public StringBuilder F; } }"),
}  # fmt: skip


@pytest.mark.parametrize("case", SAME, ids=str)
def test_two_spellings_of_one_meaning_hash_alike(workspace, case):
    first, second = SAME[case]
    fqn = next(t.fqn for t in workspace(first).types if t.simple_name == "C")
    assert workspace(first).hash(fqn).structure == workspace(second).hash(fqn).structure


NB = "namespace NA { public class T { } } namespace NB { public class T { } }\n"
OTHER = {
    "a using directive": ("using NA; class C { public T F; }", "using NB; class C { public T F; }"),
    "the target of an alias": ("using A = NA.T; class C { public A F; }", "using A = NB.T; class C { public A F; }"),
    "a using directive of the framework": ("using System.Timers; class C { public Timer F; }",
                                           "using System.Threading; class C { public Timer F; }"),
    "tuple element names": ("class C { public (int a, int b) M() => default; }",
                            "class C { public (int a, int c) M() => default; }"),
    "a type and its nullable": ("class C { public int? F; }", "class C { public int F; }"),
    "an attribute of a type parameter": (
        "class C { public void M<T>() { } }", "class C { public void M<[A] T>() { } }"),
    "an attribute of a type's type parameter": ("class C<T> { }", "class C<[A] T> { }"),
    "an attribute of an accessor": ("class C { public int P { get; set; } }",
                                    "class C { public int P { [A] get; set; } }"),
    "readonly of an accessor": ("struct C { public int P { get => 1; set { } } }",
                                "struct C { public int P { readonly get => 1; set { } } }"),
    "an attribute of a parameter": (
        "class C { public void M(int a) { } }", "class C { public void M([A] int a) { } }"),
    "an attribute of the return value": (
        "class C { public int M() => 1; }", "class C { [return: A] public int M() => 1; }"),
    "an attribute of a positional property": ("record C(int A);", "record C([property: X] int A);"),
    "the size of a buffer": (
        "unsafe struct C { public fixed int B[8]; }", "unsafe struct C { public fixed int B[16]; }"),
    "the receiver of an extension block": (
        "static class C { extension(string s) { public int M() => 1; } }",
        "static class C { extension(object s) { public int M() => 1; } }"),
    "a constraint of an extension block": (
        "static class C { extension<T>(T s) where T : I { public int M() => 1; } }",
        "static class C { extension<T>(T s) where T : J { public int M() => 1; } }"),
    "a body given to an interface's member": ("interface C { void M(); }", "interface C { void M() { } }"),
    "a getter's body given to an interface's property": (
        "interface C { int P { get; } }", "interface C { int P => 1; }"),
    "the value of a member": ("enum C { A, B }", "enum C { A, B = 2 }"),
    "a value that counts on": ("enum C { A = X.Y, B }", "enum C { A = X.Z, B }"),
}  # fmt: skip


@pytest.mark.parametrize("case", OTHER, ids=str)
def test_another_meaning_hashes_otherwise(workspace, case):
    first, second = (workspace({"a.cs": text, "b.cs": NB}) for text in OTHER[case])
    fqn = next(t.fqn for t in first.types if t.simple_name == "C")
    assert first.hash(fqn).structure != second.hash(fqn).structure
    assert first.hash(fqn).internal_impl == second.hash(fqn).internal_impl


def test_the_name_of_a_receiver_is_public_behavior(workspace):
    text = "static class C { extension(string s) { public int M() => 1; } }"
    first, second = workspace(text).hash("C"), workspace(text.replace(" s)", " t)")).hash("C")
    assert first.structure == second.structure
    assert first.public_impl != second.public_impl


def test_an_alias_of_another_file_and_of_a_project_counts(workspace):
    text = "class C { public M F; }"
    own = workspace({"a.cs": "using M = System.Text.StringBuilder; " + text}).hash("C").structure
    other = workspace({"a.cs": text, "g.cs": "global using M = System.Text.StringBuilder;"}).hash("C").structure
    project = workspace({"p/a.cs": text}, {"p/p.csproj": ()}, {"p/p.csproj": ["M = System.Text.StringBuilder"]})
    assert own == other == project.hash("C").structure


def test_what_is_not_known_is_compared_as_written(workspace):
    first = workspace("using Lib; class C { public Foo F; }").hash("C").structure
    assert first == workspace("using Other; class C { public Foo F; }").hash("C").structure
    assert first != workspace("class C { public Lib.Foo F; }").hash("C").structure


def test_a_private_members_names_are_resolved_too(workspace):
    first = workspace("using System; class C { String f; }").hash("C")
    assert first.internal_impl == workspace("class C { string f; }").hash("C").internal_impl


@pytest.mark.parametrize(
    ("members", "values"),
    [
        ([("A", ""), ("B", ""), ("C", "5"), ("D", "")], ["0", "1", "5", "6"]),
        (
            [("A", "1"), ("B", "1 << 4"), ("C", "A | B"), ("D", "~A"), ("E", "-(1 + 2) * 3")],
            ["1", "16", "17", "-2", "-9"],
        ),
        ([("A", "X.Y"), ("B", ""), ("C", "3u"), ("D", "")], ["X.Y+0", "X.Y+1", "3", "4"]),
        ([("A", "'a'"), ("B", "0b1_0"), ("C", "0xFFuL"), ("D", "A")], ["'a'+0", "2", "255", "A+0"]),
        ([("A", "1 +"), ("B", "(1"), ("C", "1 2")], ["1 ++0", "(1+0", "1 2+0"]),
    ],
)
def test_values_of_enums_are_computed_where_they_can_be(members, values):
    assert count_enum(members) == values


NULLABLE = {
    "enabled": (
        "class C { public string M() => null; }",
        "#nullable enable\nclass C { public string M() => null; }",
        False,
    ),
    "disabled where nothing said otherwise": (
        "class C { public T M; }",
        "#nullable disable\nclass C { public T M; }",
        True,
    ),
    "warnings alone": ("class C { public T M; }", "#nullable enable warnings\nclass C { public T M; }", True),
    "restored": ("class C { public T M; }", "#nullable enable\n#nullable restore\nclass C { public T M; }", True),
    "value types alone": ("class C { public int? M; }", "#nullable enable\nclass C { public int? M; }", True),
    "below the type": ("class C { public T M; }", "class C { public T M; }\n#nullable enable\nclass D { }", True),
}


@pytest.mark.parametrize("case", NULLABLE, ids=str)
def test_the_nullable_context_counts_where_a_signature_holds_references(workspace, case):
    first, second, same = NULLABLE[case]
    assert (workspace(first).hash("C").structure == workspace(second).hash("C").structure) is same
