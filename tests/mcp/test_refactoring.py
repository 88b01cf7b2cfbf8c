"""The tool `refactor` of a server that may edit: planned, chosen, written, several at once, and taken back."""

import json

import pytest

STORE = "src/Core/Store.cs"


@pytest.fixture
def refactor(start, shop):
    server = start(shop, "--edit")
    server.greet()

    def call(**arguments):
        return server.ask("tools/call", name="refactor", arguments=arguments)["result"]

    return call


@pytest.mark.slow
def test_edits_by_symbol_are_shown_written_and_taken_back(refactor, shop):
    before = (shop / STORE).read_text()
    planned = refactor(verb="rename", symbol="Store.Find", name="Look")
    assert planned["structuredContent"]["state"] == "planned"
    assert "+    public Order? Look(string key) => null;" in planned["content"][0]["text"]
    assert (shop / STORE).read_text() == before

    refused = refactor(verb="rename", symbol="Store.Find", name="Count")
    assert (refused["isError"], refused["structuredContent"]["error"]["code"]) == (True, "EditRefused")
    assert refused["structuredContent"]["error"]["hint"] == "Choose another name."

    edits = [
        {"verb": "rename", "symbol": "Store.Find", "name": "Look"},
        {"verb": "member insert", "symbol": "Store", "text": "public int Size;", "where": "end"},
    ]
    done = refactor(verb="batch", edits=json.dumps(edits), write=True)["structuredContent"]
    assert (done["verb"], done["state"], len(done["made"])) == ("batch", "done", 2)
    assert "Look" in (shop / STORE).read_text()
    assert "Size" in (shop / STORE).read_text()
    assert refactor(verb="undo")["structuredContent"]["state"] == "done"
    assert (shop / STORE).read_text() == before


BAD = {
    "'name'": {"verb": "rename", "symbol": "Store"},
    "'text'": {"verb": "member remove", "symbol": "Store.Find", "text": "x"},
    "'edits'": {"verb": "batch"},
    "'symbol'": {"verb": "usings"},
    "names two places": {"verb": "usings", "symbol": STORE, "write": True, "session": "a"},
}


def test_what_is_missing_or_too_much_is_named(refactor):
    for said, arguments in BAD.items():
        answer = refactor(**arguments)
        assert answer["isError"]
        assert said.replace("names", "name") in answer["content"][0]["text"]
