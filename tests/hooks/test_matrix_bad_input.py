"""The commit matrix and bad input: the commit goes on, a line says why, nothing is lost."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import codecortex

pytestmark = pytest.mark.matrix

ALPHA, BETA = (f"src/Core/{name}.cs" for name in ("Alpha", "Beta"))
INDEX = ".codecortex/index.json"
CONFIG = ".codecortex/config.yaml"
ALPHA_ID = "T_73ED8478"
OUTLINE = f".codecortex/types/{ALPHA_ID}.outline.md"


def commit_as_it_stands(both, *paths):
    """Commit something without the hook, in the repository that has one."""
    both.repo.ask("add", "--force", *(paths or [".codecortex"]))
    both.repo.ask("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "spoilt")
    both.twin.ask("commit", "--quiet", "--allow-empty", "-m", "spoilt")


def expect_told(said, *words):
    """One line on stderr for people, and no more."""
    (line,) = said.err.splitlines()
    assert line.startswith("codecortex: ")
    assert all(word in line for word in words), line


def expect_left(both):
    """The commit was made as git makes it; generated files are as they were."""
    assert both.repo.list_generated("HEAD") == both.repo.list_generated("HEAD~1")
    both.expect_intact()


@pytest.mark.parametrize("text", ["", "{", "[]", "\0\0", '{"schemaVersion":"1.0"}\n', "<<<<<<< ours\n"], ids=repr)
def test_index_that_is_none(both, text):
    both.repo.write(INDEX, text)
    commit_as_it_stands(both)
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()


def test_index_of_a_newer_codecortex(both):
    both.repo.write(INDEX, both.repo.read(INDEX).replace('"schemaVersion":"1.0"', '"schemaVersion":"9.0"'))
    commit_as_it_stands(both)
    both.add_top(ALPHA, "Added")
    expect_told(both.commit("-a"), INDEX)
    expect_left(both)


@pytest.mark.parametrize("text", ["exclude: [\n", "exclud: []\n", "requires: '>=99'\n"], ids=["yaml", "key", "version"])
def test_configuration_that_is_none(both, text):
    both.write(CONFIG, text)
    both.add_top(ALPHA, "Added")
    expect_told(both.commit("-a"))
    expect_left(both)
    both.write(CONFIG, "")
    both.commit("-a")
    both.obey_law()


def test_strict_configuration_that_is_none(both):
    both.write(CONFIG, "hooks:\n  strict: true\nexclud: []\n")
    both.git("add", CONFIG)
    both.add_top(ALPHA, "Added")
    said = both.repo.git("commit", "-a", "-m", "never")
    assert said.code == 1
    both.expect_intact()
    both.write(CONFIG, "hooks:\n  strict: true\n")
    both.commit("-a")
    both.obey_law()


def test_generated_folder_that_is_a_file(both):
    shutil.rmtree(both.repo.root / ".codecortex/types")
    both.repo.write(".codecortex/types", "mine\n")
    both.repo.ask("rm", "--quiet", "-r", "--cached", ".codecortex/types")
    commit_as_it_stands(both)
    both.add_top(ALPHA, "Added")
    expect_told(both.commit("-a"))
    expect_left(both)
    assert both.repo.read(".codecortex/types") == "mine\n"


@pytest.mark.parametrize("what", [OUTLINE, INDEX])
def test_generated_file_that_is_a_link_out_of_the_repository(both, tmp_path, what):
    outside = tmp_path / "outside"
    outside.write_text("mine\n")
    (both.repo.root / what).unlink()
    (both.repo.root / what).symlink_to(outside)
    commit_as_it_stands(both)
    both.add_top(ALPHA, "Added")
    said = both.commit("-a")
    assert f"{what} is a symbolic link" in said.err
    assert both.repo.list_generated("HEAD") == both.repo.list_generated("HEAD~1")
    assert outside.read_text() == "mine\n"
    (both.repo.root / what).unlink()
    both.add_bottom(ALPHA, "Next")
    both.commit("-a")
    both.obey_law()


def test_folder_that_is_a_submodule_stays_one(both, tmp_path):
    for each in (both.repo, both.twin):
        each.ask("rm", "-rqf", ".codecortex")
        each.ask("commit", "--quiet", "--no-verify", "-m", "gone")
        inside = tmp_path / f"inside-{each.root.parent.name}"
        each.ask("init", "--quiet", str(inside))
        each.ask("-C", str(inside), "commit", "--quiet", "--allow-empty", "-m", "inside")
        inside.rename(each.root / ".codecortex")
        each.ask("add", ".codecortex")
    both.add_top(ALPHA, "Added")
    expect_told(both.commit("-a", ok=None), ".codecortex")
    assert both.repo.ask("ls-tree", "HEAD", ".codecortex").startswith("160000 commit ")
    assert both.repo.ask("ls-files", ".codecortex") == ".codecortex\n"
    assert [file.name for file in (both.repo.root / ".codecortex").iterdir()] == [".git"]


def test_folder_that_is_a_link_out_of_the_repository(both, tmp_path):
    outside = tmp_path / "outside"
    (both.repo.root / ".codecortex").rename(outside)
    (both.repo.root / ".codecortex").symlink_to(outside)
    before = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    both.repo.ask("rm", "--quiet", "-r", "--cached", ".codecortex")
    both.repo.ask("add", "--all")
    both.repo.ask("commit", "--quiet", "--no-verify", "-m", "link")
    both.add_top(ALPHA, "Added")
    assert both.repo.git("commit", "--quiet", "-a", "-m", "change").code == 0
    assert {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()} == before
    assert not both.repo.ask("status", "--porcelain")


def test_source_that_git_cannot_read(both):
    blob = both.repo.ask("rev-parse", f"HEAD:{BETA}").strip()
    for cache in (both.repo.root / ".git/codecortex").glob("cache*"):
        cache.unlink()
    file = both.repo.root / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o644)
    file.write_bytes(b"no object")
    both.add_top(ALPHA, "Added")
    expect_told(both.commit("-a"), BETA)
    assert both.repo.list_generated("HEAD") == both.seen[-1]


def test_local_cache_that_is_none(both):
    for file in (both.repo.root / ".git/codecortex").glob("cache*"):
        file.write_bytes(b"no database")
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()


def test_journal_that_is_none(both):
    (both.repo.root / ".git/codecortex/journal").write_bytes(b"no\0journal\t\0")
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()


@pytest.mark.parametrize("path", [ALPHA, OUTLINE], ids=["source", "outline"])
def test_index_with_stages(both, path):
    blobs = both.repo.ask("rev-parse", f"HEAD:{ALPHA}", f"HEAD:{BETA}").split()
    entries = "".join(f"100644 {blob} {stage}\t{path}\n" for stage, blob in zip((2, 3), blobs, strict=True))
    both.repo.ask("rm", "--quiet", "--cached", path)
    both.repo.git("update-index", "--index-info", stdin=entries)
    both.add_top(BETA, "Added")
    both.repo.ask("add", BETA)
    before = both.repo.ask("ls-files", "-s"), (both.repo.root / OUTLINE).read_bytes()
    said = both.repo.hook("pre-commit")
    assert said.code == 0
    expect_told(said, path)
    assert (both.repo.ask("ls-files", "-s"), (both.repo.root / OUTLINE).read_bytes()) == before


@pytest.mark.parametrize("name", ["pre-commit", "post-commit", "post-merge", "post-checkout", "post-rewrite"])
@pytest.mark.parametrize("where", ["nowhere", "git directory", "bare", "empty", "none of ours"])
def test_hook_where_there_is_nothing_for_it(both, tmp_path, name, where):
    folder = tmp_path / "folder"
    folder.mkdir()
    if where == "git directory":
        folder = both.repo.root / ".git"
    elif where != "nowhere":
        both.repo.ask("init", "--quiet", *(["--bare"] if where == "bare" else []), str(folder))
    if where == "none of ours":
        (folder / "a.cs").write_text("class A;\n")
        both.repo.ask("-C", str(folder), "add", ".")
    arguments = {"post-checkout": ["0" * 40, "0" * 40, "1"], "post-merge": ["0"], "post-rewrite": ["amend"]}
    done = subprocess.run(
        ["codecortex", "hook", name, *arguments.get(name, [])], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == (1 if where in ("nowhere", "git directory", "bare") else 0)
    assert not (folder / ".codecortex").exists()


def test_unknown_hook(both):
    done = subprocess.run(
        ["codecortex", "hook", "pre-lunch"], cwd=both.repo.root, capture_output=True, text=True, check=False
    )
    assert "pre-lunch" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_command(both, tmp_path):
    bare = tmp_path / "bin"
    bare.mkdir()
    for tool in ("git", "sh", "cat", "grep", "sed", "env"):
        (bare / tool).symlink_to(shutil.which(tool) or "/")
    hooks = both.repo.root / ".git/codecortex/hooks"
    for script in hooks.glob("p*"):  # as shipped, they call what PATH knows
        shutil.copy(Path(codecortex.__file__).parents[1] / "hooks" / script.name, script)
    both.add_top(ALPHA, "Added")
    said = both.commit("-a", PATH=str(bare))
    assert said.err
    assert all(line.startswith("codecortex: ") for line in said.err.splitlines())
    expect_left(both)


def test_index_held_by_another_git(both):
    both.add_top(ALPHA, "Added")
    both.git("add", ALPHA)
    lock = both.repo.root / ".git/index.lock"
    lock.touch()
    before = both.repo.ask("ls-files", "-s")
    said = both.repo.hook("pre-commit")
    assert said.code == 0
    expect_told(said, "index.lock")
    lock.unlink()
    assert both.repo.ask("ls-files", "-s") == before
    both.commit()
    both.obey_law()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may run a command as somebody else")
def test_repository_that_may_not_be_written(both):
    both.add_top(ALPHA, "Added")
    both.git("add", ALPHA)
    for folder in (both.repo.root, *both.repo.root.parents):
        if not folder.stat().st_mode & 0o005:
            folder.chmod(folder.stat().st_mode | 0o055)
    before = both.repo.ask("ls-files", "-s")
    trust = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}

    def run(*arguments):
        command = [
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            sys.executable,
            "-B",
            "-m",
            "codecortex",
        ]
        environment = {**os.environ, **trust}
        return subprocess.run(
            [*command, *arguments], cwd=both.repo.root, capture_output=True, text=True, check=False, env=environment
        )

    if run("--version").returncode:
        pytest.skip("another user may not read this checkout")
    done = run("hook", "pre-commit")
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("codecortex: ")
    assert both.repo.ask("ls-files", "-s") == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_work_tree_that_may_not_be_written(both):
    both.add_top(ALPHA, "Added")
    types = both.repo.root / ".codecortex/types"
    types.chmod(0o555)
    try:
        expect_told(both.commit("-a"))
    finally:
        types.chmod(0o755)
    expect_left(both)
