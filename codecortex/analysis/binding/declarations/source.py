"""A source of a program: its text and what it declares, its syntax only once it is asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.heads import read_declared
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.analysis.binding.declarations.heads import Declared, FileHead
    from codecortex.model.code.syntax import Node, SyntaxTree


class Reading(NamedTuple):
    """How a source is read.

    Attributes:
        tree: Gives its syntax.
        fragment: Gives the syntax of a declaration that stands for the head of a type.
    """

    tree: Callable[[], SyntaxTree]
    fragment: Callable[[str], Node | None]


class Source:
    """One file under one set of symbols. Programs share it: the nodes are the same for all of them."""

    def __init__(self, text: bytes, head: FileHead | None, reading: Reading) -> None:
        """Make it.

        Args:
            text: The text that offsets count in.
            head: What it declares; None where its syntax is to tell.
            reading: How it is read.
        """
        self.text = text
        self._head = head
        self._reading = reading

    @classmethod
    def of(cls, tree: SyntaxTree) -> Source:
        """The source of a tree that is there."""
        return cls(tree.source, None, Reading(lambda: tree, lambda _: None))

    @cached_property
    def tree(self) -> SyntaxTree:
        """Its syntax."""
        return self._reading.tree()

    @cached_property
    def declared(self) -> Declared:
        """What its syntax declares, and where."""
        return read_declared(self.tree.root)

    @property
    def head(self) -> FileHead:
        """What it declares."""
        return self._head if self._head is not None else self.declared.head

    def read_head(self, written: str) -> Node | None:
        """The syntax of a declaration that stands for the head of a type."""
        return self._reading.fragment(written)
