"""Files as they come: encodings, line ends, permissions, links, folders, a full disk; bytes outside an edit stay."""

import codecs
import os
import re
import resource
import subprocess

import pytest

from codecortex.editing.values import Mode, State, Status
from codecortex.model.errors import GitStateError, UsageError
from codecortex.operations.editing import verbs
from codecortex.operations.editing.files import NoTextError
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.request import Request


def ask(root, file="a.txt", session="default"):
    return EditRequest(Request(root), file, session)


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"one\ntwo\n", "two", "2\n3", b"one\n2\n3\n"),
        (b"one\r\ntwo\r\nlast\n", "two", "2\n3", b"one\r\n2\r\n3\r\nlast\n"),
        (b"one\rtwo\r", "two", "2\n3", b"one\r2\r3\r"),
        (codecs.BOM_UTF8 + "é\r\n".encode(), "é", "ü", codecs.BOM_UTF8 + "ü\r\n".encode()),
        (
            codecs.BOM_UTF16_LE + "é\r\nx\r\n".encode("utf-16-le"), "x", "y\nz",
            codecs.BOM_UTF16_LE + "é\r\ny\r\nz\r\n".encode("utf-16-le"),
        ),
        ("café €".encode("cp1252"), "€", "ü", "café ü".encode("cp1252")),
        (b"\xef\xbb\xbf\xef\xbb\xbfx", "x", "y", b"\xef\xbb\xbf\xef\xbb\xbfy"),
        ("\U0001f600 x\n".encode(), "x", "y", "\U0001f600 y\n".encode()),
    ],
)  # fmt: skip
def test_bytes_outside_an_edit_stay(repo, before, old, new, after):
    (repo / "a.txt").write_bytes(before)
    (repo / "a.txt").chmod(0o755)
    assert verbs.replace(ask(repo), old, new).response.status is Status.SUCCESS
    assert (repo / "a.txt").read_bytes() == after
    assert (repo / "a.txt").stat().st_mode & 0o777 == 0o755
    assert verbs.undo(ask(repo)).response.status is Status.SUCCESS
    assert (repo / "a.txt").read_bytes() == before
    verbs.redo(ask(repo))
    assert (repo / "a.txt").read_bytes() == after


def test_an_encoding_stays_where_no_character_needs_it_any_longer(repo):
    (repo / "a.txt").write_bytes("é".encode("cp1252"))
    verbs.replace(ask(repo), "é", "e")
    verbs.replace(ask(repo), "e", "ü")
    assert (repo / "a.txt").read_bytes() == "ü".encode("cp1252")
    refused = verbs.append(ask(repo), "\u4e2d")
    assert (refused.response.status, refused.response.summary) == (
        Status.EXCEPTION,
        "The file's encoding cp1252 cannot write U+4E2D.",
    )
    assert (repo / "a.txt").read_bytes() == "ü".encode("cp1252")


def test_a_file_changed_in_encoding_is_read_as_it_is_now(repo):
    (repo / "a.txt").write_bytes("é\n".encode("cp1252"))
    verbs.open_file(ask(repo))
    (repo / "a.txt").write_bytes(codecs.BOM_UTF16_BE + "é\n".encode("utf-16-be"))
    verbs.append(ask(repo), "ü")
    assert (repo / "a.txt").read_bytes() == codecs.BOM_UTF16_BE + "é\nü".encode("utf-16-be")


def test_where_git_checks_out_crlf_versions_have_lf(repo, git):
    git(repo, "config", "core.autocrlf", "true")
    (repo / "notes.txt").write_bytes(b"one\r\ntwo\r\n")
    git(repo, "commit", "--quiet", "-am", "two")
    verbs.replace(ask(repo, "notes.txt"), "two", "2\n3")
    assert (repo / "notes.txt").read_bytes() == b"one\r\n2\r\n3\r\n"
    patch = git(repo, "diff", "HEAD", "refs/worktree/codecortex/sessions/default", "--", "notes.txt")
    assert patch.endswith("one\n-two\n+2\n+3")
    verbs.undo(ask(repo, "notes.txt"))
    assert (repo / "notes.txt").read_bytes() == b"one\r\ntwo\r\n"


def link(file):
    file.symlink_to("notes.txt")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda file: file.write_bytes(b"a\0b"), "is binary: it holds NUL characters"),
        (lambda file: file.write_bytes(b"\x81\xff"), "is neither valid UTF-8 (byte 0) nor Windows-1252"),
        (lambda file: file.write_bytes(codecs.BOM_UTF16_LE + b"a"), "is not valid UTF-16-LE at byte 2"),
        (lambda file: file.mkdir(), "is a folder"),
        (os.mkfifo, "is no regular file"),
        (link, "is a symbolic link, or lies behind one"),
    ],
)
def test_what_is_no_text_is_refused_with_the_reason(repo, make, reason):
    make(repo / "a.txt")
    with pytest.raises(NoTextError, match=f"^a.txt {re.escape(reason)}[.]$"):
        verbs.open_file(ask(repo))


@pytest.mark.parametrize(
    ("file", "message"),
    [("../x", "outside the work tree"), (".git/config", "git's own folder"), (".", "outside the work tree"),
     ("inner/x.txt", "in another repository")],
)  # fmt: skip
def test_what_lies_elsewhere_is_refused(repo, git, file, message):
    (repo / "inner").mkdir()
    git(repo / "inner", "init", "--quiet")
    with pytest.raises(UsageError, match=message):
        verbs.write(ask(repo, file), "x")


def test_a_file_below_a_file_is_refused(repo):
    with pytest.raises(NoTextError, match="below something that is no folder"):
        verbs.write(ask(repo, "notes.txt/x"), "x")


def edit_by_hand(repo, mode=Mode.MANUAL):
    verbs.open_file(ask(repo, "notes.txt"), mode)
    verbs.append(ask(repo, "notes.txt"), "mine\n")


@pytest.mark.parametrize(
    ("change", "summary"),
    [
        (lambda file: file.unlink(), "The file was removed outside."),
        (
            lambda file: file.rename(file.with_name("moved.txt")),
            "The file was removed outside; moved.txt says what it said.",
        ),
        (lambda file: (file.unlink(), link_to_a(file)), "The file is a symbolic link, or lies behind one."),
        (lambda file: (file.unlink(), file.mkdir()), "The file is a folder."),
        (lambda file: file.write_bytes(b"\0"), "The file is binary: it holds NUL characters."),
        (lambda file: file.write_bytes(b"theirs\n"), "The file was changed outside, and the buffer differs from it."),
    ],
)
def test_what_becomes_of_a_file_is_told_and_the_buffer_kept(repo, change, summary):
    edit_by_hand(repo)
    change(repo / "notes.txt")
    told = verbs.commit(ask(repo, "notes.txt"))
    assert (told.response.status, told.response.state) == (Status.EXTERNAL_CONFLICT, State.OUT_OF_SYNC)
    assert told.response.summary == summary
    assert verbs.compare(ask(repo, "notes.txt")).patch.endswith("+mine\n")
    saved = verbs.save_as(ask(repo, "notes.txt"), "kept.txt")
    assert saved.response.status is Status.SUCCESS
    assert (repo / "kept.txt").read_bytes() == b"notes\nmine\n"


def test_a_file_renamed_by_git_under_a_clean_buffer_is_told_and_edited_there(repo, git):
    verbs.open_file(ask(repo, "notes.txt"))
    git(repo, "mv", "notes.txt", "src/renamed.txt")
    told = verbs.append(ask(repo, "notes.txt"), "more\n")
    assert (told.response.status, told.response.state) == (Status.EXTERNAL_CONFLICT, State.OUT_OF_SYNC)
    assert told.response.summary == "The file was removed outside; src/renamed.txt says what it said."
    assert verbs.append(ask(repo, "src/renamed.txt"), "more\n").response.status is Status.SUCCESS
    assert (repo / "src/renamed.txt").read_bytes() == b"notes\nmore\n"
    assert verbs.refresh(ask(repo, "notes.txt")).response.state is State.IDLE
    assert not (repo / "notes.txt").exists()


def link_to_a(file):
    file.symlink_to("a.cs")


def test_a_file_removed_under_a_clean_buffer_comes_back_with_save_as(repo):
    verbs.open_file(ask(repo, "notes.txt"))
    (repo / "notes.txt").unlink()
    told = verbs.append(ask(repo, "notes.txt"), "x")
    assert (told.response.status, told.response.state) == (Status.EXTERNAL_CONFLICT, State.OUT_OF_SYNC)
    assert not (repo / "notes.txt").exists()
    verbs.save_as(ask(repo, "notes.txt"), "notes.txt")
    assert (repo / "notes.txt").read_bytes() == b"notes\n"
    assert verbs.open_file(ask(repo, "notes.txt")).response.state is State.IDLE


def test_a_read_only_file_stays_and_the_edit_too(repo):
    (repo / "notes.txt").chmod(0o444)
    told = verbs.append(ask(repo, "notes.txt"), "mine\n")
    assert (told.response.status, told.response.state) == (Status.PERSIST_FAILURE, State.OUT_OF_SYNC)
    assert (repo / "notes.txt").read_bytes() == b"notes\n"
    assert verbs.open_file(ask(repo, "notes.txt")).text == "notes\nmine\n"


def test_a_link_put_there_between_two_calls_is_not_followed(repo):
    edit_by_hand(repo, Mode.IMMEDIATE)
    (repo / "notes.txt").unlink()
    (repo / "notes.txt").symlink_to("a.cs")
    assert verbs.append(ask(repo, "notes.txt"), "more").response.status is Status.EXTERNAL_CONFLICT
    assert (repo / "a.cs").read_bytes() == b"class A;\n"


def test_a_full_disk_leaves_the_file_and_keeps_the_edit(repo):
    text = "x" * 220_000  # git packs it small: the file alone is too large
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    verbs.open_file(ask(repo, "notes.txt"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    try:
        told = verbs.append(ask(repo, "notes.txt"), text)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (told.response.status, told.response.state) == (Status.PERSIST_FAILURE, State.OUT_OF_SYNC)
    assert (repo / "notes.txt").read_bytes() == b"notes\n"
    assert verbs.open_file(ask(repo, "notes.txt")).text == "notes\n" + text
    assert [file.name for file in repo.iterdir() if "tmp" in file.name] == []


@pytest.mark.parametrize(
    ("length", "hint"),
    [(4_000, "git fsck"), (200_000, "Make room or grant access")],  # by git, which is killed; by a file for git
)
def test_a_disk_too_full_for_a_version_changes_nothing(repo, length, hint):
    verbs.open_file(ask(repo, "notes.txt"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    try:
        with pytest.raises(GitStateError) as refused:
            verbs.append(ask(repo, "notes.txt"), os.urandom(length).hex())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert hint in refused.value.hint
    assert (repo / "notes.txt").read_bytes() == b"notes\n"
    told = verbs.open_file(ask(repo, "notes.txt"))
    assert (told.text, told.response.state) == ("notes\n", State.IDLE)


def test_nobody_needs_a_name(repo, monkeypatch):
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    assert verbs.append(ask(repo, "notes.txt"), "x").response.status is Status.SUCCESS


def test_before_the_first_commit_and_with_sha256(tmp_path, git):
    git(tmp_path, "init", "--quiet", "--object-format=sha256", "new")
    assert verbs.write(ask(tmp_path / "new"), "one\n").response.status is Status.SUCCESS
    verbs.append(ask(tmp_path / "new"), "two\n")
    verbs.undo(ask(tmp_path / "new"))
    assert (tmp_path / "new/a.txt").read_bytes() == b"one\n"


def test_names_that_are_hard_to_write(repo):
    for name in (b"a b.txt", "é中.txt".encode(), b"\xff.txt", b"[x]*?.txt", b"%41.txt", b"-n"):
        file = os.fsencode(repo) + b"/" + name
        with open(file, "wb") as opened:  # noqa: PTH123 - bytes
            opened.write(b"one\n")
        assert verbs.append(ask(repo, os.fsdecode(name)), "two\n").response.status is Status.SUCCESS
        verbs.undo(ask(repo, os.fsdecode(name)))
        verbs.redo(ask(repo, os.fsdecode(name)))
        with open(file, "rb") as opened:  # noqa: PTH123 - bytes
            assert opened.read() == b"one\ntwo\n"


def test_a_path_is_looked_for_where_the_user_stands_then_from_the_top(repo):
    assert verbs.open_file(ask(repo / "src", "b.cs")).file == "src/b.cs"
    assert verbs.open_file(ask(repo / "src", "../a.cs")).file == "a.cs"
    assert verbs.open_file(ask(repo / "src", "src/b.cs")).file == "src/b.cs"
    assert verbs.write(ask(repo / "src", "new.cs"), "x").file == "src/new.cs"


def test_what_another_put_into_the_session_is_the_buffer(repo, git):
    verbs.open_file(ask(repo, "notes.txt"))
    ref = "refs/worktree/codecortex/sessions/default"
    blob = git(repo, "hash-object", "-w", "--stdin", stdin=b"of another\n")
    scratch = {**os.environ, "GIT_INDEX_FILE": str(repo / ".git/scratch")}
    for words in (["read-tree", ref], ["update-index", "--cacheinfo", f"100644,{blob},notes.txt"]):
        subprocess.run(["git", *words], cwd=repo, env=scratch, check=True)
    tree = subprocess.run(["git", "write-tree"], cwd=repo, env=scratch, check=True, capture_output=True).stdout
    head = git(repo, "rev-parse", "HEAD")
    facts = '{"op":"rename","head":"' + head + '"}'
    tip = git(repo, "commit-tree", tree.decode().strip(), "-p", ref, "-m", "Renamed", "-m", facts)
    git(repo, "update-ref", ref, tip)
    told = verbs.open_file(ask(repo, "notes.txt"))
    assert (told.text, told.response.state) == ("of another\n", State.PERSIST_PENDING)
    assert verbs.commit(ask(repo, "notes.txt")).response.status is Status.SUCCESS
    assert (repo / "notes.txt").read_bytes() == b"of another\n"
