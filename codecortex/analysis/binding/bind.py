"""Binds the files of a repository: syntax trees and references in, what every name means out."""

from __future__ import annotations

from operator import attrgetter, itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.binder import Binder, Rules
from codecortex.analysis.binding.body.place_resolver import PlaceResolver
from codecortex.analysis.binding.body.session import Session
from codecortex.analysis.binding.body.watching import Watch, WatchingBinder
from codecortex.analysis.binding.conversions.operands import Bare
from codecortex.analysis.binding.declarations.declare import add_using
from codecortex.analysis.binding.declarations.definitions import SourceDefinition
from codecortex.analysis.binding.declarations.file_names import list_names
from codecortex.analysis.binding.declarations.pending import PendingFiles
from codecortex.analysis.binding.declarations.source import Source
from codecortex.analysis.binding.documentation.bind import bind_documentation
from codecortex.analysis.binding.expressions import (
    assignments,
    calls,
    casts,
    collections,
    creation,
    indexing,
    lambdas,
    literals,
    members,
    names,
    operators,
)
from codecortex.analysis.binding.expressions.finish import finish
from codecortex.analysis.binding.files.units import bind_unit
from codecortex.analysis.binding.inputs.digests import Digests
from codecortex.analysis.binding.patterns import patterns
from codecortex.analysis.binding.queries import queries
from codecortex.analysis.binding.scopes.type_names import name_type
from codecortex.analysis.binding.statements import declarations, statements
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.analysis.binding.types.inspect import has_unknown
from codecortex.model.code.bindings import PlacedBinding
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.declarations.declare import Declarations, DeclaredFile
    from codecortex.analysis.binding.declarations.file_names import FileNames
    from codecortex.analysis.binding.declarations.pending import FileKey
    from codecortex.analysis.binding.references.assemblies import References
    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.analysis.binding.types.asked import AskedName
    from codecortex.analysis.binding.types.symbols import Member, Type, TypeDefinition
    from codecortex.model.code.syntax import Node, SyntaxTree

SPANS_SINCE = 14.0
"""The version of the language from which on it converts to spans itself."""
RANKS_SINCE = 13.0
"""The one from which on it knows priorities of overloads, and `params` of collections."""


class SourceProject(NamedTuple):
    """A project whose sources are bound.

    Attributes:
        path: Its path.
        visible: The projects whose sources it sees, itself included.
        usings: The directives that hold in all its files, as syntax trees.
        version: The version of the language.
        internals: The other projects that let it see their internals, as far as that is known.
    """

    path: str
    visible: frozenset[str]
    usings: tuple[SyntaxTree, ...] = ()
    version: float = SPANS_SINCE
    internals: frozenset[str] = frozenset()


class FileBindings(NamedTuple):
    """What the names of a file mean.

    Attributes:
        bindings: By offset.
        truncated: Whether something was not bound since it nests too deep.
        asked: The names that were looked up, absent ones included. While what `Program.digest` tells of each is the
            same, and so are the file, the options of its project and what that references, the bindings are the same.
        skipped: The extents of what was not bound, since it holds nothing that was asked for.
    """

    bindings: tuple[PlacedBinding, ...]
    truncated: bool
    asked: tuple[AskedName, ...] = ()
    skipped: tuple[tuple[int, int], ...] = ()


class Program:
    """The sources of several projects, bound file by file.

    A file is declared once a name is looked for that it may declare; the nodes of its bodies are made when it is bound,
    and let go after.

    Attributes:
        read: Reads some of its files.
    """

    def __init__(
        self,
        projects: Sequence[SourceProject],
        references: Mapping[str, References],
        files: Mapping[FileKey, FileNames] = MappingProxyType({}),
        read: Callable[[Sequence[FileKey]], Sequence[Source]] = lambda _: (),
    ) -> None:
        """Make it.

        Args:
            projects: The projects.
            references: The assemblies that each project compiles against, by its path. Projects that share them are
                bound together; the sources that they see are declared in terms of the same assemblies, as compilers do.
            files: The names of what each file declares, in the order of files.
            read: Reads some of them.
        """
        self.read = read
        self._added: dict[FileKey, Source] = {}
        self._pending: PendingFiles[DeclaredFile] = PendingFiles(self._declare)
        self._versions = {each.path: each.version for each in projects}
        known = {each.path: each for each in projects}
        shared: dict[References, list[SourceProject]] = {}
        for each in projects:
            shared.setdefault(references[each.path], []).append(each)
        self._sessions: dict[str, Session] = {}
        self._digests: dict[Session, Digests] = {}
        self._declaring: dict[str, list[Session]] = {path: [] for path in known}
        for assemblies, sharing in shared.items():
            seen = sorted({path for each in sharing for path in each.visible | {each.path}} & known.keys())
            session = Session(assemblies, {path: known[path].visible for path in seen}, self._pending)
            session.universe.internals.update((path, known[path].internals) for path in seen)
            self._sessions.update(dict.fromkeys((each.path for each in sharing), session))
            for path in seen:
                self._declaring[path].append(session)
                _add_usings(session, known[path])
        for key, declared in files.items():
            self._add(key, declared)
        self._pending.open(key for key, declared in files.items() if declared.everywhere)

    @property
    def definitions(self) -> Sequence[SourceDefinition]:
        """The types that are declared: those that several projects see, once for all that share their assemblies."""
        return [each for one in self._list_declarations() for each in one.definitions]

    @property
    def names(self) -> Mapping[FileKey, FileNames]:
        """The names of what each file declares, in the order of files."""
        return self._pending.names

    def find_types(self, id_: str) -> Sequence[SourceDefinition]:
        """The types of a documentation id without `T:`, as `definitions` has them."""
        return [each for one in self._list_declarations() for each in one.find_identified(id_)]

    def find_declared(self, symbol: str) -> Sequence[Member]:
        """The members of a documentation id, but for constructors, operators and explicit implementations."""
        owner, _, name = symbol[2:].partition("(")[0].rpartition(".")
        named = (one for each in self.find_types(owner) for one in each.members(name.partition("``")[0]))
        return [each for each in named if id_of_symbol(each) == symbol]

    def find_named(self, name: str) -> Sequence[SourceDefinition]:
        """The types of a simple name, as `definitions` has them."""
        return [each for one in self._list_declarations() for each in one.find_named(name)]

    def is_namespace(self, name: str) -> bool:
        """Whether any source declares a namespace."""
        return any(each.universe.has_namespace(name) for each in self._sessions.values())

    def list_below(self, types: Iterable[TypeDefinition]) -> Sequence[SourceDefinition]:
        """Types of the sources, and all that derive from them, in the order of files."""
        found = dict.fromkeys(each for each in types if isinstance(each, SourceDefinition))
        todo = list(found)
        while todo:
            base = todo.pop()
            for each in self._find_derived(base.name):
                if each not in found and each.lists(base):
                    found[each] = None
                    todo.append(each)
        return sorted(found, key=attrgetter("order"))

    def _find_derived(self, name: str) -> Iterator[SourceDefinition]:
        """The types that may list a base of a name."""
        words: set[str] = set()
        more = {name}
        while more - words:
            words |= more
            more = {alias for one in self._list_declarations() for alias in one.list_aliases(words)}
        for key, derived in self._pending.open_derived(sorted(words)).items():
            for one in self._declaring[key[1]]:
                for part in one.declarations.file(key).parts:
                    if part.definition.name in derived:
                        yield part.definition

    def _list_declarations(self) -> Sequence[Declarations]:
        return [each.declarations for each in dict.fromkeys(self._sessions.values())]

    def sees(self, project: str, other: str) -> bool:
        """Whether a project sees the sources of another one."""
        return other in self._sessions[project].universe.visible[project]

    def list_aliases(self, file: DeclaredFile) -> Iterator[tuple[str, str]]:
        """The aliases of a file and of its project, each with what it stands for as written."""
        everywhere = self._sessions[file.project].declarations.everywhere(file.project)
        scopes = (*file.scopes, everywhere)
        return ((name, using.text) for scope in scopes for name, using in scope.aliases.items())

    def list_directives(self, project: str) -> list[str]:
        """The using directives that hold in all files of a project, as written."""
        everywhere = self._sessions[project].declarations.everywhere(project)
        written = [f"using {each.text}" for each in everywhere.usings]
        written += [f"using static {each.text}" for each in everywhere.statics]
        written += [f"using {name} = {each.text}" for name, each in everywhere.aliases.items()]
        return written

    def declare(self, path: str, project: str, source: Source | SyntaxTree) -> DeclaredFile:
        """Declare the types of another file; nothing may be looked for before all files are declared."""
        known = source if isinstance(source, Source) else Source.of(source)
        self._add((path, project), list_names(known.head, known))
        self._added[path, project] = known
        return self.open([(path, project)])[0]

    def open(self, keys: Iterable[FileKey]) -> Sequence[DeclaredFile]:
        """Some files, declared."""
        return self._pending.open(keys)

    def _add(self, key: FileKey, names: FileNames) -> None:
        self._pending.add(key, names)
        for session in self._declaring[key[1]]:
            for each in names.namespaces:
                session.universe.add_namespace(each, key[1])

    def _declare(self, keys: Sequence[FileKey]) -> Sequence[DeclaredFile]:
        """Declare files for all that see them."""
        files = []
        known = {each: self._added[each] for each in keys if each in self._added}
        missing = [each for each in keys if each not in known]
        known |= zip(missing, self.read(missing), strict=True) if missing else ()
        for path, project in keys:
            source, rank = known[path, project], self._pending.ranks[path, project]
            for session in self._declaring[project]:
                session.declarations.declare(path, project, source, rank)
            files.append(self._sessions[project].declarations.file((path, project)))
        return files

    def bind(self, file: DeclaredFile, around: Sequence[int] | None = None, watch: Watch | None = None) -> FileBindings:
        """Bind a file.

        Args:
            file: The file.
            around: Offsets, in order: types, members and bodies that hold none of them are not bound. None for all, and
                so it is where the syntax is damaged: what belongs to a body may lie outside of it.
            watch: Keeps types on the way.
        """
        around = None if file.tree.damaged else around
        session = self._sessions[file.project]
        asked, scopes = session.asked, (*file.scope.directives(), *file.scopes[1:])
        asked.begin(file.scope)
        session.names.ask_directives(file.scope, scopes)
        if watch is None:
            binder = Binder(session, file, _RULES, around)
        else:
            binder = WatchingBinder(session, file, _RULES, around, watch)
        bound = (part for node, part in file.types.items() if binder.is_asked(node))
        asked.add_members((each.definition.this for each in bound), "")
        conversions = session.conversions
        conversions.resolver = PlaceResolver(binder)
        conversions.types.spans = self._versions[file.project] >= SPANS_SINCE
        conversions.types.ranks = self._versions[file.project] >= RANKS_SINCE
        bind_unit(binder)
        bind_documentation(binder)
        binder.bodies.clear()  # whose lambdas know the binder
        for body in binder.opened:
            body.close()
        placed = sorted(binder.bindings.items(), key=itemgetter(0))
        bindings = tuple([PlacedBinding(start, binding) for (start, _), binding in placed])
        return FileBindings(bindings, binder.truncated, asked.list_names(), tuple(_join(binder.skipped)))

    def name_type(self, project: str, scope: Scope, type_: Type) -> str | None:
        """A type as a place of a project's sources has to name it; None of one that has no name."""
        return name_type(self._sessions[project].names, scope, type_)

    def find_type(self, project: str, name: str, *arguments: Type) -> Type:
        """A type of the language or the framework by its id without `T:`; unknown where that is not known."""
        return self._sessions[project].types.get(name, *arguments)

    def find_delegate(self, project: str, type_: Type) -> Type | None:
        """What a delegate type returns; None of every other type."""
        delegate = self._sessions[project].conversions.delegate(type_)
        return delegate.returns if delegate is not None and not has_unknown(delegate.returns) else None

    def find_members(self, project: str, type_: Type, name: str) -> Sequence[Member]:
        """The members of a name that a type declares or inherits."""
        return [each.member for each in self._sessions[project].members.find(type_, name).members]

    def may_need(self, project: str, target: str, names: Collection[str], *, of_type: bool) -> bool:
        """Whether names that are not certain could be found by a using directive.

        Args:
            project: The project.
            target: The namespace, or the type whose static members are imported.
            names: The names.
            of_type: Whether it is a type.
        """
        session = self._sessions[project]
        if not names:
            return not of_type and not session.universe.is_namespace(target, project)
        if of_type or not session.universe.is_declared(target, project):
            return True  # an assembly that is not known may declare more
        return self.may_name(project, target, names)

    def may_name(self, project: str, target: str, names: Collection[str]) -> bool:
        """Whether a namespace is known to declare something of one of some names, extension methods included."""
        session = self._sessions[project]
        return not session.universe.is_namespace(target, project) or any(
            session.universe.types_named(target, each, project) or session.extensions.is_declared_in(each, target)
            for name in names
            for each in (name, f"{name}Attribute")
        )

    def digest(self, project: str, asked: AskedName) -> str:
        """A digest of what a project sees declared under a name."""
        session = self._sessions[project]
        if session not in self._digests:
            self._digests[session] = Digests(session.declarations, session.universe, session.extensions)
        return self._digests[session].digest(project, asked)


def _join(extents: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Extents without those that lie in another one, in order."""
    last = -1
    for start, end in sorted(extents, key=lambda each: (each[0], -each[1])):
        if end > last:
            yield start, end
            last = end


def _add_usings(session: Session, project: SourceProject) -> None:
    everywhere = session.declarations.everywhere(project.path)
    for tree in project.usings:
        for node in tree.root.of_kind("using_directive"):
            add_using(node, everywhere, everywhere)


def _bind_rest(binder: Binder, node: Node) -> Expression:
    """Syntax without a rule: what can be bound in it."""
    for each in node.nodes:
        if each.kind.endswith("_statement") or each.kind == "block":
            binder.statement(each)
        elif each.kind not in ("modifier", "attribute_list"):
            binder.discard(each)
    return Bare.UNKNOWN


_RULES = Rules(
    expressions={
        **literals.RULES,
        **operators.RULES,
        **assignments.RULES,
        **calls.RULES,
        **casts.RULES,
        **creation.RULES,
        **collections.RULES,
        **indexing.RULES,
        **lambdas.RULES,
        **patterns.RULES,
        **queries.RULES,
    },
    names={**names.NAMES, **members.NAMES},
    statements={**statements.RULES, **declarations.RULES},
    fallback=_bind_rest,
    finish=finish,
    pattern=patterns.bind_pattern,
)
