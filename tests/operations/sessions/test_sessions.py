"""Versions added to sessions, seen and merged back; two writers, a kill, every kind of repository and work tree."""

import json

import pytest

from codecortex.git.objects.opening import open_objects
from codecortex.git.repository import open_repository
from codecortex.git.sessions.chains import write_link
from codecortex.model.errors import BusyError, GitStateError, StoreFormatError, UsageError
from codecortex.model.sessions import write_message
from codecortex.operations.live.live import LiveQuestion, show_live
from codecortex.operations.request import Request
from codecortex.operations.sessions.comparing import diff_sessions
from codecortex.operations.sessions.manage import (
    collect,
    drop_session,
    fork_session,
    list_all,
    log_session,
    open_session,
    show_session,
)
from codecortex.operations.sessions.merging import MergeConflictError, merge_session
from codecortex.operations.sessions.versions import add_version, begin, find_session

FORMATS = ("sha1", "sha256")


@pytest.fixture(params=FORMATS)
def tree(request, tmp_path, git):
    """A repository of either format with one commit, two files, and something not committed."""
    root = tmp_path / "tree"
    git(tmp_path, "init", "--quiet", f"--object-format={request.param}", "tree")
    (root / "a.txt").write_bytes(b"one\ntwo\nthree\nfour\nfive\n")
    (root / "b.txt").write_bytes(b"b\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    (root / "b.txt").write_bytes(b"not committed\n")
    return root


def add(root, name, files, title="Changed"):
    """Add a version with these files; None removes one."""
    repository = open_repository(root)
    objects = open_objects(repository)
    changes = {
        path.encode(): None if text is None else (0o100644, objects.write_blob(text)) for path, text in files.items()
    }
    return add_version(repository, find_session(repository, name), changes, title, {"op": "test", "file": "a.txt"})


def test_a_session_begins_with_the_work_tree_and_grows(tree, git):
    opened = open_session(tree, "s")
    assert git(tree, "show", f"{opened.session.ref}:b.txt") == "not committed"
    add(tree, "s", {"a.txt": b"new\n"}, "Replaced\nall of it")
    log = log_session(tree, "s")
    assert [each.title for each in log.versions] == ["Replaced all of it", "Opened with the work tree"]
    assert [each.facts["op"] for each in log.versions] == ["test", "open"]
    assert log.versions[-1].facts["head"] == git(tree, "rev-parse", "HEAD")
    assert git(tree, "rev-list", "--count", "HEAD..refs/worktree/codecortex/sessions/s") == "2"
    assert log_session(tree, "s", 1).total == 2
    shown = show_session(tree, "s")
    assert [(each.status, each.path) for each in shown.changed] == [("M", b"a.txt")]
    assert "-one\n" in diff_sessions(tree, "s", None).patch
    assert (tree / "a.txt").read_bytes() == b"one\ntwo\nthree\nfour\nfive\n"


def test_the_story_is_read_with_git(tree, git):
    opened = open_session(tree, "s").session
    add(tree, "s", {"a.txt": b"1\n"})
    title, _, facts = git(tree, "log", "-1", "--format=%B", opened.ref).partition("\n\n")
    head = git(tree, "rev-parse", "HEAD")
    told = {"file": "a.txt", "first": opened.tip.id, "head": head, "number": 2, "op": "test"}
    assert (title, facts) == ("Changed", json.dumps(told, separators=(",", ":")))


@pytest.mark.slow
def test_a_long_session_is_read_only_as_far_as_somebody_looks(tree):
    first = open_session(tree, "s").session.tip
    ids = [first.id, *(add(tree, "s", {"a.txt": b"%d\n" % number}).tip.id for number in range(60))]
    assert [each.id for each in log_session(tree, "s").versions] == ids[::-1]
    remove_object(tree, ids[10])
    assert [each.id for each in log_session(tree, "s", 20).versions] == ids[:-21:-1]
    shown = show_session(tree, "s")
    assert (shown.total, shown.first) == (61, first)
    assert "+59\n" in diff_sessions(tree, "s", None).patch
    assert show_live(Request(tree), LiveQuestion("s", "a.txt"), first.time + 9).as_json()["recentDiffs"]
    with pytest.raises(GitStateError):
        log_session(tree, "s")


def remove_object(root, name):
    (root / ".git" / "objects" / name[:2] / name[2:]).unlink()


def test_a_session_whose_versions_do_not_count_themselves_is_read_whole(tree):
    repository = open_repository(tree)
    session = open_session(tree, "s").session
    tip = session.tip.id
    for number in range(3):
        message = write_message(f"Version {number}", {"op": "test", "head": session.start})
        tip = write_link(repository, session.tree, tip, message, session.tip.time)
    begin(repository, "older", tip)
    add(tree, "older", {"a.txt": b"new\n"})
    titles = ["Changed", "Version 2", "Version 1", "Version 0", "Opened with the work tree"]
    assert [each.title for each in log_session(tree, "older").versions] == titles
    assert (show_session(tree, "older").total, show_session(tree, "older").first.id) == (5, session.tip.id)


def test_a_version_that_counts_more_than_there_are_is_named(tree):
    repository = open_repository(tree)
    session = open_session(tree, "s").session
    facts = {"op": "test", "head": None, "number": 90}
    begin(repository, "false", write_link(repository, session.tree, None, write_message("No", facts), 1))
    with pytest.raises(StoreFormatError, match="counts more versions"):
        log_session(tree, "false")


def test_what_is_added_to_a_fork_is_not_in_the_other(tree):
    open_session(tree, "s")
    fork_session(tree, "s", "t")
    add(tree, "t", {"a.txt": b"t\n"})
    assert show_session(tree, "s").total == 1
    assert "+t\n" in diff_sessions(tree, "s", "t").patch
    assert "-t\n" in diff_sessions(tree, "t", "s").patch
    drop_session(tree, "s")
    assert [each.name for each in list_all(tree).sessions] == ["t"]


def test_a_version_is_made_on_the_one_that_its_maker_saw(tree):
    open_session(tree, "s")
    seen = find_session(open_repository(tree), "s")
    add(tree, "s", {"a.txt": b"first\n"})
    with pytest.raises(BusyError, match="meanwhile"):
        add_version(open_repository(tree), seen, {b"a.txt": None}, "Second", {})
    assert show_session(tree, "s").total == 2


def test_no_identity_is_needed(tree, monkeypatch):
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name)
    open_session(tree, "s")
    add(tree, "s", {"a.txt": b"new\n"})
    assert show_session(tree, "s").total == 2


def test_each_work_tree_has_its_own(tree, git, tmp_path):
    open_session(tree, "s")
    git(tree, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    assert list_all(tmp_path / "linked").sessions == ()
    open_session(tmp_path / "linked", "s")
    add(tmp_path / "linked", "s", {"a.txt": b"linked\n"})
    assert show_session(tree, "s").total == 1
    assert show_session(tmp_path / "linked", "s").total == 2


def test_packing_keeps_every_version(tree):
    open_session(tree, "s")
    for number in range(5):
        add(tree, "s", {"a.txt": b"%d\n" % number})
    packed = collect(tree)
    assert packed.after[0] < packed.before[0]
    assert show_session(tree, "s").total == 6
    add(tree, "s", {"a.txt": b"more\n"})
    assert show_session(tree, "s").total == 7


def test_a_push_of_branches_leaves_sessions_at_home(tree, git, tmp_path):
    open_session(tree, "s")
    object_format = git(tree, "rev-parse", "--show-object-format")
    git(tmp_path, "init", "--quiet", "--bare", f"--object-format={object_format}", "away.git")
    git(tree, "push", "--quiet", "--all", str(tmp_path / "away.git"))
    git(tree, "push", "--quiet", "--tags", str(tmp_path / "away.git"))
    assert git(tmp_path / "away.git", "for-each-ref", "--format=%(refname)") == "refs/heads/main"


@pytest.mark.parametrize("name", ["", "..", "a/b", "-x", "a.lock", "a..b", "x" * 65, "a b"])
def test_what_cannot_be_a_name(tree, name):
    with pytest.raises(UsageError, match="cannot be the name"):
        open_session(tree, name)


def test_names_differ_by_more_than_case(tree):
    open_session(tree, "Plan")
    with pytest.raises(UsageError, match="a session Plan already"):
        open_session(tree, "plan")
    with pytest.raises(UsageError, match="no session plan"):
        show_session(tree, "plan")


def test_a_ref_that_somebody_else_made_is_no_session(tree, git):
    git(tree, "update-ref", "refs/worktree/codecortex/sessions/foreign", "HEAD")
    assert [each.name for each in list_all(tree).sessions] == ["foreign"]
    for ask in (show_session, log_session, merge_session):
        with pytest.raises(StoreFormatError, match="sessions/foreign is no version of a session"):
            ask(tree, "foreign")
    drop_session(tree, "foreign")
    blob = git(tree, "rev-parse", "HEAD:a.txt")
    git(tree, "update-ref", "refs/worktree/codecortex/sessions/blob", blob)
    assert list_all(tree).sessions == ()


def test_without_a_work_tree(tmp_path, git):
    git(tmp_path, "init", "--quiet", "--bare", "bare.git")
    with pytest.raises(GitStateError, match="no work tree"):
        open_session(tmp_path / "bare.git", "s")


# -- merging


def test_what_a_session_changed_comes_into_the_work_tree(tree):
    open_session(tree, "s")
    add(tree, "s", {"a.txt": b"1\ntwo\nthree\nfour\nfive\n", "dir/new.txt": b"new\n", "b.txt": None})
    (tree / "a.txt").write_bytes(b"one\ntwo\nthree\nfour\n5\n")
    done = merge_session(tree, "s")
    assert (done.written, done.removed) == (("a.txt", "dir/new.txt"), ("b.txt",))
    assert (tree / "a.txt").read_bytes() == b"1\ntwo\nthree\nfour\n5\n"
    assert (tree / "dir/new.txt").read_bytes() == b"new\n"
    assert not (tree / "b.txt").exists()
    again = merge_session(tree, "s")
    assert (again.written, again.removed, again.same) == ((), (), ("a.txt", "b.txt", "dir/new.txt"))


@pytest.mark.parametrize(
    ("path", "session", "disk", "reason"),
    [
        ("a.txt", b"1\ntwo\nthree\nfour\nfive\n", b"uno\ntwo\nthree\nfour\nfive\n", "was changed on both sides"),
        ("a.txt", b"1\n", None, "was removed in the work tree and changed in the session"),
        ("a.txt", None, b"uno\n", "was changed in the work tree and removed in the session"),
        ("new.txt", b"1\n", b"uno\n", "was added on both sides"),
        ("a.txt", b"\0", b"uno\n", "is binary and was changed on both sides"),
    ],
)
def test_where_both_changed_the_same_nothing_is_written(tree, path, session, disk, reason):
    open_session(tree, "s")
    add(tree, "s", {path: session, "other.txt": b"other\n"})
    if disk is None:
        (tree / path).unlink()
    else:
        (tree / path).write_bytes(disk)
    with pytest.raises(MergeConflictError, match="Nothing is written") as refused:
        merge_session(tree, "s")
    (conflict,) = refused.value.details["conflicts"]
    assert (conflict["path"], conflict["reason"]) == (path, reason)
    if conflict["hunks"]:
        assert conflict["hunks"] == [{"line": 1, "ours": "uno\n", "theirs": "1\n"}]
        assert "a.txt:1" in refused.value.message
    assert not (tree / "other.txt").exists()
    assert ((tree / path).read_bytes() if disk is not None else None) == disk


def test_what_the_session_cannot_give_is_not_taken_for_removed(tree):
    open_session(tree, "s")
    repository = open_repository(tree)
    objects = open_objects(repository)
    blob = objects.write_blob(b"new\n")
    add_version(repository, find_session(repository, "s"), {b"a.txt": (0o100644, blob)}, "Changed", {})
    (tree / ".git/objects" / blob[:2] / blob[2:]).unlink()
    before = (tree / "a.txt").read_bytes()
    with pytest.raises((MergeConflictError, GitStateError)):
        merge_session(tree, "s")
    assert (tree / "a.txt").read_bytes() == before


def test_a_link_in_the_place_of_a_file_is_never_written_through(tree, tmp_path):
    (tmp_path / "outside.txt").write_bytes(b"one\ntwo\nthree\nfour\nfive\n")
    open_session(tree, "s")
    add(tree, "s", {"a.txt": b"1\n"})
    (tree / "a.txt").unlink()
    (tree / "a.txt").symlink_to(tmp_path / "outside.txt")
    with pytest.raises(MergeConflictError):
        merge_session(tree, "s")
    assert (tmp_path / "outside.txt").read_bytes().startswith(b"one\n")


def test_a_checkout_with_crlf_stays_one(tree, git):
    git(tree, "config", "core.autocrlf", "true")
    git(tree, "checkout", "--quiet", "--force", "HEAD", "--", ".")
    (tree / "a.txt").unlink()
    git(tree, "checkout", "--quiet", "--", "a.txt")
    assert b"\r\n" in (tree / "a.txt").read_bytes()
    open_session(tree, "s")
    add(tree, "s", {"a.txt": b"1\ntwo\nthree\nfour\nfive\n"})
    merge_session(tree, "s")
    assert (tree / "a.txt").read_bytes() == b"1\r\ntwo\r\nthree\r\nfour\r\nfive\r\n"


# -- a kill


@pytest.mark.slow
def test_after_a_kill_a_version_is_there_or_not(tree, git, each_kill):
    open_session(tree, "s")
    seen = set()
    for root in each_kill(tree, lambda root: add(root, "s", {"a.txt": b"1\n"})):
        log = log_session(root, "s")
        assert all(each.facts for each in log.versions)
        seen.add(log.total)
        add(root, "s", {"a.txt": b"2\n"})
        assert show_session(root, "s").total == log.total + 1
        assert "missing" not in git(root, "fsck", "--connectivity-only")
    assert seen == {1, 2}
