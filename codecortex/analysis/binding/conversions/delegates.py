"""What delegate types take and return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.substitution import substitute, substitute_parameters, substitution_of
from codecortex.analysis.binding.types.symbols import Named, Parameter, Pointer, TypeKind
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.analysis.binding.types.symbols import Type

_EXPRESSION = "System.Linq.Expressions.Expression`1"
ANY_DELEGATE = frozenset(
    (
        *("System.Delegate", "System.MulticastDelegate", "System.Object", "System.ICloneable"),
        "System.Runtime.Serialization.ISerializable",
    )
)
"""The types to which a function converts by its own delegate type."""
ANY_EXPRESSION = frozenset(("System.Linq.Expressions.Expression", "System.Linq.Expressions.LambdaExpression"))
"""Those to which a lambda converts as the expression tree of that."""


class Delegate(NamedTuple):
    """What a delegate type takes and returns."""

    parameters: tuple[Parameter, ...]
    returns: Type

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of the parameters."""
        return tuple([each.type for each in self.parameters])


def delegate_of(type_: Type) -> Delegate | None:
    """What a delegate type, or an expression tree's, takes and returns; None of every other type."""
    if isinstance(type_, Pointer) and type_.is_function:
        return delegate_of(type_.element)
    if not isinstance(type_, Named):
        return None
    if type_.definition.id == _EXPRESSION:
        return delegate_of(type_.arguments[0])
    if type_.definition.kind is not TypeKind.DELEGATE:
        return None
    members = type_.definition.members("Invoke")
    if not members:
        return None
    given = substitution_of(type_)
    parameters = substitute_parameters(members[0].parameters, given)
    return Delegate(parameters, substitute(members[0].type, given))
