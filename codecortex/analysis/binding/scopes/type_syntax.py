"""Binds the syntax of types: a node and a scope in, a type out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from codecortex.analysis.binding.scopes.scopes import FoundAlias, FoundNamespace, FoundType
from codecortex.analysis.binding.scopes.universe import UNKNOWN_NAMESPACE
from codecortex.analysis.binding.types.ancestors import ancestors_of
from codecortex.analysis.binding.types.ids import write_type
from codecortex.analysis.binding.types.inspect import is_opaque
from codecortex.analysis.binding.types.symbols import (
    DYNAMIC,
    FUNCTION,
    MODES,
    UNKNOWN,
    Array,
    Named,
    Parameter,
    Pointer,
    TypeParameter,
    bound_weight,
)
from codecortex.analysis.binding.types.wellknown import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from codecortex.analysis.binding.scopes.names import Names
    from codecortex.analysis.binding.scopes.scopes import Found, Scope, Using
    from codecortex.analysis.binding.scopes.universe import Universe
    from codecortex.analysis.binding.types.symbols import Type, TypeDefinition
    from codecortex.analysis.binding.types.wellknown import WellKnown
    from codecortex.model.code.syntax import Node

NAMES = frozenset(
    ("identifier", "generic_name", "qualified_name", "alias_qualified_name", "member_access_expression")
)  # fmt: skip
_QUALIFIED = frozenset(("qualified_name", "alias_qualified_name", "member_access_expression"))
_Taken = dict["Node", tuple["Node | None", "Sequence[Type]"]]
"""The parts of names that were bound already, with their type arguments."""

_ATTRIBUTE, _SUFFIX = "System.Attribute", "Attribute"


class Emit(Protocol):
    """Takes the type or the type parameter that a name was found to mean."""

    def __call__(self, name: Node, definition: TypeDefinition | TypeParameter, *, certain: bool) -> None:
        """Take it."""


def ignore(name: Node, definition: TypeDefinition | TypeParameter, *, certain: bool) -> None:
    """Take nothing."""
    del name, definition, certain


class TypeSyntax:
    """Binds names of types and namespaces, and what types are made of."""

    def __init__(self, universe: Universe, types: WellKnown) -> None:
        self._universe = universe
        self._types = types
        self.names: Names  # set once, by who makes both
        self._kinds: Mapping[str, Callable[[Node, Scope, Emit], Type]] = {
            **dict.fromkeys(NAMES, self._bind_name),
            "predefined_type": self._bind_keyword,
            "nullable_type": self._bind_nullable,
            "array_type": self._bind_array,
            "pointer_type": self._bind_pointer,
            "ref_type": self._bind_inner,
            "scoped_type": self._bind_inner,
            "tuple_type": self._bind_tuple,
            "function_pointer_type": self._bind_function_pointer,
        }

    def bind(self, node: Node | None, scope: Scope, emit: Emit = ignore) -> Type:
        """The type that a node names; the unknown of what is none."""
        kind = self._kinds.get(node.kind) if node is not None else None
        return kind(node, scope, emit) if kind is not None and node is not None else UNKNOWN

    def resolve(self, using: Using) -> Found | None:
        """What the target of a using directive means."""
        scope, target = using.scope.without_usings(), using.find()
        if target is None:
            return None
        return self.find(target, scope) if target.kind in NAMES else FoundAlias(self.bind(target, scope))

    # -- names

    def find(self, node: Node, scope: Scope, emit: Emit = ignore) -> FoundNamespace | FoundAlias | None:
        """What a name means that may be qualified: a namespace or a type with its arguments."""
        return self._find(node, scope, emit, {})

    def _find(self, node: Node, scope: Scope, emit: Emit, taken: _Taken) -> FoundNamespace | FoundAlias | None:
        if node.kind in _QUALIFIED:
            return self._find_qualified(node, scope, emit, taken)
        name, arguments = self._take(node, scope, emit, taken)
        if name is None:
            return None
        if node.kind == "identifier" and node.text == "global":
            return FoundNamespace("")
        return self.complete(self.names.find(scope, name.name, len(arguments)), name, arguments, emit)

    def split(self, node: Node, scope: Scope, emit: Emit = ignore) -> tuple[Node | None, Sequence[Type]]:
        """The identifier of a name, and its type arguments; those of `List<>` are unknown."""
        if node.kind != "generic_name":
            return (node if node.kind == "identifier" else None), ()
        written = node.first("type_argument_list")
        arguments = []
        for each in written.nodes if written is not None else ():
            arguments.append(self.bind(each, scope, emit))  # noqa: PERF401 - a frame less for each type within a type
        if not arguments:
            commas = sum(1 for child in written.children if child == ",") if written is not None else 0
            arguments = [UNKNOWN] * (commas + 1)
        return node.first("identifier"), arguments

    def _take(self, node: Node, scope: Scope, emit: Emit, taken: _Taken) -> tuple[Node | None, Sequence[Type]]:
        """The parts of a name, bound once: those of types within types would be bound twice as often at each level."""
        if node.kind != "generic_name":
            return self.split(node, scope, emit)
        if node not in taken:
            taken[node] = self.split(node, scope, emit)
        return taken[node]

    def complete(
        self, found: Found | None, name: Node, arguments: Sequence[Type], emit: Emit = ignore
    ) -> FoundNamespace | FoundAlias | None:
        """What was found with its type arguments; a type is emitted at its name."""
        if isinstance(found, FoundType):
            emit(name, found.definition, certain=found.certain)
            return FoundAlias(bound_weight(construct(found, arguments)))
        if isinstance(found, FoundAlias) and isinstance(found.type, Named):
            emit(name, found.type.definition, certain=True)
        elif isinstance(found, FoundAlias) and isinstance(found.type, TypeParameter):
            emit(name, found.type, certain=True)
        return found

    def _find_qualified(
        self, node: Node, scope: Scope, emit: Emit, taken: _Taken
    ) -> FoundNamespace | FoundAlias | None:
        first: Node | None = node
        after: list[Node] = []  # what stands behind dots, the last name first
        while first is not None and first.kind in _QUALIFIED:
            right = first.field("name")
            first = first.field("qualifier") or first.field("alias") or first.field("expression")
            if right is None:
                first = None
            elif first is not None:
                after.append(right)
        found = self._find(first, scope, emit, taken) if first is not None and first.kind in NAMES else None
        for each in reversed(after):
            name, arguments = self._take(each, scope, emit, taken)
            if name is None or found is None:
                found = None
            else:
                within = self.find_within(found, name.name, len(arguments), scope)
                found = self.complete(within, name, arguments, emit)
        return found

    def find_within(self, around: FoundNamespace | FoundAlias, name: str, arity: int, scope: Scope) -> Found | None:
        """What a name after a dot means."""
        self.names.asked.add_type(name, scope)
        if isinstance(around, FoundAlias):
            return self.names.find_nested(around.type, name, arity)
        definition, certain = self._universe.find(around.name, name, arity, scope, hidden=True)
        if definition is not None:
            return FoundType(definition, None, certain)
        full = f"{around.name}.{name}" if around.name else name
        return FoundNamespace(full) if not arity and self._universe.is_namespace(full, scope.project) else None

    # -- attributes

    def bind_attribute(self, node: Node, scope: Scope, emit: Emit) -> Type:
        """The class that an attribute names, with or without its suffix.

        Where namespaces around are unknown, a class that is not known to be an attribute may not be meant.
        """
        last = _last_name(node)
        verbatim = last.text.startswith("@")
        taken: _Taken = {}
        identifier, arguments = self._take(last, scope, emit, taken)
        if identifier is None:
            return UNKNOWN
        around = None
        if last is not node:
            qualifier = node.field("qualifier") or node.field("alias") or node.field("expression")
            around = self._find(qualifier, scope, emit, taken) if qualifier is not None else None
            if around is None:
                return UNKNOWN
        for name in (identifier.name,) if verbatim else (identifier.name + _SUFFIX, identifier.name):
            found = self._find_attribute(around, name, len(arguments), scope)
            if found is not None:
                sure = _is_attribute(_definition_of(found)) or not self.names.is_blind(scope)
                made = self.complete(found, identifier, arguments, _doubt(emit, certain=sure))
                return made.type if isinstance(made, FoundAlias) else UNKNOWN
        return self._bind_opaque(node, scope, taken)

    def _find_attribute(
        self, around: FoundNamespace | FoundAlias | None, name: str, arity: int, scope: Scope
    ) -> Found | None:
        if around is None:
            return self.names.find_attribute(scope, name, arity, _may_be_attribute)
        found = self.find_within(around, name, arity, scope)
        return found if found is not None and not isinstance(found, FoundNamespace) else None

    # -- kinds of types

    def _bind_name(self, node: Node, scope: Scope, emit: Emit) -> Type:
        taken: _Taken = {}
        found = self._find(node, scope, emit, taken)
        if isinstance(found, FoundAlias):
            return found.type
        text = node.text
        if text == "dynamic":
            return DYNAMIC
        if text in ("nint", "nuint"):
            return self._types.get(KEYWORDS[text])
        return self._bind_opaque(node, scope, taken) if node.kind != "member_access_expression" else UNKNOWN

    def _bind_opaque(self, node: Node, scope: Scope, taken: _Taken) -> Type:
        """A type that no source and no known assembly declares, by its name alone."""
        last = _last_name(node)
        identifier, arguments = self._take(last, scope, ignore, taken)
        if identifier is None or identifier.text in ("var", "_", ""):
            return UNKNOWN
        qualifier = node.field("qualifier") if last is not node else None
        alias = self.names.find_alias(scope, identifier.name) if last is node and not arguments else None
        target = alias.find() if alias is not None else None
        if alias is not None and target is not None and target.kind in NAMES:
            return self._bind_opaque(target, alias.scope.without_usings(), {})
        if qualifier is not None:
            namespace = self._write_unknown(qualifier, scope, taken)
        else:
            unknown = self.names.unknown_usings(scope)
            namespace = next(iter(unknown)) if len(unknown) == 1 else UNKNOWN_NAMESPACE
        definition = self._universe.opaque(identifier.name, len(arguments))
        return Named(definition, tuple(arguments), (namespace,))

    def _write_unknown(self, qualifier: Node, scope: Scope, taken: _Taken) -> str:
        """What stands in front of a name that nothing declares, as ids write it."""
        alias = self.names.find_alias(scope, qualifier.name) if qualifier.kind == "identifier" else None
        if alias is not None:
            return alias.written
        if "<" not in qualifier.text:
            return qualifier.text.replace("global::", "").replace(" ", "")
        return write_type(self._bind_opaque(qualifier, scope, taken))

    def _bind_keyword(self, node: Node, scope: Scope, emit: Emit) -> Type:
        del scope, emit
        return self._types.get(KEYWORDS.get(node.text, ""))

    def _bind_nullable(self, node: Node, scope: Scope, emit: Emit) -> Type:
        return self._types.nullable(self.bind(node.field("type"), scope, emit))

    def _bind_array(self, node: Node, scope: Scope, emit: Emit) -> Type:
        """`int[][,]`: the left-most specifier is the outermost."""
        ranks: list[int] = []
        inner: Node | None = node
        while inner is not None and inner.kind == "array_type":
            rank = inner.field("rank")
            ranks.append(1 + sum(1 for child in rank.children if child == ",") if rank is not None else 1)
            inner = inner.field("type")
        type_ = self.bind(inner, scope, emit)
        for each in ranks:
            type_ = Array(type_, each)
        return type_

    def _bind_pointer(self, node: Node, scope: Scope, emit: Emit) -> Type:
        return Pointer(self.bind(node.field("type"), scope, emit))

    def _bind_inner(self, node: Node, scope: Scope, emit: Emit) -> Type:
        return self.bind(node.field("type") or (node.nodes[-1] if node.nodes else None), scope, emit)

    def _bind_tuple(self, node: Node, scope: Scope, emit: Emit) -> Type:
        elements = node.of_kind("tuple_element")
        types = [self.bind(each.field("type"), scope, emit) for each in elements]
        names = [name.name if (name := each.field("name")) is not None else None for each in elements]
        return self._types.tuple(types, names)

    def _bind_function_pointer(self, node: Node, scope: Scope, emit: Emit) -> Type:
        written = node.of_kind("function_pointer_parameter")
        modes = [next((word for word in MODES if each.has(word)), "") for each in written]
        types = [self.bind(each.field("type"), scope, emit) for each in written]
        taken = [Parameter("", *each) for each in zip(types, modes, strict=True)]
        made = self._types.function_of(taken, self.bind(node.field("returns"), scope, emit))
        return Pointer(made, FUNCTION) if made is not UNKNOWN else UNKNOWN


def _last_name(node: Node) -> Node:
    """The part of a qualified name after its last dot."""
    name = node.field("name") if node.kind in _QUALIFIED else None
    return node if name is None else _last_name(name)


def last_identifier(node: Node | None) -> Node | None:
    """The identifier at the end of a name, before its type arguments."""
    if node is None or node.kind == "identifier":
        return node
    return last_identifier(node.first("identifier") if node.kind == "generic_name" else node.field("name"))


def construct(found: FoundType, arguments: Sequence[Type]) -> Named:
    """The type that a definition makes with the type arguments of its name."""
    definition = found.definition
    outer: tuple[Type, ...] = ()
    if definition.container is not None and definition.container.parameters:
        inside = found.inside
        outer = inside.arguments if isinstance(inside, Named) else definition.container.parameters
    full = (*outer, *arguments)
    return Named(definition, full if len(full) == len(definition.parameters) else definition.parameters)


def _definition_of(found: Found) -> TypeDefinition | None:
    if isinstance(found, FoundType):
        return found.definition
    return found.type.definition if isinstance(found, FoundAlias) and isinstance(found.type, Named) else None


def _is_attribute(definition: TypeDefinition | None) -> bool:
    """Whether a class is an attribute for sure; of bases that nothing known declares, the name tells."""
    if definition is None:
        return False
    lineage = (definition, *(each.definition for each in ancestors_of(definition).types))
    return any(each.id == _ATTRIBUTE or _has_attribute_base(each) for each in lineage)


def _has_attribute_base(definition: TypeDefinition) -> bool:
    base = definition.bases.base
    if not isinstance(base, Named) or not is_opaque(base):
        return False
    return base.definition.name.endswith(_SUFFIX) and definition.name.endswith(_SUFFIX)


def _may_be_attribute(definition: TypeDefinition) -> bool:
    return not ancestors_of(definition).classes_known or _is_attribute(definition)


def _doubt(emit: Emit, *, certain: bool) -> Emit:
    """What emits the last name of a type only as likely, where it is not certain."""

    def emit_doubtful(name: Node, definition: TypeDefinition | TypeParameter, *, certain: bool) -> None:
        del certain
        emit(name, definition, certain=False)

    return emit if certain else emit_doubtful
