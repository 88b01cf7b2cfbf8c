"""Where the declarations of a type go, and what the files say then."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import measure
from codecortex.editing.refactoring.directives import list_directives, remove_directives
from codecortex.editing.refactoring.edits import Edit, FileEdits, measure_edit, sort_edits
from codecortex.editing.refactoring.moves.imports import add_directives
from codecortex.editing.refactoring.moves.placing import (
    Imports,
    Pasted,
    cut,
    find_place,
    indent_edits,
    paste_behind,
    plan_new_file,
)
from codecortex.editing.refactoring.moves.units import find_namespace, find_root, is_alone
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.refactoring.overlay import Passage
from codecortex.operations.refactoring.pipeline import find_symbols, read_draft, read_tree
from codecortex.operations.refactoring.results import EditRefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.editing.drafts import Draft
    from codecortex.editing.refactoring.moves.placing import Cut
    from codecortex.editing.refactoring.moves.units import Namespace
    from codecortex.model.code.syntax import Node
    from codecortex.operations.refactoring.moving.references import Move
    from codecortex.operations.refactoring.places import DeclaredAt


class Paste(NamedTuple):
    """A declaration that is cut out of one place and put into another: the file, and what is written around it."""

    part: DeclaredAt
    moved: Cut
    path: str
    pasted: Pasted | None


class LaidOut(NamedTuple):
    """The edits of a move, and what moved by the file that it stood in."""

    files: tuple[FileEdits, ...]
    passages: Mapping[str, Sequence[Passage]]


@dataclass
class Layout:
    """What changes whatever directives are added.

    Attributes:
        move: The move.
        edits: The edits, by file.
        pastes: What is put elsewhere.
        moved_to: Where files go.
        removed: Files that go.
        drafts: What files say.
        doubtful: Places that may mean the type: file, offset and why.
    """

    move: Move
    edits: dict[str, set[Edit]]
    pastes: list[Paste] = field(default_factory=list)
    moved_to: dict[str, str] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    drafts: dict[str, Draft] = field(default_factory=dict)
    doubtful: Sequence[tuple[str, int, str]] = ()

    def open(self, path: str) -> bytes:
        """The text of a file."""
        if path not in self.drafts:
            self.drafts[path] = read_draft(self.move.workspace, path)
        return self.drafts[path].shown.encode()

    def read(self, path: str) -> Node:
        """The syntax of a file."""
        self.open(path)
        return read_tree(path, self.drafts[path], find_symbols(self.move.workspace, path)).root

    def make(self, imports: Mapping[str, Imports]) -> LaidOut:
        """The edits, with directives that are added to files."""
        edits = {path: set(found) for path, found in self.edits.items()}
        made: dict[str, FileEdits] = {}
        for path, wanted in imports.items():
            if path in self.move.workspace.tree.sources.sources and wanted.added:
                is_pasted = path in {each.path for each in self.pastes}
                found = add_directives(self.open(path), self.read(path), wanted.added, is_everywhere=is_pasted)
                edits.setdefault(path, set()).update(found)
        passages: dict[str, list[Passage]] = {}
        for each in self.pastes:
            passage, edit = self._paste(each, edits, imports.get(each.path, Imports()))
            passages.setdefault(each.part.path, []).append(passage)
            if each.pasted is None:
                made[each.path] = FileEdits(each.path, None, (edit,))
        files = [self._make_file(path, edits.get(path, set())) for path in {*edits, *self.moved_to, *self.removed}]
        every = sorted([*files, *made.values()], key=lambda each: each.path)
        return LaidOut(tuple(every), passages)

    def _make_file(self, path: str, edits: set[Edit]) -> FileEdits:
        self.open(path)
        if path in self.removed:
            return FileEdits(path, self.drafts[path], removed=True)
        return FileEdits(path, self.drafts[path], sort_edits(edits), self.moved_to.get(path, ""))

    def _paste(self, paste: Paste, edits: dict[str, set[Edit]], imports: Imports) -> tuple[Passage, Edit]:
        """Put a declaration elsewhere: its own edits go along."""
        part, moved = paste.part, paste.moved
        own = edits.setdefault(part.path, set())
        inner = {each for each in own if moved.start <= each.start and each.end <= moved.end and each != moved.edit}
        own -= inner
        own.add(moved.edit)
        node, name = part.extent.node, self.move.new
        may_scope = self.move.may_scope
        pasted = paste.pasted or plan_new_file(part.source, node, name, imports, may_scope=may_scope)
        indents = indent_edits(part.source, find_root(node), moved, pasted.indent) if pasted.indent is not None else ()
        changes = sort_edits([*inner, *indents])
        edit = Edit(pasted.place, pasted.place, pasted.before + moved.text(part.source, changes) + pasted.behind)
        others = edits.setdefault(paste.path, set()) if paste.pasted is not None else set()
        shift = sum(measure_edit(other) for other in others if other.end <= pasted.place)
        others.add(edit)
        at = pasted.place + shift + len(pasted.before.encode())
        return Passage(moved.start, moved.end, paste.path, at, changes), edit


def lay_out(move: Move) -> Layout:
    """Find where the declarations of a type go.

    Raises:
        EditRefusedError: They cannot go there.
    """
    edits, doubtful = move.find_qualifiers()
    layout = Layout(move, {path: set(found) for path, found in edits.items()}, doubtful=doubtful)
    for part in move.parts:
        _lay_out_part(layout, part)
    if move.is_left_empty:
        _leave(layout)
    return layout


def _lay_out_part(layout: Layout, part: DeclaredAt) -> None:
    move, node = layout.move, part.extent.node
    layout.drafts[part.path] = part.draft
    root = find_root(node)
    namespace = find_namespace(root, node)
    if namespace is None:
        raise EditRefusedError(f"{part.where} is nested.", "Move the type around it.")
    changes_file = move.file not in (None, part.path)
    if is_alone(root, namespace, node) and not (changes_file and move.is_there):
        if move.new != move.old:
            layout.edits.setdefault(part.path, set()).add(_rename(layout, part, namespace))
        if changes_file and move.file is not None:
            layout.moved_to[part.path] = move.file
        return
    if namespace.is_block and not changes_file and namespace.list_members() == [node]:
        layout.edits.setdefault(part.path, set()).add(_rename(layout, part, namespace))
        return
    moved = cut(part.source, part.extent, namespace)
    if changes_file and move.file is not None:
        layout.pastes.append(Paste(part, moved, move.file, _find_place(layout, move.file)))
        if is_alone(root, namespace, node):
            layout.removed.add(part.path)
        return
    if not namespace.is_block or namespace.node not in root.nodes:
        file = f"{part.path.rpartition('/')[0]}/{move.entry.simple_name}.cs".lstrip("/")
        hint = f"Take it to a file of its own: --to-file {file}."
        raise EditRefusedError(f"{part.where}: others share the namespace of {move.entry.display} there.", hint)
    layout.pastes.append(Paste(part, moved, part.path, paste_behind(part.source, namespace, move.new)))


def _rename(layout: Layout, part: DeclaredAt, namespace: Namespace) -> Edit:
    """The edit that gives the only type of a file another namespace."""
    move = layout.move
    name = namespace.node.field("name")
    if namespace.name and name is not None:
        return Edit(name.start, name.end, move.new)
    if not move.may_scope:
        hint = "Write a namespace around it, with `codecortex edit replace`."
        raise EditRefusedError(f"{part.where} stands in no namespace.", hint)
    extent = measure(part.extent.node, part.source)
    start = part.source.rfind(b"\n", 0, extent.documentation) + 1
    return Edit(start, start, f"namespace {move.new};\n\n")


def _find_place(layout: Layout, path: str) -> Pasted | None:
    """Where a declaration goes in a file; None where that is to be made."""
    move = layout.move
    if not move.is_there:
        return None
    place = find_place(layout.open(path), layout.read(path), move.new)
    if place is None:
        hint = "Choose another file, or give --to-namespace."
        raise EditRefusedError(f"{path} has no place for {move.new or 'the global namespace'}.", hint)
    return place


def _leave(layout: Layout) -> None:
    """Take away the directives of a namespace that is not declared any more.

    Raises:
        EditRefusedError: A project imports it, or an alias names it.
    """
    move = layout.move
    for project in move.workspace.projects:
        if move.old in {each.removeprefix("global::") for each in project.usings}:
            hint = "Take it out of the project file first."
            raise EditRefusedError(f"{move.old} would be left empty, and {project.path} imports it.", hint)
    for path in move.list_importing():
        source = layout.open(path)
        found = [each for each in list_directives(layout.read(path)) if each.target == move.old]
        for each in found:
            if each.alias:
                line = source.count(b"\n", 0, each.start) + 1
                hint = "Name the type itself there first."
                raise EditRefusedError(f"{path}:{line} calls {move.old} {each.alias}, which would be left empty.", hint)
        if found:
            layout.edits.setdefault(path, set()).update(remove_directives(source, found))
