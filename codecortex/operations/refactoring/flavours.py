"""Code that is compiled under other symbols only: what a name means there, in the other frameworks of its projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.bindings import BindingLabel, BindingRole
from codecortex.model.code.usages import Certainty
from codecortex.model.errors import SymbolNotFoundError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.bindings.sources import close_references
from codecortex.operations.queries.resolve import find_shared, read_query
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.candidates import INACTIVE
from codecortex.operations.usages.search import search
from codecortex.parsing.occurrences.find import find_inactive

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.usages.search import Found
    from codecortex.parsing.occurrences.find import Location

_MOST_FRAMEWORKS = 4
SURE = (Certainty.DECLARATION, Certainty.EXACT)
IMPLIED = frozenset((BindingRole.INDEXER, BindingRole.OPERATOR, BindingRole.IMPLIED))
"""Roles of places where no name of the symbol stands."""
Key = tuple[str, int]
"""A file, and an offset in it."""


class Spot(NamedTuple):
    """A place of the name, and why it is doubtful whether the symbol is meant; empty where it certainly is."""

    path: str
    location: Location
    why: str


class Elsewhere(NamedTuple):
    """The symbol as a framework has it: the tree read for that, what was found, and files to judge; None for all."""

    workspace: Workspace
    found: Found
    paths: frozenset[str] | None


class OtherFlavours:
    """Finds a symbol in the code that the frameworks at hand leave out.

    Attributes:
        searched: The frameworks that had such code.
    """

    def __init__(self, workspace: Workspace, found: Found, name: str) -> None:
        self._workspace, self._found, self._name = workspace, found, name
        self._sources = SourceSearch(workspace)
        self.searched: list[Elsewhere] = []

    def list_spots(self) -> list[Spot]:
        """The places of the name that may mean the symbol or do; what certainly does not is left out."""
        rest = {(each.path, each.location.start): each for each in self._list_inactive()}
        sure: list[Spot] = []
        for framework in self._list_frameworks({path for path, _ in rest}) if rest else ():
            for key, why in self._judge(framework, rest).items():
                if why is None:
                    del rest[key]
                elif why:
                    rest[key] = rest[key]._replace(why=why)
                else:
                    sure.append(rest.pop(key)._replace(why=""))
            if not rest:
                break
        return [*sure, *rest.values()]

    def _list_inactive(self) -> Iterator[Spot]:
        """The places in code that no framework at hand compiles, of projects that see the symbol."""
        declaring = {project for _, project in self._found.target.family if project is not None}
        seeing = {each.path for each in self._workspace.projects if declaring & self._close(each.path)}
        paths, _ = self._sources.find([self._name], ())
        for content in self._sources.read(sorted(paths)):
            path = content.entry.path
            if not any(each.path in seeing for each in self._sources.projects_of(path)):
                continue
            symbols = {each.symbols for each in self._sources.projects_of(path)}
            for location in find_inactive(content.data or b"", symbols, self._name):
                yield Spot(path, location, INACTIVE)

    def _close(self, project: str) -> frozenset[str]:
        return close_references(project, self._workspace.projects)

    def _list_frameworks(self, paths: set[str]) -> list[str]:
        """The other target frameworks of the projects that compile some files."""
        projects = [each for each in self._workspace.projects if not paths.isdisjoint(each.files)]
        every = dict.fromkeys(tfm for each in projects for tfm in each.tfms if tfm != each.tfm)
        return [*every][:_MOST_FRAMEWORKS]

    def _judge(self, framework: str, spots: Mapping[Key, Spot]) -> dict[Key, str | None]:
        """What a framework says of places that it compiles: why they are doubtful; None where they mean another one."""
        other = self._workspace.open_flavour(framework)
        inactive = {(path, start) for path in {path for path, _ in spots} for start in self._find(other, path)}
        active = {(path, *spot.location[2:4]): (path, start)
                  for (path, start), spot in spots.items() if (path, start) not in inactive}  # fmt: skip
        if not active:
            return {}
        symbol = min(symbol for symbol, _ in self._found.target.own)
        try:
            hits = find_shared(other, read_query(symbol))
        except SymbolNotFoundError:  # it is declared for some frameworks only
            return {}
        found = search(other, hits, family=True, declared=True)
        judged: dict[Key, str | None] = {}
        for row in found.rows:
            key = active.get((row.file, row.line, row.column))
            if key is None or row.role in IMPLIED:
                continue
            sure = row.certainty in SURE
            judged[key] = None if row.certainty is Certainty.OTHER else "" if sure else row.why or INACTIVE
        judged |= dict.fromkeys(_list_others(found, [key for key in active.values() if key not in judged]))
        self.searched.append(Elsewhere(other, found, frozenset(path for path, _ in active.values())))
        return judged

    def _find(self, other: Workspace, path: str) -> Iterator[int]:
        """The places of the name in a file that another framework does not compile either."""
        symbols = {each.symbols for each in other.projects if path in each.files}
        for content in self._sources.read([path]):
            yield from (each.start for each in find_inactive(content.data or b"", symbols, self._name))


def _list_others(found: Found, keys: Sequence[Key]) -> Iterator[Key]:
    """Of places that no search tells of, such as those in documentation, the ones that mean something else."""
    kept = found.kept
    if kept is None:
        return
    wanted = set(keys)
    files = [(path, project) for path in sorted({path for path, _ in keys}) for project in kept.plan.files[path]]
    with bind_deep():
        for (path, _), file in kept.bind(files):
            for start, binding in file.bindings if file is not None else ():
                is_known = binding.label is BindingLabel.EXACT and bool(binding.name)
                if (path, start) in wanted and is_known and not found.target.takes(binding):
                    yield path, start
