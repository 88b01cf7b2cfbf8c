"""What the syntax tells of a variable: how it is declared, whether it can be assigned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.model.code.syntax import Node

_MODES = ("ref", "out", "in")
_INFERRED = frozenset(("implicit_type", "scoped_type"))
_FUNCTIONS = frozenset(("lambda_expression", "anonymous_method_expression", "local_function_statement"))
_TYPED = frozenset(
    ("variable_declaration", "parameter", "declaration_expression", "declaration_pattern", "recursive_pattern",
     "catch_declaration", "foreach_statement", "var_pattern", "list_pattern", "from_clause", "join_clause")
)  # fmt: skip


class Variable(NamedTuple):
    """A local or a parameter.

    Attributes:
        key: The offset of the name that declares it.
        name: Its name.
        written: The same as its declaration writes it, perhaps with `@`.
        typed: The syntax of its type; None where that is inferred.
        mode: `ref`, `out` or `in` of a parameter and of a local that refers to another variable; else empty.
        is_parameter: Whether it is a parameter of the member itself.
        is_readonly: Whether the language forbids to assign it: of `foreach`, `using`, `fixed` and queries.
        is_using: Whether a `using` disposes of it at last.
        constant: The statement that declares it as a constant; None where none does.
        function: The offset of the lambda or local function around its declaration; -1 in the member itself.
    """

    key: int
    name: str
    written: str
    typed: Node | None = None
    mode: str = ""
    is_parameter: bool = False
    is_readonly: bool = False
    is_using: bool = False
    constant: Node | None = None
    function: int = -1


def find_name(root: Node, start: int) -> Node | None:
    """The identifier that begins at an offset."""
    node = root
    while True:
        inner = next((each for each in node.nodes if each.start <= start < each.end), None)
        if inner is None:
            return node if node.start == start else None
        node = inner


def read_variable(member: Node, key: int) -> Variable | None:
    """What declares a variable; None where that is not in the member."""
    name = find_name(member, key)
    if name is None or name.start != key:
        return None
    function = find_function(name, member)
    holder = name.parent
    while holder is not None and holder.kind not in _TYPED and holder is not member:
        if holder.kind in _FUNCTIONS:
            return Variable(key, name.name, name.text, function=function)
        holder = holder.parent
    if holder is None or holder.kind not in _TYPED:
        return Variable(key, name.name, name.text, is_readonly=True, function=function)
    return _read_holder(Variable(key, name.name, name.text, function=function), name, holder)


def _read_holder(plain: Variable, name: Node, holder: Node) -> Variable:
    typed = holder.field("type")
    in_pattern = name.parent is not holder and name.parent is not None and "designation" in name.parent.kind
    in_tuple = name.parent is not None and name.parent.kind == "tuple_pattern"
    mode = next((word for word in _MODES if word in holder.modifiers()), "")
    if typed is not None and typed.kind == "ref_type":
        mode = "ref"
    if typed is None or typed.kind in _INFERRED or typed.text == "var" or in_pattern or in_tuple:
        typed = None
    around = holder.parent
    known = plain._replace(typed=typed, mode=mode)
    if holder.kind == "parameter":
        return known._replace(is_parameter=plain.function == -1, is_readonly=mode == "in")
    if holder.kind in ("foreach_statement", "from_clause", "join_clause"):
        return known._replace(is_readonly=True)
    if around is None or holder.kind != "variable_declaration":
        return known
    if around.kind in ("using_statement", "fixed_statement"):
        return known._replace(is_readonly=True, is_using=around.kind == "using_statement")
    if around.kind == "local_declaration_statement" and around.has("using"):
        return known._replace(is_readonly=True, is_using=True)
    return known._replace(constant=around if "const" in around.modifiers() else None)


def find_function(node: Node, member: Node) -> int:
    """The offset of the function around a place in a member, such as a lambda; -1 in the member itself.

    A clause of a query counts as a function, and what it declares belongs to it.
    """
    below = node
    while below is not member and below.parent is not None:
        around = below.parent
        if around.kind in _FUNCTIONS and below is not around.field("name"):
            return around.start
        if around.kind == "query_expression" and not (below is around.nodes[0] and node is not below.field("name")):
            return around.start
        below = around
    return -1
