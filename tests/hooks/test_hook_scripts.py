"""The shell scripts themselves: what they spare people, and what they say where the command is missing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from codecortex.operations.reading.sources import SUFFIXES

SCRIPTS = Path(__file__).parents[2] / "hooks"
NAMES = ("pre-commit", "post-commit", "post-merge", "post-checkout", "post-rewrite")
ARGUMENTS = {"post-merge": ["0"], "post-checkout": ["HEAD~1", "HEAD", "1"], "post-rewrite": ["rebase"]}


@pytest.fixture
def tools(tmp_path):
    """A folder that holds git and the shell's tools, and a `codecortex` that only notes how it was called."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("git", "sh", "grep", "cat"):
        (folder / name).symlink_to(shutil.which(name))
    note(folder, 0)
    return folder


def note(tools, code):
    file = tools / "codecortex"
    file.write_text(f'#!/bin/sh\necho "$@" >> "{tools}/called"\nexit {code}\n')
    file.chmod(0o755)


@pytest.fixture
def shop(repo, git):
    """A repository whose newest commit touches a C# file, with a `.codecortex` folder."""
    (repo / ".codecortex").mkdir()
    (repo / ".codecortex/config.yaml").write_text("# nothing\n")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "two")
    git(repo, "update-ref", "ORIG_HEAD", "HEAD")
    (repo / "a.cs").write_text("class A { }\n")
    git(repo, "commit", "--quiet", "-a", "-m", "three")
    return repo


def run(shop, tools, name, *arguments, shell="sh", **variables):
    """Run a script as git does, and wait for what it left running; its code, what it said, how it called us."""
    environment = {**os.environ, "PATH": str(tools), **variables}
    command = [shutil.which(shell), str(SCRIPTS / name), *(arguments or ARGUMENTS.get(name, []))]
    reading, writing = os.pipe()
    done = subprocess.run(
        command, cwd=shop, env=environment, capture_output=True, text=True, check=False, pass_fds=(writing,)
    )
    os.close(writing)
    with open(reading) as everybody:  # noqa: PTH123 - it ends when the last process that shares it has
        everybody.read()
    called = tools / "called"
    told = called.read_text() if called.exists() else ""
    called.unlink(missing_ok=True)
    return done.returncode, done.stderr, told


def stage(shop, git, path="a.cs"):
    (shop / path).parent.mkdir(parents=True, exist_ok=True)
    (shop / path).write_text("class A { int x; }\n")
    git(shop, "add", path)


@pytest.mark.parametrize("shell", ["sh", "dash", "bash"])
def test_pre_commit_calls_the_command(shop, git, tools, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell}")
    stage(shop, git)
    assert run(shop, tools, "pre-commit", shell=shell) == (0, "", "hook pre-commit\n")


@pytest.mark.parametrize("name", ["post-merge", "post-checkout", "post-rewrite"])
def test_the_others_call_the_command_with_its_arguments(shop, tools, name):
    assert run(shop, tools, name) == (0, "", f"hook {name} {' '.join(ARGUMENTS[name])}\n")


def test_post_commit_calls_the_command_where_there_is_a_journal(shop, tools):
    (shop / ".git/codecortex").mkdir()
    for name in ("journal", "seen"):
        (shop / ".git/codecortex" / name).write_text("1\n")
    assert run(shop, tools, "post-commit") == (0, "", "hook post-commit\n")


def test_post_commit_calls_the_command_where_pre_commit_has_not_seen_the_commit(shop, git, tools):
    (shop / ".git/codecortex").mkdir()
    seen = shop / ".git/codecortex/seen"
    seen.write_text("1\n")
    assert run(shop, tools, "post-commit") == (0, "", "")
    assert not seen.read_text()
    assert run(shop, tools, "post-commit") == (0, "", "hook post-commit\n")
    stage(shop, git, "notes.txt")
    git(shop, "commit", "--quiet", "-m", "four")
    assert run(shop, tools, "post-commit") == (0, "", "")


@pytest.mark.parametrize("name", NAMES)
def test_codecortex_0_leaves_at_once(shop, git, tools, name):
    stage(shop, git)
    (shop / ".git/codecortex").mkdir()
    (shop / ".git/codecortex/journal").touch()
    assert run(shop, tools, name, CODECORTEX="0") == (0, "", "")


@pytest.mark.parametrize("name", NAMES)
def test_a_repository_without_codecortex_is_left_at_once(repo, git, tools, name):
    stage(repo, git)
    git(repo, "commit", "--quiet", "-m", "two")
    stage(repo, git, "c.cs")
    assert run(repo, tools, name) == (0, "", "")


def test_pre_commit_starts_nothing_for_files_that_do_not_matter(shop, git, tools):
    stage(shop, git, "notes.txt")
    (shop / "a.cs").write_text("class A { int unstaged; }\n")
    assert run(shop, tools, "pre-commit") == (0, "", "")


@pytest.mark.parametrize("name", ["post-merge", "post-checkout", "post-rewrite"])
def test_the_others_start_nothing_where_nothing_moved(shop, git, tools, name):
    git(shop, "update-ref", "ORIG_HEAD", "HEAD")
    stage(shop, git, "notes.txt")
    git(shop, "commit", "--quiet", "-m", "four")
    assert run(shop, tools, name) == (0, "", "")


@pytest.mark.parametrize("name", ["pre-commit", "post-merge", "post-checkout", "post-rewrite"])
def test_a_notice_is_always_told(shop, git, tools, name):
    git(shop, "update-ref", "ORIG_HEAD", "HEAD")
    (shop / ".git/codecortex").mkdir()
    (shop / ".git/codecortex/notice").touch()
    assert run(shop, tools, name)[2]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_file_that_counts_is_known_to_every_script(shop, git, tools, suffix):
    git(shop, "update-ref", "ORIG_HEAD", "HEAD")
    path = f"deep/er/{suffix.upper().lstrip('.')}" if not suffix.startswith(".") else f"deep/er/X{suffix.upper()}"
    stage(shop, git, path)
    assert run(shop, tools, "pre-commit")[2]
    git(shop, "commit", "--quiet", "-m", "four")
    for name in ("post-commit", "post-merge", "post-checkout", "post-rewrite"):
        assert run(shop, tools, name)[2], name


def test_pre_commit_sees_what_is_staged_below_codecortex(shop, git, tools):
    stage(shop, git, ".codecortex/types/T_AAAAAAAA.outline.md")
    assert run(shop, tools, "pre-commit")[2]


def test_pre_commit_before_the_first_commit(tmp_path, git, tools):
    git(tmp_path, "init", "--quiet")
    stage(tmp_path, git, ".codecortex/config.yaml")
    assert run(tmp_path, tools, "pre-commit") == (0, "", "hook pre-commit\n")


def test_intent_to_add_is_nothing_staged(shop, git, tools):
    (shop / "new.cs").write_text("class New;\n")
    git(shop, "add", "--intent-to-add", "new.cs")
    assert run(shop, tools, "pre-commit") == (0, "", "")


def test_pre_commit_where_the_folder_is_in_the_index_alone(shop, git, tools):
    stage(shop, git)
    shutil.rmtree(shop / ".codecortex")
    assert run(shop, tools, "pre-commit")[2]


@pytest.mark.parametrize("name", ["pre-commit", "post-merge", "post-checkout", "post-rewrite"])
def test_an_editor_that_wants_paths_taken_literally_changes_nothing(shop, git, tools, name):
    stage(shop, git)
    assert run(shop, tools, name, GIT_LITERAL_PATHSPECS="1")[2]


@pytest.mark.parametrize("state", ["CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "rebase-merge", "rebase-apply"])
def test_in_the_middle_of_something_longer_only_the_end_of_a_rebase_counts(shop, tools, state):
    (shop / ".git" / state).touch()
    assert run(shop, tools, "post-merge") == (0, "", "")
    assert run(shop, tools, "post-checkout") == (0, "", "")
    assert run(shop, tools, "post-commit") == (0, "", "")
    assert bool(run(shop, tools, "post-rewrite")[2]) is state.startswith("rebase")


def test_single_files_checked_out_and_amended_commits_are_left_at_once(shop, tools):
    assert run(shop, tools, "post-checkout", "HEAD~1", "HEAD", "0") == (0, "", "")
    assert run(shop, tools, "post-rewrite", "amend") == (0, "", "")


def test_without_the_command_a_commit_goes_on_and_is_told_how_to_mend(shop, git, tools):
    stage(shop, git)
    (tools / "codecortex").unlink()
    code, err, _ = run(shop, tools, "pre-commit")
    assert code == 0
    assert "codecortex is not installed here" in err
    assert "codecortex refresh" in err


@pytest.mark.parametrize("name", [name for name in NAMES if name != "pre-commit"])
def test_without_the_command_the_others_say_nothing(shop, tools, name):
    (tools / "codecortex").unlink()
    assert run(shop, tools, name) == (0, "", "")


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ("hooks:\n  strict: true\n", True),
        ('hooks: {"strict": true}\n', True),
        ("hooks:\n  strict: false\n", False),
        ("hooks:\n#  strict: true\n", False),
        ("# hooks: strict: true\n", False),
        ("hooks:\n  strict : true\n", True),
    ],
)
def test_only_a_strict_configuration_stops_a_commit(shop, git, tools, text, strict):
    (shop / ".codecortex/config.yaml").write_text(text)
    git(shop, "add", ".")
    stage(shop, git)
    note(tools, 137)  # killed
    assert run(shop, tools, "pre-commit")[0] == int(strict)
    (tools / "codecortex").unlink()
    assert run(shop, tools, "pre-commit")[0] == int(strict)


def test_the_configuration_that_counts_is_the_one_being_committed(shop, git, tools):
    stage(shop, git)
    (tools / "codecortex").unlink()
    (shop / ".codecortex/config.yaml").write_text("hooks:\n  strict: true\n")
    assert run(shop, tools, "pre-commit")[0] == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_scripts_are_plain_posix(name):
    text = (SCRIPTS / name).read_text("ascii")
    assert text.startswith("#!/bin/sh\n")
    assert text.count(f'set -- codecortex hook {name} "$@"\n') == 1
    assert "\r" not in text
    assert os.access(SCRIPTS / name, os.X_OK)
    if shutil.which("shellcheck"):
        done = subprocess.run(["shellcheck", str(SCRIPTS / name)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
