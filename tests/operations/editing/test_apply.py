"""Patches applied to files: the tree equals git's; all of it or nothing, killed or refused; each file taken back."""

import random

import pytest

from codecortex.editing.values import Mode, State, Status
from codecortex.model.errors import UsageError
from codecortex.operations.editing import verbs
from codecortex.operations.editing.apply import apply
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.editing.status import edit_status
from codecortex.operations.queries.index import list_types
from codecortex.operations.refactoring.undo import undo
from codecortex.operations.request import Request

WORDS = ["alpha", "beta", "}", "{", "", "  int x;", "-- sql", "++i;", "é", "last"]
TWO = (
    "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1 @@\n-notes\n+done\n--- /dev/null\n+++ b/new/x.txt\n@@ -0,0 +1 @@\n+x\n"
)
INTO_ITSELF = TWO + "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n"


def ask(root, file=""):
    return EditRequest(Request(root, lasting=True), file)


def write_tree(git, root):
    git(root, "add", "--all")
    return git(root, "write-tree")


class Author:
    """Changes a folder at random: other lines, names, permissions, line ends, files."""

    def __init__(self, seed, root):
        self._random = random.Random(seed)  # noqa: S311 - seeded
        self._root = root

    def begin(self):
        for number in range(6):
            self._write(f"dir {number % 3}/file{number}.txt", self._make_lines())

    def _make_lines(self):
        return [f"{self._random.choice(WORDS)} {number // 3}" for number in range(self._random.randint(1, 60))]

    def _write(self, path, lines):
        file = self._root / path
        file.parent.mkdir(exist_ok=True)
        end = self._random.choice(["\n", "\n", "\r\n"])
        text = end.join(lines) + self._random.choice([end, end, ""])
        mark, form = self._random.choice([(b"", "utf-8"), (b"\xef\xbb\xbf", "utf-8"), (b"", "cp1252")])
        file.write_bytes(mark + text.encode(form))

    def change(self):
        for file in sorted(self._root.glob("dir */*")):
            data = file.read_bytes()
            match self._random.randint(0, 7):
                case 0:
                    file.unlink()
                case 1:
                    file.rename(file.with_name(f"moved é {file.name}"))
                case 2:
                    file.chmod(0o755)
                case 3:
                    self._write(str(file.relative_to(self._root)), self._make_lines())
                case 4 | 5:
                    lines = data.split(b"\n")
                    lines[self._random.randrange(len(lines))] = b"changed"
                    lines.insert(self._random.randrange(len(lines)), b"inserted")
                    file.write_bytes(b"\n".join(lines))
                    if self._random.random() < 0.5:
                        file.rename(file.with_name(f"also {file.name}"))
                case 6:
                    file.write_bytes(data.replace(b"\r\n", b"\n"))
        self._write("dir 9/added.txt", self._make_lines())
        (self._root / "dir 9/empty").touch()


@pytest.mark.parametrize("seed", range(4))
def test_a_patch_leads_to_the_tree_that_git_has(repo, git, seed):
    author = Author(seed, repo)
    author.begin()
    before = write_tree(git, repo)
    git(repo, "commit", "--quiet", "-m", "before")
    author.change()
    after = write_tree(git, repo)
    git(repo, "reset", "--quiet", "--hard")
    patch = repo.parent / "patch"
    git(repo, "diff", "-M", f"--output={patch}", before, after)
    done = apply(ask(repo), patch.read_bytes())
    assert (done.status, done.failures) == (Status.SUCCESS, ())
    assert write_tree(git, repo) == after
    assert git(repo, "rev-parse", "refs/worktree/codecortex/sessions/default^{tree}") == after
    for each in done.files:
        for path in filter(None, (each.file, each.old)):
            assert verbs.undo(ask(repo, path)).response.status is Status.SUCCESS
    assert write_tree(git, repo) == before
    for each in done.files:
        for path in filter(None, (each.file, each.old)):
            verbs.redo(ask(repo, path))
    assert write_tree(git, repo) == after


def test_one_part_that_does_not_apply_leaves_all_as_it_was(repo, git):
    done = apply(ask(repo), (TWO + "--- a/a.cs\n+++ b/a.cs\n@@ -1 +1 @@\n-class  A;\n+class B;\n").encode())
    assert (done.status, done.exit_code, done.files) == (Status.NO_MATCH, 1, ())
    (failure,) = done.failures
    assert (failure.file, failure.line, failure.nearest[0].preview) == ("a.cs", 12, "class A;")
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""
    assert edit_status(Request(repo), "default").buffers == ()


def test_files_that_are_no_text_or_elsewhere_are_refused_by_name(repo):
    (repo / "bytes").write_bytes(b"a\0b")
    (repo / "link").symlink_to("notes.txt")
    parts = "".join(f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-a\n+b\n" for name in ("bytes", "link", "src"))
    done = apply(ask(repo), parts.encode())
    assert [each.file for each in done.failures] == ["bytes", "link", "src"]
    for name in ("../x", "/etc/passwd", ".git/config", "x\0y"):
        with pytest.raises(UsageError):
            apply(ask(repo), f'[{{"file": "{name}", "old": "a", "new": "b"}}]'.replace("\0", "\\u0000").encode())


def test_each_file_follows_the_mode_of_its_buffer(repo):
    verbs.open_file(ask(repo, "notes.txt"), Mode.MANUAL)
    done = apply(ask(repo), TWO.encode())
    assert [(each.file, each.change, each.written) for each in done.files] == [
        ("new/x.txt", "added", True),
        ("notes.txt", "changed", False),
    ]
    assert (repo / "notes.txt").read_text() == "notes\n"
    assert verbs.commit(ask(repo, "notes.txt")).response.status is Status.SUCCESS
    assert (repo / "notes.txt").read_text() == "done\n"


def test_a_file_that_goes_stays_until_its_buffer_is_committed(repo):
    patch = b"*** Begin Patch\n*** Delete File: notes.txt\n*** End Patch\n"
    apply(ask(repo), patch, Mode.MANUAL)
    assert (repo / "notes.txt").exists()
    assert verbs.compare(ask(repo, "notes.txt")).patch.endswith("+++ /dev/null\n@@ -1 +0,0 @@\n-notes\n")
    assert verbs.commit(ask(repo, "notes.txt")).response.state is State.IDLE
    assert not (repo / "notes.txt").exists()
    assert verbs.undo(ask(repo, "notes.txt")).response.state is State.PERSIST_PENDING
    verbs.commit(ask(repo, "notes.txt"))
    assert (repo / "notes.txt").read_text() == "notes\n"


def test_what_cannot_be_written_changes_nothing(repo, git):
    (repo / "notes.txt").chmod(0o444)
    done = apply(ask(repo), TWO.encode())
    assert (done.status, done.exit_code) == (Status.PERSIST_FAILURE, 3)
    assert "read-only" in done.summary
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""
    told = verbs.open_file(ask(repo, "notes.txt"))
    assert (told.text, told.response.state) == ("notes\n", State.IDLE)


def test_a_text_that_both_changed_is_not_patched(repo):
    verbs.open_file(ask(repo, "notes.txt"), Mode.MANUAL)
    verbs.append(ask(repo, "notes.txt"), "mine\n")
    (repo / "notes.txt").write_text("theirs\n")
    (failure,) = apply(ask(repo), TWO.encode()).failures
    assert (failure.file, failure.reason) == (
        "notes.txt",
        "The file was changed outside, and the buffer differs from it.",
    )
    assert not (repo / "new").exists()


def test_the_whole_patch_is_taken_back_at_once(repo, git):
    apply(ask(repo), TWO.encode())
    undo(Request(repo))
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""
    told = verbs.open_file(ask(repo, "notes.txt"))
    assert (told.text, told.response.state) == ("notes\n", State.IDLE)


@pytest.mark.slow
def test_a_patch_that_is_killed_is_there_or_not(repo, each_kill, git):
    verbs.open_file(ask(repo, "notes.txt"))
    seen = set()
    for root in each_kill(repo, lambda root: apply(ask(root), TWO.encode())):
        told = verbs.open_file(ask(root, "notes.txt"))
        made = (root / "new/x.txt").exists()
        assert ((root / "notes.txt").read_text(), made) in (("notes\n", False), ("done\n", True))
        assert (told.text, told.response.state) == ("done\n" if made else "notes\n", State.IDLE)
        seen.add((told.text, made))
        git(root, "fsck", "--no-dangling", "--no-progress")
    assert seen == {("notes\n", False), ("done\n", True)}


def test_a_file_that_is_restored_leaves_the_edit_to_be_written(repo):
    verbs.open_file(ask(repo, "notes.txt"), Mode.MANUAL)
    verbs.replace(ask(repo, "notes.txt"), "notes", "done")
    (repo / "notes.txt").write_text("theirs\n")
    assert verbs.commit(ask(repo, "notes.txt")).response.state is State.OUT_OF_SYNC
    (repo / "notes.txt").write_text("notes\n")
    assert verbs.commit(ask(repo, "notes.txt")).response.status is Status.SUCCESS
    assert (repo / "notes.txt").read_text() == "done\n"


def test_a_file_cannot_be_a_folder_too(repo, git):
    told = apply(ask(repo), INTO_ITSELF.encode())
    assert "new cannot be a file and hold new/x.txt." in told.summary
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""
    list_types(Request(repo))  # nor does what reads the work tree finish it
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""
