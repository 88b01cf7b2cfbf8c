"""Notes that are certain to hold count as holding again without anybody being asked, whoever writes notes."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

PARCEL = "namespace Shop.Core;\npublic class Parcel\n{\n    public int Weight { get; set; }\n    public void Seal() {}}"
POST = "namespace Shop.Core;\n\npublic class Post\n{\n    public void Send(Parcel parcel) { parcel.Seal(); }\n}\n"
NOTE = "ROLE:\nBrings things to people.\n"


@pytest.fixture
def post(shop: Path, cli: Cli, git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shop with a note on `Post`, which names `Parcel`; a member of `Parcel` that `Post` does not use changed."""
    (tmp_path / "config/codecortex").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (shop / "src/Core/Parcel.cs").write_text(PARCEL)
    (shop / "src/Core/Post.cs").write_text(POST)
    (shop / ".codecortex/config.yaml").write_text("semantics: {types: 'type:Post'}\ncheck: {semantic: strict}\n")
    (tmp_path / "note.md").write_text(NOTE)
    git(shop, "add", ".")
    assert cli(shop, "refresh").code == 0
    done = cli(shop, "semantic", "put", "Post", str(tmp_path / "note.md"), "--generator", "openai:x prompt 1")
    assert done.code == 0, done.err
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "notes")
    (shop / "src/Core/Parcel.cs").write_text(PARCEL.replace("int Weight", "long Weight"))
    assert cli(shop, "refresh").code == 0
    told = cli(shop, "check").out
    assert "the note on Shop.Core.Post is stale: structure of its dependency" in told
    assert "codecortex semantic generate T_" in told
    return shop


def read_note(cli: Cli, shop: Path) -> dict:
    return json.loads(cli(shop, "semantic", "show", "Post", "--json").out)


def holds(cli: Cli, shop: Path) -> bool:
    """Whether the note has its text, and counts as holding."""
    told = read_note(cli, shop)
    assert "Brings things to people." in json.dumps(told)
    assert "openai:x prompt 1" in json.dumps(told)
    return cli(shop, "check").code == 0


def test_a_model_is_not_asked_and_nothing_is_paid(post: Path, cli: Cli, tmp_path: Path) -> None:
    settings = {"provider": "command", "command": [sys.executable, "-c", "raise SystemExit('asked')"]}
    (tmp_path / "config/codecortex/config.yaml").write_text(json.dumps({"llm": settings}))
    plan = json.loads(cli(post, "semantic", "plan", "--json").out)
    assert (plan["total"], plan["settled"], plan["tokensIn"]) == (1, 1, 0)
    told = cli(post, "semantic", "generate", "--show-prompt")
    assert told.out == ""
    assert "certain to hold" in told.err
    done = cli(post, "semantic", "generate")
    assert done.code == 0, done.err
    assert "1 text certain to hold: nobody was asked." in done.out
    assert not (post / ".codecortex/local/logs/requests.jsonl").exists()
    assert holds(cli, post)


def test_an_extract_lets_it_stand(post: Path, cli: Cli) -> None:
    done = json.loads(cli(post, "semantic", "generate", "--json").out)
    assert (done["renewed"], done["run"]["states"]["cached"]) == (1, 1)
    assert holds(cli, post)


def test_an_agent_is_not_asked(post: Path, cli: Cli) -> None:
    done = cli(post, "semantic", "next")
    assert done.out == "1 text certain to hold: nobody is asked. Every note holds: there is nothing to write.\n"
    assert holds(cli, post)


def test_its_prompt_can_be_seen_all_the_same(post: Path, cli: Cli) -> None:
    told = cli(post, "semantic", "prompt", "Post")
    assert "NO SEMANTIC CHANGE" in told.out
    assert told.err.endswith("No run sends it: the text is certain to hold.\n")
    assert json.loads(cli(post, "semantic", "prompt", "Post", "--json").out)["settled"] is True


def test_where_the_member_is_used_somebody_is_asked(post: Path, cli: Cli) -> None:
    (post / "src/Core/Parcel.cs").write_text(PARCEL.replace("void Seal()", "void Seal(int times = 1)"))
    assert cli(post, "refresh").code == 0
    plan = json.loads(cli(post, "semantic", "plan", "--json").out)
    assert (plan["total"], plan["settled"]) == (1, 0)
    assert plan["tokensIn"] > 0
    done = cli(post, "semantic", "generate")
    assert done.code == 1
    assert "an extract can neither judge nor replace that" in done.out + done.err
