"""A tree and a symbol in; where the type it means is declared out, without reading more than may declare it."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.assemble import Group, assign_ids, iter_owned
from codecortex.model.errors import AmbiguousSymbolError, SymbolNotFoundError
from codecortex.operations.extract import FactsStore, digest_symbols
from codecortex.operations.reading import read_facts
from codecortex.symbols.match import Name, match_types, suggest_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.git.listing import Entry
    from codecortex.model.projects import Project
    from codecortex.model.types import TypeId
    from codecortex.operations.reading import Tree
    from codecortex.store.cache import Cache

_MOST_PARSED = 200
"""Files not read yet beyond which git is asked first which of them may declare a type."""

_KEYWORDS = "(class|struct|interface|enum|record|delegate)"
_GENERIC = re.compile(r"<[^<>]*>")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Place(NamedTuple):
    """A type and where it is declared.

    Attributes:
        id: Its id; in the rare case that two types of unlike names share eight characters, not yet the longer one.
        fqn: Its metadata name.
        kind: Its kind.
        project: Path of its project.
        owner: What tells it from others of its name: the project, or the file of a file-local type.
        files: Paths of its parts, in order.
    """

    id: TypeId
    fqn: str
    kind: str
    project: str
    owner: str
    files: tuple[str, ...]


def locate(tree: Tree, projects: Sequence[Project], symbol: str, cache: Cache) -> Place:
    """Where the one type that a symbol means is declared.

    Raises:
        SymbolNotFoundError: It means none; near names are suggested.
        AmbiguousSymbolError: It means several; they are named.
    """
    word = _own_name(symbol)
    places = list_places(tree, projects, word, cache) if word else ()
    found = _match(symbol, places)
    if not found:
        places = list_places(tree, projects, None, cache)
        found = _match(symbol, places)
    if not found:
        near = suggest_names(symbol, [Name(place.id, place.fqn) for place in places])
        hint = f"Did you mean {', '.join(near)}?" if near else "`codecortex index` lists every type."
        raise SymbolNotFoundError(f"No type is called {symbol!r}.", hint, suggestions=near)
    if len(found) > 1:
        listed = "\n".join(f"  {place.id}  {place.fqn}" for place in found)
        raise AmbiguousSymbolError(
            f"{symbol!r} means {len(found)} types:\n{listed}",
            "Give more of the name, or the id.",
            candidates=[{"id": place.id, "fqn": place.fqn} for place in found],
        )
    return found[0]


def _match(symbol: str, places: Sequence[Place]) -> list[Place]:
    names = match_types(symbol, [Name(place.id, place.fqn) for place in places])
    by_id = {place.id: place for place in places}
    return [by_id[name.id] for name in names]  # type: ignore[index]


def _own_name(symbol: str) -> str:
    """The simple name that a symbol ends with; empty where it is a pattern, an id, or not of plain letters."""
    text = symbol.strip().removeprefix("T:")
    while (shorter := _GENERIC.sub("", text)) != text:
        text = shorter
    name = re.split(r"[.+:]", text)[-1].partition("`")[0].strip().lstrip("@")
    return name if _WORD.fullmatch(name) and not name.startswith("T_") else ""


def list_places(tree: Tree, projects: Sequence[Project], word: str | None, cache: Cache) -> tuple[Place, ...]:
    """The types whose simple name is `word`, whatever its case, sorted by name; None for all types."""
    if word is not None:
        paths = _narrow(tree, projects, word, cache)
        projects = [replace(each, files=tuple(path for path in each.files if path in paths)) for each in projects]
    store = read_facts(tree, projects, cache)
    files: dict[Group, set[str]] = defaultdict(set)
    for project in projects:
        digest = digest_symbols(project.symbols)
        for path in project.files:
            facts = store.get(path, digest)
            for declared, owner in iter_owned(facts, project.path, path) if facts is not None else ():
                if word is None or _simple_name(declared.fqn).lower() == word.lower():
                    files[Group(declared.fqn, declared.kind, project.path, owner)].add(path)
    ids = assign_ids(files)
    places = [
        Place(ids[group], *group, tuple(sorted(paths, key=lambda path: (path.lower(), path))))
        for group, paths in files.items()
    ]
    return tuple(sorted(places, key=lambda place: (place.fqn, place.id)))


def _simple_name(fqn: str) -> str:
    return re.split(r"[.+]", fqn)[-1].partition("`")[0]


def _narrow(tree: Tree, projects: Sequence[Project], word: str, cache: Cache) -> set[str]:
    """The sources that may declare a type of this simple name: by what is known of them, else by what git finds."""
    from codecortex.git.history import find_files  # noqa: PLC0415 - only where much is unknown

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
        unknown &= {*find_files(tree.repository, where, word, (_KEYWORDS, f"^[[:space:]]*@?{word}"))}
    return store.find_word(word) | unknown
