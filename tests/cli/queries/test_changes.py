"""The command `changes`: which trees, which output, which exit code."""

import json
import re
from pathlib import Path

import pytest

EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
FIELDS = {
    "typeId", "fqn", "oldTypeId", "oldFqn", "status", "changeClass", "ownClass", "accessibility", "causes", "reasons",
    "members", "files", "oldFiles", "moved", "degraded", "project",
}  # fmt: skip


def edit(root: Path, path: str, old: str, new: str) -> None:
    file = root / path
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


SECOND = {
    "Shop.App.Order": "Structure-Dependency",
    "Shop.Core.Order": "Structure",
    "Shop.Core.Store`1": "Structure-Dependency",
}
"""What the second commit of `edited` does."""


@pytest.fixture
def edited(shop: Path, git) -> Path:
    """Two commits; then one staged and one unstaged edit."""
    edit(shop, "src/Core/Order.cs", "string Key", "string Key, int Number")
    git(shop, "commit", "-qam", "two")
    edit(shop, "src/Core/Store.cs", "=> null", "=> default")
    git(shop, "add", "-A")
    edit(shop, "src/App/Order.cs", "class Order", "sealed class Order")
    return shop


def names(result) -> dict[str, str]:
    return {change["fqn"]: change["changeClass"] for change in json.loads(result.out)["changes"]}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], {"Shop.App.Order": "Structure", "Shop.Core.Store`1": "PublicBehavior"}),
        (["--worktree"], {"Shop.App.Order": "Structure", "Shop.Core.Store`1": "PublicBehavior"}),
        (["--staged"], {"Shop.Core.Store`1": "PublicBehavior"}),
        (["HEAD~1..HEAD"], SECOND),
        (["HEAD..HEAD~1"], SECOND),
        (["HEAD~1.."], SECOND),
        (["HEAD~1...HEAD"], SECOND),
        (["HEAD...HEAD~1"], {}),
        (["HEAD..HEAD"], {}),
    ],
)
def test_which_trees_are_compared(cli, edited, arguments, expected):
    result = cli(edited, "changes", *arguments, "--json")
    assert result.code == 0
    assert names(result) == expected


def test_one_revision_is_compared_with_the_work_tree_or_the_index(cli, edited):
    assert names(cli(edited, "changes", "HEAD~1", "--json"))["Shop.App.Order"] == "Structure"
    staged = names(cli(edited, "changes", "HEAD~1", "--staged", "--json"))
    assert staged["Shop.Core.Store`1"] == "PublicBehavior"
    assert staged["Shop.App.Order"] == "Structure-Dependency"


def test_the_fields_of_a_change(cli, edited):
    result = json.loads(cli(edited, "changes", "HEAD~1..HEAD", "--json").out)
    assert result.keys() == {
        "schemaVersion", "codecortex", "traceId", "before", "after", "changes", "doubts", "unread", "assemblies"
    }  # fmt: skip
    order = next(change for change in result["changes"] if change["fqn"] == "Shop.Core.Order")
    assert order.keys() == FIELDS
    assert order["status"] == "changed"
    assert order["oldTypeId"] == order["typeId"]
    assert order["oldFqn"] == order["fqn"]
    assert order["reasons"] == ["memberAdded", "memberChanged"]
    assert order["members"]["added"] == [
        {"kind": "property", "name": "Number", "signature": "public int Number", "public": True}
    ]
    assert order["members"]["changed"] == [
        {
            "kind": "constructor",
            "name": "Order",
            "signature": "public Order(string,int)",
            "public": True,
            "oldSignature": "public Order(string)",
            "signatureChanged": True,
            "bodyChanged": True,
            "attributesOnly": False,
        }
    ]
    assert order["files"] == order["oldFiles"] == ["src/Core/Order.cs"]
    store = next(change for change in result["changes"] if change["fqn"] == "Shop.Core.Store`1")
    assert [cause["fqn"] for cause in store["causes"]] == ["Shop.Core.Order"]


def test_a_body_alone_keeps_the_signature(cli, edited):
    (store,) = json.loads(cli(edited, "changes", "--staged", "--json").out)["changes"]
    (find,) = store["members"]["changed"]
    assert find["signature"] == find["oldSignature"]
    assert (find["signatureChanged"], find["bodyChanged"]) == (False, True)


def test_text_for_people(cli, edited):
    out = cli(edited, "changes", "HEAD~1..HEAD").out
    assert "Structure             changed  Shop.Core.Order\n    + public int Number\n" in out
    assert "    ~ public Order(string) -> public Order(string,int)\n" in out
    assert "    because of Shop.Core.Order\n" in out
    assert out.endswith("\n3 types: 1 Structure, 2 Structure-Dependency.\n")


def test_a_commit_of_a_year_that_no_calendar_holds_is_told_all_the_same(cli, edited, git):
    for year, seconds in enumerate((253402300800, 9223372036854775807)):
        text = git(edited, "cat-file", "commit", "HEAD")
        odd = re.sub(r"^((?:author|committer) .*>) .*$", rf"\1 {seconds} +0000", text, flags=re.MULTILINE)
        (edited.parent / f"odd{year}").write_text(odd + "\n")
        commit = git(edited, "hash-object", "-w", "-t", "commit", "--literally", str(edited.parent / f"odd{year}"))
        git(edited, "update-ref", "HEAD", commit)
        *_, last = cli(edited, "changes", "--each", "HEAD", "--json").out.splitlines()
        assert json.loads(last)["time"] == f"@{seconds}"
        assert cli(edited, "changes", "--each", "HEAD").code == 0


def test_each_line_equals_the_comparison_of_its_commit(cli, edited, git):
    lines = cli(edited, "changes", "--each", "HEAD", "--json").out.splitlines()
    first, second = map(json.loads, lines)
    assert (first["subject"], first["parent"], second["subject"]) == ("one", None, "two")
    assert second["commit"] == git(edited, "rev-parse", "HEAD")
    assert second["time"] == "2024-01-02T03:04:05+00:00"
    assert first["changes"] == json.loads(cli(edited, "changes", f"{EMPTY}..HEAD~1", "--json").out)["changes"]
    assert second["changes"] == json.loads(cli(edited, "changes", "HEAD~1..HEAD", "--json").out)["changes"]
    assert {change["status"] for change in first["changes"]} == {"added"}


def test_each_for_people(cli, edited, git):
    out = cli(edited, "changes", "--each", "HEAD~1..HEAD").out
    assert out.startswith(f"{git(edited, 'rev-parse', 'HEAD')[:10]} 2024-01-02 two\n  Structure")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["HEAD~1..HEAD"], 1), (["HEAD..HEAD"], 0), (["--each", "HEAD~1..HEAD"], 1), (["--each", "HEAD..HEAD"], 0)],
)
def test_exit_code_as_git_diff_has_it(cli, edited, arguments, code):
    assert cli(edited, "changes", *arguments, "--exit-code").code == code
    assert cli(edited, "changes", *arguments).code == 0


def test_before_the_first_commit_everything_is_added(cli, tmp_path, git):
    git(tmp_path, "init", "--quiet")
    (tmp_path / "a.cs").write_text("public class A;\n")
    assert cli(tmp_path, "changes").out == "No type changed.\n"
    git(tmp_path, "add", ".")
    (change,) = json.loads(cli(tmp_path, "changes", "--staged", "--json").out)["changes"]
    assert (change["status"], change["oldFqn"], change["changeClass"]) == ("added", None, "Structure")


def test_a_repository_that_codecortex_never_saw(cli, repo):
    (repo / "a.cs").unlink()
    (change,) = json.loads(cli(repo, "changes", "--json").out)["changes"]
    assert (change["status"], change["fqn"]) == ("removed", "A")


def test_a_bare_repository_compares_revisions(cli, edited, git, tmp_path):
    git(tmp_path, "clone", "--quiet", "--bare", str(edited), "bare")
    assert cli(tmp_path / "bare", "changes", "HEAD~1..HEAD", "--json").out == (
        cli(edited, "changes", "HEAD~1..HEAD", "--json").out
    )
    assert cli(tmp_path / "bare", "changes").code == 3


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["nowhere..HEAD"], 3, "nowhere"),
        (["HEAD..nowhere"], 3, "nowhere"),
        (["nowhere...HEAD"], 3, "nowhere"),
        (["nowhere"], 3, "nowhere"),
        (["--", "--output=x..HEAD"], 3, "knows no revision"),
        (["HEAD~1..HEAD", "--staged"], 2, "--staged"),
        (["HEAD~1..HEAD", "--worktree"], 2, "--worktree"),
        (["--staged", "--worktree"], 2, "--worktree"),
        (["--each"], 2, "--each"),
        (["--each", "HEAD...HEAD"], 2, "--each"),
        (["--each", f"{EMPTY}..HEAD"], 3, "knows no commit"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(cli, edited, arguments, code, told):
    result = cli(edited, "changes", *arguments)
    assert result.code == code
    assert told in result.err
    assert "Traceback" not in result.err
    assert result.out == ""


def test_histories_without_a_common_commit_are_told_apart(cli, edited, git):
    git(edited, "stash", "--quiet")
    git(edited, "checkout", "--quiet", "--orphan", "other")
    git(edited, "commit", "--quiet", "-m", "alone")
    result = cli(edited, "changes", "main...other")
    assert (result.code, "no commit in common" in result.err) == (3, True)


def test_a_doubt_is_told(cli, shop, git):
    (shop / "src/Core/Order.cs").write_text(
        "namespace Shop.Core;\npublic class Other { public int A; public int B; }\n"
    )
    git(shop, "add", "-A")
    result = json.loads(cli(shop, "changes", "--staged", "--json").out)
    assert {change["status"] for change in result["changes"]} >= {"added", "removed"}
    for doubt in result["doubts"]:
        assert doubt.keys() == {"oldTypeId", "oldFqn", "candidates", "why"}


def test_records_that_derive_from_each_other_are_told_the_same_each_time(tmp_path, git, process):
    def write(text):
        (tmp_path / "a.cs").write_text(text)
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", "x")

    git(tmp_path, "init", "--quiet")
    write("record E(int x) : F;\nrecord F(int x) : E;\n")
    write("record E : F;\nrecord F : E;\n")
    words = ["--no-cache", "--no-metrics", "changes", "HEAD~1..HEAD"]
    told = {process(tmp_path, *words, PYTHONHASHSEED=str(seed)).stdout for seed in range(8)}
    assert len(told) == 1
