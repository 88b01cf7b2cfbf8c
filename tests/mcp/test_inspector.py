"""The MCP inspector's command-line mode, a client that others wrote, lists and calls every tool.

It is looked for on PATH and in the folders that CODECORTEX_TOOLS names.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

TOOLS = os.pathsep.join(filter(None, [os.environ.get("CODECORTEX_TOOLS"), os.environ.get("PATH")]))
CALLS = {
    "context": ["question=Where are orders found?"],
    "history": ["action=log", "symbol=Store"],
    "resolve": ["symbol=Store"],
    "search": ["query=orders"],
    "investigate": ["action=list"],
    "outline": ["symbol=Store"],
    "read": ['files=["src/Core/Store.cs:1-3"]'],
    "usages": ["symbol=Store", "limit=5"],
    "graph": ["symbol=Store", "reverse=true"],
    "note": ["symbol=Store"],
    "pack": ["action=list"],
    "window": ["action=show"],
    "next": ["symbol=IStore"],
    "status": [],
}


@pytest.fixture
def inspect(source):
    """`inspect(folder, "tools/list")`: what the inspector printed, read as JSON."""
    if shutil.which("mcp-inspector", path=TOOLS) is None:
        pytest.skip("needs mcp-inspector: name its folder in CODECORTEX_TOOLS")

    def run(folder, method, *arguments):
        server = [sys.executable, "-m", "codecortex", "-C", os.fspath(folder), "mcp"]
        command = ["mcp-inspector", "--cli", *server, "--method", method, *arguments]
        environment = {**os.environ, "PATH": TOOLS, "PYTHONPATH": source}
        done = subprocess.run(command, capture_output=True, check=False, env=environment, timeout=120)
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return run


def test_the_inspector_lists_and_calls_every_tool(shop, inspect):
    def call(item):
        name, arguments = item
        given = [word for each in arguments for word in ("--tool-arg", each)]
        return name, inspect(shop, "tools/call", "--tool-name", name, *given)

    listed = inspect(shop, "tools/list")
    assert {tool["name"] for tool in listed["tools"]} == {*CALLS, "put"}
    with ThreadPoolExecutor(2) as pool:
        for name, result in pool.map(call, CALLS.items()):
            assert not result.get("isError"), (name, result)
            assert result["content"][0]["text"], name
            assert result["structuredContent"], name


def test_the_inspector_lists_and_reads_resources(made, inspect):
    uris = {each["uri"] for each in inspect(made, "resources/list")["resources"]}
    assert uris == {"codecortex://types/1", "codecortex://pack/core"}
    read = inspect(made, "resources/read", "--uri", "codecortex://pack/core")
    assert "Shop.Core.Store" in read["contents"][0]["text"]


def test_the_inspector_lists_and_fills_in_prompts(made, inspect):
    prompts = {each["name"]: each for each in inspect(made, "prompts/list")["prompts"]}
    assert {name: [each["name"] for each in prompt["arguments"]] for name, prompt in prompts.items()} == {
        "find": ["task"],
        "review": ["revisions"],
        "notes": ["symbol", "number"],
    }
    got = inspect(made, "prompts/get", "--prompt-name", "find", "--prompt-args", "task=Orders are lost")
    assert "Orders are lost" in got["messages"][0]["content"]["text"]
