"""One readable snapshot per case file, under the top-level `snapshots/` folder."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

ROOT = Path(__file__).parents[2]


class CaseSnapshot(SingleFileSnapshotExtension):
    """Writes text to `snapshots/csharp/<case>.txt`; the case is the name given to the assertion."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    @classmethod
    def dirname(cls, **_: object) -> str:
        return str(ROOT / "snapshots" / "csharp")

    @classmethod
    def get_snapshot_name(cls, *, index: object = 0, **_: object) -> str:
        return str(index)


@pytest.fixture
def case_snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compare with `case_snapshot(name="case")`."""
    return snapshot.use_extension(CaseSnapshot)
