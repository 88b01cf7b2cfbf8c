"""What commands leave behind of their runs, what never is left, and what `status` makes of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codecortex.git.discovery import look_for_repository
from codecortex.operations.metrics import measure, read_figures
from codecortex.store.local.metrics_log import Record, append_record

KEYS = {"name", "ms", "exit", "counts"}


def read_log(root):
    log = root / ".git/codecortex/metrics.log"
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []


@pytest.fixture
def fresh(shop, cli):
    """The shop, refreshed, with an empty log."""
    cli(shop, "refresh")
    (shop / ".git/codecortex/metrics.log").unlink()
    return shop


def test_a_run_leaves_its_name_its_time_its_code_and_counts(fresh, cli):
    cli(fresh, "index")
    (row,) = read_log(fresh)
    assert (row["name"], row["exit"], row["counts"]["warm"]) == ("index", 0, 1)
    assert 0 < row["ms"] < 60_000


def test_nothing_of_the_user_is_left(fresh, cli):
    private = "Secret.Name"
    cli(fresh, "outline", private)
    cli(fresh, "log", private)
    cli(fresh, "hooks", "status")
    cli(fresh, "semantic", "show", private, "--tfm", private)
    cli(fresh, "semantic", private)
    rows = read_log(fresh)
    assert [row["name"] for row in rows] == ["outline", "log", "hooks status", "semantic show", "semantic"]
    assert [row["exit"] for row in rows] == [3, 3, 0, 3, 2]
    assert all(row.keys() <= KEYS for row in rows)
    text = (fresh / ".git/codecortex/metrics.log").read_text("utf-8")
    assert "Secret" not in text
    assert fresh.name not in text


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], [], ["index", "--help"], ["hooks", "-h"], ["no-such-command"], ["--bogus"]]
)
def test_what_is_no_run_leaves_nothing(fresh, cli, arguments):
    cli(fresh, *arguments)
    assert read_log(fresh) == []


def test_the_option_switches_it_off_for_one_run(fresh, cli):
    cli(fresh, "--no-metrics", "index")
    assert read_log(fresh) == []
    cli(fresh, "index")
    assert len(read_log(fresh)) == 1


def test_the_variable_switches_it_off(fresh, cli, monkeypatch):
    monkeypatch.setenv("CODECORTEX_NO_METRICS", "1")
    cli(fresh, "index")
    assert read_log(fresh) == []


@pytest.mark.parametrize("text", ["metrics: false\n", '"metrics" : False # private\n', "scc: {}\nmetrics:  FALSE"])
def test_the_configuration_switches_it_off(fresh, cli, text):
    (fresh / ".codecortex/config.yaml").write_text(text, "utf-8")
    assert cli(fresh, "index").code == 0
    assert read_log(fresh) == []


@pytest.mark.parametrize("text", ["metrics: true\n", "#metrics: false\n", ""])
def test_other_configurations_do_not(fresh, cli, text):
    (fresh / ".codecortex/config.yaml").write_text(text, "utf-8")
    assert cli(fresh, "index").code == 0
    assert len(read_log(fresh)) == 1


def test_a_broken_configuration_is_one_error_and_one_record(fresh, cli):
    (fresh / ".codecortex/config.yaml").write_text("scc: [", "utf-8")
    assert cli(fresh, "index").code == 2
    assert [row["exit"] for row in read_log(fresh)] == [2]


def test_where_no_cache_is_no_log_is(repo, cli, tmp_path):
    cli(repo, "init")  # needs no cache
    assert not (repo / ".git/codecortex").exists()
    assert cli(tmp_path, "index").code == 3


def test_a_log_that_cannot_be_written_is_never_told_of(fresh, cli):
    (fresh / ".git/codecortex/metrics.log").mkdir()
    done = cli(fresh, "index")
    assert (done.code, done.err) == (0, "")


def test_a_linked_work_tree_shares_the_log(fresh, cli, git, tmp_path):
    git(fresh, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    cli(tmp_path / "linked/src/Core", "index")
    assert [row["name"] for row in read_log(fresh)] == ["index"]


def test_a_bare_repository_has_a_log_of_its_own(fresh, cli, git, tmp_path):
    git(tmp_path, "clone", "--quiet", "--bare", str(fresh), "bare")
    cli(tmp_path / "bare", "index", "--rev", "HEAD")
    assert '"index"' in (tmp_path / "bare/codecortex/metrics.log").read_text("utf-8")


def test_the_environment_names_the_repository(fresh, cli, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", str(fresh / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(fresh))
    cli(tmp_path, "index")
    assert [row["name"] for row in read_log(fresh)] == ["index"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_what_another_user_owns_is_left_alone(fresh):
    assert look_for_repository(fresh) is not None
    os.chown(fresh / ".git", 65534, 65534)
    assert look_for_repository(fresh) is None


@pytest.mark.parametrize("text", ["gitdir: /nowhere\n", "nonsense", "gitdir: \0", ""])
def test_a_git_file_that_leads_nowhere_is_no_repository(tmp_path, text):
    (tmp_path / ".git").write_text(text, "utf-8")
    assert look_for_repository(tmp_path) is None


def test_a_command_finds_what_git_finds(fresh, git, tmp_path):
    git(fresh, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    for folder in (fresh, fresh / "src/Core", tmp_path / "linked"):
        found = look_for_repository(folder)
        assert found is not None
        common = git(folder, "rev-parse", "--path-format=absolute", "--git-common-dir")
        assert found.common_dir.resolve() == Path(common)
        assert found.root == Path(git(folder, "rev-parse", "--show-toplevel"))


def test_runs_of_several_processes_are_all_kept(fresh, source):
    command = [sys.executable, "-m", "codecortex", "hooks", "status"]
    environment = {**os.environ, "PYTHONPATH": source}
    running = [subprocess.Popen(command, cwd=fresh, env=environment, stdout=subprocess.DEVNULL) for _ in range(6)]
    assert [each.wait() for each in running] == [0] * 6
    assert [row["name"] for row in read_log(fresh)] == ["hooks status"] * 6


def test_hooks_that_did_their_work_are_measured(fresh, process):
    assert process(fresh, "hook", "pre-commit").returncode == 0
    assert process(fresh, "hook", "pre-lunch").returncode == 2
    assert [(row["name"], row["exit"]) for row in read_log(fresh)] == [("hook pre-commit", 0)]


def test_without_a_repository_nothing_is_measured(tmp_path):
    measure(None, "mcp.resolve", 0.1, {})
    assert list(tmp_path.iterdir()) == []


# -- what status says


def leave(root, *records):
    for record in records:
        append_record(root / ".git/codecortex", record)


def test_status_tells_times_shares_and_sizes(fresh, cli):
    leave(fresh, *(Record("resolve", float(ms), 0, {"warm": 1}) for ms in range(1, 101)))
    leave(fresh, Record("mcp.resolve", 7.0, 0, {"built": 1}), Record("outline", 9.0, 3, {"warm": 3, "built": 1}))
    leave(fresh, Record("pack build", 5.0, 0, {"tokens": 900, "tokenBudget": 1200}))
    leave(fresh, Record("window", 5.0, 0, {"chars": 10_000, "charBudget": 40_000}))
    told = json.loads(cli(fresh, "status", "--json").out)
    metrics = told["metrics"]
    assert metrics["runs"] == {"mcp.resolve": 1, "outline": 1, "pack build": 1, "resolve": 100, "window": 1}
    assert metrics["resolve"] == {"runs": 100, "p50Ms": 50.0, "p95Ms": 95.0}
    assert metrics["mcpResolve"] == {"runs": 1, "p50Ms": 7.0, "p95Ms": 7.0}
    assert (metrics["failures"], metrics["hitRatio"]) == (1, 0.981)
    assert (metrics["tokenBudgetUse"], metrics["charBudgetUse"]) == (0.75, 0.25)
    assert told["warnings"] == []
    assert told["sizes"]["outlines"]["files"] == 5
    assert told["sizes"]["cache"]["bytes"] > 0
    text = cli(fresh, "status").out
    assert "resolve: P50 50 ms, P95 95 ms, 100 runs" in text
    assert "75% of the token budget of packs used" in text
    assert "Warning" not in text


@pytest.mark.parametrize(("name", "took"), [("resolve", 251.0), ("mcp.resolve", 101.0)])
def test_status_warns_of_slow_answers(fresh, cli, name, took):
    leave(fresh, *(Record(name, took - 2, 0, {}) for _ in range(40)))
    assert json.loads(cli(fresh, "status", "--json").out)["warnings"] == []
    leave(fresh, *(Record(name, took, 0, {}) for _ in range(40)))
    (warning,) = json.loads(cli(fresh, "status", "--json").out)["warnings"]
    assert "P95" in warning
    assert f"Warning: {warning}" in cli(fresh, "status").out


def test_only_the_newest_runs_speak_of_times(fresh):
    leave(fresh, *(Record("resolve", 9000.0, 0, {}) for _ in range(50)))
    leave(fresh, *(Record("resolve", 5.0, 0, {}) for _ in range(200)))
    figures = read_figures(fresh / ".git/codecortex")
    assert figures.resolve == (200, 5.0, 5.0)
    assert figures.runs == {"resolve": 250}


def test_status_without_a_log_and_of_another_tree(fresh, cli):
    told = json.loads(cli(fresh, "--no-metrics", "status", "--json", "--rev", "HEAD").out)
    assert told["metrics"]["runs"] == {}
    assert told["metrics"]["resolve"] == {"runs": 0, "p50Ms": None, "p95Ms": None}
    assert told["behind"] is None


def test_status_says_the_same_from_the_cache(fresh, cli):
    (fresh / "src/Core/Odd.cs").write_text("class Odd { void M( }\n// <auto-generated/>\n", "utf-8")
    (fresh / "Made.cs").write_text("// <auto-generated/>\nclass Made {}\n", "utf-8")
    subprocess.run(["git", "add", "."], cwd=fresh, check=True)
    first, second = (json.loads(cli(fresh, "--no-metrics", "status", "--json").out) for _ in range(2))
    assert "src/Core/Odd.cs" in first["degraded"]
    assert first["leftOut"]["generated head"] == 1
    assert {**second, "sizes": {}} == {**first, "sizes": {}}
