"""Compares the outline and the members of a type between two trees."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING, Any

from codecortex.analysis.changes.states import Change, judge
from codecortex.analysis.types.meanings import list_words
from codecortex.analysis.types.outline import write_outline
from codecortex.git.repository import open_repository
from codecortex.model.code.changes import Status
from codecortex.model.errors import SymbolNotFoundError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.history.changes import find_ends
from codecortex.operations.history.compare import compare
from codecortex.operations.history.locate import locate, read_symbol, read_type, relocate, tell_asked
from codecortex.operations.history.type_text import describe_change, tell_redirection, write_diff
from codecortex.operations.reading.facts_library import FactsLibrary
from codecortex.operations.reading.hashes import rules_of
from codecortex.operations.reading.meanings import compare_names
from codecortex.operations.reading.tree import open_tree, read_projects
from codecortex.store.cache.cache import open_cache
from codecortex.symbols.query import Query, parse_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.git.repository import Repository
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import CSharpType
    from codecortex.model.config import Config
    from codecortex.operations.history.locate import LocatedType
    from codecortex.operations.reading.meanings import NameDifference
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.request import Request


class TypeDiff(NamedTuple):
    """The difference of a type between two trees.

    Attributes:
        fqn: Its FQN after; before if it was removed.
        redirected_from: The old name from which an alias led here, or empty.
        change: The change, or None if there is none.
        lines: The unified diff of its outline, without line feeds; empty if the texts are equal.
    """

    fqn: str
    redirected_from: str
    change: Change | None
    lines: tuple[str, ...]

    @property
    def note(self) -> list[str]:
        """A line that tells what an old name became; else none."""
        return tell_redirection(self.redirected_from, self.fqn)

    @property
    def ending(self) -> list[str]:
        """A line that tells that nothing differs; else none."""
        return [] if self.change is not None else [f"{self.fqn}: no difference."]

    def as_json(self) -> dict[str, Any]:
        """The difference as JSON values."""
        change = describe_change(self.change) if self.change is not None else None
        told = {"fqn": self.fqn, "redirectedFrom": self.redirected_from or None}
        return told | {"change": change, "outline": list(self.lines)}

    def as_text(self) -> str:
        """The change, member by member, and the diff of the outline."""
        told = write_diff(self.change, self.lines) if self.change is not None else ()
        return "\n".join([*self.note, *told, *self.ending])


class _End(NamedTuple):
    """One of the two trees."""

    tree: Tree
    projects: Sequence[Project]
    library: FactsLibrary

    def find(self, query: Query) -> LocatedType | None:
        """The declaration of the type that a query means; None if there is none."""
        try:
            return locate(self.tree, self.projects, query, self.library)
        except SymbolNotFoundError:
            return None

    def find_again(self, place: LocatedType) -> LocatedType | None:
        """The declaration of a type of the other tree, by its FQN."""
        return relocate(self.tree, self.projects, place, self.library)

    def read(self, place: LocatedType | None) -> TypeAt | None:
        """The type at a place."""
        return read_type(self.tree, self.projects, place, self.library) if place is not None else None


def diff_type(request: Request, symbol: str, trees: str | None) -> TypeDiff:
    """Compare the type that a symbol means between two trees, also if it was renamed between them.

    Args:
        request: The repository and the flavour; if it is staged, the index is used instead of the work tree.
        symbol: A name that the type has in either tree.
        trees: `A..B`, `A...B` (from their merge base), or `A` to compare with the work tree; None for HEAD.

    Raises:
        UsageError: Two revisions are named, but the index is requested too.
        GitStateError: One of the trees does not exist.
        SymbolNotFoundError: Neither tree has such a type.
        AmbiguousSymbolError: There are several.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    old, new = find_ends(repository, trees)
    if new is not None and request.staged:
        raise UsageError(f"--staged and {trees} name two trees to compare with.", "Give one of them.")
    with open_cache(repository.shared_dir, warn=request.warn, keeps=request.caches) as cache:
        library = FactsLibrary(request, repository, cache)
        after = _open(request if new is None else request._replace(rev=new), repository, library)
        before = _open(request._replace(rev=old, staged=False), repository, library, after.tree.config)
        query = read_symbol(symbol)
        difference = _compare_names(before, after)
        places = _pair(before, after, query, difference)
        if places == (None, None):
            locate(after.tree, after.projects, query, library)  # says what it might have meant
        first, second = before.read(places[0]), after.read(places[1])
        change = _judge((before, first), (after, second), difference)
        texts = _write(before, first), _write(after, second)
    named = (
        f"{'HEAD' if trees is None else old}:{places[0].fqn}" if places[0] else "none",
        f"{new or _here(request)}:{places[1].fqn}" if places[1] else "none",
    )
    lines = tuple(unified_diff(*texts, *named, lineterm=""))
    known = places[1] or places[0]
    told = known.redirected_from if known is not None else ""
    if known is not None:
        tell_asked(request, known)
    return TypeDiff(known.fqn if known is not None else symbol, told, change, lines)


def _here(request: Request) -> str:
    return "index" if request.staged else "work tree"


def _open(request: Request, repository: Repository, library: FactsLibrary, config: Config | None = None) -> _End:
    tree = open_tree(request, repository, config, cache=library.cache)
    return _End(tree, read_projects(tree, library.cache), library)


def _compare_names(before: _End, after: _End) -> NameDifference | None:
    """How the trees differ in what they declare; None if that is not quickly told."""
    if before.projects != after.projects:
        return None
    return compare_names(before.tree, after.tree, after.projects, after.library)


def _judge(
    old: tuple[_End, TypeAt | None], new: tuple[_End, TypeAt | None], difference: NameDifference | None
) -> Change | None:
    """The change of a type; where names mean the same in both trees, those of one are enough to tell."""
    (before, first), (after, second) = old, new
    if first is not None and second is not None and difference and difference.leaves(_list_words(first, second)):
        if _are_as_before(before, after, first.type, second.type):
            return None
        first = first.beside(second)
    return judge(first, second, rules_of(after.tree.config))


def _are_as_before(before: _End, after: _End, old: CSharpType, new: CSharpType) -> bool:
    """Whether two states of a type come from the same sources; members of records depend on other sources, too."""
    first, second = before.tree.sources.sources, after.tree.sources.sources
    same = old.files == new.files and all(first[path].blob == second[path].blob for path in new.files)
    return same and old.fqn == new.fqn and not new.kind.startswith("record")


def _list_words(*states: TypeAt) -> set[str]:
    """The words that looking up the names in declarations may ask for."""
    return {word for each in states for merged in (each.type, *each.nested) for word in list_words(merged)}


def _pair(
    before: _End, after: _End, query: Query, difference: NameDifference | None
) -> tuple[LocatedType | None, LocatedType | None]:
    """The type's place in each tree, found by its name in either of them."""
    new = after.find(query)
    if new is not None and difference is not None and not difference.moves(new.fqn):
        return new, new
    old = before.find_again(new) if new is not None else before.find(query)
    if (new is None) == (old is None):
        return old, new
    for change in compare(before.tree, after.tree, after.library.cache).changes:
        if change.status is Status.RENAMED and change.fqn == (new.fqn if new else "") and old is None:
            return before.find(parse_query(change.old_fqn)), new
        if change.status is Status.RENAMED and change.old_fqn == (old.fqn if old else "") and new is None:
            return old, after.find(parse_query(change.fqn))
    return old, new


def _write(end: _End, found: TypeAt | None) -> list[str]:
    """The lines of the outline, with bases as written and without the parts that depend on other types."""
    if found is None:
        return []
    assembly = next(project.assembly for project in end.projects if project.path == found.type.project)
    bases = list(dict.fromkeys(base for part in found.type.parts for base in part.facts.bases))
    return write_outline(found.type, assembly, found.nested, (bases, ())).splitlines()
