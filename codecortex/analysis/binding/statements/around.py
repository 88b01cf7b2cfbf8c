"""Binds of a body no more than what is asked for needs: types that names can mean alone, or some of its statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.syntax import Descent, list_locals
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.model.code.syntax import Node

_PARTS = frozenset(("nullable_type", "array_type", "qualified_name", "generic_name"))
"""What is a type, or the name of one, as a whole if it is one in part. A pointer may be a product: `F(a.B * c)`."""
_TYPES = {
    **dict.fromkeys(("typeof_expression", "default_expression", "sizeof_expression", "declaration_expression"), "type"),
    **dict.fromkeys(("variable_declaration", "parameter", "catch_declaration", "foreach_statement"), "type"),
    "array_creation_expression": "type",
    "as_expression": "right",
}
"""Where nothing but a type stands: the field of each kind of syntax. After `new`, a constructor is meant too."""
_TEXTS = ("string", "literal")
"""What the kinds of texts contain."""
_FUNCTION = "local_function_statement"
_WORDS = compile_later(rb"[\w\x80-\xff]+")


def choose_statements(binder: Binder, statements: Sequence[Node]) -> Sequence[Node]:
    """Of statements that follow each other, those that what is asked for in them can depend on.

    A statement that holds nothing that is asked for counts only for the variables that it declares.
    """
    asked = [binder.list_asked(each) for each in statements]
    if binder.lambdas or None in asked:  # what a lambda gives back may depend on any of its statements
        return statements
    chosen = {each for each, places in zip(statements, asked, strict=True) if places or each.kind == _FUNCTION}
    words = {word for each in chosen for word in _list_words(each)}
    for each in reversed(statements):
        if each not in chosen and not words.isdisjoint(_list_declared(each)):
            chosen.add(each)
            words.update(_list_words(each))
        elif each not in chosen:
            binder.skip(each.start, each.end)
    return [each for each in statements if each in chosen]


def _list_words(node: Node) -> Iterable[bytes]:
    return _WORDS.findall(node.source, node.start, node.end)


def _list_declared(statement: Node) -> Iterable[bytes]:
    """The names of the variables that a statement declares."""
    return (each.name.encode() for node in statement.walk() for each in list_locals(node))


def bind_types_alone(binder: Binder, body: Node, around: Iterable[int]) -> bool:
    """Bind the types that the asked names of a body belong to, if each is no more than that.

    Args:
        binder: At the place of the body.
        body: It, opened.
        around: Where the asked names stand in it, in order.

    Returns:
        Whether that was so; else nothing is bound.
    """
    descent = Descent(body)
    names = [leaf for start in around if (leaf := _find_name(descent, start)) is not None]
    types = [found for each in names if (found := _find_type(each, body)) is not None]
    if len(types) < len(names):
        return False
    end = body.start
    for each in types:
        if each.start >= end:  # else it is part of the last one
            binder.type(each)
            binder.skip(end, each.start)
            for sizes in (node.field("rank") for node in each.walk() if node.kind == "array_type"):
                if sizes is not None and sizes.nodes:  # expressions: `new T[n]`
                    binder.skip(sizes.start, sizes.end)
            end = each.end
    binder.skip(end, body.end)
    return True


def _find_name(descent: Descent, start: int) -> Node | None:
    """The name at an offset; None in a comment or a text."""
    node = descent.find(start, start + 1)
    if any(not isinstance(each, str) for each in node.children):
        return None
    return node if not any(each in node.kind for each in _TEXTS) else None


def _find_type(name: Node, body: Node) -> Node | None:
    """The whole type that a name is or begins; None where it may be something else, or its scope is another one."""
    node: Node = name
    parent = node.parent
    while parent is not None and parent.kind in _PARTS:
        node, parent = parent, parent.parent
    if parent is None:
        return None
    if parent.kind != "type_argument_list" and parent.field(_TYPES.get(parent.kind, "")) is not node:
        return None
    around: Node | None = parent
    while around is not None and around is not body:
        if around.kind == _FUNCTION and around.first("type_parameter_list") is not None:
            return None  # its type parameters come first
        around = around.parent
    return node
