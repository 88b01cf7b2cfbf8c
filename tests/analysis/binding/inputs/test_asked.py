"""What a file asks for: while nothing of it changes, its bindings are the same; what it never asked for is no reason."""

import sys

import pytest

from codecortex.analysis.binding.bind import Program, SourceProject
from codecortex.parsing.syntax.read import read_syntax
from tests.analysis.binding.conftest import open_references

USER = "Use.cs"
FILES = {
    "Base.cs": "namespace Shop; public class Base { public virtual int Size => 1; public void Take(object o) { } }",
    "Order.cs": (
        "namespace Shop; public class Order : Base { public string Key; public void Send(int n) { }"
        " public const int Most = 3; public void Count(byte n) { } public void Count(object o) { } }"
    ),
    "More.cs": "namespace Shop; public static class More { public static Order Twice(this Order o) => o; }",
    "Other.cs": "namespace Other; public class Nothing { public int Key; void F() { int a = 1; } }",
    "Kind.cs": "namespace Shop; public enum Kind : byte { A }",
    "Part.cs": "namespace Desk; partial class User { int _held; }",
    USER: (
        "using Shop; using Late; namespace Desk; partial class User\n{\n"
        "  int F(Order o) { var twice = o.Twice(); twice.Take(1); o.Send(2); o.Count(Order.Most); o.Count(Kind.A - Kind.A); return twice.Size + _held + Missing; }\n"
        "}"
    ),
}


def bind_all(files, order=None):
    program = Program([SourceProject("", frozenset(("",)))], {"": open_references()})
    declared = {
        path: program.declare(path, "", read_syntax(text.encode(), frozenset())) for path, text in files.items()
    }
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        return program, {path: program.bind(declared[path]) for path in order or sorted(files)}
    finally:
        sys.setrecursionlimit(limit)


def replaced(path, old, new):
    assert old in FILES[path]
    return FILES | {path: FILES[path].replace(old, new)}


CHANGES = {
    "a base class": replaced("Order.cs", ": Base ", ""),
    "a base class of a base class": replaced("Base.cs", "class Base", "class Base : Root"),
    "a member of a base class": replaced("Base.cs", "object o", "int o"),
    "an overload": replaced("Order.cs", "public string Key;", "public void Send(long n) { }"),
    "an overload in the derived class": replaced("Order.cs", "public string Key;", "public void Take(int n) { }"),
    "what a constant is": replaced("Order.cs", "Most = 3", "Most = 300"),
    "what the values of an enum are": replaced("Kind.cs", "byte", "long"),
    "what a member returns": replaced("Base.cs", "virtual int Size", "virtual long Size"),
    "who may see a member": replaced("Order.cs", "public void Send", "private void Send"),
    "an extension": replaced("More.cs", "Twice(", "Thrice("),
    "what an extension takes": replaced("More.cs", "this Order o) => o", "this Order o, int n) => o"),
    "another extension": FILES
    | {"New.cs": "namespace Shop; static class New { public static Base Twice(this Order o) => o; }"},
    "a type of the name": FILES | {"New.cs": "namespace Desk; class Order { }"},
    "a type of a name that was absent": FILES | {"New.cs": "namespace Shop; static class Missing { }"},
    "a namespace that was absent": FILES | {"New.cs": "namespace Late { static class Empty { } }"},
    "another part of the type": replaced("Part.cs", "int _held", "long _held; int Missing"),
    "a base of the type itself": replaced("Part.cs", "class User", "class User : Shop.Base"),
    "a type that is gone": {path: text for path, text in FILES.items() if path != "Order.cs"},
}
INDIFFERENT = {
    "a body": replaced("More.cs", "=> o;", "{ return (o); }"),
    "a member of another name": replaced("Order.cs", "string Key", "string Name"),
    "another type": replaced("Other.cs", "Nothing", "Something"),
    "its members": replaced("Other.cs", "int Key", "long Key; int Size"),
    "an extension of another name": FILES
    | {"New.cs": "namespace Shop; static class New { public static void No(this Order o) { } }"},
}


def digest_asked(program, bound):
    return {asked: program.digest("", asked) for asked in bound.asked}


@pytest.mark.parametrize("files", CHANGES.values(), ids=CHANGES)
def test_what_can_change_a_file_s_bindings_changes_what_it_asked_for(files):
    before, bound = bind_all(FILES)
    after, _ = bind_all(files)

    kept = digest_asked(before, bound[USER])
    assert kept != {asked: after.digest("", asked) for asked in kept}


@pytest.mark.parametrize("files", INDIFFERENT.values(), ids=INDIFFERENT)
def test_what_a_file_does_not_ask_for_changes_nothing(files):
    before, bound = bind_all(FILES)
    after, again = bind_all(files)

    kept = digest_asked(before, bound[USER])
    assert kept == {asked: after.digest("", asked) for asked in kept}
    assert bound[USER] == again[USER]


@pytest.mark.parametrize("files", (CHANGES | INDIFFERENT).values(), ids=CHANGES | INDIFFERENT)
def test_files_whose_names_are_as_before_have_the_same_bindings(files):
    before, bound = bind_all(FILES)
    after, again = bind_all(files)

    for path in FILES.keys() & files.keys():
        kept = digest_asked(before, bound[path])
        if FILES[path] == files[path] and kept == {asked: after.digest("", asked) for asked in kept}:
            assert bound[path] == again[path], path


def test_what_is_asked_does_not_depend_on_which_file_is_bound_first():
    _, forward = bind_all(FILES)
    _, backward = bind_all(FILES, sorted(FILES, reverse=True))

    assert forward == backward


def test_absent_names_are_recorded():
    _, bound = bind_all(FILES)

    assert ("types", "Missing") in bound[USER].asked
    assert ("types", "Late") in bound[USER].asked
