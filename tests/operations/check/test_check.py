"""A check finds what a refresh would change, in every tree, whatever is remembered from before."""

import random
import shutil

import pytest

from codecortex.operations.check.check import CheckOptions, check
from codecortex.operations.check.findings import Code, Finding, Level, sort_findings
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request

RENAMES = (".codecortex/aliases.json",)  # follows the index, whose finding speaks for it
MEMBERS = (
    "public int Number;",
    "public B? Other() => null;",
    "int hidden;",
    "/// <summary>Said.</summary>\npublic A Self;",
)


def write_source(root, dice, name):
    members = "\n".join(dice.sample(MEMBERS, dice.randrange(len(MEMBERS))))
    kind = dice.choice(("class", "struct", "partial class"))
    (root / f"src/{name}.cs").write_bytes(f"namespace N;\npublic {kind} {name}\n{{\n{members}\n}}\n".encode())


def disturb(root, dice, git):
    """One random edit of a source or of what was generated."""
    outlines = sorted((root / ".codecortex/types").iterdir())
    match dice.randrange(7):
        case 0 | 1:
            write_source(root, dice, dice.choice("ABCD"))
        case 2:
            (root / "src/D.cs").unlink(missing_ok=True)
        case 3 if outlines:
            dice.choice(outlines).write_bytes(b"# mine\n")
        case 4 if outlines:
            dice.choice(outlines).unlink()
        case 5:
            (root / ".codecortex/types/T_00000000.outline.md").write_bytes(b"old\n")
        case 6:
            (root / ".codecortex/index.json").unlink(missing_ok=True)
    git(root, "add", "-A", "src")


def list_artefacts(result):
    """The generated files that findings are about."""
    if any(each.message == "nothing was generated yet" for each in result.findings):
        return None
    return {each.artefact or each.path for each in result.findings if each.code is not Code.SOURCE_UNREAD}


@pytest.mark.slow
@pytest.mark.law
@pytest.mark.parametrize("seed", range(5))
def test_it_finds_exactly_what_a_refresh_would_change(tmp_path, git, seed):
    root, dice = tmp_path / "work", random.Random(seed)  # noqa: S311 - a law, not a secret
    (root / "src").mkdir(parents=True)
    git(root, "init", "--quiet")
    init(root)
    for name in "ABC":
        write_source(root, dice, name)
    git(root, "add", "-A")
    request = Request(root, jobs=1)
    refresh(request)
    for step in range(6):
        for _ in range(dice.randrange(1, 4)):
            disturb(root, dice, git)
        planned = refresh(request, dry_run=True)
        found = list_artefacts(check(request, CheckOptions()))
        changing = {path for path in (*planned.written, *planned.removed) if path not in RENAMES}
        assert found in (None, changing), step
        git(root, "add", "-A")
        git(root, "commit", "--quiet", "--allow-empty", "-m", str(step))
        trees = [request, Request(root, staged=True, jobs=1), Request(root, rev="HEAD", jobs=1)]
        warm = [check(each, CheckOptions()) for each in trees]
        assert [list_artefacts(each) for each in warm] == [found] * 3, step
        if dice.random() < 0.3:
            shutil.rmtree(root / ".git/codecortex", ignore_errors=True)
            assert [check(each, CheckOptions()) for each in trees] == warm, step
        if dice.random() < 0.5:
            refresh(request)
            assert check(request, CheckOptions()).findings == (), step


@pytest.mark.law
def test_fix_leaves_nothing_to_find(tmp_path, git):
    root, dice = tmp_path / "work", random.Random(0)  # noqa: S311 - as above
    (root / "src").mkdir(parents=True)
    git(root, "init", "--quiet")
    init(root)
    for name in "ABCD":
        write_source(root, dice, name)
    git(root, "add", "-A")
    first = check(Request(root, jobs=1), CheckOptions(fix=True))
    assert first.findings == ()
    assert len(first.fixed) == 5
    for _ in range(6):
        disturb(root, dice, git)
    assert check(Request(root, jobs=1), CheckOptions(fix=True)).findings == ()


def test_findings_that_differ_only_in_their_outline_come_in_its_order():
    # A source that several projects compile has such; a set gives them in another order in each run.
    one = Finding(Code.OUTLINE_BEHIND, Level.ERROR, "A.cs", 1, "behind", "")
    made = [one._replace(artefact=f"T_{number:02}") for number in range(40)]
    assert list(sort_findings(made[::-1])) == made
