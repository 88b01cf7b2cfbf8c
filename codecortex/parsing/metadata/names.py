"""Names of types as documentation ids write them, from the rows that define or reference them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.parsing.metadata.image import BadMetadataError
from codecortex.parsing.metadata.tables import Table

if TYPE_CHECKING:
    from codecortex.parsing.metadata.tables import Tables

MOST_DEPTH = 64
DEFINED, REFERENCED, CONSTRUCTED = 0, 1, 2  # the two low bits of a TypeDefOrRef
_NESTED_IN_REFERENCE = 3  # the two low bits of a ResolutionScope
_MOST_DIGITS = 4
_ID = str.maketrans(".<>", "#{}")

Segments = tuple[tuple[str, int], ...]


class Budget:
    """How much text may still be made: a small file must not say a lot."""

    def __init__(self, size: int) -> None:
        self._left = (1 << 20) + 24 * size

    def spend(self, amount: int) -> None:
        """Take from it.

        Raises:
            BadMetadataError: Nothing is left.
        """
        self._left -= amount
        if self._left < 0:
            raise BadMetadataError("too much said in too few bytes")


class TypeNames:
    """The names of the types that an assembly defines and references."""

    def __init__(self, tables: Tables, budget: Budget) -> None:
        self._tables = tables
        self._budget = budget
        self._segments: dict[int, Segments] = {}
        self._plain: dict[int, str] = {}
        self.outer: dict[int, int] = {}
        self.inner: dict[int, list[int]] = defaultdict(list)
        for inner, outer in tables.rows[Table.NESTED_CLASS]:
            self.outer.setdefault(inner, outer)
            self.inner[outer].append(inner)
        self._arities: dict[int, int] = defaultdict(int)
        for _, _, owner, _ in tables.rows[Table.GENERIC_PARAM]:
            if not owner & 1:
                self._arities[owner >> 1] += 1

    def simple_name(self, row: int) -> str:
        """The name of a defined type as its table has it."""
        return self._tables.string(self._tables.rows[Table.TYPE_DEF][row - 1][1])

    def outer_arity(self, row: int) -> int:
        """How many type parameters the types around a defined type have."""
        return sum(arity for _, arity in self.segments(row << 2)[:-1])

    def plain(self, token: int) -> str:
        """The id, without `T:`, of a type that stands alone."""
        known = self._plain.get(token)
        if known is None:
            known = "".join(f"{name}`{arity}" if arity else name for name, arity in self.segments(token))
            self._plain[token] = known
            self._budget.spend(len(known))
        return known

    def segments(self, token: int, depth: int = 0) -> Segments:
        """A defined or referenced type as names with their own arities, the outermost first.

        The first name has its namespace, the others a dot in front.
        """
        known = self._segments.get(token)
        if known is not None:
            return known
        if depth > MOST_DEPTH:
            raise BadMetadataError("nested too deep")
        if token & 3 == CONSTRUCTED or token >> 2 < 1:
            raise BadMetadataError("a name of what has none")
        read = self._read_defined if token & 3 == DEFINED else self._read_referenced
        known = self._segments[token] = read(token >> 2, depth)
        self._budget.spend(40 + sum(len(name) for name, _ in known))
        return known

    def _read_defined(self, row: int, depth: int) -> Segments:
        _, name, space, *_ = self._tables.rows[Table.TYPE_DEF][row - 1]
        own = self._arities[row]
        before: Segments = ()
        outer = self.outer.get(row)
        if outer:
            before = self.segments(outer << 2, depth + 1)
            own -= sum(arity for _, arity in before)
        text = self._tables.string(name)
        base, arity = _split_arity(text)
        if arity != own:
            base, arity = text, max(own, 0)
        return *before, (self._qualify(base, space, nested=bool(before)), arity)

    def _read_referenced(self, row: int, depth: int) -> Segments:
        scope, name, space = self._tables.rows[Table.TYPE_REF][row - 1]
        before: Segments = ()
        if scope & 3 == _NESTED_IN_REFERENCE and scope >> 2:
            before = self.segments(scope >> 2 << 2 | REFERENCED, depth + 1)
        base, arity = _split_arity(self._tables.string(name))
        return *before, (self._qualify(base, space, nested=bool(before)), arity)

    def _qualify(self, name: str, space: int, *, nested: bool) -> str:
        if nested:
            return "." + name
        namespace = self._tables.string(space)
        return f"{namespace}.{name}" if namespace else name


def _split_arity(name: str) -> tuple[str, int]:
    """``List`1`` as `List` and 1."""
    base, tick, digits = name.rpartition("`")
    if tick and digits.isdecimal() and len(digits) <= _MOST_DIGITS and int(digits):
        return base, int(digits)
    return name, 0


def write_member_name(name: str) -> str:
    """A member's name as documentation ids write it."""
    if "." in name or "<" in name:
        return name.rpartition("::")[2].translate(_ID)
    return name
