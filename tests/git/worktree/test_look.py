"""One look at a work tree serves its listing and a digest: both are what they are when git is asked for each alone."""

import os
import time

import pytest

from codecortex.git.listing import list_worktree
from codecortex.git.repository import open_repository
from codecortex.git.worktree import folder_counts
from codecortex.git.worktree import look as look_module
from codecortex.git.worktree.folder_digest import FolderDigest
from codecortex.git.worktree.look import KnownIndex, Look
from codecortex.git.worktree.records import cut, drop_outlines
from codecortex.model.work import DONE, Work

CS = (".cs", ".md")
TICK = 0.05
"""Seconds in which the clock of a file system goes on."""
WATCHED = ((".codecortex/types", ".codecortex/semantic"), (".codecortex/index.json",))
ODD = [
    "a.cs",
    ".codecortex/types/00/T_1.outline.md",
    ".codecortex/types/T_2.outline.md",
    ".codecortex/types/other.cs",
    ".codecortex/types-not/a.cs",
    ".codecortex/types\tx/a.cs",
    "x\t.codecortex/types/y.cs",
    ".codecortex/index.json",
    ".codecortex/semantic/n.md",
    "z/.codecortex/types/T_3.outline.md",
]


@pytest.fixture
def root(repo, git):
    for path in ODD:
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(f"{path}\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "all")
    return repo


def edit_source(root, _):
    (root / "a.cs").write_text("class A2;\n")


def edit_generated(root, _):
    (root / ODD[1]).write_text("other\n")


def remove_generated(root, _):
    (root / ODD[1]).unlink()


def add_untracked(root, _):
    (root / ".codecortex/types/new.md").write_text("new\n")


def stage(root, git):
    edit_source(root, git)
    git(root, "add", "a.cs")


def assume(root, git):
    git(root, "update-index", "--assume-unchanged", "a.cs", ODD[1])
    edit_source(root, git)
    edit_generated(root, git)


def skip(root, git):
    git(root, "update-index", "--skip-worktree", "a.cs", ODD[2])
    (root / "a.cs").unlink()
    (root / ODD[2]).unlink()


def conflict(root, git):
    blob = git(root, "hash-object", "-w", "a.cs").strip()
    git(root, "rm", "-q", "--cached", "a.cs")
    rows = "".join(f"100644 {blob} {stage}\ta.cs\n" for stage in (1, 2, 3))
    git(root, "update-index", "--index-info", stdin=rows.encode())


def nothing(_, __):
    pass


def intend(root, git):
    add_untracked(root, git)
    git(root, "add", "-N", ".")


EDITS = [intend, nothing, edit_source, edit_generated, remove_generated, add_untracked, stage, assume, skip, conflict]


@pytest.mark.parametrize("edit", EDITS)
def test_a_look_tells_what_git_tells_each_time(root, git, edit):
    edit(root, git)
    repository = open_repository(root)
    with Look(repository, *WATCHED) as look:
        assert list_worktree(repository, (".cs",), known=look) == list_worktree(repository, (".cs",))
        assert list_worktree(repository, CS, known=look) == list_worktree(repository, CS)
        plain = FolderDigest(repository, *WATCHED).result()
        with FolderDigest(repository, *WATCHED, look) as digest:
            assert digest.result() == plain
        assert bool(digest.index_total) == (edit not in (assume, skip))
        known = KnownIndex(look.digest, (".cs",), look.take_clean((".cs",)), digest.index_total, digest.index_number)
        assert look.looks_at_all == (edit not in (assume, skip, conflict))
        assert look.finds_nothing == (edit in (nothing, stage, skip, assume))
    if not known.total:
        return
    with Look(repository, *WATCHED) as again:
        again.recall(known._replace(digest="another"))
        assert again.known is None
        again.recall(known)
        assert list_worktree(repository, (".cs",), known=again) == list_worktree(repository, (".cs",))
        assert FolderDigest(repository, *WATCHED, again).result() == plain


def put_one_for_another(root, _):
    (root / ODD[1]).unlink()
    (root / ".codecortex/types/00/new.md").write_text("new\n")


def put_a_folder_there(root, _):
    (root / ODD[1]).unlink()
    (root / ODD[1]).mkdir()
    (root / ODD[1] / "x").write_text("x\n")


def put_a_link_there(root, _):
    (root / ODD[1]).unlink()
    (root / ODD[1]).symlink_to("nowhere")


def add_a_folder(root, _):
    (root / ".codecortex/semantic/a/b").mkdir(parents=True)
    (root / ".codecortex/semantic/a/b/new.md").write_text("new\n")


def add_elsewhere(root, _):
    (root / ".codecortex/types-not/new.md").write_text("new\n")


def remove_alone(root, _):
    (root / ".codecortex/index.json").unlink()


def remove_a_folder(root, _):
    (root / ".codecortex/semantic/n.md").unlink()
    (root / ".codecortex/semantic").rmdir()


def add_an_empty_folder(root, _):
    (root / ".codecortex/types/empty").mkdir()


def ignore(root, _):
    add_untracked(root, _)
    (root / ".git/info/exclude").write_text("new.md\n")


def learn_index(repository):
    with Look(repository, *WATCHED) as look, FolderDigest(repository, *WATCHED, look) as digest:
        digest.result()
        total, number = digest.index_total, digest.index_number
        return KnownIndex(look.digest, (".cs",), look.take_clean((".cs",)), total, number)


@pytest.mark.parametrize(
    "edit",
    [
        nothing, edit_generated, remove_generated, add_untracked, put_one_for_another, put_a_folder_there,
        put_a_link_there, add_a_folder, add_elsewhere, remove_alone, remove_a_folder, add_an_empty_folder, ignore,
    ],
)  # fmt: skip
@pytest.mark.parametrize("counted", [False, True])
def test_untracked_files_are_found_by_counting_where_the_index_is_known(root, git, edit, counted, monkeypatch):
    monkeypatch.setattr(folder_counts, "SETTLED", 0)
    monkeypatch.setattr(look_module, "_FEW", 0)
    time.sleep(TICK)  # what was made is older than what is edited
    repository = open_repository(root)
    known = learn_index(repository)
    assert known.number == 5
    with Look(repository, *WATCHED) as look:
        look.recall(known)
        assert (look.finds_nothing, len(look.counted.folders)) == (True, 3)
        told = look.counted
    edit(root, git)
    with Look(repository, *WATCHED) as plain, Look(repository, *WATCHED) as counting:
        counting.recall(known)
        if counted:
            counting.recall_counted(told)
        assert counting.untracked == plain.untracked
        assert counting.finds_nothing == plain.finds_nothing
        assert counting.counted.some == (plain.untracked != b"")


def test_an_index_that_was_replaced_tells_nothing_of_what_was_counted(root, git):
    add_untracked(root, git)
    git(root, "add", "-A")
    repository = open_repository(root)
    known = learn_index(repository)
    with Look(repository, *WATCHED) as look:
        look.recall(known)
        git(root, "rm", "-q", "--cached", ".codecortex/types/new.md")
        assert look.untracked == b".codecortex/types/new.md\0"


@pytest.mark.parametrize("twins", [("x", "X"), ("n\u0303", "\u00f1"), ("\u00f1", "N\u0303")])
def test_an_index_with_names_that_are_one_elsewhere_is_not_learnt(root, git, twins):
    """There as many files as it has could lie with a stray one among them."""
    assert learn_index(open_repository(root)).total
    blob = git(root, "hash-object", "-w", ODD[0])
    for name in twins:
        git(root, "update-index", "--add", "--cacheinfo", f"100644,{blob},.codecortex/semantic/{name}.md")
        git(root, "checkout-index", "-qfa")
        assert bool(learn_index(open_repository(root)).total) == (name == twins[0])


def test_what_costs_little_to_count_again_is_not_remembered(root, git, monkeypatch):
    monkeypatch.setattr(folder_counts, "SETTLED", 0)
    repository = open_repository(root)
    for number in range(2000):
        (root / f".codecortex/types/{number}.md").write_text("")
        if number in (0, 1999):
            git(root, "add", "-A")
            time.sleep(TICK)
            known = learn_index(repository)
            with Look(repository, *WATCHED) as look:
                look.recall(known)
                assert (look.untracked, bool(look.counted.folders)) == (b"", number > 0)


def test_a_folder_is_counted_again_once_it_was_touched(tmp_path, monkeypatch):
    """Or while it may be touched again without any change of its times."""
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    (inside / "x").write_text("")
    number, counts = folder_counts.count_files(tmp_path, ["a", "missing"], ["a", "x"], {})
    assert (number, counts) == (2, {})
    monkeypatch.setattr(folder_counts, "SETTLED", 0)
    time.sleep(TICK)
    number, counts = folder_counts.count_files(tmp_path, ["a"], [], {})
    assert (number, {*counts}) == (1, {"a", "a/b"})
    wrong = {folder: count._replace(files=10) for folder, count in counts.items()}
    assert folder_counts.count_files(tmp_path, ["a"], [], wrong)[0] == 20  # they are not counted
    times = inside.stat().st_atime_ns, inside.stat().st_mtime_ns
    (inside / "y").write_text("")
    os.utime(inside, ns=times)
    assert folder_counts.count_files(tmp_path, ["a"], [], wrong)[0] == 12


def test_a_file_in_place_of_a_folder_is_not_counted(tmp_path):
    (tmp_path / "a").write_text("")
    assert folder_counts.count_files(tmp_path, ["a"], [], {}) == (-1, {})


def test_what_was_untracked_is_listed_at_once(root, git):
    add_untracked(root, git)
    repository = open_repository(root)
    with Look(repository, *WATCHED) as look:
        assert look.untracked
        told = look.counted
    before = DONE[Work.PROCESSES]
    with Look(repository, *WATCHED) as look:
        look.recall_counted(told)
        begun = DONE[Work.PROCESSES] - before
        assert (begun, look.untracked) == (3, b".codecortex/types/new.md\0")
    (root / ".codecortex/types/new.md").unlink()
    with Look(repository, *WATCHED) as look:
        look.recall_counted(told)
        assert (look.untracked, look.counted.some) == (b"", False)


def test_the_index_is_told_by_its_digest(root, git, monkeypatch):
    repository = open_repository(root)

    def identify():
        with Look(repository, *WATCHED) as look:
            return look.digest

    first = identify()
    assert len(first) == 40
    edit_source(root, git)
    assert identify() == first
    git(root, "add", "a.cs")
    assert identify() not in ("", first)
    git(root, "config", "index.skipHash", "true")
    git(root, "add", "--renormalize", ".")
    monkeypatch.setenv("GIT_INDEX_FILE", os.fspath(root / "nowhere"))
    assert identify() == ""


def test_outlines_are_cut_out_of_an_index_by_path_alone():
    head = b"H 100644 " + b"0" * 40 + b" 0\t"
    records = [head + path.encode() + b"\0" for path in sorted(ODD)]
    found, others = cut(b"".join(records), b".codecortex/types/")
    assert found == b"".join(each for each in records if each[len(head) :].startswith(b".codecortex/types/"))
    assert sorted(found.split(b"\0") + others.split(b"\0"))[2:] == sorted(b"".join(records).split(b"\0"))[1:]
    left = set(drop_outlines(b"".join(records)).split(b"\0")[:-1])
    assert {each[:-1] for each in records} - left == {head + ODD[1].encode(), head + ODD[2].encode()}
    plain = [each for each in records if each.count(b"\t") == 1]
    assert cut(b"".join(plain), b".codecortex/types/")[0] == found
    assert cut(b"".join(plain), b".codecortex/index.json")[0] == head + b".codecortex/index.json\0"
    assert cut(b"", b"x") == (b"", b"")
