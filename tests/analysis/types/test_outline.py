"""The text of outlines; the names are the cases of section D."""

# ruff: noqa: N802 - tests are named after cases

import pytest


def list_api(text: str) -> list[str]:
    return [line.removeprefix("  + ") for line in text.split("\n") if line.startswith("  + ")]


def show(workspace, source: str, fqn: str = "C") -> list[str]:
    return list_api(workspace(source).outline(fqn))


def test_OU_01_members_that_another_assembly_sees(workspace):
    source = (
        'public class C { public int A(int x, string y = "z") => x; protected int P { get; } internal void B() { } }'
    )
    assert show(workspace, source) == ["protected int P { get; }", 'public int A(int x, string y = "z")']


def test_OU_02_files_are_sorted_without_regard_to_case(workspace):
    found = workspace({f"src/{name}.cs": "partial class C { }" for name in ("b", "A", "a", "B")})
    assert "Files: src/A.cs, src/a.cs, src/B.cs, src/b.cs |" in found.outline("C")


def test_OU_03_generic_types_show_their_parameters(workspace):
    found = workspace(
        "namespace N; public class C<T, U> where T : class { public U A<V>(T t) where V : new() => default; }"
    )
    text = found.outline("N.C`2")
    assert text.startswith(
        f"# N.C<T, U> {found.types[0].id}\nKind: class | Files: a.cs | Assembly: Asm\nWhere: T : class\n"
    )
    assert list_api(text) == ["public U A<V>(T t) where V : new()"]


def test_OU_04_a_nested_type_is_one_line(workspace):
    source = (
        "public class C { public class D<T> { public int X; "
        "public class E { } } private class F { } protected enum G { A } }"
    )
    found = workspace(source)
    ids = {t.fqn: t.id for t in found.types}
    assert list_api(found.outline("C")) == [f"public class D<T> {ids['C+D`1']}", f"protected enum G {ids['C+G']}"]
    assert found.outline("C+D`1").startswith(f"# C.D<T> {ids['C+D`1']}\n")


def test_OU_05_members_stand_by_kind_then_name_then_overload(workspace):
    lines = [
        "public const int A = 1", "public int Z", "public int P { get; }", "public int this[int i] { get; }",
        "public event A E", "public void B()", "public void B(int x)", "public void B(string x)",
        "public void B<T>(int x)", "public static implicit operator int(C c)",
        "public static implicit operator long(C c)", "public C()", "public C(int x)",
    ]  # fmt: skip
    bodies = {"P": " { get; }", "this": " { get; }"}
    members = [
        line.partition(" {")[0] + next((b for word, b in bodies.items() if f" {word}" in line), "")
        if "{" in line
        else line + (" { }" if ")" in line else ";")
        for line in lines
    ]
    for order in (members, members[::-1]):
        assert show(workspace, f"public class C {{ {' '.join(order)} }}") == lines


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("public int P { get; private set; }", "public int P { get; }"),
        ("public int P { get; internal set; }", "public int P { get; }"),
        ("public int P { get; protected set; }", "public int P { get; protected set; }"),
        ("public int P { private get; set; }", "public int P { set; }"),
        ("public int P { set { } get { return 1; } }", "public int P { get; set; }"),
        ("public int P { get; init; }", "public int P { get; init; }"),
        ("public int P => 1;", "public int P { get; }"),
        ("protected internal int P { protected get; set; }", "protected internal int P { protected get; set; }"),
    ],
)
def test_OU_06_accessors_that_another_assembly_sees(workspace, written, shown):
    assert show(workspace, f"public class C {{ {written} }}") == [shown]


def test_OU_07_an_indexer_is_this(workspace):
    source = (
        "public class C { public int this[int i, string s] { get => 1; private set { } } "
        "public event A E { add { } remove { } } }"
    )
    assert show(workspace, source) == ["public int this[int i, string s] { get; }", "public event A E"]


def test_OU_08_private_and_body_edits_leave_the_text_as_it_is(workspace):
    one = "public class C { public int A() => 1; int x; class D { } }"
    two = "public class C {\n  string y = null; // more\n public int A() { return 2; } }"
    assert workspace(one).outline("C") == workspace(two).outline("C")


def test_OU_09_documentation_is_rewritten_with_the_text(workspace):
    one, two = (workspace(f"/// <summary>{text}</summary>\nclass C {{ }}").outline("C") for text in ("One", "Two"))
    assert "One" in one
    assert one.replace("One", "Two") == two


def test_OU_10_text_is_clean(workspace):
    source = "\ufeff/// <summary>\r\n/// One\r\n/// </summary>\r\nclass C { }\r\n".encode()
    text = workspace(source).outline("C")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert not {"\r", "\ufeff", "\t"} & set(text)


def test_OU_12_a_generic_type_is_headed_by_its_parameters(workspace):
    assert workspace("namespace N; class C<T> { }").outline("N.C`1").startswith("# N.C<T> T_")


def test_OU_13_documentation_stands_before_the_members(workspace):
    source = """/// <summary>Steps:
/// <list type="number"><item>Step 1</item><item>Step 2</item></list></summary>
public class C { public int A; }"""
    text = workspace(source).outline("C")
    assert text.index("1. Step 1") < text.index("2. Step 2") < text.index("Public API:")


def test_documentation_stops_before_its_first_section(workspace):
    source = """/// <summary>Sums up.</summary>
/// <remarks>At length.</remarks>
public class C {
/// <summary>Does this. And that.</summary>
/// <param name="x">Not shown.</param>
public void A(int x) { }
/// <summary>Does it</summary>
public void B() { }
}"""
    text = workspace(source).outline("C")
    assert "\nSums up. ...\n" in text
    assert "\n      Does this. ...\n" in text
    assert "\n      Does it\n" in text
    assert "shown" not in text


def test_undocumented_overrides_are_named_once(workspace):
    source = """public class C : B { public override int A() => 1; public override int A(int x) => 1;
public override string ToString() => "";
/// <summary>New.</summary>
public override int D() => 1; }"""
    text = workspace(source).outline("C")
    assert list_api(text) == ["public override int D()"]
    assert "\nOverrides: A, ToString\n" in text


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        pytest.param("public enum C { B = 2, A, X = B | A }", ["B = 2", "A", "X = B | A"], id="enum in source order"),
        pytest.param("public delegate int C<T>(ref T x);", ["public delegate int C<T>(ref T x)"], id="delegate"),
        pytest.param("public record C(int X, string? Y = null);",
                     ["public int X { get; init; }", "public string? Y { get; init; }",
                      "public C(int X, string? Y = null)"], id="record"),
        pytest.param("public record struct C(int X);", ["public int X { get; set; }", "public C(int X)"], id="struct"),
        pytest.param("public class C(int x) { }", ["public C(int x)"], id="primary constructor"),
        pytest.param("public class C { ~C() { } void I.M() { } static C() { } }", [], id="nothing visible"),
        pytest.param("public interface C { void A(); int B { get; } private void X() { } }",
                     ["public int B { get; }", "public void A()"], id="interface"),
        pytest.param("public class C { public static C operator +(C a, C b) => a; "
                     "public static explicit operator int(C c) => 1; }",
                     ["public static C operator +(C a, C b)", "public static explicit operator int(C c)"],
                     id="operators"),
        pytest.param("public class C { public async Task A() { } }", ["public Task A()"], id="async is not shown"),
        pytest.param("public static class C { public static int A(this string s, params int[] x) => 1; }",
                     ["public static int A(this string s, params int[] x)"], id="extension"),
    ],
)  # fmt: skip
def test_members_read_as_c_sharp(workspace, source, lines):
    fqn = "C`1" if "C<" in source else "C"
    assert show(workspace, source, fqn) == lines


def test_a_type_that_is_not_plainly_public_says_so(workspace):
    assert " | internal sealed\n" in workspace("sealed class C { }").outline("C")
    assert " | public abstract\n" in workspace("public abstract class C { }").outline("C")


def test_a_long_value_is_cut(workspace):
    line = show(workspace, f'public class C {{ public const string A = "{"x" * 200}"; }}')[0]
    assert line.endswith("...")
    assert len(line) < 120


def test_the_head_of_an_extension_block_is_shown(workspace):
    source = """public static class C {
    extension<[A] T, U>(IEnumerable<T> s) where T : class, new() { public int Total => 1; }
    extension(string s) { public int Size => 1; } }"""
    assert show(workspace, source) == [
        "public int Size { get; } (extension of string s)",
        "public int Total { get; } (extension of <[A] T, U> IEnumerable<T> s where T : class, new())",
    ]


def test_readonly_accessors_and_the_size_of_a_fixed_buffer_are_shown(workspace):
    source = "public unsafe struct C { public fixed byte A[16]; public int P { readonly get => 1; set { } } }"
    assert show(workspace, source) == ["public fixed byte A[16]", "public int P { readonly get; set; }"]
