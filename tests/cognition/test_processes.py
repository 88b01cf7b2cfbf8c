"""Several processes on one cache at once, and some that are killed while they write."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codecortex.cognition.kinds import LineName
from codecortex.store.cache.cache import open_cache
from codecortex.store.cache.nodes import INLINE_BYTES, SqliteNodes
from codecortex.store.cache.upkeep import drop_rows, find_damage
from tests.cognition.world import ask_all, open_engine

ROOT = Path(__file__).parents[2]
KILLED = 12
WORKER = """
import random, sys
from pathlib import Path
from codecortex.cognition.kinds import LineName
from codecortex.store.cache.cache import open_cache
from codecortex.store.cache.nodes import SqliteNodes
from tests.cognition.world import ask_all, open_engine

folder, line, seed, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
chance = random.Random(seed)
def refuse(text):
    sys.exit(text)
print("started", flush=True)
for _ in range(rounds):
    sources = {
        f"{n}.cs": f"type T{n} uses T{chance.randrange(40)} T{chance.randrange(40)} body {chance.randrange(3)}"
        for n in range(30)
    }
    with open_cache(folder, warn=refuse) as cache:
        engine = open_engine(SqliteNodes(cache), sources, line=LineName(line, "work"))
        found = ask_all(engine, sources)
        engine.save()
    with open_cache(folder, warn=refuse, keeps=False) as nowhere:
        assert found == ask_all(open_engine(SqliteNodes(nowhere), sources), sources)
"""


def start(folder, line, seed, rounds):
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(folder), line, str(seed), str(rounds)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def refuse(text):
    raise AssertionError(text)


def is_right(folder):
    sources = {f"{n}.cs": f"type T{n} uses T{n + 1} body 1" for n in range(30)}
    with open_cache(folder, warn=refuse) as cache, open_cache(folder, warn=refuse, keeps=False) as nowhere:
        engine = open_engine(SqliteNodes(cache), sources)
        expected = ask_all(open_engine(SqliteNodes(nowhere), sources), sources)
        return ask_all(engine, sources) == expected and engine.save()


@pytest.mark.slow
def test_processes_at_once_answer_as_each_would_alone(tmp_path):
    workers = [start(tmp_path, line, seed, 15) for seed, line in enumerate(("work", "work", "session"))]
    for worker in workers:
        _, err = worker.communicate(timeout=240)
        assert (worker.returncode, err) == (0, "")
    assert is_right(tmp_path)


@pytest.mark.slow
def test_what_is_killed_while_it_writes_leaves_a_sound_cache(tmp_path):
    for number in range(KILLED):
        worker = start(tmp_path, "work", number, 1000)
        assert worker.stdout.readline() == "started\n"
        time.sleep(0.02 + 0.03 * number)
        worker.send_signal(signal.SIGKILL)
        worker.communicate()
        assert is_right(tmp_path)


def test_a_large_output_stands_in_a_file_of_its_own(tmp_path):
    name = "N" * INLINE_BYTES
    sources = {"a.cs": f"type {name} uses A body 1"}
    with open_cache(tmp_path, warn=refuse) as cache:
        engine = open_engine(SqliteNodes(cache), sources)
        first = ask_all(engine, sources)
        engine.save()
    files = [path for path in (tmp_path / "blobs").glob("*/*") if path.is_file()]
    assert files
    assert all(path.stat().st_size > INLINE_BYTES for path in files)
    with open_cache(tmp_path, warn=refuse) as cache:
        engine = open_engine(SqliteNodes(cache), sources)
        assert ask_all(engine, sources) == first
        assert not engine.built.keys() - {"head"}
    for path in files:
        path.unlink()
    with open_cache(tmp_path, warn=refuse) as cache:
        assert ask_all(open_engine(SqliteNodes(cache), sources), sources) == first


def test_a_path_that_is_no_text_is_a_name_like_others(tmp_path):
    sources = {"b\udcff\n.cs": "type A uses B body 1", "ä.cs": "type B uses  body 1"}
    with open_cache(tmp_path, warn=refuse) as cache:
        engine = open_engine(SqliteNodes(cache), sources)
        first = ask_all(engine, sources)
        engine.save()
        again = open_engine(SqliteNodes(cache), sources, line=LineName("work"))
        assert ask_all(again, sources) == first
        assert not again.built.keys() - {"head"}  # whose outputs are not kept


LOST, ADDED = "names SET readers = x''", "names SET readers = readers || x'01000000'"


# What nodes export to others is guarded by their records alone: only upkeep looks at its rows.
@pytest.mark.parametrize(
    ("damage", "mends"),
    [(LOST, True), (LOST, False), (ADDED, True), (ADDED, False), ("exports SET digest = x'00'", True)],
)
def test_damaged_rows_of_names_and_exports_are_found_and_mended(tmp_path, damage, mends):
    table = damage.partition(" ")[0]
    sources = {f"{n}.cs": f"type T{n} uses T{n + 1} body 1" for n in range(9)}
    with open_cache(tmp_path, warn=refuse) as cache:
        engine = open_engine(SqliteNodes(cache), sources)
        ask_all(engine, sources)
        engine.save()
        assert not find_damage(cache)
        cache.transact(lambda db: db.execute(f"UPDATE {damage}"))
        assert {row.table for row in find_damage(cache)} >= {table}
        if mends:
            drop_rows(cache, find_damage(cache))
            assert not find_damage(cache)
    changed = sources | {"4.cs": "type T4 uses T7 body 1", "8.cs": "type T8 uses  body 1"}
    with open_cache(tmp_path, warn=refuse) as cache, open_cache(tmp_path, warn=refuse, keeps=False) as nowhere:
        engine = open_engine(SqliteNodes(cache), changed)
        assert ask_all(engine, changed) == ask_all(open_engine(SqliteNodes(nowhere), changed), changed)
