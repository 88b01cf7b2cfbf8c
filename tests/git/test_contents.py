import hashlib
import os
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from codecortex.git.contents import Content, read_contents
from codecortex.git.listing import Skipped, list_index, list_revision, list_worktree
from codecortex.git.repository import open_repository
from codecortex.git.worktree.disk import MAX_BYTES, Problem, hash_blob

CS = (".cs",)


def read(root, listing):
    return {content.entry.path: content for content in read_contents(open_repository(root), listing.entries)}


def read_all(repository, entries):
    return list(read_contents(repository, entries))


def index(root):
    return list_index(open_repository(root), CS)


def worktree(root):
    return list_worktree(open_repository(root), CS)


def loose_object(root, blob):
    path = root / ".git" / "objects" / blob[:2] / blob[2:]
    path.chmod(0o600)
    return path


def test_many_blobs_of_many_sizes_arrive_whole(tmp_path, git):
    git(tmp_path, "init", "--quiet")
    source = random.Random(1)  # noqa: S311 - not a secret
    expected = {}
    for number in range(300):
        data = source.randbytes(source.choice([0, 1, 65536, 100, 4096, 300_000]))
        (tmp_path / f"{number:03}.cs").write_bytes(data)
        expected[f"{number:03}.cs"] = data
    git(tmp_path, "add", ".")
    for listing in (index(tmp_path), worktree(tmp_path)):
        assert {path: content.data for path, content in read(tmp_path, listing).items()} == expected


def test_a_missing_blob_is_one_problem_among_good_files(repo):
    listing = index(repo)
    loose_object(repo, listing.entries[0].blob).unlink()
    contents = read(repo, listing)
    assert contents["a.cs"] == Content(listing.entries[0], None, Problem.MISSING)
    assert contents["src/b.cs"].data == b"class B;\n"


def test_a_damaged_blob_is_one_problem_among_good_files(repo):
    listing = index(repo)
    loose = loose_object(repo, listing.entries[0].blob)
    loose.write_bytes(loose.read_bytes()[:12])
    contents = read(repo, listing)
    assert contents["a.cs"].data is None
    assert contents["a.cs"].problem in (Problem.UNREADABLE, Problem.MISSING)
    assert contents["src/b.cs"].data == b"class B;\n"


def test_a_missing_blob_of_a_partial_clone_is_not_fetched(repo, git, tmp_path):
    git(repo, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{repo}", "partial")
    partial = tmp_path / "partial"
    listing = list_revision(open_repository(partial), "HEAD", CS)
    assert {content.problem for content in read(partial, listing).values()} == {Problem.MISSING}


def test_a_file_edited_after_the_listing_comes_with_its_new_id(repo):
    (repo / "a.cs").write_text("class Dirty;")
    listing = worktree(repo)
    (repo / "a.cs").write_text("class Dirtier;")
    content = read(repo, listing)["a.cs"]
    assert content.data == b"class Dirtier;"
    assert content.entry.blob == hash_blob(content.data, "sha1") != listing.entries[0].blob


def test_a_clean_file_edited_after_the_listing_is_read_as_listed(repo):
    listing = worktree(repo)
    (repo / "a.cs").write_text("class Later;")
    (repo / "src" / "b.cs").unlink()
    assert {path: content.data for path, content in read(repo, listing).items()} == {
        "a.cs": b"class A;\n",
        "src/b.cs": b"class B;\n",
    }


def test_a_dirty_file_that_became_a_folder_or_a_link(repo, tmp_path):
    (tmp_path / "secret.cs").write_text("secret")
    for name in ("a.cs", "src/b.cs"):
        (repo / name).write_text("class Dirty;")
    listing = worktree(repo)
    (repo / "a.cs").unlink()
    (repo / "a.cs").mkdir()
    (repo / "src").rename(tmp_path / "outside")
    (repo / "src").symlink_to(tmp_path / "outside")
    assert {path: (content.data, content.problem) for path, content in read(repo, listing).items()} == {
        "a.cs": (None, Problem.NOT_A_FILE),
        "src/b.cs": (None, Problem.SYMLINK),
    }


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(repo):
    (repo / "a.cs").chmod(0)
    assert worktree(repo).skipped == (Skipped("a.cs", Problem.UNREADABLE),)


def test_an_lfs_pointer_is_not_source(repo, git):
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 1\n"
    (repo / "a.cs").write_bytes(pointer)
    git(repo, "add", ".")
    for listing in (worktree(repo), index(repo)):
        assert (read(repo, listing)["a.cs"].data, read(repo, listing)["a.cs"].problem) == (None, Problem.LFS_POINTER)


def test_a_file_that_is_too_large(repo, git):
    with (repo / "a.cs").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert worktree(repo).skipped == (Skipped("a.cs", Problem.TOO_LARGE),)
    git(repo, "add", ".")
    contents = read(repo, index(repo))
    assert (contents["a.cs"].data, contents["a.cs"].problem) == (None, Problem.TOO_LARGE)
    assert contents["src/b.cs"].data == b"class B;\n"


def test_the_bytes_always_have_the_id_they_come_with(repo, git):
    (repo / ".gitattributes").write_text("*.cs ident\n")
    (repo / "a.cs").write_text("// $Id$\n")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "ident")
    (repo / "a.cs").unlink()
    git(repo, "checkout", "--", "a.cs")
    assert b"$Id: " in (repo / "a.cs").read_bytes()
    content = read(repo, worktree(repo))["a.cs"]
    assert content.data == b"// $Id$\n"
    assert content.entry.blob == hashlib.sha1(b"blob 8\0// $Id$\n", usedforsecurity=False).hexdigest()


def test_a_replaced_object_is_read_as_itself(repo, git):
    other = git(repo, "hash-object", "-w", "--stdin", stdin=b"class Other;")
    git(repo, "replace", git(repo, "rev-parse", "HEAD:a.cs"), other)
    assert read(repo, index(repo))["a.cs"].data == b"class A;\n"


def test_workers_read_what_they_are_handed(repo):
    listing = index(repo)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        parts = pool.map(read_all, [open_repository(repo)] * 2, [listing.entries[:1], listing.entries[1:]])
        assert [content.data for part in parts for content in part] == [b"class A;\n", b"class B;\n"]


LEAVE_EARLY = """
import os, sys
from pathlib import Path
from codecortex.git.contents import read_contents
from codecortex.git.listing import list_index
from codecortex.git.repository import open_repository
repository = open_repository(Path(sys.argv[1]))
reading = read_contents(repository, list_index(repository, (".cs",)).entries)
next(reading)
reading.close()
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no children")
"""


def test_leaving_early_leaves_no_process_behind(repo):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "error", "-c", LEAVE_EARLY, str(repo)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("no children\n", "")
