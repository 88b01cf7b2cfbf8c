"""Outlines lie in one folder up to 2,000 types and fan out above; only `--relayout` changes what was chosen."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import codecortex
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.plan import MOST_FLAT
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request
from codecortex.store.committed.index_json import decode_index
from codecortex.store.paths import INDEX, TYPES, Layout, outline_path

SOURCE = str(Path(codecortex.__file__).parents[1])
PER_FILE = 100


def write_types(root, count):
    """Write `count` small types, a hundred to a file."""
    for start in range(0, count, PER_FILE):
        lines = [
            f"public struct T{number} {{ public T{number // 2} X; }}"
            for number in range(start, min(start + PER_FILE, count))
        ]
        (root / f"F{start // PER_FILE}.cs").write_text("namespace N;\n" + "\n".join(lines) + "\n")


def make(root, git, count):
    """A repository of that many types, refreshed and committed."""
    root.mkdir()
    git(root, "init", "--quiet")
    init(root)
    write_types(root, count)
    git(root, "add", ".")
    assert refresh(Request(root, jobs=1)).types == count
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "all")
    return root


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """The largest repository whose outlines lie in one folder."""

    def git(folder, *arguments):
        subprocess.run(["git", *arguments], cwd=folder, check=True)

    return make(tmp_path_factory.mktemp("layout") / "full", git, MOST_FLAT)


@pytest.fixture
def flat(full, tmp_path, git):
    """Return a copy of it with one more type."""
    root = tmp_path / "flat"
    shutil.copytree(full, root, symlinks=True)
    (root / "More.cs").write_text("namespace N;\npublic class More { public T7 X; }\n")
    git(root, "add", "More.cs")
    return root


def layout_of(root):
    return decode_index((root / INDEX).read_bytes(), INDEX).layout


def check(root, layout):
    """The outlines lie as the layout says, nothing else does, and a full refresh has nothing to do."""
    index = decode_index((root / INDEX).read_bytes(), INDEX)
    assert index.layout == layout
    found = {path.relative_to(root).as_posix() for path in (root / TYPES).rglob("*") if path.is_file()}
    assert found == {outline_path(type_id, layout) for type_id in index.types}
    folders = {path.relative_to(root / TYPES).as_posix() for path in (root / TYPES).rglob("*") if path.is_dir()}
    assert folders == ({type_id[2:4] for type_id in index.types} if layout is Layout.FAN_OUT else set())
    for options in ({}, {"full": True}):
        again = refresh(Request(root, jobs=1), **options)
        assert (again.written, again.removed) == ((), ())


def test_2000_types_lie_in_one_folder(full):
    check(full, Layout.FLAT)


@pytest.mark.slow
def test_2001_types_fan_out_when_new(tmp_path, git):
    root = make(tmp_path / "new", git, MOST_FLAT + 1)
    check(root, Layout.FAN_OUT)
    (root / "F3.cs").write_text((root / "F3.cs").read_text().replace("T150 X", "T149 X"))
    (root / "More.cs").write_text("namespace N;\npublic class More { public T7 X; }\n")
    git(root, "add", ".")
    assert len(refresh(Request(root, jobs=1)).written) == 4  # T300, T301, More and the index
    check(root, Layout.FAN_OUT)


@pytest.mark.slow
def test_one_that_has_grown_stays_as_it_was_until_it_is_told(flat):
    assert len(refresh(Request(flat, jobs=1)).written) == 2
    check(flat, Layout.FLAT)
    refresh(Request(flat, jobs=1), full=True)
    check(flat, Layout.FLAT)
    shutil.rmtree(flat / ".git" / "codecortex")
    refresh(Request(flat, jobs=1))
    check(flat, Layout.FLAT)
    told = refresh(Request(flat, jobs=1), relayout=True)
    assert len(told.removed) == MOST_FLAT + 1
    check(flat, Layout.FAN_OUT)


@pytest.mark.slow
def test_one_that_has_shrunk_stays_fanned_out_until_it_is_told(flat, git):
    refresh(Request(flat, jobs=1), relayout=True)
    (flat / "More.cs").unlink()
    git(flat, "add", "More.cs")
    refresh(Request(flat, jobs=1))
    check(flat, Layout.FAN_OUT)
    refresh(Request(flat, jobs=1), relayout=True)
    check(flat, Layout.FLAT)


@pytest.mark.slow
def test_relayout_leaves_what_is_not_ours(flat):
    mine = flat / TYPES / "mine.md"
    mine.write_text("mine\n")
    refresh(Request(flat, jobs=1), relayout=True)
    assert mine.read_text() == "mine\n"
    refresh(Request(flat, jobs=1), relayout=True)
    assert layout_of(flat) == Layout.FAN_OUT


def test_a_dry_run_moves_nothing(flat):
    before = {path.name for path in (flat / TYPES).iterdir()}
    told = refresh(Request(flat, jobs=1), relayout=True, dry_run=True)
    assert len(told.written) == MOST_FLAT + 2
    assert len(told.removed) == MOST_FLAT
    assert {path.name for path in (flat / TYPES).iterdir()} == before


def test_git_sees_a_relayout_as_renames(flat, git):
    refresh(Request(flat, jobs=1))
    git(flat, "add", "--all")
    git(flat, "commit", "--quiet", "-m", "one more")
    refresh(Request(flat, jobs=1), relayout=True)
    git(flat, "add", "--all")
    status = git(flat, "-c", "diff.renameLimit=5000", "diff", "--cached", "--name-status", "-M100%").splitlines()
    assert {line[:4] for line in status} == {"R100", "M\t.c"}
    assert len(status) == MOST_FLAT + 2


@pytest.mark.slow
@pytest.mark.parametrize("layout", list(Layout))
def test_the_pre_commit_hook_keeps_the_layout(flat, git, layout):
    if layout is Layout.FAN_OUT:
        refresh(Request(flat, jobs=1), relayout=True)
        git(flat, "add", "--all")
        git(flat, "commit", "--quiet", "-m", "fan out")
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    command = [sys.executable, "-m", "codecortex"]
    subprocess.run([*command, "hooks", "install"], cwd=flat, check=True, env=environment, capture_output=True)
    git(flat, "reset", "--quiet")
    (flat / "F1.cs").write_text((flat / "F1.cs").read_text().replace("T75 X", "T76 X"))
    git(flat, "add", "F1.cs", "More.cs")
    tool = flat.parent / "bin"
    tool.mkdir()
    (tool / "codecortex").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m codecortex "$@"\n')
    (tool / "codecortex").chmod(0o755)
    environment["PATH"] = f"{tool}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(["git", "commit", "-qm", "more"], cwd=flat, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert git(flat, "status", "--short") == ""
    changed = git(flat, "show", "--format=", "--name-only").splitlines()
    assert len([path for path in changed if path.startswith(TYPES)]) >= 2
    check(flat, layout)
