"""A source in; where it writes a part of a namespace's name, as a part of longer names, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from codecortex.model.code.syntax import Node

_BEFORE = compile_later(rb"([^\W\d]\w*)\s*\.\s*\Z")
_FAR = 400
_NAMESPACES = frozenset(("namespace_declaration", "file_scoped_namespace_declaration"))
_NAMES = frozenset(("identifier", "qualified_name", "alias_qualified_name"))


def read_before(source: bytes, start: int) -> bytes:
    """What stands close before a name, without a comment at the end of a line before."""
    before = source[max(start - _FAR, 0) : start]
    code = before.rstrip()
    end = start - len(before) + len(code)
    line = source[source.rfind(b"\n", 0, end) + 1 : end]
    return before[len(code) :] if b"\n" in before[len(code) :] and b"//" in line else before


def find_qualifier(source: bytes, start: int, parts: Sequence[str], target: int) -> tuple[int, int] | None:
    """Where a name that is qualified writes one part of its namespace's name.

    Args:
        source: The text.
        start: Where the name begins.
        parts: The parts of the namespace that declares it.
        target: Which of them is looked for.

    Returns:
        None where the name is not qualified as far, or begins with an alias.
    """
    for number in range(len(parts) - 1, target - 1, -1):
        before = read_before(source, start)
        found = _BEFORE.search(before)
        if found is None or found[1].decode("utf-8", "replace") != parts[number]:
            return None
        start += found.start(1) - len(before)
    return start, start + len(parts[target].encode())


def list_declared(root: Node, namespace: str) -> Iterator[Node]:
    """The last part of a namespace's name in its declarations, and in those of namespaces below it."""
    parts = namespace.split(".")
    todo: list[tuple[Node, tuple[str, ...]]] = [(root, ())]
    while todo:
        node, around = todo.pop()
        for each in node.nodes:
            if each.kind in _NAMESPACES:
                names = _list_parts(each.field("name"))
                full = (*around, *(name.name for name in names))
                if list(full[: len(parts)]) == parts and len(around) < len(parts):
                    yield names[len(parts) - len(around) - 1]
                todo.append((each, full))
            elif each.kind == "declaration_list":
                todo.append((each, around))


def list_imported(root: Node, namespace: str, known: Collection[str]) -> Iterator[Node]:
    """The last part of a namespace's name in using directives.

    Args:
        root: The compilation unit.
        namespace: The namespace.
        known: The namespaces that there are: in a namespace, a directive may leave out parts of the names around.
    """
    parts = namespace.split(".")
    todo: list[tuple[Node, tuple[str, ...]]] = [(root, ())]
    while todo:
        node, around = todo.pop()
        for each in node.nodes:
            if each.kind == "using_directive":
                names = _list_parts(_find_imported(each))
                written = [name.name for name in names]
                is_global = bool(names) and b"::" in each.source[each.start : names[0].start]
                for depth in (0,) if is_global else range(len(around), -1, -1):
                    full = [*around[:depth], *written]
                    if depth == 0 or ".".join(full[: depth + 1]) in known:
                        if full[: len(parts)] == parts and depth < len(parts):
                            yield names[len(parts) - depth - 1]
                        break
            elif each.kind in _NAMESPACES:
                todo.append((each, (*around, *(name.name for name in _list_parts(each.field("name"))))))
            elif each.kind == "declaration_list":
                todo.append((each, around))


def _find_imported(directive: Node) -> Node | None:
    """What a directive names, without its alias."""
    alias = directive.field("name")
    rest = directive.without(alias)
    return rest[-1] if rest else alias


def _list_parts(name: Node | None) -> list[Node]:
    """The identifiers of a name that may be qualified; those of type arguments are none."""
    if name is None or name.kind not in _NAMES:
        return []
    if name.kind == "identifier":
        return [name]
    return [part for each in name.nodes for part in _list_parts(each) if part.text != "global"]
