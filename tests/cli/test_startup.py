"""What a short command must not load: each of these costs more than the command itself."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from codecortex.cli.elsewhere import ELSEWHERE
from codecortex.cli.main import cli as cli_group

HEAVY = {"pygit2", "rich", "ruamel", "tree_sitter", "tree_sitter_c_sharp", "sqlite3", "multiprocessing", "httpx"}
REPORT = "import atexit, json, sys\natexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"


@pytest.fixture
def load(process, tmp_path):
    """The top-level modules that a command had loaded when it ended."""
    place = tmp_path / "site"
    place.mkdir()
    (place / "sitecustomize.py").write_text(REPORT, "utf-8")

    def run(folder, source, *arguments):
        done = process(folder, *arguments, PYTHONPATH=f"{place}:{source}")
        assert done.returncode == 0, done.stderr
        return set(json.loads(done.stderr.splitlines()[-1]))

    return run


def own(loaded):
    """The modules of codecortex among those loaded."""
    return {name for name in loaded if name.startswith("codecortex.")}


def test_the_version_is_told_without_click(tmp_path, load, source):
    loaded = load(tmp_path, source, "--version")
    assert "click" not in loaded
    assert own(loaded) == {"codecortex.__main__"} & loaded


def test_the_version_cannot_be_told_to_a_full_disk(source):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    command = [sys.executable, "-m", "codecortex", "--version"]
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            command,
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": source},
        )
    assert (done.returncode, "No space left" in done.stderr) == (3, True)


def test_help_loads_no_command(tmp_path, load, source):
    loaded = load(tmp_path, source, "--help")
    assert "click" in loaded
    assert not loaded & (HEAVY | {"subprocess", "dataclasses"})
    assert own(loaded) - {"codecortex.__main__"} == {
        "codecortex.cli",
        "codecortex.cli.early",
        "codecortex.cli.elsewhere",
        "codecortex.cli.interrupts",
        "codecortex.cli.main",
        "codecortex.cli.options",
        "codecortex.cli.output",
        "codecortex.model",
        "codecortex.model.errors",
        "codecortex.model.startup",
        "codecortex.model.startup.named_tuple",
        "codecortex.model.startup.patterns",
        "codecortex.model.text",
        "codecortex.model.text.visible",
    }


@pytest.mark.parametrize("name", ELSEWHERE)
def test_help_says_of_a_command_what_the_command_says_of_itself(name):
    command = cli_group.get_command(click.Context(cli_group), name)
    assert ELSEWHERE[name].summary == ("" if command.hidden else command.get_short_help_str(limit=300))


def test_help_of_a_command_loads_nothing_heavy(tmp_path, load, source):
    loaded = load(tmp_path, source, "refresh", "--help")
    assert "click" in loaded
    assert not loaded & (HEAVY | {"subprocess"})


def test_a_refresh_with_nothing_to_do_loads_no_parser(shop, cli, load, source):
    cli(shop, "refresh")
    assert not load(shop, source, "refresh") & (HEAVY - {"sqlite3"})


@pytest.mark.parametrize(
    "command",
    [
        ("refresh",),
        ("check",),
        ("resolve", "Store"),
        ("outline", "Store"),
        ("log", "Store"),
        ("changes", "HEAD"),
        ("changes", "HEAD..HEAD"),
        ("diff", "Store", "HEAD..HEAD"),
        ("hook", "pre-commit"),
    ],
)
def test_a_command_that_asks_git_a_few_things_does_without_libgit2(shop, cli, load, source, command):
    cli(shop, "refresh")
    assert "pygit2" not in load(shop, source, *command)


def test_a_refresh_after_a_small_edit_starts_no_processes_and_no_yaml(shop, cli, load, source):
    cli(shop, "refresh")
    (shop / "src/Core/Order.cs").write_text("class New;\n", "utf-8")
    loaded = load(shop, source, "refresh")
    assert "tree_sitter" in loaded
    assert not loaded & {"multiprocessing", "ruamel", "rich", "httpx", "pygit2"}


def test_a_refresh_after_an_edit_of_a_body_loads_nothing_for_notes_and_renames(shop, cli, load, source):
    order = shop / "src/Core/Order.cs"
    order.write_text("class New { int M() { return 1; } }\n", "utf-8")
    cli(shop, "refresh")
    order.write_text("class New { int M() { return 2; } }\n", "utf-8")
    loaded = load(shop, source, "refresh")
    assert "codecortex.operations.refresh.incremental" in loaded
    assert not loaded & {"dataclasses", "difflib", "codecortex.model.notes", "codecortex.operations.notes.moves"}
    assert "codecortex.operations.refresh.successors" not in loaded


def test_a_refresh_that_had_nothing_to_do_before_loads_nothing_that_lists_or_plans(shop, cli, git, load, source):
    cli(shop, "refresh")
    git(shop, "add", "-A")
    git(shop, "commit", "-q", "-m", "map")
    cli(shop, "refresh")
    loaded = own(load(shop, source, "refresh"))
    assert "codecortex.operations.refresh.unchanged" in loaded
    assert not loaded & {
        "codecortex.git.listing",
        "codecortex.model.config",
        "codecortex.operations.reading.tree",
        "codecortex.operations.refresh.run",
        "codecortex.store.committed.aliases_json",
    }
