"""The two structures that queries run on: the catalog (types and members of a tree) and the graph (their references).

The members and the documentation of a large tree are millions of characters that few questions need. They are kept as
one text each, one line per member, loaded and searched only when asked for.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.model.code.spellings import Spellings
from codecortex.model.code.types import cut_namespace, cut_own_name, cut_simple_name, list_namespaces
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from codecortex.model.code.types import TypeId

_TAB = "\t"
_TABS = 7
_FOLDED = str.maketrans({"\t": " ", "\n": " ", "\r": " "})
_LOWERED = str.maketrans({"\u0130": "i", "\u03c2": "\u03c3", "\u03a3": "\u03c3"})
"""Maps the letters whose lower case is two characters (dotted I) or depends on what follows (sigma)."""


class TypeEntry(NamedTuple):
    """One type.

    Attributes:
        id: Its TypeId.
        fqn: Its FQN (metadata name).
        display: Its name in C# syntax, with its own type parameters: `Ns.Outer<T>.Inner<TKey>`.
        kind: See `TypeKind`.
        accessibility: The effective one: the narrowest of its own and its containers'.
        project: Path of its project; empty for the implicit one.
        assembly: The assembly that project builds.
        owner: What tells it from other types of the same FQN: the project, or the file of a file-local type.
        files: Paths of its parts, sorted as in the index.
        tags: Its modifiers and the simple names of its attributes, separated by spaces.
        test: Whether it is test code.
        generated: Whether generated code alone declares it.
        bases: Of a record, the simple names in its base list, separated by spaces.
        inherited: Of a record, the positions without a property, because a base has it; separated by spaces.
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
    generated: bool = False
    bases: str = ""
    inherited: str = ""

    @property
    def simple_name(self) -> str:
        """Its own name without namespace, containers and arity."""
        return cut_simple_name(self.fqn)

    @property
    def namespace(self) -> str:
        """Its namespace; empty for the global one."""
        return cut_namespace(self.fqn)


class MemberEntry(NamedTuple):
    """One member: the fields needed to find it. `number` is its position among its type's members.

    Attributes:
        type_id: The type that declares it.
        number: Index into `CSharpType.members` of that type.
        name: See `MemberFacts.name`; `.ctor` and `.cctor` for constructors.
        kind: See `MemberKind`.
        accessibility: Its own.
        arity: Number of its own type parameters.
        type: Return, field or property type as written.
        parameters: Parameter types with their modifiers, separated by commas.
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
    """Lines of text about types: those of the n-th type begin at character `starts[n]`; an extra last start is the end.

    A member line has tab-separated fields: name, kind, accessibility, arity, type, parameters, receiver, explicit
    interface. A documentation line has the number of the member, or nothing for the type itself, and the text.
    """

    text: str
    starts: Sequence[int]

    def at(self, number: int) -> list[str]:
        """The lines of the n-th type."""
        return self.block(number).split("\n")[:-1]  # `splitlines` also breaks at characters that may occur in C#

    def block(self, number: int) -> str:
        """The text of the lines of the n-th type, unsplit."""
        return self.text[self.starts[number] : self.starts[number + 1]]

    def owner(self, position: int) -> int:
        """The number of the type that the character at `position` belongs to."""
        return bisect_right(self.starts, position) - 1


def join_parts(parts: Sequence[Lines]) -> Lines:
    """The lines of all types from parts with those of some, in order."""
    if len(parts) == 1:
        return parts[0]
    starts, at = array("I", [0]), 0
    for text, own in parts:
        starts.extend([at + start for start in own[1:]])
        at += len(text)
    return Lines("".join([part.text for part in parts]), starts)


_MADE_OF_TYPES = ("by_id", "numbers", "by_simple_name", "_by_fqn", "_lower_fqns", "namespaces", "_namespaces_by_name")


class Catalog:
    """The types and members of one tree.

    Args:
        digest: A digest of everything the catalog is made from.
        types: Every type, sorted by id.
        texts: Loaders of the parts that are read on demand.
        unread: Sources that could not be read; the types they declare are missing.
    """

    def __init__(
        self, digest: str, types: tuple[TypeEntry, ...], texts: CatalogTexts, unread: frozenset[str] = frozenset()
    ) -> None:
        self.digest = digest
        self.types = types
        self.unread = unread
        self._texts = texts
        self._asked: set[str] = set()  # for what there was no table

    def take_over(self, other: Catalog) -> None:
        """Take over what another catalog made of the very same types."""
        if other.types is self.types:
            known = other.__dict__
            self.__dict__.update({name: known[name] for name in _MADE_OF_TYPES if name in known})
            self._asked |= other._asked

    def _has_table(self, name: str) -> bool:
        """Whether a table of all types may be used: it costs some searches, so that the first one does without."""
        if name in self.__dict__ or name in self._asked:
            return True
        self._asked.add(name)
        return False

    @cached_property
    def by_id(self) -> Mapping[TypeId, TypeEntry]:
        """Every type by its id."""
        return {entry.id: entry for entry in self.types}

    @cached_property
    def numbers(self) -> Mapping[TypeId, int]:
        """The position of each TypeId in `types`."""
        return {entry.id: number for number, entry in enumerate(self.types)}

    @cached_property
    def by_simple_name(self) -> Mapping[str, Sequence[TypeEntry]]:
        """The types by their simple name in lower case."""
        found: dict[str, list[TypeEntry]] = {}
        for entry in self.types:
            found.setdefault(cut_simple_name(entry.fqn).lower(), []).append(entry)
        return found

    @cached_property
    def _lower_fqns(self) -> Sequence[str]:
        return [entry.fqn.lower() for entry in self.types]

    def list_named(self, name: str) -> list[TypeEntry]:
        """The types with a simple name, given in lower case."""
        if not name.isascii() or self._has_table("by_simple_name"):  # how Σ is lowered depends on what stands beside it
            return list(self.by_simple_name.get(name, ()))
        return [
            entry
            for entry, fqn in zip(self.types, self._lower_fqns, strict=True)
            if name in fqn and cut_simple_name(entry.fqn).lower() == name
        ]

    def list_called(self, fqns: Collection[str]) -> list[TypeEntry]:
        """The types of some FQNs, in the order of types."""
        if len(fqns) == 1 and self._has_table("_by_fqn"):
            return list(self._by_fqn.get(next(iter(fqns)), ()))
        return [entry for entry in self.types if entry.fqn in fqns]

    @cached_property
    def _by_fqn(self) -> Mapping[str, Sequence[TypeEntry]]:
        found: dict[str, list[TypeEntry]] = {}
        for entry in self.types:
            found.setdefault(entry.fqn, []).append(entry)
        return found

    @cached_property
    def spelled(self) -> Spellings:
        """Names and documentation in the forms that word searches need."""
        return Spellings([entry.fqn for entry in self.types], lambda: self.member_names, self._texts.load_docs)

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """Every namespace that contains a type or another namespace."""
        return frozenset(list_namespaces(entry.fqn for entry in self.types))

    def find_namespaces(self, name: str) -> Sequence[str]:
        """Those whose last segment, in lower case, is a name; sorted."""
        if not name.isascii() or self._has_table("_namespaces_by_name"):
            return self._namespaces_by_name.get(name, ())
        inside = f"{name}."
        around = list_namespaces(e.fqn for e, fqn in zip(self.types, self._lower_fqns, strict=True) if inside in fqn)
        return sorted(each for each in around if cut_own_name(each).lower() == name)

    @cached_property
    def _namespaces_by_name(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for each in sorted(self.namespaces):
            found.setdefault(cut_own_name(each).lower(), []).append(each)
        return found

    @cached_property
    def member_lines(self) -> Lines:
        """One line per member; see `Lines`."""
        return self._texts.load_members()

    @cached_property
    def doc_lines(self) -> Lines:
        """One line per documented type or member; see `Lines`."""
        return join_parts(self._texts.load_docs())

    @cached_property
    def member_names(self) -> Sequence[str]:
        """The distinct names of all members, sorted."""
        return self._texts.load_names()

    @cached_property
    def _spellings(self) -> Mapping[str, Sequence[str]]:
        """The names of members by their case-folded form."""
        found: dict[str, list[str]] = {}
        for name in self.member_names:
            found.setdefault(fold_case(name), []).append(name)
        return found

    def members_of(self, type_id: TypeId) -> tuple[MemberEntry, ...]:
        """The members of a type, in canonical order, including those the compiler adds."""
        number, load = self.numbers[type_id], self._texts.load_members_beside
        lines, first = (self.member_lines, 0) if load is None or "member_lines" in self.__dict__ else load(number)
        return tuple(_read_member(type_id, place, line) for place, line in enumerate(lines.at(number - first)))

    def spell_member(self, name: str) -> Sequence[str]:
        """The member names that equal `name` when case is ignored, sorted."""
        return self._spellings.get(fold_case(name), ())

    def find_members(self, name: str, *, ignore_case: bool = False) -> Iterator[MemberEntry]:
        """Yield the members with this name, ordered by TypeId, then by number."""
        if ignore_case:
            found = (entry for spelling in self.spell_member(name) for entry in self.find_members(spelling))
            yield from sorted(found, key=lambda entry: entry[:2])
            return
        if not name or _TAB in name or "\n" in name:
            return  # no line begins with such a name
        lines, wanted = self.member_lines, f"{name}{_TAB}"
        at = lines.text.find(wanted)
        while at >= 0:
            if at == 0 or lines.text[at - 1] == "\n":
                number = lines.owner(at)
                place = lines.text.count("\n", lines.starts[number], at)
                yield _read_member(self.types[number].id, place, lines.text[at : lines.text.index("\n", at)])
            at = lines.text.find(wanted, at + 1)

    def docs_of(self, type_id: TypeId) -> Mapping[int, str]:
        """The documentation of a type (key -1) and of its members (by number), each on one line."""
        rows = (line.split(_TAB, 1) for line in self.doc_lines.at(self.numbers[type_id]))
        return {int(number) if number else -1: text for number, text in rows}


class CatalogTexts(NamedTuple):
    """Loaders of the large texts of a catalog; each is called at most once, unless it says otherwise.

    Attributes:
        load_members: Returns `Catalog.member_lines`.
        load_docs: Returns `Catalog.doc_lines` in parts.
        load_names: Returns the distinct names of all members, sorted.
        load_members_beside: Returns the part of `Catalog.member_lines` with the n-th type, and the number of the first
            type there; called as often as wanted. None where all are in memory.
    """

    load_members: Callable[[], Lines]
    load_docs: Callable[[], Sequence[Lines]]
    load_names: Callable[[], Sequence[str]]
    load_members_beside: Callable[[int], tuple[Lines, int]] | None = None


def fold_case(name: str) -> str:
    """A name with its case removed, character by character: unlike with `lower`, the neighbours have no influence."""
    return name.translate(_LOWERED).lower() if not name.isascii() else name.lower()


def write_member_line(fields: Sequence[str]) -> str:
    """The line of a member for `Lines`, of the fields of its entry from `name` on.

    Tabs and line breaks inside a field become spaces.
    """
    line = _TAB.join(fields)
    if line.count(_TAB) != _TABS or "\n" in line or "\r" in line:
        line = _TAB.join([value.translate(_FOLDED) for value in fields])
    return line + "\n"


def _read_member(type_id: TypeId, number: int, line: str) -> MemberEntry:
    name, kind, accessibility, arity, *rest = line.split(_TAB)
    return MemberEntry(type_id, number, name, kind, accessibility, int(arity), *rest)


class Dependency(NamedTuple):
    """A reference from one type to another.

    Attributes:
        target: The type referenced.
        structural: Whether the surface references it.
        base: Whether the base list references it.
        exact: Whether the name certainly means that type.
        count: How often the surface references it.
    """

    target: TypeId
    structural: bool
    base: bool
    exact: bool
    count: int  # type: ignore[assignment]  # hides `tuple.count`, which nobody calls here


class Edges(NamedTuple):
    """The references of all types, in columns: those of the n-th type are at `starts[n]` to `starts[n + 1]`.

    Attributes:
        starts: One entry per type, and the end.
        targets: Number of the referenced type, ascending within a type.
        bits: Flags; see the constants of `Graph`.
        counts: How often the surface references it.
    """

    starts: Sequence[int]
    targets: Sequence[int]
    bits: Sequence[int]
    counts: Sequence[int]


Links = tuple[tuple[str, ...], tuple[str, ...]]
"""The names that an outline lists, in C# syntax: base types, dependencies."""


class Graph:
    """Which types reference which.

    Args:
        digest: A digest of everything the graph is made from.
        ids: Every TypeId, sorted.
        edges: The references.
        measures: For each type the steps to the nearest type that depends on nothing, see `measure_depth`, and the
            number of its strongly connected component.
        load_links: Returns the links of each type's outline.
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

    def take_over(self, other: Graph) -> None:
        """Take over what another graph made of the very same ids."""
        if other.ids is self.ids and "_numbers" in other.__dict__:
            self.__dict__["_numbers"] = other._numbers

    @cached_property
    def links(self) -> Sequence[Links]:
        """The links of each type's outline, in the order of `ids`."""
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
        """The types that a type references in its surface or its bodies, sorted by id."""
        number = self._numbers[type_id]
        span = slice(self.edges.starts[number], self.edges.starts[number + 1])
        _, targets, bits, counts = self.edges
        return tuple(
            Dependency(self.ids[target], bool(b & self.STRUCTURAL), bool(b & self.BASE), bool(b & self.EXACT), count)
            for target, b, count in zip(targets[span], bits[span], counts[span], strict=True)
        )

    def dependents_of(self, type_id: TypeId) -> tuple[TypeId, ...]:
        """The types that reference a type, sorted by id."""
        return tuple(self.ids[number] for number in self._dependents[self._numbers[type_id]])

    def links_of(self, type_id: TypeId) -> Links:
        """The links of a type's outline: base types, dependencies."""
        return self.links[self._numbers[type_id]]

    def fan_in_of(self, type_id: TypeId) -> int:
        """How many types reference a type."""
        return self._fan_in.get(self._numbers[type_id], 0)

    def depth_of(self, type_id: TypeId) -> int:
        """Steps from a type to the nearest type that depends on nothing."""
        return self._depths[self._numbers[type_id]]

    def component_of(self, type_id: TypeId) -> tuple[TypeId, ...]:
        """The strongly connected component of a type: the types that depend on each other, sorted by id."""
        own = self._components[self._numbers[type_id]]
        return tuple(self.ids[number] for number in self._members_of_component[own])
