"""The declarations that documentation comments stand before."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.heads import TYPES, leave
from codecortex.analysis.binding.scopes.scopes import TypeScope
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.analysis.binding.types.symbols import TypeDefinition
    from codecortex.model.code.syntax import Node


class Anchor(NamedTuple):
    """A declaration that a comment may stand before.

    Attributes:
        start: Where it begins.
        scope: Where names in the comment are looked up: of a type, within it.
        inside: The type in which that is.
        node: The declaration; None of a member that waits to be made, and behind the last declaration.
        body: The body in which the member waits.
    """

    start: int
    scope: Scope
    inside: TypeDefinition | None
    node: Node | None = None
    body: Node | None = None

    def find_node(self) -> Node | None:
        """The declaration, made now if it waits."""
        if self.node is not None or self.body is None:
            return self.node
        made = self.body.pick(lambda start, _end: start == self.start)
        return next((each for each in made if each.start == self.start), None)


class Anchors:
    """The declarations of one file that comments may stand before."""

    def __init__(self, binder: Binder) -> None:
        listed = _list_anchors(binder, binder.file.tree.root.nodes, binder.file.scope)
        self._anchors = sorted(listed, key=lambda each: each.start)
        self._starts = [each.start for each in self._anchors]
        self._last = Anchor(0, binder.file.scopes[min(1, len(binder.file.scopes) - 1)], None)

    def find(self, start: int) -> Anchor:
        """The first declaration that begins at an offset or behind it."""
        at = bisect_left(self._starts, start)
        return self._anchors[at] if at < len(self._anchors) else self._last


def _list_anchors(binder: Binder, nodes: Iterable[Node], scope: Scope) -> Iterator[Anchor]:
    for node in nodes:
        declared, namespace = binder.file.types.get(node), binder.file.namespaces.get(node)
        body = node.field("body")
        if declared is not None:
            yield Anchor(node.start, declared.scope, declared.scope.definition, node)
            yield from _list_anchors(binder, body.pick(leave) if body is not None else (), declared.scope)
            for start, _ in body.waiting if body is not None else ():
                yield Anchor(start, declared.scope, declared.scope.definition, body=body)
        elif namespace is not None:
            yield from _list_anchors(binder, body.nodes if body is not None else node.nodes, namespace)
            scope = namespace if body is None else scope
        elif node.kind.endswith("_declaration") and isinstance(scope, TypeScope):
            yield Anchor(node.start, scope, scope.definition, node)
        elif node.kind in ("ERROR", "declaration_list") or node.kind in TYPES:
            yield from _list_anchors(binder, node.nodes, scope)
