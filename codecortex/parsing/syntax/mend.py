"""Mends trees where the grammar gives operators another precedence than the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.syntax import Node

if TYPE_CHECKING:
    from collections.abc import Sequence

_NEGATED = "negated_pattern"
_RANGE, _ELEMENT = "range_expression", "expression_element"
_INDIRECTION = "prefix_unary_expression"
_DECLARATION, _RECURSIVE, _CONSTANT = "declaration_expression", "recursive_pattern", "constant_pattern"
MENDED = frozenset(
    (
        *("conditional_access_expression", "is_pattern_expression", "invocation_expression", _NEGATED, _INDIRECTION),
        *(_DECLARATION, _RECURSIVE),
    )
)
_RECEIVERS = {
    "member_access_expression": "expression",
    "invocation_expression": "function",
    "element_access_expression": "expression",
    "conditional_access_expression": "condition",
}
_LOOSER_THAN_ACCESS = frozenset(
    ("binary_expression", "cast_expression", "prefix_unary_expression", "await_expression")
)  # fmt: skip
_LOOSER_THAN_IS = frozenset(("&&", "||", "==", "!=", "&", "|", "^", "??"))
_TESTS = {"is_pattern_expression": "expression", "is_expression": "left", "as_expression": "left"}
_LEFT = {"binary_expression": "left", **_TESTS}
_LEVELS = ("??", "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >> >>>", "+ -", "* / %")
_STRENGTHS = {sign: strength for strength, signs in enumerate(_LEVELS) for sign in signs.split()}
_TUPLE = "tuple_expression"
_PARTS = frozenset((_TUPLE, "argument"))
_ASSIGNING = frozenset(("assignment_expression", "foreach_statement"))
_OPERANDS = {"binary_expression": "left", "conditional_expression": "condition"}
_LITERALS = {"null": "null_literal", "true": "boolean_literal", "false": "boolean_literal"}
_COMPARED = frozenset((_CONSTANT, "relational_pattern"))
_COMBINING = frozenset(("or_pattern", "and_pattern"))
COMBINED_PATTERNS = _COMBINING | {_NEGATED}


def mend(suspects: Sequence[Node]) -> None:
    """Mend the trees around nodes of `MENDED` kinds, given from the outside in."""
    for node in suspects:
        if node.kind == "conditional_access_expression":
            _lift_operators(node)
        elif node.kind == "is_pattern_expression":
            _lower_pattern(node)
        elif node.kind == "invocation_expression":
            _read_designation(node)
        elif node.kind == _INDIRECTION:
            _lift_indirection(node)
        elif node.kind == _NEGATED:
            _lower_negation(node)
        elif node.kind == _RECURSIVE:
            _read_cast(node)
        elif node.kind == _DECLARATION:
            _read_negated(node)
    for node in suspects:
        _lower_pattern(node)  # an access within it may have been mended since


def put(parent: Node, old: Node, new: Node) -> None:
    """Put a node in the place of another."""
    parent.children = [new if child is old else child for child in parent.children]
    parent.fields = {field: new if child is old else child for field, child in parent.fields.items()}
    new.parent = parent


def _lift_operators(node: Node) -> None:
    """`a && b == c?.D`, `(T)a?.B`, which the grammar reads as `(a && b == c)?.D`: what binds looser goes above."""
    if node.kind != "conditional_access_expression":
        return
    operation = node.field("condition")
    while operation is not None and operation.kind in _LOOSER_THAN_ACCESS:
        right = operation.field("right") or operation.field("value") or operation.nodes[-1]
        top = _climb_tighter(climb_chain(node), _bind_strength(operation))
        if top.parent is None:
            return
        put(node, operation, right)
        put(top.parent, top, operation)
        put(operation, right, top)
        _begin(node, operation, right.start)
        operation.end = top.end
        operation = right
    if operation is not None and operation.kind == _RANGE:
        _lift_spread(node, operation)


def _lift_spread(node: Node, start: Node) -> None:
    """`[.. a?.B]`, which the grammar reads as `[(.. a)?.B]`: a range that begins an element of a collection is none."""
    element: Node | None = node
    while element is not None and element.start == start.start and element.kind != _ELEMENT:
        element = element.parent
    if element is None or element.kind != _ELEMENT or start.children[0] != ".." or len(start.nodes) > 1:
        return
    operand = start.nodes[0]
    put(node, start, operand)
    _begin(node, element, operand.start)
    element.kind, element.children = "spread_element", ["..", *element.children]


def _lift_indirection(node: Node) -> None:
    """`*a.B`, `*a[0]`, `*a++`, which the grammar reads as `(*a).B`: accesses and calls bind tighter."""
    top, lowest = climb_chain(node) if node.sign == "*" else node, node.parent
    if top is node or top.parent is None or lowest is None:
        return
    operand = node.nodes[-1]
    put(lowest, node, operand)
    put(top.parent, top, node)
    put(node, operand, top)
    node.end = top.end
    _begin(lowest, node, operand.start)


def _lower_negation(node: Node) -> None:
    """`not A and B`, which the grammar reads as `not (A and B)`: what is negated is the first pattern alone."""
    combined, above = node.nodes[-1] if node.nodes else None, node.parent
    lowest, first = None, combined
    while first is not None and first.kind in _COMBINING:
        lowest, first = first, first.field("left")
    if lowest is None or combined is None or first is None or above is None:
        return
    put(above, node, combined)
    put(lowest, first, node)
    put(node, combined, first)
    node.end = first.end
    _begin(lowest, above, node.start)


def _read_cast(node: Node) -> None:
    """`case (A)B:`, which the grammar reads as a pattern in brackets and a variable: it is a constant that is cast."""
    inner, name = node.first(_CONSTANT), node.field("name")
    if inner is None or name is None or node.nodes != [inner, name] or not inner.nodes:
        return
    typed = inner.nodes[0]
    cast = _make("cast_expression", node.start, node, ["(", typed, ")", name], type=typed, value=name)
    node.kind, node.children, node.fields = _CONSTANT, [cast], {}


def _read_negated(node: Node) -> None:
    """`(A, not B) =>`, which the grammar reads as a tuple that declares a variable `B`: its parts are patterns."""
    typed, tuple_ = node.field("type"), node.parent.parent if node.parent is not None else None
    constant = tuple_.parent if tuple_ is not None and tuple_.kind == _TUPLE else None
    if typed is None or typed.text != "not" or tuple_ is None or constant is None or constant.kind != _CONSTANT:
        return
    values = [value for argument in tuple_.of_kind("argument") for value in argument.nodes[-1:]]
    parts: list[Node | str] = [_enclose("subpattern", _read_part(value, tuple_)) for value in values]
    clause = _make("positional_pattern_clause", tuple_.start, constant, parts)
    constant.kind, constant.children = _RECURSIVE, [clause]


def _read_part(value: Node, parent: Node) -> Node:
    """A part of a tuple as a pattern."""
    typed, name = value.field("type"), value.field("name")
    if value.kind != _DECLARATION or typed is None or name is None or typed.text != "not":
        return _enclose(_CONSTANT, value)
    name.kind = _LITERALS.get(name.text, name.kind)
    negated = _make(_NEGATED, value.start, parent, ["not", _enclose(_CONSTANT, name)])
    negated.end = value.end
    return negated


def _enclose(kind: str, node: Node) -> Node:
    """A node of a kind that holds another one alone, until something holds it itself."""
    return _make(kind, node.start, node, [node])


def _begin(node: Node | None, above: Node, start: int) -> None:
    """Let nodes begin at an offset, from one up to below another."""
    while node is not None and node is not above:
        node.start = start
        node = node.parent


def climb_chain(node: Node) -> Node:
    """The whole chain of accesses and calls that a node begins."""
    while node.parent is not None:
        above = node.parent
        starts = above.kind in _RECEIVERS and above.field(_RECEIVERS[above.kind]) is node
        if not starts and above.kind != "postfix_unary_expression":
            break
        node = above
    return node


def _climb_tighter(node: Node, strength: int) -> Node:
    """The outermost operation that a node begins whose operators bind tighter than a strength."""
    above = node.parent
    while above is not None and above.kind in _LEFT and above.field(_LEFT[above.kind]) is node:
        if _bind_strength(above) <= strength:
            break
        node, above = above, above.parent
    return node


def _bind_strength(operation: Node) -> int:
    """How tight an operation binds its operands: the more, the tighter."""
    if operation.kind in _TESTS:
        return _STRENGTHS["<"]
    operator = operation.field("operator") if operation.kind == "binary_expression" else None
    return _STRENGTHS.get(operator.kind, len(_STRENGTHS)) if operator is not None else len(_STRENGTHS)


def _lower_pattern(node: Node) -> None:
    """`a is B && c`, `a is > 1 ? b : c`, which the grammar reads as `a is (B && c)`: the first operand alone counts."""
    constant = _find_constant(node.field("pattern")) if node.kind == "is_pattern_expression" else None
    operation = constant.nodes[0] if constant is not None and constant.nodes else None
    if constant is None or operation is None or node.parent is None:
        return
    lowest, operand = None, operation
    while operand.kind in _OPERANDS and _binds_looser(operand):
        inner = operand.field(_OPERANDS[operand.kind])
        if inner is None:
            break
        lowest, operand = operand, inner
    if lowest is None:
        return
    above = node.parent
    put(constant, operation, operand)
    put(above, node, operation)
    put(lowest, operand, node)
    node.end = constant.end = operand.end
    _begin(lowest, above, node.start)
    _lift_above_tests(operation)


def _lift_above_tests(operation: Node) -> None:
    """`a && b is C`, where another test was read around `a && b`: it is one of the last operand."""
    test = operation.parent
    while test is not None and test.parent is not None and test.kind in _TESTS:
        if test.field(_TESTS[test.kind]) is not operation or operation.kind != "binary_expression":
            break
        holder, operand = operation, operation.field("right")
        while operand is not None and operand.kind == "binary_expression" and _binds_looser(operand):
            holder, operand = operand, operand.field("right")
        if operand is None:
            break
        put(test.parent, test, operation)
        put(test, operation, operand)
        put(holder, operand, test)
        test.start = operand.start
        each: Node | None = holder
        while each is not None and each is not operation.parent:
            each.end = test.end
            each = each.parent
        test = operation.parent


def _find_constant(pattern: Node | None) -> Node | None:
    """The constant at the right end of a pattern, maybe behind an operator."""
    while pattern is not None and pattern.kind in COMBINED_PATTERNS:
        pattern = pattern.field("right") or (pattern.nodes[-1] if pattern.nodes else None)
    return pattern if pattern is not None and pattern.kind in _COMPARED else None


def _binds_looser(operation: Node) -> bool:
    if operation.kind == "conditional_expression":
        return True
    operator = operation.field("operator")
    return operator is not None and operator.kind in _LOOSER_THAN_IS


def _read_designation(node: Node) -> None:
    """`a is var (b, c)` and `(a, var (b, c)) = d`, which the grammar reads as calls of `a is var` and of `var`."""
    called, arguments = node.field("function"), node.field("arguments")
    if node.kind != "invocation_expression" or called is None or arguments is None or node.parent is None:
        return
    if called.kind == "is_expression":
        _read_test(node, called, arguments)
    elif called.kind == "is_pattern_expression":
        _read_positions(node, called)
    elif called.kind == "identifier" and called.text == "var" and _is_assigned(node):
        put(node.parent, node, _designate(arguments, node.parent, "tuple_pattern"))


def _is_assigned(node: Node) -> bool:
    """Whether a node is a part of a tuple to which something is assigned."""
    above = node.parent
    while above is not None and above.kind in _PARTS:
        node, above = above, above.parent
    return above is not None and node.kind == _TUPLE and above.kind in _ASSIGNING and above.field("left") is node


def _read_positions(node: Node, test: Node) -> None:
    """`a is B(_, 1)`, which the grammar reads as a call of `a is B`: what is called is the name in the pattern."""
    constant, above = _find_constant(test.field("pattern")), node.parent
    name = constant.nodes[-1] if constant is not None and constant.nodes else None
    if constant is None or name is None or above is None:
        return
    put(above, node, test)
    put(constant, name, node)
    put(node, test, name)
    node.start = name.start
    each: Node | None = constant
    while each is not None and each is not above:
        each.end = node.end
        each = each.parent


def _read_test(node: Node, test: Node, arguments: Node) -> None:
    left, right = test.field("left"), test.field("right")
    if left is None or right is None or right.kind != "implicit_type":
        return
    pattern = _make("declaration_pattern", right.start, node, [right], type=right)
    pattern.children = [right, _designate(arguments, pattern, "parenthesized_variable_designation")]
    node.kind = "is_pattern_expression"
    node.children, node.fields = [left, "is", pattern], {"expression": left, "pattern": pattern}
    left.parent = node


def _designate(arguments: Node, parent: Node, kind: str) -> Node:
    """The designation that was read as a list of arguments."""
    made = _make(kind, arguments.start, parent, [])
    made.end = arguments.end
    values = [value for argument in arguments.of_kind("argument") for value in argument.nodes]
    parts = [_designate(value, made, kind) if value.kind == _TUPLE else value for value in values]
    for part in parts:
        part.parent = made
        if part.text == "_":
            part.kind = "discard"
    made.children = parts
    return made


def _make(kind: str, start: int, parent: Node, children: list[Node | str], **fields: Node) -> Node:
    made = Node(kind, start, parent.end, parent, parent.source)
    made.children, made.fields = children, fields
    for child in made.nodes:
        child.parent = made
    return made
