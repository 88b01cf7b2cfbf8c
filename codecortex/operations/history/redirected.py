"""Finds the files in which names may mean other types than before, though the files themselves are the same."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from codecortex.analysis.types.framework import has_simple_name, list_in_namespace
from codecortex.analysis.types.identity import names_of
from codecortex.model.code.types import cut_namespace, cut_own_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.facts import Using
    from codecortex.operations.reading.facts_library import FileSummary
    from codecortex.operations.reading.type_table import ProjectFile, TypeTable


def list_redirected(before: TypeTable, after: TypeTable) -> set[ProjectFile]:
    """The files of both trees that contain a name whose meaning a global using or a type of that name may change."""
    hidden = _list_hidden(before, after)
    found: set[ProjectFile] = set()
    for project in before.usings.keys() & after.usings.keys():
        if before.projects[project].nullable != after.projects[project].nullable:
            found.update(_list_same(project, before, after))
            continue
        words = _list_words(project, before, after)
        if words or hidden:
            same = after.read_summaries(_list_same(project, before, after))
            found.update(place for place, each in same.items() if _names(place, each, after, words, hidden))
    return found


def _list_same(project: str, before: TypeTable, after: TypeTable) -> Iterator[ProjectFile]:
    """Yield the files of a project that are the same in both trees."""
    old, new = before.state.keys, after.state.keys
    for path in after.projects[project].files:
        place = (project, path)
        if place in new and old.get(place) == new[place]:
            yield place


def _names(place: ProjectFile, summary: FileSummary, after: TypeTable, words: set[str], hidden: set[str]) -> bool:
    """Whether a file names one of the words anywhere, or one of those that a type hides on a surface."""
    if not (words | hidden).isdisjoint(summary.names):
        return True
    facts = after.facts_of(place) if words else None  # names in bodies are in no summary
    inner = (name for declared in facts.types for name in declared.inner.split()) if facts is not None else ()
    return any(not words.isdisjoint(names_of(name)) for name in inner)


def _list_words(project: str, before: TypeTable, after: TypeTable) -> set[str]:
    """The simple names whose meaning differing global usings of a project may change."""
    differing = set(before.usings[project]) ^ set(after.usings[project])
    return {word for using in differing for table in (before, after) for word in _list_brought(using, table)}


def _list_brought(using: Using, table: TypeTable) -> set[str]:
    """The simple names that a using directive gives a meaning."""
    if using.alias:
        return {using.alias}
    target = using.target.removeprefix("global::")
    fqns = table.symbols.list_fqns()
    if using.static:
        inside = (fqn for fqn in fqns if "+" in fqn and fqn.replace("+", ".").startswith(target + "."))
        return {word for fqn in inside for word in names_of(cut_own_name(fqn))}
    found = {cut_own_name(fqn) for fqn in fqns if "+" not in fqn and cut_namespace(fqn) == target}
    return {name.partition("`")[0] for name in found | list_in_namespace(target)}


def _list_hidden(before: TypeTable, after: TypeTable) -> set[str]:
    """The simple names of types that came or went, where another type has the name too."""
    if before.state.ids is after.state.ids:
        return set()
    old, new = ({group.fqn for group in table.state.ids} for table in (before, after))
    homes = Counter(map(cut_own_name, old | new))
    names = {cut_own_name(fqn) for fqn in old ^ new}
    return {name.partition("`")[0] for name in names if homes[name] > 1 or has_simple_name(name)}
