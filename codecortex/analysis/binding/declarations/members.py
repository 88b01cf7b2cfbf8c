"""Reads the members that the body of a type declares."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Protocol

from codecortex.analysis.binding.declarations.heads import read_access
from codecortex.analysis.binding.declarations.signatures import make_type_parameters, read_parameters
from codecortex.analysis.binding.scopes.scopes import ParameterScope
from codecortex.analysis.binding.types.shapes import inherit_constraint
from codecortex.analysis.binding.types.symbols import Member, MemberKind, Parameter, Pointer, Signature, TypeKind
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.analysis.binding.scopes.type_syntax import TypeSyntax
    from codecortex.analysis.binding.types.symbols import TypeDefinition, TypeParameter
    from codecortex.analysis.binding.types.wellknown import WellKnown
    from codecortex.model.code.syntax import Node

_PRIORITY = compile_later(r"\bOverloadResolutionPriority(?:Attribute)?\s*\(\s*(-?\d+)")
_INDEXER = compile_later(r"\bIndexerName(?:Attribute)?\s*\(")
_GIVEN_NAME = compile_later(r'"(\w+)"\s*\)|nameof\s*\(\s*(?:\w+\s*\.\s*)*(\w+)\s*\)\s*\)')
BINARY = {
    "+": "Addition",
    "-": "Subtraction",
    "*": "Multiply",
    "/": "Division",
    "%": "Modulus",
    "&": "BitwiseAnd",
    "|": "BitwiseOr",
    "^": "ExclusiveOr",
    "<<": "LeftShift",
    ">>": "RightShift",
    ">>>": "UnsignedRightShift",
    "==": "Equality",
    "!=": "Inequality",
    "<": "LessThan",
    ">": "GreaterThan",
    "<=": "LessThanOrEqual",
    ">=": "GreaterThanOrEqual",
}
"""The names of binary operators, after `op_`."""
UNARY = {
    "+": "UnaryPlus",
    "-": "UnaryNegation",
    "!": "LogicalNot",
    "~": "OnesComplement",
    "++": "Increment",
    "--": "Decrement",
    "true": "True",
    "false": "False",
}
"""The names of unary operators, after `op_`."""
ASSIGNING = {sign: f"{name}Assignment" for sign, name in {**UNARY, **BINARY, "*": "Multiplication"}.items()}
"""The names of operators that change their operand in place, after `op_`; by the sign, without its `=`."""

CALLS = ("Invoke", "BeginInvoke", "EndInvoke")
"""The members of a delegate."""
_RESULT = "System.IAsyncResult"
_OVERLOADED = (MemberKind.METHOD, MemberKind.CONSTRUCTOR, MemberKind.INDEXER, MemberKind.OPERATOR)


class Add(Protocol):
    """Takes a member and the declaration that it was read from."""

    def __call__(self, member: Member, node: Node | None, scope: Scope, *, again: bool = False) -> None:
        """Take it; `again` for another declaration of a member that was taken."""


class MemberReader:
    """Reads the members of one type."""

    def __init__(self, owner: TypeDefinition, syntax: TypeSyntax, add: Add) -> None:
        self._owner = owner
        self._syntax = syntax
        self._add = add
        self._default = "public" if owner.kind in (TypeKind.INTERFACE, TypeKind.ENUM) else "private"
        self._partial: dict[tuple[str, int, tuple[str, ...]], Member] = {}
        self._readers: Mapping[str, Callable[[Node, Scope], None]] = {
            "field_declaration": self._read_fields,
            "event_field_declaration": self._read_fields,
            "method_declaration": self._read_method,
            "constructor_declaration": self._read_constructor,
            "destructor_declaration": self._read_destructor,
            "property_declaration": self._read_value,
            "event_declaration": self._read_value,
            "indexer_declaration": self._read_indexer,
            "operator_declaration": self._read_operator,
            "conversion_operator_declaration": self._read_conversion,
            "enum_member_declaration": self._read_enum_member,
        }

    def read(self, node: Node, scope: Scope) -> None:
        """Read one declaration in the body of the type."""
        if node.kind == "ERROR":
            for each in node.nodes:
                self.read(each, scope)
            return
        reader = self._readers.get(node.kind)
        if reader is not None:
            reader(node, scope)

    def read_delegate(self, node: Node, scope: Scope, types: WellKnown) -> None:
        """Read what a delegate is called by: at once, or in two steps."""
        make = self._signature(node, scope)

        def begin() -> Signature:
            callback, state = types.get("System.AsyncCallback"), types.object
            added = (Parameter("callback", callback), Parameter("object", state))
            return Signature((*make().parameters, *added), types.get(_RESULT))

        def end() -> Signature:
            made = make()
            given = (each for each in made.parameters if each.mode)
            return Signature((*given, Parameter("result", types.get(_RESULT))), made.returns)

        for name, signature in zip(CALLS, (make, begin, end), strict=True):
            self._add(Member(name, MemberKind.METHOD, self._owner, signature), None, scope)

    def _signature(self, node: Node, scope: Scope, own: Sequence[TypeParameter] = ()) -> Callable[[], Signature]:
        def make() -> Signature:
            with ExitStack() as stack:
                for each in own:
                    stack.enter_context(each.within_signature())
                taken = read_parameters(self._syntax, node.field("parameters"), scope)
                return Signature(taken, self._syntax.bind(node.field("returns") or node.field("type"), scope))

        return make

    def _member(
        self, node: Node, kind: MemberKind, name: str, scope: Scope, own: Sequence[TypeParameter] = ()
    ) -> Member:
        member = Member(name, kind, self._owner, self._signature(node, scope, own))
        modifiers = node.modifiers()
        member.modifiers = frozenset(modifiers)
        member.access = read_access(modifiers) or self._default
        member.is_static = "static" in modifiers or "const" in modifiers
        member.node = node.field("name") or node
        explicit = node.first("explicit_interface_specifier")
        if explicit is not None:
            member.name = explicit.text + name
        ranked = kind in _OVERLOADED or (kind is MemberKind.PROPERTY and self._owner.kind is TypeKind.EXTENSION)
        for attributes in node.of_kind("attribute_list") if ranked else ():
            priority = _PRIORITY.search(attributes.text)
            member.priority = int(priority[1]) if priority is not None else member.priority
        return member

    def _read_fields(self, node: Node, scope: Scope) -> None:
        declared = node.first("variable_declaration")
        kind = MemberKind.FIELD if node.kind == "field_declaration" else MemberKind.EVENT
        for variable in declared.of_kind("variable_declarator") if declared is not None else ():
            name = variable.field("name")
            if name is not None and declared is not None:
                member = self._member(node, kind, name.name, scope)
                is_buffer = "fixed" in member.modifiers
                make = partial(self._value, declared.field("type"), scope, is_buffer=is_buffer)
                made = Member(name.name, kind, self._owner, make)
                made.modifiers, made.access, made.is_static = member.modifiers, member.access, member.is_static
                made.node = name
                if "const" in made.modifiers:
                    made.value = variable.nodes[-1].text
                self._add(made, variable, scope)

    def _value(self, typed: Node | None, scope: Scope, *, is_buffer: bool = False) -> Signature:
        type_ = self._syntax.bind(typed, scope)
        return Signature((), Pointer(type_) if is_buffer else type_)

    def _read_method(self, node: Node, scope: Scope) -> None:
        name = node.field("name")
        if name is None:
            return
        own = make_type_parameters(self._syntax, [(node, scope)], 0, of_method=True)
        inner = ParameterScope(own, scope) if own else scope
        member = self._member(node, MemberKind.METHOD, name.name, inner, own)
        member.type_parameters = own
        if "override" in member.modifiers or "." in member.name:
            for place, parameter in enumerate(own):
                parameter.inherit(partial(inherit_constraint, member, place))
        listed = node.field("parameters")
        first = listed.first("parameter") if listed is not None else None
        member.is_extension = first is not None and "this" in first.modifiers()
        if "partial" in member.modifiers:
            key = (member.name, len(own), _written_types(listed))
            known = self._partial.setdefault(key, member)
            if known is not member:
                self._add(known, node, inner, again=True)
                return
        self._add(member, node, inner)

    def _read_constructor(self, node: Node, scope: Scope) -> None:
        member = self._member(node, MemberKind.CONSTRUCTOR, ".ctor", scope)
        if member.is_static:
            member.name = ".cctor"
        key = (member.name, 0, _written_types(node.field("parameters")))
        known = self._partial.setdefault(key, member) if "partial" in member.modifiers else member
        self._add(known, node, scope, again=known is not member)

    def _read_destructor(self, node: Node, scope: Scope) -> None:
        member = self._member(node, MemberKind.DESTRUCTOR, "~", scope)
        member.access = "protected"
        self._add(member, node, scope)

    def _read_value(self, node: Node, scope: Scope) -> None:
        name = node.field("name")
        kind = MemberKind.PROPERTY if node.kind == "property_declaration" else MemberKind.EVENT
        if name is not None:
            member = self._member(node, kind, name.name, scope)
            known = self._partial.setdefault((member.name, -1, ()), member) if "partial" in member.modifiers else member
            self._add(known, node, scope, again=known is not member)

    def _read_indexer(self, node: Node, scope: Scope) -> None:
        member = self._member(node, MemberKind.INDEXER, "this[]", scope)
        member.metadata_name = _read_indexer_name(node)
        key = (member.name, 0, _written_types(node.field("parameters")))
        known = self._partial.setdefault(key, member) if "partial" in member.modifiers else member
        self._add(known, node, scope, again=known is not member)

    def _read_operator(self, node: Node, scope: Scope) -> None:
        operator, listed = node.field("operator"), node.field("parameters")
        sign = operator.text if operator is not None else ""
        count = len(listed.of_kind("parameter")) if listed is not None else 0
        if "static" not in node.modifiers():
            name = ASSIGNING.get(sign, sign)
        else:
            name = (UNARY if count == 1 and sign in UNARY else BINARY).get(sign) or UNARY.get(sign, sign)
        checked = "Checked" if node.has("checked") else ""
        member = self._member(node, MemberKind.OPERATOR, f"op_{checked}{name}", scope)
        member.node = operator or node
        self._add(member, node, scope)

    def _read_conversion(self, node: Node, scope: Scope) -> None:
        kind = "op_Implicit" if node.has("implicit") else "op_CheckedExplicit" if node.has("checked") else "op_Explicit"
        self._add(self._member(node, MemberKind.OPERATOR, kind, scope), node, scope)

    def _read_enum_member(self, node: Node, scope: Scope) -> None:
        name = node.field("name")
        if name is not None:
            member = Member(name.name, MemberKind.FIELD, self._owner, lambda: Signature((), self._owner.this))
            member.is_static, member.node = True, name
            member.modifiers = frozenset(("const",))
            self._add(member, node, scope)


def _read_indexer_name(node: Node) -> str | None:
    """The name that an attribute gives an indexer; empty where it is computed, None without one."""
    for attributes in node.of_kind("attribute_list"):
        found = _INDEXER.search(attributes.text)
        if found is not None:
            given = _GIVEN_NAME.match(attributes.text[found.end() :].lstrip())
            return "" if given is None else given[1] or given[2]
    return None


def _written_types(parameters: Node | None) -> tuple[str, ...]:
    listed = parameters.of_kind("parameter") if parameters is not None else ()
    return tuple(typed.text if (typed := each.field("type")) is not None else "" for each in listed)
