"""Binds the bodies of one file: dispatches syntax to the rules, and keeps what they find."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.frame import Frame, Local, Locals
from codecortex.analysis.binding.body.roles import role_of, role_of_value
from codecortex.analysis.binding.conversions.operands import Bare, Value, is_certain
from codecortex.analysis.binding.declarations.heads import find_named
from codecortex.analysis.binding.lookup.accessibility import Place
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.analysis.binding.types.symbols import UNKNOWN, Member, TypeKind, TypeParameter
from codecortex.model.code.bindings import Binding, BindingLabel, BindingRole
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from codecortex.analysis.binding.body.session import Session
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.analysis.binding.types.symbols import Type, TypeDefinition
    from codecortex.model.code.syntax import DocumentedName, Node

    LambdasAround = tuple[tuple[Node, tuple[Type, ...]], ...]

MOST_DEPTH = 1000
"""How deep expressions and statements may nest; what lies deeper is not bound."""

_RECEIVERS = {
    "member_access_expression": "expression",
    "element_access_expression": "expression",
    "invocation_expression": "function",
    "conditional_access_expression": "condition",
}
Key = tuple[int, str]
"""Where a binding stands: an offset, and the symbol of one that no name stands for."""


class Rules(NamedTuple):
    """The rules of the language, by kinds of syntax.

    Attributes:
        expressions: How an expression is bound.
        names: How a name is bound, that may be invoked.
        statements: How a statement is bound.
        fallback: How syntax without a rule of its own is bound.
        finish: How an expression that waited is bound for its target.
        pattern: How a pattern, or an expression in its place, is bound; gives the narrowed type.
    """

    expressions: Mapping[str, Callable[[Binder, Node], Expression]]
    names: Mapping[str, Callable[[Binder, Node, bool], Expression]]
    statements: Mapping[str, Callable[[Binder, Node], None]]
    fallback: Callable[[Binder, Node], Expression]
    finish: Callable[[Binder, Expression, Type], None]
    pattern: Callable[[Binder, Node | None, Value], Type]


class _Within:
    """A while at another place."""

    __slots__ = ("_before", "_binder", "_frame")

    def __init__(self, binder: Binder, frame: Frame) -> None:
        self._binder = binder
        self._before = binder.frame
        self._frame = frame

    def __enter__(self) -> Frame:
        self._binder.frame = self._frame
        return self._frame

    def __exit__(self, *problem: object) -> None:
        self._binder.frame = self._before


class Binder:
    """Binds the bodies of one file.

    Attributes:
        session: What all files are bound with.
        file: The file.
        rules: The rules.
        frame: The place at which names are bound.
        bindings: What was found.
        errors: How many errors there are, as far as types are known.
        unknowns: How many names could not be bound.
        meanings: What names that are no locals were found to mean, by place, name and use.
        fixed: The values of conditions and of what is switched on that are constant, by extent; None if not known, and
            for labels of `switch` that are types.
        bodies: The bodies of lambdas of one member that were bound, by lambda, types and the lambdas around.
        bodies_within: How many of them were bound within each lambda that lies in no other.
        lambdas: The lambdas around, and the types of their parameters.
        opened: The bodies that were opened.
        truncated: Whether something was not bound since it nests too deep.
        unsure: Whether it is not certain which type what is bound now is given to.
        skipped: The extents of what was not bound, since nothing in it was asked for.
    """

    def __init__(self, session: Session, file: DeclaredFile, rules: Rules, around: Sequence[int] | None = None) -> None:
        self.session = session
        self.file = file
        self.rules = rules
        self._place = Place(None, file.project, session.universe.list_shown(file.project))
        self.frame = Frame(file.scope, None, Locals())
        self.bindings: dict[Key, Binding] = {}
        self.errors = 0
        self.unknowns = 0
        self.meanings: dict[object, object] = {}
        self.fixed: dict[tuple[int, int], bool | None] = {}
        self.bodies: dict[object, object] = {}
        self.bodies_within: Counter[Node] = Counter()
        self.lambdas: LambdasAround = ()
        self.opened: list[Node] = []
        self.truncated = False
        self.unsure = False
        self.skipped: set[tuple[int, int]] = set()
        self._around = around
        self._depth = 0

    # -- the place

    @property
    def place(self) -> Place:
        """Where accessibility is judged from."""
        if self._place.inside is not self.frame.inside:
            self._place = self._place._replace(inside=self.frame.inside)
        return self._place

    def within(self, frame: Frame) -> _Within:
        """Bind at another place for a while."""
        return _Within(self, frame)

    def block(self) -> Frame:
        """The same place, with locals of its own."""
        return self.frame.within()

    def declare(self, name: Node | None, type_: Type, *, certain: bool = True, discards: bool = True) -> None:
        """Declare a local; `_` is one only where a declaration discards nothing."""
        if name is not None and not (discards and name.text == "_"):
            self.declare_local(name, Local(type_, certain, node=name))

    def declare_local(self, name: Node, local: Local) -> None:
        """Declare a local, a parameter or a local function, and keep that its name declares it."""
        self.frame.locals.declare(name.name, local)
        self.emit_place(name, local.node, local.kind, BindingRole.DECLARATION)

    def is_asked(self, node: Node) -> bool:
        """Whether a type, a member, a list of attributes or of bases or a body holds anything that is asked for.

        What stands outside of it means the same whether it is bound or not.
        """
        return self.is_asked_within(node.start, node.end)

    def is_asked_within(self, start: int, end: int) -> bool:
        """The same of an extent."""
        if self._around is None:
            return True
        at = bisect_left(self._around, start)
        if at < len(self._around) and self._around[at] < end:
            return True
        self.skip(start, end)
        return False

    def list_asked(self, node: Node) -> Sequence[int] | None:
        """Where in a node stands what is asked for, in order; None if all of it is."""
        if self._around is None:
            return None
        return self._around[bisect_left(self._around, node.start) : bisect_left(self._around, node.end)]

    def skip(self, start: int, end: int) -> None:
        """Keep that an extent is not bound, since nothing in it is asked for."""
        self.skipped.add((start, end))

    # -- dispatch

    def expression(self, node: Node | None, *, invoked: bool = False) -> Expression:
        """Bind an expression."""
        if node is None:
            return Bare.UNKNOWN
        if self._depth >= MOST_DEPTH:
            self.truncated = True
            self.unknowns += 1
            return Bare.UNKNOWN
        self._depth += 1
        try:
            rule = self.rules.expressions.get(node.kind)
            named = self.rules.names.get(node.kind) if rule is None else None
            if rule is not None:
                bound = rule(self, node)
            else:
                bound = named(self, node, invoked) if named is not None else self.rules.fallback(self, node)
            if bound.__class__ is Value and bound.chained and not _continues(node):
                return Value(self.session.types.nullable(bound.type), bound.certain)
            return bound
        finally:
            self._depth -= 1

    def statement(self, node: Node | None) -> None:
        """Bind a statement."""
        if node is None:
            return
        if self._depth >= MOST_DEPTH:
            self.truncated = True
            return
        self._depth += 1
        try:
            rule = self.rules.statements.get(node.kind)
            if rule is not None:
                rule(self, node)
            else:
                self.finish(self.expression(node), UNKNOWN)
        finally:
            self._depth -= 1

    def finish(self, expression: Expression, target: Type) -> None:
        """Bind what waited for its target."""
        if not isinstance(expression, (Value, Bare)):
            self.rules.finish(self, expression, target)

    def discard(self, node: Node | None) -> None:
        """Bind an expression whose value is not looked at."""
        if node is not None:
            self.finish(self.expression(node), UNKNOWN)

    def value(self, expression: Expression) -> Value:
        """The value of an expression that stands alone."""
        if isinstance(expression, Value):
            return expression
        type_ = self.session.conversions.natural(expression)
        self.finish(expression, type_)
        return Value(type_, certain=type_ is not UNKNOWN and is_certain(expression))

    def pattern(self, node: Node | None, value: Value) -> Type:
        """Bind a pattern, or an expression in its place, against a value; the type that it narrows to."""
        return self.rules.pattern(self, node, value)

    # -- types

    def type(self, node: Node | None, scope: Scope | None = None) -> Type:
        """Bind the syntax of a type."""
        return self.session.syntax.bind(node, scope or self.frame.scope, self.emit_type)

    # -- what was found

    def fix(self, node: Node, expression: Expression) -> None:
        """Keep that a condition, or what is switched on, is a constant."""
        constant = expression.constant if isinstance(expression, Value) else None
        if constant is not None:
            self.fixed[node.start, node.end] = constant if isinstance(constant, bool) else None

    def emit_type(self, name: Node, definition: TypeDefinition | TypeParameter, *, certain: bool) -> None:
        """Keep the type that a name means."""
        if isinstance(definition, TypeParameter):
            self.emit_place(name, definition.node, "type parameter", BindingRole.TYPE)
        else:
            self.emit(name, definition, "" if certain else "another type of this name may be meant")

    def emit_local(self, name: Node, local: Local) -> None:
        """Keep the local that a name means."""
        role = role_of_value(name) if local.function is None else role_of(name, local.function)
        self.emit_place(name, local.node, local.kind, role)

    def emit_place(self, name: Node, declared: Node | None, kind: str, role: BindingRole) -> None:
        """Keep what has no documentation id, by the place where it is declared."""
        at = declared.start if declared is not None and declared.source is name.source else -1
        self.emit_local_at(name.start, name.text, at, kind, role)

    def emit_local_at(self, start: int, name: str, declared: int, kind: str, role: BindingRole) -> None:
        """Keep what has no documentation id, by the offset at which the file declares it; -1 if it does not."""
        self.bindings[start, ""] = Binding(name, "", BindingLabel.EXACT, role, local=kind, declared=declared)

    def emit_documented(self, name: DocumentedName, declared: Node | None, kind: str) -> None:
        """Keep the parameter or the type parameter that documentation names."""
        is_here = declared is not None and declared.source is self.file.tree.root.source
        at = declared.start if declared is not None and is_here else -1
        self.emit_local_at(name.start, name.name, at, kind, BindingRole.DOCUMENTATION)

    def emit(self, name: Node, symbol: Member | TypeDefinition, doubt: str = "") -> None:
        """Keep what a name means; a doubt makes it likely only."""
        self.emit_used(name.start, name.text, symbol, role_of(name, symbol), doubt)

    def emit_used(
        self, start: int, name: str, symbol: Member | TypeDefinition, role: BindingRole, doubt: str = ""
    ) -> None:
        """Keep what a name means at an offset."""
        written = id_of_symbol(symbol)
        if written:
            label = BindingLabel.LIKELY if doubt else BindingLabel.EXACT
            self.bindings[start, ""] = Binding(name, written, label, role, doubt, _project_of(symbol))

    def emit_declaration(self, name: Node, symbol: Member | TypeDefinition) -> None:
        """Keep what a name declares."""
        self.emit_used(name.start, name.text, symbol, BindingRole.DECLARATION)

    def emit_argument(self, name: Node, owner: Member | TypeDefinition | None, doubt: str = "") -> None:
        """Keep which parameter an argument is for, by the member or the delegate whose it is."""
        if isinstance(owner, Member) and owner.owner is not None and owner.owner.kind is TypeKind.DELEGATE:
            owner = owner.owner  # `Invoke` is not written anywhere
        known = BindingLabel.LIKELY if doubt else BindingLabel.EXACT
        label = known if owner is not None else BindingLabel.NAME
        declared = _find_parameter(owner, name) if isinstance(owner, Member) and owner.owner is None else -1
        told = id_of_symbol(owner) if owner is not None else ""
        project = _project_of(owner) if owner is not None else None
        made = Binding(name.text, "", label, BindingRole.ARGUMENT, doubt, project, "parameter", declared, told)
        self.bindings[name.start, ""] = made

    def emit_text(self, name: Node, symbol: str, role: BindingRole, doubt: str = "") -> None:
        """Keep a symbol that no definition stands for, such as an element of a tuple."""
        label = BindingLabel.LIKELY if doubt else BindingLabel.EXACT
        self.bindings[name.start, ""] = Binding(name.text, symbol, label, role, doubt)

    def emit_implied(self, start: int, member: Member | None, role: BindingRole, doubt: str = "") -> None:
        """Keep a member that is used where no name of it stands."""
        written = id_of_symbol(member) if member is not None else ""
        if written:
            label = BindingLabel.LIKELY if doubt else BindingLabel.EXACT
            project = _project_of(member) if member is not None else None
            self.bindings[start, written] = Binding("", written, label, role, doubt, project)

    def emit_unknown(self, name: Node, why: str) -> None:
        """Keep that a name could not be bound."""
        self.unknowns += 1
        self.bindings[name.start, ""] = Binding(name.text, "", BindingLabel.NAME, BindingRole.READ, why)


def _project_of(symbol: Member | TypeDefinition) -> str | None:
    """The project that declares a symbol."""
    owner = (symbol.container or symbol.owner) if isinstance(symbol, Member) else symbol
    return owner.project if owner is not None else None


def _find_parameter(function: Member, written: Node) -> int:
    """Where a local function declares a parameter; -1 if it does not."""
    node = function.node.parent if function.node is not None else None
    listed = node.field("parameters") if node is not None else None
    declared = find_named(listed.of_kind("parameter"), written.name) if listed is not None else None
    return declared.start if declared is not None else -1


def _continues(node: Node) -> bool:
    """Whether a chain of accesses goes on after a node."""
    parent = node.parent
    if parent is None:
        return False
    if parent.kind == "postfix_unary_expression":
        return parent.has("!")
    field = _RECEIVERS.get(parent.kind)
    return field is not None and parent.field(field) is node
