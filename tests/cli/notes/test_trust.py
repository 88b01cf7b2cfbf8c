"""`codecortex trust`: what a repository may run or be sent to, allowed by the user alone."""

import json
import sys

import pytest

from tests.llm.conftest import user

__all__ = ["user"]
COMMAND = "llm:\n  provider: command\n  command: [sh, tools/ask.sh, --quiet]\n"
ADDRESS = "llm:\n  provider: openai\n  model: tiny\n  baseUrl: https://models.example/v1\n"


@pytest.fixture
def root(repo, user):
    del user
    (repo / "tools").mkdir()
    (repo / "tools" / "ask.sh").write_text("touch marker\n")
    (repo / ".codecortex").mkdir()
    return repo


def configure(root, text):
    (root / ".codecortex" / "config.yaml").write_text(text)


def test_a_command_is_allowed_shown_and_revoked(root, cli, user):
    configure(root, COMMAND)
    done = cli(root, "trust")
    assert done.code == 0
    assert done.out.splitlines() == [
        f"allowed  command  sh tools/ask.sh --quiet  ({root})",
        "with     file     tools/ask.sh",
        "Files that a command reads or starts by itself are not watched.",
        f"kept in  {user.state}",
    ]
    listed = cli(root, "trust", "--list")
    assert f"allowed  command  sh tools/ask.sh --quiet  ({root})" in listed.out.splitlines()
    revoked = cli(root, "trust", "--revoke")
    assert revoked.out.splitlines()[0] == f"revoked  command  sh tools/ask.sh --quiet  ({root})"
    assert "Nothing is allowed." in cli(root, "trust", "--list").out
    assert not (root / "marker").exists()


def test_an_address_is_allowed(root, cli, user):
    configure(root, ADDRESS)
    found = json.loads(cli(root, "trust", "--json").out)
    (grant,) = found["allowed"]
    assert (grant["repository"], grant["kind"], grant["words"]) == (str(root), "address", ["https://models.example/v1"])
    assert len(grant["digest"]) == 64
    assert found["path"] == str(user.state)
    assert json.loads(cli(root, "trust", "--list", "--json").out)["allowed"] == [grant]


@pytest.mark.parametrize("text", ["", "llm: {provider: openai, model: tiny}\n", "llm: {command: [sh]}\n"])
def test_where_nothing_has_to_be_allowed_nothing_is(root, cli, user, text):
    configure(root, text)
    done = cli(root, "trust")
    assert (done.code, done.out.splitlines()[0]) == (0, "Nothing here has to be allowed.")
    assert not user.state.exists()


def test_what_the_users_own_file_decides_needs_no_permission(root, cli, user):
    configure(root, COMMAND)
    user.configure("llm: {provider: command, command: [ask]}\n")
    assert "Nothing here has to be allowed." in cli(root, "trust").out


def test_the_list_needs_no_repository(tmp_path, cli, user):
    del user
    assert "Nothing is allowed." in cli(tmp_path, "trust", "--list").out
    assert cli(tmp_path, "trust").code == 3


def test_a_folder_below_and_one_of_several_repositories(root, cli, git, tmp_path):
    configure(root, COMMAND)
    cli(root / "src", "trust")
    copy = tmp_path / "copy"
    git(tmp_path, "clone", "--quiet", str(root), str(copy))
    (copy / ".codecortex").mkdir()
    configure(copy, ADDRESS)
    cli(copy, "trust")
    cli(copy, "trust", "--revoke")
    (grant,) = json.loads(cli(copy, "trust", "--list", "--json").out)["allowed"]
    assert grant["repository"] == str(root)


def test_two_wishes_at_once_make_no_sense(root, cli):
    done = cli(root, "trust", "--list", "--revoke")
    assert done.code == 2
    assert "exclude each other" in done.err


def test_a_damaged_list_is_told(root, cli, user):
    configure(root, COMMAND)
    cli(root, "trust")
    user.state.write_text("[]")
    done = cli(root, "trust")
    assert done.code == 3
    assert str(user.state) in done.err


def test_a_users_file_with_a_mistake_is_told(root, cli, user):
    user.configure("llm:\n  provder: openai\n")
    done = cli(root, "trust")
    assert done.code == 2
    assert f"{user.config}:2: unknown key llm.provder" in done.err
    assert "did you mean llm.provider?" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="other folders there")
def test_the_folders_of_a_user_without_variables(root, cli, user, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name)
    home = user.config.parents[2]
    (home / ".config" / "codecortex").mkdir(parents=True)
    (home / ".config" / "codecortex" / "config.yaml").write_text("llm: {provider: agent}\n")
    configure(root, COMMAND)
    assert f"kept in  {home}/.local/state/codecortex/trust.json" in cli(root, "trust").out
    assert "Nothing here" in cli(root, "trust").out


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_no_text_survive(tmp_path, git, process, user):
    del user
    root = tmp_path / "r\udcff"
    root.mkdir()
    git(root, "init", "--quiet")
    (root / ".codecortex").mkdir()
    configure(root, ADDRESS)
    assert process(root, "trust").returncode == 0
    assert len(json.loads(process(root, "trust", "--list", "--json").stdout)["allowed"]) == 1
    assert process(root, "trust", "--revoke").stdout.startswith(b"revoked")
