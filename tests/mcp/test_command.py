"""The command `mcp` itself: what it tells for clients, what it loads, and what it says where its package is missing."""

import json
import os
import subprocess
import sys
import tomllib

import pytest

from codecortex import __version__

REPORT = "import atexit, sys\natexit.register(lambda: print(*sys.modules))\n"


@pytest.fixture
def run(source):
    """`run("-C", folder, "mcp")`: the finished command."""

    def call(*arguments, stdin=b"", **variables):
        environment = {**os.environ, "PYTHONPATH": source, **variables}
        command = [sys.executable, "-m", "codecortex", *map(os.fspath, arguments)]
        return subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment)

    return call


SHARED = {  # files of a repository, or such as know of none: for each client the key, and what stands for the folder
    "claude-code": ("mcpServers", []),
    "codex": ("mcp_servers", []),
    "copilot-cli": ("mcpServers", []),
    "cursor": ("mcpServers", ["-C", "${workspaceFolder}"]),
    "gemini": ("mcpServers", []),
    "opencode": ("mcp", []),
    "rider": ("mcpServers", []),
    "visual-studio": ("servers", []),
    "vscode": ("servers", ["-C", "${workspaceFolder}"]),
    "zed": ("context_servers", []),
}
OWN = ("claude-desktop", "cline", "windsurf")
UVX = ["uvx", "--from", f"git-codecortex[mcp]=={__version__}", "codecortex"]


def read_command(text, client, key):
    """What the client starts, by the text as it reads it."""
    server = (tomllib.loads(text) if client == "codex" else json.loads(text))[key]["codecortex"]
    return server["command"] if client == "opencode" else [server["command"], *server["args"]]


@pytest.mark.parametrize("client", SHARED)
def test_what_is_committed_names_nothing_of_this_machine(run, made, client):
    (made / "src").mkdir(exist_ok=True)
    key, folder = SHARED[client]
    done = run("-C", made / "src", "mcp", "--print-config", client)
    assert done.returncode == 0
    assert read_command(done.stdout.decode(), client, key) == ["codecortex", *folder, "mcp"]
    fetched = run("-C", made, "mcp", "--print-config", client, "--uvx").stdout.decode()
    assert read_command(fetched, client, key) == [*UVX, *folder, "mcp"]


@pytest.mark.parametrize("client", OWN)
def test_what_a_client_keeps_for_all_repositories_names_this_one(run, made, client):
    told = run("-C", made / "src", "mcp", "--print-config", client).stdout.decode()
    start = [sys.executable, "-P", "-m", "codecortex"]
    assert read_command(told, client, "mcpServers") == [*start, "-C", str(made), "mcp"]
    fetched = run("-C", made, "mcp", "--print-config", client, "--uvx").stdout.decode()
    assert read_command(fetched, client, "mcpServers") == [*UVX, "-C", str(made), "mcp"]


def test_the_shapes_that_clients_insist_on(run, made):
    def show(client):
        return json.loads(run("-C", made, "mcp", "--print-config", client).stdout)

    assert show("opencode")["mcp"]["codecortex"]["type"] == "local"
    assert show("copilot-cli")["mcpServers"]["codecortex"]["tools"] == ["*"]
    assert show("vscode")["servers"]["codecortex"]["type"] == "stdio"
    assert show("visual-studio")["servers"]["codecortex"]["type"] == "stdio"


def test_the_command_that_is_committed_serves_the_repository_it_is_started_in(start, made, monkeypatch):
    monkeypatch.chdir(made / "src")
    server = start(".")
    server.greet()
    assert server.call("resolve", symbol="Shop.Core.Store")["structuredContent"]["total"] == 1


def test_print_config_without_a_client_shows_them_all_and_writes_nothing(run, shop):
    before = subprocess.run(["git", "status", "--short"], cwd=shop, capture_output=True, check=True).stdout
    told = run("-C", shop, "mcp", "--print-config").stdout.decode()
    for client in (*SHARED, *OWN):
        assert f"{client}: " in told
    after = subprocess.run(["git", "status", "--short"], cwd=shop, capture_output=True, check=True).stdout
    assert after == before == b""


@pytest.mark.parametrize(("client", "near"), [("claudecode", "claude-code"), ("VSCode", "vscode"), ("Ryder", "rider")])
def test_print_config_suggests_the_client_that_was_meant(run, made, client, near):
    done = run("-C", made, "mcp", "--print-config", client)
    assert done.returncode == 2
    assert f"Did you mean {near}?" in done.stderr.decode()


def test_a_client_may_edit_where_that_is_asked_for(run, made):
    told = run("-C", made, "mcp", "--print-config", "claude-code", "--edit").stdout.decode()
    assert read_command(told, "claude-code", "mcpServers") == ["codecortex", "mcp", "--edit"]


def test_uvx_without_print_config_is_refused(run, made):
    assert run("-C", made, "mcp", "--uvx").returncode == 2


def test_print_config_for_an_unknown_client_names_the_known(run, made):
    done = run("-C", made, "mcp", "--print-config", "emacs")
    assert done.returncode == 2
    assert b"claude-code, claude-desktop, cline, codex" in done.stderr


def test_print_config_where_there_is_no_repository_is_an_error(run, tmp_path):
    assert run("-C", tmp_path, "mcp", "--print-config").returncode == 3


@pytest.mark.parametrize("text", ["raise ImportError('no mcp', name='mcp')\n", "old = 1\n"])
def test_a_missing_package_or_an_old_one_is_one_clear_error(run, made, tmp_path, source, text):
    package = tmp_path / "site" / "mcp"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(text, "utf-8")
    done = run("-C", made, "mcp", PYTHONPATH=f"{package.parent}:{source}")
    assert done.returncode == 2
    assert b"pip install 'git-codecortex[mcp]'" in done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


def test_nothing_is_loaded_before_the_first_question_and_nothing_but_the_protocol_reaches_stdout(
    start, made, tmp_path, source
):
    (tmp_path / "sitecustomize.py").write_text(REPORT, "utf-8")
    server = start(made, PYTHONPATH=f"{tmp_path}:{source}")
    server.greet()
    server.ask("tools/list")
    _, told = server.leave()
    loaded = set(told.split())  # printed on stdout, which is the protocol's: hence it stands on stderr
    assert "codecortex.mcp_server.server" in loaded
    assert not loaded & {
        "codecortex.operations.catalog.workspace",
        "codecortex.store.cache.cache",
        "tree_sitter",
        "ruamel.yaml",
        "rich",
    }
