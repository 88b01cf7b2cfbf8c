import os
from pathlib import Path

import pytest

from codecortex.git.contents import read_contents
from codecortex.git.listing import Skipped, list_index, list_revision, list_worktree
from codecortex.git.repository import open_repository
from codecortex.git.worktree.disk import Problem
from codecortex.model.errors import GitStateError

CS = (".cs",)


def worktree(root, **options):
    return list_worktree(open_repository(root), CS, **options)


def index(root):
    return list_index(open_repository(root), CS)


def revision(root, name):
    return list_revision(open_repository(root), name, CS)


def texts(root, listing):
    contents = read_contents(open_repository(root), listing.entries)
    return {content.entry.path: content.data for content in contents}


def dirty(listing):
    return {entry.path: entry.dirty for entry in listing.entries}


def test_a_clean_tree_is_the_same_from_all_three_sides(repo, git):
    listings = [worktree(repo), index(repo), revision(repo, "HEAD")]
    for listing in listings:
        assert [(entry.path, entry.mode, entry.dirty) for entry in listing.entries] == [
            ("a.cs", 0o100644, False),
            ("src/b.cs", 0o100644, False),
        ]
        assert listing.entries[0].blob == git(repo, "rev-parse", "HEAD:a.cs")
        assert listing.head == git(repo, "rev-parse", "HEAD")
        assert listing.skipped == ()
        assert texts(repo, listing) == {"a.cs": b"class A;\n", "src/b.cs": b"class B;\n"}
    assert [all(entry.from_disk for entry in listing.entries) for listing in listings] == [True, False, False]


def test_outlines_are_left_out_by_git_and_nothing_else_is(repo, git, monkeypatch):
    files = [".codecortex/types/AB/T_ABCDEFGH.outline.md", ".codecortex/types/odd.cs", "types/x.outline.md"]
    for path in files:
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text("class X;\n")
    git(repo, "add", "--all")
    for kind in ("LITERAL", "GLOB", "NOGLOB", "ICASE"):  # what an editor may set for all that it starts
        monkeypatch.setenv(f"GIT_{kind}_PATHSPECS", "1")
        assert dirty(worktree(repo)).keys() == {".codecortex/types/odd.cs", "a.cs", "src/b.cs"}
        monkeypatch.delenv(f"GIT_{kind}_PATHSPECS")
    every = list_worktree(open_repository(repo), (".md", ".cs"))
    assert {entry.path for entry in every.entries} == {*files, "a.cs", "src/b.cs"}


def test_before_the_first_commit(tmp_path, git):
    git(tmp_path, "init", "--quiet")
    assert worktree(tmp_path) == index(tmp_path) == ((), (), None)
    (tmp_path / "a.cs").write_text("a")
    git(tmp_path, "add", "a.cs")
    assert dirty(index(tmp_path)) == {"a.cs": False}
    assert worktree(tmp_path).head is None
    with pytest.raises(GitStateError, match="no revision 'HEAD'"):
        revision(tmp_path, "HEAD")


def test_modified_deleted_and_touched_files(repo, git):
    (repo / "a.cs").write_text("class Changed;")
    (repo / "src" / "b.cs").unlink()
    (repo / "src" / "c.cs").write_text("class C;")
    git(repo, "add", "src/c.cs")
    os.utime(repo / "src" / "c.cs", (1, 1))
    listing = worktree(repo)
    assert dirty(listing) == {"a.cs": True, "src/c.cs": False}
    assert listing.entries[0].blob == git(repo, "hash-object", "a.cs")
    assert texts(repo, listing)["a.cs"] == b"class Changed;"
    assert texts(repo, index(repo)) == {"a.cs": b"class A;\n", "src/b.cs": b"class B;\n", "src/c.cs": b"class C;"}


def test_only_wanted_names_whatever_their_case(repo, git):
    (repo / "UPPER.CS").write_text("u")
    git(repo, "add", ".")
    assert [entry.path for entry in worktree(repo).entries] == ["UPPER.CS", "a.cs", "src/b.cs"]
    everything = list_worktree(open_repository(repo), (".cs", ".txt"))
    assert [entry.path for entry in everything.entries] == ["UPPER.CS", "a.cs", "notes.txt", "src/b.cs"]


def test_untracked_files_on_request(repo):
    (repo / ".gitignore").write_text("ignored.cs\n")
    for name in ("ignored.cs", "new.cs"):
        (repo / name).write_text(name)
    assert dirty(worktree(repo)) == {"a.cs": False, "src/b.cs": False}
    listing = worktree(repo, untracked=True)
    assert dirty(listing) == {"a.cs": False, "new.cs": True, "src/b.cs": False}
    assert texts(repo, listing)["new.cs"] == b"new.cs"


def test_intent_to_add_is_on_disk_but_not_in_the_index(repo, git):
    (repo / "promised.cs").write_text("class P;")
    (repo / "empty.cs").write_text("")
    git(repo, "add", "empty.cs")
    git(repo, "add", "--intent-to-add", "promised.cs")
    assert dirty(worktree(repo)) == {"a.cs": False, "empty.cs": False, "promised.cs": True, "src/b.cs": False}
    assert dirty(index(repo)) == {"a.cs": False, "empty.cs": False, "src/b.cs": False}
    (repo / "promised.cs").unlink()
    assert "promised.cs" not in dirty(worktree(repo))
    assert "promised.cs" not in dirty(index(repo))


def test_a_merge_in_progress(repo, git):
    git(repo, "checkout", "--quiet", "-b", "theirs")
    (repo / "a.cs").write_text("class Theirs;")
    git(repo, "commit", "--quiet", "-am", "theirs")
    git(repo, "checkout", "--quiet", "main")
    (repo / "a.cs").write_text("class Ours;")
    git(repo, "commit", "--quiet", "-am", "ours")
    git(repo, "merge", "theirs", check=False)
    listing = worktree(repo)
    assert dirty(listing) == {"a.cs": True, "src/b.cs": False}
    assert b"<<<<<<<" in texts(repo, listing)["a.cs"]
    with pytest.raises(GitStateError, match=r"^a\.cs is unmerged") as caught:
        index(repo)
    assert "git add" in caught.value.hint
    assert list_index(open_repository(repo), (".txt",)).entries[0].path == "notes.txt"


@pytest.mark.parametrize(
    "name", ["é 日本.cs", 'quo"te.cs', "line\nfeed.cs", "tab\t.cs", "100%.cs", b"caf\xe9.cs", "-dash.cs"]
)
def test_odd_names(repo, git, name):
    raw = os.fsencode(name)
    path = os.fsencode(repo) + b"/" + raw
    Path(os.fsdecode(path)).write_bytes(b"odd")
    git(repo, "add", "--", os.fsdecode(raw))
    git(repo, "commit", "--quiet", "-m", "odd")
    for listing in (worktree(repo), index(repo), revision(repo, "HEAD")):
        assert len(listing.entries) == 3
        assert b"odd" in texts(repo, listing).values()
    Path(os.fsdecode(path)).write_bytes(b"odd\r\nagain")
    changed = [entry for entry in worktree(repo).entries if entry.dirty]
    assert [entry.blob for entry in changed] == [git(repo, "hash-object", "--", os.fsdecode(raw))]


def test_two_names_that_differ_by_case_are_two_files(repo, git):
    blob = git(repo, "rev-parse", "HEAD:a.cs")
    git(repo, "update-index", "--add", "--cacheinfo", f"100644,{blob},A.cs")
    assert [entry.path for entry in index(repo).entries] == ["A.cs", "a.cs", "src/b.cs"]


def test_links_are_never_followed(repo, git, tmp_path):
    (tmp_path / "secret.cs").write_text("secret")
    (repo / "link.cs").symlink_to("../secret.cs")
    (repo / "was_link.cs").symlink_to("../secret.cs")
    git(repo, "add", ".")
    (repo / "was_link.cs").unlink()
    (repo / "was_link.cs").write_text("now a file")
    (repo / "a.cs").unlink()
    (repo / "a.cs").symlink_to("../secret.cs")
    (repo / "untracked.cs").symlink_to("../secret.cs")
    listing = worktree(repo, untracked=True)
    links = {Skipped(path, Problem.SYMLINK) for path in ("a.cs", "link.cs", "untracked.cs")}
    assert set(listing.skipped) == links
    assert texts(repo, listing) == {"src/b.cs": b"class B;\n", "was_link.cs": b"now a file"}
    assert [skipped.path for skipped in index(repo).skipped] == ["link.cs", "was_link.cs"]


def test_a_folder_replaced_by_a_link_is_not_read_through(repo, tmp_path):
    (repo / "src").rename(tmp_path / "outside")
    (repo / "src").symlink_to(tmp_path / "outside")
    assert dirty(worktree(repo)) == {"a.cs": False}


def test_a_submodule_is_reported(repo, git):
    commit = git(repo, "rev-parse", "HEAD")
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{commit},vendor/lib")
    git(repo, "commit", "--quiet", "-m", "submodule")
    for listing in (worktree(repo), index(repo), revision(repo, "HEAD")):
        assert listing.skipped == (Skipped("vendor/lib", Problem.SUBMODULE),)
        assert [entry.path for entry in listing.entries] == ["a.cs", "src/b.cs"]


def test_a_pipe_in_place_of_a_file_does_not_hang(repo):
    (repo / "a.cs").unlink()
    os.mkfifo(repo / "a.cs")
    assert worktree(repo).skipped == (Skipped("a.cs", Problem.NOT_A_FILE),)


@pytest.mark.parametrize("sparse_index", ["--sparse-index", "--no-sparse-index"])
def test_a_sparse_checkout_is_whole(repo, git, sparse_index):
    git(repo, "sparse-checkout", "init", "--cone", sparse_index)
    (repo / "in").mkdir()
    git(repo, "sparse-checkout", "set", "in")
    assert not (repo / "src").exists()
    listing = worktree(repo)
    assert [(entry.path, entry.from_disk) for entry in listing.entries] == [("a.cs", True), ("src/b.cs", False)]
    assert texts(repo, listing)["src/b.cs"] == b"class B;\n"
    assert dirty(index(repo)) == {"a.cs": False, "src/b.cs": False}


@pytest.mark.parametrize("options", [("--split-index",), ("--index-version", "4")])
def test_other_index_layouts(repo, git, options):
    git(repo, "update-index", *options)
    (repo / "c.cs").write_text("c")
    git(repo, "add", "c.cs")
    assert dirty(worktree(repo)) == dirty(index(repo)) == {"a.cs": False, "c.cs": False, "src/b.cs": False}


def test_another_index_named_by_the_environment(repo, git, monkeypatch):
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/other")
    git(repo, "read-tree", "HEAD")
    git(repo, "rm", "--quiet", "--cached", "a.cs")
    assert dirty(index(repo / "src")) == {"src/b.cs": False}
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert dirty(index(repo)) == {"a.cs": False, "src/b.cs": False}


def test_a_sha256_repository(tmp_path, git):
    git(tmp_path, "init", "--quiet", "--object-format=sha256")
    for name in ("a.cs", "b.cs", "empty.cs"):
        (tmp_path / name).write_text(name if name != "empty.cs" else "")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "one")
    (tmp_path / "b.cs").write_text("changed")
    listing = worktree(tmp_path)
    assert listing.entries[1].blob == git(tmp_path, "hash-object", "b.cs")
    assert texts(tmp_path, listing) == {"a.cs": b"a.cs", "b.cs": b"changed", "empty.cs": b""}
    assert texts(tmp_path, index(tmp_path)) == {"a.cs": b"a.cs", "b.cs": b"b.cs", "empty.cs": b""}


def test_line_ends_that_git_converts_change_nothing(repo, git):
    git(repo, "config", "core.autocrlf", "true")
    (repo / "a.cs").write_bytes(b"class A;\r\n")
    (repo / "src" / "b.cs").write_bytes(b"class\r\nB;\r\n")
    listing = worktree(repo)
    assert dirty(listing) == {"a.cs": False, "src/b.cs": True}
    assert listing.entries[1].blob == git(repo, "hash-object", "src/b.cs")
    assert texts(repo, listing) == {"a.cs": b"class A;\n", "src/b.cs": b"class\nB;\n"}
    git(repo, "config", "core.autocrlf", "false")
    assert texts(repo, worktree(repo)) == {"a.cs": b"class A;\r\n", "src/b.cs": b"class\r\nB;\r\n"}


def test_a_clean_filter_of_the_repository_runs_as_in_git_status(repo, git):
    (repo / ".gitattributes").write_text("a.cs filter=hide\n")
    git(repo, "config", "filter.hide.clean", "sed s/secret/hidden/")
    (repo / "a.cs").write_text("class secret;\n")
    git(repo, "add", ".")
    os.utime(repo / "a.cs", (1, 1))
    assert git(repo, "diff", "--name-only") == ""
    assert dirty(worktree(repo)) == {"a.cs": False, "src/b.cs": False}


def test_revisions_by_any_name(repo, git):
    (repo / "a.cs").write_text("class Two;")
    git(repo, "commit", "--quiet", "-am", "two")
    git(repo, "tag", "-a", "v1", "-m", "v1", "HEAD~1")
    first = git(repo, "rev-parse", "HEAD~1")
    for name in ("HEAD~1", "v1", first, first[:8], ":/one"):
        listing = revision(repo, name)
        assert listing.head == first
        assert texts(repo, listing)["a.cs"] == b"class A;\n"
    tree = revision(repo, "HEAD:src")
    assert ([entry.path for entry in tree.entries], tree.head) == (["b.cs"], None)


@pytest.mark.parametrize(
    "name", ["nonsense", "", "-p", "--all", "HEAD..HEAD", "^HEAD", "a\0b", "HEAD:a.cs", "0" * 39 + "1"]
)
def test_a_revision_that_is_none(repo, name):
    with pytest.raises(GitStateError, match="revision") as caught:
        revision(repo, name)
    assert repr(name) in caught.value.message
    assert caught.value.hint


def test_a_damaged_index(repo):
    (repo / ".git" / "index").write_bytes(b"DIRC nonsense, far too short to be one.....")
    with pytest.raises(GitStateError, match="Git could not"):
        worktree(repo)


def test_a_revision_is_listed_by_what_differs_from_another_one(repo, git):
    repository = open_repository(repo)
    (repo / "same.cs").write_text("class Same;\n")
    (repo / "changed.cs").write_text("class One;\n")
    (repo / "gone.cs").write_text("class Gone;\n")
    (repo / "folder.cs").write_text("class File;\n")
    (repo / "plain.txt").write_text("one\n")
    (repo / "link.cs").symlink_to("same.cs")
    git(repo, "add", "-A")
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    git(repo, "commit", "-qm", "one")
    (repo / "changed.cs").write_text("class Two;\n")
    (repo / "gone.cs").rename(repo / "moved.cs")
    (repo / "folder.cs").unlink()
    (repo / "folder.cs").mkdir()
    (repo / "folder.cs" / "new.cs").write_text("class New;\n")
    (repo / "plain.txt").write_text("two\n")
    (repo / "link.cs").unlink()
    (repo / "link.cs").write_text("class Link;\n")
    git(repo, "add", "-A")
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{'2' * 40},other")
    git(repo, "commit", "-qm", "two")
    for lasting in (False, True):
        repository = open_repository(repo, lasting=lasting)
        one, two = (list_revision(repository, name, (".cs",)) for name in ("HEAD~1", "HEAD"))
        assert one != two
        assert list_revision(repository, "HEAD~1", (".cs",), near=two) == one
        assert list_revision(repository, "HEAD", (".cs",), near=one) == two
        assert list_revision(repository, "HEAD^{tree}", (".cs",), near=one) == two._replace(head=None)
