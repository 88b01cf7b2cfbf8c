"""The results of a query: one hit per type, member or namespace, with how it was found."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.model.code.catalog import MemberEntry, TypeEntry


class HitKind(StrEnum):
    """The kind of symbol of a hit."""

    TYPE = "type"
    MEMBER = "member"
    NAMESPACE = "namespace"


class Match(StrEnum):
    """How a hit was found by `resolve`, the most certain way first; those from `NAME` on only by `search`."""

    ID = "id"
    EXACT = "exact"
    EXACT_IGNORE_CASE = "exactIgnoreCase"
    GENERIC_BASE = "genericBase"
    SUFFIX = "suffix"
    CHILD = "child"
    WILDCARD = "wildcard"
    FUZZY = "fuzzy"
    NAME = "name"
    PREFIX = "prefix"
    INITIALS = "initials"
    CONTAINS = "contains"
    PATH = "path"
    DOC = "doc"
    WORDS = "words"


class Flag(StrEnum):
    """What was ignored to find a hit, or what a reader must know about it."""

    AMBIGUOUS = "ambiguous"
    ARITY_INSENSITIVE = "arityInsensitive"
    IGNORE_CASE = "ignoreCase"
    PARTIAL = "partial"
    WILDCARD = "wildcard"
    FUZZY = "fuzzy"


class Hit(NamedTuple):
    """One symbol that matches a query.

    Attributes:
        kind: See `HitKind`.
        name: Its name in C# syntax: `Ns.Outer<T>.Inner`, `Ns.Store.Find(string)`, `Ns.Core`.
        entry: The type, or the type that declares the member; None for a namespace.
        member: The member, or None.
        match: How it was found.
        flags: What was ignored to find it, sorted.
        score: Lower is better; 0 is an exact match.
        redirected_from: The old name that led to this symbol, or empty.
        words: For a hit that matches some words of a sentence, these words.
    """

    kind: HitKind
    name: str
    entry: TypeEntry | None
    member: MemberEntry | None
    match: Match
    flags: tuple[Flag, ...]
    score: int
    redirected_from: str = ""
    words: tuple[str, ...] = ()
