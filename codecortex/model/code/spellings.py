"""Names and documentation of a catalog in the forms that word searches need, each computed on first use.

Computing them costs more than a search; a server keeps its catalog and so computes them once.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from codecortex.model.code.types import write_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Spellings:
    """Forms of a catalog's names and documentation; each sequence is in the catalog's order.

    Args:
        fqns: FQNs of its types.
        load_names: Returns the names of its members.
        load_docs: Returns its documentation in parts, each as text and starts; see `Lines`.
    """

    def __init__(
        self,
        fqns: Sequence[str],
        load_names: Callable[[], Sequence[str]],
        load_docs: Callable[[], Sequence[tuple[str, Sequence[int]]]],
    ) -> None:
        self._fqns, self._load_names, self._load_docs = fqns, load_names, load_docs

    @cached_property
    def paths(self) -> Sequence[str]:
        """The FQN of each type without arities, with dots between all levels."""
        return list(map(write_path, self._fqns))

    @cached_property
    def lower_paths(self) -> Sequence[str]:
        """`paths` in lower case."""
        return [path.lower() for path in self.paths]

    @cached_property
    def simple_names(self) -> Sequence[str]:
        """The last part of each path."""
        return [path.rpartition(".")[2] for path in self.paths]

    @cached_property
    def simple_text(self) -> str:
        """`simple_names` as one text, a line feed before each."""
        return "\n" + "\n".join(self.simple_names)

    @cached_property
    def member_text(self) -> str:
        """The names of members as one text, a line feed before each."""
        return "\n" + "\n".join(self._load_names())

    @cached_property
    def lower_members(self) -> Sequence[str]:
        """The names of members in lower case."""
        return [name.lower() for name in self._load_names()]

    @cached_property
    def ascii_docs(self) -> Sequence[str]:
        """The documentation lines of each type, ASCII letters lowered; other characters may become `?`."""
        return self._cut_docs(_lower_ascii)

    @cached_property
    def lower_docs(self) -> Sequence[str]:
        """The documentation lines of each type in lower case, at the same offsets."""
        return self._cut_docs(lambda text: text.replace("İ", "i").lower())  # the one letter whose lower case is longer

    def _cut_docs(self, change: Callable[[str], str]) -> list[str]:
        found: list[str] = []
        for text, starts in self._load_docs():
            changed = change(text)
            found += [changed[start:end] for start, end in pairwise(starts)]
        return found


def _lower_ascii(text: str) -> str:
    if text.isascii():
        return text.lower()
    return text.encode("latin-1", "replace").lower().decode("latin-1")  # ten times faster than full Unicode
