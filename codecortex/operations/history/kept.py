"""Comparisons of commits in the local cache: what lies in git differs the same way for ever."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from codecortex import __version__
from codecortex.git.revisions import find_objects
from codecortex.model.code.aliases import Alias, AliasDoubt, AliasReason
from codecortex.model.code.changes import (
    AssemblyChange,
    Cause,
    ChangeClass,
    Comparison,
    MemberChange,
    MemberChanges,
    Reason,
    Status,
    TypeChange,
)
from codecortex.model.versions import HASH_VERSION, PARSER_VERSION
from codecortex.operations.reading.tree import PROJECTS_VERSION
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

_VERSION = "comparison 1"
"""Raised when the same two trees are to be compared by other rules."""


def name_comparison(request: Request, repository: Repository, before: str, after: str) -> bytes | None:
    """The key of a comparison of two commits or trees; None if one of them is not there.

    The settings lie in the later tree, and what a command says besides is part of the key.
    """
    trees = find_objects(repository, [f"{each}^{{tree}}" for each in (before, after)])
    if None in trees:
        return None
    versions = (_VERSION, __version__, PARSER_VERSION, HASH_VERSION, PROJECTS_VERSION)
    flavour = (request.tfm, request.configuration, request.define)
    return sha256(repr((versions, trees, flavour)).encode("utf-8", "surrogatepass")).digest()


def load_comparison(cache: Cache, key: bytes) -> Comparison | None:
    """What was kept under a key."""
    return load_row(cache.get_many([key]).get(key), _read)


def keep_comparison(cache: Cache, key: bytes, found: Comparison) -> None:
    """Keep a comparison, unless something could not be read: it is tried again, and told of again."""
    if not found.unread:
        cache.put_many([(key, pack_row(_simplify(found)))])


def _simplify(value: Any) -> Any:
    """Plain values."""
    if isinstance(value, tuple):
        return tuple(map(_simplify, value))
    return str(value) if isinstance(value, str) else value


def _read(row: tuple[Any, ...]) -> Comparison:
    changes, aliases, doubts, unread, assemblies = row
    return Comparison(
        tuple(map(_read_change, changes)),
        tuple(map(_read_alias, aliases)),
        tuple(AliasDoubt(old_id, fqn, tuple(map(_read_alias, each)), why) for old_id, fqn, each, why in doubts),
        unread,
        tuple(AssemblyChange(*each) for each in assemblies),
    )


def _read_change(row: tuple[Any, ...]) -> TypeChange:
    change = TypeChange(*row)
    return change._replace(
        status=Status(change.status),
        change_class=ChangeClass(change.change_class),
        causes=tuple(Cause(type_id, fqn, Status(status)) for type_id, fqn, status in change.causes),
        reasons=tuple(map(Reason, change.reasons)),
        members=MemberChanges(*(tuple(MemberChange(*each) for each in every) for every in change.members)),
        own_class=ChangeClass(change.own_class) if change.own_class is not None else None,
    )


def _read_alias(row: tuple[Any, ...]) -> Alias:
    alias = Alias(*row)
    return alias._replace(reason=AliasReason(alias.reason))
