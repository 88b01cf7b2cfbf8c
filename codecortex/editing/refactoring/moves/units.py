"""The syntax of a file in; its namespaces, its head, and where directives stand in it, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import list_declared, measure, name_kind
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.syntax import Node

FILE_SCOPED = "file_scoped_namespace_declaration"
_BLOCK = "namespace_declaration"
_DIRECTIVES = ("using_directive", "extern_alias_directive")
_HEAD = compile_later(rb"(?:[ \t]*(?://[^\n]*|/\*.*?\*/[ \t]*|#(?:nullable|pragma)\b[^\n]*)?(?:\n|\Z))*", re.DOTALL)
_NULLABLE = compile_later(rb"^[ \t]*#[ \t]*nullable\b[^\n]*", re.MULTILINE)
_BRANCH = compile_later(rb"^[ \t]*#[ \t]*(if|endif|region|endregion)\b", re.MULTILINE)
_NOISE = compile_later(r"\s+|@")


class Namespace(NamedTuple):
    """The declaration of a namespace; of what stands in none, the file.

    Attributes:
        node: The declaration; the compilation unit of the file itself.
        name: Its full name; empty of the file itself.
        holder: What its directives and members are children of.
    """

    node: Node
    name: str
    holder: Node

    @property
    def is_file_scoped(self) -> bool:
        """Whether it holds for the rest of the file."""
        return self.node.kind == FILE_SCOPED

    @property
    def is_block(self) -> bool:
        """Whether braces stand around its members."""
        return self.node.kind == _BLOCK

    def list_members(self) -> list[Node]:
        """The types and namespaces that it declares."""
        kinds = (FILE_SCOPED, _BLOCK)
        return [each for each in self.holder.nodes if name_kind(each) or (each.kind in kinds and each is not self.node)]

    def list_directives(self) -> list[Node]:
        """Its directives; those of the file that stand before a namespace for the rest of it are the file's own."""
        found = self.holder.of_kind(*_DIRECTIVES)
        if self.is_file_scoped:
            return [each for each in found if each.start > self.node.start]
        scoped = self.holder.first(FILE_SCOPED) if not self.is_block else None
        return [each for each in found if scoped is None or each.start < scoped.start]


def list_namespaces(root: Node) -> Iterator[Namespace]:
    """The file itself, and the namespaces that it declares; those within others after them."""
    yield Namespace(root, "", root)
    scoped = root.first(FILE_SCOPED)
    around = _name_of(scoped) if scoped is not None else ""
    if scoped is not None:
        yield Namespace(scoped, around, root)
    todo = [(each, around) for each in root.of_kind(_BLOCK)]
    while todo:
        node, outer = todo.pop(0)
        name = f"{outer}.{_name_of(node)}".lstrip(".")
        body = node.first("declaration_list")
        if body is not None:
            yield Namespace(node, name, body)
            todo += [(each, name) for each in body.of_kind(_BLOCK)]


def find_namespace_at(root: Node, place: int) -> str:
    """The namespace whose name ends with the part at a place of a declaration of namespaces; empty elsewhere."""
    for each in list_namespaces(root):
        name = each.node.field("name") if each.name else None
        if name is not None and name.start <= place < name.end:
            _, dot, inner = name.source[place : name.end].partition(b".")
            parts = each.name.split(".")
            return ".".join(parts[: len(parts) - (inner.count(b".") + 1 if dot else 0)])
    return ""


def find_root(node: Node) -> Node:
    """The compilation unit around a node."""
    while node.parent is not None:
        node = node.parent
    return node


def find_namespace(root: Node, declared: Node) -> Namespace | None:
    """The innermost namespace around a type that lies in no other type; None of one that does."""
    found = [each for each in list_namespaces(root) if declared in each.holder.nodes]
    return found[-1] if found else None


def is_alone(root: Node, namespace: Namespace, declared: Node) -> bool:
    """Whether a file declares nothing else, in no namespace within another one."""
    attributes = any(each.kind in ("global_statement", "global_attribute") for each in root.nodes)
    others = [each for each in list_declared(root) if each is not declared and not _is_within(each, declared)]
    nested = sum(1 for each in list_namespaces(root)) > 1 + bool(namespace.name)
    shared = any("global" in each.text.split()[:2] for each in root.of_kind("using_directive"))
    return not (attributes or others or nested or shared)


def read_head(source: bytes, root: Node) -> str:
    """The comments at the top of a file that belong to no declaration, with directives for the compiler."""
    match = _HEAD.match(source)
    end = match.end() if match is not None else 0
    first = next(iter(root.nodes), None)
    if first is not None:
        documented = measure(first, source)
        end = min(end, documented.documentation if name_kind(first) else first.start)
    head = source[:end].decode()
    return head.rstrip() + "\n\n" if head.strip() else ""


def read_nullable(source: bytes, head: str, place: int) -> str:
    """The directive about null that holds at a place, unless the head of the file has it."""
    found = _NULLABLE.findall(source, 0, place)
    last = found[-1].decode().strip() if found else ""
    return "" if not last or last in head else f"{last}\n"


def is_conditional(source: bytes, start: int, end: int) -> bool:
    """Whether a range is compiled under a condition, or cuts a block of directives."""
    depth = {"if": 0, "region": 0}
    for match in _BRANCH.finditer(source, 0, end):
        word = match[1].decode()
        kind = word.removeprefix("end")
        depth[kind] += -1 if word.startswith("end") else 1
        if match.start() >= start and depth[kind] < _depth(source, start, kind):
            return True
    if any(depth[kind] != _depth(source, start, kind) for kind in depth):
        return True
    return _depth(source, start, "if") > 0


def _depth(source: bytes, place: int, kind: str) -> int:
    words = [match[1].decode() for match in _BRANCH.finditer(source, 0, place)]
    return words.count(kind) - words.count(f"end{kind}")


def find_depth(source: bytes, place: int) -> int:
    """Under how many conditions a place is compiled."""
    return _depth(source, place, "if")


def _is_within(node: Node, other: Node) -> bool:
    return other.start <= node.start and node.end <= other.end


def _name_of(node: Node) -> str:
    name = node.field("name")
    return _NOISE.sub("", name.text) if name is not None else ""
