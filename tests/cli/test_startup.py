"""What a short command must not load: each of these costs more than the command itself."""

import json

import pytest

HEAVY = {"pygit2", "rich", "ruamel", "tree_sitter", "tree_sitter_c_sharp", "sqlite3", "multiprocessing", "httpx"}
REPORT = (
    "import atexit, json, sys\n"
    "atexit.register(lambda: print(json.dumps(sorted({n.split('.')[0] for n in sys.modules})), file=sys.stderr))\n"
)


@pytest.fixture
def load(process, tmp_path):
    """The top-level modules that a command had loaded when it ended."""
    place = tmp_path / "site"
    place.mkdir()
    (place / "sitecustomize.py").write_text(REPORT, "utf-8")

    def run(folder, source, *arguments):
        done = process(folder, *arguments, PYTHONPATH=f"{place}:{source}")
        assert done.returncode == 0, done.stderr
        return set(json.loads(done.stderr.splitlines()[-1]))

    return run


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["refresh", "--help"]])
def test_help_loads_click_and_nothing_heavy(tmp_path, load, source, arguments):
    loaded = load(tmp_path, source, *arguments)
    assert "click" in loaded
    assert not loaded & (HEAVY | {"subprocess", "json"} - {"json"})


def test_a_refresh_with_nothing_to_do_loads_no_parser(shop, cli, load, source):
    cli(shop, "refresh")
    assert not load(shop, source, "refresh") & (HEAVY - {"sqlite3"})


@pytest.mark.parametrize(
    "command",
    [
        ("refresh",),
        ("check",),
        ("resolve", "Store"),
        ("outline", "Store"),
        ("log", "Store"),
        ("changes", "HEAD"),
        ("changes", "HEAD..HEAD"),
        ("diff", "Store", "HEAD..HEAD"),
        ("hook", "pre-commit"),
    ],
)
def test_a_command_that_asks_git_a_few_things_does_without_libgit2(shop, cli, load, source, command):
    cli(shop, "refresh")
    assert "pygit2" not in load(shop, source, *command)


def test_a_refresh_after_a_small_edit_starts_no_processes_and_no_yaml(shop, cli, load, source):
    cli(shop, "refresh")
    (shop / "src/Core/Order.cs").write_text("class New;\n", "utf-8")
    loaded = load(shop, source, "refresh")
    assert "tree_sitter" in loaded
    assert not loaded & {"multiprocessing", "ruamel", "rich", "httpx", "pygit2"}
