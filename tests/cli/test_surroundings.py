"""A broken cache, a full disk, a closed pipe: what surrounds a command may fail, and that is said in one line."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

LINUX_ROOT = sys.platform == "linux" and os.geteuid() == 0


# -- the local cache


def write_foreign(file):
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE x(y)")


def write_rows_of_another_python(file):
    with sqlite3.connect(file) as db:
        db.execute("UPDATE snapshots SET data = substr(data, 1, length(data) / 2)")


@pytest.mark.parametrize(
    ("spoil", "word"),
    [(lambda file: file.write_bytes(b"garbage" * 999), "corrupt"), (write_foreign, "foreign")],
)
def test_a_cache_that_is_none_is_set_aside_with_one_warning(shop, cli, read_tree, spoil, word):
    cli(shop, "refresh")
    expected = read_tree(shop / ".codecortex")
    file = shop / ".git/codecortex/cache.sqlite"
    for path in file.parent.glob("cache.sqlite*"):
        path.unlink()
    spoil(file)
    done = cli(shop, "status")
    assert done.code == 0
    assert done.err.startswith(f"warning: the local cache was {word}; it is kept as ")
    assert done.err.count("\n") == 1
    assert cli(shop, "refresh") == (0, "5 types: nothing to do.\n", "")
    assert read_tree(shop / ".codecortex") == expected


def test_snapshots_that_cannot_be_read_are_made_anew(shop, cli):
    cli(shop, "refresh")
    write_rows_of_another_python(shop / ".git/codecortex/cache.sqlite")
    assert cli(shop, "refresh") == (0, "5 types: nothing to do.\n", "")
    assert len(cli(shop, "index").out.splitlines()) == 5


def test_no_place_for_a_cache_is_one_warning(shop, cli):
    (shop / ".git/codecortex/cache.sqlite").mkdir(parents=True)
    done = cli(shop, "status")
    assert done.code == 0
    assert done.err.startswith("warning: no local cache: ")
    assert done.err.count("\n") == 1
    assert cli(shop, "refresh").out == "5 types: 6 written.\n"


# -- the system around


@pytest.mark.skipif(not LINUX_ROOT, reason="needs to mount a small file system")
def test_a_full_disk_changes_nothing_and_says_so(shop, tmp_path, cli, git):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(small)], check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        git(tmp_path, "clone", "--quiet", str(shop), str(small / "shop"))
        root = small / "shop"
        cli(root, "refresh")
        (root / "src/App/Order.cs").write_text("\n".join(f"class C{n};" for n in range(150)), "utf-8")
        before = {p: p.read_bytes() for p in (root / ".codecortex").rglob("*") if p.is_file()}
        filler = root / "filler"
        with filler.open("wb", buffering=0) as file:  # what a buffer still held would fail once more at the end
            try:
                for _ in range(10_000):
                    file.write(bytes(16384))
            except OSError:
                pass
        done = cli(root, "refresh")
        assert done.code == 3
        assert done.err.splitlines()[-2].startswith("error: Cannot access .codecortex/")
        assert "No space left" in done.err
        assert {p: p.read_bytes() for p in (root / ".codecortex").rglob("*") if p.is_file()} == before
        filler.unlink()
    finally:
        subprocess.run(["umount", "--lazy", str(small)], check=True)


@pytest.mark.skipif(sys.platform == "win32", reason="no such devices")
@pytest.mark.parametrize("arguments", [["index"], ["index", "--json", "--members"], ["--help"], ["refresh"]])
def test_output_that_nobody_can_take(shop, source, arguments):
    environment = {**os.environ, "PYTHONPATH": source}
    command = [sys.executable, "-m", "codecortex", *arguments]
    reading, writing = os.pipe()
    os.close(reading)
    gone = subprocess.run(command, cwd=shop, stdout=writing, stderr=subprocess.PIPE, env=environment, check=False)
    os.close(writing)
    assert (gone.returncode, gone.stderr) == (141, b"")  # as of a program that SIGPIPE ended
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, cwd=shop, stdout=full, stderr=subprocess.PIPE, env=environment, check=False)
        assert (done.returncode, done.stderr.partition(b"trace: ")[0]) == (3, b"error: No space left on device\n")
        assert (
            subprocess.run(
                [*command, "--nope"], cwd=shop, stdout=full, stderr=full, env=environment, check=False
            ).returncode
            == 2
        )


def test_a_check_whose_reader_leaves_never_tells_that_all_is_well(shop, source, git):
    for number in range(30):
        (shop / f"src/Core/New{number}.cs").write_text(f"class New{number};\n", "utf-8")
    git(shop, "add", ".")
    environment = {**os.environ, "PYTHONPATH": source}
    command = f"{sys.executable} -m codecortex check | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=shop, capture_output=True, env=environment, check=False)
    assert done.returncode in {1, 141}
    assert done.stdout.count(b"\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_names_that_the_terminal_cannot_spell(shop, process, git, encoding):
    (shop / "src/Core/Жук.cs").write_text("class Жук;\n", "utf-8")
    git(shop, "add", ".")
    done = process(shop, "index", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    told = process(shop, "index", "--json", PYTHONIOENCODING=encoding)
    assert "Жук" in {each["fqn"] for each in json.loads(told.stdout.decode("utf-8"))["types"]}


def test_json_errors_survive_half_characters(tmp_path, process):
    done = process(tmp_path, "-C", os.fsdecode(b"caf\xe9"), "index", "--json")
    assert done.returncode == 3
    told = json.loads(done.stdout)
    assert (told["schemaVersion"], told["error"]["code"]) == ("1.0", "GitStateError")


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_too_many_open_files_are_said_to_be_that(shop):
    few = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))"
    run = f"{few}\nfrom codecortex.__main__ import run\nrun()"
    done = subprocess.run([sys.executable, "-c", run, "status"], cwd=shop, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith("error: Git cannot be started in ")
    assert "Too many open files" in done.stderr
    assert "hint: Close other programs, or raise the limit of open files (`ulimit -n`)." in done.stderr
