"""Incremental equals full, the work tree equals its commit, and answers do not depend on what was asked before."""

import random
import sqlite3

import pytest

from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.context.ask import Asking, ask
from codecortex.operations.request import Request

QUESTIONS = (
    "Why is the second order lost?",
    "Store3.Find caches keys",
    "src/Part1/Store4.cs(5,1): error CS0103",
    "depth",
)
WORDS = ("order", "key", "cache", "lease", "depth", "table", "probe", "widget", "second", "lost", "timeout", "retry")

STEADY = random.Random(5)  # noqa: S311 - no secret


def write_source(dice: random.Random, number: int) -> str:
    def word() -> str:
        return dice.choice(WORDS).title()

    members = "".join(
        f"    /// <summary>{word()} {word()}</summary>\n"
        f"    public int {word()}{word()}(Store{dice.randrange(9)} {word().lower()}) {{ return {word()}{word()}(); }}\n"
        for _ in range(dice.randrange(1, 5))
    )
    return f"namespace N;\n#if NET\n#endif\npublic class Store{number}\n{{\n    public int Find() => 1;\n{members}}}\n"


def edit(repo, dice, times):
    """Write, rewrite or remove some of twelve sources."""
    for _ in range(times):
        number = dice.randrange(12)
        path = repo / f"src/Part{number % 3}/Store{number}.cs"
        if path.exists() and dice.random() < 0.3:
            path.unlink()
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(write_source(dice, number), "utf-8")


def answer(folder, asking=Asking(budget=900, explain=True), **request):  # noqa: B008 - a value
    with Workspace(Request(folder, **request)) as workspace:
        return ask_all(workspace, asking)


def ask_all(workspace, asking):
    return [ask(workspace, question, asking).as_json() for question in QUESTIONS]


def drop_cache(git, folder):
    (folder / git(folder, "rev-parse", "--git-dir") / "codecortex/cache.sqlite").unlink()


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_the_index_answers_as_one_made_anew(repo, git, seed, monkeypatch):
    if seed % 2:
        monkeypatch.setattr("codecortex.operations.context.index._WORTH_FOLDING", 1)
    dice = random.Random(seed)  # noqa: S311 - no secret
    for step in range(6):
        edit(repo, dice, 8 if step == 0 else dice.randrange(1, 4))
        git(repo, "add", "--all")
        if dice.random() < 0.6:
            git(repo, "commit", "--quiet", "--allow-empty", "-m", f"{dice.choice(WORDS)} {dice.choice(WORDS)}")
        warm = answer(repo)
        assert answer(repo) == warm
        drop_cache(git, repo)
        assert answer(repo) == warm


@pytest.mark.law
def test_a_commit_answers_as_its_work_tree(repo, git):
    (repo / "src/Store1.cs").write_text(write_source(STEADY, 1), "utf-8")
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "-m", "second order")
    head = answer(repo)
    assert answer(repo, rev="HEAD") == head
    assert answer(repo, staged=True) == head
    (repo / "src/Store1.cs").unlink()
    assert answer(repo, rev="HEAD") == head
    assert answer(repo) != head


def test_a_row_that_went_missing_is_made_anew(repo, git):
    (repo / "src/Store1.cs").write_text(write_source(STEADY, 1), "utf-8")
    git(repo, "add", "--all")
    before = answer(repo)
    with sqlite3.connect(repo / ".git/codecortex/cache.sqlite") as db:
        db.execute("DELETE FROM snapshots WHERE name GLOB 'context/*/[0-9]*' OR name GLOB 'context/*/cards'")
    assert answer(repo) == before


@pytest.mark.slow
@pytest.mark.law
@pytest.mark.parametrize("seed", range(3))
def test_a_workspace_that_stays_open_answers_as_one_opened_anew(repo, git, seed, monkeypatch):
    monkeypatch.setattr("codecortex.operations.context.index._WORTH_FOLDING", 2)
    dice = random.Random(seed)  # noqa: S311 - no secret
    with Workspace(Request(repo, lasting=True)) as workspace:
        for step in range(6):
            edit(repo, dice, 8 if step == 0 else dice.randrange(1, 5))
            git(repo, "add", "--all")
            match dice.randrange(4):
                case 0 | 1:
                    git(repo, "commit", "--quiet", "--allow-empty", "-m", f"{dice.choice(WORDS)} {dice.choice(WORDS)}")
                case 2 if step:
                    git(repo, "commit", "--quiet", "--amend", "--allow-empty", "-m", dice.choice(WORDS))
                case _:
                    (repo / "src/Shop.csproj").write_text("<Project><!-- another one --></Project>", "utf-8")
            if dice.random() < 0.5:
                answer(repo)  # which writes into the cache that both use
            workspace.look_again()
            for asking in (Asking(900, explain=True), Asking(900, tests=True)):
                held = [ask_all(workspace, asking) for _ in range(2)]
                assert held[0] == held[1] == answer(repo, asking)
