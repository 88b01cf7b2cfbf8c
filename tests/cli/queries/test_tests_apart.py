"""Which code is of tests, and what narrows an answer, through the real command."""

import json

import pytest

SDK = (
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework>{}</PropertyGroup>'
    "{}</Project>"
)
FILES = {
    "Directory.Build.props": """<Project>
        <ItemGroup Condition="$(MSBuildProjectName.EndsWith('Checks'))"><PackageReference Include="xunit" /></ItemGroup>
      </Project>""",
    "src/Lib/Lib.csproj": SDK.format("", '<ItemGroup><PackageReference Include="Moq" /></ItemGroup>'),
    "src/Lib/Cart.cs": "namespace Lib;\n/// <summary>It.</summary>\npublic class Cart { public void Empty() { } }\n",
    "src/Lib/Own.cs": "namespace Lib; public class OwnCart { [Xunit.Fact] public void Works() { } }\n",
    "src/Lib/Set.cs": "namespace Lib;\n[TestFixture(1)]\npublic class CartSet { }\n",
    "src/Lib.Checks/Lib.Checks.csproj": SDK.format(
        "", '<ItemGroup><ProjectReference Include="../Lib/Lib.csproj" /></ItemGroup>'
    ),
    "src/Lib.Checks/CartCheck.cs": "using Lib;\nnamespace Checks; public class CartCheck { Cart cart = new Cart(); }\n",
    "src/Flag/Flag.csproj": SDK.format("<IsTestProject>true</IsTestProject>", ""),
    "src/Flag/CartFlag.cs": "namespace Flag;\npublic class CartFlag { }\n",
    "src/Help/Help.csproj": SDK.format(
        "<IsTestProject>false</IsTestProject>", '<ItemGroup><PackageReference Include="xunit.core" /></ItemGroup>'
    ),
    "src/Help/CartHelp.cs": "namespace Help;\npublic class CartHelp { }\n",
    "tests/CartLoose.cs": "public class CartLoose { }\n",
}  # fmt: skip


@pytest.fixture
def carts(tmp_path, git):
    root = tmp_path / "carts"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "init", "--quiet")
    git(root, "add", ".")
    return root


def test_code_of_tests_is_known_by_project_folder_and_attributes(carts, cli):
    told = json.loads(cli(carts, "index", "--json").out)
    assert {each["fqn"] for each in told["types"] if each["test"]} == {
        "Lib.OwnCart", "Lib.CartSet", "Checks.CartCheck", "Flag.CartFlag", "CartLoose",
    }  # fmt: skip
    assert {each["name"] for each in told["projects"] if each["test"]} == {"Lib.Checks", "Flag"}
    assert not any(each["reports"] for each in told["projects"])


def test_it_is_known_again_after_an_edit(carts, cli, git):
    def told():
        return json.loads(cli(carts, "resolve", "Cart", "--rev", git(carts, "write-tree"), "--json").out)["hits"][0][
            "test"
        ]

    assert told() is False
    (carts / "src/Lib/Cart.cs").write_text("namespace Lib;\npublic class Cart { [Test] public void Empty() { } }\n")
    git(carts, "add", ".")
    assert told() is True
    (carts / "src/Lib/Cart.cs").write_text("namespace Lib;\npublic class Cart { public void Empty() { } }\n")
    (carts / "src/Lib/Lib.csproj").write_text(SDK.format("<IsTestProject>true</IsTestProject>", ""))
    git(carts, "add", ".")
    assert told() is True


@pytest.fixture
def ask(carts, cli):
    def run(*arguments):
        result = cli(carts, *arguments)
        assert result.code == 0, result.err
        return result.out.splitlines()

    return run


def list_names(lines):
    return [line.split()[2].rpartition(".")[2] for line in lines]


def test_search_puts_product_code_first_and_is_narrowed(ask, carts, cli):
    assert list_names(ask("search", "cart", "--kind", "type"))[:2] == ["Cart", "CartHelp"]
    assert set(list_names(ask("search", "cart", "--no-tests", "--kind", "type"))) == {"Cart", "CartHelp"}
    assert set(list_names(ask("search", "cart", "--tests", "--kind", "type"))) == {
        "OwnCart", "CartSet", "CartCheck", "CartFlag", "CartLoose",
    }  # fmt: skip
    assert "CartCheck" in list_names(ask("search", "cart", "--project", "lib.*"))
    assert set(list_names(ask("search", "cart", "--kind", "type", "--path", "src/Lib/**"))) == {
        "Cart", "OwnCart", "CartSet",
    }  # fmt: skip
    assert set(list_names(ask("search", "cart", "--path", "tests", "--path", "Flag"))) == {"CartFlag", "CartLoose"}
    assert cli(carts, "search", "cart", "--path", "nowhere/**").code == 3
    assert "src/Lib/**" not in cli(carts, "search", "cart", "--path", "nowhere/**").err


def test_files_alone_are_listed_once_each_best_first(ask):
    assert ask("search", "cart", "--no-tests", "--files") == ["src/Lib/Cart.cs", "src/Help/CartHelp.cs"]
    assert ask("search", "cart", "--files", "--limit", "1", "--offset", "1") == ["src/Help/CartHelp.cs"]
    (told,) = map(json.loads, ask("search", "cart", "--files", "--limit", "1", "--json"))
    assert (told["files"], told["nextOffset"]) == (["src/Lib/Cart.cs"], 1)
    assert ask("usages", "Lib.Cart", "--files") == ["src/Lib/Cart.cs", "src/Lib.Checks/CartCheck.cs"]
    assert ask("usages", "Lib.Cart", "--files", "--no-tests") == ["src/Lib/Cart.cs"]
    assert ask("graph", "Lib.Cart", "--reverse", "--files") == ["src/Lib/Cart.cs", "src/Lib.Checks/CartCheck.cs"]
    assert ask("graph", "--all", "--tests", "--files", "--path", "Flag") == ["src/Flag/CartFlag.cs"]


def test_usages_count_what_passes(ask):
    (told,) = map(json.loads, ask("usages", "Lib.Cart", "--tests", "--json"))
    assert {each["file"] for each in told["usages"]} == {"src/Lib.Checks/CartCheck.cs"}
    assert told["totals"] == {"declaration": 0, "exact": 2, "likely": 0, "name": 0, "other": 0, "files": 1}
    assert "CartCheck.cs" not in "".join(ask("usages", "Lib.Cart", "--project", "Lib"))


def test_a_graph_goes_to_nothing_that_does_not_pass(ask):
    assert "CartCheck" in "".join(ask("graph", "Lib.Cart", "--reverse"))
    assert "CartCheck" not in "".join(ask("graph", "Lib.Cart", "--reverse", "--no-tests"))
    assert "CartCheck" not in "".join(ask("graph", "--all", "--no-tests"))


@pytest.fixture
def packed(carts, cli):
    assert cli(carts, "init").code == 0
    assert cli(carts, "pack", "build", "carts", "--filter", "type:*Cart*").code == 0
    return carts


def test_a_pack_shows_only_what_passes_and_its_file_stays(packed, ask):
    before = (packed / ".codecortex/packs/carts.md").read_bytes()
    whole = ask("pack", "show", "carts", "--files")
    assert set(whole) == {path for path in FILES if path.endswith(".cs")}
    assert set(ask("pack", "show", "carts", "--files", "--no-tests")) == {"src/Lib/Cart.cs", "src/Help/CartHelp.cs"}
    assert ask("pack", "show", "carts", "--files", "--path", "Flag") == ["src/Flag/CartFlag.cs"]
    assert set(ask("pack", "show", "carts", "--files", "--project", "Help")) == {"src/Help/CartHelp.cs"}
    (told,) = map(json.loads, ask("pack", "show", "carts", "--files", "--json"))
    assert (told["files"], told["nextOffset"]) == (whole, None)
    narrowed = "".join(ask("pack", "show", "carts", "--no-tests"))
    assert "CartHelp" in narrowed
    assert "CartCheck" not in narrowed
    assert "CartCheck" in "".join(ask("pack", "show", "carts"))
    (told,) = map(json.loads, ask("pack", "show", "carts", "--no-tests", "--json"))
    assert (told["state"], told["types"]) == ("current", 2)
    assert (packed / ".codecortex/packs/carts.md").read_bytes() == before


@pytest.mark.parametrize(
    "command", [["search", "cart"], ["usages", "Lib.Cart"], ["graph", "Lib.Cart"], ["pack", "show", "carts"]]
)
def test_an_unknown_project_is_told_with_those_there_are(packed, cli, command):
    result = cli(packed, *command, "--project", "Libb")
    assert result.code == 2
    assert "No project is called 'Libb'." in result.err
    assert "Lib.Checks" in result.err


def test_a_pack_leaves_out_code_of_tests(carts, cli):
    assert cli(carts, "init").code == 0
    assert cli(carts, "pack", "build", "own", "--filter", "type:*Cart* test:false").code == 0
    text = (carts / ".codecortex/packs/own.md").read_text()
    assert "Lib.Cart " in text
    assert "OwnCart" not in text
    assert cli(carts, "pack", "build", "odd", "--filter", "test:maybe").code == 2
