"""The benchmark of what notes cost, on a repository small enough to know what it has to say."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"""
STORE = """namespace Shop;
public class Store : IStore {{ public int Count() => {count}; int Half() => {half}; volatile int seen; }}
public class Other {{ public int Twice() => 2; volatile int seen; }}
class Hidden {{ }}
"""
KEEPER = "namespace Shop;\n[Obsolete] public interface {name} {{ int Count(); }}\n"


@pytest.fixture
def history(tmp_path: Path, git: Callable[..., str]) -> Path:
    """Return a repository whose commits change, in turn: nothing public, a public body, no source, a name, a type."""
    root = tmp_path / "history"
    root.mkdir()
    git(root, "init", "--quiet")
    steps = [
        {"S.csproj": PROJECT, "Store.cs": STORE.format(count=1, half=1), "IStore.cs": KEEPER.format(name="IStore")},
        {"Store.cs": STORE.format(count=1, half=2)},
        {"Store.cs": STORE.format(count=2, half=2)},
        {"README.md": "Says nothing.\n"},
        {
            "Store.cs": STORE.replace(": IStore", ": IKeeper").format(count=2, half=2),
            "IStore.cs": KEEPER.format(name="IKeeper"),
        },
        {"New.cs": "namespace Shop;\n[Obsolete] public class New { }\n"},
    ]
    for number, files in enumerate(steps):
        for path, text in files.items():
            (root / path).write_text(text)
        git(root, "add", ".")
        git(root, "commit", "--quiet", "-m", str(number))
    return root


def test_each_commit_costs_what_it_made_stale_and_nothing_that_changed_is_missed(
    history: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import note_cost  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - found only now

    monkeypatch.delitem(sys.modules, "note_cost")
    note_cost.main(history, 5)
    told = capsys.readouterr().out
    rows = [line.split() for line in told.splitlines() if re.match(r"[0-9a-f]{10} ", line)]
    figures = [[int(each.replace(",", "")) for each in row[1:]] for row in rows]
    types = [[row[0], *row[1::2]] for row in figures]
    assert types == [
        [1, 0, 0, 2, 3, 3],  # inside alone: nothing to ask, though two types with a note are touched, and a third
        [1, 1, 0, 2, 3, 3],  # the class whose public body changed
        [2, 1, 0, 2, 4, 4],  # the class that has another base; the note on what was renamed went along
        [1, 0, 1, 1, 1, 1],  # the new class
    ]
    assert "3 types have a note at the start" in told
    assert "5 commits, 4 of them touched sources or projects." in told
    assert "types left cached whose structure or public behaviour changed: 0" in told
