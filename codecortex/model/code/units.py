"""What retrieval knows of one source file: its members as units, and where which term stands in them.

The first unit of a file is what belongs to none of its members: headers of types, using directives, comments between.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

UNITS_VERSION = 5
"""Raised whenever the same bytes may give other units or terms."""

MOST_COUNTED = 31
FIELD_BITS = 5

GLOBAL_USINGS = "global using"
"""No name has a blank: under this one stand, as if they declared a type, the files with global usings."""


class Field(IntEnum):
    """Where in a unit a term stands."""

    TYPE = 0
    MEMBER = 1
    SIGNATURE = 2
    DOCUMENTATION = 3
    COMMENT = 4
    LITERAL = 5
    BODY = 6
    PAIR = 7


class Unit(NamedTuple):
    """One member, or the rest of its file.

    Attributes:
        name: Its simple name; empty for the rest of the file.
        kind: A `MemberKind`, or empty.
        line: Its first line, from 1; 0 for the rest of the file.
        end_line: Its last line.
        owner: Simple name of the type it is in.
        abstract: Whether that type is an interface.
        inner: Names of the functions that are declared in it.
        length: How many terms it holds.
    """

    name: str
    kind: str
    line: int
    end_line: int
    owner: str
    abstract: bool
    inner: tuple[str, ...]
    length: int

    @property
    def called(self) -> str:
        """Its name as the source has it: what a delegate declares bears the delegate's."""
        return self.owner if self.kind == "invoke" else self.name


class DeclaredType(NamedTuple):
    """A type, or a part of one.

    Attributes:
        fqn: Its FQN.
        kind: See `TypeKind`.
        line: Its first line.
        local: Whether its file alone may name it.
    """

    fqn: str
    kind: str
    line: int
    local: bool


class BlobUnits(NamedTuple):
    """One file.

    Attributes:
        size: Its characters.
        types: Every type that it declares.
        units: The rest of the file, then its members in the order of their lines.
        lengths: How many terms stand in each field.
        postings: By term, or by `#` and a name as it is spelt: three bytes for each place: the unit's number in two
            bytes, low first, and the field above the count.
    """

    size: int
    types: tuple[DeclaredType, ...]
    units: tuple[Unit, ...]
    lengths: tuple[int, ...]
    postings: Mapping[str, bytes]
