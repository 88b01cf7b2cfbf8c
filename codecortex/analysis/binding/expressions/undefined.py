"""Tells operations that neither the language nor a type defines: a lambda that holds one means another overload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.answers import NO
from codecortex.analysis.binding.conversions.numbers import WIDENING
from codecortex.analysis.binding.types.inspect import (
    has_unknown,
    id_of,
    is_kind,
    is_opaque,
    is_reference,
    is_tuple,
    strip_nullable,
)
from codecortex.analysis.binding.types.symbols import Named, TypeKind

if TYPE_CHECKING:
    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Value

_EQUALITIES = frozenset(("==", "!="))
_LOGICAL = frozenset(("&&", "||"))
_OF_TRUTHS = frozenset(("==", "!=", "&", "|", "^")) | _LOGICAL
_CONVERSION = "op_Implicit"


def is_undefined(binder: Binder, sign: str, left: Value, right: Value) -> bool:
    """Whether an operation is an error, given that no operator of a type applies to its operands."""
    one, other = strip_nullable(left.type), strip_nullable(right.type)
    if not (_is_plain(binder, left) and _is_plain(binder, right)):
        return False
    if sign in _LOGICAL and binder.session.types.bool not in (one, other):
        return True
    enums = is_kind(one, TypeKind.ENUM), is_kind(other, TypeKind.ENUM)
    if all(is_enum or id_of(each) in WIDENING for is_enum, each in zip(enums, (one, other), strict=True)):
        return False
    if one == other == binder.session.types.bool:
        return sign not in _OF_TRUTHS
    return sign not in _EQUALITIES or not (is_reference(one) and is_reference(other))


def is_undefined_unary(binder: Binder, operand: Value) -> bool:
    """Whether an operation on one operand is an error, given that no operator of its type applies."""
    type_ = strip_nullable(operand.type)
    return _is_plain(binder, operand) and id_of(type_) not in WIDENING and not is_kind(type_, TypeKind.ENUM)


def never_equals(binder: Binder, constant: Value, value: Value) -> bool:
    """Whether a constant cannot be a value of a type, so that testing for it is an error."""
    if constant.constant is None or not (_is_plain(binder, constant) and _is_plain(binder, value)):
        return False
    convert, type_ = binder.session.conversions.types.convert, strip_nullable(value.type)
    return convert(constant.type, type_, constant.constant) == NO and convert(type_, constant.type) == NO


def _is_plain(binder: Binder, value: Value) -> bool:
    """Whether all is known of a value's type, and its operators are neither those of a kind nor of other types."""
    type_ = strip_nullable(value.type)
    if not value.certain or not isinstance(type_, Named) or has_unknown(type_) or is_opaque(type_) or is_tuple(type_):
        return False
    if is_kind(type_, TypeKind.DELEGATE):
        return False
    bases, known = binder.session.bases.of(type_)
    if type_ == binder.session.types.string or id_of(type_) in WIDENING:
        return known
    for base in bases:
        if isinstance(base, Named):
            binder.session.asked.add_member(base.definition, _CONVERSION)
            if base.definition.members(_CONVERSION):
                return False
    return known
