"""The prompts for people, listed and filled in by the official Python client."""

import asyncio
import re

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from codecortex.mcp_server.open_workspace import OpenWorkspace
from codecortex.mcp_server.server import make_server
from codecortex.mcp_server.tools import OFFERS
from codecortex.mcp_server.worker import Worker
from codecortex.operations.request import Request

ORDER = {
    "find": ["context", "outline", "read", "usages", "graph", "note"],
    "review": ["history", "history", "usages", "history"],
    "notes": ["next", "outline", "usages", "read", "put", "put", "next"],
}
GIVEN = {"find": {"task": "Orders are {lost}"}, "review": {"revisions": "v1..v2"}, "notes": {"symbol": "Store"}}


@pytest.fixture
def talk(made):
    """`talk(work)`: what `work(client)` gives, a coroutine."""

    def run(work):
        async def speak():
            async with Client(make_server(OpenWorkspace(Request(made), metrics=False), Worker("questions"))) as client:
                return await work(client)

        return asyncio.run(speak())

    return run


def get_text(talk, name, arguments):
    async def work(client):
        return await client.get_prompt(name, arguments)

    (message,) = talk(work).messages
    assert message.role == "user"
    return message.content.text


def test_every_prompt_is_listed_with_its_arguments(talk):
    async def work(client):
        return (await client.list_prompts()).prompts

    listed = talk(work)
    assert [each.name for each in listed] == [*ORDER]
    assert all(each.description and all(one.description for one in each.arguments) for each in listed)
    assert [[one.name for one in each.arguments if one.required] for each in listed] == [["task"], [], []]


@pytest.mark.parametrize("name", ORDER)
def test_a_prompt_names_the_tools_in_order_and_holds_what_was_given(talk, name):
    text = get_text(talk, name, GIVEN[name])
    called = [word for word in re.findall(r"`([a-z]+)`", text) if word in {offer.name for offer in OFFERS}]
    assert called == ORDER[name]
    assert all(value in text for value in GIVEN[name].values())
    assert not re.findall(r"\{(?!lost)", text)


def test_what_is_left_out_or_empty_has_its_default(talk):
    assert "two revisions: HEAD." in get_text(talk, "review", {})
    assert "two revisions: HEAD." in get_text(talk, "review", {"revisions": " "})
    assert "that need it most, 5 at most" in get_text(talk, "notes", {"symbol": ""})
    assert "that need it most, 2 at most" in get_text(talk, "notes", {"number": "2"})


@pytest.mark.parametrize(
    ("name", "arguments", "named"),
    [
        ("nothing", {}, "'nothing'"),
        ("find", {}, "'task'"),
        ("find", {"task": ""}, "'task'"),
        ("review", {"colour": "red"}, "'colour'"),
    ],
)
def test_a_prompt_that_cannot_be_filled_in_is_an_error(talk, name, arguments, named):
    async def work(client):
        with pytest.raises(MCPError, match=named):
            await client.get_prompt(name, arguments)

    talk(work)
