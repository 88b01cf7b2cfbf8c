"""The backend of git's own processes, which works for every repository format."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.git.objects.values import (
    EVERYWHERE,
    Difference,
    Scope,
    TreeEntry,
    TreeListing,
)
from codecortex.git.paths import decode_path
from codecortex.git.process import Call
from codecortex.git.worktree.records import OUTLINE, drop_outlines
from codecortex.model.errors import GitStateError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.git.objects.drafts import CommitDraft
    from codecortex.git.repository import Repository
    from codecortex.git.worktree.disk import Problem

FIND_RENAMES = ("-M", "-l2000")  # said here, so that a user's diff.renameLimit does not decide what is found
SAME_BYTES = ("-M100%",)
_PLAIN = ("--no-renames", "--ignore-submodules=none")
_LARGE = 1 << 18
_HEXADECIMAL = frozenset("0123456789abcdef")


class Plumbing:
    """The git backend of `interface.Objects`."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    @property
    def in_process(self) -> bool:
        """False: every question starts a process."""
        return False

    # -- reading

    def find(self, name: str) -> str | None:
        """The id that a name resolves to."""
        return self.find_all((name,))[0]

    def find_all(self, names: Sequence[str]) -> list[str | None]:
        """The ids that names resolve to; git takes an id for itself, whether or not it has the object."""
        length = self._repository.id_length
        asked = [name for name in names if len(name) != length or not _HEXADECIMAL.issuperset(name)]
        answers = self._repository.ask_all(*map(_name_call, asked)) if asked else []
        found = {name: answer.decode().strip() or None for name, answer in zip(asked, answers, strict=True)}
        return [found.get(name, name) for name in names]

    def find_merge_base(self, one: str, other: str) -> str | None:
        """The best common ancestor of two commits."""
        call = Call("find a merge base", ("merge-base", one, other), accept=(0, 1))
        return self._repository.ask_all(call)[0].decode().strip() or None

    def find_blobs(self, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """The blob at each (tree-ish, path)."""
        asked = [(tree, path) for tree, path in dict.fromkeys(wanted) if b"\n" not in decode_path(path)]
        lines = b"".join(tree.encode() + b":" + decode_path(path) + b"\n" for tree, path in asked)
        format_ = "--batch-check=%(objecttype) %(objectname)"
        answer = self._repository.ask("look up files", "cat-file", format_, stdin=lines)
        found = zip(asked, answer.splitlines(), strict=True)
        return {key: line[5:].decode() for key, line in found if line.startswith(b"blob ")}

    def read_blobs(self, blobs: Sequence[str]) -> Iterator[tuple[int, bytes | Problem]]:
        """The bytes of blobs."""
        from codecortex.git.objects.pipe import stream_blobs

        return stream_blobs(self._repository, blobs)

    def list_tree(self, treeish: str, suffixes: tuple[bytes, ...] = (b"",), *, called: str = "") -> TreeListing:
        """The files of a tree."""
        tree, commit = self._repository.ask_all(*call_for_tree(treeish, called))
        tree = tree if OUTLINE.endswith(suffixes) else drop_outlines(tree)
        return TreeListing(list(parse_tree(tree, suffixes)), commit.decode().strip() or None)

    def diff_trees(
        self, before: str | None, after: str, scope: Scope = EVERYWHERE, *, renames: bool = True
    ) -> list[Difference]:
        """The differences between two trees."""
        head: tuple[str, ...] = ("diff-tree", "-r", "--raw", "--no-abbrev", "--no-commit-id", "-z", "--no-ext-diff")
        ends = (*(("--root",) if before is None else (before,)), after, "--", *write_pathspecs(scope))
        if not renames:
            output = self._repository.ask("compare two trees", *head, *_PLAIN, *ends)
            return list(_parse_differences(output))
        head += () if scope.submodules else ("--ignore-submodules=all",)
        try:
            output = self._repository.ask("compare two trees", *head, *FIND_RENAMES, *ends)
        except GitStateError:  # a partial clone lacks the bytes that tell what resembles what
            output = self._repository.ask("compare two trees", *head, *SAME_BYTES, *ends)
        return list(_parse_differences(output))

    def list_refs(self, prefix: str) -> dict[str, str]:
        """Full ref name to object id."""
        output = self._repository.ask("list refs", "for-each-ref", "--format=%(objectname) %(refname)", prefix)
        lines = os.fsdecode(output).splitlines()
        return {name: target for target, _, name in (line.partition(" ") for line in lines)}

    # -- writing

    def write_blob(self, data: bytes) -> str:
        """Store bytes; many of them from a file, as a pipe takes them in small pieces."""
        if len(data) < _LARGE:
            return self._store("blob", data)
        from codecortex.git.worktree.folders import make_scratch

        with make_scratch() as folder:
            file = os.path.join(folder, "blob")  # noqa: PTH118 - as below
            with open(file, "wb") as opened:  # noqa: PTH123 - pathlib costs a short process more than this saves
                opened.write(data)
            arguments = ("hash-object", "-t", "blob", "-w", "--no-filters", "--", file)
            return self._repository.ask("store a blob", *arguments).decode().strip()

    def write_commit(self, draft: CommitDraft) -> str:
        """Store a commit."""
        from codecortex.git.objects.drafts import format_commit

        return self._store("commit", format_commit(draft))

    def write_tree(self, base: str | None, changes: Mapping[bytes, tuple[int, str] | None]) -> str:
        """Store a tree that differs from a base tree."""
        from codecortex.git.objects.drafts import require_paths
        from codecortex.git.objects.tree_writing import write_changed_tree

        require_paths(changes)
        return write_changed_tree(self._repository, base, changes)

    def move_ref(self, name: str, new: str, old: str | None) -> bool:
        """Point a ref to an object."""
        expected = old or "0" * len(new)
        return self._change_ref(name, old, "update-ref", "--no-deref", name, new, expected)

    def drop_ref(self, name: str, old: str) -> bool:
        """Remove a ref."""
        return self._change_ref(name, old, "update-ref", "--no-deref", "-d", name, old)

    def _change_ref(self, name: str, old: str | None, *arguments: str) -> bool:
        try:
            self._repository.ask(f"move {name}", *arguments)
        except GitStateError:
            if self.list_refs(name).get(name) == old:
                raise  # it stands where it should: something else is wrong
            return False
        return True

    def _store(self, kind: str, data: bytes) -> str:
        arguments = ("hash-object", "-t", kind, "-w", "--stdin")
        return self._repository.ask(f"store a {kind}", *arguments, stdin=data).decode().strip()


def call_for_tree(treeish: str, called: str) -> tuple[Call, Call]:
    """What git is asked for the files of a tree, and for its commit."""
    purpose = f"list the files of revision {called or treeish!r}"
    return Call(purpose, ("ls-tree", "-r", "-z", "--full-tree", treeish)), _name_call(f"{treeish}^{{commit}}")


def _name_call(name: str) -> Call:
    return Call("resolve a revision", ("rev-parse", "--verify", "--quiet", name), accept=(0, 1, 128))


def write_pathspecs(scope: Scope) -> Iterator[str]:
    """A scope as pathspecs."""
    for path in scope.paths:
        yield ":(top,literal)" + path.decode(errors="surrogateescape")
    if scope.suffix:
        yield ":(top,icase)*" + scope.suffix.decode()


def parse_tree(output: bytes, suffixes: tuple[bytes, ...]) -> Iterator[TreeEntry]:
    """The files of a tree whose names end so, in any case, and its submodules."""
    for record in output.split(b"\0")[:-1]:
        if record.lower().endswith(suffixes) or record.startswith(b"160000 "):
            facts, path = record.split(b"\t", 1)
            mode, _kind, blob = facts.decode().split(" ")
            yield TreeEntry(int(mode, 8), blob, path)


def _parse_differences(output: bytes) -> Iterator[Difference]:
    """Records of `--raw -z`: `:modes ids status`, then one path, or two of a rename."""
    fields = iter(output.split(b"\0")[:-1])
    for facts in fields:
        old_mode, mode, *ids, status = facts.decode()[1:].split(" ")
        old_id, new_id = ("" if not each.strip("0") else each for each in ids)
        old_path = next(fields)
        path = next(fields) if status.startswith(("R", "C")) else old_path
        yield Difference(status[:1], old_path, path, old_id, new_id, int(old_mode, 8), int(mode, 8))
