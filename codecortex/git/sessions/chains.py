"""Chains of commits on refs of this work tree alone: each version's first parent is the one before it.

The first version follows the commit that the work tree stood on, so that history and merge bases are those of the work
tree; a chain ends there.

A version is there or not: objects are stored first, and the ref moves last, only from where the caller saw it.
"""

from __future__ import annotations

import os
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from codecortex.git.objects.drafts import CommitDraft, Signature
from codecortex.git.objects.opening import open_objects
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.git.repository import Repository

_FIRST_LOOK = 16
"""Number of commits that are looked at first for changes of one file."""

_WHO = ("codecortex", "codecortex@localhost")


class Link(NamedTuple):
    """One commit of a chain: its id, its tree, when it was made, and its message."""

    id: str
    tree: str
    time: int
    message: str


def list_chains(repository: Repository, prefix: str) -> dict[str, Link]:
    """The tip of each chain, by what its ref is called below the prefix, sorted."""
    fields = "%(refname)%00%(objectname)%00%(tree)%00%(committerdate:unix)%00%(contents)%00%00"
    output = repository.ask("list refs", "for-each-ref", f"--format={fields}", prefix)
    records = (record.removeprefix(b"\n").split(b"\0") for record in output.split(b"\0\0\n")[:-1])
    found = {os.fsdecode(name): Link(tip.decode(), tree.decode(), int(time), message.decode(errors="replace"))
             for name, tip, tree, time, message in records if tree}  # fmt: skip
    return {name.removeprefix(prefix): link for name, link in found.items()}


def read_chain(
    repository: Repository, tip: str, start: str | None, *, skip: int = 0, most: int | None = None
) -> list[Link]:
    """The commits of a chain, the newest first, without the commit that it started from.

    Args:
        repository: The repository.
        tip: The newest.
        start: The commit that the chain started from; None for none.
        skip: How many of the newest are left out.
        most: How many are told at most; None for all.
    """
    form = "--format=%H%n%T%n%ct%n%B"
    fixed = ("--no-show-signature", "--no-color", "--no-mailmap", "--encoding=UTF-8", "--no-notes", "-z")
    bounds = (f"--skip={skip}", *([f"--max-count={most}"] if most else []), tip, *([f"^{start}"] if start else []))
    output = repository.ask("read a chain", "log", "--first-parent", *fixed, form, *bounds, "--")
    return [_parse(record.decode(errors="replace")) for record in output.split(b"\0") if record]


def find_changes(repository: Repository, chain: Iterable[str], path: str, most: int) -> list[str]:
    """The newest commits of a chain that changed one file, the newest first; what the oldest one did is not looked at.

    Ever more commits are looked at until enough are found, and no more are read: git's own log compares all of them
    before it tells of one.

    Args:
        repository: The repository.
        chain: The ids of the commits, the newest first.
        path: The file's path, as `encode_path` writes it.
        most: How many are wanted.
    """
    objects = open_objects(repository)
    found: list[str] = []
    last: list[str] = []
    left, length = iter(chain), _FIRST_LOOK
    while len(found) < most and len(names := [*last, *islice(left, length)]) > 1:
        blobs = objects.find_blobs([(name, path) for name in names])
        found += [after for after, before in pairwise(names) if blobs.get((after, path)) != blobs.get((before, path))]
        length, last = length * 4, names[-1:]
    return found[:most]


def _parse(record: str) -> Link:
    name, tree, time, message = record.split("\n", 3)
    return Link(name, tree, int(time), message)


def write_link(repository: Repository, tree: str, before: str | None, message: str, time: int) -> str:
    """Store a commit that follows another one, and return its id; nobody's name is needed for it."""
    draft = CommitDraft(tree, (before,) if before is not None else (), message, Signature(*_WHO, time))
    return open_objects(repository).write_commit(draft)
