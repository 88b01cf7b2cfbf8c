"""A source without its comments and its bodies: what is left parses in a fraction of the time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.skeleton import Cutter
from codecortex.parsing.syntax.member_extents import MemberCutter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.model.code.syntax import Node
    from codecortex.parsing.csharp.skeleton import Extent, Skeleton

_BRACES = 2  # the length of an empty block
_VALUE = b" 0"
"""What an expression is parsed as that is a body."""
_MEMBER = b"  "
"""What stands for a member; it says only that no body stood there."""
_DIRECTIVE_END = compile_later(
    rb"(?<=\n)[ \t]*+#[ \t]*+(?:pragma|nullable|region|endregion|warning|error|line)\b[^\n]*+(?<!\")\Z"
)
_COMMENT_END = compile_later(rb"//[^\n]*\Z|\*/\Z")


class Shortened(NamedTuple):
    """The rest of a source, or of a part of it.

    Attributes:
        text: The rest.
        cuts: Offsets in it after each cut, ascending, from 0 to one beyond its end.
        origins: The offsets in the source that correspond to `cuts`.
        blocks: How many blocks were emptied.
        values: Where expressions end that are bodies, in the source.
    """

    text: bytes
    cuts: Sequence[int]
    origins: Sequence[int]
    blocks: int
    values: AbstractSet[int]

    def restore_extents(self, root: Node) -> bool:
        """Give the nodes of a tree of the rest their extents in the source.

        Args:
            root: A tree without errors.

        Returns:
            Whether all that was cut out is to be filled into nodes that wait for it.
        """
        cuts, origins = self.cuts, self.origins
        low = limit = shift = blocks = values = 0
        todo = [root]
        while todo:
            node = todo.pop()
            start, end = node.start, node.end
            if not low <= start < limit:
                at = bisect_right(cuts, start)
                low, limit, shift = cuts[at - 1], cuts[at], origins[at - 1] - cuts[at - 1]
            node.start = start + shift
            if end < limit:
                node.end = end + shift
            else:
                at = bisect_right(cuts, end) - 1
                node.end = end + origins[at] - cuts[at]
            if node.deferred is None:
                todo += [child for child in reversed(node.children) if child.__class__ is not str]  # type: ignore[misc]
            elif node.kind == "block":
                blocks += node.end - node.start > _BRACES
            else:
                values += node.end in self.values
        return blocks == self.blocks and values == len(self.values)

    def restore_extent(self, extent: Extent) -> Extent:
        """The extent in the source of something in the rest."""
        start, end = (bisect_right(self.cuts, each) - 1 for each in extent)
        return extent[0] + self.origins[start] - self.cuts[start], extent[1] + self.origins[end] - self.cuts[end]


class Cuts(NamedTuple):
    """What can be cut out of a source.

    Attributes:
        source: The source.
        within: Extents of comments, directives and bodies, each with what is to stand for it, in order.
        comments: Extents of the comments among them.
        members: Extents of members that can be parsed each for itself, in order.
    """

    source: bytes
    within: Sequence[tuple[int, int, bytes]]
    comments: Sequence[Extent]
    members: Sequence[Extent]

    def shorten(self) -> Shortened:
        """The source without all of them."""
        if not self.members:
            return self._cut(self.within, 0, len(self.source))
        starts = [start for start, _ in self.members]
        kept = [each for each in self.within if not self._is_in_member(each[0], starts)]
        members = [(start, end, _MEMBER) for start, end in self.members]
        return self._cut(sorted((*kept, *members)), 0, len(self.source))

    def _is_in_member(self, offset: int, starts: Sequence[int]) -> bool:
        at = bisect_right(starts, offset) - 1
        return at >= 0 and offset < self.members[at][1]

    def take(self, members: Sequence[Extent], before: bytes, after: bytes) -> Shortened:
        """Some members without what can be cut out of them, between two texts."""
        cuts: list[tuple[int, int, bytes]] = []
        last = members[0][0]
        for start, end in members:
            first = bisect_left(self.within, (start,))
            cuts += [(last, start, b" "), *self.within[first : bisect_left(self.within, (end,))]]
            last = end
        return self._cut(cuts, members[0][0], last, before, after)

    def _cut(
        self, cuts: Sequence[tuple[int, int, bytes]], first: int, end: int, before: bytes = b"", after: bytes = b""
    ) -> Shortened:
        pieces, places, origins = [before], [0], [first - len(before)]
        removed, last, blocks = first - len(before), first, 0
        for start, stop, stand_in in cuts:
            pieces += [self.source[last:start], stand_in]
            removed += stop - start - len(stand_in)
            last = stop
            places.append(stop - removed)
            origins.append(stop)
            blocks += not stand_in
        pieces += [self.source[last:end], after]
        values = frozenset(stop for _, stop, stand_in in cuts if stand_in == _VALUE)
        return Shortened(b"".join(pieces), [*places, end - removed + len(after) + 1], origins, blocks, values)


def find_cuts(source: bytes, *, members: bool = False) -> Cuts | None:
    """What can be cut out of a source; None if its brackets do not pair.

    Args:
        source: The source.
        members: Whether members are to be cut out too.
    """
    cutter = MemberCutter(source) if members else Cutter(source)
    skeleton = cutter.cut()
    if skeleton is None:
        return None
    comments = [extent for _, extent in skeleton.comments]
    blocks = [(start, end, b"") for start, end, form in skeleton.bodies if form == "block" and end > start]
    values = [(start, end, _VALUE) for start, end in _find_values(skeleton)]
    trivia = [(start, end, b" ") for start, end in (*comments, *skeleton.directives)]
    found = cutter.members if isinstance(cutter, MemberCutter) else ()
    return Cuts(source, sorted((*blocks, *values, *trivia)), comments, found)


def _find_values(skeleton: Skeleton) -> Iterator[Extent]:
    """The expressions that are bodies, without directives behind them.

    Those that a comment follows are left out: the grammar's trees do not hold it.
    """
    for start, end, form in skeleton.bodies:
        written = skeleton.source[start:end].rstrip() if form == "expr" else b""
        while (directive := _DIRECTIVE_END.search(written, written.rfind(b"\n") + 1)) is not None:
            written = written[: directive.start()].rstrip()
        if written and _COMMENT_END.search(written, written.rfind(b"\n") + 1) is None:
            yield start, start + len(written)
