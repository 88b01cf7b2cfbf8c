"""Groups types that share one note because they depend on each other.

A group is strongly connected by itself and within the size limits. In a component that is too large, the weakest edges
are removed, all of one strength at once, until what is still strongly connected fits: the result does not depend on
the order of the input, and types with only weak ties end up alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.graph.components import find_components
from codecortex.model.hashing import digest
from codecortex.model.notes import Section
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from codecortex.model.code.types import TypeId
    from codecortex.model.notes import Note


class Limits(NamedTuple):
    """The most types that may share a note, and the most tokens of their outlines together."""

    types: int
    tokens: int


class Tie(NamedTuple):
    """A reference from one type to another.

    Attributes:
        target: The referenced type.
        structural: Whether the surface contains it, not only bodies.
        count: How often the surface contains it.
    """

    target: TypeId
    structural: bool
    count: int  # type: ignore[assignment]  # hides `tuple.count`, which nobody calls here


class Ties:
    """The references between types, and the lengths of their outlines.

    Args:
        ties: The references of each type; targets that are no keys are ignored.
        measure: Returns the tokens of each type's outline; called rarely, with many types at once.
        limits: The size limits of a group.
    """

    def __init__(
        self,
        ties: Mapping[TypeId, Sequence[Tie]],
        measure: Callable[[Sequence[TypeId]], Mapping[TypeId, int]],
        limits: Limits,
    ) -> None:
        self._targets = {source: {tie.target: tie for tie in found} for source, found in ties.items()}
        self._measure = measure
        self._limits = limits

    def find_groups(self, types: Iterable[TypeId]) -> list[tuple[TypeId, ...]]:
        """The groups of two or more types that should share a note, each sorted, and sorted."""
        groups: list[tuple[TypeId, ...]] = []
        waiting = self._find_components({each: self._list_targets(each) for each in types if each in self._targets})
        while waiting:
            fitting = self._choose_fitting([component for component, _ in waiting])
            groups += fitting
            rest = [edges for component, edges in waiting if component not in fitting]
            waiting = [found for edges in rest for found in self._find_components(self._drop_weakest(edges))]
        return sorted(groups)

    def is_whole(self, types: Sequence[TypeId]) -> bool:
        """Whether types may continue to share a note: they still depend on each other, and are within the limits."""
        inside = {each: self._list_targets(each) for each in types if each in self._targets}
        return (
            len(inside) == len(types)
            and len(find_components(inside)) == 1
            and bool(self._choose_fitting([tuple(types)]))
        )

    def _list_targets(self, source: TypeId) -> list[TypeId]:
        return list(self._targets[source])

    def _choose_fitting(self, components: Iterable[tuple[TypeId, ...]]) -> set[tuple[TypeId, ...]]:
        """The components within the limits."""
        small = [component for component in components if len(component) <= self._limits.types]
        tokens = self._measure([each for component in small for each in component])
        return {each for each in small if sum(tokens.get(one, 0) for one in each) <= self._limits.tokens}

    def _find_components(
        self, edges: Mapping[TypeId, Sequence[TypeId]]
    ) -> list[tuple[tuple[TypeId, ...], dict[TypeId, list[TypeId]]]]:
        """The strongly connected components with two or more types, each with the edges inside it."""
        found = []
        for component in find_components(edges):
            if len(component) > 1:
                own = set(component)
                found.append((component, {each: [t for t in edges[each] if t in own] for each in component}))
        return found

    def _drop_weakest(self, edges: Mapping[TypeId, Sequence[TypeId]]) -> dict[TypeId, list[TypeId]]:
        strengths = {
            (source, target): self._weigh(source, target)
            for source, targets in edges.items()
            for target in targets
            if source != target
        }
        weakest = min(strengths.values())
        return {
            source: [target for target in targets if strengths.get((source, target), weakest) > weakest]
            for source, targets in edges.items()
        }

    def _weigh(self, source: TypeId, target: TypeId) -> tuple[bool, int]:
        """The strength of a tie in either direction: references in surfaces before bodies, then their number."""
        both = [self._targets[source].get(target), self._targets[target].get(source)]
        ties = [tie for tie in both if tie is not None]
        return any(tie.structural for tie in ties), sum(max(tie.count, 1) for tie in ties)


def name_group(types: Iterable[TypeId]) -> str:
    """The GroupId that a group of types gets when its note is first written."""
    return f"G_{digest('group', sorted(types))}"


def join_texts(notes: Sequence[Note]) -> tuple[str, ...] | None:
    """The texts of several notes joined into those of one, in the order given, without omissions.

    Those of a single note are unchanged; of several, each text says which types it is about. None if there is no note.
    """
    if len(notes) < 2:  # noqa: PLR2004 - a single note
        return notes[0].texts if notes else None
    texts = []
    for number, section in enumerate(Section):
        told = [_introduce(note, note.texts[number]) for note in notes if note.texts[number].strip()]
        end = "\n" if section.is_last else "\n\n"
        texts.append("\n" + "\n\n".join(told) + end if told else "")
    return tuple(texts)


def take_part(text: str, own: str, titles: Iterable[str]) -> str:
    """What the text of a shared note says of one type.

    Args:
        text: The text, in which a line with the type's title in backticks and a colon begins the part of each type.
        own: The title of the type.
        titles: Those of all types of the note.

    Returns:
        The part, without its title; empty where others have one; the whole text where no title begins it.
    """
    marks = {f"`{title}`:": title for title in titles}
    parts: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in text.split("\n"):
        if line in marks:
            lines = parts.setdefault(marks[line], [])
        elif lines is None:
            return text
        else:
            lines.append(line)
    return "\n".join(parts.get(own, ())).strip("\n")


def _introduce(note: Note, text: str) -> str:
    return f"About {', '.join(base.fqn for base in note.types)}:{text.rstrip()}"
