"""Binds calls: of methods, extension methods and constructors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.certainty import find_doubted, list_settled
from codecortex.analysis.binding.conversions.answers import NO, YES
from codecortex.analysis.binding.conversions.operands import (
    Argument,
    Bare,
    MethodGroup,
    OutVariable,
    TypeName,
    Value,
)
from codecortex.analysis.binding.conversions.resolver import Resolution
from codecortex.analysis.binding.lookup.extensions import receiver_of
from codecortex.analysis.binding.lookup.members import FoundMember, keep_accessible
from codecortex.analysis.binding.overloads.applicability import Call
from codecortex.analysis.binding.types.inspect import has_unknown, mentions, names_opaque
from codecortex.analysis.binding.types.substitution import substitute, substitution_of
from codecortex.analysis.binding.types.symbols import DYNAMIC, MODES, UNKNOWN, Named, TypeKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.conversions.resolver import Applicable
    from codecortex.analysis.binding.types.symbols import Member, Parameter, Type, TypeDefinition
    from codecortex.model.code.syntax import Node

_FOR_DERIVED = frozenset(("protected", "private protected"))
DYNAMIC_ARGUMENT = "an argument is dynamic"
UNSURE_RECEIVER = "the type before the dot is not certain"
UNSURE_OVERLOAD = "what is unknown could make another overload better"
UNKNOWN_BASE = "a base type is unknown"
NOT_APPLICABLE = "no overload applies to what is known of the arguments"
_NO_CALLEE = "nothing tells what is called"


# -- arguments


def bind_arguments(binder: Binder, listed: Node | None) -> list[Argument]:
    """Bind the arguments of a list."""
    return [bind_argument(binder, each) for each in listed.of_kind("argument")] if listed is not None else []


def bind_argument(binder: Binder, node: Node) -> Argument:
    """Bind one argument."""
    name = node.field("name")
    values = node.without(name)
    mode = next((each for each in node.children if isinstance(each, str) and each in MODES), "")
    if not values:
        return Argument(binder.expression(name), None, mode)
    value, written = values[-1], None
    if name is not None:
        written = name.name
        binder.emit_argument(name, None, _NO_CALLEE)
    if mode == "out" and value.kind == "declaration_expression":
        return Argument(_declare_out(binder, value), written, mode, name)
    if mode == "out" and value.text == "_" and binder.frame.locals.find("_") is None:
        return Argument(OutVariable(UNKNOWN), written, mode, name)
    return Argument(binder.expression(value), written, mode, name)


def _declare_out(binder: Binder, node: Node) -> OutVariable:
    typed, name = node.field("type"), node.field("name")
    written = UNKNOWN if typed is None or typed.kind == "implicit_type" else binder.type(typed)
    binder.declare(name, written, certain=written is not UNKNOWN)
    return OutVariable(written, name)


def emit_argument_names(
    binder: Binder, arguments: Iterable[Argument], owner: Member | TypeDefinition, doubt: str = ""
) -> None:
    """Keep which parameters of a member, or of a delegate, the arguments are for that say so."""
    for each in arguments:
        if each.written is not None:
            binder.emit_argument(each.written, owner, doubt)


def finish_arguments(
    binder: Binder, arguments: Iterable[Argument], types: Sequence[Type] = (), settled: Sequence[bool] = ()
) -> None:
    """Bind what waits in arguments for the types of their parameters, which are certain unless `settled` denies it."""
    for position, argument in enumerate(arguments):
        certain = position >= len(settled) or settled[position]
        finish_argument(binder, argument, types[position] if position < len(types) else UNKNOWN, certain=certain)


def finish_argument(binder: Binder, argument: Argument, type_: Type, *, certain: bool = True) -> None:
    """Bind what waits in one argument; a variable that it declares gets its type."""
    expression = argument.expression
    if isinstance(expression, OutVariable):
        if expression.type is UNKNOWN and expression.identifier is not None:
            binder.declare(expression.identifier, type_, certain=certain and not has_unknown(type_))
    else:
        before, binder.unsure = binder.unsure, not certain
        binder.finish(expression, type_)
        binder.unsure = before


def count_needed(parameters: Sequence[Parameter]) -> int:
    """How many arguments there have to be at least."""
    return sum(not each.optional and not each.is_params for each in parameters)


def finish_for_parameters(binder: Binder, arguments: Sequence[Argument], parameters: Sequence[Parameter]) -> None:
    """Bind what waits in the arguments of a delegate's call; what does not convert is an error."""
    by_name = {each.name: each.type for each in parameters}
    needed = count_needed(parameters)
    expanded = bool(parameters) and parameters[-1].is_params
    binder.errors += len(arguments) < needed or (len(arguments) > len(parameters) and not expanded)
    types = [each.type for each in parameters]
    if expanded and not _fits_collection(binder, arguments, types):
        element = binder.session.conversions.element_of_collection(types.pop()) or UNKNOWN
        types += [element] * (len(arguments) - len(types))
    for position, argument in enumerate(arguments):
        type_ = types[position] if position < len(types) else UNKNOWN
        named = by_name.get(argument.name, UNKNOWN) if argument.name is not None else type_
        value = argument.expression
        if isinstance(value, Value) and value.certain and not argument.mode and named is not UNKNOWN:
            binder.errors += binder.session.conversions.convert(value, named) == NO
        finish_argument(binder, argument, named)


def _fits_collection(binder: Binder, arguments: Sequence[Argument], types: Sequence[Type]) -> bool:
    """Whether the last argument is given to a `params` parameter as it is, not as one of its elements."""
    if len(arguments) != len(types):
        return False
    return binder.session.conversions.convert(arguments[-1].expression, types[-1]) != NO


# -- resolution


def find_extension(  # noqa: PLR0913 - what is known of a call
    binder: Binder,
    receiver: Value,
    name: str,
    arguments: Sequence[Argument],
    type_arguments: Sequence[Type] = (),
    *,
    as_group: bool = False,
) -> Resolution:
    """The extension method that a call means, or `as_group` a delegate: of the first level at which one applies.

    Where one takes what nothing known declares, and so only may apply, the next level is asked as well: neither is
    certain then.
    """
    session, scope = binder.session, binder.frame.scope
    call = Call([Argument(receiver), *arguments], type_arguments, extension=True, as_group=as_group)
    near: Resolution | None = None
    for candidates in session.extensions.candidates(scope, name, binder.place, receiver.type):
        resolution = session.overloads.resolve(candidates, call)
        best = resolution.best
        if best is None or (near is not None and near.best is not None and near.best.member is best.member):
            continue
        if near is not None:
            return (resolution if best.answer == YES else near)._replace(certain=False, alone=False)
        if best.answer == YES or not _takes_unknown(best):
            return resolution
        near = resolution
    return near or Resolution(known=not session.names.is_blind(scope))


def _takes_unknown(candidate: Applicable) -> bool:
    """Whether a type that nothing known declares tells if a candidate applies, not an argument."""
    constraints = (each for one in candidate.member.type_parameters for each in one.constraints)
    return any(map(names_opaque, (*candidate.types, *constraints)))


def find_static_extensions(binder: Binder, type_: Type, name: str) -> Iterator[Sequence[FoundMember]]:
    """For each level the static methods of extension blocks that are called on a type which they extend."""
    session = binder.session
    for candidates in session.extensions.candidates(binder.frame.scope, name, binder.place, type_):
        methods = []
        for found in candidates:
            member = found.member
            if member.receiver is None or not member.is_static or member.owner is None:
                continue
            target, parameters = receiver_of(member).type, member.owner.parameters
            told = [each for each in parameters if mentions(target, {each})]  # the call tells the others
            given = session.applicability.infer_receiver(told, target, Argument(Value(type_)))
            fits = given is not None and session.applicability.convert_receiver(Value(type_), substitute(target, given))
            if given is not None and fits == YES:
                methods.append(FoundMember(member, given, 0))
        if methods:
            yield methods


def _resolve_static(binder: Binder, type_: Type, group: MethodGroup, arguments: Sequence[Argument]) -> Resolution:
    """The static method of an extension block that a call means: of the first level at which one applies."""
    resolution = Resolution()
    for methods in find_static_extensions(binder, type_, group.name):
        resolution = resolve(binder, methods, arguments, group.type_arguments)
        if resolution.best is not None:
            break
    return resolution


def resolve(
    binder: Binder, members: Sequence[FoundMember], arguments: Sequence[Argument], type_arguments: Sequence[Type] = ()
) -> Resolution:
    """The member that a call means."""
    return binder.session.overloads.resolve(members, Call(arguments, type_arguments))


def constructors_of(binder: Binder, type_: Named, *, as_base: bool = False) -> list[FoundMember]:
    """The constructors of a type that can be called: by another constructor, or to create a value."""
    binder.session.asked.add_member(type_.definition, ".ctor")
    given, place = substitution_of(type_), binder.place
    own = as_base or any(each is type_.definition for each in place.definitions())
    members = [
        FoundMember(each, given, 0)
        for each in type_.definition.members(".ctor")
        if not each.is_static and (own or each.access not in _FOR_DERIVED)
    ]
    return keep_accessible(members, place)


# -- calls


def call_group(binder: Binder, group: MethodGroup, arguments: Sequence[Argument]) -> Expression:
    """Bind a call of a method by name."""
    dynamic = _has_dynamic(arguments)
    declared = [each for each in group.methods if each.member.receiver is None]
    own = resolve(binder, declared, arguments, group.type_arguments) if declared else Resolution()
    extension = Resolution(known=own.known)
    receiver = group.receiver
    if own.best is None and isinstance(receiver, TypeName) and binder.session.extensions.exists(group.name):
        static = _resolve_static(binder, receiver.type, group, arguments)
        own = static if static.best is not None or not declared else own
    open_ = own.best is None or own.best.answer != YES
    if open_ and isinstance(receiver, Value) and binder.session.extensions.exists(group.name):
        extension = find_extension(binder, receiver, group.name, arguments, group.type_arguments)
    reached = group.certain and not (isinstance(receiver, Value) and not receiver.certain)
    if own.best is not None:
        doubt = _doubt_own(group, own, extension, reached=reached) or _doubt_override(group, own.best, arguments)
        if dynamic and (doubt or not own.alone or not group.known):
            doubt = DYNAMIC_ARGUMENT
        return _finish_call(binder, group, arguments, own, doubt)
    if extension.best is not None and isinstance(receiver, Value):
        doubt = _doubt_extension(binder, group, extension, reached=reached)
        given = [Argument(Bare.UNKNOWN), *arguments]
        return _finish_call(binder, group, given, extension, DYNAMIC_ARGUMENT if dynamic else doubt)
    return _finish_failed(binder, group, arguments)


def _has_dynamic(arguments: Iterable[Argument]) -> bool:
    return any(isinstance(each.expression, Value) and each.expression.type is DYNAMIC for each in arguments)


def _doubt_own(group: MethodGroup, own: Resolution, extension: Resolution, *, reached: bool) -> str:
    """Why a method of the receiver's type may not be meant; empty if it certainly is."""
    if not reached:
        return UNSURE_RECEIVER
    if own.best is None or own.certain:
        return ""
    if not group.known and own.best.answer != YES:
        return UNKNOWN_BASE
    return "" if own.alone and extension.best is None else UNSURE_OVERLOAD


def _doubt_override(group: MethodGroup, best: Applicable, arguments: Sequence[Argument]) -> str:
    """Why an override of what an unknown base declares may not be meant: unless it fits best of all, others may."""
    if group.known or "override" not in best.declared.modifiers:
        return ""
    values = [(each.expression, type_) for each, type_ in zip(arguments, best.types, strict=False)]
    fits = all(isinstance(value, Value) and value.certain and value.type == type_ for value, type_ in values)
    return "" if fits else UNKNOWN_BASE


def _doubt_extension(binder: Binder, group: MethodGroup, extension: Resolution, *, reached: bool) -> str:
    """Why an extension method may not be meant; empty if it certainly is."""
    if not reached:
        return UNSURE_RECEIVER
    best = extension.best
    if best is None or (extension.certain and best.answer == YES):
        return ""
    if not extension.alone or group.methods or group.receiver is None:
        return UNSURE_OVERLOAD
    surely = binder.session.applicability.convert_receiver(group.receiver, best.types[0]) == YES
    return "" if surely else UNSURE_OVERLOAD


def _finish_call(
    binder: Binder, group: MethodGroup, arguments: Sequence[Argument], resolution: Resolution, doubt: str
) -> Expression:
    best = resolution.best
    if best is None:  # pragma: no cover - the caller has looked
        return Bare.UNKNOWN
    binder.emit(group.identifier, best.member, doubt)
    if group.settle is not None:
        group.settle(best.member.is_static if not doubt else None)
    doubted = find_doubted(binder, best, arguments, group.type_arguments)
    agree = doubt == UNSURE_OVERLOAD
    emit_argument_names(binder, arguments, best.member, doubt)
    finish_arguments(
        binder, arguments, best.types, list_settled(binder, resolution, doubted, certain=not doubt, agree=agree)
    )
    if _has_dynamic(arguments):
        return Value(DYNAMIC, chained=group.chained)
    certain = not doubt or (resolution.same_type and doubt != UNSURE_RECEIVER)
    certain = certain and not (doubted and mentions(best.member.type, doubted))
    return Value(best.returns, certain, chained=group.chained)


def _finish_failed(binder: Binder, group: MethodGroup, arguments: Sequence[Argument]) -> Expression:
    """Bind what is left of a call to which nothing that is known applies."""
    finish_arguments(binder, arguments)
    if group.settle is not None:
        group.settle(None)
        if not group.methods:
            return Bare.UNKNOWN
    if group.methods:
        binder.errors += 1
        fit = [each for each in group.methods if _takes(each.member, len(arguments))]
        if fit:
            binder.emit(group.identifier, fit[0].member, NOT_APPLICABLE)
        if len(fit) == 1 and not fit[0].member.type_parameters:
            return Value(fit[0].type, certain=False, chained=group.chained)
        return Bare.UNKNOWN
    receiver = group.receiver
    seen = isinstance(receiver, Value) and receiver.certain and not has_unknown(receiver.type)
    if seen and not binder.session.names.is_blind(binder.frame.scope):
        known = all(each.expression is not Bare.UNKNOWN for each in arguments)
        binder.errors += known
        binder.unknowns += not known
        return Bare.UNKNOWN
    binder.emit_unknown(group.identifier, "no method of this name is known")
    return Bare.UNKNOWN


def _takes(member: Member, count: int) -> bool:
    """Whether a method could take so many arguments."""
    parameters = member.parameters
    if parameters and parameters[-1].is_params:
        return True
    return sum(not each.optional for each in parameters) <= count <= len(parameters)


def call_constructor(
    binder: Binder, type_: Type, arguments: Sequence[Argument], *, as_base: bool = False
) -> Applicable | None:
    """Bind the arguments of a creation, or of a call by another constructor; the constructor, if it is certain."""
    if not isinstance(type_, Named):
        finish_arguments(binder, arguments)
        return None
    if type_.definition.kind is TypeKind.DELEGATE and len(arguments) == 1:
        finish_argument(binder, arguments[0], type_)
        return None
    resolution = resolve(binder, constructors_of(binder, type_, as_base=as_base), arguments)
    if resolution.best is None:
        binder.errors += bool(arguments) and type_.definition.kind is not TypeKind.OPAQUE
        finish_arguments(binder, arguments)
        return None
    sure = resolution.certain or resolution.alone
    emit_argument_names(binder, arguments, resolution.best.member, "" if sure else UNSURE_OVERLOAD)
    settled = list_settled(binder, resolution, frozenset(), certain=sure, agree=True)
    finish_arguments(binder, arguments, resolution.best.types, settled)
    return resolution.best if sure else None
