"""What a builder asks through: every answer is noted as an input of the node that is being built."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.model.cognition.records import Name


class UnknownSpaceError(Exception):
    """A builder asked a space that its kind does not name, so that nothing would make it look again."""


class Answers(Protocol):
    """What answers: the engine."""

    def value_of(self, space: str, name: str) -> str | None:
        """The value that was given under a name."""

    def digests(self, space: str, names: Sequence[str]) -> dict[str, bytes]:
        """The digest of what answers to each name."""

    def get_many(self, kind: str, keys: Sequence[str]) -> dict[str, bytes | None]:
        """The fresh outputs of nodes."""

    def exporters(self, space: str, name: str) -> list[str]:
        """The keys of the nodes that export a name."""


class Ask:
    """The only way of a builder to its inputs."""

    __slots__ = ("_answers", "_kind", "_reads", "read", "told")

    def __init__(self, answers: Answers, kind: str, reads: tuple[str, ...]) -> None:
        self._answers = answers
        self._kind = kind
        self._reads = reads
        self.read: dict[Name, bytes] = {}
        self.told: list[str] = []

    def given(self, space: str, name: str) -> str | None:
        """The value that was given under a name, such as the blob of a source; None if there is none."""
        self.digests(space, (name,))
        return self._answers.value_of(space, name)

    def get(self, kind: str, key: str) -> bytes | None:
        """The output of a node, built where it has to be; None if there is no such node."""
        return self.get_many(kind, (key,))[key]

    def get_many(self, kind: str, keys: Sequence[str]) -> dict[str, bytes | None]:
        """The same of many."""
        self.digests(kind, keys)
        return self._answers.get_many(kind, keys)

    def digests(self, space: str, names: Iterable[str]) -> dict[str, bytes]:
        """The digest of what answers to each name in a space; `ABSENT` where nothing does, which is noted too."""
        self._refuse(space)
        found = self._answers.digests(space, list(names))
        self.note(space, found)
        return found

    def exporters(self, space: str, name: str) -> list[str]:
        """The keys of the nodes that export a name, in order."""
        self.digests(space, (name,))
        return self._answers.exporters(space, name)

    def peek(self, kind: str, key: str) -> bytes | None:
        """An output of which only that is used which a name asked for answers for: nothing more is noted."""
        return self._answers.get_many(kind, (key,))[key]

    def note(self, space: str, answers: Mapping[str, bytes]) -> None:
        """Note names that the builder has looked up by itself in a space, with the digests that the space gives."""
        self._refuse(space)
        self.read.update(zip(zip(repeat(space), answers, strict=False), answers.values(), strict=True))

    def tell(self, text: str) -> None:
        """Keep a remark with the node, such as a warning."""
        self.told.append(text)

    def _refuse(self, space: str) -> None:
        if space not in self._reads:
            raise UnknownSpaceError(f"{self._kind} asks {space}, which is not among what it says it reads.")
