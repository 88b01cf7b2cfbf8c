"""Rows and long texts in; what questions are answered from out: a tree's types and members, and what names what.

The members and the documentation of a large tree are millions of characters that few questions need. They are kept as
one text each, a line to a member, loaded and searched only when asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from codecortex.model.types import cut_simple_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.model.types import TypeId

_TAB = "\t"


class TypeEntry(NamedTuple):
    """One type.

    Attributes:
        id: Its id.
        fqn: Its metadata name.
        display: Its name as a reader writes it, with its own type parameters: `Ns.Outer<T>.Inner<TKey>`.
        kind: See `TypeKind`.
        accessibility: As seen from outside: the narrowest of its own and its containers'.
        project: Path of its project; empty for the implicit one.
        assembly: What that project builds.
        owner: What tells it from others of its name: the project, or the file of a file-local type.
        files: Paths of its parts, sorted as in the index.
        tags: Its modifiers and the simple names of its attributes, joined by blanks.
    """

    id: TypeId
    fqn: str
    display: str
    kind: str
    accessibility: str
    project: str
    assembly: str
    owner: str
    files: tuple[str, ...]
    tags: str

    @property
    def simple_name(self) -> str:
        """Its own name without namespace, containers and arity."""
        return cut_simple_name(self.fqn)

    @property
    def namespace(self) -> str:
        """Its namespace; empty for the global one."""
        return self.fqn.partition("+")[0].rpartition(".")[0]


class MemberEntry(NamedTuple):
    """One member, as far as it takes to find it; `number` is its place among its type's members.

    Attributes:
        type_id: The type that declares it.
        number: Index into `CSharpType.members` of that type.
        name: See `MemberFacts.name`; `.ctor` and `.cctor` for constructors.
        kind: See `MemberKind`.
        accessibility: Its own.
        arity: Type parameters of its own.
        type: Return, field or property type as written.
        parameters: Parameter types with their modifiers, joined by commas.
        receiver: The receiver of an extension block, or empty.
        explicit_interface: The interface of an explicit implementation, or empty.
    """

    type_id: TypeId
    number: int
    name: str
    kind: str
    accessibility: str
    arity: int
    type: str
    parameters: str
    receiver: str
    explicit_interface: str


class Lines(NamedTuple):
    """Lines of text about types: those of the n-th type begin at character `starts[n]`; one more start ends the last.

    A line about a member holds, between tabs: name, kind, accessibility, arity, type, parameters, receiver, explicit
    interface. One of documentation holds the number of the member, or nothing for the type itself, and the text.
    """

    text: str
    starts: Sequence[int]

    def at(self, number: int) -> list[str]:
        """The lines of the n-th type."""
        return self.text[self.starts[number] : self.starts[number + 1]].splitlines()

    def owner(self, position: int) -> int:
        """The number of the type that the character at a position belongs to."""
        return bisect_right(self.starts, position) - 1


class Catalog:
    """The types and members of one tree.

    Args:
        digest: Stands for everything the catalog depends on.
        types: Every type, sorted by id.
        load_members: The lines about members.
        load_docs: The lines of documentation.
    """

    def __init__(
        self,
        digest: str,
        types: tuple[TypeEntry, ...],
        load_members: Callable[[], Lines],
        load_docs: Callable[[], Lines],
    ) -> None:
        self.digest = digest
        self.types = types
        self._load_members = load_members
        self._load_docs = load_docs

    @cached_property
    def by_id(self) -> Mapping[TypeId, TypeEntry]:
        """Every type by its id."""
        return {entry.id: entry for entry in self.types}

    @cached_property
    def numbers(self) -> Mapping[TypeId, int]:
        """The place of each type among `types`."""
        return {entry.id: number for number, entry in enumerate(self.types)}

    @cached_property
    def by_simple_name(self) -> Mapping[str, Sequence[TypeEntry]]:
        """The types of each simple name in lower case."""
        found: dict[str, list[TypeEntry]] = {}
        for entry in self.types:
            found.setdefault(entry.simple_name.lower(), []).append(entry)
        return found

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """Every namespace that holds a type or another namespace."""
        found: set[str] = set()
        for name in {entry.namespace for entry in self.types}:
            rest = name
            while rest and rest not in found:
                found.add(rest)
                rest = rest.rpartition(".")[0]
        return frozenset(found)

    @cached_property
    def member_lines(self) -> Lines:
        """What stands of members; see `Lines`."""
        return self._load_members()

    @cached_property
    def doc_lines(self) -> Lines:
        """What stands of documentation; see `Lines`."""
        return self._load_docs()

    @cached_property
    def member_names(self) -> Sequence[str]:
        """The name of every member, each once, sorted."""
        return sorted({line.partition(_TAB)[0] for line in self.member_lines.text.splitlines()})

    def members_of(self, type_id: TypeId) -> tuple[MemberEntry, ...]:
        """The members of a type, in canonical order, the compiler's own included."""
        lines = self.member_lines.at(self.numbers[type_id])
        return tuple(_read_member(type_id, number, line) for number, line in enumerate(lines))

    def find_members(self, name: str) -> Iterator[MemberEntry]:
        """The members of a name, as written, in order of their types' ids."""
        lines, wanted = self.member_lines, f"{name}{_TAB}"
        at = lines.text.find(wanted)
        while at >= 0:
            if at == 0 or lines.text[at - 1] == "\n":
                number = lines.owner(at)
                place = lines.text.count("\n", lines.starts[number], at)
                yield _read_member(self.types[number].id, place, lines.text[at : lines.text.index("\n", at)])
            at = lines.text.find(wanted, at + 1)

    def docs_of(self, type_id: TypeId) -> Mapping[int, str]:
        """The documentation of a type, under -1, and of its members by number; each on one line."""
        rows = (line.split(_TAB, 1) for line in self.doc_lines.at(self.numbers[type_id]))
        return {int(number) if number else -1: text for number, text in rows}


def write_member_line(entry: MemberEntry) -> str:
    """The line of a member."""
    return _TAB.join([str(value) for value in entry[2:]]) + "\n"


def _read_member(type_id: TypeId, number: int, line: str) -> MemberEntry:
    name, kind, accessibility, arity, *rest = line.split(_TAB)
    return MemberEntry(type_id, number, name, kind, accessibility, int(arity), *rest)


class Dependency(NamedTuple):
    """That a type names another.

    Attributes:
        target: The type named.
        structural: Whether its surface names it.
        base: Whether its base list does.
        exact: Whether the name means that type for certain.
        count: How often its surface names it.
    """

    target: TypeId
    structural: bool
    base: bool
    exact: bool
    count: int  # type: ignore[assignment]  # nobody counts in a dependency


class Graph:
    """What the types of a tree name.

    Args:
        digest: Stands for everything the graph depends on.
        ids: Every type, sorted.
        edges: For each of them what it names, sorted by target: number of the target, bits, count.
        links: For each of them what its outline names: base types, dependencies, as a reader writes them.
        depths: For each of them the steps to the nearest type that depends on nothing; see `measure_depth`.
        components: For each of them the number of its strongly connected component.
    """

    STRUCTURAL, BASE, EXACT = 1, 2, 4

    def __init__(
        self,
        digest: str,
        ids: tuple[TypeId, ...],
        edges: Sequence[Sequence[tuple[int, int, int]]],
        links: Sequence[tuple[tuple[str, ...], tuple[str, ...]]],
        measures: tuple[Sequence[int], Sequence[int]],
    ) -> None:
        self.digest = digest
        self.ids = ids
        self._edges = edges
        self._links = links
        self._depths, self._components = measures

    @cached_property
    def _numbers(self) -> Mapping[TypeId, int]:
        return {type_id: number for number, type_id in enumerate(self.ids)}

    @cached_property
    def _dependents(self) -> Sequence[Sequence[int]]:
        found: list[list[int]] = [[] for _ in self.ids]
        for number, edges in enumerate(self._edges):
            for target, _, _ in edges:
                found[target].append(number)
        return found

    @cached_property
    def _members_of_component(self) -> Mapping[int, Sequence[int]]:
        found: dict[int, list[int]] = {}
        for number, component in enumerate(self._components):
            found.setdefault(component, []).append(number)
        return found

    def dependencies_of(self, type_id: TypeId) -> tuple[Dependency, ...]:
        """What a type names, through its surface or its bodies, sorted by id."""
        return tuple(
            Dependency(
                self.ids[target], bool(bits & self.STRUCTURAL), bool(bits & self.BASE), bool(bits & self.EXACT), count
            )
            for target, bits, count in self._edges[self._numbers[type_id]]
        )

    def dependents_of(self, type_id: TypeId) -> tuple[TypeId, ...]:
        """The types that name one, sorted by id."""
        return tuple(self.ids[number] for number in self._dependents[self._numbers[type_id]])

    def links_of(self, type_id: TypeId) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What the outline of a type names: base types, dependencies."""
        return self._links[self._numbers[type_id]]

    def fan_in_of(self, type_id: TypeId) -> int:
        """How many types name one."""
        return len(self._dependents[self._numbers[type_id]])

    def depth_of(self, type_id: TypeId) -> int:
        """Steps to the nearest type that depends on nothing."""
        return self._depths[self._numbers[type_id]]

    def component_of(self, type_id: TypeId) -> tuple[TypeId, ...]:
        """The types that depend on each other with one, itself included, sorted by id."""
        own = self._components[self._numbers[type_id]]
        return tuple(self.ids[number] for number in self._members_of_component[own])
