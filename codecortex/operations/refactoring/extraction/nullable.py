"""Tells which values may be null, as declarations and the code around a selection say."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.inspect import is_reference
from codecortex.editing.refactoring.selections import FUNCTIONS
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.editing.refactoring.selections import Around, Selection
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.syntax import Node
    from codecortex.operations.refactoring.extraction.bound import Bound

_ALWAYS = frozenset(("null_literal", "default_expression", "as_expression", "conditional_access_expression"))
_READ = ("member_access_expression", "element_access_expression", "invocation_expression")
_ASSIGNED = {"assignment_expression": "left", "variable_declarator": "name"}
_LEAVES = ("return_statement", "throw_statement", "continue_statement", "break_statement")
_SIMPLE = ("expression_statement", "local_declaration_statement")
_BRANCHING = compile_later(r"\?|&&|\|\||=>|\b(?:switch|is|when)\b")


class Nullability:
    """What may be null around one selection; nothing where the compiler does not ask."""

    def __init__(self, bound: Bound, selection: Selection, around: Around) -> None:
        self._bound, self._selection, self._around = bound, selection, around

    def write_result(self, node: Node, type_: Type, written: str) -> str:
        """The type of an expression, with `?` where it may be null or where its place says so."""
        if self._is_returned(node, written):
            return f"{written}?"
        if not self._may_annotate(type_, written):
            return written
        written = _annotate(written, self._find_declared(node))
        return f"{written}?" if self._may_be_null(node, self._null) or self._is_expected(node) else written

    def write_variable(self, key: int, written: str) -> str:
        """The type of a variable as a parameter, a result or a local of the new method has it."""
        variable = self._bound.variables[key]
        type_ = self._bound.find_type(key)
        if variable.typed is None and self._may_annotate(type_, written):
            for each in self._assigned.get(key, ()):
                written = _annotate(written, self._find_declared(each))
            written = f"{written}?" if key in self._null else written
        if not self._bound.is_nullable or not written.endswith("?") or is_reference(type_) is not True:
            return written
        first = self._selection.nodes[0]
        declared_before = not first.start <= key < self._selection.nodes[-1].end
        known = declared_before and not self._is_assigned(key) and self._is_checked(key)
        return written.removesuffix("?") if known else written

    def _may_annotate(self, type_: Type, written: str) -> bool:
        """Whether a type can have a `?` that it has not."""
        return self._bound.is_nullable and is_reference(type_) is True and not written.endswith("?")

    # -- expressions

    def _may_be_null(self, node: Node, null: set[int]) -> bool:
        """Whether an expression may be null, as far as sources declare what it names, or it is such a variable."""
        if node.kind in _ALWAYS:
            return True
        parts = _list_parts(node)
        if parts:
            return any(self._may_be_null(each, null) for each in parts)
        if node.kind == "await_expression":
            return any(self._find_declared(each).endswith("?>") for each in node.nodes)
        key = self._find_key(node)
        if key is not None:
            return key in null and not self._is_checked(key)
        return self._find_declared(node).endswith("?")

    def _find_declared(self, node: Node) -> str:
        """The type that an expression has as it is written, there or where what it names is declared; else empty."""
        if node.kind in ("cast_expression", "object_creation_expression"):
            typed = node.field("type")
            return typed.text if typed is not None else ""
        if node.kind == "invocation_expression":
            function = node.field("function")
            return self._find_declared(function) if function is not None else ""
        if node.kind == "member_access_expression":
            name = node.field("name")
            return self._find_declared(name) if name is not None else ""
        binding = self._bound.bindings.get(node.start) if node.kind in ("identifier", "generic_name") else None
        return self._read_declared(binding) if binding is not None and binding.project is not None else ""

    def _read_declared(self, binding: Binding) -> str:
        names = (each.node for each in self._bound.sources.program.find_declared(binding.symbol))
        name = next((each for each in names if each is not None), None)
        holder = name.parent if name is not None else None
        if holder is not None and holder.kind == "variable_declarator":
            holder = holder.parent
        typed = holder.field("returns") or holder.field("type") if holder is not None else None
        return typed.text if typed is not None else ""

    def _is_returned(self, node: Node, written: str) -> bool:
        """Whether the member returns a value that no source declares, and says that it may be null."""
        declared = self._around.member.field("returns") or self._around.member.field("type")
        if self._find_declared(node) or self._around.function is not None or declared is None or node.parent is None:
            return False
        returns = node.parent.kind in ("arrow_expression_clause", "return_statement")
        return returns and declared.text == f"{written}?"

    def _is_expected(self, node: Node) -> bool:
        """Whether the place of a value that no source declares is one for what may be null."""
        parent = node.parent
        if parent is None or self._find_declared(node):
            return False
        if parent.kind == "conditional_access_expression":
            return parent.nodes[0] is node
        if parent.kind == "binary_expression" and parent.nodes[0] is node:
            return parent.sign == "??" or (parent.sign in ("==", "!=") and parent.nodes[-1].kind == "null_literal")
        if parent.kind == "is_pattern_expression":
            return any(each.kind == "null_literal" for each in parent.nodes[-1].walk())
        return False

    # -- variables

    @cached_property
    def _null(self) -> set[int]:
        """The variables that may be null by their types, or the inferred ones by what they are assigned."""
        variables = self._bound.variables
        null = {key for key, each in variables.items() if each.typed is not None and each.typed.text.endswith("?")}
        before = -1
        while len(null) > before:  # what one of them is assigned may be another one
            before = len(null)
            null |= {
                key for key, found in self._assigned.items()
                if variables[key].typed is None and any(self._may_be_null(each, null) for each in found)
            }  # fmt: skip
        return null

    @cached_property
    def _assigned(self) -> Mapping[int, Sequence[Node]]:
        """What variables are assigned, where they are declared and later."""
        found: dict[int, list[Node]] = {}
        for each in self._around.member.walk():
            name = each.field(_ASSIGNED[each.kind]) if each.kind in _ASSIGNED and len(each.nodes) > 1 else None
            key = self._find_key(name)
            if key is not None:
                found.setdefault(key, []).append(each.nodes[-1])
        return found

    def _find_key(self, node: Node | None) -> int | None:
        """The variable that a name stands for."""
        return self._bound.meanings.get(node.start) if node is not None and node.kind == "identifier" else None

    def _is_assigned(self, key: int) -> bool:
        """Whether the selection assigns a variable."""
        name = re.escape(self._bound.variables[key].written)
        return any(_assigns(each, name) for each in self._selection.nodes)

    def _is_checked(self, key: int) -> bool:
        """Whether a variable is known not to be null where the selection begins."""
        inside = (each for node in self._selection.nodes for each in node.walk())
        first = next((each for each in inside if self._find_key(each) == key), None)
        reader = first.parent if first is not None else None
        if reader is not None and reader.kind in _READ and reader.nodes[0] is first:
            return True
        name = re.escape(self._bound.variables[key].written)
        node = self._selection.nodes[0]
        while node.parent is not None and node is not self._around.member and node.kind not in FUNCTIONS:
            block = node.parent.nodes if node.parent.kind == "block" else ()
            for each in reversed([one for one in block if one.start < node.start]):
                if _assigns(each, name):
                    return False
                if _excludes(each, name):
                    return True
            if _confirms(node, name):
                return True
            node = node.parent
        return False


def _annotate(written: str, declared: str) -> str:
    """A type as a declaration writes it, which tells what may be null within it."""
    plain = declared.removesuffix("?")
    return plain if plain.replace("?", "") == written.replace("?", "") else written


def _list_parts(node: Node) -> Sequence[Node]:
    """The expressions one of which gives an expression its value; none of an expression that has its own."""
    if node.kind in ("parenthesized_expression", "checked_expression", "cast_expression"):
        typed = node.field("type")
        return node.nodes[-1:] if typed is None or not typed.text.endswith("?") else ()
    if node.kind == "conditional_expression":
        return node.nodes[1:]
    if node.kind == "switch_expression":
        return [each.nodes[-1] for each in node.of_kind("switch_expression_arm")]
    if node.kind == "assignment_expression" or (node.kind == "binary_expression" and node.sign == "??"):
        return node.nodes[-1:]
    return ()


def _confirms(then: Node, name: str) -> bool:
    """Whether a variable is not null in a statement that a condition guards."""
    condition = then.parent.field("condition") if then.parent is not None else None
    if then.parent is None or condition is None or then.parent.field("consequence") is not then:
        return False
    said = rf"(?<![\w.]){name}\s*(?:!=\s*null\b|is\s+not\s+null\b|is\s*\{{)"
    return "||" not in condition.text and bool(re.search(said, condition.text))


def _excludes(statement: Node, name: str) -> bool:
    """Whether a variable is not null behind a statement."""
    if statement.kind == "if_statement":
        condition, *branches = statement.nodes
        last = branches[0].nodes[-1] if branches[0].kind == "block" and branches[0].nodes else branches[0]
        said = rf"(?<![\w.]){name}\s*(?:==\s*null\b|is\s+null\b|is\s+not\s*\{{)"
        leaves = last.kind in _LEAVES and len(branches) == 1 and "&&" not in condition.text
        return leaves and bool(re.search(said, condition.text))
    said = rf"(?<![\w.]){name}\s*\.|\bThrowIfNull(?:OrEmpty|OrWhiteSpace)?\(\s*{name}\s*[,)]"
    plain = statement.kind in _SIMPLE and not _BRANCHING.search(statement.text)
    return plain and bool(re.search(said, statement.text))


def _assigns(node: Node, name: str) -> bool:
    """Whether a variable is assigned in a statement."""
    return bool(re.search(rf"(?<![\w.]){name}\s*(?:=(?![=>])|\?\?=)|\b(?:ref|out)\s+{name}\b", node.text))
