"""`codecortex usages`: what only binding finds: names that are not there, families, what a place is used for."""

import pytest

from codecortex.model.work import DONE, Work
from tests.cli.conftest import ask as ask_any
from tests.cli.conftest import commit_files, write_files

PROJECT = (
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>'
    "</Project>"
)
FILES = {
    "Shop/Shop.csproj": PROJECT,
    "Shop/Order.cs": """using System;
namespace Shop;
public class MarkAttribute : Attribute { public MarkAttribute(int n) { } }
public interface IOrder { void Send(int n); int Size { get; } }
public class Order : IOrder
{
    public Order() { }
    public Order(string key) { }
    public virtual void Send(int n) { }
    public int Size { get; set; }
    public int this[int at] => at;
    public static Order operator +(Order a, Order b) => a;
    public static Order operator ++(Order a) => a;
    public static explicit operator int(Order a) => 1;
    public void Deconstruct(out int a, out int b) { a = b = 1; }
}
public class Rush : Order { public Rush() : base("r") { } public override void Send(int n) { } }
public class Wrapped : IOrder { void IOrder.Send(int n) { } int IOrder.Size => 2; }
public static class More
{
    public static Order Twice(this Order o) => o;
    extension(Order o) { public Order Thrice() => o; }
}
public class Many : System.Collections.Generic.List<Order> { public Many() { } public void Add(string s) { } }
public class Steps { public Walker GetEnumerator() => new(); }
public class Walker { public bool MoveNext() => false; public Order Current => new(); }
""",
    "Shop/Use.cs": """using M = Shop.MarkAttribute;
namespace Shop;
[Mark(1)] class Use
{
    /// <see cref="Order.Send(int)"/>
    void F(Order o, IOrder i, Rush r, Wrapped w)
    {
        Order made = new("k"); var other = new Order("k");
        o.Send(1); i.Send(2); r.Send(3); ((IOrder)w).Send(4);
        o.Size = 5; var size = o.Size + i.Size; o.Size++;
        var at = o[1]; var sum = o + o; o++; var n = (int)o;
        var (a, b) = o;
        foreach (var each in new Steps()) each.Twice().Thrice();
        Many many = new() { "one" };
        var name = nameof(Order.Send);
        System.Action<int> send = o.Send;
    }
}
[M(2)] class Last { }
""",
}


@pytest.fixture
def shop(tmp_path, git):
    return commit_files(tmp_path / "shop", FILES, git)


def ask(cli, root, *arguments):
    return ask_any(cli, root, "usages", *arguments)


def used(answer, path="Shop/Use.cs"):
    return [
        (u["line"], u["column"], u["role"]) for u in answer["usages"] if u["file"] == path and u["label"] == "exact"
    ]


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        ("Order.Order(string)", [(8, 22, "constructor"), (8, 48, "constructor")]),
        ("MarkAttribute.MarkAttribute(int)", [(3, 2, "attribute"), (19, 2, "attribute")]),
        ("Order.this(int)", [(11, 19, "indexer")]),
        ("Order.operator +(Order, Order)", [(11, 34, "operator")]),
        ("Order.operator ++(Order)", [(11, 41, "operator")]),
        ("Order.explicit operator int(Order)", [(11, 54, "operator")]),
        ("Order.Deconstruct", [(12, 20, "implied")]),
        ("Steps.GetEnumerator", [(13, 9, "implied")]),
        ("Walker.Current", [(13, 9, "implied")]),
        ("Many.Add", [(14, 29, "implied")]),
        ("More.Twice", [(13, 48, "call")]),
        ("More.Thrice", [(13, 56, "call")]),
    ],
)
def test_what_is_used_without_its_name_and_what_extends(cli, shop, symbol, expected):
    assert used(ask(cli, shop, f"Shop.{symbol}")) == expected


def test_an_extension_called_where_no_member_of_its_name_takes_the_arguments_is_exact(cli, tmp_path, git):
    source = """public interface IC { void Pub(string e, string k, bool m, int p, byte[] b); }
public static class CX { public static void Pub(this IC c, string e, byte[] b) { } }
class U
{
    void M(IC c)
    {
        c.Pub("a", new byte[0]);
        c.Pub("a", "k", true, 1, new byte[0]);
    }
}
"""
    root = commit_files(tmp_path / "mail", {"Mail.csproj": PROJECT, "Mail.cs": source}, git)
    assert used(ask(cli, root, "CX.Pub"), "Mail.cs") == [(2, 45, "declaration"), (7, 11, "call")]
    assert used(ask(cli, root, "IC.Pub"), "Mail.cs") == [(1, 28, "declaration"), (8, 11, "call")]


def test_what_only_an_id_tells_is_found(cli, tmp_path, git):
    source = """using System.Runtime.CompilerServices;
class A
{
    [IndexerName("Cell")] public int this[int n] => n;
    (int Count, string Name) Make() => default;
    int F() => this[1] + Make().Count + Make().Name.Length;
    int G((int Count, int Name) p) => p.Count;
}
"""
    root = commit_files(tmp_path / "ids", {"Ids.csproj": PROJECT, "A.cs": source}, git)

    assert used(ask(cli, root, "P:A.Cell(System.Int32)"), "A.cs")[1:] == [(6, 20, "indexer")]
    counted = ask(cli, root, "F:System.ValueTuple{System.Int32,System.String}.Count")
    assert used(counted, "A.cs") == [(6, 33, "read")]
    assert [each["line"] for each in counted["usages"] if each["label"] == "other"] == [5, 7, 7]


@pytest.mark.parametrize(
    ("symbol", "at"),
    [
        ("Sum.operator +=", 17),
        ("Sum.operator *=(int)", 25),
        ("Sum.operator ++()", 33),
        ("M:Sum.op_MultiplicationAssignment(System.Int32)", 25),
    ],
)
def test_operators_that_change_a_value_in_place_are_found_by_their_signs(cli, tmp_path, git, symbol, at):
    source = """class Sum { public void operator +=(int n) { } public void operator *=(int n) { }
    public void operator ++() { } }
class U { void M(Sum s)
        {       s += 1; s *= 2; s++; } }
"""
    root = commit_files(tmp_path / "sums", {"Sum.csproj": PROJECT, "Sum.cs": source}, git)

    assert used(ask(cli, root, symbol), "Sum.cs")[1:] == [(4, at, "operator")]


def test_attributes_are_found_under_every_name(cli, shop):
    assert used(ask(cli, shop, "Shop.MarkAttribute")) == [(1, 16, "type"), (3, 2, "type"), (19, 2, "type")]


def test_a_family_counts_as_the_member_and_is_marked(cli, shop):
    answer = ask(cli, shop, "M:Shop.Order.Send(System.Int32)")

    own, interface, rush = (f"M:Shop.{name}.Send(System.Int32)" for name in ("Order", "IOrder", "Rush"))
    explicit = "M:Shop.Wrapped.Shop#IOrder#Send(System.Int32)"
    assert answer["family"] == sorted([own, interface, rush, explicit])
    found = {(u["line"], u["column"]): u.get("through") for u in answer["usages"] if u["role"] in ("call", "read")}
    assert found == {
        (9, 11): None,
        (9, 22): interface,
        (9, 33): rush,
        (9, 54): interface,
        (15, 33): None,
        (16, 37): None,
    }
    declared = {u.get("through") for u in answer["usages"] if u["role"] == "declaration"}
    assert declared == {None, interface, rush, explicit}


def test_without_its_family_a_member_is_itself_alone(cli, shop):
    answer = ask(cli, shop, "M:Shop.Order.Send(System.Int32)", "--no-family", "--kind", "call")

    assert answer["family"] == ["M:Shop.Order.Send(System.Int32)"]
    assert used(answer) == [(9, 11, "call")]
    others = [(u["line"], u["column"], u["means"]) for u in answer["usages"] if u["label"] == "other"]
    assert (9, 33, "M:Shop.Rush.Send(System.Int32)") in others


def test_reads_and_writes_are_told_apart(cli, shop):
    reads = used(ask(cli, shop, "Shop.Order.Size", "--kind", "read"))
    writes = used(ask(cli, shop, "Shop.Order.Size", "--kind", "write"))

    assert reads == [(10, 34, "read"), (10, 43, "read")]
    assert writes == [(10, 11, "write"), (10, 51, "write")]


def test_documentation_counts(cli, shop):
    answer = ask(cli, shop, "M:Shop.Order.Send(System.Int32)", "--kind", "cref")

    assert used(answer) == [(5, 26, "cref")]
    assert answer["usages"][0]["enclosing"]["member"] == "F(Order, IOrder, Rush, Wrapped)"


def test_a_kind_that_there_is_not_is_refused(cli, shop):
    refused = cli(shop, "usages", "Shop.Order", "--kind", "cal")

    assert (refused.code, "'cal'" in refused.err, "attribute" in refused.err) == (2, True, True)


def test_what_an_assembly_declares_is_outside_of_the_family(cli, git, shop):
    write_files(
        shop,
        {
            "Shop/One.cs": "namespace Shop; class One : System.IDisposable { public void Dispose() { } }",
            "Shop/Two.cs": "namespace Shop; class Two : System.IDisposable { public void Dispose() { } }",
        },
    )
    git(shop, "add", ".")
    answer = ask(cli, shop, "Shop.One.Dispose")

    assert (answer["family"], answer["outside"]) == (["M:Shop.One.Dispose"], ["M:System.IDisposable.Dispose"])


def test_names_that_mean_no_symbol_are_told(cli, git, shop):
    source = (
        "namespace Shop.Size { class Local { int F(int Size) { G(Size: 1); Missing(Size: 1); return Size; } "
        "object G(int Size) => new { Size = 1 }; } }"
    )
    write_files(shop, {"Shop/Local.cs": source})
    git(shop, "add", ".")
    answer = ask(cli, shop, "Shop.Order.Size", "--path", "Shop/Local.cs")

    assert {u["label"] for u in answer["usages"]} == {"other"}
    assert {u["why"] for u in answer["usages"]} == {
        "a parameter",
        "a part of a namespace's name",
        "the name of an argument, a label or a property of an anonymous type",
    }


def test_a_project_that_does_not_see_the_symbol_cannot_mean_it(cli, git, shop):
    write_files(shop, {"Alone/Alone.csproj": PROJECT, "Alone/A.cs": "class A { object F(Shop.Order o) => o.Twice(); }"})
    git(shop, "add", ".")
    answer = ask(cli, shop, "Shop.More.Twice", "--path", "Alone")

    assert [(u["label"], u["why"]) for u in answer["usages"]] == [
        ("other", "its project does not reference that of the symbol")
    ]


def test_it_says_which_packages_were_missing_where_that_may_matter(cli, tmp_path, git, monkeypatch):
    monkeypatch.setenv("NUGET_PACKAGES", str(tmp_path / "none"))
    package = '<ItemGroup><PackageReference Include="Away" Version="1.0" /></ItemGroup>'
    project = PROJECT.replace("</Project>", f"{package}</Project>")
    source = "using Away; class A { public int P; void F() { var x = Far.Make(); x.P = 1; } int G() => P; }"
    root = commit_files(tmp_path / "work", {"A.csproj": project, "A.cs": source}, git)

    told = cli(root, "usages", "A.P").out
    assert told.splitlines()[-1] == "1 package not found: restore for exact answers (Away 1.0)."
    assert "not found" in cli(root, "callers", "A.F").out
    assert "not found" not in cli(root, "usages", "A.F").out
    assert ask(cli, root, "A.F")["references"]["missing"] == ["Away 1.0"]


def test_asked_again_it_tells_what_it_would_tell_without_a_cache(cli, shop):
    other = shop / "Shop/Other.cs"
    edits = (
        "namespace Shop;\n",
        "namespace Shop;\n/* Order */ class Other { (int Order, int b) pair; Order? made; }\n",
        "namespace Shop;\nclass Other { Order? made; class Order; }\n",  # the same name means another type now
        "namespace Shop;\nclass Other;\n",
    )
    for text in edits:
        other.write_text(text)
        write_files(shop, {})
        for _ in range(2):
            assert ask(cli, shop, "Shop.Order") == ask_any(cli, shop, "--no-cache", "usages", "Shop.Order")


def test_a_file_with_many_elements_of_tuples_is_parsed_no_more_than_one_with_few(cli, tmp_path, git):
    parsed = []
    for count in (2, 40):
        methods = "".join(f"    (int Count, int Other{n}) F{n}();\n" for n in range(count))
        source = f"interface A\n{{\n    int Count {{ get; }}\n{methods}}}\n"
        root = commit_files(tmp_path / str(count), {"A.csproj": PROJECT, "A.cs": source}, git)
        before = DONE[Work.PARSED]
        told = [(row["line"], row["label"]) for row in ask(cli, root, "A.Count")["usages"]]
        assert told == [(3, "exact"), *((4 + n, "other") for n in range(count))]
        parsed.append(DONE[Work.PARSED] - before)

    assert parsed[0] == parsed[1]


def test_files_are_those_in_which_it_may_be_named(cli, git, shop):
    write_files(shop, {"Shop/Else.cs": "class Else { void Send(int n) => Send(n); }\n"})
    git(shop, "add", ".")

    assert ask_any(cli, shop, "usages", "Shop.Order.Send", "--files")["files"] == ["Shop/Order.cs", "Shop/Use.cs"]


def test_explicit_implementations_of_two_interfaces_are_two_symbols(cli, git, shop):
    source = (
        "namespace E; interface IX { int F { get; } } interface IY { int F { get; } }\n"
        "class C : IX, IY\n{\n    int IX.F => 4;\n    int IY.F => 5;\n    int G() => ((IY)this).F;\n}\n"
    )
    write_files(shop, {"Shop/E.cs": source})
    git(shop, "add", ".")

    told = ask(cli, shop, "P:E.C.E#IY#F", "--no-family")
    sure = [(row["line"], row["label"]) for row in told["usages"] if row["label"] != "other"]
    assert sure == [(5, "exact")]
    assert ask(cli, shop, "P:E.C.E#IY#F")["family"] == ["P:E.C.E#IY#F", "P:E.IY.F"]
