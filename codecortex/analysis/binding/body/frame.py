"""The place at which names are bound: scope, type around, locals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.symbols import UNKNOWN
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.analysis.binding.types.symbols import Member, Type, TypeDefinition
    from codecortex.model.code.syntax import Node


KEYWORD = "keyword"
"""The kind of a local that a keyword means, such as `field`, not a name that is escaped."""


class Local(NamedTuple):
    """A local variable, a parameter or a local function.

    Attributes:
        type: Its type.
        certain: Whether that is certain.
        function: Of a local function, what it takes and returns.
        scope: Of a local function, the scope of its type parameters.
        node: The name that declares it; None of what no name declares, such as `value`.
        kind: What it is called for readers.
        constant: Its value, where it is a constant.
    """

    type: Type = UNKNOWN
    certain: bool = True
    function: Member | None = None
    scope: Scope | None = None
    node: Node | None = None
    kind: str = "local"
    constant: int | str | None = None


class Locals:
    """The locals that a block declares, within those around it."""

    __slots__ = ("around", "declared")

    def __init__(self, around: Locals | None = None) -> None:
        self.declared: dict[str, Local] = {}
        self.around = around

    def declare(self, name: str, local: Local) -> None:
        """Declare a local."""
        self.declared[name] = local

    def find(self, name: str) -> Local | None:
        """The local of a name."""
        found = self.declared.get(name)
        each = self.around
        while found is None and each is not None:
            found = each.declared.get(name)
            each = each.around
        return found


class Frame:
    """The place at which names are bound.

    Attributes:
        scope: The scope of names of types.
        inside: The type around.
        locals: The locals.
        results: What the function around returns, as far as it was bound.
        returns: What it should return; unknown where that is not known yet.
        is_async: Whether it is asynchronous.
        is_checked: Whether operators check for overflow.
        is_static: Whether there is no object there: in static members, initialisers and static functions.
        nameable: The parameters that only `nameof` sees: in the attributes of a member and its parameters.
    """

    __slots__ = ("inside", "is_async", "is_checked", "is_static", "locals", "nameable", "results", "returns", "scope")

    def __init__(self, scope: Scope, inside: TypeDefinition | None, locals_: Locals) -> None:
        self.scope = scope
        self.inside = inside
        self.locals = locals_
        self.results: list[Expression] = []
        self.returns: Type = UNKNOWN
        self.is_async = self.is_checked = self.is_static = False
        self.nameable: Locals | None = None

    def within(self, *, scope: Scope | None = None, locals_: Locals | None = None) -> Frame:
        """The same place with another scope, or with locals of its own."""
        made = Frame(scope or self.scope, self.inside, locals_ or Locals(self.locals))
        made.results, made.returns, made.is_async = self.results, self.returns, self.is_async
        made.nameable, made.is_checked, made.is_static = self.nameable, self.is_checked, self.is_static
        return made
