"""What a commit adds to the object store through generated files: as committed, in one flat folder, with hashes.

    python benchmarks/bytes.py [TYPES ...]        1000, 10000 and 50000 unless told otherwise

Sources are made up and not committed: only `.codecortex` is. Each of ten commits changes the body of one method, and
each of ten more the signature of one. Loose bytes are the files git writes (blobs, trees, the commit itself); packed
bytes are what `git repack -ad` makes of them.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.types.assemble import assemble_types
from codecortex.analysis.types.fingerprints import fingerprint
from codecortex.analysis.types.links import link_outline
from codecortex.analysis.types.outline import write_outline
from codecortex.git.listing import Listing
from codecortex.git.repository import open_repository
from codecortex.model.code.projects import Flavour, Project
from codecortex.model.config import Config
from codecortex.model.config_choices import IndexDetail
from codecortex.operations.reading.hashes import add_hashes, describe_hashes, rules_of
from codecortex.operations.reading.sources import Sources
from codecortex.operations.reading.tree import Reading, Tree, make_resolver
from codecortex.operations.refresh.artefacts import write_artefacts
from codecortex.operations.refresh.plan import choose_layout
from codecortex.operations.request import Request
from codecortex.parsing.csharp.read import read_csharp
from codecortex.store.committed.index_json import decode_index, encode_index
from codecortex.store.paths import INDEX, Layout, outline_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.git.repository import Repository
    from codecortex.model.code.types import CSharpType

SIZES = (1_000, 10_000, 50_000)
COMMITS = 10
MEMBERS = 8
CHANGED = 2  # the place of the member that changes
NAMES = ("Order", "Customer", "Invoice", "Basket", "Price", "Stock", "Route", "Parcel", "Account", "Ledger")
VERBS = ("Find", "Load", "Store", "Merge", "Count", "Close", "Open", "Check", "Write", "Apply")
PROJECT = Project("src/Big/Big.csproj", "Big", "Big", "Big", "net8.0", ("net8.0",), frozenset(), (), (), (), ())
PLAIN = Config()
HASHED = PLAIN._replace(
    index=PLAIN.index._replace(detail=IndexDetail.FULL), outline=PLAIN.outline._replace(hashes=True)
)


class Source(NamedTuple):
    """One type's source: how often its method's body and its signature were changed."""

    number: int
    bodies: int = 0
    signatures: int = 0

    @property
    def path(self) -> str:
        """Its file."""
        return f"src/Big/Area{self.number % 40}/{name_type(self.number)}.cs"

    def write(self, count: int) -> bytes:
        """Its text, in a repository of `count` types."""
        choose = random.Random(self.number)  # noqa: S311 - any would do
        lines = []
        for member in range(MEMBERS):
            other, more = (f"Area{n % 40}.{name_type(n)}" for n in (choose.randrange(count), choose.randrange(count)))
            extra = "".join(f", int more{each}" for each in range(self.signatures)) if member == CHANGED else ""
            body = f"{{ return {self.bodies if member == CHANGED else 0} + Compute(key).Length; }}"
            lines.append(
                f"    /// <summary>{choose.choice(VERBS)}s the {choose.choice(NAMES).lower()} of a key.</summary>"
            )
            lines.append(f"    public {other} {choose.choice(VERBS)}{member}({more} key{extra}) {body}")
        text = "\n".join(lines)
        name = name_type(self.number)
        return f"namespace Big.Area{self.number % 40};\n\npublic class {name}\n{{\n{text}\n}}\n".encode()


def name_type(number: int) -> str:
    """The simple name of the n-th type."""
    return f"{NAMES[number % 10]}{VERBS[number // 10 % 10]}er{number}"


def read(count: int, nowhere: Repository) -> Reading:
    """Every type of a made-up repository; notes are looked for in one that holds none."""
    texts = {source.path: source.write(count) for source in map(Source, range(count))}
    project = PROJECT._replace(files=tuple(sorted(texts)))
    types = assemble_types([project], lambda _, path: read_csharp(texts[path], frozenset()))
    request = Request(nowhere.folder, jobs=2)
    tree = Tree(request, nowhere, PLAIN, Flavour(), Listing((), (), None), Sources({}, {}, {}, [], {}))
    return Reading(tree, (project,), types, {}, (), 0, {})


def read_one(source: Source, count: int) -> CSharpType:
    """One type after a change."""
    project = PROJECT._replace(files=(source.path,))
    return assemble_types([project], lambda *_: read_csharp(source.write(count), frozenset()))[0]


class Writer:
    """The generated files of one size, under one configuration and layout, kept up to date type by type."""

    def __init__(self, reading: Reading, config: Config, layout: Layout) -> None:
        self.reading = reading._replace(tree=reading.tree._replace(config=config))
        self.config, self.layout = config, layout
        self.files = write_artefacts(self.reading, layout)
        self._index = decode_index(self.files[INDEX], INDEX)
        self._rows = dict(self._index.types)
        self._resolver = make_resolver(self.reading)
        self._fqns = {merged.id: merged.fqn for merged in reading.types}

    def lay_flat(self) -> Writer:
        """The same with all outlines in one folder."""
        other = copy(self)
        other.layout = Layout.FLAT
        index = encode_index(replace(self._index, layout=Layout.FLAT))
        other.files = {outline_path(i, Layout.FLAT): self.files[outline_path(i, self.layout)] for i in self._rows}
        other.files[INDEX] = index
        return other

    def change(self, merged: CSharpType) -> dict[str, bytes]:
        """The generated files that a changed type changes."""
        links = link_outline(merged, self._resolver, self._fqns, self.config.outline.max_dependencies)
        text = write_outline(merged, PROJECT.assembly, (), links)
        if self.config is HASHED:
            prints = fingerprint(merged, (), rules_of(self.config))
            text = add_hashes(text, prints)
            row = self._rows[merged.id]
            self._rows[merged.id] = row._replace(extra={**(row.extra or {}), **describe_hashes(prints)})
        made = {outline_path(merged.id, self.layout): text.encode()}
        if self.config is HASHED:
            made[INDEX] = encode_index(replace(self._index, types=self._rows))
        made = {path: data for path, data in made.items() if self.files[path] != data}
        self.files |= made
        return made


class Store:
    """A bare repository, and what commits add to it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        subprocess.run(["git", "init", "-q", "--bare", folder], check=True)
        self._environment = {
            **os.environ, "GIT_DIR": str(folder), "GIT_INDEX_FILE": str(folder / "bench-index"),
            "GIT_AUTHOR_NAME": "bench", "GIT_AUTHOR_EMAIL": "b@localhost", "GIT_COMMITTER_NAME": "bench",
            "GIT_COMMITTER_EMAIL": "b@localhost",
        }  # fmt: skip
        self._parent = ""

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        """What git prints."""
        call = ["git", *arguments]
        done = subprocess.run(call, input=stdin, env=self._environment, check=True, capture_output=True)
        return done.stdout.decode().strip()

    def load(self, files: Mapping[str, bytes]) -> None:
        """The first commit, straight into a pack."""
        self.git("fast-import", "--quiet", stdin=b"".join(spell(files)))
        self._parent = self.git("rev-parse", "refs/heads/main")
        self.git("read-tree", self._parent)
        self.repack()

    def commit(self, files: Mapping[str, bytes]) -> int:
        """Commit changed files; the bytes of the loose objects that this made, 0 where there is nothing to commit."""
        if not files:
            return 0
        before = self._measure_loose()
        lines = [
            f"100644 {self.git('hash-object', '-w', '--stdin', stdin=data)}\t{path}" for path, data in files.items()
        ]
        self.git("update-index", "--index-info", stdin="".join(f"{line}\n" for line in lines).encode())
        self._parent = self.git("commit-tree", self.git("write-tree"), "-p", self._parent, "-m", "change")
        return self._measure_loose() - before

    def _measure_loose(self) -> int:
        return sum(file.stat().st_size for file in (self._folder / "objects").glob("??/*"))

    def repack(self) -> int:
        """Bytes of the one pack that holds everything."""
        self.git("update-ref", "refs/heads/main", self._parent)
        self.git("repack", "-adq", "--threads=2")
        return sum(file.stat().st_size for file in (self._folder / "objects/pack").glob("*.pack"))


def spell(files: Mapping[str, bytes]) -> Iterator[bytes]:
    """A fast-import stream of one commit."""
    yield b"commit refs/heads/main\ncommitter b <b@localhost> 1700000000 +0000\ndata 5\nfirst\n"
    for path, data in files.items():
        yield b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data)


def main(sizes: tuple[int, ...]) -> None:
    """Measure and print."""
    started = time.perf_counter()
    print(f"bytes per commit, mean of {COMMITS}; {MEMBERS} members a type\n")
    print(f"{'':>32}  {'one body':^24} {'one signature':^24}")
    print(f"{'types':>7} {'what is committed':<24}" + f" {'loose':>12} {'packed':>11}" * 2)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        for count in sizes:
            measure_size(read(count, open_repository(Path(folder))))
    print(f"\n{time.perf_counter() - started:.0f} s")


def measure_size(reading: Reading) -> None:
    """The lines of one size."""
    chosen = choose_layout(len(reading.types))
    plain = Writer(reading, PLAIN, chosen)
    if chosen is not Layout.FLAT:
        measure(reading, "flat", plain.lay_flat())
    measure(reading, f"as chosen ({chosen})", plain)
    measure(reading, f"with hashes ({chosen})", Writer(reading, HASHED, chosen))


def measure(reading: Reading, name: str, writer: Writer) -> None:
    """One line of the table."""
    count = len(reading.types)
    numbers = random.Random(1).sample(range(count), COMMITS)  # noqa: S311 - any would do
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "store.git")
        store.load(writer.files)
        cells = []
        packed = store.repack()
        for kind in ("bodies", "signatures"):
            steps = (Source(number, bodies=1, signatures=int(kind == "signatures")) for number in numbers)
            loose = sum(store.commit(writer.change(read_one(step, count))) for step in steps)
            now = store.repack()
            cells += [loose / COMMITS, (now - packed) / COMMITS]
            packed = now
    print(
        f"{count:>7,}  {name:<24} {cells[0]:>16,.0f} {cells[1]:>9,.0f} {cells[2]:>21,.0f} {cells[3]:>9,.0f}", flush=True
    )


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
