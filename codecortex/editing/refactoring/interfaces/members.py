"""The declaration of a type in; its members as an interface declares them, or why one cannot be in it, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import find_body, measure, name_kind, name_names
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.syntax import Node

_KINDS = ("method", "property", "indexer", "event")
_ACCESS = frozenset(("public", "protected", "internal", "private", "file"))
EXPLICIT = "implements an interface explicitly"
"""Why a member cannot be in an interface beside which the type may have another one of its name."""
_INHERITED = compile_later(rb"<inheritdoc\b")
_CONDITIONAL = compile_later(r"(?:\w+\.)*Conditional(?:Attribute)?\b")


class Piece(NamedTuple):
    """A part of what an interface says: a text, or a range of the source that is copied."""

    text: str = ""
    start: int = -1
    end: int = -1


class InterfaceMember(NamedTuple):
    """A member as an interface declares it.

    Attributes:
        node: The member of the type.
        name: Its name; `this[]` of an indexer.
        pieces: What the interface says, its documentation first; one line feed and the indentation of the source
            stand between lines.
        documentation: Where the documentation that comes along begins and ends; nothing where none does.
    """

    node: Node
    name: str
    pieces: tuple[Piece, ...]
    documentation: tuple[int, int] | None = None


def list_members(holder: Node, source: bytes) -> Iterator[tuple[str, InterfaceMember | str]]:
    """The members of a type by name, each as an interface declares it, or with why it cannot."""
    body = find_body(holder)
    for node in body.nodes if body is not None else ():
        kind = name_kind(node)
        names = ["this[]"] if kind == "indexer" else name_names(node)
        for name in names:
            reason = _find_obstacle(node, kind)
            if not reason and node.kind == "method_declaration" and _is_continued(node):
                continue
            yield name, reason or _read(node, name, kind, source)


def _is_continued(node: Node) -> bool:
    """Whether another part declares a method too: the declaration without a body stands for both."""
    return "partial" in node.modifiers() and node.field("body") is not None


def _find_obstacle(node: Node, kind: str) -> str:
    if kind not in _KINDS:
        article = "an" if kind[:1] in "aeiou" else "a"
        return f"is {article} {kind}, which no interface declares"
    if node.first("explicit_interface_specifier") is not None:
        return EXPLICIT
    modifiers = node.modifiers()
    attributes = (each for listed in node.of_kind("attribute_list") for each in listed.of_kind("attribute"))
    inherits = "override" in modifiers and node.first("type_parameter_list") is not None
    reasons = (
        ("static" in modifiers, "is static"),
        ("public" not in modifiers, "is not public"),
        (inherits, "inherits the constraints of its type parameters"),
        (any(_CONDITIONAL.match(each.text) for each in attributes), "is conditional"),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _read(node: Node, name: str, kind: str, source: bytes) -> InterfaceMember:
    extent = measure(node, source)
    documented = extent.documentation < extent.start and not _INHERITED.search(source, extent.documentation, node.start)
    end = source.rfind(b"\n", 0, extent.start) + 1
    documentation = (source.rfind(b"\n", 0, extent.documentation) + 1, end) if documented else None
    pieces = [Piece("unsafe ")] if "unsafe" in node.modifiers() else []
    if kind == "event":
        pieces += _write_event(node, name)
    elif kind == "method":
        pieces += _write_method(node, source)
    else:
        pieces += _write_property(node)
    return InterfaceMember(node, name, tuple(pieces), documentation)


def _write_event(node: Node, name: str) -> Iterator[Piece]:
    variables = node.first("variable_declaration")
    type_ = (variables if variables is not None else node).field("type")
    yield Piece("event ")
    if type_ is not None:
        yield Piece(start=type_.start, end=type_.end)
    yield Piece(f" {name};")


def _write_method(node: Node, source: bytes) -> Iterator[Piece]:
    first = node.field("returns")
    body = node.field("body")
    end = body.start if body is not None else node.end
    text = source[:end].rstrip()
    end = len(text.removesuffix(b";").rstrip()) if body is None else len(text)
    if first is not None:
        yield Piece(start=first.start, end=end)
    yield Piece(";")


def _write_property(node: Node) -> Iterator[Piece]:
    """A property or an indexer, with the accessors that are public."""
    first, name = node.field("type"), node.field("parameters") or node.field("name")
    if first is not None and name is not None:
        yield Piece(start=first.start, end=name.end)
    accessors = node.first("accessor_list")
    if accessors is None:
        yield Piece(" { get; }")
        return
    own = [each for each in accessors.of_kind("accessor_declaration") if not each.modifiers() & _ACCESS]
    words = [each.field("name") for each in own]
    yield Piece(f" {{ {' '.join(f'{each.text};' for each in words if each is not None)} }}")
