"""Names and documentation in; the same as words are looked for in them, each made when first asked for, out.

A server keeps its catalog, and so these: they cost more than looking through them.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from codecortex.model.code.types import write_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Spellings:
    """How a catalog's names and documentation are spelled; each sequence is in the order of the catalog's own.

    Args:
        fqns: Metadata names of its types.
        load_names: The names of its members.
        load_docs: Its documentation; see `Lines`.
    """

    def __init__(
        self,
        fqns: Sequence[str],
        load_names: Callable[[], Sequence[str]],
        load_docs: Callable[[], tuple[str, Sequence[int]]],
    ) -> None:
        self._fqns, self._load_names, self._load_docs = fqns, load_names, load_docs

    @cached_property
    def paths(self) -> Sequence[str]:
        """The name of each type without arities, dots alone between its levels."""
        return list(map(write_path, self._fqns))

    @cached_property
    def lower_paths(self) -> Sequence[str]:
        """The same in lower case."""
        return [path.lower() for path in self.paths]

    @cached_property
    def simple_names(self) -> Sequence[str]:
        """The last part of each."""
        return [path.rpartition(".")[2] for path in self.paths]

    @cached_property
    def simple_text(self) -> str:
        """These as one text, each after the end of a line."""
        return "\n" + "\n".join(self.simple_names)

    @cached_property
    def member_text(self) -> str:
        """The names of members as one text, each after the end of a line."""
        return "\n" + "\n".join(self._load_names())

    @cached_property
    def lower_members(self) -> Sequence[str]:
        """The names of members in lower case."""
        return [name.lower() for name in self._load_names()]

    @cached_property
    def ascii_docs(self) -> Sequence[str]:
        """The documentation lines of each type, only the letters of ASCII in lower case and kept for certain."""
        text, starts = self._load_docs()
        lower = text.encode("latin-1", "replace").lower().decode("latin-1")  # ten times faster than all letters
        return [lower[start:end] for start, end in pairwise(starts)]

    @cached_property
    def lower_docs(self) -> Sequence[str]:
        """The documentation lines of each type in lower case."""
        text, starts = self._load_docs()
        lower = text.replace("İ", "i").lower()  # the one letter that lower case makes longer
        return [lower[start:end] for start, end in pairwise(starts)]
