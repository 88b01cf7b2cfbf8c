"""`codecortex edit` as an agent meets it: the flows and the table of events of the editor's design, on real files."""

import json

import pytest

from codecortex.editing.markdown import parse_response

TEXT = "foo one\nfoo two\nbar\n"
HEAD = "\n\n```"


@pytest.fixture
def edit(repo, cli):
    """Run a verb on `notes.txt`, which says TEXT; the answer is what --json tells, `code` added."""
    (repo / "notes.txt").write_bytes(TEXT.encode())

    def run(verb, *words, file="notes.txt"):
        done = cli(repo, "edit", verb, file, *words, "--json")
        return {"code": done.code, **json.loads(done.out)}

    return run


@pytest.fixture
def notes(repo):
    return repo / "notes.txt"


def names(told):
    return told["status"], told["state"], told["flags"]["names"]


# -- the five flows


def test_one_match_is_replaced_and_written(edit, notes):
    told = edit("replace", "--old", "bar", "--new", "longer")
    assert names(told) == ("Success", "Idle", [])
    assert told["metrics"] == {"delta": 3, "new_length": len(TEXT) + 3, "selection_count": None}
    assert notes.read_bytes() == b"foo one\nfoo two\nlonger\n"
    assert told["code"] == 0
    assert not {"commit", "select"} & {*told["allowed"]}


def test_several_matches_are_chosen_from(edit, notes, cli, repo):
    shown = cli(repo, "edit", "replace", "notes.txt", "--old", "foo", "--new", "baz")
    assert shown.code == 1
    response = parse_response(shown.out.partition(HEAD)[0])
    assert [each.preview for each in response.candidates] == ["foo one", "foo two"]
    assert "2  [[SEL#2]]foo[[/SEL#2]] two\n" in shown.out
    assert notes.read_text() == TEXT
    assert edit("open")["text"].startswith("[[SEL#1]]foo[[/SEL#1]] one\n")
    assert names(edit("append", "--text", "x")) == ("Exception", "SelectionPending", ["SelectionPending"])
    told = edit("select", "2")
    assert names(told) == ("Success", "Idle", [])
    assert notes.read_text() == "foo one\nbaz two\nbar\n"
    assert names(edit("select", "1"))[0] == "Exception"


def test_what_cannot_be_written_is_out_of_sync_and_kept(edit, notes):
    edit("open", "--mode", "manual")
    edit("replace", "--old", "bar", "--new", "mine")
    notes.chmod(0o444)
    told = edit("commit")
    assert names(told) == ("PersistFailure", "OutOfSync", ["OutOfSync"])
    assert (told["code"], told["summary"]) == (3, "The file could not be written: it is read-only")
    assert "diff" in told["guidance"]
    assert {"commit", "append"}.isdisjoint(told["allowed"])
    assert "-bar\n+mine\n" in edit("diff")["patch"]
    assert notes.read_text() == TEXT
    notes.chmod(0o644)
    assert names(edit("refresh")) == ("Success", "Idle", [])
    assert names(edit("undo")) == ("Success", "PersistPending", ["PersistPending"])
    assert names(edit("commit")) == ("Success", "Idle", [])
    assert notes.read_text() == "foo one\nfoo two\nmine\n"


def test_what_both_changed_is_a_conflict_and_nothing_is_lost(edit, notes, repo):
    edit("open", "--mode", "manual")
    edit("replace", "--old", "bar", "--new", "mine")
    notes.write_text("theirs\n")
    told = edit("commit")
    assert names(told) == ("ExternalConflict", "OutOfSync", ["OutOfSync", "ExternalConflict"])
    assert notes.read_text() == "theirs\n"
    assert edit("diff")["patch"].endswith("-theirs\n+foo one\n+foo two\n+mine\n")
    assert edit("save-as", "mine.txt")["status"] == "Success"
    assert (repo / "mine.txt").read_text() == "foo one\nfoo two\nmine\n"
    assert names(edit("refresh")) == ("Success", "Idle", [])
    assert edit("open")["text"] == "theirs\n"


def test_without_writing_the_buffer_alone_changes(edit, notes):
    assert names(edit("open", "--mode", "disabled")) == ("Success", "Idle", ["PersistReadOnly"])
    told = edit("replace", "--old", "bar", "--new", "mine")
    assert names(told) == ("Success", "PersistPending", ["PersistPending", "PersistReadOnly"])
    assert "not written to the file" in told["guidance"]
    assert "commit" not in told["allowed"]
    assert names(edit("commit"))[0] == "Exception"
    assert notes.read_text() == TEXT


# -- the nine rows of the table of events


@pytest.mark.parametrize(
    ("mode", "steps", "expected"),
    [
        ("immediate", [("replace", "bar", "x")], ("Success", "Idle", [])),
        ("manual", [("replace", "bar", "x")], ("Success", "PersistPending", ["PersistPending"])),
        ("immediate", [("replace", "foo", "x")], ("MultiMatch", "SelectionPending", ["SelectionPending"])),
        ("immediate", [("replace", "foo", "x"), ("select",)], ("Success", "Idle", [])),
        ("manual", [("replace", "foo", "x"), ("select",)], ("Success", "PersistPending", ["PersistPending"])),
        ("manual", [("replace", "bar", "x"), ("commit",)], ("Success", "Idle", [])),
        ("manual", [("replace", "bar", "x"), ("lock",), ("commit",)], ("PersistFailure", "OutOfSync", ["OutOfSync"])),
        (
            "manual",
            [("replace", "bar", "x"), ("outside",), ("append",)],
            ("ExternalConflict", "OutOfSync", ["OutOfSync", "ExternalConflict"]),
        ),
        ("manual", [("replace", "bar", "x"), ("refresh",)], ("Success", "Idle", [])),
    ],
)
def test_events_lead_where_the_table_says(edit, notes, mode, steps, expected):
    edit("open", "--mode", mode)
    told = None
    for verb, *words in steps:
        if verb == "lock":
            notes.chmod(0o444)
        elif verb == "outside":
            notes.write_text("theirs\n")
        else:
            options = {"replace": ("--old", "--new"), "append": ("--text",)}.get(verb, ())
            values = words or (["more"] if verb == "append" else [])
            pairs = [word for pair in zip(options, values, strict=True) for word in pair]
            told = edit(verb, *pairs, *(["2"] if verb == "select" else []))
    assert names(told) == expected


# -- what else an answer says


def test_what_matches_nowhere_is_told_where_it_nearly_does(edit, notes):
    told = edit("replace", "--old", "FOO  two", "--new", "x")
    assert (told["code"], told["status"], told["state"]) == (1, "NoMatch", "Idle")
    assert told["nearest"] == [
        {"start": 8, "end": 15, "line": 2, "preview": "foo two", "differs": ["white space", "case"]}
    ]
    assert "line 2" in told["guidance"]
    assert notes.read_text() == TEXT


def test_answers_are_in_the_language_of_the_configuration(repo, edit, cli):
    (repo / ".codecortex").mkdir()
    (repo / ".codecortex/config.yaml").write_text("edit:\n  language: zh\n")
    shown = cli(repo, "edit", "replace", "notes.txt", "--old", "foo", "--new", "x")
    assert "### [Warning] 概览\n" in shown.out
    assert len(parse_response(shown.out.partition(HEAD)[0]).candidates) == 2
    assert edit("discard")["summary"] == "已放弃候选选区。"


def test_write_says_whether_it_creates_or_updates(edit, repo):
    assert edit("write", "--text", "x", "--update", file="new/a.cs")["status"] == "Exception"
    assert not (repo / "new").exists()
    told = edit("write", "--text", "new\n", "--create", file="new/a.cs")
    assert (told["summary"], (repo / "new/a.cs").read_text()) == ("Created the text.", "new\n")
    assert edit("write", "--text", "x", "--create", file="new/a.cs")["summary"].startswith("The file exists already")
    assert edit("write", "--text", "newer\n", file="new/a.cs")["summary"] == "Replaced the whole text."
    assert (repo / "new/a.cs").read_text() == "newer\n"
    assert edit("save-as", "notes.txt", file="new/a.cs")["status"] == "PersistFailure"


def test_texts_come_from_files_and_from_stdin(edit, repo, cli, monkeypatch, notes):
    (repo / "old").write_bytes(b"foo one\nfoo")
    monkeypatch.setattr("sys.stdin", type("In", (), {"buffer": open(repo / "old", "rb")}))  # noqa: PTH123, SIM115
    told = edit("replace", "--old-file", "-", "--new-file", str(repo / "notes.txt"))
    assert told["status"] == "Success"
    assert notes.read_text() == TEXT + " two\nbar\n"
    both = cli(repo, "edit", "replace", "notes.txt", "--old", "a", "--old-file", "old", "--new", "")
    assert (both.code, "Give one of them" in both.err) == (2, True)
    assert cli(repo, "edit", "append", "notes.txt").code == 2


def test_changes_are_taken_back_and_made_again_one_by_one(edit, notes):
    texts = [TEXT]
    for number in range(4):
        edit("append", "--text", f"{number}\n")
        texts.append(notes.read_text())
    for text in reversed(texts[:-1]):
        assert names(edit("undo")) == ("Success", "Idle", [])
        assert notes.read_text() == text
    assert edit("undo")["status"] == "NoOp"
    for text in texts[1:3]:
        assert edit("redo")["status"] == "Success"
        assert notes.read_text() == text
    edit("append", "--text", "other\n")
    assert edit("redo")["status"] == "NoOp"
    edit("undo")
    assert notes.read_text() == texts[2]


def test_what_was_changed_outside_is_read_anew_and_not_taken_back(edit, notes):
    edit("append", "--text", "mine\n")
    notes.write_text("theirs\n")
    told = edit("undo")
    assert told["status"] == "NoOp"
    assert told["summary"].startswith("The file was changed outside: its content was read anew.")
    assert notes.read_text() == "theirs\n"
    told = edit("replace", "--old", "theirs", "--new", "ours")
    assert (told["summary"], notes.read_text()) == ("Replaced one passage.", "ours\n")


def test_versions_tell_the_story(edit, repo, git, cli):
    edit("replace", "--old", "bar", "--new", "x")
    edit("replace", "--old", "foo", "--new", "x")
    edit("select", "1")
    edit("undo")
    ref = "refs/worktree/codecortex/sessions/default"
    titles = git(repo, "log", "--format=%s", "-3", ref).splitlines()
    assert titles == ["undo notes.txt", "select notes.txt", "replace notes.txt"]
    facts = json.loads(git(repo, "log", "-1", "--format=%b", ref))
    assert {name: facts[name] for name in ("op", "file", "status", "state", "delta", "length")} == {
        "op": "undo", "file": "notes.txt", "status": "Success", "state": "Idle", "delta": 2, "length": 18,
    }  # fmt: skip
    assert git(repo, "show", f"{ref}:notes.txt") == "foo one\nfoo two\nx"
    assert "+x" in cli(repo, "session", "diff").out


def test_sessions_over_one_file_see_each_other_as_somebody_outside(edit, notes, repo, cli):
    edit("open", "--mode", "manual", "--session", "a")
    edit("open", "--mode", "manual", "--session", "b")
    edit("replace", "--old", "bar", "--new", "of a", "--session", "a")
    edit("replace", "--old", "bar", "--new", "of b", "--session", "b")
    assert edit("commit", "--session", "a")["status"] == "Success"
    assert edit("commit", "--session", "b")["status"] == "ExternalConflict"
    assert notes.read_text() == "foo one\nfoo two\nof a\n"
    assert edit("open", "--session", "b")["text"] == "foo one\nfoo two\nof b\n"
    assert cli(repo, "session", "drop", "b").code == 0
    assert edit("open", "--session", "b")["text"] == "foo one\nfoo two\nof a\n"


def test_a_fork_goes_on_where_the_other_stands(edit, repo, cli, notes):
    edit("open", "--mode", "manual")
    edit("append", "--text", "first\n")
    edit("append", "--text", "second\n")
    cli(repo, "session", "fork", "default", "other")
    told = edit("open", "--session", "other")
    assert (told["text"], told["state"], told["mode"]) == (TEXT + "first\nsecond\n", "PersistPending", "manual")
    edit("undo", "--session", "other")
    assert edit("open", "--session", "other")["text"] == TEXT + "first\n"
    assert edit("open")["text"] == TEXT + "first\nsecond\n"
    assert notes.read_text() == TEXT


def test_what_is_remembered_may_be_gone(edit, repo, notes):
    edit("open", "--mode", "manual")
    for number in range(3):
        edit("append", "--text", f"{number}\n")
    edit("undo")
    for file in (repo / ".codecortex/local/sessions").iterdir():
        file.unlink()
    told = edit("open")
    assert (told["text"], told["state"], told["mode"]) == (TEXT + "0\n1\n", "PersistPending", "manual")
    assert edit("redo")["metrics"]["new_length"] == len(TEXT) + 6
    assert notes.read_text() == TEXT


def test_what_is_damaged_is_named(edit, repo, cli):
    edit("open")
    (repo / ".codecortex/local/sessions/default.json").write_text("{")
    done = cli(repo, "edit", "open", "notes.txt")
    assert (done.code, ".codecortex/local/sessions/default.json: not what a session remembers" in done.err) == (3, True)


def test_a_state_that_there_is_not_is_named(edit, repo, cli):
    edit("open")
    file = repo / ".codecortex/local/sessions/default.json"
    file.write_text(file.read_text().replace('"Idle"', '"Busy"'))
    for words in (["open", "notes.txt"], ["status"]):
        done = cli(repo, "edit", *words)
        assert (done.code, "A session remembers what is no state" in done.err) == (3, True)


# -- status, log, figures


def test_status_says_what_is_edited_and_how_it_went(edit, repo, cli, notes):
    assert cli(repo, "edit", "status").out == "Nothing is edited in session default.\n"
    edit("open", "--mode", "manual")
    edit("replace", "--old", "bar", "--new", "x")
    edit("replace", "--old", "nowhere", "--new", "x")
    edit("undo")
    notes.write_text("theirs\n")
    told = json.loads(cli(repo, "edit", "status", "--json").out)
    (buffer,) = told["buffers"]
    assert {name: buffer[name] for name in ("file", "mode", "state", "undo", "redo", "changed")} == {
        "file": "notes.txt", "mode": "manual", "state": "Idle", "undo": 0, "redo": 1, "changed": True,
    }  # fmt: skip
    assert (told["applySuccessRate"], told["rollbackCount"]) == (0.5, 1)
    shown = cli(repo, "edit", "status").out
    assert "notes.txt  manual  Idle  changed outside  undo 0  redo 1\n" in shown
    assert "50% of edits applied, 1 rolled back\n" in shown
    metrics = json.loads(cli(repo, "status", "--json").out)["metrics"]
    assert (metrics["editApplySuccessRate"], metrics["editRollbackCount"]) == (0.5, 1)
    assert cli(repo, "edit", "status", "a.cs").out.startswith("Nothing is edited")


def test_another_branch_under_a_session_is_told(edit, repo, cli, git, notes):
    git(repo, "commit", "--quiet", "-am", "two")
    edit("open", "--mode", "manual")
    edit("append", "--text", "mine\n")
    git(repo, "checkout", "--quiet", "--detach", "HEAD~1")
    assert "The session was opened on" in cli(repo, "edit", "status").out
    assert names(edit("commit")) == ("ExternalConflict", "OutOfSync", ["OutOfSync", "ExternalConflict"])
    assert notes.read_text() == "notes\n"
    assert edit("open")["text"] == TEXT + "mine\n"


def test_the_log_has_four_categories(edit, repo, cli, notes, monkeypatch):
    edit("replace", "--old", "bar", "--new", "x")
    notes.write_text("theirs\n")
    monkeypatch.setenv("CODECORTEX_DEBUG", "edit.ext*")
    done = cli(repo, "edit", "replace", "notes.txt", "--old", "theirs", "--new", "ours")
    assert done.err.startswith('edit.external {"at":')
    assert "edit.match" not in done.err
    rows = [json.loads(line) for line in (repo / ".codecortex/local/logs/edit.log").read_text().splitlines()]
    assert [row["category"] for row in rows] == [
        *("edit.persistence", "edit.match"), *("edit.external", "edit.persistence", "edit.match"),
    ]  # fmt: skip
    assert len({row["operation"] for row in rows}) == 2
    assert {"status", "state", "flags", "ms", "file", "session", "verb"} <= rows[0].keys()
    told = json.loads(cli(repo, "edit", "log", "--limit", "2", "--json").out)
    assert ([row["category"] for row in told["records"]], told["total"]) == (["edit.match", "edit.persistence"], 5)
    assert cli(repo, "edit", "log", "notes.txt").out.count("\n") == 5
    assert cli(repo, "edit", "log", "a.cs").out == "Nothing was edited.\n"


@pytest.mark.usefixtures("edit")
def test_a_log_that_cannot_be_written_is_warned_of(repo, cli, notes):
    (repo / ".codecortex/local/logs").mkdir(parents=True)
    (repo / ".codecortex/local/logs/edit.log").symlink_to(repo / "elsewhere")
    done = cli(repo, "edit", "replace", "notes.txt", "--old", "bar", "--new", "x")
    assert (done.code, "the edit is not logged" in done.err) == (0, True)
    assert not (repo / "elsewhere").exists()
    assert notes.read_text() == "foo one\nfoo two\nx\n"


def test_what_edits_leave_is_ignored_by_git(edit, repo, git):
    edit("open", "--mode", "manual")
    edit("replace", "--old", "bar", "--new", "x")
    assert git(repo, "status", "--short") == "M notes.txt"
