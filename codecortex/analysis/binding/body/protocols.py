"""What the language finds by the form of types: elements of sequences, results of tasks, parts of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import find_extension
from codecortex.analysis.binding.conversions.operands import Argument, OutVariable, Value
from codecortex.analysis.binding.lookup.accessibility import is_accessible
from codecortex.analysis.binding.lookup.members import keep_accessible
from codecortex.analysis.binding.types.inspect import id_of, is_tuple, strip_nullable, tuple_elements
from codecortex.analysis.binding.types.substitution import inline_element_of, substitute
from codecortex.analysis.binding.types.symbols import DYNAMIC, UNKNOWN, Array, MemberKind, Named, TypeKind
from codecortex.model.code.bindings import BindingRole
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.lookup.members import FoundMember
    from codecortex.analysis.binding.types.symbols import Member, Type
    from codecortex.model.code.syntax import Node

_COLLECTIONS = "System.Collections."
_ENUMERABLE = f"{_COLLECTIONS}Generic.IEnumerable`1"
ITERATORS = frozenset(
    f"{_COLLECTIONS}Generic.{each}`1" for each in ("IEnumerable", "IEnumerator", "IAsyncEnumerable", "IAsyncEnumerator")
)
"""What iterators return."""
_ASYNC_ENUMERABLE = f"{_COLLECTIONS}Generic.IAsyncEnumerable`1"


class Enumeration(NamedTuple):
    """How `foreach` takes elements.

    Attributes:
        element: Their type.
        members: The members that it uses.
    """

    element: Type
    members: Sequence[Member] = ()


def enumerate_type(binder: Binder, type_: Type, *, asynchronous: bool = False) -> Enumeration:
    """How `foreach` takes elements from a value of a type: by its form, then by interfaces, then by extensions."""
    element = type_.element if isinstance(type_, Array) else inline_element_of(type_)
    if element is not None or type_ is UNKNOWN or type_ is DYNAMIC:
        return Enumeration(element or type_)
    name, value = "GetAsyncEnumerator" if asynchronous else "GetEnumerator", strip_nullable(type_)
    for found in _callable_without_arguments(binder, value, name):
        if not asynchronous and (found.member.parameters or found.member.is_static or found.member.access != "public"):
            continue
        made = _enumerate_by(binder, found.type, (found.member,), asynchronous=asynchronous)
        owner = found.member.owner
        plain = owner is not None and owner.kind is TypeKind.INTERFACE and id_of(found.type) == _PLAIN
        if made is not None and not plain:  # another interface may tell the type of elements
            return made
    bases, _ = binder.session.bases.of(value)
    wanted = _ASYNC_ENUMERABLE if asynchronous else _ENUMERABLE
    for base in bases:
        if isinstance(base, Named) and base.definition.id == wanted:
            return Enumeration(base.arguments[0])
    if any(id_of(base) == f"{_COLLECTIONS}IEnumerable" for base in bases):
        return Enumeration(binder.session.types.object)
    extension = find_extension(binder, Value(type_), name, ()).best
    made = None
    if extension is not None:
        made = _enumerate_by(binder, extension.returns, (extension.member,), asynchronous=asynchronous)
    return made or Enumeration(UNKNOWN)


_PLAIN = f"{_COLLECTIONS}IEnumerator"


def _callable_without_arguments(binder: Binder, type_: Type, name: str) -> Sequence[FoundMember]:
    found = binder.session.members.find(type_, name).members
    return [
        each
        for each in found
        if each.member.kind is MemberKind.METHOD
        and not each.member.type_parameters
        and all(p.optional or p.is_params for p in each.member.parameters)
    ]


def _enumerate_by(
    binder: Binder, enumerator: Type, members: tuple[Member, ...], *, asynchronous: bool
) -> Enumeration | None:
    current = binder.session.members.find(enumerator, "Current").members
    if not current or current[0].member.kind is not MemberKind.PROPERTY:
        return None
    moving = _callable_without_arguments(binder, enumerator, "MoveNextAsync" if asynchronous else "MoveNext")
    used = (*members, *(each.member for each in moving[:1]), current[0].member)
    if asynchronous or (isinstance(enumerator, Named) and enumerator.definition.is_ref):
        ending = _callable_without_arguments(binder, enumerator, "DisposeAsync" if asynchronous else "Dispose")
        used = (*used, *(each.member for each in ending[:1]))
    return Enumeration(current[0].type, used)


class Awaiting(NamedTuple):
    """What `await` gives, and the members that it uses."""

    result: Type
    members: Sequence[Member] = ()


def await_type(binder: Binder, type_: Type) -> Awaiting:
    """What awaiting a value of a type gives."""
    if type_ is UNKNOWN or type_ is DYNAMIC:
        return Awaiting(type_)
    waiting = [each for each in _callable_without_arguments(binder, type_, "GetAwaiter") if not each.member.parameters]
    waiting = [each for each in waiting if is_accessible(each.member, binder.place, type_)]
    if waiting:
        member, awaiter = waiting[0].member, waiting[0].type
    else:
        extension = find_extension(binder, Value(type_), "GetAwaiter", ()).best
        if extension is None:
            return Awaiting(UNKNOWN)
        member, awaiter = extension.member, extension.returns
    results = _callable_without_arguments(binder, awaiter, "GetResult")
    if not results:
        return Awaiting(UNKNOWN, (member,))
    complete = binder.session.members.find(awaiter, "IsCompleted").members
    return Awaiting(results[0].type, (member, *(each.member for each in complete[:1]), results[0].member))


class Deconstruction(NamedTuple):
    """The types of the parts of a value, and the method that takes it apart."""

    types: Sequence[Type]
    member: Member | None = None


def _takes_apart(found: FoundMember, count: int) -> bool:
    parameters = found.member.parameters
    return len(parameters) == count and all(each.mode == "out" for each in parameters)


def deconstruct_type(binder: Binder, type_: Type, count: int) -> Deconstruction:
    """The parts of a value of a type."""
    elements = tuple_elements(type_)
    if is_tuple(type_) and len(elements) == count:
        return Deconstruction(elements)
    nothing = Deconstruction([UNKNOWN] * count)
    if type_ is UNKNOWN:
        return nothing
    own = binder.session.members.find(type_, "Deconstruct")
    members = [each for each in own.members if _takes_apart(each, count)]
    for found in keep_accessible(members, binder.place, type_):
        parts = [substitute(each.type, found.given) for each in found.member.parameters]
        return Deconstruction(parts, found.member)
    if not own.known or not binder.session.extensions.exists("Deconstruct"):
        return nothing  # what is not known of the type would go first
    arguments = [Argument(OutVariable(UNKNOWN), mode="out")] * count
    best = find_extension(binder, Value(type_), "Deconstruct", arguments).best
    if best is None:
        return nothing
    return Deconstruction([substitute(each.type, best.given) for each in best.parameters[1:]], best.member)


def emit_deconstruction(binder: Binder, start: int, made: Deconstruction, value: Value) -> None:
    """Keep what takes a value apart."""
    doubt = "" if value.certain else "what is taken apart is not certain"
    binder.emit_implied(start, made.member, BindingRole.IMPLIED, doubt)


def deconstruct(binder: Binder, pattern: Node, value: Value, at: int) -> None:
    """`var (a, (b, c)) = d`; what takes values apart is kept at an offset."""
    parts = pattern.nodes
    made = deconstruct_type(binder, value.type, len(parts))
    emit_deconstruction(binder, at, made, value)
    for part, type_ in zip(parts, made.types, strict=True):
        if part.kind == "tuple_pattern":
            deconstruct(binder, part, Value(type_, value.certain), at)
        elif part.kind == "identifier":
            binder.declare(part, type_, certain=value.certain)
