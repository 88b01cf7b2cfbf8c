"""Finds what calls a member, or what it calls, some steps far, and which calls another member may answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.ancestors import derives_from
from codecortex.analysis.binding.types.ids import id_of_symbol, write_type
from codecortex.analysis.binding.types.symbols import MemberKind, TypeKind
from codecortex.analysis.binding.types.wellknown import KEYWORDS
from codecortex.analysis.families.families import find_family
from codecortex.analysis.graph.view import Arrow, walk
from codecortex.model.code.bindings import BindingLabel, BindingRole
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.kept import KeptBindings
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.queries.resolve import find_overloads, read_query
from codecortex.operations.request import Count
from codecortex.operations.usages.calls_text import CallGraph, CallNode
from codecortex.operations.usages.places import read_symbol
from codecortex.operations.usages.targets import find_members
from codecortex.parsing.occurrences.find import LineStarts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.analysis.binding.declarations.definitions import SourceDefinition
    from codecortex.analysis.binding.declarations.pending import FileKey
    from codecortex.analysis.binding.types.symbols import Member, Type
    from codecortex.model.code.bindings import Binding, PlacedBinding
    from codecortex.model.code.syntax import Node
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.queries.graph import Format
    from codecortex.operations.usages.targets import Symbol

DEFAULT_LIMIT = 300
_CALLED = frozenset(MemberKind) - {MemberKind.FIELD, MemberKind.DESTRUCTOR}
_NO_CALLS = (BindingRole.DECLARATION, BindingRole.CREF, BindingRole.TYPE)
_ABSTRACT = frozenset(("abstract", "virtual", "override"))
_SPELT = {"this[]": b"[", ".ctor": b"new"}
_QUALIFIED = compile_later(r"[\w`]+(?:\.[\w`]+)*")
_NULLABLE = compile_later(r"\bNullable\{([^{}]*)\}")
_KEYWORDS = {name: keyword for keyword, name in KEYWORDS.items()}
_BASE = compile_later(rb"\bbase\s*+\.\s*+\Z")
_LONGEST_BASE = 64


class CallQuery(NamedTuple):
    """What is asked for.

    Attributes:
        symbol: A member; a name of several overloads means all of them.
        callers: Follow calls backwards.
        depth: Number of steps from there.
        limit: Maximum number of members; None for 300.
        format: Output format; None for text.
    """

    symbol: str
    callers: bool = False
    depth: int = 1
    limit: int | None = None
    format: Format | None = None


def show_calls(workspace: Workspace, query: CallQuery) -> CallGraph:
    """The callers of a member, or what it calls.

    Raises:
        SymbolNotFoundError: The symbol matches nothing.
        AmbiguousSymbolError: It matches several symbols.
        UsageError: It is no member.
    """
    hits = find_overloads(workspace, read_query(read_symbol(workspace, query.symbol, member=True)))
    if hits[0].member is None:
        raise UsageError(f"{query.symbol!r} is no member.", "`codecortex graph` shows what types name.")
    with bind_deep():
        calls = _Calls(KeptBindings(workspace, workspace.tree.sources.sources))
        roots = [calls.add(member) for hit in hits for member in find_members(calls.sources.program, hit)]
        roots = list(dict.fromkeys(roots))
        limit = DEFAULT_LIMIT if query.limit is None else query.limit
        follow = calls.follow_callers if query.callers else calls.follow_callees
        walked = walk(roots, follow, depth=query.depth, limit=limit)
    nodes = tuple(calls.describe(each, distance) for each, distance in walked.nodes.items())
    workspace.request.tally(Count.HITS, walked.total)
    report = calls.references
    return CallGraph(tuple(roots), nodes, walked.arrows, walked.total, query.callers, query.format, report)


class _Declared(NamedTuple):
    """A declaration of a member in a file."""

    start: int
    end: int
    member: Member


class _Calls:
    """The calls of a tree; every file is bound once, when it is first needed."""

    def __init__(self, kept: KeptBindings) -> None:
        self._kept = kept
        self.sources = sources = kept.sources
        self.references = kept.plan.assemblies.report
        self._bound: dict[FileKey, Sequence[PlacedBinding]] = {}
        self._declared: dict[tuple[str, str], list[_Declared]] = {}
        self._families: dict[Symbol, list[tuple[Member, Member]]] = {}
        self._by_id: dict[tuple[str, str | None], list[SourceDefinition]] = {}
        for definition in sources.program.definitions:
            self._by_id.setdefault((definition.id, definition.project), []).append(definition)
        self._ids: dict[str, Symbol] = {}
        self._members: dict[Symbol, Member] = {}
        self._places: dict[Symbol, list[tuple[DeclaredFile, _Declared]]] = {}
        for file in self._list_files():
            for each in self._list_declared(file):
                symbol = _identify(each.member)
                self._members.setdefault(symbol, each.member)
                self._places.setdefault(symbol, []).append((file, each))

    def _list_files(self) -> Iterator[DeclaredFile]:
        for path in sorted(self.sources.files):
            yield from self.sources.files[path]

    def _list_declared(self, file: DeclaredFile) -> list[_Declared]:
        key = file.path, file.project
        if key not in self._declared:
            found = (
                _Declared(node.start, node.end, declared.member)
                for definition in file.list_definitions()
                for node, declared in definition.list_declared()
                if declared.scope.file == file.path and _stands_in(node, file)
            )
            self._declared[key] = sorted(found, key=lambda each: (each.start, -each.end))
        return self._declared[key]

    def add(self, member: Member) -> str:
        """The node of a member."""
        symbol = _identify(member)
        self._members.setdefault(symbol, member)
        return self._name(symbol)

    def _name(self, symbol: Symbol) -> str:
        """The documentation id, behind it the project where two declare the same."""
        written, project = symbol
        name = written if self._ids.setdefault(written, symbol) == symbol else f"{written} {project}"
        self._ids[name] = symbol
        return name

    def describe(self, node: str, distance: int) -> CallNode:
        """A node for readers."""
        symbol = self._ids[node]
        member, places = self._members[symbol], self._places.get(symbol, [])
        if not places:
            return CallNode(node, _write_name(member), str(member.kind.value), "", 0, distance)
        file, declared = places[0]
        line, _ = LineStarts(file.source.text).find_place(declared.start)
        return CallNode(node, _write_name(member), str(member.kind.value), file.path, line, distance)

    def _bind(self, files: Iterable[DeclaredFile]) -> Iterator[tuple[DeclaredFile, Sequence[PlacedBinding]]]:
        """What the names of files mean; what cannot be read means nothing."""
        wanted = {(each.path, each.project): each for each in files}
        for key, bound in self._kept.bind(key for key in wanted if key not in self._bound):
            self._bound[key] = () if bound is None else bound.bindings
        return ((file, self._bound[key]) for key, file in wanted.items())

    # -- steps

    def follow_callees(self, node: str) -> Iterable[Arrow]:
        """What a member calls; of what can be overridden or implemented, also what may answer."""
        found: dict[tuple[str, bool], Arrow] = {}
        places = self._places.get(self._ids[node], ())
        bound = dict(self._bind(file for file, _ in places))
        for file, declared in places:
            for start, binding in bound[file]:
                inside = declared.start <= start < declared.end and self._enclosing(file, start) is declared
                if inside and self._is_call(binding):
                    self._add_callees(found, node, binding, of_base=_is_of_base(file, start))
        return found.values()

    def _add_callees(self, found: dict[tuple[str, bool], Arrow], node: str, binding: Binding, *, of_base: bool) -> None:
        own = binding.symbol, binding.project
        exact = binding.label is BindingLabel.EXACT
        _count(found, Arrow(node, self._name(own), structural=True, base=False, exact=exact, count=1), self._name(own))
        for other in sorted(self._list_answering(own), key=str) if not of_base else ():
            name = self._name(other)
            _count(found, Arrow(node, name, structural=False, base=False, exact=exact, count=1), name)

    def follow_callers(self, node: str) -> Iterable[Arrow]:
        """What calls a member, or a member of its family that it may answer for."""
        symbol = self._ids[node]
        member = self._members[symbol]
        kin = {_identify(each) for _, each in self._list_family(symbol)}
        wanted = {symbol} | {each for each in kin if symbol in self._list_answering(each)}
        found: dict[tuple[str, bool], Arrow] = {}
        holding = (file for file in self._list_files() if _spell(member) in file.source.text)
        for file, bindings in self._bind(holding):
            for start, binding in bindings:
                key = binding.symbol, binding.project
                if key in wanted and self._is_call(binding) and (key == symbol or not _is_of_base(file, start)):
                    caller = self._enclosing(file, start)
                    if caller is not None:
                        exact, direct = binding.label is BindingLabel.EXACT, key == symbol
                        source = self.add(caller.member)
                        _count(found, Arrow(source, node, structural=direct, base=False, exact=exact, count=1), source)
        return found.values()

    def _is_call(self, binding: Binding) -> bool:
        member = self._members.get((binding.symbol, binding.project))
        return member is not None and member.kind in _CALLED and binding.role not in _NO_CALLS

    def _enclosing(self, file: DeclaredFile, offset: int) -> _Declared | None:
        """The innermost member around a place."""
        around = [each for each in self._list_declared(file) if each.start <= offset < each.end]
        return max(around, key=lambda each: each.start, default=None)

    # -- families

    def _list_copies(self, symbol: Symbol) -> list[Member]:
        """A member as it is declared for every set of assemblies that projects are bound against."""
        member = self._members[symbol]
        owner = member.container or member.owner
        if owner is None:
            return [member]
        same = self._by_id.get((owner.id, owner.project), ())
        return [each for one in same for each in one.members(member.name) if _identify(each) == symbol] or [member]

    def _list_family(self, symbol: Symbol) -> list[tuple[Member, Member]]:
        """Each other member of the family of a member, beside the declaration of that which it was found with."""
        if symbol not in self._families:
            found = []
            for copy in self._list_copies(symbol):
                members = find_family(self.sources.program, copy).members
                found += [(copy, each) for each in members if each is not copy]
            self._families[symbol] = found
            for _, each in found:
                self._members.setdefault(_identify(each), each)
        return self._families[symbol]

    def _list_answering(self, symbol: Symbol) -> set[Symbol]:
        """The members that a call of one may reach at run time besides itself: overrides and implementations."""
        member = self._members[symbol]
        owner = member.owner
        if owner is None or not (owner.kind is TypeKind.INTERFACE or _ABSTRACT & member.modifiers):
            return set()
        return {_identify(each) for copy, each in self._list_family(symbol) if _answers(copy, each)}


def _answers(member: Member, other: Member) -> bool:
    """Whether a call of a member may reach another one of its family: it stands in a type that derives from the first.

    What implements an interface may also be inherited by the class that lists the interface.
    """
    if member.owner is None or other.owner is None:
        return False
    inherited = member.owner.kind is TypeKind.INTERFACE and other.owner.kind is not TypeKind.INTERFACE
    return inherited or derives_from(other.owner, member.owner)


def _is_of_base(file: DeclaredFile, start: int) -> bool:
    """Whether `base` stands before the name at an offset: no override answers there."""
    return _BASE.search(file.source.text, max(0, start - _LONGEST_BASE), start) is not None


def _stands_in(node: Node, file: DeclaredFile) -> bool:
    """Whether a declaration stands in a file as one project has it."""
    return node.source is file.tree.root.source


def _count(found: dict[tuple[str, bool], Arrow], arrow: Arrow, other: str) -> None:
    key = other, arrow.structural
    held = found.get(key)
    if held is not None:
        arrow = arrow._replace(exact=held.exact or arrow.exact, count=held.count + 1)
    found[key] = arrow


def _identify(member: Member) -> Symbol:
    owner = member.container or member.owner
    return id_of_symbol(member), owner.project if owner is not None else None


def _spell(member: Member) -> bytes:
    """What stands in every file that calls a member."""
    name = member.name.rpartition(".")[2] if not member.name.startswith(".") else member.name
    if member.name.startswith("op_"):
        return b""
    return _SPELT.get(name, name.encode())


def _write_name(member: Member) -> str:
    """A member for people: `Store.Find(string)`."""
    owner = member.container or member.owner
    own = owner.name if owner is not None else ""
    name = {MemberKind.CONSTRUCTOR: own, MemberKind.INDEXER: "this"}.get(member.kind, member.name)
    if member.kind in (MemberKind.PROPERTY, MemberKind.EVENT, MemberKind.FIELD):
        return f"{own}.{name}"
    types = ", ".join(_write_type(each.type) for each in member.parameters)
    return f"{own}.{name}({types})"


def _write_type(type_: Type) -> str:
    """A type for people: without namespaces, with the language's own words."""
    found = write_type(type_, by_name=True)
    short = _QUALIFIED.sub(lambda match: _KEYWORDS.get(match[0]) or match[0].rpartition(".")[2], found)
    return _NULLABLE.sub(r"\1?", short).replace("{", "<").replace("}", ">").replace(",", ", ")
