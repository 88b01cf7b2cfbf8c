import os
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest

from codecortex.git.worktree.writing import apply_writes, list_files
from codecortex.model.errors import GitStateError

TYPES = ".codecortex/types"
HOST = sha256(platform.node().encode()).hexdigest()[:8]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def run(script, *arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_new_changed_and_identical_files(tmp_path):
    first = apply_writes(tmp_path, {f"{TYPES}/a.md": b"a", f"{TYPES}/b.md": b"b", "top.md": b""})
    assert first.written == (f"{TYPES}/a.md", f"{TYPES}/b.md", "top.md")
    before = list_files(tmp_path, "")
    second = apply_writes(tmp_path, {f"{TYPES}/a.md": b"a", f"{TYPES}/b.md": b"B", "top.md": b""})
    assert (second.written, second.removed) == ((f"{TYPES}/b.md",), ())
    after = list_files(tmp_path, "")
    assert [path for path in after if after[path] != before[path]] == [f"{TYPES}/b.md"]
    assert (tmp_path / TYPES / "b.md").read_bytes() == b"B"
    assert names(tmp_path / TYPES) == ["a.md", "b.md"]


def test_new_files_have_the_rights_any_program_would_give_them(tmp_path):
    (tmp_path / "usual").write_text("")
    apply_writes(tmp_path, {"ours": b""})
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="no such rights")
def test_a_changed_file_keeps_the_rights_that_somebody_gave_it(tmp_path):
    file = tmp_path / "a.md"
    file.write_bytes(b"a")
    for mode in (0o444, 0o600, 0o755):
        file.chmod(mode)
        apply_writes(tmp_path, {"a.md": b"%o" % mode})
        assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"%o" % mode, mode)


def test_removals_take_empty_folders_along(tmp_path):
    apply_writes(tmp_path, {f"{TYPES}/A/a.md": b"a", f"{TYPES}/B/b.md": b"b", "keep.md": b"k"})
    result = apply_writes(tmp_path, {}, [f"{TYPES}/A/a.md", "never/was.md"])
    assert (result.written, result.removed) == ((), (f"{TYPES}/A/a.md",))
    assert names(tmp_path / TYPES) == ["B"]
    apply_writes(tmp_path, {}, [f"{TYPES}/B/b.md", "keep.md"])
    assert names(tmp_path) == []


def test_a_path_both_written_and_removed_is_written(tmp_path):
    apply_writes(tmp_path, {"a.md": b"a"}, ["a.md"])
    assert (tmp_path / "a.md").read_bytes() == b"a"


@pytest.mark.parametrize("link", [".codecortex", TYPES, f"{TYPES}/a.md"])
def test_never_through_a_link(tmp_path, link):
    outside = tmp_path / "outside"
    root = tmp_path / "root"
    (outside / "types").mkdir(parents=True)
    (outside / "types" / "a.md").write_text("theirs")
    (outside / "a.md").write_text("theirs")
    target = {".codecortex": outside, TYPES: outside / "types", f"{TYPES}/a.md": outside / "a.md"}[link]
    (root / link).parent.mkdir(parents=True)
    (root / link).symlink_to(target)
    with pytest.raises(GitStateError, match="symbolic link") as caught:
        apply_writes(root, {f"{TYPES}/b.md": b"x", f"{TYPES}/a.md": b"ours"})
    assert caught.value.message.startswith(f"{link} is")
    if link != f"{TYPES}/a.md":
        with pytest.raises(GitStateError, match="symbolic link"):
            apply_writes(root, {}, [f"{TYPES}/a.md"])
        with pytest.raises(GitStateError, match="symbolic link"):
            list_files(root, TYPES)
    assert {path.read_text() for path in outside.rglob("*.md")} == {"theirs"}
    assert not list(tmp_path.rglob("b.md"))
    assert not list(tmp_path.rglob(".codecortex-tmp-*"))


@pytest.mark.parametrize("path", ["../a.md", "a/../../b.md", "/etc/a.md", "a/", "..", ""])
def test_never_outside_the_root(tmp_path, path):
    (tmp_path / "root").mkdir()
    with pytest.raises(GitStateError, match="is not a path"):
        apply_writes(tmp_path / "root", {path: b"x"})
    assert names(tmp_path) == ["root"]


def test_a_refusal_changes_nothing_at_all(tmp_path):
    old = {f"{TYPES}/a.md": b"a", f"{TYPES}/b.md": b"b"}
    apply_writes(tmp_path, old)
    (tmp_path / "index.json").mkdir()
    with pytest.raises(GitStateError, match=r"index\.json is not a file"):
        apply_writes(tmp_path, {f"{TYPES}/a.md": b"new", "index.json": b"{}"}, [f"{TYPES}/b.md"])
    assert {path: (tmp_path / path).read_bytes() for path in old} == old
    assert names(tmp_path / TYPES) == ["a.md", "b.md"]


FULL = """
import resource, sys
from pathlib import Path
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import GitStateError
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    apply_writes(Path(sys.argv[1]), {"a.md": b"new", "b.md": b"x" * 5000, "c.md": b"new"}, ["old.md"])
except GitStateError as error:
    print(error.message)
"""


def test_a_disk_that_takes_no_more_changes_nothing_at_all(tmp_path):
    old = {"a.md": b"old a", "b.md": b"old b", "old.md": b"old"}
    apply_writes(tmp_path, old)
    with run(FULL, tmp_path) as process:
        assert process.stdout.read() == "Cannot access b.md: File too large.\n"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == old


def test_killed_at_any_moment_every_file_is_old_or_new(tmp_path, each_kill):
    old, new = ({f"types/{n}.md": b"%d " % size * size for n in range(8)} for size in (2_000, 9_000))
    apply_writes(tmp_path / "origin", old)
    seen = set()
    for root in each_kill(tmp_path / "origin", lambda root: apply_writes(root, new)):
        files = sorted((root / "types").iterdir())
        assert [f"types/{path.name}" for path in files if path.suffix] == list(old)
        assert all(path.read_bytes() in (old[name], new[name]) for name in old for path in [root / name])
        seen.add(sum(not path.suffix for path in files))
        apply_writes(root, {"types/0.md": b"done"})
        assert names(root / "types") == [f"{number}.md" for number in range(8)]
    assert len(seen) > 1, "some were killed while they wrote"


def test_leftovers_go_only_when_nobody_can_still_want_them(tmp_path):
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    dead = f".codecortex-tmp-{ended.pid}-{HOST}-0"
    alive = f".codecortex-tmp-{os.getppid()}-{HOST}-0"
    of_a_process_that_had_my_number = f".codecortex-tmp-{os.getpid()}-{HOST}-0"
    elsewhere = f".codecortex-tmp-{ended.pid}-00000000-0"
    elsewhere_old = f".codecortex-tmp-{ended.pid}-00000000-1"
    foreign = ".other-tmp-1"
    for name in (dead, alive, of_a_process_that_had_my_number, elsewhere, elsewhere_old, foreign):
        (tmp_path / name).write_text("")
    os.utime(tmp_path / elsewhere_old, (1, 1))
    (tmp_path / "untouched").mkdir()
    (tmp_path / "untouched" / dead).write_text("")
    apply_writes(tmp_path, {"a.md": b"a"})
    assert names(tmp_path) == sorted([alive, elsewhere, foreign, "a.md", "untouched"])
    assert names(tmp_path / "untouched") == [dead]


def test_threads_that_write_into_one_folder_leave_each_other_s_files_alone(tmp_path):
    def write(thread):
        for number in range(100):
            apply_writes(tmp_path, {f"all/{thread}-{number}.md": b"%d" % number})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    assert names(tmp_path / "all") == sorted(f"{thread}-{number}.md" for thread in range(4) for number in range(100))


def test_runs_that_sweep_one_folder_at_once_do_not_stumble(tmp_path):
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    for number in range(2000):
        (tmp_path / f".codecortex-tmp-{ended.pid}-{HOST}-{number}").write_text("")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: apply_writes(tmp_path, {f"{number}.md": b""}), range(4)))
    assert names(tmp_path) == [f"{number}.md" for number in range(4)]


def test_states_of_files(tmp_path):
    assert list_files(tmp_path, "types") == {}
    apply_writes(tmp_path, {"types/AB/a.md": b"12", "types/b%E9.md": b"1"})
    (tmp_path / "types" / "link.md").symlink_to("b.md")
    listed = list_files(tmp_path, "types")
    assert {path: state.size for path, state in listed.items()} == {"types/AB/a.md": 2, "types/b%E9.md": 1}
    real = (tmp_path / "types" / "AB" / "a.md").stat()
    assert listed["types/AB/a.md"] == (real.st_mtime_ns, 2, real.st_ino)


@pytest.mark.parametrize(
    "where", ["map/types/{number}.md", "map/types/{few}/{number}.md", "map/types/a/{few}/{number}"]
)
def test_a_large_new_folder_appears_whole_and_leftovers_of_it_are_swept(tmp_path, where):
    writes = {where.format(number=number, few=number % 40): b"%d" % number for number in range(200)}
    writes |= {"map/types/own": b"of the folder itself"} | {"map/index": b"last"}
    (tmp_path / "map" / ".codecortex-tmp-999999999-00000000-1").mkdir(parents=True)
    left = tmp_path / "map" / ".codecortex-tmp-999999999-00000000-1"
    os.utime(left, (0, 0))
    result = apply_writes(tmp_path, writes)
    assert result.written == tuple(writes)
    assert {path.name for path in (tmp_path / "map").iterdir()} == {"types", "index"}
    assert all((tmp_path / path).read_bytes() == data for path, data in writes.items())
    assert apply_writes(tmp_path, writes).written == ()


@pytest.mark.parametrize("within", ["", "a/", "a/b/"])
def test_a_large_new_folder_that_cannot_be_written_leaves_nothing(tmp_path, within):
    writes = {f"map/types/{number}.md": b"" for number in range(200)} | {f"map/types/{within}{'x' * 300}.md": b""}
    with pytest.raises(GitStateError):
        apply_writes(tmp_path, writes)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_few_files_in_new_folders_beside_old_ones_are_written_one_by_one(tmp_path):
    (tmp_path / "map" / "types" / "AA").mkdir(parents=True)
    writes = {f"map/types/{folder}/{number}": b"x" for folder in ("AA", "BB", "CC") for number in range(60)}
    result = apply_writes(tmp_path, writes)
    assert result.written == tuple(writes)
    assert sorted(path.name for path in (tmp_path / "map" / "types").iterdir()) == ["AA", "BB", "CC"]
    assert {path: (tmp_path / path).stat().st_ino for path in writes} == {
        path: stamp[2] for path, stamp in result.states.items()
    }


@pytest.mark.parametrize("path", ["new/../../up/a", "new//a", "new/./a"])
def test_no_new_folder_leads_out_of_the_root(tmp_path, path):
    with pytest.raises(GitStateError):
        apply_writes(tmp_path, {path: b""} | {f"new/x/{number}": b"" for number in range(100)})
    assert list(tmp_path.iterdir()) == []
