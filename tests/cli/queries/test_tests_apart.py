"""Which code is of tests, and what commands do about it, through the real command."""

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
