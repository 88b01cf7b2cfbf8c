"""What is asked of a signature and its parameters in; the parameters that it has afterwards out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.names import spell_name
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.model.code.syntax import Node

_MODES = frozenset(("ref", "out", "in", "this", "params", "scoped", "readonly"))
_WRITTEN = compile_later(
    r"(?:\[[^\]]*\]\s*)*(?:(?:ref|out|in|this|params|scoped|readonly)\s+)*(?P<type>.+?)\s+(?P<name>@?[^\W\d]\w*)\s*"
    r"(?:=\s*(?P<default>.+?)\s*)?",
    re.DOTALL,
)
_ATTRIBUTE = compile_later(r"\[[^\]]*\]")
_MODE = compile_later(r"(?:\[[^\]]*\]\s*)*(ref|out|in|this|params)\s")


class Parameter(NamedTuple):
    """A parameter as a declaration writes it.

    Attributes:
        name: Its name.
        start: Where it begins, with its attributes.
        end: Where it ends.
        default: Its default value; empty without one.
        modes: Its modifiers.
        name_start: Where its name stands.
    """

    name: str
    start: int
    end: int
    default: str
    modes: frozenset[str]
    name_start: int


class Added(NamedTuple):
    """A new parameter: all of it, its type, its name, its default value, and what callers pass; empty for nothing."""

    text: str
    type: str
    name: str
    default: str = ""
    argument: str = ""

    @property
    def passed(self) -> str:
        """What is passed where something has to be."""
        return self.argument or self.default

    def without_default(self) -> Added:
        """The same where no default value can stand."""
        return self._replace(text=self.text.partition("=")[0].rstrip(), default="")


class NotPossibleError(Exception):
    """A list of parameters that the language does not allow; the message is the end of a sentence."""


Item = int | Added
"""A parameter afterwards: the number of one that there was, from 0, or a new one."""


class Asked(NamedTuple):
    """What is to become of parameters.

    Attributes:
        added: A new one.
        before: The one that it is to stand before; empty for the end.
        removed: The names of those that go.
        order: The names in their new order; empty where it stays.
    """

    added: Added | None = None
    before: str = ""
    removed: tuple[str, ...] = ()
    order: tuple[str, ...] = ()

    def apply(self, parameters: Sequence[Parameter]) -> list[Item]:
        """The parameters afterwards.

        Raises:
            NotPossibleError: One is named that there is not, or the order cannot be.
        """
        numbers = {each.name: number for number, each in enumerate(parameters)}
        unknown = [each for each in (*self.removed, *self.order, *filter(None, [self.before])) if each not in numbers]
        if unknown:
            raise NotPossibleError(f"has no parameter {unknown[0]}")
        kept = [number for number, each in enumerate(parameters) if each.name not in self.removed]
        if self.order:
            if sorted(numbers[each] for each in self.order) != kept:
                raise NotPossibleError("has other parameters than --order names: name each of them once")
            kept = [numbers[each] for each in self.order]
        items: list[Item] = list(kept)
        if self.added is not None:
            if self.added.name in numbers and self.added.name not in self.removed:
                raise NotPossibleError(f"has a parameter {self.added.name} already")
            items.insert(self._find_place(parameters, items, numbers), self.added)
        require_order(parameters, items)
        return items

    def _find_place(self, parameters: Sequence[Parameter], items: Sequence[Item], numbers: dict[str, int]) -> int:
        if self.before:
            if numbers[self.before] not in items:
                raise NotPossibleError(f"has no parameter {self.before} any more")
            return items.index(numbers[self.before])
        added = self.added
        place = len(items)
        while place and added is not None and "params" not in read_modes(added.text):
            last = items[place - 1]
            last_one = parameters[last] if isinstance(last, int) else None
            if last_one is None or not ("params" in last_one.modes or (last_one.default and not added.default)):
                break
            place -= 1
        return place


def require_order(parameters: Sequence[Parameter], items: Sequence[Item]) -> None:
    """Refuse an order that the language does not have.

    Raises:
        NotPossibleError: It is one.
    """
    optional = ""
    for place, item in enumerate(items):
        own = parameters[item] if isinstance(item, int) else None
        name, default = (own.name, own.default) if own is not None else (item.name, item.default)  # type: ignore[union-attr]
        modes = own.modes if own is not None else read_modes(item.text)  # type: ignore[union-attr]
        if "this" in modes and place:
            raise NotPossibleError(f"has to begin with {name}, which it extends")
        if "params" in modes and place != len(items) - 1:
            raise NotPossibleError(f"has to end with {name}, which takes the rest")
        if optional and not default and "params" not in modes:
            raise NotPossibleError(f"cannot have {name}, which needs an argument, behind {optional}, which does not")
        optional = optional or (name if default else "")


def read_modes(text: str) -> frozenset[str]:
    """The modifiers of a parameter as somebody writes it."""
    return frozenset(match for match in re.findall(r"\b\w+\b", text.split("=", maxsplit=1)[0])[:-1] if match in _MODES)


def read_added(text: str, argument: str) -> Added | None:
    """A parameter as somebody writes it; None where it is none."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None or spell_name(found["name"]) != found["name"]:
        return None
    name = found["name"].removeprefix("@")
    return Added(text.strip(), found["type"], name, found["default"] or "", argument)


def read_mode(text: str) -> str:
    """How an argument is passed, of a parameter as it is written: `ref`, `out`, `in` or empty."""
    found = _MODE.match(text)
    return found[1] if found is not None and found[1] in ("ref", "out", "in") else ""


def find_list(node: Node) -> Node | None:
    """The parameters of a declaration."""
    return node.first("parameter_list", "bracketed_parameter_list")


def read_parameters(listed: Node) -> Iterator[Parameter]:
    """The parameters of a list, each with its attributes and modifiers."""
    source = listed.source
    start = listed.start + 1
    group: list[Node] = []
    words: list[str] = []
    for child in [*listed.children, ","]:
        if isinstance(child, str):
            if child in _MODES:
                words.append(child)
            if child == "," and group:
                yield _read(source, start, group, words)
                start = source.find(b",", group[-1].end, listed.end) + 1
                group, words = [], []
        else:
            group.append(child)


def _read(source: bytes, start: int, group: Sequence[Node], words: Sequence[str]) -> Parameter:
    node = group[-1]
    first = start + len(source[start : node.start]) - len(source[start : node.start].lstrip())
    first = min(first, group[0].start)
    name = node.field("name")
    if name is None:
        names = [each for each in group if each.kind == "identifier"]
        name = names[-1] if names else node
    _, _, default = source[name.end : node.end].decode().partition("=")
    front = _ATTRIBUTE.sub("", source[first : name.start].decode())
    modes = frozenset([*words, *(each for each in re.findall(r"\b\w+\b", front) if each in _MODES)])
    return Parameter(name.name, first, node.end, default.strip(), modes, name.start)
