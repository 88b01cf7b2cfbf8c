"""A question about names binds the bodies that hold them, unless what whole files mean is kept."""

import shutil
import subprocess

import pytest

from codecortex.operations.bindings.bindings import bindings
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request
from codecortex.operations.usages.usages import UsageQuery, usages
from codecortex.store.cache.nodes import SqliteNodes

SOURCES = {
    "A.cs": "namespace N; public class A { public int P { get; set; } public A M() => this; }",
    "B.cs": "using N; using L = N.A; class B { int F(A a) { L b = a.M(); return b.P; } int G(B b) { return b.F(null); }"
    " int H() => new L().P; static A \\u0041x => null; }",
    "C.cs": "global using G = N.A; class C { G f = new(); int F() { var n = f; return n.P; } int N() { return 1; } }",
    "D.cs": "class D { void F() { G g = null; g.M(); int A = 1; A++; }"
    " object E(N.\\u0041 a) => a.\\u0050 + a.P; object I() { return new N.\\u0041().M(); } }",
}
ASKED = ("N.A", "N.A.M", "N.A.P", "B.F")


@pytest.fixture
def open_tree(tmp_path):
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    framework = "<PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>"
    (tmp_path / "All.csproj").write_text(f'<Project Sdk="Microsoft.NET.Sdk">{framework}</Project>')
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "add", "."], check=True)

    def run(*, caches=True):
        return Workspace(Request(tmp_path, caches=caches, jobs=1))

    return run


def ask(open_tree, symbol, *, caches=True):
    with open_tree(caches=caches) as workspace:
        return usages(workspace, UsageQuery(symbol), limit=500).as_json()


def count_kept(open_tree):
    with open_tree() as workspace:
        store = SqliteNodes(workspace.cache)
        return len(store.list_ids("bindings")), len(store.list_ids("bindings-around"))


def test_the_answers_are_those_of_whole_files(open_tree):
    around = [ask(open_tree, each) for each in ASKED]
    assert count_kept(open_tree)[0] == 0

    with open_tree() as workspace:
        bindings(workspace, ())
    before = count_kept(open_tree)
    whole = [ask(open_tree, each) for each in ASKED]

    assert whole == around
    assert count_kept(open_tree) == before


def test_an_edit_binds_around_names_again(open_tree, tmp_path):
    first = ask(open_tree, "N.A.P")
    (tmp_path / "A.cs").write_text(SOURCES["A.cs"].replace("int P", "long P").replace("=> this", "=> null"))
    (tmp_path / "B.cs").write_text(SOURCES["B.cs"].replace("b.F(null)", "new A().P"))
    second = ask(open_tree, "N.A.P")

    assert second == ask(open_tree, "N.A.P", caches=False)
    assert second["total"] == first["total"] + 1


@pytest.mark.usefixtures("open_tree")
def test_several_processes_answer_as_one(tmp_path):
    for project in range(16):
        folder = tmp_path / f"P{project}"
        folder.mkdir()
        (folder / f"P{project}.csproj").write_text((tmp_path / "All.csproj").read_text())
        for number in range(8):
            body = f"class C{number} : B {{ int F(S a) => a.Q + this.M(); [S] S G(S a) {{ S b = a.R(); return b; }} }}"
            (folder / f"C{number}.cs").write_text(f"namespace P{project}; {body}")
        (folder / "S.cs").write_text(f"namespace P{project}; class S {{ public int Q; public S R() => this; }}")
        (folder / "B.cs").write_text(f"namespace P{project}; class B {{ protected int M() => 1; }}")
    (tmp_path / "All.csproj").unlink()
    subprocess.run(["git", "-C", tmp_path, "add", "."], check=True)
    found = {}
    for jobs in (1, 2):
        shutil.rmtree(tmp_path / ".git" / "codecortex", ignore_errors=True)
        with Workspace(Request(tmp_path, jobs=jobs)) as workspace:
            found[jobs] = [usages(workspace, UsageQuery(each), limit=9000).as_json() for each in ("P3.S", "P3.B.M")]

    assert found[1] == found[2]
    exact = [{row["file"] for row in each["usages"] if row["label"] == "exact"} for each in found[1]]
    users = {f"P3/C{number}.cs" for number in range(8)}
    assert exact == [users | {"P3/S.cs"}, users | {"P3/B.cs"}]
