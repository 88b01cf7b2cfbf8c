"""The commands `alias ...`, old names that still resolve, and what a refresh says of renames."""

import json
import re

import pytest

from tests.cli.conftest import write_files

OLD = """namespace Shop.Core;
public class Cart
{
    public int Add(int a) => a;
    public int Count { get; }
    public void Clear() { }
}
"""
NOTE = """# Semantic: Shop.Core.Cart {id}
StructureHash: 9F2A441C
ImplHash: 5BC19F77 (public 11AA22BB, internal 33CC44DD)
Dependencies: none
Generator: hand

ROLE: Holds what is to be bought.
LIFECYCLE:
EDGE_CASES:
LIMITATIONS:
RECOMMENDATIONS:
"""


@pytest.fixture
def renamed(shop, cli, git):
    """The shop, where Cart with its note has just become Basket; nothing of that is committed."""
    write_files(shop, {"src/Core/Cart.cs": OLD})
    git(shop, "add", "src")
    assert cli(shop, "refresh").code == 0
    key = find_id(shop, "Shop.Core.Cart")
    write_files(shop, {f".codecortex/semantic/{key}.md": NOTE.format(id=key)})
    commit(shop, git)
    (shop / "src/Core/Cart.cs").unlink()
    write_files(shop, {"src/Core/Basket.cs": OLD.replace("Cart", "Basket")})
    git(shop, "add", "src")
    return shop


def commit(root, git):
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")


def find_id(root, fqn):
    types = json.loads((root / ".codecortex/index.json").read_bytes())["types"]
    return next(key for key, row in types.items() if key != "~" and row["fqn"] == fqn)


def test_refresh_says_what_was_renamed(renamed, cli):
    told = json.loads(cli(renamed, "refresh", "--dry-run", "--json").out)
    assert cli(renamed, "alias", "list").out == ""
    assert "1 alias: Shop.Core.Cart -> Shop.Core.Basket (note moved)\n" in cli(renamed, "refresh").out
    [alias] = told["aliases"]
    assert alias == {
        "oldId": alias["oldId"], "oldFqn": "Shop.Core.Cart", "newTypeId": find_id(renamed, "Shop.Core.Basket"),
        "newFqn": "Shop.Core.Basket", "reason": "rename", "score": 1.0, "collapsed": False,
    }  # fmt: skip
    assert told["movedNotes"] == [f".codecortex/semantic/{alias['newTypeId']}.md"]
    assert told["doubts"] == []


@pytest.mark.parametrize("old", ["Shop.Core.Cart", "Cart", "T:Shop.Core.Cart", "id"])
@pytest.mark.parametrize("tree", [(), ("--staged",), ("--rev", "HEAD")])
def test_id_08_an_old_name_leads_to_todays_type(renamed, cli, git, old, tree):
    old = find_id(renamed, "Shop.Core.Cart") if old == "id" else old
    cli(renamed, "refresh")
    commit(renamed, git)
    said = cli(renamed, "outline", old, *tree)
    assert (said.code, said.err) == (0, "note: Shop.Core.Cart is now Shop.Core.Basket\n")
    assert said.out.startswith("# Shop.Core.Basket ")
    told = json.loads(cli(renamed, "outline", old, *tree, "--json").out)
    assert (told["fqn"], told["redirectedFrom"]) == ("Shop.Core.Basket", "Shop.Core.Cart")


def test_a_name_of_today_is_not_redirected(renamed, cli):
    cli(renamed, "refresh")
    said = cli(renamed, "outline", "Shop.Core.Basket", "--json")
    assert "redirectedFrom" not in json.loads(said.out)
    assert said.err == ""


def test_the_tree_that_is_read_says_what_is_old(renamed, cli):
    cli(renamed, "refresh")
    said = cli(renamed, "outline", "Basket", "--rev", "HEAD")
    assert said.code == 3
    assert "Nothing is called" in said.err


def test_list_says_who_was_who_and_since_when(renamed, cli, git):
    assert cli(renamed, "alias", "list")[1:] == ("", "No type has an old name.\n")
    cli(renamed, "refresh")
    assert cli(renamed, "alias", "list").out == "Shop.Core.Cart -> Shop.Core.Basket  (rename 1.00; not committed)\n"
    commit(renamed, git)
    head = git(renamed, "rev-parse", "HEAD")
    line = f"Shop.Core.Cart -> Shop.Core.Basket  (rename 1.00; {head[:10]} 2024-01-02)\n"
    assert cli(renamed, "alias", "list").out == line
    assert cli(renamed, "alias", "list", "--rev", "HEAD").out == line
    assert cli(renamed, "alias", "list", "--rev", "HEAD~1").out == ""
    [row] = json.loads(cli(renamed, "alias", "list", "--json").out)["aliases"]
    assert (row["commit"], row["date"], row["oldFqn"]) == (head, "2024-01-02T03:04:05+00:00", "Shop.Core.Cart")


def split_rename(root, cli, git):
    """The new type comes in one commit, the old one goes in the next; the old one's id."""
    old = find_id(root, "Shop.Core.Cart")
    write_files(root, {"src/Core/Cart.cs": OLD})
    git(root, "add", "src")
    cli(root, "refresh")
    commit(root, git)
    git(root, "rm", "-q", "src/Core/Cart.cs")
    return old


def test_a_note_left_behind_is_settled_by_the_command_that_conflicts_prints(renamed, cli, git):
    old = split_rename(renamed, cli, git)
    said = cli(renamed, "refresh").out
    assert "1 rename to decide about (see `codecortex alias conflicts`):" in said
    commit(renamed, git)
    new = find_id(renamed, "Shop.Core.Basket")
    text = cli(renamed, "alias", "conflicts").out
    assert text == (
        f"Shop.Core.Cart: it is gone, and its note stays at .codecortex/semantic/{old}.md\n"
        f"  1.00  Shop.Core.Basket\n  $ codecortex alias add {old} {new}\n"
    )
    [conflict] = json.loads(cli(renamed, "alias", "conflicts", "--json").out)["conflicts"]
    assert (conflict["kind"], conflict["oldId"], conflict["commands"]) == (
        "orphanedNote", old, [f"codecortex alias add {old} {new}"],
    )  # fmt: skip
    assert conflict["candidates"] == [{"id": new, "fqn": "Shop.Core.Basket", "reason": "rename", "score": 1.0}]
    done = cli(renamed, "alias", "add", old, new)
    assert (done.code, done.out) == (0, "added  Shop.Core.Cart -> Shop.Core.Basket (note moved)\n")
    note = (renamed / f".codecortex/semantic/{new}.md").read_text("utf-8")
    assert note == NOTE.replace("Cart", "Basket").format(id=new)
    assert f"R  .codecortex/semantic/{old}.md -> .codecortex/semantic/{new}.md" in git(renamed, "status", "--porcelain")
    assert cli(renamed, "alias", "conflicts").out == "Nothing to decide.\n"
    assert cli(renamed, "refresh").out.startswith("6 types: nothing to do.")


@pytest.mark.parametrize("old", ["Shop.Core.Cart", "T:Shop.Core.Cart", "Never.Seen`1"])
def test_add_takes_a_full_name(renamed, cli, git, old):
    split_rename(renamed, cli, git)
    cli(renamed, "refresh")
    assert cli(renamed, "alias", "add", old, "Basket").code == 0
    told = json.loads(cli(renamed, "outline", old.removeprefix("T:"), "--json").out)
    assert (told["fqn"], told["redirectedFrom"]) == ("Shop.Core.Basket", old.removeprefix("T:"))


def test_add_takes_the_simple_name_of_a_type_that_is_known_to_be_gone(renamed, cli, git):
    old = split_rename(renamed, cli, git)
    cli(renamed, "refresh")
    said = cli(renamed, "alias", "add", "Cart", "Basket").out
    assert said == "added  Shop.Core.Cart -> Shop.Core.Basket (note moved)\n"
    [row] = json.loads(cli(renamed, "alias", "list", "--json").out)["aliases"]
    assert row["oldId"] == old


def test_a_simple_name_that_several_types_had_is_refused(renamed, cli, git):
    split_rename(renamed, cli, git)
    write_files(renamed, {".codecortex/semantic/T_00000001.md": NOTE.format(id="T_00000001").replace("Core", "Old")})
    said = cli(renamed, "alias", "add", "Cart", "Basket")
    assert said.code == 3
    assert "There were Shop.Core.Cart, Shop.Old.Cart." in said.err


def test_before_a_refresh_conflicts_and_states_say_how_the_note_is_kept(renamed, cli):
    old = find_id(renamed, "Shop.Core.Cart")
    said = cli(renamed, "semantic", "states").out
    assert f"if it was renamed, `codecortex refresh` or `codecortex alias add {old} NEW` moves the note" in said
    [conflict] = json.loads(cli(renamed, "alias", "conflicts", "--json").out)["conflicts"]
    assert [each["fqn"] for each in conflict["candidates"]] == ["Shop.Core.Basket"]
    assert cli(renamed, *conflict["commands"][0].split()[1:]).out.endswith("(note moved)\n")


@pytest.mark.parametrize(
    ("names", "code", "words"),
    [
        (("Shop.Core.Order", "Basket"), 2, "Shop.Core.Order is a type today."),
        (("Shop.Core.Cart", "Nothing.At.All"), 3, "Nothing is called"),
        (("Shop.Core.Cart", "Order"), 3, "means 2 types"),
        (("T_00000000", "Basket"), 3, "Nothing is known of a type T_00000000."),
        *[((odd, "Basket"), 2, "is no full name of a type.") for odd in ("", " ", "a b;c", "Shop.", "Shop.Cart<T>")],
        (("IStore", "Basket"), 2, "IStore is the name of Shop.Core.IStore, a type today."),
    ],
)
def test_add_refuses_what_makes_no_sense(renamed, cli, names, code, words):
    cli(renamed, "refresh")
    before = (renamed / ".codecortex/aliases.json").read_bytes()
    said = cli(renamed, "alias", "add", *names)
    assert said.code == code
    assert words in said.err
    assert (renamed / ".codecortex/aliases.json").read_bytes() == before


def test_add_in_place_of_another_and_remove(renamed, cli):
    cli(renamed, "refresh")
    assert cli(renamed, "alias", "add", "Shop.Core.Cart", "Store").out == "added  Shop.Core.Cart -> Shop.Core.Store`1\n"
    [row] = json.loads(cli(renamed, "alias", "list", "--json").out)["aliases"]
    assert row["newFqn"] == "Shop.Core.Store`1"
    assert cli(renamed, "alias", "remove", "Cart").out == "removed  Shop.Core.Cart -> Shop.Core.Store`1\n"
    gone = cli(renamed, "alias", "remove", "Cart")
    assert (gone.code, "No alias is called 'Cart'." in gone.err) == (3, True)
    assert cli(renamed, "outline", "Cart").code == 3


def test_add_leaves_the_note_where_the_successor_has_its_own(renamed, cli, git):
    old = split_rename(renamed, cli, git)
    cli(renamed, "refresh")
    new = find_id(renamed, "Shop.Core.Basket")
    mine = NOTE.replace("Cart", "Basket").replace("Holds", "Keeps").format(id=new)
    write_files(renamed, {f".codecortex/semantic/{new}.md": mine})
    said = cli(renamed, "alias", "add", old, new)
    assert said.out == "added  Shop.Core.Cart -> Shop.Core.Basket\n"
    assert "stays" in said.err
    assert (renamed / f".codecortex/semantic/{new}.md").read_text("utf-8") == mine
    assert (renamed / f".codecortex/semantic/{old}.md").read_text("utf-8") == NOTE.format(id=old)
    assert "has one of its own" in cli(renamed, "alias", "conflicts").out


def test_conflicts_of_the_table_and_of_the_work_tree(renamed, cli):
    cli(renamed, "refresh")
    new, order, store = (find_id(renamed, f"Shop.Core.{name}") for name in ("Basket", "Order", "Store`1"))
    row = '"{}":{{"oldFqn":"{}","newTypeId":"{}","newFqn":"{}","reason":"rename","score":0.9}},\n'
    rows = [
        row.format("T_00000001", "A", "T_00000002", "B") + row.format("T_00000002", "B", "T_00000001", "A"),
        row.format("T_00000003", "C", "T_00000004", "Gone"),
        row.format("T_00000005", "D", new, "Shop.Core.Basket")
        + row.format("T_00000005", "D", store, "Shop.Core.Store"),
        row.format(order, "Shop.Core.Order", new, "Shop.Core.Basket"),
    ]
    write_files(
        renamed, {".codecortex/aliases.json": '{"schemaVersion":"1.0",\n"aliases":{\n' + "".join(rows) + '"~":0}}\n'}
    )
    told = json.loads(cli(renamed, "alias", "conflicts", "--json").out)["conflicts"]
    assert [(each["kind"], each["oldFqn"]) for each in told] == [
        ("loop", "A"), ("loop", "B"), ("oldIdExists", "Shop.Core.Order"), ("targetGone", "C"), ("twice", "D"),
    ]  # fmt: skip
    assert all(each["why"] for each in told)
    text = cli(renamed, "alias", "conflicts")
    assert (text.code, text.out.count("codecortex alias remove")) == (0, 4)
    assert cli(renamed, "outline", "A").code == 3


def test_what_is_doubtful_against_head_is_asked_until_it_is_settled(renamed, cli, git):
    write_files(renamed, {"src/Core/Basket.cs": OLD.replace("Cart", "Basket").replace("void Clear", "int Empty")})
    (renamed / "src/Core/Basket.cs").rename(renamed / "src/Core/Cart.cs")
    git(renamed, "add", "src")
    assert "1 rename to decide about" in cli(renamed, "refresh").out
    [doubt] = json.loads(cli(renamed, "alias", "conflicts", "--json").out)["conflicts"]
    assert (doubt["kind"], doubt["oldFqn"]) == ("doubt", "Shop.Core.Cart")
    assert [each["fqn"] for each in doubt["candidates"]] == ["Shop.Core.Basket"]
    assert cli(renamed, *doubt["commands"][0].split()[1:]).code == 0
    assert cli(renamed, "alias", "conflicts").out == "Nothing to decide.\n"


def test_what_is_taken_back_before_it_is_committed_leaves_no_alias(renamed, cli, git):
    git(renamed, "restore", "--staged", "--worktree", "src")
    (renamed / "src/Core/Basket.cs").unlink(missing_ok=True)
    before = git(renamed, "status", "--short")

    assert cli(renamed, "refactor", "rename", "Shop.Core.Cart", "Basket", "--write").code == 0
    assert "Shop.Core.Cart -> Shop.Core.Basket" in cli(renamed, "alias", "list").out
    assert cli(renamed, "refactor", "undo").code == 0

    assert git(renamed, "status", "--short") == before
    assert cli(renamed, "alias", "list").out == ""


def test_a_table_that_git_does_not_know_beside_an_index_goes_when_it_is_empty(renamed, cli, git):
    git(renamed, "restore", "--staged", "--worktree", "src")
    (renamed / "src/Core/Basket.cs").unlink(missing_ok=True)
    git(renamed, "rm", "--quiet", ".codecortex/aliases.json")  # as in a repository that an older version began
    git(renamed, "commit", "--quiet", "-m", "no table")
    assert cli(renamed, "refactor", "rename", "Shop.Core.Cart", "Basket", "--write").code == 0
    assert cli(renamed, "refactor", "undo").code == 0
    assert not (renamed / ".codecortex/aliases.json").exists()


def test_an_alias_that_goes_because_its_type_is_back_is_told(renamed, cli, git):
    assert cli(renamed, "refresh").code == 0
    git(renamed, "add", "--all")
    git(renamed, "commit", "--quiet", "-m", "renamed")
    (renamed / "src/Core/Cart.cs").write_text("namespace Shop.Core;\npublic class Cart { int Mine() => 3; }\n")
    git(renamed, "add", "--all")
    told = cli(renamed, "refresh").out
    assert "1 alias taken back:\n  Shop.Core.Cart -> Shop.Core.Basket: Shop.Core.Cart is a type again\n" in told
    assert cli(renamed, "alias", "list").out == ""


def rename_cart(root, cli):
    assert cli(root, "refactor", "rename", "Shop.Core.Cart", "Basket", "--write").code == 0


def test_a_rename_that_is_stashed_takes_its_alias_along_and_brings_it_back(renamed, cli, git):
    git(renamed, "restore", "--staged", "--worktree", "src")
    (renamed / "src/Core/Basket.cs").unlink(missing_ok=True)
    for path in renamed.rglob("*.cs"):
        path.write_text(re.sub(r"\bCart\b", "Basket", path.read_text("utf-8")), "utf-8")
    assert "1 alias: Shop.Core.Cart -> Shop.Core.Basket" in cli(renamed, "refresh").out
    git(renamed, "stash", "--quiet")
    assert cli(renamed, "refresh").code == 0
    assert cli(renamed, "check", "--semantic", "off").code == 0
    (renamed / "src/Core/Fix.cs").write_text("class Fix { public int Mended; }\n", "utf-8")
    git(renamed, "add", "--all")
    assert cli(renamed, "refresh").code == 0
    git(renamed, "add", "--all")
    git(renamed, "commit", "--quiet", "-m", "fix")
    git(renamed, "stash", "pop", "--quiet")
    assert cli(renamed, "refresh").code == 0
    assert cli(renamed, "alias", "list").out.startswith("Shop.Core.Cart -> Shop.Core.Basket")


def test_a_revert_of_an_older_rename_leaves_the_later_ones_alone(renamed, cli, git):
    git(renamed, "restore", "--staged", "--worktree", "src")
    (renamed / "src/Core/Basket.cs").unlink(missing_ok=True)

    def save(message):
        assert cli(renamed, "refresh").code == 0
        git(renamed, "add", "--all")
        git(renamed, "commit", "--quiet", "-m", message)

    for number in range(20):
        (renamed / f"src/Core/F{number}.cs").write_text(
            f"class F{number} {{ public int A{number}, B{number}; }}\n", "utf-8"
        )
    git(renamed, "add", "--all")
    save("more")
    rename_cart(renamed, cli)
    save("one")
    (renamed / "src/Core/F7.cs").write_text("class G7 { public int A7, B7; }\n", "utf-8")
    save("two")
    git(renamed, "revert", "--no-edit", "HEAD~1")
    assert cli(renamed, "refresh").code == 0
    assert cli(renamed, "check", "--semantic", "off").code == 0
    assert cli(renamed, "alias", "list").out.startswith("F7 -> G7")


@pytest.mark.parametrize("words", [("list",), ("conflicts",), ("remove", "X"), ("add", "X", "Order")])
def test_a_damaged_table_is_named_with_its_line(shop, cli, words):
    write_files(shop, {".codecortex/aliases.json": '{"schemaVersion":"1.0",\n"aliases":{\n"T_0000\n'})
    said = cli(shop, "alias", *words)
    assert said.code == 3
    assert "aliases.json:3" in said.err or "means" in said.err


def test_without_a_codecortex_folder(repo, cli):
    assert cli(repo, "alias", "list").out == ""
    assert cli(repo, "alias", "conflicts").out == "Nothing to decide.\n"
    for words in (("add", "X", "A"), ("remove", "X")):
        said = cli(repo, "alias", *words)
        assert (said.code, "codecortex init" in said.err) == (2, True)
