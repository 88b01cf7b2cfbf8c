"""Both ways to objects and refs give the same answers, on every kind of repository; where libgit2 cannot, git does."""

import os
import shutil
import subprocess
import sys
from itertools import pairwise
from random import Random
from threading import Thread

import pytest

from codecortex.git.objects.drafts import CommitDraft, Signature
from codecortex.git.objects.in_process import InProcess
from codecortex.git.objects.opening import open_lasting, open_objects
from codecortex.git.objects.plumbing import Plumbing
from codecortex.git.objects.values import EVERYWHERE, Scope
from codecortex.git.paths import encode_path
from codecortex.git.repository import open_repository
from codecortex.git.worktree.disk import Problem
from codecortex.model.errors import GitStateError

NOTHING = "0" * 40
REF = "refs/worktree/codecortex/one"
WHO = Signature("A U Thor", "author@example.com", 1704164645, -90)


def in_process(root):
    objects = open_lasting(open_repository(root))
    assert isinstance(objects, InProcess)
    return objects


def plumbing(root):
    return Plumbing(open_repository(root))


@pytest.fixture(params=[in_process, plumbing])
def objects(request, repo):
    return request.param(repo)


@pytest.fixture
def sha256(tmp_path, git):
    root = tmp_path / "sha256"
    git(tmp_path, "init", "--quiet", "--object-format=sha256", "sha256")
    (root / "a.cs").write_bytes(b"class A;\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    return root


def commit(git, root, message="more"):
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD")


def read(objects, *blobs):
    answers = dict(objects.read_blobs(blobs))
    return [answers[position] for position in range(len(blobs))]


# -- reading


def test_names_mean_what_they_mean_to_git(repo, git):
    first = git(repo, "rev-parse", "HEAD")
    commit(git, repo)
    git(repo, "tag", "light")
    git(repo, "tag", "-a", "-m", "told", "v1.0")
    git(repo, "branch", "light", "HEAD~1")  # a tag goes before a branch
    git(repo, "update-ref", "refs/remotes/origin/main", "HEAD~1")
    git(repo, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    git(repo, "symbolic-ref", "refs/heads/nowhere", "refs/heads/none")
    git(repo, "pack-refs", "--all")
    git(repo, "update-ref", "FETCH_HEAD", "HEAD~1")
    names = (
        *("HEAD", "@", "main", "light", "v1.0", "v1.0^{}", "v1.0^{commit}", "v1.0^{tree}", "heads/light", "origin"),
        *("origin/main", "refs/tags/v1.0", "HEAD~", "HEAD~1", "HEAD~0", "HEAD~1^{tree}", "HEAD~2", "HEAD^", "HEAD^2"),
        *(first, first[:9], first.upper(), NOTHING, NOTHING + "^{commit}", first + "^{tree}", "HEAD:a.cs", "HEAD:src"),
        *("none", "config", "nowhere", "FETCH_HEAD", "HEAD^{tree}^{commit}", "HEAD@{0}", ":/one", "main..light", "a b"),
        *("main.", "main/", "main.lock", "v1.0-1-g" + first[:9], "HEAD~99999999999999999999"),
    )
    both = in_process(repo), plumbing(repo)
    for name in names:
        assert both[0].find(name) == both[1].find(name), name
    assert both[0].find_all(names) == both[1].find_all(names) == list(map(both[0].find, names))
    assert both[0].find("HEAD~1") == first
    assert both[0].find(NOTHING) == git(repo, "rev-parse", "--verify", NOTHING)


def test_names_of_an_empty_repository_mean_nothing(tmp_path, git):
    git(tmp_path, "init", "--quiet")
    assert in_process(tmp_path).find("HEAD") is plumbing(tmp_path).find("HEAD") is None


def test_blobs_come_with_their_bytes_or_the_reason(repo, git, objects):
    blobs = [git(repo, "rev-parse", f"HEAD:{path}") for path in ("a.cs", "src/b.cs")]
    assert read(objects, blobs[1], NOTHING, *blobs) == [b"class B;\n", Problem.MISSING, b"class A;\n", b"class B;\n"]
    assert list(objects.read_blobs([])) == []


def test_a_damaged_blob_is_git_s_to_judge(repo, git, objects):
    blob = git(repo, "rev-parse", "HEAD:a.cs")
    file = repo / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o600)
    file.write_bytes(b"nonsense")
    bad, good = read(objects, blob, git(repo, "rev-parse", "HEAD:src/b.cs"))
    assert bad in (Problem.MISSING, Problem.UNREADABLE)  # by version of git
    assert good == b"class B;\n"


def test_what_was_cut_short_is_git_s_to_judge_and_never_waited_for(repo, git, objects):
    blob, tree = (git(repo, "rev-parse", name) for name in ("HEAD:a.cs", "HEAD:src"))
    for name in (blob, tree):
        file = repo / ".git/objects" / name[:2] / name[2:]
        file.chmod(0o600)
        file.write_bytes(file.read_bytes()[:-6])
    (bad,) = read(objects, blob)
    assert bad in (Problem.MISSING, Problem.UNREADABLE)
    with pytest.raises(GitStateError):
        objects.list_tree("HEAD")


def test_a_damaged_pack_is_git_s_to_judge(repo, git, objects):
    blob = git(repo, "rev-parse", "HEAD:a.cs")
    git(repo, "gc", "--quiet")
    (pack,) = (repo / ".git/objects/pack").glob("*.pack")
    pack.chmod(0o600)
    whole = pack.read_bytes()
    for damaged in (whole[:-30] + whole[-20:], whole[:40] + bytes(len(whole) - 60) + whole[-20:], whole[:30]):
        pack.write_bytes(damaged)
        (bad,) = read(objects, blob)
        assert bad in (Problem.MISSING, Problem.UNREADABLE, b"class A;\n")


def test_a_blob_that_is_too_large_is_not_read(repo, git, objects, monkeypatch):
    monkeypatch.setattr("codecortex.git.objects.pipe.MAX_BYTES", 8)
    monkeypatch.setattr("codecortex.git.objects.database.MAX_BYTES", 8)
    blobs = [git(repo, "rev-parse", f"HEAD:{path}") for path in ("a.cs", "notes.txt")]
    assert read(objects, *blobs) == [Problem.TOO_LARGE, b"notes\n"]
    git(repo, "gc", "--quiet")
    assert read(objects, *blobs) == [Problem.TOO_LARGE, b"notes\n"]


def test_a_large_blob_is_stored_as_it_is(repo, git, objects):
    git(repo, "config", "core.autocrlf", "true")
    (repo / ".gitattributes").write_text("* text\n")
    data = b"line\r\n" * 100_000
    blob = objects.write_blob(data)
    assert dict(objects.read_blobs([blob]))[0] == data


def test_a_tree_lists_what_git_lists(repo, git, objects):
    (repo / "link.cs").symlink_to("a.cs")
    (repo / "run.CS").write_text("x")
    (repo / "run.CS").chmod(0o755)
    with open(os.fsencode(repo) + b"/odd\xff%.cs", "wb"):  # noqa: PTH123 - bytes
        pass
    git(repo, "add", "--all")
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    git(repo, "commit", "--quiet", "-m", "odd")
    head = git(repo, "rev-parse", "HEAD")
    listing = objects.list_tree("HEAD", (b".cs",))
    paths = [b"a.cs", b"link.cs", b"odd\xff%.cs", b"run.CS", b"src/b.cs", b"sub"]
    assert [entry.path for entry in listing.entries] == paths
    assert [f"{entry.mode:o}" for entry in listing.entries][1:4] == ["120000", "100644", "100755"]
    assert listing.commit == head
    assert objects.list_tree(f"{head}^{{tree}}").commit is None
    assert len(objects.list_tree(head).entries) == 7
    with pytest.raises(GitStateError, match="the files of revision 'mine'"):
        objects.list_tree("HEAD:a.cs", called="mine")
    wanted = [
        ("HEAD", encode_path(path)) for path in (b"odd\xff%.cs", b"link.cs", b"sub", b"src", b"src/none", b"a.cs/x")
    ]
    assert set(objects.find_blobs([*wanted, ("none", "a.cs")])) == set(wanted[:2])
    assert objects.find_blobs([]) == {}


def test_missing_trees_are_told_as_git_tells_them(repo, git, objects):
    tree = git(repo, "rev-parse", "HEAD:src")
    (repo / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(GitStateError, match="could not list"):
        objects.list_tree("HEAD")
    with pytest.raises(GitStateError, match="could not compare"):
        objects.diff_trees(None, "HEAD")


def test_differences_of_every_kind(repo, git, objects):
    before = git(repo, "rev-parse", "HEAD")
    (repo / "src/b.cs").rename(repo / "moved.cs")
    (repo / "src").rmdir()
    (repo / "src").write_text("a file now\n")
    (repo / "a.cs").unlink()
    (repo / "a.cs").symlink_to("notes.txt")
    (repo / "notes.txt").chmod(0o755)
    commit(git, repo)
    found = objects.diff_trees(before, "HEAD")
    assert [(each.status, each.old_path, each.path) for each in found] == [
        ("T", b"a.cs", b"a.cs"),
        ("R", b"src/b.cs", b"moved.cs"),
        ("M", b"notes.txt", b"notes.txt"),
        ("A", b"src", b"src"),
    ]
    assert (found[2].old_mode, found[2].mode) == (0o100644, 0o100755)
    assert [each.path for each in objects.diff_trees(before, "HEAD", Scope(suffix=b".cs"))] == [b"a.cs", b"moved.cs"]
    assert [each.status for each in objects.diff_trees(before, "HEAD", Scope(paths=(b"src",)))] == ["A", "D"]
    assert [each.status for each in objects.diff_trees(None, before)] == ["A", "A", "A"]
    assert objects.diff_trees("HEAD", "HEAD^{tree}") == []


def change_at_random(random, root, files):
    """Make, edit, copy, move and remove files; bodies of some lines, so that many are alike."""
    for _ in range(random.randint(1, 12)):
        folder, ending = random.choice(["", "x/", "x/y/", "Z.cs/", "x.y/"]), random.choice([".cs", ".CS", ""])
        path, deed = f"{folder}{random.choice('abcdef')}{ending}", random.random()
        if files and deed < 0.25:
            files.pop(random.choice(sorted(files)))
        elif files and deed < 0.5:
            body = files.pop(random.choice(sorted(files)))
            files[path] = body + random.choice(["", "", "one more line\n" * random.randint(1, 4)])
        elif files and deed < 0.6:
            files[path] = files[random.choice(sorted(files))]
        elif deed < 0.65:
            files[path] = ""
        else:
            start = random.randint(0, 3)
            lines = range(start, start + random.randint(1, 30))
            files[path] = "".join(f"line {number} of {start}\n" for number in lines)
    shutil.rmtree(root, ignore_errors=True)
    kept = {path: body for path, body in files.items() if not any(other.startswith(path + "/") for other in files)}
    for path, body in kept.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body)
    return kept


@pytest.mark.parametrize("seed", range(4))
def test_random_histories_are_compared_alike(tmp_path, git, seed):
    random, files, root = Random(seed), {}, tmp_path / "tree"  # noqa: S311 - to be repeated
    root.mkdir()
    git(tmp_path, "init", "--quiet")
    commits = []
    for number in range(8):
        files = change_at_random(random, root, files)
        commits.append(commit(git, tmp_path, f"{number}"))
    fast, slow = in_process(tmp_path), plumbing(tmp_path)
    scopes = (EVERYWHERE, Scope(suffix=b".cs"), Scope(paths=(b"tree/x", b"tree/a.cs")), Scope(submodules=False))
    for before, after in [*pairwise(commits), (commits[-1], commits[0]), (None, commits[0])]:
        for scope in scopes:
            assert fast.diff_trees(before, after, scope) == slow.diff_trees(before, after, scope)
        assert fast.list_tree(after) == slow.list_tree(after)
        assert fast.list_tree(after, (b".cs",)) == slow.list_tree(after, (b".cs",))
        some = [(after, f"tree/{path}") for path in (*files, "x", "none")]
        assert fast.find_blobs(some) == slow.find_blobs(some)


@pytest.mark.parametrize("seed", range(4))
def test_random_changes_write_the_same_trees(tmp_path, git, seed):
    random, root = Random(seed), tmp_path / "tree"  # noqa: S311 - to be repeated
    root.mkdir()
    git(tmp_path, "init", "--quiet")
    change_at_random(random, root, {})
    base = commit(git, tmp_path)
    fast, slow = in_process(tmp_path), plumbing(tmp_path)
    blob = fast.write_blob(b"new\n")
    assert slow.write_blob(b"new\n") == blob
    for _ in range(6):
        paths = [f"tree/{random.choice(['', 'x/', 'x/y/', 'n/'])}{random.choice('abcdxy')}".encode() for _ in range(5)]
        paths = [path for path in paths if not any(other.startswith(path + b"/") for other in paths)]
        changes = {path: random.choice([None, (0o100644, blob), (0o100755, blob)]) for path in paths}
        written = write_by_index(git, tmp_path, base, changes)
        assert fast.write_tree(base, changes) == slow.write_tree(base, changes) == written, changes
        base = written


@pytest.mark.parametrize("format_", ["sha1", "sha256"])
def test_a_tree_is_written_as_an_index_would_write_it(tmp_path, git, format_):
    git(tmp_path, "init", "--quiet", f"--object-format={format_}")
    names = ["a", "a.b", "a0", "line\nfeed/x", "deep/er/and deeper/y", "no change/z", "link", "x/only"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    base = commit(git, tmp_path)
    slow = Plumbing(open_repository(tmp_path))
    new, gone, elsewhere = (0o100755, slow.write_blob(b"new\n")), None, (0o160000, base)
    for changes in (
        {b"line\nfeed/w": new, b"deep/er/and deeper/y": gone},
        {b"a": gone, b"a/in it": new, b"x/only": gone, b"sub module": elsewhere},
        {b"deep": new, b"deep/er/and deeper/y": gone},
        {b"nothing/there": gone},
        {name.encode(): gone for name in names},
    ):
        assert slow.write_tree("HEAD", changes) == write_by_index(git, tmp_path, "HEAD", changes), changes
    with pytest.raises(GitStateError, match="no tree here"):
        slow.write_tree(f"{base[:-6]}000000", {b"a": new})


def write_by_index(git, root, base, changes):
    """The tree that git makes of an index: what goes stands first, as it may be in the way of what comes."""
    git(root, "read-tree", base)
    nothing = "0" * len(git(root, "rev-parse", base))
    order = sorted(changes.items(), key=lambda item: (item[1] is not None, item[0]))
    lines = [b"%o %s\t%s\0" % (e[0] if e else 0, (e[1] if e else nothing).encode(), path) for path, e in order]
    update = ["git", "update-index", "--replace", "-z", "--index-info"]
    subprocess.run(update, cwd=root, input=b"".join(lines), check=True)
    return git(root, "write-tree", "--missing-ok")


# -- writing


def test_a_commit_is_the_same_whoever_writes_it(repo, git):
    trees, commits = set(), set()
    for objects in (in_process(repo), plumbing(repo)):
        blob = objects.write_blob(b"\xff\0")
        tree = objects.write_tree("HEAD", {b"src/c\xff.cs": (0o100644, blob), b"src/b.cs": None, b"gone/x": None})
        empty = objects.write_tree(None, {})
        draft = CommitDraft(tree, (objects.find("HEAD"),), "A version\n\n{}", WHO)
        trees |= {(tree, empty)}
        commits |= {objects.write_commit(draft)}
        with pytest.raises(GitStateError, match="no file of the name"):
            objects.write_tree("HEAD", {b"src/../x": (0o100644, blob)})
        with pytest.raises(GitStateError):
            objects.write_commit(CommitDraft("none", (), "", WHO))
    (written,) = commits
    assert len(trees) == 1
    git(repo, "fsck", "--strict")
    assert git(repo, "log", "-1", "--format=%an %ae %aI %B", written).startswith(
        "A U Thor author@example.com 2024-01-02T01:34:05-01:30 A version"
    )


def test_refs_move_only_from_where_they_are_believed_to_be(repo, git, objects):
    head = git(repo, "rev-parse", "HEAD")
    other = commit(git, repo)
    assert not objects.move_ref(REF, other, head)
    assert objects.move_ref(REF, head, None)
    assert not objects.move_ref(REF, other, None)
    assert not objects.move_ref(REF, head, other)
    assert objects.move_ref(REF, other, head)
    assert objects.find(REF) == objects.find(f"{REF}^{{commit}}") == git(repo, "rev-parse", REF) == other
    assert objects.list_refs("refs/worktree/codecortex/") == {REF: other}
    git(repo, "pack-refs", "--all")
    assert objects.move_ref(REF, head, other)
    assert not objects.drop_ref(REF, other)
    assert objects.drop_ref(REF, head)
    assert objects.list_refs("refs/worktree/") == {}
    assert not objects.drop_ref(REF, head)
    with pytest.raises(GitStateError):
        objects.move_ref("refs/worktree/../bad", head, None)
    with pytest.raises(GitStateError):
        objects.move_ref(REF, NOTHING[:-1] + "1", None)


def test_a_ref_that_moves_meanwhile_is_seen(repo, git):
    head = git(repo, "rev-parse", "HEAD")
    other = commit(git, repo)
    objects = in_process(repo)
    assert objects.move_ref(REF, head, None)
    git(repo, "update-ref", REF, other)
    assert not objects.move_ref(REF, other, head)
    assert objects.list_refs("refs/") == {REF: other, "refs/heads/main": other}


@pytest.mark.parametrize("backend", [in_process, plumbing])
def test_refs_of_a_linked_work_tree_are_its_own(repo, git, tmp_path, backend):
    git(repo, "worktree", "add", "--quiet", "../linked", "-b", "side")
    head = git(repo, "rev-parse", "HEAD")
    linked, main = backend(tmp_path / "linked"), backend(repo)
    assert linked.move_ref(REF, head, None)
    assert linked.find(REF) == head
    assert main.find(REF) is None
    assert linked.list_refs("refs/worktree/") == {REF: head}
    assert main.list_refs("refs/") == {"refs/heads/main": head, "refs/heads/side": head}
    assert linked.find("HEAD") == head
    assert linked.find("side") == head
    assert not linked.move_ref(REF, head, None)


# -- which repositories, and when


def test_a_sha256_repository_is_git_s(sha256, git):
    objects = open_lasting(open_repository(sha256, lasting=True))
    assert isinstance(objects, Plumbing)
    blob = objects.write_blob(b"class B;\n")
    tree = objects.write_tree("HEAD", {b"b.cs": (0o100644, blob), b"a.cs": None})
    made = objects.write_commit(CommitDraft(tree, (), "two", WHO))
    assert objects.move_ref(REF, made, None)
    assert objects.list_refs("refs/worktree/") == {REF: made}
    assert read(objects, blob, "0" * 64) == [b"class B;\n", Problem.MISSING]
    assert [(each.status, each.path) for each in objects.diff_trees("HEAD", REF)] == [("D", b"a.cs"), ("A", b"b.cs")]
    assert objects.list_tree(REF).commit == made
    assert objects.find_blobs([(REF, "b.cs")]) == {(REF, "b.cs"): blob}
    assert objects.find_merge_base("HEAD", REF) is None
    assert len(git(sha256, "rev-parse", REF)) == 64


@pytest.mark.parametrize("extension", ["refStorage", "partialClone", "unheardOf"])
def test_an_extension_that_libgit2_does_not_know_is_git_s(repo, git, extension):
    git(repo, "config", "core.repositoryFormatVersion", "1")
    known = open_repository(repo)
    git(repo, "config", f"extensions.{extension}", "reftable")
    assert isinstance(open_lasting(known), Plumbing)


@pytest.mark.parametrize("variable", ["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"])
def test_objects_kept_elsewhere_for_now_are_git_s(repo, monkeypatch, tmp_path, variable):
    aside = tmp_path / "aside"
    aside.mkdir()
    value = aside if variable == "GIT_OBJECT_DIRECTORY" else repo / ".git/objects"
    monkeypatch.setenv(variable, str(value))
    assert isinstance(open_lasting(open_repository(repo)), Plumbing)


def test_what_is_replaced_or_grafted_or_cut_off(repo, git, tmp_path):
    first = git(repo, "rev-parse", "HEAD")
    (repo / "a.cs").write_text("class Other;\n")
    second = commit(git, repo)
    blobs = [git(repo, "rev-parse", f"{each}:a.cs") for each in (first, second)]
    git(repo, "replace", *blobs)
    for backend in (in_process, plumbing):
        assert read(backend(repo), *blobs) == [b"class A;\n", b"class Other;\n"]
    git(repo, "replace", "-d", blobs[0])
    (repo / ".git/info/grafts").write_text(f"{second}\n")
    assert in_process(repo).find("HEAD~1") is plumbing(repo).find("HEAD~1") is None
    (repo / ".git/info/grafts").unlink()
    git(tmp_path, "clone", "--quiet", "--depth=1", repo.as_uri(), "shallow")
    shallow = tmp_path / "shallow"
    assert in_process(shallow).find("HEAD~1") is plumbing(shallow).find("HEAD~1") is None
    assert in_process(shallow).diff_trees(None, "HEAD") == plumbing(shallow).diff_trees(None, "HEAD")


def test_alternates_and_a_bare_repository(repo, git, tmp_path):
    git(tmp_path, "clone", "--quiet", "--shared", "--bare", repo, "bare.git")
    bare = in_process(tmp_path / "bare.git")
    assert read(bare, git(repo, "rev-parse", "HEAD:a.cs")) == [b"class A;\n"]
    assert bare.list_tree("main") == in_process(repo).list_tree("main")


def test_what_is_packed_or_added_after_opening_is_found(repo, git):
    objects = in_process(repo)
    blob = git(repo, "rev-parse", "HEAD:a.cs")
    assert read(objects, blob) == [b"class A;\n"]
    (repo / "late.cs").write_text("class Late;\n")
    late = commit(git, repo)
    git(repo, "gc", "--quiet", "--prune=now")
    assert objects.find("HEAD") == late
    assert read(objects, git(repo, "rev-parse", "HEAD:late.cs"), blob) == [b"class Late;\n", b"class A;\n"]
    git(repo, "repack", "-a", "-d", "-f", "--quiet")
    assert in_process(repo) is objects
    assert objects.list_tree(late) == plumbing(repo).list_tree(late)


def test_another_repository_in_the_same_place_is_opened_anew(repo, git, tmp_path):
    known = open_repository(repo)
    objects = open_lasting(known)
    shutil.move(repo, tmp_path / "away")
    assert isinstance(open_lasting(known), Plumbing)
    repo.mkdir()
    git(repo, "init", "--quiet")
    assert open_lasting(known) is not objects
    assert open_lasting(known).find("HEAD") is None


def test_each_thread_and_each_forked_process_has_its_own(repo):
    known, found = open_repository(repo), []
    objects = open_lasting(known)
    assert open_lasting(known) is objects
    thread = Thread(target=lambda: found.append(open_lasting(known)))
    thread.start()
    thread.join()
    assert isinstance(found[0], InProcess)
    assert found[0] is not objects
    child = os.fork()
    if not child:
        try:
            fresh = open_lasting(known)
            os._exit(0 if fresh is not objects and fresh.find("HEAD") == objects.find("HEAD") else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_shared_repository_and_one_with_a_ref_hook_are_written_by_git(repo, git):
    git(repo, "config", "core.sharedRepository", "group")
    in_process(repo).write_blob(b"shared\n")
    blob = git(repo, "hash-object", "--stdin", stdin=b"shared\n")
    assert (repo / ".git/objects" / blob[:2]).stat().st_mode & 0o020
    hook = repo / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    head = git(repo, "rev-parse", "HEAD")
    with pytest.raises(GitStateError):
        in_process(repo).move_ref(REF, head, None)


def test_pygit2_is_loaded_where_a_process_lasts_or_asks_much(repo):
    script = (
        "import sys; from pathlib import Path\n"
        "from codecortex.git.repository import open_repository\n"
        "from codecortex.git.revisions import find_object\n"
        "known = open_repository(Path(sys.argv[1]), lasting=len(sys.argv) > 3)\n"
        "for _ in range(int(sys.argv[2])): find_object(known, 'HEAD')\n"
        "print('pygit2' in sys.modules)\n"
    )

    def loads(*arguments):
        command = [sys.executable, "-c", script, repo, *arguments]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip() == "True"

    assert not loads("20")
    assert loads("21")
    assert loads("1", "lasting")


def test_whoever_asks_once_is_answered_by_git(repo):
    assert isinstance(open_objects(open_repository(repo)), Plumbing | InProcess)
