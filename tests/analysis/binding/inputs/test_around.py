"""Binding a file around some offsets alone: the same as binding it whole, as far as bodies hold an offset."""

import re

import pytest

from codecortex.analysis.binding.bind import Program, SourceProject
from codecortex.analysis.binding.declarations.heads import read_facts
from codecortex.analysis.binding.declarations.source import Reading, Source
from codecortex.parsing.csharp.read import read_csharp
from codecortex.parsing.syntax.read import read_head, read_syntax
from tests.analysis.binding.conftest import open_references

SOURCE = """using System; using System.Linq;
class A(int seed)
{
  int _held = seed + 1;
  int F(int n) { Func<int, int> f = x => x + n; int G() => f(n); return G() + _held; }
  int P { get { return F(1); } set { _held = value; } }
  string S => new[] { 1, 2 }.Select(each => each.ToString()).First();
  class B { void M(A a) { var p = a.P; p.ToString(); } }
}
"""
TYPES = """using System; using System.Collections.Generic;
class A { public static int A2; public A Self; }
class E : Exception { }
class B<T>
{
  void Only() { var t = typeof(A); A[] a = null; Dictionary<A, List<A>> d = null; foreach (A x in a) { } var n = default(A?); }
  void New() { var a = new A { Self = new A() }; var b = new A[2]; var c = new List<A>(new A[1]); }
  void Caught(object o) { try { M<A>(); } catch (E) { } catch (E e) when (e is E) { } var p = o as A; Func<A, A> f = (A b) => b; }
  void Mixed(object o) { A a = new A(); A.A2 = a.Self is A ? 1 : 2; var n = nameof(A); if (o is A or E) { } var c = (A)o; }
  void Inner() { A a = null; void L<A>(A b) { A c = b; A.ToString(); T d = default; } L<int>(1); void K() { A a = null; } }
  void Told() { var s = "A A" + $"A {typeof(A)}"; /* A */ N(out A a, a); } // A
  T M<T>() { return default(T); }
  void N(out A a, object b) { a = null; }
}
"""
STATEMENTS = """using System; using System.Collections.Generic; using System.Linq;
class P { public P Next; public int N; public string Text; public void Deconstruct(out P a, out int b) { a = this; b = N; } }
class C
{
  bool Get(out P found) { found = null; return true; }
  int M(P p, object o, List<P> list)
  {
    Get(out var first); P second = first.Next; var text = first.Text;
    if (!(o is P third) || third.N > 1) { return second.N; }
    int n = third.N, m = n + 1;
    (P fourth, var fifth) = third; var (sixth, (seventh, eighth)) = (fourth, third);
    foreach (var (a, b) in list) { n += a.N + b; }
    for (int i = m; i < list.Count; i++) { var at = list[i]; at.Next.N = i; }
    using var held = new System.IO.StringReader(text); held.ReadLine();
    Console.WriteLine(Local(fifth)); var unused = fourth.N + seventh.N;
    switch (o)
    {
      case P q when q.N > 0: var r = q.Next; r.N++; break;
      case int s: n = s; { var u = n; u++; } break;
      default: goto end;
    }
    try { var v = sixth.Next; v.N = 1; } catch (Exception e) when (e is IOException w) { w.ToString(); } finally { n++; }
    var f = list.Select(each => { var x = each.Next; var y = x.Text; return y; }).First(); f.Trim();
    var z = from one in list let two = one.Next where two.N > n select two.Text; z.ToList();
    while (Get(out P again)) { again.Next.ToString(); }
    end: var last = eighth; last.ToString(); lock (p) { p.N = last; }
    int Local(int k) { var inner = k + n; P deep = second; return inner + deep.N; }
    n = Math.Abs(first.N * second.N); n = Math.Abs(first.N * n) + Math.Max(first.N < n ? n : m, m);
    return o is { } any && any is P { Next: var nested } ? nested.N : 0;
  }
}
class IOException : Exception { }
"""


def bind(around, source=SOURCE):
    program = Program([SourceProject("", frozenset(("",)))], {"": open_references()})
    tree = read_syntax(source.encode(), frozenset(), by_member=around is not None)
    facts = read_facts(read_csharp(source.encode(), frozenset())) if around is not None else None
    file = program.declare("A.cs", "", Source(tree.source, facts, Reading(lambda: tree, read_head)))
    return program.bind(file, around).bindings


@pytest.mark.parametrize("at", range(0, len(SOURCE), 7))
def test_a_part_is_bound_as_in_the_whole(at):
    whole = {(each.start, each.binding.symbol): each for each in bind(None)}
    part = {(each.start, each.binding.symbol): each for each in bind([at])}

    assert part.items() <= whole.items()
    assert {key for key in whole if key[0] == at} <= part.keys()


@pytest.mark.parametrize("name", ["A", "E", "T", "List", "Dictionary", "M", "Self", "o", "a", "c", "d", "e"])
def test_a_name_is_bound_as_in_the_whole_wherever_it_stands(name):
    places = [match.start() for match in re.finditer(rf"\b{name}\b", TYPES)]
    whole = {(each.start, each.binding.symbol): each for each in bind(None, TYPES)}

    for around in (places, *([each] for each in places)):
        part = {(each.start, each.binding.symbol): each for each in bind(around, TYPES)}
        assert part.items() <= whole.items()
        assert {key for key in whole if key[0] in around} <= part.keys()


@pytest.mark.parametrize("at", [match.start() for match in re.finditer(r"[A-Za-z]\w*", STATEMENTS)])
def test_the_statements_that_count_for_a_name_are_bound(at):
    whole = {(each.start, each.binding.symbol): each for each in bind(None, STATEMENTS)}
    part = {(each.start, each.binding.symbol): each for each in bind([at], STATEMENTS)}

    assert part.items() <= whole.items()
    if (at, "") in whole:  # a name, and no word of the language
        assert {key for key in whole if key[0] == at} <= part.keys()


def test_statements_that_do_not_count_for_a_name_are_passed_over():
    at = STATEMENTS.index("unused")
    found = {each.binding.name for each in bind([at], STATEMENTS)}

    assert {"unused", "fourth", "seventh", "third"} <= found  # as far as it needs them
    assert not {"held", "again", "last", "two", "r"} & found


def test_of_a_body_that_holds_names_of_types_alone_nothing_else_is_bound():
    inside = range(TYPES.index("void Only"), TYPES.index("void Caught"))
    place = TYPES.index("typeof(A)") + len("typeof(")
    found = [each.binding.name for each in bind([place], TYPES) if each.start in inside]

    assert found == ["Only", "A"]


@pytest.mark.parametrize("text", ['"A A"', "/* A */"])
def test_a_body_that_holds_a_name_in_a_text_or_a_comment_is_passed_over(text):
    place = TYPES.index(text) + text.index("A")

    inside = range(TYPES.index("{ var s"), TYPES.index("T M<T>"))
    assert not [each for each in bind([place], TYPES) if each.start in inside]


def test_a_body_without_an_offset_is_passed_over():
    assert len(bind([])) < len(bind(None)) / 2


def test_what_is_damaged_is_bound_whole():
    damaged = SOURCE + "class C { int F( => 1; }"
    assert bind([], damaged) == bind(None, damaged)


@pytest.mark.parametrize(
    "source",
    [
        "(9); int F<T>(int each) { return each + }",  # a function outside of types
        "class C { void M() { int F(int a) => a; int F(int b, int c) { return b + c; } F(1); } int N( { } }",
    ],
)
def test_a_file_that_does_not_parse_whole_means_the_same_when_it_is_bound_again(source):
    program = Program([SourceProject("", frozenset(("",)))], {"": open_references()})
    file = program.declare("A.cs", "", read_syntax(source.encode(), frozenset()))
    first = program.bind(file).bindings

    assert program.bind(file).bindings == first
    assert file.tree.damaged
    returned = source.index("return ") + len("return ")
    assert returned in {each.start for each in first}


def test_two_local_functions_of_a_name_have_parameters_of_their_own():
    source = "class C { void M() { int F(int a) => a; int F(int b, string c) => b + c.Length; } }"
    found = {each.start: each.binding for each in bind(None, source)}

    assert found[source.index("a;")].declared == source.index("a)")
    assert found[source.index("b +")].declared == source.index("b,")
    assert found[source.index("Length")].symbol == "P:System.String.Length"


@pytest.mark.parametrize("source", ["X[] F(int n) => new X[n];", "X[][] F(int n) { return new X[n + 1][]; }"])
def test_what_is_not_bound_beside_a_type_is_told(source):
    source = f"class X {{ }} class A {{ {source} }}"
    program = Program([SourceProject("", frozenset(("",)))], {"": open_references()})
    file = program.declare("A.cs", "", read_syntax(source.encode(), frozenset()))
    whole = {each.start for each in program.bind(file).bindings}
    found = program.bind(file, [match.start() for match in re.finditer("X", source)])

    lost = whole - {each.start for each in found.bindings}
    assert lost
    assert all(any(start <= each < end for start, end in found.skipped) for each in lost)
