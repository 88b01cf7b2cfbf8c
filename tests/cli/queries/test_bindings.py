"""`codecortex bindings`: what names in sources mean."""

import json

import pytest

from codecortex.operations.bindings.sources import find_version
from tests.cli.conftest import ask, commit_files, write_files

SDK = (
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework>{}</PropertyGroup>{}'
    "</Project>\n"
)
FILES = {
    "src/Core/Core.csproj": SDK.format("<ImplicitUsings>enable</ImplicitUsings>", ""),
    "src/Core/Order.cs": "namespace Shop;\npublic class Order { public List<int> Äpfel = new(); }\n",
    "src/Desk/Desk.csproj": SDK.format("", '<ItemGroup><ProjectReference Include="../Core/Core.csproj"/></ItemGroup>'),
    "src/Desk/Desk.cs": "using Shop;\nclass Desk { int Take(Order o) => o.Äpfel.Count + o.Missing; }\n",
    "src/Alone/Alone.csproj": SDK.format("", ""),
    "src/Alone/Alone.cs": "class Alone { Shop.Order o; }\n",
}


@pytest.fixture
def shop(tmp_path, git):
    return commit_files(tmp_path / "shop", FILES, git)


def rows(answer):
    return [(b["line"], b["column"], b["name"], b["symbol"], b["label"], b["role"]) for b in answer["bindings"]]


def test_every_name_of_a_file(cli, shop):
    assert rows(ask(cli, shop, "bindings", "src/Desk/Desk.cs")) == [
        (2, 7, "Desk", "T:Desk", "exact", "declaration"),
        (2, 18, "Take", "M:Desk.Take(Shop.Order)", "exact", "declaration"),
        (2, 23, "Order", "T:Shop.Order", "exact", "type"),
        (2, 29, "o", None, "exact", "declaration"),
        (2, 35, "o", None, "exact", "read"),
        (2, 37, "Äpfel", "F:Shop.Order.Äpfel", "exact", "read"),
        (2, 43, "Count", "P:System.Collections.Generic.List`1.Count", "exact", "read"),
        (2, 51, "o", None, "exact", "read"),
    ]


def test_what_has_no_documentation_id_is_told_by_its_place(cli, git, shop):
    source = "class Many<T>(int held)\n{\n  int F<U>(T t, U u) { var x = t; int G(U v) => held; return G(u); }\n}\n"
    write_files(shop, {"src/Core/Many.cs": source})
    git(shop, "add", ".")

    bound = ask(cli, shop, "bindings", "src/Core/Many.cs")["bindings"]
    found = [b for b in bound if b.get("local") and b["role"] != "declaration"]

    assert [(b["name"], b["local"], b["role"], b["declared"]) for b in found] == [
        ("T", "type parameter", "type", {"line": 1, "column": 12}),
        ("U", "type parameter", "type", {"line": 3, "column": 9}),
        ("t", "parameter", "read", {"line": 3, "column": 14}),
        ("U", "type parameter", "type", {"line": 3, "column": 9}),
        ("held", "parameter", "read", {"line": 1, "column": 19}),
        ("G", "local function", "call", {"line": 3, "column": 39}),
        ("u", "parameter", "read", {"line": 3, "column": 19}),
    ]


def test_the_name_at_a_place(cli, shop):
    answer = ask(cli, shop, "bindings", "src/Desk/Desk.cs:2:24")

    assert answer["bindings"] == [
        {
            "file": "src/Desk/Desk.cs",
            "line": 2,
            "column": 23,
            "name": "Order",
            "symbol": "T:Shop.Order",
            "label": "exact",
            "role": "type",
            "why": None,
        }
    ]


def test_members_without_a_name_are_told_in_a_word(cli, git, shop):
    source = (
        "delegate int Op(int left);\nclass M\n{\n  public int this[int i]\n  {\n    get => i;\n  }\n"
        "  public static implicit operator int(M m) => 1;\n}\n"
    )
    write_files(shop, {"src/Core/Odd.cs": source})
    git(shop, "add", ".")

    assert [row[:4] for row in rows(ask(cli, shop, "bindings", "src/Core/Odd.cs"))] == [
        (1, 14, "Op", "T:Op"),
        (1, 21, "left", None),
        (2, 7, "M", "T:M"),
        (4, 14, "this", "P:M.Item(System.Int32)"),
        (4, 23, "i", None),
        (6, 12, "i", None),
        (8, 26, "operator", "M:M.op_Implicit(M)~System.Int32"),
        (8, 39, "M", "T:M"),
        (8, 41, "m", None),
    ]


def test_paths_from_where_the_user_stands(cli, shop):
    there = ask(cli, shop / "src/Desk", "bindings", "Desk.cs:2:23")
    assert rows(there) == [(2, 23, "Order", "T:Shop.Order", "exact", "type")]


def test_a_project_sees_what_it_references_alone(cli, shop):
    assert "T:Shop.Order" not in [row[3] for row in rows(ask(cli, shop, "bindings", "src/Alone/Alone.cs"))]


def test_implicit_usings_hold(cli, shop):
    assert "T:System.Collections.Generic.List`1" in [
        row[3] for row in rows(ask(cli, shop, "bindings", "src/Core/Order.cs"))
    ]


def test_all_files_by_default(cli, shop):
    assert {b["file"] for b in ask(cli, shop, "bindings")["bindings"]} == {
        "src/Alone/Alone.cs",
        "src/Core/Order.cs",
        "src/Desk/Desk.cs",
    }


def test_another_tree(cli, shop):
    (shop / "src/Core/Order.cs").write_text("class Other { }")

    assert rows(ask(cli, shop, "bindings", "src/Core/Order.cs"))[0][3] == "T:Other"
    assert rows(ask(cli, shop, "bindings", "src/Core/Order.cs", "--rev", "HEAD"))[0][3] == "T:Shop.Order"


def test_text_for_people(cli, shop):
    result = cli(shop, "bindings", "src/Alone/Alone.cs")

    assert result.out.splitlines() == [
        "src/Alone/Alone.cs",
        "  1:7  Alone T:Alone (declaration, exact)",
        "  1:26  o F:Alone.o (declaration, exact)",
    ]


def test_a_file_that_is_no_source_is_told(cli, shop):
    answer = ask(cli, shop, "bindings", "missing.cs", "src/Alone/Alone.cs")

    assert answer["unread"] == [{"file": "missing.cs", "reason": "none of the sources"}]
    refused = cli(shop, "bindings", "missing.cs")
    assert (refused.code, "missing.cs is none of the sources" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("written", "tfm", "version"),
    [
        ("12", "net10.0", 12.0),
        ("latest", "netstandard2.0", 14.0),
        ("", "net10.0", 14.0),
        ("", "net8.0-android", 12.0),
        ("", "netstandard2.1", 8.0),
        ("", "net472", 7.3),
        ("", "", 14.0),
    ],
)
def test_the_version_of_the_language(written, tfm, version):
    assert find_version(written, tfm) == version


def test_a_file_alone_is_bound_as_among_all(cli, git, shop):
    write_files(
        shop,
        {
            "src/Core/A.cs": "using Some.Package;\nclass A { public void F(Foreign f) { } void G(Foreign f) => F(f); }",
            "src/Core/B.cs": "using Some.Package; using Other.Package;\nclass B { void G(A a, Foreign f) => a.F(f); }",
        },
    )
    git(shop, "add", ".")
    whole = ask(cli, shop, "bindings")["bindings"]

    for path in {row["file"] for row in whole}:
        assert ask(cli, shop, "bindings", path)["bindings"] == [row for row in whole if row["file"] == path]
    assert "M:A.F(Some.Package.Foreign)" in {row["symbol"] for row in whole}


def test_several_processes_answer_the_same_bytes(cli, tmp_path, git):
    root = tmp_path / "many"
    root.mkdir()
    git(root, "init", "--quiet")
    text = "class C{0} {{ int F(C{1} c) => c.G(x => x + {0}); int G(System.Func<int, int> f) => f({0}) + D.E; }}\n"
    write_files(root, {f"C{n}.cs": text.format(n, (n + 1) % 130) for n in range(130)})
    git(root, "add", ".")
    alone, shared = (cli(root, "bindings", "--json", "--jobs", jobs) for jobs in ("1", "3"))

    assert alone.code == shared.code == 0
    assert shared.out == alone.out
    assert len(json.loads(alone.out)["bindings"]) > 130 * 5
