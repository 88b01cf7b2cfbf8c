"""`refactor signature`: a member and what is to become of its parameters in; its family and all calls, edited, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.edits import Edit, FileEdits, sort_edits
from codecortex.editing.refactoring.signatures.calls import (
    CallWriter,
    Rewritten,
    find_call,
    is_plain,
    rewrite_declaration,
)
from codecortex.editing.refactoring.signatures.change import Added, Asked, NotPossibleError, read_added, require_order
from codecortex.editing.refactoring.signatures.documentation import change_documentation, change_reference
from codecortex.model.code.bindings import BindingRole
from codecortex.model.code.usages import Certainty
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.queries.resolve import find_one, read_query
from codecortex.operations.refactoring.candidates import choose, make_candidate
from codecortex.operations.refactoring.pipeline import edit_sources, find_symbols, judge_layout, refuse_entry_point
from codecortex.operations.refactoring.results import EditRefusedError, Plan
from codecortex.operations.refactoring.signatures.constraints import refuse_constraints
from codecortex.operations.refactoring.signatures.judging import Done, judge, list_inactive, refuse_uses
from codecortex.operations.refactoring.signatures.sites import Declared, Files
from codecortex.operations.usages.places import read_symbol
from codecortex.operations.usages.search import search
from codecortex.symbols.hits import HitKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from codecortex.editing.refactoring.signatures.change import Item
    from codecortex.model.code.syntax import Node
    from codecortex.model.code.usages import Usage
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.results import Candidate, EditRequest, EditResult
    from codecortex.operations.refactoring.signatures.sites import Opened
    from codecortex.operations.usages.search import Found
    from codecortex.symbols.hits import Hit

_SURE = (Certainty.DECLARATION, Certainty.EXACT)
_CALLS = frozenset((BindingRole.CALL, BindingRole.CONSTRUCTOR, BindingRole.ATTRIBUTE))
_TELLING = frozenset((BindingRole.DECLARATION, BindingRole.DOCUMENTATION))
_NAMEOF = compile_later(rb"nameof\s*\(\s*[\w.@<>,\s]*\Z")
_HARMLESS = ("System.Threading.CancellationToken.None", "System.Threading.Tasks.Task.CompletedTask")


class Parameters(NamedTuple):
    """What is to become of parameters, and what documentation says of a new one."""

    asked: Asked
    said: str = ""


class NewParameter(NamedTuple):
    """A new parameter as somebody writes it: all of it, what callers pass, what it goes before, what is said of it."""

    text: str | None = None
    argument: str = ""
    before: str = ""
    said: str = ""


def read_parameters(new: NewParameter, removed: Sequence[str], order: str) -> Parameters:
    """What is to become of parameters, as it is written.

    Raises:
        UsageError: A new one is none.
    """
    added = read_added(new.text, new.argument) if new.text is not None else None
    if new.text is not None and added is None:
        raise UsageError(f"{new.text!r} is no parameter.", "Give a type and a name, such as `int count = 0`.")
    if added is None and any(new):
        raise UsageError("--argument, --before and --doc are of a new parameter.", "Give --add-parameter too.")
    names = tuple(_read_name(each) for each in order.split(",")) if order else ()
    return Parameters(Asked(added, _read_name(new.before), tuple(map(_read_name, removed)), names), new.said)


def _read_name(text: str) -> str:
    """The name of a parameter, be it written with `@` or not."""
    return text.strip().removeprefix("@")


def change_signature(
    asked: EditRequest, symbol: str, parameters: Parameters, include: Collection[str] = ()
) -> EditResult:
    """Add, remove or reorder parameters of a method or a constructor, and of all that overrides or implements it.

    Args:
        asked: Where the edit goes.
        symbol: The member.
        parameters: What is to become of its parameters.
        include: The ids of doubtful calls that are edited too; the others are left as they are.

    Raises:
        SymbolNotFoundError: It matches nothing.
        AmbiguousSymbolError: It matches several symbols.
        UsageError: It is no method, or its parameters cannot be as asked.
        EditRefusedError: A call cannot follow, or a name would mean something else.
        CodecortexError: As `edit_sources` says.
    """
    if not any((parameters.asked.added, parameters.asked.removed, parameters.asked.order)):
        hint = "Give --add-parameter, --remove-parameter or --order."
        raise UsageError("Nothing says what is to become of the parameters.", hint)

    def make(workspace: Workspace) -> Plan:
        hit = find_one(workspace, read_query(read_symbol(workspace, symbol, member=True)))
        if hit.kind is not HitKind.MEMBER or hit.member is None or hit.member.kind not in ("method", "constructor"):
            raise UsageError(f"{symbol!r} is no method and no constructor.", "Only their parameters are changed.")
        return _Change(workspace, hit, parameters).plan(include)

    return edit_sources(asked, make)


class _Change:
    """One change of a signature."""

    def __init__(self, workspace: Workspace, hit: Hit, parameters: Parameters) -> None:
        self._workspace = workspace
        self._hit = hit
        self._asked, self._said = parameters
        self._found: Found = search(workspace, [hit], family=True, declared=True)
        if self._found.kept is None:
            raise EditRefusedError(f"{hit.name} is not read.", "`codecortex status` says which files are left out.")
        self._kept = self._found.kept
        self._files = Files(workspace, self._kept)
        self._edits: dict[str, set[Edit]] = {}
        self._rewritten: dict[str, list[Rewritten]] = {}

    def plan(self, include: Collection[str]) -> Plan:
        """The edits, judged."""
        outside = self._found.target.outside
        if outside:
            hint = "What a referenced assembly declares keeps its parameters."
            raise EditRefusedError(f"{self._hit.name} overrides or implements {', '.join(outside)}.", hint)
        refuse_entry_point(self._workspace, self._hit, self._found)
        rows = sorted(self._found.rows, key=lambda each: (each.file, each.line, each.column))
        declared = [self._files.declare(each) for each in rows if each.certainty is Certainty.DECLARATION]
        primary = (self._files.declare_primary(each) for each in self._found.target.members)
        declared += [each for each in primary if each is not None and each not in declared]
        own = {symbol for symbol, _ in self._found.target.own}
        first = next((each for each in declared if each.symbol in own), None)
        if first is None:
            raise EditRefusedError(f"{self._hit.name} has no declaration of its own.", "Edit it by its text.")
        items = self._apply(first)
        for each in declared:
            self._change_declaration(each, items)
        doubtful = {self._name_doubt(each): each for each in rows if self._is_doubtful(each)}
        inactive = tuple(list_inactive(self._workspace, self._hit))
        candidates = (*doubtful, *inactive)
        chosen = choose(candidates, include)
        unread = next((each for each in inactive if each.id in chosen), None)
        if unread is not None:
            message = f"{unread.file}:{unread.line}:{unread.column} is compiled under other symbols only."
            raise EditRefusedError(message, "Include the others alone, and edit it by its text.")
        for row in rows:
            if row.certainty is Certainty.EXACT or (row in doubtful.values() and self._name_doubt(row).id in chosen):
                self._follow(row, declared, items)
        refuse_uses(self._found, self._files, (self._hit, first), items)
        if self._hit.member is not None and self._hit.member.kind == "constructor" and not first.parameters:
            refuse_constraints(self._workspace, self._hit, self._files)
        files = self._make_files()
        judge(self._workspace, self._found, Done(files, self._rewritten), declared, self._asked)
        return Plan("signature", self._hit.name, files, () if include else candidates)

    def _apply(self, first: Declared) -> list[Item]:
        try:
            return self._asked.apply(first.parameters)
        except NotPossibleError as problem:
            raise UsageError(f"{self._hit.name} {problem}.", "Its declaration shows its parameters.") from None

    # -- declarations

    def _change_declaration(self, declared: Declared, items: Sequence[Item]) -> None:
        file = self._files.open(declared.path)
        line = file.starts.find_place(declared.extent.start)[0]
        self._refuse_body(file, declared, items)
        if declared.has_no_defaults:
            items = [each if isinstance(each, int) else each.without_default() for each in items]
        rewritten = rewrite_declaration(declared.parameters, declared.listed, items)
        try:
            if not declared.has_no_defaults:
                require_order(declared.parameters, items)
            said = change_documentation(file.source, declared.extent, declared.parameters, items, self._said)
            self._take(declared.path, rewritten, said)
        except NotPossibleError as problem:
            hint = "Change that first, with `codecortex edit replace`."
            raise EditRefusedError(f"{declared.path}:{line}: {self._hit.name} {problem}.", hint) from None

    def _refuse_body(self, file: Opened, declared: Declared, items: Sequence[Item]) -> None:
        """Refuse to take parameters away that are used, and names that are taken."""
        node = declared.node
        gone = {each.name_start: each.name for number, each in enumerate(declared.parameters) if number not in items}
        new = next((each.name for each in items if isinstance(each, Added)), None)
        if gone and declared.is_primary and "partial" in node.modifiers():
            hint = "Edit it by its text."
            raise EditRefusedError(f"Other parts of {self._hit.name} may use {min(gone.values())}.", hint)
        for start, binding in file.bindings:
            if not node.start <= start < node.end:
                continue
            line, column = file.starts.find_place(start)
            where = f"{declared.path}:{line}:{column}"
            if binding.declared in gone and binding.local == "parameter" and binding.role not in _TELLING:
                raise EditRefusedError(f"{where} uses {gone[binding.declared]}.", "Take that away first.")
            is_declared = binding.role is BindingRole.DECLARATION and binding.local and not declared.is_primary
            if is_declared and binding.name.removeprefix("@") == new and start not in gone:
                raise EditRefusedError(f"{where} declares {new} already.", "Choose another name.")

    # -- uses

    def _is_doubtful(self, row: Usage) -> bool:
        if row.certainty in (*_SURE, Certainty.OTHER):
            return False
        file = self._files.open(row.file)
        return file.starts.find((row.line, row.column)) not in file.labels

    def _name_doubt(self, row: Usage) -> Candidate:
        return make_candidate(row.file, row.line, row.column, row.why or "only the name is the same")

    def _follow(self, row: Usage, declared: Sequence[Declared], items: Sequence[Item]) -> None:
        """Let one place follow."""
        file = self._files.open(row.file)
        start = file.starts.find((row.line, row.column))
        length = file.starts.find((row.line, row.end_column)) - start
        where = f"{row.file}:{row.line}:{row.column}"
        if row.generated:
            raise EditRefusedError(f"{where} is generated.", "Change what it is generated from.")
        if row.role == BindingRole.CREF:
            edit = change_reference(file.source, start + length, items)
            self._edits.setdefault(row.file, set()).update([edit] if edit is not None else [])
            return
        if row.role in _CALLS or row.certainty is not Certainty.EXACT:
            self._call(row, (file, start, length), declared, items)
            return
        if row.role == BindingRole.IMPLIED:
            if self._needs_more(items):
                raise EditRefusedError(
                    f"{where} calls {self._hit.name} without saying so.", "Write the call out first."
                )
            return
        if not _NAMEOF.search(file.source[max(start - 200, 0) : start]):
            hint = "Write a lambda that calls it first."
            raise EditRefusedError(f"{where} uses {self._hit.name} without calling it.", hint)

    def _needs_more(self, items: Sequence[Item]) -> bool:
        kept = [each for each in items if isinstance(each, int)]
        added = [each for each in items if isinstance(each, Added)]
        return kept != list(range(len(kept))) or any(not each.default for each in added) or bool(self._asked.removed)

    def _call(
        self, row: Usage, place: tuple[Opened, int, int], declared: Sequence[Declared], items: Sequence[Item]
    ) -> None:
        file, start, length = place
        meant = {each.symbol for each in file.find(start)} | {row.through}
        target = next((each for each in declared if each.symbol in meant), declared[0])
        call = find_call(file.lists, file.source, start, length)
        extends = bool(target.parameters) and "this" in target.parameters[0].modes
        if extends and not self._files.is_static_call(row.file, start):
            call = call._replace(skipped=1)
        try:
            writer = CallWriter(call, target.parameters, items, self._find_own(file, start, row.file, declared))
            rewritten = writer.rewrite(lambda each: self._can_go(file, each))
        except NotPossibleError as problem:
            message = f"{row.file}:{row.line}:{row.column}: the call of {self._hit.name} {problem}."
            raise EditRefusedError(message, "Change the call first.") from None
        self._take(row.file, rewritten)

    def _find_own(self, file: Opened, start: int, path: str, declared: Sequence[Declared]) -> str:
        """What an override hands on to what it overrides: its own new parameter."""
        added = self._asked.added
        if added is None or not re.search(rb"\bbase\s*\.\s*\Z", file.source[max(start - 20, 0) : start]):
            return ""
        around = (each for each in declared if each.path == path and each.node.start <= start < each.node.end)
        return added.name if any(around) else ""

    def _can_go(self, file: Opened, argument: Node) -> bool:
        """Whether evaluating an argument does nothing."""
        named = [each.binding.symbol for each in file.bindings if argument.start <= each.start < argument.end]
        return is_plain(argument) and all(each[2:] in _HARMLESS for each in named if each.startswith("P:"))

    # -- files

    def _take(self, path: str, rewritten: Rewritten, more: Iterator[Edit] | Sequence[Edit] = ()) -> None:
        self._edits.setdefault(path, set()).update([*rewritten.edits, *more])
        self._rewritten.setdefault(path, []).append(rewritten)

    def _make_files(self) -> tuple[FileEdits, ...]:
        files = []
        for path in sorted(self._edits):
            opened = self._files.open(path)
            try:
                file = FileEdits(path, opened.draft, sort_edits(self._edits[path]))
            except ValueError:
                hint = "Take one call out of the other first."
                raise EditRefusedError(f"{path}: calls of {self._hit.name} lie within each other.", hint) from None
            judge_layout(file, find_symbols(self._workspace, path))
            files.append(file)
        return tuple(each for each in files if each.edits)
