"""`changes` between two commits is answered from the local cache the second time."""

import json
import shutil

import pytest

from codecortex.cli.main import main

STORE = """namespace Shop;
public class Store
{
    public int Add(int item) => item + 1;
    public bool Has(int item) => item > 2;
    public void Clear() { var all = 3; }
}
"""
TWINS = STORE.replace("Store", "Depot"), STORE.replace("Store", "Cellar")
CASES = {
    "a renamed type": ({"Store.cs": STORE}, {"Store.cs": STORE.replace("Store", "Depot")}),
    "a type that may have become two": ({"Store.cs": STORE}, {"Store.cs": TWINS[0], "Cellar.cs": TWINS[1]}),
    "a type that went": ({"Store.cs": STORE, "E.cs": "enum E { A }"}, {"Store.cs": ""}),
    "an enum": ({"E.cs": "public enum E { A, B }"}, {"E.cs": "public enum E { A, C, B }"}),
    "what names a changed type": (
        {"Store.cs": STORE, "U.cs": "namespace Shop; public class U { public Store S; }"},
        {"Store.cs": STORE.replace("Add(int item)", "Add(int item, int more)")},
    ),
    "another file": ({"Store.cs": STORE}, {"Store.cs": "", "Other.cs": STORE}),
    "nothing": ({"Store.cs": STORE}, {"notes.txt": "a note"}),
}


@pytest.fixture
def commit(repo, git):
    def run(files):
        for name, text in files.items():
            (repo / name).write_text(text)
        git(repo, "add", "-A")
        git(repo, "commit", "-qm", "step")

    return run


@pytest.fixture
def ask(repo, capsys):
    def run(*options, span="HEAD~1..HEAD"):
        code = main(["-C", str(repo), *options, "changes", span, "--json"])
        answer = capsys.readouterr()
        assert code == 0, answer.err
        return json.loads(answer.out)

    return run


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_kept_is_what_was_compared(commit, ask, case):
    before, after = CASES[case]
    commit(before)
    commit(after)
    first = ask()
    assert ask() == first == ask("--no-cache")


def test_no_source_is_needed_for_it(repo, git, commit, ask):
    commit({"Store.cs": STORE})
    commit({"Store.cs": STORE.replace("+ 1", "+ 2")})
    first = ask()
    for blob in git(repo, "rev-parse", "HEAD:Store.cs", "HEAD~1:Store.cs").split():
        (repo / ".git/objects" / blob[:2] / blob[2:]).unlink()
    (repo / "Store.cs").write_text("class Edited;")
    assert ask() == first
    assert [change["fqn"] for change in first["changes"]] == ["Shop.Store"]


def test_other_symbols_and_other_trees_are_compared_anew(repo, commit, ask, capsys):
    commit({"Store.cs": f"#if MORE\npublic class More;\n#endif\n{STORE}"})
    commit({"Store.cs": f"#if MORE\npublic class Most;\n#endif\n{STORE}"})
    assert ask()["changes"] == []
    assert main(["-C", str(repo), "changes", "HEAD~1..HEAD", "--json", "--define", "MORE"]) == 0
    assert [each["fqn"] for each in json.loads(capsys.readouterr().out)["changes"]] == ["Most"]
    commit({"Store.cs": ""})
    assert [each["status"] for each in ask()["changes"]] == ["removed"]
    assert [each["status"] for each in ask(span="HEAD..HEAD~1")["changes"]] == ["added"]


def test_what_cannot_be_read_is_tried_again(repo, git, commit, ask, capsys):
    commit({"Store.cs": STORE})
    commit({"Store.cs": STORE.replace("+ 1", "+ 2")})
    blob = git(repo, "rev-parse", "HEAD:Store.cs").strip()
    file = repo / ".git/objects" / blob[:2] / blob[2:]
    shutil.move(file, repo / "aside")
    (repo / "Store.cs").unlink()
    assert main(["-C", str(repo), "changes", "HEAD~1..HEAD"]) == 0
    assert "not certain: Store.cs: missing" in capsys.readouterr().out
    shutil.move(repo / "aside", file)
    assert [each["changeClass"] for each in ask()["changes"]] == ["PublicBehavior"]
