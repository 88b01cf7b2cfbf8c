"""What the body of a member does that its signature does not show, as values."""

from __future__ import annotations

from codecortex.model.startup.named_tuple import NamedTuple


class Throw(NamedTuple):
    """An exception that a member itself throws; throws of its lambdas and local functions are not counted.

    Attributes:
        exception: The type thrown, as written.
        condition: When it is thrown: the texts of the `if`s around it, `x is null` for `x ?? throw`, or a call such as
            `ArgumentNullException.ThrowIfNull(x)`; empty where there is none of these.
        message: The first string literal passed to the exception, or the name of the resource; or empty.
        always: Whether the member does nothing else.
    """

    exception: str
    condition: str = ""
    message: str = ""
    always: bool = False


class BodyFacts(NamedTuple):
    """One member's body.

    Attributes:
        throws: In source order, without duplicates.
        guards: Calls whose name says that they check a parameter, such as `Guard.NotNull(options)`; likewise.
        locks: Whether it takes a `lock`.
    """

    throws: tuple[Throw, ...] = ()
    guards: tuple[str, ...] = ()
    locks: bool = False
