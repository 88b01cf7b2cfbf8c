"""The commit matrix, first part: what people do with `git commit`."""

import pytest

pytestmark = [pytest.mark.law, pytest.mark.matrix]

ALPHA, BETA, GAMMA = (f"src/Core/{name}.cs" for name in ("Alpha", "Beta", "Gamma"))
NEW = "src/Core/Echo.cs"
ECHO = "namespace Demo;\n\npublic class Echo\n{\n    public Beta? Say() => null;\n}\n"


def test_staged(both):
    both.add_top(ALPHA, "Added")
    both.git("add", ALPHA)
    both.commit()
    both.obey_law()


def test_staged_twice(both):
    for name in ("First", "Second"):
        both.add_top(ALPHA, name)
        both.git("add", ALPHA)
        both.commit()
        both.obey_law()


def test_nothing_relevant(both):
    both.write("notes.txt", "other notes\n")
    both.commit("-a")
    both.obey_law(moved=False)


def test_body_only(both):
    both.edit(ALPHA, "Top() => 1", "Top() => 11")
    both.commit("-a")
    both.obey_law(moved=False)


def test_partially_staged(both):
    both.add_top(ALPHA, "Staged")
    both.git("add", ALPHA)
    both.add_bottom(ALPHA, "Unstaged")
    both.commit()
    both.obey_law()
    both.commit("-a")
    both.obey_law()


def test_all(both):
    both.add_top(ALPHA, "Added")
    both.add_top(BETA, "Added")
    both.commit("-a")
    both.obey_law()


def test_all_over_partially_staged(both):
    both.add_top(ALPHA, "Staged")
    both.git("add", ALPHA)
    both.add_bottom(ALPHA, "Unstaged")
    both.commit("-a")
    both.obey_law()


def test_path_with_another_staged_then_the_rest(both):
    both.add_top(ALPHA, "Named")
    both.add_top(BETA, "Staged")
    both.git("add", BETA)
    both.commit(ALPHA)
    both.obey_law()
    both.commit()
    both.obey_law()


def test_path_over_partially_staged(both):
    both.add_top(ALPHA, "Staged")
    both.git("add", ALPHA)
    both.add_bottom(ALPHA, "Unstaged")
    both.add_top(BETA, "Unstaged")
    both.commit(ALPHA)
    both.obey_law()


def test_path_with_staged_new_file_left_out_then_the_rest(both):
    both.write(NEW, ECHO)
    both.git("add", NEW)
    both.add_top(ALPHA, "Named")
    both.commit(ALPHA)
    both.obey_law()
    both.commit()
    both.obey_law()


def test_path_with_staged_deletion_left_out_then_the_rest(both):
    both.git("rm", "--quiet", BETA)
    both.add_top(ALPHA, "Named")
    both.commit(ALPHA)
    both.obey_law()
    both.commit()
    both.obey_law()


def test_paths_one_after_the_other(both):
    for path in (ALPHA, BETA, GAMMA):
        both.edit(path, "int Top", "long Top")
    for path in (ALPHA, BETA, GAMMA):
        both.commit(path)
        both.obey_law()


def test_include_path(both):
    both.add_top(ALPHA, "Included")
    both.add_top(BETA, "Staged")
    both.git("add", BETA)
    both.commit("-i", ALPHA)
    both.obey_law()


@pytest.mark.parametrize("arguments", [(), ("-a",), (ALPHA,)], ids=["plain", "all", "path"])
def test_amend(both, arguments):
    both.add_top(ALPHA, "First")
    both.commit("-a")
    both.obey_law()
    both.add_top(ALPHA, "Second")
    both.add_top(BETA, "Second")
    both.git("add", BETA if ALPHA in arguments else ALPHA)
    both.git("commit", "--quiet", "--amend", "--no-edit", *arguments)
    both.obey_law()
    if "-a" not in arguments:
        both.commit("-a")
        both.obey_law()


def test_amend_takes_back(both):
    before = both.repo.read(ALPHA)
    both.add_top(ALPHA, "Regretted")
    both.add_top(BETA, "Kept")
    both.commit("-a")
    both.obey_law()
    both.write(ALPHA, before)
    both.git("commit", "--quiet", "--amend", "--no-edit", "-a")
    both.obey_law()


def test_amend_message_only(both):
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()
    both.git("commit", "--quiet", "--amend", "-m", "another message")
    both.obey_law(moved=False)


def test_patch(both):
    both.add_top(ALPHA, "Taken")
    both.add_bottom(ALPHA, "Left")
    both.commit("-p", stdin="y\nn\n")
    both.obey_law()
    assert "Taken" in both.repo.ask("show", f"HEAD:{ALPHA}")
    assert "Left" not in both.repo.ask("show", f"HEAD:{ALPHA}")


def test_new_file(both):
    both.write(NEW, ECHO)
    both.git("add", NEW)
    both.commit()
    both.obey_law()


def test_untracked_file_is_no_part_of_it(both):
    both.write(NEW, ECHO)
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()


def test_rm(both):
    both.git("rm", "--quiet", BETA)
    both.commit()
    both.obey_law()


def test_rm_of_every_source(both):
    both.git("rm", "--quiet", "-r", "src")
    both.commit()
    both.obey_law()


def test_rm_with_all(both):
    for each in (both.repo, both.twin):
        (each.root / BETA).unlink()
    both.commit("-a")
    both.obey_law()


def test_mv(both):
    both.git("mv", BETA, "src/App/Moved.cs")
    both.commit()
    both.obey_law()


def test_replaced_type(both):
    both.edit(BETA, "class Beta", "class Other")
    both.commit("-a")
    both.obey_law()


@pytest.mark.parametrize("arguments", [(), ("-a",), ("Alpha.cs",), ("-i", "Alpha.cs")], ids=" ".join)
def test_from_subfolder(both, arguments):
    both.add_top(ALPHA, "Added")
    both.add_top(BETA, "Staged")
    inside = both.enter("src/Core")
    inside.git("add", "Beta.cs")
    inside.commit(*arguments)
    inside.obey_law()
    both.obey_law(moved=False)


def test_project_file(both):
    both.edit("src/Core/Core.csproj", "<TargetFramework>", "<AssemblyName>Other</AssemblyName><TargetFramework>")
    both.commit("-a")
    both.obey_law()


def test_configuration(both):
    both.write(".codecortex/config.yaml", "exclude: ['src/App/**']\n")
    both.commit("-a")
    both.obey_law()


def test_detached_head(both):
    both.git("checkout", "--quiet", "--detach")
    both.add_top(ALPHA, "Added")
    both.commit("-a")
    both.obey_law()


def test_dry_run(both):
    both.add_top(ALPHA, "Added")
    both.git("add", ALPHA)
    both.git("commit", "--quiet", "--dry-run", "-m", "never")
    both.obey_law(moved=False)
    both.commit()
    both.obey_law()


def test_empty_commit(both):
    both.commit("--allow-empty")
    both.obey_law(moved=False)


def test_refreshed_and_all_staged(both, refresh):
    both.add_top(ALPHA, "Added")
    refresh(both.repo)
    both.git("add", "--all")
    both.commit()
    both.obey_law()
