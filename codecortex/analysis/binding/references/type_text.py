"""Reads types as metadata writes them: ``System.Collections.Generic.List{`0}``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.symbols import DYNAMIC, UNKNOWN, Array, Named, Pointer
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.types.symbols import Type, TypeDefinition, TypeParameter

_ENDS = frozenset("{},[]@*<>")
_FUNCTION = "=FUNC"


class TypeReader(NamedTuple):
    """Reads the types of one member.

    Attributes:
        find: The definition of an id without `T:`.
        of_type: The type parameters of the type, those of the types around it first.
        of_method: Those of the method.
    """

    find: Callable[[str], TypeDefinition | None]
    of_type: Sequence[TypeParameter]
    of_method: Sequence[TypeParameter] = ()

    def read(self, text: str) -> Type:
        """The type that a text names; the unknown where nothing declares it, or where it is no type's text."""
        return UNKNOWN if not text or _FUNCTION in text else self._read(text, 0)[0]

    def _read(self, text: str, at: int) -> tuple[Type, int]:
        if text.startswith("`", at):
            parameters, at = (self.of_method, at + 2) if text.startswith("``", at) else (self.of_type, at + 1)
            end = at
            while end < len(text) and text[end].isdecimal():
                end += 1
            known = text[at:end] and int(text[at:end]) < len(parameters)
            found: Type = parameters[int(text[at:end])] if known else UNKNOWN
            return self._read_suffixes(text, end, found)
        return self._read_named(text, at)

    def _read_named(self, text: str, at: int) -> tuple[Type, int]:
        name, arguments = "", []
        while True:
            end = at
            while end < len(text) and text[end] not in _ENDS:
                end += 1
            name += text[at:end]
            at = end
            if not text.startswith("{", at):
                break
            own, at = self._read_arguments(text, at + 1)
            name += f"`{len(own)}"
            arguments += own
            if not text.startswith(".", at):
                break
        names = None
        if text.startswith("<", at):
            end = text.find(">", at)
            if end < 0:
                return UNKNOWN, len(text)
            names = tuple(each or None for each in text[at + 1 : end].split(","))
            at = end + 1
        return self._read_suffixes(text, at, self._construct(name, tuple(arguments), names))

    def _read_arguments(self, text: str, at: int) -> tuple[list[Type], int]:
        arguments = []
        while True:
            argument, at = self._read(text, at)
            arguments.append(argument)
            if not text.startswith(",", at):
                return arguments, at + 1
            at += 1

    def _construct(self, name: str, arguments: tuple[Type, ...], names: tuple[str | None, ...] | None) -> Type:
        if name == "dynamic":
            return DYNAMIC
        definition = self.find(name)
        if definition is None:
            return UNKNOWN
        count = len(definition.parameters)
        if len(arguments) != count:  # a nested type that leaves out the arguments of the type around it
            return Named(definition, tuple(self.of_type[:count]))
        return Named(definition, arguments, names)

    def _read_suffixes(self, text: str, at: int, type_: Type) -> tuple[Type, int]:
        while at < len(text):
            if text[at] == "[":
                end = text.find("]", at)
                if end < 0:
                    return UNKNOWN, len(text)
                type_ = Array(type_, text.count(",", at, end) + 1)
                at = end + 1
            elif text[at] == "*":
                type_, at = Pointer(type_), at + 1
            elif text[at] == "@":
                at += 1
            else:
                break
        return type_, at
