"""Builds notes with headers (fingerprints, dependencies) that match the workspace's tree.

Only files whose fingerprints are not in the local cache are parsed, of the types and their dependencies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.notes import Base, Dependency, Note, hash_body
from codecortex.operations.catalog.fingerprints import read_prints
from codecortex.operations.notes.texts import list_needed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.types.fingerprints import Fingerprints
    from codecortex.model.code.types import TypeId
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


def make_base(type_id: TypeId, fqn: str, own: Fingerprints) -> Base:
    """The fingerprints of a type as a header holds them."""
    return Base(type_id, fqn, own.structure, own.impl, own.public_impl, own.internal_impl, own.xml_doc)
