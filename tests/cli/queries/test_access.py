"""What was asked for lately: kept from run to run, damaged, foreign, missing, and written by many at once."""

import json
import os
import threading

import pytest

from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.queries.access_log import MOST_KEPT, note_access, read_access
from codecortex.operations.request import Request

ACCESS = ".codecortex/local/access.json"


@pytest.fixture
def kept(shop):
    def read():
        with Workspace(Request(shop)) as workspace:
            return dict(read_access(workspace).counts)

    return read


def note(shop, *ids, warn=lambda _: None):
    with Workspace(Request(shop, warn=warn)) as workspace:
        note_access(workspace, ids)


def make_id(number):
    return f"T_{number:08d}"


def test_a_query_is_counted_and_the_latest_comes_first(shop, kept):
    note(shop, make_id(1), make_id(2))
    note(shop, make_id(2))
    assert kept() == {make_id(2): 2, make_id(1): 1}
    assert list(kept()) == [make_id(2), make_id(1)]


def test_a_command_counts_the_type_it_was_asked_about(shop, cli, kept):
    assert cli(shop, "outline", "IStore").code == 0
    (type_id,) = kept()
    assert f" {type_id}" in cli(shop, "outline", "IStore").out.splitlines()[0]
    assert kept() == {type_id: 2}


def test_the_least_recent_go_first(shop, kept):
    note(shop, *map(make_id, range(MOST_KEPT)))
    note(shop, make_id(9_999))
    assert len(kept()) == MOST_KEPT
    assert next(iter(kept())) == make_id(9_999)
    assert make_id(MOST_KEPT - 1) not in kept()


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"schemaVersion":"1.0"}', b'{"schemaVersion":1,"types":[]}',
     b'{"schemaVersion":"2.0","types":[]}', b'{"schemaVersion":"1.0","types":[["x",1]]}', b"[" * 100_000,
     b'{"schemaVersion":"1.0","types":[["T_00000001",-1]]}', b'{"schemaVersion":"1.0","types":[["T_00000001",true]]}',
     b'{"schemaVersion":"1.0","types":{"T_00000001":1}}', b"<<<<<<< ours\n=======\n>>>>>>> theirs\n"],
)  # fmt: skip
def test_damaged_or_foreign_contents_count_as_none_and_are_told_once(shop, kept, data):
    (shop / ACCESS).parent.mkdir(parents=True, exist_ok=True)
    (shop / ACCESS).write_bytes(data)
    told = []
    note(shop, make_id(1), warn=told.append)
    assert len(told) == 1
    assert "access.json" in told[0]
    assert kept() == {make_id(1): 1}


def test_nothing_is_written_where_there_is_no_folder_of_ours(repo):
    note(repo, make_id(1))
    assert not (repo / ".codecortex").exists()


def test_what_git_would_tell_of_is_not_written(shop, git, kept):
    ignore = shop / ".codecortex/.gitignore"
    ignore.write_text("# nothing\n", "utf-8")
    git(shop, "commit", "--quiet", "-am", "ignored no more")
    note(shop, make_id(1))
    assert not (shop / ".codecortex/local").exists()
    (shop / ".git/info/exclude").write_text("access.json\n", "utf-8")
    note(shop, make_id(1))
    assert kept() == {make_id(1): 1}
    assert git(shop, "status", "--porcelain", "-uall") == ""
    git(shop, "add", "--force", ACCESS)
    git(shop, "commit", "--quiet", "-m", "in git by mistake")
    note(shop, make_id(1))
    assert git(shop, "status", "--porcelain", "-uall") == ""


def test_a_branch_without_our_folder_sees_nothing_of_what_is_local(shop, git, cli):
    git(shop, "branch", "bare")
    assert cli(shop, "outline", "IStore").code == 0
    assert cli(shop, "pin", "IStore").code == 0
    git(shop, "rm", "-r", "--quiet", ".codecortex")
    git(shop, "commit", "--quiet", "-m", "given up")
    held = {path: path.read_bytes() for path in (shop / ".codecortex").rglob("*") if path.is_file()}
    assert {path.name for path in held} == {".gitignore", "access.json", "window.json"}
    assert git(shop, "status", "--porcelain", "-uall") == ""
    assert cli(shop, "outline", "IStore").code == 0
    for command in (["refresh"], ["check"], ["window"], ["pin", "Store"], ["pack", "build", "--all"]):
        done = cli(shop, *command)
        assert (done.code, done.err.partition(" in ")[0]) == (2, "error: There is no .codecortex folder")
    assert {path: path.read_bytes() for path in (shop / ".codecortex").rglob("*") if path.is_file()} == held
    git(shop, "checkout", "--quiet", "bare")
    assert cli(shop, "unpin", "IStore").out.startswith("unpinned ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_what_cannot_be_written_is_let_go(shop):
    (shop / ".codecortex").chmod(0o500)
    try:
        note(shop, make_id(1))
    finally:
        (shop / ".codecortex").chmod(0o700)


def test_a_link_or_a_folder_in_its_place_is_left_alone(shop, tmp_path, kept):
    (shop / ".codecortex/local").mkdir(exist_ok=True)
    (shop / ACCESS).symlink_to(tmp_path / "elsewhere")
    note(shop, make_id(1))
    assert not (tmp_path / "elsewhere").exists()
    (shop / ACCESS).unlink()
    (shop / ACCESS).mkdir()
    note(shop, make_id(1))
    assert kept() == {}


def test_writers_at_once_lose_counts_at_most(shop, kept):
    def work(first):
        for number in range(first, first + 20):
            note(shop, make_id(number))

    threads = [threading.Thread(target=work, args=(start,)) for start in (0, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    json.loads((shop / ACCESS).read_bytes())
    assert set(kept()) <= {make_id(number) for start in (0, 100) for number in range(start, start + 20)}
    assert kept()
    assert [path.name for path in (shop / ACCESS).parent.iterdir() if "tmp" in path.name] == []
