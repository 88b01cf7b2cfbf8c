"""A tree of many files is bound part by part, in processes that end: what one part leaves in memory goes."""

import subprocess

import pytest

from codecortex.operations.bindings.bindings import bindings
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request

FILES = 30
SOURCE = """
namespace N; public class C{here}<T> : Base {{
    public C{before}<int> P {{ get; set; }}
    public int M(System.Func<C{before}<int>, int> f) => f(P) + new C{after}<string>().M(c => c.Q(x => x.Count).Total);
    public C{here}<T> Q(System.Func<Base, int> f) => this;
}}
"""


@pytest.fixture
def root(tmp_path):
    for at in range(FILES):
        text = SOURCE.format(here=at, before=(at - 1) % FILES, after=(at + 7) % FILES)
        (tmp_path / f"C{at}.cs").write_text(text)
    (tmp_path / "Base.cs").write_text("namespace N; public class Base { public int Count; public int Total => Count; }")
    (tmp_path / "All.csproj").write_text('<Project Sdk="Microsoft.NET.Sdk" />')
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "add", "."], check=True)
    return tmp_path


def bind(root, jobs):
    told = []
    with Workspace(Request(root, jobs=jobs, caches=False, progress=lambda *step: told.append(step))) as workspace:
        found = bindings(workspace, ())
    return list(found.rows), told


def test_parts_give_the_same_as_the_whole(root, monkeypatch):
    whole, _ = bind(root, 1)
    monkeypatch.setattr("codecortex.operations.bindings.kept._AT_A_TIME", 8)
    monkeypatch.setattr("codecortex.operations.bindings.kept._WORTH_FORKING", 2)

    parts, told = bind(root, 2)

    assert parts == whole
    assert len({row.file for row in whole}) == FILES + 1
    assert [(done, total) for step, done, total in told if step == "Binding names"][-1] == (FILES + 1, FILES + 1)
