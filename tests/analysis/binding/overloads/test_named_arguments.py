import pytest

CALLS = {
    "a method": ("class C { void F(int a, int b) { } void G() => F(b: 1, a: 2); }", "b: 1", "M:C.F(System.Int32,System.Int32)"),
    "the overload that has it": ("class C { void F(int a) { } void F(long b) { } void G() => F(b: 1); }", "b: 1", "M:C.F(System.Int64)"),
    "an override's own name": (
        "class B { public virtual void F(int a) { } } class C : B { public override void F(int b) { } void G() => F(b: 1); }",
        "b: 1",
        "M:C.F(System.Int32)",
    ),
    "a constructor": ("class C { C(int a) { } C() : this(a: 1) { } }", "a: 1", "M:C.#ctor(System.Int32)"),
    "a creation for a target": ("class C { C(int a) { } C G() => new(a: 1); }", "a: 1", "M:C.#ctor(System.Int32)"),
    "a record": ("record R(int A); class C { R G() => new R(A: 1); }", "A: 1", "M:R.#ctor(System.Int32)"),
    "a base": ("class B(int a); class C() : B(a: 1);", "a: 1", "M:B.#ctor(System.Int32)"),
    "an attribute": ("class DAttribute(int a) : System.Attribute; [D(a: 1)] class C;", "a: 1", "M:DAttribute.#ctor(System.Int32)"),
    "an indexer": ("class C { int this[int a] => a; int G() => this[a: 1]; }", "a: 1", "P:C.Item(System.Int32)"),
    "a delegate": ("delegate void D(int a); class C { void G(D d) => d(a: 1); }", "a: 1", "T:D"),
    "a delegate's Invoke": ("delegate void D(int a); class C { void G(D d) => d.Invoke(a: 1); }", "a: 1", "T:D"),
    "an extension method": (
        "static class E { public static void F(this int n, int a) { } static void G() => 1.F(a: 1); }",
        "a: 1",
        "M:E.F(System.Int32,System.Int32)",
    ),
    "what an assembly declares": ("class C { string G() => string.Concat(str0: null, str1: null); }", "str0:", "M:System.String.Concat(System.String,System.String)"),
    "a part of a pattern": ("class C { void Deconstruct(out int a, out int b) { a = b = 1; } bool G() => this is (a: 1, b: 2); }", "b: 2", "M:C.Deconstruct(System.Int32@,System.Int32@)"),
    "a part of a record behind another pattern": ("record R(int A, int B) { bool G(object o) => o is (1, 2) && o is R(A: 1, B: 2) && o is global::R(A: 1, B: 2); }", "B: 2", "M:R.Deconstruct(System.Int32@,System.Int32@)"),
    "a part of a record": ("record R(int A, int B) { bool G() => this is R(A: 1, B: 2); }", "B: 2", "M:R.Deconstruct(System.Int32@,System.Int32@)"),
    "out of a lambda": ("class C { void F(System.Action a) { } void H(int b) { } void G() => F(a: () => H(b: 1)); }", "b: 1", "M:C.H(System.Int32)"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "place", "owner"), CALLS.values(), ids=CALLS)
def test_a_named_argument_tells_whose_parameter_it_is_for(bind, source, place, owner):
    found, _ = bind(source)

    told = found[source.index(place)]
    assert (told.role, told.local, told.owner, told.label) == ("argument", "parameter", owner, "exact")


def test_a_local_function_declares_its_parameter_in_the_file(bind):
    source = "class C { void G() { F(b: 1); void F(int b) { } } }"
    found, _ = bind(source)

    told = found[source.index("b: 1")]
    assert (told.owner, told.declared, told.label) == ("", source.index("b) {"), "exact")


def test_what_is_not_known_to_be_called_is_only_a_name(bind):
    source = "class C { void G() => Missing(b: 1); }"
    found, _ = bind(source)

    told = found[source.index("b: 1")]
    assert (told.label, told.owner, told.why) == ("name", "", "nothing tells what is called")


def test_a_call_that_is_not_certain_leaves_its_arguments_likely(bind):
    source = "class C { void F(int a) { } void F(string a) { } void G() => F(a: Missing()); }"
    found, _ = bind(source)

    told = found[source.index("a: M")]
    assert told.label == "likely"
    assert told.owner.startswith("M:C.F(")


def test_names_of_elements_of_tuples_are_no_arguments(bind):
    found, _ = bind("class C { object G() => (a: 1, b: 2); }")

    assert [each.name for each in found.values() if each.role == "argument"] == []


def test_a_constant_may_be_named_in_its_own_value(bind):
    source = "class C { void G() { const string A = nameof(A); } }"
    found, _ = bind(source)

    assert found[source.index("A)")].declared == source.index("A =")
