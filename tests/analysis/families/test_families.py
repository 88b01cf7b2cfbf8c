"""Families of members: a comment before a declaration names the family that it belongs to."""

import re

import pytest

from codecortex.analysis.binding.bind import Program, SourceProject
from codecortex.analysis.families.families import find_family
from codecortex.parsing.syntax.read import read_syntax
from tests.analysis.binding.conftest import open_references

_MARK = re.compile(r"/\*(\w)\*/")
SOURCES = {
    "an interface, what implements it, and overrides of that": (
        "interface I { void /*a*/F(); void /*b*/F(int n); } class C : I { public virtual void /*a*/F() { }"
        " public void /*b*/F(int n) { } }"
        " class D : C { public override void /*a*/F() { } } class E : D { public new void /*c*/F() { } }"
    ),
    "two interfaces that one member implements": (
        "interface I { int /*a*/P { get; } } interface J { int /*a*/P { get; } }"
        " class C : I, J { public int /*a*/P => 1; }"
    ),
    "explicit implementations apart": (
        "interface I { void /*a*/F(); } interface J { void /*b*/F(); }"
        " class C : I, J { void I./*a*/F() { } void J./*b*/F() { } public void /*c*/F() { } }"
    ),
    "generic interfaces by their arguments": (
        "interface I<T> { void /*a*/F(T t); } class C : I<int>, I<string> { public void /*a*/F(int n) { }"
        " public void /*a*/F(string s) { } public void /*b*/F(long n) { } }"
    ),
    "a member that a base class declares for a derived class": (
        "interface I { void /*a*/F(); } class B { public void /*a*/F() { } } class C : B, I { }"
    ),
    "an interface that is implemented anew": (
        "interface I { void /*a*/F(); } class B : I { public void /*a*/F() { } }"
        " class C : B, I { public new void /*a*/F() { } }"
    ),
    "abstract properties, indexers and events": (
        "abstract class B { public abstract int /*a*/P { get; } public abstract int /*b*/this[int i] { get;"
        " } public abstract event System.Action /*c*/E; }"
        " class C : B { public override int /*a*/P => 1; public override int /*b*/this[int i] => i;"
        " public override event System.Action /*c*/E { add { } remove { } } }"
    ),
    "generic methods and base classes": (
        "abstract class B<T> { public abstract void /*a*/F<U>(T t, U u); }"
        " class C : B<int> { public override void /*a*/F<V>(int t, V u) { } public void /*b*/F<V>(V t, int u) { } }"
    ),
    "partial methods are one, private and static ones alone": (
        "interface I { void /*a*/F(); } partial class C : I { public partial void /*a*/F(); } partial"
        " class C { public partial void /*a*/F() { } }"
        " class D : I { void I./*a*/F() { } private void /*b*/F() { } public static void /*c*/F(int n) { } }"
    ),
    "default and static members of interfaces": (
        "interface I { void /*a*/F() { } static abstract void /*b*/G(); } interface J : I { void I./*a*/F() { } }"
        " class C : J { public static void /*b*/G() { } public void /*a*/F() { } }"
    ),
    "an interface for several type arguments": (
        "interface I<T> { void /*a*/P(); int /*b*/Q { get; } void /*c*/R(T t); } class B : I<int>, I<string> {"
        " void I<int>./*a*/P() { } void I<string>./*a*/P() { } public int /*b*/Q => 1; int I<string>./*b*/Q => 2;"
        " public void /*c*/R(int n) { } public void /*c*/R(string s) { } }"
    ),
    "an interface under other names of its type arguments": (
        "interface I<T> { void /*a*/P(); } class B : I<object> { void I<dynamic>./*a*/P() { } }"
        " class G<T> : I<T> { void I<T>./*a*/P() { } }"
    ),
    "positions of records": "interface I { int /*a*/P { get; } } record R(int /*a*/P) : I;",
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_families(source):
    program = Program([SourceProject("", frozenset(("",)))], {"": open_references()})
    program.declare("A.cs", "", read_syntax(source.encode(), frozenset()))
    marks = {match.end(): match[1] for match in _MARK.finditer(source)}
    at = {}
    for definition in program.definitions:
        for node, declared in definition.list_declared():
            inside = [place for place in marks if node.start <= place < node.end]
            at.setdefault(declared.member, set()).update(inside[:1])
    places = {place: member for member, found in at.items() for place in found}
    assert places.keys() == marks.keys()

    for place, member in places.items():
        family = {each for found in find_family(program, member).members for each in at.get(found, ())}
        assert {marks[each] for each in family} == {marks[place]}, source[place : place + 20]
        assert family == {each for each, mark in marks.items() if mark == marks[place]}, source[place : place + 20]


def test_what_assemblies_declare_joins_nothing():
    source = (
        "class A : System.IDisposable { public void Dispose() { } }"
        " class B : System.IDisposable { public void Dispose() { } }"
    )
    program = Program([SourceProject("", frozenset(("",)))], {"": open_references()})
    program.declare("A.cs", "", read_syntax(source.encode(), frozenset()))

    families = [find_family(program, each) for one in program.definitions for each in one.members("Dispose")]
    assert [len(family.members) for family in families] == [1, 1]
    assert {family.outside for family in families} == {("M:System.IDisposable.Dispose",)}
