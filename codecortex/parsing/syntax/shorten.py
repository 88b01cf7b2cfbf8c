"""A source without its comments and its bodies: what is left parses in a fraction of the time."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.skeleton import cut_skeleton

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.model.code.syntax import Node
    from codecortex.parsing.csharp.skeleton import Extent, Skeleton

_BRACES = 2  # the length of an empty block
_VALUE = b" 0"
"""What an expression is parsed as that is a body."""
_DIRECTIVE_END = compile_later(
    rb"(?<=\n)[ \t]*+#[ \t]*+(?:pragma|nullable|region|endregion|warning|error|line)\b[^\n]*+(?<!\")\Z"
)
_COMMENT_END = compile_later(rb"//[^\n]*\Z|\*/\Z")


class Shortened(NamedTuple):
    """The rest of a source.

    Attributes:
        text: The rest.
        cuts: Offsets in it after each cut, ascending, from 0 to one beyond its end.
        origins: The offsets in the source that correspond to `cuts`.
        blocks: How many blocks were emptied.
        values: Where expressions end that are bodies, in the source.
        comments: Extents of the comments that were cut out, in the source.
    """

    text: bytes
    cuts: Sequence[int]
    origins: Sequence[int]
    blocks: int
    values: AbstractSet[int]
    comments: Sequence[Extent]

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


def shorten(source: bytes) -> Shortened | None:
    """Cut comments, directives and bodies out of a source; None if its brackets do not pair."""
    skeleton = cut_skeleton(source)
    if skeleton is None:
        return None
    comments = [extent for _, extent in skeleton.comments]
    blocks = [(start, end, b"") for start, end, form in skeleton.bodies if form == "block" and end > start]
    values = [(start, end, _VALUE) for start, end in _find_values(skeleton)]
    trivia = [(start, end, b" ") for start, end in (*comments, *skeleton.directives)]
    pieces: list[bytes] = []
    cuts, origins, last, removed = [0], [0], 0, 0
    for start, end, stand_in in sorted((*blocks, *values, *trivia)):
        pieces += [source[last:start], stand_in]
        removed += end - start - len(stand_in)
        last = end
        cuts.append(end - removed)
        origins.append(end)
    pieces.append(source[last:])
    ends = frozenset(end for _, end, _ in values)
    return Shortened(b"".join(pieces), [*cuts, len(source) - removed + 1], origins, len(blocks), ends, comments)


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
