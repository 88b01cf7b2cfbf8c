"""The workflows' own steps, run one by one as GitHub's runner does, in clones of a bare repository.

`gh` is a stand-in that knows the calls which the workflows make, and fails on any other.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from ruamel.yaml import YAML

from tests.cli.conftest import SOURCE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.conftest import Git

BRANCH = "codecortex/notes-main"
CLASS = "[Obsolete] public class {0}\n{{\n    public int Get() => {1};\n}}\n"
GH = """#!/bin/sh
case "$GH_TOKEN $*" in
"token auth setup-git") ;;
"token pr list --head codecortex/notes-main --base main --state open --json isCrossRepository "*)
  if [ -e "$PULLS/open" ]; then echo true; else echo false; fi ;;
"token pr create --base main --head codecortex/notes-main --title "*)
  [ ! -e "$PULLS/open" ] || exit 1
  touch "$PULLS/open"; echo made ;;
*) echo "gh $*: not known here" >&2; exit 1 ;;
esac
"""
EXPRESSIONS: dict[str, Callable[[Mapping[str, str]], Any]] = {
    "github.ref_name": lambda _: "main",
    "github.token": lambda _: "token",
    "steps.before.outputs.open": lambda outputs: outputs.get("open", ""),
    "steps.before.outputs.open == 'true'": lambda outputs: outputs.get("open") == "true",
    "!cancelled() && steps.notes.outputs.done": lambda outputs: outputs.get("done"),
}
"""What stands in the workflows, and what a runner makes of it."""


class Job(NamedTuple):
    """How a job went: whether every step did, and what they said."""

    passed: bool
    said: str


class GitHub:
    """A repository `origin`, one of its developers' clones `dev`, and a runner."""

    def __init__(self, folder: Path, git: Git) -> None:
        self.folder, self.git = folder, git
        self.origin, self.dev, self.pulls = folder / "origin", folder / "dev", folder / "pulls"
        for each in (self.dev, self.pulls, folder / "bin"):
            each.mkdir()
        for name, text in {"gh": GH, "codecortex": f'#!/bin/sh\nexec "{sys.executable}" -m codecortex "$@"\n'}.items():
            (folder / "bin" / name).write_text(text, "utf-8")
            (folder / "bin" / name).chmod(0o755)
        git(folder, "init", "--quiet", "--bare", "origin")
        git(self.dev, "init", "--quiet")
        git(self.dev, "remote", "add", "origin", str(self.origin))
        self.call("init", "--ci", "github")
        self.write("A", 1)
        self.call("refresh")
        self.call("semantic", "generate")
        self.commit("one")

    def call(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "codecortex", *arguments]
        subprocess.run(command, cwd=self.dev, check=True, capture_output=True, env=self._make_environment())

    def write(self, name: str, value: int) -> None:
        """Give a class a body, and git the file."""
        (self.dev / f"{name}.cs").write_text(CLASS.format(name, value), "utf-8")
        self.git(self.dev, "add", f"{name}.cs")

    def commit(self, message: str) -> None:
        self.git(self.dev, "add", ".")
        self.git(self.dev, "commit", "--quiet", "-m", message)
        self.git(self.dev, "push", "--quiet", "origin", "HEAD")

    def check_pull_request(self) -> Job:
        """Check what `dev` has beyond main."""
        clone = self._check_out()
        self.git(clone, "checkout", "--quiet", "--detach")
        self.git(clone, "fetch", "--quiet", str(self.dev), "HEAD")
        self.git(clone, "merge", "--quiet", "--no-ff", "-m", "merge", "FETCH_HEAD")
        return self._run("codecortex-check.yml", clone)

    def refresh_notes(self) -> Job:
        return self._run("codecortex-notes.yml", self._check_out())

    def show(self, path: str) -> str:
        """A file on the branch of the pull request."""
        return self.git(self.origin, "show", f"{BRANCH}:{path}")

    def tip(self) -> str:
        return self.git(self.origin, "rev-parse", "--quiet", "--verify", BRANCH, check=False)

    def change_in_pull_request(self, path: str, old: str, new: str) -> None:
        """What a person commits to the branch."""
        clone = self._check_out()
        self.git(clone, "checkout", "--quiet", BRANCH)
        text = (clone / path).read_text("utf-8")
        assert old in text
        (clone / path).write_text(text.replace(old, new), "utf-8")
        self.git(clone, "commit", "--quiet", "-a", "-m", "by a person")
        self.git(clone, "push", "--quiet")

    def _check_out(self) -> Path:
        clone = self.folder / "clone"
        shutil.rmtree(clone, ignore_errors=True)
        self.git(self.folder, "clone", "--quiet", "origin", "clone")
        return clone

    def _make_environment(self) -> dict[str, str]:
        """A runner's: nobody has said who commits."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_AUTHOR", "GIT_COMMIT"))}
        return kept | {
            "PATH": f"{self.folder / 'bin'}{os.pathsep}{kept['PATH']}",
            "PYTHONPATH": SOURCE,
            "PULLS": str(self.pulls),
            "GIT_CONFIG_COUNT": "2",
            "GIT_CONFIG_KEY_1": "user.useConfigOnly",
            "GIT_CONFIG_VALUE_1": "true",
        }

    def _run(self, name: str, clone: Path) -> Job:
        (job,) = YAML(typ="safe").load(clone / ".github/workflows" / name)["jobs"].values()
        outputs: dict[str, str] = {}
        passed, said = True, ""
        for step in job["steps"]:
            condition = str(step.get("if", "")).removeprefix("${{").removesuffix("}}").strip()
            runs = EXPRESSIONS[condition](outputs) if condition else passed
            if "uses" in step or "pipx" in step["run"] or not runs or not (passed or "cancelled()" in condition):
                continue
            values = {key: _fill(value, outputs) for key, value in (job.get("env", {}) | step.get("env", {})).items()}
            file = self.folder / "output"
            file.write_text("", "utf-8")
            done = subprocess.run(
                ["bash", "-e", "-c", step["run"]],
                cwd=clone,
                env=self._make_environment() | values | {"GITHUB_OUTPUT": str(file)},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            outputs |= dict(line.split("=", 1) for line in file.read_text("utf-8").splitlines())
            passed, said = passed and done.returncode == 0, said + done.stdout.decode()
        return Job(passed, said)


def _fill(value: str, outputs: Mapping[str, str]) -> str:
    before, opened, rest = value.partition("${{")
    expression, _, after = rest.partition("}}")
    return before + (str(EXPRESSIONS[expression.strip()](outputs)) + after if opened else "")


@pytest.fixture
def github(tmp_path: Path, git: Git) -> GitHub:
    if shutil.which("bash") is None or shutil.which("timeout") is None:
        pytest.skip("needs bash and timeout")
    return GitHub(tmp_path, git)


def find_note(github: GitHub, fqn: str) -> str:
    return github.git(github.origin, "grep", "-l", f"^# Semantic: {fqn} ", BRANCH).partition(":")[2]


def test_a_pull_request_fails_where_a_note_no_longer_holds(github: GitHub, git: Git) -> None:
    git(github.dev, "checkout", "--quiet", "-b", "topic")
    (github.dev / "A.cs").write_text(f"// nothing\n{CLASS.format('A', 1)}", "utf-8")
    git(github.dev, "commit", "--quiet", "-a", "-m", "a comment")
    job = github.check_pull_request()
    assert job.passed, job.said
    assert "::" not in job.said
    github.write("A", 2)
    git(github.dev, "commit", "--quiet", "-m", "a body")
    job = github.check_pull_request()
    assert not job.passed
    assert "::error file=A.cs,line=1,title=codecortex note-stale::the note on A is stale: PublicBehavior" in job.said


def test_a_pull_request_fails_where_a_merge_is_left_or_an_outline_is_behind(github: GitHub, git: Git) -> None:
    git(github.dev, "checkout", "--quiet", "-b", "topic")
    github.write("B", 1)
    (note,) = (github.dev / ".codecortex/semantic").glob("T_*.md")
    note.write_text(note.read_text("utf-8") + "<<<<<<< ours\n=======\n>>>>>>> theirs\n", "utf-8")
    git(github.dev, "commit", "--quiet", "-a", "-m", "behind")
    job = github.check_pull_request()
    assert not job.passed
    assert "title=codecortex merge-marker::" in job.said
    assert "::error file=B.cs,line=1,title=codecortex outline-missing::the outline of B is missing" in job.said


def test_where_nothing_is_to_be_written_there_is_no_pull_request(github: GitHub) -> None:
    job = github.refresh_notes()
    assert job.passed, job.said
    assert "main has all of it." in job.said
    assert not github.tip()
    assert not (github.pulls / "open").exists()


@pytest.mark.slow
def test_a_second_run_goes_on_from_the_open_pull_request(github: GitHub, git: Git) -> None:
    github.write("B", 1)
    github.commit("B")
    job = github.refresh_notes()
    assert job.passed, job.said
    assert job.said.endswith("made\n")
    assert git(github.origin, "log", "--format=%an", f"main..{BRANCH}") == "github-actions[bot]"
    first = github.tip()
    job = github.refresh_notes()
    assert "Every note holds" in job.said  # what is in the pull request is not written, and paid for, again
    assert "The open pull request has all of it." in job.said
    assert github.tip() == first

    note = find_note(github, "B")
    github.change_in_pull_request(note, "RECOMMENDATIONS:\n", "RECOMMENDATIONS:\nA person wrote this. ")
    github.write("C", 1)
    github.commit("C")
    job = github.refresh_notes()
    assert job.passed, job.said
    assert "A person wrote this." in github.show(note)
    assert find_note(github, "C")
    assert git(github.origin, "rev-list", "--count", f"main..{BRANCH}") == "1"


@pytest.mark.slow
def test_a_pull_request_that_is_no_longer_open_is_not_gone_on_from(github: GitHub) -> None:
    github.write("B", 1)
    github.commit("B")
    github.refresh_notes()
    note = find_note(github, "B")
    github.change_in_pull_request(note, "RECOMMENDATIONS:\n", "RECOMMENDATIONS:\nRejected. ")
    (github.pulls / "open").unlink()
    job = github.refresh_notes()
    assert job.passed, job.said
    assert "Rejected." not in github.show(note)
    assert (github.pulls / "open").exists()


@pytest.mark.slow
def test_a_source_that_both_sides_changed_is_left_to_people(github: GitHub) -> None:
    github.write("B", 1)
    github.commit("B")
    github.refresh_notes()
    github.change_in_pull_request("B.cs", "=> 1", "=> 2")
    github.write("B", 3)
    github.commit("B again")
    before = github.tip()
    job = github.refresh_notes()
    assert not job.passed
    assert "Merge conflict in B.cs" in job.said
    assert "note" not in job.said  # none was asked for
    assert github.tip() == before


@pytest.mark.slow
def test_where_the_model_cannot_be_reached_the_rest_is_still_proposed(
    github: GitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = github.folder / "config/codecortex/config.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("llm:\n  provider: command\n  command: [no-such-program]\n", "utf-8")
    github.write("B", 1)
    github.commit("B")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(github.folder / "config"))
    job = github.refresh_notes()
    assert not job.passed
    assert "no-such-program" in job.said
    assert '"B"' in github.show(".codecortex/index.json")
    assert (github.pulls / "open").exists()
