"""`hooks install|uninstall|status`: hooks stand where git runs them, replace nothing, and leave no trace."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codecortex.cli.main import main
from codecortex.store.hook_scripts import EVENTS, MERGE_DRIVER, recognise_link, write_link, write_scripts

LINKS = tuple(f".git/hooks/{event}" for event in EVENTS)


@pytest.fixture
def cli(capsys):
    """`cli(folder, "hooks", "install")`: exit code, stdout, stderr."""

    def run(folder, *arguments):
        capsys.readouterr()
        code = main(["-C", str(folder), *arguments])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def project(tmp_path, git, cli):
    """A repository with one type and a refreshed `.codecortex`, committed, under a name that sh has to quote."""
    root = tmp_path / "it's a project"
    root.mkdir()
    git(root, "init", "--quiet")
    (root / "A.cs").write_bytes(b"public class A { }\n")
    assert cli(root, "init")[0] == cli(root, "refresh")[0] == 0
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    return root


@pytest.fixture
def has_config_hooks(git, tmp_path):
    version = re.search(r"(\d+)\.(\d+)", git(tmp_path, "version"))
    return (int(version[1]), int(version[2])) >= (2, 54)


@pytest.fixture
def linked(has_config_hooks):
    """For tests of hooks that stand in files."""
    if has_config_hooks:
        pytest.skip("this git runs hooks from its configuration, so none is put into a file")


@pytest.fixture
def configured(has_config_hooks):
    """For tests of hooks that stand in git's configuration."""
    if not has_config_hooks:
        pytest.skip("needs git 2.54 or newer: name its folder in CODECORTEX_GIT")


def commit(root, name, *options, **variables):
    """Give the type another member and commit that; the finished process."""
    (root / "A.cs").write_text(f"public class A {{ public int {name}; }}\n", "utf-8")
    command = ["git", "commit", "--quiet", "--all", "-m", name, *options]
    return subprocess.run(command, cwd=root, capture_output=True, check=False, env={**os.environ, **variables})


def is_in_commit(root, git, name):
    """Whether the outline of the newest commit names the member."""
    return f"public int {name}" in git(root, "grep", "-h", "public int", "HEAD", "--", ".codecortex/types", check=False)


def look(root):
    """Everything in the git directory that installing might touch: bytes, modes, targets of links."""
    found = {}
    for path in sorted(
        [root / ".git/config", *(root / ".git/hooks").rglob("*"), *(root / ".git").glob("codecortex/hooks*")]
    ):
        state = path.lstat()
        found[str(path.relative_to(root))] = (
            str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else b"",
            oct(state.st_mode),
        )
    return found


def write_hook(path, text, mode=0o755):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    path.chmod(mode)


def read_states(cli, root):
    code, out, _ = cli(root, "hooks", "status", "--json")
    assert code == 0
    return {state["event"]: state for state in json.loads(out)["hooks"]}


def test_hooks_run_and_nothing_is_left_behind(project, git, cli):
    before = look(project)
    code, out, _ = cli(project, "hooks", "install")
    assert code == 0
    assert out.count(" runs  ") == len(EVENTS)
    assert commit(project, "One").returncode == 0
    assert is_in_commit(project, git, "One")
    assert git(project, "status", "--porcelain") == ""
    assert cli(project, "hooks", "uninstall")[0] == 0
    assert look(project) == before
    commit(project, "Two")
    assert not is_in_commit(project, git, "Two")


def test_installing_twice_changes_nothing(project, cli):
    cli(project, "hooks", "install")
    once = look(project)
    assert cli(project, "hooks", "install")[0] == 0
    assert look(project) == once


def test_uninstalling_what_was_never_installed(project, cli):
    before = look(project)
    assert cli(project, "hooks", "uninstall")[:2] == (0, "Nothing was installed.\n")
    assert look(project) == before


def test_a_hook_of_ones_own_runs_first_and_its_commit_holds_the_outlines(project, git, cli):
    write_hook(project / ".git/hooks/pre-commit", '#!/bin/sh\necho "own hook, $# arguments" >&2\n')
    before = look(project)
    cli(project, "hooks", "install")
    done = commit(project, "One")
    assert b"own hook, 0 arguments" in done.stderr
    assert is_in_commit(project, git, "One")
    cli(project, "hooks", "uninstall")
    assert look(project) == before


def test_a_failing_hook_of_ones_own_still_fails_the_commit(project, git, cli):
    write_hook(project / ".git/hooks/pre-commit", "#!/bin/sh\nexit 7\n")
    cli(project, "hooks", "install")
    head = git(project, "rev-parse", "HEAD")
    assert commit(project, "One").returncode != 0
    assert git(project, "rev-parse", "HEAD") == head


@pytest.mark.usefixtures("linked")
def test_the_exit_code_of_a_chained_hook_is_its_own(project, cli):
    write_hook(project / ".git/hooks/pre-commit", "#!/bin/sh\nexit 7\n")
    cli(project, "hooks", "install")
    assert subprocess.run([".git/hooks/pre-commit"], cwd=project, check=False).returncode == 7


def make_script(path):
    write_hook(path, "#!/bin/sh\necho a carriage return\r\necho no newline at the end")


def make_disabled(path):
    write_hook(path, "#!/bin/sh\nexit 1\n", 0o644)


def make_link(path):
    write_hook(path.parents[2] / "scripts" / "hook.sh", "#!/bin/sh\ntouch hook-ran\n", 0o750)
    path.symlink_to("../../scripts/hook.sh")


def make_broken_link(path):
    path.symlink_to("../../nowhere")


def make_binary(path):
    shutil.copy(shutil.which("true"), path)
    path.chmod(0o700)


@pytest.mark.parametrize("make", [make_script, make_disabled, make_link, make_broken_link, make_binary])
@pytest.mark.parametrize("event", ["pre-commit", "post-checkout"])
def test_whatever_stood_there_stands_there_again(project, git, cli, make, event):
    (project / ".git/hooks").mkdir(exist_ok=True)
    make(project / ".git/hooks" / event)
    before = look(project)
    cli(project, "hooks", "install")
    assert commit(project, "One").returncode == 0
    assert is_in_commit(project, git, "One")
    assert all(state["runs"] for state in read_states(cli, project).values())
    cli(project, "hooks", "uninstall")
    assert look(project) == before


def test_a_hook_that_is_a_link_finds_its_target_when_chained(project, cli):
    make_link(project / ".git/hooks/pre-commit")
    cli(project, "hooks", "install")
    commit(project, "One")
    assert (project / "hook-ran").exists()


def test_a_chained_hook_gets_its_arguments_and_its_stdin(project, git, cli):
    told = project.parent / "told"
    write_hook(project / ".git/hooks/post-rewrite", f'#!/bin/sh\necho "$1" >"{told}"\ncat >>"{told}"\n')
    cli(project, "hooks", "install")
    old = git(project, "rev-parse", "HEAD")
    commit(project, "One", "--amend")
    assert told.read_text("utf-8").split() == ["amend", old, git(project, "rev-parse", "HEAD")]


def test_the_failure_of_a_chained_post_checkout_reaches_git(project, cli):
    write_hook(project / ".git/hooks/post-checkout", "#!/bin/sh\nexit 5\n")
    cli(project, "hooks", "install")
    assert subprocess.run(["git", "switch", "-qc", "side"], cwd=project, check=False).returncode != 0


def test_hooks_of_a_linked_worktree_are_those_of_the_repository(project, git, cli):
    other = project.parent / "linked"
    git(project, "worktree", "add", "--quiet", str(other))
    assert cli(other, "hooks", "install")[0] == 0
    for name, root in (("One", other), ("Two", project)):
        assert commit(root, name).returncode == 0
        assert is_in_commit(root, git, name)
        assert all(state["runs"] for state in read_states(cli, root).values())
    cli(other, "hooks", "uninstall")
    assert not any((project / link).exists() for link in LINKS)


@pytest.mark.usefixtures("linked")
def test_a_committed_hooks_folder_gets_a_line_rather_than_a_file(project, git, cli):
    git(project, "config", "core.hooksPath", ".githooks")
    write_hook(project / ".githooks/pre-commit", "#!/bin/sh\necho shared hook >&2\n")
    before = look(project)
    code, out, _ = cli(project, "hooks", "install")
    assert code == 0
    assert "pre-commit     off   .githooks/pre-commit does not call codecortex" in out
    assert "Add to .githooks/pre-commit:" in out
    assert [file.name for file in (project / ".githooks").iterdir()] == ["pre-commit"]
    status = json.loads(cli(project, "hooks", "status", "--json")[1])
    assert status["manager"] == "core.hooksPath"
    for snippet in status["snippets"]:
        with (project / snippet["file"]).open("a") as file:
            file.write(snippet["text"])
    states = read_states(cli, project)
    assert states["pre-commit"]["runs"]
    assert states["post-commit"]["mend"] == "chmod +x .githooks/post-commit"
    for event in EVENTS:
        (project / ".githooks" / event).chmod(0o755)
    assert all(state["runs"] for state in read_states(cli, project).values())
    done = commit(project, "One")
    assert b"shared hook" in done.stderr
    assert is_in_commit(project, git, "One")
    assert "Take codecortex's lines out of .githooks/pre-commit," in cli(project, "hooks", "uninstall")[1]
    assert look(project) == before
    assert commit(project, "Two").stderr == b"shared hook\n"


@pytest.mark.usefixtures("linked")
def test_a_hooks_folder_inside_the_git_directory_is_ours_to_write_to(project, git, cli):
    git(project, "config", "core.hooksPath", ".git/own/hooks")
    cli(project, "hooks", "install")
    assert (project / ".git/own/hooks/pre-commit").is_file()
    commit(project, "One")
    assert is_in_commit(project, git, "One")
    cli(project, "hooks", "uninstall")
    assert list((project / ".git/own/hooks").iterdir()) == []


@pytest.mark.usefixtures("linked")
def test_hooks_that_are_switched_off_are_told(project, git, cli):
    git(project, "config", "core.hooksPath", os.devnull)
    cli(project, "hooks", "install")
    state = read_states(cli, project)["pre-commit"]
    assert "which switches hooks off" in state["problem"]
    assert state["mend"] == "git config --unset core.hooksPath"


@pytest.mark.usefixtures("linked")
def test_a_hook_that_calls_codecortex_already_is_left_alone(project, git, cli):
    write_hook(project / ".git/hooks/pre-commit", "#!/bin/sh\ncodecortex hook pre-commit\n")
    before = look(project)
    assert cli(project, "hooks", "install")[0] == 0
    assert not (project / ".git/hooks/pre-commit.before-codecortex").exists()
    commit(project, "One")
    assert is_in_commit(project, git, "One")
    cli(project, "hooks", "uninstall")
    assert look(project) == before


@pytest.mark.usefixtures("linked")
def test_a_line_that_is_a_comment_calls_nothing(project, git, cli):
    git(project, "config", "core.hooksPath", ".githooks")
    cli(project, "hooks", "install")
    write_hook(project / ".githooks/pre-commit", "#!/bin/sh\n  # codecortex hook pre-commit\n")
    assert not read_states(cli, project)["pre-commit"]["runs"]


@pytest.mark.usefixtures("linked")
def test_two_hooks_that_want_one_place_are_both_kept(project, cli):
    write_hook(project / ".git/hooks/pre-commit", "#!/bin/sh\n")
    write_hook(project / ".git/hooks/pre-commit.before-codecortex", "#!/bin/sh\nexit 1\n")
    before = look(project)
    code, _, err = cli(project, "hooks", "install")
    assert code == 3
    assert "pre-commit.before-codecortex are both there" in err
    after = look(project)
    assert {path: after[path] for path in before if path != ".git/config"} == {
        path: state for path, state in before.items() if path != ".git/config"
    }


@pytest.mark.usefixtures("linked")
def test_a_folder_where_a_hook_belongs_is_told(project, cli):
    (project / ".git/hooks/pre-commit").mkdir(parents=True)
    code, _, err = cli(project, "hooks", "install")
    assert code == 3
    assert "pre-commit is a folder" in err


@pytest.mark.usefixtures("linked")
def test_a_link_that_somebody_edited_stays(project, git, cli):
    cli(project, "hooks", "install")
    link = project / ".git/hooks/pre-commit"
    link.write_text(link.read_text("utf-8") + "echo mine\n", "utf-8")
    edited = link.read_bytes()
    cli(project, "hooks", "install")
    assert link.read_bytes() == edited
    assert "edited, so left alone  .git/hooks/pre-commit" in cli(project, "hooks", "uninstall")[1]
    assert link.read_bytes() == edited
    commit(project, "One")
    assert is_in_commit(project, git, "One")


@pytest.mark.usefixtures("configured")
def test_hooks_in_the_configuration_touch_no_file_and_run_beside_the_users(project, git, cli):
    write_hook(project / ".git/hooks/pre-commit", "#!/bin/sh\necho own hook >&2\n")
    git(project, "config", "core.hooksPath", ".githooks")
    write_hook(project / ".githooks/pre-commit", "#!/bin/sh\necho shared hook >&2\n")
    before = look(project)
    cli(project, "hooks", "install")
    after = look(project)
    assert [path for path in after if path not in before and not path.startswith(".git/codecortex")] == []
    assert [path for path in before if before[path] != after[path]] == [".git/config"]
    assert {state["through"] for state in read_states(cli, project).values()} == {"git's configuration"}
    assert commit(project, "One").stderr == b"shared hook\n"
    assert is_in_commit(project, git, "One")
    cli(project, "hooks", "uninstall")
    assert look(project) == before


@pytest.mark.usefixtures("configured")
def test_a_configured_hook_that_is_switched_off_is_told(project, git, cli):
    cli(project, "hooks", "install")
    git(project, "config", "hook.post-merge.enabled", "false")
    state = read_states(cli, project)["post-merge"]
    assert not state["runs"]
    assert state["mend"] == "git config --unset hook.post-merge.enabled"


@pytest.mark.usefixtures("configured")
def test_links_of_an_older_git_give_way_to_the_configuration(project, cli):
    link = write_link("pre-commit", "../codecortex/hooks")
    write_hook(project / ".git/hooks/pre-commit", link.decode())
    write_hook(project / ".git/hooks/pre-commit.before-codecortex", "#!/bin/sh\necho own hook >&2\n")
    cli(project, "hooks", "install")
    assert (project / ".git/hooks/pre-commit").read_bytes() == b"#!/bin/sh\necho own hook >&2\n"
    assert not (project / ".git/hooks/pre-commit.before-codecortex").exists()
    assert commit(project, "One").stderr == b"own hook\n"


def lose_interpreter(project):
    for script in (project / ".git/codecortex/hooks").iterdir():
        script.write_text(re.sub("(?m)^python=.*", "python='/nowhere/python'", script.read_text("utf-8")), "utf-8")


def test_where_the_interpreter_is_gone_the_command_on_the_path_is_called(project, git, cli):
    cli(project, "hooks", "install")
    lose_interpreter(project)
    assert "/nowhere/python is gone: run `codecortex hooks install` again." in cli(project, "hooks", "status")[1]
    commit(project, "One")
    assert is_in_commit(project, git, "One")


def path_without_codecortex(tmp_path):
    """A PATH with what a commit needs, and nothing of Python's."""
    folder = tmp_path / "bare"
    folder.mkdir()
    for name in ("git", "sh", "grep", "cat"):
        (folder / name).symlink_to(shutil.which(name))
    return str(folder)


def test_where_codecortex_is_gone_a_commit_goes_on_and_says_so(project, cli, tmp_path):
    cli(project, "hooks", "install")
    lose_interpreter(project)
    done = commit(project, "One", PATH=path_without_codecortex(tmp_path))
    assert done.returncode == 0
    assert b"codecortex is not installed here" in done.stderr


def test_no_path_is_needed_as_in_graphical_clients(project, git, cli, tmp_path):
    cli(project, "hooks", "install")
    assert commit(project, "One", PATH=path_without_codecortex(tmp_path)).stderr == b""
    assert is_in_commit(project, git, "One")


def test_where_the_scripts_are_gone_a_commit_goes_on_and_says_so(project, cli):
    cli(project, "hooks", "install")
    shutil.rmtree(project / ".git/codecortex")
    done = commit(project, "One")
    assert done.returncode == 0
    assert done.stderr.count(b"run: codecortex hooks install") >= 1
    assert read_states(cli, project)["pre-commit"]["mend"] == "codecortex hooks install"
    cli(project, "hooks", "install")
    assert all(state["runs"] for state in read_states(cli, project).values())


def test_modules_of_the_repository_are_never_run(project, git, cli):
    for name in ("json.py", "codecortex.py", "re.py"):
        (project / name).write_text("raise SystemExit('a module of the repository was run')\n", "utf-8")
    cli(project, "hooks", "install")
    assert commit(project, "One").stderr == b""
    assert is_in_commit(project, git, "One")


def test_status_says_that_hooks_are_switched_off_here(project, cli, monkeypatch):
    cli(project, "hooks", "install")
    monkeypatch.setenv("CODECORTEX", "0")
    assert "CODECORTEX=0 is set here" in cli(project, "hooks", "status")[1]


def test_the_merge_driver_is_registered_and_taken_away(project, git, cli):
    assert "not registered" in cli(project, "hooks", "status")[1]
    cli(project, "hooks", "install")
    assert json.loads(cli(project, "hooks", "status", "--json")[1])["mergeDriver"] is True
    assert "%O %A %B %P" in git(project, "config", "merge.codecortex.driver")
    cli(project, "hooks", "uninstall")
    assert git(project, "config", "merge.codecortex.driver", check=False) == ""


def test_settings_of_the_users_in_the_same_file_stay(project, git, cli):
    git(project, "config", "merge.ours.driver", "true")
    git(project, "config", "hook.mine.command", "true")
    git(project, "config", "hook.mine.event", "pre-push")
    before = look(project)
    cli(project, "hooks", "install")
    cli(project, "hooks", "uninstall")
    assert look(project) == before


@pytest.mark.parametrize("command", ["install", "uninstall", "status"])
def test_where_there_is_no_work_tree_nothing_can_be_installed(tmp_path, git, cli, command):
    git(tmp_path, "init", "--quiet", "--bare", "bare.git")
    for folder in (tmp_path / "bare.git", tmp_path):
        code, _, err = cli(folder, "hooks", command)
        assert code == 3
        assert err.startswith("error: ")


def test_status_in_a_clone_without_hooks(project, cli):
    states = read_states(cli, project)
    assert [state["mend"] for state in states.values()] == ["codecortex hooks install"] * len(EVENTS)


def test_a_link_knows_itself_and_tells_when_it_was_edited():
    for event in EVENTS:
        link = write_link(event, "../codecortex/hooks")
        assert recognise_link(link) == (event, True)
        assert recognise_link(link + b"\n") == (event, False)
    assert recognise_link(b"#!/bin/sh\n# codecortex hook pre-commit\n") is None


def test_scripts_are_those_of_this_installation_with_its_interpreter():
    scripts = write_scripts("/o'brien/python")
    assert set(scripts) == {*EVENTS, MERGE_DRIVER}
    for name, data in scripts.items():
        assert rb"python='/o'\''brien/python'" in data, name
        subprocess.run(["sh", "-n"], input=data, check=True)
    assert Path(sys.executable).is_absolute()
