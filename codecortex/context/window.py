"""Fills the prompt window from queues of types, within a budget, and reports what was left out.

A type is shown with its outline and the ROLE of its note, or if that does not fit, with its outline alone. The
remaining budget goes to the other sections of the notes, one section of all types after the other.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.model.notes import Section
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.types import TypeId

DEFAULT_TTL = "30m"
"""How long a type that is added to the Focus stays there."""

_RECENT_PERCENT = 15
_BATCH = 16
_GAP = "\n\n"


class WindowSection(StrEnum):
    """The sections of the window, in order; earlier ones get the budget first."""

    PINNED = "Pinned"
    FOCUS = "Focus"
    RECENT = "Recent"


class Reason(StrEnum):
    """Why a type is not in the window."""

    NO_ROOM = "noRoom"
    UNREADABLE = "unreadable"


class Block(NamedTuple):
    """The texts of a type for the window.

    Attributes:
        outline: Its outline.
        notes: The sections of its note that are not empty.
        remark: What a reader must know about the note, such as why it is stale; or empty.
    """

    outline: str
    notes: Mapping[Section, str]
    remark: str = ""


class WindowEntry(NamedTuple):
    """A type in the window, and the sections of its note that are shown."""

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
    """The text of the window, and the types shown and left out."""

    text: str
    kept: tuple[WindowEntry, ...]
    left_out: tuple[LeftOut, ...]


def compose_window(
    queues: Mapping[WindowSection, Sequence[TypeId]],
    load: Callable[[Sequence[TypeId]], Mapping[TypeId, Block]],
    budget: int,
) -> Window:
    """Fill the window.

    Of Pinned and Focus everything that fits is taken, in queue order. Recent starts only if a good part of the budget
    is left, and ends at the first type that does not fit.

    Args:
        queues: The types of each section, the most important first; a type in several sections is shown in the first.
        load: Returns the texts of types; types without texts are left out.
        budget: The most characters of the text.
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
    """The characters that a type needs with its outline and its ROLE."""
    return len(_write(block, _list_basics(block))) + len(_GAP)


class _WindowText:
    """The window being written; `room` is the remaining number of characters, a gap after every part included."""

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
        """Add what fits of a queue; texts are loaded in batches, only while there is room."""
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
        """Record that there was no room for these types."""
        self._left_out += [LeftOut(place, type_id, Reason.NO_ROOM) for type_id in queue]

    def enrich(self) -> None:
        """Spend the remaining room on further sections of the notes."""
        for section in Section:
            for type_id, (place, block, sections) in self._kept.items():
                more = (*sections, section)
                if more == tuple(each for each in Section if each in block.notes)[: len(more)]:  # no section is skipped
                    cost = len(_write(block, more)) - len(_write(block, sections))
                    if cost <= self.room:
                        self.room -= cost
                        self._kept[type_id] = (place, block, more)

    def finish(self) -> Window:
        """The finished window."""
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
    """A type's outline with its heading one level down, and some sections of its note."""
    parts = [f"#{block.outline}".rstrip("\n")]
    if sections and block.remark:
        parts.append(block.remark)
    parts += [f"{section}:\n{block.notes[section]}" for section in sections]
    return _GAP.join(parts)
