"""A server that may edit, as the official client meets it: flows, the table of events, what is listed and told."""

import asyncio
import json
import os
import sys

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.subscriptions import ResourceUpdated, ToolsListChanged

FILE = "notes.txt"
TEXT = "foo one\nfoo two\nbar\n"
LIVE = "codecortex://live/default"


@pytest.fixture
def notes(shop):
    path = shop / FILE
    path.write_text(TEXT, "utf-8")
    return path


@pytest.fixture
def talk(source):
    """`talk(folder, work)`: what `work(agent)` gives, a coroutine, with a server of its own that may edit."""

    def run(folder, work, **options):
        command = ["-m", "codecortex", "-C", str(folder), "mcp", "--edit"]
        server = StdioServerParameters(command=sys.executable, args=command, env={**os.environ, "PYTHONPATH": source})

        async def speak():
            async with Client(stdio_client(server), **options) as client:
                return await work(Agent(client))

        return asyncio.run(speak())

    return run


class Agent:
    """What an agent does with the tools."""

    def __init__(self, client):
        self.client = client

    async def edit(self, verb, **arguments):
        done = await self.client.call_tool("edit", {"verb": verb, "file": FILE, **arguments})
        assert not done.is_error, done.content[0].text
        return done.structured_content

    async def live(self, **arguments):
        return (await self.client.call_tool("live", arguments)).structured_content

    async def verbs(self):
        tools = {each.name: each for each in (await self.client.list_tools(cache_mode="bypass")).tools}
        return {*tools["edit"].input_schema["properties"]["verb"]["enum"]} - {"open", "apply", "status"}


def names(told):
    return told["status"], told["state"], told["flags"]["names"]


# -- the five flows


def test_one_match_is_replaced_and_written(notes, talk, shop):
    async def work(agent):
        return await agent.edit("replace", old="bar", new="longer")

    told = talk(shop, work)
    assert names(told) == ("Success", "Idle", [])
    assert told["metrics"] == {"delta": 3, "new_length": len(TEXT) + 3, "selection_count": None}
    assert notes.read_text() == "foo one\nfoo two\nlonger\n"


@pytest.mark.slow
def test_several_matches_are_chosen_from(notes, talk, shop):
    async def work(agent):
        many = await agent.edit("replace", old="foo", new="baz")
        listed = await agent.verbs()
        refused = await agent.edit("append", new="x")
        return many, listed, refused, await agent.edit("select", id=2), await agent.verbs()

    many, listed, refused, chosen, after = talk(shop, work)
    assert names(many) == ("MultiMatch", "SelectionPending", ["SelectionPending"])
    assert "2  [[SEL#2]]foo[[/SEL#2]] two" in many["text"]
    assert listed == {"replace", "select", "discard", "refresh", "diff"}
    assert refused["status"] == "Exception"
    assert names(chosen) == ("Success", "Idle", [])
    assert "select" not in after
    assert notes.read_text() == "foo one\nbaz two\nbar\n"


@pytest.mark.slow
def test_what_cannot_be_written_is_out_of_sync_and_kept(notes, talk, shop):
    async def work(agent):
        await agent.edit("open", mode="manual")
        pending = await agent.edit("replace", old="bar", new="x")
        notes.chmod(0o444)
        failed, listed = await agent.edit("commit"), await agent.verbs()
        return pending, failed, listed, await agent.edit("diff"), await agent.edit("open")

    pending, failed, listed, diff, shown = talk(shop, work)
    assert names(pending) == ("Success", "PersistPending", ["PersistPending"])
    assert failed["status"] == "PersistFailure"
    assert failed["state"] == "OutOfSync"
    assert "commit" not in listed
    assert {"diff", "refresh"} <= listed
    assert "+x" in diff["patch"]
    assert shown["text"].endswith("two\nx\n")
    assert notes.read_text() == TEXT


@pytest.mark.slow
def test_what_both_changed_is_a_conflict_and_nothing_is_lost(notes, talk, shop):
    async def work(agent):
        await agent.edit("open", mode="manual")
        await agent.edit("replace", old="bar", new="mine")
        notes.write_text("theirs\n", "utf-8")
        conflict, listed = await agent.edit("commit"), await agent.verbs()
        return conflict, listed, await agent.edit("refresh"), await agent.edit("undo")

    conflict, listed, refreshed, back = talk(shop, work)
    assert conflict["state"] == "OutOfSync"
    assert "ExternalConflict" in conflict["flags"]["names"] or conflict["status"] == "Exception"
    assert "diff" in listed
    assert "commit" not in listed
    assert (refreshed["status"], refreshed["state"]) == ("Success", "Idle")
    assert (back["status"], back["state"]) == ("Success", "PersistPending")
    assert notes.read_text() == "theirs\n"


def test_without_writing_the_buffer_alone_changes(notes, talk, shop):
    async def work(agent):
        await agent.edit("open", mode="disabled")
        return await agent.edit("replace", old="bar", new="x"), await agent.verbs()

    told, listed = talk(shop, work)
    assert names(told) == ("Success", "PersistPending", ["PersistPending", "PersistReadOnly"])
    assert "buffer alone" in told["guidance"]
    assert "commit" not in listed
    assert notes.read_text() == TEXT


def test_a_patch_of_several_files_is_applied_whole_or_not_at_all(notes, talk, shop):
    part = "--- a/notes.txt\n+++ b/notes.txt\n@@ -3 +3 @@\n-bar\n+done\n"
    block = "*** Begin Patch\n*** Update File: notes.txt\n-bar\n+x\n*** Delete File: gone\n*** End Patch\n"

    async def work(agent):
        refused = (await agent.client.call_tool("edit", {"verb": "apply", "patch": block})).structured_content
        return refused, (await agent.client.call_tool("edit", {"verb": "apply", "patch": part})).structured_content

    refused, done = talk(shop, work)
    assert (refused["status"], [each["file"] for each in refused["failures"]]) == ("NoMatch", ["gone"])
    assert (done["status"], [each["file"] for each in done["files"]]) == ("Success", ["notes.txt"])
    assert notes.read_text() == "foo one\nfoo two\ndone\n"


# -- the nine rows of the table of events: mode, steps, then status, state, and which verbs are and are not listed

ONE, MANY, CHOOSE = (
    ("replace", {"old": "bar", "new": "x"}),
    ("replace", {"old": "foo", "new": "x"}),
    ("select", {"id": 1}),
)
COMMIT, REFRESH = ("commit", {}), ("refresh", {})
ROWS = [
    ("immediate", [ONE], ("Success", "Idle"), set(), {"select"}),
    ("manual", [ONE], ("Success", "PersistPending"), {"commit"}, {"select"}),
    ("manual", [ONE, MANY], ("MultiMatch", "SelectionPending"), {"select"}, {"append", "write", "commit"}),
    ("immediate", [MANY, CHOOSE], ("Success", "Idle"), {"append"}, {"select"}),
    ("manual", [MANY, CHOOSE], ("Success", "PersistPending"), {"commit"}, {"select"}),
    ("manual", [ONE, COMMIT], ("Success", "Idle"), {"append"}, {"select"}),
    ("manual", [ONE, "read-only", COMMIT], ("PersistFailure", "OutOfSync"), {"diff", "refresh"}, {"commit"}),
    ("manual", [ONE, "outside", ("diff", {})], ("Success", "OutOfSync"), {"diff"}, {"commit"}),
    ("immediate", ["outside", REFRESH], ("Success", "Idle"), {"append"}, {"select"}),
]


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS)
def test_events_lead_where_the_table_says(notes, talk, shop, row):
    mode, steps, expected, listed, hidden = row

    async def work(agent):
        told = await agent.edit("open", mode=mode)
        for each in steps:
            if each == "read-only":
                notes.chmod(0o444)
            elif each == "outside":
                notes.write_text("theirs\n", "utf-8")
            else:
                told = await agent.edit(each[0], **each[1])
        return told, await agent.verbs()

    told, verbs = talk(shop, work)
    assert told["state"] == expected[1]
    assert told["status"] in {expected[0], "NoOp" if steps[-1] == REFRESH else expected[0]}
    assert listed <= verbs
    assert not hidden & verbs


# -- the closed loop


@pytest.mark.slow
def test_the_closed_loop_propose_apply_look_and_propose_again(notes, talk, shop):
    async def work(agent):
        failed = await agent.edit("replace", old="baz", new="qux", plan="call it qux")
        looked = await agent.live()
        line = looked["currentDocument"]["text"].splitlines()[2]  # proposed from what is seen, and nothing else
        done = await agent.edit("replace", old=line, new="qux", plan="call it qux, by its right name")
        return failed, looked, done, await agent.live()

    failed, looked, done, after = talk(shop, work)
    assert (failed["status"], done["status"]) == ("NoMatch", "Success")
    assert [(each["op"], each["isError"]) for each in looked["recentDiffs"][:1]] == [("replace", True)]
    assert [each["isError"] for each in after["recentDiffs"][:2]] == [False, True]
    assert after["currentDocument"]["text"] == notes.read_text() == "foo one\nfoo two\nqux\n"
    assert "call it qux" in json.dumps(after["planHints"])


@pytest.mark.slow
@pytest.mark.usefixtures("notes")
def test_what_the_editor_shows_is_set_by_the_call(talk, shop):
    async def work(agent):
        await agent.edit("open")
        await agent.live(active="src/Core/Order.cs", cursor="2:3")
        return await agent.live()

    told = talk(shop, work)
    assert told["currentDocument"]["file"] == "src/Core/Order.cs"
    assert told["editorState"]["cursor"] == [2, 3]


# -- what is listed, and what is told


def test_a_server_that_only_reads_has_no_tool_that_edits(shared):
    tools = {each["name"] for each in shared.ask("tools/list")["result"]["tools"]}
    assert not tools & {"edit", "live"}
    assert shared.ask("tools/call", name="edit", arguments={"verb": "open", "file": FILE})["error"]["code"] == -32602
    assert "error" in shared.ask("resources/read", uri=LIVE)


def test_the_tools_that_edit_are_short(start, shop, shared):
    server = start(shop, "--edit")
    server.greet()
    sizes = [len(json.dumps(each.ask("tools/list")["result"], separators=(",", ":"))) for each in (server, shared)]
    assert sizes[0] - sizes[1] <= 5 * 1024
    tools = server.ask("tools/list")["result"]["tools"]
    (edit,) = (each for each in tools if each["name"] == "edit")
    assert (edit["annotations"]["readOnlyHint"], edit["annotations"]["destructiveHint"]) == (False, True)


@pytest.mark.slow
@pytest.mark.usefixtures("notes")
def test_a_client_that_listens_is_told_of_other_verbs_and_of_versions(talk, shop):
    async def work(agent):
        await agent.edit("open", mode="manual")
        async with agent.client.listen(tools_list_changed=True, resource_subscriptions=[LIVE]) as changes:
            await agent.edit("replace", old="bar", new="x")
            told = {await anext(changes), await anext(changes)}
        return told, (await agent.client.read_resource(LIVE)).contents[0].text

    told, text = talk(shop, work)
    assert told == {ToolsListChanged(), ResourceUpdated(LIVE)}
    assert "replace notes.txt" in text


@pytest.mark.slow
@pytest.mark.usefixtures("notes")
def test_a_client_of_an_older_protocol_is_told_the_same(start, shop):
    server = start(shop, "--edit")
    capabilities = server.greet()["capabilities"]
    assert capabilities["tools"]["listChanged"] is True
    assert capabilities["resources"]["subscribe"] is True
    server.ask("resources/subscribe", uri=LIVE)
    arguments = {"verb": "replace", "file": FILE, "old": "foo", "new": "x"}
    call = {"name": "edit", "arguments": arguments}
    server.send({"jsonrpc": "2.0", "id": "e", "method": "tools/call", "params": call})
    told = []
    while not told or told[-1].get("id") != "e":
        told.append(server.read())
    assert [each["method"] for each in told[:-1]] == [
        "notifications/tools/list_changed", "notifications/resources/updated",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("row", [("immediate", None, "Idle"), ("manual", "x", "OutOfSync")])
def test_what_is_changed_outside_is_told_before_the_next_call(notes, start, shop, row):
    mode, new, state = row
    server = start(shop, "--edit")
    server.greet()
    server.ask("resources/subscribe", uri=LIVE)
    server.call("edit", verb="open", file=FILE, mode=mode)
    if new:
        server.call("edit", verb="replace", file=FILE, old="bar", new=new)
    while server.read(1.5) is not None:
        pass  # what was told of the edit itself
    notes.write_text("theirs\n", "utf-8")
    told = server.read(30)
    assert told is not None
    assert told["method"] in {"notifications/resources/updated", "notifications/tools/list_changed"}
    (buffer,) = server.call("edit", verb="status")["structuredContent"]["buffers"]
    assert (buffer["state"], buffer["changed"]) == (state, False)
    assert notes.read_text() == "theirs\n"


@pytest.mark.slow
def test_an_argument_that_a_verb_needs_is_named(start, shop):
    server = start(shop, "--edit")
    server.greet()
    for arguments, name in [({"verb": "replace", "file": FILE, "old": "a"}, "new"), ({"verb": "undo"}, "file"),
                            ({"verb": "select", "file": FILE}, "id")]:  # fmt: skip
        error = server.call("edit", **arguments)["structuredContent"]["error"]
        assert (error["code"], repr(name) in error["message"]) == ("UsageError", True)


# -- drafts are asked as files are

QUESTIONS = {
    "outline": {"symbol": "Shop.Core.Order"},
    "search": {"query": "parcel"},
    "resolve": {"symbol": "Parcel"},
    "graph": {"symbol": "Shop.Core.Order"},
    "usages": {"symbol": "Parcel"},
    "read": {"files": ["src/Core/Order.cs"]},
    "context": {"question": "Which Parcel has an order?"},
    "history": {"action": "changes"},
}


@pytest.mark.slow
def test_a_draft_is_asked_what_files_are_asked(talk, shop):
    async def work(agent):
        async def ask(name, **arguments):
            return (await agent.client.call_tool(name, QUESTIONS[name] | arguments)).content[0].text

        order = {"file": "src/Core/Order.cs"}
        await agent.edit("open", mode="manual", **order)
        opened = await ask("outline", session="default")
        await agent.edit("replace", old="string Key", new="Parcel Key", **order)
        await agent.edit("append", new="public class Parcel;\n", **order)
        drafts = {name: await ask(name, session="default") for name in QUESTIONS}
        files = {name: await ask(name) for name in QUESTIONS}
        await agent.edit("undo", **order)
        return opened, drafts, files, await ask("resolve", session="default"), await ask("outline", session="none")

    opened, drafts, files, undone, refused = talk(shop, work)
    assert "string Key" in opened
    assert [name for name, text in drafts.items() if "Parcel" not in text] == []
    assert [name for name in ("outline", "graph", "read", "history") if "Parcel" in files[name]] == []
    assert "class" not in undone
    assert "There is no session none." in refused
