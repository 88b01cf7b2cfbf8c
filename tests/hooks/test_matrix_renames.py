"""The commit matrix and renamed types: the alias and the moved note are in the commit that renames."""

import json
import subprocess

import pytest

pytestmark = pytest.mark.matrix

ALPHA, BETA, OMEGA = (f"src/Core/{name}.cs" for name in ("Alpha", "Beta", "Omega"))
ALIASES = ".codecortex/aliases.json"
NOTES = ".codecortex/semantic"
OLD_ID = "T_73ED8478"
OLD_NOTE = f"{NOTES}/{OLD_ID}.md"


@pytest.fixture
def noted(both):
    """Both with a note on Alpha, committed."""
    done = subprocess.run(
        ["codecortex", "semantic", "put", "Demo.Alpha"],
        cwd=both.repo.root,
        input=b"ROLE:\nThe first of all.\n\nLIFECYCLE:\nLong.\n",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    both.twin.write(OLD_NOTE, both.repo.read(OLD_NOTE))
    both.git("add", NOTES)
    both.commit()
    both.obey_law(moved=False)
    return both


def rename_type(both):
    """Alpha becomes Omega, and its file with it."""
    both.git("mv", ALPHA, OMEGA)
    for path in (OMEGA, BETA, "src/App/App.cs"):
        both.edit(path, "Alpha", "Omega")


def find_new_note(both):
    (path,) = both.repo.ask("ls-tree", "-r", "--name-only", "HEAD", "--", NOTES).split()
    return path


def move_note_by_hand(both):
    """Have the user of the twin do what the hook did, so that the law speaks of all the rest."""
    note = find_new_note(both)
    both.twin.ask("mv", OLD_NOTE, note)
    both.twin.write(note, both.repo.ask("show", f"HEAD:{note}"))
    both.twin.ask("add", note)
    return note


def expect_renamed(both):
    note = find_new_note(both)
    assert note != OLD_NOTE
    rows = json.loads(both.repo.ask("show", f"HEAD:{ALIASES}"))
    row = rows.get("aliases", rows)[OLD_ID]
    assert (row["oldFqn"], row["newFqn"]) == ("Demo.Alpha", "Demo.Omega")
    assert note == f"{NOTES}/{row['newTypeId']}.md"
    text = both.repo.ask("show", f"HEAD:{note}")
    assert text.startswith(f"# Semantic: Demo.Omega {row['newTypeId']}\n")
    assert "The first of all." in text
    assert both.repo.ask("log", "--follow", "--format=%s", "--", note).split() == ["change", "change"]


@pytest.mark.parametrize("way", ["staged", "all", "path"])
def test_renamed_type(noted, way):
    both = noted
    rename_type(both)
    paths = [ALPHA, OMEGA, BETA, "src/App/App.cs"]
    arguments = {"staged": [], "all": ["-a"], "path": paths}[way]
    if way == "staged":
        both.git("add", "--all")
    both.repo.ask("commit", "--quiet", "-m", "change", *arguments)
    note = move_note_by_hand(both)
    both.twin.ask("commit", "--quiet", "-m", "change", *arguments, *([OLD_NOTE, note] if way == "path" else []))
    expect_renamed(both)
    both.obey_law()


def test_renamed_type_and_an_unstaged_edit_of_its_note(noted):
    both = noted
    rename_type(both)
    both.git("add", "--all")
    both.write(OLD_NOTE, both.repo.read(OLD_NOTE).replace("Long.", "Very long."))
    both.repo.ask("commit", "--quiet", "-m", "change")
    expect_renamed(both)
    note = find_new_note(both)
    kept = [path for path in (OLD_NOTE, note) if (both.repo.root / path).exists()]
    assert any("Very long." in both.repo.read(path) for path in kept)
    assert "Very long." not in both.repo.ask("show", f"HEAD:{note}")
    both.expect_fresh("HEAD")
    both.expect_clean()


def test_renamed_type_with_an_untracked_note(both):
    both.write(OLD_NOTE, "# Semantic: Demo.Alpha T_73ED8478\nStructureHash: 9F2A441C\n\nROLE:\nNot yet added.\n")
    rename_type(both)
    both.commit("-a")
    both.expect_fresh("HEAD")
    both.expect_clean()
    found = [path.read_text() for path in (both.repo.root / NOTES).iterdir()]
    assert any("Not yet added." in text for text in found)
    assert not both.repo.ask("ls-files", NOTES)


def reject_commit(both):
    """A commit of the rename that a commit-msg hook refuses."""
    rename_type(both)
    refuse = both.repo.root / ".git/hooks/commit-msg"
    refuse.write_text("#!/bin/sh\nexit 1\n")
    refuse.chmod(0o755)
    assert both.repo.git("commit", "--quiet", "-a", "-m", "change").code == 1
    refuse.unlink()


def test_renamed_type_rejected_then_committed(noted):
    both = noted
    reject_commit(both)
    both.repo.ask("commit", "--quiet", "-a", "-m", "change")
    move_note_by_hand(both)
    both.twin.ask("commit", "--quiet", "-a", "-m", "change")
    expect_renamed(both)
    both.obey_law()


def test_renamed_type_among_the_staged_while_a_path_is_committed(noted):
    both = noted
    both.edit("src/App/App.cs", "Main(", "Start(")
    rename_type(both)
    for each in (both.repo, both.twin):
        each.write("src/App/App.cs", each.ask("show", "HEAD:src/App/App.cs").replace("Main(", "Start("))
    both.git("add", "--all")
    both.commit("src/App/App.cs")
    both.obey_law()
    for each in (both.repo, both.twin):
        each.write("src/App/App.cs", each.read("src/App/App.cs").replace("Alpha", "Omega"))
    both.repo.ask("commit", "--quiet", "-a", "-m", "change")
    move_note_by_hand(both)
    both.twin.ask("commit", "--quiet", "-a", "-m", "change")
    both.obey_law()


def test_alias_table_that_is_none_stands_in_no_other_commits_way(both):
    both.write(ALIASES, "no table\n")
    both.git("add", ALIASES)
    both.add_top(ALPHA, "Added")
    both.git("add", ALPHA)
    both.commit()
    both.obey_law()


def test_alias_table_that_is_none_is_never_overwritten(noted):
    both = noted
    both.write(ALIASES, "no table\n")
    both.git("add", ALIASES)
    rename_type(both)
    said = both.commit("-a")
    assert ALIASES in said.err
    assert both.repo.ask("show", f"HEAD:{ALIASES}") == "no table\n"
    assert find_new_note(both) == OLD_NOTE


def test_renamed_type_rejected_then_given_up(noted):
    both = noted
    reject_commit(both)
    both.git("reset", "--quiet", "--hard")
    both.add_top(BETA, "Added")
    both.commit("-a")
    both.expect_fresh("HEAD")
    assert both.repo.read(OLD_NOTE) == both.twin.read(OLD_NOTE)
    assert find_new_note(both) == OLD_NOTE
    # A hard reset leaves what is untracked: what the refused commit had written may still lie there.
    assert all(line.startswith("?? ") for line in both.repo.ask("status", "--porcelain").splitlines())
