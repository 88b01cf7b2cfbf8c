"""`refactor extract-method`: statements or an expression become a method of their own, called where they stood."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.analysis.flow.passing import NotProvedError
from codecortex.editing.refactoring.declarations import list_declared, name_names
from codecortex.editing.refactoring.edits import FileEdits
from codecortex.editing.refactoring.layout import list_fixed_lines
from codecortex.editing.refactoring.names import read_name
from codecortex.editing.refactoring.selections import find_around, find_selection, open_all
from codecortex.model.errors import UsageError
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.queries.named_files import find_source
from codecortex.operations.refactoring.extraction.bound import bind_around
from codecortex.operations.refactoring.extraction.judge import judge
from codecortex.operations.refactoring.extraction.shape import find_shape
from codecortex.operations.refactoring.extraction.writing import write_edits
from codecortex.operations.refactoring.pipeline import edit_sources, read_draft, read_tree, refuse_left_out
from codecortex.operations.refactoring.results import EditRefusedError, Plan
from codecortex.parsing.occurrences.find import LineStarts
from codecortex.parsing.syntax.read import find_errors, read_syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.editing.refactoring.selections import Around, Selection
    from codecortex.model.code.syntax import SyntaxTree
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.results import EditRequest, EditResult

VERB = "extract-method"
SPAN = compile_later(r"(.+\.(?:cs|csx)):([0-9]{1,7}):([0-9]{1,7})-([0-9]{1,7}):([0-9]{1,7})", re.IGNORECASE)
_HINT = "Choose other statements, or move them by hand."


def extract_method(asked: EditRequest, span: str, name: str) -> EditResult:
    """Move statements or an expression into a method of their own.

    Args:
        asked: Where the edit goes.
        span: `FILE:LINE:COLUMN-LINE:COLUMN`, from 1; the end is the place behind the last character, or that itself.
        name: The name of the method.

    Raises:
        UsageError: The range or the name is none.
        EditRefusedError: It cannot be proved that the program does the same afterwards.
        CodecortexError: As `edit_sources` says.
    """
    plain = read_name(name)
    if plain is None:
        raise UsageError(f"{name!r} is no name in C#.", "Letters, digits and _, not a digit first.")
    placed = SPAN.fullmatch(span)
    if placed is None:
        raise UsageError(f"{span!r} is no range.", "Give FILE:LINE:COLUMN-LINE:COLUMN, counted from 1.")

    def make(workspace: Workspace) -> Plan:
        return plan_method(workspace, placed, plain)

    return edit_sources(asked, make)


def plan_method(workspace: Workspace, placed: re.Match[str], name: str) -> Plan:
    """The edits, judged; `placed` is the range as `SPAN` takes it apart."""
    path = find_source(workspace, placed[1])
    if path is None:
        raise UsageError(f"No source of this tree is called {placed[1]}.", "Name it as git lists it.")
    draft = read_draft(workspace, path)
    source = draft.shown.encode()
    projects = [each for each in workspace.projects if path in each.files]
    symbols = projects[0].symbols if projects else frozenset()
    tree = read_tree(path, draft, symbols)
    refuse_left_out(placed[0], source, symbols, LineStarts(source).find((int(placed[2]), int(placed[3]))))
    selection = _select(tree, source, placed)
    where = f"{placed[1]}:{placed[2]}:{placed[3]}-{placed[4]}:{placed[5]}"
    edits: FileEdits | None = None
    try:
        around = find_around(selection)
        for file in _extract(workspace, FileEdits(path, draft), selection, around, name):
            edits = _require_same(edits, file)
    except NotProvedError as problem:
        raise EditRefusedError(f"{where} cannot become a method: {problem}.", _HINT, file=path) from None
    if edits is None:
        raise EditRefusedError(f"{path} is compiled by no project.", "Add it to one.")
    _judge_layout(edits, symbols, name)
    return Plan(VERB, f"{where} {name}", (edits,))


def _extract(
    workspace: Workspace, file: FileEdits, selection: Selection, around: Around | str, name: str
) -> Iterator[FileEdits]:
    """The edits, as each project that compiles the file has them; judged."""
    if isinstance(around, str):
        raise NotProvedError(around)
    open_all(around.member)
    _require_plain(file.source, selection)
    fixed = list_fixed_lines(around.member)
    symbols = {each.path: each.symbols for each in workspace.projects}
    for bound in bind_around(workspace, file.path, file.source, selection, around):
        shape = find_shape(bound, selection, around, name)
        written = write_edits(file.source, selection, around, shape, fixed)
        edited = FileEdits(file.path, file.before, written.edits)
        judge(bound.sources, edited, written, name, symbols)
        yield edited


def _require_same(one: FileEdits | None, other: FileEdits) -> FileEdits:
    if one is not None and one.edits != other.edits:
        raise NotProvedError("the projects that compile the file disagree")
    return other


def _select(tree: SyntaxTree, source: bytes, placed: re.Match[str]) -> Selection:
    starts = LineStarts(source)
    start = starts.find((int(placed[2]), int(placed[3])))
    end = starts.find((int(placed[4]), int(placed[5])))
    for last in (end, end + 1):
        found = find_selection(tree.root, source, start, last) if start < last <= len(source) else None
        if found is not None:
            return found
    raise UsageError(f"{placed[0]} covers neither whole statements nor an expression.", "Give the range of whole ones.")


def _require_plain(source: bytes, selection: Selection) -> None:
    """Refuse what is not understood, or is compiled under other symbols only in part."""
    if any(each.kind == "ERROR" for node in selection.nodes for each in node.walk()):
        raise NotProvedError("its syntax is not understood")
    text = source[selection.start : selection.end]
    if re.search(rb"^[ \t]*#", text, re.MULTILINE):
        raise NotProvedError("a directive stands in it")


def _judge_layout(file: FileEdits, symbols: frozenset[str], name: str) -> None:
    """Refuse edits after which the file parses worse, or declares more than the new method, or less."""
    after = file.after.shown.encode() if file.after is not None else b""
    errors = find_errors(after, symbols)
    if len(errors) > len(find_errors(file.source, symbols)):
        line = after.count(b"\n", 0, errors[0]) + 1
        raise EditRefusedError(f"{file.path}:{line} would not parse any more.", _HINT, file=file.path)
    before, now = (
        [(each.kind, *name_names(each)) for each in list_declared(read_syntax(text, symbols).root)]
        for text in (file.source, after)
    )
    now.remove(("method_declaration", name))
    if now != before:
        raise EditRefusedError(f"The edit would change what {file.path} declares elsewhere.", _HINT, file=file.path)
