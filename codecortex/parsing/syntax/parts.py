"""Reads a source that the grammar cannot parse whole by parts: its declarations first, then each body for itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codecortex.model.code.syntax import NO_FIELDS
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.grammar import parse
from codecortex.parsing.csharp.skeleton import cut_skeleton
from codecortex.parsing.syntax.build import AROUND_BODIES, build, parse_fragment
from codecortex.parsing.syntax.calls import mend_calls
from codecortex.parsing.syntax.covers import COVERED, mend_covered
from codecortex.parsing.syntax.mend import put

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.model.code.syntax import Node
    from codecortex.parsing.csharp.skeleton import Body

_BLANKED = compile_later(rb"[^\n]")
_FIELD = b"class C { object f = ", b"; }"


def read_parts(text: bytes, names: bytes, comments: list[tuple[int, int]]) -> tuple[Node, bool] | None:
    """The tree of a source, and whether its declarations were parsed whole; None if its brackets do not pair.

    Args:
        text: The source.
        names: A text of the same length that names are read from.
        comments: The extents of documentation comments are appended.
    """
    skeleton = cut_skeleton(text)
    bodies = {body.start: body for body in skeleton.bodies if body.form != "args"} if skeleton is not None else {}
    parsed = parse(_blank(text, bodies)) if bodies else None
    if parsed is None:
        return None
    root = build(parsed, text, comments, source=names)
    for node in list(root.walk()):
        _fill_in(node, text, names, bodies)
    return root, not parsed.has_error


def _blank(text: bytes, bodies: Mapping[int, Body]) -> bytes:
    """The source with the inside of bodies blanked, and a number for each expression among them."""
    pieces, last = [], 0
    for start, body in sorted(bodies.items()):
        if start < last:
            continue
        inside = _BLANKED.sub(b" ", text[start : body.end])
        pieces += [text[last:start], inside if body.form == "block" else b"0" + inside[1:]]
        last = body.end
    return b"".join([*pieces, text[last:]])


def _fill_in(node: Node, text: bytes, names: bytes, bodies: Mapping[int, Body]) -> None:
    """Let a node make its children from the source that was blanked."""
    if node.kind == "block" and node.start + 1 in bodies:
        _defer(node, _Fragment(text, names, AROUND_BODIES[node.kind], node.start, node.end))
    elif node.kind == "arrow_expression_clause":
        body = next((each for start, each in bodies.items() if node.start < start < node.end), None)
        if body is not None:
            _defer(node, _Fragment(text, names, AROUND_BODIES[node.kind], node.start, body.end))
    elif node.kind == "integer_literal" and node.start in bodies and node.parent is not None:
        body = bodies[node.start]
        read = _Fragment(text, names, _FIELD, body.start, body.end).read("equals_value_clause", "variable_declarator")
        value = read.nodes[-1] if read is not None and read.nodes else None
        if value is not None:
            put(node.parent, node, value)


def _defer(node: Node, body: _Fragment) -> None:
    """Let a node make its children when it is opened, in place of what was blanked."""
    node.children, node.fields, node.deferred = (), NO_FIELDS, body


@dataclass(frozen=True, slots=True)
class _Fragment:
    """A piece of a source that is parsed for itself.

    Attributes:
        text: The source.
        names: A text of the same length that names are read from.
        around: What stands before and after it for the parser.
        start: Where it begins.
        end: Where it ends.
    """

    text: bytes
    names: bytes
    around: tuple[bytes, bytes]
    start: int
    end: int

    def rest(self) -> None:
        """Nothing is kept."""

    def make(self, node: Node) -> None:
        """Make the children of a body."""
        made = self.read(node.kind)
        if made is not None:
            node.children, node.fields = made.children, made.fields
            for child in node.nodes:
                child.parent = node

    def read(self, *kinds: str) -> Node | None:
        """The first node of some kinds, its offsets those of the source."""
        head, tail = self.around
        root = parse_fragment(head + self.text[self.start : self.end] + tail)
        if root is None:
            return None
        mend_calls([each for each in root.walk() if each.kind == "binary_expression"], parse_fragment)
        found = next((each for each in root.walk() if each.kind in kinds), None)
        if found is not None:
            for each in found.walk():
                each.start += self.start - len(head)
                each.end += self.start - len(head)
                each.source = self.names
            mend_covered([each for each in found.walk() if each.kind in COVERED], parse_fragment)
        return found
