"""Finds where the type that a symbol means is declared, reading only files that may declare it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.analysis.changes.states import TypeAt
from codecortex.analysis.types.assemble import Group, assemble_types, assign_ids, iter_owned
from codecortex.analysis.types.positions import settle_positions
from codecortex.git.history import find_files
from codecortex.model.code.types import cut_simple_name
from codecortex.model.errors import AmbiguousSymbolError, SymbolNotFoundError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.reading.alias_table import list_aliases
from codecortex.operations.reading.facts import FactsStore, digest_symbols
from codecortex.operations.reading.hashes import Nested, rules_of
from codecortex.operations.reading.meanings import list_wanted, read_meanings, read_resolver
from codecortex.operations.reading.tree import read_facts
from codecortex.operations.reading.type_table import iter_groups
from codecortex.operations.request import Asked, Unread
from codecortex.operations.wording import tell_unread
from codecortex.symbols.match import match_aliases, match_types
from codecortex.symbols.near import suggest_names
from codecortex.symbols.query import Query, parse_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.git.listing import Entry
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import TypeId
    from codecortex.operations.reading.facts_library import FactsLibrary
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

_MOST_PARSED = 200
"""If more files are not in the cache, git is asked first which of them may declare the type."""

_DECLARING = (
    "(class|struct|interface|enum|record)[[:space:]]+@?{word}",
    "delegate[[:space:]].*[[:space:]]@?{word}",
)
_BROKEN = "^[[:space:]]*@?{word}[[:space:]]*([:<{{(].*)?$"
"""Patterns of a line that declares a type, and of a line that follows a keyword at the end of the previous line."""

_WORD = compile_later(r"[A-Za-z_][A-Za-z0-9_]*")


class LocatedType(NamedTuple):
    """A type and where it is declared.

    Attributes:
        id: Its TypeId; if types of other names share its first 8 characters (rare), still the short form.
        fqn: Its FQN.
        kind: Its kind.
        project: Path of its project.
        owner: What tells it from others of its FQN: the project, or the file of a file-local type.
        files: Paths of its parts, sorted.
        redirected_from: The old name from which an alias led here; empty if the symbol is its current name.
    """

    id: TypeId
    fqn: str
    kind: str
    project: str
    owner: str
    files: tuple[str, ...]
    redirected_from: str = ""


def read_symbol(symbol: str) -> Query:
    """The query that a user typed.

    Raises:
        UsageError: It is no symbol.
    """
    query = parse_query(symbol)
    if query.problem:
        raise UsageError(f"{symbol[:80]!r} is no symbol: {query.problem}.")
    return query


def locate(tree: Tree, projects: Sequence[Project], query: Query, library: FactsLibrary) -> LocatedType:
    """Find the declaration of the type that a query means; reads everything if the quick way finds nothing.

    Args:
        tree: The tree.
        projects: Its projects.
        query: What is looked for.
        library: Facts and summaries, kept from call to call.

    Raises:
        SymbolNotFoundError: There is none; similar names are suggested.
        AmbiguousSymbolError: There are several; they are listed.
    """
    place = locate_quickly(tree, projects, query, library)
    if place is not None:
        return place
    places = list_places(tree, projects, None, library)
    found = match_types(query, places)
    if not found:
        near = suggest_names(query, places)
        hint = f"Did you mean {', '.join(near)}?" if near else "`codecortex index` lists every type."
        raise SymbolNotFoundError(f"No type is called {query.text!r}.", hint, suggestions=near)
    return _take_only(query, found)


def locate_quickly(tree: Tree, projects: Sequence[Project], query: Query, library: FactsLibrary) -> LocatedType | None:
    """The same for a name, or an old name or id with an alias; None if that finds nothing.

    Raises:
        AmbiguousSymbolError: It means several; they are named.
    """
    word = own_name(query)
    found = list(match_types(query, list_places(tree, projects, word, library))) if word else []
    if not found:
        for alias in match_aliases(query, list_aliases(tree)):
            places = list_places(tree, projects, own_name(parse_query(alias.new_fqn)) or None, library)
            found += [each._replace(redirected_from=alias.old_fqn) for each in places if each.fqn == alias.new_fqn]
    return _take_only(query, found) if found else None


def _take_only(query: Query, found: Sequence[LocatedType]) -> LocatedType:
    if len(found) > 1:
        raise AmbiguousSymbolError(
            f"{query.text!r} means {len(found)} types:",
            "Give more of the name, or the id.",
            [f"{place.id}  {place.fqn}" for place in found],
            candidates=[{"id": place.id, "fqn": place.fqn} for place in found],
        )
    return found[0]


def tell_asked(request: Request, place: LocatedType) -> None:
    """Tell whoever made a request that it is about a type."""
    request.asked(lambda: Asked({"path": place.fqn, "typeId": place.id}))


def relocate(tree: Tree, projects: Sequence[Project], place: LocatedType, library: FactsLibrary) -> LocatedType | None:
    """The type with the same FQN in another tree: in the same project, or else the only one."""
    word = own_name(parse_query(place.fqn))
    places = [each for each in list_places(tree, projects, word or None, library) if each.fqn == place.fqn]
    same = [each for each in places if (each.project, each.owner) == (place.project, place.owner)]
    return next(iter(same or (places if len(places) == 1 else ())), None)


def own_name(query: Query) -> str:
    """The last simple name of a query; empty if it is a pattern, an id, or not plain ASCII."""
    name = query.last_name
    return name if _WORD.fullmatch(name) else ""


def list_places(
    tree: Tree, projects: Sequence[Project], word: str | None, library: FactsLibrary
) -> tuple[LocatedType, ...]:
    """The types with the simple name `word` in any case, sorted by name; all types if it is None."""
    wanted = list_wanted(tree, projects)
    summaries = library.find_summaries(wanted) if word is not None else library.read_summaries(wanted)
    lower = word.lower() if word is not None else None
    files: dict[Group, set[str]] = defaultdict(set)
    rest: list[Project] = []
    for project in projects:
        digest = library.digest(project.symbols)
        unknown = []
        for path in project.files:
            summary = summaries.get((tree.sources.sources[path].blob, digest))
            if summary is None:
                unknown.append(path)
                continue
            if lower is None or any(_is_called(fqn, lower) for fqn, _, _ in summary.types):
                for group in iter_groups((project.path, path), summary):
                    if lower is None or _is_called(group.fqn, lower):
                        files[group].add(path)
        rest.append(project._replace(files=tuple(unknown)))
    if word is None:
        problems = {(path, library.problems.get(entry.blob)) for path, (entry, _) in wanted.items()}
        _warn(tree, sorted(Unread(path, reason) for path, reason in problems if reason))
    else:
        _look_in(tree, rest, word, library.cache, files)
    ids = assign_ids(files)
    places = [
        LocatedType(ids[group], *group, tuple(sorted(paths, key=lambda path: (path.lower(), path))))
        for group, paths in files.items()
    ]
    return tuple(sorted(places, key=lambda place: (place.fqn, place.id)))


def _is_called(fqn: str, lower: str) -> bool:
    """Whether a type has a simple name, in any case; the name is given in lower case."""
    return lower in fqn.lower() and cut_simple_name(fqn).lower() == lower


def _look_in(tree: Tree, projects: Sequence[Project], word: str, cache: Cache, files: dict[Group, set[str]]) -> None:
    """Add the types with a simple name in files of which no summary is kept; a file that cannot declare it is not read.

    Summaries are not made here: the name rules out nearly all files, by their bytes alone.
    """
    if not any(each.files for each in projects):
        return
    paths = _narrow(tree, projects, word, cache)
    projects = [each._replace(files=tuple(path for path in each.files if path in paths)) for each in projects]
    store = _read(tree, projects, cache)
    for project in projects:
        digest = digest_symbols(project.symbols)
        for path in project.files:
            facts = store.get(path, digest)
            for declared, owner in iter_owned(facts, project.path, path) if facts is not None else ():
                if _is_called(declared.fqn, word.lower()):
                    files[Group(declared.fqn, declared.kind, project.path, owner)].add(path)


def _read(tree: Tree, projects: Sequence[Project], cache: Cache) -> FactsStore:
    store = read_facts(tree, projects, cache)
    _warn(tree, store.unread)
    return store


def _warn(tree: Tree, unread: Sequence[Unread]) -> None:
    for line in tell_unread(unread):
        tree.request.warn(line)


def _narrow(tree: Tree, projects: Sequence[Project], word: str, cache: Cache) -> set[str]:
    """The sources that may declare a type with a simple name: by cached facts, and by `git grep` for uncached files."""
    wanted: dict[str, tuple[Entry, list[bytes]]] = {}
    for project in projects:
        digest = digest_symbols(project.symbols)
        for path in project.files:
            wanted.setdefault(path, (tree.sources.sources[path], []))[1].append(digest)
    store = FactsStore()
    unknown = {job.entry.path for job in store.load(wanted, cache)}
    if len(unknown) > _MOST_PARSED:
        where = "--cached" if tree.request.staged else tree.request.rev
        where = "--untracked" if where is None and tree.config.untracked else where
        patterns = [pattern.format(word=word) for pattern in _DECLARING]
        unknown &= find_files(tree.repository, where, word, patterns, _BROKEN.format(word=word))
    return store.find_type(word) | unknown


def read_type(tree: Tree, projects: Sequence[Project], place: LocatedType, library: FactsLibrary) -> TypeAt | None:
    """The type at a place, read from its own files; None if they can no longer be read.

    Only a record whose base may have a member in place of a position's property needs more of the tree.
    """
    own = [each._replace(files=place.files) for each in projects if each.path == place.project]
    store = _read(tree, own, library.cache)
    digests = {project.path: digest_symbols(project.symbols) for project in own}
    types = assemble_types(own, lambda project, path: store.get(path, digests[project.path]))
    key = (place.fqn, place.kind, place.owner)
    merged = next((each for each in types if (each.fqn, each.kind, each.owner) == key), None)
    if merged is None:
        return None
    (merged,) = settle_positions([merged], lambda: read_resolver(tree, projects, library))
    nested = tuple(Nested(types).of(merged))
    return TypeAt(merged, nested, rules_of(tree.config), lambda: read_meanings(tree, projects, library))
