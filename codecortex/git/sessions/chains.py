"""Chains of commits on refs of this work tree alone: each version's first parent is the one before it.

The first version follows the commit that the work tree stood on, so that history and merge bases are those of the work
tree; a chain ends there.

A version is there or not: objects are stored first, and the ref moves last, only from where the caller saw it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.objects.drafts import CommitDraft, Signature
from codecortex.git.objects.opening import open_objects

if TYPE_CHECKING:
    from codecortex.git.repository import Repository

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


def read_chain(repository: Repository, tip: str, start: str | None) -> list[Link]:
    """The commits of a chain, the newest first, without the commit that it started from."""
    form = "--format=%H%n%T%n%ct%n%B"
    fixed = ("--no-show-signature", "--no-color", "--no-mailmap", "--encoding=UTF-8", "--no-notes", "-z")
    output = repository.ask(
        "read a chain", "log", "--first-parent", *fixed, form, tip, *([f"^{start}"] if start else []), "--"
    )
    return [_parse(record.decode(errors="replace")) for record in output.split(b"\0") if record]


def _parse(record: str) -> Link:
    name, tree, time, message = record.split("\n", 3)
    return Link(name, tree, int(time), message)


def write_link(repository: Repository, tree: str, before: str | None, message: str, time: int) -> str:
    """Store a commit that follows another one, and return its id; nobody's name is needed for it."""
    draft = CommitDraft(tree, (before,) if before is not None else (), message, Signature(*_WHO, time))
    return open_objects(repository).write_commit(draft)
