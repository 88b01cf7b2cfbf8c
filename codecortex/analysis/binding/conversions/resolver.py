"""What conversions and inference ask of overload resolution and of the place in the sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from codecortex.analysis.binding.conversions.answers import NO, PERHAPS, YES
from codecortex.analysis.binding.types.substitution import substitute
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.binding.conversions.answers import Answer
    from codecortex.analysis.binding.conversions.operands import MethodGroup, TargetTypedNew
    from codecortex.analysis.binding.lookup.members import FoundMember
    from codecortex.analysis.binding.types.symbols import Member, Named, Parameter, Substitution, Type


class Applicable(NamedTuple):
    """A candidate that a call could mean.

    Attributes:
        member: The member.
        given: All type arguments.
        level: How many base types away it is declared.
        answer: `YES` if it surely applies, `PERHAPS` if what is unknown decides.
        parameters: Its parameters; of an extension member, its receiver first.
        types: For each argument the type of its parameter.
        written: The same, without the type arguments.
        declared: The member, or what that overrides where it was first declared.
        expanded: Whether it applies in its expanded form.
        omitted: Whether optional parameters have no argument.
        by_function: Whether it takes a function as the delegate type that this has of itself.
    """

    member: Member
    given: Substitution
    level: int
    answer: Answer
    parameters: Sequence[Parameter]
    types: Sequence[Type]
    written: Sequence[Type]
    declared: Member
    expanded: bool
    omitted: bool
    by_function: bool

    @property
    def returns(self) -> Type:
        """What it returns."""
        return substitute(self.member.type, self.given)


class Resolution(NamedTuple):
    """What overload resolution found.

    Attributes:
        best: The best candidate; None if none applies.
        certain: Whether it is certainly that one.
        known: Whether all candidates are known.
        alone: Whether it is the only one that is not excluded.
        same_type: Whether all that could be meant return one known type.
        left: All that could be meant, where it is not certain which.
    """

    best: Applicable | None = None
    certain: bool = False
    known: bool = True
    alone: bool = False
    same_type: bool = False
    left: Sequence[Applicable] = ()

    @property
    def answer(self) -> Answer:
        """Whether something applies."""
        if self.best is None:
            return NO if self.known else PERHAPS
        return YES if self.certain else PERHAPS


class Resolver(Protocol):
    """Resolves what stands within expressions that wait for their targets."""

    def resolve_group(
        self, group: MethodGroup, parameters: Sequence[Parameter], returns: Type | None = None
    ) -> Resolution:
        """Which method of a group a delegate means that takes such parameters, and returns a type if one is given."""

    def single_extension(self, group: MethodGroup) -> FoundMember | None:
        """The only extension method that a group without methods can mean; None if there are several or none."""

    def element_of(self, type_: Type) -> Type:
        """What `foreach` takes from a value of a type."""

    def can_fill(self, type_: Named, *, empty: bool) -> bool:
        """Whether a collection expression may make a value of a class or struct, and add its elements."""

    def can_create(self, creation: TargetTypedNew, type_: Type) -> bool:
        """Whether `new(...)` may make a value of a type: a constructor applies, and what is initialised is there."""
