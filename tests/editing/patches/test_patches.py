"""Patches read from three forms and applied to texts; what does not apply is named, with what comes nearest."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.editing.drafts import Draft, Form
from codecortex.editing.patches.applying import apply_stages
from codecortex.editing.patches.choosing import choose_place
from codecortex.editing.patches.reading import read_patch
from codecortex.editing.patches.values import PatchError

TEXT = "one\ntwo\nthree\nfour\n"


def locate_nothing(*_):
    return "nothing is located here"


def apply(patch, **files):
    """The texts after a patch, by path, `a__b` being `a.b`; and what does not apply."""
    data = patch.encode() if isinstance(patch, str) else patch
    stages = read_patch(data)
    named = {path: None for stage in stages for part in stage for path in (part.old, part.new) if path}
    texts = {name.replace("__", "."): Draft(text) for name, text in files.items()}
    done = apply_stages(stages, {**named, **texts}, locate_nothing)
    return {path: draft and draft.raw for path, draft in done.texts.items()}, done.failures


def diff(body, path="a.txt"):
    return f"--- a/{path}\n+++ b/{path}\n{body}"


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "- x", "+ y", " z", "@@ q", "-- ", "\\ r"]), max_size=9)


@given(LINES, LINES, st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_a_diff_of_two_texts_leads_from_one_to_the_other(one, other, closed, end):
    before, after = (end.join(lines) + (end if closed or not lines else "") for lines in (one, other))
    if before == after:
        return
    made = write_diff(before, after)
    texts, failures = apply(made, a__txt=before)
    assert failures == ()
    assert texts == {"a.txt": after}


def write_diff(before, after):
    """One hunk that removes and adds all lines but those that both begin with, as git writes it."""

    def cut(text):
        lines = text.split("\n")
        return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])

    old, new = cut(before), cut(after)
    same = next((at for at, (x, y) in enumerate(zip(old, new, strict=False)) if x != y), min(len(old), len(new)))
    rows = [(" ", line) for line in old[:same]] + [("-", line) for line in old[same:]]
    rows += [("+", line) for line in new[same:]]
    text = "".join(
        f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"
        for sign, line in rows
    )
    first, start = (1 if old else 0), (1 if new else 0)
    return diff(f"@@ -{first},{len(old)} +{start},{len(new)} @@\n{text}")


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("@@ -2,2 +2,2 @@\n two\n-three\n+3\n", "one\ntwo\n3\nfour\n"),
        ("@@ -9,2 +9,2 @@\n two\n-three\n+3\n", "one\ntwo\n3\nfour\n"),
        ("@@\n two\n-three\n+3\n", "one\ntwo\n3\nfour\n"),
        ("@@ -2,7 +2,9 @@\n two\n-three\n+3\n", "one\ntwo\n3\nfour\n"),
        ("@@ -1 +1,2 @@\n one\n+1\n@@ -4 +5 @@\n-four\n+4\n", "one\n1\ntwo\nthree\n4\n"),
        ("@@ -4 +4,2 @@\n four\n+five\n-- \n2.40\n", "one\ntwo\nthree\nfour\nfive\n"),
        ("@@ -2,2 +2,2 @@\r\n two\r\n-three\r\n+3\r\n", "one\ntwo\n3\nfour\n"),
    ],
)
def test_a_hunk_is_found_where_its_lines_stand(body, after):
    assert apply(diff(body), a__txt=TEXT) == ({"a.txt": after}, ())


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("@@ -1,2 +1,2 @@\n one\n-twO\n+2\n", "Where most of them stand, line 2 is not 'twO'."),
        ("@@ -1 +1 @@\n-nine\n+9\n", "Its lines stand nowhere in the file."),
        ("@@ -2,0 +3 @@\n+new\n", "nothing tells its place"),
    ],
)
def test_a_hunk_that_stands_nowhere_is_named_with_its_line(body, reason):
    texts, (failure,) = apply(diff(body), a__txt=TEXT)
    assert texts == {"a.txt": TEXT}
    assert (failure.file, failure.line, failure.what) == ("a.txt", 3, "hunk")
    assert reason in failure.reason


def test_a_hunk_that_stands_in_several_places_is_not_guessed_at():
    text = "x\na\nx\nb\nx\n"
    _, (failure,) = apply(diff("@@ -9 +9 @@\n-x\n+y\n"), a__txt=text)
    assert "3 places, on line 1, 3, 5" in failure.reason
    assert apply(diff("@@ -3 +3 @@\n-x\n+y\n"), a__txt=text)[0] == {"a.txt": "x\na\ny\nb\nx\n"}


@pytest.mark.parametrize(
    "patch",
    [
        diff("@@ -9 +9 @@\n-x\n+y\n"),
        "*** Begin Patch\n*** Update File: a.txt\n-x\n+y\n*** End Patch\n",
        json.dumps([{"file": "a.txt", "old": "x", "new": "y"}]),
    ],
)
def test_of_several_places_one_can_be_chosen(patch):
    stages, texts = read_patch(patch.encode()), {"a.txt": Draft("x\na\nx\nb\nx\n")}
    (failure,) = apply_stages(stages, texts, locate_nothing).failures
    assert failure.places == ((1, "x"), (3, "x"), (5, "x"))
    after = apply_stages(choose_place(stages, failure, 1), texts, locate_nothing)
    assert (after.texts["a.txt"].raw, after.failures) == ("x\na\ny\nb\nx\n", ())
    (failure,) = apply_stages(choose_place(stages, failure, 9), texts, locate_nothing).failures
    assert len(failure.places) == 3


def test_every_part_that_does_not_apply_is_named():
    patch = diff("@@ -1 +1 @@\n-1\n+x\n@@ -2 +2 @@\n-two\n+2\n@@ -3 +3 @@\n-3\n+y\n") + diff("@@ -1 +1 @@\n-q\n", "b")
    _, failures = apply(patch, a__txt=TEXT)
    assert [(each.file, each.line) for each in failures] == [("a.txt", 3), ("a.txt", 9), ("b", 12)]


def test_what_differs_in_the_nearest_line_is_told():
    _, (failure,) = apply(diff("@@ -1,3 +1,3 @@\n one\n-  TWO\n+2\n three\n"), a__txt=TEXT)
    (near,) = failure.nearest
    assert (near.line, near.preview, [*near.differs]) == (2, "two", ["white space", "case"])


GIT = """diff --git a/old.txt b/new.txt
similarity index 80%
rename from old.txt
rename to new.txt
index 111..222 100644
--- a/old.txt
+++ b/new.txt
@@ -1,2 +1,2 @@
 one
-two
+2
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
index 111..000
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git "a/\\303\\251 \\"x\\".txt" "b/\\303\\251 \\"x\\".txt"
new file mode 100755
index 000..111
--- /dev/null
+++ "b/\\303\\251 \\"x\\".txt"
@@ -0,0 +1 @@
+made
\\ No newline at end of file
diff --git a/empty one b/empty one
new file mode 100644
index 000..000
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
"""


def test_what_git_says_of_files_is_read():
    stages = read_patch(GIT.encode())
    texts = {"old.txt": "one\ntwo\n", "gone.txt": "gone\n", "run.sh": "x"}
    known = {path: None for part in stages[0] for path in (part.old, part.new) if path}
    done = apply_stages(stages, {**known, **{path: Draft(text) for path, text in texts.items()}}, None)
    assert done.failures == ()
    assert done.texts == {
        "old.txt": None,
        "new.txt": Draft("one\n2\n"),
        "gone.txt": None,
        'é "x".txt': Draft("made", executable=True),
        "empty one": Draft(),
        "run.sh": Draft("x", executable=True),
    }


def test_two_files_that_take_each_others_names_keep_their_texts():
    patch = "".join(
        f"diff --git a/{one} b/{two}\nsimilarity index 100%\nrename from {one}\nrename to {two}\n"
        for one, two in (("a", "b"), ("b", "a"))
    )
    assert apply(patch, a="1", b="2") == ({"a": "2", "b": "1"}, ())


def test_a_copy_is_made_of_the_text_before():
    patch = diff("@@ -1 +1 @@\n-1\n+2\n", "a") + "diff --git a/a b/c\ncopy from a\ncopy to c\n"
    assert apply(patch, a="1\n") == ({"a": "2\n", "c": "1\n"}, ())


def test_a_series_is_applied_one_commit_after_the_other():
    head = f"From {'0' * 40} Mon Sep 17 00:00:00 2001\nSubject: x\n\n---\n a | 2 +-\n\n"
    commit = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-{}\n+{}\n-- \n2.40\n\n"
    patch = "".join(head + commit.format(one, one + 1) for one in (1, 2, 3))
    assert apply(patch, a="1\n") == ({"a": "4\n"}, ())


@pytest.mark.parametrize(
    ("patch", "reason"),
    [
        ("diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n", "is a symbolic link"),
        ("diff --git a/x b/x\nindex 1..2 160000\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-y\n+z\n", "is a submodule"),
        ("diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n", "is binary"),
        ("diff --git a/no b/no\nold mode 100644\nnew mode 100755\n", "There is no file no."),
        ("*** Begin Patch\n*** Add File: x\n+y\n*** End Patch\n", "There is a file x already."),
        ("diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "says more"),
    ],
)
def test_what_no_text_can_be_made_of_is_refused(patch, reason):
    texts, (failure,) = apply(patch, x="x\ny\n")
    assert reason in failure.reason
    assert texts["x"] == "x\ny\n"


BLOCK = """*** Begin Patch
*** Update File: a.txt
@@ two
-three
+3
*** Update File: b.txt
*** Move to: c.txt
 x
+y
*** End of File
*** Add File: d.txt
+one
+
*** Delete File: e.txt
*** End Patch
"""


@pytest.mark.parametrize("wrap", ["{}", "```\n{}```\n", "I change this:\n\n{}\nDone."])
def test_a_block_says_where_its_lines_are_by_what_stands_around(wrap):
    texts, failures = apply(wrap.format(BLOCK), a__txt="three\n" + TEXT, b__txt="x\n1\nx", e__txt="e")
    assert failures == ()
    assert texts == {
        "a.txt": "three\none\ntwo\n3\nfour\n", "b.txt": None, "c.txt": "x\n1\nx\ny", "d.txt": "one\n\n", "e.txt": None,
    }  # fmt: skip


def test_replacements_are_made_one_after_the_other():
    items = [{"file": "a.txt", "old": "one", "new": "1"}, {"file": "a.txt", "old": "1\ntwo", "new": "x"}]
    assert apply(json.dumps(items), a__txt=TEXT) == ({"a.txt": "x\nthree\nfour\n"}, ())
    items += [{"file": "a.txt", "old": "e", "new": ""}, {"file": "a.txt", "old": "Four", "new": ""}]
    _, failures = apply(json.dumps(items), a__txt=TEXT)
    assert [(each.line, each.reason) for each in failures] == [
        (3, "2 passages match, on line 2, 2."),
        (4, "No passage matches."),
    ]
    assert [*failures[1].nearest[0].differs] == ["case"]


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("", "no unified diff"),
        ("hello\n", "no unified diff"),
        ("@@ -1 +1 @@\n-a\n+b\n", "Line 1: no file is named before this hunk."),
        (diff("@@@ -1 -1 +1 @@@\n"), "Line 3 is of a merge"),
        (diff("@@ -1 +1 @@\n"), "Line 3: the hunk has no lines."),
        ("*** Begin Patch\n*** Update File: a\n-x\n", "no line '*** End Patch'"),
        ("*** Begin Patch\nx\n*** End Patch\n", "Line 2: expected"),
        ("*** Begin Patch\n*** Update File: a\nx\n*** End Patch\n", "Line 3: expected a line that begins"),
        ("*** Begin Patch\n*** Add File: a\nx\n*** End Patch\n", "Line 3: each line of a file that is added"),
        ("[", "Line 1 is no JSON"),
        ("[]", "is empty"),
        ("[1]", "Item 1 is no object"),
        ('[{"file": "a", "old": "x"}]', "Item 1 has no 'new'."),
        ('[{"file": "a", "old": "x", "new": 3}]', "'new' is no text"),
        ('[{"file": "a", "old": "", "new": ""}]', "is empty"),
        ('[{"file": "a", "old": "x", "new": "", "on": ""}]', "has 'on'"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_patch_is_refused_with_the_line(patch, message):
    with pytest.raises(PatchError, match=message.replace("*", "[*]").replace(".", "[.]")):
        read_patch(patch.encode())


@pytest.mark.parametrize(
    ("form", "end"),
    [
        (Form(), "\r\n"),
        (Form("cp1252"), "\n"),
        (Form("utf-16-le", b"\xff\xfe"), "\r\n"),
        (Form("utf-8", b"\xef\xbb\xbf"), "\n"),
    ],
)
def test_a_patch_in_utf_8_fits_a_file_in_another_form_which_keeps_it(form, end):
    before = Draft(end.join(["één", "twee", "drie", ""]), form)
    stages = read_patch(diff("@@ -1,3 +1,3 @@\n één\n-twee\n+twéé\n drie\n").encode())
    done = apply_stages(stages, {"a.txt": before}, None)
    assert done == ({"a.txt": Draft(end.join(["één", "twéé", "drie", ""]), form)}, ())


def test_bytes_of_the_file_decide_where_a_patch_has_them():
    stages = read_patch(diff("@@ -1,2 +1 @@\n-\ufeffone\r\n-é\n+é\r\n").encode().replace("é".encode(), b"\xe9"))
    before = Draft("one\r\né\n", Form("utf-8", b"\xef\xbb\xbf"))
    assert apply_stages(stages, {"a.txt": before}, None).failures  # which is no UTF-8
    stages = read_patch(diff("@@ -1,2 +1 @@\n-\ufeffone\r\n-two\n+one\r\n").encode())
    done = apply_stages(stages, {"a.txt": Draft("one\r\ntwo\n", Form("utf-8", b"\xef\xbb\xbf"))}, None)
    assert done == ({"a.txt": Draft("one\r\n")}, ())


def test_lines_that_stay_keep_their_line_ends():
    stages = read_patch(diff("@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n").encode())
    done = apply_stages(stages, {"a.txt": Draft("one\r\ntwo\r\nthree\n")}, None)
    assert done.texts == {"a.txt": Draft("one\r\n2\r\nthree\n")}
