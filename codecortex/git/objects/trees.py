"""Parses, walks, compares and rewrites tree objects as bytes; uses neither disk nor git.

A tree is read by a function from id to entries by name, so that whoever reads can keep what was read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.git.objects.values import LINK, SUBMODULE, TREE, Difference, Scope, TreeEntry
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_ENTRIES = {size: re.compile(rb"([0-7]+) ([^\0]+)\0(.{%d})" % size, re.DOTALL) for size in (20, 32)}
"""An entry of a tree, by how many bytes an id has."""
_KIND = 0o170000
_REGULAR = 0o100000


class Child(NamedTuple):
    """One entry of a tree."""

    mode: int
    id: str


Children = dict[bytes, Child]
_NOTHING = Child(0, "")


def parse_tree(data: bytes, size: int = 20) -> Children:
    """The entries of a tree, by name.

    Args:
        data: The bytes of the tree.
        size: How many bytes an id has.

    Raises:
        ValueError: The tree is damaged.
    """
    found = _ENTRIES[size].findall(data)
    if sum([len(mode) + len(name) + len(" \0") + size for mode, name, _ in found]) != len(data):
        raise ValueError("not the bytes of a tree")  # noqa: TRY003, EM101, RUF100 - never shown
    return {name: Child(_settle_mode(int(mode, 8)), raw.hex()) for mode, name, raw in found}


def format_tree(children: Mapping[bytes, Child]) -> bytes:
    """The bytes of a tree; git sorts a folder as if its name ended in a slash."""
    named = sorted((name + b"/" if child.mode == TREE else name, name, child) for name, child in children.items())
    return b"".join(b"%o %s\0%s" % (child.mode, name, bytes.fromhex(child.id)) for _, name, child in named)


def walk_tree(read: Callable[[str], Children], tree: str, prefix: bytes = b"") -> Iterator[TreeEntry]:
    """Yield the files, links and submodules of a tree, recursively, sorted by path."""
    for name, (mode, child) in read(tree).items():
        if mode == TREE:
            yield from walk_tree(read, child, prefix + name + b"/")
        else:
            yield TreeEntry(mode, child, prefix + name)


def find_entry(read: Callable[[str], Children], tree: str, path: bytes) -> Child | None:
    """The entry at a path of a tree; None if there is none."""
    child = Child(TREE, tree)
    for name in path.split(b"/"):
        found = read(child.id).get(name) if child.mode == TREE else None
        if found is None:
            return None
        child = found
    return child


def compare_trees(
    read: Callable[[str], Children], before: str | None, after: str | None, scope: Scope
) -> list[Difference]:
    """The differences between two trees, sorted by path; a moved file is a removed and an added one."""
    found = sorted(_compare(read, before, after, b""), key=lambda each: each.path)
    return [each for each in found if _is_in(scope, each)]


def _compare(
    read: Callable[[str], Children], before: str | None, after: str | None, prefix: bytes
) -> Iterator[Difference]:
    olds, news = (read(tree) if tree is not None else {} for tree in (before, after))
    for name in olds.keys() | news.keys():
        old, new = olds.get(name, _NOTHING), news.get(name, _NOTHING)
        if old == new:
            continue
        path = prefix + name
        if TREE in (old.mode, new.mode):
            yield from _compare(read, _folder(old), _folder(new), path + b"/")
        old, new = (_NOTHING if child.mode == TREE else child for child in (old, new))
        if old != new:
            yield _tell(path, old, new)


def _folder(child: Child) -> str | None:
    return child.id if child.mode == TREE else None


def _tell(path: bytes, old: Child, new: Child) -> Difference:
    if not old.id or not new.id:
        status = "D" if old.id else "A"
    else:
        status = "M" if old.mode & _KIND == new.mode & _KIND else "T"
    return Difference(status, path, path, old.id, new.id, old.mode, new.mode)


def pair_renames(differences: Sequence[Difference]) -> list[Difference] | None:
    """The same with exact renames paired; None if pairing needs git's own similarity detection.

    What went and came with the same bytes, once each, is a rename by anyone's rule. Which of several was meant, and
    how like two files are, git's own versions have answered differently: nobody else can give git's answer.
    """
    gone = [each for each in differences if each.status == "D"]
    come = [each for each in differences if each.status == "A"]
    if not gone or not come:
        return list(differences)
    sources = {each.old_id: each for each in gone}
    if len(sources) < len(gone) or len({each.new_id for each in come}) < len(come):
        return None
    pairs = {each.path: sources[each.new_id] for each in come if each.new_id in sources}
    if len(pairs) < min(len(gone), len(come)):
        return None
    if any(not _may_pair(pairs[new.path].old_mode, new.mode) for new in come if new.path in pairs):
        return None
    moved = {old.path for old in pairs.values()}
    kept = [each for each in differences if each.status != "D" or each.path not in moved]
    return [_tell_rename(each, pairs.get(each.path)) if each.status == "A" else each for each in kept]


def _tell_rename(new: Difference, old: Difference | None) -> Difference:
    if old is None:
        return new
    return new._replace(status="R", old_path=old.path, old_id=old.old_id, old_mode=old.old_mode)


def _may_pair(old: int, new: int) -> bool:
    return old == new or (old & _KIND == new & _KIND == _REGULAR)


def change_tree(
    read: Callable[[str], Children],
    write: Callable[[Children], str],
    base: str | None,
    changes: Mapping[bytes, tuple[int, str] | None],
) -> str | None:
    """Write the trees that differ from those of a base; the id of the topmost, None where it would hold nothing."""
    children = dict(read(base)) if base is not None else {}
    below: dict[bytes, dict[bytes, tuple[int, str] | None]] = {}
    for path, entry in changes.items():
        name, slash, rest = path.partition(b"/")
        if slash:
            below.setdefault(name, {})[rest] = entry
        elif entry is not None:
            children[name] = Child(*entry)
        elif name in children and children[name].mode != TREE:
            del children[name]
    for name, inner in below.items():
        old = children.get(name)
        if (old is None or old.mode != TREE) and all(entry is None for entry in inner.values()):
            continue  # nothing is there to be removed
        tree = change_tree(read, write, old.id if old is not None and old.mode == TREE else None, inner)
        if tree is None:
            children.pop(name, None)
        else:
            children[name] = Child(TREE, tree)
    return write(children) if children else None


def _is_in(scope: Scope, each: Difference) -> bool:
    if not scope.submodules and SUBMODULE in (each.old_mode, each.mode):
        return False
    if scope.suffix and each.path.lower().endswith(scope.suffix):
        return True
    if scope.paths:
        return any(each.path == path or each.path.startswith(path + b"/") for path in scope.paths)
    return not scope.suffix


def _settle_mode(mode: int) -> int:
    """A mode as git reads it: old versions wrote others."""
    kind = mode & _KIND
    if kind == _REGULAR:
        return 0o100755 if mode & 0o100 else 0o100644
    return kind if kind in (LINK, TREE) else SUBMODULE
