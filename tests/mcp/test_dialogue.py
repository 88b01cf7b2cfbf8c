"""The dialogue that the guide shows is what an agent and the server say to each other, call by call."""

import json
import re
from pathlib import Path

import pytest

from codecortex.cli.main import main

GUIDE = Path(__file__).parents[2] / "docs/guides/editing.md"
CALL = re.compile(r"(?m)^> (\w+) (\{.*\})$")


def read_dialogue():
    """Each call of the guide: the tool, its arguments, and the answer."""
    (block,) = re.findall(r"(?ms)^~~~text\n(> .*?)^~~~$", GUIDE.read_text("utf-8"))
    parts = CALL.split(block)[1:]
    return [
        (tool, json.loads(arguments), answer.strip("\n"))
        for tool, arguments, answer in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]


@pytest.fixture
def demo(tmp_path):
    assert main(["demo", "--keep", str(tmp_path / "demo")]) == 0
    return tmp_path / "demo"


def test_the_dialogue_of_the_guide_is_held_as_printed(demo, start):
    server = start(demo, "--edit")
    server.greet()
    dialogue = read_dialogue()
    said = [(tool, arguments, server.call(tool, **arguments)["content"][0]["text"]) for tool, arguments, _ in dialogue]
    assert said == dialogue
    assert len(dialogue) >= 5
