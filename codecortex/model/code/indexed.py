"""One type as the index of a tree records it."""

from __future__ import annotations

from codecortex.model.startup.named_tuple import NamedTuple


class IndexedType(NamedTuple):
    """One type as recorded in the index.

    Attributes:
        id: Its TypeId.
        fqn: Its FQN.
        kind: Its kind.
        project: Path of its project.
        owner: What tells it from others of its FQN: the project, or the file of a file-local type.
        files: Paths that declare it, sorted as in the index.
        names: Every simple name that its links may depend on, separated by spaces.
    """

    id: str
    fqn: str
    kind: str
    project: str
    owner: str
    files: tuple[str, ...]
    names: str
