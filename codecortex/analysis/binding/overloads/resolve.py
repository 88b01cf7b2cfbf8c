"""Overload resolution: candidates and a call in, the function member that is meant out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.answers import YES
from codecortex.analysis.binding.conversions.lambdas import parameter_types
from codecortex.analysis.binding.conversions.operands import Argument, Lambda, doubt, is_certain
from codecortex.analysis.binding.conversions.resolver import Resolution
from codecortex.analysis.binding.types.ancestors import derives_from
from codecortex.analysis.binding.types.inspect import has_unknown
from codecortex.analysis.binding.types.symbols import TypeKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.binding.conversions.expressions import ExpressionConversions
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.conversions.resolver import Applicable
    from codecortex.analysis.binding.lookup.members import FoundMember
    from codecortex.analysis.binding.overloads.applicability import Applicability, Call
    from codecortex.analysis.binding.overloads.better import Betterness
    from codecortex.analysis.binding.types.symbols import Member, Type, TypeDefinition


_OBJECT = "System.Object"


class Overloads:
    """Resolves overloads."""

    def __init__(
        self, applicability: Applicability, betterness: Betterness, conversions: ExpressionConversions
    ) -> None:
        self._applicability = applicability
        self._betterness = betterness
        self._conversions = conversions

    def resolve(self, candidates: Iterable[FoundMember], call: Call) -> Resolution:
        """Which of the candidates a call means."""
        named = any(each.name is not None for each in call.arguments)
        check = self._applicability.check
        checked = [(found, check(found, call, named=named)) for found in candidates]
        resolution = self._choose([each for _, each in checked if each is not None], call.arguments)
        excluded = [found for found, each in checked if each is None]
        doubted = self._doubt(call, resolution.best) if resolution.best is not None and excluded else None
        if resolution.best is None or doubted is None:
            return resolution
        others = [each for found in excluded if (each := check(found, doubted, named=named)) is not None]
        if not others:
            return resolution
        left = [*(resolution.left or (resolution.best,)), *others]
        return Resolution(resolution.best, same_type=_same_type(left), left=left)

    def _doubt(self, call: Call, best: Applicable) -> Call | None:
        """The call without what is not certain in its arguments; None where all is."""
        doubtful = [
            self._is_doubtful(each.expression, type_) for each, type_ in zip(call.arguments, best.types, strict=False)
        ]
        if not any(doubtful):
            return None
        told = [
            Argument(doubt(each.expression), each.name, each.mode) if doubts else each
            for each, doubts in zip(call.arguments, doubtful, strict=True)
        ]
        return call._replace(arguments=told)

    def _is_doubtful(self, expression: Expression, type_: Type) -> bool:
        """Whether the type of an argument is not certain; of a lambda, for a parameter of a type, what it returns."""
        if not isinstance(expression, Lambda):
            return not is_certain(expression)
        delegate = self._conversions.delegate(type_)
        types = parameter_types(expression, delegate.parameters) if delegate is not None else None
        return types is not None and not expression.bind(types).certain

    def _choose(self, applicable: list[Applicable], arguments: Sequence[Argument]) -> Resolution:
        if not applicable:
            return Resolution()
        if len(applicable) == 1:
            return Resolution(applicable[0], certain=applicable[0].answer == YES, alone=True)
        left = self._drop_less_derived(_drop_by_function(applicable), arguments)
        left = _keep_priority(left) if self._conversions.types.ranks else left
        best = self._find_best(left, arguments)
        if best is None:
            sure = [each for each in left if each.answer == YES]
            likely = self._find_best(sure, arguments) or (sure or left)[0]
            return Resolution(likely, same_type=_same_type(left), left=left)
        rivals = [each for each in left if each is not best]
        certain = (
            best.answer == YES
            and not any(_hides(each, best) or each.by_function < best.by_function for each in rivals)
            and not any(self._betterness.is_doubtful(best, each, arguments) for each in rivals)
        )
        if certain:
            return Resolution(best, certain=True)
        return Resolution(best, same_type=_same_type(left), left=left)

    def _drop_less_derived(self, applicable: list[Applicable], arguments: Sequence[Argument]) -> list[Applicable]:
        """Drop what is declared further out than something that surely applies."""
        sure = [each for each in applicable if each.answer == YES and not self._is_blind(each, arguments)]
        return [each for each in applicable if not any(_hides(other, each) for other in sure)]

    def _is_blind(self, candidate: Applicable, arguments: Sequence[Argument]) -> bool:
        """Whether a lambda's body has names that cannot be bound for a candidate's parameters."""
        for argument, type_ in zip(arguments, candidate.types, strict=False):
            if isinstance(argument.expression, Lambda):
                delegate = self._conversions.delegate(type_)
                if delegate is not None and self._betterness.names_unknown(argument.expression, delegate):
                    return True
        return False

    def _find_best(self, candidates: Sequence[Applicable], arguments: Sequence[Argument]) -> Applicable | None:
        """The candidate that is better than each other one."""
        best: Applicable | None = None
        for each in candidates:  # the only one that may be best: each other one lost to the one before it
            if best is None or self._betterness.compare(best, each, arguments) <= 0:
                best = each
        if best is not None and all(
            each is best or self._betterness.compare(best, each, arguments) > 0 for each in candidates
        ):
            return best
        return None


def _hides(one: Applicable, other: Applicable) -> bool:
    """Whether a candidate is declared in a type that derives from the other's."""
    if one.level >= other.level:
        return False
    owner, base = one.member.owner, other.member.owner
    if owner is None or base is None or base.kind is not TypeKind.INTERFACE:
        return True
    declaring = one.declared.owner
    if declaring is not None and declaring.id == _OBJECT:
        return False  # of a type parameter, what its classes have from `object` stands beside its interfaces
    return owner.kind is not TypeKind.INTERFACE or derives_from(owner, base)


def _drop_by_function(candidates: list[Applicable]) -> list[Applicable]:
    """The candidates that take no function as the type that this has of itself, if one of them surely applies."""
    sure = any(each.answer == YES and not each.by_function for each in candidates)
    return [each for each in candidates if not each.by_function] if sure else candidates


def _keep_priority(candidates: list[Applicable]) -> list[Applicable]:
    """The candidates of the highest priority that surely applies, among those that one type declares."""
    if not any(each.declared.priority for each in candidates):
        return candidates
    top: dict[TypeDefinition | None, int] = {}
    for each in candidates:
        if each.answer == YES:
            home, priority = _home_of(each.declared), each.declared.priority
            top[home] = max(top.get(home, priority), priority)
    return [e for e in candidates if e.declared.priority >= top.get(_home_of(e.declared), e.declared.priority)]


def _home_of(member: Member) -> TypeDefinition | None:
    """The type that declares a member; of one of an extension block, the class around that."""
    return member.container or member.owner


def _same_type(candidates: Iterable[Applicable]) -> bool:
    """Whether all candidates return one known type."""
    returned = {each.returns for each in candidates}
    return len(returned) == 1 and not has_unknown(returned.pop())
