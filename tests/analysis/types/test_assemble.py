"""Parts in, types out: accessibility, partial members, what the compiler adds."""

import pytest


def list_members(workspace, source: str, fqn: str = "C", *, implicit: bool = False) -> list[str]:
    return [m.signature for m in workspace(source).find(fqn).members if m.facts.implicit == implicit]


@pytest.mark.parametrize(
    ("source", "fqn", "own", "effective"),
    [
        ("class C { }", "C", "internal", "internal"),
        ("public class C { class D { } }", "C+D", "private", "private"),
        ("class C { public class D { } }", "C+D", "public", "internal"),
        ("public interface C { class D { } }", "C+D", "public", "public"),
        (
            "public class C { protected internal class D { public class E { } } }",
            "C+D+E",
            "public",
            "protected internal",
        ),
        ("public class C { private protected class D { } }", "C+D", "private protected", "private protected"),
        ("file class C { public class D { } }", "C+D", "public", "file"),
        ("partial class C { } public partial class C { }", "C", "public", "public"),
    ],
)
def test_accessibility_has_the_languages_defaults(workspace, source, fqn, own, effective):
    found = workspace(source).find(fqn)
    assert (found.accessibility, found.effective_accessibility) == (own, effective)


def test_parts_are_merged(workspace):
    files = {"b.cs": "sealed partial class C : B { int b; }", "a.cs": "public partial class C : A { int a; }"}
    found = workspace(files).find("C")
    assert [part.path for part in found.parts] == ["a.cs", "b.cs"]
    assert found.modifiers == ("sealed",)
    assert [(m.facts.name, m.path) for m in found.members[:2]] == [("a", "a.cs"), ("b", "b.cs")]


def test_a_partial_member_is_one(workspace):
    definition = """partial class C {
/// <summary>Doc</summary>
public partial int A(int x = 1); [X] public partial int P { get; } partial void E(); }"""
    body = "partial class C { [Y] public partial int A(int y) => 1; public partial int P { get => 2; } }"
    for files in ({"a.cs": definition, "b.cs": body}, {"a.cs": body, "b.cs": definition}):
        found = {m.facts.name: m.facts for m in workspace(files).find("C").members if not m.facts.implicit}
        assert sorted(found) == ["A", "E", "P"]
        assert (found["A"].doc, found["A"].attributes, found["A"].parameters[0].name) == ("Doc", ("Y",), "x")
        assert found["A"].body
        assert found["P"].body
        assert found["P"].attributes == ("X",)
        assert not found["E"].body


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("class C { }", ["public C()"]),
        ("abstract class C { }", ["protected C()"]),
        ("static class C { }", []),
        ("class C { C(int x) { } }", []),
        ("class C { static C() { } }", ["public C()"]),
        ("class C(int x) { }", []),
        ("struct C { }", ["public C()"]),
        ("struct C { C(int x) { } }", ["public C()"]),
        ("struct C { public C() { } }", []),
        ("interface C { }", []),
        ("enum C { }", []),
        ("delegate void C();", []),
    ],
)
def test_the_compiler_adds_constructors(workspace, source, expected):
    assert list_members(workspace, source, implicit=True) == expected


def test_the_compiler_adds_to_records(workspace):
    assert list_members(workspace, "record C(int X);") == ["public int X", "public C(int)"]
    assert list_members(workspace, "record C(int X);", implicit=True) == [
        "protected Type EqualityContract", "public static bool !=(C,C)", "public static bool ==(C,C)",
        "public void Deconstruct(out int)", "public bool Equals(C)", "public bool Equals(object?)",
        "public int GetHashCode()", "protected bool PrintMembers(StringBuilder)", "public string ToString()",
        "protected C(C)",
    ]  # fmt: skip


def test_what_a_record_declares_is_not_added(workspace):
    source = """sealed record C<T>(int X) { public int X { get; } = 1; public override string ToString() => "";
public bool Equals(C<T>? other) => true; C(C<T> other) { } }"""
    names = [(m.facts.name, m.facts.implicit) for m in workspace(source).find("C`1").members]
    assert names.count(("X", False)) == 1
    assert ("X", True) not in names
    assert ("ToString", True) not in names
    assert names.count(("Equals", True)) == 1
    assert sum(name == "C" for name, _ in names) == 2


def test_a_record_with_a_copy_constructor_alone_still_has_the_default_one(workspace):
    assert "public C()" in list_members(workspace, "record C { protected C(C other) { } }", implicit=True)


def test_a_program_of_statements_is_a_type(workspace):
    found = workspace({"a.cs": "System.Console.WriteLine(1);", "b.cs": "public partial class Program { }"}).find(
        "Program"
    )
    assert found.accessibility == "public"
    assert [m.facts.name for m in found.members if m.facts.body] == ["<Main>$"]


def test_same_names_of_two_kinds_are_two_types(workspace):
    assert len({t.id for t in workspace({"a.cs": "class C { }", "b.cs": "struct C { }"}).types}) == 2


def test_a_type_says_why_it_is_degraded(workspace):
    found = workspace({"a.cs": "partial class C { }", "b.cs": "partial class C { int ) x; }"}).find("C")
    assert found.degraded.startswith("b.cs: ")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("public abstract record C(int X);", "protected"),
        ("public abstract class C(int x) { }", "protected"),
        ({"a.cs": "public partial class C(int x) { }", "b.cs": "abstract partial class C { }"}, "protected"),
        ("public record C(int X);", "public"),
        ("public struct C(int x) { }", "public"),
    ],
)
def test_the_primary_constructor_of_an_abstract_type_is_protected(workspace, source, expected):
    primary = [
        m.facts for m in workspace(source).find("C").members if m.facts.primary and m.facts.kind == "constructor"
    ]
    assert [each.accessibility for each in primary] == [expected]


def test_halves_of_a_partial_member_share_the_attributes_of_accessors_and_type_parameters(workspace):
    source = """partial class C { public partial int P { [A] get; } public partial void M<[A] T>(); }
    partial class C { public partial int P { [B] get => 1; } public partial void M<[B] T>() { } }"""
    found = {m.facts.name: m.facts for m in workspace(source).find("C").members}
    assert found["P"].accessor_attributes == (("get", "A"), ("get", "B"))
    assert found["M"].type_parameter_attributes == ((0, "A"), (0, "B"))
