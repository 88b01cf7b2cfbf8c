"""The commit matrix, fourth part: what else the user has in the repository, commits that fail, and bad input."""

import shutil
import subprocess

import pytest

pytestmark = pytest.mark.matrix

ALPHA, BETA = (f"src/Core/{name}.cs" for name in ("Alpha", "Beta"))
NEW = "src/Core/Echo.cs"
ECHO = "namespace Demo;\n\npublic class Echo\n{\n    public Beta? Say() => null;\n}\n"
INDEX = ".codecortex/index.json"
NOTE = ".codecortex/semantic/T_73ED8478.md"
TEXT = "# Semantic: Demo.Alpha T_73ED8478\nStructureHash: 9F2A441C\n\nROLE:\nThe first.\n"


def find_outline(repo, name):
    (path,) = (
        path for path in (repo.root / ".codecortex/types").iterdir() if path.read_text().startswith(f"# Demo.{name} ")
    )
    return path


def spoil(path, text="spoilt by hand\n"):
    path.write_bytes(path.read_bytes() + text.encode())


# What else lies there


@pytest.mark.parametrize("staged", [False, True], ids=["unstaged", "staged"])
@pytest.mark.parametrize("arguments", [(), ("-a",), (ALPHA,)], ids=["plain", "all", "path"])
def test_hand_edited_outline(both, arguments, staged):
    both.add_top(ALPHA, "Added")
    both.git("add", ALPHA)
    spoil(find_outline(both.repo, "Alpha"))
    if staged:
        both.repo.ask("add", ".codecortex/types")
    both.commit(*arguments)
    both.obey_law()


@pytest.mark.parametrize("arguments", [("-a",), (ALPHA,)], ids=["all", "path"])
def test_unstaged_hand_edit_of_an_outline_that_the_commit_does_not_touch(both, arguments):
    both.add_top(ALPHA, "Added")
    spoil(find_outline(both.repo, "Beta"))
    both.commit(*arguments)
    both.obey_law()


def test_unstaged_edit_of_an_outline_whose_type_the_commit_removes(both, refresh):
    both.add_top(BETA, "Other")
    refresh(both.repo)
    both.git("rm", "-qf", BETA)
    both.commit()
    both.obey_law()


def test_staged_hand_edit_of_an_outline_that_the_commit_does_not_touch(both):
    both.add_top(ALPHA, "Added")
    spoil(find_outline(both.repo, "Beta"))
    spoil(both.repo.root / INDEX)
    both.repo.ask("add", ".codecortex")
    both.commit("-a")
    both.obey_law()


def test_staged_removal_of_generated_files(both):
    both.repo.ask("rm", "--quiet", "-r", "--cached", ".codecortex/types", INDEX)
    both.add_top(ALPHA, "Added")
    both.git("add", ALPHA)
    both.commit()
    both.obey_law()


def test_generated_files_lost_from_the_work_tree(both):
    shutil.rmtree(both.repo.root / ".codecortex/types")
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()


def test_refreshed_work_tree_of_which_a_part_is_committed(both, refresh):
    both.add_top(ALPHA, "Staged")
    both.git("add", ALPHA)
    both.add_top(BETA, "Unstaged")
    refresh(both.repo)
    both.commit()
    both.obey_law()
    both.commit("-a")
    both.obey_law()


@pytest.mark.parametrize("arguments", [(), ("-a",), (ALPHA,)], ids=["plain", "all", "path"])
def test_untracked_semantic_file(both, arguments):
    both.write(NOTE, TEXT)
    both.add_top(ALPHA, "Added")
    both.git("add", ALPHA)
    both.commit(*arguments)
    both.obey_law()


def test_staged_human_semantic_edit_survives_a_commit_of_a_path(both):
    both.write(NOTE, TEXT)
    both.git("add", NOTE)
    both.commit()
    both.obey_law(moved=False)
    both.write(NOTE, TEXT + "Staged.\n")
    both.git("add", NOTE)
    both.write(NOTE, TEXT + "Staged.\nUnstaged.\n")
    both.add_top(ALPHA, "Named")
    both.commit(ALPHA)
    both.obey_law()
    both.commit()
    both.obey_law(moved=False)


def test_commit_of_a_semantic_path_only(both):
    both.write(NOTE, TEXT)
    both.git("add", NOTE)
    both.add_top(ALPHA, "Staged")
    both.git("add", ALPHA)
    both.commit(NOTE)
    both.obey_law(moved=False)
    both.commit()
    both.obey_law()


@pytest.mark.parametrize("arguments", [(), (ALPHA,)], ids=["plain", "path"])
def test_intent_to_add(both, arguments):
    both.write(NEW, ECHO)
    both.git("add", "--intent-to-add", NEW)
    both.add_top(ALPHA, "Added")
    if not arguments:
        both.git("add", ALPHA)
    both.commit(*arguments)
    both.obey_law()
    both.commit("-a")
    both.obey_law()


def test_tracked_but_ignored(both):
    for each in (both.repo, both.twin):
        (each.root / ".git/info").mkdir(exist_ok=True)
        (each.root / ".git/info/exclude").write_text(".codecortex/\n")
    both.write(NEW, ECHO)
    both.git("add", NEW)
    both.add_top(ALPHA, "Named")
    both.commit(ALPHA)
    both.obey_law()
    both.commit()
    both.obey_law()


def test_untracked_and_ignored_says_so(both):
    both.write(".gitignore", ".codecortex/\n")
    for each in (both.repo, both.twin):
        each.ask("rm", "--quiet", "-r", "--cached", ".codecortex")
    both.git("add", ".gitignore")
    both.add_top(ALPHA, "Added")
    said = both.commit("-a")
    assert said.err.startswith("codecortex: ")
    assert "ignore" in said.err
    both.expect_intact()
    assert not both.repo.list_generated("HEAD")


def test_untracked_folder_stays_untracked(both):
    for each in (both.repo, both.twin):
        each.ask("rm", "--quiet", "-r", "--cached", ".codecortex")
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.expect_intact()
    assert not both.repo.list_generated("HEAD")


def test_foreign_files_are_left_alone(both):
    both.write(".codecortex/mine.txt", "mine\n")
    foreign = both.repo.root / ".codecortex/types/mine.txt"
    foreign.write_text("mine\n")
    both.git("add", ".codecortex/mine.txt")
    both.repo.ask("add", ".codecortex/types")
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()
    assert foreign.read_text() == "mine\n"


# Commits that fail or go by


def write_hook(both, name, text):
    for each in (both.repo, both.twin):
        file = each.root / ".git/hooks" / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)


def drop_hook(both, name):
    for each in (both.repo, both.twin):
        (each.root / ".git/hooks" / name).unlink()


@pytest.mark.parametrize("arguments", [(), ("-a",), (ALPHA,), ("-i", ALPHA)], ids=["plain", "all", "path", "include"])
def test_commit_msg_rejects_then_the_next_commit(both, arguments):
    both.add_top(ALPHA, "Named")
    both.add_top(BETA, "Staged")
    both.git("add", BETA)
    write_hook(both, "commit-msg", "exit 1")
    both.git("commit", "--quiet", "-m", "rejected", *arguments, ok=False)
    drop_hook(both, "commit-msg")
    both.expect_intact()
    both.commit()
    both.obey_law()
    both.commit("-a")
    both.obey_law()


def test_rejected_path_then_another_path(both):
    both.add_top(ALPHA, "First")
    both.add_top(BETA, "Second")
    write_hook(both, "commit-msg", "exit 1")
    both.git("commit", "--quiet", "-m", "rejected", ALPHA, ok=False)
    drop_hook(both, "commit-msg")
    both.commit(BETA)
    both.obey_law()
    both.commit(ALPHA)
    both.obey_law()


def test_rejected_then_given_up(both):
    both.add_top(ALPHA, "Named")
    write_hook(both, "commit-msg", "exit 1")
    both.git("commit", "--quiet", "-a", "-m", "rejected", ok=False)
    drop_hook(both, "commit-msg")
    both.git("checkout", "--quiet", "HEAD", "--", ALPHA)
    both.add_top(BETA, "Added")
    both.git("add", BETA)
    both.commit()
    both.obey_law()


@pytest.mark.parametrize("arguments", [("-a",), (BETA,)], ids=["all", "path"])
def test_no_verify_then_the_next_commit(both, arguments):
    both.add_top(ALPHA, "Hasty")
    both.write(NEW, ECHO)
    both.git("add", NEW)
    both.commit("-a", "--no-verify")
    both.expect_intact()
    both.add_top(BETA, "Next")
    both.commit(*arguments)
    both.obey_law()


def test_no_verify_then_amend(both):
    both.add_top(ALPHA, "Hasty")
    both.commit("-a", "--no-verify")
    both.add_top(BETA, "Next")
    both.git("commit", "--quiet", "--amend", "--no-edit", "-a")
    both.obey_law()


def test_no_verify_of_a_path_after_a_rejected_one(both):
    both.add_top(ALPHA, "Hasty")
    write_hook(both, "commit-msg", "exit 1")
    both.git("commit", "--quiet", "-m", "rejected", ALPHA, ok=False)
    drop_hook(both, "commit-msg")
    both.commit("--no-verify", ALPHA)
    both.expect_intact()
    both.add_top(BETA, "Next")
    both.commit("-a")
    both.obey_law()


def test_switched_off_by_the_environment(both):
    both.add_top(ALPHA, "Added")
    said = both.commit("-a", CODECORTEX="0")
    assert not said.err
    both.expect_intact()
    assert both.repo.list_generated("HEAD") == both.seen[-1]


def test_index_lock_that_is_there_already(both):
    both.add_top(ALPHA, "Added")
    locks = [each.root / ".git/index.lock" for each in (both.repo, both.twin)]
    for lock in locks:
        lock.touch()
    both.git("commit", "--quiet", "-a", "-m", "locked", ok=False)
    for lock in locks:
        lock.unlink()
    both.obey_law(moved=False)
    both.commit("-a")
    both.obey_law()


def test_two_commits_at_once(both):
    both.add_top(ALPHA, "One")
    both.add_top(BETA, "Two")
    command = ["git", "commit", "--quiet", "-m", "at once"]
    running = [subprocess.Popen([*command, path], cwd=both.repo.root, stderr=subprocess.PIPE) for path in (ALPHA, BETA)]
    said = [process.communicate()[1].decode() for process in running]
    assert not any("Traceback" in each for each in said)
    made = int(both.repo.ask("rev-list", "--count", "HEAD")) - 1
    for number in range(made):
        both.expect_fresh(f"HEAD~{number}")
    both.commit("-a", "--allow-empty")
    both.obey_law(history=False)


def test_two_hooks_at_once(both):
    both.add_top(ALPHA, "Added")
    both.git("add", ALPHA)
    command = ["git", "hook", "run", "pre-commit"]
    running = [subprocess.Popen(command, cwd=both.repo.root, stderr=subprocess.PIPE) for _ in range(3)]
    for process in running:
        _, said = process.communicate()
        assert process.returncode == 0
        assert said == b"" or b"Another codecortex" in said  # on a busy machine, the last waits longer than it may
    both.commit()
    both.obey_law()
