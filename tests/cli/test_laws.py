"""What holds whatever the machine: the same tree gives the same bytes, and nothing is written that need not be."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import codecortex

pytestmark = pytest.mark.law

GENERATED = 120


def generate(root: Path, count: int) -> None:
    """Write sources that refer to one another, in three folders of two projects."""
    choose = random.Random(5)  # noqa: S311 - any would do
    for number in range(count):
        other, more = choose.randrange(count), choose.randrange(count)
        name = f"İtem{number}" if number % 10 == 0 else f"item{number}"
        text = (
            f"using System;\nnamespace Big.N{number % 7}\n{{\n/// <summary>Number {number}.</summary>\n"
            f"public partial class {name} : I{number}\n{{\npublic T{other} A(T{more} x) => new(x);\n}}\n"
            f"public interface I{number} {{ }}\n#if NET8_0\npublic struct T{number} {{ public {name}? Back; }}\n"
            "#endif\n}\n"
        )
        file = root / f"src/{('Core', 'App', 'Core/Sub')[number % 3]}/F{number}.cs"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


@pytest.fixture
def big(shop, git):
    generate(shop, GENERATED)
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "big")
    return shop


@pytest.fixture
def refreshed(big, cli, read_tree):
    """The repository and its generated files."""
    assert cli(big, "refresh", "--jobs", "1").code == 0
    return big, read_tree(big / ".codecortex")


def forget(root: Path) -> None:
    """Remove everything that a refresh makes."""
    shutil.rmtree(root / ".codecortex" / "types", ignore_errors=True)
    (root / ".codecortex" / "index.json").unlink(missing_ok=True)
    shutil.rmtree(root / ".git" / "codecortex", ignore_errors=True)


@pytest.mark.parametrize("option", [[], ["--full"], ["--staged"], ["--rev", "HEAD"], ["--jobs", "2", "--full"]])
def test_a_second_refresh_of_the_same_tree_touches_no_file(refreshed, cli, look, option):
    root, _ = refreshed
    before = look(root)
    told = cli(root, "refresh", *option)
    assert told.out.endswith(": nothing to do.\n")
    assert look(root) == before


@pytest.mark.slow
def test_the_cache_changes_nothing_but_what_status_says_of_it(refreshed, cli, look):
    def tell():
        return cli(root, "index").out, cli(root, "status").out.partition("\nLocal ")[0]

    root, _ = refreshed
    before, told = look(root), tell()
    shutil.rmtree(root / ".git" / "codecortex")
    assert cli(root, "refresh").out.endswith(": nothing to do.\n")
    assert look(root) == before
    shutil.rmtree(root / ".git" / "codecortex")
    assert tell() == told


@pytest.mark.parametrize(
    ("options", "variables"),
    [
        (["--jobs", "2"], {}),
        ([], {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}),
        (["--jobs", "1"], {"PYTHONHASHSEED": "2", "LC_ALL": "C", "TZ": "Asia/Tokyo", "PYTHONUTF8": "0"}),
    ],
)
def test_the_machine_changes_nothing(refreshed, process, read_tree, options, variables):
    root, expected = refreshed
    forget(root)
    done = process(root, "refresh", *options, **variables)
    assert (done.returncode, done.stderr) == (0, b"")
    assert read_tree(root / ".codecortex") == expected


def test_the_order_of_commits_and_index_changes_nothing(refreshed, cli, git, read_tree):
    root, expected = refreshed
    forget(root)
    git(root, "rm", "-r", "--cached", "--quiet", "src")
    for file in sorted(root.glob("src/**/*.cs*"), reverse=True)[::7]:
        git(root, "add", str(file))
    git(root, "add", ".")
    assert cli(root, "refresh", "--jobs", "1").code == 0
    assert read_tree(root / ".codecortex") == expected


@pytest.mark.parametrize("autocrlf", ["true", "false"])
def test_the_checkout_changes_nothing(shop, tmp_path, cli, git, autocrlf):
    (shop / ".gitattributes").write_text("*.props eol=crlf\n", "utf-8")
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "attributes")
    cli(shop, "refresh")
    place = tmp_path / "else where" / autocrlf / "x"
    git(tmp_path, "clone", "--quiet", "-c", f"core.autocrlf={autocrlf}", str(shop), str(place))
    assert (b"\r\n" in (place / "src/Core/Store.cs").read_bytes()) == (autocrlf == "true")
    assert cli(place, "refresh").code == 0
    differ = git(tmp_path, "diff", "--no-index", str(shop / ".codecortex/types"), str(place / ".codecortex/types"))
    assert differ == ""
    assert (shop / ".codecortex/index.json").read_bytes() == (place / ".codecortex/index.json").read_bytes()
    assert cli(place, "refresh", "--rev", "HEAD").out.endswith(": nothing to do.\n")
    (place / "src/Core/Order.cs").touch()
    assert cli(place, "refresh").out.endswith(": nothing to do.\n")


def test_a_linked_work_tree_agrees_and_shares_the_cache(shop, cli, git, read_tree, store):
    side = shop.parent / "side"
    cli(shop, "refresh")
    git(shop, "worktree", "add", "--quiet", "-b", "side", str(side))
    assert cli(side, "refresh").code == 0
    assert read_tree(side / ".codecortex") == read_tree(shop / ".codecortex")
    assert len(list(shop.glob(".git/**/cache.sqlite"))) == (store == "kept")
    (side / "src/App/Order.cs").unlink()
    assert cli(side, "refresh").out == "4 types: 1 written, 1 removed.\n"
    assert cli(shop, "refresh").out == "5 types: nothing to do.\n"


READING = [
    ["index"], ["index", "--json", "--members"], ["status"], ["outline", "Store"], ["outline", "Store.Find"],
    ["resolve", "Store"], ["search", "order"], ["usages", "IStore"], ["graph", "Store"],
    ["pack", "list"], ["pack", "show", "core"],
]  # fmt: skip
LOCAL = {".codecortex/local/.gitignore", ".codecortex/local/access.json"}


@pytest.mark.parametrize("command", READING)
def test_reading_commands_write_only_what_is_local(shop, cli, command, git):
    def states():
        return {
            p.relative_to(shop).as_posix(): (p.lstat().st_mtime_ns, p.lstat().st_ino)
            for p in shop.rglob("*")
            if p.is_file() and p.parent != shop / ".git" / "codecortex"
        }

    assert cli(shop, "refresh").code == cli(shop, "pack", "build", "core", "--filter", "namespace:Shop.*").code == 0
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "pack")
    before = states()
    for arguments in ([*command], [*command, "--staged"], [*command, "--rev", "HEAD"]):
        assert cli(shop, *arguments).code == 0
    after = states()
    assert {path: state for path, state in after.items() if path not in LOCAL} == before
    assert after.keys() - before.keys() <= LOCAL
    assert git(shop, "status", "--porcelain", "-uall") == ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="needs another user")
def test_where_nothing_may_be_written_reading_works_and_refresh_says_why(shop, cli, look):
    if as_nobody(shop, ["--version"], {}).returncode:
        pytest.skip("another user may not read this checkout")
    cli(shop, "refresh")
    shutil.rmtree(shop / ".git" / "codecortex")
    expected = cli(shop, "index").out
    shutil.rmtree(shop / ".git" / "codecortex", ignore_errors=True)
    for folder in (shop.parent, *shop.parent.parents):
        if not folder.stat().st_mode & 0o005:
            folder.chmod(folder.stat().st_mode | 0o055)
    before = look(shop)
    options = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    for command in (["index"], ["status"], ["outline", "Store"], ["refresh", "--dry-run"]):
        done = as_nobody(shop, command, options)
        assert done.returncode == 0, done.stderr
        assert done.stderr.count(b"\n") <= 1
        if command == ["index"]:
            assert done.stdout.decode() == expected
    refused = as_nobody(shop, ["refresh"], options)
    assert refused.returncode == 3
    assert refused.stderr.startswith(b"error: Cannot lock ")
    assert not (shop / ".git" / "codecortex").exists()
    assert look(shop) == before


def as_nobody(folder: Path, arguments: list[str], variables: dict[str, str]):
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-m", "codecortex"]
    environment = {**os.environ, **variables, "PYTHONPATH": str(Path(codecortex.__file__).parents[1])}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return subprocess.run(
        [*command, *arguments], cwd=folder, capture_output=True, check=False, env=environment, timeout=60
    )


def test_generated_files_end_in_one_line_feed_and_hold_no_carriage_return(refreshed):
    _, files = refreshed
    for path, data in files.items():
        assert data.endswith(b"\n"), path
        assert not data.endswith(b"\n\n"), path
        assert b"\r" not in data, path
        data.decode("utf-8")
