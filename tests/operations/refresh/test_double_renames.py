"""A type that both sides of a merge renamed: the row of the name that is left wins."""

from collections.abc import Callable
from pathlib import Path

import pytest

from codecortex.operations.aliases.conflicts import list_conflicts
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.queries.resolve import resolve
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.committed.aliases_json import decode_rows
from codecortex.store.paths import ALIASES

Git = Callable[..., str]
TEXT = "namespace N;\npublic class {0} {{ public int A; public int B; public int C; public int D; }}\n"


def rows(root: Path) -> list[str]:
    return [row.new_fqn for row in decode_rows((root / ALIASES).read_bytes(), ALIASES)]


@pytest.fixture
def merged(tmp_path: Path, git: Git) -> Path:
    """A repository in which one branch renamed Old to Left and the other to Right; Right is left."""

    def rename(name: str) -> None:
        (tmp_path / "A.cs").write_text(TEXT.format(name))
        git(tmp_path, "add", ".")
        refresh(Request(tmp_path))
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "--quiet", "-m", name)

    git(tmp_path, "init", "--quiet", "-b", "main")
    (tmp_path / "A.cs").write_text(TEXT.format("Old"))
    git(tmp_path, "add", ".")
    init(tmp_path)
    rename("Old")
    git(tmp_path, "checkout", "--quiet", "-b", "side")
    rename("Left")
    git(tmp_path, "checkout", "--quiet", "main")
    rename("Right")
    text = (tmp_path / ALIASES).read_text()
    own = next(each for each in text.split("\n") if "N.Right" in each)
    other = next(each for each in git(tmp_path, "show", f"side:{ALIASES}").split("\n") if "N.Left" in each)
    (tmp_path / ALIASES).write_text(text.replace(own, f"{other.rstrip(',')},\n{own}"))
    git(tmp_path, "commit", "--quiet", "-am", "merged")
    return tmp_path


def test_refresh_keeps_the_row_that_leads_to_a_type(merged: Path) -> None:
    assert sorted(rows(merged)) == ["N.Left", "N.Right"]
    refresh(Request(merged))
    kept = decode_rows((merged / ALIASES).read_bytes(), ALIASES)
    assert sorted((row.old_fqn, row.new_fqn) for row in kept) == [("N.Left", "N.Right"), ("N.Old", "N.Right")]
    assert refresh(Request(merged)).written == ()


def test_the_old_name_leads_to_the_living_type_before_that(merged: Path) -> None:
    with Workspace(Request(merged)) as workspace:
        assert [hit.entry.fqn for hit in resolve(workspace, "N.Old").hits] == ["N.Right"]


def test_the_suggestion_is_what_works(merged: Path) -> None:
    [conflict] = list_conflicts(Request(merged))
    assert conflict.commands == ("codecortex refresh",)
    refresh(Request(merged))
    assert list_conflicts(Request(merged)) == ()
