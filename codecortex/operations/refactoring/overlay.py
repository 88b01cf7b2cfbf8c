"""Compares what names mean before and after an edit that gives symbols another name or another place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.edits import measure_edit
from codecortex.editing.refactoring.names import is_plain, spell_name
from codecortex.model.code.bindings import BindingLabel, BindingRole
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.bindings.kept import KeptBindings
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.operations.refactoring.unused_names import NameFinder
from codecortex.parsing.occurrences.find import LineStarts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.analysis.binding.bind import FileBindings
    from codecortex.analysis.binding.declarations.pending import FileKey
    from codecortex.editing.refactoring.edits import Edit, FileEdits
    from codecortex.model.code.bindings import Binding, PlacedBinding
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.unused_names import LeftNames

_MOST_TOLD = 5
_UNBOUND = "nothing known"


class Passage(NamedTuple):
    """A part of a file that stands elsewhere after an edit, perhaps in another file.

    Attributes:
        start: Where it begins, in the bytes of the file as it was.
        end: Where it ends.
        path: The file that it stands in afterwards.
        at: Where it begins there, in the bytes of the file as it is to be.
        edits: What changes in it, in the bytes of the file as it was.
    """

    start: int
    end: int
    path: str
    at: int
    edits: tuple[Edit, ...] = ()

    def find(self, place: int) -> int:
        """Where a place in it is afterwards."""
        return self.at + place - self.start + sum(measure_edit(each) for each in self.edits if each.end <= place)


class Renaming(NamedTuple):
    """What is renamed or moved.

    Attributes:
        names: The old name and the new one, and other words around which meanings may change.
        follow: Gives the documentation id that a symbol has afterwards.
        projects: Those that declare it; None where no file but those that are edited can see it.
        follow_using: Gives what a directive of a project file says afterwards; None where none changes.
        passages: What moves, by the file that it stood in.
        copies: What stands elsewhere too, by file; its names have to mean the same there, but for declarations.
        made: The projects that compile what is made anew, by path.
        without: Places whose names are not to be compared, by file: those that the edit takes away.
        whole: Files of which every name is compared.
        paths: The files that are judged; None for all that may change.
        left: Where something goes by the old name yet; None where the new one may be taken for something else.
    """

    names: frozenset[str]
    follow: Callable[[str], str]
    projects: frozenset[str] | None = None
    follow_using: Callable[[str], str] | None = None
    passages: Mapping[str, Sequence[Passage]] = MappingProxyType({})
    copies: Mapping[str, Sequence[Passage]] = MappingProxyType({})
    made: Mapping[str, Sequence[str]] = MappingProxyType({})
    without: Mapping[str, Sequence[tuple[int, int]]] = MappingProxyType({})
    whole: frozenset[str] = frozenset()
    paths: frozenset[str] | None = None
    left: LeftNames | None = None


class Change(NamedTuple):
    """A place whose name would mean something else: its file, line and column, the name, and both meanings.

    Attributes:
        symbol: The documentation id that it means and is to mean; empty of what has none.
        target: The file that the name stands in afterwards.
        at: Where it stands there.
    """

    file: str
    line: int
    column: int
    name: str
    before: str
    after: str
    symbol: str = ""
    target: str = ""
    at: int = 0


def compare(workspace: Workspace, kept: KeptBindings, files: Sequence[FileEdits], renaming: Renaming) -> list[Change]:
    """The places whose names would mean something else, in order.

    Files that write none of the names cannot change, nor bodies that do not: they are not bound.

    Args:
        workspace: The tree.
        kept: What names mean in it.
        files: The edits.
        renaming: What they rename.
    """
    renaming = renaming._replace(follow=cache(renaming.follow))
    named = _find_named(workspace, renaming)
    kept = _widen(workspace, kept, named)
    edits = {each.path: each for each in files if each.path in kept.plan.files}
    words = NameFinder(renaming.names)
    listed = (*renaming.passages.values(), *renaming.copies.values())
    moved = [each.path for passages in listed for each in passages]
    whole = {*renaming.whole, *renaming.passages, *moved}
    changes: dict[tuple[str, int, int], Change] = {}
    with bind_deep():
        keys = _list_files(workspace, kept, edits, renaming, named)
        around = [each for each in keys if each[0] not in whole]
        if renaming.left is not None:
            around = list(_list_changing(kept, around, renaming.names, renaming.left))
        bound = chain(kept.bind(around, sorted(renaming.names)), kept.bind(each for each in keys if each[0] in whole))
        before = {key: file.bindings for key, file in bound if file is not None}
        if not before:
            return []
        texts = _read_texts(workspace, files, {path for path, _ in before})
        stays = {each.target: kept.plan.files[path] for path, each in edits.items() if each.moved_to}
        listing = ((each.path, _list_replaced(each)) for each in files if not each.moved_to)
        replaced = {path: those for path, those in listing if those}
        after = kept.declare_edited(texts, renaming.follow_using, {**stays, **renaming.made}, replaced)

        @cache
        def bind(path: str, project: str) -> FileBindings | None:
            declared = next((each for each in after.files.get(path, ()) if each.project == project), None)
            if declared is None:
                return None
            return after.program.bind(declared, None if path in whole else words.list_starts(declared.source.text))

        for (path, project), meanings in before.items():
            comparison = _Comparison(path, edits.get(path), texts[path], renaming)
            for change in comparison.compare(meanings, partial(_rebind, bind, project)):
                changes.setdefault(change[:3], change)
    return [changes[key] for key in sorted(changes)]


def _find_named(workspace: Workspace, renaming: Renaming) -> set[str]:
    """The files that may say a name; none where only edited files can see what is renamed."""
    return SourceSearch(workspace).find(map(spell_name, renaming.names))[0] if renaming.projects else set()


def _widen(workspace: Workspace, kept: KeptBindings, named: set[str]) -> KeptBindings:
    """The same with all files that say a name: projects of which no file says the old one may see the new one."""
    missing = named - kept.plan.files.keys()
    return KeptBindings(workspace, kept.plan.asked | missing) if missing else kept


def _list_changing(
    kept: KeptBindings, keys: Sequence[FileKey], names: frozenset[str], left: LeftNames
) -> Iterator[FileKey]:
    """The files in which a name that is left may mean something else."""
    for key, file in kept.bind(keys, sorted(names), lambda binding: binding.name.lstrip("@") in names):
        if file is not None and left.may_change(key[0], file.bindings):
            yield key


def _rebind(bind: Callable[[str, str], FileBindings | None], project: str, path: str) -> FileBindings | None:
    return bind(path, project)


def refuse_changes(symbol: str, new: str, changes: Sequence[Change]) -> None:
    """Refuse a renaming after which names would mean something else.

    Raises:
        EditRefusedError: There are such names.
    """
    if changes:
        raise EditRefusedError(f"{symbol} cannot be called {new}: {tell_changes(changes)}.", "Choose another name.")


def tell_changes(changes: Sequence[Change]) -> str:
    """Changes for people, the first of them."""
    return "; ".join(
        f"{each.file}:{each.line}:{each.column}: {each.name or 'this'} would mean {each.after}, not {each.before}"
        for each in changes[:_MOST_TOLD]
    )


def _list_files(
    workspace: Workspace, kept: KeptBindings, edits: Mapping[str, FileEdits], renaming: Renaming, named: set[str]
) -> list[FileKey]:
    """The files whose names may mean something else, as those projects have them that see what is renamed."""
    seeing, left = renaming.projects or (), renaming.left
    others = {each for each in named - edits.keys() if renaming.paths is None or each in renaming.paths}
    found = ((each.entry.path, each.data or b"") for each in SourceSearch(workspace).read(others))
    if left is None:
        words = NameFinder(renaming.names)
        named = {path for path, text in found if words.list_code(text) != []}
    else:
        named = {path for path, text in found if left.look_for(path, text)}
        edits = {path: each for path, each in edits.items() if left.look_for(path, each.source, each.edits)}
    return [
        (path, project)
        for path in sorted(named | edits.keys())
        for project in kept.plan.files.get(path, ())
        if path in edits or any(kept.sees(project, each) for each in seeing)
        if renaming.paths is None or path in renaming.paths
    ]


def _list_replaced(file: FileEdits) -> frozenset[str]:
    """The names that come and go in a file; empty where not every edit puts a plain name for another one."""
    written = [text for each in file.edits for text in (file.source[each.start : each.end].decode(), each.text)]
    return frozenset(written) if all(each.isidentifier() and is_plain(each) for each in written) else frozenset()


def _read_texts(workspace: Workspace, files: Sequence[FileEdits], paths: Iterable[str]) -> dict[str, bytes | None]:
    """What files are to say; None of those that go."""
    texts: dict[str, bytes | None] = {}
    for each in files:
        if each.moved_to:
            texts[each.path] = None
        texts[each.target] = each.after.shown.encode() if each.after is not None else None
    sources = SourceSearch(workspace)
    return {each.entry.path: each.data or b"" for each in sources.read(set(paths) - texts.keys())} | texts


class _Comparison:
    """What the names of one file mean, before and after."""

    def __init__(self, path: str, edited: FileEdits | None, text: bytes | None, renaming: Renaming) -> None:
        self._path = path
        self._target = edited.target if edited is not None else path
        self._source = edited.source if edited is not None else text or b""
        self._follow = renaming.follow
        self._passages = renaming.passages.get(path, ())
        self._copies = renaming.copies.get(path, ())
        self._without = renaming.without.get(path, ())
        self._ends: list[int] = []
        self._shifts = [0]
        for each in edited.edits if edited is not None else ():
            self._ends.append(each.end)
            self._shifts.append(self._shifts[-1] + measure_edit(each))

    def compare(self, before: Iterable[PlacedBinding], bind: Callable[[str], FileBindings | None]) -> Iterator[Change]:
        """The places whose meaning changes, as far as their bodies were bound.

        Args:
            before: What the names mean.
            bind: Binds a file as it is to be.
        """
        starts = LineStarts(self._source)
        found = cache(partial(_read_bound, bind))
        for start, binding in before:
            if binding.label is not BindingLabel.EXACT or any(one <= start < end for one, end in self._without):
                continue
            if binding.role is BindingRole.DOCUMENTATION:
                continue  # it describes a parameter, and may go with it
            for target, moved, declared in self._list_places(start, binding):
                after, skipped = found(target)
                at = bisect_right(skipped, moved, key=itemgetter(0))
                if at and moved < skipped[at - 1][1]:
                    continue
                now = after.get((moved, "" if binding.name else self._follow(binding.symbol)))
                if now is None or not self._is_same(binding, now, declared):
                    place = starts.find_place(start)
                    meanings = (_describe(binding), _describe(now) if now is not None else _UNBOUND)
                    yield Change(self._path, *place, binding.name, *meanings, binding.symbol, target, moved)

    def _list_places(self, start: int, binding: Binding) -> Iterator[tuple[str, int, int]]:
        """The files and places where a place is afterwards, each with the place of what its name means."""
        declared = binding.declared
        yield (*self._move(start), self._move(declared)[1] if declared >= 0 else -1)
        for each in self._copies if binding.role is not BindingRole.DECLARATION else ():
            if each.start <= start < each.end:
                inside = next((one for one in self._copies if one.start <= declared < one.end), None)
                own = self._move(declared)[1] if declared >= 0 else -1
                yield each.path, each.find(start), inside.find(declared) if inside is not None else own

    def _move(self, start: int) -> tuple[str, int]:
        """The file and the place where a place is afterwards."""
        for each in self._passages:
            if each.start <= start < each.end:
                return each.path, each.find(start)
        return self._target, start + self._shifts[bisect_right(self._ends, start)]

    def _is_same(self, before: Binding, after: Binding, declared: int) -> bool:
        """Whether a name means what it meant, perhaps by its new name."""
        if after.label is not BindingLabel.EXACT or after.project != before.project:
            return False
        known = after.symbol in (before.symbol, self._follow(before.symbol))
        return known and (after.local, after.declared) == (before.local, declared)


_Bound = tuple[Mapping[tuple[int, str], "Binding"], Sequence[tuple[int, int]]]


def _read_bound(bind: Callable[[str], FileBindings | None], path: str) -> _Bound:
    """What the names of a file mean afterwards by their places, and where it was not bound."""
    bound = bind(path)
    if bound is None:
        return {}, ()
    return {(start, "" if each.name else each.symbol): each for start, each in bound.bindings}, bound.skipped


def _describe(binding: Binding) -> str:
    meaning = binding.symbol or (f"a {binding.local}" if binding.local else _UNBOUND)
    return meaning if binding.label is BindingLabel.EXACT else f"perhaps {meaning}"
