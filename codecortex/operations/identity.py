"""Facts of files in; which types they declare and the simple names that tell one from another out."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.assemble import assign_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from codecortex.model.facts import FileFacts, Using
    from codecortex.operations.snapshot import Row

_WORD = re.compile(r"[^\W\d]\w*")


class Identity(NamedTuple):
    """What makes a type itself."""

    fqn: str
    kind: str
    project: str
    owner: str


class Declaration(NamedTuple):
    """Where a type is declared, and its base lists, in a set of files."""

    files: set[str]
    bases: list[tuple[str, tuple[str, ...]]]


def describe_rows(facts: Mapping[tuple[str, str], FileFacts]) -> dict[Identity, Declaration]:
    """The types that files declare; facts are keyed by project and path."""
    out: dict[Identity, Declaration] = defaultdict(lambda: Declaration(set(), []))
    for (project, path), each in sorted(facts.items()):
        for declared in each.types:
            owner = path if declared.accessibility == "file" else project
            declaration = out[Identity(declared.fqn, declared.kind, project, owner)]
            declaration.files.add(path)
            declaration.bases.append((path, declared.bases))
    return dict(out)


@lru_cache(maxsize=65536)
def names_of(text: str) -> frozenset[str]:
    """The simple names in a metadata or looked-up name; an attribute's with and without its ending."""
    names = {word for word in _WORD.findall(text.replace("`", " `"))}
    if text.startswith("@"):
        names |= {name + "Attribute" for name in names}
    return frozenset(names)


def pack_usings(usings: Iterable[Using], *, everywhere: bool) -> Iterator[tuple[str, str, bool]]:
    """Using directives as plain tuples: the global ones, or the others."""
    return ((u.target, u.alias, u.static) for u in usings if u.everywhere == everywhere)


def assign_row_ids(identities: Mapping[Identity, Row]) -> tuple[Row, ...]:
    """The rows with the ids that a full refresh gives them, sorted."""
    ids = assign_ids(identities)  # type: ignore[type-var, arg-type] - an identity has a group's fields
    return tuple(sorted(row._replace(id=ids[identity]) for identity, row in identities.items()))  # type: ignore[index]
