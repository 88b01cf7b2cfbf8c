"""A commit that renames a type, while its note and the alias table hold edits that are not part of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import codecortex

SOURCE = str(Path(codecortex.__file__).parents[1])
ALIASES = ".codecortex/aliases.json"
NOTES = ".codecortex/semantic"
BODY = "{ public int One() => 1; public int Two() => 2; public int Three() => 3; public int Four() => 4; }\n"


def run(folder, *arguments, text=""):
    done = subprocess.run(
        [sys.executable, "-m", "codecortex", *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": SOURCE}, input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def noted(repo, git):
    """A repository with pre-commit and post-commit, and a note on `Demo.Old`."""
    (repo / "src/b.cs").write_text(f"namespace Demo;\npublic class Old {BODY}")
    run(repo, "init")
    hooks = repo / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("pre-commit", "post-commit"):
        (hooks / name).write_text(
            f'#!/bin/sh\nPYTHONPATH="{SOURCE}" exec "{sys.executable}" -m codecortex hook {name}\n'
        )
        (hooks / name).chmod(0o755)
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "map")
    run(repo, "semantic", "put", "Demo.Old", text="ROLE:\nThe first of all.\n\nLIFECYCLE:\nLong.\n")
    git(repo, "add", NOTES)
    git(repo, "commit", "--quiet", "-m", "note")
    return repo


def rename(noted):
    (noted / "src/b.cs").write_text(f"namespace Demo;\npublic class New {BODY}")


def find_note(noted):
    (note,) = (noted / NOTES).iterdir()
    return note


def list_rows(text):
    return {key: row for key, row in json.loads(text)["aliases"].items() if key != "~"}


def test_an_edit_staged_for_a_later_commit_follows_the_note(noted, git):
    note = find_note(noted)
    note.write_text(note.read_text().replace("Long.", "Staged."))
    git(noted, "add", NOTES)
    note.write_text(note.read_text().replace("Staged.", "Unstaged."))
    rename(noted)
    git(noted, "commit", "--quiet", "-m", "rename", "src/b.cs")
    path = find_note(noted).relative_to(noted).as_posix()
    assert path != note.relative_to(noted).as_posix()
    texts = [git(noted, "show", f"HEAD:{path}"), git(noted, "show", f":{path}"), (noted / path).read_text().strip()]
    words = ("Long.", "Staged.", "Unstaged.")
    assert [[word for word in words if f"\n{word}\n" in f"{text}\n"] for text in texts] == [[word] for word in words]
    assert all(text.startswith("# Semantic: Demo.New ") for text in texts)
    assert git(noted, "status", "--porcelain") == f"MM {path}"


@pytest.mark.slow
def test_a_row_added_by_hand_stays_beside_the_one_that_is_found(noted, git):
    rename(noted)
    git(noted, "commit", "--quiet", "-a", "-m", "rename")
    row = '"T_AAAAAAAA":{"oldFqn":"Demo.Older","newTypeId":"%s","newFqn":"A","reason":"rename","score":1.0},\n"~":0}}\n'
    target = next(line.split()[0] for line in run(noted, "index").splitlines() if line.split()[-1] == "A")
    table = noted / ALIASES
    table.write_text(table.read_text().replace('"~":0}}\n', row % target))
    (noted / "src/b.cs").write_text(f"namespace Demo;\npublic class Newer {BODY}")
    git(noted, "commit", "--quiet", "-m", "again", "src/b.cs")
    committed = list_rows(git(noted, "show", f"HEAD:{ALIASES}"))
    mine = list_rows(table.read_text())
    assert "T_AAAAAAAA" not in committed
    assert {row["newFqn"] for row in committed.values()} == {"Demo.Newer"}
    assert mine == committed | {"T_AAAAAAAA": mine["T_AAAAAAAA"]}
    assert git(noted, "status", "--porcelain") == f"M {ALIASES}"


def test_a_note_that_git_does_not_know_follows_on_disk_alone(noted, git):
    note = find_note(noted)
    git(noted, "rm", "--quiet", "--cached", "-r", NOTES)
    git(noted, "commit", "--quiet", "-m", "untracked")
    rename(noted)
    git(noted, "commit", "--quiet", "-a", "-m", "rename")
    assert find_note(noted) != note
    assert find_note(noted).read_text().startswith("# Semantic: Demo.New ")
    assert not git(noted, "ls-files", NOTES)


def commit_body(noted, git, number):
    (noted / "src/b.cs").write_text(f"namespace Demo;\npublic class Old {BODY.replace('1;', f'{number};')}")
    git(noted, "add", "src")
    return subprocess.run(
        ["git", "commit", "--quiet", "-m", "body"], cwd=noted, capture_output=True, text=True, check=True
    ).stderr


@pytest.mark.slow
def test_a_commit_says_in_one_line_that_it_leaves_a_note_stale(noted, git):
    said = commit_body(noted, git, 7)
    assert said.count("\n") == 1
    assert "1 note does not hold after this commit; `codecortex semantic generate --stale`" in said
    assert run(noted, "status").count("1 stale") == 1
    run(noted, "semantic", "put", "Demo.Old", text="ROLE:\nStill the first.\n")
    git(noted, "add", ".")
    git(noted, "commit", "--quiet", "-m", "note")
    (noted / "other.cs").write_text("class Other { }\n")
    git(noted, "add", ".")
    assert "note" not in git(noted, "commit", "--quiet", "-m", "another file")


@pytest.mark.slow
def test_a_commit_is_quiet_about_notes_where_that_is_wanted(noted, git):
    (noted / ".codecortex/config.yaml").write_text("hooks: {notes: false}\n")
    git(noted, "add", ".")
    git(noted, "commit", "--quiet", "-m", "quiet")
    assert commit_body(noted, git, 7) == ""


def test_a_large_commit_does_not_wait_for_the_count(noted, git):
    for number in range(51):
        (noted / f"src/many{number}.cs").write_text(f"class Many{number} {{ }}\n")
    git(noted, "add", ".")
    assert commit_body(noted, git, 7) == ""
