"""The definitions of referenced assemblies, each made when it is asked for."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol

from codecortex.analysis.binding.references.type_text import TypeReader
from codecortex.analysis.binding.types.symbols import (
    BY_REFERENCE,
    MODES,
    UNKNOWN,
    Bases,
    Member,
    MemberKind,
    Parameter,
    Signature,
    TypeDefinition,
    TypeKind,
    TypeParameter,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.metadata import MemberRow, ParameterRow, TypeParameterRow, TypeRow

_MEMBER_KINDS = {
    "method": MemberKind.METHOD,
    "field": MemberKind.FIELD,
    "property": MemberKind.PROPERTY,
    "event": MemberKind.EVENT,
}
_FLAGS = frozenset(("class", "struct", "notnull", "new", "unmanaged"))
_ALLOWS = "allows ref struct"
_NO_TYPES = _FLAGS | {_ALLOWS}
_SECOND = "#"  # before the number of a type whose full name another assembly declares too


class DeclaredType(Protocol):
    """A type as an index has it."""

    @property
    def row(self) -> TypeRow:
        """The type without its members."""

    def members(self, name: str) -> Iterator[MemberRow]:
        """The members of a name."""


class Assemblies(Protocol):
    """An index of assemblies."""

    @property
    def extensions(self) -> Mapping[str, Sequence[str]]:
        """The classes that declare an extension method of each name."""

    @property
    def namespaces(self) -> frozenset[str]:
        """The namespaces in which types lie."""

    def names(self, namespace: str) -> Collection[str]:
        """The types of a namespace that lie in no other type, such as ``List`1``."""

    def find_inner(self, namespace: str, name: str) -> Sequence[str]:
        """The types within one at any depth, as `.SpecialFolder`."""

    def find_type(self, namespace: str, name: str, inner: str = "") -> DeclaredType | None:
        """A type."""

    def writes(self, names: Sequence[str]) -> bool:
        """Whether one of some names is written anywhere: of a namespace, a type, a member or a parameter."""


class References:
    """What several indexes declare, seen as one.

    A type is the same for all projects, so that they understand each other's signatures; which types a project can
    name is told by the assemblies that it references itself.
    """

    def __init__(self, indexes: Sequence[Assemblies], seen: Mapping[str, Sequence[Assemblies]] | None = None) -> None:
        """Make it.

        Args:
            indexes: The indexes; of two that declare a type the first counts.
            seen: Those that a project references, by its path; projects that are not named reference all.
        """
        self._indexes = indexes
        self._seen = seen or {}
        self._definitions: dict[str, MetadataDefinition | None] = {}
        self._spaces: dict[str, dict[str, list[str]]] = {}
        self._named: dict[tuple[str, str], list[TypeDefinition]] = {}
        self._visible: dict[tuple[str, str], frozenset[str]] = {}
        self._namespaces: dict[str, frozenset[str]] = {}

    def has_namespace(self, namespace: str, project: str) -> bool:
        """Whether a project sees a namespace, be it one in which only other ones lie."""
        known = self._namespaces.get(project)
        if known is None:
            known = self._namespaces[project] = _list_namespaces(self._seen.get(project, self._indexes))
        return namespace in known

    def sees(self, definition: TypeDefinition, project: str) -> bool:
        """Whether a project can name a type that lies in no other one."""
        if project not in self._seen:
            return True
        key = (project, definition.namespace)
        known = self._visible.get(key)
        if known is None:
            names = (index.names(definition.namespace) for index in self._seen[project])
            known = self._visible[key] = frozenset().union(*names)
        return (f"{definition.name}`{definition.arity}" if definition.arity else definition.name) in known

    def types_named(self, namespace: str, name: str, project: str) -> Sequence[TypeDefinition]:
        """The types of a namespace with a simple name, of any arity, that a project sees."""
        found = self._all_named(namespace, name)
        return [each for each in found if self.sees(each, project)] if self._seen else found

    @cached_property
    def _with_namespace(self) -> Mapping[str, Sequence[Assemblies]]:
        found: dict[str, list[Assemblies]] = {}
        for index in self._indexes:
            for each in index.namespaces:
                found.setdefault(each, []).append(index)
        return found

    def _all_named(self, namespace: str, name: str) -> list[TypeDefinition]:
        key = (namespace, name)
        known = self._named.get(key)
        if known is None:
            known = self._named[key] = self._find_named(namespace, name)
        return known

    def _find_named(self, namespace: str, name: str) -> list[TypeDefinition]:
        front = f"{namespace}." if namespace else ""
        found = (self.find(front + each) for each in self._open_namespace(namespace).get(name, ()))
        return [each for each in found if each is not None]

    def names_in(self, namespace: str) -> AbstractSet[str]:
        """The simple names of the types of a namespace."""
        return self._open_namespace(namespace).keys()

    def _open_namespace(self, namespace: str) -> Mapping[str, Sequence[str]]:
        """The types of a namespace with their arities, by their simple names."""
        space = self._spaces.get(namespace)
        if space is None:
            space = self._spaces[namespace] = {}
            for index in self._with_namespace.get(namespace, ()):
                for each in sorted(index.names(namespace)):
                    known = space.setdefault(each.partition("`")[0], [])
                    known += [each] if each not in known and _SECOND not in each else []
        return space

    def find(self, name: str) -> TypeDefinition | None:
        """The definition of an id without `T:`."""
        if name not in self._definitions:
            self._definitions[name] = None
            self._definitions[name] = self._locate(name)
        return self._definitions[name]

    def _locate(self, name: str) -> MetadataDefinition | None:
        namespace, _, outer = name.rpartition(".")
        inner = ""
        while True:
            for index in self._with_namespace.get(namespace, ()):
                if outer in index.names(namespace):
                    declared = index.find_type(namespace, outer, inner)
                    if declared is not None:
                        return self._define(index, declared, (namespace, outer, inner))
            if not namespace:
                return None
            inner = f".{outer}{inner}"
            namespace, _, outer = namespace.rpartition(".")

    def _define(self, index: Assemblies, declared: DeclaredType, place: tuple[str, str, str]) -> MetadataDefinition:
        namespace, outer, inner = place
        full = (f"{namespace}." if namespace else "") + outer + inner
        container = self.find(full.rpartition(".")[0]) if inner else None
        return MetadataDefinition(self, declared, namespace, container, _list_inner(index, place))

    def find_extensions(self, name: str) -> list[Member]:
        """The extension methods of a name, of all static classes."""
        found: list[Member] = []
        for index in self._indexes:
            for each in index.extensions.get(name, ()):
                owner = self.find(each)
                if owner is not None:
                    found += [member for member in owner.members(name) if member.is_extension and member not in found]
        return found

    def writes(self, names: Sequence[str]) -> bool:
        """Whether one of some names is written anywhere: of a namespace, a type, a member or a parameter."""
        return any(index.writes(names) for index in self._indexes)

    @cached_property
    def extension_names(self) -> frozenset[str]:
        """The names of all extension methods."""
        return frozenset(name for index in self._indexes for name in index.extensions)


def _list_namespaces(indexes: Iterable[Assemblies]) -> frozenset[str]:
    """All namespaces, those included in which only other ones lie."""
    found: set[str] = set()
    for index in indexes:
        for each in index.namespaces:
            namespace = each
            while namespace and namespace not in found:
                found.add(namespace)
                namespace = namespace.rpartition(".")[0]
    return frozenset(found)


def _list_inner(index: Assemblies, place: tuple[str, str, str]) -> list[str]:
    """The names of the types directly within a type."""
    namespace, outer, inner = place
    front = f"{inner}."
    found = (each.removeprefix(front) for each in index.find_inner(namespace, outer) if each.startswith(front))
    return [each for each in found if "." not in each and "<" not in each]


class MetadataDefinition(TypeDefinition):
    """A type that an assembly declares."""

    def __init__(
        self,
        references: References,
        declared: DeclaredType,
        namespace: str,
        container: TypeDefinition | None,
        inner: Iterable[str],
    ) -> None:
        row = declared.row
        name, _, arity = row.id.rpartition(".")[2].partition(_SECOND)[0].partition("`")
        super().__init__(namespace, name.removeprefix("T:"), int(arity or 0), TypeKind(row.kind), container)
        self._references = references
        self._declared = declared
        self._inner: dict[str, list[str]] = {}
        for each in inner:
            self._inner.setdefault(each.partition("`")[0], []).append(each)
        self._nested: dict[str, list[TypeDefinition]] = {}
        self._members: dict[str, tuple[Member, ...]] = {}
        self._indexer = dict(row.notes).get("indexer", "")
        self.access = row.access
        self.is_static, self.is_abstract = "static" in row.words, "abstract" in row.words
        self.is_sealed, self.is_record = "sealed" in row.words, "record" in row.words
        self.is_handler, self.is_ref = "handler" in row.words, "ref" in row.words
        self.builder = any(name == "builder" for name, _ in row.notes)

    def _reader(self, method: Sequence[TypeParameter] = ()) -> TypeReader:
        return TypeReader(self._references.find, self.parameters, method)

    def make_parameters(self) -> tuple[TypeParameter, ...]:
        """The type parameters, those of the types around it first."""
        around = self.container.parameters if self.container is not None else ()
        own = _make_parameters(self._declared.row.type_parameters, len(around), of_method=False)
        for parameter, row in zip(own, self._declared.row.type_parameters, strict=True):
            parameter.constrain(partial(self._read_all, row.constraints))
        return (*around, *own)

    def _read_all(self, constraints: Iterable[str]) -> tuple[Type, ...]:
        reader = self._reader()
        return tuple(reader.read(text) for text in constraints if text not in _NO_TYPES)

    def make_bases(self) -> Bases:
        """What it inherits. An interface that no assembly shows is internal: all that it inherits is listed, too."""
        row, reader = self._declared.row, self._reader()
        interfaces = tuple(map(reader.read, row.interfaces))
        base = reader.read(row.base) if row.base else None
        return Bases(base, tuple(each for each in interfaces if each is not UNKNOWN))

    def find_underlying(self) -> Type | None:
        """The type of an enum's values; None of other types."""
        written = next((text for note, text in self._declared.row.notes if note == "underlying"), None)
        return self._reader().read(written) if written is not None else None

    def nested(self, name: str) -> Sequence[TypeDefinition]:
        """The nested types of a name."""
        if name not in self._inner:
            return ()
        known = self._nested.get(name)
        if known is None:
            found = (self._references.find(f"{self.id}.{inner}") for inner in self._inner[name])
            known = self._nested[name] = [each for each in found if each is not None]
        return known

    def members(self, name: str) -> Sequence[Member]:
        """The members of a name."""
        known = self._members.get(name)
        if known is None:
            known = self._members[name] = tuple(self._make_members(name))
        return known

    def _make_members(self, name: str) -> Iterator[Member]:
        if name == "this[]":
            rows = self._declared.members(self._indexer) if self._indexer else iter(())
            yield from (self._make_member(name, row) for row in rows if row.kind == "property" and row.parameters)
            return
        for row in self._declared.members("#ctor" if name == ".ctor" else name):
            if row.kind != "property" or not row.parameters or row.name != self._indexer:
                yield self._make_member(name, row)

    def _make_member(self, name: str, row: MemberRow) -> Member:
        kind = _MEMBER_KINDS[row.kind]
        if name == "this[]":
            kind = MemberKind.INDEXER
        elif name == ".ctor":
            kind = MemberKind.CONSTRUCTOR
        elif "operator" in row.words:
            kind = MemberKind.OPERATOR
        own = _make_parameters(row.type_parameters, 0, of_method=True)
        member = Member(name, kind, self, partial(self._read_signature, row, own))
        member.access = row.access
        member.modifiers = frozenset(row.words)
        member.is_static = "static" in row.words
        member.is_extension = "this" in row.words
        member.id = row.id
        member.priority = next((int(value) for note, value in row.notes if note == "priority"), 0)
        reader = self._reader(own)
        for parameter, each in zip(own, row.type_parameters, strict=True):
            types = [text for text in each.constraints if text not in _NO_TYPES]
            parameter.constrain(partial(_read_each, reader, types))
        member.type_parameters = own
        return member

    def _read_signature(self, row: MemberRow, own: Sequence[TypeParameter]) -> Signature:
        reader = self._reader(own)
        first = 0 if "this" in row.words else -1
        parameters = (_read_parameter(each, reader, this=at == first) for at, each in enumerate(row.parameters))
        return Signature(tuple(parameters), reader.read(row.type))


def _read_each(reader: TypeReader, texts: Iterable[str]) -> tuple[Type, ...]:
    return tuple(map(reader.read, texts))


def _make_parameters(rows: Sequence[TypeParameterRow], first: int, *, of_method: bool) -> tuple[TypeParameter, ...]:
    made = []
    for index, row in enumerate(rows, first):
        parameter = TypeParameter(row.name, index, of_method=of_method, variance=row.variance)
        parameter.flags.update(_FLAGS.intersection(row.constraints))
        parameter.flags.update((BY_REFERENCE,) if _ALLOWS in row.constraints else ())
        made.append(parameter)
    return tuple(made)


def _read_parameter(row: ParameterRow, reader: TypeReader, *, this: bool) -> Parameter:
    mode = next((word for word in row.words if word in MODES), "")
    if "refreadonly" in row.words:
        mode = "in"
    return Parameter(row.name, reader.read(row.type), mode, "optional" in row.words, "params" in row.words, this)
