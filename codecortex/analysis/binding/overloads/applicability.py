"""Whether a function member applies to the arguments of a call, and with which type arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.answers import NO, PERHAPS, YES
from codecortex.analysis.binding.conversions.expressions import is_handler
from codecortex.analysis.binding.conversions.numbers import WIDENING
from codecortex.analysis.binding.conversions.operands import Argument, Lambda, MethodGroup, OutVariable, Value
from codecortex.analysis.binding.conversions.resolver import Applicable
from codecortex.analysis.binding.inference.infer import Inferred
from codecortex.analysis.binding.types.inspect import (
    has_unknown,
    id_of,
    is_by_reference,
    is_kind,
    is_opaque,
    is_reference,
    is_tuple,
    nullable_of,
)
from codecortex.analysis.binding.types.substitution import substitute
from codecortex.analysis.binding.types.symbols import (
    BY_REFERENCE,
    UNKNOWN,
    Anonymous,
    Array,
    Named,
    Pointer,
    TypeKind,
    TypeParameter,
)
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.analysis.binding.conversions.answers import Answer
    from codecortex.analysis.binding.conversions.expressions import ExpressionConversions
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.inference.infer import TypeInference
    from codecortex.analysis.binding.lookup.members import FoundMember
    from codecortex.analysis.binding.types.asked import Asked
    from codecortex.analysis.binding.types.symbols import Member, Parameter, Substitution, Type

_FUNCTIONS = frozenset((Lambda, MethodGroup))
_SPANS = frozenset(("System.Span`1", "System.ReadOnlySpan`1"))
_MADE = frozenset(("new", "struct", "unmanaged"))
_OF_NULLABLE = frozenset(("System.Object", "System.ValueType"))
"""The constraints by a type that a nullable value satisfies."""
_UNMANAGED = WIDENING.keys() | {
    f"System.{name}"
    for name in (
        *("Boolean", "DateOnly", "DateTime", "DateTimeOffset", "Decimal", "Guid", "Half", "Index", "Int128", "Range"),
        *("TimeOnly", "TimeSpan", "UInt128", "Text.Rune", "Runtime.InteropServices.GCHandle"),
        *(f"Numerics.{name}" for name in ("Complex", "Matrix3x2", "Matrix4x4", "Plane", "Quaternion", "Vector`1")),
        *(f"Numerics.Vector{size}" for size in (2, 3, 4)),
        *(f"Runtime.Intrinsics.Vector{size}`1" for size in (64, 128, 256, 512)),
        *(f"Drawing.{name}{end}" for name in ("Point", "Rectangle", "Size") for end in ("", "F")),
    )
}
"""Structs of the framework that are known to hold nothing but values, and what their type arguments hold."""
_BOXES = frozenset(("System.Object", "System.ValueType", "System.Enum"))
_IDENTITY_LIKE = ("System.ReadOnlySpan`", "System.ValueTuple`")


class Call(NamedTuple):
    """A call.

    Attributes:
        arguments: Its arguments; of an extension method, the receiver first.
        type_arguments: Its type arguments, as written.
        extension: Whether the first argument is a receiver.
        as_group: Whether a delegate takes the arguments that the method is converted to: each parameter takes one then,
            and no receiver converts to a span.
    """

    arguments: Sequence[Argument]
    type_arguments: Sequence[Type] = ()
    extension: bool = False
    as_group: bool = False


class _Form(NamedTuple):
    """One form of a candidate: for each argument its parameter and the type of that."""

    parameters: Sequence[Parameter]
    taken: Sequence[Parameter]
    types: Sequence[Type]
    expanded: bool
    omitted: bool


class Applicability:
    """Tells which candidates apply to calls."""

    def __init__(self, conversions: ExpressionConversions, inference: TypeInference, asked: Asked) -> None:
        self._conversions = conversions
        self._inference = inference
        self._asked = asked

    def check(self, found: FoundMember, call: Call, *, named: bool) -> Applicable | None:
        """A candidate as it applies in its normal form, else in its expanded one; None if in neither.

        Args:
            found: The candidate.
            call: The call.
            named: Whether one of its arguments has a name.
        """
        parameters: Sequence[Parameter] = found.member.parameters
        if found.overridden is not None and parameters and found.overridden.parameters[-1].is_params:
            parameters = (*parameters[:-1], parameters[-1]._replace(is_params=True))
        if call.extension and found.member.receiver is not None:
            parameters = (found.member.receiver(), *parameters)
        fit = _fit_by_name if named else _fit_by_place
        form = fit(parameters, call.arguments, expanded=False)
        if call.as_group:
            return self._check_form(found, call, form) if form is not None and not form.omitted else None
        applicable = self._check_form(found, call, form) if form is not None else None
        if applicable is None and parameters and self._takes_more(parameters[-1]):
            form = fit(parameters, call.arguments, expanded=True)
            applicable = self._check_form(found, call, form) if form is not None else None
        return applicable

    def _takes_more(self, parameter: Parameter) -> bool:
        """Whether a last parameter takes any number of arguments."""
        return parameter.is_params and (isinstance(parameter.type, Array) or self._conversions.types.ranks)

    def _check_form(self, found: FoundMember, call: Call, form: _Form) -> Applicable | None:
        given, answer, by_function = found.given, YES, False
        parameters = type_parameters_of(found.member, extension=call.extension)
        if parameters:
            completed = self._complete(found, call, form, parameters)
            if completed is None:
                return None
            given, by_function = completed
            answer = self.check_constraints(parameters, given)
        elif call.type_arguments:
            return None
        types = [substitute(each, given) for each in form.types] if given else form.types
        for position, (argument, parameter, type_) in enumerate(zip(call.arguments, form.taken, types, strict=True)):
            if not answer:
                return None
            receiver = call.extension and position == 0
            if receiver and call.as_group and id_of(type_) in _SPANS and _is_no_span(argument.expression):
                return None
            answer = min(answer, self._check_argument(argument, parameter, type_, receiver=receiver))
            if argument.expression.__class__ in _FUNCTIONS and self._conversions.delegate(type_) is None:
                by_function = True
        if not answer:
            return None
        return Applicable(
            *(found.member, given, found.level, answer, form.parameters, types, form.types),
            expanded=form.expanded,
            omitted=form.omitted,
            declared=found.overridden or found.member,
            by_function=by_function,
        )

    # -- type arguments

    def _complete(
        self, found: FoundMember, call: Call, form: _Form, parameters: Sequence[TypeParameter]
    ) -> Inferred | None:
        """The type arguments of the member and the types around it; None if they cannot be found."""
        given, by_function = dict(found.given), False
        if call.type_arguments:
            own = found.member.type_parameters
            if len(call.type_arguments) == len(parameters):
                own = tuple(parameters)
            elif len(call.type_arguments) != len(own):
                return None
            given.update(zip(own, call.type_arguments, strict=True))
        open_ = [each for each in parameters if each not in given]
        if open_:
            types = [substitute(each, given) for each in form.types] if given else form.types
            inferred = self._inference.infer(open_, types, call.arguments)
            if inferred is None:
                return None
            given.update(inferred.given)
            by_function = inferred.by_function
        return Inferred(given, by_function)

    def infer_receiver(
        self, parameters: Sequence[TypeParameter], target: Type, argument: Argument
    ) -> Substitution | None:
        """The type arguments of an extension block for a receiver; None if it does not fit."""
        return self._infer_block(parameters, (target,), (argument,))

    def infer_block(
        self, parameters: Sequence[TypeParameter], types: Sequence[Type], operands: Sequence[Expression]
    ) -> Substitution | None:
        """The type arguments of an extension block for the operands of its operator; None if they do not fit."""
        return self._infer_block(parameters, types, [Argument(each) for each in operands])

    def _infer_block(
        self, parameters: Sequence[TypeParameter], types: Sequence[Type], arguments: Sequence[Argument]
    ) -> Substitution | None:
        inferred = self._inference.infer(parameters, types, arguments)
        return inferred.given if inferred is not None else None

    def check_constraints(self, parameters: Sequence[TypeParameter], given: Mapping[TypeParameter, Type]) -> Answer:
        """Whether type arguments satisfy the constraints."""
        return min((self._check_parameter(each, parameters, given) for each in parameters), default=YES)

    def _check_parameter(
        self, parameter: TypeParameter, parameters: Sequence[TypeParameter], given: Mapping[TypeParameter, Type]
    ) -> Answer:
        argument = given.get(parameter, UNKNOWN)
        if argument is UNKNOWN:
            return YES
        if is_opaque(argument):
            return PERHAPS
        held = _check_unmanaged(argument) if "unmanaged" in parameter.flags else YES
        answer = min(held, self._check_promises(argument))
        if isinstance(argument, Pointer):
            return NO
        unfit = not _satisfies_flags(parameter, argument)
        if answer == NO or unfit or ("new" in parameter.flags and not self._can_be_made(argument)):
            if not (isinstance(argument, TypeParameter) and UNKNOWN in argument.constraints):
                return NO
            answer = PERHAPS  # it has the constraints of a method that is not known
        for constraint in parameter.constraints:
            wanted = substitute(constraint, given)
            if has_unknown(wanted):
                answer = min(answer, PERHAPS)
            elif is_opaque(wanted):
                answer = min(answer, self._conversions.types.convert(argument, wanted, user_defined=False))
            elif nullable_of(argument) is not None and argument != wanted:
                answer = min(answer, YES if id_of(wanted) in _OF_NULLABLE else NO)  # it is not boxed for a constraint
            elif is_by_reference(argument):
                bases, known = self._conversions.types.bases.of(argument)
                answer = min(answer, YES if wanted in bases else NO if known else PERHAPS)
            elif argument != wanted and is_reference(wanted) is False:
                return NO  # neither the same nor boxed
            elif not (isinstance(wanted, TypeParameter) and wanted in parameters):
                answer = min(answer, self._conversions.types.convert(argument, wanted, user_defined=False))
        return answer

    def _check_promises(self, argument: Type) -> Answer:
        """Whether a type can be an argument: no interface can that has static members without a body."""
        if not is_kind(argument, TypeKind.INTERFACE):
            return YES
        if isinstance(argument, Named) and argument.definition.has_promises:
            return NO
        bases, _ = self._conversions.types.bases.of(argument)
        inherited = any(isinstance(each, Named) and each.definition.has_promises for each in bases)
        return PERHAPS if inherited else YES  # it may implement what it inherits

    def _can_be_made(self, type_: Type) -> bool:
        """Whether a type has a constructor without parameters that is accessible everywhere."""
        if isinstance(type_, TypeParameter):
            return not type_.flags.isdisjoint(_MADE)
        if not isinstance(type_, Named) or type_.definition.is_abstract:
            return not isinstance(type_, (Named, Array, Anonymous))
        self._asked.add_member(type_.definition, ".ctor")
        constructors = [each for each in type_.definition.members(".ctor") if not each.is_static]
        return type_.definition.is_value or any(not e.parameters and e.access == "public" for e in constructors)

    # -- arguments

    def _check_argument(self, argument: Argument, parameter: Parameter, type_: Type, *, receiver: bool) -> Answer:
        expression = argument.expression
        interpolated = isinstance(expression, Value) and expression.interpolated
        handler = interpolated and (is_handler(type_) or is_opaque(type_))
        if not receiver and not _modes_fit(argument.mode, parameter, handler=handler):
            return NO
        if parameter.mode in ("ref", "out") and not interpolated:
            return self._check_reference(expression, type_, receiver=receiver)
        if receiver:
            return self.convert_receiver(expression, type_)
        return self._conversions.convert(expression, type_)

    def _check_reference(self, expression: Expression, type_: Type, *, receiver: bool) -> Answer:
        """Whether what is given to a `ref` or `out` parameter is of its type."""
        if isinstance(expression, OutVariable):
            return self._conversions.convert_out_variable(expression, type_)
        if not isinstance(expression, Value) or receiver:
            return YES
        if has_unknown(type_) or has_unknown(expression.type):
            return PERHAPS
        return YES if self._conversions.types.is_same(expression.type, type_) else NO

    def convert_receiver(self, expression: Expression, target: Type) -> Answer:
        """Whether a receiver converts to an extension's: by identity, reference, boxing or to a span alone."""
        if not isinstance(expression, Value):
            return self._conversions.convert(expression, target)
        source = expression.type
        answer = self._conversions.types.convert(source, target, user_defined=False)
        if source == target or not answer:
            return answer
        if id_of(target) in _SPANS and not self._conversions.types.spans:
            return NO
        if answer == YES and isinstance(source, Named) and isinstance(target, Named) and source.definition.is_value:
            boxes = is_kind(target, TypeKind.INTERFACE) or id_of(target) in _BOXES
            return YES if boxes or id_of(target).startswith(_IDENTITY_LIKE) else NO
        return answer


def type_parameters_of(member: Member, *, extension: bool) -> Sequence[TypeParameter]:
    """The type parameters that a call gives arguments to; those of an extension block come first."""
    if (extension or member.is_static) and member.receiver is not None and member.owner is not None:
        return (*member.owner.parameters, *member.type_parameters)
    return member.type_parameters


def _satisfies_flags(parameter: TypeParameter, argument: Type) -> bool:
    if BY_REFERENCE not in parameter.flags and is_by_reference(argument):
        return False
    reference = is_reference(argument)
    unsure = reference is None and isinstance(argument, TypeParameter)
    if "struct" in parameter.flags or "unmanaged" in parameter.flags:
        return reference is not True and nullable_of(argument) is None and not unsure
    return "class" not in parameter.flags or not (reference is False or unsure)


def _check_unmanaged(type_: Type) -> Answer:
    """Whether a type holds nothing but values; the fields of structs are not looked at."""
    if isinstance(type_, TypeParameter):
        return YES if "unmanaged" in type_.flags else NO
    if is_reference(type_) is True:
        return NO
    if is_kind(type_, TypeKind.ENUM) or isinstance(type_, Pointer):
        return YES
    sure = is_tuple(type_) or id_of(type_) in _UNMANAGED
    shown = isinstance(type_, Named) and (sure or type_.definition.project is None)
    held = type_.arguments if shown and isinstance(type_, Named) else ()
    return min((*map(_check_unmanaged, held), YES if sure else PERHAPS))


def _modes_fit(mode: str, parameter: Parameter, *, handler: bool) -> bool:
    """Whether an argument's `ref`, `out` or `in` fits its parameter."""
    if parameter.mode in ("ref", "out"):
        return mode == parameter.mode or (handler and not mode)
    if parameter.mode == "in":
        return mode in ("", "in", "ref")
    return not mode


def _is_no_span(receiver: Expression) -> bool:
    return not isinstance(receiver, Value) or id_of(receiver.type) not in _SPANS


def _fit_by_place(parameters: Sequence[Parameter], arguments: Sequence[Argument], *, expanded: bool) -> _Form | None:
    """For each argument, none of which has a name, its parameter; None if the arguments do not fit."""
    count, last = len(arguments), len(parameters) - expanded
    taken = parameters[:count] if count <= last else parameters[:last]
    omitted = count < last
    if (omitted and not all([each.optional for each in parameters[count:last]])) or (count > last and not expanded):  # noqa: C419
        return None
    types = [each.type for each in taken]
    if expanded and count > last:
        more = count - last
        taken = (*taken, *[parameters[last]] * more)
        types += [_element_of(parameters[last].type)] * more
    return _Form(parameters, taken, types, expanded, omitted)


def _fit_by_name(parameters: Sequence[Parameter], arguments: Sequence[Argument], *, expanded: bool) -> _Form | None:
    """For each argument, some of which have names, its parameter; None if the arguments do not fit."""
    last = len(parameters) - 1
    taken, used = [], set()
    for position, argument in enumerate(arguments):
        at = position
        if argument.name is not None:
            at = next((n for n, each in enumerate(parameters) if each.name == argument.name), -1)
            if at < 0 or at in used:
                return None
        elif at > last or (expanded and at >= last):
            if not expanded:
                return None
            at = last
        used.add(at)
        taken.append(at)
    missing = [n for n, each in enumerate(parameters) if n not in used and not (expanded and n == last)]
    if any(not parameters[n].optional for n in missing):
        return None
    types = [parameters[n].type for n in taken]
    if expanded:
        types = [_element_of(each) if n == last else each for n, each in zip(taken, types, strict=True)]
    return _Form(parameters, [parameters[n] for n in taken], types, expanded, bool(missing))


def _element_of(type_: Type) -> Type:
    """What one argument of a `params` parameter is converted to."""
    if isinstance(type_, Array):
        return type_.element
    return type_.arguments[-1] if isinstance(type_, Named) and type_.arguments else UNKNOWN
