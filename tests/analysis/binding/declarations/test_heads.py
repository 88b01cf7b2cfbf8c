"""What a source declares, by its facts and by its syntax: the same, and so is what its names mean."""

import pytest

from codecortex.analysis.binding.bind import Program, SourceProject
from codecortex.analysis.binding.declarations.heads import read_declared, read_facts
from codecortex.analysis.binding.declarations.source import Reading, Source
from codecortex.parsing.csharp.read import read_csharp
from codecortex.parsing.syntax.read import read_head, read_syntax
from tests.analysis.binding.conftest import open_references

NOTHING = frozenset()
BASES = """global using System; using static System.Math; using Map = System.Collections.Generic.Dictionary<string, int>;
namespace One.Two { using System.Linq; public abstract partial class Base<T, U> : IEquatable<T> where T : class, new() where U : struct
{ protected internal static class Inner { } enum Kind { A } delegate T Make<in V>(V value) where V : T; event Action Done;
  void IDisposable.Dispose() { } public static T operator +(Base<T, U> a, T b) => b; public int this[int at] => at; } }
namespace One { file interface ILocal { } public record struct Pair(int A, int B); public record Point(int X) : Pair2(X), IThing; static class Ext { public static int Twice(this int n) => n; } }
partial class Plain { public static implicit operator int(Plain p) => 1; ~Plain() { } }
"""
USES = "class Uses : One.Two.Base<object, int> { int F(Plain p) { Done += null; int n = p; return n.Twice() + this[2] + new One.Pair(1, 2).A; } }"
PLAIN = [
    BASES,
    "namespace A.B;\nusing System;\n[Obsolete] sealed class C : B<int>.D { }\nclass E;",
    "class @class { int @int; }",
    "using System;\nConsole.WriteLine();\nclass A { }",
    (
        "interface A { static abstract int X(); } interface B { static abstract B operator +(B a, B b); } "
        "interface C { static virtual int X() => 1; /* static abstract */ int Y(); }"
    ),
]


def strip(head):
    return head._replace(
        types=[each._replace(written=None, members=None, extensions=None, bases="") for each in head.types]
    )


def make(source, *, by_facts):
    tree = read_syntax(source.encode(), NOTHING)
    facts = read_facts(read_csharp(source.encode(), NOTHING)) if by_facts else None
    assert facts is not None or not by_facts
    return Source(tree.source, facts, Reading(lambda: tree, read_head))


def bind(sources):
    program = Program([SourceProject("", frozenset(("",)))], {"": open_references()})
    files = [program.declare(f"{number}.cs", "", source) for number, source in enumerate(sources)]
    return [program.bind(file) for file in files]


@pytest.mark.parametrize("source", PLAIN)
def test_facts_tell_what_syntax_tells(source):
    head = read_facts(read_csharp(source.encode(), NOTHING))

    assert strip(head) == strip(read_declared(read_syntax(source.encode(), NOTHING).root).head)


def test_names_mean_the_same():
    texts = [BASES, "using One; " + USES]

    by_facts = bind([make(each, by_facts=True) for each in texts])

    assert by_facts == bind([make(each, by_facts=False) for each in texts])
    assert by_facts == bind([make(texts[0], by_facts=True), make(texts[1], by_facts=False)])
    assert "M:One.Ext.Twice(System.Int32)" in {each.binding.symbol for each in by_facts[1].bindings}


def test_a_tree_is_bound_again_as_it_was():
    sources = [make(BASES, by_facts=True), make("using One; " + USES, by_facts=True)]

    assert bind(sources) == bind(sources)


@pytest.mark.parametrize("source", ["static class A { extension(int n) { int Twice() => n; } }", "class A { void"])
def test_what_facts_do_not_tell_whole_is_left_to_syntax(source):
    assert read_facts(read_csharp(source.encode(), NOTHING)) is None


def test_members_that_show_in_no_syntax_are_not_known_to_be_absent():
    lost = Source(
        b"",
        read_facts(read_csharp(b"class A { public int F() => 1; }", NOTHING)),
        Reading(lambda: read_syntax(b"", NOTHING), read_head),
    )

    bound = bind(
        [
            lost,
            make(
                "static class X { public static void F(this A a) { } } class B { void G(A a) { a.F(); } }",
                by_facts=True,
            ),
        ]
    )

    calls = [
        each.binding.label for each in bound[1].bindings if each.binding.name == "F" and each.binding.role == "call"
    ]
    assert "exact" not in calls


def test_a_source_of_which_nothing_is_asked_is_not_read():
    def fail():
        raise AssertionError

    head = read_facts(
        read_csharp(b"namespace N; public class Other : System.IDisposable { public void Dispose() { } }", NOTHING)
    )
    unread = Source(b"", head, Reading(fail, read_head))
    program = Program([SourceProject("", frozenset(("",)))], {"": open_references()})
    program.declare("Other.cs", "", unread)
    file = program.declare(
        "Uses.cs", "", make("class Uses { void F(N.Other o) { System.IDisposable d = o; } }", by_facts=True)
    )

    assert "T:N.Other" in {each.binding.symbol for each in program.bind(file).bindings}


CONVERSIONS = {
    "operator void**(in A s) => null": "op_Implicit(A@)~System.Void**",
    "operator System.Int32**(A s) => null": "op_Implicit(A)~System.Int32**",
    "operator byte?(in A v) => null": "op_Implicit(A@)~System.Nullable{System.Byte}",
}


@pytest.mark.parametrize(("written", "told"), CONVERSIONS.items(), ids=CONVERSIONS)
def test_what_a_conversion_takes_and_makes_is_told_whole(bind, written, told):
    found, _ = bind(f"unsafe struct A {{ public static implicit {written}; }}")

    assert [each.symbol for each in found.values() if each.name == "operator"] == [f"M:A.{told}"]
