"""`refactor extract-interface`: a type and a name in; an interface of its members, which the type implements, out."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import find_body, measure
from codecortex.editing.refactoring.edits import Edit, FileEdits, measure_edit, sort_edits
from codecortex.editing.refactoring.interfaces.writing import Head, add_base, write_interface
from codecortex.editing.refactoring.moves.imports import add_directives
from codecortex.editing.refactoring.moves.placing import Imports, Pasted, find_place, plan_new_file
from codecortex.editing.refactoring.names import read_name, write_name
from codecortex.model.errors import CodecortexError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.kept import KeptBindings
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.interfaces.choosing import choose_members, find_copied, list_constraints
from codecortex.operations.refactoring.moving.references import Move
from codecortex.operations.refactoring.overlay import Passage, Renaming, compare, tell_changes
from codecortex.operations.refactoring.pipeline import edit_sources, judge_layout, read_draft, read_tree
from codecortex.operations.refactoring.places import find_parts, find_type, read_path
from codecortex.operations.refactoring.places import find_place as locate
from codecortex.operations.refactoring.results import EditRefusedError, Plan
from codecortex.operations.refactoring.usings import find_unneeded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.editing.refactoring.interfaces.writing import Written
    from codecortex.model.code.syntax import Node
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.interfaces.choosing import Chosen
    from codecortex.operations.refactoring.overlay import Change
    from codecortex.operations.refactoring.places import DeclaredAt
    from codecortex.operations.refactoring.results import EditRequest, EditResult

_ACCESS = ("public", "internal", "protected", "private", "file")
_BY_REFERENCE = compile_later(r"(?:\[[^\]]*\]|\s|[a-z]+\s)*?ref\s+(?:[a-z]+\s+)*struct\b")
_TYPES = ("class_declaration", "struct_declaration", "record_declaration")


class Wanted(NamedTuple):
    """An interface that is asked for: its name, the names of its members, its file; None for one beside the type."""

    name: str
    members: tuple[str, ...] = ()
    file: str | None = None


class Made(NamedTuple):
    """The edits that make an interface, and what they copy by the file that it is copied from."""

    files: tuple[FileEdits, ...]
    copies: Mapping[str, Sequence[Passage]]


def extract_interface(asked: EditRequest, symbol: str, wanted: Wanted) -> EditResult:
    """Declare an interface with members of a type, which implements it from then on.

    Args:
        asked: Where the edit goes.
        symbol: The type, or the place of one of its parts, whose members are taken.
        wanted: The interface.

    Raises:
        SymbolNotFoundError: The symbol matches nothing.
        AmbiguousSymbolError: It matches several types.
        UsageError: It is no type, has no such member, or the name is none.
        EditRefusedError: A member cannot be in an interface, or a name would mean something else.
        CodecortexError: As `edit_sources` says.
    """
    name = read_name(wanted.name)
    if name is None:
        raise UsageError(f"{wanted.name!r} is no name in C#.", "Letters, digits and _, not a digit first.")

    def make(workspace: Workspace) -> Plan:
        entry, place = find_type(workspace, symbol)
        part = place or _choose_part(find_parts(workspace, entry), wanted.members) or locate(workspace, symbol)
        file = read_path(wanted.file) if wanted.file is not None else None
        if file is None and "+" not in entry.fqn:
            file = f"{part.path.rpartition('/')[0]}/{name}.cs".lstrip("/")
        move = Move(workspace, entry, (part,), file if file != part.path else None, None)
        return _Extraction(move, part, name).plan(wanted.members)

    return edit_sources(asked, make)


def _choose_part(parts: Sequence[DeclaredAt], members: Sequence[str]) -> DeclaredAt | None:
    """The one declaration of a type that has what an interface is to have."""
    having = []
    for part in parts:
        with suppress(CodecortexError):
            choose_members(part, members)
            having.append(part)
    return having[0] if len(having) == 1 else None


class _Extraction:
    """One interface."""

    def __init__(self, move: Move, part: DeclaredAt, name: str) -> None:
        self._move = move
        self._part = part
        self._name = name
        paths, _ = SourceSearch(move.workspace).find([name])
        self._kept = KeptBindings(move.workspace, paths | {part.path})

    def plan(self, members: Sequence[str]) -> Plan:
        """The edits, judged."""
        self._refuse()
        symbol = f"T:{self._move.entry.fqn.replace('+', '.')}"
        chosen = find_copied(self._kept, choose_members(self._part, members), symbol)
        imports = Imports()
        made = self._make(chosen, imports)
        changes = self._judge(made)
        missing = {each for change in changes for each in [self._move.find_directive(change)] if each is not None}
        if missing and self._move.is_there:
            imports = imports._replace(added=frozenset(missing))
            made = self._make(chosen, imports)
            changes = self._judge(made)
        new = next((each for each in made.files if each.before is None), None)
        if not changes and new is not None and new.after is not None:
            text = new.after.shown.encode()
            unneeded = find_unneeded(self._kept, new, self._move.owners)
            without = frozenset(text[each.start : each.end].decode() for each in unneeded)
            made = self._make(chosen, imports._replace(without=without))
            changes = self._judge(made)
        if changes:
            hint = "Leave the member out, or choose another name."
            told = tell_changes(changes)
            raise EditRefusedError(f"{self._name} cannot be extracted: {told}.", hint)
        for each in made.files:
            judge_layout(each, self._part.symbols)
        return Plan("extract-interface", self._move.entry.display, made.files)

    def _refuse(self) -> None:
        node, entry = self._part.extent.node, self._move.entry
        if node.kind not in _TYPES or "static" in node.modifiers():
            hint = "Classes, structs and records do."
            raise EditRefusedError(f"{entry.display} implements no interfaces.", hint)
        if find_body(node) is None:
            raise EditRefusedError(f"{entry.display} has no body at {self._part.where}.", "Give it one: `{ }`.")
        if _BY_REFERENCE.match(node.text):
            raise EditRefusedError(f"{entry.display} lives on the stack.", "Interfaces are for other types.")
        front, sign = entry.fqn.rpartition("+")[:2] if "+" in entry.fqn else entry.fqn.rpartition(".")[:2]
        taken = [
            each for each in self._move.workspace.catalog.types if each.fqn.startswith(f"{front}{sign}{self._name}")
        ]
        if any(each.simple_name == self._name and each.project in self._move.owners for each in taken):
            raise EditRefusedError(f"There is a type {front}{sign}{self._name} already.", "Choose another name.")
        if self._move.file is None:
            return
        if "+" in entry.fqn or "file" in node.modifiers():
            raise EditRefusedError(f"{entry.display} is seen in its file alone.", "Leave --to-file out.")
        self._move.refuse_unmovable()

    # -- edits

    def _make(self, chosen: Chosen, imports: Imports) -> Made:
        part, node, source = self._part, self._part.extent.node, self._part.source
        own = [each for each in self._list_parameters(node) if each.name in chosen.parameters]
        arguments = f"<{', '.join(each.text for each in own)}>" if own else ""
        base = add_base(node, write_name(self._name) + arguments)
        pasted = self._find_pasted(imports)
        indent = pasted.indent if pasted.indent is not None else part.extent.indent or ""
        written = write_interface(source, self._write_head(chosen, own, indent), chosen.members, chosen.edits)
        text = pasted.before + written.text.removesuffix("\n") + pasted.behind
        edit = Edit(pasted.place, pasted.place, text)
        file = self._move.file
        if file is None:
            files = [FileEdits(part.path, part.draft, sort_edits((base, edit)))]
            shift = 0 if pasted.place <= base.start else len(base.text.encode())
            return Made(tuple(files), self._list_copies(written, part.path, pasted, shift))
        files = [FileEdits(part.path, part.draft, (base,)), self._make_other(file, edit, imports)]
        shift = sum(measure_edit(each) for each in files[1].edits if each is not edit and each.end <= edit.start)
        return Made(tuple(sorted(files, key=lambda each: each.path)), self._list_copies(written, file, pasted, shift))

    def _make_other(self, file: str, edit: Edit, imports: Imports) -> FileEdits:
        if not self._move.is_there:
            return FileEdits(file, None, (edit,))
        draft = read_draft(self._move.workspace, file)
        root = read_tree(file, draft, self._part.symbols).root
        added = add_directives(draft.shown.encode(), root, imports.added, is_everywhere=False)
        return FileEdits(file, draft, sort_edits((edit, *added)))

    def _list_copies(self, written: Written, path: str, pasted: Pasted, shift: int) -> dict[str, list[Passage]]:
        at = pasted.place + shift + len(pasted.before.encode())
        copies = [Passage(each.start, each.end, path, at + each.at, each.edits) for each in written.copied]
        return {self._part.path: copies}

    def _find_pasted(self, imports: Imports) -> Pasted:
        """Where the interface goes."""
        part, move = self._part, self._move
        if move.file is None:
            first = part.extent.first
            if not part.source[:first].strip():
                first = part.extent.documentation
            line = part.source.rfind(b"\n", 0, first) + 1
            return Pasted(line, "", "\n\n")
        if not move.is_there:
            return plan_new_file(part.source, part.extent.node, move.old, imports, may_scope=move.may_scope)
        draft = read_draft(move.workspace, move.file)
        place = find_place(draft.shown.encode(), read_tree(move.file, draft, part.symbols).root, move.old)
        if place is None:
            raise EditRefusedError(f"{move.file} has no place for {move.old}.", "Choose another file.")
        return place

    def _list_parameters(self, node: Node) -> list[Node]:
        listed = node.first("type_parameter_list")
        names = [each.field("name") for each in listed.of_kind("type_parameter")] if listed is not None else []
        return [each for each in names if each is not None]

    def _write_head(self, chosen: Chosen, parameters: Sequence[Node], indent: str) -> Head:
        node, source = self._part.extent.node, self._part.source
        body = find_body(node)
        modifiers = [each.text for each in node.of_kind("modifier") if each.text in (*_ACCESS, "unsafe")]
        inner = measure(chosen.members[0].node, source).indent or ""
        own = self._part.extent.indent or ""
        step = inner[len(own) :] if inner.startswith(own) and len(inner) > len(own) else "    "
        before = source[source.rfind(b"\n", 0, body.start) + 1 : body.start] if body is not None else b""
        constraints = list(list_constraints(node, chosen.parameters))
        name = write_name(self._name)
        return Head(modifiers, name, parameters, constraints, indent, step, is_open=not before.strip())

    # -- judging

    def _judge(self, made: Made) -> list[Change]:
        move = self._move
        new = {each.path: sorted(move.owners) for each in made.files if each.before is None}
        renaming = Renaming(
            frozenset((self._name,)),
            lambda symbol: symbol,
            frozenset((move.entry.project,)),
            copies=made.copies,
            made=new,
        )
        return compare(move.workspace, self._kept, made.files, renaming)
