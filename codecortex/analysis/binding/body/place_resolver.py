"""Resolves, at the place that is being bound, what stands within expressions that wait for their targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import constructors_of, count_needed, find_extension, resolve
from codecortex.analysis.binding.body.protocols import enumerate_type
from codecortex.analysis.binding.conversions.answers import NO, YES
from codecortex.analysis.binding.conversions.operands import Argument, Value
from codecortex.analysis.binding.conversions.resolver import Resolution
from codecortex.analysis.binding.lookup.extensions import receiver_of
from codecortex.analysis.binding.lookup.members import FoundMember
from codecortex.analysis.binding.overloads.applicability import Call
from codecortex.analysis.binding.types.inspect import has_unknown, is_opaque
from codecortex.analysis.binding.types.substitution import substitute
from codecortex.analysis.binding.types.symbols import Named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import MethodGroup, TargetTypedNew
    from codecortex.analysis.binding.types.symbols import Parameter, Substitution, Type, TypeParameter


class PlaceResolver:
    """Answers what conversions and inference ask."""

    def __init__(self, binder: Binder) -> None:
        self._binder = binder

    def resolve_group(
        self, group: MethodGroup, parameters: Sequence[Parameter], returns: Type | None = None
    ) -> Resolution:
        """Which method of a group a delegate means that takes such parameters, and returns a type if one is given."""
        arguments = [
            Argument(Value(each.type), mode=each.mode if each.mode in ("ref", "out") else "") for each in parameters
        ]
        call = Call(arguments, group.type_arguments, as_group=True)
        methods = [each for each in group.methods if returns is None or self._may_return(each, returns)]
        resolution = self._binder.session.overloads.resolve(methods, call)
        if resolution.best is None and isinstance(group.receiver, Value):
            known = self._binder, group.receiver, group.name, arguments, group.type_arguments
            found = find_extension(*known, as_group=True)
            return found if found.best is not None else Resolution(known=resolution.known and found.known)
        return resolution

    def _may_return(self, found: FoundMember, wanted: Type) -> bool:
        """Whether what a method returns may be what a delegate returns; of a generic one the arguments tell."""
        generic = bool(found.member.type_parameters)
        return generic or self._binder.session.conversions.convert_returned(found.type, wanted) != NO

    def single_extension(self, group: MethodGroup) -> FoundMember | None:
        """The only extension method that a group without methods can mean; None if there are several or none."""
        if not isinstance(group.receiver, Value):
            return None
        binder, receiver = self._binder, group.receiver
        levels = binder.session.extensions.candidates(binder.frame.scope, group.name, binder.place, receiver.type)
        found = [each.member for each in next(levels, ())]
        if len(found) != 1:
            return None
        member = found[0]
        taken = receiver_of(member)
        block = member.owner.parameters if member.receiver is not None and member.owner is not None else ()
        given = self._complete((*block, *member.type_parameters), group.type_arguments, taken.type, receiver)
        if given is None:
            return None
        fits = binder.session.applicability.convert_receiver(receiver, substitute(taken.type, given)) == YES
        return FoundMember(member, given, 0) if fits else None

    def _complete(
        self, parameters: Sequence[TypeParameter], written: Sequence[Type], taken: Type, receiver: Value
    ) -> Substitution | None:
        """The type arguments of an extension method, as written or as its receiver tells them; None if they miss."""
        if written:
            return dict(zip(parameters, written, strict=True)) if len(written) == len(parameters) else None
        given = self._binder.session.applicability.infer_receiver(parameters, taken, Argument(receiver))
        return given if given is not None and given.keys() >= set(parameters) else None

    def can_fill(self, type_: Named, *, empty: bool) -> bool:
        """Whether a collection expression may make a value of a class or struct, and add its elements."""
        binder, definition = self._binder, type_.definition
        constructors = constructors_of(binder, type_)
        made = definition.is_value or any(not count_needed(each.member.parameters) for each in constructors)
        if definition.is_abstract or not made:
            return False
        if empty:
            return True
        found = binder.session.members.find_accessible(type_, "Add", binder.place, type_)
        adds = any(each.member.parameters and count_needed(each.member.parameters) <= 1 for each in found.members)
        return adds or not found.known or binder.session.extensions.exists("Add")

    def element_of(self, type_: Type) -> Type:
        """What `foreach` takes from a value of a type."""
        return enumerate_type(self._binder, type_).element

    def can_create(self, creation: TargetTypedNew, type_: Type) -> bool:
        """Whether `new(...)` may make a value of a type: a constructor applies, and what is initialised is there."""
        if not isinstance(type_, Named) or is_opaque(type_) or has_unknown(type_):
            return True
        made = resolve(self._binder, constructors_of(self._binder, type_), creation.arguments)
        listed = creation.node.first("initializer_expression")
        assigned = (
            [each.field("left") for each in listed.of_kind("assignment_expression")] if listed is not None else []
        )
        found = [
            self._binder.session.members.find(type_, each.name)
            for each in assigned
            if each is not None and each.kind == "identifier"
        ]
        return made.best is not None and not any(each.known and not each.members for each in found)
