"""A text and a symbol in; the range of the symbol's declaration in the text as shown out."""

from __future__ import annotations

from codecortex.model.errors import AmbiguousSymbolError, SymbolNotFoundError, UsageError
from codecortex.model.text.columns import find_unit
from codecortex.operations.wording import name_some

_NAMED = 5
_SOURCE = ".cs"


def find_declaration(path: str, text: str, symbol: str) -> tuple[int, int]:
    """Where a declaration begins, after its attributes, and ends.

    Args:
        path: The path of the file.
        text: What it says, as shown.
        symbol: What it declares.

    Raises:
        UsageError: The file is no C# source.
        SymbolNotFoundError: The buffer does not declare the symbol.
        AmbiguousSymbolError: It declares several of that name.
    """
    from codecortex.parsing.csharp.read import read_csharp  # which takes longer than most edits
    from codecortex.symbols.declared import find_declared

    if not path.lower().endswith(_SOURCE):
        raise UsageError(f"{path} is no C# source.", "--in names a type or a member that a C# file declares.")
    found, declared = find_declared(read_csharp(text.encode("utf-8", "replace"), frozenset(), patterns=False), symbol)
    if not found:
        names = [str(each) for each in declared]
        told = f"It declares {name_some(names, _NAMED)}." if names else "It declares nothing."
        raise SymbolNotFoundError(f"{path} does not declare {symbol}.", told, suggestions=names[:_NAMED])
    if len(found) > 1:
        rows = [f"{path}:{each.start[0]}  {each}" for each in found]
        candidates = [{"name": str(each), "line": each.start[0]} for each in found]
        hint = "Name the type around it, or the types of parameters: `Store.Find(string)`."
        raise AmbiguousSymbolError(f"{path} declares several {symbol}.", hint, rows, candidates=candidates)
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    (first, column), (last, end) = found[0].start, found[0].end
    begin = starts[first - 1] + find_unit(lines[first - 1], column - 1)
    return begin, min(len(text), starts[last - 1] + find_unit(lines[last - 1], end - 1))
