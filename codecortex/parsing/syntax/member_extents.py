"""Finds members of types that can be parsed each for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.lexer import TRIVIA
from codecortex.parsing.csharp.skeleton import TYPE_HEAD, Cutter

if TYPE_CHECKING:
    from codecortex.parsing.csharp.skeleton import Extent

_TRIVIA = compile_later(TRIVIA)
_SEMICOLON, _BRACE, _CLOSING_BRACE = b";{}"
_LEFT = (b"delegate", b"cref")
"""What stands in a member that may be a type, or whose comments may be documentation of another one."""


class MemberCutter(Cutter):
    """Cuts a source down to its declarations, and keeps where members stand, attributes included.

    Attributes:
        members: Their extents, in order; those are missing of which the scan alone cannot be sure.
    """

    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self.members: list[Extent] = []
        self._began = 0  # where the open declaration begins, with what stands before it
        self._left = [each for each in _LEFT if each in source]

    def _read_sign(self, sign: int, at: int) -> int:
        header, depth = self._header, self._depth
        after = super()._read_sign(sign, at)
        if sign == _SEMICOLON or (sign == _BRACE and self._depth == depth):
            self._end_member(header, after)
        elif sign in (_BRACE, _CLOSING_BRACE):
            self._began = after
        return after

    def _read_equals(self, sign: bytes, at: int) -> int:
        header = self._header
        after = super()._read_equals(sign, at)
        if self._header == header:  # an operator
            return after
        if self._find_start() < at - len(sign):
            self._end_member(header, after)
        elif self.members and self.members[-1][1] == self._began:  # the value of a property, behind its accessors
            start, _ = self.members.pop()
            self._add(start, after)
            self._began = after
        return after

    def _find_start(self) -> int:
        """Where the open declaration begins."""
        return _TRIVIA.match(self._source, self._began).end()  # type: ignore[union-attr]

    def _end_member(self, header: int, after: int) -> None:
        start, self._began = self._find_start(), after
        if self._depth > len(self._namespaces) and TYPE_HEAD.match(self._source, header) is None:
            self._add(start, after)

    def _add(self, start: int, end: int) -> None:
        is_empty = end - start == 1
        if not (is_empty or self._hollow or any(self._source.find(each, start, end) >= 0 for each in self._left)):
            self.members.append((start, end))
