"""`doctor`: each thing that may be broken is broken in turn; it is told with a next step, and nothing is written."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from codecortex.operations.setup.rows import State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Cli

    Case = tuple[Callable[..., None], str, str]
    """What breaks something, the row that tells it, and a part of the next step."""


@pytest.fixture
def sound(shop: Path, cli: Cli, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The shop as it should be: refreshed, committed, with hooks."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert cli(shop, "refresh").code == 0
    git(shop, "add", ".codecortex")
    git(shop, "commit", "--quiet", "-m", "map")
    assert cli(shop, "hooks", "install").code == 0
    return shop


def examine(cli: Cli, root: Path) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    """The exit code, and the rows that are not ok, by what they are about."""
    result = cli(root, "doctor", "--json")
    assert result.err == ""
    told = json.loads(result.out)
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in told["rows"]:
        if row["state"] != State.OK:
            rows.setdefault(row["about"], []).append(row)
    return result.code, rows


def break_config(root: Path, _: Callable[..., str]) -> None:
    (root / ".codecortex/config.yaml").write_text("scc:\n  maxTypes: none\n", "utf-8")


def break_framework(root: Path, _: Callable[..., str]) -> None:
    (root / ".codecortex/config.yaml").write_text("project:\n  tfm: banana\n", "utf-8")


def break_config_folder(root: Path, _: Callable[..., str]) -> None:
    (root / ".codecortex/config.yaml").unlink()
    (root / ".codecortex/config.yaml").mkdir()


def break_index(root: Path, _: Callable[..., str]) -> None:
    (root / ".codecortex/index.json").write_bytes(b"{")


def drop_index(root: Path, _: Callable[..., str]) -> None:
    (root / ".codecortex/index.json").unlink()


def renew_index(root: Path, _: Callable[..., str]) -> None:
    index = root / ".codecortex/index.json"
    index.write_text(index.read_text("utf-8").replace('"schemaVersion":"1', '"schemaVersion":"9'), "utf-8")
    assert '"9' in index.read_text("utf-8")


def link_index(root: Path, _: Callable[..., str]) -> None:
    move_behind_link(root / ".codecortex/index.json")


def link_outlines(root: Path, _: Callable[..., str]) -> None:
    move_behind_link(root / ".codecortex/types")


def move_behind_link(path: Path) -> None:
    elsewhere = path.parents[2] / path.name
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def leave_conflict(root: Path, _: Callable[..., str]) -> None:
    text = b"<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n"
    (root / ".codecortex/prompts/note.md").write_bytes(text)


def change_source(root: Path, _: Callable[..., str]) -> None:
    (root / "src/Core/Order.cs").write_text("namespace Shop.Core; public class Other;\n", "utf-8")


def drop_folder(root: Path, _: Callable[..., str]) -> None:
    shutil.rmtree(root / ".codecortex")


def break_attributes(root: Path, _: Callable[..., str]) -> None:
    (root / ".codecortex/.gitattributes").write_bytes(b"")


def edit_script(root: Path, _: Callable[..., str]) -> None:
    script = root / ".git/codecortex/hooks/pre-commit"
    script.write_bytes(script.read_bytes() + b"# mine\n")


def drop_interpreter(root: Path, _: Callable[..., str]) -> None:
    folder = root / ".git/codecortex/hooks"
    for script in folder.iterdir():
        text = script.read_text("utf-8")
        script.write_text(text.replace("python='", "python='/nowhere").replace("python=/", "python=/nowhere/"), "utf-8")


def disable_hook(root: Path, _: Callable[..., str]) -> None:
    (root / ".git/hooks/pre-commit").chmod(0o644)


def drop_driver(root: Path, git: Callable[..., str]) -> None:
    git(root, "config", "--remove-section", "merge.codecortex")


def break_cache(root: Path, _: Callable[..., str]) -> None:
    for path in (root / ".git/codecortex").glob("cache.sqlite*"):
        path.unlink()
    (root / ".git/codecortex/cache.sqlite").write_bytes(b"no database at all, but long enough to be read as one\n" * 99)


def damage_row(root: Path, _: Callable[..., str]) -> None:
    db = sqlite3.connect(root / ".git/codecortex/cache.sqlite")
    db.execute("UPDATE snapshots SET data = zeroblob(9)")
    db.commit()
    db.close()


def start_merge(root: Path, git: Callable[..., str]) -> None:
    (root / ".git/MERGE_HEAD").write_text(git(root, "rev-parse", "HEAD") + "\n", "utf-8")


def leave_lock(root: Path, _: Callable[..., str]) -> None:
    (root / ".git/index.lock").write_bytes(b"")


def leave_journal(root: Path, _: Callable[..., str]) -> None:
    (root / ".git/codecortex/journal").write_bytes(b"half")


def leave_temporary(root: Path, _: Callable[..., str]) -> None:
    (root / ".codecortex/.codecortex-tmp-99999999-00000000-1").write_bytes(b"")


def commit_ahead(root: Path, git: Callable[..., str]) -> None:
    ahead = git(root, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "later")
    body = git(root, "cat-file", "commit", ahead).replace("1704164645", "4102444800")
    git(root, "update-ref", "HEAD", git(root, "hash-object", "-t", "commit", "-w", "--stdin", stdin=body.encode()))


def ask_for_program(root: Path, _: Callable[..., str]) -> None:
    (root / ".codecortex/config.yaml").write_text("llm:\n  provider: command\n  command: [cat]\n", "utf-8")


def ask_for_key(root: Path, _: Callable[..., str]) -> None:
    (root / ".codecortex/config.yaml").write_text("llm:\n  provider: openai\n  model: some\n", "utf-8")


def break_git_config(root: Path, _: Callable[..., str]) -> None:
    (root / ".git/config").write_text("[core\n", "utf-8")


def drop_head(root: Path, _: Callable[..., str]) -> None:
    (root / ".git/HEAD").write_bytes(b"ref: refs/heads/none\n")


def damage_git_index(root: Path, _: Callable[..., str]) -> None:
    (root / ".git/index").write_bytes(b"DIRC\0\0")


def hide_source(root: Path, _: Callable[..., str]) -> None:
    (root / "src/Core/Order.cs").unlink()
    os.mkfifo(root / "src/Core/Order.cs")


WARNINGS = [
    (drop_index, "index", "codecortex refresh"),
    (break_index, "index", "codecortex refresh"),
    (hide_source, "sources", "codecortex check"),
    (change_source, "index", "codecortex refresh"),
    (break_attributes, "attributes", ".gitattributes"),
    (edit_script, "hooks", "codecortex hooks install"),
    (disable_hook, "hooks", "codecortex hooks install"),
    (drop_driver, "merge driver", "codecortex hooks install"),
    (break_cache, "cache", "builds it anew"),
    (damage_row, "cache", "codecortex cache verify"),
    (start_merge, "repository", "git status"),
    (leave_lock, "repository", "remove it"),
    (leave_journal, "leftovers", "codecortex refresh"),
    (leave_temporary, "leftovers", "codecortex refresh"),
    (commit_ahead, "clock", "set the clock"),
    (ask_for_program, "provider", "codecortex trust"),
    (ask_for_key, "provider", "llm"),
]
PROBLEMS = [
    (break_config, "config", "Types that may share"),
    (break_framework, "config", "name one that projects target (net"),
    (break_config_folder, "tree", "regular file"),
    (renew_index, "index", "codecortex check"),
    (link_index, "index", "codecortex check"),
    (link_outlines, "index", "codecortex check"),
    (leave_conflict, "index", "codecortex check"),
    (drop_folder, "files", "codecortex init"),
    (drop_interpreter, "hooks", "codecortex hooks install"),
    (break_git_config, "repository", ""),
    (damage_git_index, "tree", "git reset"),
]


def test_a_sound_clone_has_nothing_to_mend(sound: Path, cli: Cli) -> None:
    assert examine(cli, sound) == (0, {})
    shown = cli(sound, "doctor")
    assert shown.code == 0
    assert "ok       index" in shown.out
    assert "->" not in shown.out


@pytest.mark.parametrize("case", WARNINGS, ids=lambda case: case[0].__name__)
def test_what_is_not_as_it_should_be_is_told(sound: Path, cli: Cli, git: Callable[..., str], case: Case) -> None:
    spoil, about, mend = case
    spoil(sound, git)
    code, rows = examine(cli, sound)
    assert code == 0
    assert any(row["state"] == State.WARNING and mend in row["mend"] for row in rows[about])


@pytest.mark.parametrize("case", PROBLEMS, ids=lambda case: case[0].__name__)
def test_what_is_broken_fails(sound: Path, cli: Cli, git: Callable[..., str], case: Case) -> None:
    spoil, about, mend = case
    spoil(sound, git)
    code, rows = examine(cli, sound)
    assert code == 1
    assert any(row["state"] == State.PROBLEM and mend in row["mend"] for row in rows[about])


@pytest.mark.parametrize("spoil", [spoil for spoil, *_ in WARNINGS + PROBLEMS] + [drop_head])
def test_nothing_is_written_whatever_is_broken(
    sound: Path, cli: Cli, git: Callable[..., str], spoil: Callable[..., None]
) -> None:
    spoil(sound, git)
    before = list_states(sound)
    cli(sound, "doctor")
    assert list_states(sound) == before


def list_states(folder: Path) -> dict[str, tuple[int, int, int]]:
    """How each file lies on disk, git's own folder included."""
    return {
        path.relative_to(folder).as_posix(): (path.lstat().st_mtime_ns, path.lstat().st_ino, path.lstat().st_size)
        for path in sorted(folder.rglob("*"))
        if not path.is_dir()
    }


def test_no_repository_is_a_problem(tmp_path: Path, cli: Cli) -> None:
    code, rows = examine(cli, tmp_path)
    assert code == 1
    assert "git init" in rows["repository"][0]["mend"]


def test_a_clone_that_was_not_set_up_says_each_step(shop: Path, cli: Cli) -> None:
    code, rows = examine(cli, shop)
    assert code == 0
    assert {about: row["mend"] for about, (row,) in rows.items()} == {
        "hooks": "codecortex hooks install",
        "merge driver": "codecortex hooks install",
        "index": "codecortex refresh",
    }


def test_a_bare_repository_is_told(sound: Path, tmp_path: Path, cli: Cli, git: Callable[..., str]) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(sound), "bare")
    code, rows = examine(cli, tmp_path / "bare")
    assert code == 0
    assert "no work tree" in rows["repository"][0]["told"]


def test_a_map_that_a_sparse_checkout_leaves_out_is_not_made_anew(
    sound: Path, cli: Cli, git: Callable[..., str]
) -> None:
    with (sound / ".codecortex/config.yaml").open("a", encoding="utf-8") as file:
        file.write("exclude: [gen/**]\n")
    git(sound, "commit", "--quiet", "--all", "-m", "settings")
    git(sound, "sparse-checkout", "set", "--no-cone", "/src/")
    assert not (sound / ".codecortex/config.yaml").exists()
    for words in (("init",), ("refresh",), ("alias", "add", "Gone", "Store"), ("check",)):
        said = cli(sound, *words)
        assert said.code == 2
        assert "git sparse-checkout add .codecortex" in said.err, words
    assert not (sound / ".codecortex/config.yaml").exists()
    assert "git sparse-checkout add .codecortex" in cli(sound, "doctor").out
    git(sound, "sparse-checkout", "add", "/.codecortex/")
    assert cli(sound, "check", "--semantic", "off").code == 0
