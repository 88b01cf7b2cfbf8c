"""Rows and long texts in; what questions are answered from out: a tree's types and members, and what names what.

The members and the documentation of a large tree are millions of characters that few questions need. They are kept as
one text each, a line to a member, loaded and searched only when asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from codecortex.model.code.spellings import Spellings
from codecortex.model.code.types import cut_namespace, cut_simple_name, list_namespaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.model.code.types import TypeId

_TAB = "\t"
_FOLDED = str.maketrans({"\t": " ", "\n": " ", "\r": " "})
_LOWERED = str.maketrans({"\u0130": "i", "\u03c2": "\u03c3", "\u03a3": "\u03c3"})
"""A dotted I becomes two signs in lower case, and a sigma one or another by what follows it."""


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
        test: Whether it is code of tests.
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
    test: bool = False

    @property
    def simple_name(self) -> str:
        """Its own name without namespace, containers and arity."""
        return cut_simple_name(self.fqn)

    @property
    def namespace(self) -> str:
        """Its namespace; empty for the global one."""
        return cut_namespace(self.fqn)


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
        return self.block(number).split("\n")[:-1]  # `splitlines` breaks at signs that may stand in C#

    def block(self, number: int) -> str:
        """The lines of the n-th type, as they stand."""
        return self.text[self.starts[number] : self.starts[number + 1]]

    def owner(self, position: int) -> int:
        """The number of the type that the character at a position belongs to."""
        return bisect_right(self.starts, position) - 1


class Catalog:
    """The types and members of one tree.

    Args:
        digest: Stands for everything the catalog depends on.
        types: Every type, sorted by id.
        texts: Where the rest comes from when it is asked for.
        unread: Sources that gave no facts; what they declare is missing.
    """

    def __init__(
        self, digest: str, types: tuple[TypeEntry, ...], texts: CatalogTexts, unread: frozenset[str] = frozenset()
    ) -> None:
        self.digest = digest
        self.types = types
        self.unread = unread
        self._texts = texts

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
            found.setdefault(cut_simple_name(entry.fqn).lower(), []).append(entry)
        return found

    @cached_property
    def by_fqn(self) -> Mapping[str, Sequence[TypeEntry]]:
        """The types of each metadata name."""
        found: dict[str, list[TypeEntry]] = {}
        for entry in self.types:
            found.setdefault(entry.fqn, []).append(entry)
        return found

    @cached_property
    def spelled(self) -> Spellings:
        """Its names and its documentation as words are looked for in them."""
        return Spellings([entry.fqn for entry in self.types], lambda: self.member_names, lambda: self.doc_lines)

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """Every namespace that holds a type or another namespace."""
        return frozenset(list_namespaces(entry.fqn for entry in self.types))

    @cached_property
    def member_lines(self) -> Lines:
        """What stands of members; see `Lines`."""
        return self._texts.load_members()

    @cached_property
    def doc_lines(self) -> Lines:
        """What stands of documentation; see `Lines`."""
        return self._texts.load_docs()

    @cached_property
    def member_names(self) -> Sequence[str]:
        """The name of every member, each once, sorted."""
        return self._texts.load_names()

    @cached_property
    def _spellings(self) -> Mapping[str, Sequence[str]]:
        """The names of members by what is left of each where case does not count."""
        found: dict[str, list[str]] = {}
        for name in self.member_names:
            found.setdefault(fold_case(name), []).append(name)
        return found

    def members_of(self, type_id: TypeId) -> tuple[MemberEntry, ...]:
        """The members of a type, in canonical order, the compiler's own included."""
        lines = self.member_lines.at(self.numbers[type_id])
        return tuple(_read_member(type_id, number, line) for number, line in enumerate(lines))

    def spell_member(self, name: str) -> Sequence[str]:
        """The names of members that differ from one in case alone, sorted."""
        return self._spellings.get(fold_case(name), ())

    def find_members(self, name: str, *, ignore_case: bool = False) -> Iterator[MemberEntry]:
        """The members of a name, as written or in any case, in order of their types' ids and their own."""
        if ignore_case:
            found = (entry for spelling in self.spell_member(name) for entry in self.find_members(spelling))
            yield from sorted(found, key=lambda entry: entry[:2])
            return
        if not name or _TAB in name or "\n" in name:
            return  # no line begins so
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


class CatalogTexts(NamedTuple):
    """Where a catalog takes from what few questions ask for; each is called at most once.

    Attributes:
        load_members: The lines about members.
        load_docs: The lines of documentation.
        load_names: The name of every member, each once, sorted.
    """

    load_members: Callable[[], Lines]
    load_docs: Callable[[], Lines]
    load_names: Callable[[], Sequence[str]]


def fold_case(name: str) -> str:
    """A name with its case taken out, sign by sign: unlike `lower`, whatever stands around a sign."""
    return name.translate(_LOWERED).lower() if not name.isascii() else name.lower()


def write_member_line(entry: MemberEntry) -> str:
    """The line of a member; what would end a field or the line in a text as written becomes a blank."""
    fields = [str(value).translate(_FOLDED) for value in entry[2:]]
    return _TAB.join(fields) + "\n"


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


class Edges(NamedTuple):
    """What the types of a tree name, in columns: those of the n-th type stand from `starts[n]` to `starts[n + 1]`.

    Attributes:
        starts: One more than there are types.
        targets: Number of the type named, ascending within a type.
        bits: See `Graph`.
        counts: How often the surface names it.
    """

    starts: Sequence[int]
    targets: Sequence[int]
    bits: Sequence[int]
    counts: Sequence[int]


Links = tuple[tuple[str, ...], tuple[str, ...]]
"""What an outline names: base types, dependencies, as a reader writes them."""


class Graph:
    """What the types of a tree name.

    Args:
        digest: Stands for everything the graph depends on.
        ids: Every type, sorted.
        edges: What they name.
        measures: For each type the steps to the nearest that depends on nothing, see `measure_depth`, and the number
            of its strongly connected component.
        load_links: What the outline of each names.
    """

    STRUCTURAL, BASE, EXACT = 1, 2, 4

    def __init__(
        self,
        digest: str,
        ids: tuple[TypeId, ...],
        edges: Edges,
        measures: tuple[Sequence[int], Sequence[int]],
        load_links: Callable[[], Sequence[Links]],
    ) -> None:
        self.digest = digest
        self.ids = ids
        self.edges = edges
        self._depths, self._components = measures
        self._load_links = load_links

    @cached_property
    def links(self) -> Sequence[Links]:
        """What the outline of each type names, in order of `ids`."""
        return self._load_links()

    @cached_property
    def _numbers(self) -> Mapping[TypeId, int]:
        return {type_id: number for number, type_id in enumerate(self.ids)}

    @cached_property
    def _fan_in(self) -> Mapping[int, int]:
        return Counter(self.edges.targets)

    @cached_property
    def _dependents(self) -> Sequence[Sequence[int]]:
        found: list[list[int]] = [[] for _ in self.ids]
        starts, targets = self.edges.starts, self.edges.targets
        for number in range(len(self.ids)):
            for target in targets[starts[number] : starts[number + 1]]:
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
        number = self._numbers[type_id]
        span = slice(self.edges.starts[number], self.edges.starts[number + 1])
        _, targets, bits, counts = self.edges
        return tuple(
            Dependency(self.ids[target], bool(b & self.STRUCTURAL), bool(b & self.BASE), bool(b & self.EXACT), count)
            for target, b, count in zip(targets[span], bits[span], counts[span], strict=True)
        )

    def dependents_of(self, type_id: TypeId) -> tuple[TypeId, ...]:
        """The types that name one, sorted by id."""
        return tuple(self.ids[number] for number in self._dependents[self._numbers[type_id]])

    def links_of(self, type_id: TypeId) -> Links:
        """What the outline of a type names: base types, dependencies."""
        return self.links[self._numbers[type_id]]

    def fan_in_of(self, type_id: TypeId) -> int:
        """How many types name one."""
        return self._fan_in.get(self._numbers[type_id], 0)

    def depth_of(self, type_id: TypeId) -> int:
        """Steps to the nearest type that depends on nothing."""
        return self._depths[self._numbers[type_id]]

    def component_of(self, type_id: TypeId) -> tuple[TypeId, ...]:
        """The types that depend on each other with one, itself included, sorted by id."""
        own = self._components[self._numbers[type_id]]
        return tuple(self.ids[number] for number in self._members_of_component[own])
