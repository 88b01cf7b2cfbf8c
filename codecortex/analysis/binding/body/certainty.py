"""What a call leaves uncertain: what its arguments are given to, and what it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.operands import Lambda, is_certain
from codecortex.analysis.binding.types.inspect import mentions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Argument, Expression
    from codecortex.analysis.binding.conversions.resolver import Applicable, Resolution
    from codecortex.analysis.binding.types.symbols import Type, TypeParameter


def find_doubted(
    binder: Binder, chosen: Applicable, arguments: Sequence[Argument], type_arguments: Sequence[Type] = ()
) -> AbstractSet[TypeParameter]:
    """The type parameters of a member that are inferred from what is not certain.

    Args:
        binder: The binder.
        chosen: The member; of an extension method, the first argument is its receiver.
        arguments: The arguments.
        type_arguments: The type arguments that are written: then nothing is inferred.
    """
    own = chosen.member.type_parameters
    found: set[TypeParameter] = set()
    if not own or type_arguments:
        return found
    for argument, written, type_ in zip(arguments, chosen.written, chosen.types, strict=False):
        told = _find_told(binder, argument.expression, written, type_)
        if told is not None:
            found.update(each for each in own if mentions(told, (each,)))
    return found


def _find_told(binder: Binder, expression: Expression, written: Type, type_: Type) -> Type | None:
    """The part of a parameter's type of which an argument tells something uncertain; None if there is no such."""
    if not isinstance(expression, Lambda):
        return None if is_certain(expression) else written
    delegate, declared = binder.session.conversions.delegate(type_), binder.session.conversions.delegate(written)
    if delegate is None or declared is None or len(expression.parameters or ()) != len(delegate.parameters):
        return None
    given = [each.type for each in expression.parameters or ()]
    types = tuple(told or each.type for told, each in zip(given, delegate.parameters, strict=True))
    return None if all(map(is_certain, expression.bind(types).results)) else declared.returns


def list_settled(
    binder: Binder, resolution: Resolution, doubted: AbstractSet[TypeParameter], *, certain: bool, agree: bool
) -> list[bool]:
    """For each argument, whether it is certain of what type its parameter is.

    Args:
        binder: The binder.
        resolution: What the call means.
        doubted: The type parameters that are inferred from what is not certain.
        certain: Whether it certainly means that.
        agree: Whether it else means one of those that the resolution has left, where these may agree.
    """
    best = resolution.best
    if best is None:
        return []
    settled = [certain] * len(best.types)
    if not certain and agree:
        settled = [
            bool(resolution.left) and all(_take_alike(binder, best, each, at) for each in resolution.left)
            for at in range(len(best.types))
        ]
    if not doubted:
        return settled
    return [each and not mentions(type_, doubted) for each, type_ in zip(settled, best.written, strict=False)]


def _take_alike(binder: Binder, one: Applicable, other: Applicable, at: int) -> bool:
    """Whether two members give the same types to what an argument declares."""
    if at >= len(other.types):
        return False
    given = [binder.session.conversions.delegate(each.types[at]) for each in (one, other)]
    types = [None if each is None else [parameter.type for parameter in each.parameters] for each in given]
    return one.types[at] == other.types[at] or (types[0] is not None and types[0] == types[1])
