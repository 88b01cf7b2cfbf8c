"""Finds every place in code that names a symbol, or something of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.types.references import name_of_base
from codecortex.analysis.types.symbol_table import Declared, SymbolTable
from codecortex.analysis.usages.members import MemberJudge, MemberTarget
from codecortex.analysis.usages.places import FilePlaces
from codecortex.analysis.usages.scope import TypeScope
from codecortex.analysis.usages.types import NamespaceJudge, TypeJudge
from codecortex.model.code.facts import BINARY
from codecortex.model.code.usages import Certainty, Context, Label, Role, Usage
from codecortex.model.errors import UsageError
from codecortex.operations.catalog.among import EVERYTHING, Among, cut_files, narrow
from codecortex.operations.queries.resolve import find_one, find_overloads, read_query
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.queries.usage_text import Usages
from codecortex.operations.request import Count
from codecortex.parsing.occurrences.find import LineStarts, find_name, read_code
from codecortex.parsing.occurrences.sites import read_site
from codecortex.symbols.hits import HitKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.git.contents import Content
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.facts import FileFacts, Using
    from codecortex.model.code.usages import Site, Verdict
    from codecortex.operations.catalog.among import FilePage
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.parsing.occurrences.find import Code
    from codecortex.symbols.hits import Hit

_Judge = TypeJudge | MemberJudge | NamespaceJudge

_NAMELESS = {
    "indexer": "An indexer is used without a name",
    "operator": "An operator is used by its sign",
    "conversion": "A conversion is used without a name",
    "constructor": "A constructor is used by its type's name",
    "destructor": "A destructor is never called by name",
    "invoke": "A delegate is called by the names of its values",
}


class UsageQuery(NamedTuple):
    """What is asked for.

    Attributes:
        symbol: A type, a member or a namespace.
        exact: Leave out what matches by name alone.
        among: What the places are narrowed to.
    """

    symbol: str
    exact: bool = False
    among: Among = EVERYTHING


def usages(workspace: Workspace, query: UsageQuery, *, limit: int = 50, offset: int = 0) -> Usages:
    """Find the usages of a symbol.

    Args:
        workspace: The tree.
        query: The symbol, and what to leave out.
        limit: Maximum number of rows on the page.
        offset: Number of rows to skip.

    Raises:
        SymbolNotFoundError: It matches nothing.
        AmbiguousSymbolError: It matches several symbols.
        UsageError: It is malformed, or a member without a name of its own, such as an operator; or no project has
            the given name.
    """
    hit, found, unread = _find_rows(workspace, query)
    totals = {str(each): 0 for each in Certainty}
    for row in found:
        totals[row.verdict.certainty] += 1
    shown = _choose(found, query)
    files: dict[str, int] = {}
    for row in shown:
        files[row.file] = files.get(row.file, 0) + 1
    page = tuple(shown[offset : offset + limit])
    workspace.request.count(Count.HITS, len(shown))
    return Usages(hit, page, len(shown), offset, totals, files, unread)


def usage_files(workspace: Workspace, query: UsageQuery, *, limit: int = 50, offset: int = 0) -> FilePage:
    """The files in which a symbol is named, those that declare it first; as `usages` otherwise."""
    _, found, _ = _find_rows(workspace, query)
    return cut_files((row.file for row in _choose(found, query)), offset, limit)


def _choose(found: Sequence[Usage], query: UsageQuery) -> Sequence[Usage]:
    return [row for row in found if row.verdict.label is Label.EXACT] if query.exact else found


def _find_rows(workspace: Workspace, query: UsageQuery) -> tuple[Hit, Sequence[Usage], tuple[tuple[str, str], ...]]:
    """The symbol, every place that passes, the surest first, and what could not be read."""
    narrowing = narrow(workspace, query.among)
    hit, by_overload = _find_symbol(workspace, query.symbol)
    search = _Search(workspace, hit, by_overload=by_overload)
    found = sorted(search.run(), key=_order)
    if narrowing is not None:
        known: Mapping[str, TypeEntry] = {str(each.id): each for each in workspace.catalog.types}
        found = [row for row in found if narrowing.takes_place(row.file, known.get(str(row.enclosing.type_id)))]
    return hit, found, tuple(sorted(search.unread.items()))


_RANKS = {each: rank for rank, each in enumerate(Certainty)}


def _order(row: Usage) -> tuple[int, str, int, int]:
    return _RANKS[row.verdict.certainty], row.file, row.line, row.column


class _Search:
    """One search for the usages of a symbol."""

    def __init__(self, workspace: Workspace, hit: Hit, *, by_overload: bool) -> None:
        self._workspace = workspace
        self._hit = hit
        self._by_overload = by_overload
        self._name = _name_of(hit)
        self._sources = SourceSearch(workspace)
        self._short = ""  # the short name of an attribute type
        if hit.kind == "type" and self._name.endswith("Attribute") and self._name != "Attribute":
            self._short = self._name.removesuffix("Attribute")

    @property
    def unread(self) -> Mapping[str, str]:
        return self._sources.unread

    def run(self) -> list[Usage]:
        sources = self._sources
        names = [self._name, *([self._short] if self._short else [])]
        paths, holding = sources.find(names, ("global using",))
        usings = sources.collect_usings(holding)
        aliases = self._find_global_aliases(usings)
        if aliases:
            paths |= sources.find({name for each in aliases.values() for name in each})[0]
        sources.load(paths)
        type_scope = self._open_type_scope(usings)
        judge = self._make_judge(type_scope)
        words = {project.path: (*names, *aliases.get(project.path, ())) for project in self._workspace.projects}
        rows: list[Usage] = []
        for content in sources.read(paths):
            rows += self._search_file(content, type_scope, judge, words)
        return rows

    def _search_file(
        self, content: Content, type_scope: TypeScope, judge: _Judge, words: Mapping[str, Sequence[str]]
    ) -> Iterable[Usage]:
        """The places in one file: of what they are in each project that compiles it, the surest."""
        path = content.entry.path
        found: dict[int, Usage] = {}
        codes: dict[frozenset[str], Code | None] = {}
        for project in self._sources.projects_of(path):
            if project.symbols not in codes:
                codes[project.symbols] = read_code(content.data or b"", project.symbols)
            code, named = codes[project.symbols], words[project.path]
            if code is None:
                self._sources.unread[path] = BINARY
                break
            if not any(next(find_name(code, word), None) for word in named):
                continue
            facts = self._sources.facts_of(path, project.path)
            if facts is not None and not facts.left_out:
                places = FilePlaces(type_scope, facts, project.path, path)
                for start, row in self._search_code(code, places, judge, self._list_names(facts, named)):
                    if start not in found or _order(row) < _order(found[start]):
                        found[start] = row
        return found.values()

    def _open_type_scope(self, usings: Mapping[str, Sequence[Using]]) -> TypeScope:
        catalog = self._workspace.catalog
        declared = (Declared(each.id, each.fqn, each.project, each.owner) for each in catalog.types)
        table = SymbolTable(declared, self._workspace.projects)
        return TypeScope(catalog.by_id, table, usings, self._sources.parts_of)

    def _make_judge(self, type_scope: TypeScope) -> _Judge:
        entry, member = self._hit.entry, self._hit.member
        if entry is None:
            return NamespaceJudge(type_scope, self._hit.name)
        if member is None:
            return TypeJudge(type_scope, entry)
        parameters = member.parameters if self._by_overload else None
        return MemberJudge(type_scope, MemberTarget(entry.id, member.name, parameters))

    # -- names

    def _find_global_aliases(self, usings: Mapping[str, Sequence[Using]]) -> dict[str, tuple[str, ...]]:
        """Aliases of a type of this name in global usings, by project path."""
        found = {path: self._list_aliases(each) for path, each in usings.items()}
        return {path: aliases for path, aliases in found.items() if aliases}

    def _list_aliases(self, usings: Iterable[Using]) -> tuple[str, ...]:
        if self._hit.kind is not HitKind.TYPE:
            return ()
        own = self._name
        aliased = (using for using in usings if using.alias and using.alias != own)
        return tuple(using.alias for using in aliased if name_of_base(using.target).split(".")[-1].split("`")[0] == own)

    def _list_names(self, facts: FileFacts, words: Sequence[str]) -> tuple[str, ...]:
        """The names that the symbol may have in a file, its own first."""
        return tuple(dict.fromkeys([*words, *(a for scope in facts.scopes for a in self._list_aliases(scope.usings))]))

    # -- one file

    def _search_code(
        self, code: Code, places: FilePlaces, judge: _Judge, names: Sequence[str]
    ) -> Iterator[tuple[int, Usage]]:
        starts = LineStarts(code.source)
        for name in names:
            for spot in find_name(code, name):
                around = places.find((spot.line, spot.column))
                extent = (starts.find(around.first), starts.find(around.last))
                member = around.where.member
                site = read_site(code, spot, extent, member.name if member is not None else "")
                verdict = judge.judge(site, name, around.where)
                if name != self._name and not self._counts(name, site, verdict):
                    continue
                if site.context is Context.ATTRIBUTE:
                    around = places.find((spot.line, spot.column), attribute=True)
                row = Usage(
                    verdict, places.path, spot.line, spot.column, spot.column + len(name), spot.snippet,
                    around.enclosing, places.generated,
                )  # fmt: skip
                yield spot.start, row

    def _counts(self, name: str, site: Site, verdict: Verdict) -> bool:
        """Whether a place under another name (short form of an attribute, alias) is a usage of the symbol."""
        if verdict.means or verdict.role is Role.DECLARATION:
            return False
        if name == self._short and site.context is Context.ATTRIBUTE:
            return True
        return verdict.label is Label.EXACT


def _find_symbol(workspace: Workspace, symbol: str) -> tuple[Hit, bool]:
    """The symbol, and whether a single overload is meant; a member's name alone means all its overloads."""
    query = read_query(symbol)
    if query.parameters is not None or query.member_mark or query.documentation:
        return find_one(workspace, query), True
    first, *others = find_overloads(workspace, query)
    if others and first.entry is not None and first.member is not None:
        first = first._replace(name=f"{first.entry.display}.{first.member.name}")
    return first, False


def _name_of(hit: Hit) -> str:
    """The identifier that names a symbol in code."""
    if hit.member is None:
        return hit.entry.simple_name if hit.entry is not None else hit.name.rpartition(".")[2]
    if hit.member.kind in _NAMELESS:
        raise UsageError(
            f"{_NAMELESS[hit.member.kind]}, so no search by name finds where.",
            f"`codecortex usages {hit.entry.id if hit.entry else ''}` lists where its type is named.",
        )
    return hit.member.name
