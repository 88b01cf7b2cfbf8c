"""What `status` tells of the writing of notes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codecortex.operations.check.note_work import NoteWork
from tests.cli.notes.test_agent import ORDER, edit

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli


def test_status_tells_what_failed_lately_and_how_long_answers_take(shop: Path, cli: Cli, tmp_path: Path) -> None:
    told = json.loads(cli(shop, "status", "--json").out)
    assert (told["queue"], told["recentSemanticFailures"]) == ({"length": 0}, [])
    assert told["semantic"] == {"gen": {"ms": {"runs": 0, "p50Ms": None, "p95Ms": None}}, "fail": {"count": 0}}
    note = tmp_path / "note.txt"
    note.write_text("ROLE: Buys.\n")
    assert cli(shop, "semantic", "put", "Core.Order", str(note)).code == 0
    edit(shop, ORDER, "string Key", "string Key, int Rank")
    assert cli(shop, "semantic", "generate", "Core.Order", "--provider", "extract").code == 1
    logs = shop / ".codecortex/local/logs"
    logs.mkdir(exist_ok=True)
    rows = [{"outcome": "answered", "ms": ms} for ms in (10, 20, 30)] + [{"outcome": "gone", "ms": 9}, {"ms": True}]
    (logs / "requests.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + "half a li")
    told = json.loads(cli(shop, "status", "--json").out)
    (failure,) = told["recentSemanticFailures"]
    assert (failure["names"], failure["run"] != "") == (["Shop.Core.Order"], True)
    assert "an extract can neither judge nor replace" in failure["error"]
    assert told["semantic"] == {"gen": {"ms": {"runs": 3, "p50Ms": 20, "p95Ms": 30}}, "fail": {"count": 1}}
    assert told["queue"] == {"length": 0}


def test_more_than_fifty_notes_that_wait_are_warned_of() -> None:
    assert list(NoteWork(waiting=50).list_warnings()) == []
    (told,) = NoteWork(waiting=51).list_warnings()
    assert told.startswith("51 notes wait")
