"""Finds every type that differs between two trees, or depends on one that does."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.changes.classify import (
    Side,
    align,
    classify,
    compare_sides,
    list_members,
    rename_within,
    take_graver,
)
from codecortex.analysis.changes.redirections import judge_bodies
from codecortex.analysis.changes.renames import Renames, detect_renames
from codecortex.analysis.types.canonical import canonicalize
from codecortex.analysis.types.fingerprints import fingerprint
from codecortex.model.code.changes import AssemblyChange, ChangeClass, Comparison, Reason, Status, TypeChange
from codecortex.model.code.facts import VISIBLE
from codecortex.model.code.types import TypeId
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.history.file_renames import trace_files
from codecortex.operations.history.propagation import ComparedTrees, spread
from codecortex.operations.history.redirected import list_redirected
from codecortex.operations.reading.facts_library import FactsLibrary
from codecortex.operations.reading.hashes import rules_of
from codecortex.operations.reading.tree import digest_tree, read_projects
from codecortex.operations.reading.type_table import TypeTable, build_type_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from codecortex.analysis.types.assemble import Group
    from codecortex.analysis.types.meanings import Meanings
    from codecortex.model.code.aliases import Alias
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.reading.type_table import ProjectFile
    from codecortex.store.cache.cache import Cache


def compare(before: Tree, after: Tree, cache: Cache) -> Comparison:
    """Compare two trees of a repository, by the rules in the configuration of the later one."""
    if not before.listing.skipped and not after.listing.skipped and digest_tree(before) == digest_tree(after):
        return Comparison((), (), ())  # whatever could be read of them
    library = FactsLibrary(after.request, after.repository, cache)
    first = build_type_table(before, read_projects(before, cache), library)
    return compare_tables(first, build_type_table(after, read_projects(after, cache), library, first))


def compare_tables(before: TypeTable, after: TypeTable) -> Comparison:
    """Compare two trees by their type tables."""
    return _Comparing(before, after).run()


class _Pair(NamedTuple):
    """A type before and after; one of them may be missing."""

    old: Group | None
    new: Group | None
    alias: Alias | None = None


class _Comparing:
    """One comparison."""

    def __init__(self, before: TypeTable, after: TypeTable) -> None:
        self._before = before
        self._after = after
        self._rules = rules_of(after.tree.config)
        self._changes: dict[TypeId, TypeChange] = {}  # by id in the later tree
        self._gone: list[TypeChange] = []

    def run(self) -> Comparison:
        places = _list_touched(self._before, self._after) | list_redirected(self._before, self._after)
        old, new = self._find_concerned(places)
        pairs, renames = self._pair(old, new)
        for pair in pairs:
            change = self._judge(pair)
            if change is not None and pair.new is None:
                self._gone.append(change)
            elif change is not None:
                self._changes[TypeId(change.type_id)] = change
        origins = {self._after.state.ids[new]: self._before.state.ids[old] for old, new, _ in pairs if old and new}
        trees = ComparedTrees(self._before, self._after, origins)
        shown = spread(self._changes, self._gone, trees)
        while self._judge_heirs(shown):
            shown = spread(self._changes, self._gone, trees)
        everything = [*self._gone, *shown]
        changes = sorted(everything, key=lambda change: (change.fqn, change.type_id))
        unread = sorted(self._before.unread | self._after.unread)
        assemblies = tuple(self._list_assemblies())
        return Comparison(tuple(changes), renames.aliases, renames.doubts, tuple(unread), assemblies)

    def _list_assemblies(self) -> Iterator[AssemblyChange]:
        olds, news = self._before.projects, self._after.projects
        for path in sorted(olds.keys() & news.keys() - {""}):
            if olds[path].assembly != news[path].assembly:
                yield AssemblyChange(path, olds[path].assembly, news[path].assembly)

    # -- which types to look at

    def _find_concerned(self, places: set[ProjectFile]) -> tuple[dict[TypeId, Group], dict[TypeId, Group]]:
        """The types, by id in each tree, that differing files declare or contain or whose id changed."""
        before, after = self._before, self._after
        groups = {*before.list_groups(places), *after.list_groups(places)}
        if before.state.ids is not after.state.ids:
            ids = after.state.ids
            groups |= {group for group, type_id in before.state.ids.items() if ids.get(group, type_id) != type_id}
        for type_table in (before, after):
            pending = list(groups)
            while pending:
                inner = [each for each in type_table.nested_in(pending.pop()) if each not in groups]
                groups.update(inner)
                pending += inner
        for type_table in (before, after):
            groups |= {outer for group in groups for outer in list(type_table.list_containers(group))[:1]}
        found = []
        for type_table in (before, after):
            held = [group for group in groups if group in type_table.state.ids]
            type_table.assemble(held)
            found.append({type_table.state.ids[group]: group for group in held})
        return found[0], found[1]

    def _pair(self, old: Mapping[TypeId, Group], new: Mapping[TypeId, Group]) -> tuple[list[_Pair], Renames]:
        """Pair old and new types: with equal FQN, kind and project (ids may shift); else by id; else by similarity."""
        kept = set(old.values()) & set(new.values())
        pairs = [_Pair(group, group) for group in sorted(kept)]
        old = {type_id: group for type_id, group in old.items() if group not in kept}
        new = {type_id: group for type_id, group in new.items() if group not in kept}
        pairs += [_Pair(group, new[type_id]) for type_id, group in old.items() if type_id in new]
        vanished = [group for type_id, group in old.items() if type_id not in new]
        appeared = [group for type_id, group in new.items() if type_id not in old]
        clear_old = [group for group in vanished if not self._doubt(group, self._before, self._after)]
        clear_new = [group for group in appeared if not self._doubt(group, self._after, self._before)]
        renames = Renames((), ())
        if clear_old and clear_new:
            gone, come = list(map(self._before.type_of, clear_old)), list(map(self._after.type_of, clear_new))
            renames = detect_renames(gone, come, self._trace(gone, come))
        olds = {alias.old_id: alias for alias in renames.aliases}
        news = {alias.new_id for alias in renames.aliases}
        for type_id, group in old.items():
            if type_id not in new:
                alias = olds.get(type_id)
                target = new[TypeId(alias.new_id)] if alias is not None else None
                pairs.append(_Pair(group, target, alias))
        pairs += [_Pair(None, group) for type_id, group in new.items() if type_id not in old and type_id not in news]
        return pairs, renames

    def _trace(self, gone: Iterable[CSharpType], come: Iterable[CSharpType]) -> Mapping[str, frozenset[str]]:
        old = {path for merged in gone for path in merged.files}
        new = {path for merged in come for path in merged.files}
        return trace_files(self._before.tree, self._after.tree, old, new)

    def _doubt(self, group: Group, here: TypeTable, there: TypeTable) -> str:
        """Why a type of one tree may be in the other tree too: its file cannot be read completely there."""
        for path in sorted(here.state.files[group]):
            doubt = there.problem_of((group.project, path))
            if doubt and doubt != here.problem_of((group.project, path)):
                return doubt
        return ""

    # -- one type

    def _judge_heirs(self, shown: Iterable[TypeChange]) -> bool:
        """Judge the records whose bases changed, which may have a position's property or lack it now; whether any does.

        Their own files are the same, so nothing else brings them here.
        """
        found = False
        for change in shown:
            group = self._after.groups[TypeId(change.type_id)]
            if change.own_class is None and group.kind == "record" and group in self._before.state.ids:
                own = self._tell_change(group, group, None)
                if own is not None and own.own_class is not None:
                    self._changes[TypeId(own.type_id)], found = own, True
        return found

    def _judge(self, pair: _Pair) -> TypeChange | None:
        if pair.old is None and pair.new is not None:
            return self._tell_lone(pair.new, self._after, self._before)
        if pair.new is None and pair.old is not None:
            return self._tell_lone(pair.old, self._before, self._after)
        if pair.old is None or pair.new is None:
            raise AssertionError
        return self._tell_change(pair.old, pair.new, pair.alias)

    def _tell_change(self, one: Group, other: Group, alias: Alias | None) -> TypeChange | None:
        """The change of a type that is in both trees; None if nothing about it differs."""
        before, after = self._before.type_of(one), self._after.type_of(other)
        meanings = self._meanings[id(self._before)], self._meanings[id(self._after)]
        old, new = align(self._side(self._before, one), self._side(self._after, other), *meanings)
        prints = (fingerprint(each.canonical, each.nested, self._rules) for each in (old, new))
        own = take_graver(classify(*prints), judge_bodies(before, after, *meanings))
        if own is ChangeClass.STRUCTURE and before.degraded != after.degraded:
            own = ChangeClass.PUBLIC_BEHAVIOR  # what one side does not show may exist all the same
        shown = _is_shown(after) != _is_shown(before)
        left = self._left_assembly(one, other)
        if alias is not None or shown or left:
            own = ChangeClass.STRUCTURE
        if own is None and before.files == after.files:
            return None
        if alias is not None:
            name = after.simple_name
            old = old._replace(type=rename_within(before, name), canonical=rename_within(old.canonical, name))
        reasons, members = compare_sides(old, new, self._rules)
        if shown and not reasons:
            reasons = (Reason.MODIFIERS_CHANGED,)  # the modifiers of an enclosing type
        if own is not ChangeClass.STRUCTURE or (
            (left or alias is not None) and reasons == (Reason.ATTRIBUTES_CHANGED,)
        ):
            reasons = ()  # a filter for attribute changes must not hide this
        return TypeChange(
            type_id=after.id,
            fqn=after.fqn,
            old_fqn=before.fqn,
            old_id=before.id,
            status=Status.CHANGED if alias is None else Status.RENAMED,
            change_class=own or ChangeClass.COSMETIC,
            causes=(),
            reasons=reasons,
            members=members,
            files=after.files,
            old_files=before.files,
            degraded=after.degraded or before.degraded,
            own_class=own,
            accessibility=after.effective_accessibility,
            score=alias.score if alias is not None else None,
            project=after.project,
        )

    def _side(self, type_table: TypeTable, group: Group) -> Side:
        nested = type_table.nested_in(group)
        type_table.assemble(nested)
        merged = type_table.type_of(group)
        canonical = canonicalize(merged, self._meanings[id(type_table)])
        return Side(merged, [type_table.type_of(inner) for inner in nested], canonical)

    @cached_property
    def _meanings(self) -> dict[int, Meanings]:
        """What names mean in each tree; names of a type that came or went, a change of its own, stay as written."""
        before, after = self._before, self._after
        return {
            id(before): before.meanings.keep_only(after.meanings.knows),
            id(after): after.meanings.keep_only(before.meanings.knows),
        }

    def _left_assembly(self, one: Group, other: Group) -> bool:
        """Whether a type is compiled into another assembly than before."""
        here, there = self._before.projects[one.project], self._after.projects[other.project]
        return here.path != there.path and here.assembly != there.assembly

    def _tell_lone(self, group: Group, here: TypeTable, there: TypeTable) -> TypeChange:
        """The change of a type that is in only one of the trees."""
        merged, came = here.type_of(group), here is self._after
        doubt = self._doubt(group, here, there)
        own = ChangeClass.PUBLIC_BEHAVIOR if doubt else ChangeClass.STRUCTURE
        return TypeChange(
            type_id=merged.id,
            fqn=merged.fqn,
            old_fqn="" if came else merged.fqn,
            old_id="" if came else merged.id,
            status=Status.ADDED if came else Status.REMOVED,
            change_class=own,
            causes=(),
            reasons=(),
            members=list_members(merged, came=came),
            files=merged.files,
            old_files=() if came else merged.files,
            degraded=doubt or merged.degraded,
            own_class=own,
            accessibility=merged.effective_accessibility,
            project=merged.project,
        )


def _list_touched(before: TypeTable, after: TypeTable) -> set[ProjectFile]:
    """The files that a project reads in only one of the trees, or with different facts."""
    old, new = before.state.keys, after.state.keys
    return (old.keys() ^ new.keys()) | {place for place in old.keys() & new.keys() if old[place] != new[place]}


def _is_shown(merged: CSharpType) -> bool:
    """Whether other assemblies see a type; its containers may hide it."""
    return merged.effective_accessibility in VISIBLE
