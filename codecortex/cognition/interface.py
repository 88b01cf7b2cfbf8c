"""What the engine needs of a store. One that keeps nothing answers everything with nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from codecortex.model.cognition.records import Exported, Head, LineState, Name, Record, Saved
    from codecortex.model.cognition.table import RecordTable


class NodeStore(Protocol):
    """Where records and outputs are kept."""

    def load_head(self, line: str) -> Head | None:
        """The beginning of a line."""

    def load_state(self, line: str) -> LineState | None:
        """All else of a line but what was given to it; None where it is missing or damaged."""

    def load_given(self, line: str) -> Mapping[str, Mapping[str, str]] | None:
        """By space, the names and values that were given to a line when it was saved; None as above."""

    def find_ids(self, space: str, names: Collection[str]) -> dict[str, int]:
        """The numbers of those names of a space that are known."""

    def list_ids(self, space: str) -> dict[str, int]:
        """The numbers of all known names of a space."""

    def load_records(self, ids: Collection[int]) -> dict[int, Record]:
        """Records by number; what is damaged is left out."""

    def list_records(self, nodes: Collection[int]) -> dict[int, list[int]]:
        """By node, the numbers of its records, newest first."""

    def find_readers(self, names: Collection[int]) -> dict[int, Sequence[int]]:
        """By name, the nodes that have ever read it, all by number; names whose row is damaged are left out."""

    def names_of(self, numbers: Collection[int]) -> list[Name]:
        """Names by number."""

    def find_exports(self, names: Collection[int]) -> list[Exported]:
        """Who exports or has exported these names."""

    def list_exports(self, space: str) -> list[Exported]:
        """The same of all names of a space."""

    def load_outputs(self, digests: Collection[bytes]) -> dict[bytes, bytes]:
        """Outputs by digest; what is damaged is left out."""

    def name_all(self, records: Collection[Record]) -> None:
        """Have the names that some records read at hand; else each is looked up when it is first needed."""

    def save(self, saved: Saved) -> RecordTable | None:
        """Keep all of it, or nothing.

        Returns:
            The records that the nodes of the line have as it was kept; None where only the records were kept, because
            another process has moved the line on, or nothing.
        """
