"""How often committed outlines and the index conflict where the sources of two pull requests merge cleanly.

python benchmarks/merges.py ~/src/Polly [number of pairs]

Pairs are the repository's own: its merge commits, and its commits as pull requests on a main branch that moves on, that
is, each rebased 1, 5 or 20 first-parent commits back (only if it applies) and merged into its own parent. On both sides
C# files differ, and under the repository's own attributes git merges all sources without a conflict. Base, ours and
theirs get the caches that codecortex writes for them; then git merges once more, without further attributes and with
those of `codecortex init`. A side that renames types has an alias table, which the base has not: the worst case. What
that table says depends on history, so it counts among conflicts, but not where a merge is compared with what a refresh
of the merged sources writes.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pygit2

from codecortex.git.repository import open_repository
from codecortex.git.worktree.disk import hash_blob
from codecortex.operations.history.compare import compare
from codecortex.operations.reading.tree import open_tree
from codecortex.operations.refresh.plan import GeneratedFiles, plan_refresh
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache
from codecortex.store.committed.aliases_json import encode_aliases
from codecortex.store.paths import ALIASES, FOLDER, INDEX
from codecortex.store.template import template_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.operations.reading.snapshot import Snapshot
    from codecortex.store.cache.cache import Cache

PAIRS, SEED = 200, 3
DISTANCES = (1, 5, 20)
AUTHOR = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "core.autocrlf=false")


class Pair(NamedTuple):
    """The trees of two parallel changes: where they part, the two sides, and the sources merged."""

    kind: str
    base: str
    ours: str
    theirs: str
    merged: str


class Merged(NamedTuple):
    """What git made of two sides: the tree, and the paths that conflict in it."""

    tree: str
    conflicts: tuple[str, ...]


class Scratch:
    """A clone that shares the objects of the real repository and takes those of the benchmark."""

    def __init__(self, repository: Path, folder: Path) -> None:
        self.root = folder / "scratch"
        clone = ["git", "clone", "-q", "--shared", "--no-checkout", "-c", "core.autocrlf=false", repository, self.root]
        subprocess.run(clone, check=True)
        (self.root / ".git" / "info" / "attributes").write_text(
            "* -text -eol\n"
        )  # bytes as they are, whatever they say
        self.objects = pygit2.Repository(str(self.root))
        # git takes from the work tree what may be merged at all: a source that is `binary` conflicts by itself.
        self.git("read-tree", "HEAD")
        self.git("checkout-index", "-q", "--", *self.git("ls-files", "--", ":(glob)**/.gitattributes").splitlines())

    def git(self, *arguments: str, accept: tuple[int, ...] = (0,)) -> str:
        """What git says."""
        done = subprocess.run(["git", *AUTHOR, *arguments], cwd=self.root, capture_output=True, check=False)
        if done.returncode not in accept:
            sys.exit(f"git {' '.join(arguments)}: {done.stderr.decode()}")
        return done.stdout.decode()

    def commit(self, tree: str, *parents: str) -> str:
        """A commit of a tree."""
        signature = pygit2.Signature("bench", "bench@localhost", 0, 0)
        return str(self.objects.create_commit(None, signature, signature, "x", tree, list(parents)))

    def merge(self, base: str, ours: str, theirs: str) -> Merged:
        """The three-way merge of three trees; attributes are those that stand in the work tree."""
        fork = self.commit(base)
        sides = [self.commit(tree, fork) for tree in (ours, theirs)]
        told = self.git("merge-tree", "--write-tree", "--name-only", "-z", "--no-messages", *sides, accept=(0, 1))
        tree, *paths = told.split("\0")[:-1]
        return Merged(tree, tuple(dict.fromkeys(path for path in paths if path)))

    def differ(self, one: str, other: str) -> bool:
        """Whether C# files differ."""
        return bool(self.git("diff-tree", "-r", "--name-only", one, other, "--", "*.cs"))

    def tree_of(self, revision: str) -> str:
        """The tree of a commit."""
        return self.git("rev-parse", f"{revision}^{{tree}}").strip()


def list_merges(scratch: Scratch) -> Iterator[Pair]:
    """The repository's own merges of two sides."""
    for line in scratch.git("rev-list", "--merges", "--parents", "HEAD").splitlines():
        _, ours, theirs, *more = line.split()
        base = scratch.git("merge-base", ours, theirs, accept=(0, 1)).strip()
        if base not in ("", ours, theirs) and not more:
            trees = [scratch.tree_of(each) for each in (base, ours, theirs)]
            yield from check_pair(scratch, "merge commits", *trees)


def list_rebased(scratch: Scratch, distance: int) -> Iterator[Pair]:
    """Commits as pull requests on a main branch that has moved on, in a random order that is the same each time."""
    line = scratch.git("log", "--first-parent", "-m", "--name-only", "--format=%x00%H %T", "HEAD").split("\0")[1:]
    heads = [(entry.split("\n", 1)[0].split(), ".cs\n" in entry) for entry in line]
    order = [number for number in range(len(heads) - distance - 1) if heads[number][1]]
    random.Random(SEED).shuffle(order)  # noqa: S311 - a sample
    for number in order:
        commit, main, base = (heads[number + step][0][1] for step in (0, 1, distance + 1))
        if scratch.differ(base, main):
            applied = scratch.merge(main, base, commit)
            if not applied.conflicts:
                yield from check_pair(scratch, f"{distance} commits behind", base, main, applied.tree)


def check_pair(scratch: Scratch, kind: str, base: str, ours: str, theirs: str) -> Iterator[Pair]:
    """A pair, if both sides touch C# files and all sources merge."""
    if scratch.differ(base, ours) and scratch.differ(base, theirs):
        merged = scratch.merge(base, ours, theirs)
        if not merged.conflicts:
            yield Pair(kind, base, ours, theirs, merged.tree)


def choose_pairs(scratch: Scratch, number: int) -> list[Pair]:
    """All real merges, then as many of each distance."""
    pairs = list(dict.fromkeys(list_merges(scratch)))[:number]
    for rest, distance in zip((3, 2, 1), DISTANCES, strict=True):
        wanted = len(pairs) + (number - len(pairs)) // rest
        found = list_rebased(scratch, distance)
        while len(pairs) < wanted and (pair := next(found, None)) is not None:
            pairs.append(pair)
    return pairs


class Renderer:
    """Trees in, the same trees with what codecortex commits about them out."""

    def __init__(self, scratch: Scratch, cache: Cache) -> None:
        self._scratch = scratch
        self._cache = cache
        self._last: Snapshot | None = None
        self._done: dict[str, str] = {}
        self._files: dict[str, frozenset[str]] = {}
        self._bytes: dict[str, bytes] = {}

    def render(self, tree: str) -> str:
        """The tree with its caches, without attributes."""
        if tree not in self._done:
            repository = open_repository(self._scratch.root)
            reading = open_tree(Request(self._scratch.root, rev=tree, jobs=2), repository)
            before = self._last and self._last._replace(stamps=self._last.blobs)
            blobs: Mapping[str, str] = before.blobs if before else {}
            held = GeneratedFiles(blobs, lambda path: self._bytes.get(blobs.get(path, "")))
            plan = plan_refresh(reading, before, held, self._cache)
            for data in plan.writes.values():
                self._bytes[hash_blob(data, "sha1")] = data
                self._scratch.objects.create_blob(data)
            self._last = plan.snapshot
            self._files[tree] = frozenset(plan.snapshot.blobs)
            self._done[tree] = put_files(self._scratch.objects, tree, plan.snapshot.blobs)
        return self._done[tree]

    def render_side(self, base: str, side: str) -> str:
        """The same for one side of a merge, with the aliases of what it renamed."""
        rendered, before = self.render(side), self._files[base]
        if not (before - self._files[side] and self._files[side] - before):
            return rendered
        repository = open_repository(self._scratch.root)
        trees = [open_tree(Request(self._scratch.root, rev=tree, jobs=2), repository) for tree in (base, side)]
        aliases = compare(*trees, self._cache).aliases
        if not aliases:
            return rendered
        blob = str(self._scratch.objects.create_blob(encode_aliases(aliases)))
        return put_files(self._scratch.objects, rendered, {ALIASES: blob})


def drop_aliases(objects: pygit2.Repository, tree: str) -> str:
    """A tree without the alias table."""
    top, inside = objects.TreeBuilder(objects[tree]), objects.TreeBuilder(objects[tree][FOLDER])
    name = ALIASES.rpartition("/")[2]
    if inside.get(name) is None:
        return tree
    inside.remove(name)
    top.insert(FOLDER, inside.write(), pygit2.GIT_FILEMODE_TREE)
    return str(top.write())


def put_files(objects: pygit2.Repository, tree: str, blobs: Mapping[str, str]) -> str:
    """A tree with these files added, path to blob id."""
    folders: dict[str, dict[str, str]] = {}
    for path, blob in blobs.items():
        top, _, rest = path.partition("/")
        folders.setdefault(top if rest else "", {})[rest or top] = blob
    builder = objects.TreeBuilder(objects[tree]) if tree else objects.TreeBuilder()
    for name, files in folders.items():
        if name:
            inside = builder.get(name)
            builder.insert(name, put_files(objects, str(inside.id) if inside else "", files), pygit2.GIT_FILEMODE_TREE)
    for name, blob in folders.get("", {}).items():
        builder.insert(name, blob, pygit2.GIT_FILEMODE_BLOB)
    return str(builder.write())


def refresh_after(scratch: Scratch, result: Merged, fresh: str) -> bool:
    """Whether a refresh, run on what the merge left in the work tree, makes it equal to a fresh one."""
    scratch.git("read-tree", "--reset", "-u", result.tree)
    refresh(Request(scratch.root, jobs=2))
    scratch.git("add", "--all", "--", FOLDER)
    return drop_aliases(scratch.objects, scratch.git("write-tree").strip()) == fresh


def merge_really(scratch: Scratch, base: str, ours: str, theirs: str) -> Merged:
    """What `git merge` itself leaves in a work tree."""
    fork = scratch.commit(base)
    first, second = (scratch.commit(tree, fork) for tree in (ours, theirs))
    scratch.git("checkout", "-q", "-f", "--detach", first)
    scratch.git("merge", "-q", "--no-edit", second, accept=(0, 1))
    names = tuple(scratch.git("diff", "--name-only", "--diff-filter=U", "-z").split("\0")[:-1])
    scratch.git("add", "--all")
    return Merged(scratch.git("write-tree").strip(), names)


def measure(scratch: Scratch, renderer: Renderer, pairs: list[Pair]) -> None:
    """Merge every pair in both ways and print what came of it."""
    template = {f"{FOLDER}/{name}": data for name, data in template_files().items() if name == ".gitattributes"}
    attributes = {path: str(scratch.objects.create_blob(data)) for path, data in template.items()}
    rendered = [render_pair(renderer, pair) for pair in pairs]
    kinds = list(dict.fromkeys(pair.kind for pair in pairs))
    for title, extra in (("plain git, no attributes", {}), ("with .codecortex/.gitattributes", attributes)):
        counts: Counter[tuple[str, str]] = Counter()
        conflicts, differing = Counter[str](), Counter[str]()
        scratch.git("read-tree", "--reset", "-u", put_files(scratch.objects, pairs[0].base, extra))
        results = []
        for pair in rendered:
            base, ours, theirs, fresh = (put_files(scratch.objects, tree, extra) for tree in pair[1:])
            results.append((pair.kind, (base, ours, theirs), scratch.merge(base, ours, theirs), fresh))
        for number, (kind, trees, result, fresh) in enumerate(results):
            exact = drop_aliases(scratch.objects, result.tree) == fresh
            really = result if exact and number % 10 else merge_really(scratch, *trees)
            same = drop_aliases(scratch.objects, really.tree)
            if same != fresh:
                names = scratch.git("diff-tree", "-r", "--name-only", "-z", same, fresh).split("\0")[:-1]
                differing.update({kind_of(path): 1 for path in names})
            if same != fresh or number % 10 == 0:
                counts[kind, "refreshed"] += 1
                counts[kind, "equal after refresh"] += refresh_after(scratch, really, fresh)
            counts[kind, "pairs"] += 1
            counts[kind, "conflicts"] += bool(really.conflicts)
            counts[kind, "exact"] += same == fresh
            counts[kind, "as merge-tree"] += set(really.conflicts) == set(result.conflicts)
            conflicts.update(map(kind_of, really.conflicts))
        show(title, kinds, counts)
        print(f"  files in conflict: {tell(conflicts)}; pairs whose files a refresh changes: {tell(differing)}\n")


def render_pair(renderer: Renderer, pair: Pair) -> Pair:
    """The trees of a pair with their caches."""
    base = renderer.render(pair.base)
    ours, theirs = (renderer.render_side(pair.base, side) for side in (pair.ours, pair.theirs))
    return Pair(pair.kind, base, ours, theirs, renderer.render(pair.merged))


def kind_of(path: str) -> str:
    """What a file is."""
    if not path.startswith(f"{FOLDER}/"):
        return "sources"
    return {INDEX: "index", ALIASES: "aliases"}.get(path, "outlines")


def tell(counter: Counter[str]) -> str:
    """Counts, for people."""
    return ", ".join(f"{name} {number}" for name, number in sorted(counter.items())) or "none"


def show(title: str, kinds: list[str], counts: Counter[tuple[str, str]]) -> None:
    """One table."""
    print(f"{title:<36}{'pairs':>7}{'conflicts':>14}{'exact':>14}{'exact after refresh':>22}")
    for kind in (*kinds, "all"):
        rows = kinds if kind == "all" else [kind]
        total, conflicts, exact, tried, equal = (
            sum(counts[row, what] for row in rows)
            for what in ("pairs", "conflicts", "exact", "refreshed", "equal after refresh")
        )
        shares = f"{conflicts:>6}{conflicts / total:>8.1%}{exact:>6}{exact / total:>8.1%}"
        print(f"  {kind:<34}{total:>7}{shares}{f'{equal} of {tried} tried':>22}")
    same = sum(counts[row, "as merge-tree"] for row in kinds)
    print(f"  git merge and git merge-tree agree on what conflicts in {same}")


def main(repository: Path, number: int) -> None:
    """Choose, render, merge, print."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Scratch(repository, Path(folder))
        pairs = choose_pairs(scratch, number)
        print(f"{repository.name}: {len(pairs)} pairs chosen in {time.monotonic() - started:.0f} s")
        with open_cache(scratch.root / ".git" / "codecortex", warn=print) as cache:
            measure(scratch, Renderer(scratch, cache), pairs)
    print(f"{time.monotonic() - started:.0f} s in all")


if __name__ == "__main__":
    source, *rest = sys.argv[1:]
    main(Path(source).expanduser().resolve(), int(rest[0]) if rest else PAIRS)
