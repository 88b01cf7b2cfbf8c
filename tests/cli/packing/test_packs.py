"""`codecortex pack`, and what refresh and check do about packs, on a small repository."""

from __future__ import annotations

import json
import shutil

import pytest

from codecortex.git.repository import open_repository
from codecortex.operations.reading.tree import digest_tree, open_tree
from codecortex.operations.request import Request

CONFIG = ".codecortex/config.yaml"
INDEX = ".codecortex/index.json"
PACKS = ".codecortex/packs"
ALL = "namespace:Shop.*"


@pytest.fixture
def ready(shop, git, cli):
    """The shop with one pack of all public types, refreshed and committed."""
    assert cli(shop, "refresh").code == 0
    assert cli(shop, "pack", "build", "core", "--filter", f"{ALL} access:public").code == 0
    save(shop, git)
    return shop


def save(root, git):
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "-m", "saved")


def edit(root, path, old, new):
    text = (root / path).read_text("utf-8")
    assert old in text
    (root / path).write_text(text.replace(old, new), "utf-8")


def read_json(result):
    return json.loads(result.out)


def list_findings(cli, root, *arguments):
    told = read_json(cli(root, "check", "--json", *arguments))
    return sorted((each["code"], each["level"], each["path"], each["line"]) for each in told["findings"])


# -- define, build, remove


def test_a_pack_is_defined_built_listed_shown_and_removed(shop, cli):
    assert cli(shop, "refresh").code == 0
    config, index = ((shop / path).read_bytes() for path in (CONFIG, INDEX))
    assert "There are no packs." in cli(shop, "pack", "list").out
    built = cli(shop, "pack", "build", "core", "--filter", f"{ALL}  access:public", "--budget", "900")
    assert built.code == 0
    assert built.out.startswith("wrote      .codecortex/packs/core.md  4 types, ")
    added = f'packs:\n  core:\n    filter: "{ALL} access:public"\n    tokenBudget: 900\n'
    assert (shop / CONFIG).read_bytes() == config + added.encode()
    assert f'"core":{{"filter":"{ALL} access:public","tokenBudget":900}},' in (shop / INDEX).read_text("utf-8")
    assert cli(shop, "refresh").out == "5 types: nothing to do.\n"
    listed = cli(shop, "pack", "list").out
    assert listed.startswith("core  current  4 types, ")
    assert f"of 900 tokens\n      {ALL} access:public\n" in listed
    shown = cli(shop, "pack", "show", "core")
    assert (shown.out.encode(), shown.err) == ((shop / PACKS / "core.md").read_bytes(), "")
    assert cli(shop, "pack", "build", "core").out.startswith("unchanged  ")
    assert cli(shop, "pack", "remove", "core").out == f"removed  core  ({CONFIG}, {INDEX}, {PACKS}/core.md)\n"
    assert (shop / CONFIG).read_bytes() == config + b"packs:\n"
    assert (shop / INDEX).read_bytes() == index
    assert not (shop / PACKS).exists()
    assert cli(shop, "refresh").out == "5 types: nothing to do.\n"


def test_a_pack_holds_the_outlines_as_they_are_committed_dependencies_first(ready):
    text = (ready / PACKS / "core.md").read_text("utf-8")
    outlines = [path.read_text("utf-8") for path in (ready / ".codecortex/types").iterdir()]
    inside = sorted((text.index(f"\n{each}"), each) for each in outlines if f"\n{each}" in text)
    titles = [each.split()[1] for _, each in inside]
    assert sorted(titles) == ["Shop.Core.IStore", "Shop.Core.Order", "Shop.Core.Store<T>", "Shop.Core.Store<T>.State"]
    assert titles.index("Shop.Core.IStore") < titles.index("Shop.Core.Store<T>")
    assert titles.index("Shop.Core.Order") < titles.index("Shop.Core.Store<T>")
    head = f"# Pack: core\nFilter: {ALL} access:public\nTypes: 4 (4 matched, 0 depended on) | Budget: 4,000 tokens\n"
    assert text == head + "".join(f"\n{each}" for _, each in inside)


def test_public_dependencies_come_along(ready, cli):
    told = cli(ready, "pack", "build", "one", "--filter", "type:Store").out
    assert "3 types" in told
    text = (ready / PACKS / "one.md").read_text("utf-8")
    assert "Types: 3 (1 matched, 2 depended on)" in text
    assert "\n# Shop.App.Order" not in text
    assert cli(ready, "pack", "build", "two", "--filter", "type:Shop.App.Order").code == 0
    assert "Types: 3 (1 matched, 2 depended on)" in (ready / PACKS / "two.md").read_text("utf-8")


def test_a_definition_changes_by_what_is_given_alone(ready, cli):
    assert cli(ready, "pack", "build", "core", "--budget", "700").code == 0
    told = read_json(cli(ready, "pack", "list", "--json"))["packs"][0]
    assert (told["filter"], told["tokenBudget"], told["state"]) == (f"{ALL} access:public", 700, "current")
    assert cli(ready, "pack", "build", "CORE", "--filter", "type:Order").code == 0
    told = read_json(cli(ready, "pack", "list", "--json"))["packs"]
    assert [(each["name"], each["filter"], each["tokenBudget"]) for each in told] == [("core", "type:Order", 700)]


def test_all_packs_are_built_and_those_that_cannot_be_are_told(ready, cli):
    with (ready / CONFIG).open("a", encoding="utf-8") as file:
        file.write("  bad:\n    filter: type:(\n  good: {filter: type:Order}\n")
    line = (ready / CONFIG).read_text("utf-8").split("\n").index("  bad:") + 1
    result = cli(ready, "pack", "build", "--all")
    assert result.code == 2
    assert f"{CONFIG}:{line}: packs.bad.filter: The filter makes no sense at character 5" in result.out
    assert (ready / PACKS / "good.md").exists()
    told = {each["name"]: each["state"] for each in read_json(cli(ready, "pack", "list", "--json"))["packs"]}
    assert told == {"bad": "failed", "core": "current", "good": "current"}
    assert cli(ready, "pack", "show", "good").code == 0
    shown = cli(ready, "pack", "show", "bad", "--json")
    error = read_json(shown)["error"]
    assert (shown.code, error["code"], error["position"]) == (2, "InvalidFilter", 5)
    assert error["hint"]


@pytest.mark.parametrize(
    "name", ["../x", "a/b", "/etc/passwd", "", ".", "a.", "con", "x" * 10_000, "a b", "ä", "C:x", "a\nb"]
)
def test_names_that_are_no_names_are_refused(ready, cli, read_tree, name):
    before = read_tree(ready)
    for words in (("build", name, "--filter", "type:*"), ("show", name), ("remove", name), ("build", name)):
        result = cli(ready, "pack", *words)
        assert result.code == 2
        assert "is no pack's name" in result.err
        assert len(result.err) < 300
    assert {path: data for path, data in read_tree(ready).items() if not path.startswith(".git/")} == {
        path: data for path, data in before.items() if not path.startswith(".git/")
    }


@pytest.mark.parametrize("budget", ["0", "1", "20", "199", "-5", "1000000001", "99999999999999999999"])
def test_budgets_that_hold_nothing_are_refused(ready, cli, budget):
    result = cli(ready, "pack", "build", "core", "--budget", budget)
    assert result.code == 2
    assert "whole number from 200 to 1,000,000,000" in result.err


def test_the_largest_budget_holds_everything(ready, cli):
    result = cli(ready, "pack", "build", "all", "--filter", "type:*", "--budget", "1000000000")
    assert result.out.startswith("wrote      .codecortex/packs/all.md  5 types, ")


def test_a_small_budget_is_kept(ready, cli):
    assert cli(ready, "pack", "build", "core", "--budget", "200").code == 0
    told = read_json(cli(ready, "pack", "show", "core", "--json"))
    assert told["tokens"] <= 200
    assert (told["types"], told["typesTotal"]) == (len(told["typeIds"]), 4)
    assert told["types"] < 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("build", "new"), "No pack is called 'new'"),
        (("build", "new", "--budget", "500"), "No pack is called 'new'"),
        (("show", "cor"), "Did you mean core?"),
        (("remove", "cor"), "Did you mean core?"),
        (("build",), "Name one pack, or give --all"),
        (("build", "core", "--all"), "Name one pack, or give --all"),
        (("build", "--all", "--budget", "500"), "Name one pack, or give --all"),
        (("build", "core", "--filter", "type:("), "makes no sense at character 5"),
        (("build", "core", "--filter", ""), "expected a condition, found the end"),
    ],
)
def test_words_that_make_no_sense_are_explained(ready, cli, look, words, said):
    before = look(ready / ".codecortex")
    result = cli(ready, "pack", *words)
    assert result.code == 2
    assert said in result.err
    assert look(ready / ".codecortex") == before


def test_a_filter_that_fits_nothing_is_a_pack_of_nothing_and_says_why(ready, cli):
    result = cli(ready, "pack", "build", "none", "--filter", "tag:clas access:public")
    assert result.code == 0
    assert "0 types" in result.out
    assert "no type fits tag:clas" in result.out
    assert read_json(cli(ready, "pack", "show", "none", "--json"))["idleConditions"] == ["tag:clas"]


def test_a_config_that_a_person_wrote_oddly_is_respected_or_refused(ready, cli):
    odd = b"# mine\r\nuntracked: false  # x\r\npacks: {core: {filter: 'type:Order'}}\r\n"
    (ready / CONFIG).write_bytes(odd)
    result = cli(ready, "pack", "build", "new", "--filter", "type:*")
    assert result.code == 2
    assert "without rewriting the file" in result.err
    assert 'new: {filter: "type:*", tokenBudget: 4000}' in result.err
    assert (ready / CONFIG).read_bytes() == odd
    assert cli(ready, "pack", "build", "core", "--filter", "type:IStore").code == 0
    assert (ready / CONFIG).read_bytes() == odd.replace(b"'type:Order'", b'"type:IStore"')


def test_without_a_folder_there_is_nothing_to_write_to(shop, cli):
    shutil.rmtree(shop / ".codecortex")
    result = cli(shop, "pack", "build", "core", "--filter", "type:*")
    assert (result.code, "codecortex init" in result.err) == (2, True)


# -- as it must be now


def test_show_says_what_is_so_now_and_that_the_file_is_behind(ready, cli):
    edit(ready, "src/Core/Order.cs", "string Key", "string Key, int Rank")
    shown = cli(ready, "pack", "show", "core")
    assert "int Rank" in shown.out
    assert shown.err == f"note: {PACKS}/core.md is behind; `codecortex refresh` brings it up to date\n"
    told = read_json(cli(ready, "pack", "show", "core", "--json"))
    assert (told["behind"], told["state"], told["path"]) == (True, "stale", f"{PACKS}/core.md")
    assert "int Rank" not in (ready / PACKS / "core.md").read_text("utf-8")
    assert f"{PACKS}/core.md" in read_json(cli(ready, "refresh", "--json"))["written"]
    assert cli(ready, "pack", "show", "core") == shown._replace(err="")
    (ready / PACKS / "core.md").unlink()
    assert "is missing" in cli(ready, "pack", "show", "core").err
    assert cli(ready, "pack", "list").out.startswith("core  missing  ")


def test_packs_of_other_trees_are_shown(ready, git, cli):
    old = cli(ready, "pack", "show", "core").out
    edit(ready, "src/Core/Order.cs", "string Key", "string Key, int Rank")
    git(ready, "add", "src")
    edit(ready, "src/Core/Order.cs", "int Rank", "int Late")
    assert cli(ready, "pack", "show", "core", "--rev", "HEAD") == (0, old, "")
    staged = cli(ready, "pack", "show", "core", "--staged")
    assert ("int Rank" in staged.out, "is behind" in staged.err) == (True, True)
    assert "int Late" in cli(ready, "pack", "show", "core").out
    assert cli(ready, "pack", "list", "--rev", "HEAD").out.startswith("core  current  ")
    assert cli(ready, "pack", "list", "--staged").out.startswith("core  stale  ")
    assert "No pack is called" in cli(ready, "pack", "show", "core", "--rev", "HEAD~1").err


# -- notes


def test_notes_are_told_and_stale_ones_marked(ready, cli, process):
    (ready / "note.txt").write_text("ROLE: Keeps all orders.\nLIMITATIONS: One thread.\n", "utf-8")
    assert cli(ready, "semantic", "put", "Store", "note.txt").code == 0
    shown = cli(ready, "pack", "show", "core")
    assert "\n\nNote:\nROLE: Keeps all orders.\nLIMITATIONS: One thread.\n" in f"{shown.out}\n"
    assert " | Note sections: 2 | " in shown.out
    assert "is behind" in shown.err
    assert cli(ready, "refresh").out == "5 types: 1 written.\n"
    edit(ready, "src/Core/Store.Adding.cs", "Count++", "Count += 1")  # inside alone: no staleness but by drift
    assert "\nNote:\nROLE" in cli(ready, "pack", "show", "core").out
    edit(ready, "src/Core/Store.cs", "bool deep = false", "int deep = 0")
    assert "\nNote (stale):\nROLE: Keeps all orders.\n" in cli(ready, "pack", "show", "core").out
    first, second = (process(ready, "pack", "show", "core", PYTHONHASHSEED=seed).stdout for seed in "12")
    assert first == second != b""


# -- refresh


def test_refresh_brings_packs_along_and_touches_nothing_else(ready, cli, look):
    before = look(ready / PACKS)
    edit(ready, "src/App/Order.cs", "class Order", "// nothing\nclass Order")
    assert cli(ready, "refresh").code == 0
    assert look(ready / PACKS) == before
    edit(ready, "src/Core/Order.cs", "string Key", "string Key, int Rank")
    told = read_json(cli(ready, "refresh", "--dry-run", "--json"))
    assert f"{PACKS}/core.md" in told["written"]
    assert look(ready / PACKS) == before
    done = read_json(cli(ready, "refresh", "--json"))
    assert done["written"] == told["written"]
    assert "int Rank" in (ready / PACKS / "core.md").read_text("utf-8")
    assert cli(ready, "refresh").out == "5 types: nothing to do.\n"
    assert read_json(cli(ready, "refresh", "--full", "--json"))["written"] == []


def test_after_every_edit_of_a_body_a_pack_is_what_it_is_when_built_anew(shop, cli, git):
    long = " ".join(f"public int Method{number}(int first, int second) => {number};" for number in range(12))
    source = f"public class B {{ {long} }}\npublic class C {{ {long} }}\n"
    source = f"namespace Shop; public class A {{ public int F() {{ return 1; }} }}\n{source}"
    (shop / "src/Core/Ranks.cs").write_text(source)
    save(shop, git)
    assert cli(shop, "refresh").code == 0
    assert cli(shop, "pack", "build", "few", "--filter", "type:B OR type:C", "--budget", "260").code == 0
    seen = set()
    for old, new in (
        ("return 1;", "return 2;"),  # which no graph tells of
        ("return 2;", "object c = new C(); return 2;"),  # now C is named more often than B, and the budget holds one
        ("return 2;", "return 3;"),
        ("object c = new C(); return 3;", "object b = new B(); return 3;"),
    ):
        edit(shop, "src/Core/Ranks.cs", old, new)
        assert cli(shop, "refresh").code == 0
        text = (shop / PACKS / "few.md").read_text()
        assert text == cli(shop, "pack", "show", "few").out
        seen.add(text)
    assert len(seen) > 1


def test_what_happened_to_a_file_of_a_pack_is_mended(ready, cli):
    file = ready / PACKS / "core.md"
    good = file.read_bytes()
    for bad in (b"", b"<<<<<<< a\n" + good + b"=======\n>>>>>>> b\n", good + b"more\n", None):
        if bad is None:
            file.unlink()
        else:
            file.write_bytes(bad)
        assert cli(ready, "refresh").out == "5 types: 1 written.\n"
        assert file.read_bytes() == good


def test_a_file_that_somebody_else_wrote_is_neither_overwritten_nor_removed(ready, cli):
    mine = ready / PACKS / "mine.md"
    mine.write_text("Mine.\n", "utf-8")
    config = (ready / CONFIG).read_bytes()
    refused = cli(ready, "pack", "build", "mine", "--filter", "type:Store")
    assert refused.code == 3
    assert refused.err.startswith(
        f"error: {PACKS}/mine.md is a file that codecortex did not write.\nhint: Move it away"
    )
    assert (ready / CONFIG).read_bytes() == config
    edit(ready, CONFIG, "  core:", "  mine: {filter: type:Store}\n  core:")
    edit(ready, "src/Core/Order.cs", "string Key", "string Key, int Rank")
    told = cli(ready, "refresh")
    assert (told.code, told.err.count("did not write")) == (0, 1)
    assert cli(ready, "pack", "build", "--all").code == 3
    assert "int Rank" in (ready / PACKS / "core.md").read_text("utf-8")
    assert list_findings(cli, ready) == [("foreign-file", "warning", f"{PACKS}/mine.md", 1)]
    assert cli(ready, "pack", "remove", "mine").code == 0
    assert "mine" not in (ready / CONFIG).read_text("utf-8")
    assert mine.read_text("utf-8") == "Mine.\n"


def test_the_configuration_alone_decides_which_packs_there_are(ready, cli):
    text = (ready / CONFIG).read_text("utf-8").replace("  core:", "  other:")
    (ready / CONFIG).write_text(text, "utf-8")
    (ready / PACKS / "README.md").write_text("Mine.\n", "utf-8")
    (ready / PACKS / "notes.txt").write_text("Mine.\n", "utf-8")
    done = read_json(cli(ready, "refresh", "--json"))
    assert (done["written"], done["removed"]) == ([INDEX, f"{PACKS}/other.md"], [f"{PACKS}/core.md"])
    assert sorted(path.name for path in (ready / PACKS).iterdir()) == ["README.md", "notes.txt", "other.md"]
    rows = json.loads((ready / INDEX).read_bytes())["packs"]
    assert rows == {"other": {"filter": f"{ALL} access:public", "tokenBudget": 4000}, "~": 0}
    (ready / CONFIG).write_text("", "utf-8")
    done = read_json(cli(ready, "refresh", "--json"))
    assert (done["written"], done["removed"]) == ([INDEX], [f"{PACKS}/other.md"])
    assert read_json(cli(ready, "refresh", "--full", "--json"))["written"] == []


def test_a_row_without_a_definition_goes(ready, cli):
    edit(ready, INDEX, '"packs":{\n', '"packs":{\n"old":{"filter":"type:*","tokenBudget":5},\n')
    assert read_json(cli(ready, "refresh", "--json"))["written"] == [INDEX]
    assert '"old"' not in (ready / INDEX).read_text("utf-8")


def test_a_change_of_packs_costs_no_new_reading(ready, cli):
    def digest():
        return digest_tree(open_tree(Request(ready), open_repository(ready)))

    before = digest()
    assert cli(ready, "pack", "build", "more", "--filter", "type:Order").code == 0
    edit(ready, CONFIG, "#hooks:", "hooks: {strict: true}\n#hooks:")
    assert digest() == before
    edit(ready, CONFIG, "#outline:", "outline: {maxDependencies: 3}\n#outline:")
    assert digest() != before


def test_a_pack_that_cannot_be_made_stands_in_nobodys_way(ready, cli):
    file = ready / PACKS / "core.md"
    edit(ready, CONFIG, "access:public", "access:pubic")
    edit(ready, "src/Core/Order.cs", "string Key", "string Key, int Rank")
    before = file.read_bytes()
    for _ in range(2):
        done = cli(ready, "refresh")
        assert done.code == 0
        assert "packs.core.filter: The filter makes no sense at character 24: `pubic` is no accessibility" in done.err
        assert file.read_bytes() == before
    assert "int Rank" in "".join(path.read_text("utf-8") for path in (ready / ".codecortex/types").iterdir())


def test_the_same_tree_gives_the_same_bytes(ready, git, process, tmp_path):
    text = (ready / PACKS / "core.md").read_bytes()
    for seed in "01":
        clone = tmp_path / f"clone{seed}"
        git(tmp_path, "clone", "--quiet", str(ready), str(clone))
        (clone / PACKS / "core.md").unlink()
        assert process(clone, "refresh", PYTHONHASHSEED=seed, LC_ALL="C").returncode == 0
        assert (clone / PACKS / "core.md").read_bytes() == text
        assert git(clone, "status", "--porcelain") == ""


# -- check


def test_check_tells_of_packs_and_fails_only_where_one_cannot_be_made(ready, cli, git):
    line = (ready / CONFIG).read_text("utf-8").split("\n").index("  core:") + 1
    file = ready / PACKS / "core.md"
    assert list_findings(cli, ready) == []
    file.write_bytes(file.read_bytes() + b"x\n")
    assert list_findings(cli, ready) == [("pack-behind", "warning", f"{PACKS}/core.md", 1)]
    assert cli(ready, "check").code == 0
    file.write_bytes(b"<<<<<<< a\n=======\n>>>>>>> b\n")
    assert list_findings(cli, ready) == [("merge-marker", "error", f"{PACKS}/core.md", 1)]
    file.unlink()
    (ready / PACKS).mkdir(exist_ok=True)
    (ready / PACKS / "old.md").write_text("# Pack: old\n", "utf-8")
    (ready / PACKS / "mine.md").write_text("Mine.\n", "utf-8")
    assert list_findings(cli, ready) == [
        ("foreign-file", "warning", f"{PACKS}/mine.md", 1),
        ("pack-left-over", "warning", f"{PACKS}/old.md", 1),
        ("pack-missing", "warning", CONFIG, line),
    ]
    assert list_findings(cli, ready, "--rev", "HEAD") == []
    fixed = cli(ready, "check", "--fix")
    assert (fixed.code, "fixed: 2 generated files" in fixed.out) == (0, True)
    assert list_findings(cli, ready) == [("foreign-file", "warning", f"{PACKS}/mine.md", 1)]
    edit(ready, CONFIG, "access:public", "access:pubic")
    git(ready, "add", "--all")
    assert ("pack-failed", "error", CONFIG, line) in list_findings(cli, ready)
    assert ("pack-failed", "error", CONFIG, line) in list_findings(cli, ready, "--staged")


def test_a_commit_brings_the_index_along_and_leaves_packs_to_a_refresh(ready, git, cli, process):
    edit(ready, CONFIG, "tokenBudget: 4000", "tokenBudget: 500")
    edit(ready, "src/Core/Order.cs", "string Key", "string Key, int Rank")
    git(ready, "add", "--all")
    assert process(ready, "hook", "pre-commit").returncode == 0
    git(ready, "commit", "--quiet", "-m", "two")
    assert '"tokenBudget":500' in git(ready, "show", f"HEAD:{INDEX}")
    assert list_findings(cli, ready, "--rev", "HEAD") == [("pack-behind", "warning", f"{PACKS}/core.md", 1)]
    assert read_json(cli(ready, "refresh", "--json"))["written"] == [f"{PACKS}/core.md"]


def test_circles_stand_together_by_name_below_what_they_depend_on(ready, cli, git):
    (ready / "src/Core/Circle.cs").write_text(
        "namespace Ring;\npublic class Z { public A Next; }\npublic class B { public Z Next; public Base First; }\n"
        "public class A { public B Next; }\npublic class Base { }\npublic class Above { public B Start; }\n",
        "utf-8",
    )
    git(ready, "add", "src")
    assert cli(ready, "pack", "build", "ring", "--filter", "namespace:Ring").code == 0
    titles = [line for line in cli(ready, "pack", "show", "ring").out.split("\n") if line.startswith("# Ring.")]
    assert [line.split()[1] for line in titles] == ["Ring.Base", "Ring.A", "Ring.B", "Ring.Z", "Ring.Above"]


def test_what_was_remembered_is_what_would_be_worked_out(ready, cli):
    for old, new in (
        ("string Key", "string Key, int Rank"),
        ("interface IStore", "interface IKeep"),
        ("Rank", "Place"),
    ):
        edit(ready, "src/Core/Order.cs", old, new)
        assert cli(ready, "refresh").code == 0
    warm = {path: path.read_bytes() for path in (ready / ".codecortex").rglob("*") if path.is_file()}
    shutil.rmtree(ready / ".git/codecortex")
    cold = cli(ready, "refresh", "--json")
    assert (read_json(cold)["written"], read_json(cold)["removed"]) == ([], [])
    assert cli(ready, "pack", "show", "core").out.encode() == warm[ready / PACKS / "core.md"]
