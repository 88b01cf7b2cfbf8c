"""Packs as nodes: what an edit reaches them by, and where it stops."""

import json

import pytest

from tests.cli.conftest import write_files
from tests.cli.upkeep.test_caching import FILES, commit, edit, why

CONFIG = ".codecortex/config.yaml"
PACKED = "packs:\n  shop:\n    filter: type:Order\n"


@pytest.fixture
def packed(tmp_path, git, cli):
    """A tree with a pack that was made."""
    git(tmp_path, "init", "-q")
    write_files(tmp_path, FILES | {CONFIG: PACKED, "Far.cs": "namespace Far;\npublic class Away\n{\n}\n"})
    commit(tmp_path, git)
    assert cli(tmp_path, "pack", "show", "shop").code == 0
    return tmp_path


def count_versions(cli, folder):
    return len(json.loads(cli(folder, "cache", "history", "pack:shop", "--json").out)["versions"])


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("Customer.cs", "=> 1", "=> 2"),  # a body
        ("Customer.cs", "namespace", "// a comment\nnamespace"),
        ("Far.cs", "Away\n{", "Away\n{\n    public int More;"),  # a type that is not in the pack
    ],
)
def test_what_the_pack_does_not_show_makes_none(packed, cli, name, old, new):
    edit(packed, name, old, new)
    assert why(cli, packed, "pack:shop")[0].startswith("pack:shop holds")
    assert cli(packed, "pack", "show", "shop").code == 0
    assert count_versions(cli, packed) == 1


def test_a_signature_reaches_it_by_the_outline_that_it_shows(packed, cli):
    edit(packed, "Customer.cs", "int Age()", "long Age()")
    assert why(cli, packed, "pack:shop") == [
        "pack:shop no longer holds",
        "  outline:Shop.Customer  # -> #",
        "    source:Customer.cs  # -> #",
    ]
    assert "long Age()" in cli(packed, "pack", "show", "shop").out
    assert count_versions(cli, packed) == 2


def test_a_new_type_reaches_it_by_what_its_filter_selects(packed, cli, git):
    write_files(packed, {"Other.cs": "namespace Shop;\npublic class OrderLine { public Order? Of; }\n"})
    git(packed, "add", "-A")
    write_files(packed, {CONFIG: PACKED.replace("type:Order", "type:Order*")})
    assert "was never made" in why(cli, packed, "pack:shop")[0]  # another definition is another pack
    assert "OrderLine" in cli(packed, "pack", "show", "shop").out
    write_files(packed, {"Third.cs": "namespace Shop;\npublic class OrderBook { public Order? Of; }\n"})
    git(packed, "add", "-A")
    assert "  selected:shop  # -> #" in why(cli, packed, "pack:shop")
    assert "OrderBook" in cli(packed, "pack", "show", "shop").out


def test_a_note_reaches_it(packed, cli, tmp_path):
    note = tmp_path / "note.txt"
    note.write_text("ROLE: Buys.\n")
    assert cli(packed, "semantic", "put", "Shop.Order", str(note)).code == 0
    assert "  notes:Shop.Order  absent -> #" in why(cli, packed, "pack:shop")
    assert "ROLE: Buys." in cli(packed, "pack", "show", "shop").out
    assert cli(packed, "cache", "verify").code == 0
    shown = cli(packed, "cache", "show", "pack:shop").out
    assert "2 types'" in shown
