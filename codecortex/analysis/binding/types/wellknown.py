"""The types that the language itself knows, and the types that it makes of others."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.inspect import is_reference
from codecortex.analysis.binding.types.symbols import (
    UNKNOWN,
    Bases,
    Member,
    MemberKind,
    Named,
    Parameter,
    Signature,
    TypeDefinition,
    TypeKind,
    TypeParameter,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.types.symbols import Type

KEYWORDS = {
    keyword: f"System.{name}"
    for keyword, name in (
        *(("bool", "Boolean"), ("byte", "Byte"), ("sbyte", "SByte"), ("char", "Char"), ("decimal", "Decimal")),
        *(("double", "Double"), ("float", "Single"), ("int", "Int32"), ("uint", "UInt32"), ("nint", "IntPtr")),
        *(("nuint", "UIntPtr"), ("long", "Int64"), ("ulong", "UInt64"), ("object", "Object"), ("short", "Int16")),
        *(("ushort", "UInt16"), ("string", "String"), ("void", "Void")),
    )
}
"""The types that keywords stand for."""

_TUPLE_SIZE = 7
_DENYING = ("class", "default")
_NEVER_NULLABLE = frozenset(("System.Nullable`1", "System.Void"))


class _Function(TypeDefinition):
    """A delegate type that the compiler makes, for parameters that are references: the framework has none."""

    def __init__(self, modes: Sequence[str], base: Type) -> None:
        """Make the one whose parameters are passed in some ways; what they take and it returns are type arguments."""
        super().__init__("", f"<{', '.join(modes)}>", len(modes) + 1, TypeKind.DELEGATE)
        self._base = base
        self._modes = modes

    def make_parameters(self) -> tuple[TypeParameter, ...]:
        """The types of its parameters and of its result."""
        return tuple(TypeParameter(f"T{at}", at, of_method=False) for at in range(self.arity))

    @cached_property
    def _invoke(self) -> Member:
        *taken, returns = self.parameters
        made = tuple([Parameter("", *each) for each in zip(taken, self._modes, strict=True)])
        return Member("Invoke", MemberKind.METHOD, self, lambda: Signature(made, returns))

    def make_bases(self) -> Bases:
        """The base class of all delegates."""
        return Bases(self._base)

    def members(self, name: str) -> Sequence[Member]:
        """What it is called by."""
        return (self._invoke,) if name == "Invoke" else ()


class WellKnown:
    """The well-known types; unknown where the assemblies that are read do not declare them."""

    def __init__(self, find: Callable[[str], TypeDefinition | None]) -> None:
        self._find = find
        self._functions: dict[tuple[str, ...], _Function] = {}
        self.object = self.get("System.Object")
        self.void = self.get("System.Void")
        self.bool = self.get("System.Boolean")
        self.int = self.get("System.Int32")
        self.string = self.get("System.String")
        self.char = self.get("System.Char")
        self.type = self.get("System.Type")
        self.value_type = self.get("System.ValueType")
        self.array = self.get("System.Array")

    def get(self, name: str, *arguments: Type) -> Type:
        """A type by its id without `T:`, with its arguments."""
        definition = self._find(name)
        if definition is None:
            return UNKNOWN
        return Named(definition, arguments) if arguments else definition.this

    def nullable(self, type_: Type) -> Type:
        """`T?` of a value type; a reference type itself."""
        if isinstance(type_, Named):
            lifted = type_.definition.is_value and type_.definition.id not in _NEVER_NULLABLE
        else:
            lifted = isinstance(type_, TypeParameter) and (is_reference(type_) is False or _is_value(type_))
        return self.get("System.Nullable`1", type_) if lifted else type_

    def tuple(self, types: Sequence[Type], names: Sequence[str | None] = ()) -> Type:
        """The tuple of some types."""
        if len(types) > _TUPLE_SIZE:
            rest = self.tuple(types[_TUPLE_SIZE:])
            made = self.get("System.ValueTuple`8", *types[:_TUPLE_SIZE], rest)
        else:
            made = self.get(f"System.ValueTuple`{len(types)}", *types) if types else UNKNOWN
        if isinstance(made, Named) and any(names):
            return Named(made.definition, made.arguments, tuple(names))
        return made

    def function_of(self, parameters: Sequence[Parameter], returns: Type) -> Type:
        """The delegate type that a lambda or a group has by nature."""
        types = [each.type for each in parameters]
        modes = tuple([each.mode for each in parameters])
        if not any(modes):
            return self.function(types, returns)
        known = self._functions.get(modes)
        if known is None:
            known = self._functions[modes] = _Function(modes, self.get("System.MulticastDelegate"))
        return Named(known, (*types, returns))

    def function(self, parameters: Sequence[Type], returns: Type) -> Type:
        """The delegate type of the framework that takes and returns some types."""
        if returns == self.void:
            return self.get(f"System.Action`{len(parameters)}" if parameters else "System.Action", *parameters)
        return self.get(f"System.Func`{len(parameters) + 1}", *parameters, returns)

    def enumerable(self, element: Type) -> Type:
        """`IEnumerable<T>`."""
        return self.get("System.Collections.Generic.IEnumerable`1", element)


def _is_value(parameter: TypeParameter) -> bool:
    """Whether `T?` in the signature of a method that overrides is that of a value: it is, unless a clause denies it."""
    return parameter.in_signature and parameter.flags.isdisjoint(_DENYING)
