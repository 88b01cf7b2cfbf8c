"""`codecortex semantic prompt`, and the template that `init` leaves."""

from __future__ import annotations

import json

import pytest

from codecortex.store.template import template_files


@pytest.fixture(autouse=True)
def _no_settings_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_the_prompt_of_a_type_is_printed_and_its_size_told_apart(shop, cli, read_tree):
    before = read_tree(shop / ".codecortex")
    result = cli(shop, "semantic", "prompt", "Store")
    assert result.code == 0
    assert result.out.startswith("You write notes on C# types")
    assert "public sealed partial class Store<T> : IStore where T : Order" in result.out
    assert "(new): " in result.err
    assert result.err.rstrip().endswith("tokens, prompt 1.")
    after = read_tree(shop / ".codecortex")
    assert {path: data for path, data in after.items() if not path.startswith("local/")} == before


def test_the_same_in_json(shop, cli):
    told = json.loads(cli(shop, "semantic", "prompt", "Store", "--json").out)
    assert told["kind"] == "new"
    assert told["types"][0]["fqn"] == "Shop.Core.Store`1"
    assert told["changeClass"] is None
    assert told["promptVersion"] == "1"
    assert 300 < told["tokens"] < 2000
    assert told["mostAnswerTokens"] > 1000
    assert (told["noChange"], told["allSections"], told["cut"]) == (False, True, [])
    assert told["prompt"].endswith("Where there is nothing to say, write: None known.\n")


def test_a_note_that_holds_asks_for_nothing(shop, cli, tmp_path):
    body = tmp_path / "body"
    body.write_text("ROLE: Keeps.\n")
    assert cli(shop, "semantic", "put", "Store", str(body)).code == 0
    result = cli(shop, "semantic", "prompt", "Store")
    assert (result.code, result.out) == (0, "The note on Store holds: nothing would be asked.\n")
    assert json.loads(cli(shop, "semantic", "prompt", "Store", "--json").out)["prompt"] is None


def test_a_pattern_of_several_types_is_refused(shop, cli):
    result = cli(shop, "semantic", "prompt", "Shop.*")
    assert result.code == 2
    assert "Name one type." in result.err


def test_an_unknown_type_is_refused_with_near_names(shop, cli):
    result = cli(shop, "semantic", "prompt", "Stoer")
    assert result.code == 3
    assert "Store" in result.err


def test_what_may_not_be_sent_is_refused(shop, cli):
    (shop / ".codecortex" / "config.yaml").write_text("llm:\n  exclude: [src/Core]\n")
    result = cli(shop, "semantic", "prompt", "Store")
    assert result.code == 3
    assert "No model may be sent the sources of Shop.Core.Store`1." in result.err
    assert "llm.exclude" in result.err


def test_init_leaves_a_template_that_a_team_may_edit(shop, cli):
    path = shop / ".codecortex" / "prompts" / "note.md"
    assert path.read_bytes() == template_files()["prompts/note.md"]
    path.write_text(path.read_text().replace("{{task}}", "{{taks}}"))
    result = cli(shop, "semantic", "prompt", "Store")
    assert result.code == 3
    assert ".codecortex/prompts/note.md:43: there is no placeholder {{taks}}" in result.err
    assert "{{task}}" in result.err
