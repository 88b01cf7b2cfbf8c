"""`codecortex init --ci github`: workflows that check pull requests and refresh notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from ruamel.yaml import YAML

from codecortex import __version__
from codecortex.store.template import template_files, workflow_files

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

SOURCE = " @ git+https://github.com/codecortex/git-codecortex@v"
NAMES = ["codecortex-check.yml", "codecortex-notes.yml"]
FOLDER = ".github/workflows"


@pytest.fixture(params=NAMES)
def workflow(request: Any) -> dict[str, Any]:
    """Return one of the workflows, read by YAML's rules."""
    return dict(YAML(typ="safe").load(workflow_files()[request.param]))


def list_steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_init_makes_them_only_where_they_are_asked_for(repo: Path, cli: Cli) -> None:
    assert cli(repo, "init").code == 0
    assert not (repo / ".github").exists()
    assert not (repo / ".codecortex/workflows").exists()
    made = cli(repo, "init", "--ci", "github")
    assert made.code == 0
    assert sorted(path.name for path in (repo / FOLDER).iterdir()) == NAMES
    for name in NAMES:
        assert f"made  {FOLDER}/{name}" in made.out
        written = (repo / FOLDER / name).read_text("utf-8")
        assert written == workflow_files()[name].decode().replace("==VERSION", f"{SOURCE}{__version__}")
        assert re.search(
            rf"pipx install 'git-codecortex(\[llm\])?{re.escape(SOURCE + __version__)}'$", written, re.MULTILINE
        )


def test_a_workflow_that_is_there_is_left_alone(repo: Path, cli: Cli) -> None:
    (repo / FOLDER).mkdir(parents=True)
    (repo / FOLDER / NAMES[0]).write_text("mine\n")
    told = cli(repo, "init", "--ci", "github")
    assert f"kept  {FOLDER}/{NAMES[0]}" in told.out
    assert (repo / FOLDER / NAMES[0]).read_text() == "mine\n"


def test_another_ci_is_told(repo: Path, cli: Cli) -> None:
    assert cli(repo, "init", "--ci", "another").code == 2
    assert not (repo / ".codecortex").exists()


def test_workflows_are_no_part_of_the_folder() -> None:
    assert list(workflow_files()) == NAMES
    assert not [path for path in template_files() if "workflow" in path]


def test_nothing_that_may_change_under_them_is_run(workflow: dict[str, Any]) -> None:
    used = [step["uses"] for step in list_steps(workflow) if "uses" in step]
    assert used
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", each) for each in used)


def test_no_value_of_an_event_is_pasted_into_a_script(workflow: dict[str, Any]) -> None:
    assert not [step["run"] for step in list_steps(workflow) if "${{" in step.get("run", "")]


def test_who_may_write_has_no_key_and_who_has_the_key_may_not_write(workflow: dict[str, Any]) -> None:
    for step in list_steps(workflow):
        assert step.get("with", {"persist-credentials": False})["persist-credentials"] is False
        assert "codecortex" not in step.get("run", "").split() or "GH_TOKEN" not in step.get("env", {})


def test_the_check_of_pull_requests_may_only_read(repo: Path, cli: Cli) -> None:
    check = YAML(typ="safe").load(workflow_files()[NAMES[0]])
    assert check["permissions"] == {"contents": "read"}
    assert set(check["on"]) == {"pull_request", "merge_group"}  # neither sees a secret, whoever it comes from
    (command,) = [step["run"] for step in list_steps(check) if "check" in step.get("run", "")]
    assert command == "codecortex check --against HEAD^1 --format github"
    assert cli(repo, *command.split()[1:], "--help").code == 0


def test_all_of_the_history_is_there_to_count_changes_in(workflow: dict[str, Any]) -> None:
    (checkout,) = [step for step in list_steps(workflow) if "uses" in step]
    assert checkout["with"]["fetch-depth"] == 0


def test_a_model_is_one_edit_away() -> None:
    text = workflow_files()[NAMES[1]].decode()
    marked = re.compile(r"^( +)# (- run: \||  +mkdir |  +printf |env:|  ANTHROPIC)", re.MULTILINE)
    assert len(marked.findall(text)) == 5
    steps = list_steps(YAML(typ="safe").load(marked.sub(r"\1\2", text)))
    (settings,) = [step for step in steps if "config.yaml" in step.get("run", "")]
    (keyed,) = [step for step in steps if "ANTHROPIC_API_KEY" in step.get("env", {})]
    assert "semantic generate" in keyed["run"]
    assert "GH_TOKEN" not in keyed["env"]
    assert steps.index(settings) < steps.index(keyed)


def test_every_command_in_them_is_there(repo: Path, cli: Cli) -> None:
    scripts = "\n".join(step.get("run", "") for name in NAMES for step in list_steps(load(name)))
    commands = re.findall(r"\bcodecortex ([a-z-]+(?: generate| show)?) ?", scripts)
    assert commands == ["check", "merge-driver", "refresh", "semantic generate", "refresh", "ops show"]
    for command in commands:
        assert cli(repo, *command.split(), "--help").code == 0


def load(name: str) -> dict[str, Any]:
    return dict(YAML(typ="safe").load(workflow_files()[name]))
