"""Binds the files of a repository: syntax trees and references in, what every name means out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.binding.body.binder import Binder, Rules
from codecortex.analysis.binding.body.place_resolver import PlaceResolver
from codecortex.analysis.binding.body.session import Session
from codecortex.analysis.binding.conversions.operands import Bare
from codecortex.analysis.binding.declarations.declare import add_using
from codecortex.analysis.binding.documentation.crefs import bind_crefs
from codecortex.analysis.binding.expressions import (
    assignments,
    calls,
    collections,
    creation,
    indexing,
    lambdas,
    literals,
    members,
    names,
    operators,
)
from codecortex.analysis.binding.expressions.finish import finish
from codecortex.analysis.binding.files.units import bind_unit
from codecortex.analysis.binding.patterns import patterns
from codecortex.analysis.binding.queries import queries
from codecortex.analysis.binding.statements import declarations, statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.analysis.binding.references.assemblies import References
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.syntax import Node, SyntaxTree

SPANS_SINCE = 14.0
"""The version of the language from which on it converts to spans itself."""


class SourceProject(NamedTuple):
    """A project whose sources are bound.

    Attributes:
        path: Its path.
        visible: The projects whose sources it sees, itself included.
        usings: The directives that hold in all its files, as syntax trees.
        version: The version of the language.
    """

    path: str
    visible: frozenset[str]
    usings: tuple[SyntaxTree, ...] = ()
    version: float = SPANS_SINCE


class PlacedBinding(NamedTuple):
    """A binding, and the offset at which it stands."""

    start: int
    binding: Binding


class FileBindings(NamedTuple):
    """What the names of a file mean.

    Attributes:
        bindings: By offset.
        truncated: Whether something was not bound since it nests too deep.
    """

    bindings: tuple[PlacedBinding, ...]
    truncated: bool


class Program:
    """The sources of several projects, bound file by file.

    All files are declared first; the nodes of a file's bodies are made when it is bound, and let go after.
    """

    def __init__(self, projects: Sequence[SourceProject], references: References) -> None:
        self._session = Session(references, {each.path: each.visible for each in projects})
        self._versions = {each.path: each.version for each in projects}
        for project in projects:
            everywhere = self._session.declarations.everywhere(project.path)
            for tree in project.usings:
                for node in tree.root.of_kind("using_directive"):
                    add_using(node, everywhere, everywhere)

    def declare(self, path: str, project: str, tree: SyntaxTree) -> DeclaredFile:
        """Declare the types of a file."""
        return self._session.declarations.declare(path, project, tree)

    def bind(self, file: DeclaredFile) -> FileBindings:
        """Bind a file; all files must be declared before."""
        binder = Binder(self._session, file, _RULES)
        conversions = self._session.conversions
        conversions.resolver = PlaceResolver(binder)
        conversions.types.spans = self._versions[file.project] >= SPANS_SINCE
        bind_unit(binder)
        bind_crefs(binder)
        for body in _list_opened(file.tree.root):
            body.close()
        placed = sorted((start, symbol, binding) for (start, symbol), binding in binder.bindings.items())
        return FileBindings(tuple(PlacedBinding(start, binding) for start, _, binding in placed), binder.truncated)


_BODIES = frozenset(("block", "arrow_expression_clause"))


def _list_opened(root: Node) -> Iterator[Node]:
    """The bodies of a file."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.kind in _BODIES:
            yield node
        else:
            todo += node.nodes


def _bind_rest(binder: Binder, node: Node) -> Expression:
    """Syntax without a rule: what can be bound in it."""
    for each in node.nodes:
        if each.kind.endswith("_statement") or each.kind == "block":
            binder.statement(each)
        elif each.kind not in ("modifier", "attribute_list"):
            binder.discard(each)
    return Bare.UNKNOWN


_RULES = Rules(
    expressions={
        **literals.RULES,
        **operators.RULES,
        **assignments.RULES,
        **calls.RULES,
        **creation.RULES,
        **collections.RULES,
        **indexing.RULES,
        **lambdas.RULES,
        **patterns.RULES,
        **queries.RULES,
    },
    names={**names.NAMES, **members.NAMES},
    statements={**statements.RULES, **declarations.RULES},
    fallback=_bind_rest,
    finish=finish,
    pattern=patterns.bind_pattern,
)
