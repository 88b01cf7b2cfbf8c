"""Two sides of a text: both changes, or the hunks that exclude each other."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codecortex.git.repository import open_repository
from codecortex.git.sessions.merging import Hunk, merge_texts
from codecortex.model.errors import GitStateError

BASE = b"one\ntwo\nthree\nfour\nfive\n"


def test_changes_in_different_places_come_together(repo):
    merged = merge_texts(open_repository(repo), BASE, BASE.replace(b"one", b"1"), BASE.replace(b"five", b"5"))
    assert merged == b"1\ntwo\nthree\nfour\n5\n"


def test_the_same_change_on_both_sides_is_one(repo):
    changed = BASE.replace(b"three", b"3")
    assert merge_texts(open_repository(repo), BASE, changed, changed) == changed


def test_hunks_tell_both_sides_and_where(repo):
    ours = b"0\n" + BASE.replace(b"two", b"2").replace(b"five", b"5")
    theirs = BASE.replace(b"two", b"zwei").replace(b"five", b"funf")
    found = merge_texts(open_repository(repo), BASE, ours, theirs)
    assert found == (Hunk(3, b"2\n", b"zwei\n"), Hunk(6, b"5\n", b"funf\n"))


@pytest.mark.parametrize("mark", [b"<<<<<<< ours", b"=======", b">>>>>>> theirs", b"||||||| base"])
def test_marks_in_the_texts_are_text(repo, mark):
    base = BASE + mark + b"\n"
    merged = merge_texts(open_repository(repo), base, base.replace(b"one", b"1"), base)
    assert merged == base.replace(b"one", b"1")
    conflict = merge_texts(
        open_repository(repo), base, base.replace(mark, mark + b"1"), base.replace(mark, mark + b"2")
    )
    assert conflict == (Hunk(6, mark + b"1\n", mark + b"2\n"),)


def test_binary_files_are_refused(repo):
    with pytest.raises(GitStateError):
        merge_texts(open_repository(repo), b"\0a", b"\0b", b"\0c")


LINES = st.lists(st.sampled_from(["a", "b", "c"]), max_size=5).map(
    lambda lines: "".join(f"{x}\n" for x in lines).encode()
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(base=LINES, changed=LINES)
def test_one_side_alone_is_that_side(repo, base, changed):
    repository = open_repository(repo)
    assert merge_texts(repository, base, changed, base) == changed
    assert merge_texts(repository, base, base, changed) == changed
