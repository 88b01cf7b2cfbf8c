"""Builds the nodes of a syntax tree from tree-sitter's; those of bodies only when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.code.syntax import Node
from codecortex.parsing.csharp.grammar import is_named, name_field, name_kind, parse
from codecortex.parsing.csharp.repairs import repair
from codecortex.parsing.syntax.calls import mend_arguments, mend_calls
from codecortex.parsing.syntax.covers import COVERED, cover, mend_covered, widen_operations
from codecortex.parsing.syntax.mend import MENDED, mend
from codecortex.parsing.syntax.patterns import mend_patterns
from codecortex.parsing.syntax.statements import split_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node as Parsed

    from codecortex.model.code.syntax import Deferred

_BODIES = frozenset(("block", "arrow_expression_clause"))
_BODY_OWNERS = frozenset(
    (
        *("method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration"),
        *("conversion_operator_declaration", "accessor_declaration", "property_declaration", "indexer_declaration"),
    )
)
AROUND_BODIES = {
    "block": (b"class C { async void M() ", b" }"),
    "arrow_expression_clause": (b"class C { async object M() ", b"; }"),
}
"""What stands around a body that is parsed for itself."""
_OPERATION = "binary_expression"
_DECLARATION = "declaration_expression"
_IN_ARGUMENTS = (_DECLARATION, _OPERATION)
_SUSPECTS = MENDED | COVERED | {_OPERATION, _DECLARATION}
_VALUES = frozenset(("this", "base"))
_NO_VALUES = frozenset(("indexer_declaration", "constructor_initializer", "modifier", "parameter", "ERROR"))
STAND_IN_NAME = b"__e"
"""The name of the class that stands in for an extension block."""
_PARAMETER_LISTS = frozenset(("parameter_list", "bracketed_parameter_list"))


# What becomes of the grammar's kinds; those before `_COMMENT` are kept.
_NODE, _SUSPECT, _BODY, _TOKEN, _VALUE, _COMMENT, _SKIPPED = range(7)


class _Kinds(dict[int, tuple[str, int]]):
    """The name and the sort of each of the grammar's kinds."""

    def __missing__(self, number: int) -> tuple[str, int]:
        name = name_kind(number)
        if name == "comment":
            sort = _COMMENT
        elif name.startswith("preproc"):
            sort = _SKIPPED
        elif is_named(number):
            sort = _SUSPECT if name in _SUSPECTS else _BODY if name in _BODIES else _NODE
        else:
            sort = _VALUE if name in _VALUES else _TOKEN
        self[number] = name, sort
        return name, sort


class _Fields(dict["int | None", "str | None"]):
    """The name of each of the grammar's fields; nothing for none."""

    def __missing__(self, number: int | None) -> str | None:
        self[number] = name = name_field(number) if number else None
        return name


_KINDS = _Kinds()
_FIELDS = _Fields()


def find_error_nodes(parsed: Parsed) -> Iterator[Parsed]:
    """The nodes of a tree that tell what is not understood, but for receivers without names, which are read anyway."""
    todo = [parsed] if parsed.has_error else []
    while todo:
        node = todo.pop()
        named = node.parent.child_by_field_name("name") if node.type == "parameter_list" and node.parent else None
        if named is not None and named.text == STAND_IN_NAME:
            continue
        below = [each for each in node.children if each.has_error or each.is_missing]
        if below and not node.is_error:
            todo += below
        else:  # what is missing may be a token that shows nowhere else
            yield node


def build(parsed: Parsed, text: bytes, comments: list[tuple[int, int]], *, source: bytes | None = None) -> Node:
    """The tree of a whole file.

    Args:
        parsed: The grammar's tree.
        text: What it was parsed from, and is parsed from again.
        source: What names are read from, where that is another text of the same length.
        comments: The extents of comments outside of bodies are appended.
    """
    root = Node(name_kind(parsed.kind_id), 0, len(text), None, text if source is None else source)
    _build_below(root, parsed, comments, _PartsOfWhole(text))
    return root


def parse_fragment(text: bytes) -> Node | None:
    """The tree of a piece of source that was made for a purpose, its bodies opened, calls not mended."""
    parsed = parse(repair(text))
    if parsed is None:
        return None
    root = Node(name_kind(parsed.kind_id), parsed.start_byte, parsed.end_byte, None, text)
    suspects: list[Node] = []
    fill(root, parsed, None, suspects, None)
    _mend_operators(suspects)
    return root


def _build_below(
    top: Node, parsed: Parsed, comments: list[tuple[int, int]] | None, bodies: Deferred, shift: int = 0
) -> None:
    suspects: list[Node] = []
    fill(top, parsed, comments, suspects, bodies, shift)
    mend_all(suspects)


def mend_all(suspects: list[Node]) -> None:
    """Mend what the grammar misreads, once its nodes have their extents."""
    if suspects:
        _mend_operators(suspects)
        operations = [node for node in suspects if node.kind == _OPERATION]
        widen_operations(operations, parse_fragment)
        mend_calls(operations, parse_fragment)
        mend_arguments([node for node in suspects if node.kind in _IN_ARGUMENTS], parse_fragment)
        mend_covered([node for node in suspects if node.kind in COVERED], parse_fragment)


def _mend_operators(suspects: list[Node]) -> None:
    mend_patterns([node for node in suspects if node.kind == "is_pattern_expression"], parse_fragment)
    mend(suspects)


def fill(  # noqa: PLR0912, PLR0913, PLR0917 - one loop over all nodes: calls would double its time
    top: Node,
    parsed: Parsed,
    comments: list[tuple[int, int]] | None,
    suspects: list[Node],
    bodies: Deferred | None,
    shift: int = 0,
) -> None:
    """Make the nodes below one, their offsets greater by `shift` than the grammar's."""
    cursor = parsed.walk()
    if not cursor.goto_first_child():
        return
    source, stack, parent = top.source, [top], top
    children: list[Node | str] = []
    fields: dict[str, Node] = {}  # given to its node with the first field: most have none
    parent.children = children
    while True:
        each: Any = cursor.node
        kind, sort = _KINDS[each.kind_id]
        if sort < _COMMENT:
            field = _FIELDS[cursor.field_id]
            if sort < _TOKEN or field is not None or (sort == _VALUE and parent.kind not in _NO_VALUES):
                node = Node(kind, each.start_byte + shift, each.end_byte + shift, parent, source)
                children.append(node)
                if field is not None and field not in fields:
                    if not fields:
                        parent.fields = fields = {}
                    fields[field] = node
                if sort == _SUSPECT:
                    suspects.append(node)
                if sort == _BODY and bodies is not None and parent.kind in _BODY_OWNERS:
                    node.deferred = bodies
                elif cursor.goto_first_child():
                    stack.append(node)
                    parent, fields = node, {}
                    parent.children = children = []
                    continue
            else:
                children.append(kind)
        elif sort == _COMMENT and comments is not None:
            comments.append((each.start_byte, each.end_byte))
        while not cursor.goto_next_sibling():
            if parent.kind in _PARAMETER_LISTS:
                _read_odd_parameters(parent)
            stack.pop()
            if not stack or not cursor.goto_parent():
                return
            parent = stack[-1]
            children, fields = parent.children, parent.fields  # type: ignore[assignment]


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


class Bodies:
    """Makes the nodes of a file's bodies when they are opened, each from a text of its own.

    Attributes:
        damaged: Whether one of those that were opened cannot be parsed whole.
    """

    __slots__ = ("_text", "damaged")

    def __init__(self, text: bytes) -> None:
        self._text = text
        self.damaged = False

    def rest(self) -> None:
        """Nothing is kept."""

    def make(self, node: Node) -> None:
        """Make the children of a body."""
        head, tail = AROUND_BODIES[node.kind]
        parsed = parse(cover(head + self._text[node.start : node.end] + tail))
        damaged = parsed is None or parsed.has_error
        self.damaged |= damaged
        if damaged and node.kind == "block":
            self._make_statements(node)
        else:
            _make_body(node, parsed, self, node.start - len(head))

    def _make_statements(self, node: Node) -> None:
        """Make the children of a block that does not parse whole statement by statement."""
        head, tail = AROUND_BODIES[node.kind]
        children: list[Node | str] = []
        for start, end in split_statements(self._text, node.start + 1, node.end - 1):
            part = Node(node.kind, start - 1, end + 1, node, node.source)
            parsed = parse(cover(head + b"{" + self._text[start:end] + b"}" + tail))
            _make_body(part, parsed, self, start - 1 - len(head))
            children += part.nodes
        node.children = ["{", *children, "}"]
        for child in node.nodes:
            child.parent = node


class _PartsOfWhole:
    """Makes the nodes of a file's bodies from a tree of the whole, parsed for the first that is opened."""

    __slots__ = ("_parsed", "_text")

    def __init__(self, text: bytes) -> None:
        self._parsed: Parsed | None = None
        self._text = text

    def rest(self) -> None:
        """Let the grammar's tree go: it takes some fifty times the memory of its text."""
        self._parsed = None

    def make(self, node: Node) -> None:
        """Make the children of a body."""
        if self._parsed is None:
            self._parsed = parse(self._text)
        _make_body(node, self._parsed, self, 0)


def _make_body(node: Node, parsed: Parsed | None, bodies: Deferred, shift: int) -> None:
    """Make the children of a body from a tree that holds it, its own offsets greater by `shift`."""
    found = parsed.descendant_for_byte_range(node.start - shift, node.end - shift) if parsed is not None else None
    while found is not None and name_kind(found.kind_id) != node.kind:
        found = found.parent
    if found is not None:
        _build_below(node, found, None, bodies, shift)


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
