"""Statements become a method only where the program surely does the same: small programs, and the command line."""

import re
import subprocess
from pathlib import Path

import pytest

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
