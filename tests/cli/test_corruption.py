"""Bytes of any file of codecortex flipped or cut: the same answers as ever, or one clear error, and never a traceback.

`CODECORTEX_CORRUPTIONS=300 pytest tests/cli/test_corruption.py` tries that many.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sqlite3
import zlib
from contextlib import closing

import pytest

NUMBER = int(os.environ.get("CODECORTEX_CORRUPTIONS", "12"))
NOTE = b"ROLE:\nKeeps orders.\n\nLIFECYCLE:\nLong.\n"
QUESTIONS = (
    ("resolve", "Store", "--json"),
    ("search", "orders", "--json"),
    ("outline", "Shop.Core.Store", "--json"),
    ("usages", "Shop.Core.Order", "--json"),
    ("graph", "Shop.Core.Store", "--json"),
    ("context", "how are orders kept", "--json"),
    ("index", "--json"),
    ("changes", "--json"),
    ("log", "Shop.Core.Store", "--json"),
    ("semantic", "states", "--json"),
    ("window", "--json"),
    ("bindings", "src/Core/Store.cs", "--json"),
    ("session", "log", "try", "--json"),
    ("ops", "list", "--json"),
    ("conversation", "list", "--json"),
    ("pack", "build", "core", "--json"),
    ("status", "--json"),
)
WRITES = (("refresh",), ("refresh", "--full"), ("check", "--json"))
VOLATILE = ("generatedAt", "sizes", "performance", "cache", "metrics", "outline")
PROSE = ("semantic", "prompts", "config.yaml", "README.md", ".gitignore", ".gitattributes")


@pytest.fixture
def used(shop, cli, git, process):
    """A repository in which everything has been used, so that every file and every kind of row is there."""
    assert cli(shop, "refresh").code == 0
    done = process(shop, "pack", "build", "core", "--filter", "namespace:Shop.*")
    assert done.returncode == 0, done.stderr
    (shop / "note.txt").write_bytes(NOTE)
    assert cli(shop, "semantic", "put", "Shop.Core.Store", str(shop / "note.txt")).code == 0
    (shop / "note.txt").unlink()
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "all")
    file = shop / "src/Core/Order.cs"
    file.write_text(file.read_text("utf-8").replace("record Order(", "record Purchase("), "utf-8")
    for path in ("src/Core/Store.cs", "src/App/Order.cs"):
        text = (shop / path).read_text("utf-8")
        (shop / path).write_text(re.sub(r"\bOrder\b(?=[? >])", "Purchase", text), "utf-8")
    assert cli(shop, "refresh").code == 0
    assert cli(shop, "pin", "Shop.Core.Store").code == 0
    assert cli(shop, "session", "open", "try").code == 0
    assert cli(shop, "semantic", "generate", "Shop.Core.Purchase", "--provider", "extract").code == 0
    assert cli(shop, "context", "--conversation", "talk", "how are orders kept").code == 0
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "renamed")
    ask_all(cli, shop, (*WRITES, *QUESTIONS))
    return shop


def ask_all(cli, root, commands):
    found = {}
    for command in commands:
        done = cli(root, *command)
        assert done.code in (0, 1, 2, 3), f"{command}: {done.err}"
        assert "Traceback" not in done.err
        found[command] = (done.code, _drop_volatile(done.out), done.err)
    return found


def _drop_volatile(out):
    if not out.startswith("{"):
        return out
    return json.dumps({name: value for name, value in json.loads(out).items() if name not in VOLATILE})


def read_generated(root):
    folder = root / ".codecortex"
    files = [*sorted((folder / "types").rglob("*.md")), folder / "index.json"]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files if path.is_file()}


def spoil(data, chance):
    """The bytes with one bit turned, a stretch of noise or zeros, cut, doubled or gone."""
    if not data:
        return b"\xff"
    at = chance.randrange(len(data))
    far = min(len(data), at + chance.randint(1, 40))
    return chance.choice([
        data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :],
        data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :],
        data[:at] + chance.randbytes(far - at) + data[far:],
        data[:at] + bytes(far - at) + data[far:],
        data[:at],
        data + data[at:],
        b"",
    ])  # fmt: skip


def spoil_value(value, chance):
    match value:
        case int():
            return value ^ (1 << chance.randrange(40))
        case str():
            return spoil(value.encode(), chance).decode("latin-1")
        case bytes():
            return spoil(value, chance)
        case _:
            return b"\xff"


def spoil_cell(file, table, chance):
    """Spoil one value of one row of a table of nodes."""
    with closing(sqlite3.connect(file)) as db, db:
        rows = db.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608
        assert rows, table
        row = list(chance.choice(rows))
        names = [each[1] for each in db.execute(f"PRAGMA table_info({table})")]
        at = chance.randrange(len(row))
        where = " AND ".join(f"{name} IS ?" for name in names)
        db.execute(f"DELETE FROM {table} WHERE {where}", row)  # noqa: S608
        row[at] = spoil_value(row[at], chance)
        db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608


def spoil_row(file, table, chance):
    """Spoil one row: its content, its key, its digest, or all of it put under another key."""
    name = {"facts": "key", "snapshots": "name"}[table]
    with closing(sqlite3.connect(file)) as db, db:
        rows = db.execute(f"SELECT rowid, {name}, data FROM {table} ORDER BY {name}").fetchall()  # noqa: S608
        row, key, data = chance.choice(rows)
        match chance.randrange(5):
            case 0 | 1 | 2:
                db.execute(f"UPDATE {table} SET data = ? WHERE rowid = ?", (spoil(data, chance), row))  # noqa: S608
            case 3:
                other = chance.choice(rows)[2]
                db.execute(f"UPDATE {table} SET data = ? WHERE rowid = ?", (other, row))  # noqa: S608
            case _:
                raw = key if isinstance(key, bytes) else key.encode()
                bad = spoil(raw, chance)
                bad = bad if isinstance(key, bytes) else bad.decode("latin-1")
                db.execute(f"UPDATE OR IGNORE {table} SET {name} = ? WHERE rowid = ?", (bad, row))  # noqa: S608


def list_targets(root):
    """What is spoiled: the rows of each table, the file of the cache, other local files, committed files."""
    local = [path for path in (root / ".codecortex/local").rglob("*") if path.is_file() and path.stat().st_size]
    beside = [
        path for path in (root / ".git/codecortex").rglob("*")
        if path.is_file() and path.stat().st_size and "cache.sqlite" not in path.name
    ]  # fmt: skip
    committed = [
        path for path in (root / ".codecortex").rglob("*") if path.is_file() and "local" not in path.parts
    ]  # fmt: skip
    refs = [path for path in (root / ".git/refs/worktree").rglob("*") if path.is_file()]
    return {"local": sorted(local), "beside": sorted(beside), "committed": sorted(committed), "refs": sorted(refs)}


def settle(root):
    """Empty the log that SQLite keeps beside the cache, so that what is spoiled is what is read."""
    with closing(sqlite3.connect(root / ".git/codecortex/cache.sqlite")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


NODES = ("names", "records", "outputs", "lines", "counters")
KINDS = ("facts", "snapshots", "cache", "local", "committed", "beside", "refs", *NODES)


@pytest.mark.slow
def test_spoiled_bytes_never_change_an_answer(used, tmp_path, cli):
    settle(used)
    clean = tmp_path / "clean"
    shutil.copytree(used, clean, symlinks=True)
    expected, generated = ask_all(cli, clean, (*WRITES, *QUESTIONS)), read_generated(clean)
    differing = []
    for number in range(NUMBER):
        chance = random.Random(number)  # noqa: S311 - no secrets
        kind = KINDS[number % len(KINDS)]
        root = tmp_path / "spoiled"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(used, root, symlinks=True)
        file = root / ".git/codecortex/cache.sqlite"
        if kind in ("facts", "snapshots"):
            spoil_row(file, kind, chance)
        elif kind in NODES:
            spoil_cell(file, kind, chance)
        else:
            targets = [file] if kind == "cache" else list_targets(root)[kind]
            file = chance.choice(targets)
            file.write_bytes(spoil(file.read_bytes(), chance))
        label = (number, kind, file.relative_to(root).as_posix())
        writes_first = kind != "committed" and chance.randrange(2)
        found = ask_all(cli, root, (*WRITES, *QUESTIONS) if writes_first else (WRITES[-1], *QUESTIONS, *WRITES[:-1]))
        wrong = [command for command, (code, out, _) in found.items() if (code, out) != expected[command][:2]]
        if kind == "committed" and (WRITES[-1] in wrong or any(each in str(file) for each in PROSE)):
            continue  # `check` tells of it, or it is what people write
        for command in wrong:
            code, out, err = found[command]
            is_told = "error: " in err or "warning: " in err or label[2] in out
            if kind not in ("local", "refs") or not is_told:
                differing.append((label, command, code, out[:300], err[:300]))
        if kind != "committed":
            assert read_generated(root) == generated, label
    assert not differing, "\n".join(map(str, differing))


def test_cut_rows_that_pass_for_whole_are_one_error_that_clear_mends(shop, cli):
    assert cli(shop, "refresh").code == 0
    with closing(sqlite3.connect(shop / ".git/codecortex/cache.sqlite")) as db:
        for table, name in (("facts", "key"), ("snapshots", "name")):
            for row, key, data in db.execute(f"SELECT rowid, {name}, data FROM {table}").fetchall():  # noqa: S608
                cut, named = data[: len(data) // 2], key.encode() if isinstance(key, str) else key
                values = (cut, zlib.crc32(cut, zlib.crc32(named)), row)
                db.execute(f"UPDATE {table} SET data = ?, digest = ? WHERE rowid = ?", values)  # noqa: S608
        db.commit()
    result = cli(shop, "refresh", "--full")
    assert result.code == 3
    assert "`codecortex cache clear`" in result.err
    assert "Traceback" not in result.err
    assert cli(shop, "cache", "clear").code == 0
    assert cli(shop, "check").out == "ok\n"
