"""A session is asked as a commit is: every command that reads tells of both the same, byte for byte."""

import re
import shutil

import click
import pytest

from codecortex.cli.main import cli as every_command
from codecortex.git.objects.opening import open_objects
from codecortex.git.repository import open_repository
from codecortex.model.code.types import TypeId
from codecortex.model.hashing import Digest
from codecortex.model.investigations.values import Evidence, Findings, Investigation
from codecortex.model.notes import Base
from codecortex.operations.sessions.versions import add_version, find_session
from codecortex.store.committed.investigation_md import encode_investigation
from codecortex.store.paths import investigation_path

pytestmark = pytest.mark.law

COMMANDS = (
    ("outline", "Shop.Core.Store"),
    ("outline", "Shop.Core.Basket", "--members"),
    ("read", "src/Core/Basket.cs"),
    ("resolve", "Basket.Total"),
    ("search", "basket"),
    ("context", "Where is the total of a basket counted?"),
    ("usages", "Order"),
    ("graph", "Basket", "--depth", "2"),
    ("graph", "--all"),
    ("changes",),
    ("diff", "Shop.Core.Order"),
    ("log", "Shop.Core.Order"),
    ("blame", "Shop.Core.Order"),
    ("check",),
    ("index", "--members"),
    ("alias", "list"),
    ("semantic", "plan"),
    ("semantic", "list", "--all"),
    ("semantic", "states"),
    ("semantic", "show", "Shop.Core.Store"),
    ("semantic", "prompt", "Basket"),
    ("investigate", "list"),
    ("investigate", "show", "where-are"),
    ("pack", "list"),
    ("pack", "show", "core"),
    ("bindings", "src/Core/Basket.cs"),
    ("bindings", "src/Core/Store.cs:7:16"),
    ("callers", "Shop.Core.Store.Count"),
    ("callees", "Basket.Total"),
    ("status",),
    ("refresh", "--dry-run"),
)
PLACES = {"changes": "HEAD..{}", "diff": "HEAD..{}", "log": "{}"}
"""Where a commit stands in the commands that compare; elsewhere behind --rev."""

BASKET = """namespace Shop.Core;
/// <summary>What somebody is about to order.</summary>
public sealed class Basket
{
    /// <summary>How many orders there are.</summary>
    public int Total(Store<Order> store) => store.Count;
}
"""

ANSWER = Investigation(
    question="Where are orders counted?",
    scope=(),
    types=(Base(TypeId("T_AB12CD34"), "Shop.Core.Store`1", *[Digest("00000000")] * 4, None),),
    generator="by hand",
    findings=Findings("In the store.", (Evidence("It counts.", "Shop.Core.Store.Count", "", 0, ""),), ()),
)


@pytest.fixture
def pair(telling_shop, git, cli, tmp_path, monkeypatch):
    """The shop with a session, and a copy of it with a commit of the same tree, made at the same time."""
    shop = telling_shop
    assert cli(shop, "refresh").code == 0
    assert cli(shop, "pack", "build", "core", "--filter", "namespace:Shop.Core").code == 0
    assert cli(shop, "semantic", "generate", "Store").code == 0
    answer = shop / investigation_path(ANSWER.slug)
    answer.parent.mkdir(exist_ok=True)
    answer.write_bytes(encode_investigation(ANSWER))
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "map")
    (shop / "src/Core/Order.cs").write_text((shop / "src/Core/Order.cs").read_text().replace("string Key", "int Key"))
    assert cli(shop, "session", "open", "try").code == 0
    repository = open_repository(shop)
    blob = open_objects(repository).write_blob(BASKET.encode())
    changes = {b"src/Core/Basket.cs": (0o100644, blob), b"src/App/Order.cs": None}
    tip = add_version(repository, find_session(repository, "try"), changes, "Basket", {"op": "test"})
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"{tip.tip.time} +0000")  # what is recent depends on it
    for name, value in {"NAME": "codecortex", "EMAIL": "codecortex@localhost", "DATE": f"{tip.tip.time} +0000"}.items():
        monkeypatch.setenv(f"GIT_AUTHOR_{name}", value)
    commit = git(shop, "commit-tree", "-p", "HEAD", "-m", "Session try", tip.tree)
    shutil.copytree(shop, tmp_path / "twin")
    return shop, tmp_path / "twin", commit


def level(text):
    """What differs from commit to commit and run to run, made equal; what `status` says of this machine cut off."""
    text = re.sub(r"\b[0-9a-f]{40}\b", "COMMIT", text)
    text = re.sub(r'(?s)\nLocal  .*|"cache": \{"files".*', "", text)
    text = re.sub(r"(?m)^[0-9a-f]{10}\b", "COMMIT", text)
    return re.sub(r'"(generatedAt|traceId)": "[^"]*"', r'"\1": ""', text)


@pytest.mark.slow
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_the_overlay_law(pair, cli, form):
    session, commit, name = pair
    for command in COMMANDS:
        words = [*command, *form]
        told = cli(session, *words, "--session", "try")
        as_commit = cli(commit, *command, *PLACES.get(command[0], "--rev {}").format(name).split(), *form)
        assert told.code in {0, 1}, (command, told.err)
        assert told.out + told.err
        assert (told.code, level(told.out), level(told.err)) == (
            as_commit.code,
            level(as_commit.out),
            level(as_commit.err),
        ), command


ABOUT_OTHER_THINGS = {"live", "edit", "refactor", "cache", "chat"}
"""Commands about sessions, about what a clone keeps of its lines, or that a model answers: no tree is all of it."""


def list_commands(group, *words):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from list_commands(command, *words, name)
        else:
            yield " ".join([*words, name]), {each.name for each in command.params}


def test_no_command_that_takes_a_session_is_left_out():
    listed = {("context", "ask") if command[0] == "context" else command for command in COMMANDS}
    asked = [
        (*words.split(),) for words, options in list_commands(every_command)
        if "session" in options and not ABOUT_OTHER_THINGS & {*words.split()}
    ]  # fmt: skip
    missing = [words for words in asked if all(command[: len(words)] != words for command in listed)]
    assert missing == []
    needed = {"outline", "resolve", "search", "context", "usages", "graph", "changes", "check", "semantic plan"}
    assert needed <= {" ".join(command[:count]) for command in COMMANDS for count in (1, 2)}


def test_a_session_stands_wherever_a_revision_does():
    named = {words: options for words, options in list_commands(every_command) if "rev" in options}
    assert [words for words, options in named.items() if "session" not in options] == []
    assert len(named) > 20


@pytest.mark.parametrize("command", ["log", "diff"])
def test_a_session_is_compared_with_a_commit_and_not_with_a_range(pair, cli, command):
    told = cli(pair[0], command, "Shop.Core.Order", "HEAD", "--session", "try")
    assert "int Key" in told.out
    refused = cli(pair[0], command, "Shop.Core.Order", "HEAD..HEAD", "--session", "try")
    assert (refused.code, "--session and another tree are named." in refused.err) == (2, True)


def test_what_a_session_changed_is_seen_and_the_work_tree_is_not(pair, cli):
    shop = pair[0]
    assert "public int Total" in cli(shop, "outline", "Basket", "--session", "try").out
    assert cli(shop, "outline", "Basket").code == 3
    told = cli(shop, "changes", "--session", "try").out
    assert re.search(r"added +Shop.Core.Basket", told)
    assert re.search(r"removed +Shop.App.Order", told)
    assert re.search(r"changed +Shop.Core.Order", told)


@pytest.mark.parametrize("words", [["outline", "Store", "--rev", "HEAD"], ["outline", "Store", "--staged"]])
def test_a_session_is_one_tree(pair, cli, words):
    told = cli(pair[0], *words, "--session", "try")
    assert (told.code, told.out) == (2, "")
    assert "--session and another tree are named" in told.err


@pytest.mark.parametrize("words", [["--worktree"], ["--staged"], ["--each"], ["HEAD..HEAD"]])
def test_changes_compares_a_session_with_one_tree(pair, cli, words):
    told = cli(pair[0], "changes", *words, "--session", "try")
    assert told.code == 2
    assert "--session and another tree are named" in told.err


def test_a_session_that_there_is_not(pair, cli):
    told = cli(pair[0], "outline", "Store", "--session", "none")
    assert told.code == 2
    assert "There is no session none." in told.err


def test_a_note_of_a_session_is_not_mended(pair, cli):
    told = cli(pair[0], "semantic", "show", "Store", "--mend", "--session", "try")
    assert told.code == 2
    assert "cannot mend another tree" in told.err
