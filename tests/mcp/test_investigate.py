"""The tool `investigate`: a run that goes on in the background and is followed, and rounds that the agent answers."""

import json
import re
import sys

import pytest

QUESTION = "How does the Store count?"
ANSWER = """CONCLUSION:
`Count` says how many there are.

EVIDENCE:
- `Shop.Core.Store.Count`: the number
- src/Core/Store.cs:1 `public int Count`: it is public to read

OPEN POINTS:
- none
"""
WAITING = """
import pathlib, sys, time
sys.stdin.read()
gate = pathlib.Path(sys.argv[1])
(gate / "asked").touch()
while not (gate / "go").exists():
    time.sleep(0.02)
print(ANSWER)
"""


@pytest.fixture
def gate(tmp_path, monkeypatch):
    """A model that answers once the file `go` is in this folder."""
    folder, program = tmp_path / "gate", tmp_path / "model.py"
    folder.mkdir()
    program.write_text(f"ANSWER = {ANSWER!r}\n{WAITING}", "utf-8")
    config = tmp_path / "config/codecortex/config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text(
        json.dumps({"llm": {"provider": "command", "command": [sys.executable, str(program), str(folder)]}})
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return folder


def follow(server, run_id, number):
    """The result of following a run to its end, and the progress that was told."""
    told = []
    while True:
        number += 1
        arguments = {"action": "follow", "question": run_id}
        params = {"name": "investigate", "arguments": arguments, "_meta": {"progressToken": number}}
        server.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
        while (message := server.read()).get("id") != number:
            told.append(message["params"])
        result = message["result"]["structuredContent"]
        if result["ended"]:
            return result, told


@pytest.mark.slow
def test_a_run_is_started_at_once_and_followed_to_its_end(shop, start, gate):
    server = start(shop)
    server.greet()
    begun = server.call("investigate", action="start", question=QUESTION)["structuredContent"]
    assert re.fullmatch(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{4}", begun["id"])
    busy = server.call("investigate", action="start", question="Another one?")
    assert busy["structuredContent"]["error"]["code"] == "Busy"
    (gate / "go").touch()
    result, told = follow(server, begun["id"], 100)
    assert (result["progress"], result["events"][-1]["status"]) == (1, "finished")
    assert [row["number"] for row in result["events"]] == list(range(1, len(result["events"]) + 1))
    assert told[-1]["message"].startswith(f"Run {begun['id']}: ")
    assert told[-1]["message"].endswith("(100 %)")
    path = next(row["path"] for row in result["events"] if row["event"] == "written")
    assert (shop / path).read_text("utf-8").startswith(f"# Investigation: {QUESTION}\n")
    again = server.call("investigate", action="start", question=QUESTION)["structuredContent"]
    assert (again["id"], "holds" in again["reason"]) == (None, True)
    assert server.call("investigate")["structuredContent"]["investigations"][0]["state"] == "cached"
    assert server.call("investigate", action="update")["structuredContent"]["id"] is None


@pytest.mark.slow
@pytest.mark.usefixtures("gate")
def test_a_run_can_be_cancelled(shop, start):
    server = start(shop)
    server.greet()
    begun = server.call("investigate", action="start", question=QUESTION)["structuredContent"]
    told = server.call("investigate", action="cancel", question=begun["id"])["structuredContent"]
    assert (told["id"], told["told"]) == (begun["id"], True)
    result, _ = follow(server, begun["id"], 100)
    assert result["events"][-1]["status"] == "cancelled"
    assert not (shop / ".codecortex/investigations").exists()


@pytest.mark.slow
def test_an_agent_answers_with_put(shop, start):
    server = start(shop)
    server.greet()
    asked = server.call("investigate", action="next", question=QUESTION)["structuredContent"]
    more = server.call("put", id=asked["id"], text="MORE:\n- symbol Shop.Core.Store\n")["structuredContent"]["next"]
    refused = server.call("put", id=more["id"], text=ANSWER.replace("Store.Count", "Store.Total"))
    assert refused["structuredContent"]["error"]["code"] == "AnswerRefused"
    done = server.call("put", id=more["id"], text=ANSWER)["structuredContent"]
    assert (shop / done["path"]).exists()


@pytest.mark.slow
def test_without_a_model_it_says_who_could_answer(shop, start):
    server = start(shop)
    server.greet()
    refused = server.call("investigate", action="start", question=QUESTION)
    assert "investigate next" in refused["content"][0]["text"]
    assert server.call("investigate", action="start")["isError"]
