"""The work that operations do, as the program counts it: more of it is a regression that no clock could prove."""

import os
import re
from pathlib import Path

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from codecortex.model.work import Work

ROOT = Path(__file__).parents[2]
CLASSES = 30
LONG_AGO = 1_600_000_000
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"""
BODY = ("src/Item20.cs", "return 1;", "return 2;")
SIGNATURE = ("src/Item20.cs", "int Run(int x)", "int Run(int x, int y = 0)")
OTHER_BODY = ("src/Item20.cs", "return 2;", "return 3;")
CLASS = ("src/Item20.cs", "namespace Shop;", "namespace Shop;\npublic class Another;")
COMMIT = ("", "", "")
OPERATIONS = (
    ("cold refresh", None, ["refresh"]),
    ("refresh of nothing", None, ["refresh"]),
    ("refresh of a body", BODY, ["refresh"]),
    ("refresh of a signature", SIGNATURE, ["refresh"]),
    ("refresh of a new class", CLASS, ["refresh"]),
    ("first resolve", None, ["resolve", "Shop.Item7"]),
    ("resolve", None, ["resolve", "Shop.Item7"]),
    ("outline", None, ["outline", "Shop.Item7"]),
    ("search", None, ["search", "item run"]),
    ("usages", None, ["usages", "Shop.Item7"]),
    ("usages again", None, ["usages", "Shop.Item7"]),
    ("context", None, ["context", "who calls Run of Item7"]),
    ("changes", None, ["changes"]),
    ("check", None, ["check"]),
    ("status", None, ["status"]),
    ("build of a pack", None, ["pack", "build", "items", "--filter", "type:Item*", "--budget", "2000"]),
    ("refresh of a pack", None, ["refresh"]),
    ("body beside a pack", OTHER_BODY, ["refresh"]),
    ("log", None, ["log", "Shop.Item7"]),
    ("diff", None, ["diff", "Shop.Item7"]),
    ("log of an id", None, ["log", "T_76N9XXXW"]),
    ("refresh once committed", COMMIT, ["refresh"]),
    ("nothing, committed", None, ["refresh"]),
)


class Table(SingleFileSnapshotExtension):
    """Writes to `snapshots/work/<name>.txt`."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    @classmethod
    def dirname(cls, **_: object) -> str:
        return str(ROOT / "snapshots" / "work")

    @classmethod
    def get_snapshot_name(cls, *, index: object = 0, **_: object) -> str:
        return str(index)


def write(root, path, text, *, later=0):
    """Write a file with a stamp that is too old to be doubted: else the clock would say what is read again."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)
    os.utime(root / path, (LONG_AGO + later, LONG_AGO + later))


@pytest.fixture
def items(tmp_path, git, process):
    """Thirty classes, each of which calls the one before it; committed, with no map yet."""
    root = tmp_path / "items"
    write(root, "src/Shop.csproj", PROJECT)
    for number in range(CLASSES):
        before = f"Item{max(number - 1, 0)}"
        calls = f"private readonly {before} _before;\n    public int Run(int x) {{ _before.Run(x); return 1; }}"
        write(root, f"src/Item{number}.cs", f"namespace Shop;\npublic class Item{number}\n{{\n    {calls}\n}}\n")
    git(root, "init", "--quiet")
    assert process(root, "init").returncode == 0
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    return root


def test_the_work_of_the_commonest_operations(items, git, process, snapshot):
    rows = []
    for number, (name, edit, words) in enumerate(OPERATIONS, 1):
        if edit == COMMIT:
            git(items, "add", ".")
            git(items, "commit", "--quiet", "-m", "map")
        elif edit:
            path, old, new = edit
            write(items, path, (items / path).read_text().replace(old, new), later=number)
        done = process(items, "-v", "--no-metrics", *words)
        assert done.returncode == 0, done.stderr
        told = {what: number for number, what in re.findall(r", ([\d,]+) ([a-zA-Z ]+)", done.stderr.decode())}
        rows.append([name, *(told.get(what, "0") for what in Work)])
    lines = [["", *Work], *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
    assert text + "\n" == snapshot(name="operations", extension_class=Table)
