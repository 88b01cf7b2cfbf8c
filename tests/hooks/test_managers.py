"""codecortex beside husky, lefthook and the pre-commit framework: the real tools, each before and after ours.

They are looked for on PATH and in the folders that CODECORTEX_TOOLS names.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import codecortex
from codecortex.cli.main import main
from codecortex.store.hook_scripts import EVENTS

TOOLS = os.pathsep.join(filter(None, [os.environ.get("CODECORTEX_TOOLS"), os.environ.get("PATH")]))
ROOT = Path(codecortex.__file__).parents[1]
THEIR_LEFTHOOK = "pre-push:\n  commands:\n    theirs:\n      run: echo theirs runs\n"
THEIR_FRAMEWORK = """repos:
- repo: local
  hooks:
  - {id: theirs, name: theirs, entry: echo theirs runs, language: system, always_run: true, pass_filenames: false}
"""


@pytest.fixture(autouse=True)
def _tools(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}{os.pathsep}{TOOLS}")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "framework"))


@pytest.fixture
def tool(request):
    """The name of a tool that this test needs."""
    if shutil.which(request.param, path=TOOLS) is None:
        pytest.skip(f"needs {request.param}: name its folder in CODECORTEX_TOOLS")
    return request.param


def need(*names):
    return pytest.mark.parametrize("tool", names, indirect=True)


@pytest.fixture
def run(capsys):
    """`run(folder, "hooks", "install")`: what the command printed."""

    def call(folder, *arguments):
        capsys.readouterr()
        assert main(["-C", str(folder), *arguments]) == 0
        return capsys.readouterr().out

    return call


@pytest.fixture
def project(tmp_path, git, run):
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "--quiet")
    (root / "A.cs").write_bytes(b"public class A { }\n")
    run(root, "init")
    run(root, "refresh")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    return root


def call(root, *command):
    done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode() + done.stderr.decode()


def commit(root, git, name):
    """Give the type another member, commit that, and see that the outlines are in the commit; what was said."""
    (root / "A.cs").write_text(f"public class A {{ public int {name}; }}\n", "utf-8")
    said = call(root, "git", "commit", "--quiet", "--all", "-m", name)
    assert f"public int {name}" in git(root, "grep", "-h", "public int", "HEAD", "--", ".codecortex/types", check=False)
    assert git(root, "status", "--porcelain", "--", ".codecortex") == ""
    return said


def read_status(root, run):
    status = json.loads(run(root, "hooks", "status", "--json"))
    return status, {state["event"]: state for state in status["hooks"]}


def follow(root, run):
    """Do what `hooks status` says is still to be done."""
    for snippet in read_status(root, run)[0]["snippets"]:
        file = root / snippet["file"]
        file.write_text((file.read_text("utf-8") if file.exists() else "") + snippet["text"], "utf-8")
        if snippet["then"]:
            call(root, *snippet["then"].split())
    states = read_status(root, run)[1]
    assert all(state["runs"] for state in states.values()), states
    return states


@need("husky")
def test_husky(project, git, run, tool):
    (project / "package.json").write_text("{}\n", "utf-8")
    call(project, tool)
    hook = project / ".husky/pre-commit"
    hook.write_text("echo theirs runs\n", "utf-8")
    hooks = sorted((project / ".git/hooks").iterdir())
    run(project, "hooks", "install")
    follow(project, run)
    assert "theirs runs" in commit(project, git, "One")
    assert sorted((project / ".git/hooks").iterdir()) == hooks
    run(project, "hooks", "uninstall")
    assert "theirs runs" in call(project, "git", "commit", "--allow-empty", "-m", "two")


@need("husky")
def test_husky_that_came_after_ours(project, git, run, tool):
    run(project, "hooks", "install")
    (project / "package.json").write_text("{}\n", "utf-8")
    call(project, tool)
    follow(project, run)
    commit(project, git, "One")


@need("lefthook")
def test_lefthook(project, git, run, tool):
    (project / "lefthook.yml").write_text(THEIR_LEFTHOOK + THEIR_LEFTHOOK.replace("pre-push", "commit-msg"), "utf-8")
    call(project, tool, "install")
    hooks = sorted((project / ".git/hooks").iterdir())
    run(project, "hooks", "install")
    assert sorted((project / ".git/hooks").iterdir()) == hooks
    follow(project, run)
    assert "theirs runs" in commit(project, git, "One")


@need("lefthook")
def test_lefthook_that_came_after_ours_loses_our_hook_and_status_says_so(project, git, run, tool):
    run(project, "hooks", "install")
    (project / "lefthook.yml").write_text(THEIR_LEFTHOOK.replace("pre-push", "post-commit"), "utf-8")
    call(project, tool, "install")
    state = read_status(project, run)[1]["post-commit"]
    if state["runs"]:
        assert state["through"] == "git's configuration"
    else:
        assert state["problem"] == "lefthook put it away as post-commit.old"
        assert state["mend"] == "add the line below to lefthook.yml"
    assert "theirs runs" in commit(project, git, "One")
    run(project, "hooks", "uninstall")
    assert not (project / ".git/hooks/post-commit.old").exists()
    assert "call_lefthook" in (project / ".git/hooks/post-commit").read_text("utf-8")


@need("pre-commit")
def test_the_framework(project, git, run, tool):
    (project / ".pre-commit-config.yaml").write_text(THEIR_FRAMEWORK, "utf-8")
    git(project, "add", ".")
    call(project, tool, "install")
    theirs = (project / ".git/hooks/pre-commit").read_bytes()
    run(project, "hooks", "install")
    assert (project / ".git/hooks/pre-commit").read_bytes() == theirs
    follow(project, run)
    git(project, "add", ".")
    assert "theirs" in commit(project, git, "One")
    run(project, "hooks", "uninstall")
    assert (project / ".git/hooks/pre-commit").read_bytes() == theirs


@need("pre-commit")
def test_the_framework_that_came_after_ours(project, git, run, tool):
    own = project / ".git/hooks/pre-commit"
    own.parent.mkdir(exist_ok=True)
    own.write_bytes(b"#!/bin/sh\necho my own hook >&2\n")
    own.chmod(0o755)
    run(project, "hooks", "install")
    (project / ".pre-commit-config.yaml").write_text(THEIR_FRAMEWORK, "utf-8")
    git(project, "add", ".")
    call(project, tool, "install", "--hook-type", "pre-commit", "--hook-type", "post-commit")
    assert all(state["runs"] for state in read_status(project, run)[1].values())
    said = commit(project, git, "One")
    assert "my own hook" in said
    assert "theirs" in said
    run(project, "hooks", "install")
    assert "my own hook" in commit(project, git, "Two")
    run(project, "hooks", "uninstall")
    call(project, tool, "uninstall")
    assert own.read_bytes() == b"#!/bin/sh\necho my own hook >&2\n"


@need("pre-commit")
def test_what_is_staged_in_part_survives_the_framework(project, git, run, tool):
    (project / ".pre-commit-config.yaml").write_text(THEIR_FRAMEWORK, "utf-8")
    git(project, "add", ".")
    call(project, tool, "install")
    run(project, "hooks", "install")
    follow(project, run)
    git(project, "add", ".")
    (project / "notes.txt").write_text("mine\n", "utf-8")
    git(project, "add", "notes.txt")
    (project / "notes.txt").write_text("mine, and more\n", "utf-8")
    (project / "A.cs").write_bytes(b"public class A { public int One; }\n")
    call(project, "git", "add", "A.cs")
    call(project, "git", "commit", "--quiet", "-m", "One")
    assert (project / "notes.txt").read_text("utf-8") == "mine, and more\n"
    assert "public int One" in git(project, "grep", "-h", "public int", "HEAD", "--", ".codecortex/types")


@pytest.fixture
def ours(tmp_path, git, monkeypatch):
    """A repository as the framework finds it: the hooks that this one offers, and the command on PATH."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin/codecortex"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m codecortex "$@"\n', "utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    root = tmp_path / "ours"
    root.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", root)
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    return {"repo": str(root), "rev": git(root, "rev-parse", "HEAD")}


def configure(project, ours, *hooks):
    # All is as it is offered, but that nothing is installed: the command is there.
    wanted = [{"id": hook, "language": "system"} for hook in hooks]
    (project / ".pre-commit-config.yaml").write_text(json.dumps({"repos": [{**ours, "hooks": wanted}]}), "utf-8")


@need("pre-commit")
def test_the_hooks_offered_to_the_framework_put_outlines_into_commits(project, git, tool, ours):
    configure(project, ours, "codecortex-refresh", "codecortex-sync")
    git(project, "add", ".")
    call(project, tool, "install", "--hook-type", "pre-commit", "--hook-type", "post-commit")
    said = commit(project, git, "One")
    assert "codecortex refresh" in said
    assert "codecortex sync" in said
    (project / "A.cs").write_bytes(b"public class A { public int Two; }\n")
    call(project, "git", "commit", "--quiet", "-m", "a path", "A.cs")
    assert "public int Two" in git(project, "grep", "-h", "public int", "HEAD", "--", ".codecortex/types")
    assert git(project, "status", "--porcelain") == ""


@need("pre-commit")
def test_the_check_offered_to_the_framework_stops_a_commit_that_is_behind(project, git, run, tool, ours):
    configure(project, ours, "codecortex-check")
    run(project, "refresh")
    git(project, "add", ".")
    call(project, tool, "install", "--hook-type", "pre-commit", "--hook-type", "pre-push")
    git(project, "commit", "--quiet", "-m", "the framework")
    (project / "A.cs").write_bytes(b"public class A { public int One; }\n")
    git(project, "add", ".")
    done = subprocess.run(("git", "commit", "-m", "two"), cwd=project, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"A.cs:1: the outline of A is behind" in done.stdout + done.stderr
    run(project, "refresh")
    git(project, "add", ".")
    commit(project, git, "One")
    git(project, "init", "--quiet", "--bare", "../there")
    assert "codecortex check" in call(project, "git", "push", "../there", "HEAD")


def test_the_hooks_that_the_framework_finds_here_are_commands_that_there_are():
    hooks = read_yaml_list(ROOT / ".pre-commit-hooks.yaml")
    assert set(hooks) == {"codecortex-refresh", "codecortex-sync", "codecortex-check"}
    for name, hook in hooks.items():
        assert hook.items() >= {"always_run": "true", "pass_filenames": "false", "language": "python"}.items(), name
        command, verb, *rest = hook["entry"].split()
        assert (command, verb) in {("codecortex", "hook"), ("codecortex", "check")}
        assert verb == "check" or rest[0] in EVENTS


def read_yaml_list(path):
    """The hooks of a file of plain rows, by id."""
    hooks = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("- id: "):
            hook = hooks[line.removeprefix("- id: ")] = {}
        elif line.startswith("  "):
            key, _, value = line.strip().partition(": ")
            hook[key] = value
    return hooks
