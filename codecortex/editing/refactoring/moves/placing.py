"""A declaration in; what goes along, what the file says that it goes to, and where it stands there, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import find_line_end, measure
from codecortex.editing.refactoring.edits import Edit
from codecortex.editing.refactoring.layout import list_fixed_lines
from codecortex.editing.refactoring.members import remove_member
from codecortex.editing.refactoring.moves.imports import order
from codecortex.editing.refactoring.moves.units import (
    find_namespace,
    find_root,
    list_namespaces,
    read_head,
    read_nullable,
)
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from codecortex.editing.refactoring.declarations import Extent
    from codecortex.editing.refactoring.moves.units import Namespace
    from codecortex.model.code.syntax import Node

_STEP = "    "


class Cut(NamedTuple):
    """A declaration that leaves its file.

    Attributes:
        start: Where its text begins, with comments directly above.
        end: Where it ends, with a comment behind it.
        indent: Its indentation.
        edit: What takes it away.
    """

    start: int
    end: int
    indent: str
    edit: Edit

    def text(self, source: bytes, edits: Sequence[Edit] = ()) -> str:
        """The text, some of it edited."""
        parts, at = [], self.start
        for each in edits:
            parts += [source[at : each.start], each.text.encode()]
            at = each.end
        return b"".join([*parts, source[at : self.end]]).decode()


class Pasted(NamedTuple):
    """Where a text is put: what stands before and behind it, and the indentation that it gets; None: its own."""

    place: int
    before: str
    behind: str
    indent: str | None = None


def cut(source: bytes, extent: Extent, namespace: Namespace) -> Cut:
    """Take a declaration out of its file, and a block around it that would be left empty.

    Comments at the top of the file stay.
    """
    extent = _leave_head(source, extent)
    start = source.rfind(b"\n", 0, extent.first) + 1
    end = find_line_end(source, extent.end)
    if extent.indent is None or end is None:
        start, end = extent.start, extent.end
    whole = namespace.is_block and namespace.list_members() == [extent.node]
    gone = _leave_head(source, measure(namespace.node, source)) if whole else extent
    return Cut(start, end, extent.indent or "", remove_member(source, gone))


def _leave_head(source: bytes, extent: Extent) -> Extent:
    return extent if source[: extent.first].strip() else extent._replace(first=extent.documentation)


def indent_edits(source: bytes, root: Node, moved: Cut, indent: str) -> Iterator[Edit]:
    """The edits that give the lines of a declaration another indentation; lines within literals keep theirs."""
    old = moved.indent.encode()
    if old.decode() == indent:
        return
    fixed = list_fixed_lines(root)
    start = moved.start
    number = source.count(b"\n", 0, start)
    while start < moved.end:
        end = source.find(b"\n", start)
        end = moved.end if end < 0 else end
        line = source[start : min(end, moved.end)]
        if number not in fixed and line.strip() and line.startswith(old) and not line.startswith(b"#"):
            yield Edit(start, start + len(old), indent)
        start, number = end + 1, number + 1


def write_directives(
    source: bytes, namespace: Namespace, without: Collection[str] = (), added: Collection[str] = ()
) -> str:
    """The directives of a file or a namespace, each on a line; those that are added in order among them."""
    nodes = namespace.list_directives()
    if not nodes:
        return "".join(f"{each}\n" for each in sorted(added, key=order))
    start = source.rfind(b"\n", 0, nodes[0].start) + 1
    region = source[start : nodes[-1].end].decode()
    lines = [each.text for each in nodes if not each.text.startswith("global ") and each.text not in without]
    if "\n#" in f"\n{region}" and len(lines) == len(nodes):
        end = source.find(b"#endif", nodes[-1].end) if region.count("#if") > region.count("#endif") else -1
        return source[start : end + len(b"#endif") if end >= 0 else nodes[-1].end].decode() + "\n"
    if lines == sorted(lines, key=order):
        return "".join(f"{each}\n" for each in sorted([*lines, *added], key=order))
    return "".join(f"{each}\n" for each in [*lines, *sorted(added, key=order)])


class Imports(NamedTuple):
    """The directives that a new file does not take over, and those that it has besides."""

    without: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()


class NewFile(NamedTuple):
    """What a file that is made for a declaration says around it.

    Attributes:
        name: The namespace.
        is_block: Whether braces stand around its members.
        opening: What stands between the name and the opening brace.
        was_block: Whether the declaration stood in braces too.
    """

    name: str
    is_block: bool
    opening: str = "\n"
    was_block: bool = False

    def paste(self, head: str, directives: str, inner: str) -> Pasted:
        """What is written around the declaration.

        Args:
            head: What the file begins with.
            directives: The directives of the file, a line each.
            inner: Those of the namespace.
        """
        front = head + (f"{directives}\n" if directives else "")
        if not self.name:
            return Pasted(0, front, "\n", "")
        if not self.is_block:
            own = f"{inner}\n" if inner else ""
            return Pasted(0, f"{front}namespace {self.name};\n\n{own}", "\n", "")
        own = "".join(f"{_STEP}{each}\n" for each in inner.splitlines()) + "\n" if inner else ""
        indent = None if self.was_block else _STEP
        return Pasted(0, f"{front}namespace {self.name}{self.opening}{{\n{own}", "\n}\n", indent)


def plan_new_file(source: bytes, declared: Node, name: str, imports: Imports, *, may_scope: bool) -> Pasted:
    """What a new file says around a declaration of another one.

    Args:
        source: The text of that file.
        declared: The declaration.
        name: The namespace that it is to be in.
        imports: Its directives.
        may_scope: Whether the language has namespaces for the rest of a file.
    """
    root = find_root(declared)
    namespace = find_namespace(root, declared)
    every = list(list_namespaces(root))
    head = read_head(source, root)
    head += read_nullable(source, head, declared.start)
    directives = write_directives(source, every[0], *imports)
    if namespace is None or not namespace.name:
        return NewFile(name, is_block=not may_scope).paste(head, directives, "")
    around = [each for each in every[1:] if each.holder.start <= declared.start < each.holder.end]
    inner = "".join(write_directives(source, each, imports.without) for each in around)
    new = NewFile(name, namespace.is_block, read_opening(source, namespace), namespace.is_block)
    return new.paste(head, directives, inner)


def read_opening(source: bytes, namespace: Namespace) -> str:
    """What stands between the name of a namespace and its opening brace."""
    name = namespace.node.field("name")
    if not namespace.is_block or name is None:
        return "\n"
    between = source[name.end : namespace.holder.start].decode()
    return between if not between.strip() else "\n"


def find_place(source: bytes, root: Node, name: str) -> Pasted | None:
    """Where a declaration of a namespace goes in a file that is there; None where it cannot stand in it."""
    every = list(list_namespaces(root))
    same = [each for each in every if each.name == name]
    if name and same and same[-1].is_block:
        body = same[-1].holder
        close = body.end - 1
        line = source.rfind(b"\n", 0, close) + 1
        if source[line:close].strip():
            return None
        members = same[-1].list_members()
        first = measure(members[0], source).indent if members else None
        return Pasted(line, "\n" if members else "", "\n", first or source[line:close].decode() + _STEP)
    if any(each.is_file_scoped for each in every):
        return _paste_at_end(source, "", "\n", "") if same and name else None
    if not name:
        return _paste_at_end(source, "", "\n", "")
    return _paste_at_end(source, f"namespace {name}\n{{\n", "\n}\n", _STEP)


def _paste_at_end(source: bytes, before: str, behind: str, indent: str) -> Pasted:
    gap = "" if not source or source.endswith(b"\n") else "\n"
    blank = "\n" if source.strip() and not source.endswith(b"\n\n") else ""
    return Pasted(len(source), gap + blank + before, behind, indent)


def paste_behind(source: bytes, namespace: Namespace, name: str) -> Pasted:
    """A namespace of its own behind another one in the same file, with the directives of that one."""
    end = find_line_end(source, namespace.node.end)
    place = end if end is not None else namespace.node.end
    inner = "".join(f"{_STEP}{each}\n" for each in write_directives(source, namespace).splitlines())
    opening = read_opening(source, namespace)
    own = f"{inner}\n" if inner else ""
    return Pasted(place, f"\n\nnamespace {name}{opening}{{\n{own}", "\n}", None)
