"""`refactor member`: one declaration located by its symbol and replaced, removed or given a neighbour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from codecortex.editing.drafts import fold_ends
from codecortex.editing.refactoring.declarations import TYPE, find_body, name_kind, name_names
from codecortex.editing.refactoring.edits import FileEdits
from codecortex.editing.refactoring.layout import list_fixed_lines
from codecortex.editing.refactoring.members import insert_at_end, insert_beside, remove_member, replace_member
from codecortex.editing.refactoring.snippets import IN_NAMESPACE, Refusal, Snippet, choose_around, read_member
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.refactoring.pipeline import edit_sources, judge_layout
from codecortex.operations.refactoring.places import find_place
from codecortex.operations.refactoring.results import EditRefusedError, Plan
from codecortex.parsing.syntax.read import find_errors, read_syntax

if TYPE_CHECKING:
    from codecortex.editing.refactoring.edits import Edit
    from codecortex.model.code.syntax import Node
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.places import DeclaredAt
    from codecortex.operations.refactoring.results import EditRequest, EditResult

Where = Literal["before", "after", "end"]


class NewText(NamedTuple):
    """The text of a declaration, and what it is called in messages: a path, or `-` for stdin."""

    text: str
    name: str = "-"


def replace_one(asked: EditRequest, symbol: str, new: NewText) -> EditResult:
    """Put a text in place of the declaration of a symbol; it has to be one declaration of the same kind.

    This function and those below raise `SymbolNotFoundError` and `AmbiguousSymbolError` for a symbol that is none or
    several, `EditRefusedError` for an edit that cannot be made, and what `edit_sources` raises.
    """
    return edit_sources(asked, lambda workspace: plan_replacement(workspace, symbol, new))


def plan_replacement(workspace: Workspace, symbol: str, new: NewText) -> Plan:
    """The edit that puts a text in place of a declaration, judged."""
    place = find_place(workspace, symbol)
    _refuse_shared(place, "replaced")
    snippet = _read(place, new, _holder_of(place.extent.node), place.extent.kind)
    return _plan(place, "member replace", replace_member(place.extent, snippet))


def remove_one(asked: EditRequest, symbol: str) -> EditResult:
    """Take the declaration of a symbol away, with its documentation, attributes and separator."""

    def make(workspace: Workspace) -> Plan:
        place = find_place(workspace, symbol)
        _refuse_shared(place, "removed")
        return _plan(place, "member remove", remove_member(place.source, place.extent))

    return edit_sources(asked, make)


def insert_one(asked: EditRequest, symbol: str, new: NewText, where: Where) -> EditResult:
    """Put a new declaration before or after that of a symbol, or at the end of a type."""

    def make(workspace: Workspace) -> Plan:
        place = find_place(workspace, symbol)
        node = place.extent.node
        if where != "end":
            snippet = _read(place, new, _holder_of(node))
            edit = insert_beside(place.source, place.extent, snippet, after=where == "after")
            return _plan(place, "member insert", edit)
        if place.extent.kind != TYPE:
            raise EditRefusedError(f"{place.name} is no type.", "--before or --after puts a member beside it.")
        end = insert_at_end(place.source, node, _read(place, new, node)) if find_body(node) is not None else None
        if end is None:
            raise EditRefusedError(f"{place.name} has no body at {place.where}.", "Give it one: `{ }`.")
        return _plan(place, "member insert", end)

    return edit_sources(asked, make)


def _plan(place: DeclaredAt, verb: str, edit: Edit) -> Plan:
    file = FileEdits(place.path, place.draft, (edit,))
    judge_layout(file, place.symbols)
    return Plan(verb, place.name, (file,))


def _refuse_shared(place: DeclaredAt, done: str) -> None:
    """Refuse to touch one of several fields that are declared together."""
    names = name_names(place.extent.node)
    if len(names) > 1:
        raise EditRefusedError(
            f"{place.name} is declared at {place.where} together with others ({', '.join(names)}), and cannot be {done}"
            " alone.",
            "Give each a declaration of its own first, with `codecortex edit replace`.",
        )


def _holder_of(node: Node) -> Node | None:
    """The type around a declaration; None where it lies in no other."""
    above = node.parent.parent if node.parent is not None else None
    is_type = above is not None and name_kind(above) == TYPE
    return above if above is not None and is_type and node.parent is find_body(above) else None


def _read(place: DeclaredAt, new: NewText, holder: Node | None, kind: str = "") -> Snippet:
    """The text as one declaration, of a kind where one is given."""
    text = fold_ends(new.text)
    around = IN_NAMESPACE
    if holder is not None:
        name = holder.field("name")
        around = choose_around(name.text if name is not None else "", is_enum=holder.kind == "enum_declaration")
    whole = f"{around.head}{text}{around.tail}".encode()
    tree = read_syntax(whole, place.symbols)
    found = read_member(tree.root, text, find_errors(whole, place.symbols), around)
    if isinstance(found, Refusal):
        raise _refuse(new, found)
    snippet = Snippet(text, name_kind(found), frozenset(line - 1 for line in list_fixed_lines(tree.root)))
    line = tree.source.count(b"\n", 0, found.start)
    if kind and snippet.kind != kind:
        raise _refuse(new, Refusal(line, f"declares {_article(snippet.kind)} where {_article(kind)} is"))
    if holder is None and snippet.kind != TYPE:
        raise _refuse(new, Refusal(line, f"declares {_article(snippet.kind)}, which has to lie in a type"))
    if snippet.kind == "constructor" and holder is not None and name_names(found) != name_names(holder):
        raise _refuse(new, Refusal(line, "has neither a return type nor the name of its type"))
    return snippet


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _refuse(new: NewText, why: Refusal) -> EditRefusedError:
    name = "the text" if new.name == "-" else new.name
    return EditRefusedError(
        f"Line {why.line} of {name} {why.reason}.", "Give one whole declaration and nothing else.", line=why.line
    )
