"""Builds notes with headers (fingerprints, dependencies) that match the workspace's tree.

Only files whose fingerprints are not in the local cache are parsed, of the types and their dependencies; and those of
types whose notes have lines on members.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.members import join_lines, list_members
from codecortex.model.notes import Base, Dependency, Note, hash_body
from codecortex.operations.catalog.describe import read_types
from codecortex.operations.catalog.fingerprints import read_prints
from codecortex.operations.notes.texts import list_needed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.analysis.notes.members import MemberStates
    from codecortex.analysis.types.fingerprints import Fingerprints
    from codecortex.model.code.types import TypeId
    from codecortex.model.notes import MemberLine
    from codecortex.operations.catalog.workspace import Workspace


class NoteHeaders:
    """Builds notes; reads the fingerprints of all of them at once.

    Args:
        workspace: The tree.
        notes: The types of each note that will be built.
    """

    def __init__(self, workspace: Workspace, notes: Iterable[Sequence[TypeId]]) -> None:
        self._workspace = workspace
        self._needed = {tuple(types): list_needed(workspace, types) for types in notes}
        wanted = {each for needed in self._needed.values() for each in needed}
        self._prints = read_prints(workspace, wanted.union(*self._needed))

    def make_note(self, owner: str, types: Sequence[TypeId], generator: str, texts: tuple[str, ...]) -> Note | None:
        """A note with a fresh body hash; None if the sources of one of its types cannot be read.

        Args:
            owner: The TypeId, or the id of the group.
            types: The types of the note, as passed to the constructor.
            generator: Who wrote the texts.
            texts: The five section texts, as in `Note.texts`.
        """
        if any(each not in self._prints for each in types):
            return None
        known = self._workspace.catalog.by_id
        bases = tuple(make_base(each, known[each].fqn, self._prints[each]) for each in sorted(types))
        needed = (each for each in self._needed[tuple(types)] if each in self._prints)
        dependencies = tuple(Dependency(each, self._prints[each].structure) for each in needed)
        return Note(owner, bases, dependencies, generator, hash_body(texts), texts)

    def add_lines(
        self, note: Note, before: Iterable[MemberLine], given: Mapping[str, str], *, by_hand: bool = False
    ) -> Note:
        """The note with its lines on members, as `join_lines` has them."""
        before, asked = tuple(before), self._workspace.tree.config.semantics.members
        states = read_members(self._workspace, [base.type_id for base in note.types]) if asked or before else None
        if states is None:
            return note
        lines = join_lines(before, given, states, asked=asked, by_hand=by_hand)
        return note._replace(members=lines, rest=states.rest) if lines else note


def read_members(workspace: Workspace, types: Sequence[TypeId]) -> MemberStates | None:
    """The members of the types of a note that may have a line; None if the sources of one cannot be read."""
    found = read_types(workspace, types)
    return list_members([found[each] for each in types]) if len(found) == len(types) else None


def make_base(type_id: TypeId, fqn: str, own: Fingerprints) -> Base:
    """The fingerprints of a type as a header holds them."""
    return Base(type_id, fqn, own.structure, own.impl, own.public_impl, own.internal_impl, own.xml_doc)
