"""Every tool and resource, listed and called by the official Python client; and what each answer says of itself."""

import asyncio
import json
import os
import shutil
import subprocess
import sys

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from codecortex.cli.main import main
from codecortex.mcp_server.open_workspace import OpenWorkspace
from codecortex.mcp_server.server import make_server
from codecortex.mcp_server.tools import OFFERS
from codecortex.mcp_server.worker import Worker
from codecortex.operations.request import Request

POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12\n"
CALLS = [
    ("context", {"question": "Where are orders found?"}, "src/Core/Store.cs"),
    (
        "context",
        {"question": "orders", "budget": 500, "tests": False, "paths": ["src/App/**"], "explain": True},
        "1. src/App/Order.cs: ",
    ),
    ("history", {}, "No type changed."),
    ("history", {"action": "log", "symbol": "Store"}, "added"),
    ("history", {"action": "diff", "symbol": "Store"}, "no difference"),
    ("history", {"action": "check"}, "ok"),
    ("resolve", {"symbol": "Store"}, "Shop.Core.Store"),
    ("resolve", {"symbol": "src/Core/Store.cs:9:19"}, "M:Shop.Core.Store.Find(System.String)"),
    ("search", {"query": "orders", "kinds": ["type"]}, "Shop.Core.Store"),
    ("outline", {"symbol": "Store", "source": True}, "public sealed class Store : IStore"),
    ("outline", {"symbol": "Store.Find"}, "Find(string key)"),
    ("outline", {"symbol": "Shop.Core."}, "IStore"),
    ("read", {"files": ["src/App/Order.cs:1-2", "nothing.cs"]}, "git lists no such file"),
    ("usages", {"symbol": "Store"}, "src/App/Order.cs"),
    ("graph", {"symbol": "Store", "reverse": True}, "Shop.App.Order"),
    ("graph", {"symbol": "Store.Find", "calls": True}, "Store.Find(string)"),
    ("graph", {"by": "type", "format": "mermaid"}, "-->"),
    ("graph", {"symbol": "Store", "reverse": True, "files": True, "paths": ["src/App/**"]}, "src/App/Order.cs"),
    ("investigate", {}, "No question was investigated"),
    ("note", {"symbol": "Store"}, "Remembers every order."),
    ("pack", {}, "core"),
    ("pack", {"action": "show", "name": "core"}, "Shop.Core.Store"),
    ("pack", {"action": "show", "name": "core", "files": True}, "src/Core/Order.cs"),
    ("pack", {"action": "build", "name": "core"}, "core"),
    ("window", {"action": "pin", "symbol": "IStore"}, "Shop.Core.IStore"),
    ("window", {"action": "unpin", "symbol": "IStore"}, "Shop.Core.IStore"),
    ("window", {"action": "dismiss", "symbol": "IStore"}, "Shop.Core.IStore"),
    ("window", {"action": "add", "symbol": "Store", "ttl": "5m"}, "Shop.Core.Store"),
    ("window", {"action": "list"}, "Shop.Core.Store"),
    ("window", {}, "Shop.Core.Store"),
    ("window", {"action": "clear"}, ""),
    ("next", {"symbol": "IStore"}, "Shop.Core.IStore"),
    ("status", {}, "Types"),
]


@pytest.fixture
def talk(source):
    """`talk(folder, work)`: what `work(client)` gives, a coroutine, with a server of its own."""

    def run(folder, work):
        command = ["-m", "codecortex", "-C", str(folder), "mcp"]
        server = StdioServerParameters(command=sys.executable, args=command, env={**os.environ, "PYTHONPATH": source})

        async def speak():
            async with Client(stdio_client(server)) as client:
                return await work(client)

        return asyncio.run(speak())

    return run


@pytest.fixture
def near():
    """`near(folder)`: a server in this process, whose `call` answers as that of one on pipes."""

    class Near:
        def __init__(self, folder):
            self._server = make_server(OpenWorkspace(Request(folder), metrics=False), Worker("questions"))

        def call(self, tool, **arguments):
            async def speak():
                async with Client(self._server) as client:
                    return await client.call_tool(tool, arguments)

            return asyncio.run(speak()).model_dump(mode="json", by_alias=True)

    return Near


@pytest.mark.slow
def test_the_official_client_lists_and_calls_every_tool(shop, talk):
    async def work(client):
        listed = await client.list_tools()
        return listed, [(call, await client.call_tool(call[0], call[1])) for call in CALLS]

    listed, answers = talk(shop, work)
    called = {name for name, _, _ in CALLS} | {"put"}  # which needs the id that `next` gives: tests/mcp/test_agent.py
    assert {tool.name for tool in listed.tools} == called == {each.name for each in OFFERS}
    for (name, arguments, wanted), result in answers:
        text = result.content[0].text
        assert not result.is_error, (name, arguments, text)
        assert wanted in text, (name, arguments)
        assert isinstance(result.structured_content, dict), name


@pytest.mark.slow
def test_the_official_client_lists_and_reads_every_resource(made, talk):
    async def work(client):
        resources = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        texts = [(await client.read_resource(each.uri)).contents[0].text for each in resources]
        type_id = texts[0].splitlines()[1].split()[0]
        outline = (await client.read_resource(f"codecortex://outline/{type_id}")).contents[0].text
        return resources, templates, texts, (type_id, outline)

    resources, templates, texts, (type_id, outline) = talk(made, work)
    assert [each.uri for each in resources] == ["codecortex://types/1", "codecortex://pack/core"]
    assert [each.uri_template for each in templates] == [
        "codecortex://outline/{typeId}", "codecortex://pack/{name}", "codecortex://types/{page}",
    ]  # fmt: skip
    assert texts[0].startswith("5 types, page 1 of 1")
    assert texts[1] == (made / ".codecortex/packs/core.md").read_text("utf-8").removesuffix("\n")
    assert outline == (made / f".codecortex/types/{type_id}.outline.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("codecortex://outline/T_00000000", "SymbolNotFound"),
        ("codecortex://outline/Order", "AmbiguousSymbol"),
        ("codecortex://pack/none", "UsageError"),
        ("codecortex://pack/..%2Findex", "UsageError"),
        ("codecortex://types/0", "UsageError"),
        ("codecortex://types/999999999999", "UsageError"),
        ("codecortex://nothing/1", "UsageError"),
        ("file:///etc/passwd", "UsageError"),
        ("", "UsageError"),
    ],
)
def test_an_address_of_nothing_is_an_error_with_its_code(shared, uri, code):
    assert shared.ask("resources/read", uri=uri)["error"]["data"]["code"] == code


def test_the_list_of_tools_is_short(shared):
    answer = shared.ask("tools/list")
    assert len(json.dumps(answer["result"], separators=(",", ":"))) <= 8_192  # 8 KB: it stands in every conversation
    writing = {tool["name"] for tool in answer["result"]["tools"] if not tool["annotations"]["readOnlyHint"]}
    assert writing == {"investigate", "next", "pack", "put", "window"}


def test_the_first_tool_is_the_one_to_call_first(shared):
    first = shared.ask("tools/list")["result"]["tools"][0]
    assert first["name"] == "context"
    assert first["description"].startswith("Call this first")


def test_an_unknown_symbol_comes_with_suggestions(shared):
    result = shared.call("outline", symbol="Stroe")
    error = result["structuredContent"]["error"]
    assert (result["isError"], error["code"]) == (True, "SymbolNotFound")
    assert "Shop.Core.Store" in error["suggestions"]
    assert "Shop.Core.Store" in result["content"][0]["text"]


def test_an_ambiguous_symbol_comes_with_its_candidates(shared):
    error = shared.call("outline", symbol="Order")["structuredContent"]["error"]
    assert error["code"] == "AmbiguousSymbol"
    assert {each["fqn"] for each in error["candidates"]} == {"Shop.Core.Order", "Shop.App.Order"}


def test_a_filter_that_makes_no_sense_says_where(shared):
    error = shared.call("pack", action="build", name="new", filter="namespace:Shop AND (")["structuredContent"]["error"]
    assert (error["code"], error["position"]) == ("InvalidFilter", 20)


def test_an_action_without_what_it_needs_is_told(shared):
    for tool, action, needed in [("pack", "show", "name"), ("window", "pin", "symbol")]:
        error = shared.call(tool, action=action)["structuredContent"]["error"]
        assert repr(needed) in error["message"]


def test_a_repository_without_an_index_answers_too(near, shop):
    subprocess.run(["git", "rm", "-rq", ".codecortex"], cwd=shop, check=True)
    server = near(shop)
    assert server.call("resolve", symbol="Store")["structuredContent"]["total"] == 1
    assert server.call("search", query="where are orders kept")["structuredContent"]["hits"]


def test_a_bug_is_an_answer_with_an_id_under_which_stderr_tells_of_it(near, capsys):
    server = near(None)  # no folder at all, which nothing is prepared for
    for _ in range(2):
        result = server.call("status")
        error = result["structuredContent"]["error"]
        assert (result["isError"], error["code"]) == (True, "InternalError")
        told = capsys.readouterr().err
        assert error["traceId"] in told
        assert "Traceback" in told
        assert "Traceback" not in result["content"][0]["text"]


def test_every_answer_has_an_id_and_says_which_symbol_it_is_about(shared):
    answers = [shared.call("outline", symbol="Shop.Core.Store.Find") for _ in range(2)]
    told = [each["structuredContent"] for each in answers]
    assert told[0]["resolved"] == told[1]["resolved"]
    assert told[0]["resolved"]["memberId"].startswith(told[0]["resolved"]["typeId"])
    assert "resolved" not in shared.call("status")["structuredContent"]
    refused = shared.call("outline", symbol="Stroe")["structuredContent"]
    assert {each["traceId"] for each in (*told, refused)} == {"test"}  # as the environment says


def test_pages_are_true(shared):
    first = shared.call("resolve", symbol="Shop.*", kinds=["type"], limit=2)["structuredContent"]
    second = shared.call("resolve", symbol="Shop.*", kinds=["type"], limit=50, offset=2)["structuredContent"]
    assert (len(first["hits"]), first["total"], first["nextOffset"]) == (2, 5, 2)
    assert second["nextOffset"] is None
    assert len({hit["id"] for hit in (*first["hits"], *second["hits"])}) == 5


def test_a_long_answer_is_cut_and_says_so(near, shop):
    members = "\n".join(f"    public int Member{number};" for number in range(400))
    (shop / "src/Core/Large.cs").write_text(f"namespace Shop.Core;\npublic class Large\n{{\n{members}\n}}\n", "utf-8")
    subprocess.run(["git", "add", "."], cwd=shop, check=True)
    server = near(shop)
    cut = server.call("outline", symbol="Large", maxChars=3_000)
    whole = server.call("outline", symbol="Large", maxChars=1_000_000)
    assert len(cut["content"][0]["text"]) < 3_200
    assert "[cut at 3,000 of " in cut["content"][0]["text"]
    assert len(json.dumps(cut["structuredContent"])) < 3_500
    assert cut["structuredContent"]["cut"].startswith("outline: ")
    assert whole["structuredContent"]["outline"].startswith(cut["structuredContent"]["outline"])
    assert "public int Member399" in whole["content"][0]["text"]
    assert "cut" not in whole["structuredContent"]


def test_a_graph_of_everything_is_bounded_and_says_so(near, shop):
    for number in range(60):
        others = " ".join(f"public Type{other} Other{other};" for other in range(60))
        path = shop / f"src/Core/Type{number}.cs"
        path.write_text(f"namespace Shop.Core;\npublic class Type{number} {{ {others} }}\n", "utf-8")
    subprocess.run(["git", "add", "."], cwd=shop, check=True)
    server = near(shop)
    cut = server.call("graph", by="type")
    assert len(json.dumps(cut["structuredContent"])) < 12_500
    assert cut["structuredContent"]["cut"].startswith("edges: ")
    assert len(server.call("graph", by="type", maxChars=1_000_000)["structuredContent"]["edges"]) > 2_000


def test_history_needs_a_symbol_for_one_type_and_takes_no_option_of_git_for_a_revision(shared):
    for action in ("log", "diff"):
        assert "'symbol'" in shared.call("history", action=action)["structuredContent"]["error"]["message"]
    for action in ("changes", "log", "diff", "check"):
        told = shared.call("history", action=action, symbol="Store", revisions="--output=/tmp/nothing")
        assert told["structuredContent"]["error"]["code"] in {"GitStateError", "UsageError"}, action


def test_history_tells_what_an_edit_changed(near, shop):
    server = near(shop)
    file = shop / "src/Core/Store.cs"
    file.write_text(file.read_text("utf-8").replace("string key", "string key, int most"), "utf-8")
    told = server.call("history")
    assert [each["fqn"] for each in told["structuredContent"]["changes"]] == ["Shop.Core.Store"]
    assert "Structure  changed  Shop.Core.Store" in told["content"][0]["text"]
    diff = server.call("history", action="diff", symbol="Store", revisions="HEAD")["content"][0]["text"]
    assert "~ public Order? Find(string) -> public Order? Find(string,int)" in diff
    assert "\x1b" not in diff
    check = server.call("history", action="check")
    assert check["structuredContent"]["errors"] > 0
    assert "[outline-behind]" in check["content"][0]["text"]


def test_context_answers_from_files_as_they_are(near, shop):
    server = near(shop)
    question = {"question": "Where is the discount of a customer worked out?"}
    before = server.call("context", **question)
    assert "Discount" not in before["content"][0]["text"]
    (shop / "src/Core/Discount.cs").write_text(
        "namespace Shop.Core;\npublic class Discount { public int WorkOut(string customer) => 3; }\n", "utf-8"
    )
    subprocess.run(["git", "add", "."], cwd=shop, check=True)
    after = server.call("context", **question)
    assert after["structuredContent"]["files"][0] == "src/Core/Discount.cs"
    (shop / "src/Core/Discount.cs").unlink()
    assert server.call("context", **question) == before


def test_a_list_is_cut_between_entries(shared):
    whole = shared.call("resolve", symbol="Shop.*", limit=4)["structuredContent"]
    cut = shared.call("resolve", symbol="Shop.*", limit=4, maxChars=1_000)["structuredContent"]
    kept = len(cut["hits"])
    assert 0 < kept < 4
    assert cut["hits"] == whole["hits"][:kept]
    assert cut["cut"].startswith(f"hits: {kept} of 4 entries; ")
    assert "nextOffset" not in cut  # it would leave out what was cut


# -- what is stale, degraded or unread


def test_files_edited_between_calls_are_answered_as_they_are(near, shop):
    server = near(shop)
    file = shop / "src/Core/Store.cs"
    assert "Remove" not in server.call("outline", symbol="Store")["content"][0]["text"]
    file.write_text(file.read_text("utf-8").replace("Find(", "Remove("), "utf-8")
    assert "Remove(string key)" in server.call("outline", symbol="Store")["content"][0]["text"]
    assert server.call("resolve", symbol="Store.Find")["isError"] is True
    subprocess.run(["git", "mv", "src/Core/Store.cs", "src/Core/Shelf.cs"], cwd=shop, check=True)
    assert "src/Core/Shelf.cs" in server.call("outline", symbol="Store")["content"][0]["text"]


def test_a_stale_note_is_told_with_its_state_and_causes(near, shop):
    file = shop / "src/Core/Store.cs"
    file.write_text(file.read_text("utf-8").replace("string key", "string key, int most"), "utf-8")
    server = near(shop)
    told = server.call("note", symbol="Store")
    assert told["structuredContent"]["semanticState"] == "stale"
    assert told["structuredContent"]["note"]["causes"]
    assert "stale" in told["content"][0]["text"].splitlines()[0]
    assert "Remembers every order." in told["content"][0]["text"]
    assert "stale" in server.call("outline", symbol="Store")["content"][0]["text"]


def test_a_pack_that_is_behind_says_so(near, shop):
    file = shop / "src/Core/Order.cs"
    file.write_text(file.read_text("utf-8").replace("string Key", "string Key, int Number"), "utf-8")
    server = near(shop)
    told = server.call("pack", action="show", name="core")
    assert told["structuredContent"]["behind"] is True
    assert ".codecortex/packs/core.md is behind" in told["structuredContent"]["warnings"][0]
    assert "warning: .codecortex/packs/core.md is behind" in told["content"][0]["text"]
    assert "int Number" in told["content"][0]["text"]


def test_an_old_name_is_told(near, shop):
    file = shop / "src/Core/Store.cs"
    file.write_text(file.read_text("utf-8").replace("class Store", "class Shelf"), "utf-8")
    (shop / "src/App/Order.cs").write_text("namespace Shop.App;\npublic class Order;\n", "utf-8")
    assert main(["-C", str(shop), "refresh"]) == 0
    server = near(shop)
    for tool in ("outline", "usages", "graph", "note"):
        told = server.call(tool, symbol="Shop.Core.Store")
        assert "Shop.Core.Shelf" in told["content"][0]["text"], tool
        assert '"redirectedFrom": "Shop.Core.Store"' in json.dumps(told["structuredContent"]), tool


def test_a_file_read_only_in_part_is_told_with_what_it_declares(shared):
    told = shared.call("outline", symbol="Broken")
    assert told["structuredContent"]["degraded"]
    assert "src/App/Broken.cs" in told["content"][0]["text"]


def test_a_file_that_cannot_be_read_is_named_in_every_answer(near, shop):
    (shop / "src/Core/Store.cs").write_text(POINTER, "utf-8")
    server = near(shop)
    for _ in range(2):
        told = server.call("resolve", symbol="IStore")
        assert told["structuredContent"]["warnings"] == ["src/Core/Store.cs: not read: lfs pointer"]
        assert told["content"][0]["text"].endswith("\nwarning: src/Core/Store.cs: not read: lfs pointer")


# -- repositories that come and go


def test_a_repository_that_vanishes_is_told_and_its_successor_answered(near, shop, tmp_path):
    server = near(shop)
    assert server.call("resolve", symbol="Shop.Core.Store")["isError"] is False
    away = tmp_path / "away"
    shop.rename(away)
    for _ in range(2):
        error = server.call("resolve", symbol="Shop.Core.Store")["structuredContent"]["error"]
        assert error["code"] == "GitStateError"
    subprocess.run(["git", "clone", "--quiet", away, shop], check=True)
    shutil.rmtree(away)
    assert server.call("resolve", symbol="Shop.Core.Store")["isError"] is False


def test_a_repository_cloned_anew_under_the_same_name_is_answered_as_it_is(near, shop, tmp_path):
    server = near(shop)
    assert "Store.cs" in server.call("resolve", symbol="Shop.Core.Store")["content"][0]["text"]
    shop.rename(tmp_path / "away")
    subprocess.run(["git", "clone", "--quiet", tmp_path / "away", shop], check=True)
    (shop / "src/Core/Store.cs").rename(shop / "src/Core/Shelf.cs")
    subprocess.run(["git", "add", "."], cwd=shop, check=True)
    assert "Shelf.cs" in server.call("resolve", symbol="Shop.Core.Store")["content"][0]["text"]


def test_a_folder_without_a_repository_is_an_error_of_each_call(near, tmp_path):
    server = near(tmp_path)
    assert server.call("status")["structuredContent"]["error"]["code"] == "GitStateError"
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    assert server.call("status")["isError"] is False
