"""Sources that cannot be read right now, or that a partial clone lacks, are no deletions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import codecortex

ORDER = "src/Core/Order.cs"


def put_pipe(file):
    os.mkfifo(file)


def put_folder(file):
    file.mkdir()
    (file / "inside.txt").write_text("x", "utf-8")


@pytest.fixture
def told(shop, cli, git):
    """The shop with its outlines and a note on the record of `Order.cs`, committed."""
    assert cli(shop, "refresh").code == 0
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "outlines")
    return shop


@pytest.mark.parametrize("put", [put_pipe, put_folder])
def test_what_takes_the_place_of_a_source_deletes_nothing(told, cli, git, read_tree, put):
    (told / ".codecortex/semantic").mkdir(exist_ok=True)
    before = read_tree(told / ".codecortex/types")
    (told / ORDER).unlink()
    put(told / ORDER)
    # A like type appears: it must not be taken for what the unreadable one has become.
    (told / "src/Core/Like.cs").write_text("namespace Shop.Core;\npublic record Like(string Key);\n", "utf-8")
    git(told, "add", "src/Core/Like.cs")
    for options in ([], ["--full"], []):
        done = cli(told, "refresh", *options)
        assert done.code == 1
        assert f"{ORDER}: not read: not a regular file; what was last read of it still counts" in done.err
        assert "alias" not in done.out
    after = read_tree(told / ".codecortex/types")
    assert {path: after.get(path) for path in before} == before
    told_json = cli(told, "refresh", "--json")
    assert told_json.code == 1
    assert json.loads(told_json.out)["kept"] == [{"path": ORDER, "reason": "not a regular file"}]
    assert cli(told, "refresh", "--dry-run").code == 1
    assert not [each for each in json.loads(cli(told, "check", "--json").out)["findings"] if each["level"] == "error"]


def test_edits_that_are_not_staged_count_while_their_file_cannot_be_read(told, cli, read_tree):
    (told / ORDER).write_text((told / ORDER).read_text("utf-8") + "public class Fresh { }\n", "utf-8")
    assert cli(told, "refresh").code == 0
    before = read_tree(told / ".codecortex")
    (told / ORDER).unlink()
    put_folder(told / ORDER)
    for options in ([], ["--full"]):
        assert cli(told, "refresh", *options).code == 1
        after = read_tree(told / ".codecortex")
        assert {path: data for path, data in after.items() if "local" not in path} == before


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="needs another user")
def test_a_source_without_permission_deletes_nothing(told, read_tree):
    def as_nobody(*arguments):
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-m", "codecortex"]
        trust = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
        path = {"PYTHONPATH": str(Path(codecortex.__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [*command, *arguments], cwd=told, capture_output=True, check=False, env={**os.environ, **trust, **path}
        )

    for folder in (told.parent, *told.parent.parents):
        if not folder.stat().st_mode & 0o005:
            folder.chmod(folder.stat().st_mode | 0o055)
    for each in (told, *told.rglob("*")):
        os.chown(each, 65534, 65534)
    if as_nobody("--version").returncode:
        pytest.skip("another user may not read this checkout")
    before = read_tree(told / ".codecortex/types")
    (told / ORDER).chmod(0)
    done = as_nobody("refresh")
    assert (done.returncode, done.stdout) == (1, b"5 types: nothing to do.\n")
    assert done.stderr.decode() == f"warning: {ORDER}: not read: unreadable; what was last read of it still counts\n"
    assert read_tree(told / ".codecortex/types") == before
    (told / ORDER).chmod(0o644)

    # A file that git has no version of: what was last read of it counts, and without that nothing is written.
    (told / ".codecortex/config.yaml").write_text("untracked: true\n", "utf-8")
    (told / "src/Core/New.cs").write_text("namespace Shop.Core;\npublic class New { }\n", "utf-8")
    assert as_nobody("refresh").returncode == 0
    (told / "src/Core/New.cs").chmod(0)
    before = read_tree(told / ".codecortex/types")
    assert as_nobody("refresh").returncode == 1
    assert read_tree(told / ".codecortex/types") == before
    for each in (told / ".git/codecortex").glob("cache.sqlite*"):
        each.unlink()
    done = as_nobody("refresh")
    assert done.returncode == 3
    assert b"1 file cannot be read (src/Core/New.cs first: unreadable)" in done.stderr
    assert read_tree(told / ".codecortex/types") == before


def test_a_clone_without_sources_is_told_once_and_loses_nothing(told, tmp_path, cli, git, read_tree):
    for number in range(6):
        (told / f"src/Core/More{number}.cs").write_text(f"class More{number};\n", "utf-8")
    git(told, "add", ".")
    assert cli(told, "refresh").code == 0
    git(told, "add", ".")
    git(told, "commit", "--quiet", "-m", "more")
    git(told, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", told.as_uri(), str(clone))
    git(clone, "sparse-checkout", "set", ".codecortex")
    git(clone, "checkout", "--quiet")
    before = read_tree(clone / ".codecortex")
    for command in (["refresh"], ["refresh", "--full"], ["refresh", "--dry-run"], ["check"]):
        done = cli(clone, *command)
        assert (done.code, done.out) == (3, "")
        assert done.err.startswith("error: ")
        assert "not in this clone" in done.err
        assert "git fetch --refetch --no-filter" in done.err
        assert done.err.count("\n") == 2
    assert len(cli(clone, "search", "More").err.splitlines()) == 2
    after = read_tree(clone / ".codecortex")
    assert {path: data for path, data in after.items() if "/local/" not in f"/{path}"} == before
    git(clone, "fetch", "--quiet", "--refetch", "--no-filter")
    assert cli(clone, "refresh").out.endswith(": nothing to do.\n")
    assert cli(clone, "check").code == 0
