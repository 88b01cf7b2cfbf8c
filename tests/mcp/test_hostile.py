"""Clients that break every rule, on a bare pair of pipes: the server answers what it can and never falls over."""

import json
import signal
import sqlite3
import subprocess
from contextlib import closing

import pytest

PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
RESOLVE = {"name": "resolve", "arguments": {"symbol": "Store"}}


def request(number, method="tools/call", params=None):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or RESOLVE}


@pytest.mark.parametrize(
    ("line", "code", "answered"),
    [
        (b'{"jsonrpc": "2.0", "id": 7, "method"', PARSE_ERROR, None),
        (b"\xff\xfe\x00", PARSE_ERROR, None),
        (b'"\\ud800', PARSE_ERROR, None),
        (b"[" * 100_000 + b'"\\ud800"', PARSE_ERROR, None),
        (b'"\\ud800"', INVALID_REQUEST, None),
        (b"[" * 100_000, PARSE_ERROR, None),
        (b"42", INVALID_REQUEST, None),
        (b"[]", INVALID_REQUEST, None),
        (b'[{"jsonrpc": "2.0", "id": 7, "method": "ping"}]', INVALID_REQUEST, None),
        (b'{"id": 7, "method": "ping"}', INVALID_REQUEST, 7),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', INVALID_REQUEST, None),
        (b'{"jsonrpc": "2.0", "id": "a", "method": "nothing/such"}', UNKNOWN_METHOD, "a"),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": 3}}', INVALID_PARAMS, 7),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "nothing"}}', INVALID_PARAMS, 7),
    ],
)
def test_what_makes_no_sense_is_refused_and_the_next_call_answered(shared, line, code, answered):
    shared.send(line)
    told = shared.read()
    assert (told["error"]["code"], told["id"]) == (code, answered)
    assert shared.call("resolve", symbol="Shop.Core.Store")["isError"] is False


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("resolve", {}, "symbol"),
        ("resolve", {"symbol": None}, "symbol"),
        ("resolve", {"symbol": ["Store"]}, "symbol"),
        ("resolve", {"symbol": "Store", "limit": True}, "limit"),
        ("resolve", {"symbol": "Store", "limit": 0}, "limit"),
        ("resolve", {"symbol": "Store", "limit": 10**30}, "limit"),
        ("resolve", {"symbol": "Store", "offset": -1}, "offset"),
        ("resolve", {"symbol": "Store", "colour": 1}, "colour"),
        ("outline", {"symbol": "Store", "source": "yes"}, "source"),
        ("graph", {"symbol": "Store", "format": "png"}, "format"),
        ("resolve", {"symbol": "x" * 10_000_000}, "symbol"),
    ],
)
def test_arguments_that_do_not_fit_are_an_error_that_names_them(shared, tool, arguments, named):
    result = shared.call(tool, **arguments)
    error = result["structuredContent"]["error"]
    assert result["isError"] is True
    assert error["code"] == "UsageError"
    assert repr(named) in error["message"]
    assert error["message"] in result["content"][0]["text"]
    assert len(json.dumps(result)) < 2_000


def test_a_message_beyond_16_mib_is_refused_and_not_kept(shared):
    shared.send(b'"' + b"x" * (17 * 1024 * 1024) + b'"')
    assert shared.read()["error"]["code"] == INVALID_REQUEST
    assert shared.call("resolve", symbol="Shop.Core.Store")["isError"] is False


@pytest.mark.parametrize("half", [r"\ud800", r"\uDFFF", r"\udc00\ud800"])
def test_an_argument_with_half_a_character_is_answered(shared, half):
    call = json.dumps(request(41, params={"name": "search", "arguments": {"query": "Store HALF"}}))
    shared.send(call.replace("HALF", half).encode())
    told = shared.read()
    assert told["id"] == 41
    assert told["result"]["structuredContent"]["query"] == "Store " + "\ufffd" * half.count("u")


@pytest.mark.slow
def test_a_flood_of_empty_lines_costs_next_to_nothing(start, made):
    server = start(made)
    server.greet()
    for _ in range(3):  # each one fits into no pipe
        server.process.stdin.write(b"\n" * 200_000 + b" \r\n" * 50_000)
    assert server.ask("ping")["result"] == {}
    assert server.measure() < 10  # seconds of CPU time: 1 in all; 30 where each line is passed on


def test_a_flood_of_calls_is_answered_to_the_last(shared):
    numbers = range(1_000, 1_200)
    shared.send(b"\n".join(json.dumps(request(number)).encode() for number in numbers))
    told = [shared.read() for _ in numbers]
    assert sorted(each["id"] for each in told) == list(numbers)
    assert all("result" in each for each in told)


def test_calls_before_the_greeting_are_refused(start, made):
    server = start(made)
    server.send(request(1))
    assert server.read()["error"]["code"] == INVALID_PARAMS
    server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}})
    assert server.greet()["serverInfo"]["name"] == "codecortex"
    assert server.call("resolve", symbol="Shop.Core.Store")["isError"] is False


@pytest.mark.slow
def test_a_client_that_leaves_at_once_leaves_no_trace(start, made):
    servers = [(start(made), sent) for sent in (b"", b'\n\n{"jsonrpc": "2.0", "id": 1, "meth')]
    for server, sent in servers:
        server.process.stdin.write(sent)
        server.process.stdin.close()
    for server, _ in servers:
        assert server.leave() == (0, "")


@pytest.mark.slow
def test_a_client_that_leaves_in_the_middle_of_a_call_is_not_waited_for(start, shop):
    for number in range(400):  # enough to be read by several processes
        (shop / f"src/Core/Type{number}.cs").write_text(f"class Type{number} {{ {'int Field; ' * 2000} }}\n", "utf-8")
    subprocess.run(["git", "add", "."], cwd=shop, check=True)
    server = start(shop)
    server.greet()
    server.send(request(5, params={**RESOLVE, "_meta": {"progressToken": "mine"}}))
    while server.read().get("method") != "notifications/progress":
        pass
    assert server.leave() == (0, "")
    with closing(sqlite3.connect(shop / ".git/codecortex/cache.sqlite")) as cache:
        assert cache.execute("SELECT count(*) FROM facts").fetchone() < (400,)  # it would hold what was read


def test_what_was_asked_before_leaving_is_answered(start, made):
    server = start(made)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    server.send(request(1, "initialize", hello))
    server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    server.send(request(2, "tools/list", {}))
    server.process.stdin.close()
    assert [server.read()["id"], server.read()["id"]] == [1, 2]
    assert server.leave()[0] == 0


def test_a_client_that_no_longer_listens_ends_the_server(start, made):
    server = start(made)
    server.greet()
    server.process.stdout.close()
    server.send(request(5))
    code = server.process.wait(30)
    assert (code, server.process.stderr.read()) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 0), ("SIGINT", 130)])
def test_a_signal_ends_the_server(start, made, name, code):
    server = start(made)
    server.greet()
    server.call("resolve", symbol="Store")
    server.process.send_signal(getattr(signal, name))
    assert server.process.wait(30) == code
    assert b"Traceback" not in server.process.stderr.read()
