"""What goes through some statements in; how a method of their own takes and returns it, or why none can, out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codecortex.analysis.flow.graph import Event
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.analysis.flow.region import Region
    from codecortex.analysis.flow.variables import Variable

_CHANGES = (Event.WRITE, Event.TOUCH)


class Place(NamedTuple):
    """Where the statements stand.

    Attributes:
        start: Where they begin.
        end: Where they end.
        function: The offset of the lambda or local function around them; -1 in the member itself.
        awaits: Whether an `await` stands in them.
    """

    start: int
    end: int
    function: int
    awaits: bool

    def has(self, start: int) -> bool:
        """Whether an offset is within."""
        return self.start <= start < self.end


class NotProvedError(Exception):
    """Why it cannot be proved that a method of its own would do the same; a sentence without its end."""


@dataclass
class Passing:
    """What a method of its own takes and returns, as keys of variables in the order of their declarations.

    Attributes:
        parameters: What it takes, and how: `ref`, `out`, `in` or empty.
        results: What it returns.
        locals: What it declares itself, since nothing outside asks for the values.
        constants: Constants that it declares again.
        later: What is declared within and only assigned afterwards, so that the caller declares it.
    """

    parameters: list[tuple[int, str]] = field(default_factory=list)
    results: list[int] = field(default_factory=list)
    locals: list[int] = field(default_factory=list)
    constants: list[int] = field(default_factory=list)
    later: list[int] = field(default_factory=list)


def decide(region: Region, variables: Mapping[int, Variable], place: Place) -> Passing:
    """Decide how the values of variables get into a method of its own, and out of it.

    Raises:
        NotProvedError: It would not surely do the same.
    """
    passing = Passing()
    mentioned = dict.fromkeys(sorted(each.variable for each in region.mentions if place.has(each.start)))
    for key in mentioned:
        _Decision(region, variables[key], place, passing).decide()
    return passing


class _Decision:
    """The decision about one variable."""

    def __init__(self, region: Region, variable: Variable, place: Place, passing: Passing) -> None:
        self._region, self._variable, self._place, self._passing = region, variable, place, passing
        self._key, self._name = variable.key, variable.name
        mentions = [each for each in region.mentions if each.variable == variable.key]
        self._outside = [each for each in mentions if not place.has(each.start)]
        self._changes = [each for each in mentions if each.event in _CHANGES]
        inside = [each for each in mentions if place.has(each.start)]
        self._captured_inside = any(each.function != place.function for each in inside)
        self._captured = any(each.function != variable.function for each in mentions)

    def decide(self) -> None:
        if self._key in self._region.shared:
            raise NotProvedError(f"something else refers to {self._name}")
        if self._variable.mode == "ref" and not self._variable.is_parameter:
            if self._outside:
                raise NotProvedError(f"{self._name} refers to another variable")
        elif self._place.has(self._key):
            self._decide_declared()
        elif self._variable.constant is not None:
            self._passing.constants.append(self._key)
        else:
            self._decide_outer()

    def _decide_declared(self) -> None:
        """A variable that the statements declare."""
        if not self._outside:
            return
        if self._variable.is_using or self._variable.is_readonly:
            raise NotProvedError(f"{self._name} is used afterwards, where it is not disposed of yet")
        if self._variable.constant is not None:
            raise NotProvedError(f"the constant {self._name} is used afterwards")
        if self._captured_inside:
            raise NotProvedError(f"{self._name} is used afterwards, and in a lambda or local function before")
        (self._passing.results if self._key in self._region.after else self._passing.later).append(self._key)

    def _decide_outer(self) -> None:
        """A variable that is declared outside."""
        is_changed = self._key in self._region.writes
        by_reference = self._is_by_reference(is_changed=is_changed)
        if self._captured_inside:
            self._refuse_captured(by_reference=by_reference, is_changed=is_changed)
        if by_reference:
            self._pass_by_reference()
        elif self._variable.mode == "in":
            self._passing.parameters.append((self._key, "in"))
        else:
            if is_changed and self._variable.is_readonly:
                self._refuse_lost_change()
            self._pass_by_value(is_changed=is_changed)

    def _is_by_reference(self, *, is_changed: bool) -> bool:
        """Whether others have to see each change at once, or may make one while the statements run."""
        variable = self._variable
        if variable.is_parameter and variable.mode in ("ref", "out"):
            return True
        if is_changed and not variable.is_readonly:
            return self._captured or self._key in self._region.elsewhere
        if any(each.function != variable.function for each in self._changes):
            return True
        if self._place.awaits and self._place.function != variable.function and self._changes:
            raise NotProvedError(f"{self._name} may be assigned during the await")
        return False

    def _refuse_captured(self, *, by_reference: bool, is_changed: bool) -> None:
        """A lambda within that outlives the statements sees what a variable becomes later."""
        elsewhere = self._place.function != self._variable.function and self._changes
        if by_reference or is_changed or elsewhere or self._key in self._region.rewritten:
            raise NotProvedError(f"a lambda or local function in it uses {self._name}, which changes")

    def _refuse_lost_change(self) -> None:
        """What calls change in a struct that nothing can be assigned to: calls of a `foreach` variable do."""
        seen = self._region.after | self._region.elsewhere
        if self._captured or self._variable.is_using or self._key in seen:
            raise NotProvedError(f"calls may change {self._name}, which cannot be assigned")

    def _pass_by_reference(self) -> None:
        if self._place.awaits:
            raise NotProvedError(
                f"{self._name} has to be passed by reference, which an asynchronous method cannot take"
            )
        if self._key in self._region.before:
            self._passing.parameters.append((self._key, "ref"))
        elif self._region.ends and self._key in self._region.assigned:
            self._passing.parameters.append((self._key, "out"))
        else:
            raise NotProvedError(f"{self._name} may have no value yet")

    def _pass_by_value(self, *, is_changed: bool) -> None:
        region, key = self._region, self._key
        is_result = is_changed and key in region.after and not self._variable.is_readonly
        if key in region.reads or (is_result and key not in region.assigned):
            if key not in region.before:
                raise NotProvedError(f"{self._name} may have no value yet")
            self._passing.parameters.append((key, ""))
        else:
            self._passing.locals.append(key)
        if is_result:
            self._passing.results.append(key)


def find_exit(region: Region) -> str:
    """How control leaves: at its `end`, by `return` on all paths (where none, it never gets out), or `either`.

    Raises:
        NotProvedError: It leaves in a way that a method cannot tell its caller.
    """
    others: Sequence[str] = sorted({each.node.kind for each in region.jumps if each.node.kind != "return_statement"})
    if others:
        raise NotProvedError(f"a {others[0].removesuffix('_statement')} leaves it")
    if not region.is_reached:
        raise NotProvedError("it is never reached")
    if region.is_entered:
        raise NotProvedError("a goto leads into it")
    if region.jumps and region.ends:
        return "either"
    return "end" if region.ends else "return"
