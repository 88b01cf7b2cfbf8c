"""Where a type is an argument for a type parameter that asks for a constructor without parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.operations.usages.search import search
from codecortex.symbols.hits import HitKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.analysis.binding.bind import Program
    from codecortex.analysis.binding.types.symbols import TypeParameter
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.refactoring.signatures.sites import Files, Opened
    from codecortex.symbols.hits import Hit


def refuse_constraints(workspace: Workspace, constructor: Hit, files: Files) -> None:
    """Refuse to give parameters to a constructor where a `new()` constraint needs it as it is.

    Arguments that are inferred are written nowhere: they are not looked for.

    Raises:
        EditRefusedError: A place names its type for such a type parameter.
    """
    found = search(workspace, [constructor._replace(kind=HitKind.TYPE, member=None)], family=False)
    if found.sources is None:
        return
    for row in sorted(found.rows, key=lambda each: (each.file, each.line, each.column)):
        if row.role != "type":
            continue
        file = files.open(row.file)
        end = file.starts.find((row.line, row.end_column))
        if any("new" in each.flags for each in _find_parameters(found.sources.program, file, end)):
            message = f"{row.file}:{row.line}:{row.column} needs {constructor.name} for a `new()` constraint."
            raise EditRefusedError(message, "Add a constructor instead, or change that place first.")


def _find_parameters(program: Program, file: Opened, end: int) -> Iterator[TypeParameter]:
    """The type parameters that the type whose name ends at a place is given for."""
    for listed in file.root.walk():
        given = [each.end for each in listed.nodes] if listed.kind == "type_argument_list" else []
        if end not in given or listed.parent is None:
            continue
        for binding in file.find(listed.parent.start):
            declared = _list_declared(program, binding.symbol)
            if len(declared) == len(given):
                yield declared[given.index(end)]


def _list_declared(program: Program, symbol: str) -> Sequence[TypeParameter]:
    """The type parameters that a type or a method of the sources has of its own."""
    if symbol.startswith("T:"):
        return next((each.own_parameters for each in program.find_types(symbol[2:])), ())
    owner, _, name = symbol[2:].partition("(")[0].rpartition(".")
    members = (one for each in program.find_types(owner) for one in each.members(name.partition("``")[0]))
    return next((each.type_parameters for each in members if id_of_symbol(each) == symbol), ())
