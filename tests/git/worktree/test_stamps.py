"""The digest of stamps: the same from a look at the disk as from what a run knows that it wrote."""

import os

import pytest

from codecortex.git.worktree.stamps import StampDigest, exchange_stamps, stamp_files
from codecortex.git.worktree.writing import apply_writes

WATCHED = (("all",), ("index.json",))


def look(root):
    with StampDigest(root, *WATCHED) as lying:
        return lying.result()


@pytest.fixture
def root(tmp_path):
    apply_writes(tmp_path, {"all/a.md": b"a", "all/in/b.md": b"b", "all/c.md": b"c", "index.json": b"{}"})
    return tmp_path


def test_what_a_run_wrote_and_removed_gives_the_digest_that_a_look_gives(root):
    before, gone = look(root), stamp_files(root, ["all/in/b.md", "all/c.md", "index.json"])
    done = apply_writes(root, {"all/new/d.md": b"d", "all/c.md": b"C", "index.json": b"{ }"}, ["all/in/b.md"])
    assert exchange_stamps(before, gone, done.states) == look(root) != before


def test_a_file_that_somebody_touches_meanwhile_shows(root):
    before, gone = look(root), stamp_files(root, ["all/c.md"])
    done = apply_writes(root, {"all/c.md": b"C"})
    (root / "all/c.md").write_text("by hand")
    assert exchange_stamps(before, gone, done.states) != look(root)


def test_two_files_that_change_places_show(root):
    apply_writes(root, {f"all/{number}": b"%02d" % number for number in range(20)})
    for path in (root / "all").iterdir():
        os.utime(path, (1, 1))  # so that nothing but the inode tells them apart
    before = look(root)
    for number in range(0, 20, 2):
        first, second = root / f"all/{number}", root / f"all/{number + 1}"
        first.rename(root / "all/x")
        second.rename(first)
        (root / "all/x").rename(second)
        assert look(root) != before


def test_a_link_is_not_the_file_that_it_leads_to(root):
    (root / "all/a.md").rename(root / "elsewhere")
    before = look(root)
    (root / "all/a.md").symlink_to(root / "elsewhere")
    assert look(root) != before


def test_a_look_that_failed_stays_unknown():
    assert exchange_stamps("", {}, {"a": (1, 2, 3)}) == ""
