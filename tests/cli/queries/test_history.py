"""`log`, `diff` and `blame` as people and programs meet them."""

import json
import os
import subprocess

import pytest

STORE = "src/Core/Store.cs"


@pytest.fixture
def told(shop, git):
    """Return the shop with two more commits: a new parameter, and a changed body."""
    file = shop / STORE
    for message, old, new, day in (
        ("Find takes a limit", "bool deep = false", "bool deep = false, int most = 1", 3),
        ("Find looks deeper", "=> null", "=> default", 4),
    ):
        file.write_text(file.read_text().replace(old, new))
        date = f"2024-01-0{day}T00:00:00+00:00"
        variables = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_AUTHOR_NAME": "Ann"}
        subprocess.run(["git", "commit", "-aqm", message], cwd=shop, check=True, env=variables)
    git(shop, "tag", "last")
    return shop


def test_log_tells_commits_newest_first(told, cli, git):
    result = cli(told, "log", "Store")
    assert result.code == 0, result.err
    name = git(told, "rev-parse", "HEAD")[:10]
    lines = result.out.splitlines()
    assert lines[0] == f"{name}  2024-01-04  PublicBehavior  Ann: Find looks deeper"
    assert lines[1] == "            ~ public Order? Find(string,bool,int) (body)"
    assert "2024-01-03  Structure       Ann: Find takes a limit" in lines[2]
    assert lines[3] == "            ~ public Order? Find(string,bool) -> public Order? Find(string,bool,int)"
    assert "added" in lines[4]
    assert len(lines) == 5


def test_log_as_json_has_documented_fields(told, cli, git):
    result = json.loads(cli(told, "log", "Shop.Core.Store", "--json").out)
    assert (result["fqn"], result["shallow"]) == ("Shop.Core.Store`1", False)
    first = result["commits"][1]
    assert first["commit"] == git(told, "rev-parse", "HEAD~1")
    assert (first["author"], first["email"], first["date"]) == ("Ann", "author@example.com", "2024-01-03T00:00:00Z")
    assert (first["subject"], first["status"], first["changeClass"]) == ("Find takes a limit", "changed", "Structure")
    assert first["reasons"] == ["memberChanged"]
    assert first["members"] == {
        "added": [],
        "removed": [],
        "changed": [
            {
                "kind": "method",
                "name": "Find",
                "signature": "public Order? Find(string,bool,int)",
                "public": True,
                "oldSignature": "public Order? Find(string,bool)",
                "signatureChanged": True,
                "bodyChanged": True,
                "attributesOnly": False,
            }
        ],
    }
    assert (first["fqn"], first["oldFqn"]) == ("Shop.Core.Store`1", "Shop.Core.Store`1")
    assert first["files"] == first["oldFiles"] == ["src/Core/Store.Adding.cs", STORE]
    assert result["commits"][2]["oldFqn"] is None


def test_log_takes_a_number_a_class_and_a_range(told, cli):
    assert len(json.loads(cli(told, "log", "Store", "-n", "1", "--json").out)["commits"]) == 1
    structure = json.loads(cli(told, "log", "Store", "--min-class", "structure", "--json").out)["commits"]
    assert [each["subject"] for each in structure] == ["Find takes a limit", "one"]
    ranged = json.loads(cli(told, "log", "Store", "HEAD~2..HEAD~1", "--json").out)["commits"]
    assert [each["subject"] for each in ranged] == ["Find takes a limit"]
    nothing = cli(told, "log", "Store", "HEAD..HEAD")
    assert (nothing.code, nothing.out) == (0, "")
    assert "No commit changed it" in nothing.err


def test_log_needs_no_codecortex_folder(repo, cli):
    result = cli(repo, "log", "A")
    assert result.code == 0
    assert "added" in result.out


def test_diff_shows_outline_and_members(told, cli):
    file = told / STORE
    file.write_text(file.read_text().replace("int most = 1", "int most = 2"))
    result = cli(told, "diff", "Store")
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[:4] == [
        "Shop.Core.Store`1: PublicBehavior",
        "  ~ public Order? Find(string,bool,int) (body)",
        "--- HEAD:Shop.Core.Store`1",
        "+++ work tree:Shop.Core.Store`1",
    ]
    assert "+  + public Order? Find(string key, bool deep = false, int most = 2)" in lines
    assert cli(told, "diff", "Store", "--exit-code").code == 1
    assert cli(told, "diff", "Store", "HEAD~1..HEAD~1", "--exit-code").code == 0
    assert cli(told, "diff", "Store", "HEAD~1..HEAD", "--staged").code == 2
    record = json.loads(cli(told, "diff", "Store", "HEAD~2..last", "--json").out)
    assert record["change"]["changeClass"] == "Structure"
    assert record["outline"][0] == "--- HEAD~2:Shop.Core.Store`1"
    same = cli(told, "diff", "Order", "HEAD")
    assert same.code == 3  # two types are called so
    same = cli(told, "diff", "Shop.Core.Order")
    assert (same.code, same.out) == (0, "")
    assert "no difference" in same.err


def test_blame_names_author_and_commit_of_each_member(told, cli, git):
    file = told / STORE
    file.write_text(
        file.read_text().replace("public int Count { get; private set; }", "public int Count { get; set; }")
    )
    result = cli(told, "blame", "Store")
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    first, last = (git(told, "rev-parse", name)[:10] for name in ("HEAD~2", "HEAD"))
    assert f"{first}  2024-01-02  A U Thor  class Shop.Core.Store<T>  src/Core/Store.cs:4" in lines
    assert f"{last}  2024-01-04  Ann       public Order? Find(string,bool,int)" in lines
    assert f"{'not committed yet':<34}public int Count" in lines
    rows = json.loads(cli(told, "blame", "Store", "--json").out)["members"]
    found = {row["signature"]: row for row in rows}
    assert found["public int Count"]["commit"] is None
    find = found["public Order? Find(string,bool,int)"]
    assert (find["author"], find["date"], find["subject"]) == ("Ann", "2024-01-04T00:00:00Z", "Find looks deeper")
    assert find["span"] == {"file": STORE, "line": 9, "column": 5, "endLine": 9}
    old = json.loads(cli(told, "blame", "Store", "--rev", "HEAD~2", "--json").out)["members"]
    assert {row["author"] for row in old} == {"A U Thor"}


def test_the_users_git_configuration_neither_runs_programs_nor_hides_commits(told, cli, git):
    commands = (["blame", "Store"], ["log", "Store"], ["alias", "list"], ["alias", "add", "T_00000000", "Store"])
    assert cli(told, "init").code == cli(told, "refresh").code == cli(told, "alias", "add", "Was", "Store").code == 0
    git(told, "add", ".")
    git(told, "commit", "-qm", "map")
    before = [cli(told, *words).out for words in commands[:3]]
    (told / ".git/info/attributes").write_text("* diff=evil\n")
    for key, value in {
        "diff.evil.textconv": "touch ran; cat", "diff.evil.command": "touch ran", "diff.external": "touch ran",
        "log.showSignature": "true", "log.showRoot": "false", "diff.renameLimit": "1", "color.ui": "always",
    }.items():  # fmt: skip
        git(told, "config", key, value)
    assert [cli(told, *words).out for words in commands[:3]] == before
    assert cli(told, *commands[3]).code in (0, 3)
    assert not (told / "ran").exists()


@pytest.mark.parametrize("command", ["log", "diff", "blame"])
def test_unknown_and_ambiguous_symbols_are_said(shop, cli, command):
    unknown = cli(shop, command, "Stor")
    assert unknown.code == 3
    assert "No type is called 'Stor'" in unknown.err
    assert "Did you mean Shop.Core.Store`1" in unknown.err
    several = json.loads(cli(shop, command, "Order", "--json").out)["error"]
    assert several["code"] == "AmbiguousSymbol"
    assert len(several["candidates"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [["log", "Store", "nonsense..HEAD"], ["log", "Store", "A...B"], ["diff", "Store", "A...B"], ["diff", "Store", "x"]],
)
def test_a_bad_range_is_one_error(shop, cli, arguments):
    result = cli(shop, *arguments)
    assert result.code == 3
    assert result.err.startswith("error: ")
    assert "Traceback" not in result.err


def test_a_repository_without_commits_has_no_history(tmp_path, git, cli):
    git(tmp_path, "init", "--quiet")
    (tmp_path / "a.cs").write_text("class A;\n")
    git(tmp_path, "add", ".")
    for command in ("log", "blame"):
        result = cli(tmp_path, command, "A")
        assert (result.code, result.out) == (3, "")
        assert "no commit yet" in result.err
    assert cli(tmp_path, "diff", "A").out.startswith("A: added, Structure\n")


def test_a_shallow_clone_says_where_history_ends(told, git, cli, tmp_path):
    git(tmp_path, "clone", "--quiet", "--depth", "2", f"file://{told}", "clone")
    result = cli(tmp_path / "clone", "log", "Store")
    assert result.code == 0
    assert len([line for line in result.out.splitlines() if not line.startswith(" ")]) == 1
    assert "shallow" in result.err
    assert "shallow" in cli(tmp_path / "clone", "blame", "Store").err


def test_dates_of_the_future_and_names_that_are_no_text_are_shown(shop, git, cli):
    tree, head = git(shop, "rev-parse", "HEAD^{tree}"), git(shop, "rev-parse", "HEAD")
    (shop / STORE).write_text((shop / STORE).read_text().replace("=> null", "=> default"))
    git(shop, "add", "--all")
    tree = git(shop, "write-tree")
    raw = (
        b"tree %b\nparent %b\nauthor J\xfcrg <j@x> 99999999999999999 +0000\ncommitter C <c@x> 4102444800 +0000\n\nodd\n"
    )
    name = git(
        shop, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw % (tree.encode(), head.encode())
    )
    git(shop, "reset", "--quiet", "--hard", name)
    result = cli(shop, "log", "Store")
    assert result.code == 0, result.err
    assert "odd" in result.out.splitlines()[0]
    assert cli(shop, "blame", "Store").code == 0
    assert json.loads(cli(shop, "log", "Store", "--json").out)["commits"][0]["subject"] == "odd"


def test_old_names_and_ids_lead_to_todays_type(shop, git, cli):
    assert cli(shop, "refresh").code == 0
    git(shop, "add", "--all")
    git(shop, "commit", "--quiet", "-m", "map")
    old = json.loads(cli(shop, "outline", "IStore", "--json").out)["id"]
    for path in ("src/Core/Order.cs", STORE):
        (shop / path).write_text((shop / path).read_text().replace("IStore", "IShelf"))
    assert cli(shop, "refresh").code == 0
    git(shop, "add", "--all")
    git(shop, "commit", "--quiet", "-m", "renamed")
    for symbol in ("IStore", "Shop.Core.IStore", old):
        told = json.loads(cli(shop, "log", symbol, "--json").out)
        assert (told["fqn"], told["redirectedFrom"]) == ("Shop.Core.IShelf", "Shop.Core.IStore")
        assert [(each["subject"], each["status"]) for each in told["commits"]] == [
            ("renamed", "renamed"),
            ("one", "added"),
        ]
        rows = json.loads(cli(shop, "blame", symbol, "--json").out)
        assert (rows["fqn"], rows["redirectedFrom"]) == ("Shop.Core.IShelf", "Shop.Core.IStore")
        change = json.loads(cli(shop, "diff", symbol, "HEAD~1..HEAD", "--json").out)["change"]
        assert (change["status"], change["oldFqn"]) == ("renamed", "Shop.Core.IStore")
    assert "note: Shop.Core.IStore is now Shop.Core.IShelf" in cli(shop, "log", "IStore").err


@pytest.fixture
def heir(tmp_path, git):
    """Return a repository with a record whose position is a property of its base, and what became of both since."""
    root = tmp_path / "heir"
    root.mkdir()
    git(root, "init", "--quiet")
    heir = "record D(int A, string S) : B(A)"
    for name, text in (
        ("b.cs", "abstract record B(int A);"),
        ("d.cs", f"{heir};"),
        ("d.cs", f"{heir} {{ public int Z; }}"),
        ("b.cs", "abstract record B(int A0);"),
        ("b.cs", "abstract record B(int A);"),
    ):
        (root / name).write_text(text + "\n")
        git(root, "add", ".")
        git(root, "commit", "--quiet", "-m", text)
    return root


def test_a_position_that_a_base_record_holds_is_no_property_in_history(heir, cli):
    blamed = json.loads(cli(heir, "blame", "D", "--json").out)
    assert [row["signature"] for row in blamed["members"] if row["kind"] == "property"] == ["public string S"]
    added = json.loads(cli(heir, "log", "D", "--json").out)["commits"][-1]
    assert added["status"] == "added"
    assert [each["name"] for each in added["members"]["added"] if each["kind"] == "property"] == ["S"]
    assert "int A {" not in cli(heir, "diff", "D", "HEAD~3..HEAD~2").out


def test_diff_and_changes_tell_of_an_heir_when_its_base_alone_changed(heir, cli):
    diffs = cli(heir, "diff", "D", "HEAD~2..HEAD~1").out, cli(heir, "diff", "D", "HEAD~1..HEAD").out
    assert [out.splitlines()[:2] for out in diffs] == [
        ["D: Structure", "  + public int A"], ["D: Structure", "  - public int A"],
    ]  # fmt: skip
    for trees, came, went in (("HEAD~2..HEAD~1", ["A"], []), ("HEAD~1..HEAD", [], ["A"])):
        changes = json.loads(cli(heir, "changes", trees, "--json").out)["changes"]
        [change] = [each for each in changes if each["fqn"] == "D"]
        told = change["changeClass"], *([each["name"] for each in change["members"][k]] for k in ("added", "removed"))
        assert told == ("Structure", came, went)
