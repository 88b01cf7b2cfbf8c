"""Reads generics anew that the grammar takes for comparisons: `(T)x.F<U>(y)`, `foreach (A<B> c in d)`, `is A<B> c`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.syntax import Node
from codecortex.parsing.syntax.mend import put

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_ARGUMENTS = frozenset(("parenthesized_expression", "tuple_expression"))
_TYPE_LIKE = frozenset(
    ("identifier", "generic_name", "member_access_expression", "predefined_type", "tuple_expression")
)  # fmt: skip
_TUPLE = "tuple_expression"
_LISTED = "type_argument_list"
_LISTS = frozenset(("argument_list", "bracketed_argument_list", "element_binding_expression"))
_GENERIC = frozenset(("generic_name", "qualified_name", "member_access_expression"))
_NEVER_BEHIND_TYPES = frozenset(("+", "-", "*"))
_POINTER = "pointer_type"
_PASSED = ("ref", "out", "in")
_CALLS = frozenset(("invocation_expression", "object_creation_expression"))
_HEAD = b"class C { void M() { x = "
_TAIL = b"; } }"
_TEST_HEAD = _HEAD + b"y is "
_FOREACH, _CONSTANT, _REFERENCE = "foreach_statement", "constant_pattern", "ref_expression"
_TYPE_HEAD, _TYPE_TAIL = b"class C { ", b" f; }"


def mend_calls(comparisons: Iterable[Node], parse: Callable[[bytes], Node | None]) -> None:
    """Replace `a < b > (c)` by the call that it is, and `a < b > c` by the declaration; from the outside in."""
    for node in comparisons:
        right = node.field("right")
        if node.parent is None or right is None or not _is_compared_twice(node):
            continue
        if right.kind in _ARGUMENTS:
            _mend(node, parse)
        elif right.kind == "identifier":
            _declare(node, right, parse)


def _is_compared_twice(node: Node) -> bool:
    left = node.field("left") if node.kind == "binary_expression" else None
    if left is None or left.kind != "binary_expression":
        return False
    operand = left.field("right")
    return _sign(node) == ">" and _sign(left) == "<" and operand is not None and operand.kind in _TYPE_LIKE


def _declare(node: Node, name: Node, parse: Callable[[bytes], Node | None]) -> None:
    """Where a variable can be declared, make a type and a name of two comparisons."""
    place, old = node.parent, node
    if place is not None and place.kind == _REFERENCE:
        old, place = place, place.parent
    if place is None or not (place.kind == _CONSTANT or (place.kind == _FOREACH and place.field("left") is old)):
        return
    text = node.source[node.start : name.start].rstrip()
    typed = read_type(node.source, node.start, node.start + len(text), parse)
    if typed is None:
        return
    typed.parent = name.parent = place
    if place.kind == _CONSTANT:
        place.kind, place.children, place.fields = "declaration_pattern", [typed, name], {"type": typed, "name": name}
        return
    place.children = [new for each in place.children for new in ((typed, name) if each is old else (each,))]
    place.fields = {"type": typed, **place.fields, "left": name}


def _sign(operation: Node) -> str:
    operator = operation.field("operator")
    return operator.kind if operator is not None else ""


def _mend(node: Node, parse: Callable[[bytes], Node | None]) -> None:
    comparison = node.fields["left"]
    receiver, operand = comparison.field("left"), comparison.fields["right"]
    casts: list[Node] = []
    while receiver is not None and receiver.kind == "cast_expression":
        casts.append(receiver)
        receiver = receiver.field("value")
    if receiver is None or node.parent is None:
        return
    made = _read_call(node, receiver.start, operand, parse)
    if made is None:
        return
    for cast in reversed(casts):
        inner, old = made, cast.field("value")
        made = Node("cast_expression", cast.start, node.end, node.parent, node.source)
        made.children = [inner if child is old else child for child in cast.children]
        made.fields = {**cast.fields, "value": inner}
        for child in made.nodes:
            child.parent = made
    put(node.parent, node, made)


def _read_call(node: Node, start: int, operand: Node, parse: Callable[[bytes], Node | None]) -> Node | None:
    """The call that stands from an offset to the end of a node; a tuple as its type argument is read apart."""
    text = node.source[start : node.end]
    stand_in = operand.kind == _TUPLE
    if stand_in:
        name = b"_" * (operand.end - operand.start)
        text = text[: operand.start - start] + name + text[operand.end - start :]
    parsed = parse(_HEAD + text + _TAIL)
    call = _find(parsed, _CALLS, len(_HEAD), len(text)) if parsed is not None else None
    if call is None:
        return None
    _move(call, start - len(_HEAD), node.source)
    if stand_in:
        typed = read_type(node.source, operand.start, operand.end, parse)
        place = next((each for each in call.walk() if (each.start, each.end) == (operand.start, operand.end)), None)
        if typed is None or place is None or place.parent is None:
            return None
        put(place.parent, place, typed)
    return call


def mend_arguments(suspects: Iterable[Node], parse: Callable[[bytes], Node | None]) -> None:
    """Make arguments again of `a < b, c > d` and `a < b, c > -d`, which the grammar takes for one with a generic type.

    So it does with products that are cast: `(T)(a.B * c)`.

    Args:
        suspects: Declarations and operations.
        parse: Reads a piece of source that is all of a file.
    """
    for node in suspects:
        argument, typed = node.parent, node.field("type")
        if typed is not None and typed.kind == _POINTER:
            _read_cast(argument, parse)
            continue
        if typed is None and _sign(node) in _NEVER_BEHIND_TYPES:
            typed = node.field("left")
        if argument is None or argument.parent is None or argument.parent.kind not in _LISTS:
            continue
        if typed is None or typed.kind not in _GENERIC:
            continue
        listed = next((each for each in typed.walk() if each.kind == _LISTED and each.end == typed.end), None)
        parts = listed.nodes if listed is not None else []
        if len(parts) < 2 or any(argument.has(word) for word in _PASSED):  # noqa: PLR2004 - two comparisons
            continue
        ends = [each.end for each in parts[:-1]] + [node.end]
        starts = [node.start] + [each.start for each in parts[1:]]
        read = [read_expression(node.source, *extent, parse) for extent in zip(starts, ends, strict=True)]
        made = [each for each in read if each is not None]
        if len(made) == len(parts):
            _split_argument(argument, node, made)


def _read_cast(argument: Node | None, parse: Callable[[bytes], Node | None]) -> None:
    """Make a cast of `(T)(a.B * c)`, which the grammar takes for a call with a declaration of a pointer."""
    group = argument.parent if argument is not None else None
    call = group.parent if group is not None else None
    called = call.field("function") if call is not None else None
    if argument is None or group is None or call is None or called is None or argument.has("out"):
        return
    if called.kind != "parenthesized_expression" or len(called.nodes) != 1 or len(group.nodes) != 1:
        return
    type_ = read_type(call.source, called.nodes[0].start, called.nodes[0].end, parse)
    product = read_expression(call.source, argument.start, argument.end, parse)
    if type_ is None or product is None:
        return
    call.kind, group.kind = "cast_expression", called.kind
    group.children, group.fields, product.parent = ["(", product, ")"], {}, group
    call.children, call.fields, type_.parent = ["(", type_, ")", group], {"type": type_, "value": group}, call


def _split_argument(argument: Node, old: Node, values: Sequence[Node]) -> None:
    """Give an argument the first of some values instead of what it has, and each of the others one of its own."""
    if argument.parent is None:
        return
    listed, after = argument.parent, list[Node | str]()
    put(argument, old, values[0])
    for value in values[1:]:
        made = Node(argument.kind, value.start, value.end, listed, value.source)
        made.children = [value]
        value.parent = made
        after += [",", made]
    argument.end = values[0].end
    listed.children = [new for each in listed.children for new in ((each, *after) if each is argument else (each,))]


def read_expression(source: bytes, start: int, end: int, parse: Callable[[bytes], Node | None]) -> Node | None:
    """The expression that stands between two offsets, read by itself; None where it is none by itself."""
    parsed = parse(_HEAD + source[start:end] + _TAIL)
    if parsed is None or any(each.kind == "ERROR" for each in parsed.walk()):
        return None
    found = _find(parsed, None, len(_HEAD), end - start)
    if found is not None:
        _move(found, start - len(_HEAD), source)
    return found


def read_type(source: bytes, start: int, end: int, parse: Callable[[bytes], Node | None]) -> Node | None:
    """The type that stands between two offsets, read by itself; None where it is none."""
    return _read_between(source, (start, end), (_TYPE_HEAD, _TYPE_TAIL), parse)


def read_pattern(source: bytes, start: int, end: int, parse: Callable[[bytes], Node | None]) -> Node | None:
    """The pattern that stands between two offsets, read by itself; None where it is none."""
    return _read_between(source, (start, end), (_TEST_HEAD, _TAIL), parse)


def _read_between(
    source: bytes, extent: tuple[int, int], around: tuple[bytes, bytes], parse: Callable[[bytes], Node | None]
) -> Node | None:
    """What stands in an extent of a source, read between two texts."""
    (start, end), (head, tail) = extent, around
    parsed = parse(head + source[start:end] + tail)
    found = _find(parsed, None, len(head), end - start) if parsed is not None else None
    if found is not None:
        _move(found, start - len(head), source)
    return found


def is_alone(source: bytes, start: int, end: int) -> bool:
    """Whether a source is no more than what reads the expression between two offsets by itself."""
    return (start, end) == (len(_HEAD), len(source) - len(_TAIL)) and source.startswith(_HEAD)


def _move(root: Node, distance: int, source: bytes) -> None:
    for each in root.walk():
        each.start += distance
        each.end += distance
        each.source = source


def _find(root: Node, kinds: frozenset[str] | None, start: int, length: int) -> Node | None:
    """The outermost node of an extent, of some kinds where these are given."""
    found = (each for each in root.walk() if (each.start, each.end) == (start, start + length))
    return next((each for each in found if kinds is None or each.kind in kinds), None)
