"""What a query found: one type, member or namespace to a hit, with how it was found."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from codecortex.model.code.catalog import MemberEntry, TypeEntry


class HitKind(StrEnum):
    """What kind of symbol a hit is."""

    TYPE = "type"
    MEMBER = "member"
    NAMESPACE = "namespace"


class Match(StrEnum):
    """The way a hit was found: by `resolve`, the surest first; those from `NAME` on by `search` alone."""

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
    """What was overlooked to find a hit, or what a reader must know of it."""

    AMBIGUOUS = "ambiguous"
    ARITY_INSENSITIVE = "arityInsensitive"
    IGNORE_CASE = "ignoreCase"
    PARTIAL = "partial"
    WILDCARD = "wildcard"
    FUZZY = "fuzzy"


class Hit(NamedTuple):
    """One symbol that a query means.

    Attributes:
        kind: What it is.
        name: As a reader writes it: `Ns.Outer<T>.Inner`, `Ns.Store.Find(string)`, `Ns.Core`.
        entry: The type, or the type that declares the member; None for a namespace.
        member: The member, or None.
        match: How it was found.
        flags: What was overlooked, sorted.
        score: Smaller is better; 0 is an exact answer.
        redirected_from: The old name that led here, or empty.
        words: Of a hit that holds some words of a sentence: which.
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
