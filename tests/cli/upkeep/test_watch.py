"""`codecortex watch`: a real process, real edits, real git beside it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("watchfiles")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

PATIENCE = 120.0  # no test is judged by the clock
CONFLICTING = "namespace Shop.Core;\npublic record Order({0});\npublic interface IStore {{ int Count {{ get; }} }}\n"


class Watch:
    """A watch at work, and what it has said so far."""

    def __init__(self, root: Path, source: str, said: Path) -> None:
        self.said = said
        environment = {**os.environ, "PYTHONPATH": source, "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "codecortex", "watch"]
        with said.open("wb") as output:
            self.process = subprocess.Popen(command, cwd=root, stdout=output, stderr=output, env=environment)

    def lines(self) -> list[str]:
        return [line.partition("  ")[2] for line in self.said.read_text("utf-8").splitlines()[1:]]

    def wait_for(self, number: int) -> list[str]:
        """The lines, once there are so many of them."""
        wait_until(lambda: len(self.lines()) >= number, self)
        return self.lines()

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)


def wait_until(true, watch) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert watch.process.poll() is None, watch.said.read_text("utf-8")
        assert time.monotonic() < deadline, watch.said.read_text("utf-8")
        time.sleep(0.05)


@pytest.fixture
def watching(shop, cli, git, source, tmp_path):
    """The shop, refreshed and committed, with a watch that has begun."""
    cli(shop, "refresh")
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "more")
    (shop / "src/Core/Order.cs").write_bytes(CONFLICTING.format("string Key, int Sum").encode())
    watch = Watch(shop, source, tmp_path / "said")
    watch.wait_for(1)
    yield shop, watch
    watch.process.kill()
    watch.process.wait()


def test_it_refreshes_at_once_and_at_every_edit_and_never_at_its_own_writes(watching, cli):
    shop, watch = watching
    assert watch.lines() == ["1 written"]
    (shop / "src/Core/Order.cs").write_bytes(CONFLICTING.format("string Key, long Sum").encode())
    assert watch.wait_for(2)[1:] == ["src/Core/Order.cs: 1 written"]
    assert cli(shop, "check").out == "ok\n"
    (shop / "notes.txt").write_bytes(b"nothing to us\n")
    (shop / "src/Core/Store.cs").write_bytes((shop / "src/Core/Store.cs").read_bytes() + b"// last\n")
    assert watch.wait_for(3)[2:] == ["src/Core/Store.cs: nothing to do"]
    assert watch.end(signal.SIGTERM) == 0


def test_ctrl_c_ends_it(watching):
    _, watch = watching
    assert watch.end(signal.SIGINT) == 130
    assert watch.said.read_text("utf-8").endswith("interrupted\n")


def test_ignored_files_are_nothing_and_what_git_begins_to_track_counts(watching, git):
    shop, watch = watching
    (shop / ".git/info/exclude").write_bytes(b"out/\n")
    (shop / "out").mkdir()
    (shop / "out/Made.cs").write_bytes(b"class Made;\n")
    (shop / "src/New").mkdir()
    (shop / "src/New/New.cs").write_bytes(b"public class New;\n")
    git(shop, "add", "src/New")
    wait_until(lambda: "class New" in "".join(texts(shop)), watch)
    assert "Made" not in watch.said.read_text("utf-8")


def texts(shop):
    return [file.read_text("utf-8").replace("# New", "class New") for file in (shop / ".codecortex/types").iterdir()]


@pytest.mark.slow
def test_it_waits_while_git_holds_its_index(watching):
    shop, watch = watching
    lock = shop / ".git/index.lock"
    lock.write_bytes(b"")
    (shop / "src/Core/Order.cs").write_bytes(CONFLICTING.format("string Key").encode())
    assert "waiting" in watch.wait_for(2)[1]
    lock.unlink()
    assert watch.wait_for(3)[2] == "src/Core/Order.cs: 1 written"


@pytest.mark.slow
def test_a_rebase_that_stops_is_waited_for_and_a_branch_switch_is_followed(watching, git, cli):
    shop, watch = watching
    order = shop / "src/Core/Order.cs"
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "sum")
    git(shop, "checkout", "--quiet", "-b", "topic", "HEAD~1")
    order.write_bytes(CONFLICTING.format("int Key").encode())
    wait_until(lambda: "public Order(int Key)" in "".join(texts(shop)), watch)
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "key")
    git(shop, "rebase", "main", check=False)
    assert (shop / ".git/rebase-merge").is_dir()
    wait_until(lambda: any("rebase under way" in line for line in watch.lines()), watch)
    told = len(watch.lines())
    order.write_bytes(CONFLICTING.format("int Key, int Sum").encode())
    git(shop, "add", ".")
    assert len(watch.lines()) == told
    git(shop, "-c", "core.editor=true", "rebase", "--continue")
    wait_until(lambda: cli(shop, "check").out == "ok\n", watch)
    assert "public Order(int Key, int Sum)" in "".join(texts(shop))


def test_an_error_is_told_and_watching_goes_on(watching):
    shop, watch = watching
    config = shop / ".codecortex/config.yaml"
    text = config.read_bytes()
    config.write_bytes(b"excluded: [src]\n")
    assert "config.yaml:1" in watch.wait_for(2)[1]
    config.write_bytes(text)
    assert watch.wait_for(3)[2] == ".codecortex/config.yaml: nothing to do"


def test_without_watchfiles_it_says_what_to_install(shop, process, source, tmp_path):
    fake = tmp_path / "fake"
    fake.mkdir()
    (fake / "watchfiles.py").write_bytes(b"raise ImportError\n")
    done = process(shop, "watch", PYTHONPATH=f"{fake}{os.pathsep}{source}")
    assert done.returncode == 2
    assert b"pip install 'git-codecortex[watch]'" in done.stderr
    assert done.stdout == b""


def test_outside_a_repository_it_does_not_begin(tmp_path, process):
    done = process(tmp_path, "watch")
    assert (done.returncode, done.stdout) == (3, b"")


def test_without_init_it_tells_its_error_and_does_not_announce_itself(repo, process):
    done = process(repo, "watch")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"error: There is no .codecortex folder in ")
    assert b"hint: Run `codecortex init` first." in done.stderr


def test_what_it_sees_is_a_version_of_its_own_session_and_live_tells_of_it(watching, cli):
    shop, watch = watching
    for number, kind in enumerate(("long", "short"), 2):
        (shop / "src/Core/Order.cs").write_bytes(CONFLICTING.format(f"string Key, {kind} Sum").encode())
        watch.wait_for(number)
        wait_until(lambda at=number: len(versions(cli, shop)) >= at, watch)
    assert versions(cli, shop)[:2] == ["Changed src/Core/Order.cs"] * 2
    live = json.loads(cli(shop, "live", "--json").out)
    assert (live["session"], live["currentDocument"]["file"]) == ("watch", "src/Core/Order.cs")
    assert [each["op"] for each in live["recentDiffs"]] == ["watch", "watch"]
    assert "+public record Order(string Key, short Sum);" in live["recentDiffs"][0]["patch"]
    assert watch.end(signal.SIGTERM) == 0


def versions(cli, shop):
    told = cli(shop, "session", "log", "watch", "--json")
    return [each["title"] for each in json.loads(told.out)["versions"]] if told.code == 0 else []
