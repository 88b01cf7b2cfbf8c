"""Reads the texts of types for the prompt window, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.window import Block, measure_block
from codecortex.model.notes import SemanticState
from codecortex.model.text.visible import show_text
from codecortex.operations.packs.text import read_note_texts, read_outlines
from codecortex.operations.wording import mend_halves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.texts import NoteText


class Texts:
    """Texts of types, read on demand.

    Attributes:
        remarks: Why the note of a type is stale, by TypeId.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.remarks: dict[TypeId, str] = {}
        self._workspace = workspace
        self._blocks: dict[TypeId, Block | None] = {}
        self._told: set[str] = set()

    def load(self, type_ids: Sequence[TypeId]) -> Mapping[TypeId, Block]:
        """The texts of these types; a note that several share goes to the first of them."""
        new = [type_id for type_id in type_ids if type_id not in self._blocks]
        outlines = read_outlines(self._workspace, new) if new else {}
        notes = read_note_texts(self._workspace, list(outlines)) if outlines else {}
        for type_id in new:
            outline, note = outlines.get(type_id), notes.get(type_id)
            if note is not None and note.path in self._told:
                note = None
            self._blocks[type_id] = self._make(type_id, outline, note) if outline is not None else None
        return {type_id: block for type_id in type_ids if (block := self._blocks[type_id]) is not None}

    def measure(self, type_ids: Sequence[TypeId]) -> int:
        """Number of characters of these types: outlines, and roles from their notes."""
        return sum(measure_block(block) for block in self.load(type_ids).values())

    def _make(self, type_id: TypeId, outline: str, note: NoteText | None) -> Block:
        if note is None:
            return Block(outline, {})
        self._told.add(note.path)
        remark = ""
        if note.state is SemanticState.STALE:
            remark = self.remarks[type_id] = mend_halves(f"This note is {note.explain()}.")
        return Block(
            outline, {section: show_text(mend_halves(text)) for section, text in note.sections.items()}, remark
        )
