"""The local cache: what is put comes back, and no misfortune ever raises."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from codecortex.store.cache.cache import FILE_NAME, Cache, open_cache

FACTS = [(b"key %d" % number, b"data %d " % number * 50) for number in range(1000)]


@pytest.fixture
def warnings():
    return []


def filled(folder, warnings):
    with open_cache(folder, warn=warnings.append) as cache:
        cache.put_many(FACTS)
        cache.put("last", b"snapshot")
    return folder / FILE_NAME


def aside(folder):
    return sorted(path.name for path in folder.iterdir() if "-" in path.name)


def read_mode(file):
    with sqlite3.connect(file) as db:
        return db.execute("PRAGMA journal_mode").fetchone()[0]


def test_only_who_makes_it_writes_without_a_log(tmp_path, warnings):
    file = filled(tmp_path, warnings)
    assert read_mode(file) == "delete"
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get("last") == b"snapshot"
    assert read_mode(file) == "wal"
    with open_cache(tmp_path / "lasting", warn=warnings.append, lasting=True):
        assert read_mode(tmp_path / "lasting" / FILE_NAME) == "wal"
    assert warnings == []


def test_others_read_and_write_while_it_is_filled(tmp_path, warnings):
    with open_cache(tmp_path, warn=warnings.append) as first:
        for start in range(0, len(FACTS), 100):
            first.put_many(FACTS[start : start + 100])
            with open_cache(tmp_path, warn=warnings.append, writes=False) as reader:
                assert len(reader.get_many([key for key, _ in FACTS])) == start + 100
        with open_cache(tmp_path, warn=warnings.append) as second:
            second.put("last", b"of another")
            assert second.get_many([key for key, _ in FACTS]) == dict(FACTS)
        first.put("next", b"after it")
        assert first.get("last") == b"of another"
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get_all(["last", "next"]) == {"last": b"of another", "next": b"after it"}
    assert warnings == []


def test_facts_and_snapshots_outlive_the_process(tmp_path, warnings):
    filled(tmp_path / "new" / "folder", warnings)
    with open_cache(tmp_path / "new" / "folder", warn=warnings.append) as cache:
        keys = [key for key, _ in FACTS]
        assert cache.get_many([*keys, b"unknown"]) == dict(FACTS)
        assert cache.get("last") == b"snapshot"
        assert cache.get("other") is None
    assert warnings == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked here")
def test_a_forked_process_reads_and_writes_nothing(tmp_path, warnings):
    filled(tmp_path, warnings)
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get("last") == b"snapshot"
        child = os.fork()
        if not child:
            seen = cache.get_many([FACTS[0][0]]) == dict(FACTS[:1])
            cache.put("last", b"of the child")
            os._exit(0 if seen else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert cache.get("last") == b"snapshot"
        cache.put("last", b"of the parent")
        assert cache.get("last") == b"of the parent"
    assert not warnings


def test_a_later_value_replaces_an_earlier_one(tmp_path, warnings):
    with open_cache(tmp_path, warn=warnings.append) as cache:
        cache.put_many([(b"k", b"1"), (b"k", b"2")])
        cache.put("s", b"1")
        cache.put("s", b"2")
        assert (cache.get_many([b"k"]), cache.get("s")) == ({b"k": b"2"}, b"2")


def test_a_closed_cache_misses(tmp_path, warnings):
    cache = open_cache(tmp_path, warn=warnings.append)
    cache.put("s", b"1")
    cache.close()
    cache.put("s", b"2")
    assert cache.get("s") is None
    assert cache.get_many([b"k"]) == {}
    cache.close()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"no database at all" * len(data), id="garbage"),
        pytest.param(lambda data: data[:16] + b"\xff" * 84 + data[100:], id="header"),
        pytest.param(lambda data: data[:100] + b"\xff" * 4000 + data[4100:], id="schema"),
    ],
)
def test_a_damaged_file_is_set_aside_with_one_warning_and_rebuilt(tmp_path, warnings, damage):
    file = filled(tmp_path, warnings)
    damaged = damage(file.read_bytes())
    file.write_bytes(damaged)
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get_many([FACTS[0][0]]) == {}
        cache.put_many(FACTS)
        assert cache.get_many([FACTS[0][0]]) == dict(FACTS[:1])
        assert len(warnings) == 1
    assert (tmp_path / f"{FILE_NAME}.corrupt-1").read_bytes() == damaged
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert len(cache.get_many([key for key, _ in FACTS])) == len(FACTS)
    assert len(warnings) == 1


def test_on_a_full_disk_nothing_is_set_aside(tmp_path, warnings, monkeypatch):
    file = filled(tmp_path, warnings)
    before = b"no database at all" * 1000
    file.write_bytes(before)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(free=4096))
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get_many([FACTS[0][0]]) == {}
        cache.put_many(FACTS)
    assert warnings == ["the local cache is not used: the disk is full"]
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.glob(f"{FILE_NAME}*")] == [FILE_NAME]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[: len(data) // 2 // 4096 * 4096], id="truncated"),
        pytest.param(lambda data: data[:16384] + b"\xff" * (len(data) - 16384), id="pages"),
    ],
)
def test_damage_found_in_use_is_a_miss_and_heals(tmp_path, warnings, damage):
    file = filled(tmp_path, warnings)
    file.write_bytes(damage(file.read_bytes()))
    keys = [key for key, _ in FACTS]
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get_many(keys).items() <= dict(FACTS).items()
        cache.put_many(FACTS)
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get_many(keys) == dict(FACTS)
    assert len(warnings) == 1
    assert aside(tmp_path) == [f"{FILE_NAME}.corrupt-1"]


@pytest.mark.parametrize("data", [b"", b"x"])
def test_a_file_too_short_to_hold_anything_is_used(tmp_path, warnings, data):
    (tmp_path / FILE_NAME).write_bytes(data)
    filled(tmp_path, warnings)
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get("last") == b"snapshot"
    assert warnings == []


def test_missing_tables_are_damage(tmp_path, warnings):
    with sqlite3.connect(filled(tmp_path, warnings)) as db:
        db.execute("DROP TABLE facts")
    db.close()
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get_many([FACTS[0][0]]) == {}
        cache.put_many(FACTS)
        assert cache.get_many([FACTS[0][0]]) == dict(FACTS[:1])
    assert len(warnings) == 1
    assert aside(tmp_path) == [f"{FILE_NAME}.corrupt-1"]


def test_a_name_that_is_no_text_is_damage(tmp_path, warnings):
    with sqlite3.connect(filled(tmp_path, warnings)) as db:
        db.execute("UPDATE snapshots SET name = CAST(x'ff00fe' AS TEXT)")
    db.close()
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert [row[::2] for row in cache.list_damaged()] == [("snapshots", r"\xff\x00\xfe".replace(r"\x00", "\0"))]
        assert cache.get("last") is None
        assert cache.read("SELECT name FROM snapshots") == []
        cache.put("last", b"again")
        assert cache.get("last") == b"again"
    assert len(warnings) == 1
    assert aside(tmp_path) == [f"{FILE_NAME}.corrupt-1"]


def test_a_misused_cache_warns_once_and_keeps_its_file(tmp_path, warnings):
    with open_cache(tmp_path, warn=warnings.append) as cache:
        cache.put("last", b"snapshot")
        cache._db.close()  # noqa: SLF001 - nothing that is public misuses it
        cache.put("last", b"other")
        cache.put("last", b"other")
        assert cache.get("last") is None
    assert len(warnings) == 1
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get("last") == b"snapshot"


@pytest.mark.parametrize("pragma", ["application_id = 77", "user_version = 99"])
def test_a_foreign_database_is_kept_and_replaced(tmp_path, warnings, pragma):
    file = filled(tmp_path, warnings)
    with sqlite3.connect(file) as db:
        db.execute(f"PRAGMA {pragma}")
    db.close()
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get("last") is None
        cache.put("last", b"new")
    assert aside(tmp_path) == [f"{FILE_NAME}.foreign-1"]
    assert len(warnings) == 1


def test_tables_of_another_program_are_foreign(tmp_path, warnings):
    with sqlite3.connect(tmp_path / FILE_NAME) as db:
        db.execute("CREATE TABLE precious(data)")
    db.close()
    open_cache(tmp_path, warn=warnings.append).close()
    assert aside(tmp_path) == [f"{FILE_NAME}.foreign-1"]


def test_only_the_last_two_are_kept_aside(tmp_path, warnings):
    for number in range(5):
        (tmp_path / FILE_NAME).write_bytes(b"garbage %d" % number * 100)
        open_cache(tmp_path, warn=warnings.append).close()
    assert aside(tmp_path) == [f"{FILE_NAME}.corrupt-4", f"{FILE_NAME}.corrupt-5"]


def test_a_new_database_never_meets_the_log_of_the_old_one(tmp_path, warnings):
    cache = open_cache(tmp_path, warn=warnings.append)
    cache.put("old", b"old")  # Stays in the log until the last connection closes.
    (tmp_path / FILE_NAME).write_bytes(b"garbage" * 1000)
    with open_cache(tmp_path, warn=warnings.append) as other:
        assert other.get("old") is None
        other.put("new", b"new")
    with open_cache(tmp_path, warn=warnings.append) as other:
        assert other.get("new") == b"new"
    cache.close()


@pytest.mark.parametrize("place", ["/proc/1/codecortex", "file/codecortex", "file"])
def test_no_place_for_a_cache_is_one_warning(tmp_path, warnings, place):
    (tmp_path / "file").write_bytes(b"")
    with open_cache(tmp_path / place, warn=warnings.append) as cache:
        cache.put_many(FACTS)
        cache.put("s", b"")
        cache.trim(1)
        assert cache.get_many([b"key 1"]) == {}
        assert cache.get("s") is None
    assert len(warnings) == 1


def test_a_folder_in_place_of_the_file_is_one_warning(tmp_path, warnings):
    (tmp_path / FILE_NAME).mkdir()
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get("s") is None
    assert len(warnings) == 1


READ_ONLY = """
import os, sys
from pathlib import Path
from codecortex.store.cache.cache import open_cache
if os.geteuid() == 0:
    os.setgroups([]); os.setegid(65534); os.seteuid(65534)
warnings = []
with open_cache(Path(sys.argv[1]), warn=warnings.append) as cache:
    cache.put("last", b"changed")
    cache.put_many([(b"key 1", b"changed")])
    print(cache.get("last").decode(), len(cache.get_many([b"key 1", b"key 2", b"none"])), len(warnings))
"""


@pytest.mark.skipif(os.name == "nt", reason="permission bits")
def test_a_folder_that_cannot_be_written_is_read_in_silence(warnings):
    # Not tmp_path: pytest closes its parents to other users, and root has to become one for permissions to bind.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = filled(folder, warnings)
        before = file.read_bytes()
        file.chmod(0o444)
        folder.chmod(0o555)
        done = run_python(READ_ONLY, str(folder))
        folder.chmod(0o755)
        assert done == "snapshot 2 0\n"
        assert file.read_bytes() == before
        assert aside(folder) == []


def run_python(script, *arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


WRITER = """
import sys
from pathlib import Path
from codecortex.store.cache import database
from codecortex.store.cache.cache import open_cache
database._BUSY_SECONDS = 600.0  # however slow the machine is
warnings = []
who = sys.argv[2].encode()
for turn in range(20):
    with open_cache(Path(sys.argv[1]), warn=warnings.append) as cache:
        cache.put_many([(b"%s %d %d" % (who, turn, number), who * 200) for number in range(50)])
        cache.put("shared", who)
        assert cache.get("shared") in {b"0", b"1", b"2", b"3"}
print(warnings)
"""


def test_processes_that_create_and_write_at_once_lose_nothing(tmp_path, warnings):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", WRITER, str(tmp_path / "new")]
    running = [
        subprocess.Popen([*command, str(who)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for who in range(4)
    ]
    assert [process.communicate()[0] for process in running] == [b"[]\n"] * 4
    with open_cache(tmp_path / "new", warn=warnings.append) as cache:
        keys = [b"%d %d %d" % (who, turn, number) for who in range(4) for turn in range(20) for number in range(50)]
        assert len(cache.get_many(keys)) == len(keys)


@pytest.mark.slow
def test_a_lock_held_too_long_costs_a_write_and_no_word(tmp_path, warnings):
    file = filled(tmp_path, warnings)
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with open_cache(tmp_path, warn=warnings.append) as cache:
        cache.put("last", b"never")
        assert cache.get("last") == b"snapshot"
    holder.close()
    assert warnings == []


def test_trimming_drops_the_oldest_facts_that_were_not_used(tmp_path, warnings):
    file = filled(tmp_path, warnings)
    size = file.stat().st_size
    recent = [key for key, _ in FACTS[:10]]
    with open_cache(tmp_path, warn=warnings.append) as cache:
        cache.get_many(recent)
        cache.put_many([(b"new", b"new")])
        cache.trim(size // 2)
        left = cache.get_many([key for key, _ in FACTS])
        assert set(recent) < set(left)
        assert len(FACTS) // 4 < len(left) < len(FACTS) // 2
        assert FACTS[-1][0] in left
        assert cache.get_many([b"new"]) == {b"new": b"new"}
        assert cache.get("last") == b"snapshot"


def test_trimming_below_the_bound_changes_nothing(tmp_path, warnings):
    file = filled(tmp_path, warnings)
    with open_cache(tmp_path, warn=warnings.append) as cache:
        cache.trim(file.stat().st_size)
        assert len(cache.get_many([key for key, _ in FACTS])) == len(FACTS)


def test_freed_pages_are_taken_again(tmp_path, warnings):
    file = filled(tmp_path, warnings)
    size = file.stat().st_size
    for turn in range(10):
        with open_cache(tmp_path, warn=warnings.append) as cache:
            cache.put_many([(b"%d %s" % (turn, key), data) for key, data in FACTS])
        with Cache(file, warnings.append) as cache:
            cache.trim(size)
    assert file.stat().st_size < 3 * size


@pytest.mark.parametrize("column", ["data", "digest", "name"])
def test_a_row_that_is_not_as_it_was_written_is_a_miss_and_is_replaced(tmp_path, warnings, column):
    file = filled(tmp_path, warnings)
    values = {"data": (b"snapshou",), "digest": (0,), "name": ("moved",)}[column]
    with sqlite3.connect(file) as db:
        db.execute(f"UPDATE snapshots SET {column} = ?", values)  # noqa: S608 - a column
        db.execute("UPDATE facts SET data = (SELECT data FROM facts WHERE id = 2) WHERE id = 1")
        db.execute("UPDATE facts SET data = CAST(data AS TEXT) WHERE id = 3")
    db.close()
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert (cache.get("last"), cache.get("moved")) == (None, None)
        keys = [key for key, _ in FACTS]
        assert cache.get_many(keys).keys() == {*keys} - {keys[0], keys[2]}
        cache.put_many(FACTS[:3])
        assert cache.get_many(keys) == dict(FACTS)
    assert warnings == []


def test_the_cache_of_an_older_version_is_made_anew_in_silence(tmp_path, warnings):
    with sqlite3.connect(tmp_path / FILE_NAME) as db:
        db.executescript("""
            CREATE TABLE facts(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, data BLOB NOT NULL);
            CREATE TABLE snapshots(name TEXT PRIMARY KEY, data BLOB NOT NULL);
            INSERT INTO snapshots VALUES ('last', x'00');
            PRAGMA application_id = 0x63646378;
            PRAGMA user_version = 1;
        """)
    db.close()
    with open_cache(tmp_path, warn=warnings.append) as cache:
        assert cache.get("last") is None
        cache.put("last", b"new")
        assert cache.get("last") == b"new"
    assert (aside(tmp_path), warnings) == ([], [])


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_processes_that_make_the_cache_at_once_share_it(tmp_path):
    def open_once(folder, go):
        warned = []
        while not go.exists():
            pass
        with open_cache(folder, warn=warned.append):
            pass
        os._exit(len(warned))

    for number in range(12):
        folder, go = tmp_path / str(number), tmp_path / f"go{number}"
        children = []
        for _ in range(6):
            child = os.fork()
            if not child:
                open_once(folder, go)
            children.append(child)
        go.touch()
        assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
        assert [path.name for path in folder.iterdir() if "cache.sqlite." in path.name] == []
