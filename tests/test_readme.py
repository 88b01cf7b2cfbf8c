"""README says what the tool does: commands, keys, fields and examples are compared with the real thing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from codecortex.cli.main import cli, main
from codecortex.model.config import KEYS

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")


def documented_fields() -> set[str]:
    table = README[README.index("| object | fields |") :].split("\n\n")[0]
    return set(re.findall(r"`([a-zA-Z]+)`", table))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "repository"
    assert main(["demo", "--keep", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_has_its_section(name: str) -> None:
    assert f"### `codecortex {name}" in README


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_configuration_key_is_explained(key: str) -> None:
    assert f"`{key}`" in README or f"`{key.partition('.')[0]}.*`" in README


def test_the_outline_shown_is_the_outline_of_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    shown = README[README.index("# Demo.Core.NoteStore T_") :].split("\n```")[0]
    assert shown in capsys.readouterr().out


@pytest.mark.parametrize("symbol", ["Demo.Core.NoteStore", "NoteStore", "T_WP5D9D9M", "T:Demo.Core.NoteStore"])
def test_the_symbols_shown_find_the_type_of_the_demo(
    demo: Path, symbol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert symbol in README
    assert main(["-C", str(demo), "outline", symbol]) == 0
    assert capsys.readouterr().out.startswith("# Demo.Core.NoteStore T_WP5D9D9M\n")


def test_every_field_of_the_index_is_documented(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(demo), "index", "--json", "--members"]) == 0
    document = json.loads(capsys.readouterr().out)
    printed = set(document)
    for holder in (*document["projects"], *document["types"]):
        printed |= set(holder)
        for part in (*holder.get("members", ()), *holder.get("dependencies", ())):
            printed |= set(part)
    assert printed - documented_fields() - {"members"} == set()
