"""Calls that take long: progress that grows, cancellation, and a server that answers meanwhile."""

import os
import subprocess
import time

import pytest

PATIENCE = 120.0
SLOW = {"name": "resolve", "arguments": {"symbol": "Type7"}, "_meta": {"progressToken": "mine"}}


@pytest.fixture
def large(shop):
    """A repository whose first question takes some seconds."""
    for number in range(240):
        text = "".join(f"    public int Member{n}(string text) {{ return text.Length + {n}; }}\n" for n in range(80))
        (shop / f"src/Core/Type{number}.cs").write_text(f"public class Type{number}\n{{\n{text}}}\n", "utf-8")
    subprocess.run(["git", "add", "."], cwd=shop, check=True)
    return shop


def call(number, params=SLOW):
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def cancel(number):
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}


@pytest.mark.slow
def test_a_long_call_tells_its_progress(start, large):
    server = start(large)
    server.greet()
    server.send(call(50))
    told = []
    while (message := server.read()).get("id") != 50:
        told.append(message["params"])
    assert message["result"]["isError"] is False
    numbers = [each["progress"] for each in told]
    assert numbers
    assert numbers == sorted(set(numbers))
    assert {each["progressToken"] for each in told} == {"mine"}
    assert all(each["progress"] <= each["total"] and each["message"] for each in told)


@pytest.mark.slow
def test_a_cancelled_call_is_never_answered_and_the_next_one_is(start, large):
    server = start(large)
    server.greet()
    server.send(call(50))
    while server.read().get("method") != "notifications/progress":
        pass
    server.send(cancel(50))
    server.send(call(51, {"name": "pack", "arguments": {}}))
    server.send({"jsonrpc": "2.0", "id": 52, "method": "ping"})
    answered = []
    while set(answered) != {51, 52}:
        message = server.read()
        if "id" in message:
            answered.append(message["id"])
    assert answered == [52, 51]  # a ping does not wait for the workspace
    assert server.call("resolve", symbol="Type7")["isError"] is False


@pytest.mark.slow
def test_a_call_cancelled_while_it_waits_is_never_begun(start, large):
    server = start(large)
    server.greet()
    server.send(call(50))
    server.send(call(51, {"name": "window", "arguments": {"action": "pin", "symbol": "IStore"}}))
    server.send(cancel(51))
    while (message := server.read()).get("id") != 50:
        assert message.get("id") != 51
    assert "Pinned" not in server.call("window")["content"][0]["text"]


@pytest.mark.slow
def test_a_cancelled_call_leaves_no_process_behind(start, large):
    server = start(large)
    server.greet()
    server.send(call(50))
    while server.read().get("method") != "notifications/progress":
        pass
    code, told = server.leave()
    assert (code, told) == (0, "")
    wait_for(lambda: os.fspath(large) not in list_processes())


def list_processes():
    return subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout


def wait_for(true):
    """However slow the machine is."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)
