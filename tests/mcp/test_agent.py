"""The tools `next` and `put`: an agent that is connected anyway writes the notes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECTIONS = ("ROLE", "LIFECYCLE", "EDGE_CASES", "LIMITATIONS", "RECOMMENDATIONS")
WHOLE = "\n\n".join(f"{name}:\nSaid of {name.lower()}." for name in SECTIONS) + "\n"


def greet(start: Callable[..., Any], folder: Path) -> Any:
    server = start(folder)
    server.greet()
    return server


@pytest.mark.slow
def test_an_agent_writes_a_note_with_two_calls(shop: Path, start: Callable[..., Any]) -> None:
    server = greet(start, shop)
    asked = server.call("next", symbol="IStore")
    told, text = asked["structuredContent"], asked["content"][0]["text"]
    assert re.fullmatch("P_[0-9A-HJKMNP-TV-Z]{8}", told["id"])
    assert told["prompt"].rstrip() in text
    assert text.endswith("or the tool `put`.")
    done = server.call("put", id=told["id"], text=WHOLE)["structuredContent"]
    assert (done["changed"], done["given"]) == (True, list(SECTIONS))
    note = server.call("note", symbol="IStore")["structuredContent"]
    assert note["semanticState"] == "cached"
    assert "agent prompt" in (shop / done["path"]).read_text("utf-8")
    log = (shop / ".codecortex/local/logs/requests.jsonl").read_text("utf-8")
    assert [json.loads(line)["outcome"] for line in log.splitlines()] == ["given", "answered"]


@pytest.mark.slow
def test_every_note_gets_its_turn_until_all_hold(shop: Path, start: Callable[..., Any]) -> None:
    server = greet(start, shop)
    owners = []
    while (told := server.call("next")["structuredContent"])["id"]:
        owners.append(told["owner"])
        assert not server.call("put", id=told["id"], text=WHOLE).get("isError")
    assert len(owners) == len(set(owners)) > 1
    assert told["total"] == 0


@pytest.mark.slow
def test_a_bad_answer_is_an_error_that_says_why_and_the_id_stays_open(shop: Path, start: Callable[..., Any]) -> None:
    server = greet(start, shop)
    told = server.call("next", symbol="IStore")["structuredContent"]
    refused = server.call("put", id=told["id"], text="ROLE:\nOnly this.\n")
    assert refused["isError"]
    assert refused["structuredContent"]["error"]["code"] == "AnswerRefused"
    assert "missing: LIFECYCLE" in refused["content"][0]["text"]
    assert not server.call("put", id=told["id"], text=WHOLE).get("isError")


@pytest.mark.slow
def test_an_answer_to_what_changed_since_is_an_error(shop: Path, start: Callable[..., Any]) -> None:
    server = greet(start, shop)
    told = server.call("next", symbol="IStore")["structuredContent"]
    file = shop / "src/Core/Order.cs"
    file.write_text(file.read_text("utf-8").replace("int Count", "long Count"), "utf-8")
    refused = server.call("put", id=told["id"], text=WHOLE)
    assert refused["structuredContent"]["error"]["code"] == "OutdatedPrompt"
    anew = server.call("next", symbol="IStore")["structuredContent"]
    assert anew["id"] != told["id"]
    assert not server.call("put", id=anew["id"], text=WHOLE).get("isError")


@pytest.mark.slow
def test_what_is_no_id_of_a_prompt_is_an_error(shop: Path, start: Callable[..., Any]) -> None:
    server = greet(start, shop)
    for text in ("P_00000000", "Store", "", "../x"):
        refused = server.call("put", id=text, text=WHOLE)
        assert refused["structuredContent"]["error"]["code"] == "UsageError"


@pytest.mark.slow
def test_a_prompt_is_never_cut_unasked(shop: Path, start: Callable[..., Any]) -> None:
    members = "\n".join(
        f"    /// <summary>Says number {at} of a very long list of numbers that go on and on.</summary>\n"
        f'    public string Say{at}(string what, int often) => what + often + "{"x" * 300}";'
        for at in range(400)
    )
    with (shop / "src/Core/Store.cs").open("a", encoding="utf-8") as file:
        file.write(f"public class Long\n{{\n{members}\n}}\n")
    told = greet(start, shop).call("next", symbol="Long")["structuredContent"]
    assert len(told["prompt"]) > 40_000
    assert "=== TASK ===" in told["prompt"][-2000:]
    assert not told.get("warnings")
