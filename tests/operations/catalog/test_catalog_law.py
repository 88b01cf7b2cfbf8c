"""Incremental equals full: after any edit, the catalog and the graph that are kept are those of a tree read anew."""

import importlib.util
import marshal
import os
import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from codecortex.git.worktree import freshness
from codecortex.model.code.catalog import Catalog, Graph
from codecortex.operations.catalog import graph as graphs
from codecortex.operations.catalog import symbols as catalogs
from codecortex.operations.catalog import workspace as workspaces
from codecortex.operations.catalog.storage import _HEAD
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request

spec = importlib.util.spec_from_file_location(
    "edits", Path(__file__).parents[1] / "refresh" / "test_incremental_law.py"
)
assert spec is not None
assert spec.loader is not None
edits: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(edits)

Git = Callable[..., str]


def read_kept(root: Path) -> dict[str, object]:
    """The digest of what is kept of catalog and graph, and each part as a value: marshal writes one in many ways."""
    with closing(sqlite3.connect(root / ".git" / "codecortex" / "cache.sqlite")) as db:
        rows = db.execute("SELECT name, data FROM snapshots WHERE name LIKE 'catalog/work/%'").fetchall()
    found = {name.split("/", 3)[3]: (data[:_HEAD], marshal.loads(data[_HEAD:])) for name, data in rows}  # noqa: S302
    kept: dict[str, object] = {}
    for kind in ("types/", "graph/"):
        head, (keys,) = found.pop(kind)
        kept[kind] = head
        for part, key in keys.items():
            own, kept[kind + part] = found.pop(kind + part)
            assert own == head[:32] + key.encode(), part
    assert not found
    return kept


def describe_catalog(catalog: Catalog) -> object:
    """All that a catalog answers."""
    return (
        catalog.digest,
        catalog.types,
        [catalog.members_of(entry.id) for entry in catalog.types],
        [catalog.docs_of(entry.id) for entry in catalog.types],
        list(catalog.member_names),
    )


def describe_graph(graph: Graph) -> object:
    """All that a graph answers."""
    return graph.digest, [
        (
            type_id,
            graph.dependencies_of(type_id),
            graph.dependents_of(type_id),
            graph.links_of(type_id),
            graph.depth_of(type_id),
            graph.component_of(type_id),
            graph.fan_in_of(type_id),
        )
        for type_id in graph.ids
    ]


def describe(workspace: Workspace) -> object:
    """All that catalog and graph answer."""
    return describe_catalog(workspace.catalog), describe_graph(workspace.graph)


def move_usings_inside(data: bytes) -> bytes:
    """A source whose using directives stand in its namespace, where they mean other namespaces as these come and go."""
    head, space, body = data.partition(b"namespace ")
    if not space:
        return data
    lines = head.splitlines()
    inside = b"\n".join(line for line in lines if line.startswith(b"using "))
    outside = b"\n".join(line for line in lines if not line.startswith(b"using "))
    name, brace, rest = body.partition(b"{")
    return outside + b"\n" + space + name + brace + b"\n" + inside + rest


class Law:
    """Two work trees of the same sources: one goes on from what it has, one is read from nothing each time."""

    def __init__(self, folder: Path, git: Git, seed: int, *, kept: bool, staged: float = 0.9) -> None:
        self.kept, self.staged = kept, staged
        self.world, self.git = edits.World(seed), git
        self.random = random.Random(seed)  # noqa: S311 - a law, not a secret
        self.one, self.two = folder / "one", folder / "two"
        for root in (self.one, self.two):
            root.mkdir()
            git(root, "init", "--quiet")
        self.told: list[str] = []
        self.workspace = Workspace(Request(self.one, jobs=1, warn=self.told.append))

    def files(self) -> dict[str, bytes]:
        files: dict[str, bytes] = self.world.files()
        return {path: move_usings_inside(data) if "P2/" in path else data for path, data in files.items()}

    def step(self) -> str:
        told: str = self.world.step()
        stage, commit = self.world.chance(self.staged), self.world.chance(0.2)
        for root in (self.one, self.two):
            edits.sync(root, self.files())
            if stage:
                self.git(root, "add", "-A")
            if commit:
                self.git(root, "commit", "--quiet", "--allow-empty", "-m", "step")
        shutil.rmtree(self.two / ".git" / "codecortex", ignore_errors=True)
        return told

    def compare(self, told: str) -> None:
        with Workspace(Request(self.two, jobs=1)) as full:
            wanted = describe(full)
        if self.random.random() < 0.5:  # in memory
            self.workspace.look_again()
            assert describe(self.workspace) == wanted, told
        else:
            with Workspace(Request(self.one, jobs=1)) as workspace:
                assert describe(workspace) == wanted, told
        with Workspace(Request(self.one, jobs=1)) as workspace:  # out of the cache
            assert describe(workspace) == wanted, told
        if self.kept:
            assert read_kept(self.one) == read_kept(self.two), told


@contextmanager
def counting(counts: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Count how often everything is read."""
    with monkeypatch.context() as patch:
        for what, module in (("catalog", catalogs), ("graph", graphs)):
            patch.setattr(module, "build_columns", _count(counts, what, module.build_columns))
        yield


@pytest.mark.slow
@pytest.mark.law
@pytest.mark.parametrize("seed", range(2))
def test_edits_that_git_is_not_told_of_are_followed_file_by_file(
    tmp_path: Path, git: Git, seed: int, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = []
    reopen = workspaces.reopen_tree
    monkeypatch.setattr(workspaces, "reopen_tree", lambda *given: (followed.append(reopen(*given)), followed[-1])[1])
    monkeypatch.setattr(freshness, "_YOUNG_NS", 20_000_000)
    law = Law(tmp_path, git, seed + int(os.environ.get("CODECORTEX_SEED", "0")), kept=store == "kept", staged=0.1)
    for _ in range(int(os.environ.get("CODECORTEX_STEPS", "30"))):
        told = law.step()
        time.sleep(0.03)
        law.workspace.look_again()  # once more where the edits are old
        law.compare(told)
    assert any(each is not None for each in followed)
    law.workspace.close()


def _count(counts: dict[str, int], what: str, build: Callable[..., Any]) -> Callable[..., Any]:
    def run(ground: Any) -> Any:
        counts[what] = counts.get(what, 0) + 1
        return build(ground)

    return run


@pytest.mark.slow
@pytest.mark.law
@pytest.mark.parametrize("seed", range(2))
def test_ix_09_a_catalog_and_a_graph_after_any_edit_equal_those_read_anew(
    tmp_path: Path, git: Git, seed: int, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = Law(tmp_path, git, seed + int(os.environ.get("CODECORTEX_SEED", "0")), kept=store == "kept")
    counts: dict[str, int] = {}
    steps = int(os.environ.get("CODECORTEX_STEPS", "30"))
    with counting(counts, monkeypatch):
        for _ in range(steps):
            law.compare(law.step())
    # The tree that is read anew costs one reading a step; the other must not need one for most.
    if law.kept:
        assert counts["catalog"] < steps * 1.5
    law.workspace.close()
