"""Binds `cref`s: names of types and of their own members, from the declaration that the comment belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.members import ASSIGNING, BINARY, UNARY
from codecortex.analysis.binding.lookup.members import OVERLOADED
from codecortex.analysis.binding.scopes.scopes import (
    FoundAlias,
    FoundNamespace,
    FoundType,
    NamespaceScope,
    ParameterScope,
    TypeScope,
)
from codecortex.analysis.binding.scopes.type_syntax import construct
from codecortex.analysis.binding.types.substitution import substitute, substitution_of
from codecortex.analysis.binding.types.symbols import DYNAMIC, UNKNOWN, Member, MemberKind, Named, TypeParameter
from codecortex.model.code.bindings import BindingRole
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.documentation.anchors import Anchor
    from codecortex.analysis.binding.scopes.scopes import Found, Scope
    from codecortex.analysis.binding.types.symbols import Substitution, Type, TypeDefinition
    from codecortex.model.code.syntax import Cref, CrefSegment, Node

_TYPE_PARAMETER = "type parameter"
_NAMELESS = {MemberKind.OPERATOR: BindingRole.OPERATOR, MemberKind.INDEXER: BindingRole.INDEXER}
_CALLED = OVERLOADED | {MemberKind.DESTRUCTOR}
_OVERLOADS = "a group of overloads is named"
_NO_OVERLOAD = "no overload has these parameters"
_MODE = compile_later(rb"\b(ref\s+readonly|ref|out|in)\s+$")
_MODES = {b"ref": "ref", b"out": "out", b"in": "in"}
_BEFORE = 30  # how far before a type such words may begin
_OPERATOR, _STEPS = "operator ", ("++", "--")
_FINALIZER = "Finalize"  # as a destructor is called, too
_CONVERTING = {"implicit": "Implicit", "explicit": "Explicit"}
_DECLARED_INDEX = 10_000  # no declaration has as many type parameters as this


def bind_cref(binder: Binder, cref: Cref, anchor: Anchor) -> None:
    """The names of one reference, at the place that is bound."""
    _Reference(binder, cref, anchor).bind()


class _Choice(NamedTuple):
    """A member that a reference may mean, with the type arguments of its type."""

    member: Member
    given: Substitution


class _Reference:
    """One reference."""

    def __init__(self, binder: Binder, cref: Cref, anchor: Anchor) -> None:
        self._binder = binder
        self._cref = cref
        self._anchor = anchor
        self._source = binder.file.tree.root.source
        self._declared: list[TypeParameter] = []
        self._last = len(cref.segments) - 1
        self._called = False

    def bind(self) -> None:
        """Bind the names from left to right."""
        first = self._cref.segments[0]
        if self._last == 0 and not self._cref.rooted and self._bind_in_types_around(first):
            return
        if self._cref.rooted:
            current: Named | str | None = ""
            rest = self._cref.segments
        else:
            current = self._bind_first(first)
            rest = self._cref.segments[1:]
        for position, segment in enumerate(rest, len(self._cref.segments) - len(rest)):
            if current is not None:
                current = self._bind_next(current, segment, last=position == self._last)
        if not self._called:
            self._bind_parameters()  # which mean something, whatever the member

    def _bind_in_types_around(self, segment: CrefSegment) -> bool:
        """A member of a type around, by its name alone."""
        definition = self._anchor.inside
        while definition is not None:
            choices = self._find_members(definition.this, segment)
            if choices:
                self._choose(segment, choices)
                return True
            if any(each.arity == len(segment.arguments) for each in definition.nested(segment.name)):
                return False
            if self._is_own_constructor(definition, segment):
                self._choose(segment, self._list_choices(definition.this, ".ctor"))
                return True
            own = (definition.name, definition.arity) == (segment.name, len(segment.arguments))
            if own and self._cref.parameters is not None:
                return False
            definition = definition.container
        return False

    def _is_own_constructor(self, definition: TypeDefinition, segment: CrefSegment) -> bool:
        """Whether a name with parameters is that of the generic type itself, and no other type is called so."""
        called = self._cref.parameters is not None and not segment.arguments and definition is self._anchor.inside
        if not called or not definition.arity or definition.name != segment.name:
            return False
        return not isinstance(self._find_type(segment), FoundType)

    def _bind_first(self, segment: CrefSegment) -> Named | str | None:
        found = self._find_type(segment)
        if isinstance(found, FoundNamespace):
            return found.name
        if isinstance(found, FoundAlias):
            type_ = found.type
            if isinstance(type_, Named):
                self._emit(segment, type_.definition)
                return type_
            return None
        if found is None and self._last == 0:
            self._choose(segment, self._list_imported(segment))
        return self._take_type(segment, found, last=self._last == 0) if found is not None else None

    def _list_imported(self, segment: CrefSegment) -> list[_Choice]:
        """The members of a name that the nearest directives around import by `using static`."""
        names = self._binder.session.names
        for directives in self._list_directives():
            found = [one for type_ in names.static_types(directives) for one in self._find_members(type_, segment)]
            imported = [each for each in found if each.member.is_static]
            if imported:
                return imported
        return []

    def _is_imported(self, type_: TypeDefinition) -> bool:
        """Whether a directive around imports what is within a type by `using static`."""
        imported = (each for one in self._list_directives() for each in self._binder.session.names.static_types(one))
        return any(each.definition is type_ for each in imported)

    def _list_directives(self) -> Iterator[NamespaceScope]:
        """The scopes around that hold directives, the nearest first."""
        level: NamespaceScope | None = self._anchor.scope.namespace_scope()
        while level is not None:
            yield from level.directives()
            level = level.around

    def _find_type(self, segment: CrefSegment) -> Found | None:
        """What the first name means; nested types that are only inherited are not seen."""
        scope: Scope | None = self._anchor.scope
        while scope is not None:
            found = self._binder.session.names.find(scope, segment.name, len(segment.arguments))
            if not isinstance(found, FoundType) or found.definition.container is None:
                return found
            if any(each is found.definition.container for each in _definitions_around(scope)):
                return found
            if isinstance(scope, NamespaceScope) and self._is_imported(found.definition.container):
                return found
            scope = scope.parent
        return None

    def _bind_next(self, current: Named | str, segment: CrefSegment, *, last: bool) -> Named | str | None:
        if isinstance(current, str):
            around = FoundNamespace(current)
            arity = len(segment.arguments)
            found = self._binder.session.syntax.find_within(around, segment.name, arity, self._anchor.scope)
            if isinstance(found, FoundNamespace):
                return found.name
            return self._take_type(segment, found, last=last) if isinstance(found, FoundType) else None
        if last:
            choices = self._find_members(current, segment)
            if choices:
                self._choose(segment, choices)
                return None
        nested = self._binder.session.names.find_nested(current, segment.name, len(segment.arguments))
        if nested is not None:
            return self._take_type(segment, nested, last=last)
        if last and segment.name == current.definition.name:
            self._choose(segment, self._list_choices(current, ".ctor"))
            return None
        return None

    def _take_type(self, segment: CrefSegment, found: FoundType, *, last: bool) -> Named | None:
        """A type that a name means; with parameters after the last name, one of its constructors."""
        arguments = self._bind_arguments(segment)
        type_ = construct(found, arguments)
        if last and self._cref.parameters is not None:
            self._choose(segment, self._list_choices(type_, ".ctor"), arguments)
            return None
        self._emit(segment, found.definition, "" if found.certain else _OVERLOADS)
        return type_

    # -- members

    def _find_members(self, type_: Named, segment: CrefSegment) -> list[_Choice]:
        """The members of a name that a type itself declares: nothing inherited is seen."""
        arity, called = len(segment.arguments), self._cref.parameters is not None
        found = [choice for name in _names_of(segment.name) for choice in self._list_choices(type_, name)]
        if arity:
            found = [each for each in found if len(each.member.type_parameters) == arity]
        if not called:
            return found
        methods = [each for each in found if each.member.kind in _CALLED]
        return methods or [each for each in found if each.member.kind is MemberKind.PROPERTY]

    def _list_choices(self, type_: Named, name: str) -> list[_Choice]:
        self._binder.session.asked.add_member(type_.definition, name)
        given = substitution_of(type_)
        members = type_.definition.members(name)
        return [
            _Choice(each, given) for each in members if each.kind is not MemberKind.CONSTRUCTOR or not each.is_static
        ]

    def _choose(
        self, segment: CrefSegment, choices: Sequence[_Choice], arguments: Sequence[Type] | None = None
    ) -> None:
        """Keep the member that the parameters choose, given the type arguments of its name if they are bound."""
        if not choices:
            return
        if arguments is None:
            arguments = self._bind_arguments(segment)
        if segment.returns is not None:
            made = self._bind_type(segment.returns)
            choices = [each for each in choices if substitute(each.member.type, each.given) == made]
        if self._cref.parameters is None:
            plain = choices
            if not segment.arguments:
                plain = [each for each in choices if not each.member.type_parameters] or choices
            for each in plain[:1]:
                self._emit(segment, each.member, "" if len(plain) == 1 else _OVERLOADS)
            return
        wanted, modes = self._bind_parameters(), self._read_modes()
        any_value = self._binder.session.types.object
        wanted = [any_value if each is DYNAMIC else each for each in wanted]
        fit = [each for each in choices if len(each.member.parameters) == len(wanted)]
        fit.sort(key=lambda each: bool(each.member.type_parameters) and not segment.arguments)  # the plain ones first
        for member, given in fit:
            all_given = given | dict(zip(member.type_parameters, arguments, strict=False))
            types = [substitute(each.type, all_given) for each in member.parameters]
            same = modes == [each.mode for each in member.parameters]
            types = [any_value if each is DYNAMIC else each for each in types]
            if types == wanted and same and UNKNOWN not in types:
                self._emit(segment, member)
                return
        if fit:
            self._emit(segment, fit[0].member, _NO_OVERLOAD)

    def _bind_arguments(self, segment: CrefSegment) -> list[Type]:
        """The type arguments of a name: a plain name among them declares a type parameter, the last one of a name."""
        arguments: list[Type] = []
        declaring = {node.name: node for node in segment.arguments}
        for node in segment.arguments:
            if node.kind == "identifier":
                made = TypeParameter(node.name, _DECLARED_INDEX + len(self._declared), of_method=False)
                made.node = declaring[node.name]
                self._declared.append(made)
                at = made.node.start
                self._binder.emit_local_at(node.start, node.text, at, _TYPE_PARAMETER, BindingRole.CREF)
                arguments.append(made)
            else:
                arguments.append(self._bind_type(node))
        return arguments

    def _bind_parameters(self) -> list[Type]:
        self._called = True
        return [self._bind_type(node) if node is not None else UNKNOWN for node in self._cref.parameters or ()]

    def _read_modes(self) -> list[str]:
        """How the parameters are passed, by the words before their types."""
        source = self._binder.file.tree.source
        modes = []
        for node in self._cref.parameters or ():
            found = _MODE.search(source, max(node.start - _BEFORE, 0), node.start) if node is not None else None
            modes.append(_MODES.get(found[1], "in") if found is not None else "")
        return modes

    def _bind_type(self, node: Node) -> Type:
        return self._binder.session.syntax.bind(
            node, ParameterScope(self._declared, self._anchor.scope), self._emit_type
        )

    # -- what was found

    def _emit_type(self, name: Node, definition: TypeDefinition | TypeParameter, *, certain: bool) -> None:
        if isinstance(definition, TypeParameter):
            node = definition.node
            is_here = node is not None and (node.source is self._source or definition in self._declared)
            at = node.start if node is not None and is_here else -1
            self._binder.emit_local_at(name.start, name.text, at, _TYPE_PARAMETER, BindingRole.CREF)
        else:
            self._binder.emit_used(name.start, name.text, definition, BindingRole.CREF, "" if certain else _OVERLOADS)

    def _emit(self, segment: CrefSegment, symbol: Member | TypeDefinition, doubt: str = "") -> None:
        role = _NAMELESS.get(symbol.kind) if isinstance(symbol, Member) else None
        if role is not None and isinstance(symbol, Member) and not segment.name.startswith("op_"):
            self._binder.emit_implied(segment.start, symbol, role, doubt)
            return
        self._binder.emit_used(segment.start, segment.name, symbol, BindingRole.CREF, doubt)


def _definitions_around(scope: Scope | None) -> Iterator[TypeDefinition]:
    while scope is not None:
        if isinstance(scope, TypeScope):
            yield scope.definition
        scope = scope.parent


def _names_of(written: str) -> Sequence[str]:
    """The names under which a member is declared that a reference calls so."""
    converting, _, _ = written.partition(" operator")
    checked = "Checked" if "operator checked" in written else ""
    if converting in _CONVERTING:
        return (f"op_{checked}{_CONVERTING[converting]}",)
    if not written.startswith(_OPERATOR):
        return (written, "~") if written == _FINALIZER else (written,)
    sign = written.rpartition(" ")[2]
    names = [kinds[sign] for kinds in (BINARY, UNARY) if sign in kinds]
    changed = sign if sign in _STEPS or sign in BINARY else sign.removesuffix("=")
    names += [ASSIGNING[changed]] if sign in _STEPS or changed != sign else []
    return tuple(f"op_{checked}{name}" for name in names)
