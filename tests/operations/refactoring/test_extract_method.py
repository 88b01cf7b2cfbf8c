"""Statements become a method only where the program surely does the same: small programs, and the command line."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from codecortex.cli.main import main
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.refactoring.extraction.method import SPAN, plan_method
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.operations.request import Request

CASES = Path(__file__).parents[2] / "cases" / "extractions.txt"
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
</Project>
"""
_CASE = re.compile(r"^=== (\w+) ([>!]) (.*)\n((?:(?!===).*\n)*)", re.MULTILINE)


def read_programs():
    """The name, what is expected and the text of each program, in a namespace of its own."""
    for name, sign, expected, text in _CASE.findall(CASES.read_text()):
        yield name, sign == ">", expected, f"namespace {name};\n\n{text.strip()}\n"


def find_range(text):
    """Where the marks of a program stand: the lines and columns of what is between them."""
    places = []
    for offset in (text.index("/*[*/") + 5, text.index("/*]*/")):
        before = text[:offset]
        places.append(f"{before.count(chr(10)) + 1}:{offset - before.rfind(chr(10))}")
    return "-".join(places)


PROGRAMS = {name: (applied, expected, text) for name, applied, expected, text in read_programs()}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    root = tmp_path_factory.mktemp("programs")
    (root / "P.csproj").write_text(PROJECT)
    for name, (_, _, text) in PROGRAMS.items():
        (root / f"{name}.cs").write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    with Workspace(Request(root)) as workspace:
        yield workspace


def extract(workspace, name):
    """What the file of a program says afterwards."""
    where = f"{name}.cs:{find_range(PROGRAMS[name][2])}"
    [file] = plan_method(workspace, SPAN.fullmatch(where), "Made").files
    return file.after.shown


@pytest.mark.parametrize("name", [name for name, (applied, _, _) in PROGRAMS.items() if applied])
def test_what_surely_does_the_same_becomes_a_method(programs, name):
    after = extract(programs, name)

    assert [line.strip(" {") for line in after.split("\n") if re.search(r"^ *private .*\bMade\b", line)] == [
        PROGRAMS[name][1]
    ]


@pytest.mark.parametrize("name", [name for name, (applied, _, _) in PROGRAMS.items() if not applied])
def test_what_does_not_is_refused_with_the_reason(programs, name):
    with pytest.raises(EditRefusedError) as problem:
        extract(programs, name)

    assert str(problem.value).endswith(f"cannot become a method: {PROGRAMS[name][1]}.")


def find_sdk():
    """The folder of a .NET SDK, or None."""
    found = shutil.which("dotnet")
    for root in (os.environ.get("DOTNET_ROOT", ""), str(Path(found).resolve().parent) if found else ""):
        if root and any(Path(root).glob("sdk/*/Roslyn/bincore/csc.dll")):
            return Path(root)
    return None


def run_all(sdk, folder, texts):
    """What programs print that are compiled together."""
    calls = "".join(f'Console.WriteLine("{name}"); {name}.P.Run();\n' for name in texts)
    usings = "".join(f"global using System{each};\n" for each in ("", ".Linq", ".Collections.Generic", ".IO"))
    usings += "global using System.Threading.Tasks;\n"
    main_text = f"static class Start {{ static void Main() {{ {calls} }} }}"
    for name, text in {**texts, "Usings": usings, "Start": main_text}.items():
        (folder / f"{name}.cs").write_text(text)
    [compiler] = sorted(sdk.glob("sdk/*/Roslyn/bincore/csc.dll"))[-1:]
    [runtime] = sorted(sdk.glob("shared/Microsoft.NETCore.App/*"))[-1:]
    [references] = sorted(sdk.glob("packs/Microsoft.NETCore.App.Ref/*/ref/*"))[-1:]
    rows = ["-nologo", "-out:all.dll", *(f'-r:"{each}"' for each in references.glob("*.dll")), "*.cs"]
    (folder / "all.rsp").write_text("\n".join(rows))
    framework = {"name": "Microsoft.NETCore.App", "version": runtime.name}
    (folder / "all.runtimeconfig.json").write_text(json.dumps({"runtimeOptions": {"framework": framework}}))
    told = []
    for arguments in (["exec", str(compiler), "-noconfig", "@all.rsp"], ["exec", "all.dll"]):
        done = subprocess.run([sdk / "dotnet", *arguments], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        told.append(done.stdout)
    return told[1]


def test_programs_print_the_same_afterwards(programs, tmp_path):
    sdk = find_sdk()
    if sdk is None:
        pytest.skip("no .NET SDK: put dotnet on PATH, or its folder into DOTNET_ROOT")
    applied = [name for name, (is_applied, _, _) in PROGRAMS.items() if is_applied]
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()

    printed = run_all(sdk, before, {name: PROGRAMS[name][2] for name in applied})

    assert run_all(sdk, after, {name: extract(programs, name) for name in applied}) == printed
    assert len(printed.splitlines()) > 2 * len(applied)


SHOP = """using System;

class Shop
{
    int Total(int[] prices)
    {
        // All of them.
        int sum = 0;
        foreach (var each in prices)
        {
            sum += each;
        }

        return sum;
    }
}
"""


@pytest.fixture
def shop(tmp_path, git, capsys):
    root = tmp_path / "shop"
    root.mkdir()
    (root / "Shop.csproj").write_text(PROJECT)
    (root / "Shop.cs").write_bytes(SHOP.replace("\n", "\r\n").encode())
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "shop")

    def run(*arguments, ends=0):
        code = main(["-C", str(root), "refactor", *arguments])
        printed = capsys.readouterr()
        assert code == ends, printed.err
        return printed.out if not ends else printed.err

    return root, run


def test_the_command_line_prints_a_patch_writes_and_undoes(shop):
    root, run = shop
    before = (root / "Shop.cs").read_bytes()

    told = json.loads(run("extract-method", "Shop.cs:7:9-12:9", "Sum", "--json"))
    assert (root / "Shop.cs").read_bytes() == before
    run("extract-method", "Shop.cs:7:9-12:10", "Sum", "--write")

    assert (told["verb"], told["state"], len(told["edits"])) == ("extract-method", "planned", 2)
    assert told["edits"][0]["text"] == "int sum = Sum(prices);"
    expected = SHOP.replace(
        """        // All of them.
        int sum = 0;
        foreach (var each in prices)
        {
            sum += each;
        }
""",
        "        int sum = Sum(prices);\n",
    ).replace(
        """        return sum;
    }
""",
        """        return sum;
    }

    private int Sum(int[] prices)
    {
        // All of them.
        int sum = 0;
        foreach (var each in prices)
        {
            sum += each;
        }
        return sum;
    }
""",
    )
    assert (root / "Shop.cs").read_bytes() == expected.replace("\n", "\r\n").encode()
    run("undo")
    assert (root / "Shop.cs").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("Shop.cs:8:9-9:20", "Sum"), "covers neither whole statements nor an expression"),
        (("Shop.cs:8:9", "Sum"), "is no range"),
        (("Shop.cs:8:9-8:20", "1x"), "is no name in C#"),
        (("Other.cs:8:9-8:20", "Sum"), "No source of this tree is called Other.cs"),
        (("Shop.cs:900:9-900:20", "Sum"), "covers neither"),
        (("Shop.cs:3:1-16:2", "Sum"), "covers neither"),
    ],
)
def test_what_is_no_range_is_told_with_the_next_step(shop, arguments, told):
    assert told in shop[1]("extract-method", *arguments, ends=2)


def test_a_refusal_has_a_code_and_changes_nothing(shop):
    root, run = shop

    assert "Total already" in run("extract-method", "Shop.cs:14:16-14:19", "Total", "--write", ends=3)
    assert (root / "Shop.cs").read_bytes() == SHOP.replace("\n", "\r\n").encode()
