"""A syntax tree and the place of a declaration in; its node, and what belongs to it besides, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.syntax import Node

TYPE = "type"
_TYPES = frozenset(
    f"{each}_declaration" for each in ("class", "struct", "interface", "record", "enum", "delegate", "extension")
)
_KINDS = {
    "method_declaration": "method",
    "constructor_declaration": "constructor",
    "destructor_declaration": "destructor",
    "property_declaration": "property",
    "indexer_declaration": "indexer",
    "event_declaration": "event",
    "event_field_declaration": "event",
    "field_declaration": "field",
    "operator_declaration": "operator",
    "conversion_operator_declaration": "conversion",
    "enum_member_declaration": "enum member",
    **dict.fromkeys(_TYPES, TYPE),
}
_LISTS = frozenset(("declaration_list", "enum_member_declaration_list"))
_TRAILING = compile_later(rb"[ \t]*(?://[^\n]*|/\*(?:[^*\n]|\*(?!/))*\*/[ \t]*)?(?=\n|\Z)")
_DOCUMENTATION = (b"///", b"/**")


class Extent(NamedTuple):
    """A declaration with what belongs to it, in bytes of the source.

    Attributes:
        node: The declaration; of a field that is declared with others, all of it.
        kind: What it declares, such as `method`; see `name_kind`.
        first: Where the comments directly above begin; where the declaration does, if none do.
        documentation: Where the documentation directly above begins; where the declaration does, if there is none.
        start: Where the declaration begins, with its attributes.
        end: Where it ends.
        indent: The white space before it, if nothing else stands before it in its line; else None.
    """

    node: Node
    kind: str
    first: int
    documentation: int
    start: int
    end: int
    indent: str | None


def name_kind(node: Node) -> str:
    """What a node declares, in a word; empty where it declares no type and no member."""
    return _KINDS.get(node.kind, "")


def list_declared(root: Node) -> Iterator[Node]:
    """The declarations of types and members; local ones are none."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.kind in _KINDS:
            yield node
        if node is root or node.kind in _TYPES or node.kind in _LISTS or "namespace" in node.kind:
            todo += reversed(node.nodes)


def find_declared(root: Node, head: int) -> Node | None:
    """The declaration that begins at a place, after its attributes."""
    return next((each for each in list_declared(root) if find_head(each) == head), None)


def find_head(node: Node) -> int:
    """Where a declaration begins after its attributes."""
    attributes = node.of_kind("attribute_list")
    if not attributes:
        return node.start
    rest = node.source[attributes[-1].end :]
    blank = len(rest) - len(_skip_trivia(rest))
    return attributes[-1].end + blank


def find_line_end(source: bytes, place: int) -> int | None:
    """Where the line around a place ends; None where more than a comment stands behind the place."""
    found = _TRAILING.match(source, place)
    return found.end() if found is not None else None


def find_body(node: Node) -> Node | None:
    """The braces around the members of a type."""
    return node.first(*_LISTS)


def measure(node: Node, source: bytes) -> Extent:
    """What belongs to a declaration; `source` is the text as it stands in the file, inactive parts and all."""
    line = source.rfind(b"\n", 0, node.start) + 1
    before = source[line : node.start]
    if before.strip():
        return Extent(node, name_kind(node), node.start, node.start, node.start, node.end, None)
    first, documentation = _look_above(source, line)
    return Extent(
        node,
        name_kind(node),
        node.start if first == line else first,
        node.start if documentation == line else documentation,
        node.start,
        node.end,
        before.decode(),
    )


def name_names(node: Node) -> list[str]:
    """The names that a declaration declares: several of a field, none of what goes without one."""
    variables = node.first("variable_declaration")
    if variables is not None:
        return [_name_of(each) for each in variables.of_kind("variable_declarator")]
    name = node.field("name")
    return [name.name] if name is not None else []


def _name_of(declarator: Node) -> str:
    name = declarator.field("name") or declarator.first("identifier")
    return name.name if name is not None else ""


def _look_above(source: bytes, line: int) -> tuple[int, int]:
    """Where the comments and the documentation begin that stand directly above a line."""
    first = documentation = line
    is_documentation = True
    while first:
        above = source.rfind(b"\n", 0, first - 1) + 1
        text = source[above : first - 1].strip()
        if text.endswith(b"*/") and not text.startswith(b"//"):
            opening = source.rfind(b"/*", 0, first - 1)
            above = source.rfind(b"\n", 0, opening) + 1
            if opening < 0 or source[above:opening].strip():
                break
            text = source[opening : first - 1]
        elif not text.startswith(b"//"):
            break
        is_documentation = is_documentation and text.startswith(_DOCUMENTATION)
        first = above
        documentation = above if is_documentation else documentation
    return first, documentation


_TRIVIA = compile_later(rb"(?:\s|//[^\n]*(?:\n|\Z)|/\*.*?\*/|#[^\n]*(?:\n|\Z))*", re.DOTALL)


def _skip_trivia(text: bytes) -> bytes:
    match = _TRIVIA.match(text)
    return text[match.end() :] if match is not None else text
