"""Interfaces are made of types that implement them from then on; what cannot be in one is refused with the reason."""

import pytest

from tests.operations.refactoring.conftest import parse_files

DONE = {
    "all public members of instances, in a file of its own": (
        """== src/Store.cs
// Licence.

using System;
using System.Collections.Generic;
using System.Text;

namespace Shop;

/// <summary>Keeps orders.</summary>
public class Store<TKey, TItem> : Base, IDisposable
    where TKey : notnull
    where TItem : class, new()
{
    private readonly StringBuilder _text = new();

    public Store() { }

    /// <summary>How many.</summary>
    public int Count => 1;

    /// <summary>Finds by <see cref="Kind"/>, as <see cref="Base"/>.</summary>
    /// <param name="key">The key.</param>
    [Obsolete]
    public virtual TItem? Find(TKey key, Kind kind = Kind.A, params int[] rest)
    {
        return null;
    }

    public string Name { get; private set; } = "";
    public string Set { get; init; } = "";
    public TItem this[int index, TKey key] { get => null!; set { } }
    public event EventHandler? Changed, Left;
    public event EventHandler Own { add { } remove { } }
    public async System.Threading.Tasks.Task<List<T>> Run<T>(T first) where T : IEnumerable<TKey> => new();
    public static int Made;
    public static void Make() { }
    void IDisposable.Dispose() { }
    internal void Hidden() { }
    public enum Kind { A }
}

public class Base { }
""",
        ("Shop.Store", "IStore"),
        """== src/IStore.cs
// Licence.

using System;
using System.Collections.Generic;

namespace Shop;

public interface IStore<TKey, TItem>
    where TKey : notnull
    where TItem : class, new()
{
    /// <summary>How many.</summary>
    int Count { get; }

    /// <summary>Finds by <see cref="Store{TKey, TItem}.Kind"/>, as <see cref="Base"/>.</summary>
    /// <param name="key">The key.</param>
    TItem? Find(TKey key, Store<TKey, TItem>.Kind kind = Store<TKey, TItem>.Kind.A, params int[] rest);

    string Name { get; }
    string Set { get; init; }
    TItem this[int index, TKey key] { get; set; }
    event EventHandler? Changed;
    event EventHandler? Left;
    event EventHandler Own;
    System.Threading.Tasks.Task<List<T>> Run<T>(T first) where T : IEnumerable<TKey>;
}
""",
        (
            "IDisposable\n",
            "IDisposable, IStore<TKey, TItem>\n",
        ),
    ),
    "some members, in the file of the type": (
        """== A.cs
namespace Shop
{
    // Ours.
    struct A<T, U>
    {
        public readonly U Get() => default!;
        public int Count() => 1;
        public T Other() => default!;
    }
}
""",
        ("Shop.A", "IGet", "Get", "Count", "--to-file", "A.cs"),
        "",
        (
            "    // Ours.\n    struct A<T, U>\n",
            """    interface IGet<U>
    {
        U Get();
        int Count();
    }

    // Ours.
    struct A<T, U> : IGet<U>
""",
        ),
    ),
    "of a nested type beside it": (
        """== A.cs
class Outer
{
    protected class In(int a)
    {
        public int B() => a;
    }
}
""",
        ("Outer.In", "IIn"),
        "",
        (
            "    protected class In(int a)\n",
            """    protected interface IIn
    {
        int B();
    }

    protected class In(int a) : IIn
""",
        ),
    ),
    "in a file that is there": (
        (
            "== A.cs\nusing System;\nnamespace N;\npublic record A(int X)\n{\n    public Action B() => null!;\n}\n"
            "== B.cs\nnamespace N;\n\nclass B { }\n"
        ),
        ("N.A", "IA", "--to-file", "B.cs"),
        "== B.cs\nusing System;\n\nnamespace N;\n\nclass B { }\n\npublic interface IA\n{\n    Action B();\n}\n",
        ("A(int X)", "A(int X) : IA"),
    ),
}


@pytest.mark.parametrize(("before", "arguments", "made", "changed"), DONE.values(), ids=DONE)
def test_an_interface_is_made(refactor, before, arguments, made, changed):
    files = parse_files(before)
    first = next(iter(files))

    after = refactor(before, "extract-interface", *arguments)

    assert after == {**files, first: files[first].replace(*changed), **parse_files(made)}


REFUSED = {
    "static": ("public static void M() { }", "A.M is static"),
    "explicit": ("void IDisposable.Dispose() { }", "A.Dispose implements an interface explicitly"),
    "hidden": ("internal void M() { }", "A.M is not public"),
    "a field": ("public int M;", "A.M is a field, which no interface declares"),
    "a constructor": ("public A() { }", "A.A is a constructor, which no interface declares"),
    "conditional": ('[System.Diagnostics.Conditional("X")] public void M() { }', "A.M is conditional"),
    "unknown": ("public void N() { }", "A declares no member M at A.cs:1"),
}


@pytest.mark.parametrize(("member", "told"), REFUSED.values(), ids=REFUSED)
def test_what_an_interface_cannot_declare_is_refused(refactor, member, told):
    name = told.split()[0].partition(".")[2] or "M"
    ends = 2 if "declares no member" in told else 3
    text = f"== A.cs\nclass A : System.IDisposable {{ {member.replace('IDisp', 'System.IDisp')} }}\n"
    assert told in refactor(text, "extract-interface", "A", "IA", name, ends=ends)


def test_what_implements_another_interface_explicitly_does_not_stand_in_the_way_of_its_namesake(refactor):
    text = (
        "== A.cs\nclass A : System.IDisposable { public int Dispose() => 1; void System.IDisposable.Dispose() { } }\n"
    )
    assert "    int Dispose();" in refactor(text, "extract-interface", "A", "IA", "Dispose")["IA.cs"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("static class A { public static void M() { } }", "A implements no interfaces"),
        ("enum A { M }", "A implements no interfaces"),
        ("ref struct A { public void M() { } }", "A lives on the stack"),
        ("class A { public void M() { } } class IA { }", "There is a type IA already"),
        ("class A { void M() { } }", "A has no member for an interface"),
        ("class A { public void M() { } } namespace N { using X; class B { IA C; } } namespace X { class IA { } }", ""),
    ],
)
def test_types_without_an_interface_are_refused(refactor, text, told):
    ends = 3 if told else 0
    if told:
        assert told in refactor(f"== A.cs\n{text}\n", "extract-interface", "A", "IA", ends=ends)
    else:
        assert "IA.cs" in refactor(f"== A.cs\n{text}\n", "extract-interface", "A", "IA", ends=ends)


def test_a_name_that_would_mean_the_interface_is_refused(refactor):
    text = "== A.cs\nnamespace N; class A { public void M() { } }\n== B.cs\nclass IA { }\n"
    text += "== C.cs\nnamespace N; class C { IA D; }\n"
    told = refactor(text, "extract-interface", "N.A", "IA", ends=3)
    assert "C.cs:1:24: IA would mean T:N.IA, not T:IA" in told


def test_an_interface_stays_in_the_repository(refactor):
    told = refactor(
        "== A.cs\nclass A { public void M() { } }\n", "extract-interface", "A", "IA", "--to-file", "../IA.cs", ends=2
    )
    assert "../IA.cs is no source of this repository." in told
