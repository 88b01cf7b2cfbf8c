"""What the body of a member does that its signature does not say, as values."""

from __future__ import annotations

from typing import NamedTuple


class Throw(NamedTuple):
    """An exception that a member itself throws, not one of its lambdas or local functions.

    Attributes:
        exception: The type thrown, as written.
        condition: What has to hold: the texts of the `if`s around it, `x is null` for `x ?? throw`, or a call such as
            `ArgumentNullException.ThrowIfNull(x)`; empty where there is none of these.
        message: The first string literal, or the name of the resource, that the exception is made with; or empty.
        always: Whether the member does nothing else.
    """

    exception: str
    condition: str = ""
    message: str = ""
    always: bool = False


class BodyFacts(NamedTuple):
    """One member's body.

    Attributes:
        throws: In order of the source, each once.
        guards: Calls that check a parameter by their name, such as `Guard.NotNull(options)`, in order, each once.
        locks: Whether it takes a `lock`.
    """

    throws: tuple[Throw, ...] = ()
    guards: tuple[str, ...] = ()
    locks: bool = False
