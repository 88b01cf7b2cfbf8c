"""What an expression is before its target is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.symbols import UNKNOWN
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.lookup.members import FoundMember
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.syntax import Node

TEXT = "text"
"""The constant of strings, whose value never matters."""
NUMBER = "number"
"""A constant of which the value is not known."""
REAL = "real"
"""A real number other than zero, whose value never matters."""


class Value(NamedTuple):
    """A value.

    Attributes:
        type: Its type.
        certain: Whether that is certainly its type.
        constant: Its value, where it is constant: a number, a truth, `TEXT` for any string, `REAL` or `NUMBER`.
        interpolated: Whether it is an interpolated string, or several that are joined.
        chained: Whether it belongs to a chain after `?.`, which lifts its type where the chain ends.
    """

    type: Type
    certain: bool = True
    constant: int | str | None = None
    interpolated: bool = False
    chained: bool = False


class TypeName(NamedTuple):
    """A type, before a dot or in a pattern."""

    type: Type


class NamespaceName(NamedTuple):
    """A namespace, before a dot."""

    name: str


class Bare(Enum):
    """What has no type of its own and nothing else to tell.

    `UNKNOWN` is an expression that could not be bound, `NOTHING` what a `return` without an expression gives.
    """

    UNKNOWN = "unknown"
    NULL = "null"
    DEFAULT = "default"
    THROW = "throw"
    NAMEOF = "nameof"
    DISCARD = "discard"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, eq=False)
class MethodGroup:
    """Methods of a name; without methods, extension methods may bear it.

    Attributes:
        methods: The methods that the lookup found.
        name: Their name.
        identifier: Where the name stands.
        receiver: What stands before the dot; None for a name alone.
        type_arguments: As written.
        certain: Whether the lookup certainly reached the right place.
        known: Whether there is no other method of this name.
        chained: As in `Value`.
        settle: Of a name before the dot that is a value and its own type, keeps which of both it means: the type if
            the method is static; None if that is not certain.
        is_address: Whether the address is taken, which converts to pointers alone.
    """

    methods: Sequence[FoundMember]
    name: str
    identifier: Node
    receiver: Expression | None = None
    type_arguments: tuple[Type, ...] = ()
    certain: bool = True
    known: bool = True
    chained: bool = False
    settle: Callable[[bool | None], None] | None = None
    is_address: bool = False


class LambdaParameter(NamedTuple):
    """A parameter of a lambda; its type is None where none is written."""

    name: str
    type: Type | None
    mode: str = ""
    identifier: Node | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LambdaBody:
    """What binding a lambda's body for certain types of its parameters gave.

    Attributes:
        results: What it returns.
        errors: How many errors there are in it, so that it cannot be meant for these types.
        unknowns: How many names in it could not be bound.
        bindings: What its names bind to, by offset.
        is_block: Whether it is a block.
        is_statement: Whether it could stand as a statement.
        ends: Whether the end of the block can be reached, or it is left by a `return` without an expression; None
            where that is not known.
        is_void: Whether it is an expression without a value.
        waits: Whether a result waits for its target.
        certain: Whether it is certain of what types its results are, or that it has none.
    """

    results: tuple[Expression, ...]
    errors: int
    unknowns: int
    bindings: dict[tuple[int, str], Binding]
    is_block: bool
    is_statement: bool
    ends: bool | None
    is_void: bool
    waits: bool
    certain: bool = True


class Lambda:
    """A lambda or an anonymous method.

    Attributes:
        node: Its syntax.
        parameters: Its parameters; None of an anonymous method without a list.
        is_async: Whether it is asynchronous.
        returns: The return type that is written.
        bind: Binds its body for the types of its parameters.
        finish: Binds its body finally, for a delegate's parameters and its return type, and keeps the bindings.
    """

    __slots__ = ("bind", "finish", "is_async", "node", "parameters", "returns")

    def __init__(
        self,
        node: Node,
        parameters: tuple[LambdaParameter, ...] | None,
        bind: Callable[[tuple[Type, ...]], LambdaBody],
        finish: Callable[[tuple[Type, ...], Type], None],
    ) -> None:
        self.node = node
        self.parameters = parameters
        self.bind = bind
        self.finish = finish
        self.is_async = False
        self.returns: Type | None = None

    def written_types(self) -> tuple[Type, ...] | None:
        """The types of its parameters where all are written."""
        types = [each.type for each in self.parameters] if self.parameters is not None else [None]
        written = tuple(each for each in types if each is not None)
        return written if len(written) == len(types) else None


class OutVariable(NamedTuple):
    """`out var x`, `out T x`, `out _`.

    Attributes:
        type: The type that is written; unknown where none is.
        identifier: The variable that it declares.
    """

    type: Type
    identifier: Node | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TargetTypedNew:
    """`new(...)`."""

    arguments: tuple[Argument, ...]
    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """An element of a collection; one that is spread stands for its own elements."""

    expression: Expression
    spread: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CollectionLiteral:
    """`[a, .. b]` and `{ a, b }`."""

    items: tuple[Item, ...]
    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class ArrayLiteral:
    """`new[] { ... }` whose elements have no common type of their own."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TupleLiteral:
    """A tuple some parts of which have no type of their own, or have names that are written.

    Attributes:
        parts: What it is made of.
        names: The names of the parts, written or taken from what they are.
        waiting: The names that are written; the target tells whose elements they are.
    """

    parts: tuple[Expression, ...]
    names: tuple[str | None, ...]
    waiting: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Branches:
    """`a ? b : c` or a switch expression without a type of its own."""

    parts: tuple[Expression, ...]
    certain: bool = True


Expression = (
    Value
    | TypeName
    | NamespaceName
    | Bare
    | MethodGroup
    | Lambda
    | OutVariable
    | TargetTypedNew
    | CollectionLiteral
    | ArrayLiteral
    | TupleLiteral
    | Branches
)


def is_unknown(expression: Expression) -> bool:
    """Whether nothing is known of what an expression is."""
    return expression is Bare.UNKNOWN or (isinstance(expression, Value) and expression.type is UNKNOWN)


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """An argument.

    Attributes:
        expression: What is given.
        name: The parameter's name, where it is written.
        mode: `ref`, `out`, `in` or empty.
        written: Where the parameter's name is written.
    """

    expression: Expression
    name: str | None = None
    mode: str = ""
    written: Node | None = None


def is_certain(expression: Expression) -> bool:
    """Whether the type of an expression is certain, as far as that depends on values."""
    if isinstance(expression, Value):
        return expression.certain or expression.type is UNKNOWN
    if isinstance(expression, TupleLiteral):
        return all(map(is_certain, expression.parts))
    return not isinstance(expression, Branches) or (expression.certain and all(map(is_certain, expression.parts)))


def doubt(expression: Expression) -> Expression:
    """An expression as it is while nothing counts of it that is not certain."""
    if isinstance(expression, Lambda):
        doubted = Lambda(
            expression.node, expression.parameters, lambda types: _doubt_body(expression.bind(types)), expression.finish
        )
        doubted.is_async, doubted.returns = expression.is_async, expression.returns
        return doubted
    return expression if is_certain(expression) else Bare.UNKNOWN


def _doubt_body(body: LambdaBody) -> LambdaBody:
    if body.certain:
        return body
    results = tuple(map(doubt, body.results)) if body.results or not body.is_void else (Bare.UNKNOWN,)
    return replace(body, results=results, is_void=False)
