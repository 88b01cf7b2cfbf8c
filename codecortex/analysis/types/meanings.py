"""What names in declarations mean: the FQN of a type of the repository or of the framework.

Names are looked up as `references` looks them up, but without what base types bring along: so an answer depends only
on which types exist, on project references and on using directives, not on the declarations of other types.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from codecortex.analysis.types.framework import find_in_framework, is_framework_type
from codecortex.analysis.types.references import Resolver
from codecortex.model.code.types import WORD, cut_own_name
from codecortex.model.cognition.records import ABSENT, digest_text
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from codecortex.analysis.types.symbol_table import SymbolTable
    from codecortex.analysis.types.views import Level, NameContext, View
    from codecortex.model.code.facts import Using
    from codecortex.model.code.types import CSharpType

_MOST_ARITY = 16


class Meaning(NamedTuple):
    """The type that a dotted name means, and how many of its segments name it; the others are members.

    Of a type that is left out the FQN is empty.
    """

    fqn: str
    used: int


_LEFT_OUT = Meaning("", 0)


class Meanings:
    """Looks names up, with a cache.

    Args:
        table: The types of the repository.
        usings: Each project's global usings, by its path.
    """

    def __init__(self, table: SymbolTable, usings: Mapping[str, Sequence[Using]]) -> None:
        self._table = table
        self._usings = usings
        self._resolver = Resolver(table, {}, usings)
        self._found: dict[tuple[str, int, str], Meaning | None] = {}
        self._keep: Callable[[str], bool] | None = None
        self.texts: dict[tuple[object, ...], tuple[str, frozenset[str], frozenset[str]]] = {}
        """Canonical texts with the known and the unknown names in them, remembered by those who write them."""

    def is_nullable(self, project: str) -> bool:
        """Whether reference types without `?` may not be null in a project, unless a directive says otherwise."""
        return project in self._table.nullable

    def list_usings(self, project: str) -> Sequence[Using]:
        """The global usings of a project."""
        return self._usings.get(project, ())

    def keep_only(self, keep: Callable[[str], bool]) -> Meanings:
        """The same, but names of other types than those kept are left out."""
        other = Meanings(self._table, self._usings)
        other._resolver, other._keep = self._resolver, keep
        return other

    def knows(self, fqn: str) -> bool:
        """Whether a type with an FQN exists."""
        return bool(self._table.find(fqn)) or is_framework_type(fqn)

    def view_of(self, place: NameContext) -> View:
        """What names at a place can refer to."""
        return self._resolver.view_of(place)

    def find(self, name: str, place: NameContext) -> Meaning | None:
        """The type that a dotted name certainly means in a context; with `@` before it an attribute's name."""
        view = self._resolver.view_of(place)
        key = (name, id(view), place.fqn)
        if key not in self._found:
            found = self._look_up(name, place, view)
            kept = found is None or self._keep is None or self._keep(found.fqn)
            self._found[key] = found if kept else _LEFT_OUT
        return self._found[key]

    def _look_up(self, name: str, place: NameContext, view: View) -> Meaning | None:
        found = self._resolver.resolve(name, place)
        segments = tuple(name.removeprefix("@").split("."))
        if found.types:
            fqns = {declared.fqn for declared in found.types}
            fqn = fqns.pop()
            return Meaning(fqn, _count_used(segments, fqn)) if found.sure and not fqns else None
        forms = [segments]
        if name.startswith("@"):
            stem, tick, arity = segments[-1].partition("`")
            forms.insert(0, (*segments[:-1], f"{stem}Attribute{tick}{arity}"))
        answers = (_find_outside(form, view) for form in forms)
        return next((Meaning(*each) for each in answers if each is not None), None)

    def find_alias(self, head: str, place: NameContext) -> tuple[str, NameContext] | None:
        """The target of an alias as written, and the context to look it up in; None if `head` is no alias there."""
        view = self._resolver.view_of(place)
        if head not in view.aliases or head in self._table.nested:
            return None
        homes = self._table.find_outermost(head)
        for level in view.levels:
            if view.select(homes.get(level.namespace, ())):
                return None
            if head in level.targets:
                return level.targets[head], place._replace(fqn="")
        return None

    # -- what answers depend on

    def digest_answers(self, words: Collection[str], project: str) -> bytes:
        """A digest of everything that decides what names of these words (with arities) mean in a project's files.

        It covers what does not exist: a type or namespace that comes and has one of the words changes the digest.
        """
        table, usings = self._table, self._usings.get(project, ())
        words = set(words).union(*map(_words_of_using, usings))
        seen = sorted(table.list_visible(project)), sorted(table.list_guessed(project))
        by_word = table.by_word
        told = [
            repr((usings, seen, self.is_nullable(project))),
            *(f"{word}={by_word.get(word, '')}" for word in sorted(words)),
        ]
        return sha256("\n".join(told).encode("utf-8", "surrogatepass")).digest()

    def digest_word(self, word: str) -> bytes:
        """A digest of every type and namespace of this name (with its arity); `ABSENT` where there is none."""
        told = self._table.by_word.get(word)
        return ABSENT if told is None else digest_text(told)


def list_words(merged: CSharpType) -> set[str]:
    """The words, with their arities, that looking up the names in a type's declaration may ask for."""
    words: set[str] = set()
    for part in merged.parts:
        for name in (*(name for name, _ in part.facts.surface), *part.facts.inner.split()):
            words |= _words_of_name(name)
        for scope in part.scopes:
            words.update(*map(_words_of_using, scope.usings), scope.namespace.split("."))
    return words


@lru_cache(maxsize=65536)
def _words_of_name(name: str) -> frozenset[str]:
    segments = name.lstrip("@~").split(".")
    if not name.startswith("@"):
        return frozenset(segments)
    stem, tick, arity = segments[-1].partition("`")
    return frozenset({*segments, f"{stem}Attribute{tick}{arity}"})


@lru_cache(maxsize=4096)
def _words_of_using(using: Using) -> frozenset[str]:
    """The words in a using directive; those before type arguments with every arity, since they are not read here."""
    words = WORD.findall(using.target)
    arities = (
        (f"{word}`{arity}" for word in words for arity in range(1, _MOST_ARITY + 1)) if "<" in using.target else ()
    )
    return frozenset({*words, *arities, using.alias})


def _count_used(segments: Sequence[str], fqn: str) -> int:
    """How many of the segments name a type: up to the last one that is the type's own name."""
    own = cut_own_name(fqn)
    for place in range(len(segments), 0, -1):
        if segments[place - 1] == own:
            return place
    return len(segments)


def _find_outside(segments: tuple[str, ...], view: View) -> tuple[str, int] | None:
    """The type of the framework that segments mean, and how many of them name it."""
    if segments[0] == "global":
        found = find_in_framework("", segments[1:])
        return (found[0], found[1] + 1) if found is not None else None
    for level in view.levels:
        found = find_in_framework(level.namespace, segments) or _import(segments, level)
        if found is not None:
            return found
    return None


def _import(segments: tuple[str, ...], level: Level) -> tuple[str, int] | None:
    """The type of the framework that a level's using directives import; None if there are several."""
    found = {each for name in level.imports if (each := find_in_framework(name, segments)) is not None}
    kept = {each for each in found if _is_directly_in(each[0], segments[0], level)}
    for target in level.statics:
        owner = find_in_framework("", target)
        inner = find_in_framework("", (*target, *segments)) if owner is not None else None
        if inner is not None and inner[1] > len(target):
            kept.add((inner[0], inner[1] - len(target)))
    return kept.pop() if len(kept) == 1 else None


def _is_directly_in(fqn: str, head: str, level: Level) -> bool:
    """Whether the first segment names a type of an imported namespace, not a namespace in it."""
    space, _, own = fqn.partition("+")[0].rpartition(".")
    return own == head and space in level.imports
