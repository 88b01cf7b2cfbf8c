"""`refactor move`: a type in; the same in another file or namespace, with the directives that its names need, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.refactoring.names import read_name
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.refactoring.moving.judging import settle
from codecortex.operations.refactoring.moving.layout import lay_out
from codecortex.operations.refactoring.moving.references import Move
from codecortex.operations.refactoring.pipeline import edit_sources
from codecortex.operations.refactoring.places import find_parts, find_place, find_type, read_path
from codecortex.operations.refactoring.results import EditRefusedError, Plan

if TYPE_CHECKING:
    from collections.abc import Collection

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.results import EditRequest, EditResult


class Destination(NamedTuple):
    """Where a type goes: a file, a namespace, or both; None where that stays."""

    file: str | None = None
    namespace: str | None = None


def move(asked: EditRequest, symbol: str, destination: Destination, include: Collection[str] = ()) -> EditResult:
    """Move a type to another file, to another namespace, or both.

    Args:
        asked: Where the edit goes.
        symbol: The type.
        destination: Where it goes.
        include: The ids of doubtful places whose files are to see the type too; the others are left as they are.

    Raises:
        SymbolNotFoundError: It matches nothing.
        AmbiguousSymbolError: It matches several symbols.
        UsageError: It is no type, or the destination is none.
        EditRefusedError: A name would mean something else, or the type cannot stand there.
        CodecortexError: As `edit_sources` says.
    """
    file, namespace = destination
    if file is None and namespace is None:
        raise UsageError("Nothing says where it goes.", "Give --to-file, --to-namespace or both.")
    if namespace is not None:
        names = [read_name(each) for each in namespace.split(".")]
        if not all(names):
            raise UsageError(f"{namespace!r} is no namespace.", "Names with dots between them.")
        namespace = ".".join(each for each in names if each is not None)
    file = read_path(file) if file is not None else None

    def make(workspace: Workspace) -> Plan:
        entry, place = find_type(workspace, symbol)
        parts = find_parts(workspace, entry) if namespace is not None else (place or find_place(workspace, symbol),)
        return _plan(Move(workspace, entry, parts, file, namespace), include)

    return edit_sources(asked, make)


def _plan(move_: Move, include: Collection[str]) -> Plan:
    move_.refuse_unmovable()
    if move_.stays:
        return Plan("move", move_.entry.display, ())
    layout = lay_out(move_)
    files, candidates = settle(layout, include)
    if not files:
        raise EditRefusedError(f"{move_.entry.display} is there already.", "Name another place.")
    return Plan("move", move_.entry.display, files, candidates)
