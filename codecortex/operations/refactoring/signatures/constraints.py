"""Where a type is an argument for a type parameter that asks for a constructor without parameters."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.operations.usages.search import search
from codecortex.symbols.hits import HitKind

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    rows = sorted((each.file, each.line, each.column, each.end_column) for each in found.rows if each.role == "type")
    for path, places in groupby(rows, key=itemgetter(0)):
        file = files.open(path)
        needing = _list_needing(found.sources.program, file)
        for _, line, column, end_column in places:
            if file.starts.find((line, end_column)) in needing:
                message = f"{path}:{line}:{column} needs {constructor.name} for a `new()` constraint."
                raise EditRefusedError(message, "Add a constructor instead, or change that place first.")


def _list_needing(program: Program, file: Opened) -> set[int]:
    """Where the type arguments of a file end whose type parameters ask for a constructor without parameters."""
    ends: set[int] = set()
    for listed in file.root.walk():
        if listed.kind != "type_argument_list" or listed.parent is None:
            continue
        for binding in file.find(listed.parent.start):
            declared = _list_declared(program, binding.symbol)
            if len(declared) == len(listed.nodes):
                pairs = zip(listed.nodes, declared, strict=True)
                ends |= {given.end for given, parameter in pairs if "new" in parameter.flags}
    return ends


def _list_declared(program: Program, symbol: str) -> Sequence[TypeParameter]:
    """The type parameters that a type or a method of the sources has of its own."""
    if symbol.startswith("T:"):
        return next((each.own_parameters for each in program.find_types(symbol[2:])), ())
    return next((each.type_parameters for each in program.find_declared(symbol)), ())
