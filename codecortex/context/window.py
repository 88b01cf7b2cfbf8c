"""Queues of types, their texts and a budget in; the prompt window, never larger than that, and what it left out, out.

A type is there with its outline and the ROLE of its note, or where that does not fit with its outline alone. What room
is left when every type has had its turn goes to the other sections of the notes, one section of all types after the
other.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from codecortex.model.notes import Section

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.types import TypeId

DEFAULT_TTL = "30m"
"""How long a type that is added to the Focus stays there."""

PINNED_PERCENT = 60
"""Of the budget, beyond which nothing more is pinned."""

_RECENT_PERCENT = 15
_BATCH = 16
_GAP = "\n\n"


class WindowSection(StrEnum):
    """The sections of the window, in their order, which is that of their claims to the budget."""

    PINNED = "Pinned"
    FOCUS = "Focus"
    RECENT = "Recent"


class Reason(StrEnum):
    """Why a type is not in the window."""

    NO_ROOM = "noRoom"
    UNREADABLE = "unreadable"


class Block(NamedTuple):
    """What can be told of a type.

    Attributes:
        outline: Its outline.
        notes: The sections of its note that say something.
        remark: What a reader must know of the note, such as why it is stale; or empty.
    """

    outline: str
    notes: Mapping[Section, str]
    remark: str = ""


class WindowEntry(NamedTuple):
    """A type in the window, and what of its note is there."""

    place: WindowSection
    type_id: TypeId
    sections: tuple[Section, ...]
    text: str


class LeftOut(NamedTuple):
    """A type that is not in the window, and why."""

    place: WindowSection
    type_id: TypeId
    reason: Reason


class Window(NamedTuple):
    """The text, and what became of each type."""

    text: str
    kept: tuple[WindowEntry, ...]
    left_out: tuple[LeftOut, ...]


def compose_window(
    queues: Mapping[WindowSection, Sequence[TypeId]],
    load: Callable[[Sequence[TypeId]], Mapping[TypeId, Block]],
    budget: int,
) -> Window:
    """Fill the window.

    Pinned and Focus take what fits of them, the first in the queue first. Recent begins only where a good part of the
    budget is left, and ends with the first type that does not fit.

    Args:
        queues: The types of each section, the most wanted first; a type in several is told in the first of them.
        load: What can be told of some types; those of which nothing can are left out.
        budget: Characters that the text may take.
    """
    sheet = _WindowText(budget)
    told: set[TypeId] = set()
    for place in WindowSection:
        queue = [type_id for type_id in dict.fromkeys(queues.get(place, ())) if type_id not in told]
        told.update(queue)
        if place is WindowSection.RECENT and sheet.room * 100 < budget * _RECENT_PERCENT:
            sheet.leave_out(place, queue)
        else:
            sheet.fill(place, queue, load)
    sheet.enrich()
    return sheet.finish()


def measure_block(block: Block) -> int:
    """The characters that a type takes with its outline and its ROLE."""
    return len(_write(block, _list_basics(block))) + len(_GAP)


class _WindowText:
    """The window while it is written; `room` is what more fits, once a gap ends every part."""

    def __init__(self, budget: int) -> None:
        self.room = budget + 1  # the last line ends in one line feed, not in a gap
        self._kept: dict[TypeId, tuple[WindowSection, Block, tuple[Section, ...]]] = {}
        self._left_out: list[LeftOut] = []
        self._headed: set[WindowSection] = set()

    def fill(
        self,
        place: WindowSection,
        queue: Sequence[TypeId],
        load: Callable[[Sequence[TypeId]], Mapping[TypeId, Block]],
    ) -> None:
        """Add what fits of a queue; texts are loaded only as long as there is room for any."""
        for start in range(0, len(queue), _BATCH):
            batch = queue[start : start + _BATCH]
            if self.room <= len(_head(place)):
                self.leave_out(place, queue[start:])
                return
            blocks = load(batch)
            for number, type_id in enumerate(batch, start):
                block = blocks.get(type_id)
                if block is None:
                    self._left_out.append(LeftOut(place, type_id, Reason.UNREADABLE))
                elif self._add(place, type_id, block):
                    continue
                elif place is WindowSection.RECENT:
                    self.leave_out(place, queue[number:])
                    return
                else:
                    self.leave_out(place, [type_id])

    def leave_out(self, place: WindowSection, queue: Iterable[TypeId]) -> None:
        """Tell that there was no room for these."""
        self._left_out += [LeftOut(place, type_id, Reason.NO_ROOM) for type_id in queue]

    def enrich(self) -> None:
        """Give what room is left to the notes."""
        for section in Section:
            for type_id, (place, block, sections) in self._kept.items():
                more = (*sections, section)
                if more == tuple(each for each in Section if each in block.notes)[: len(more)]:  # none is passed over
                    cost = len(_write(block, more)) - len(_write(block, sections))
                    if cost <= self.room:
                        self.room -= cost
                        self._kept[type_id] = (place, block, more)

    def finish(self) -> Window:
        """The text as it is now."""
        kept = [
            WindowEntry(place, type_id, sections, _write(block, sections))
            for type_id, (place, block, sections) in self._kept.items()
        ]
        text = "".join(part + _GAP for part in _list_parts(kept))
        return Window(text[:-1], tuple(kept), tuple(self._left_out))

    def _add(self, place: WindowSection, type_id: TypeId, block: Block) -> bool:
        head = 0 if place in self._headed else len(_head(place)) + len(_GAP)
        for sections in (_list_basics(block), ()):
            cost = head + len(_write(block, sections)) + len(_GAP)
            if cost <= self.room:
                self.room -= cost
                self._headed.add(place)
                self._kept[type_id] = (place, block, sections)
                return True
        return False


def _list_parts(kept: Sequence[WindowEntry]) -> Iterator[str]:
    for place in WindowSection:
        texts = [each.text for each in kept if each.place is place]
        if texts:
            yield _head(place)
            yield from texts


def _head(place: WindowSection) -> str:
    return f"# {place}"


def _list_basics(block: Block) -> tuple[Section, ...]:
    return (Section.ROLE,) if Section.ROLE in block.notes else ()


def _write(block: Block, sections: Sequence[Section]) -> str:
    """A type's outline, its heading one level down, and some of its note."""
    parts = [f"#{block.outline}".rstrip("\n")]
    if sections and block.remark:
        parts.append(block.remark)
    parts += [f"{section}:\n{block.notes[section]}" for section in sections]
    return _GAP.join(parts)
