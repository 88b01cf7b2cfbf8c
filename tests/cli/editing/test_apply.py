"""`codecortex edit apply` and `edit open - --as PATH` on the command line."""

import io
import json

import pytest

PATCH = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1 @@\n-notes\n+done\n"
BLOCK = "*** Begin Patch\n*** Update File: src/b.cs\n-class B;\n+class C;\n*** Delete File: notes.txt\n*** End Patch\n"


@pytest.fixture
def stdin(monkeypatch):
    """Say what stands on standard input."""

    def put(text):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return put


def test_a_patch_is_read_from_stdin_or_a_file(repo, cli, stdin):
    stdin(PATCH)
    done = cli(repo, "edit", "apply", "--plan", "finish")
    assert (done.code, done.out) == (0, "Applied the patch to 1 file.\n  changed  notes.txt\n")
    (repo.parent / "block").write_text(BLOCK)
    done = cli(repo / "src", "edit", "apply", str(repo.parent / "block"), "--mode", "manual", "--json")
    told = json.loads(done.out)
    assert (told["status"], told["session"]) == ("Success", "default")
    assert [(each["file"], each["change"], each["state"], each["written"]) for each in told["files"]] == [
        ("notes.txt", "removed", "PersistPending", False),
        ("src/b.cs", "changed", "PersistPending", False),
    ]
    assert cli(repo, "live", "--file", "src/b.cs").out.count("+class C;") >= 1
    assert "finish" in cli(repo, "live", "--file", "notes.txt", "--json").out


def test_what_does_not_apply_is_told_and_exits_with_1(repo, cli, stdin):
    stdin('[{"file": "notes.txt", "old": "Notes", "new": ""}, {"file": "gone", "old": "x", "new": ""}]')
    done = cli(repo, "edit", "apply")
    assert done.code == 1
    assert done.out == (
        "Nothing is changed: 2 parts of the patch do not apply.\n"
        "notes.txt: replacement 1: No passage matches.\n"
        "  line 1 (case): notes\n"
        "gone: file on line 2 of the patch: There is no file gone.\n"
    )
    told = json.loads(cli(repo, "live", "--file", "notes.txt", "--json").out)
    assert told["currentDocument"]["text"] == "notes\n"


def test_what_is_no_patch_says_which_line(repo, cli, stdin):
    stdin("*** Begin Patch\n*** Update File: notes.txt\nwrong\n*** End Patch\n")
    done = cli(repo, "edit", "apply")
    assert done.code == 2
    assert "Line 3: expected a line that begins with" in done.err


def test_what_the_configuration_forbids_is_not_applied(repo, cli, stdin):
    (repo / ".codecortex").mkdir()
    (repo / ".codecortex/config.yaml").write_text("edit:\n  allowPaths: [src/**]\n")
    stdin(BLOCK)
    done = cli(repo, "edit", "apply")
    assert (done.code, "does not allow edits of notes.txt" in done.err) == (3, True)
    assert (repo / "src/b.cs").read_text() == "class B;\n"


def test_a_text_on_stdin_is_a_draft_of_a_file(repo, cli, stdin):
    stdin("draft\n")
    told = json.loads(cli(repo, "edit", "open", "-", "--as", "notes.txt", "--json").out)
    assert (told["verb"], told["file"], told["state"], told["mode"]) == (
        "open",
        "notes.txt",
        "PersistPending",
        "manual",
    )
    assert (told["text"], (repo / "notes.txt").read_text()) == ("draft\n", "notes\n")
    stdin("new\n")
    told = json.loads(cli(repo, "edit", "open", "-", "--as", "src/new.txt", "--json").out)
    assert (told["state"], (repo / "src/new.txt").exists()) == ("PersistPending", False)
    assert cli(repo, "edit", "commit", "src/new.txt").code == 0
    assert (repo / "src/new.txt").read_text() == "new\n"
    stdin("x")
    assert "--as PATH" in cli(repo, "edit", "open", "-").err
