"""Which hash moves with which edit; the ids name the cases of section A."""

# ruff: noqa: N802 - tests are named after cases

import pytest

from codecortex.analysis.types.fingerprints import Fingerprints, HashRules
from codecortex.model.hashing import digest

KINDS = ("structure", "public_impl", "internal_impl", "xml_doc", "cosmetic")
C = "namespace N; public class C {{ {} }}"


def changed(before: Fingerprints, after: Fingerprints) -> set[str]:
    return {kind for kind in KINDS if getattr(before, kind) != getattr(after, kind)}


def case(name, before, after, *moved):
    return pytest.param(before, after, set(moved), id=name)


def member(name, before, after, *moved):
    return case(name, C.format(before), C.format(after), *moved)


BODIES = [
    member("HA-01 public method body", "public int A(int a, int b) { return a+b; }",
           "public int A(int a, int b) { return a-b; }", "public_impl"),
    member("HA-02 public method added", "public void A() {}", "public void A() {} public void B() {}", "structure",
           "public_impl"),
    member("HA-04 internal method body", "internal int A() => 1;", "internal int A() => 2;", "internal_impl"),
    member("HA-11 public default argument", "public void A(int x = 1) {}", "public void A(int x = 2) {}",
           "public_impl"),
    member("HA-11 private default argument", "void A(int x = 1) {}", "void A(int x = 2) {}", "internal_impl"),
    member("HA-12 arrow and getter", "int x; public int P => x;", "int x; public int P { get { return x; } }"),
    member("HA-12 arrow and block of a void method", "public void M() => N();", "public void M() { N(); }"),
    member("HA-13 internal member added", "", "internal void A() {}", "internal_impl"),
    member("HA-17 literal", 'public string A() => "a b";', 'public string A() => "ab";', "public_impl"),
    member("HA-18 literal with comment signs", 'public string A() => "http://x/*"; public int B() => 1;',
           'public string A() => "http://x/*"; public int B() => 2;', "public_impl"),
    member("HA-19 constructor", "public C() { A(); }", "public C() { B(); }", "public_impl"),
    member("HA-19 constructor initialiser", "public C() : base(1) { }", "public C() : base(2) { }", "public_impl"),
    member("HA-19 operator", "public static C operator +(C a, C b) => a;", "public static C operator +(C a, C b) => b;",
           "public_impl"),
    member("HA-19 destructor", "~C() { A(); }", "~C() { B(); }", "internal_impl"),
    member("HA-19 indexer", "public int this[int i] => 1;", "public int this[int i] => 2;", "public_impl"),
    member("HA-19 property", "protected int P => 1;", "protected int P => 2;", "public_impl"),
    member("HA-19 private property", "int P => 1;", "int P => 2;", "internal_impl"),
    member("HA-20 public field", "public int F = 1;", "public int F = 2;", "public_impl"),
    member("HA-20 private field", "int F = 1;", "int F = 2;", "internal_impl"),
    member("HA-20 public constant", "public const int F = 1;", "public const int F = 2;", "public_impl"),
    member("HA-20 event", "public event A E = null;", "public event A E = delegate { };", "public_impl"),
    member("HA-23 one of two identical bodies", "public int A() => 1; public int B() => 1;", "public int A() => 1;",
           "structure", "public_impl"),
    member("HA-24 private protected body", "private protected int A() => 1;", "private protected int A() => 2;",
           "internal_impl"),
    member("private method added", "", "void A() {}", "internal_impl"),
    member("private nested type added", "", "class D {}", "internal_impl"),
    member("public nested type added", "", "public class D {}", "structure"),
    member("public parameter renamed", "public void A(int x) {}", "public void A(int y) {}", "public_impl"),
    member("private parameter renamed", "void A(int x) {}", "void A(int y) {}", "internal_impl"),
    member("async", "public Task A() { }", "public async Task A() { }", "public_impl"),
]  # fmt: skip
STRUCTURE = [
    case("HA-21 base", "class C : A {}", "class C : B {}", "structure"),
    case("HA-21 interface", "class C : A {}", "class C : A, I {}", "structure"),
    case("HA-21 constraint", "class C<T> where T : class {}", "class C<T> where T : struct {}", "structure"),
    member("HA-21 method constraint", "public void A<T>() where T : A {}", "public void A<T>() where T : B {}",
           "structure"),
    case("HA-22 enum value", "enum C { A = 1, B }", "enum C { A = 2, B }", "structure"),
    case("HA-22 enum members swapped", "enum C { A, B }", "enum C { B, A }", "structure"),
    case("HA-22 delegate parameter", "delegate void C(int x);", "delegate void C(long x);", "structure",
         "public_impl"),
    case("accessibility", "public class C {}", "internal class C {}", "structure"),
    case("kind", "public class C {}", "public record C {}", "structure"),
    case("modifier", "public class C {}", "public sealed class C {}", "structure"),
    case("variance", "public interface C<in T> {}", "public interface C<out T> {}", "structure"),
    case("attribute", "[A] public class C {}", "[A(1)] public class C {}", "structure"),
    case("tool attribute", "public class C {}", '[DebuggerDisplay("x")] public class C {}', "internal_impl"),
    case("enum tool attribute", "enum C { A }", "enum C { [SuppressMessage] A }", "internal_impl"),
    member("tool attribute of a member", "public int A;", "[SuppressMessage] public int A;", "internal_impl"),
    member("attribute of a member", "public int A;", "[B] public int A;", "structure"),
    member("ref", "public void A(int x) {}", "public void A(ref int x) {}", "structure", "public_impl"),
    member("this", "public static void A(int x) {}", "public static void A(this int x) {}", "structure",
           "public_impl"),
    member("return type", "public int A() {}", "public long A() {}", "structure"),
    member("member accessibility", "public int A;", "protected int A;", "structure"),
    member("static constructor is none", "public C(int i) {}", "static C() {}", "structure", "public_impl",
           "internal_impl"),
    member("default constructor that the compiler added is written", "", "public C() {}", "public_impl"),
    member("default constructor stays beside a static one", "public C() {}", "static C() {}", "public_impl",
           "internal_impl"),
    member("private constructor takes the default one away", "", "private C() {}", "structure", "internal_impl"),
    member("other constructor takes the default one away", "", "private C(int i) {}", "structure", "internal_impl"),
    member("private setter", "public int P { get; }", "public int P { get; private set; }", "internal_impl"),
    member("protected setter", "public int P { get; }", "public int P { get; protected set; }", "structure"),
    member("written accessors of an event", "public event E A;", "public event E A { add { } remove { } }",
           "public_impl"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "moved"), [*BODIES, *STRUCTURE])
def test_edit_moves_exactly_these_hashes(workspace, before, after, moved):
    name = "N.C" if "namespace" in before else "C"
    one, two = (workspace(text) for text in (before, after))
    fqn = next(t.fqn for t in one.types if t.fqn.partition("`")[0] == name)
    first, second = one.hash(fqn), two.hash(fqn)
    assert changed(first, second) - {"cosmetic"} == moved
    assert (first.impl != second.impl) == bool(moved & {"public_impl", "internal_impl"})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(C.format("public int A;"), C.format("\n\n  public\n int A;\n"), id="HA-05 blank lines"),
        pytest.param("class C { }", "class C {\n#region x\n#endregion\n}", id="HA-05 region"),
        pytest.param("class C { }", "class C { // x\n}", id="HA-05 comment"),
    ],
)
def test_layout_moves_the_cosmetic_hash_alone(workspace, before, after):
    name = "N.C" if "namespace" in before else "C"
    assert changed(workspace(before).hash(name), workspace(after).hash(name)) == {"cosmetic"}


def test_HA_05_comments_move_the_cosmetic_hash(workspace):
    before = workspace(C.format("public int A() { return 1; }")).hash("N.C")
    after = workspace(C.format("public int A() { /* one */ return 1; }")).hash("N.C")
    assert changed(before, after) == {"cosmetic"}


def test_HA_03_comments_hide_no_declaration(workspace):
    found = workspace("// class X\nclass A /* class Y */ { } // class Z\nclass B { }")
    assert {t.fqn for t in found.types} == {"A", "B"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("/// <summary>One</summary>\nclass C { }", "/// <summary>Two</summary>\nclass C { }", id="HA-06"),
        pytest.param(
            "class C {\n/// <summary>One</summary>\npublic int A; }",
            "class C {\n/// <summary>Two</summary>\npublic int A; }",
            id="HA-27 member documentation",
        ),
    ],
)
def test_documentation_moves_its_own_hash(workspace, before, after):
    one, two = workspace(before), workspace(after)
    assert changed(one.hash("C"), two.hash("C")) - {"cosmetic"} == {"xml_doc"}
    assert one.hash("C").impl == two.hash("C").impl
    rules = HashRules(frozenset(), include_docs=True)
    assert "structure" in changed(one.hash("C", rules), two.hash("C", rules))


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_HA_07_line_ends_and_byte_order_marks_are_nothing(workspace, ending, mark):
    text = "namespace N;\n/// <summary>One\n/// two</summary>\npublic class C\n{\n  // x\n  public int A() => 1;\n}\n"
    other = mark + text.replace("\n", ending).encode()
    assert workspace(text).hash("N.C") == workspace(other).hash("N.C")


def test_HA_08_member_order_is_nothing(workspace):
    members = [
        "public static implicit operator int(C c) => 1;", "public static implicit operator long(C c) => 2;",
        "static C() { A(1); }", "public C() { }", "public void A(int x) { }", "public void A(long x) { B(); }",
        "void I.A(int x) { C(); }", "int f = 1;",
    ]  # fmt: skip
    one, two = (workspace(C.format(" ".join(each))).hash("N.C") for each in (members, members[::-1]))
    assert changed(one, two) <= {"cosmetic"}


def test_HA_09_parts_may_swap_files_and_members(workspace):
    a, b = "partial class C : A { public int X() => 1; void Q() { } }", "partial class C : B { public int Y() => 2; }"
    c = "partial class C : B { public int Y() => 2; void Q() { } public int X() => 1; }"
    one = workspace({"a.cs": a, "b.cs": b}).hash("C")
    for other in ({"a.cs": b, "b.cs": a}, {"a.cs": "partial class C : A {}", "b.cs": c}):
        assert changed(one, workspace(other).hash("C")) <= {"cosmetic"}


def test_HA_10_parameter_names_are_not_structure(workspace):
    one, two = (workspace(C.format(f"public void A(int {name}) {{ }}")).hash("N.C") for name in "xy")
    assert one.structure == two.structure


def test_HA_13_internal_members_are_structure_when_asked(workspace):
    rules = HashRules(frozenset(), include_internal=True)
    for text in ("internal void A() { }", "internal class D { }", "private protected int F;"):
        assert (
            workspace(C.format("")).hash("N.C", rules).structure
            != workspace(C.format(text)).hash("N.C", rules).structure
        )
    one, two = (workspace(C.format(text)).hash("N.C", rules) for text in ("", "void A() { }"))
    assert one.structure == two.structure


def test_HA_14_impl_joins_public_and_internal(workspace):
    found = workspace(C.format("public int A() => 1; int B() => 2;")).hash("N.C")
    assert found.impl == digest("impl", [f"v1|{found.public_impl}|{found.internal_impl}"])


def test_HA_15_nothing_public_has_the_hash_of_nothing(workspace):
    assert workspace("interface I { void A(); }").hash("I").public_impl == digest("publicImpl", [])
    assert workspace("class C { int a; }").hash("C").public_impl == digest("publicImpl", [])


def test_HA_16_a_damaged_part_degrades_its_type_alone(workspace):
    files = {
        "a.cs": "partial class C { public int A() => 1; }",
        "b.cs": "partial class C { public int ) B(; }\nclass D ( {",
    }
    found = workspace(files).find("C")
    assert found.degraded.startswith("b.cs: ")
    before = workspace(files).hash("C").public_impl
    files["b.cs"] = files["b.cs"].replace(") B(", ") B2(")
    assert workspace(files).hash("C").public_impl != before
    assert not workspace({"a.cs": files["a.cs"]}).find("C").degraded


def test_HA_26_order_is_ordinal(workspace):
    text = C.format("public int i; public int I; public int ı; public int İ; public int ä; public int z;")  # noqa: RUF001
    assert [m.facts.name for m in workspace(text).find("N.C").members[:-1]] == ["I", "i", "z", "ä", "İ", "ı"]  # noqa: RUF001
