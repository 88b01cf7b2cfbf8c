"""What is made before it is asked for, when, and what it gives way to; and how much is kept."""

import asyncio
import json
import subprocess
import sys
import threading

import pytest

from codecortex.mcp_server.open_workspace import Call, OpenWorkspace
from codecortex.mcp_server.worker import Worker
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.cognition.prefetch import prefetch_for_later
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache
from codecortex.store.cache.presence import announce, withdraw
from tests.cli.conftest import write_files
from tests.cli.upkeep.test_caching import commit, edit, tree

__all__ = ["tree"]

CONFIG = ".codecortex/config.yaml"
NODE = "shape:Shop.Customer"


@pytest.fixture
def eager(tree, git):
    """A tree whose nodes were made, of which one does not hold any more, and which is to be prefetched."""
    write_files(tree, {CONFIG: "cache:\n  prefetch: true\n  builders: 3\n"})
    commit(tree, git)
    edit(tree, "Customer.cs", "=> 1", "=> 2")
    return tree


def count_versions(cli, folder):
    return len(json.loads(cli(folder, "cache", "history", NODE, "--json").out)["versions"])


def test_what_was_asked_for_is_made_anew_once(eager, cli):
    assert count_versions(cli, eager) == 1
    assert prefetch_for_later(Request(eager)) == 4  # its prints, shape, structure and header
    assert count_versions(cli, eager) == 2
    assert prefetch_for_later(Request(eager)) == 0
    assert "Shop.Customer holds" in cli(eager, "cache", "why", "Shop.Customer").out


def test_it_gives_way_to_every_command(eager, cli):
    folder = eager / ".git" / "codecortex"
    held = announce(folder)
    assert prefetch_for_later(Request(eager)) == 0
    withdraw(held)
    with open_cache(folder, warn=print):
        assert prefetch_for_later(Request(eager)) == 0
    assert prefetch_for_later(Request(eager), is_over=lambda: True) == 0
    assert count_versions(cli, eager) == 1
    assert prefetch_for_later(Request(eager)) > 0


def test_it_is_off_by_default_and_without_a_cache(eager):
    assert prefetch_for_later(Request(eager, caches=False)) == 0
    write_files(eager, {CONFIG: "cache:\n  prefetch: true\n  enabled: false\n"})
    assert prefetch_for_later(Request(eager)) == 0
    write_files(eager, {CONFIG: "untracked: false\n"})
    assert prefetch_for_later(Request(eager)) == 0


def test_a_tree_that_cannot_be_read_is_warned_of(eager):
    told = []
    write_files(eager, {CONFIG: "cache: 1\n"})
    assert prefetch_for_later(Request(eager, warn=told.append)) == 0
    assert CONFIG in told[0]


def test_the_process_that_hooks_leave_behind_does_it(eager, cli):
    words = [sys.executable, "-m", "codecortex", "-C", str(eager), "hook", "warm"]
    subprocess.run(words, check=True, timeout=100)
    assert count_versions(cli, eager) == 2


def test_a_server_that_nobody_asks_does_it(eager, cli):
    workspace = OpenWorkspace(Request(eager), metrics=False)
    workspace.ask(lambda _: None, Call())
    workspace.prefetch(lambda: False)
    assert count_versions(cli, eager) == 2
    workspace.close()
    workspace.prefetch(lambda: False)  # nothing was asked, so nothing is to be expected


@pytest.mark.slow
def test_a_worker_is_idle_once_after_work():
    seen, idle = [], threading.Event()

    def rest(has_work):
        seen.append(has_work())
        idle.set()

    async def ask():
        worker = Worker("test", rest)
        assert await worker.run(lambda: 1) == 1
        assert await asyncio.to_thread(idle.wait, 60)
        assert await worker.run(lambda: 2) == 2

    asyncio.run(ask())
    assert seen == [False]


def test_the_configuration_bounds_the_processes(eager):
    with Workspace(Request(eager)) as workspace:
        assert workspace.tree.request.jobs == 3
    with Workspace(Request(eager, jobs=2)) as workspace:
        assert workspace.tree.request.jobs == 2


def test_collection_comes_down_to_its_size_and_leaves_the_nodes_in_use(tree, cli):
    with open_cache(tree / ".git" / "codecortex", warn=print) as cache:
        cache.put_all({f"old {number}": bytes(1_000_000) for number in range(10)})
    write_files(tree, {CONFIG: "cache:\n  maxMegabytes: 1\n"})
    told = json.loads(cli(tree, "cache", "gc", "--json").out)
    assert told["bytesBefore"] > 10_000_000
    assert told["bytesAfter"] <= 1_000_000
    assert told["snapshots"] >= 10
    assert "Shop.Order holds" in cli(tree, "cache", "why", "Shop.Order").out


def test_nodes_on_types_that_are_gone_harm_nobody(tree, cli, git):
    assert cli(tree, "cache", "prefetch", "tokens:Shop.Customer", "outline:Shop.Customer").code == 0
    (tree / "Customer.cs").unlink()
    git(tree, "add", "-A")
    done = cli(tree, "cache", "prefetch")
    assert done.code == 0, done.err
    assert cli(tree, "cache", "verify").code == 0
