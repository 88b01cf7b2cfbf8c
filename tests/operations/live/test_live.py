"""A live context of sessions, of what `watch` keeps and of the work tree; nothing is stored, and versions come back."""

import random

import pytest

from codecortex.git.objects.opening import open_objects
from codecortex.git.repository import open_repository
from codecortex.git.sessions import chains
from codecortex.model.errors import UsageError
from codecortex.operations.live.live import LiveQuestion, show_live
from codecortex.operations.live.members import list_members
from codecortex.operations.live.state import StateChange, change_state
from codecortex.operations.request import Request
from codecortex.operations.sessions import versions
from codecortex.operations.sessions.manage import open_session
from codecortex.operations.sessions.versions import add_version, find_session
from codecortex.operations.sessions.watching import WATCH_SESSION, record_worktree

NOW = 1_800_000_000
FIRST = "class A\n{\n}\n"


@pytest.fixture(params=("sha1", "sha256"))
def tree(request, tmp_path, git):
    root = tmp_path / "tree"
    git(tmp_path, "init", "--quiet", f"--object-format={request.param}", "tree")
    (root / "a.cs").write_bytes(FIRST.encode())
    (root / "b.cs").write_bytes(b"class B;\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    return root


@pytest.fixture
def clock(monkeypatch):
    """The clock by which versions are made: a list of one number, to be set."""
    now = [NOW - 7200]
    monkeypatch.setattr(versions.time, "time", lambda: now[0])
    return now


def add(root, path, text, facts=None, name="s"):
    """Add a version in which a file says this; None removes it. Returns its id."""
    repository = open_repository(root)
    blob = None if text is None else (0o100644, open_objects(repository).write_blob(text.encode()))
    facts = {"op": "test", "file": path, **(facts or {})}
    return add_version(repository, find_session(repository, name), {path.encode(): blob}, "Changed", facts).tip.id


def fail(root, error, **facts):
    repository = open_repository(root)
    told = {"op": "replace", "file": "a.cs", "status": "NoMatch", "error": error, **facts}
    return add_version(repository, find_session(repository, "s"), {}, "Replace x", told).tip.id


def ask(root, now=NOW, **question):
    return show_live(Request(root), LiveQuestion(**question), now).as_json()


def take_back(root, git, text, patch):
    """The text before a patch, as git takes it back; None for no file."""
    place = root.parent / "back"
    place.mkdir(exist_ok=True)
    if not (place / ".git").exists():
        git(place, "init", "--quiet")
    (place / "f").write_bytes((text or "").encode())
    git(
        place, "apply", "-R", "--whitespace=nowarn", "--allow-empty", "-", stdin=f"--- a/f\n+++ b/f\n{patch}\n".encode()
    )
    return (place / "f").read_bytes().decode() if (place / "f").exists() else ""


def test_taken_back_the_recent_diffs_give_the_older_versions(tree, git):
    open_session(tree, "s")
    numbers = random.Random(14)  # noqa: S311 - a fixed choice
    lines, texts = [f"int x{number};" for number in range(60)], {}
    for number in range(25):
        for _ in range(numbers.randrange(1, 4)):
            lines[numbers.randrange(len(lines))] = f"int y{number};" * numbers.randrange(3)
        if number == 15:
            add(tree, "a.cs", None)
        if number % 4 == 3:
            add(tree, "b.cs", f"class B{number};\n")
            fail(tree, "nowhere")
        text = "\n".join(lines) + "\n" * numbers.randrange(2)
        texts[add(tree, "a.cs", text)] = text
    for at in [None, *list(texts)[5::3]]:
        told = ask(tree, session="s", file="a.cs", at=at, budget=100_000)
        text = told["currentDocument"]["text"]
        assert text == texts[at or list(texts)[-1]]
        assert 3 <= len(told["recentDiffs"]) <= 5
        for each in told["recentDiffs"]:
            assert git(tree, "show", f"{each['version']}:a.cs", check=False) == (text or "").strip()
            text = take_back(tree, git, text, each["patch"]) if each["patch"] else text
            assert git(tree, "show", f"{each['version']}^:a.cs", check=False).strip() == text.strip()
        anchor = told["anchorDiff"]
        back = take_back(tree, git, told["currentDocument"]["text"], anchor["patch"])
        assert git(tree, "show", f"{anchor['version']}:a.cs") == back.strip()


def test_it_stores_nothing_and_answers_the_same_again(tree, git):
    open_session(tree, "s")
    for number in range(4):
        add(tree, "a.cs", f"class A{number};\n")

    def look():
        files = {str(file): file.read_bytes() for file in sorted(tree.rglob("*")) if file.is_file()}
        return git(tree, "for-each-ref"), files

    before = look()
    for question in (
        {"session": "s"},
        {"session": "s", "file": "b.cs"},
        {"session": "s", "at": git(tree, "rev-parse", "HEAD")},
    ):
        if "at" not in question:
            assert ask(tree, **question) == ask(tree, **question)
        else:
            with pytest.raises(UsageError, match="no version of session s"):
                ask(tree, **question)
    assert look() == before


def test_the_anchor_is_the_version_nearest_to_half_an_hour_ago(tree, clock):
    open_session(tree, "s")
    opened = find_session(open_repository(tree), "s").tip.id
    made = {}
    for ago in (6000, 3000, 1700, 300, 10):
        clock[0] = NOW - ago
        made[ago] = add(tree, "a.cs", f"class A{ago};\n")
    assert ask(tree, session="s")["anchorDiff"]["version"] == made[1700]
    assert ask(tree, NOW - 1000, session="s")["anchorDiff"]["version"] == made[3000]
    assert ask(tree, NOW - 9000, session="s")["anchorDiff"]["version"] == opened  # all are newer than that
    assert ask(tree, NOW + 90_000, session="s")["anchorDiff"]["version"] == opened  # nothing happened since
    older = ask(tree, session="s", at=made[1700][:10])
    assert (older["version"], older["anchorDiff"]["version"]) == (made[1700], made[3000])
    assert older["disk"] == "An older version; there are newer ones."
    assert [each["version"] for each in older["recentDiffs"]] == [made[ago] for ago in (1700, 3000, 6000)]


def test_failures_and_plans_are_told_with_what_became_of_them(tree):
    open_session(tree, "s")
    done = add(tree, "a.cs", "class Better;\n", {"plan": "Rename A to Better", "status": "Success"})
    failed = fail(tree, "`Worse` is nowhere", plan="Rename Worse too")
    told = ask(tree, session="s")
    assert [(each["version"], each["isError"], each["error"]) for each in told["recentDiffs"]] == [
        (failed, True, "`Worse` is nowhere"),
        (done, False, None),
    ]
    assert told["recentDiffs"][0]["patch"] == ""
    assert told["recentDiffs"][1]["affectedLineStart"] == 1
    assert [(each["plan"], each["outcome"], each["error"]) for each in told["planHints"]] == [
        ("Rename Worse too", "failed", "`Worse` is nowhere"),
        ("Rename A to Better", "done", None),
    ]
    assert told["currentDocument"]["text"] == "class Better;\n"


def test_without_a_session_it_is_head_and_the_work_tree(tree, git):
    with pytest.raises(UsageError, match="No file is active, and none was changed"):
        ask(tree)
    (tree / "a.cs").write_bytes(b"class A\n{\n    int x;\n}\n")
    (tree / "new.cs").write_bytes(b"class New;\n")
    told = ask(tree)
    assert (told["session"], told["version"], told["currentDocument"]["file"]) == (None, "worktree", "a.cs")
    assert take_back(tree, git, told["currentDocument"]["text"], told["recentDiffs"][0]["patch"]) == FIRST
    assert told["anchorDiff"]["version"] == git(tree, "rev-parse", "HEAD")
    assert told["anchorDiff"]["note"] == "The same as worktree above."
    assert ask(tree, file="new.cs")["recentDiffs"][0]["kind"] == "created"
    assert ask(tree, file="b.cs")["recentDiffs"] == []
    assert ask(tree, file="b.cs")["alsoChanged"] == ["a.cs"]
    assert ask(tree, file="a.cs", at=git(tree, "rev-parse", "HEAD"))["currentDocument"]["text"] == FIRST


def test_before_the_first_commit(tmp_path, git):
    git(tmp_path, "init", "--quiet", "new")
    (tmp_path / "new/a.cs").write_bytes(b"class A;\n")
    told = ask(tmp_path / "new", file="a.cs")
    assert [each["kind"] for each in told["recentDiffs"]] == ["created"]
    assert told["anchorDiff"] is None


def test_a_checkout_with_crlf_is_no_change(tree, git):
    git(tree, "config", "core.autocrlf", "true")
    (tree / "a.cs").unlink()
    git(tree, "checkout", "--quiet", "--", "a.cs")
    assert b"\r\n" in (tree / "a.cs").read_bytes()
    assert ask(tree, file="a.cs")["recentDiffs"] == []


def test_what_watch_sees_is_kept_and_what_is_newer_on_disk_is_told(tree, git):
    repository = open_repository(tree)
    record_worktree(repository, beginning=True)
    for number in range(3):
        (tree / "a.cs").write_bytes(f"class A{number};\n".encode())
        record_worktree(repository)
        record_worktree(repository)  # nothing new, nothing kept
    (tree / "a.cs").write_bytes(b"class Newest;\n")
    told = ask(tree)
    assert (told["session"], told["version"]) == (WATCH_SESSION, "worktree")
    assert [each["title"] for each in told["recentDiffs"]] == ["On disk"] + ["Changed a.cs"] * 3
    text = told["currentDocument"]["text"]
    for each in told["recentDiffs"]:
        text = take_back(tree, git, text, each["patch"])
    assert text == FIRST


def test_a_watch_begins_anew_on_another_commit_and_when_it_kept_enough(tree, git, monkeypatch):
    repository = open_repository(tree)
    record_worktree(repository, beginning=True)
    first = find_session(repository, WATCH_SESSION)
    record_worktree(repository, beginning=True)
    assert find_session(repository, WATCH_SESSION) == first
    git(tree, "commit", "--quiet", "--allow-empty", "-m", "two")
    record_worktree(repository)
    assert find_session(repository, WATCH_SESSION) == first
    record_worktree(repository, beginning=True)
    second = find_session(repository, WATCH_SESSION)
    assert second.start == git(tree, "rev-parse", "HEAD") != first.start
    monkeypatch.setattr("codecortex.operations.sessions.watching._MOST_VERSIONS", 3)
    totals = []
    for number in range(5):
        (tree / "a.cs").write_bytes(f"class A{number};\n".encode())
        record_worktree(repository)
        tip = find_session(repository, WATCH_SESSION)
        totals.append(len(chains.read_chain(repository, tip.tip.id, tip.start)))
    assert totals == [2, 3, 1, 2, 3]


def test_a_session_that_somebody_else_calls_watch_is_left_alone(tree):
    open_session(tree, WATCH_SESSION)
    with pytest.raises(UsageError, match="versions that no watch made"):
        record_worktree(open_repository(tree))


def test_the_file_is_the_active_one_then_the_last_changed(tree):
    open_session(tree, "s")
    add(tree, "b.cs", "class Bb;\n")
    assert ask(tree, session="s")["currentDocument"]["file"] == "b.cs"
    request = Request(tree)
    change_state(request, "s", StateChange(active="a.cs", cursor="2:1", selections=("1:1-2:2",), open=("a.cs", "b.cs")))
    told = ask(tree, session="s")
    assert told["currentDocument"]["file"] == "a.cs"
    assert told["editorState"] == {
        "active": "a.cs",
        "cursor": [2, 1],
        "selections": [{"file": "a.cs", "start": [1, 1], "end": [2, 2]}],
        "open": ["a.cs", "b.cs"],
    }
    change_state(request, "s", StateChange(active="b.cs"))
    assert ask(tree, session="s")["editorState"]["cursor"] is None
    assert change_state(request, "s", StateChange(clear=True)).as_text() == "Nothing is known of an editor."


def test_a_version_that_names_a_file_outside_is_not_followed(tree):
    (tree.parent / "secret.txt").write_bytes(b"secret\n")
    open_session(tree, "s")
    add(tree, "a.cs", "class B;\n", {"file": "../secret.txt"})
    with pytest.raises(UsageError, match="No file is active"):
        ask(tree, session="s")


def test_a_session_says_how_the_disk_differs_from_it(tree):
    open_session(tree, "s")
    assert ask(tree, session="s", file="a.cs")["disk"] is None
    add(tree, "a.cs", "class Draft;\n")
    assert ask(tree, session="s")["disk"] == "On disk the file says something else."
    (tree / "a.cs").unlink()
    assert ask(tree, session="s")["disk"] == "On disk there is no such file."


def test_a_long_source_is_shown_around_the_cursor_with_its_members(tree):
    methods = "".join(f"    int M{number}() => {number};\n" for number in range(1, 2001))
    inactive = "#if NET8_0\n    int Only8;\n#else\n    int OnlyOlder;\n#endif\n"
    (tree / "a.cs").write_bytes(f"class A\n{{\n{inactive}{methods}}}\n".encode())
    change_state(Request(tree), None, StateChange(active="a.cs", cursor="1000:1"))
    told = ask(tree, budget=20_000)["currentDocument"]
    names = [each["name"] for each in told["members"]]
    assert (told["whole"], told["text"], told["totalLines"]) == (False, None, 2008)
    assert names[0] == "class A"
    assert "method M993()" in names
    (window,) = [each for each in told["window"] if each["line"] <= 1000 <= each["endLine"]]
    assert window["line"] < 980
    assert f"    int M{1000 - 7}() => {1000 - 7};\n" in window["text"]
    assert {"field Only8", "field OnlyOlder"} <= {
        each.name for each in list_members("a.cs", f"class A {{\n{inactive}}}")
    }
    assert list_members("a.cs", "class A;\n" * 60_000) == ()
    whole = ask(tree, budget=100_000)["currentDocument"]
    assert (whole["whole"], whole["members"]) == (True, [])
