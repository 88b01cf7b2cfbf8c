"""Two texts as a patch that git reads."""

import pytest

from codecortex.git.repository import open_repository
from codecortex.git.sessions.differences import diff_texts


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("one\ntwo\n", "one\n2\n"),
        ("one", "one\n"),
        ("", "one\n"),
        (None, "@@ -1 +1 @@\n--- a\n"),
        ("é\x00\n", "ü\n"),
    ],
)
def test_the_patch_turns_one_text_into_the_other(repo, git, before, after):
    patch = diff_texts(open_repository(repo), before, after, "notes.txt")
    (repo / "notes.txt").unlink()
    if before is not None:
        (repo / "notes.txt").write_text(before, "utf-8")
    git(repo, "apply", "-", stdin=patch.encode())
    assert (repo / "notes.txt").read_text("utf-8") == after


def test_what_is_the_same_has_no_patch(repo):
    assert diff_texts(open_repository(repo), "one\n", "one\n", "notes.txt") == ""
