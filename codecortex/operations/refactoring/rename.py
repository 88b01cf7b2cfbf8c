"""`refactor rename`: a symbol and a new name in; every place that means it, edited, or why that is not safe, out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.definitions import SourceDefinition
from codecortex.analysis.families.collisions import find_member_collisions, find_type_collisions, list_unknown
from codecortex.analysis.usages.words import words_of_type
from codecortex.editing.refactoring.edits import Edit, FileEdits, sort_edits
from codecortex.editing.refactoring.moves.units import find_namespace_at
from codecortex.editing.refactoring.names import read_name, rewrite, write_name
from codecortex.editing.refactoring.scopes import find_later
from codecortex.editing.refactoring.symbol_ids import TypeRenaming, follow_member
from codecortex.model.code.bindings import BindingLabel
from codecortex.model.code.usages import Certainty
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.queries.named_files import find_source
from codecortex.operations.queries.resolve import find_shared, read_query
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.candidates import GENERATED, UNDECIDABLE, choose, make_candidate
from codecortex.operations.refactoring.flavours import IMPLIED, SURE, Elsewhere, OtherFlavours
from codecortex.operations.refactoring.local_names import plan_local
from codecortex.operations.refactoring.locals import DeclaredName, find_at, find_binding, find_local, find_parameter
from codecortex.operations.refactoring.namespaces import plan_namespace
from codecortex.operations.refactoring.overlay import Renaming, compare, refuse_changes
from codecortex.operations.refactoring.pipeline import (
    edit_sources,
    find_symbols,
    read_draft,
    read_tree,
    refuse_entry_point,
    refuse_left_out,
)
from codecortex.operations.refactoring.results import EditRefusedError, Plan
from codecortex.operations.refactoring.unused_names import LeftNames, are_unused
from codecortex.operations.usages.search import search
from codecortex.operations.usages.targets import list_words
from codecortex.parsing.occurrences.find import LineStarts
from codecortex.symbols.hits import HitKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.families.collisions import Collision
    from codecortex.editing.drafts import Draft
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.usages import Usage
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.flavours import Spot
    from codecortex.operations.refactoring.locals import LocalAt, Span
    from codecortex.operations.refactoring.results import Candidate, EditRequest, EditResult
    from codecortex.operations.usages.search import Found
    from codecortex.operations.usages.targets import Target
    from codecortex.symbols.hits import Hit

_AT_PLACE = compile_later(r"(.+\.(?:cs|csx)):([0-9]{1,7}):([0-9]{1,7})", re.IGNORECASE)
_FIXED = frozenset(("constructor", "destructor", "indexer", "operator", "conversion", "invoke"))
_NAMED_BY = "Letters, digits and _, not a digit first."
_ATTRIBUTE = "Attribute"
_FOR_EVERY_TYPE = frozenset(("var", "dynamic", "nint", "nuint", "notnull", "unmanaged"))
"""Words that stand where a type's name would be looked up first."""
_OF_LANGUAGE = {"_": "what is discarded", "nameof": "names as texts"}
"""Words that mean something only where nothing is called so."""
_ELSEWHERE = "What a referenced assembly declares cannot be renamed."
_AFTER_STEM = (".", "{", "`", "")


class Place(NamedTuple):
    """A place that may have to be edited: its range in the bytes of the file, and what is to stand there."""

    path: str
    line: int
    column: int
    edit: Edit


@dataclass(frozen=True)
class Places:
    """Where a name stands.

    Attributes:
        sure: What means the symbol.
        doubtful: What may, with the reason.
    """

    sure: Sequence[Place]
    doubtful: Sequence[tuple[Place, str]]


def rename(asked: EditRequest, symbol: str, new: str, include: Collection[str] = ()) -> EditResult:
    """Give a type, a member or a namespace another name, everywhere.

    Args:
        asked: Where the edit goes.
        symbol: The symbol.
        new: The new name.
        include: The ids of the doubtful places that are renamed too; the others are left as they are. If none is
            given and there are any, somebody has to choose.

    Raises:
        SymbolNotFoundError: It matches nothing.
        AmbiguousSymbolError: It matches several symbols.
        UsageError: The new name is none, or there is no such candidate.
        EditRefusedError: Something would mean something else, or the symbol cannot have another name.
        CodecortexError: As `edit_sources` says.
    """
    names = [read_name(each) for each in new.split(".")]
    if not all(names):
        raise UsageError(f"{new!r} is no name in C#.", _NAMED_BY)
    name = ".".join(filter(None, names))
    word = next((each for each in names if each in _OF_LANGUAGE), None)
    if word is not None:
        hint = "Choose another name."
        raise EditRefusedError(
            f"What is called {word} takes what the language means by it: {_OF_LANGUAGE[word]}.", hint
        )

    def make(workspace: Workspace) -> Plan:
        placed = _AT_PLACE.fullmatch(symbol)
        if placed is not None:
            return _plan_at(workspace, placed[1], (int(placed[2]), int(placed[3])), name, include)
        hits = find_shared(workspace, read_query(symbol))
        if hits[0].kind is HitKind.NAMESPACE:
            return plan_namespace(workspace, hits[0].name, _read_last(hits[0].name, name), include)
        if "." in name:
            raise UsageError(f"{new!r} is no name in C#.", _NAMED_BY)
        return _Rename(workspace, hits, name).plan(include)

    return edit_sources(asked, make)


def _plan_at(workspace: Workspace, file: str, at: tuple[int, int], new: str, include: Collection[str]) -> Plan:
    """Rename what the name at a line and a column of a file means."""
    path = find_source(workspace, file)
    if path is None:
        raise UsageError(f"No source of this tree is called {file}.", "Name it as git lists it.")
    if "." in new:
        raise UsageError(f"{new!r} is no name in C#.", _NAMED_BY)
    draft = read_draft(workspace, path)
    source = draft.shown.encode()
    offset = LineStarts(source).find(at)
    place = f"{file}:{at[0]}:{at[1]}"
    found = find_at(workspace, path, source, offset)
    if found is None or not (found.binding.symbol or found.binding.local):
        symbols = find_symbols(workspace, path)
        refuse_left_out(place, source, symbols, offset)
        namespace = find_namespace_at(read_tree(path, draft, symbols).root, offset)
        if namespace:
            return plan_namespace(workspace, namespace, new, include)
        raise EditRefusedError(f"{place} is no name that is known.", "Give the place of a name's first letter.")
    binding = found.binding
    if binding.symbol:
        if binding.label is not BindingLabel.EXACT:
            hint = f"It may be {binding.symbol}: {binding.why}. Name the symbol itself."
            raise EditRefusedError(f"What {binding.name} means at {place} is not certain.", hint)
        _refuse_foreign(binding, place)
        return _Rename(workspace, find_shared(workspace, read_query(binding.symbol)), new).plan(include)
    if binding.owner:
        return _plan_parameter(workspace, found, place, new, include)
    if binding.declared < 0:
        raise EditRefusedError(f"{binding.name} is declared in another file.", "Give the place of its declaration.")
    if binding.local == "parameter":
        there = find_binding(found.kept, path, binding.declared)
        if there is not None and there.symbol:  # the parameter of a record declares a property, too
            return _Rename(workspace, find_shared(workspace, read_query(there.symbol)), new).plan(include)
    if binding.local == "type parameter":
        _refuse_word(new)
    declared = DeclaredName(path, binding.declared, binding.name.removeprefix("@"), binding.local)
    return plan_local(workspace, found.kept, declared, new, include)


def _plan_parameter(workspace: Workspace, found: LocalAt, place: str, new: str, include: Collection[str]) -> Plan:
    """Rename the parameter that an argument is for, where it is declared."""
    binding = found.binding
    if binding.label is not BindingLabel.EXACT:
        hint = f"It may be of {binding.owner}: {binding.why}. Give the place of its declaration."
        raise EditRefusedError(f"Whose parameter {binding.name} is at {place} is not certain.", hint)
    name = binding.name.removeprefix("@")
    declared = find_parameter(workspace, found.kept, binding.owner, name) if binding.project is not None else None
    if declared is None:
        raise EditRefusedError(f"{name} is a parameter of {binding.owner}, declared elsewhere.", _ELSEWHERE)
    starts = LineStarts(read_draft(workspace, declared.path).shown.encode())
    return _plan_at(workspace, declared.path, starts.find_place(declared.offset), new, include)


def _refuse_word(new: str) -> None:
    """Refuse the name of a type, or of a type parameter, that is a word where types stand."""
    if new in _FOR_EVERY_TYPE:
        raise EditRefusedError(f"A type that is called {new} hides a word of the language.", _NAMED_BY)


def _refuse_foreign(binding: Binding, place: str) -> None:
    """Refuse what a referenced assembly declares, and the name that a directive gives a type."""
    if binding.project is None:
        raise EditRefusedError(f"{binding.symbol} is declared elsewhere.", _ELSEWHERE)
    name, symbol = binding.name.removeprefix("@"), binding.symbol
    written = symbol.rpartition(".")[2].removeprefix("T:").partition("`")[0]
    if symbol.startswith("T:") and "\\" not in name and name not in (written, written.removesuffix(_ATTRIBUTE)):
        hint = "Change the directive that declares it, or name the type itself."
        raise EditRefusedError(f"{name} at {place} is an alias of {symbol}.", hint)


class _Rename:
    """One renaming."""

    def __init__(self, workspace: Workspace, hits: Sequence[Hit], new: str) -> None:
        self._workspace = workspace
        self._hits = hits
        self._hit = hit = hits[0]
        self._new = new
        self._old = _find_name(hit)
        of_type = hit.member is None
        self._old_names, self._new_names = (
            frozenset(words_of_type(each).names if of_type else (each,)) for each in (self._old, new)
        )
        self._taken = self._new_names | {each + _ATTRIBUTE for each in self._new_names if of_type}
        self._drafts: dict[str, Draft] = {}
        self._texts: dict[str, tuple[bytes, LineStarts]] = {}

    def plan(self, include: Collection[str]) -> Plan:
        """The edits, judged."""
        SourceSearch(self._workspace).look_ahead(list_words(self._hit).names, self._taken)
        found = self._found
        if self._old == self._new:
            return Plan("rename", self._hit.name, ())
        for each in (found, *(other.found for other in self._elsewhere[1])):
            self._refuse_outside(each)
        refuse_entry_point(self._workspace, self._hit, found)
        if self._hit.member is None:
            _refuse_word(self._new)
        places = self._find_places(found)
        self._refuse_collisions(found, places)
        candidates = [*self._list_unknown(found), *(_name_candidate(*each) for each in places.doubtful)]
        chosen = choose(candidates, include)
        taken = [place for place, why in places.doubtful if _name_candidate(place, why).id in chosen]
        self._refuse_later([*places.sure, *taken])
        files = self._make_files(found, [*places.sure, *taken])
        self._judge(found, files)
        if include:
            return Plan("rename", self._hit.name, files)
        told = frozenset(each.id for each in candidates if each.why not in UNDECIDABLE)
        return Plan("rename", self._hit.name, files, tuple(candidates), self.plan, told)

    # -- places

    @cached_property
    def _found(self) -> Found:
        return search(self._workspace, self._hits, family=True, declared=True)

    @cached_property
    def _elsewhere(self) -> tuple[Sequence[Spot], Sequence[Elsewhere]]:
        """The places in code that is compiled for other frameworks only, and these frameworks."""
        other = OtherFlavours(self._workspace, self._found, self._old)
        return other.list_spots(), other.searched

    def _find_places(self, found: Found) -> Places:
        sure, doubtful = [], []
        for row in sorted(found.rows, key=lambda each: (each.file, each.line, each.column)):
            if row.certainty is Certainty.OTHER:
                continue
            if row.role in IMPLIED:
                if row.certainty in SURE:
                    hint = "The language itself calls it by its name."
                    raise EditRefusedError(f"{row.file}:{row.line} uses {self._hit.name} without its name.", hint)
                continue
            place = self._locate(row)
            if place is None:
                continue
            if row.generated:
                doubtful.append((place, GENERATED))
            elif row.certainty in SURE:
                sure.append(place)
            else:
                doubtful.append((place, row.why or "only the name is the same"))
        for spot in self._elsewhere[0]:
            self._open(spot.path)
            edit = Edit(spot.location.start, spot.location.end, write_name(self._new))
            place = Place(spot.path, spot.location.line, spot.location.column, edit)
            doubtful += [(place, spot.why)] if spot.why else []
            sure += [] if spot.why else [place]
        for span in self._list_positional(found):
            source, starts = self._open(span.path)
            written = source[span.start : span.end].decode()
            text = self._new if span.is_text else rewrite(written, self._old, self._new)
            place = Place(span.path, *starts.find_place(span.start), Edit(span.start, span.end, text or self._new))
            doubtful += [(place, span.why)] if span.why else []
            sure += [] if span.why or place in sure else [place]
        for path, reason in sorted(found.unread.items()):
            doubtful.append((Place(path, 1, 1, Edit(0, 0, "")), reason))
        return Places(sure, doubtful)

    def _list_positional(self, found: Found) -> Iterator[Span]:
        """Places of the parameters that declare properties of records: documentation, arguments, base calls."""
        for member in found.target.members:
            owner, node = member.owner, member.node
            name = node.field("name") if node is not None and node.kind == "parameter" else node
            if name is None or name.kind != "identifier" or not isinstance(owner, SourceDefinition):
                continue
            for part in owner.parts if owner.is_record else ():
                if part.node.source is name.source and found.kept is not None:
                    asked = DeclaredName(part.scope.file, name.start, self._old, "parameter")
                    yield from find_local(self._workspace, found.kept, asked).spans

    def _locate(self, row: Usage) -> Place | None:
        """The edit of a place; None where another name stands, such as an alias."""
        source, starts = self._open(row.file)
        start, end = starts.find((row.line, row.column)), starts.find((row.line, row.end_column))
        text = rewrite(source[start:end].decode(), self._old, self._new)
        return Place(row.file, row.line, row.column, Edit(start, end, text)) if text is not None else None

    def _open(self, path: str) -> tuple[bytes, LineStarts]:
        """The bytes of a file as offsets count in them."""
        if path not in self._texts:
            draft = self._drafts[path] = read_draft(self._workspace, path)
            source = draft.shown.encode()
            self._texts[path] = source, LineStarts(source)
        return self._texts[path]

    def _make_files(self, found: Found, places: Iterable[Place]) -> tuple[FileEdits, ...]:
        edits: dict[str, list[Edit]] = {}
        for place in places:
            edits.setdefault(place.path, []).append(place.edit)
        moved = self._follow_files(found)
        return tuple(
            FileEdits(path, self._drafts[path], sort_edits(edits[path]), moved.get(path, "")) for path in sorted(edits)
        )

    def _follow_files(self, found: Found) -> Mapping[str, str]:
        """Where the files go that are called as a type: those that declare it, outside of any other type."""
        declared = [each for each in found.target.definitions if each.container is None]
        moved = {}
        for path in sorted({part.scope.file for each in declared for part in each.parts}):
            folder, slash, file = path.rpartition("/")
            stem, _, ending = file.rpartition(".")
            rest = stem.removeprefix(self._old)
            if (stem.startswith(self._old) and rest.startswith(_AFTER_STEM[:3])) or stem == self._old:
                target = f"{folder}{slash}{self._new}{rest}.{ending}"
                if target in self._workspace.tree.sources.sources:
                    raise EditRefusedError(f"{target} is there already.", "Move it first, or choose another name.")
                moved[path] = target
        return moved

    # -- what is in the way

    def _refuse_outside(self, found: Found) -> None:
        outside = found.target.outside
        if outside:
            raise EditRefusedError(f"{self._hit.name} overrides or implements {', '.join(outside)}.", _ELSEWHERE)

    def _refuse_later(self, places: Iterable[Place]) -> None:
        """Refuse a name that a local has which is declared behind a place, and takes it all the same."""
        by_file: dict[str, list[Place]] = {}
        for each in places:
            by_file.setdefault(each.path, []).append(each)
        for path, here in by_file.items():
            source, starts = self._open(path)
            if re.search(rb"\b%b\b" % re.escape(self._new.encode()), source) is None:
                continue
            root = read_tree(path, self._drafts[path], find_symbols(self._workspace, path)).root
            for each in here:
                later = find_later(root, each.edit.start, self._new)
                if later is not None:
                    line, column = starts.find_place(later.start)
                    told = f"{path}:{line}:{column} declares {self._new}, which {path}:{each.line} would mean."
                    raise EditRefusedError(told, "Choose another name.")

    def _refuse_collisions(self, found: Found, places: Places) -> None:
        if found.sources is None:
            return
        program, target = found.sources.program, found.target
        first: Collision | None = next(find_type_collisions(program, target.definitions, self._new), None)
        first = first or next(find_member_collisions(program, target.members, self._new), None)
        if first is not None:
            where = f"{places.sure[0].path}:{places.sure[0].line}: " if places.sure else ""
            raise EditRefusedError(
                f"{where}{self._hit.name} cannot be called {self._new}: {first.symbol} {first.why}.",
                "Choose another name.",
            )

    def _list_unknown(self, found: Found) -> Iterator[Candidate]:
        """Types of the symbol's family that may have to keep its name for a base that is not known."""
        for each in list_unknown(found.target.members):
            part = each.parts[0]
            line = part.node.source.count(b"\n", 0, part.node.start) + 1
            yield make_candidate(part.scope.file, line, 1, f"{each.name} derives from what is not known")

    def _judge(self, found: Found, files: Sequence[FileEdits]) -> None:
        if not files:
            return
        for each in (Elsewhere(self._workspace, found, None), *self._elsewhere[1]):
            target, kept = each.found.target, each.found.kept
            if kept is None:
                continue
            names, left = self._old_names | self._new_names, None
            follow = cache(_follow(target, self._old, self._new))
            if are_unused(each.workspace, kept, self._taken):
                methods = [symbol for symbol, _ in target.family if symbol.startswith("M:")]
                names, left = self._old_names, LeftNames(self._old_names, follow, methods)
            seen = frozenset(project for _, project in target.family if project is not None)
            renaming = Renaming(names, follow, seen, paths=each.paths, left=left)
            refuse_changes(self._hit.name, self._new, compare(each.workspace, kept, files, renaming))


def _read_last(namespace: str, new: str) -> str:
    """The new last part of a namespace's name: only that changes."""
    front, _, last = new.rpartition(".")
    if front and front != namespace.rpartition(".")[0]:
        hint = f"`refactor move TYPE --to-namespace {new}` takes types elsewhere."
        raise EditRefusedError(f"{namespace} cannot become {new}: only its last part is renamed.", hint)
    return last


def _find_name(hit: Hit) -> str:
    """The name that is to be changed."""
    if hit.entry is None:
        raise EditRefusedError(f"{hit.name} is a namespace.", "Name it without a place.")
    if hit.member is None:
        return hit.entry.simple_name
    if hit.member.kind in _FIXED:
        hint = "Rename its type." if hit.member.kind in ("constructor", "destructor") else ""
        raise EditRefusedError(f"{hit.name} has no name of its own.", hint)
    return hit.member.name


def _follow(target: Target, old: str, new: str) -> Callable[[str], str]:
    """What gives the documentation ids that symbols have afterwards."""
    if target.definitions:
        return TypeRenaming({each.id for each in target.definitions}, new).follow
    ids = {symbol: follow_member(symbol, old, new) for symbol, _ in target.family}
    return lambda symbol: ids.get(symbol, symbol)


def _name_candidate(place: Place, why: str) -> Candidate:
    return make_candidate(place.path, place.line, place.column, why)
