"""Values for bindings: what the names in sources mean."""

from __future__ import annotations

from enum import StrEnum

from codecortex.model.startup.named_tuple import NamedTuple


class BindingLabel(StrEnum):
    """How certain a binding is.

    `EXACT`: by the language's rules. `LIKELY`: the best of what is known; what is unknown could change it. `NAME`:
    nothing tells what is meant but the name.
    """

    EXACT = "exact"
    LIKELY = "likely"
    NAME = "name"


class BindingRole(StrEnum):
    """What a name is used for; those from `CONSTRUCTOR` on stand for no name of the symbol.

    `ARGUMENT`: it says which parameter an argument is for. `DOCUMENTATION`: documentation describes what it names.
    """

    DECLARATION = "declaration"
    TYPE = "type"
    CALL = "call"
    READ = "read"
    WRITE = "write"
    ARGUMENT = "argument"
    CREF = "cref"
    DOCUMENTATION = "documentation"
    CONSTRUCTOR = "constructor"
    ATTRIBUTE = "attribute"
    INDEXER = "indexer"
    OPERATOR = "operator"
    IMPLIED = "implied"


class Binding(NamedTuple):
    """What the name at an offset means.

    Attributes:
        name: The name, as written.
        symbol: The documentation id; empty where nothing is known but the name.
        label: How certain that is.
        role: What the name is used for.
        why: Why it is not exact; empty where it is.
        project: The path of the project that declares the symbol; None of what an assembly declares.
        local: What the name means that has no documentation id, such as a parameter; empty of all others.
        declared: Of such, the offset at which the file declares it; -1 where that is not told.
        owner: Of a parameter that an argument is for, the documentation id of the member or the delegate.
    """

    name: str
    symbol: str
    label: BindingLabel
    role: BindingRole
    why: str = ""
    project: str | None = None
    local: str = ""
    declared: int = -1
    owner: str = ""


class BindingRow(NamedTuple):
    """A binding and where it stands.

    Attributes:
        file: Path of the file.
        line: From 1.
        column: From 1, in UTF-16 units.
        binding: The binding.
        declared: Line and column of the declaration of what has no documentation id; None of all others.
    """

    file: str
    line: int
    column: int
    binding: Binding
    declared: tuple[int, int] | None = None


class PlacedBinding(NamedTuple):
    """A binding, and the offset at which it stands."""

    start: int
    binding: Binding
