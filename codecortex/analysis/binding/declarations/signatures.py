"""Reads parameters and type parameters from their syntax."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.heads import type_parameter_list
from codecortex.analysis.binding.scopes.scopes import ParameterScope
from codecortex.analysis.binding.types.substitution import substitute
from codecortex.analysis.binding.types.symbols import BY_REFERENCE, UNKNOWN, Parameter, TypeParameter
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.analysis.binding.scopes.type_syntax import TypeSyntax
    from codecortex.analysis.binding.types.symbols import Substitution, Type
    from codecortex.model.code.syntax import Node

_OPTIONAL = compile_later(r"[\[,.\s]Optional(?:Attribute)?(?:\(\s*\))?\s*[\],]")
_ALLOWS = compile_later(r"allows[\s_]+ref[\s_]+struct")
_WORDS = ("class", "struct", "notnull", "unmanaged")


def read_parameters(syntax: TypeSyntax, parameters: Node | None, scope: Scope) -> tuple[Parameter, ...]:
    """The parameters of a list."""
    if parameters is None:
        return ()
    return tuple(read_parameter(syntax, each, scope) for each in parameters.of_kind("parameter"))


def read_parameter(syntax: TypeSyntax, parameter: Node, scope: Scope) -> Parameter:
    """One parameter."""
    words = parameter.modifiers() | {word for word in ("params",) if parameter.has(word)}
    typed, name = parameter.field("type"), parameter.field("name")
    mode = next((word for word in ("out", "in", "ref") if word in words), "")
    if mode == "ref" and "readonly" in words:
        mode = "in"
    if typed is not None and typed.kind == "ref_type":
        mode = "ref"
    return Parameter(
        *(name.name if name is not None else "", syntax.bind(typed, scope) if typed is not None else UNKNOWN, mode),
        optional=default_of(parameter) is not None or parameter.has("=") or _is_marked_optional(parameter),
        is_params="params" in words,
        is_this="this" in words,
    )


def _is_marked_optional(parameter: Node) -> bool:
    return any(_OPTIONAL.search(each.text) for each in parameter.of_kind("attribute_list"))


def default_of(parameter: Node) -> Node | None:
    """The default value of a parameter."""
    if not parameter.has("="):
        return None
    others = parameter.without(parameter.field("type"), parameter.field("name"))
    values = [each for each in others if each.kind not in ("modifier", "attribute_list")]
    return values[-1] if values else None


def make_type_parameters(
    syntax: TypeSyntax, parts: Sequence[tuple[Node, Scope]], first: int, *, of_method: bool
) -> tuple[TypeParameter, ...]:
    """The type parameters of a declaration, the first of which has an index; the constraints of any part count."""
    made = []
    for index, node in enumerate(type_parameter_list(parts[0][0]), first):
        name = node.field("name")
        variance = next((word for word in ("in", "out") if node.has(word)), "")
        written = name.name if name is not None else ""
        parameter = TypeParameter(written, index, of_method=of_method, variance=variance)
        parameter.node = name
        made.append(parameter)
    for node, scope in parts:
        _constrain(syntax, made, node, ParameterScope(made, scope))
    return tuple(made)


def copy_type_parameters(parameters: Sequence[TypeParameter]) -> tuple[tuple[TypeParameter, ...], Substitution]:
    """Type parameters of a method that stand for others, in their order; and those by which to replace the others."""
    made = tuple(TypeParameter(each.name, index, of_method=True) for index, each in enumerate(parameters))
    given: Substitution = dict(zip(parameters, made, strict=True))
    for own, other in zip(made, parameters, strict=True):
        own.node = other.node
        own.inherit(lambda other=other: (other.flags, [substitute(each, given) for each in other.constraints]))  # type: ignore[misc]
    return made, given


def _constrain(syntax: TypeSyntax, parameters: Iterable[TypeParameter], node: Node, scope: Scope) -> None:
    by_name = {each.name: each for each in parameters}
    if by_name and not all(_name_of(each) in by_name for each in type_parameter_list(node)):
        own = [_name_of(each) for each in type_parameter_list(node)]  # a part may call them otherwise
        by_name = dict(zip(own, parameters, strict=False))
    for clause in node.of_kind("type_parameter_constraints_clause"):
        name = clause.first("identifier")
        parameter = by_name.get(name.name) if name is not None else None
        if parameter is None:
            continue
        types = []
        for constraint in clause.of_kind("type_parameter_constraint"):
            typed = constraint.field("type")
            if typed is None:
                parameter.flags.update(word for word in _WORDS if constraint.has(word))
                parameter.flags.update(("new",) if constraint.first("constructor_constraint") else ())
            elif _ALLOWS.fullmatch(typed.text):
                parameter.flags.add(BY_REFERENCE)
            elif typed.text == "default":
                parameter.flags.add(typed.text)
            else:
                types.append(typed)
        if types:
            parameter.constrain(partial(_bind_all, syntax, types, scope))


def _name_of(parameter: Node) -> str:
    name = parameter.field("name")
    return name.name if name is not None else ""


def _bind_all(syntax: TypeSyntax, types: Iterable[Node], scope: Scope) -> Sequence[Type]:
    return [syntax.bind(each, scope) for each in types]
