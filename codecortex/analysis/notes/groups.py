"""Which types name which in; those that shall share one note, because each depends on the others, out.

A group is strongly connected in itself and no larger than allowed. Of a component that is too large, the weakest edges
are taken away, all of one strength at once, until what still hangs together fits: no order of discovery enters, and
what has nothing but weak ties in it falls into single types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.graph.components import find_components
from codecortex.model.hashing import digest
from codecortex.model.notes import Section

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from codecortex.model.code.types import TypeId
    from codecortex.model.notes import Note


class Limits(NamedTuple):
    """How many types may share a note, and how many tokens their outlines may take together."""

    types: int
    tokens: int


class Tie(NamedTuple):
    """That a type names another.

    Attributes:
        target: The type named.
        structural: Whether its surface names it, and not its bodies alone.
        count: How often its surface does.
    """

    target: TypeId
    structural: bool
    count: int  # type: ignore[assignment]  # nobody counts in a tie


class Ties:
    """What types name of each other, and how long their outlines are.

    Args:
        ties: Of each type, what it names; targets that are no key count for nothing.
        measure: Gives the tokens that the outline of each takes; called with few types, many at once.
        limits: What a group may take.
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
        """Those of the types that shall share a note: groups of two and more, each sorted, sorted."""
        groups: list[tuple[TypeId, ...]] = []
        waiting = self._find_components({each: self._list_targets(each) for each in types if each in self._targets})
        while waiting:
            fitting = self._choose_fitting([component for component, _ in waiting])
            groups += fitting
            rest = [edges for component, edges in waiting if component not in fitting]
            waiting = [found for edges in rest for found in self._find_components(self._drop_weakest(edges))]
        return sorted(groups)

    def is_whole(self, types: Sequence[TypeId]) -> bool:
        """Whether types may go on sharing a note: each still depends on the others, and they are not too many."""
        inside = {each: self._list_targets(each) for each in types if each in self._targets}
        return (
            len(inside) == len(types)
            and len(find_components(inside)) == 1
            and bool(self._choose_fitting([tuple(types)]))
        )

    def _list_targets(self, source: TypeId) -> list[TypeId]:
        return list(self._targets[source])

    def _choose_fitting(self, components: Iterable[tuple[TypeId, ...]]) -> set[tuple[TypeId, ...]]:
        """Those that are no larger than a group may be."""
        small = [component for component in components if len(component) <= self._limits.types]
        tokens = self._measure([each for component in small for each in component])
        return {each for each in small if sum(tokens.get(one, 0) for one in each) <= self._limits.tokens}

    def _find_components(
        self, edges: Mapping[TypeId, Sequence[TypeId]]
    ) -> list[tuple[tuple[TypeId, ...], dict[TypeId, list[TypeId]]]]:
        """The strongly connected components of two and more, each with the edges inside it."""
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
        """How strongly two types are tied, in either direction: surfaces before bodies, then how often they do."""
        both = [self._targets[source].get(target), self._targets[target].get(source)]
        ties = [tie for tie in both if tie is not None]
        return any(tie.structural for tie in ties), sum(max(tie.count, 1) for tie in ties)


def name_group(types: Iterable[TypeId]) -> str:
    """The id that a group of types is given when its note is first written."""
    return f"G_{digest('group', sorted(types))}"


def join_texts(notes: Sequence[Note]) -> tuple[str, ...] | None:
    """The texts of several notes as those of one, in the order given: nothing is left out.

    A single note's are as they are; of several, each text says of which types it speaks. None where there is no note.
    """
    if len(notes) < 2:  # noqa: PLR2004 - one is not several
        return notes[0].texts if notes else None
    texts = []
    for number, section in enumerate(Section):
        told = [_introduce(note, note.texts[number]) for note in notes if note.texts[number].strip()]
        end = "\n" if section.is_last else "\n\n"
        texts.append("\n" + "\n\n".join(told) + end if told else "\n")
    return tuple(texts)


def _introduce(note: Note, text: str) -> str:
    return f"About {', '.join(base.fqn for base in note.types)}:{text.rstrip()}"
