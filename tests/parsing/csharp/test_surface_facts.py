"""Parts of a surface that few declarations have, and where a declaration begins and ends."""

import pytest

from codecortex.model.code.facts import Extension
from codecortex.parsing.csharp.read import read_csharp
from codecortex.store.cache.facts_codec import decode_facts, encode_facts


def types_of(source):
    facts = read_csharp(source.encode(), frozenset())
    assert facts.degraded == ""
    assert decode_facts(encode_facts(facts)) == facts
    return facts.types


def members_of(source):
    return types_of(source)[0].members


def place(facts):
    return facts.line, facts.column, facts.end_line, facts.end_column


@pytest.mark.parametrize(
    "source",
    [
        "class C<[A] T, [B(1), N.D] [E] U> { }",
        "delegate int C<[A] T, [B(1), N.D] [E] U>(T t);",
        "record C<[A] T, [B(1), N.D] [E] U>(T t);",
    ],
)
def test_attributes_of_type_parameters_are_told_with_the_position_of_the_parameter(source):
    (declared,) = types_of(source)
    assert declared.type_parameter_attributes == ((0, "A"), (1, "B(1)"), (1, "N.D"), (1, "E"))
    assert {name for name, _ in declared.surface} >= {"@A", "@B", "@N.D", "@E"}


def test_attributes_of_a_methods_type_parameters_are_told():
    (method,) = members_of("class C { public void M<[A] T, U>() { } }")
    assert (method.type_parameters, method.type_parameter_attributes) == (("T", "U"), ((0, "A"),))


def test_attributes_of_accessors_are_told():
    first = 'public int P { [A("}")] get => 1; [B] [D] private set { } }'
    source = f"class C {{ {first} public int this[int i] {{ [A] get => 1; }} }}"
    first, second = members_of(source)
    assert first.accessor_attributes == (("get", 'A("}")'), ("set", "B"), ("set", "D"))
    assert first.accessors == (("", "get"), ("private", "set"))
    assert second.accessor_attributes == (("get", "A"),)


def test_attributes_of_an_events_accessors_are_told():
    (event,) = members_of("class C { public event E X { add { } [A] remove { } } }")
    assert event.accessor_attributes == (("remove", "A"),)


def test_readonly_accessors_are_told():
    (found,) = members_of("struct S { public int P { readonly get => 1; set { } } }")
    assert found.accessor_modifiers == (("get", "readonly"),)


def test_the_size_of_a_fixed_buffer_is_told_for_each_declarator():
    first, second = members_of("unsafe struct S { public fixed byte A[16], B[2 * N]; }")
    assert (first.type, first.size, second.size) == ("byte", "16", "2 * N")


def test_attributes_of_parameters_and_returns_are_told():
    (method,) = members_of("class C { [return: R] public int M([P(1)] int a) => 1; }")
    assert (method.attributes, method.parameters[0].attributes) == (("return: R",), ("P(1)",))


def test_members_of_an_extension_block_carry_its_head():
    source = """static class E {
        extension<[A] T>(IEnumerable<T> s) where T : class, new() { public int First => 1; public void M() { } }
        extension(string s) { public void N() { } }
        public static void Plain() { }
    }"""
    first, second, other, plain = members_of(source)
    head = Extension(("T",), ("T : class, new()",), ((0, "A"),))
    assert (first.extension, second.extension) == (head, head)
    assert (other.extension, plain.extension) == (Extension(), None)


def test_names_in_the_head_of_an_extension_block_are_surface():
    source = "static class E { extension<[A] T>(T s) where T : IBound { public int First => 1; } }"
    assert {name for name, _ in types_of(source)[0].surface} >= {"@A", "IBound"}


def test_declarations_on_one_line_have_columns():
    node, other = types_of("class Node { public int V; public int W; } class C { }")
    assert (place(node), place(other)) == ((1, 1, 1, 43), (1, 44, 1, 55))
    assert [place(each) for each in node.members] == [(1, 14, 1, 26), (1, 28, 1, 40)]


def test_columns_are_counted_in_utf_16_units():
    _, other = types_of("class \u00c4\u00d6 { } /* \U0001f600 */ class C\n{\n  }")
    assert place(other) == (1, 23, 3, 4)


def test_a_column_is_that_after_the_attributes():
    (found,) = members_of("class C {\n  [A] public int V;\n}")
    assert (found.line, found.column) == (2, 7)


def test_a_field_ends_after_its_initialiser():
    source = "class C {\n  int a = B(), c = D(), e=1;\n  static int[] x = new[] {\n    1,\n    2 };\n}"
    assert [place(each) for each in members_of(source)] == [
        (2, 3, 2, 14),
        (2, 3, 2, 23),
        (2, 3, 2, 28),
        (3, 3, 5, 8),
    ]


def test_a_primary_constructor_ends_after_its_parameters_and_a_delegate_after_all():
    record, called = types_of("record R(int A,\n  int B) : S;\ndelegate void D(\n  int x);")
    assert place(record.members[0]) == (1, 1, 2, 9)
    assert place(called.members[0]) == place(called) == (3, 1, 4, 10)
