"""What of a file others may ask of, told by its facts: bodies, documentation and layout do not count."""

import pytest

from codecortex.analysis.binding.inputs.files import digest_declarations, list_changed_members
from codecortex.parsing.csharp.read import read_csharp

SOURCE = """using System;
namespace N;
/// <summary>Says.</summary>
[Obsolete] public class A<T> : B where T : class
{
    public int F(int x, string y = "a") => x;
    public A(int x) : base(x) { }
    int P { get; set; } = 1;
    void G() { int y = 2; }
}
public record R(int X);
public delegate void D(int x);
[System.Runtime.CompilerServices.InlineArray(4)] struct I { byte first; }
"""


def read(text):
    return read_csharp(text.encode(), frozenset())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("=> x;", "=> x + 1;"),
        ("int y = 2;", "int z = 3; F(z);"),
        ("Says.", "Tells."),
        ("public int F", "// so\n    public   int F"),
        ("= 1;", "= 2;"),
        ("class A<T> : B where", "class A<T>\n    : B where"),
    ],
)
def test_what_stands_in_bodies_changes_nothing(old, new):
    facts, others = read(SOURCE), read(SOURCE.replace(old, new))
    assert old in SOURCE
    assert facts != others
    assert digest_declarations(facts) == digest_declarations(others)
    assert list_changed_members(facts, others) == set()


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("int F(", "long F(", {"F"}),
        ("int x, string", "int z, string", {"F"}),
        ('y = "a"', "y", {"F"}),
        ("public int F", "internal int F", {"F"}),
        ("public int F", "[Obsolete] public int F", {"F"}),
        ("int F(", "int H(", {"F", "H"}),
        ("A(int x)", "A(long x)", {".ctor"}),
        ("get; set;", "get;", {"P"}),
        ("void G()", "static void G()", {"G"}),
    ],
)
def test_a_member_is_told_by_its_name(old, new, names):
    facts, others = read(SOURCE), read(SOURCE.replace(old, new))
    assert digest_declarations(facts) != digest_declarations(others)
    assert list_changed_members(facts, others) == names


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("using System;", "using System.IO;"),
        ("namespace N;", "namespace M;"),
        (": B", ": C"),
        ("where T : class", ""),
        ("[Obsolete] public class", "public class"),
        ("public class A", "internal class A"),
        ("A<T>", "A<U>"),
        ("record R(int X)", "record R(long X)"),
        ("D(int x)", "D(long x)"),
        ("byte first", "int first"),
        ("void G()", "public static implicit operator int(A<T> a)"),
        ("void G()", "class Inner { } void G()"),
        ("void G() {", "void G() { #"),
    ],
)
def test_of_other_changes_it_is_not_known_what_they_reach(old, new):
    facts, others = read(SOURCE), read(SOURCE.replace(old, new))
    assert old in SOURCE
    assert list_changed_members(facts, others) is None
