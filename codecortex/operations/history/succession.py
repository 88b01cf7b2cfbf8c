"""Finds the type that a symbol means or once meant, and the commit up to which it can be followed."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from codecortex.git.history import escape_glob, find_blobs, list_vanished
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.history.lineage import Ancestry, LineageSegment
from codecortex.operations.history.locate import LocatedType, locate, locate_quickly, own_name, tell_asked
from codecortex.operations.request import Asked
from codecortex.symbols.match import match_types
from codecortex.symbols.query import Query, parse_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.model.code.aliases import Alias
    from codecortex.model.code.projects import Project
    from codecortex.operations.reading.past_types import PastTypes
    from codecortex.operations.reading.tree import Tree

_MOST_VANISHED = 50
_MOST_STEPS = 20


class SuccessionInputs(NamedTuple):
    """The data in which a symbol is looked up."""

    tree: Tree
    projects: Sequence[Project]
    past: PastTypes
    aliases: Sequence[Alias]


def group_names(rows: Iterable[Alias]) -> dict[str, frozenset[str]]:
    """For each FQN the other FQNs that aliases connect to the same type."""
    groups: dict[str, frozenset[str]] = {}
    for row in rows:
        joined = frozenset({row.old_fqn, row.new_fqn}).union(
            *(groups.get(name, ()) for name in (row.old_fqn, row.new_fqn))
        )
        groups.update(dict.fromkeys(joined, joined))
    return {name: group - {name} for name, group in groups.items()}


class FollowedType(NamedTuple):
    """A type to follow back, and the old name that led to it; empty if the symbol is its current name."""

    line: LineageSegment
    redirected_from: str


def find_line(inputs: SuccessionInputs, query: Query) -> FollowedType:
    """The type that a query means at the tip; else the type that had this name before, by aliases or removed files.

    Raises:
        SymbolNotFoundError: There is none, and no removed file was named after it.
        AmbiguousSymbolError: There are several.
    """
    tree, projects, past, _ = inputs
    place = locate_quickly(tree, projects, query, past.library)
    lost = _find_vanished(inputs, query) if place is None else None
    if lost is not None:
        line = _climb(inputs, lost)
        tree.request.asked(lambda: Asked({"path": line.fqn}))
        return FollowedType(line, lost.fqn if line.fqn != lost.fqn else "")
    place = place or locate(tree, projects, query, past.library)
    tell_asked(tree.request, place)
    return FollowedType(_begin(tree, place), place.redirected_from)


def _begin(tree: Tree, place: LocatedType) -> LineageSegment:
    return LineageSegment(_tip_of(tree), place.fqn, place.project, place.files)


def _tip_of(tree: Tree) -> str:
    return tree.request.rev or "HEAD"


def _find_vanished(inputs: SuccessionInputs, query: Query) -> LineageSegment | None:
    """The type in one of the last removed files named after it, up to the commit that removed the file."""
    tree, _, past, _ = inputs
    word = own_name(query)
    globs = [[f"**/{word}.cs"], [f"**/{word}*.cs"]] if word else []  # the likelier first: it may be one of hundreds
    each_glob = (list_vanished(tree.repository, _tip_of(tree), each) for each in globs)
    for commit, change in chain.from_iterable(islice(each, _MOST_VANISHED) for each in each_glob):
        files = {change.old_path: change.old_blob}
        project = past.project_near(change.old_path)
        found = match_types(query, tuple(past.list_types(project, files)))
        if len(found) == 1:
            return LineageSegment(commit, found[0].fqn, project, tuple(files))
    return None


def _climb(inputs: SuccessionInputs, lost: LineageSegment) -> LineageSegment:
    """Follow a type from the removal of its file to its name at the tip, or as far as it can be followed."""
    tree, projects, past, rows = inputs
    ancestry = Ancestry(tree, past, group_names(rows))
    for _ in range(_MOST_STEPS):
        heir = ancestry.find_heir(lost)
        if heir is None:
            return lost
        place = locate_quickly(tree, projects, parse_query(heir.fqn), past.library)
        if place is not None:
            return _begin(tree, place)
        removed = next(
            list_vanished(tree.repository, f"{heir.tip}..{_tip_of(tree)}", [escape_glob(heir.paths[0])]), None
        )
        if removed is None:
            return _read_again(inputs, heir, _tip_of(tree)) or lost
        later = _read_again(inputs, heir, removed[0], removed[1].old_blob)
        if later is None:
            return lost
        lost = later
    return lost


def _read_again(inputs: SuccessionInputs, line: LineageSegment, tip: str, blob: str = "") -> LineageSegment | None:
    """The type with the same simple name in a later version of the file; its namespace may have changed by then."""
    tree, _, past, _ = inputs
    path = line.paths[0]
    blob = blob or find_blobs(tree.repository, [(tip, path)]).get((tip, path), "")
    own = re.split(r"[.+]", line.fqn)[-1]
    types = past.list_types(line.project, {path: blob}) if blob else ()
    same = [each for each in types if re.split(r"[.+]", each.fqn)[-1] == own]
    return line._replace(tip=tip, fqn=same[0].fqn) if len(same) == 1 else None
