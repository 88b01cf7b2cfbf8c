"""`codecortex semantic show`: asking spends nothing, and a shared note does not flood."""

import json
import sys

import pytest

NOTES = ".codecortex/semantic"
CIRCLE = (
    "namespace Ring;\n[Obsolete] public class A { public B Next; }\n[Obsolete] public class B { public C<int> Next; }\n"
    "[Obsolete] public class C<T> { public A Next; }\n"
)


@pytest.fixture
def circle(repo, cli):
    """Three types that share one note."""
    (repo / "a.cs").write_text(CIRCLE)
    assert cli(repo, "init").code == 0
    assert cli(repo, "semantic", "generate").code == 0
    (note,) = (repo / NOTES).iterdir()
    assert note.name.startswith("G_")
    return repo


@pytest.fixture
def stale(shop, cli):
    """The shop with one note, which is stale."""
    assert cli(shop, "semantic", "generate", "IStore").code == 0
    order = shop / "src/Core/Order.cs"
    order.write_text(order.read_text().replace("int Count", "long Count"))
    return shop


def test_of_a_shared_note_the_part_of_the_type_is_shown(circle, cli):
    shown = cli(circle, "semantic", "show", "Ring.C").out
    assert "`C` is obsolete." in shown
    assert "`A` is obsolete" not in shown
    assert "`B` is obsolete" not in shown
    (note,) = (circle / NOTES).iterdir()
    assert f"Shared with 2 other types: `codecortex semantic show {note.stem}` prints all of it." in shown
    whole = cli(circle, "semantic", "show", note.stem).out
    assert all(f"`{name}` is obsolete" in whole for name in "ABC")


def test_a_shared_text_that_tells_no_types_apart_is_shown_whole(circle, cli):
    (note,) = (circle / NOTES).iterdir()
    (circle / "body.md").write_text("RECOMMENDATIONS: Use none of them.\n")
    assert cli(circle, "semantic", "put", note.stem, "body.md").code == 0
    assert "RECOMMENDATIONS: Use none of them.\n" in cli(circle, "semantic", "show", "Ring.A").out


def test_a_stale_note_is_shown_as_it_is_and_says_how_it_is_mended(stale, cli, read_tree):
    before = read_tree(stale / NOTES)
    done = cli(stale, "semantic", "show", "IStore")
    (name,) = before
    assert done.code == 0
    assert done.out.startswith("stale  ")
    assert "`IStore` is obsolete: Use Store." in done.out
    assert f"Next: `codecortex semantic show {name.rpartition('/')[2].removesuffix('.md')} --mend`" in done.out
    assert read_tree(stale / NOTES) == before


def test_mending_is_asked_for(stale, cli):
    done = cli(stale, "semantic", "show", "IStore", "--mend")
    assert (done.code, done.out.split()[0], "Next:" in done.out) == (0, "cached", False)
    assert json.loads(cli(stale, "semantic", "states", "--json").out)["totals"]["stale"] == 0
    assert cli(stale, "semantic", "show", "Core.Order", "--mend", "--json").code == 0
    assert json.loads(cli(stale, "semantic", "show", "Core.Order", "--json").out)["semanticState"] == "cached"


def test_what_cannot_be_mended_is_told_and_shown_all_the_same(stale, cli):
    (note,) = (stale / NOTES).iterdir()
    note.write_text(note.read_text().replace("is obsolete", "is mine"))
    done = cli(stale, "semantic", "show", "IStore", "--mend")
    assert (done.code, "changed by hand in RECOMMENDATIONS" in done.err, "is mine" in done.out) == (0, True, True)


@pytest.mark.parametrize("tree", [("--staged",), ("--rev", "HEAD")])
def test_another_tree_is_not_mended(stale, cli, tree):
    assert cli(stale, "semantic", "show", "IStore", "--mend", *tree).code == 2


def test_showing_asks_nobody(stale, cli, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config/codecortex").mkdir(parents=True)
    program = tmp_path / "model.py"
    program.write_text(f"open({str(tmp_path / 'asked')!r}, 'a').write('x')\nprint('NO SEMANTIC CHANGE')\n")
    settings = {"llm": {"provider": "command", "command": [sys.executable, str(program)]}}
    (tmp_path / "config/codecortex/config.yaml").write_text(json.dumps(settings))
    assert cli(stale, "semantic", "show", "IStore").code == 0
    assert not (tmp_path / "asked").exists()
    cli(stale, "semantic", "show", "IStore", "--mend")
    assert (tmp_path / "asked").exists()
