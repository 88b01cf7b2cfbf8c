"""Commits with the files they changed, what became of paths, and who wrote which line."""

import os
import subprocess

import pytest

from codecortex.git.history import (
    blame_lines,
    escape_glob,
    find_blobs,
    find_files,
    list_changes,
    list_commits,
    list_vanished,
)
from codecortex.git.repository import open_repository
from codecortex.git.revisions import read_shallow, resolve_commit, resolve_range
from codecortex.model.errors import GitStateError


@pytest.fixture
def commit(repo, git):
    """Write files (None removes one) and commit them; the new commit's id."""

    def run(message, files=(), **variables):
        for path, text in dict(files).items():
            file = repo / path
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text.encode())
        git(repo, "add", "--all")
        call = ["git", "commit", "--quiet", "--allow-empty", "-m", message]
        subprocess.run(call, cwd=repo, check=True, env={**os.environ, **variables})
        return git(repo, "rev-parse", "HEAD")

    return run


def listed(repo, tip="HEAD", **options):
    return list(list_commits(open_repository(repo), tip=tip, **options))


def test_commits_come_newest_first_with_their_files(repo, git, commit):
    first = git(repo, "rev-parse", "HEAD")
    second = commit("two", {"a.cs": "class A2;\n", "src/new.cs": "class N;\n", "src/b.cs": None})
    newest, oldest = listed(repo)
    assert (newest.id, newest.parents, newest.subject, newest.author) == (second, (first,), "two", "A U Thor")
    assert newest.time == newest.authored == 1704164645
    assert [(each.status, each.path) for each in newest.changes] == [
        ("M", "a.cs"),
        ("D", "src/b.cs"),
        ("A", "src/new.cs"),
    ]
    assert newest.changes[0].old_blob == git(repo, "rev-parse", f"{first}:a.cs")
    assert newest.changes[0].new_blob == git(repo, "rev-parse", "HEAD:a.cs")
    assert newest.changes[1].new_blob == newest.changes[2].old_blob == ""
    assert oldest.parents == ()
    assert {each.status for each in oldest.changes} == {"A"}


def test_paths_choose_commits_and_files(repo, commit):
    commit("two", {"a.cs": "class A2;\n", "src/b.cs": "class B2;\n"})
    commit("three", {"notes.txt": "more\n"})
    assert [each.subject for each in listed(repo, paths=["a.cs"])] == ["two", "one"]
    assert [each.path for each in listed(repo, paths=["a.cs"])[0].changes] == ["a.cs"]
    assert [each.path for each in listed(repo, paths=["src"])[0].changes] == ["src/b.cs"]


def test_a_range_leaves_out_what_its_start_reaches(repo, git, commit):
    first = git(repo, "rev-parse", "HEAD")
    commit("two", {"a.cs": "class A2;\n"})
    assert [each.subject for each in listed(repo, since=first)] == ["two"]


def test_an_exact_rename_is_told_as_one(repo, commit):
    commit("moved", {"a.cs": None, "src/a.cs": "class A;\n"})
    change = listed(repo)[0].changes[0]
    assert (change.status, change.old_path, change.path) == ("R", "a.cs", "src/a.cs")
    assert change.old_blob == change.new_blob


def merge_two_sides(repo, git, commit, resolved):
    commit("base", {"a.cs": "".join(f"// {line}\n" for line in range(20))})
    git(repo, "checkout", "--quiet", "-b", "side")
    commit("side", {"a.cs": (repo / "a.cs").read_text().replace("// 0\n", "// side\n")})
    git(repo, "checkout", "--quiet", "main")
    commit("main", {"a.cs": (repo / "a.cs").read_text().replace("// 19\n", "// main\n"), "src/b.cs": "class M;\n"})
    git(repo, "merge", "--quiet", "--no-commit", "side")
    (repo / "a.cs").write_text((repo / "a.cs").read_text() + resolved)
    return commit("merged")


def test_a_merge_shows_files_that_differ_from_every_parent(repo, git, commit):
    merge_two_sides(repo, git, commit, "")
    merged = listed(repo)[0]
    assert len(merged.parents) == 2
    (change,) = merged.changes
    assert change.path == "a.cs"
    assert change.old_blob == git(repo, "rev-parse", "HEAD^1:a.cs")
    assert change.others == (("a.cs", git(repo, "rev-parse", "HEAD^2:a.cs")),)
    assert change.new_blob == git(repo, "rev-parse", "HEAD:a.cs")
    assert {each.subject for each in listed(repo)} == {"merged", "main", "side", "base", "one"}


def test_first_parents_alone_compare_merges_with_the_first(repo, git, commit):
    merge_two_sides(repo, git, commit, "")
    commits = listed(repo, first_parent=True)
    assert [each.subject for each in commits] == ["merged", "main", "base", "one"]
    assert [(each.path, each.others) for each in commits[0].changes] == [("a.cs", ())]


def test_messages_and_names_of_any_kind_are_read(repo, commit):
    os.mkdir(os.fsencode(repo / "odd"))  # noqa: PTH102 - bytes
    with open(os.fsencode(repo) + b"/odd/caf\xe9 [1] 100%.cs", "wb") as file:  # noqa: PTH123 - bytes
        file.write(b"class C;\n")
    commit("\x01 :100644 \u2028 odd", GIT_AUTHOR_NAME="J\u00fcrgen")
    newest = commit("x", {"a.cs": "class A3;\n"})
    assert listed(repo)[0].id == newest
    odd = listed(repo)[1]
    assert odd.author == "Jürgen"
    assert odd.changes[0].path == "odd/caf%E9 [1] 100%25.cs"
    assert [each.id for each in listed(repo, paths=[odd.changes[0].path])] == [odd.id]
    assert escape_glob("a/[1]*?.cs") == "a/\\[1\\]\\*\\?.cs"


def test_authors_and_dates_no_calendar_holds_are_read(repo, git):
    tree = git(repo, "rev-parse", "HEAD^{tree}")
    raw = b"tree %b\nauthor J\xfcrg <j@x> 99999999999999 +0000\ncommitter J\xfcrg <j@x> 4102444800 +0000\n\nodd\n"
    name = git(repo, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw % tree.encode())
    (found,) = listed(repo, tip=name)
    assert found.author in ("J\ufffdrg", "Jürg")
    assert found.time == 4102444800
    assert found.subject == "odd"


def test_an_empty_commit_and_an_empty_message(repo, git, commit):
    commit("nothing")
    git(repo, "commit", "--quiet", "--allow-empty", "--allow-empty-message", "-m", "")
    newest, empty, _ = listed(repo)
    assert (newest.subject, newest.changes) == ("", ())
    assert (empty.subject, empty.changes) == ("nothing", ())


def test_nobody_has_to_take_all_commits(repo, commit):
    commit("two", {"a.cs": "class A2;\n"})
    commits = list_commits(open_repository(repo), tip="HEAD")
    assert next(commits).subject == "two"
    commits.close()


def test_a_history_git_cannot_read_is_an_error(repo):
    with pytest.raises(GitStateError, match="could not read the history"):
        listed(repo, tip="f" * 40)


@pytest.mark.parametrize("text", ["nonsense", "HEAD..nonsense", "-x", "HEAD...HEAD", "a\0b"])
def test_a_bad_range_is_an_error(repo, text):
    with pytest.raises(GitStateError):
        resolve_range(open_repository(repo), text)


def test_ranges_have_two_ends(repo, git, commit):
    first = git(repo, "rev-parse", "HEAD")
    second = commit("two")
    repository = open_repository(repo)
    assert resolve_range(repository, None) == (None, second)
    assert resolve_range(repository, "HEAD~1") == (None, first)
    assert resolve_range(repository, "HEAD~1..") == (first, second)
    assert resolve_range(repository, f"{first}..HEAD") == (first, second)


def test_a_repository_without_commits_says_so(tmp_path, git):
    git(tmp_path, "init", "--quiet")
    with pytest.raises(GitStateError, match="no commit yet"):
        resolve_commit(open_repository(tmp_path), "HEAD")


def test_trees_are_compared_with_renames_found(repo, commit):
    text = "".join(f"// line {line}\n" for line in range(30))
    commit("two", {"big.cs": text})
    commit("three", {"big.cs": None, "src/large.cs": text + "// more\n"})
    repository = open_repository(repo)
    (change,) = list_changes(repository, "HEAD^", "HEAD")
    assert (change.status, change.old_path, change.path) == ("R", "big.cs", "src/large.cs")
    assert {each.status for each in list_changes(repository, None, "HEAD~2")} == {"A"}


def test_blobs_are_found_by_tree_and_path(repo, git):
    found = find_blobs(
        open_repository(repo), [("HEAD", "a.cs"), ("HEAD", "none.cs"), ("nonsense", "a.cs"), ("HEAD", "src")]
    )
    assert found == {("HEAD", "a.cs"): git(repo, "rev-parse", "HEAD:a.cs")}


def test_files_are_found_by_a_word_in_a_telling_line(repo, commit):
    commit("two", {"c.cs": "class\n  Foo\n{ }\n", "d.cs": "// Foo\nclass FooBar;\n", "e.CS": "record foo(int X);\n"})
    repository = open_repository(repo)
    assert find_files(repository, "HEAD", "Foo", ["(class|record)[[:space:]]+Foo"]) == {"e.CS"}
    assert find_files(repository, "HEAD", "Foo", ["class[[:space:]]+Foo"], "^[[:space:]]*Foo$") == {"c.cs"}
    assert find_files(repository, None, "Foo", ["//[[:space:]]Foo", "Foo"]) == {"c.cs", "d.cs", "e.CS"}
    assert find_files(repository, "--cached", "Nothing", ["x"]) == set()
    (repo / "new.cs").write_text("class Foo;\n")
    assert "new.cs" in find_files(repository, "--untracked", "Foo", ["class[[:space:]]+Foo"])


def test_removed_files_are_found_by_name(repo, commit):
    commit("two", {"src/b.cs": None})
    gone = commit("three", {"a.cs": None})
    found = list(list_vanished(open_repository(repo), "HEAD", ["**/a.cs"]))
    assert [(name, each.old_path) for name, each in found] == [(gone, "a.cs")]
    assert {each.old_path for _, each in list_vanished(open_repository(repo), "HEAD", ["**/*.cs"])} == {
        "a.cs",
        "src/b.cs",
    }


def test_blame_knows_each_line_and_what_is_not_committed(repo, git, commit):
    first = git(repo, "rev-parse", "HEAD")
    second = commit("two", {"a.cs": "class A;\n// two\n"}, GIT_AUTHOR_NAME="Somebody Else")
    commit("white", {"a.cs": "  class A;\n// two\n"})
    (repo / "a.cs").write_text("  class A;\n// two\n// three\n")
    repository = open_repository(repo)
    lines = blame_lines(repository, "a.cs", [(1, 3)], rev=None)
    assert [lines[line].commit for line in (1, 2, 3)] == [first, second, ""]
    assert (lines[2].author, lines[2].email, lines[2].subject) == ("Somebody Else", "author@example.com", "two")
    assert lines[2].authored == lines[2].time == 1704164645
    assert blame_lines(repository, "a.cs", [(2, 2)], rev="HEAD").keys() == {2}
    with pytest.raises(GitStateError, match=r"blame none\.cs"):
        blame_lines(repository, "none.cs", [(1, 1)], rev=None)


def test_a_shallow_clone_names_its_boundary(repo, git, commit, tmp_path):
    newest = commit("two")
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{repo}", "clone")
    assert read_shallow(open_repository(tmp_path / "clone")) == {newest}
    assert read_shallow(open_repository(repo)) == frozenset()
