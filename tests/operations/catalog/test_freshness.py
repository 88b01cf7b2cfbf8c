"""A workspace that stays: asked again, it answers from the tree as it is, however quietly that changed."""

import math
import mmap
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from codecortex.git.listing import list_worktree
from codecortex.git.worktree import freshness, notices
from codecortex.operations.catalog import workspace as workspaces
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.reading.sources import SUFFIXES
from codecortex.operations.request import Request
from codecortex.store.paths import CONFIG

Git = Callable[..., str]
ALL = "all"
SOURCE = "namespace App;\npublic class One { }\n"


@pytest.fixture(autouse=True, params=[True, False], ids=["noticed", "looked at"])
def noticed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the kernel tells what is touched; if not, as where others write to the files, they are looked at."""
    if request.param and sys.platform != "linux":
        pytest.skip("only Linux tells")
    if not request.param:
        monkeypatch.setattr(notices, "_LOCAL", set())
    monkeypatch.setattr(notices, "TRUSTED_SECONDS", math.inf)  # however slow the machine is
    return bool(request.param)


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    folder = tmp_path / "place"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / "src" / "One.cs").write_text(SOURCE)
    (folder / "src" / "Two.cs").write_text("namespace App;\npublic class Two { }\n")
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", "one")
    return folder


@pytest.fixture
def listings(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Each time that a workspace lists its tree, all of it or some files: those, from the root."""
    seen: list[object] = []
    opened, reopened = workspaces.open_tree, workspaces.reopen_tree
    monkeypatch.setattr(workspaces, "open_tree", lambda *given, **more: (seen.append(ALL), opened(*given, **more))[1])
    monkeypatch.setattr(workspaces, "reopen_tree", lambda tree, paths: (seen.append(paths), reopened(tree, paths))[1])
    return seen


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let what was written until now count as old, as it does after a while."""
    monkeypatch.setattr(freshness, "_YOUNG_NS", 50_000_000)
    return lambda: time.sleep(0.07)


def names(workspace: Workspace) -> list[str]:
    workspace.look_again()
    return sorted(entry.fqn for entry in workspace.catalog.types)


def open_desk(root: Path, *, staged: bool = False, rev: str | None = None) -> Workspace:
    return Workspace(Request(root, staged=staged, rev=rev, jobs=1))


def test_where_nothing_moved_git_is_not_asked(root: Path, listings: list[object], settled: Callable[[], None]) -> None:
    with open_desk(root) as workspace:
        settled()
        names(workspace)  # the first time it is listed, for nothing was watched until then
        listings.clear()
        kept = workspace.catalog
        for _ in range(3):
            assert names(workspace) == ["App.One", "App.Two"]
        assert listings == []
        assert workspace.catalog is kept


def test_what_is_young_is_not_trusted(root: Path, listings: list[object]) -> None:
    with open_desk(root) as workspace:
        for number in range(20):  # of one size, and often within one tick of the clock
            (root / "src" / "One.cs").write_text(SOURCE.replace("One", f"N{number:02}"))
            assert names(workspace) == [f"App.N{number:02}", "App.Two"]
        assert len(listings) == 21


def test_after_an_edit_only_its_file_is_listed(root: Path, listings: list[object], settled: Callable[[], None]) -> None:
    one = root / "src" / "One.cs"
    with open_desk(root) as workspace:
        settled()
        names(workspace)
        listings.clear()
        one.write_text(SOURCE.replace("One", "Uno"))
        assert names(workspace) == ["App.Two", "App.Uno"]
        one.write_text(SOURCE.replace("One", "Ein"))
        assert names(workspace) == ["App.Ein", "App.Two"]
        assert listings == [{b"src/One.cs"}] * 2
        assert workspace.tree.listing == list_worktree(workspace.repository, (*SUFFIXES, CONFIG))
        one.unlink()
        assert names(workspace) == ["App.Two"]
        assert listings == [{b"src/One.cs"}] * 3 + [ALL]  # for it is gone


def test_what_was_edited_and_put_back_is_followed(
    root: Path, listings: list[object], settled: Callable[[], None]
) -> None:
    with open_desk(root) as workspace:
        settled()
        names(workspace)
        (root / "src" / "One.cs").write_text(SOURCE.replace("One", "Uno"))
        assert names(workspace) == ["App.Two", "App.Uno"]
        (root / "src" / "One.cs").write_text(SOURCE)
        assert names(workspace) == ["App.One", "App.Two"]
        assert not any(entry.dirty for entry in workspace.tree.listing.entries)
        settled()
        names(workspace)
        listings.clear()
        assert names(workspace) == ["App.One", "App.Two"]
        assert listings == []


def test_another_file_than_a_source_has_all_listed(
    root: Path, git: Git, listings: list[object], settled: Callable[[], None]
) -> None:
    (root / ".gitattributes").write_text("*.cs text\n")
    git(root, "add", "-A")
    with open_desk(root) as workspace:
        settled()
        names(workspace)
        listings.clear()
        (root / ".gitattributes").write_text("*.cs -text\n")
        names(workspace)
        assert ALL in listings


def test_every_way_in_which_a_tree_moves_is_seen(root: Path, git: Git, settled: Callable[[], None]) -> None:
    one = root / "src" / "One.cs"
    with open_desk(root) as workspace:

        def check(wanted: list[str]) -> None:
            assert names(workspace) == wanted
            settled()
            assert names(workspace) == wanted
            assert names(workspace) == wanted

        check(["App.One", "App.Two"])
        state = one.stat()
        one.write_text(SOURCE.replace("One", "Uno"))
        os.utime(one, ns=(state.st_atime_ns, state.st_mtime_ns))  # the same size and time as before
        check(["App.Two", "App.Uno"])
        one.unlink()
        check(["App.Two"])
        one.write_text(SOURCE)  # a tracked file that was missing: the index never changed
        check(["App.One", "App.Two"])
        (root / "src" / "New.cs").write_text("class New { }\n")
        check(["App.One", "App.Two"])  # git does not track it
        git(root, "add", "src/New.cs")
        check(["App.One", "App.Two", "New"])
        git(root, "mv", "src/New.cs", "src/Newer.cs")
        check(["App.One", "App.Two", "New"])
        assert workspace.catalog.by_simple_name["new"][0].files == ("src/Newer.cs",)
        git(root, "rm", "--quiet", "--cached", "src/Two.cs")
        check(["App.One", "New"])
        git(root, "reset", "--quiet", "--hard")
        check(["App.One", "App.Two"])
        (root / "src").rename(root / "away")
        check([])
        (root / "src").symlink_to("away")  # the same files, which git does not follow
        check([])
        (root / "src").unlink()
        (root / "away").rename(root / "src")
        check(["App.One", "App.Two"])


def test_the_commit_that_a_tree_stands_on_is_seen(root: Path, git: Git, settled: Callable[[], None]) -> None:
    with open_desk(root) as workspace:
        settled()
        names(workspace)
        for command in (("commit", "--allow-empty", "-m", "two"), ("checkout", "-b", "other"), ("pack-refs", "--all"),
                        ("reset", "--soft", "HEAD~1"), ("checkout", "--detach")):  # fmt: skip
            git(root, *command)
            names(workspace)
            assert workspace.tree.listing.head == git(root, "rev-parse", "HEAD")
            settled()
            names(workspace)


def test_configuration_is_seen(root: Path, settled: Callable[[], None]) -> None:
    with open_desk(root) as workspace:
        settled()
        assert names(workspace) == names(workspace) == ["App.One", "App.Two"]
        (root / ".codecortex").mkdir()
        (root / ".codecortex" / "config.yaml").write_text("exclude: ['Two.cs']\n")  # nobody tracks it
        assert names(workspace) == ["App.One"]
        settled()
        assert names(workspace) == ["App.One"]
        (root / ".codecortex" / "config.yaml").write_text("untracked: true\n")
        assert names(workspace) == ["App.One", "App.Two"]
        settled()
        names(workspace)
        (root / "src" / "New.cs").write_text("class New { }\n")
        assert names(workspace) == ["App.One", "App.Two", "New"]


def test_where_untracked_files_count_from_now_on_new_ones_are_seen(root: Path, settled: Callable[[], None]) -> None:
    with open_desk(root) as workspace:
        names(workspace)
        (root / ".codecortex").mkdir()
        (root / ".codecortex" / "config.yaml").write_text("untracked: true\n")
        settled()
        names(workspace)
        (root / "src" / "New.cs").write_text("class New { }\n")
        assert names(workspace) == ["App.One", "App.Two", "New"]
        (root / ".codecortex" / "config.yaml").write_text("untracked: false\n")
        assert names(workspace) == ["App.One", "App.Two"]
        settled()
        assert names(workspace) == ["App.One", "App.Two"]


def test_a_time_in_the_future_is_never_trusted(
    root: Path, listings: list[object], settled: Callable[[], None], *, noticed: bool
) -> None:
    later = time.time() + 1000
    os.utime(root / "src" / "One.cs", (later, later))
    with open_desk(root) as workspace:
        settled()
        names(workspace)
        listings.clear()
        names(workspace)
        assert listings == ([] if noticed else [{b"src/One.cs"}])


def test_the_index_is_followed_by_itself(
    root: Path, git: Git, listings: list[object], settled: Callable[[], None]
) -> None:
    with open_desk(root, staged=True) as workspace:
        settled()
        assert names(workspace) == ["App.One", "App.Two"]
        (root / "src" / "One.cs").write_text(SOURCE.replace("One", "Uno"))
        listings.clear()
        assert names(workspace) == ["App.One", "App.Two"]
        assert listings == []
        git(root, "add", "-A")
        assert names(workspace) == ["App.Two", "App.Uno"]


def test_a_revision_is_resolved_again(root: Path, git: Git, listings: list[object]) -> None:
    with open_desk(root, rev="HEAD") as workspace:
        assert names(workspace) == ["App.One", "App.Two"]
        listings.clear()
        (root / "src" / "One.cs").write_text(SOURCE.replace("One", "Uno"))
        assert names(workspace) == ["App.One", "App.Two"]
        assert listings == []
        git(root, "commit", "--quiet", "-a", "-m", "two")
        assert names(workspace) == ["App.Two", "App.Uno"]


def test_in_a_linked_work_tree(root: Path, tmp_path: Path, git: Git, settled: Callable[[], None]) -> None:
    git(root, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    with open_desk(tmp_path / "linked") as workspace, open_desk(root) as main:
        settled()
        assert names(workspace) == names(main) == ["App.One", "App.Two"]
        (tmp_path / "linked" / "src" / "One.cs").write_text(SOURCE.replace("One", "Uno"))
        assert names(workspace) == ["App.Two", "App.Uno"]
        git(tmp_path / "linked", "commit", "--quiet", "-a", "-m", "two")
        settled()
        names(workspace)
        assert workspace.tree.listing.head == git(tmp_path / "linked", "rev-parse", "HEAD")
        assert names(main) == ["App.One", "App.Two"]


def test_where_the_kernel_tells_no_file_is_looked_at(
    root: Path, settled: Callable[[], None], monkeypatch: pytest.MonkeyPatch, *, noticed: bool
) -> None:
    looked = []
    look = os.lstat
    with open_desk(root) as workspace:
        settled()
        names(workspace)
        monkeypatch.setattr(freshness.os, "lstat", lambda path: (looked.append(path), look(path))[1])
        names(workspace)
    assert any(os.fsdecode(path).endswith(".cs") for path in looked) != noticed


def test_silence_counts_for_a_while_only(
    root: Path, settled: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = root / "src" / "One.cs"
    with one.open("r+b") as file, mmap.mmap(file.fileno(), 0) as text, open_desk(root) as workspace:
        settled()
        assert names(workspace) == names(workspace) == ["App.One", "App.Two"]
        text[:] = SOURCE.replace("One", "Uno").encode()  # there is no notice of that until the map is closed
        text.flush()
        monkeypatch.setattr(notices, "TRUSTED_SECONDS", 0.0)
        assert names(workspace) == ["App.Two", "App.Uno"]


def test_a_memory_map_that_is_closed_is_seen(root: Path, settled: Callable[[], None]) -> None:
    with open_desk(root) as workspace:
        with (root / "src" / "One.cs").open("r+b") as file:
            text = mmap.mmap(file.fileno(), 0)
        settled()
        assert names(workspace) == names(workspace) == ["App.One", "App.Two"]
        text[:] = SOURCE.replace("One", "Uno").encode()
        text.close()
        assert names(workspace) == ["App.Two", "App.Uno"]


def test_a_file_of_two_names_is_looked_at(root: Path, tmp_path: Path, settled: Callable[[], None]) -> None:
    (tmp_path / "other").hardlink_to(root / "src" / "One.cs")
    with open_desk(root) as workspace:
        settled()
        assert names(workspace) == names(workspace) == ["App.One", "App.Two"]
        (tmp_path / "other").write_text(SOURCE.replace("One", "Uno"))
        assert names(workspace) == ["App.Two", "App.Uno"]


def test_a_flood_of_notices_is_no_silence(root: Path, settled: Callable[[], None]) -> None:
    with open_desk(root) as workspace:
        settled()
        assert names(workspace) == names(workspace) == ["App.One", "App.Two"]
        for _ in range(20_000):  # more than the kernel keeps
            os.utime(root / "src")
            os.utime(root)
        (root / "src" / "One.cs").write_text(SOURCE.replace("One", "Uno"))
        assert names(workspace) == ["App.Two", "App.Uno"]


def test_a_tree_that_is_replaced_is_seen(root: Path, git: Git, tmp_path: Path, settled: Callable[[], None]) -> None:
    git(tmp_path, "clone", "--quiet", str(root), str(tmp_path / "copy"))
    (tmp_path / "copy" / "src" / "One.cs").write_text(SOURCE.replace("One", "Uno"))
    with open_desk(root) as workspace:
        settled()
        assert names(workspace) == names(workspace) == ["App.One", "App.Two"]
        root.rename(tmp_path / "away")
        (tmp_path / "copy").rename(root)
        assert names(workspace) == ["App.Two", "App.Uno"]
