"""`config`: the settings in force and where each comes from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from codecortex.model.config_keys import KEYS
from tests.cli.conftest import ask

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

CONFIG = ".codecortex/config.yaml"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own file, which does not exist yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    file = tmp_path / "own/codecortex/config.yaml"
    file.parent.mkdir(parents=True)
    return file


def list_set(cli: Cli, root: Path) -> dict[str, tuple[object, list[str]]]:
    """Value and files of each key that some file sets."""
    settings = ask(cli, root, "config", "list")["settings"]
    return {each["key"]: (each["value"], each["files"]) for each in settings if each["files"]}


@pytest.mark.usefixtures("own")
def test_without_a_setting_every_key_has_its_default(shop: Path, cli: Cli) -> None:
    settings = ask(cli, shop, "config", "list")["settings"]
    assert [each["key"] for each in settings] == list(KEYS)
    assert list_set(cli, shop) == {}
    lines = cli(shop, "config", "list").out.splitlines()
    assert len(lines) == len(KEYS)
    assert all(line.endswith("  default") for line in lines)


@pytest.mark.usefixtures("own")
def test_a_setting_of_the_repository_names_its_line(shop: Path, cli: Cli) -> None:
    text = "# mine\nexclude: [gen/**]\nscc:\n  maxTypes: 4\npacks:\n  core:\n    filter: access:public\n"
    (shop / CONFIG).write_text(text, "utf-8")
    assert list_set(cli, shop) == {
        "exclude": (["gen/**"], [f"{CONFIG}:2"]),
        "scc.maxTypes": (4, [f"{CONFIG}:4"]),
        "packs": ({"core": {"filter": "access:public", "tokenBudget": 4000}}, [f"{CONFIG}:5"]),
    }
    shown = cli(shop, "config", "list").out
    assert f"{CONFIG}:4" in shown
    assert "[core]" in shown


def test_the_users_own_file_goes_before_and_adds(shop: Path, cli: Cli, own: Path) -> None:
    (shop / CONFIG).write_text("llm:\n  maxTokensPerRun: 5000\n  exclude: [secret/**]\n  priceIn: 2.50\n", "utf-8")
    own.write_text("llm:\n  maxTokensPerRun: 9000\n  exclude: [mine/**]\n  hosts: [example.com]\n", "utf-8")
    assert list_set(cli, shop) == {
        "llm.maxTokensPerRun": (9000, [str(own)]),
        "llm.exclude": (["secret/**", "mine/**"], [f"{CONFIG}:3", str(own)]),
        "llm.priceIn": (2.5, [f"{CONFIG}:4"]),
        "llm.hosts": (["example.com"], [str(own)]),
    }


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("key", "shown"),
    [("scc.maxTypes", "8\n"), ("project.tfm", "null\n"), ("metrics", "true\n"), ("exclude", "a/**\nb/**\n")],
)
def test_one_value_is_printed_for_a_shell(shop: Path, cli: Cli, key: str, shown: str) -> None:
    (shop / CONFIG).write_text("exclude: [a/**, b/**]\n", "utf-8")
    assert cli(shop, "config", "get", key) == (0, shown, "")


def test_an_unknown_key_is_refused_with_the_nearest(shop: Path, cli: Cli) -> None:
    result = cli(shop, "config", "get", "scc.maxType")
    assert result.code == 2
    assert "did you mean scc.maxTypes?" in result.err


def test_an_invalid_file_is_told_as_everywhere(shop: Path, cli: Cli) -> None:
    (shop / CONFIG).write_text("scc:\n  maxTypes: many\n", "utf-8")
    result = cli(shop, "config", "list")
    assert result.code == 2
    assert f"{CONFIG}:2: scc.maxTypes" in result.err


def test_the_paths_are_told_even_of_files_that_cannot_be_read(shop: Path, cli: Cli, own: Path) -> None:
    (shop / CONFIG).write_text("{", "utf-8")
    own.write_text("{", "utf-8")
    assert cli(shop, "config", "path").out.splitlines() == [str(shop / CONFIG), str(own)]
    told = ask(cli, shop, "config", "path")
    assert (told["repository"], told["user"]) == (str(shop / CONFIG), str(own))


def test_the_schema_is_printed_without_a_repository(tmp_path: Path, cli: Cli) -> None:
    told = json.loads(cli(tmp_path, "config", "schema").out)
    assert told["$schema"].startswith("http://json-schema.org/")
    assert set(told["properties"]) == {name.partition(".")[0] for name in KEYS}
