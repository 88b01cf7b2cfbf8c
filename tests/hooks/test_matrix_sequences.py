"""The commit matrix, third part: merges, cherry-picks, rebases, reverts and stashes.

Git runs no pre-commit where it commits by itself: a merge without conflicts, a clean rebase, cherry-pick or revert.
What holds there: nothing of the user's is touched, and the next commit that the hook sees, or a refresh, is right.
"""

import pytest

pytestmark = pytest.mark.matrix

ALPHA, BETA, GAMMA = (f"src/Core/{name}.cs" for name in ("Alpha", "Beta", "Gamma"))
NEW = "src/Core/Echo.cs"
ECHO = "namespace Demo;\n\npublic class Echo\n{\n    public Beta? Say() => null;\n}\n"


def commit_on_side(both, *changes):
    """A branch `side` with one commit for each change; main is checked out again."""
    both.git("checkout", "--quiet", "-b", "side")
    for change in changes:
        change()
        both.git("add", "--all")
        both.commit(message=change.__name__)
        both.obey_law()
    both.git("checkout", "--quiet", "main")


def read_resolved(both, path):
    """A conflicted file with the lines of both sides."""
    lines = both.twin.read(path).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("<<<<<<<", "=======", ">>>>>>>")))


@pytest.fixture
def conflict(both):
    """Both branches add a method at the same place of Alpha; the side adds a type and changes Beta, too."""

    def change_side():
        both.add_top(ALPHA, "Side")
        both.add_top(BETA, "Side")
        both.write(NEW, ECHO)

    commit_on_side(both, change_side)
    both.add_top(ALPHA, "Main")
    both.commit("-a")
    both.seen.append(both.repo.list_generated("HEAD"))


def spoil_attributes(both):
    """Have git leave conflict markers in generated files, as where the attributes are not honoured."""
    info = both.repo.root / ".git/info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text(".codecortex/** merge\n")


def resolve(both):
    """Resolve the source and stage whatever lies there, markers in generated files included."""
    both.write(ALPHA, read_resolved(both, ALPHA))
    both.git("add", "--all")


@pytest.mark.parametrize("spoilt", [False, True], ids=["union", "markers"])
@pytest.mark.parametrize(
    "end", [["commit", "--quiet", "--no-edit"], ["merge", "--continue"]], ids=["commit", "continue"]
)
@pytest.mark.usefixtures("conflict")
def test_conflicted_merge_resolved(both, end, spoilt):
    if spoilt:
        spoil_attributes(both)
    both.git("merge", "--quiet", "side", ok=False)
    if spoilt:
        assert "<<<<<<<" in "".join(f.read_text() for f in (both.repo.root / ".codecortex").rglob("*") if f.is_file())
    resolve(both)
    both.git(*end)
    both.obey_law()
    assert both.repo.ask("rev-list", "--parents", "-1", "HEAD").count(" ") == 2


@pytest.mark.usefixtures("conflict")
def test_conflicted_merge_resolved_with_our_generated_files(both):
    spoil_attributes(both)
    both.git("merge", "--quiet", "side", ok=False)
    both.repo.ask("checkout", "HEAD", "--", ".codecortex")
    resolve(both)
    both.git("commit", "--quiet", "--no-edit")
    both.obey_law()


@pytest.mark.usefixtures("conflict")
def test_conflicted_merge_with_a_deleted_type(both):
    both.git("rm", "--quiet", BETA)
    both.commit()
    both.obey_law()
    both.git("merge", "--quiet", "side", ok=False)
    both.git("rm", "--quiet", BETA)
    both.repo.git("rm", "--quiet", "-r", "--ignore-unmatch", ".codecortex/types")
    resolve(both)
    both.git("commit", "--quiet", "--no-edit")
    both.obey_law()


@pytest.mark.usefixtures("conflict")
def test_squashed_merge(both):
    both.git("merge", "--quiet", "--squash", "side", ok=False)
    resolve(both)
    both.commit()
    both.obey_law()


def test_squashed_merge_without_conflict(both):
    commit_on_side(both, lambda: both.add_top(ALPHA, "Side"))
    both.add_top(BETA, "Main")
    both.commit("-a")
    both.obey_law()
    both.git("merge", "--quiet", "--squash", "side")
    both.commit()
    both.obey_law()


def test_automatic_merge_of_different_types_is_exact(both):
    commit_on_side(both, lambda: both.add_top(ALPHA, "Side"), lambda: both.write(NEW, ECHO))
    both.add_top(BETA, "Main")
    both.commit("-a")
    both.obey_law()
    both.git("merge", "--quiet", "--no-edit", "side")
    both.obey_law()


def test_fast_forward_is_exact(both):
    commit_on_side(both, lambda: both.add_top(ALPHA, "Side"))
    both.git("merge", "--quiet", "--ff-only", "side")
    both.obey_law(moved=False)


@pytest.fixture
def leftover(both):
    """An automatic merge whose union leaves what is no more: Beta renamed on one side, moved on the other."""
    commit_on_side(both, lambda: both.git("mv", BETA, "src/App/Beta.cs"))
    both.edit(BETA, "class Beta", "class Renamed")
    both.commit("-a")
    both.obey_law()
    both.git("merge", "--quiet", "--no-edit", "side")
    both.expect_intact()
    both.expect_clean()


@pytest.mark.usefixtures("leftover")
def test_next_commit_mends_what_an_automatic_merge_left(both):
    both.add_top(ALPHA, "Next")
    both.commit("-a")
    both.obey_law()


@pytest.mark.usefixtures("leftover")
def test_next_commit_of_a_path_mends_what_an_automatic_merge_left(both):
    both.add_top(ALPHA, "Next")
    both.add_top(BETA.replace("Core/Beta", "App/Beta"), "Other")
    both.commit(ALPHA)
    both.obey_law()


@pytest.mark.usefixtures("leftover")
def test_refresh_mends_what_an_automatic_merge_left(both, refresh):
    refresh(both.repo)
    both.repo.ask("add", ".codecortex")
    both.git("commit", "--quiet", "--allow-empty", "-m", "refreshed")
    both.expect_fresh("HEAD")
    both.expect_intact()
    both.expect_clean()


@pytest.mark.parametrize("spoilt", [False, True], ids=["union", "markers"])
@pytest.mark.usefixtures("conflict")
def test_cherry_pick_continued(both, spoilt):
    if spoilt:
        spoil_attributes(both)
    both.git("cherry-pick", "side", ok=False)
    resolve(both)
    both.git("cherry-pick", "--continue")
    both.obey_law()


@pytest.mark.usefixtures("conflict")
def test_cherry_pick_concluded_by_commit(both):
    spoil_attributes(both)
    both.git("cherry-pick", "side", ok=False)
    resolve(both)
    both.git("commit", "--quiet", "--no-edit")
    both.obey_law()


def test_clean_cherry_pick_of_another_type_is_exact(both):
    commit_on_side(both, lambda: both.add_top(ALPHA, "Side"))
    both.add_top(BETA, "Main")
    both.commit("-a")
    both.obey_law()
    both.git("cherry-pick", "side")
    both.obey_law()


def test_cherry_pick_without_commit(both):
    commit_on_side(both, lambda: both.add_top(ALPHA, "Side"))
    both.add_top(BETA, "Main")
    both.commit("-a")
    both.obey_law()
    both.git("cherry-pick", "--no-commit", "side")
    both.commit()
    both.obey_law()


def test_revert_is_exact(both):
    both.add_top(ALPHA, "First")
    both.commit("-a")
    both.obey_law()
    both.add_top(BETA, "Second")
    both.commit("-a")
    both.obey_law()
    both.git("revert", "--no-edit", "HEAD~1")
    both.obey_law()


@pytest.mark.usefixtures("conflict")
def test_revert_continued(both):
    both.add_top(ALPHA, "Later")
    both.commit("-a")
    both.obey_law()
    spoil_attributes(both)
    both.git("revert", "--no-edit", "HEAD~1", ok=False)
    both.write(ALPHA, both.repo.ask("show", f"HEAD:{ALPHA}").replace("    public int Main() => 2;\n", ""))
    both.git("add", "--all")
    both.git("revert", "--continue")
    both.obey_law()


@pytest.fixture
def three(both):
    """Three more commits: Alpha, Beta, Gamma."""
    for path in (ALPHA, BETA, GAMMA):
        both.edit(path, "int Top", "long Top")
        both.commit("-a", message=path)
        both.obey_law()


def edit_todo(rule):
    return {"GIT_SEQUENCE_EDITOR": f"sed -i -e '{rule}'"}


@pytest.mark.usefixtures("three")
def test_rebase_edit_and_amend(both):
    said = both.git("rebase", "-i", "HEAD~2", **edit_todo("1s/^pick/edit/"))
    both.add_top(ALPHA, "Amended")
    both.git("commit", "--quiet", "--amend", "--no-edit", "-a")
    both.obey_law()
    said = both.git("rebase", "--continue")
    both.obey_law()
    assert "codecortex" not in said.out + said.err


@pytest.mark.usefixtures("three")
def test_rebase_edit_and_split(both):
    both.git("rebase", "-i", "HEAD~3", **edit_todo("1s/^pick/edit/"))
    both.git("reset", "--quiet", "HEAD^")
    both.add_bottom(BETA, "Aside")
    both.commit(ALPHA)
    both.obey_law()
    both.commit("-a")
    both.obey_law()
    both.git("rebase", "--continue")
    both.obey_law()


@pytest.mark.parametrize("word", ["fixup", "squash"])
@pytest.mark.usefixtures("three")
def test_rebase_autosquash(both, word):
    both.add_top(ALPHA, "Fix")
    both.commit("-a", message=f"{word}! {ALPHA}")
    both.obey_law()
    both.git("rebase", "--quiet", "-i", "--autosquash", "HEAD~4", GIT_SEQUENCE_EDITOR=":")
    both.obey_law(moved=False)
    for number in (1, 2):
        both.expect_fresh(f"HEAD~{number}")


@pytest.mark.usefixtures("three")
def test_rebase_squash(both):
    both.git("rebase", "--quiet", "-i", "HEAD~3", **edit_todo("2,3s/^pick/squash/"))
    both.obey_law(moved=False)


@pytest.mark.usefixtures("three")
def test_rebase_reword_and_reorder(both):
    both.git("rebase", "--quiet", "-i", "HEAD~3", **edit_todo("1{h;d};2{s/^pick/reword/;G}"))
    both.obey_law(moved=False)
    both.expect_fresh("HEAD~1")


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_clean_rebase_is_exact(both, backend):
    commit_on_side(both, lambda: both.add_top(ALPHA, "Side"), lambda: both.write(NEW, ECHO))
    both.add_top(BETA, "Main")
    both.commit("-a")
    both.obey_law()
    both.git("checkout", "--quiet", "side")
    said = both.git("rebase", "--quiet", backend, "main")
    both.obey_law()
    both.expect_fresh("HEAD~1")
    assert "codecortex" not in said.out + said.err


@pytest.mark.usefixtures("conflict")
def test_next_commit_mends_what_a_conflicted_rebase_left(both):
    spoil_attributes(both)
    both.git("checkout", "--quiet", "side")
    both.git("rebase", "--quiet", "main", ok=False)
    resolve(both)
    both.git("rebase", "--continue")
    both.expect_intact()
    both.add_bottom(ALPHA, "Next")
    both.commit("-a")
    both.obey_law()


def test_stash_keep_index(both):
    both.add_top(ALPHA, "Staged")
    both.git("add", ALPHA)
    both.add_top(BETA, "Unstaged")
    both.git("stash", "push", "--quiet", "--keep-index")
    both.commit()
    both.obey_law()
    both.git("stash", "pop", "--quiet")
    both.obey_law(moved=False)
    both.commit("-a")
    both.obey_law()


def test_stash_and_pop_over_a_commit(both):
    both.add_top(ALPHA, "Stashed")
    both.write(NEW, ECHO)
    both.git("stash", "push", "--quiet", "--include-untracked")
    both.add_top(BETA, "Committed")
    both.commit("-a")
    both.obey_law()
    both.git("stash", "pop", "--quiet")
    both.git("add", NEW)
    both.commit("-a")
    both.obey_law()


def test_reset_soft_and_commit_again(both):
    for name in ("First", "Second"):
        both.add_top(ALPHA, name)
        both.commit("-a")
        both.obey_law()
    both.git("reset", "--quiet", "--soft", "HEAD~2")
    both.commit()
    both.obey_law(moved=False)


def test_reset_mixed_and_commit_a_part(both):
    both.add_top(ALPHA, "First")
    both.add_top(BETA, "Second")
    both.commit("-a")
    both.obey_law()
    both.git("reset", "--quiet", "HEAD~1")
    both.commit(ALPHA)
    both.obey_law()
    both.commit("-a")
    both.obey_law()


def test_switch_and_commit(both):
    commit_on_side(both, lambda: both.add_top(ALPHA, "Side"), lambda: both.write(NEW, ECHO))
    both.add_top(BETA, "Main")
    both.commit("-a")
    both.obey_law()
    both.git("checkout", "--quiet", "side")
    both.add_bottom(ALPHA, "Again")
    both.commit("-a")
    both.obey_law()
