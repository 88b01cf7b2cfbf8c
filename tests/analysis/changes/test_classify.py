"""Which class, reasons and members an edit of one type gives."""

import pytest

from codecortex.analysis.changes.classify import ChangeClass, Side, classify, compare_sides, rename_within
from codecortex.analysis.types.canonical import canonicalize
from codecortex.analysis.types.fingerprints import HashRules
from codecortex.model.code.changes import MemberChange

RULES = HashRules(frozenset({"SuppressMessage", "DebuggerDisplay"}))
C = "namespace N; public class C {{ {} }}"


def compare(workspace, before, after, rules=RULES, fqn="N.C"):
    sides = []
    for source in (before, after):
        space = workspace(source)
        merged = space.find(fqn)
        sides.append((Side(merged, space.nested_in(merged), space.canonical(merged)), space.hash(fqn, rules)))
    (old, old_hash), (new, new_hash) = sides
    reasons, members = compare_sides(old, new, rules)
    return classify(old_hash, new_hash), [str(reason) for reason in reasons], members


def told(members: tuple[MemberChange, ...]) -> list[tuple[str, str]]:
    return [(member.before, member.after) for member in members]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "public int A() => 1;", ["memberAdded"]),
        ("public int A() => 1;", "", ["memberRemoved"]),
        ("public int A() => 1;", "public long A() => 1;", ["memberChanged"]),
        ("public int A(int x) => 1;", "public int A(string x) => 1;", ["memberChanged"]),
        ("public int A() => 1;", "int A() => 1;", ["memberChanged"]),
        ("public int P { get; }", "public int P { get; set; }", ["memberChanged"]),
        ("public int A;", "public int A { get; set; }", ["memberAdded", "memberRemoved"]),
        ("public int A() => 1;", "[Obsolete] public int A() => 1;", ["attributesChanged"]),
        ("public void A<T>() { }", "public void A<T>() where T : class { }", ["memberChanged"]),
        ("", "public class D { }", ["memberAdded"]),
        ("public class D { }", "public struct D { }", ["memberAdded", "memberRemoved"]),
        ("", "private C() { }", ["memberChanged"]),
        ("public C() { }", "public C(int x) { }", ["memberChanged"]),
        ("", "private int A;", []),
        ("public int A() => 1;", "public int A() => 2;", []),
        ("public int A(int x) => 1;", "public int A(int y) => 1;", []),
    ],
)
def test_reasons_of_edits_of_members(workspace, before, after, expected):
    change, reasons, _ = compare(workspace, C.format(before), C.format(after))
    assert reasons == expected
    assert (change is ChangeClass.STRUCTURE) == bool(expected)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("public class C", "public sealed class C", ["modifiersChanged"]),
        ("public class C", "internal class C", ["modifiersChanged"]),
        ("public class C", "public class C : B", ["baseListChanged"]),
        ("public class C", "[Obsolete] public class C", ["attributesChanged"]),
        ("public class C", '[DebuggerDisplay("x")] public class C', []),
    ],
)  # fmt: skip
def test_reasons_of_edits_of_the_declaration(workspace, before, after, expected):
    _, reasons, _ = compare(workspace, f"namespace N; {before} {{ }}", f"namespace N; {after} {{ }}")
    assert reasons == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("public interface C<T>", "public interface C<out T>", ["typeParametersChanged"]),
        ("public interface C<T>", "public interface C<T> where T : class", ["constraintsChanged"]),
    ],
)
def test_reasons_of_edits_of_a_generic_declaration(workspace, before, after, expected):
    _, reasons, _ = compare(workspace, f"namespace N; {before} {{ }}", f"namespace N; {after} {{ }}", fqn="N.C`1")
    assert reasons == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("A, B", "A, B = 4", ["enumValueChanged"]),
        ("A, B", "A = 1, B", ["enumValueChanged"]),
        ("A, B", "A, B, D", ["memberAdded"]),
        ("A, B", "A, D, B", ["memberAdded", "enumValueChanged"]),
        ("A, B", "A, [Obsolete] B", ["attributesChanged"]),
        ("A, B = 1", "A, B = 1 ", []),
    ],
)
def test_reasons_of_edits_of_an_enum(workspace, before, after, expected):
    _, reasons, _ = compare(
        workspace, f"namespace N; public enum C {{ {before} }}", f"namespace N; public enum C {{ {after} }}"
    )
    assert reasons == expected


def test_cc_01_structure_and_public_behaviour_changed_is_structure(workspace):
    change, _, members = compare(
        workspace,
        C.format("public int A() => 1; public int B() => 1;"),
        C.format("public int A() => 2; public long B() => 1;"),
    )
    assert change is ChangeClass.STRUCTURE
    assert [(m.name, m.signature_changed, m.body_changed) for m in members.changed] == [
        ("A", False, True),
        ("B", True, False),
    ]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("/** x */ public int A() { return 2; } int b() => 1;", ChangeClass.PUBLIC_BEHAVIOR),  # CC-02
        ("public int A() { return 1; } int b() => 2;", ChangeClass.INTERNAL),  # CC-03
        ("/// <summary>x</summary>\npublic int A() { return 1; } int b() => 1;", ChangeClass.DOCS),
        ("public int A() { return 1; } int b() => 1; // x\n", ChangeClass.COSMETIC),  # CC-06
        ("public int A() { return 1; } int b() => 1;", None),
    ],
)
def test_cc_02_cc_03_cc_06_class_of_edits_that_are_no_structure(workspace, after, expected):
    change, reasons, _ = compare(workspace, C.format("public int A() { return 1; } int b() => 1;"), C.format(after))
    assert change is expected
    assert reasons == []


def test_overloads_are_paired_by_identity_then_by_likeness(workspace):
    _, _, members = compare(
        workspace,
        C.format("public void M(int a) { } public void M(int a, string b) { } public void M(long z) { }"),
        C.format("public void M(int a) { } public void M(int a, object b) { } public void M(long z, int q, int r) { }"),
    )
    assert told(members.changed) == [
        ("public void M(int,string)", "public void M(int,object)"),
        ("public void M(long)", "public void M(long,int,int)"),
    ]
    assert members.added == members.removed == ()


def test_overloads_beyond_the_other_sides_number_came_or_went(workspace):
    _, reasons, members = compare(
        workspace, C.format("public void M(int a) { }"), C.format("public void M(string a) { } public void M() { }")
    )
    assert told(members.changed) == [("public void M(int)", "public void M(string)")]
    assert told(members.added) == [("", "public void M()")]
    assert reasons == ["memberAdded", "memberChanged"]


def test_members_that_others_cannot_see_are_told_but_no_reason(workspace):
    _, reasons, members = compare(workspace, C.format("int a;"), C.format("int b; internal void D() { }"))
    assert [(m.name, m.visible) for m in (*members.added, *members.removed)] == [
        ("b", False), ("D", False), ("a", False),
    ]  # fmt: skip
    assert reasons == []


def test_members_that_a_sealed_type_hides_are_no_reason_beside_one_that_is(workspace):
    before = "public sealed class C { protected int A() => 1; }"
    after = "public sealed class C { protected long A() => 1; protected class D { } public int B() => 1; }"
    change, reasons, members = compare(workspace, before, after, fqn="C")
    assert (change, reasons) == (ChangeClass.STRUCTURE, ["memberAdded"])
    assert len(members.added) == 2
    change, reasons, _ = compare(workspace, before, after.replace("public int B() => 1;", ""), fqn="C")
    assert (change, reasons) == (ChangeClass.PUBLIC_BEHAVIOR, [])


def test_internal_members_are_a_reason_where_the_configuration_says_so(workspace):
    rules = HashRules(frozenset(), include_internal=True)
    change, reasons, _ = compare(workspace, C.format(""), C.format("internal void D() { }"), rules)
    assert (change, reasons) == (ChangeClass.STRUCTURE, ["memberAdded"])


def test_a_constructor_written_in_place_of_the_compilers_is_no_new_member(workspace):
    change, reasons, members = compare(workspace, C.format(""), C.format("public C() { }"))
    assert change is ChangeClass.PUBLIC_BEHAVIOR
    assert (reasons, members.added) == ([], ())


def test_a_renamed_type_is_compared_without_its_name(workspace):
    before = "namespace N; public class Old : IEquatable<Old> { public Old(int x) { } public Old Next() => null; }"
    after = before.replace("Old", "Fresh")
    first, second = workspace(before), workspace(after)
    old, new = first.find("N.Old"), second.find("N.Fresh")
    renamed = canonicalize(old, first.meanings, {"N.Old": "N.Fresh"})
    sides = Side(rename_within(old, "Fresh"), (), rename_within(renamed, "Fresh")), Side(new, (), second.canonical(new))
    reasons, members = compare_sides(*sides, RULES)
    assert reasons == ()
    assert told((*members.added, *members.removed, *members.changed)) == []
