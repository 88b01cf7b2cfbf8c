"""Types, their files' usings and a symbol table in; for each type, the types it names out.

Names are looked up as the language does, as far as syntax goes: type parameters were taken out when the file was
read; then enclosing types with what they inherit, then namespaces from the inside out, each before its usings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.symbol_table import Declared, SymbolTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.model.facts import Scope, Using
    from codecortex.model.projects import Project
    from codecortex.model.types import CSharpType, Part, TypeId

_MAX_BASES = 64
_NO_USINGS: tuple[Using, ...] = ()


class Edge(NamedTuple):
    """That a type names another.

    Attributes:
        target: The type named; the first candidate where the name is ambiguous.
        structural: Whether its surface names it (base list, constraints, attributes, visible signatures).
        count: How often the surface names it; 0 for bodies alone.
        candidates: Every type the name may mean; one where the reference is exact.
    """

    target: TypeId
    structural: bool
    count: int
    candidates: tuple[TypeId, ...]

    @property
    def exact(self) -> bool:
        """Whether the name means one type and a project reference leads to it."""
        return len(self.candidates) == 1


class Found(NamedTuple):
    """The types a name may mean; `sure` unless no project reference leads there."""

    types: tuple[Declared, ...]
    sure: bool


_NOTHING = Found((), sure=True)


class Place(NamedTuple):
    """Where a name stands: project, file scopes, scope index, and the enclosing type's metadata name."""

    project: str
    scopes: tuple[Scope, ...]
    scope: int
    fqn: str


class Resolver:
    """Resolves names; remembers every answer by all it depends on."""

    def __init__(
        self, table: SymbolTable, types: Mapping[str, CSharpType], usings: Mapping[str, Sequence[Using]]
    ) -> None:
        """Take a table, the types by id, and each project's global usings by its path."""
        self._table = table
        self._types = types
        self._usings = usings
        self._outside: dict[tuple[str, int, int, str], Found] = {}
        self._inside: dict[tuple[str, int, int, str, str], Found] = {}
        self._bases: dict[TypeId, tuple[Declared, ...]] = {}
        self._aliases: dict[str, frozenset[str]] = {}
        self._kept: dict[int, tuple[Scope, ...]] = {}  # so that an id of a scopes tuple is never used twice

    def edges_of(self, merged: CSharpType) -> tuple[Edge, ...]:
        """What a type names, by target: through its surface, else through its bodies alone."""
        edges = {edge.target: edge for edge in self.surface_edges_of(merged)}
        for part in merged.parts:
            place = place_of(merged, part)
            for name in part.facts.inner:
                found = self.resolve(name, place)
                if found.types and found.types[0].id != merged.id:
                    target, candidates = _pick(found)
                    if target not in edges:
                        edges[target] = Edge(target, structural=False, count=0, candidates=candidates)
        return tuple(sorted(edges.values()))

    def surface_edges_of(self, merged: CSharpType) -> tuple[Edge, ...]:
        """What a type's surface names, by target."""
        edges: dict[TypeId, Edge] = {}
        for part in merged.parts:
            place = place_of(merged, part)
            for name, count in part.facts.surface:
                found = self.resolve(name, place)
                if found.types and found.types[0].id != merged.id:
                    target, candidates = _pick(found)
                    known = edges.get(target)
                    if known is None:
                        edges[target] = Edge(target, structural=True, count=count, candidates=candidates)
                    else:
                        edges[target] = known._replace(count=known.count + count)
        return tuple(sorted(edges.values()))

    def resolve(self, name: str, place: Place) -> Found:
        """The types a dotted name may mean at a place; `@` before it asks for an attribute."""
        attribute = name[0] == "@"
        if attribute:
            name = name[1:]
        head, dot, _ = name.partition(".")
        head = head.partition("`")[0]
        table_heads = self._table.heads
        if head not in table_heads and not (attribute and head + "Attribute" in table_heads):
            if head != "global" and head not in self._aliases_of(place):
                return _NOTHING
        if attribute:
            stem, tick, arity = name.partition("`")
            found = self._look_up(stem + "Attribute" + tick + arity, place)
            return found if found.types else self._look_up(name, place)
        return self._look_up(name, place)

    # -- lookup

    def _aliases_of(self, place: Place) -> frozenset[str]:
        """Every alias that could be in force."""
        key = place.project
        known = self._aliases.get(key)
        if known is None:
            known = frozenset(using.alias for using in self._usings.get(key, ()) if using.alias)
            self._aliases[key] = known
        local = {using.alias for scope in place.scopes for using in scope.usings if using.alias}
        return known | local if local else known

    def _look_up(self, name: str, place: Place) -> Found:
        key = (place.project, id(place.scopes), place.scope, place.fqn, name)
        found = self._inside.get(key)
        if found is None:
            self._kept[id(place.scopes)] = place.scopes
            found = self._find(name, place, anywhere=False)
            if not found.types:
                found = self._find(name, place, anywhere=True)._replace(sure=False)
            self._inside[key] = found
        return found

    def _find(self, name: str, place: Place, *, anywhere: bool) -> Found:
        segments = name.split(".")
        container = place.fqn
        while container:
            found = self._find_nested(container, segments[0], place.project, anywhere=anywhere)
            if found:
                return Found(self._descend(found, segments[1:], place.project, anywhere=anywhere), sure=True)
            container = container.rpartition("+")[0]
        return self._find_outside(segments, place, anywhere=anywhere)

    def _find_outside(self, segments: list[str], place: Place, *, anywhere: bool) -> Found:
        if segments[0] == "global":
            return Found(self._qualify("", segments[1:], place.project, anywhere=anywhere), sure=True)
        index = place.scope
        while index >= 0:
            scope = place.scopes[index]
            floor = place.scopes[scope.parent].namespace if scope.parent >= 0 else ""
            level, usings = scope.namespace, scope.usings
            while True:
                found = self._qualify(level, segments, place.project, anywhere=anywhere)
                if found:
                    return Found(found, sure=True)
                if index == 0:
                    usings = (*usings, *self._usings.get(place.project, ()))
                found = self._import(usings, segments, place, anywhere=anywhere)
                if found:
                    return Found(found, sure=True)
                if level == floor or not level:
                    break
                level, usings = level.rpartition(".")[0], _NO_USINGS
                if level == floor and index > 0:
                    break
            index = scope.parent
        return _NOTHING

    def _qualify(self, namespace: str, segments: list[str], project: str, *, anywhere: bool) -> tuple[Declared, ...]:
        """Types that the segments name, starting from a namespace."""
        table, prefix = self._table, namespace
        for place, segment in enumerate(segments):
            fqn = f"{prefix}.{segment}" if prefix else segment
            found = table.find(fqn, project, anywhere=anywhere)
            if found:
                return self._descend(found, segments[place + 1 :], project, anywhere=anywhere)
            if fqn not in table.namespaces:
                return ()
            prefix = fqn
        return ()

    def _import(
        self, usings: Iterable[Using], segments: list[str], place: Place, *, anywhere: bool
    ) -> tuple[Declared, ...]:
        """Types that using directives bring in; several where they disagree."""
        found: dict[TypeId, Declared] = {}
        head, rest = segments[0], segments[1:]
        for using in usings:
            if using.alias:
                if using.alias == head.partition("`")[0]:
                    return self._follow_alias(using, rest, place, anywhere=anywhere)
            elif using.static:
                for owner in self._qualify("", _split_target(using.target), place.project, anywhere=anywhere):
                    nested = self._find_nested(owner.fqn, head, place.project, anywhere=anywhere)
                    found.update((declared.id, declared) for declared in nested)
            else:
                fqn = f"{using.target.removeprefix('global::')}.{head}"
                found.update((d.id, d) for d in self._table.find(fqn, place.project, anywhere=anywhere))
        return self._descend(tuple(found.values()), rest, place.project, anywhere=anywhere) if found else ()

    def _follow_alias(self, using: Using, rest: list[str], place: Place, *, anywhere: bool) -> tuple[Declared, ...]:
        target = _split_target(using.target)
        return self._qualify("", [*target, *rest], place.project, anywhere=anywhere)

    def _find_nested(self, container: str, segment: str, project: str, *, anywhere: bool) -> tuple[Declared, ...]:
        """Types of that name in a type or in what it inherits; the type itself answers to its own name."""
        table = self._table
        if container.rpartition("+")[2].rpartition(".")[2] == segment and "+" not in container:
            own = table.find(container, project, anywhere=anywhere)
            if own:
                return own
        found = table.find(f"{container}+{segment}", project, anywhere=anywhere)
        if found:
            return found
        seen: set[str] = set()
        pending = [
            base for declared in table.find(container, project, anywhere=True) for base in self._bases_of(declared)
        ]
        while pending and len(seen) < _MAX_BASES:
            base = pending.pop()
            if base.fqn in seen:
                continue
            seen.add(base.fqn)
            found = table.find(f"{base.fqn}+{segment}", project, anywhere=anywhere)
            if found:
                return found
            pending.extend(self._bases_of(base))
        return ()

    def _descend(
        self, found: tuple[Declared, ...], rest: list[str], project: str, *, anywhere: bool
    ) -> tuple[Declared, ...]:
        """The deepest type that the rest of a dotted name reaches; what follows it are members."""
        for segment in rest:
            deeper = tuple(
                inner
                for outer in found
                for inner in self._find_nested(outer.fqn, segment, project, anywhere=anywhere)
                if inner.fqn != outer.fqn
            )
            if not deeper:
                break
            found = deeper
        return found

    def _bases_of(self, declared: Declared) -> tuple[Declared, ...]:
        known = self._bases.get(declared.id)
        if known is None:
            self._bases[declared.id] = ()  # while its own bases are looked up, it inherits nothing
            merged = self._types.get(declared.id)
            known = tuple(self._iter_bases(merged)) if merged is not None and merged.kind != "enum" else ()
            self._bases[declared.id] = known
        return known

    def _iter_bases(self, merged: CSharpType) -> Iterator[Declared]:
        for part in merged.parts:
            place = place_of(merged, part)._replace(fqn=merged.container)
            for base in part.facts.bases:
                yield from self.resolve(name_of_base(base), place).types


def place_of(merged: CSharpType, part: Part) -> Place:
    """Where the names of a part stand."""
    return Place(merged.project, part.scopes, part.facts.scope, merged.fqn)


def name_of_base(text: str) -> str:
    """The looked-up form of a type as written: `Ns.Base<A, B<C>>` gives ``Ns.Base`2``."""
    head, angle, rest = text.partition("<")
    head = head.replace("::", ".").replace("@", "").strip("? ")
    if not angle:
        return head
    depth, commas = 0, 0
    for sign in rest.rpartition(">")[0]:
        if sign in "<([":
            depth += 1
        elif sign in ">)]":
            depth -= 1
        elif sign == "," and depth == 0:
            commas += 1
    return f"{head}`{commas + 1}"


def _split_target(target: str) -> list[str]:
    return name_of_base(target).removeprefix("global.").split(".")


def _pick(found: Found) -> tuple[TypeId, tuple[TypeId, ...]]:
    """The target, and every candidate where there is doubt."""
    ids = tuple(sorted(declared.id for declared in found.types))
    target = found.types[0].id
    return target, ids if found.sure and len(ids) == 1 else (target, *(i for i in ids if i != target))


def collect_usings(
    projects: Sequence[Project], files: Mapping[str, Sequence[tuple[Scope, ...]]]
) -> dict[str, tuple[Using, ...]]:
    """Each project's global usings: those its project file gives and those its sources declare.

    Args:
        projects: All projects.
        files: For each project's path, the scopes of its files.
    """
    out: dict[str, tuple[Using, ...]] = {}
    for project in projects:
        declared = [u for scopes in files.get(project.path, ()) for u in scopes[0].usings if u.everywhere]
        out[project.path] = (*map(_read_project_using, project.usings), *declared)
    return out


def _read_project_using(text: str) -> Using:
    from codecortex.model.facts import Using as MakeUsing  # noqa: PLC0415

    alias, equals, target = text.partition(" = ")
    if equals:
        return MakeUsing(target.strip(), alias.strip())
    static = text.startswith("static ")
    return MakeUsing(text.removeprefix("static "), static=static)
