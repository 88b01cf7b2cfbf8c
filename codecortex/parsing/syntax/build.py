"""Builds the nodes of a syntax tree from tree-sitter's; those of bodies only when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from codecortex.model.code.syntax import Node
from codecortex.parsing.csharp.grammar import name_kind, parse
from codecortex.parsing.syntax.calls import mend_calls
from codecortex.parsing.syntax.mend import MENDED, mend

if TYPE_CHECKING:
    from tree_sitter import Node as Parsed

_COMMENT = "comment"
_BODIES = frozenset(("block", "arrow_expression_clause"))
_BODY_OWNERS = frozenset(
    (
        *("method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration"),
        *("conversion_operator_declaration", "accessor_declaration", "property_declaration", "indexer_declaration"),
    )
)
_OPERATION = "binary_expression"
_SUSPECTS = MENDED | {_OPERATION}
_VALUES = frozenset(("this", "base"))
_NO_VALUES = frozenset(("indexer_declaration", "constructor_initializer", "modifier", "parameter", "ERROR"))
_PARAMETER_LISTS = frozenset(("parameter_list", "bracketed_parameter_list"))


def build(parsed: Parsed, text: bytes, comments: list[tuple[int, int]]) -> Node:
    """The tree of a whole file; the extents of documentation comments outside of bodies are appended to a list."""
    root = Node(name_kind(parsed.kind_id), parsed.start_byte, parsed.end_byte, None, text)
    _build_below(root, parsed, comments)
    return root


def parse_fragment(text: bytes) -> Node | None:
    """The tree of a piece of source that was made for a purpose, its bodies opened, calls not mended."""
    parsed = parse(text)
    if parsed is None:
        return None
    root = Node(name_kind(parsed.kind_id), parsed.start_byte, parsed.end_byte, None, text)
    suspects: list[Node] = []
    _fill(root, parsed, None, suspects, deferring=False)
    mend(suspects)
    return root


def _build_below(top: Node, parsed: Parsed, comments: list[tuple[int, int]] | None) -> None:
    suspects: list[Node] = []
    _fill(top, parsed, comments, suspects, deferring=True)
    mend(suspects)
    mend_calls([node for node in suspects if node.kind == _OPERATION], parse_fragment)


def _fill(  # noqa: PLR0912 - one loop over all nodes: calls would double its time
    top: Node, parsed: Parsed, comments: list[tuple[int, int]] | None, suspects: list[Node], *, deferring: bool
) -> None:
    cursor = parsed.walk()
    if not cursor.goto_first_child():
        return
    source, stack = top.source, [top]
    parent, children, fields = _own_children(top)
    while True:
        each = cursor.node
        if each is None:  # pragma: no cover - a cursor stands always at a node
            return
        kind = name_kind(each.kind_id)
        if kind == _COMMENT:
            if comments is not None:
                comments.append((each.start_byte, each.end_byte))
        elif not kind.startswith("preproc"):
            field = cursor.field_name
            if each.is_named or (field is not None and kind != "modifier") or _is_value(kind, parent.kind):
                node = Node(kind, each.start_byte, each.end_byte, parent, source)
                children.append(node)
                if field is not None and field not in fields:
                    fields[field] = node
                if kind in _SUSPECTS:
                    suspects.append(node)
                if deferring and kind in _BODIES and parent.kind in _BODY_OWNERS:
                    node.deferred = _Deferred(each)
                elif each.child_count and cursor.goto_first_child():
                    stack.append(node)
                    parent, children, fields = _own_children(node)
                    continue
            else:
                children.append(kind)
        while not cursor.goto_next_sibling():
            if parent.kind in _PARAMETER_LISTS:
                _read_odd_parameters(parent)
            stack.pop()
            if not stack or not cursor.goto_parent():
                return
            parent = stack[-1]
            children, fields = cast("list[Node | str]", parent.children), cast("dict[str, Node]", parent.fields)


def _own_children(node: Node) -> tuple[Node, list[Node | str], dict[str, Node]]:
    """Give a node children and fields of its own, to be filled."""
    children: list[Node | str] = []
    fields: dict[str, Node] = {}
    node.children, node.fields = children, fields
    return node, children, fields


def _name_receiver(parameters: Node) -> None:
    """Make a parameter without a name of what the grammar misreads: `extension(string)`, `extension(T)`."""
    children = list(parameters.children)
    for at, child in enumerate(children):
        if not isinstance(child, Node) or len(child.nodes) != 1:
            continue
        if child.kind == "ERROR" or (child.kind == "parameter" and "type" not in child.fields):
            made = Node("parameter", child.start, child.end, parameters, parameters.source)
            made.children, made.fields = [child.nodes[0]], {"type": child.nodes[0]}
            child.nodes[0].parent = made
            children[at] = made
    parameters.children = children


def _is_value(kind: str, around: str) -> bool:
    return kind in _VALUES and around not in _NO_VALUES


class _Deferred:
    """Makes the nodes of a body when it is opened."""

    __slots__ = ("_parsed",)

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed

    def __call__(self, node: Node) -> None:
        _build_below(node, self._parsed, None)


def _read_odd_parameters(parameters: Node) -> None:
    if "params" in parameters.children:
        _gather_params(parameters)
    elif parameters.parent is not None and parameters.parent.kind == "class_declaration":
        _name_receiver(parameters)


def _gather_params(parameters: Node) -> None:
    """Put what the grammar leaves loose in a list, `params T[] name`, into a parameter as all others are."""
    children = list(parameters.children)
    at = children.index("params")
    rest = [child for child in children[at + 1 :] if isinstance(child, Node)]
    typed = next((child for child in rest if child.kind != "attribute_list"), None)
    if typed is None:
        return
    named = next((child for child in rest if child.start > typed.start and child.kind == "identifier"), None)
    last = named or typed
    made = Node("parameter", rest[0].start, last.end, parameters, parameters.source)
    taken = [child for child in rest if child.start <= last.start]
    made.children = ["params", *taken]
    made.fields = {"type": typed} | ({"name": named} if named is not None else {})
    for child in taken:
        child.parent = made
    parameters.children = [*children[:at], made, ")"]
