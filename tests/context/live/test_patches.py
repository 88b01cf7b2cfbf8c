"""A patch taken back from the second text gives the first: with a reader of its own here, and with git's."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.context.live.patches import compare_lines, make_patch, split_lines

HEAD = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
UNENDED = "\\ No newline at end of file"


def take_back(after, patch):
    """The text before a patch, given the text after it; every line that the patch tells of the latter is checked."""
    new, old, at = split_lines(after), [], 0
    lines = patch.split("\n") if patch else []
    for number, line in enumerate(lines):
        found = HEAD.fullmatch(line)
        if found:
            count = 1 if found[4] is None else int(found[4])
            start = int(found[3]) - (1 if count else 0)
            old += new[at:start]
            at = start
        elif line != UNENDED:
            unended = number + 1 < len(lines) and lines[number + 1] == UNENDED
            text = line[1:] + ("" if unended else "\n")
            if line[0] in "+ ":
                assert new[at] == text
                at += 1
            if line[0] in "- ":
                old.append(text)
    return "".join(old + new[at:])


texts = st.lists(
    st.sampled_from(["a\n", "b\n", "}\n", "\n", "\ta b\n", "@@ -1 +1 @@\n", "x\u2028y\n", "\x0c\n"]), max_size=40
)
ends = st.sampled_from(["", "a", "\\", "+"])


@given(texts, texts, st.tuples(texts, ends), st.tuples(texts, ends))
def test_taken_back_it_gives_the_first_text(head, tail, old, new):
    before, after = ("".join(head + middle + tail) + end for middle, end in (old, new))
    patch = make_patch(before, after)
    assert take_back(after, patch.text) == before
    assert (patch.text == "") == (before == after)
    assert bool(patch.first) == (before != after)
    assert patch.first <= patch.last <= max(1, len(split_lines(after)))


@given(texts, texts)
def test_the_lines_that_differ_are_the_fewest(old, new):
    changes = compare_lines(old, new)
    told = sum(each.last - each.first + each.new_last - each.new_first for each in changes)
    assert told == len(old) + len(new) - 2 * longest_common(old, new)


def longest_common(old, new):
    row = [0] * (len(new) + 1)
    for line in old:
        above = row[:]
        for at, other in enumerate(new):
            row[at + 1] = above[at] + 1 if line == other else max(above[at + 1], row[at])
    return row[-1]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "a\n"),
        ("a\n", ""),
        ("a", "a\n"),
        ("a\nb\nc\n", "a\nB\nc\n"),
        ("".join(f"{n}\n" for n in range(40)), "".join(f"{n}\n" for n in range(40) if n % 9)),
        ("".join(f"{n}\n" for n in range(2000)), "".join(f"-{n}\n" for n in range(2000))),
    ],
)
def test_git_takes_it_back_too(tmp_path, git, before, after):
    git(tmp_path, "init", "--quiet")
    (tmp_path / "f").write_bytes(after.encode())
    patch = f"--- a/f\n+++ b/f\n{make_patch(before, after).text}\n"
    git(tmp_path, "apply", "-R", "--whitespace=nowarn", "-", stdin=patch.encode())
    assert (tmp_path / "f").read_bytes() == before.encode()


def test_near_changes_share_a_hunk_and_far_ones_do_not():
    before = "".join(f"{n}\n" for n in range(30))
    near, far = before.replace("3\n", "x\n", 1).replace("\n10\n", "\ny\n"), before.replace("\n20\n", "\nz\n")
    assert make_patch(before, near).text.count("@@ -") == 1
    assert make_patch(before, far.replace("3\n", "x\n", 1)).text.count("@@ -") == 2
    assert make_patch(before, far) == ("@@ -18,7 +18,7 @@\n 17\n 18\n 19\n-20\n+z\n 21\n 22\n 23", 21, 21)
