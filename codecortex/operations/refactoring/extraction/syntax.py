"""What the syntax of a selection, and around it, tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.symbols import Member, MemberKind
from codecortex.analysis.flow.passing import NotProvedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.syntax import Node


_NAMED = frozenset(
    (
        *("member_access_expression", "qualified_name", "alias_qualified_name", "tuple_pattern", "name_colon"),
        "variable_declarator",
    )
)


CALLERS = (b"CallerMemberName", b"CallerLineNumber", b"CallerFilePath")


def is_await(node: Node) -> bool:
    """Whether something waits for a task."""
    if node.kind == "await_expression":
        return True
    return node.kind in ("foreach_statement", "using_statement", "local_declaration_statement") and node.has("await")


def list_above(node: Node, member: Node) -> list[Node]:
    """What is around something in a member, the innermost first."""
    found = []
    each = node.parent
    while each is not None and each is not member:
        found.append(each)
        each = each.parent
    return found


def is_fixed_member(member: Member) -> bool:
    """Whether a member may only be assigned in constructors."""
    if "readonly" in member.modifiers or "const" in member.modifiers:
        return True
    if member.kind is not MemberKind.PROPERTY:
        return False
    node = member.node
    while node is not None and node.kind not in ("property_declaration", "parameter"):
        node = node.parent
    if node is None or node.kind == "parameter":
        return True
    accessors = node.field("accessors")
    names = [each.field("name") for each in accessors.nodes] if accessors is not None else []
    return not any(each is not None and each.text == "set" for each in names)


def has_caller(member: Member) -> bool:
    """Whether a method asks who calls it."""
    node = member.node
    while node is not None and not node.kind.endswith("_declaration"):
        node = node.parent
    listed = node.field("parameters") if node is not None else None
    text = listed.source[listed.start : listed.end] if listed is not None else b""
    return any(word in text for word in CALLERS)


def refuse_place(node: Node) -> None:
    """Refuse an expression that stands for a place, not for a value."""
    each, parent = node, node.parent
    while parent is not None and parent.kind == "parenthesized_expression":
        each, parent = parent, parent.parent
    if parent is None:
        return
    written = parent.kind == "assignment_expression" and parent.field("left") is each
    stepped = parent.kind in ("prefix_unary_expression", "postfix_unary_expression") and any(
        parent.has(word) for word in ("++", "--", "&")
    )
    passed = parent.kind == "argument" and any(parent.has(word) for word in ("ref", "out", "in"))
    if written or stepped or passed or parent.kind == "ref_expression":
        raise NotProvedError("it stands for a place that is written or referred to")
    called = parent.kind == "invocation_expression" and parent.field("function") is each
    if called or (parent.kind in _NAMED and parent.field("name") is each):
        raise NotProvedError("it is only a name")


def is_receiver(node: Node) -> bool:
    """Whether a member of an expression is what is used of it."""
    parent = node.parent
    if parent is None:
        return False
    return (
        parent.kind in ("member_access_expression", "element_access_expression") and parent.field("expression") is node
    )


def is_place(node: Node) -> bool:
    """Whether an expression stands for a variable, whose value its members may change."""
    return node.kind in (
        "identifier",
        "member_access_expression",
        "element_access_expression",
        "parenthesized_expression",
    )


def list_constraints(named: Node, holder: Node) -> Iterator[str]:
    """The constraints of a type parameter as written.

    Raises:
        NotProvedError: They are inherited.
    """
    clauses = holder.of_kind("type_parameter_constraints_clause")
    inherits = "override" in holder.modifiers() or holder.first("explicit_interface_specifier") is not None
    if inherits:
        raise NotProvedError(f"the constraints of {named.name} are inherited")
    for clause in clauses:
        if clause.nodes and clause.nodes[0].name == named.name:
            yield " ".join(clause.text.split())
