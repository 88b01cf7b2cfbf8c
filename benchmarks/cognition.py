"""What the cognition graph costs on a made-up tree of efcore's shape, beside a bare SQLite write of the same rows.

    python benchmarks/cognition.py [SCALE]        1 unless told otherwise; 4 is four times the size

5,761 files declare 14,000 types; each type has an outline that names 8 others, and each file looks up 35 names. Their
builders do next to nothing. Each figure is the least of three processes, in milliseconds of user and system time over a
Python that has imported what this script does; importing the engine is in it, compiling it is not.
"""

from __future__ import annotations

import compileall
import gc
import json
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from hashlib import sha1
from pathlib import Path
from typing import Any

import codecortex

FILES, TYPES, LINKS, NAMES = 5761, 14_000, 8, 35
QUESTIONS = ("nothing", "comment", "body", "signature", "signature500", "newtype")


def make_world(scale: int) -> dict[str, dict[str, str]]:
    """By path the text of each source: types with a signature and a body, the names of the file, a comment."""
    chance = random.Random(7)  # noqa: S311 - no secret
    types = [f"Company.Product.Area{n % 400}.SomeTypeName{n}" for n in range(TYPES * scale)]
    texts = {}
    for n in range(FILES * scale):
        first, last = n * len(types) // (FILES * scale), (n + 1) * len(types) // (FILES * scale)
        declared = [
            [name, "s0", "b0", sorted({types[int(chance.random() ** 3 * len(types))] for _ in range(LINKS)})]
            for name in types[first:last]
        ]
        used = sorted({types[int(chance.random() ** 2 * len(types))] for _ in range(NAMES - 8)})
        texts[f"src/Product{n % 40}/Folder{n % 300}/SomeSource{n}.cs"] = json.dumps(
            {"types": declared, "names": [*used, *(f"word{n}.{k}" for k in range(8))], "comment": ""}
        )
    return dict(sorted(texts.items()))


def edit(texts: dict[str, str], what: str) -> None:
    """Edit one source."""
    at = {"signature500": 2, "signature": FILES // 2}.get(what, FILES // 3)
    path = next(path for path in texts if path.endswith(f"/SomeSource{at}.cs"))
    told = json.loads(texts[path])
    if what == "comment":
        told["comment"] = "new"
    elif what == "newtype":
        told["types"].append(["word17.3", "s0", "b0", []])
    elif what not in {"nothing", "cold"}:
        told["types"][0][2 if what == "body" else 1] = "new"
    texts[path] = json.dumps(told)


def measure(folder: Path, what: str) -> dict[str, float]:
    """In a process of its own: bring everything, or one outline, up."""
    texts = json.loads((folder / "world.json").read_text())
    edit(texts, what.removesuffix(" one"))
    parsed = {path: json.loads(text) for path, text in texts.items()}
    sources = {path: f"{hash_of(text)}" for path, text in texts.items()}
    gc.disable()  # as commands do where many lasting values are made
    start = time.process_time()

    from codecortex.cognition.engine import Engine
    from codecortex.cognition.kinds import Inputs, LineName
    from codecortex.store.cache.cache import open_cache
    from codecortex.store.cache.nodes import SqliteNodes

    cache = open_cache(folder, warn=print)
    engine = Engine(SqliteNodes(cache), LineName("work"), make_kinds(parsed), Inputs({"source": sources}))
    if what.endswith(" one"):
        engine.get("outline", "Company.Product.Area1.SomeTypeName7201")
    else:
        for kind in ("part", "head", "outline", "binding"):
            engine.settle(kind)
    engine.save()
    cache.close()
    took = (time.process_time() - start) * 1000
    return {
        "ms": took,
        "builders": run_builders(parsed) if what == "cold" else 0.0,
        "built": sum(engine.built.values()),
        "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


class Answers:
    """What builders ask where there is no engine: dictionaries."""

    def __init__(self) -> None:
        self.outputs: dict[str, dict[str, bytes | None]] = {}
        self.exporting: dict[str, list[str]] = {}

    def given(self, _: str, name: str) -> str:
        """Some text: the builders have the sources at hand."""
        return name

    def digests(self, _: str, names: list[str]) -> dict[str, bytes]:
        """The same digest for every name."""
        return dict.fromkeys(names, b"0" * 16)

    def exporters(self, _: str, name: str) -> list[str]:
        """The paths of the sources that declare a type."""
        return self.exporting[name]

    def get(self, kind: str, key: str) -> bytes | None:
        """The output of a node."""
        return self.outputs[kind][key]

    peek = get


def run_builders(parsed: dict[str, Any]) -> float:
    """Milliseconds that the builders of all nodes take by themselves."""
    ask = Answers()
    for path, declared in parsed.items():
        for name, *_ in declared["types"]:
            ask.exporting.setdefault(name, []).append(path)
    start = time.process_time()
    for kind in make_kinds(parsed):
        keys = parsed if kind.over == "source" else ask.exporting
        outputs: dict[str, bytes | None] = {}
        for key in keys:
            outputs.update(kind.build({key: ask}))
        if kind.exports is not None:
            for output in outputs.values():
                kind.exports(output)
        ask.outputs[kind.name] = outputs
    return (time.process_time() - start) * 1000


def hash_of(text: str) -> str:
    """Something like a blob's id."""
    return sha1(text.encode()).hexdigest()  # noqa: S324 - as git does


def make_kinds(parsed: dict[str, Any]) -> list[Any]:
    """Parts of files, heads of types, outlines, and what the names of a file stand for."""
    from codecortex.cognition.kinds import Kind, one_by_one
    from codecortex.model.cognition.records import digest_text

    def part(ask, path):
        ask.given("source", path)
        return json.dumps(parsed[path]["types"]).encode() if path in parsed else None

    def part_exports(output):
        types = json.loads(output)
        return {"part.types": {name: digest_text(f"{signature}{links}") for name, signature, _, links in types}}

    def head(ask, name):
        for path in ask.exporters("part.types", name):
            for declared in json.loads(ask.peek("part", path)):
                if declared[0] == name:
                    return json.dumps(declared[:2] + declared[3:]).encode()
        return None

    def head_exports(output):
        name, signature, _ = json.loads(output)
        return {"heads": {name: digest_text(signature)}}

    def outline(ask, name):
        output = ask.get("head", name)
        if output is None:
            return None
        return b"".join(ask.digests("heads", json.loads(output)[2]).values())

    def binding(ask, path):
        ask.given("source", path)
        return b"".join(ask.digests("heads", parsed[path]["names"]).values()) if path in parsed else None

    return [
        Kind("part", "1", ("source",), one_by_one(part), ("part.types",), part_exports, "source"),
        Kind("head", "1", ("part.types",), one_by_one(head), ("heads",), head_exports, "part.types"),
        Kind("outline", "1", ("head", "heads"), one_by_one(outline), over="part.types"),
        Kind("binding", "1", ("source", "heads"), one_by_one(binding), over="source"),
    ]


def write_bare(folder: Path) -> tuple[float, int]:
    """Milliseconds to write the rows of a store into a new one by SQLite alone, and how many nodes it has."""
    with sqlite3.connect(folder / "cache.sqlite") as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        schema = [sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
        rows = {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in tables}  # noqa: S608
    with tempfile.TemporaryDirectory() as other:
        start = time.process_time()
        db = sqlite3.connect(Path(other) / "bare.sqlite", isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        for sql in schema:
            db.execute(sql)
        db.execute("BEGIN")
        for table, each in rows.items():
            if each:
                db.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(each[0]))})", each)  # noqa: S608
        db.execute("COMMIT")
        db.close()
        return (time.process_time() - start) * 1000, len(rows["records"])


def run(folder: Path, kept: Path, what: str) -> dict[str, float]:
    """The least of three processes."""
    found = []
    for _ in range(3):
        for file in folder.glob("cache.sqlite*"):
            file.unlink()
        if what != "cold":
            shutil.copy(kept, folder / "cache.sqlite")
        told = subprocess.run(
            [sys.executable, __file__, "--child", str(folder), what], capture_output=True, text=True, check=True
        )
        found.append(json.loads(told.stdout))
    return min(found, key=lambda each: each["ms"])


def main() -> None:
    """Measure and print."""
    scale = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as name:
        folder, kept = Path(name), Path(name) / "kept"
        # Where PYTHONDONTWRITEBYTECODE is set, each process would compile the engine: 16 ms that no user pays.
        compileall.compile_dir(Path(codecortex.__file__).parent, quiet=1)
        (folder / "world.json").write_text(json.dumps(make_world(scale)))
        told = run(folder, kept, "cold")
        bare, nodes = write_bare(folder)
        shutil.copy(folder / "cache.sqlite", kept)
        each = (told["ms"] - told["builders"]) * 1000 / nodes
        print(
            f"cold: {told['ms']:.0f} ms for {nodes} nodes, {told['builders']:.0f} of them in their builders;"
            f" {each:.1f} us a node without, {told['MB']:.0f} MB"
        )
        print(f"bare SQLite write of the same rows: {bare:.0f} ms; {kept.stat().st_size / 1e6:.1f} MB on disk")
        for what in QUESTIONS:
            for which in (what, f"{what} one"):
                told = run(folder, kept, which)
                print(f"{which}: {told['ms']:.1f} ms, {told['built']:.0f} built, {told['MB']:.0f} MB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(measure(Path(sys.argv[2]), sys.argv[3])))
    else:
        main()
