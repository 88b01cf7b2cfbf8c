"""A call and new parameters in; the edits that let it pass the same, in the same order of evaluation, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.edits import Edit
from codecortex.editing.refactoring.signatures.change import Added, NotPossibleError, read_mode, read_modes
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.editing.refactoring.signatures.change import Item, Parameter
    from codecortex.model.code.syntax import Node

_BEHIND_NAME = compile_later(rb"\s*(?:<[^;{}()]*>\s*)?")
_LEAVES = frozenset(
    (
        *("identifier", "this", "predefined_type", "integer_literal", "real_literal", "string_literal", "null_literal"),
        *("boolean_literal", "character_literal", "verbatim_string_literal", "raw_string_literal", "sizeof_expression"),
        *("typeof_expression", "default_expression", "lambda_expression", "anonymous_method_expression", "base"),
        *("string_literal_content", "string_content", "escape_sequence", "character_literal_content", "discard"),
    )
)
_JOINS = frozenset(("member_access_expression", "parenthesized_expression", "prefix_unary_expression", "argument"))
_CHANGING = ("++", "--", "*")


class Swap(NamedTuple):
    """A range whose text stands in another range afterwards."""

    start: int
    end: int
    slot: int


class Rewritten(NamedTuple):
    """The edits of a list, what of it changes places, and the ranges that go."""

    edits: tuple[Edit, ...] = ()
    swaps: tuple[Swap, ...] = ()
    gone: tuple[Node, ...] = ()


class Call(NamedTuple):
    """A call.

    Attributes:
        listed: Its arguments; None where it has no list.
        end: Where a list has to begin.
        skipped: How many of the parameters come from what stands in front: the receiver of an extension method.
    """

    listed: Node | None
    end: int
    skipped: int = 0


def find_call(lists: Mapping[int, Node], source: bytes, place: int, length: int) -> Call:
    """The call by a name, or by `new`, `this` or `base`.

    Args:
        lists: The lists of arguments of the file, by where they begin.
        source: Its text.
        place: Where the name stands.
        length: How long it is; 0 where a keyword or a type stands there.
    """
    end = place + length
    if not length:
        match = re.compile(rb"@?\w+").match(source, place)
        end = match.end() if match is not None else place
    behind = _BEHIND_NAME.match(source, end)
    found = behind.end() if behind is not None else end
    written = len(source[:found].rstrip())
    return Call(lists.get(found), written)


def is_plain(node: Node) -> bool:
    """Whether evaluating an expression does nothing that anybody could see, as far as its syntax tells."""
    node.open()
    if node.kind in _LEAVES or node.kind == "attribute_argument":  # which is a constant
        return True
    if node.kind == "prefix_unary_expression" and node.text.startswith(_CHANGING):
        return False
    if node.kind == "invocation_expression":
        return re.match(r"nameof\s*\(", node.text) is not None
    return node.kind in _JOINS and all(map(is_plain, node.nodes))


class CallWriter:
    """Rewrites the arguments of one call."""

    def __init__(self, call: Call, parameters: Sequence[Parameter], items: Sequence[Item], own: str = "") -> None:
        """Make it.

        Args:
            call: The call.
            parameters: The parameters that there were.
            items: Those that there are.
            own: What is passed for a new parameter where the call hands on its own; empty elsewhere.
        """
        self._call = call
        self._parameters = parameters
        self._items = items
        self._own = own
        listed = call.listed.of_kind("argument", "attribute_argument") if call.listed is not None else []
        self._arguments = [each for each in listed if not each.has("=")]  # the others set properties of an attribute

    def rewrite(self, can_go: Callable[[Node], bool]) -> Rewritten:
        """The edits.

        Args:
            can_go: Whether an argument can go without anybody seeing it.

        Raises:
            NotPossibleError: An argument that would go does something, or nothing keeps the order of evaluation.
        """
        given = self._match()
        gone = [each for number, found in given.items() if number not in self._items for each in found]
        for each in gone:
            if not can_go(each):
                raise NotPossibleError(f"passes {each.text}, which may do something when it is evaluated")
        kept = [item for item in self._items if isinstance(item, int)]
        if kept == sorted(kept):
            return Rewritten(tuple(self._change(given, gone)), (), tuple(gone))
        if gone or any(isinstance(each, Added) for each in self._items):
            raise NotPossibleError("would get another order and other parameters at once")
        return self._reorder(given)

    def _match(self) -> dict[int, list[Node]]:
        """The arguments by the numbers of their parameters."""
        numbers = {each.name: number for number, each in enumerate(self._parameters)}
        last = len(self._parameters) - 1
        rest = last if self._parameters and "params" in self._parameters[-1].modes else -1
        given: dict[int, list[Node]] = {}
        for position, argument in enumerate(self._arguments):
            name = argument.field("name")
            number = numbers.get(name.name, -1) if name is not None else position + self._call.skipped
            if rest >= 0 and name is None and number >= rest:
                number = rest
            if not 0 <= number <= last:
                raise NotPossibleError("passes arguments that match no parameter")
            given.setdefault(number, []).append(argument)
        return given

    # -- parameters that come and go

    def _change(self, given: Mapping[int, Sequence[Node]], gone: Sequence[Node]) -> Iterator[Edit]:
        """The edits where what stays keeps its order."""
        wanted = self._list_wanted(given)
        if not self._arguments:
            text = ", ".join(text for _, text in wanted)
            yield from self._fill(text)
            return
        by_place: dict[int, list[str]] = {}
        for place, text in wanted:
            by_place.setdefault(place, []).append(text)
        left = [each for each in self._arguments if each not in gone]
        yield from self._remove(gone, left, by_place)

    def _fill(self, text: str) -> Iterator[Edit]:
        listed = self._call.listed
        if not text:
            return
        if listed is None:
            yield Edit(self._call.end, self._call.end, f"({text})")
        else:
            yield Edit(listed.start + 1, listed.start + 1, f"{text}, " if listed.nodes else text)

    def _list_wanted(self, given: Mapping[int, Sequence[Node]]) -> list[tuple[int, str]]:
        """New arguments, each with the number of the argument that it stands before; the count of all: at the end."""
        count = len(self._arguments)
        wanted = []
        for place, item in enumerate(self._items):
            if not isinstance(item, Added):
                continue
            behind = [each for each in self._items[place + 1 :] if isinstance(each, int) and given.get(each)]
            positional = [given[each][0] for each in behind if given[each][0].field("name") is None]
            text = self._own or item.argument or (item.default if positional else "")
            if not text and not item.default and "params" not in read_modes(item.text):
                raise NotPossibleError(f"needs something for {item.name}: give --argument")
            if not text:
                continue
            mode = read_mode(item.text)
            before = [each for each in self._items[:place] if isinstance(each, int) and each >= self._call.skipped]
            is_next = all(given.get(each) for each in before) and not self._is_named(given, before)
            if positional:
                wanted.append((self._arguments.index(positional[0]), f"{mode} {text}".lstrip()))
            elif is_next:
                number = max((self._arguments.index(each) + 1 for other in before for each in given[other]), default=0)
                wanted.append((number, f"{mode} {text}".lstrip()))
            else:
                wanted.append((count, f"{item.name}: {mode} {text}".replace(":  ", ": ")))
        return wanted

    def _is_named(self, given: Mapping[int, Sequence[Node]], before: Sequence[int]) -> bool:
        return any(each.field("name") is not None for number in before for each in given[number])

    def _remove(
        self, gone: Sequence[Node], left: Sequence[Node], wanted: Mapping[int, Sequence[str]]
    ) -> Iterator[Edit]:
        """Take arguments away, and put new ones in."""
        arguments, count = self._arguments, len(self._arguments)
        for number, each in enumerate(arguments):
            text = "".join(f"{one}, " for one in wanted.get(number, ()))
            if each not in gone:
                if text:
                    yield Edit(each.start, each.start, text)
                continue
            follows = number + 1 < count
            last = not any(one in left for one in arguments[number + 1 :])
            start = arguments[number - 1].end if last and number and left else each.start
            end = arguments[number + 1].start if follows and not (last and left) else each.end
            if last and left and number and arguments[number - 1] in gone:
                start = max(start, arguments[number - 1].end)
            new = text.removesuffix(", ") if last else text
            yield Edit(start, end, f", {new}" if new and last and left else new)
        text = ", ".join(wanted.get(count, ()))
        if text:
            end = arguments[-1].end
            yield Edit(end, end, f", {text}" if left else text)

    # -- another order

    def _reorder(self, given: Mapping[int, Sequence[Node]]) -> Rewritten:
        """The edits where all parameters stay, in another order."""
        named = any(each.field("name") is not None for each in self._arguments)
        order = [each for item in self._items if isinstance(item, int) for each in given.get(item, ())]
        gap = self._has_gap(given)
        if order == self._arguments and not named and not gap:
            return Rewritten()
        moved = [each for each, other in zip(order, self._arguments, strict=True) if each is not other]
        if not named and not gap and all(map(is_plain, moved)):
            pairs = [(new, old) for new, old in zip(order, self._arguments, strict=True) if new is not old]
            edits = tuple(Edit(old.start, old.end, new.text) for new, old in pairs)
            return Rewritten(edits, tuple(Swap(new.start, new.end, old.start) for new, old in pairs))
        edits_ = []
        staying = self._list_staying(given)
        for item, found in given.items():
            for each in found:
                if each.field("name") is None and each not in staying:
                    if "params" in self._parameters[item].modes and len(found) > 1:
                        raise NotPossibleError("passes the rest of the arguments, which cannot be named")
                    edits_.append(Edit(each.start, each.start, f"{self._parameters[item].name}: "))
        return Rewritten(tuple(edits_))

    def _list_staying(self, given: Mapping[int, Sequence[Node]]) -> list[Node]:
        """The first arguments, as far as each still stands at the place of its parameter."""
        own = [each for each in self._items if isinstance(each, int) and each >= self._call.skipped]
        staying: list[Node] = []
        for argument, item in zip(self._arguments, own, strict=False):
            if argument.field("name") is not None or list(given.get(item, ())) != [argument]:
                break
            staying.append(argument)
        return staying

    def _has_gap(self, given: Mapping[int, Sequence[Node]]) -> bool:
        """Whether an argument would follow one that goes unsaid."""
        own = [bool(given.get(each)) for each in self._items if isinstance(each, int) and each >= self._call.skipped]
        return own != sorted(own, reverse=True)


def rewrite_declaration(parameters: Sequence[Parameter], listed: Node, items: Sequence[Item]) -> Rewritten:
    """The edits of a list of parameters."""
    source = listed.source
    kept = [each for each in items if isinstance(each, int)]
    if kept != sorted(kept):
        slots = [parameters[number] for number in sorted(kept)]
        pairs = [(parameters[new], old) for new, old in zip(kept, slots, strict=True) if parameters[new] is not old]
        edits = tuple(Edit(old.start, old.end, source[new.start : new.end].decode()) for new, old in pairs)
        return Rewritten(edits, tuple(Swap(new.start, new.end, old.start) for new, old in pairs))
    return Rewritten(tuple(_change_list(parameters, listed, items)))


def _change_list(parameters: Sequence[Parameter], listed: Node, items: Sequence[Item]) -> Iterator[Edit]:
    left = [each for number, each in enumerate(parameters) if number in items]
    added = [(place, each) for place, each in enumerate(items) if isinstance(each, Added)]
    for number, each in enumerate(parameters):
        if number in items:
            continue
        last = not any(other in items for other in range(number + 1, len(parameters)))
        start = parameters[number - 1].end if last and number and left else each.start
        follows = number + 1 < len(parameters) and not (last and left)
        yield Edit(start, parameters[number + 1].start if follows else each.end, "")
    for place, new in added:
        following = [item for item in items[place + 1 :] if isinstance(item, int)]
        if following:
            start = parameters[following[0]].start
            yield Edit(start, start, f"{new.text}, ")
        elif left:
            yield Edit(left[-1].end, left[-1].end, f", {new.text}")
        else:
            yield Edit(listed.start + 1, listed.start + 1, new.text)
