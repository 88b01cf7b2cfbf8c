"""Compares parameter types that are spelled in C# or as in documentation ids.

Sources say `List<int>?`, documentation ids say `System.Collections.Generic.List{System.Int32}`. Names are not resolved
here, so types are compared by simple name, type arguments, ranks and whether they are passed by reference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_NESTED = 40

_TOKEN = compile_later(r"``?\d+|@?[^\W\d]\w*|[^\s\w]|\d+|\s+")
_OPEN = {"<": ">", "{": "}", "(": ")", "[": "]"}
_PASSED_BY = frozenset({"ref", "out", "in", "readonly"})
_IGNORED = frozenset({"params", "this", "scoped"})
_KEYWORDS = {
    "bool": "Boolean", "byte": "Byte", "sbyte": "SByte", "char": "Char", "decimal": "Decimal", "double": "Double",
    "dynamic": "Object", "float": "Single", "int": "Int32", "long": "Int64", "nint": "IntPtr", "nuint": "UIntPtr",
    "object": "Object", "short": "Int16", "string": "String", "uint": "UInt32", "ulong": "UInt64", "ushort": "UInt16",
    "void": "Void",
}  # fmt: skip
_PLACEHOLDER = compile_later(r"T(?![a-z])\w*|[A-Z]")
"""The usual form of names of type parameters."""


class Shape(NamedTuple):
    """One type as spelled.

    Attributes:
        path: Segments of its name, keywords replaced by library names; empty for a numbered type parameter.
        arguments: Type arguments, or the elements of a tuple.
        suffix: Array ranks and pointer stars.
        nullable: Whether it is marked with `?` or is a `Nullable`.
        by_reference: Whether it is passed by reference.
    """

    path: tuple[str, ...]
    arguments: tuple[Shape, ...] = ()
    suffix: str = ""
    nullable: bool = False
    by_reference: bool = False


class BadTypeError(ValueError):
    """A text is not a type."""


def parse_parameters(text: str) -> tuple[Shape, ...]:
    """The types of a parameter list without its brackets; parameter names and default values are skipped.

    Raises:
        BadTypeError: The text is not a list of types.
    """
    reader = _ParameterReader([sign for sign in _TOKEN.findall(text) if not sign.isspace()])
    if not reader.tokens:
        return ()
    shapes = [reader.read_parameter()]
    while reader.take(","):
        shapes.append(reader.read_parameter())
    if reader.peek():
        raise BadTypeError(f"{reader.peek()!r} is not expected among parameter types")
    return tuple(shapes)


def agree(wanted: Sequence[Shape], own: Sequence[Shape]) -> int:
    """How well two parameter lists agree: 0 not at all, 1 possibly, 2 as far as names can tell."""
    if len(wanted) != len(own):
        return 0
    return min((_compare(*pair) for pair in zip(wanted, own, strict=True)), default=2)


def count_differences(wanted: Sequence[Shape], own: Sequence[Shape]) -> int:
    """In how many places two parameter lists that agree say otherwise whether null or a reference is passed."""
    pairs = zip(wanted, own, strict=False)
    return sum(
        ((one.nullable, one.by_reference) != (other.nullable, other.by_reference))
        + count_differences(one.arguments, other.arguments)
        for one, other in pairs
    )


def _compare(wanted: Shape, own: Shape) -> int:
    if not wanted.path or not own.path:
        named = own if not wanted.path else wanted
        return _compare_placeholder(named, wanted.suffix == own.suffix)
    if wanted.path[-1] != own.path[-1] or wanted.suffix != own.suffix:
        return 0
    if len(wanted.arguments) != len(own.arguments):
        return 0
    level = 2 if (wanted.nullable, wanted.by_reference) == (own.nullable, own.by_reference) else 1
    shared = min(len(wanted.path), len(own.path))
    if wanted.path[-shared:] != own.path[-shared:]:
        level = 1
    pairs = zip(wanted.arguments, own.arguments, strict=True)
    return min([level, *(_compare(*pair) for pair in pairs)])


def _compare_placeholder(named: Shape, same_suffix: bool) -> int:  # noqa: FBT001 - of one caller
    """Compare a numbered type parameter with a type: it agrees with any name without dots and arguments."""
    if not same_suffix or named.arguments or len(named.path) > 1:
        return 0
    if not named.path:
        return 2
    if named.path[0] in _LIBRARY:
        return 0
    return 2 if _PLACEHOLDER.fullmatch(named.path[0]) else 1


_LIBRARY = frozenset(_KEYWORDS.values())


class _ParameterReader:
    """Reads a parameter list token by token; nesting is limited, so that no text exhausts the stack."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, sign: str) -> bool:
        if self.peek() != sign:
            return False
        self.at += 1
        return True

    def read_parameter(self) -> Shape:
        """Read a type and what may be around it: attributes, modifiers, a name, a default value."""
        while self.peek() == "[":
            self._skip_brackets()
        by_reference = False
        while (word := self.peek()) in _PASSED_BY or word in _IGNORED:
            by_reference |= word in _PASSED_BY
            self.at += 1
        shape = self.read_type()
        if _is_word(self.peek()):
            self.at += 1
        if self.take("="):
            while self.peek() and self.peek() != ",":
                self._skip_brackets() if self.peek() in _OPEN else self._skip()
        return shape._replace(by_reference=shape.by_reference or by_reference)

    def read_type(self) -> Shape:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise BadTypeError(f"types are nested more than {MOST_NESTED} deep")
        is_tuple = self.peek() == "("
        shape = Shape(("ValueTuple",), tuple(self._read_arguments())) if is_tuple else self._read_named()
        shape = self._read_suffixes(shape)
        self.depth -= 1
        return shape

    def _read_named(self) -> Shape:
        if self.peek().startswith("`"):
            self.at += 1
            return Shape(())
        path: list[str] = []
        arguments: list[Shape] = []
        while True:
            word = self.peek()
            if not _is_word(word):
                raise BadTypeError(f"a type is expected instead of {word!r}" if word else "a type is missing")
            self.at += 1
            path.append(word.removeprefix("@"))
            if self.peek() == ":":  # global::, or an alias
                self.at += 1
                self._expect(":")
                path.clear()
                continue
            if self.peek() in ("<", "{"):
                arguments += self._read_arguments()
            if not (self.take(".") or self.take("+")):
                break
        if len(path) == 1:
            path[0] = _KEYWORDS.get(path[0], path[0])
        if path[-1] == "Nullable" and len(arguments) == 1:
            return arguments[0]._replace(nullable=True)
        return Shape(tuple(path), tuple(arguments))

    def _read_arguments(self) -> list[Shape]:
        close = _OPEN[self.peek()]
        self.at += 1
        arguments = [self.read_parameter()]
        while self.take(","):
            arguments.append(self.read_parameter())
        self._expect(close)
        return arguments

    def _read_suffixes(self, shape: Shape) -> Shape:
        suffix, nullable, by_reference = "", shape.nullable, False
        while sign := self.peek():
            if sign == "[":
                suffix += f"[{self._skip_brackets().count(',') * ','}]"
            elif sign == "*":
                suffix += "*"
                self.at += 1
            elif sign == "?":
                nullable = True
                self.at += 1
            elif sign == "@":
                by_reference = True
                self.at += 1
            else:
                break
        return shape._replace(suffix=shape.suffix + suffix, nullable=nullable, by_reference=by_reference)

    def _skip_brackets(self) -> list[str]:
        """Skip a pair of brackets and return the tokens between them."""
        start, waiting = self.at, [_OPEN[self.peek()]]
        self.at += 1
        while waiting:
            sign = self.peek()
            if not sign:
                raise BadTypeError(f"{waiting[-1]!r} is missing")
            if sign in _OPEN:
                waiting.append(_OPEN[sign])
            elif sign == waiting[-1]:
                waiting.pop()
            self.at += 1
        return self.tokens[start + 1 : self.at - 1]

    def _skip(self) -> None:
        self.at += 1

    def _expect(self, sign: str) -> None:
        if not self.take(sign):
            raise BadTypeError(f"{sign!r} is missing" + (f" before {self.peek()!r}" if self.peek() else ""))


def _is_word(sign: str) -> bool:
    return sign.removeprefix("@").isidentifier()
