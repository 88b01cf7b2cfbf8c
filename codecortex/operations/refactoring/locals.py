"""A place of a local, a parameter or a type parameter in; all places of what is declared there out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.heads import TYPES, find_named
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.editing.refactoring.declarations import list_declared, name_kind, name_names
from codecortex.model.code.bindings import BindingLabel, BindingRole
from codecortex.model.code.syntax import resolve_escapes
from codecortex.model.errors import SymbolNotFoundError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.kept import KeptBindings
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.queries.resolve import find_shared, read_query
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.refactoring.pipeline import read_draft
from codecortex.parsing.syntax.read import read_syntax

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.bindings import Binding, PlacedBinding
    from codecortex.model.code.syntax import Node, SyntaxTree
    from codecortex.operations.catalog.workspace import Workspace

_WORD = compile_later(rb"@?(\w+)")
_ELSEWHERE = "it is declared in another part of the type"
_LISTS = ("parameter_list", "bracketed_parameter_list", "type_parameter_list")
_ITEMS = ("parameter", "type_parameter")
_DECONSTRUCT = "Deconstruct"
_COMMA = compile_later(r",(?![^{\[(]*[}\])])")
"""Between parameters, not between type arguments."""
_NAMING = frozenset((BindingRole.READ, BindingRole.WRITE, BindingRole.CALL, BindingRole.TYPE))
"""How a name is used that stands for what is declared, not for one that is told in some other way."""


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
    kept = KeptBindings(workspace, {path} | named)
    binding = find_binding(kept, path, offset)
    return LocalAt(binding, kept) if binding is not None else None


def find_binding(kept: KeptBindings, path: str, offset: int) -> Binding | None:
    """The binding of the name at an offset of a file."""
    with bind_deep():
        for _, file in kept.bind([(path, project) for project in kept.plan.files.get(path, ())]):
            for start, binding in file.bindings if file is not None else ():
                if binding.name and start <= offset < start + len(binding.name.encode()):
                    return binding
    return None


def find_local(workspace: Workspace, kept: KeptBindings, asked: DeclaredName) -> Local:
    """All places of what a file declares.

    Args:
        workspace: The tree.
        kept: What names mean in the file, and in those that may name it as an argument.
        asked: What is looked for.
    """
    path, declared, name, kind = asked
    parts = [asked]
    taken: dict[str, int] = {}
    owner, extent = _Called(), (0, 0)
    for bindings, tree in _read(workspace, kept, [path]):
        node = find_owner(tree.root, declared)
        around = node if node is not None else tree.root
        extent = (around.start, around.end)
        for start, binding in bindings:
            is_inside = binding.role is BindingRole.DECLARATION and around.start <= start < around.end
            if binding.local and binding.declared != declared and is_inside:
                taken.setdefault(binding.name.removeprefix("@"), start)
        place = _find_parameter(node, declared)
        if node is not None and place is not None:
            symbol = _find_symbol(node, {start: each for start, each in bindings if each.name})
            named, is_delegate = node.field("name"), node.kind == "delegate_declaration"
            if place[0] == _LISTS[-1]:
                taken |= _list_beside(node)
            called = symbol
            if symbol.startswith("T:") and named is not None and not is_delegate:
                called = _find_primary(kept, symbol, path, named.start)
            owner = _Called(called, is_delegate)
            parts += _list_parts(workspace, kept, asked, _Part(symbol, *place)) if symbol and _is_partial(node) else []
    spans: dict[tuple[str, int], Span] = {}
    for part in dict.fromkeys(parts):
        _add_part(workspace, kept, part, spans)
    if owner != _Called() and kind == "parameter":
        for span in _list_named(workspace, kept, {path} | _list_naming(workspace, path, name), name, owner):
            spans.setdefault((span.path, span.start), span)
    return Local(name, kind, [spans[key] for key in sorted(spans)], taken, *extent)


def _add_part(workspace: Workspace, kept: KeptBindings, part: DeclaredName, spans: dict[tuple[str, int], Span]) -> None:
    """Add the places of a name in one declaration that declares it, those in documentation included."""
    path, declared, name, kind = part
    for bindings, tree in _read(workspace, kept, [path]):
        node = find_owner(tree.root, declared)
        for start, binding in bindings:
            if binding.local != kind:
                continue
            if binding.declared == declared:
                is_text = binding.role is BindingRole.DOCUMENTATION
                spans[path, start] = Span(path, start, start + len(binding.name.encode()), is_text=is_text)
            elif binding.declared < 0 and binding.role in _NAMING and binding.name.removeprefix("@") == name:
                is_inside = node is not None and node.start <= start < node.end
                why = "" if is_inside else _ELSEWHERE  # a part names what the first one declares
                spans.setdefault((path, start), Span(path, start, start + len(binding.name.encode()), why))


def _list_beside(node: Node) -> dict[str, int]:
    """What no type parameter of a declaration can be called: as the declaration, or as a member of the type."""
    body = node.field("body") if node.kind in TYPES else None
    every = [node, *(body.nodes if body is not None else ())]
    return {name: each.start for each in reversed(every) for name in name_names(_open(each))}


# -- declarations of several parts


class _Part(NamedTuple):
    """A parameter by what declares it: the documentation id, the kind of list that it is in, its number there."""

    owner: str
    list_kind: str
    number: int


def _is_partial(node: Node) -> bool:
    return any(each.text == "partial" for each in node.of_kind("modifier"))


def _find_parameter(node: Node | None, declared: int) -> tuple[str, int] | None:
    """The list of a declaration that a place is in, and the number of the parameter; None in a lambda or elsewhere."""
    for each in node.of_kind(*_LISTS) if node is not None else ():
        if each.start <= declared < each.end:
            each.open()
            return each.kind, sum(one.end <= declared for one in each.of_kind(*_ITEMS))
    return None


def _list_parts(workspace: Workspace, kept: KeptBindings, asked: DeclaredName, part: _Part) -> Iterator[DeclaredName]:
    """The same parameter in every part of its declaration, as far as it has the same name there."""
    hit = find_shared(workspace, read_query(part.owner))[0]
    for path in hit.entry.files if hit.entry is not None else ():
        for bindings, tree in _read(workspace, kept, [path]):
            bound = {start: each for start, each in bindings if each.name}
            for node in list_declared(tree.root):
                node.open()
                items = [item for each in node.of_kind(part.list_kind) for item in _open(each).of_kind(*_ITEMS)]
                if part.number >= len(items) or _find_symbol(node, bound) != part.owner:
                    continue
                name = _open(items[part.number]).field("name") or items[part.number].first("identifier")
                if name is not None and name.name == asked.name:
                    yield asked._replace(path=path, offset=name.start)


def find_parameter(workspace: Workspace, kept: KeptBindings, owner: str, name: str) -> DeclaredName | None:
    """Where a member or a delegate declares a parameter, by its documentation id; None if no source does."""
    for path in _list_declaring(workspace, owner):
        for bindings, tree in _read(workspace, kept, [path]):
            bound = {start: each for start, each in bindings if each.name}
            for node in list_declared(tree.root):
                symbol = _find_symbol(_open(node), bound)
                made = tuple(f"M:{symbol[2:]}.{each}(" for each in ("#ctor", _DECONSTRUCT)) if symbol else ()
                if symbol != owner and not owner.startswith(made):
                    continue
                for each in node.of_kind(*_LISTS[:2]):
                    found = find_named(map(_open, _open(each).of_kind("parameter")), name)
                    if found is not None:
                        return DeclaredName(path, found.start, name, "parameter")
    return None


def _list_declaring(workspace: Workspace, owner: str) -> Sequence[str]:
    """The files that declare a member; of what takes a record apart, those of the record."""
    try:
        hit = find_shared(workspace, read_query(owner))[0]
    except SymbolNotFoundError:
        type_, apart, _ = owner.removeprefix("M:").partition(f".{_DECONSTRUCT}(")
        if not apart:
            raise
        hit = find_shared(workspace, read_query(f"T:{type_}"))[0]
    return hit.entry.files if hit.entry is not None else ()


def _open(node: Node) -> Node:
    node.open()
    return node


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


def _find_symbol(node: Node | None, bound: Mapping[int, Binding]) -> str:
    """The documentation id of a declaration."""
    name, listed = (node.field("name"), node.field("parameters")) if node is not None else (None, None)
    if name is not None:
        binding = bound.get(name.start)
        return binding.symbol if binding is not None else ""
    if node is None or listed is None:
        return ""
    inside = (each for start, each in bound.items() if node.start <= start < listed.start)
    return next((each.symbol for each in inside if each.role is BindingRole.DECLARATION and each.symbol), "")


# -- named arguments


class _Called(NamedTuple):
    """What a parameter belongs to.

    Attributes:
        symbol: The documentation id of the member or the delegate.
        is_delegate: Whether it is a delegate.
    """

    symbol: str = ""
    is_delegate: bool = False

    @property
    def symbols(self) -> Sequence[str]:
        """The same, and of a constructor that of the method which takes a record apart into its parameters."""
        type_, made, parameters = self.symbol.partition(".#ctor(")
        if not made:
            return (self.symbol,) if self.symbol else ()
        apart = _COMMA.sub("@,", parameters.removesuffix(")"))
        return self.symbol, f"{type_}.{_DECONSTRUCT}({apart}@)"


def _find_primary(kept: KeptBindings, type_: str, path: str, name: int) -> str:
    """The documentation id of the primary constructor that a type declares where its name stands."""
    with bind_deep():
        for definition in kept.sources.program.find_types(type_.removeprefix("T:")):
            files = {part.node.source: part.scope.file for part in definition.parts}
            for member in definition.members(".ctor"):
                node = member.node
                if node is not None and node.start == name and files.get(node.source) == path:
                    return id_of_symbol(member)
    return type_


def _list_naming(workspace: Workspace, path: str, name: str) -> set[str]:
    """The files that may name a parameter in an argument list."""
    sources = SourceSearch(workspace)
    paths, _ = sources.find([name], ())
    pattern = re.compile(rf"(?<!\w){re.escape(name)}\s*:(?!:)".encode())
    return {each.entry.path for each in sources.read(sorted(paths - {path})) if pattern.search(each.data or b"")}


def _list_named(
    workspace: Workspace, kept: KeptBindings, paths: Iterable[str], name: str, owner: _Called
) -> Iterator[Span]:
    """Arguments that name the parameter of what is called."""
    for path in sorted(paths):
        for bindings, tree in _read(workspace, kept, [path]):
            named = {start: each for start, each in bindings if each.role is BindingRole.ARGUMENT}
            for start, each in named.items():
                same = resolve_escapes(each.name.removeprefix("@")) == name
                if same and each.label is BindingLabel.EXACT and each.owner in owner.symbols:
                    yield Span(path, start, start + len(each.name.encode()))
            for argument in _list_arguments(tree.root, name):
                written = argument.field("name")
                call = argument.parent.parent if argument.parent is not None else None
                if written is None or call is None or argument.parent is None:
                    continue
                binding = named.get(written.start)
                if binding is not None and binding.label is BindingLabel.EXACT:
                    continue
                if owner.is_delegate:
                    yield Span(path, written.start, written.end, "another delegate may be called")
                elif owner.symbol and _may_call(call, argument.parent, owner.symbol):
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
