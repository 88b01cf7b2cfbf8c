"""Binds as always, and keeps the types of what an edit asks for: locals, and one expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.binder import Binder
from codecortex.analysis.binding.conversions.operands import Lambda, Value
from codecortex.analysis.binding.types.symbols import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.binding.body.binder import Rules
    from codecortex.analysis.binding.body.frame import Local
    from codecortex.analysis.binding.body.session import Session
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node


class Watch:
    """What is kept while a file is bound.

    Attributes:
        span: The range of the expression that is asked for.
        values: What it was found to be: several where a lambda around it was tried with several types.
        locals: The types of locals by the offsets of their names; several as above.
        targets: What lambdas were converted to at last, by their offsets.
    """

    def __init__(self, span: tuple[int, int] = (-1, -1)) -> None:
        self.span = span
        self.values: list[Value | None] = []
        self.locals: dict[int, list[Type]] = {}
        self.targets: dict[int, Type] = {}

    def add_local(self, start: int, type_: Type) -> None:
        """Keep the type of a local, which is unknown until what surrounds it tells."""
        known = self.locals.setdefault(start, [])
        if known == [UNKNOWN]:
            known.clear()
        if type_ not in known:
            known.append(type_)


class WatchingBinder(Binder):
    """A binder that keeps types."""

    def __init__(
        self, session: Session, file: DeclaredFile, rules: Rules, around: Sequence[int] | None, watch: Watch
    ) -> None:
        super().__init__(session, file, rules, around)
        self._watch = watch

    def list_asked(self, node: Node) -> None:
        """What is watched may be anything in a body that is bound."""

    def declare_local(self, name: Node, local: Local) -> None:
        """Declare a local."""
        self._watch.add_local(name.start, local.type if local.certain else UNKNOWN)
        super().declare_local(name, local)

    def expression(self, node: Node | None, *, invoked: bool = False) -> Expression:
        """Bind an expression."""
        bound = super().expression(node, invoked=invoked)
        if node is not None and (node.start, node.end) == self._watch.span:
            self._watch.values.append(bound if isinstance(bound, Value) else None)
        return bound

    def finish(self, expression: Expression, target: Type) -> None:
        """Bind what waited for its target."""
        if isinstance(expression, Lambda):
            self._watch.targets[expression.node.start] = target
        super().finish(expression, target)
