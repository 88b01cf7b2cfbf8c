"""Reading is bounded: damaged text costs a fixed share for each byte, and is read in a cheaper way beyond it."""

from __future__ import annotations

import time

import pytest

from codecortex.parsing.csharp.read import read_csharp

SIZE = 60_000
DAMAGED = {
    "types in a row": "int?[]",
    "members without a type": "public int X { get; set; } ",
    "parameters without a method": "int a,",
    "braces": "{",
    "angles": "a<",
    "doubled angles": "a<<",
    "constraints": "where T : ",
    "tuples": "(int, int) ",
    "a query outside of its string": 'SELECT "b"."Id", "b"."Bool" FROM "B" AS "b"\nWHERE "b"."Int" <= @id\n',
}


def measure(data):
    """Seconds of CPU time, the least of three: a collection of garbage or another process can cost as much again."""
    took = []
    for _ in range(3):
        began = time.process_time()
        facts = read_csharp(data, frozenset())
        took.append(time.process_time() - began)
    return min(took), facts


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_what_is_costly_to_parse_is_read_in_a_cheaper_way(text):
    data = b"namespace N;\npublic class First { public int Kept; }\n" + (text * (SIZE // len(text))).encode()
    took, facts = measure(data)
    assert took < 1  # ten times the share: other tests run at the same time
    assert facts.degraded
    assert facts == read_csharp(data, frozenset())


def test_an_enum_full_of_properties_costs_no_more_than_its_share():
    data = (
        "namespace N;\npublic enum E { A, " + "public int X { get; set; } " * 2200 + "}\nclass Next { int x; }"
    ).encode()
    took, facts = measure(data)
    assert took < 0.1  # it takes 0.005 s; to recover at each semicolon took 0.7
    assert [each.fqn for each in facts.types] == ["N.E", "N.Next"]
    assert facts.degraded == "line 2: syntax not understood"


def test_a_long_enum_is_read_whole_and_what_only_stands_in_its_place_is_not():
    members = ", ".join(f"Member{number} = 0x{number:x}" for number in range(2000))
    whole = read_csharp(f"enum E {{ {members} }}".encode(), frozenset())
    assert (len(whole.types[0].members), whole.degraded) == (2000, "")
    took, damaged = measure(("enum E { " + "(int, int) " * 5000 + "}").encode())
    assert took < 1
    assert ([each.fqn for each in damaged.types], damaged.types[0].members) == (["E"], ())
    assert damaged.degraded


LONG = {
    "record": ("record B(", '[property: Name("p{0}")] string? P{0}', ")", 100),
    "constructor": ("class B {{ public B(", "IDictionary<IService{0}, int> service{0}", ") {{ }} }}", 500),
    "delegate": ("delegate void B(", "IDictionary<IService{0}, int> service{0}", ")", 300),
    "base types": ("class B : ", "IService{0}", " {{ int x; }}", 1000),
    "attribute": ("class B {{ [Data(", '"x{0}"', ")] int x; }}", 500),
}


@pytest.mark.parametrize("patterns", [True, False])
@pytest.mark.parametrize("beside", ["", "class Z { ~Z() { } }"], ids=["alone", "beside what the grammar reads"])
@pytest.mark.parametrize("name", LONG)
def test_a_long_declaration_is_read_whole(name, beside, patterns):
    head, each, tail, number = LONG[name]
    text = head.format() + ", ".join(each.format(place) for place in range(number)) + tail.format()
    text += ";" * text.endswith(")") + beside
    facts = read_csharp(text.encode(), frozenset(), patterns=patterns)
    assert (facts.types[0].fqn, facts.degraded) == ("B", "")
    assert facts == read_csharp(text.encode(), frozenset(), patterns=not patterns)


def test_a_text_that_lost_a_bracket_is_not_parsed_with_its_bodies():
    body = 'if (x.Value == $"{y}") { Call(x => x.A, (1, 2), new[] { 3 }); }\n' * 400
    block = f"\n    {{\n{body}    }}\n"
    data = f"class C {{\n    void First({block}    void Second(){block}    int third;\n}}\n".encode()
    took, facts = measure(data)
    assert took < 0.3  # it takes 0.02 s
    assert [member.name for member in facts.types[0].members][-2:] == ["Second", "third"]
    assert facts.degraded == "line 2: brackets do not pair"


def test_nested_interpolations_are_read_once_a_level():
    nested = "1"
    for _ in range(60):
        nested = f'$"{{ {nested} }}"'
    took, facts = measure(f"class C {{ string M() => {nested}; }}".encode())
    assert took < 1  # it took twice as long for each level
    assert not facts.degraded


def test_a_semicolon_in_a_literal_or_comment_ends_no_enum():
    facts = read_csharp(b"enum E { A, [D(\"a;b\")] B = ';', C /* ; */ }", frozenset())
    assert (facts.degraded, [member.name for member in facts.types[0].members]) == ("", ["A", "B", "C"])


def test_the_cheaper_way_keeps_types_with_their_bases_and_namespaces():
    types = "public class A : B<int> { public class Inner : C { int x; } public int M(int a) => a; }\n"
    types += "public record R(int X);\n"
    data = f"using System;\nnamespace N.M;\n{types}{'int a,' * 10_000}".encode()
    facts = read_csharp(data, frozenset())
    assert [(each.fqn, each.kind, each.bases) for each in facts.types] == [
        ("N.M.A", "class", ("B<int>",)), ("N.M.A+Inner", "class", ("C",)), ("N.M.R", "record", ()),
    ]  # fmt: skip
    assert facts.degraded


def test_long_sound_files_are_read_in_full():
    members = "".join(
        f"    public System.Collections.Generic.Dictionary<string, int?[]> P{number} {{ get; set; }}\n"
        f"    public (int, string) M{number}<T>(int? a{number}, ref T b = default) where T : class => default;\n"
        for number in range(2000)
    )
    facts = read_csharp(f"namespace N;\npublic class C\n{{\n{members}}}\n".encode(), frozenset())
    assert (facts.degraded, len(facts.types[0].members)) == ("", 4000)
    enum = ",\n".join(f"    V{number} = {number}" for number in range(5000))
    assert read_csharp(f"enum E\n{{\n{enum}\n}}\n".encode(), frozenset()).degraded == ""


def test_shifts_open_no_type_arguments():
    members = ",".join(f"A{number} = 1 << {number % 31}" for number in range(1000))

    assert not read_csharp(f"enum E {{ {members} }}".encode(), frozenset()).degraded
