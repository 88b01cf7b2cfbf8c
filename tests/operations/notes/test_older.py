"""Notes whose header has hashes of an older version: what held keeps holding, what was stale stays so."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from codecortex.model.versions import HASH_VERSION
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.generation.put import Body, put
from codecortex.operations.notes.texts import judge_workspace_notes
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.paths import INDEX, SEMANTIC

Git = Callable[..., str]
STORE = "namespace N;\npublic class {0} : IStore {{ public string Get() => null; }}\n"
NEED = "namespace N;\npublic interface IStore {{ string Get(); {0} }}\n"


class Shop:
    """A repository with one note, all of whose committed hashes are of version 1."""

    def __init__(self, root: Path, git: Git) -> None:
        self.root, self.git = root, git
        git(root, "init", "--quiet")
        self.write()
        git(root, "add", ".")
        init(Request(root).folder)
        refresh(Request(root))
        put(Request(root), "Store", Body(b"ROLE: Keeps.\n", "test", "hand"))
        [self.note] = (root / SEMANTIC).iterdir()
        text = re.sub(r"HashVersion: \d+\n", "", self.note.read_text())
        text = re.sub(r"[0-9A-HJKMNP-TV-Z]{8}(?=[ ,)\n])", "ABCDEFGH", text.partition("Dependencies")[0]) + re.sub(
            r"@[0-9A-Z]{8}", "@ABCDEFGH", "Dependencies" + text.partition("Dependencies")[2]
        )
        self.note.write_text(re.sub(r"T_\w+(?=\n)", self.note.stem, text, count=1))
        index = root / INDEX
        index.write_text(index.read_text().replace(f'"hashVersion":"{HASH_VERSION}"', '"hashVersion":"1"'))
        self.commit()

    def write(self, name: str = "Store", need: str = "") -> None:
        (self.root / "Store.cs").write_text(STORE.format(name))
        (self.root / "IStore.cs").write_text(NEED.format(need))

    def commit(self) -> None:
        self.git(self.root, "add", ".")
        self.git(self.root, "commit", "--quiet", "--allow-empty", "-m", "more")

    def judge(self) -> list[str]:
        with Workspace(Request(self.root)) as workspace:
            [found] = judge_workspace_notes(workspace).notes
        return [str(cause.kind) for cause in found.causes]


@pytest.fixture
def shop(tmp_path: Path, git: Git) -> Shop:
    return Shop(tmp_path, git)


def test_a_note_that_held_keeps_holding(shop: Shop) -> None:
    assert "HashVersion" not in shop.note.read_text()
    assert shop.judge() == []
    shop.write(need="// more")
    shop.commit()
    assert shop.judge() == []


def test_what_changed_since_the_note_was_written_makes_it_stale(shop: Shop) -> None:
    shop.write(need="int Count();")
    shop.commit()
    assert shop.judge() == ["DependencyStructure"]
    (shop.root / "Store.cs").write_text(STORE.format("Store").replace("Get()", "Get(int a)"))
    assert shop.judge() == ["Structure"]


def test_refresh_writes_the_header_anew_and_says_so_once(shop: Shop) -> None:
    shop.write(need="int Count();")
    shop.commit()
    texts = shop.note.read_text().partition("ROLE")[2]
    told: list[str] = []
    done = refresh(Request(shop.root, upgrade=True, warn=told.append))
    assert f"{SEMANTIC}/{shop.note.name}" in done.written
    assert [text for text in told if "older version" in text] == [
        f"1 note had hashes of an older version; now of version {HASH_VERSION}. Commit that."
    ]
    assert f"HashVersion: {HASH_VERSION}\n" in shop.note.read_text()
    assert shop.note.read_text().partition("ROLE")[2] == texts
    assert shop.judge() == ["DependencyStructure"]
    told.clear()
    refresh(Request(shop.root, upgrade=True, warn=told.append))
    assert told == []


def test_a_note_that_is_not_committed_as_it_is_counts_as_stale(shop: Shop) -> None:
    shop.note.write_text(shop.note.read_text().replace("ABCDEFGH", "HGFEDCBA"))
    assert shop.judge() == ["Structure"]
