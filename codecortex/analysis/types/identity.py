"""Identity of types from facts: which types files declare, their TypeIds, and the simple names in FQNs and usings."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.analysis.types.assemble import Group, assign_ids, iter_owned
from codecortex.model.code.types import WORD
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.model.code.facts import FileFacts, Using
    from codecortex.model.code.types import CSharpType, TypeId

_SHORT = len("T_") + 8


class Declaration(NamedTuple):
    """The files that declare a type, and the path, accessibility and base list of each part."""

    files: set[str]
    heads: list[tuple[str, str, tuple[str, ...]]]


def describe_rows(facts: Mapping[tuple[str, str], FileFacts]) -> dict[Group, Declaration]:
    """The types that files declare; facts are keyed by project and path."""
    out: dict[Group, Declaration] = defaultdict(lambda: Declaration(set(), []))
    for (project, path), each in sorted(facts.items()):
        for declared, owner in iter_owned(each, project, path):
            declaration = out[Group(declared.fqn, declared.kind, project, owner)]
            declaration.files.add(path)
            declaration.heads.append((path, declared.accessibility, declared.bases))
    return dict(out)


@lru_cache(maxsize=65536)
def names_of(text: str) -> frozenset[str]:
    """The simple names in an FQN or in a name to look up; for an attribute with and without `Attribute`."""
    names = set(WORD.findall(text.replace("`", " `")))
    if text.startswith("@"):
        names |= {name + "Attribute" for name in names}
    return frozenset(names)


def list_directed(merged: CSharpType) -> set[str]:
    """The simple names in those using directives whose meaning depends on the types of the tree.

    These are directives in a namespace, and alias and static ones.
    """
    return {
        name
        for part in merged.parts
        for scope in part.scopes
        for using in scope.usings
        if using.alias or using.static or scope.namespace
        for name in names_of(using.target)
    }


def pack_usings(usings: Iterable[Using]) -> tuple[tuple[str, str, bool], ...]:
    """Using directives as plain tuples: target, alias, static."""
    return tuple((using.target, using.alias, using.static) for using in usings)


def reassign_ids(ids: Mapping[Group, str], renewed: Iterable[Group]) -> dict[Group, TypeId]:
    """The TypeIds, as in a full refresh, of those types whose id may differ from what it was.

    Args:
        ids: Every type with the id that it had, whatever new ones have.
        renewed: Types that were added or removed.
    """
    named = {(identity.fqn, identity.kind) for identity in renewed}
    concerned = [identity for identity in ids if (identity.fqn, identity.kind) in named]
    found = assign_ids(concerned)
    others = {type_id for identity, type_id in ids.items() if (identity.fqn, identity.kind) not in named}
    short = {type_id[:_SHORT] for type_id in found.values()}
    if any(len(type_id) > _SHORT or type_id in short for type_id in others):
        return assign_ids(ids)
    return found
