"""A place of a local, a parameter or a type parameter in; all places of what is declared there out."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from codecortex.editing.refactoring.declarations import list_declared, measure, name_kind
from codecortex.model.code.bindings import BindingLabel, BindingRole
from codecortex.operations.bindings.kept import KeptBindings
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.pipeline import read_draft
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.parsing.syntax.read import read_syntax

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.binding.bind import PlacedBinding
    from codecortex.model.code.bindings import Binding
    from codecortex.model.code.syntax import Node, SyntaxTree
    from codecortex.operations.catalog.workspace import Workspace

_WORD = re.compile(rb"@?(\w+)")
_TYPE_PARAMETER = "type parameter"
_ELSEWHERE = "it is declared in another part of the type"
_TAGS = {"parameter": r"param|paramref", _TYPE_PARAMETER: r"typeparam|typeparamref"}
_CALLS = frozenset((BindingRole.CALL, BindingRole.CONSTRUCTOR, BindingRole.ATTRIBUTE, BindingRole.INDEXER))


class Span(NamedTuple):
    """A place of a name: its file, the range of its bytes, why it is doubtful if it is, whether it is documentation."""

    path: str
    start: int
    end: int
    why: str = ""
    is_text: bool = False


class Local(NamedTuple):
    """What has no documentation id.

    Attributes:
        name: Its name.
        kind: What it is, as `Binding.local` says.
        spans: Its places.
        taken: Where other names are declared in the declaration around it, by name.
        first: Where the declaration around it begins, in bytes.
        last: Where it ends.
    """

    name: str
    kind: str
    spans: Sequence[Span]
    taken: Mapping[str, int]
    first: int
    last: int


class DeclaredName(NamedTuple):
    """What a file declares at an offset: its name, and what it is, as `Binding.local` says."""

    path: str
    offset: int
    name: str
    kind: str


class LocalAt(NamedTuple):
    """What the name at a place means, and the bindings that say so."""

    binding: Binding
    kept: KeptBindings


def find_at(workspace: Workspace, path: str, source: bytes, offset: int) -> LocalAt | None:
    """What the name at an offset of a file means."""
    word = _WORD.match(source, offset)
    named = _list_naming(workspace, path, word[1].decode("utf-8", "replace")) if word is not None else set()
    with bind_deep():
        kept = KeptBindings(workspace, {path} | named)
        for _, file in kept.bind([(path, project) for project in kept.plan.files.get(path, ())]):
            for start, binding in file.bindings if file is not None else ():
                if binding.name and start <= offset < start + len(binding.name.encode()):
                    return LocalAt(binding, kept)
    return None


def find_local(workspace: Workspace, kept: KeptBindings, asked: DeclaredName) -> Local:
    """All places of what a file declares.

    Args:
        workspace: The tree.
        kept: What names mean in the file, and in those that may name it as an argument.
        asked: What is looked for.

    Raises:
        EditRefusedError: It is declared in several places.
    """
    path, declared, name, kind = asked
    spans: dict[tuple[str, int], Span] = {}
    taken: dict[str, int] = {}
    owner, extent = "", (0, 0)
    for bindings, tree in _read(workspace, kept, [path]):
        node = find_owner(tree.root, declared)
        _refuse_parts(path, node, kind, name)
        around = node if node is not None else tree.root
        extent = (around.start, around.end)
        for start, binding in bindings:
            if binding.local == kind and binding.declared == declared:
                spans[path, start] = Span(path, start, start + len(binding.name.encode()))
            elif binding.local and binding.role is BindingRole.DECLARATION:
                if around.start <= start < around.end:
                    taken.setdefault(binding.name.removeprefix("@"), start)
            elif binding.local == kind and binding.declared < 0 and binding.name.removeprefix("@") == name:
                spans.setdefault((path, start), Span(path, start, start + len(binding.name.encode()), _ELSEWHERE))
        for each in _list_constrained(tree.root, declared, name):
            spans.setdefault((path, each.start), Span(path, each.start, each.end))
        if node is None or not _owns(node, declared):
            continue
        owner = owner or _find_symbol(node, {start: each for start, each in bindings if each.name})
        for start, end in _list_documented(tree, node, name, kind):
            spans.setdefault((path, start), Span(path, start, end, is_text=True))
    if owner and kind == "parameter":
        for span in _list_named(workspace, kept, {path} | _list_naming(workspace, path, name), name, owner):
            spans.setdefault((span.path, span.start), span)
    return Local(name, kind, [spans[key] for key in sorted(spans)], taken, *extent)


def _read(
    workspace: Workspace, kept: KeptBindings, paths: Iterable[str]
) -> Iterator[tuple[Sequence[PlacedBinding], SyntaxTree]]:
    """What the names of files mean, and their syntax, as each project has them."""
    keys = [(path, project) for path in paths for project in kept.plan.files.get(path, ())]
    symbols = {each.path: each.symbols for each in kept.plan.projects}
    drafts = {path: read_draft(workspace, path) for path, _ in keys}
    with bind_deep():
        for (path, project), file in kept.bind(keys):
            if file is not None:
                yield file.bindings, read_syntax(drafts[path].shown.encode(), symbols[project])


def find_owner(root: Node, declared: int) -> Node | None:
    """The declaration of a type or a member around a place."""
    best: Node | None = None
    todo = [root]
    while todo:
        node = todo.pop()
        if not node.start <= declared < node.end:
            continue
        node.open()
        if name_kind(node):
            best = node
        todo += node.nodes
    return best


def _list_constrained(root: Node, declared: int, name: str) -> Iterator[Node]:
    """Where constraints name the type parameter that is declared at a place."""
    todo = [root]
    while todo:
        node = todo.pop()
        if not node.start <= declared < node.end:
            continue
        node.open()
        todo += node.nodes
        if any(each.start <= declared < each.end for each in node.of_kind("type_parameter_list")):
            for clause in node.of_kind("type_parameter_constraints_clause"):
                clause.open()
                yield from (each for each in clause.of_kind("identifier") if each.name == name)


def _owns(node: Node, declared: int) -> bool:
    """Whether a place is in the lists of parameters of a declaration, and not in a lambda or a local function."""
    lists = node.of_kind("parameter_list", "bracketed_parameter_list", "type_parameter_list")
    return any(each.start <= declared < each.end for each in lists)


def _refuse_parts(path: str, node: Node | None, kind: str, name: str) -> None:
    """Refuse what another part declares too."""
    if node is None or kind not in _TAGS:
        return
    if any(each.text == "partial" for each in node.of_kind("modifier")):
        raise EditRefusedError(f"{path}: {name} belongs to a declaration of several parts.", "Rename it by hand.")


def _find_symbol(node: Node | None, bound: Mapping[int, Binding]) -> str:
    """The documentation id of a declaration."""
    name = node.field("name") if node is not None else None
    binding = bound.get(name.start) if name is not None else None
    return binding.symbol if binding is not None else ""


# -- documentation


def _list_documented(tree: SyntaxTree, node: Node | None, name: str, kind: str) -> Iterator[tuple[int, int]]:
    """The places of a parameter's name in the documentation of its declaration, and of all below it."""
    tags = _TAGS.get(kind)
    if tags is None or node is None:
        return
    pattern = re.compile(rf"<(?:{tags})\s+name\s*=\s*[\"']({re.escape(name)})[\"']".encode())
    source = tree.source
    below = [node, *(each for each in list_declared(tree.root) if node.start < each.start < node.end)]
    for each in below if kind == _TYPE_PARAMETER else [node]:
        extent = measure(each, source)
        for match in pattern.finditer(source, extent.first, each.start):
            yield match.span(1)


# -- named arguments


def _list_naming(workspace: Workspace, path: str, name: str) -> set[str]:
    """The files that may name a parameter in an argument list."""
    sources = SourceSearch(workspace)
    paths, _ = sources.find([name], ())
    pattern = re.compile(rf"(?<!\w){re.escape(name)}\s*:(?!:)".encode())
    return {each.entry.path for each in sources.read(sorted(paths - {path})) if pattern.search(each.data or b"")}


def _list_named(
    workspace: Workspace, kept: KeptBindings, paths: Iterable[str], name: str, owner: str
) -> Iterator[Span]:
    """Arguments that name the parameter of a member."""
    for path in sorted(paths):
        for bindings, tree in _read(workspace, kept, [path]):
            calls = [(start, each) for start, each in bindings if each.role in _CALLS]
            starts = [start for start, _ in calls]
            for argument in _list_arguments(tree.root, name):
                written = argument.field("name")
                call = argument.parent.parent if argument.parent is not None else None
                if written is None or call is None or argument.parent is None:
                    continue
                last = bisect_right(starts, argument.parent.start) - 1
                callee = calls[last][1] if last >= 0 and starts[last] >= call.start else None
                if callee is not None and callee.label is BindingLabel.EXACT and callee.symbol:
                    if owner == callee.symbol:
                        yield Span(path, written.start, written.end)
                    elif owner.startswith("T:") and callee.symbol.startswith(f"M:{owner[2:]}.#ctor"):
                        yield Span(path, written.start, written.end, "another constructor may be meant")
                elif _may_call(call, argument.parent, owner):
                    yield Span(path, written.start, written.end, "nothing tells what is called")


def _may_call(call: Node, arguments: Node, owner: str) -> bool:
    """Whether what is written before arguments may name a member."""
    head, _, name = owner.partition("(")[0].partition("`")[0].rpartition(".")
    if name == "#ctor":
        name = head.rpartition(".")[2]
    written = call.source[call.start : arguments.start].decode("utf-8", "replace")
    return name in written or written.strip() in ("new", ": this", ": base", "this", "base")


def _list_arguments(root: Node, name: str) -> Iterator[Node]:
    todo = [root]
    while todo:
        node = todo.pop()
        node.open()
        if node.kind in ("argument", "attribute_argument"):
            written = node.field("name")
            if written is not None and written.name == name:
                yield node
        todo += node.nodes
