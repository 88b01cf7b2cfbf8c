"""Renames that codecortex finds in the commits of a case file, for `oracles/judge.py rename CASE PAIRS.json`.

    python benchmarks/judge_renames.py REPOSITORY CASE.json > PAIRS.json

Reads both trees of every commit that the case names and of its first parent; `{commit: [[old FQN, new FQN], ...]}` goes
to stdout, what was taken and doubted to stderr.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.analysis.changes.renames import Renames, detect_renames
from codecortex.git.repository import Repository, open_repository
from codecortex.operations.reading.tree import open_tree, read_projects, read_tree
from codecortex.operations.request import Request
from codecortex.store.cache.cache import Cache, open_cache

if TYPE_CHECKING:
    from codecortex.model.code.types import CSharpType


def read_types(repository: Repository, rev: str, cache: Cache) -> dict[str, CSharpType]:
    """Every type of a commit, by id."""
    tree = open_tree(Request(repository.folder, rev=rev), repository)
    return {merged.id: merged for merged in read_tree(tree, read_projects(tree, cache), cache).types}


def list_lineage(repository: Repository, before: str, after: str) -> dict[str, frozenset[str]]:
    """Each path that git calls renamed, with itself and its ancestor."""
    told = repository.ask(
        "compare", "diff", "--name-status", "-z", "-M", "-l0", "--diff-filter=R", before, after, "--", "*.cs"
    )
    fields = iter(told.decode().split("\0"))
    return {new: frozenset({old, new}) for status, old, new in zip(fields, fields, fields, strict=False) if status}


def find_renames(repository: Repository, commit: str, cache: Cache) -> Renames:
    """What one commit renamed."""
    before, after = read_types(repository, f"{commit}^", cache), read_types(repository, commit, cache)
    vanished = [merged for key, merged in before.items() if key not in after]
    appeared = [merged for key, merged in after.items() if key not in before]
    lineage = list_lineage(repository, f"{commit}^", commit)
    started = time.perf_counter()
    found = detect_renames(vanished, appeared, lineage)
    took = time.perf_counter() - started
    print(f"{commit[:9]}: {len(vanished)} gone, {len(appeared)} new: {len(found.aliases)} renamed, "
          f"{len(found.doubts)} doubted, {took:.2f} s", file=sys.stderr)  # fmt: skip
    for alias in found.aliases:
        print(f"    {alias.reason:14} {alias.score:.2f} {alias.old_fqn} -> {alias.new_fqn}", file=sys.stderr)
    for doubt in found.doubts:
        names = ", ".join(f"{each.new_fqn} {each.score:.2f}" for each in doubt.candidates)
        print(f"    doubt: {doubt.old_fqn}: {doubt.why}: {names}", file=sys.stderr)
    return found


def main(folder: str, case: str) -> None:
    """Judge every commit of one case file."""
    told = json.loads(Path(case).read_text())
    commits = sorted({each["commit"] for name in ("renames", "decoys", "ambiguous") for each in told[name]})
    repository = open_repository(Path(folder))
    pairs = {}
    with open_cache(repository.common_dir / "codecortex", warn=print) as cache:
        for commit in commits:
            found = find_renames(repository, commit, cache)
            pairs[commit] = [[alias.old_fqn, alias.new_fqn] for alias in found.aliases]
    print(json.dumps(pairs))


if __name__ == "__main__":
    main(*sys.argv[1:])
