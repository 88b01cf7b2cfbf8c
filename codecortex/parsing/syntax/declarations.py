"""Builds the tree of a file by its declarations, each of its bodies parsed for itself; and so members, if wanted."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.model.code.syntax import Node, TypeBody
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.parsing.csharp.grammar import name_kind, parse
from codecortex.parsing.syntax.build import Bodies, fill, find_error_nodes, mend_all
from codecortex.parsing.syntax.covers import cover
from codecortex.parsing.syntax.shorten import find_cuts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from codecortex.parsing.csharp.skeleton import Extent
    from codecortex.parsing.syntax.shorten import Cuts, Shortened

    Reread = Callable[[], "Read | None"]

_BODY = "declaration_list"
_AROUND = b"class C { ", b" }"
"""What stands around members that are parsed for themselves."""


class Read(NamedTuple):
    """What was read of a file: its tree, what makes its bodies where each is parsed for itself, and what is wrong."""

    root: Node
    bodies: Bodies | None
    damaged: str = ""


def build_declarations(
    text: bytes, source: bytes, comments: list[Extent], read_whole: Reread | None = None
) -> tuple[Node, Bodies] | None:
    """The tree of a file, each of its bodies parsed for itself; None where only the file as a whole tells what is what.

    Args:
        text: What is parsed.
        source: What names are read from: a text of the same length.
        comments: The extents of comments outside of bodies are appended, in order.
        read_whole: If given, members of types wait to be picked; it reads the file once more for those that cannot be
            parsed for themselves.
    """
    cuts = find_cuts(text, members=read_whole is not None)
    if cuts is None:
        return None
    bodies, short = Bodies(text), cuts.shorten()
    found: list[Extent] = []
    root = _build(short, source, found, bodies)
    if root is None:
        return None
    if read_whole is not None and not _defer(root, cuts.members, _Members(cuts, source, bodies, read_whole)):
        return None
    comments += sorted((*cuts.comments, *map(short.restore_extent, found)))
    return root, bodies


def _build(short: Shortened, source: bytes, comments: list[Extent] | None, bodies: Bodies) -> Node | None:
    """The tree of what is left of a file, with its extents in that; None if it cannot be parsed for itself."""
    parsed = parse(cover(short.text))
    if parsed is None or next(find_error_nodes(parsed), None) is not None:
        return None
    suspects: list[Node] = []
    root = Node(name_kind(parsed.kind_id), 0, len(short.text), None, source)
    fill(root, parsed, comments, suspects, bodies)
    if not short.restore_extents(root):
        return None  # something that was cut out is no body: statements outside of types, for instance
    mend_all(suspects)
    return root


def _defer(root: Node, members: Sequence[Extent], making: _Members) -> bool:
    """Give each member to the innermost body around it, to be made there; tells whether all were given."""
    bodies = list(_list_bodies(root))
    waiting: dict[Node, list[Extent]] = {}
    around: list[Node] = []
    left = iter(bodies)
    following = next(left, None)
    for start, end in members:
        while following is not None and following.start < start:
            around.append(following)
            following = next(left, None)
        while around and around[-1].end < end:
            around.pop()
        if not around:
            return False
        waiting.setdefault(around[-1], []).append((start, end))
    for body, own in waiting.items():
        body.deferred = _Waiting(making, own)  # type: ignore[assignment]
        body.__class__ = TypeBody
    return True


def _list_bodies(root: Node) -> Iterator[Node]:
    """The bodies of types, in order."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.kind == _BODY and node.parent is not None and "namespace" not in node.parent.kind:
            yield node
        if node.kind in (_BODY, "compilation_unit") or node.kind.endswith("_declaration"):
            todo += reversed(node.nodes)


class _Members:
    """Makes members of one file."""

    def __init__(self, cuts: Cuts, source: bytes, bodies: Bodies, read_whole: Reread) -> None:
        self._cuts = cuts
        self._source = source
        self._bodies = bodies
        self._read_whole = read_whole

    def make(self, extents: Sequence[Extent]) -> list[Node]:
        """The nodes of some members of one type."""
        root = _build(self._cuts.take(extents, *_AROUND), self._source, None, self._bodies)
        made = next(iter(_list_bodies(root)), None) if root is not None else None
        if made is not None and [(each.start, each.end) for each in made.nodes] == extents:
            return made.nodes
        return [each for extent in extents for each in self._find_in_whole(extent)]

    @cached_property
    def _whole(self) -> Node | None:
        """The tree of the file of which no member waits; None if there is none."""
        read = self._read_whole()
        self._bodies.damaged |= read is None or bool(read.damaged)
        return read.root if read is not None else None

    def _find_in_whole(self, extent: Extent) -> Iterator[Node]:
        """What stands in an extent in a tree of which no member waits."""
        first, last = extent
        todo = [self._whole] if self._whole is not None else []
        while todo:
            node = todo.pop()
            if first <= node.start and node.end <= last:
                yield node
            elif node.start < last and first < node.end:
                todo += reversed(node.nodes)


class _Waiting:
    """The members of one type that wait.

    Attributes:
        waiting: Their extents, in order.
    """

    __slots__ = ("_making", "waiting")

    def __init__(self, making: _Members, waiting: Sequence[Extent]) -> None:
        self._making = making
        self.waiting = dict.fromkeys(waiting)

    def take(self, body: Node, extents: Sequence[Extent]) -> Sequence[Node]:
        """Make those of some extents that wait, which are in order."""
        if not extents:
            return ()
        for extent in extents:
            del self.waiting[extent]
        made = self._making.make(extents)
        for each in made:
            each.parent = body
        return made
