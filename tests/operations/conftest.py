"""A small repository with a note, for what notes are asked for with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.generation.jobs.jobs import Selection, list_jobs
from codecortex.operations.generation.prompts.prompt import make_prompt
from codecortex.operations.generation.put import Body, put
from codecortex.operations.refresh.init import init
from codecortex.operations.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codecortex.context.prompts.prompts import Prompt

STORE = """namespace Shop;
using System;
/// <summary>Keeps orders.</summary>
public class Store : IStore
{
    private readonly object _gate = new();
    private int _count;

    public Store(int size)
    {
        _count = size;
    }

    /// <summary>Adds one.</summary>
    public void Add(Order order)
    {
        lock (_gate)
        {
            _count++;
        }
    }

    public int Count() => _count;

    private void Trim()
    {
        _count = 0;
    }

    public class Shelf
    {
        public int Width() => 7;
    }
}
"""
NEEDED = "namespace Shop;\npublic interface IStore\n{\n    int Count();\n}\n"
ORDER = "namespace Shop;\npublic record Order(string Key);\n"
TEXT = (
    b"ROLE: Keeps the orders.\nLIFECYCLE: Made once.\nEDGE_CASES: No limit.\nLIMITATIONS: None.\n"
    b"RECOMMENDATIONS: One.\n"
)


class Shop:
    """A repository with the type `Shop.Store`, what it depends on, and a note on it."""

    def __init__(self, root: Path, git: Callable[..., str]) -> None:
        self.root = root
        self.git = git
        self.warnings: list[str] = []
        root.mkdir()
        git(root, "init", "--quiet")
        init(root)
        self.write("src/Store.cs", STORE)
        self.write("src/IStore.cs", NEEDED)
        self.write("src/Order.cs", ORDER)
        self.commit()

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        self.git(self.root, "add", ".")

    def edit(self, old: str, new: str, path: str = "src/Store.cs") -> None:
        text = (self.root / path).read_text()
        assert old in text
        self.write(path, text.replace(old, new))

    def commit(self) -> str:
        self.git(self.root, "add", ".")
        self.git(self.root, "commit", "--quiet", "--allow-empty", "-m", "more")
        return self.git(self.root, "rev-parse", "HEAD")

    def note(self, symbol: str = "Shop.Store", text: bytes = TEXT, generator: str = "openai:x prompt 1") -> None:
        put(Request(self.root), symbol, Body(text, "test", generator))

    def configure(self, text: str) -> None:
        self.write(".codecortex/config.yaml", text)

    def ask(self, symbol: str = "Shop.Store", **options: object) -> Prompt:
        with Workspace(Request(self.root, warn=self.warnings.append, **options)) as workspace:
            (job,) = list_jobs(workspace, Selection(symbols=(symbol,))).jobs
            return make_prompt(workspace, job)


@pytest.fixture
def shop(tmp_path, git):
    return Shop(tmp_path / "shop", git)
