"""The command `mcp` itself: what it tells for clients, what it loads, and what it says where its package is missing."""

import json
import os
import subprocess
import sys
import tomllib

import pytest

REPORT = "import atexit, sys\natexit.register(lambda: print(*sys.modules))\n"


@pytest.fixture
def run(source):
    """`run("-C", folder, "mcp")`: the finished command."""

    def call(*arguments, stdin=b"", **variables):
        environment = {**os.environ, "PYTHONPATH": source, **variables}
        command = [sys.executable, "-m", "codecortex", *map(os.fspath, arguments)]
        return subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment)

    return call


@pytest.mark.parametrize(
    ("client", "key"),
    [
        ("claude-code", "mcpServers"),
        ("claude-desktop", "mcpServers"),
        ("cursor", "mcpServers"),
        ("gemini", "mcpServers"),
        ("vscode", "servers"),
        ("zed", "context_servers"),
        ("codex", "mcp_servers"),
    ],
)
def test_print_config_tells_a_client_how_to_start_the_server(run, made, client, key):
    (made / "src").mkdir(exist_ok=True)
    done = run("-C", made / "src", "mcp", "--print-config", client)
    text = done.stdout.decode()
    told = (tomllib.loads(text) if client == "codex" else json.loads(text))[key]["codecortex"]
    assert [told["command"], *told["args"]] == [sys.executable, "-P", "-m", "codecortex", "-C", str(made), "mcp"]
    assert done.returncode == 0


def test_print_config_without_a_client_shows_them_all_and_writes_nothing(run, shop):
    before = subprocess.run(["git", "status", "--short"], cwd=shop, capture_output=True, check=True).stdout
    told = run("-C", shop, "mcp", "--print-config").stdout.decode()
    for client in ("claude-code", "claude-desktop", "codex", "cursor", "gemini", "vscode", "zed"):
        assert f"{client}: " in told
    after = subprocess.run(["git", "status", "--short"], cwd=shop, capture_output=True, check=True).stdout
    assert after == before == b""


def test_print_config_for_an_unknown_client_names_the_known(run, made):
    done = run("-C", made, "mcp", "--print-config", "emacs")
    assert done.returncode == 2
    assert b"claude-code, claude-desktop, codex" in done.stderr


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
    _, _, told = server.leave()
    loaded = set(told.split())  # printed on stdout, which is the protocol's: hence it stands on stderr
    assert "codecortex.mcp_server.server" in loaded
    assert not loaded & {
        "codecortex.operations.catalog.workspace",
        "codecortex.store.cache.cache",
        "tree_sitter",
        "ruamel.yaml",
        "rich",
    }
