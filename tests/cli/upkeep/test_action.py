"""The GitHub action: its own steps, run as GitHub's runner does, with a stand-in for pipx."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from ruamel.yaml import YAML

from tests.cli.conftest import SOURCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Cli

ROOT = Path(__file__).parents[3]
GIT = "git-codecortex @ git+https://github.com/codecortex/git-codecortex"


class Job(NamedTuple):
    """The exit code of the first step that failed, what was said, and what pipx was asked for."""

    code: int
    said: str
    installed: list[str]


@pytest.fixture
def run(shop: Path, tmp_path: Path) -> Callable[..., Job]:
    """Run the action in the shop with some inputs."""
    action = YAML(typ="safe").load(ROOT / "action.yml")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in {
        "pipx": f'#!/bin/sh\nprintf "%s\\n" "$*" >> "{tmp_path}/installed"\n',
        "codecortex": f'#!/bin/sh\nexec "{sys.executable}" -m codecortex "$@"\n',
    }.items():
        (programs / name).write_text(text, "utf-8")
        (programs / name).chmod(0o755)

    def work(**inputs: str) -> Job:
        values = {name: str(each["default"]) for name, each in action["inputs"].items()} | inputs
        said, code = "", 0
        for step in action["runs"]["steps"]:
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=shop, capture_output=True, text=True, check=False, env=make_environment(step, values, programs),
            )  # fmt: skip
            said, code = said + done.stdout + done.stderr, done.returncode
            if code:
                break
        log = tmp_path / "installed"
        return Job(code, said, log.read_text("utf-8").splitlines() if log.exists() else [])

    return work


def make_environment(step: dict[str, Any], values: dict[str, str], programs: Path) -> dict[str, str]:
    pasted = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: values[match[1]], text)
        for name, text in step["env"].items()
    }
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, **pasted, "PATH": path, "PYTHONPATH": SOURCE, "GITHUB_ACTION_PATH": "/actions/codecortex"}


def test_it_passes_where_all_is_well(shop: Path, cli: Cli, run: Callable[..., Job]) -> None:
    assert cli(shop, "refresh").code == 0
    assert run() == Job(0, "ok\n", ["install /actions/codecortex"])


def test_it_annotates_what_is_behind_and_fails(run: Callable[..., Job]) -> None:
    job = run()
    assert job.code == 1
    assert job.said.startswith("::error file=")


@pytest.mark.parametrize(
    ("inputs", "installed"),
    [({"version": "0.2.0"}, "git-codecortex==0.2.0"), ({"ref": "main"}, f"{GIT}@main")],
)
def test_another_version_may_be_named(run: Callable[..., Job], inputs: dict[str, str], installed: str) -> None:
    assert run(**inputs).installed == [f"install {installed}"]


def test_two_versions_are_refused(run: Callable[..., Job]) -> None:
    job = run(version="0.2.0", ref="main")
    assert (job.code, job.installed) == (2, [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [("", "1 error, 0 warnings"), ("--format sarif --semantic off", '"$schema"'), ("; echo hurt", "Usage: codecortex")],
)
def test_arguments_are_words_and_no_script(run: Callable[..., Job], arguments: str, said: str) -> None:
    job = run(arguments=arguments)
    assert job.code
    assert said in job.said
    assert "hurt\n" not in job.said.splitlines(keepends=True)


def test_no_input_is_pasted_into_a_script() -> None:
    steps = YAML(typ="safe").load(ROOT / "action.yml")["runs"]["steps"]
    assert not [step["run"] for step in steps if "${{" in step["run"]]
