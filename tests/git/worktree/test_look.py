"""One look at a work tree serves its listing and a digest: both are what they are when git is asked for each alone."""

import os

import pytest

from codecortex.git.listing import list_worktree
from codecortex.git.repository import open_repository
from codecortex.git.worktree import look as look_module
from codecortex.git.worktree.folder_digest import FolderDigest
from codecortex.git.worktree.look import KnownIndex, Look
from codecortex.git.worktree.records import cut, drop_outlines

CS = (".cs", ".md")
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


def ignore(root, _):
    add_untracked(root, _)
    (root / ".git/info/exclude").write_text("new.md\n")


@pytest.mark.parametrize(
    "edit",
    [
        nothing, edit_generated, remove_generated, add_untracked, put_one_for_another, put_a_folder_there,
        put_a_link_there, add_a_folder, add_elsewhere, remove_alone, remove_a_folder, ignore,
    ],
)  # fmt: skip
def test_untracked_files_are_found_by_counting_where_the_index_is_known(root, git, edit, monkeypatch):
    monkeypatch.setattr(look_module, "LARGE", 0)
    repository = open_repository(root)
    with Look(repository, *WATCHED) as look, FolderDigest(repository, *WATCHED, look) as digest:
        digest.result()
        known = KnownIndex(look.digest, (".cs",), look.take_clean((".cs",)), digest.index_total, digest.index_number)
    assert known.number == 5
    edit(root, git)
    with Look(repository, *WATCHED) as plain, Look(repository, *WATCHED) as counting:
        counting.recall(known)
        assert counting.untracked == plain.untracked
        assert counting.finds_nothing == plain.finds_nothing


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
