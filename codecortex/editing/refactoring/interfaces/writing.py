"""Members and a name in; the text of an interface with what it copies, and the base list of its type, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing.refactoring.edits import Edit
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.editing.refactoring.interfaces.members import InterfaceMember, Piece
    from codecortex.model.code.syntax import Node


class Copied(NamedTuple):
    """A range of a source that is copied: where it begins and ends, and where its copy begins; its edits."""

    start: int
    end: int
    at: int
    edits: tuple[Edit, ...] = ()


class Written(NamedTuple):
    """A text, and what of it is copied: places count in its bytes."""

    text: str
    copied: tuple[Copied, ...]


class Head(NamedTuple):
    """How an interface begins.

    Attributes:
        modifiers: Its modifiers.
        name: Its name, as it is written.
        parameters: The names of its type parameters, each a range of the source.
        constraints: Their constraints.
        indent: Its indentation.
        step: How much deeper its members stand.
        is_open: Whether braces stand on lines of their own.
    """

    modifiers: Sequence[str]
    name: str
    parameters: Sequence[Node]
    constraints: Sequence[Node]
    indent: str
    step: str
    is_open: bool = True


class Writer:
    """Writes a text of which parts are copied from a source."""

    def __init__(self, source: bytes, edits: Iterable[Edit]) -> None:
        """Make it.

        Args:
            source: The source.
            edits: What changes in all that is copied.
        """
        self._source = source
        self._edits = sorted(edits)
        self._parts: list[bytes] = []
        self._length = 0
        self._copied: list[Copied] = []

    def write(self, text: str) -> None:
        """Add a text."""
        self._parts.append(text.encode())
        self._length += len(self._parts[-1])

    def copy(self, start: int, end: int, indents: Iterable[Edit] = ()) -> None:
        """Add a range of the source."""
        edits = tuple(sorted([*(each for each in self._edits if start <= each.start and each.end <= end), *indents]))
        self._copied.append(Copied(start, end, self._length, edits))
        at = start
        for each in edits:
            self.write(self._source[at : each.start].decode() + each.text)
            at = each.end
        self.write(self._source[at:end].decode())

    def finish(self) -> Written:
        """All of it."""
        return Written(b"".join(self._parts).decode(), tuple(self._copied))


def write_interface(
    source: bytes, head: Head, members: Sequence[InterfaceMember], edits: Iterable[Edit] = ()
) -> Written:
    """The text of an interface.

    Args:
        source: The source of the type.
        head: How it begins.
        members: Its members.
        edits: What changes in what is copied.
    """
    writer = Writer(source, edits)
    inner = head.indent + head.step
    writer.write(f"{head.indent}{' '.join([*head.modifiers, 'interface', head.name])}")
    for number, each in enumerate(head.parameters):
        writer.write(", " if number else "<")
        writer.copy(each.start, each.end)
    writer.write(">" if head.parameters else "")
    for each in head.constraints:
        writer.write(f"\n{inner}")
        writer.copy(each.start, each.end)
    writer.write(f"\n{head.indent}{{\n" if head.is_open else " {\n")
    for number, member in enumerate(members):
        writer.write("\n" if number and (member.documentation or members[number - 1].documentation) else "")
        _write_member(writer, source, member, inner)
    writer.write(f"{head.indent}}}\n")
    return writer.finish()


def _write_member(writer: Writer, source: bytes, member: InterfaceMember, indent: str) -> None:
    own = _indent_of(source, member.node.start)
    if member.documentation is not None:
        start, end = member.documentation
        writer.copy(start, end, _indent(source, start, end, own, indent))
    writer.write(indent)
    for piece in member.pieces:
        _write_piece(writer, source, piece, own, indent)
    writer.write("\n")


def _write_piece(writer: Writer, source: bytes, piece: Piece, own: str, indent: str) -> None:
    if piece.start < 0:
        writer.write(piece.text)
        return
    line = source.find(b"\n", piece.start, piece.end) + 1
    writer.copy(piece.start, piece.end, _indent(source, line, piece.end, own, indent) if line else ())


def _indent(source: bytes, start: int, end: int, old: str, new: str) -> Iterable[Edit]:
    """The edits that give lines another indentation; the first begins at `start`."""
    front = old.encode()
    while start < end:
        if old != new and source.startswith(front, start) and source[start:end].partition(b"\n")[0].strip():
            yield Edit(start, start + len(front), new)
        start = source.find(b"\n", start, end) + 1 or end


def _indent_of(source: bytes, place: int) -> str:
    line = source[source.rfind(b"\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(b" \t"))].decode()


def add_base(node: Node, written: str) -> Edit:
    """The edit that adds a type to the base list of a declaration."""
    bases = node.first("base_list")
    if bases is not None:
        return Edit(bases.end, bases.end, f", {written}")
    before = [node.field("name"), *node.of_kind("type_parameter_list", "parameter_list")]
    end = max(each.end for each in before if each is not None)
    return Edit(end, end, f" : {written}")
