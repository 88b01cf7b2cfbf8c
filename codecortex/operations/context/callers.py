"""Chosen members in; the members that use them, also through interfaces and bases, and their siblings, out.

Files are looked at in the order of the ranking, a few for each member, so that the cost does not grow with the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.references import name_of_base
from codecortex.analysis.usages.members import MemberJudge, MemberTarget
from codecortex.analysis.usages.places import FilePlaces
from codecortex.context.retrieval.neighbours import NAMELESS, Neighbour, Neighbours, Place, find_named
from codecortex.model.code.types import cut_simple_name, parameter_types
from codecortex.model.code.usages import Label, Role
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.context.scope import open_scope
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.parsing.occurrences.find import LineStarts, find_name, read_code
from codecortex.parsing.occurrences.sites import read_site

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.usages.scope import TypeScope
    from codecortex.context.retrieval.neighbours import Named
    from codecortex.model.code.facts import FileFacts, MemberFacts
    from codecortex.model.code.types import TypeId
    from codecortex.model.code.units import Unit
    from codecortex.model.code.usages import Verdict
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.context.index import Index
    from codecortex.parsing.occurrences.find import Code

_MOST_FILES, _MOST_SIBLING_FILES = 8, 32
_MOST_DECLARING = 8
_MOST_KIN = 8
_OVERRIDABLE = frozenset({"virtual", "abstract", "override"})


class _Member(NamedTuple):
    """A chosen member: where it stands, its unit, its type, its facts."""

    place: Place
    unit: Unit
    type_id: TypeId
    facts: MemberFacts


class _Kin(NamedTuple):
    """A member that a use of a chosen one may name.

    Attributes:
        type_id: The type that declares it: the chosen member's own, or what that inherits from.
        parameters: Its parameter types if it has overloads.
        certain: Whether it is told apart from them.
    """

    type_id: TypeId
    parameters: str | None
    certain: bool


def find_neighbours(
    workspace: Workspace, index: Index, chosen: Sequence[Place], ranks: Mapping[int, int]
) -> list[Neighbours]:
    """What is near some members.

    Args:
        workspace: The tree.
        index: Its index.
        chosen: The members.
        ranks: Of documents; what is in those that come first is looked at and told first.
    """
    units = {place: index.read_units(place.document)[place.unit] for place in chosen}
    named = {place: unit for place, unit in units.items() if unit.kind not in NAMELESS}
    if not named:
        return []
    search = _Search(workspace, index, ranks)
    found = find_named((unit.name for unit in named.values()), index.corpus)
    told: dict[str, Neighbours] = {}
    for place, unit in named.items():
        name = f"{unit.owner}.{unit.name}"
        member = search.open(place, unit) if name not in told else None
        if member is not None:
            near = search.find(member, found[unit.name])
            if near.callers or near.siblings:
                told[name] = near
    return list(told.values())


class _Search:
    """What is read of the tree, for all the chosen members."""

    def __init__(self, workspace: Workspace, index: Index, ranks: Mapping[int, int]) -> None:
        self._index, self._corpus, self._ranks = index, index.corpus, ranks
        self._sources = SourceSearch(workspace)
        self._scope: TypeScope = open_scope(workspace, index.corpus, self._sources)
        self._codes: dict[str, Code | None] = {}

    def open(self, place: Place, unit: Unit) -> _Member | None:
        """A member of a place; None where its file cannot be read."""
        path = self._corpus.paths[place.document]
        project, facts = self._read_facts(path)
        for declared in facts.types if facts is not None else ():
            for member in declared.members:
                if (member.line, member.name, member.implicit) == (unit.line, unit.name, False):
                    entry = self._scope.find_entry(declared.fqn, project, path)
                    return _Member(place, unit, entry.id, member) if entry is not None else None
        return None

    def find(self, member: _Member, named: Named) -> Neighbours:
        """The callers and siblings of a member."""
        kin = self._list_kin(member)
        few = _count_files(named.declaring) <= _MOST_DECLARING
        callers = [each for each in self._find_callers(member, kin, named) if each.exact or few]
        siblings = [each for each in self._find_siblings(member, kin, named) if each.exact or few]
        callers.sort(key=lambda each: not each.exact)
        siblings.sort(key=lambda each: not each.exact)
        whole = _count_files(named.using) <= _MOST_FILES, _count_files(named.declaring) <= _MOST_SIBLING_FILES
        return Neighbours(f"{member.unit.owner}.{member.unit.name}", tuple(callers), tuple(siblings), whole)

    # -- the family

    def _list_kin(self, member: _Member) -> list[_Kin]:
        """The member itself, and what it implements or overrides."""
        own = [] if member.facts.explicit_interface else [self._make_kin(member.type_id, member.facts)]
        inherited = [
            self._make_kin(type_id, member.facts)
            for type_id in self._list_bases(member.type_id)
            if self._passes_on(type_id, member)
        ]
        return [each for each in (*own, *inherited) if each is not None][:_MOST_KIN]

    def _list_bases(self, type_id: TypeId) -> list[TypeId]:
        """Everything that a type inherits from, the nearest first."""
        seen: dict[TypeId, None] = {type_id: None}
        pending = [type_id]
        for each in pending:
            for base in self._scope.shape_of(each).bases:
                if base not in seen:
                    seen[base] = None
                    pending.append(base)
        return list(seen)[1:]

    def _passes_on(self, base: TypeId, member: _Member) -> bool:
        """Whether a call of a base's member of this name may lead to a member."""
        facts, scope = member.facts, self._scope
        held = [each.facts for each in scope.shape_of(base).members.get(facts.name, ())]
        if not any(len(each.parameters) == len(facts.parameters) for each in held):
            return False
        if scope.entries[base].kind == "interface":
            written = name_of_base(facts.explicit_interface).rpartition(".")[2].partition("`")[0]
            same = cut_simple_name(scope.entries[base].fqn) == written if written else True
            return same and scope.entries[member.type_id].kind != "interface"
        return "override" in facts.modifiers and any(not _OVERRIDABLE.isdisjoint(each.modifiers) for each in held)

    def _make_kin(self, type_id: TypeId, facts: MemberFacts) -> _Kin | None:
        """The member of a type that is the same as a member, as far as its parameters tell."""
        held = [each.facts for each in self._scope.shape_of(type_id).members.get(facts.name, ())]
        if not held:
            return None
        if len(held) == 1:
            return _Kin(type_id, None, certain=True)
        alike = [each for each in held if parameter_types(each) == parameter_types(facts)]
        alike = alike or [each for each in held if len(each.parameters) == len(facts.parameters)]
        if len(alike) == 1:
            return _Kin(type_id, parameter_types(alike[0]), certain=True)
        return _Kin(type_id, None, certain=False)

    # -- callers

    def _find_callers(self, member: _Member, kin: Sequence[_Kin], named: Named) -> Iterator[Neighbour]:
        name = member.unit.name
        judges = [(each, MemberJudge(self._scope, MemberTarget(each.type_id, name, each.parameters))) for each in kin]
        if not judges:
            return
        by_document = self._group(named.using, _MOST_FILES)
        self._load_codes([self._corpus.paths[document] for document in by_document])
        for document in by_document:
            units = self._index.read_units(document)
            found: dict[int, Neighbour] = {}
            for line, exact, meant in self._judge_sites(document, judges, name):
                at = _find_unit(units, by_document[document], line)
                if at and Place(document, at) != member.place and (at not in found or exact > found[at].exact):
                    told = f"{units[at].owner}.{units[at].name}"
                    other = exact and meant.type_id != member.type_id
                    through = cut_simple_name(self._name(meant)) if other else ""
                    found[at] = Neighbour(told, self._corpus.paths[document], line, exact, through)
            yield from found.values()

    def _group(self, places: frozenset[Place], most: int) -> dict[int, list[int]]:
        """The units of the documents that are ranked first, by document."""
        found: dict[int, list[int]] = {}
        for place in sorted(places, key=self._order):
            if place.document in found or len(found) < most:
                found.setdefault(place.document, []).append(place.unit)
        return found

    def _order(self, place: Place) -> tuple[int, str, int]:
        return self._ranks.get(place.document, len(self._ranks)), self._corpus.paths[place.document], place.unit

    def _judge_sites(
        self, document: int, judges: Sequence[tuple[_Kin, MemberJudge]], name: str
    ) -> Iterator[tuple[int, bool, _Kin]]:
        """Yield the lines at which a file may use a member, whether it does for certain, and whose member it names."""
        path = self._corpus.paths[document]
        project, facts = self._read_facts(path)
        code = self._codes.get(path)
        if facts is None or code is None:
            return
        places = FilePlaces(self._scope, facts, project, path)
        starts = LineStarts(code.source)
        for spot in find_name(code, name):
            around = places.find((spot.line, spot.column))
            inside = around.where.member
            extent = (starts.find(around.first), starts.find(around.last))
            site = read_site(code, spot, extent, inside.name if inside is not None else "")
            verdicts = [(kin, judge.judge(site, name, around.where)) for kin, judge in judges]
            if any(verdict.role is Role.DECLARATION for _, verdict in verdicts):
                continue
            meant = self._choose_meant(verdicts, name)
            if meant is not None:
                kin, verdict = meant
                yield spot.line, kin.certain and verdict.label is Label.EXACT, kin

    def _choose_meant(self, verdicts: Sequence[tuple[_Kin, Verdict]], name: str) -> tuple[_Kin, Verdict] | None:
        """Which of the family a place means, as far as is known; None where it surely means something else."""
        exact = next((each for each in verdicts if each[1].label is Label.EXACT), None)
        if exact is not None:
            return exact
        means = verdicts[0][1].means
        if not means:
            return verdicts[0]
        named = (each for each in verdicts if f"{self._name(each[0])}.{name}" == means)
        return next((each for each in named if not each[1].means), None)

    def _name(self, kin: _Kin) -> str:
        return self._scope.entries[kin.type_id].fqn

    # -- siblings

    def _find_siblings(self, member: _Member, kin: Sequence[_Kin], named: Named) -> Iterator[Neighbour]:
        """Yield those of the family, and members so called of types that share a base outside of the tree."""
        roots = [each.type_id for each in kin if each.type_id != member.type_id]
        abstract = self._scope.entries[member.type_id].kind == "interface"
        if abstract or not _OVERRIDABLE.isdisjoint(member.facts.modifiers):
            roots.append(member.type_id)
        foreign = self._list_foreign(member.type_id)
        seen = {member.type_id}
        for document, units in self._group(named.declaring, _MOST_SIBLING_FILES).items():
            for at in units:
                unit = self._index.read_units(document)[at]
                other = self.open(Place(document, at), unit) if unit.name == member.unit.name else None
                if other is None or other.type_id in seen or not _is_alike(other.facts, member.facts):
                    continue
                seen.add(other.type_id)
                name, path = f"{unit.owner}.{unit.name}", self._corpus.paths[document]
                root = next((each for each in roots if self._takes_part(other, each)), None)
                if root is not None or other.type_id in roots:
                    through = cut_simple_name(self._scope.entries[root].fqn) if root is not None else ""
                    yield Neighbour(name, path, unit.line, exact=True, through=through)
                elif foreign & self._list_foreign(other.type_id):
                    yield Neighbour(name, path, unit.line, exact=False, through="")

    def _takes_part(self, other: _Member, root: TypeId) -> bool:
        """Whether a member implements or overrides that of another type."""
        written = other.facts.modifiers
        interface = self._scope.entries[root].kind == "interface"
        return ("new" not in written if interface else "override" in written) and self._scope.inherits(
            other.type_id, root
        )

    def _list_foreign(self, type_id: TypeId) -> set[str]:
        """The names of what a type inherits from that the tree does not declare."""
        names = set()
        for each in (type_id, *self._list_bases(type_id)):
            shape = self._scope.shape_of(each)
            known = {cut_simple_name(self._scope.entries[base].fqn) for base in shape.bases}
            written = {name_of_base(text) for part in shape.parts for text in part.facts.bases}
            names |= {text.rpartition(".")[2].partition("`")[0] for text in written} - known
        return names

    # -- what is read

    def _read_facts(self, path: str) -> tuple[str, FileFacts | None]:
        """The project that a file is read for, and its facts."""
        project = next(iter(self._sources.projects_of(path)), None)
        return (project.path, self._sources.facts_of(path, project.path)) if project is not None else ("", None)

    def _load_codes(self, paths: Iterable[str]) -> None:
        """Read the code of several files at once, each for the first of its projects."""
        wanted: dict[str, frozenset[str]] = {}
        for path in paths:
            project = next(iter(self._sources.projects_of(path)), None)
            if project is not None and path not in self._codes:
                wanted[path] = project.symbols
        for content in self._sources.read(wanted):
            path = content.entry.path
            self._codes[path] = read_code(content.data or b"", wanted[path])


def _count_files(places: Iterable[Place]) -> int:
    return len({each.document for each in places})


def _find_unit(units: Sequence[Unit], among: Sequence[int], line: int) -> int:
    """The position of the innermost of some members that has a line; 0 for none."""
    holding = [at for at in among if units[at].line <= line <= units[at].end_line]
    return min(holding, key=lambda at: (units[at].end_line - units[at].line, -at), default=0)


def _is_alike(one: MemberFacts, other: MemberFacts) -> bool:
    return one.kind == other.kind and len(one.parameters) == len(other.parameters)
