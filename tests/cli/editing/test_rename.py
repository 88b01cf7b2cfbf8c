"""`refactor rename`: every place that means a symbol, and nothing that would change what another name means."""

import json

import pytest

from codecortex.model.text.columns import find_unit

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>
<TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>
"""


@pytest.fixture
def rename(repo, cli):
    """Rename what stands at `$` in a source."""

    def run(source, new, *words):
        at = source.index("$")
        before, text = source[:at], source.replace("$", "")
        (repo / "App.csproj").write_text(PROJECT)
        (repo / "a.cs").write_text(text, "utf-8")
        place = f"a.cs:{before.count(chr(10)) + 1}:{len(before.rpartition(chr(10))[2]) + 1}"
        done = cli(repo, "refactor", "rename", place, new, "--json", *words)
        return json.loads(done.out)

    return run


def apply(repo, answer):
    """The text of the file after the edits."""
    lines = (repo / "a.cs").read_text("utf-8").split("\n")
    for edit in sorted(answer["edits"], key=lambda each: (each["line"], each["column"]), reverse=True):
        line = lines[edit["line"] - 1]
        start = find_unit(line, edit["column"] - 1)
        lines[edit["line"] - 1] = line[:start] + edit["text"] + line[start + edit["length"] :]
    return "\n".join(lines)


RENAMED = {
    "a type that is called like the sign of an id": (
        "class $T { } class M { T t; T F(T a) => new T(); }",
        "class New { } class M { New t; New F(New a) => new New(); }",
    ),
    "a member called as a type parameter that is constrained elsewhere": (
        "class S { public int $Old; } class G { void M<Old>(Old t) where Old : new() { } int F(S s) => s.Old; }",
        "class S { public int New; } class G { void M<Old>(Old t) where Old : new() { } int F(S s) => s.New; }",
    ),
    "a type parameter, also where it is constrained": (
        "class C { void M<$Old>(Old t) where Old : new() { Old a = new(); } }",
        "class C { void M<New>(New t) where New : new() { New a = new(); } }",
    ),
    "a type, its constructors and its destructor": (
        "/// <see cref='Old'/>\nclass $Old { Old() { } ~Old() { } static Old Make() => new Old(); }",
        "/// <see cref='New'/>\nclass New { New() { } ~New() { } static New Make() => new New(); }",
    ),
    "an alias stays": (
        "using Short = N.Old; namespace N { class $Old { } } class C { Short a; N.Old b; }",
        "using Short = N.New; namespace N { class New { } } class C { Short a; N.New b; }",
    ),
    "a member with what overrides and implements it": (
        (
            "interface I { void $Old(); } class B : I { public virtual void Old() { } }\n"
            "class D : B { public override void Old() => base.Old(); }"
            " class E { void Old() { } void M(I i) => i.Old(); }"
        ),
        (
            "interface I { void New(); } class B : I { public virtual void New() { } }\n"
            "class D : B { public override void New() => base.New(); }"
            " class E { void Old() { } void M(I i) => i.New(); }"
        ),
    ),
    "one overload": (
        "class C { void $Old(int a) { } void Old(string a) { Old(1); Old(a); } }",
        "class C { void New(int a) { } void Old(string a) { New(1); Old(a); } }",
    ),
    "nameof": (
        "class C { int $Old; string A => nameof(Old) + nameof(C.Old); }",
        "class C { int New; string A => nameof(New) + nameof(C.New); }",
    ),
    "an explicit implementation": (
        "interface I { int $Old { get; } } class C : I { int I.Old => 1; }",
        "interface I { int New { get; } } class C : I { int I.New => 1; }",
    ),
    "a parameter, its documentation and named arguments": (
        (
            "class C {\n/// <param name='old'>See <paramref name='old'/>.</param>\n"
            "int M(int $old) => old; int A() => M(old: 1); int B(int old) => old; }"
        ),
        (
            "class C {\n/// <param name='New'>See <paramref name='New'/>.</param>\n"
            "int M(int New) => New; int A() => M(New: 1); int B(int old) => old; }"
        ),
    ),
    "a parameter of a lambda is not that of the method around it": (
        "using System; class C { void M(int a) { Func<int, int> f = $old => old; } void A(int old) => A(old: 1); }",
        "using System; class C { void M(int a) { Func<int, int> f = New => New; } void A(int old) => A(old: 1); }",
    ),
    "a local": (
        "class C { int old; int M() { var $old = 1; return old + this.old; } }",
        "class C { int old; int M() { var New = 1; return New + this.old; } }",
    ),
    "a property of a record, its parameter and its documentation": (
        "/// <param name='Old'>It.</param>\nrecord R(int $Old); record S(int A) : R(A) { int M(R r) => r.Old; }",
        "/// <param name='New'>It.</param>\nrecord R(int New); record S(int A) : R(A) { int M(R r) => r.New; }",
    ),
    "a parameter that an attribute names": (
        (
            "class A : System.Attribute { public A(string a) { } } "
            "class C { [return: A(nameof(old))] [A(nameof(old))] int M([A(nameof(old))] int $old) => old; }"
        ),
        (
            "class A : System.Attribute { public A(string a) { } } "
            "class C { [return: A(nameof(New))] [A(nameof(New))] int M([A(nameof(New))] int New) => New; }"
        ),
    ),
    "a parameter of a local function": (
        (
            "class C { int M() { static int F(int $old) => old < 1 ? 1 : F(old: old - 1); "
            "int G(int old) => old; return F(old: 3) + G(old: 1); } }"
        ),
        (
            "class C { int M() { static int F(int New) => New < 1 ? 1 : F(New: New - 1); "
            "int G(int old) => old; return F(New: 3) + G(old: 1); } }"
        ),
    ),
    "a parameter of a primary constructor": (
        (
            "class C(int $old) { public C(string old) : this(old: 3) { } int P => old; "
            "object M() => new C(old: 1); object N() => new C(old: null); }"
        ),
        (
            "class C(int New) { public C(string old) : this(New: 3) { } int P => New; "
            "object M() => new C(New: 1); object N() => new C(old: null); }"
        ),
    ),
    "a property of a record that arguments name": (
        "record R(int A, string $Old) { object M() => new R(A: 1, Old: null) with { Old = null }; }",
        "record R(int A, string New) { object M() => new R(A: 1, New: null) with { New = null }; }",
    ),
    "a parameter of an attribute": (
        '[A(old: "b")] class C { } class A(string $old) : System.Attribute { string P => old; }',
        '[A(New: "b")] class C { } class A(string New) : System.Attribute { string P => New; }',
    ),
    "a parameter of an indexer": (
        "class C { public int this[int $old, int b] => old + b; int M() => this[old: 1, b: 2]; }",
        "class C { public int this[int New, int b] => New + b; int M() => this[New: 1, b: 2]; }",
    ),
    "a parameter of a delegate": (
        "delegate int D(int $old, int b); class C { int M(D d) => d.Invoke(old: 1, b: 2); }",
        "delegate int D(int New, int b); class C { int M(D d) => d.Invoke(New: 1, b: 2); }",
    ),
    "a type parameter": (
        "/// <typeparam name='T'>It.</typeparam>\nclass C<$T> where T : new() { T a; U M<U>(T b, U c) => c; }",
        "/// <typeparam name='New'>It.</typeparam>\nclass C<New> where New : new() { New a; U M<U>(New b, U c) => c; }",
    ),
    "a parameter by an argument that names it": (
        ("/// <param name='Old'>It.</param>\nrecord R(int Old); class C { R M(int Old) => new(Old: 1); "
        "R N() => M($Old: 2); }"),
        ("/// <param name='Old'>It.</param>\nrecord R(int Old); class C { R M(int New) => new(Old: 1); "
        "R N() => M(New: 2); }"),
    ),
    "a property of a record by an argument that names it": (
        "/// <param name='Old'>It.</param>\nrecord R(int Old); class C { R M(int Old) => new($Old: Old); }",
        "/// <param name='New'>It.</param>\nrecord R(int New); class C { R M(int Old) => new(New: Old); }",
    ),
    "a parameter by its documentation": (
        "class C { /// <param name='$Old'>It.</param>\nint M(int Old) => Old; }",
        "class C { /// <param name='New'>It.</param>\nint M(int New) => New; }",
    ),
    "a type parameter in each part": (
        "partial class C<$T> { T a; }\n/// <typeparam name='T'/>\npartial class C<T> { T b; }",
        "partial class C<New> { New a; }\n/// <typeparam name='New'/>\npartial class C<New> { New b; }",
    ),
    "a property of a record that patterns name": (
        (
            "record R(int $Old, int B); class C { bool M(R r) => r is (Old: 1, B: 2) && r is R(Old: 3, B: 4); "
            "void N(R r) { r.Deconstruct(Old: out int a, B: out int b); } }"
        ),
        (
            "record R(int New, int B); class C { bool M(R r) => r is (New: 1, B: 2) && r is R(New: 3, B: 4); "
            "void N(R r) { r.Deconstruct(New: out int a, B: out int b); } }"
        ),
    ),
    "a property of a record by a pattern": (
        "record R(int Old, int B); class C { bool M(R r) => r is ($Old: 1, B: 2); }",
        "record R(int New, int B); class C { bool M(R r) => r is (New: 1, B: 2); }",
    ),
    "a property of a record by its documentation": (
        "/// <param name='$Old'>It.</param>\nrecord R(int Old); record S(int x) : R(x);",
        "/// <param name='New'>It.</param>\nrecord R(int New); record S(int x) : R(x);",
    ),
    "what a method gives that takes a value apart": (
        (
            "class P { public void Deconstruct(out int $Old, out int b) { Old = b = 1; } "
            "bool M(P p) => p is (Old: 1, b: 2); }"
        ),
        (
            "class P { public void Deconstruct(out int New, out int b) { New = b = 1; } "
            "bool M(P p) => p is (New: 1, b: 2); }"
        ),
    ),
    "a parameter in documentation before another comment": (
        "class C { /** <param name='Old'/> */ /* x */ void M(int $Old) { } }",
        "class C { /** <param name='New'/> */ /* x */ void M(int New) { } }",
    ),
    "behind a character of two units": (
        "class C { int M(int $Old) { /* \U0001f600 */ return Old; } }",
        "class C { int M(int New) { /* \U0001f600 */ return New; } }",
    ),
    "by a place that only uses it": (
        "class C { int Old; int M() => this.$Old; }",
        "class C { int New; int M() => this.New; }",
    ),
    "text and comments stay": (
        'class C { int $Old; /* Old */ string M() => "Old" + $"{Old} Old"; }'.replace('+ $"', '+ @"').replace(
            "{Old}", ""
        ),
        'class C { int New; /* Old */ string M() => "Old" + @" Old"; }',
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", RENAMED)
def test_every_place_that_means_it_is_edited(rename, repo, case):
    before, after = RENAMED[case]
    answer = rename(before, "New")
    assert (answer.get("error"), answer.get("state")) == (None, "planned")
    assert apply(repo, answer) == after


@pytest.mark.matrix
@pytest.mark.parametrize("case", RENAMED)
def test_a_name_that_stands_nowhere_gives_what_one_gives_that_a_comment_has(rename, repo, case):
    assert_same_with_comment(rename, repo, RENAMED[case][0])


SOMETHING_ELSE_IS_CALLED_SO = {
    "a property of that type": "class $Old { public int X; } class A { Old Old; int M() => Old.X; }",
    "a member of another type": "class A { public int $Old; } class B { int Old; int M(A a) => a.Old + Old; }",
    "a parameter and a local": "class A { int $Old; A(int Old) => this.Old = Old; int M() { int Old = 1; "
    "return Old; } }",
    "an overload": "class A { void $Old(int a) { } void Old(string a) { } void M() { Old(1); Old(null); } }",
    "a method group": "class A { void $Old() { } void Old(int a) { } void M() { System.Action<int> a = Old; } }",
    "an extension method": "class A { public void $Old() { } } static class E { public static void Old("
    "this A a, int b) { } static void M(A a) { a.Old(); a.Old(1); } }",
    "an attribute": "class $OldAttribute : System.Attribute { } [Old] class A { int Old; }",
    "what is not compiled": "class A { int $Old; }\n#if NO\nclass B { int Old; }\n#endif",
    "a word of a text and of a comment": 'class A { int $Old; string M() => $"Old {Old}"; /* Old */ }',
    "a reference of documentation": "class A { int $Old; }\n/// <see cref='Old'/> <see cref='A.Old'/>\n"
    "class B { int Old; }",
}


@pytest.mark.parametrize("case", SOMETHING_ELSE_IS_CALLED_SO)
def test_what_else_goes_by_the_old_name_keeps_it(rename, repo, case):
    planned = assert_same_with_comment(rename, repo, SOMETHING_ELSE_IS_CALLED_SO[case])
    assert planned["edits"]


def assert_same_with_comment(rename, repo, source):
    """What a renaming plans, whether a comment elsewhere has the new name or it stands nowhere."""
    unused = rename(source, "New")
    (repo / "b.cs").write_text("// New")
    used = rename(source, "New")
    assert "error" not in unused, unused
    parts = ("state", "edits", "candidates", "patch")
    assert [used[each] for each in parts] == [unused[each] for each in parts]
    return unused


OLD_NAME_IS_INFERRED = {
    "of a property of an anonymous type": "class A { int $Old; int M() { var a = new { Old }; return a.Old; } }",
    "of an element of a tuple": "class A { int $Old; int M() { var a = (Old, 1); return a.Old; } }",
    "of a record that inherits it": "record R(int $Old); record S(int Old) : R(1) { int M(S a) => a.Old; }",
}


@pytest.mark.parametrize("case", OLD_NAME_IS_INFERRED)
def test_an_old_name_that_something_else_goes_by_is_not_lost_though_nothing_bears_the_new_one(rename, case):
    answer = rename(OLD_NAME_IS_INFERRED[case], "Unheard")
    assert "error" in answer or answer["state"] == "choose", answer


COLLISIONS = {
    "a type of that name": "class $Old { } class New { }",
    "a nested type of that name": "class A { class $Old { } class New { } }",
    "a namespace of that name": "class $Old { } namespace New { class A { } }",
    "a member of the type": "class $Old { int New; }",
    "a nested type of the type": "class $Old { class New { } }",
    "a member of the type around": "class A { int New; class $Old { } }",
    "the type around": "class New { class $Old { } }",
    "its type parameter": "class $Old<New> { }",
    "a type parameter of a method that uses it": "class $Old { } class A { Old M<New>(New a) => null; }",
    "a nested type where it is used": "class $Old { } class A { class New { } Old M() => null; }",
    "an inherited nested type where it is used": "class $Old { } class B { public class New { } } "
    "class A : B { Old a; }",
    "a type of a nearer namespace": "class $Old { } namespace N { class New { } class A { Old a; } }",
    "a property where it is used": "class $Old { public static int X; } class A { int New; int M() => Old.X; }",
    "a local where it is used": "class $Old { public static int X; } class A { int M() { int New = "
    "1; return Old.X + New; } }",
    "an alias": "using New = System.String; class $Old { } class A { Old a; New b; }",
    "another type that is used by that name": "using System; class $Old { } class A { String a; Old b; }|String",
    "a method of these parameters": "class A { void $Old(int a) { } void New(int b) { } }",
    "a generic method of these parameters": "class A { void $Old<T>(T a) { } void New<U>(U b) { } }",
    "a field for a method": "class A { void $Old() { } int New; }",
    "a method for a field": "class A { int $Old; void New() { } }",
    "a property for a property": "class A { int $Old { get; } int New { get; } }",
    "an event for a field": "class A { int $Old; event System.Action New; }",
    "a value of an enum": "enum A { $Old, New }",
    "the type itself": "class New { void $Old() { } }",
    "a type parameter of the type": "class A<New> { void $Old() { } }",
    "a nested type": "class A { void $Old() { } class New { } }",
    "a member of the base that it would hide": "class B { public int New; } class A : B { public int $Old; }",
    "a method of the base that it would hide": "class B { public void New() { } } class A : B { "
    "public void $Old() { } }",
    "a member of a derived type that would hide it": "class B { public int $Old; } class A : B { public int New; }",
    "a member of object": "class A { public string $Old() => null; }|ToString",
    "a member of an interface that it would implement": "interface I { void New(); } abstract class A : I { "
    "void I.New() { } public void $Old() { } }",
    "a local that captures a field": "class A { int $old; int M() { int New = 1; return old + New; } }",
    "a parameter that captures a field": "class A { int $old; int M(int New) => old + New; }",
    "a parameter of a lambda that captures": "using System; class A { int $old; Func<int, int> M() "
    "=> New => old + New; }",
    "a variable of a pattern that captures": "class A { int $old; bool M(object o) => o is int New && New == old; }",
    "an out variable that captures": "class A { int $old; int M() { int.TryParse(null, out var New); return old; } }",
    "a variable of a query that captures": "using System.Linq; class A { int $old; object M(int[] a) "
    "=> from New in a select New + old; }",
    "a local function that captures": "class A { int $old() => 1; int M() { int New() => 2; return old() + New(); } }",
    "a variable of foreach that captures": "class A { int $old; void M(int[] a) { foreach (var New in a) old++; } }",
    "another local": "class A { void M() { int $old = 1; int New = 2; } }",
    "a local in a block below": "class A { void M() { int $old = 1; { int New = 2; } } }",
    "a parameter": "class A { void M(int New) { int $old = 1; } }",
    "another parameter": "class A { void M(int $old, int New) { } }",
    "a local of the body": "class A { void M(int $old) { int New = 1; } }",
    "a parameter of a lambda": "using System; class A { void M(int $old) { Func<int, int> f = New => New; } }",
    "a field that a local would capture": "class A { int New; int M() { int $old = 1; return old + New; } }",
    "a property that a parameter would capture": "class A { int New { get; } int M(int $old) => old + New; }",
    "a method that a local would capture": "class A { int New() => 1; int M() { int $old = 1; return old + New(); } }",
    "a type that a local would capture": "class New { public static int X; } class A { int M() { int $old = 1; "
    "return old + New.X; } }",
    "an inherited field that a local would capture": "class B { protected int New; } class A : B { int M() { "
    "int $old = 1; return old + New; } }",
    "another type parameter": "class A<$T, New> { }",
    "a type that a type parameter would capture": "class New { } class A<$T> { New a; T b; }",
    "a type that a method's parameter would capture": "class New { } class A { T M<$T>(New a) => default; }",
    "an overload that becomes better": "class A { void $Old(int a) { } void New(long a) { } void M() => New(1); }",
    "an overload that is not chosen any more": "class A { void $Old(object a) { } void New(string a) { } "
    "void M() => Old(null); }",
    "an overload that becomes ambiguous": "class A { void $Old(A a) { } void New(string a) { } void "
    "M() => New(null); }",
    "an extension method that a member would hide": "class A { public void $Old() { } } static class E { "
    "public static void New(this A a) { } static void M(A a) => a.New(); }",
    "a member that would hide an extension method": "class A { public void New() { } } static class E { "
    "public static void $Old(this A a) { } static void M(A a) => a.Old(); }",
    "a record's parameter that would declare a property": "record R(int $Old); record S(int Old) : R(Old);",
    "what a foreach calls": "class A { public A $GetEnumerator() => this; public bool MoveNext() => false; "
    "public int Current => 1; void M() { foreach (var a in this) { } } }",
    "what an initialiser calls": "using System.Collections; class A : IEnumerable { IEnumerator "
    "IEnumerable.GetEnumerator() "
    "=> null; public void $Add(int a) { } A M() => new A { 1 }; }",
    "what a deconstruction calls": "class A { public void $Deconstruct(out int a, out int b) { a = b = 1; } "
    "void M() { var (c, d) = this; } }",
    "a member that the framework declares": "class A : System.IDisposable { public void $Dispose() { } }",
    "an override of the framework's": "class A { public override string $ToString() => null; }",
}


def test_a_project_of_which_no_file_says_the_old_name_may_see_the_new_one(repo, cli):
    reference = '<ItemGroup><ProjectReference Include="../a/a.csproj" /></ItemGroup></Project>'
    files = {
        "a/a.csproj": PROJECT,
        "a/Old.cs": "namespace N; public static class Old { }",
        "a/b/New.cs": "namespace N.B; public class New { }",
        "t/t.csproj": PROJECT.replace("</Project>", reference),
        "t/T.cs": "using N.B;\nnamespace N.T;\nclass C { New a; }",
    }
    for path, text in files.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(text, "utf-8")
    told = cli(repo, "refactor", "rename", "N.Old", "New").err
    assert "t/T.cs:3:11: New would mean T:N.New, not T:N.B.New" in told


@pytest.mark.parametrize("case", COLLISIONS)
def test_what_would_change_a_meaning_is_refused(rename, repo, case):
    source, _, new = COLLISIONS[case].partition("|")
    answer = rename(source, new or "New")
    assert answer.get("error", {}).get("code") == "EditRefused", answer
    assert (repo / "a.cs").read_text("utf-8") == source.replace("$", "")


@pytest.mark.parametrize("word", ["class", "int", "event", "record", "await", "@new"])
def test_a_keyword_is_escaped(rename, repo, word):
    answer = rename("class $Old { Old M() => new Old(); }", word)
    name = f"@{word.removeprefix('@')}"
    assert apply(repo, answer) == f"class {name} {{ {name} M() => new {name}(); }}"


@pytest.mark.parametrize("new", ["var", "nint", "unmanaged", "C", "F", "N"])
def test_a_type_parameter_is_not_called_as_what_stands_beside_it(rename, new):
    answer = rename("class C<$T> where T : class { int F; class N { } T t; }", new)
    assert answer["error"]["code"] == "EditRefused"


@pytest.mark.parametrize("word", ["", "1a", "a b", "a.b", "a-b", "@", "\U0001d4b3"])
def test_what_is_no_name_is_refused(rename, word):
    assert rename("class $Old { }", word)["error"]["code"] == "UsageError"


HIDDEN = {
    "by what it is given to": "class A { int $Old; int F() { var New = Old + 1; return New; } }",
    "by a later statement": "class A { int $Old; int F() { int a = Old; int New = 2; return a + New; } }",
    "a method": "class A { int $Old() => 1; int F() { var New = Old(); return New; } }",
    "a type": "class $Old { public static int S; } class A { int F() { var a = Old.S; int New = 1; return a + New; } }",
    "by a pattern": "class A { int $Old; int F(object o) => Old == 1 && o is int New ? New : 0; }",
    "by another section of a switch": (
        "class A { int $Old; void F(int n) { switch (n) { case 1: n = Old; int New = 1; n = New; break; } } }"
    ),
}


@pytest.mark.parametrize("source", HIDDEN.values(), ids=HIDDEN)
def test_a_local_that_is_declared_later_hides_what_is_renamed(rename, source):
    assert "declares New, which a.cs:1 would mean" in rename(source, "New")["error"]["message"]


def test_locals_of_other_scopes_hide_nothing(rename, repo):
    source = (
        "class A { int $Old; int F() { { int New = 1; New++; } return Old; }"
        " int G() { int New = 1; return this.Old + New; }"
        " int H(System.Func<int> f) => H(() => { int New = 1; return New; }) + Old; }"
    )
    assert "New;" in apply(repo, rename(source, "New"))


STARTS = {
    "the method that a program begins with": "class A { static int $Main(string[] a) => 0; }",
    "the class around its statements": "System.Console.WriteLine(N);\npartial class $Program { static int N = 1; }",
}


@pytest.mark.parametrize("source", STARTS.values(), ids=STARTS)
def test_where_a_program_begins_keeps_its_name(rename, source):
    assert rename(source, "New")["error"]["code"] == "EditRefused"


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("class $Old { }", "_"),
        ("class A { void F() { int $t = 1; _ = 5; t++; } }", "_"),
        ("class A { int $Old(object o) => 1; string H() => nameof(A); }", "nameof"),
    ],
)
def test_nothing_is_called_what_then_would_mean_something_else(rename, source, word):
    assert f"What is called {word} takes what" in rename(source, word)["error"]["message"]


@pytest.mark.parametrize("word", ["var", "dynamic"])
def test_no_type_gets_a_name_that_hides_a_word(rename, word):
    assert "hides a word" in rename("class $Old { }", word)["error"]["message"]


def test_what_is_not_certain_is_left_to_be_chosen(rename, repo):
    source = "class $Old { } class A { Old a; }\n#if OTHER\nclass B { Old b; }\n#endif\n"
    answer = rename(source, "New")
    assert answer["state"] == "choose"
    (candidate,) = answer["candidates"]
    assert (candidate["file"], candidate["line"], candidate["column"]) == ("a.cs", 3, 11)
    chosen = rename(source, "New", "--include", candidate["id"], "--write")
    assert chosen["state"] == "done"
    assert (repo / "a.cs").read_text() == source.replace("$", "").replace("Old", "New")
    (repo / "a.cs").write_text(source.replace("$", ""))
    assert rename(source, "New", "--include", "all")["edits"] == chosen["edits"]
    assert candidate["text"] == "class B { Old b; }"
    left = rename(source, "New", "--include", "none")
    assert (left["state"], len(left["edits"])) == ("planned", 2)
    assert rename(source, "New", "--include", "ABCDEF")["error"]["code"] == "UsageError"


def test_documentation_of_code_that_is_not_compiled_is_left_to_be_chosen(rename):
    answer = rename("class $Old { }\n#if OTHER\n/// <see cref='Old'/> <c>Old</c>\nclass B { }\n#endif\n", "New")
    assert [(each["line"], each["column"]) for each in answer["candidates"]] == [(3, 16)]


IDS = {
    "a type beside one with type parameters": "class $Old { } class Old<T> { Old<T> M() => new Old<T>(); Old a; }",
    "a generic type beside one without": "class Old { Old a = new(); } class $Old<T> { void M(Old<int> a) => M(a); }",
    "a type within a generic one": "class A<T> { public class $Old { void M(A<int>.Old a) => M(null); } }",
    "an interface that is implemented by its name": "namespace N { interface $Old<T> { void M(); } "
    "class C : Old<int> { void Old<int>.M() { } void K(Old<int> a) => a.M(); } }",
}


@pytest.mark.parametrize("case", IDS)
def test_what_means_the_same_by_another_id_is_no_change(rename, case):
    answer = rename(IDS[case], "New")
    assert (answer.get("error"), answer.get("state")) == (None, "planned")


NAMESPACES = {
    "a declaration of its own": "namespace A.B { class C { } } class D { A.B.C c; }",
    "nested declarations": "namespace A { namespace B { class C { } } class D { B.C c; } }",
    "directives": "using A.B; using static A.B.C; using X = A.B.C; using Y = A.B; namespace A.B { class C { "
    "public static int F; } } class D { X x; Y.C y; int M() => F + A.B.C.F; }",
    "a namespace below": "using A.B.E; namespace A.B.E { class C { } } class D { C a; A.B.E.C b; }",
    "directives of a namespace": "namespace A.B { class C { } } namespace A.E { using B; class D { C c; B.C d; } }",
    "documentation": "namespace A.B { class C { } } \n/// <see cref='A.B.C'/> <see cref='A.B'/>\nclass D { }",
    "other names": "namespace A.B { class C { int B; } } class B { int M(A.B.C b) => 1; }",
}


@pytest.mark.parametrize("case", NAMESPACES)
def test_a_namespace_is_renamed_where_it_is_named(repo, cli, case):
    source = NAMESPACES[case]
    (repo / "App.csproj").write_text(PROJECT)
    (repo / "a.cs").write_text(source, "utf-8")
    answer = json.loads(cli(repo, "refactor", "rename", "A.B", "A.New", "--json").out)
    assert (answer.get("error"), answer.get("state")) == (None, "planned")
    expected = source.replace("A.B", "A.New").replace("namespace B", "namespace New").replace(" B.C", " New.C")
    assert apply(repo, answer) == expected.replace("using B;", "using New;")


def test_a_namespace_that_a_project_names_is_renamed_there_too(repo, cli, git):
    named = (
        '<PropertyGroup><RootNamespace>A.B</RootNamespace></PropertyGroup><ItemGroup><Using Include="A.B"/></ItemGroup>'
    )
    (repo / "App.csproj").write_text(PROJECT.replace("</Project>", f"{named}</Project>"))
    (repo / "a.cs").write_text("namespace A.B { class C { } } class D { C c; }")
    git(repo, "add", ".")
    answer = json.loads(cli(repo, "refactor", "rename", "A.B", "New", "--json").out)
    assert [(each["file"], each["why"]) for each in answer["candidates"]] == [
        ("App.csproj", "resources are named after it")
    ]
    done = cli(repo, "refactor", "rename", "A.B", "New", "--include", answer["candidates"][0]["id"], "--write")
    assert done.code == 0, done.out
    assert named.replace("A.B", "A.New") in (repo / "App.csproj").read_text()


@pytest.mark.parametrize("new", ["A.E", "E", "T", "X.New"])
def test_a_namespace_whose_name_is_taken_is_refused(repo, cli, new):
    (repo / "App.csproj").write_text(PROJECT)
    (repo / "a.cs").write_text(
        "namespace A.B { class C { } } namespace A.E { class D { } } namespace A { class T { } }"
    )
    answer = json.loads(cli(repo, "refactor", "rename", "A.B", new, "--json").out)
    assert answer["error"]["code"] == "EditRefused"


def test_the_base_that_is_not_known_asks(rename):
    answer = rename("class A : Missing.Base { public void $Old() { } }", "New")
    assert answer["state"] == "choose"
    assert "derives from what is not known" in answer["candidates"][0]["why"]


def test_a_file_follows_the_type_that_it_is_called_as(repo, cli, git):
    (repo / "App.csproj").write_text(PROJECT)
    (repo / "Old.cs").write_text("class Old { }\r\n", newline="")
    git(repo, "add", ".")
    done = cli(repo, "refactor", "rename", "T:Old", "New", "--write")
    assert done.code == 0, done.out
    assert not (repo / "Old.cs").exists()
    assert (repo / "New.cs").read_bytes() == b"class New { }\r\n"
    assert "New.cs" in cli(repo, "resolve", "New").out
    assert cli(repo, "refactor", "undo").code == 0
    assert (repo / "Old.cs").read_bytes() == b"class Old { }\r\n"
    assert "New.cs" not in git(repo, "ls-files").split()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("using A = N.B; namespace N { class B { } class C { $A a; } }", "is an alias of T:N.B"),
        ('class C { void M() => System.$Console.Write("a"); }', "T:System.Console is declared elsewhere"),
    ],
)
def test_what_a_place_names_has_no_name_of_its_own_there(rename, source, words):
    error = rename(source, "New")["error"]
    assert (error["code"], words in error["message"]) == ("EditRefused", True)
