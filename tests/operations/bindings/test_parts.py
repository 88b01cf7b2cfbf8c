"""A tree of many files is bound part by part, in processes that end: what one part leaves in memory goes."""

import subprocess
import sys

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
    public string S => Total.ToString();
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


def test_what_is_edited_while_other_processes_bind_is_not_kept(root, monkeypatch):
    monkeypatch.setattr("codecortex.operations.bindings.kept._AT_A_TIME", 8)
    monkeypatch.setattr("codecortex.operations.bindings.kept._WORTH_FORKING", 2)
    before = (root / "Base.cs").read_bytes() + b"\n"
    (root / "Base.cs").write_bytes(before)  # git has no object of it
    for command in ("init", "refresh"):  # what each file declares is known then without reading it
        subprocess.run([sys.executable, "-m", "codecortex", command], cwd=root, check=True, capture_output=True)
    asked = [f"C{at}.cs" for at in range(FILES)]
    with Workspace(Request(root, caches=False)) as workspace:
        expected = list(bindings(workspace, asked).rows)

    with Workspace(Request(root, jobs=2)) as workspace:
        assert workspace.tree.sources.sources["Base.cs"]  # listed as it was
        (root / "Base.cs").write_bytes(before.replace(b"int Total", b"long Total"))
        edited = list(bindings(workspace, asked).rows)
    (root / "Base.cs").write_bytes(before)
    with Workspace(Request(root, jobs=2)) as workspace:
        restored = list(bindings(workspace, asked).rows)

    assert edited != expected
    assert restored == expected
