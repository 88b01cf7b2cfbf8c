"""Searches the sources for what means a symbol, and for what only bears its name."""

from __future__ import annotations

import re
from contextlib import closing
from functools import cached_property, partial
from hashlib import sha256
from typing import TYPE_CHECKING

from codecortex.analysis.types.symbol_table import SymbolTable
from codecortex.analysis.usages.places import FilePlaces
from codecortex.analysis.usages.scope import TypeScope
from codecortex.analysis.usages.words import Words
from codecortex.model.code.bindings import BindingLabel, BindingRole
from codecortex.model.code.facts import BINARY
from codecortex.model.code.syntax import Descent
from codecortex.model.code.usages import Certainty, Context, Role, Usage
from codecortex.model.cognition.records import digest_text
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import PARSER_VERSION
from codecortex.operations.bindings.kept import KeptBindings, list_aliases, unpack_file
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.bindings.sources import close_references
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.references.report import ReferenceReport
from codecortex.operations.usages.kept_rows import (
    USAGES_VERSION,
    FileRows,
    pack_file,
    pack_usages,
    unpack_file_rows,
    unpack_usages,
)
from codecortex.operations.usages.targets import Target, find_target, list_words
from codecortex.operations.workers import Sharing, count_processes, share_out
from codecortex.parsing.occurrences.find import LineStarts, find_name, read_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.declarations.pending import FileKey
    from codecortex.git.contents import Content
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.syntax import Node
    from codecortex.operations.bindings.kept import KeptFile
    from codecortex.operations.bindings.sources import Sources
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.parsing.occurrences.find import Code, Location
    from codecortex.symbols.hits import Hit

RANKS = {each: rank for rank, each in enumerate(Certainty)}
_LABELS = {BindingLabel.EXACT: Certainty.EXACT, BindingLabel.LIKELY: Certainty.LIKELY}
_BEFORE = frozenset((BindingRole.ATTRIBUTE, BindingRole.CREF))
_KEPT = ("usages of a file", USAGES_VERSION, PARSER_VERSION)
_WORTH_FORKING = 100  # files
_NOT_BOUND = "nothing binds this name"
_NO_SYMBOL = {
    Context.NAMESPACE: "a part of a namespace's name",
    Context.IMPORT: "a part of a namespace's name",
    Context.LABEL: "the name of an argument, a label or a property of an anonymous type",
}


class Found(NamedTuple):
    """What a search found.

    Attributes:
        target: What was looked for.
        rows: In no order.
        unread: Files that could not be searched, with the reason.
        kept: The bindings of what was searched; None where nothing was.
    """

    target: Target
    rows: Sequence[Usage]
    unread: Mapping[str, str]
    kept: KeptBindings | None = None

    @property
    def references(self) -> ReferenceReport:
        """How much is known of what the projects compile against."""
        return ReferenceReport() if self.kept is None else self.kept.plan.assemblies.report

    @property
    def sources(self) -> Sources | None:
        """What was searched, declared; None where nothing was."""
        if self.kept is None:
            return None
        with bind_deep():
            return self.kept.sources


def search(workspace: Workspace, hits: Sequence[Hit], *, family: bool, declared: bool = False) -> Found:
    """Find what means a type, or overloads of a member, and what bears its name.

    Args:
        workspace: The tree.
        hits: What is searched for.
        family: Whether what it overrides, implements or is overridden by belongs to it.
        declared: Whether the target is to come with its declarations, which nothing that was kept has.
    """

    def find(kept: KeptBindings) -> Target:
        if declared:
            return find_target(kept.sources.program, hits, family=family)
        return _find_target(kept, hits, family=family)

    declaring = (_list_declaring(workspace, hit) for hit in hits)
    return _search(workspace, list_words(hits[0]), set().union(*declaring), find, (_name_asked(hits), family))


def search_element(workspace: Workspace, symbol: str) -> Found:
    """Find what means an element of a tuple, by its documentation id, and what bears its name."""
    own, name = frozenset(((symbol, None),)), symbol.rpartition(".")[2]
    return _search(workspace, Words((name,), own=name), set(), lambda _: Target(own, own), symbol)


def _search(
    workspace: Workspace, words: Words, declaring: set[str], find: Callable[[KeptBindings], Target], asked: object
) -> Found:
    """Search; what was found for a question is remembered for as long as no source changes."""
    sources = SourceSearch(workspace)
    named, holding = sources.find(words.names, words.phrases) if words.names or words.phrases else (set(), set())
    paths = set(workspace.tree.sources.sources) if words.everywhere else named | (holding if words.phrases else set())
    with bind_deep():
        kept = KeptBindings(workspace, paths | declaring)
        target = find(kept)
        run = _Search(workspace, sources, kept, target)
        key = repr(("usages", USAGES_VERSION, workspace.catalog.digest, asked))
        packed, told = kept.remember(key, lambda: (pack_usages(run.search(paths, words)), run.told), run.is_whole)
        kept_rows = unpack_usages(packed)
        rows = kept_rows if kept_rows is not None else run.search(paths, words)
    return Found(target, rows, {**kept.unread, **sources.unread, **told}, kept)


def _find_target(kept: KeptBindings, hits: Sequence[Hit], *, family: bool) -> Target:
    """What is looked for, remembered for as long as no declaration changes."""

    def make() -> tuple[object, ...]:
        target = find_target(kept.sources.program, hits, family=family)
        return (sorted(target.own, key=str), sorted(target.family, key=str), target.outside, [*target.declaring])

    own, others, outside, declaring = kept.remember_declared(repr(("target", _name_asked(hits), family)), make)
    return Target(frozenset(own), frozenset(others), tuple(outside), frozenset(declaring))


def _name_asked(hits: Sequence[Hit]) -> list[tuple[object, object]]:
    return [(each.entry and (each.entry.id, each.entry.project, each.entry.fqn), each.member) for each in hits]


def _list_declaring(workspace: Workspace, hit: Hit) -> set[str]:
    """The files of what declares a symbol, and of all who may override or implement it."""
    if hit.entry is None:
        return set()
    if hit.member is None:
        return set(hit.entry.files)
    own, projects = hit.entry.project, workspace.projects
    return {path for each in projects if own in close_references(each.path, projects) for path in each.files}


class _Search:
    """One search."""

    def __init__(self, workspace: Workspace, sources: SourceSearch, kept: KeptBindings, target: Target) -> None:
        self._sources = sources
        self._kept = kept
        self._target = target
        self._projects = {project for _, project in target.family}
        self._workspace = workspace
        self._moved = False
        self.told: dict[str, str] = {}  # what is not searched whole, whenever it is searched; with the reason

    @cached_property
    def _scope(self) -> TypeScope:
        return _open_scope(self._workspace, self._sources)

    def is_whole(self) -> bool:
        """Whether all was read, and as the tree was listed."""
        return not (self._moved or self._sources.unread)

    def search(self, paths: Iterable[str], words: Words) -> list[Usage]:
        """The places in files, and in those that use the symbol by a global alias."""
        todo = sorted(set(paths) & self._kept.plan.files.keys())
        around = () if words.phrases or words.everywhere else words.names
        packed = dict(self._kept.bind_packed(self._list_seeing(todo), around))
        keys = self._write_keys(todo, words, packed)
        known = self._recall(keys)
        bound: dict[FileKey, KeptFile | None] = {}
        again: set[str] = set()
        for path in todo:
            if path not in known:
                bound |= self._unpack(path, words, packed)
            again.update(known[path].aliases if path in known else self._list_aliases(path, words, bound))
        if again:
            todo = sorted((set(todo) | self._sources.find(again)[0]) & self._kept.plan.files.keys())
            packed |= self._kept.bind_packed([key for key in self._list_seeing(todo) if key not in packed], around)
            more = self._write_keys([path for path in todo if path not in keys], words, packed)
            keys, known = keys | more, known | self._recall(more)
        every = sorted(again)
        known = {path: each for path, each in known.items() if list(each.again) == every}
        missing = [path for path in todo if path not in known]
        for path in missing:
            bound |= self._unpack(path, words, packed)
        made = self._search_files(missing, words, again, bound)
        self._remember(made, keys)
        found = known | made
        self.told |= {path: found[path].told for path in todo if path in found and found[path].told}
        return [row for path in todo if path in found for row in found[path].rows]

    def _search_files(
        self, paths: Sequence[str], words: Words, again: AbstractSet[str], bound: Mapping[FileKey, KeptFile | None]
    ) -> dict[str, FileRows]:
        """What is in files that can be read."""
        self._sources.load(paths)
        processes = count_processes(self._workspace.request)
        work = partial(self._search_some, words, again, bound)
        made: dict[str, FileRows] = {}
        for path, each in zip(paths, share_out(work, paths, Sharing(processes, _WORTH_FORKING)), strict=True):
            self._moved |= each.moved
            if each.rows is None:
                self._sources.unread[path] = each.problem
            else:
                made[path] = each.rows
        return made

    def _search_some(
        self, words: Words, again: AbstractSet[str], bound: Mapping[FileKey, KeptFile | None], paths: Sequence[str]
    ) -> list[_Searched]:
        """What is in files; of the search itself, nothing changes."""
        listed, made = self._workspace.tree.sources.sources, {}
        for content in self._sources.read(paths):
            path = content.entry.path
            rows = list(self._search_file(content, words, again, bound))
            aliases = self._list_aliases(path, words, bound)
            found = FileRows(rows, self.told.get(path, ""), sorted(aliases), sorted(again))
            made[path] = _Searched(found, content.entry.blob != listed[path].blob)
        return [made.get(each) or _Searched(None, problem=self._sources.unread.get(each, "")) for each in paths]

    def _unpack(
        self, path: str, words: Words, packed: Mapping[FileKey, bytes | None]
    ) -> dict[FileKey, KeptFile | None]:
        """What the names of a file mean, in each project that sees the symbol."""
        takes = partial(self._bears_on, words)
        keys = ((path, project) for project in self._kept.plan.files[path])
        found = {key: packed[key] for key in keys if key in packed}
        return {key: None if each is None else unpack_file(each, takes) for key, each in found.items()}

    def _list_aliases(self, path: str, words: Words, bound: Mapping[FileKey, KeptFile | None]) -> set[str]:
        """The aliases in a file that may stand for one of the names."""
        files = [bound.get((path, project)) for project in self._kept.plan.files[path]] if words.names else []
        found = {alias for each in files if each is not None for alias in list_aliases(words.names, each.aliases)}
        return found - set(words.names)

    # -- what was found is kept by file: an edit of one of them leaves the others

    def _recall(self, keys: Mapping[str, bytes | None]) -> dict[str, FileRows]:
        kept = self._workspace.cache.get_many([key for key in keys.values() if key is not None])
        found = {path: unpack_file_rows(kept.get(key)) for path, key in keys.items() if key is not None}
        return {path: each for path, each in found.items() if each is not None}

    def _remember(self, made: Mapping[str, FileRows], keys: Mapping[str, bytes | None]) -> None:
        if self.is_whole():
            rows = [(key, pack_file(each)) for path, each in made.items() if (key := keys[path]) is not None]
            self._workspace.cache.put_many(rows)

    def _write_keys(
        self, paths: Iterable[str], words: Words, packed: Mapping[FileKey, bytes | None]
    ) -> dict[str, bytes | None]:
        """By file, all that the places in it rest on but for aliases; None where not all of it could be read."""
        asked = sha256(repr((_KEPT, words, self._asked, self._types)).encode("utf-8", "surrogatepass")).digest()
        return {path: self._write_key(asked, path, packed) for path in paths}

    def _write_key(self, asked: bytes, path: str, packed: Mapping[FileKey, bytes | None]) -> bytes | None:
        blob = self._workspace.tree.sources.sources[path].blob
        state = sha256(asked + repr((path, blob)).encode("utf-8", "surrogatepass"))
        symbols = {each.path: each.symbols for each in self._sources.projects_of(path)}
        for project in self._kept.plan.files[path]:
            bound = packed.get((path, project), b"")  # of a project that does not see the symbol
            if bound is None:
                return None
            state.update(repr((project, sorted(symbols[project]), sha256(bound).digest())).encode())
        return state.digest()

    @cached_property
    def _asked(self) -> object:
        target = self._target
        return (sorted(target.own, key=str), sorted(target.family, key=str), sorted(target.declaring, key=str))

    @cached_property
    def _types(self) -> bytes:
        """A digest of how all types are called."""
        types = self._workspace.catalog.types

        def make() -> bytes:
            return digest_text("\n".join([f"{e.id} {e.fqn} {e.display} {e.project} {e.owner}" for e in types]))

        return self._workspace.keep("usages/types", types, make)

    def _bears_on(self, words: Words, binding: Binding) -> bool:
        """Whether what a name means bears on the symbol: of thousands of files, nothing else is kept in memory."""
        named = binding.name.lstrip("@") == words.own
        return named or self._target.takes(binding) or binding.role in _BEFORE

    def _list_seeing(self, paths: Iterable[str]) -> Iterator[FileKey]:
        """Files as those projects have them that see the symbol."""
        for path in paths:
            for project in self._kept.plan.files[path]:
                if any(each is None or self._kept.sees(project, each) for each in self._projects):
                    yield path, project

    def _search_file(
        self, content: Content, words: Words, aliases: Iterable[str], bound: Mapping[FileKey, KeptFile | None]
    ) -> Iterable[Usage]:
        """The places in one file: of what they are in each project that compiles it, the surest."""
        path = content.entry.path
        pattern = None if words.everywhere else _compile([*words.names, *aliases], words.phrases)
        found: dict[tuple[int, str], Usage] = {}
        symbols = {each.path: each.symbols for each in self._sources.projects_of(path)}
        for project in self._kept.plan.files[path]:
            code = read_code(content.data or b"", symbols[project])
            if code is None:
                self.told[path] = BINARY
                break
            facts = self._sources.facts_of(path, project)
            if facts is None or facts.left_out:
                continue
            places = FilePlaces(self._scope, facts, project, path)
            visible = (path, project) in bound
            with closing(_Elements(code.source, symbols[project])) as elements:
                file = _File(path, code, places, bound.get((path, project)), elements)
                for key, row in self._search_code(file, pattern, words.own, visible=visible):
                    if key not in found or _order(row) < _order(found[key]):
                        found[key] = row
        return found.values()

    def _search_code(
        self, file: _File, pattern: re.Pattern[bytes] | None, own: str, *, visible: bool
    ) -> Iterator[tuple[tuple[int, str], Usage]]:
        source = file.code.source
        starts = LineStarts(source)
        bound: dict[int, Binding] = {}
        taken: set[int] = set()
        if file.bound is not None and (pattern is None or pattern.search(source)):
            if file.bound.truncated:
                self.told[file.path] = "not bound whole, since it nests too deep"
            before = {each.start for each in file.bound.bindings if each.binding.role in _BEFORE}
            for start, binding in file.bound.bindings:
                if binding.name:
                    bound[start] = binding
                if self._target.takes(binding):
                    taken.add(start)
                    length = len(binding.name.encode())
                    spot = starts.locate(start, start + length)
                    yield (start, binding.symbol), self._describe(file, spot, binding, before=start in before)
        for spot in find_name(file.code, own) if own else ():
            start = spot.start - (source[spot.start - 1 : spot.start] == b"@")
            if start not in taken:
                whole = spot if start == spot.start else starts.locate(start, spot.end)
                yield (start, ""), self._judge(file, whole, bound.get(start), starts, visible=visible)

    def _describe(self, file: _File, spot: Location, binding: Binding, *, before: bool) -> Usage:
        """A place that means the symbol."""
        around = file.places.find((spot.line, spot.column), attribute=before)
        declared = binding.role is BindingRole.DECLARATION
        certainty = Certainty.DECLARATION if declared else _LABELS[binding.label]
        end = spot.column + len(binding.name)
        return Usage(
            *(file.path, spot.line, spot.column, end, spot.snippet, certainty, str(binding.role)),
            enclosing=around.enclosing,
            why=binding.why,
            through=self._target.through(binding),
            generated=file.places.generated,
        )

    def _judge(
        self, file: _File, spot: Location, binding: Binding | None, starts: LineStarts, *, visible: bool
    ) -> Usage:
        """A place that bears the name and is not known to mean the symbol."""
        around = file.places.find((spot.line, spot.column))
        certainty, means, why = Certainty.NAME, "", _NOT_BOUND
        role = str(binding.role) if binding is not None else str(Role.REFERENCE)
        if not visible:
            certainty, why = Certainty.OTHER, "its project does not reference that of the symbol"
        elif binding is not None and (binding.label is BindingLabel.EXACT or binding.local):
            certainty, means = Certainty.OTHER, binding.symbol
            why = f"a {binding.local}" if binding.local else ""
        elif binding is not None:
            means, why = binding.symbol, binding.why
        else:
            from codecortex.parsing.occurrences.sites import read_site

            extent = (starts.find(around.first), starts.find(around.last))
            told = _NO_SYMBOL.get(read_site(file.code, spot, extent, "").context) or file.elements.tell(spot)
            certainty, why = (Certainty.OTHER, told) if told is not None else (certainty, why)
        return Usage(
            *(file.path, spot.line, spot.column, spot.column + len(spot_name(file, spot))),
            *(spot.snippet, certainty, role),
            enclosing=around.enclosing,
            means=means,
            why=why,
            generated=file.places.generated,
        )


class _Searched(NamedTuple):
    """What is in a file, and whether it was edited since it was listed; or why it cannot be read."""

    rows: FileRows | None
    moved: bool = False
    problem: str = ""


class _File(NamedTuple):
    """A file as one project has it: its code, what lies around its places, what its names mean, and its tuples."""

    path: str
    code: Code
    places: FilePlaces
    bound: KeptFile | None
    elements: _Elements


class _Elements:
    """Tells the names of elements of tuple types in a source, which is parsed when the first place is asked for."""

    def __init__(self, source: bytes, symbols: frozenset[str]) -> None:
        self._source = source
        self._symbols = symbols

    def tell(self, spot: Location) -> str | None:
        """What a name is that names an element of a tuple type: these are no symbols, and bind to none."""
        node = self._descent.find(spot.start, spot.end)
        parent = node.parent
        is_element = parent is not None and parent.kind == "tuple_element" and parent.field("name") is node
        return "the name of an element of a tuple" if is_element else None

    @cached_property
    def _root(self) -> Node:
        from codecortex.parsing.syntax.read import read_syntax

        return read_syntax(self._source, self._symbols).root

    @cached_property
    def _descent(self) -> Descent:
        return Descent(self._root)

    def close(self) -> None:
        """Let the syntax go, if there is any."""
        if "_root" in self.__dict__:
            self._root.close()


def spot_name(file: _File, spot: Location) -> str:
    """The name that stands at a place."""
    return file.code.source[spot.start : spot.end].decode("utf-8", "replace")


def _order(row: Usage) -> int:
    return RANKS[row.certainty]


def _compile(names: Iterable[str], phrases: Iterable[str]) -> re.Pattern[bytes]:
    """What finds names and phrases in the bytes of a source, comments included."""
    parts = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in names] + [re.escape(phrase) for phrase in phrases]
    return re.compile("|".join(parts).encode("utf-8", "replace"))


def _open_scope(workspace: Workspace, sources: SourceSearch) -> TypeScope:
    """What finds the types around places."""
    catalog = workspace.catalog

    def name_types() -> SymbolTable:
        return SymbolTable(((each.id, each.fqn, each.project, each.owner) for each in catalog.types), ())

    table = workspace.keep("usages/names", catalog.types, name_types)
    return TypeScope(catalog.by_id, table, {}, sources.parts_of)
