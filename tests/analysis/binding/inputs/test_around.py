"""Binding a file around some offsets alone: the same as binding it whole, as far as bodies hold an offset."""

import pytest

from codecortex.analysis.binding.bind import Program, SourceProject
from codecortex.parsing.syntax.read import read_syntax
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


def bind(around, source=SOURCE):
    program = Program([SourceProject("", frozenset(("",)))], {"": open_references()})
    file = program.declare("A.cs", "", read_syntax(source.encode(), frozenset()))
    return program.bind(file, around).bindings


@pytest.mark.parametrize("at", range(0, len(SOURCE), 7))
def test_a_part_is_bound_as_in_the_whole(at):
    whole = {(each.start, each.binding.symbol): each for each in bind(None)}
    part = {(each.start, each.binding.symbol): each for each in bind([at])}

    assert part.items() <= whole.items()
    assert {key for key in whole if key[0] == at} <= part.keys()


def test_a_body_without_an_offset_is_passed_over():
    assert len(bind([])) < len(bind(None)) / 2


def test_what_is_damaged_is_bound_whole():
    damaged = SOURCE + "class C { int F( => 1; }"
    assert bind([], damaged) == bind(None, damaged)
