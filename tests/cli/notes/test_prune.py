"""`codecortex semantic prune`, and notes on types whose sources are excluded."""

import json

import pytest

NOTES = ".codecortex/semantic"
CONFIG = ".codecortex/config.yaml"


def list_notes(root):
    return {file.name: file.read_bytes() for file in (root / NOTES).glob("*.md")}


def list_kept(root):
    return {file.read_bytes() for file in (root / ".codecortex/local/replaced").glob("*")}


@pytest.fixture
def noted(shop, cli, git):
    """The shop with a note on each public type, committed."""
    assert cli(shop, "refresh").code == 0
    assert cli(shop, "semantic", "generate").code == 0
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "two")
    return shop


def exclude(root, cli):
    """Leave out the file of `Order` and `IStore`; return what the refresh says."""
    (root / CONFIG).write_text("exclude: [src/Core/Order.cs]\n")
    done = cli(root, "refresh")
    assert done.code == 0
    return done.out


def test_what_is_excluded_was_not_renamed(noted, cli):
    assert "decide about" not in exclude(noted, cli)
    conflicts = json.loads(cli(noted, "alias", "conflicts", "--json").out)["conflicts"]
    assert {(each["why"].partition(",")[0], *each["commands"]) for each in conflicts} == {
        ("its sources are excluded", "codecortex semantic prune")
    }
    orphans = [
        each for each in json.loads(cli(noted, "check", "--json").out)["findings"] if each["code"] == "note-orphan"
    ]
    assert len(orphans) == len(conflicts) == 2
    assert {each["command"] for each in orphans} == {"codecortex semantic prune"}
    assert all("is declared in sources that are excluded" in each["message"] for each in orphans)


def test_notes_of_no_type_go_and_are_kept_aside(noted, cli):
    before = list_notes(noted)
    exclude(noted, cli)
    for option in ("-n", "--dry-run"):
        done = cli(noted, "semantic", "prune", option)
        assert (done.code, done.out.count("remove  "), list_notes(noted)) == (0, 2, before)
    told = json.loads(cli(noted, "semantic", "prune", "--json").out)
    assert (len(told["removed"]), told["kept"], told["dryRun"]) == (2, [], False)
    left = list_notes(noted)
    assert len(left) == len(before) - 2
    assert list_kept(noted) == set(before.values()) - set(left.values())
    assert "note-orphan" not in cli(noted, "check").out
    assert cli(noted, "semantic", "prune").out == "Nothing to remove.\n"


def test_what_may_have_been_renamed_is_looked_for_first(noted, cli):
    file = noted / "src/Core/Order.cs"
    file.write_text(file.read_text().partition("[Obsolete")[0])
    before = list_notes(noted)
    done = cli(noted, "semantic", "prune")
    assert "`codecortex refresh` has yet to see what became of its type" in done.out
    assert list_notes(noted) == before
    assert cli(noted, "refresh").code == 0
    assert "1 note removed" in cli(noted, "semantic", "prune").out
    assert len(list_notes(noted)) == len(before) - 1


def test_a_note_that_a_refresh_moves_stays(noted, cli, git):
    for path in ("src/Core/Order.cs", "src/Core/Store.cs"):
        file = noted / path
        file.write_text(file.read_text().replace("IStore", "IKeeper"))
    before = list_notes(noted)
    assert cli(noted, "semantic", "prune").code == 0
    assert list_notes(noted) == before
    assert cli(noted, "refresh").code == 0
    assert "Nothing to remove." in cli(noted, "semantic", "prune").out
    assert len(list_notes(noted)) == len(before)
    del git


def test_extracts_on_tests_go_where_they_are_asked_to(noted, cli, git):
    (folder := noted / "test/Core.Tests").mkdir(parents=True)
    (folder / "Tests.cs").write_text(
        "public class QueueTests { [Obsolete] public int One; }\n"
        "public class OtherTests { [Obsolete] public int One; }\n"
    )
    git(noted, "add", ".")
    product = list_notes(noted)
    assert cli(noted, "semantic", "generate", "QueueTests", "OtherTests").code == 0
    (noted / "body.md").write_text("ROLE: Says it.\n")
    assert cli(noted, "semantic", "put", "OtherTests", "body.md").code == 0
    by_hand = {name for name, text in list_notes(noted).items() if b"Generator: hand" in text}
    assert cli(noted, "semantic", "prune").out == "Nothing to remove.\n"
    (noted / CONFIG).write_text("semantics: {tests: true}\n")
    assert cli(noted, "semantic", "prune", "--tests").out == "Nothing to remove.\n"
    (noted / CONFIG).unlink()
    assert "code of tests needs no note" in cli(noted, "semantic", "prune", "--tests").out
    assert list_notes(noted).keys() == product.keys() | by_hand


def test_a_note_in_conflict_is_not_pruned(noted, cli, git):
    exclude(noted, cli)
    (name,) = (name for name, text in list_notes(noted).items() if b"# Semantic: Shop.Core.IStore " in text)
    path = f"{NOTES}/{name}"
    blob = git(noted, "rev-parse", f"HEAD:{path}")
    lines = "".join(f"100644 {blob} {stage}\t{path}\n" for stage in (1, 2, 3))
    git(noted, "rm", "--cached", "--quiet", path)
    git(noted, "update-index", "--index-info", stdin=lines.encode())
    told = json.loads(cli(noted, "semantic", "prune", "--json").out)
    assert path not in {each["path"] for each in told["removed"]}
    assert (noted / path).exists()
