"""Types as stored, to be found by group and by number; made once for as long as a server's tree has the same types."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from codecortex.analysis.types.assemble import Group
from codecortex.operations.reading.type_table import TypeNames

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import TypeId

_MOST_KEPT = 4  # the catalog's and the graph's, before and after an edit


class StoredType(Protocol):
    """A type as stored."""

    @property
    def id(self) -> str:
        """Its TypeId."""

    @property
    def fqn(self) -> str:
        """Its full name."""

    @property
    def kind(self) -> str:
        """Its kind."""

    @property
    def project(self) -> str:
        """The path of its project."""

    @property
    def owner(self) -> str:
        """Its project, or its file if it is local to one."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files that declare it, sorted."""


class TypeRows:
    """All types of a tree as stored, sorted by id.

    Args:
        rows: They; nothing may change them.
    """

    def __init__(self, rows: Sequence[StoredType]) -> None:
        self.rows = rows
        self._names: TypeNames | None = None

    @cached_property
    def groups(self) -> Sequence[Group]:
        """The group of each type, in order."""
        return [Group(row.fqn, row.kind, row.project, row.owner) for row in self.rows]

    @cached_property
    def held(self) -> Mapping[Group, StoredType]:
        """The types by group."""
        return dict(zip(self.groups, self.rows, strict=True))

    @cached_property
    def nested(self) -> Mapping[tuple[str, str, str], Sequence[Group]]:
        """The nested types, by project, owner and the full name of the outermost type around them."""
        found: dict[tuple[str, str, str], list[Group]] = {}
        for group in self.groups:
            outermost, sign, _ = group.fqn.partition("+")
            if sign:
                found.setdefault((group.project, group.owner, outermost), []).append(group)
        return found

    @cached_property
    def records(self) -> Sequence[tuple[Group, StoredType]]:
        """The classes among them that are records."""
        return [(group, row) for group, row in zip(self.groups, self.rows, strict=True) if group.kind == "record"]

    @cached_property
    def numbers(self) -> Mapping[Group, int]:
        """The place of each group."""
        return {group: number for number, group in enumerate(self.groups)}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each TypeId."""
        return {row.id: number for number, row in enumerate(self.rows)}

    @cached_property
    def ids(self) -> dict[Group, TypeId]:
        """The TypeId of each group."""
        return {group: row.id for group, row in zip(self.groups, self.rows, strict=True)}  # type: ignore[misc]

    @cached_property
    def files(self) -> dict[Group, frozenset[str]]:
        """The files that declare each group."""
        return {group: frozenset(row.files) for group, row in zip(self.groups, self.rows, strict=True)}

    @cached_property
    def fqns(self) -> Mapping[TypeId, str]:
        """The full name of each TypeId."""
        return {row.id: row.fqn for row in self.rows}  # type: ignore[misc]

    def name_all(self, projects: tuple[Project, ...]) -> TypeNames:
        """What is made of the types and of these projects."""
        if self._names is None or self._names.projects is not projects:
            self._names = TypeNames(self.ids, projects)
        return self._names


_kept: list[TypeRows] = []


def index_rows(rows: Sequence[StoredType]) -> TypeRows:
    """The types to be found: as made before for the very same rows, or anew."""
    for each in _kept:
        if each.rows is rows:
            return each
    made = TypeRows(rows)
    _kept.insert(0, made)
    del _kept[_MOST_KEPT:]
    return made
