"""The parts of a snapshot: written where they changed, and never of two runs together."""

import pytest

from codecortex.model.code.indexed import IndexedType
from codecortex.model.work import DONE, Work
from codecortex.operations.reading.snapshot import Snapshot, SnapshotLostError, load_snapshot, save_snapshot
from codecortex.store.cache.cache import open_cache

ROW = IndexedType("T_A", "N.A", "class", "P.csproj", "P.csproj", ("A.cs",), "A N")
FIRST = Snapshot("s", {"A.cs": "1|0"}, (ROW,), {"P.csproj": ()}, {"a.md": (1, 2, 3)}, {"a.md": "b"}, {}, "flat")


@pytest.fixture
def cache(tmp_path):
    with open_cache(tmp_path, warn=pytest.fail) as opened:
        save_snapshot(opened, "refresh/x", FIRST)
        yield opened


def test_a_snapshot_comes_back_as_it_was_saved(cache):
    assert load_snapshot(cache, "refresh/x")._replace(stored=None) == FIRST


def test_parts_that_did_not_change_are_not_written_again(cache):
    loaded = load_snapshot(cache, "refresh/x")
    before = DONE[Work.ROWS_WRITTEN]
    save_snapshot(cache, "refresh/x", loaded._replace(blobs={"a.md": "c"}))
    assert DONE[Work.ROWS_WRITTEN] - before == 2  # the head, and the blobs
    assert load_snapshot(cache, "refresh/x")._replace(stored=None) == FIRST._replace(blobs={"a.md": "c"})


def test_the_head_tells_which_sources_changed(cache):
    before = DONE[Work.ROWS_WRITTEN]
    for states in ({"A.cs": "2|0"}, {"A.cs": "2|0", "B.cs": "3|0"}, {"B.cs": "3|0"}, {"A.cs": "1|0"}, {}):
        save_snapshot(cache, "refresh/x", load_snapshot(cache, "refresh/x")._replace(states=states))
        assert load_snapshot(cache, "refresh/x").states == states
    assert DONE[Work.ROWS_WRITTEN] - before == 5


def test_many_sources_that_changed_are_written_as_a_part(cache):
    states = {f"{number}.cs": "1|0" for number in range(1000)}
    save_snapshot(cache, "refresh/x", load_snapshot(cache, "refresh/x")._replace(states=states))
    before = DONE[Work.ROWS_WRITTEN]
    save_snapshot(cache, "refresh/x", load_snapshot(cache, "refresh/x")._replace(states={**states, "A.cs": "2|0"}))
    assert DONE[Work.ROWS_WRITTEN] - before == 1
    assert load_snapshot(cache, "refresh/x").states == {**states, "A.cs": "2|0"}


@pytest.mark.parametrize("part", ["rows", "stamps", "blobs"])
def test_a_part_that_was_left_unread_is_read_when_asked_for(cache, part):
    before = DONE[Work.ROWS_READ]
    loaded = load_snapshot(cache, "refresh/x", piecemeal=True)
    assert DONE[Work.ROWS_READ] - before == 2  # the head, and the states
    assert getattr(loaded, part) == getattr(FIRST, part)
    assert DONE[Work.ROWS_READ] - before == 3


@pytest.mark.parametrize("part", ["rows", "stamps", "blobs"])
def test_a_part_that_was_replaced_meanwhile_is_lost(cache, part):
    loaded = load_snapshot(cache, "refresh/x", piecemeal=True)
    save_snapshot(cache, "refresh/x", FIRST)
    with pytest.raises(SnapshotLostError):
        list(getattr(loaded, part))


def test_a_snapshot_under_another_name_is_written_whole(cache):
    save_snapshot(cache, "commit/x", load_snapshot(cache, "refresh/x"))
    assert load_snapshot(cache, "commit/x")._replace(stored=None) == FIRST


def test_parts_of_two_runs_are_no_snapshot(cache):
    ours, theirs = load_snapshot(cache, "refresh/x"), load_snapshot(cache, "refresh/x")
    save_snapshot(cache, "refresh/x", theirs._replace(rows=(ROW._replace(names="B"),)))
    save_snapshot(cache, "refresh/x", ours._replace(states={"A.cs": "2|0"}))
    assert load_snapshot(cache, "refresh/x") is None
    with pytest.raises(SnapshotLostError):
        list(load_snapshot(cache, "refresh/x", piecemeal=True).rows)
