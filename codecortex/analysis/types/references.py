"""Resolves the names in types to the types that they reference.

Names are looked up by C#'s rules, as far as syntax allows: type parameters were removed when the file was read; then
enclosing types with what they inherit, then namespaces from the inside out, each before its usings.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from codecortex.analysis.types.symbol_table import Declared, Found, SymbolTable
from codecortex.analysis.types.views import NameContext, View, collect_usings, make_level, name_of_base, open_view
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.types.views import Level
    from codecortex.model.code.facts import Using
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import CSharpType, Part, TypeId

__all__ = [
    "Edge",
    "Found",
    "NameContext",
    "Resolver",
    "collect_usings",
    "name_of_base",
    "place_of",
    "place_of_bases",
    "resolve_among",
]

_MOST_BASES = 64
_VALUES = frozenset({"field", "constant", "property", "event"})
_Types = tuple[Declared, ...]


class Edge(NamedTuple):
    """A reference from one type to another.

    Attributes:
        target: The referenced type; the first candidate if the name is ambiguous.
        structural: Whether the surface contains it (base list, constraints, attributes, visible signatures).
        count: How often the surface contains it; 0 if only bodies do.
        candidates: Every type that the name may mean.
        sure: Whether a project reference leads to the target.
    """

    target: TypeId
    structural: bool
    count: int  # type: ignore[assignment]  # hides `tuple.count`, which nobody calls here
    candidates: tuple[TypeId, ...]
    sure: bool = True

    @property
    def exact(self) -> bool:
        """Whether the name means one type and a project reference leads to it."""
        return self.sure and len(self.candidates) == 1


_NOTHING = Found((), sure=True)


class _Shape(NamedTuple):
    """A name to look up: its segments (for an attribute in both forms), whether it may be nested, or exist at all."""

    forms: tuple[tuple[str, ...], ...]
    nested: bool
    known: bool


def place_of(merged: CSharpType, part: Part) -> NameContext:
    """The context of the names in a part of a type."""
    return NameContext(merged.project, part.scopes, part.facts.scope, merged.fqn, part.path)


def place_of_bases(merged: CSharpType, part: Part) -> NameContext:
    """The context of the names in the base list of a part of a type: that of what is around the type."""
    return NameContext(merged.project, part.scopes, part.facts.scope, merged.container, part.path)


class Resolver:
    """Resolves names, with a cache."""

    def __init__(
        self, table: SymbolTable, types: Mapping[str, CSharpType], usings: Mapping[str, Sequence[Using]]
    ) -> None:
        """Take a symbol table, the types by id, and each project's global usings by its path."""
        self._table = table
        self._types = types
        self._usings = usings
        self._shapes: dict[str, _Shape] = {}
        self._levels: dict[str, Level] = {}
        self._views: dict[tuple[str, str, int, int], View] = {}
        self._lineages: dict[TypeId, _Types] = {}
        self._values: dict[TypeId, dict[str, str]] = {}
        self._plain = False  # set while a base list is resolved, without inherited types

    def edges_of(self, merged: CSharpType) -> tuple[Edge, ...]:
        """The references of a type, sorted by target: those of its surface, then of bodies for other targets."""
        edges = {edge.target: edge for edge in self.surface_edges_of(merged)}
        for part in merged.parts:
            view = self.view_of(place_of(merged, part))
            for name in part.facts.inner.split():
                found = self._resolve(name, merged.fqn, view)
                if not found.types or found.types[0].id in edges or found.types[0].id == merged.id:
                    continue
                if not self._is_member(name, merged):
                    edges[found.types[0].id] = _make_edge(found, structural=False, count=0)
        return tuple(sorted(edges.values()))

    def surface_edges_of(
        self, merged: CSharpType, *, attributes: bool = True, words: Collection[str] = ()
    ) -> tuple[Edge, ...]:
        """The references in a type's surface, sorted by target.

        Args:
            merged: The type.
            attributes: Whether to take those that only attributes contain.
            words: If given, names that contain none of these may be left out.
        """
        counts: dict[TypeId, int] = {}
        first: dict[TypeId, Found] = {}
        for part in merged.parts:
            view = self.view_of(place_of(merged, part))
            known = view.known
            for name, count in part.facts.surface:
                if (not attributes and name[0] in "@~") or (words and not any(word in name for word in words)):
                    continue
                found = known.get(name) or self._resolve(name.removeprefix("~"), merged.fqn, view)
                if found.types:
                    target = found.types[0].id
                    counts[target] = counts.get(target, 0) + count
                    first.setdefault(target, found)
        counts.pop(merged.id, None)
        return tuple(_make_edge(first[target], structural=True, count=counts[target]) for target in sorted(counts))

    def resolve(self, name: str, place: NameContext) -> Found:
        """The types that a dotted name may mean in a context; a name with `@` before it is an attribute's."""
        return self._resolve(name, place.fqn, self.view_of(place))

    # -- one name

    def view_of(self, place: NameContext) -> View:
        """What names at a place can refer to; one value for all places of a scope."""
        key = (place.project, place.path, id(place.scopes), place.scope)  # a view keeps its scopes alive
        view = self._views.get(key)
        if view is None:
            level = self._levels.get(place.project)
            if level is None:
                level = self._levels[place.project] = make_level("", self._usings.get(place.project, ()), self._table)
            view = self._views[key] = open_view(place, level, self._table)
        return view

    def _resolve(self, name: str, fqn: str, view: View) -> Found:
        memo = view.plain if self._plain else view.known
        found = memo.get(name)
        if found is not None:
            return found
        shape = self._shapes.get(name)
        if shape is None:
            shape = self._shapes[name] = self._read_shape(name)
        if not shape.known and not view.aliases:
            return _NOTHING
        if not shape.nested:
            found = memo[name] = self._answer(shape, "", view)
            return found
        found = memo.get((name, fqn))
        if found is None:
            found = memo[name, fqn] = self._answer(shape, fqn, view)
        return found

    def _read_shape(self, name: str) -> _Shape:
        attribute, table = name[0] == "@", self._table
        first, *rest = name.removeprefix("@").split(".")
        segments = (first, *rest)
        forms = ((*segments[:-1], _add_suffix(segments[-1])), segments) if attribute else (segments,)
        heads = {form[0] for form in forms}
        nested = not heads.isdisjoint(table.nested)
        known = nested or any(map(table.find_outermost, heads))
        return _Shape(forms, nested, known or (bool(rest) and (first in table.segments or first == "global")))

    def _answer(self, shape: _Shape, fqn: str, view: View) -> Found:
        """The types that a name means; an attribute's short form must be an attribute type."""
        if len(shape.forms) == 1:
            return self._search(shape.forms[0], fqn, view)
        for form in shape.forms:
            found = self._search(form, fqn, view)
            whole = len(form) == 1 or all(declared.fqn.endswith(form[-1]) for declared in found.types)
            if found.types and whole and (form is shape.forms[0] or any(map(self._is_attribute, found.types))):
                return found
        return _NOTHING

    def _search(self, segments: tuple[str, ...], fqn: str, view: View) -> Found:
        found = self._look_up(segments, fqn, view)
        if found:
            return Found(found, sure=True)
        found = self._look_up(segments, fqn, view.guessing) if view.guessing is not None else ()
        return Found(found, sure=False) if found else _NOTHING

    # -- lookup

    def _look_up(self, segments: Sequence[str], fqn: str, view: View) -> _Types:
        if segments[0] in self._table.nested:
            while fqn:
                for container in view.select(self._table.find(fqn)):
                    found = self._find_member(container, segments[0], view)
                    if found:
                        return self._descend(found, segments[1:], view)
                fqn = fqn.rpartition("+")[0]
        return self._look_outside(segments, view, 0)

    def _look_outside(self, segments: Sequence[str], view: View, start: int, *, bare: bool = False) -> _Types:
        """Search a view's levels from `start`; `bare` skips the first one's usings, which do not see each other."""
        head, rest = segments[0], segments[1:]
        if head == "global":
            return self._qualify("", rest, view)
        table = self._table
        homes = table.find_outermost(head)
        is_space = bool(rest) and head in table.segments
        for number in range(start, len(view.levels)):
            level = view.levels[number]
            found = view.select(homes.get(level.namespace, ()))
            if found:
                return self._descend(found, rest, view)
            if is_space:
                inside = f"{level.namespace}.{head}" if level.namespace else head
                found = self._qualify(inside, rest, view) if inside in table.namespaces else ()
                if found:
                    return found
            if bare and number == start:
                continue
            if head in level.aliases:
                return self._look_outside((*level.aliases[head], *rest), view, number, bare=True)
            if (homes and level.imports) or level.statics:
                found = self._import(level, number, head, view)
                if found:
                    return self._descend(found, rest, view)
        return ()

    def _import(self, level: Level, number: int, head: str, view: View) -> _Types:
        """The types that the using directives of a level import; several if they conflict."""
        homes = self._table.find_outermost(head)
        found = {d.id: d for name in level.imports if name in homes for d in view.select(homes[name])} if homes else {}
        if level.statics and head in self._table.nested:
            for target in level.statics:
                for owner in self._look_outside(target, view, number, bare=True):
                    inner = view.select(self._table.find_nested(head).get(owner.fqn, ()))
                    found.update((declared.id, declared) for declared in inner)
        return tuple(found[key] for key in sorted(found))

    def _qualify(self, namespace: str, segments: Sequence[str], view: View) -> _Types:
        """The types that the segments name, starting from a namespace."""
        for place, segment in enumerate(segments):
            found = view.select(self._table.find_outermost(segment).get(namespace, ()))
            if found:
                return self._descend(found, segments[place + 1 :], view)
            namespace = f"{namespace}.{segment}" if namespace else segment
            if namespace not in self._table.namespaces:
                return ()
        return ()

    def _descend(self, found: _Types, rest: Iterable[str], view: View) -> _Types:
        """The deepest type that the rest of a dotted name reaches; segments after it are members."""
        for segment in rest:
            if segment not in self._table.nested:
                break
            deeper = {inner.id: inner for outer in found for inner in self._find_member(outer, segment, view)}
            if not deeper:
                break
            found = tuple(deeper.values())
        return found

    def _find_member(self, container: Declared, segment: str, view: View) -> _Types:
        """The types with a name in a type, else in the nearest type that it inherits from."""
        homes = self._table.find_nested(segment)
        found = view.select(homes.get(container.fqn, ()))
        if found or self._plain or not homes:
            return found
        for base in self._list_lineage(container.id):
            if base.fqn in homes:
                found = tuple([each for each in view.select(homes[base.fqn]) if not self._is_private(each)])
                if found:
                    return found
        return ()

    # -- inheritance

    def _is_member(self, name: str, merged: CSharpType) -> bool:
        """Whether a name in a body means a field, property or event, unless the member has the type of that name."""
        head = name.partition(".")[0]
        for type_id in (merged.id, *(base.id for base in self._list_lineage(merged.id))):
            held = self._values.get(type_id)
            if held is None:
                found = self._types.get(type_id)
                members = found.members if found is not None else ()
                held = {m.facts.name: m.facts.type for m in members if m.facts.kind in _VALUES}
                self._values[type_id] = held
            if head in held:
                return not _mentions(held[head], head)
        return False

    def _list_lineage(self, type_id: TypeId) -> _Types:
        """The types whose nested types a type inherits, nearest first: base classes, or an interface's interfaces.

        Base lists on the way are resolved without inherited types: otherwise the result for a cycle of inheritance
        would depend on where it is entered.
        """
        known = self._lineages.get(type_id)
        if known is not None:
            return known
        found: dict[TypeId, Declared] = {}
        pending = deque([type_id])
        while pending and len(found) < _MOST_BASES:
            for base in self._iter_bases(pending.popleft()):
                if base.id not in found and base.id != type_id:
                    found[base.id] = base
                    pending.append(base.id)
        lineage = self._lineages[type_id] = tuple(found.values())
        return lineage

    def list_base_classes(self, merged: CSharpType) -> list[CSharpType]:
        """The classes or records that a type derives from, the nearest first."""
        found = (self._types.get(each.id) for each in self._list_lineage(merged.id))
        return [base for base in found if base is not None]

    def _iter_bases(self, type_id: TypeId) -> Iterator[Declared]:
        merged = self._types.get(type_id)
        if merged is None or merged.kind not in ("class", "record", "interface"):
            return
        for part in merged.parts:
            if not part.facts.bases:
                continue
            place = place_of_bases(merged, part)
            for text in part.facts.bases:
                self._plain = True
                found = self.resolve(name_of_base(text), place)
                self._plain = False
                for base in found.types:
                    other = self._types.get(base.id)
                    if other is not None and (other.kind == "interface") == (merged.kind == "interface"):
                        yield base

    def _is_private(self, declared: Declared) -> bool:
        merged = self._types.get(declared.id)
        return merged is not None and merged.accessibility == "private"

    def _is_attribute(self, declared: Declared) -> bool:
        """Whether a type's name ends in `Attribute`, or one of its bases' does."""
        if _is_called_attribute(declared.fqn.rpartition("+")[2]):
            return True
        chain = (self._types.get(each.id) for each in (declared, *self._list_lineage(declared.id)))
        bases = (base for merged in chain if merged is not None for part in merged.parts for base in part.facts.bases)
        return any(_is_called_attribute(name_of_base(base)) for base in bases)


def resolve_among(
    types: Sequence[CSharpType], projects: Sequence[Project], usings: Mapping[str, Sequence[Using]]
) -> Resolver:
    """A resolver over all types of some projects; `usings` are the global ones by the path of the project."""
    table = SymbolTable(((each.id, each.fqn, each.project, each.owner) for each in types), projects)
    return Resolver(table, {each.id: each for each in types}, usings)


def _is_called_attribute(name: str) -> bool:
    return name.rpartition(".")[2].partition("`")[0].endswith("Attribute")


def _add_suffix(name: str) -> str:
    stem, tick, arity = name.partition("`")
    return f"{stem}Attribute{tick}{arity}"


def _make_edge(found: Found, *, structural: bool, count: int) -> Edge:
    ids = tuple(declared.id for declared in found.types)
    return Edge(ids[0], structural, count, ids, found.sure)


def _mentions(text: str, name: str) -> bool:
    """Whether a type as written contains a name without type arguments."""
    return name in text and re.search(rf"\b{re.escape(name)}\b(?!<)", text) is not None
