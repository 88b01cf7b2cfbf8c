"""The commands `cache ...`: what was made from what, why a node no longer holds, and what may go."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys

import pytest

from codecortex.store.cache.cache import FILE_NAME
from tests.cli.conftest import write_files

PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"""
ORDER = """namespace Shop;
public class Order
{
    public Customer By { get; }
    public Missing? None;
}
"""
FILES = {
    "A.csproj": PROJECT,
    "Order.cs": ORDER,
    "Customer.cs": "namespace Shop;\npublic class Customer\n{\n    public int Age() => 1;\n}\n",
}
NODES = ("header:Shop.Order", "header:Shop.Customer", "tokens:Shop.Order", "silent:Shop.Order")


@pytest.fixture
def tree(tmp_path, git, cli):
    """A tree whose nodes were all made."""
    git(tmp_path, "init", "-q")
    write_files(tmp_path, FILES)
    commit(tmp_path, git)
    assert cli(tmp_path, "cache", "prefetch", *NODES).code == 0
    return tmp_path


def commit(folder, git):
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "work")


def edit(folder, name, old, new):
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))


def why(cli, folder, node, *options):
    """What the command prints, each digest as `#`."""
    found = cli(folder, "cache", "why", node, *options)
    assert found.code == 0, found.err
    return re.sub(r"\b[0-9a-f]{8}\b", "#", found.out).splitlines()


def test_what_nothing_has_touched_holds(tree, cli):
    assert why(cli, tree, "Shop.Order") == ["header:Shop.Order holds"]


def test_a_comment_stops_below_the_shape(tree, cli):
    edit(tree, "Customer.cs", "public int", "// how old\n    public int")
    assert why(cli, tree, "header:Shop.Customer") == [
        "header:Shop.Customer holds; what changed below it stopped at",
        "  shape:Shop.Customer  # as before",
        "    prints:Shop.Customer  # -> #",
        "      source:Customer.cs  # -> #",
    ]
    assert why(cli, tree, "header:Shop.Order")[0] == "header:Shop.Order holds; what changed below it stopped at"


def test_a_body_reaches_the_note_on_its_type_and_stops_before_others(tree, cli):
    edit(tree, "Customer.cs", "=> 1", "=> 2")
    assert why(cli, tree, "header:Shop.Customer") == [
        "header:Shop.Customer no longer holds",
        "  shape:Shop.Customer  # -> #",
        "    prints:Shop.Customer  # -> #",
        "      source:Customer.cs  # -> #",
    ]
    assert why(cli, tree, "header:Shop.Order")[:2] == [
        "header:Shop.Order holds; what changed below it stopped at",
        "  structure:Shop.Customer  # as before",
    ]


def test_a_signature_reaches_the_notes_on_dependents(tree, cli):
    edit(tree, "Customer.cs", "int Age()", "long Age()")
    assert why(cli, tree, "header:Shop.Order") == [
        "header:Shop.Order no longer holds",
        "  structure:Shop.Customer  # -> #",
        "    shape:Shop.Customer  # -> #",
        "      prints:Shop.Customer  # -> #",
        "        source:Customer.cs  # -> #",
    ]


def test_what_is_again_as_an_earlier_version_was_made_holds(tree, cli, git):
    edit(tree, "Customer.cs", "int Age()", "long Age()")
    assert cli(tree, "cache", "prefetch").code == 0
    git(tree, "checkout", "-q", "Customer.cs")
    told = why(cli, tree, "Shop.Order")
    assert len(told) == 1
    assert told[0].startswith("header:Shop.Order holds; it is again as it was made ")
    assert json.loads(cli(tree, "cache", "why", "Shop.Order", "--json").out)["state"] == "fresh"
    assert cli(tree, "cache", "prefetch").out.startswith("0 nodes")
    edit(tree, "Customer.cs", "int Age()", "short Age()")
    assert why(cli, tree, "Shop.Order")[0] == "header:Shop.Order no longer holds"


def test_a_new_type_reaches_what_had_looked_for_it_in_vain(tree, cli, git):
    write_files(tree, {"Missing.cs": "namespace Shop;\npublic class Missing { }\n"})
    git(tree, "add", "Missing.cs")
    assert why(cli, tree, "prints:Shop.Order") == [
        "prints:Shop.Order no longer holds",
        "  word:Missing  absent -> #",
    ]
    assert "  word:Missing  absent" in cli(tree, "cache", "show", "prints:Shop.Order").out, "what it was made from"


def test_a_project_file_reaches_what_it_compiles(tree, cli):
    edit(tree, "A.csproj", "net8.0<", "net6.0<")
    assert why(cli, tree, "prints:Shop.Order")[:2] == [
        "prints:Shop.Order no longer holds",
        "  symbols:A.csproj  # -> #",
    ]


def test_a_session_answers_for_its_own_edits_and_the_work_tree_for_its_own(tree, cli):
    edit(tree, "Customer.cs", "int Age()", "long Age()")
    assert cli(tree, "session", "open", "try").code == 0
    edit(tree, "Customer.cs", "long Age()", "int Age()")
    assert why(cli, tree, "Shop.Order") == ["header:Shop.Order holds"]
    assert why(cli, tree, "Shop.Order", "--session", "try") == [
        "header:Shop.Order no longer holds",
        "  structure:Shop.Customer  # -> #",
        "    shape:Shop.Customer  # -> #",
        "      prints:Shop.Customer  # -> #",
        "        source:Customer.cs  # -> #",
    ]
    assert cli(tree, "cache", "prefetch", *NODES, "--session", "try").code == 0
    assert why(cli, tree, "Shop.Order") == ["header:Shop.Order holds"]


def test_after_a_merge_the_chain_leads_to_what_it_brought(tree, cli, git):
    git(tree, "checkout", "-qb", "other")
    edit(tree, "Customer.cs", "int Age()", "long Age()")
    commit(tree, git)
    git(tree, "checkout", "-q", "-")
    edit(tree, "Order.cs", "Missing? None", "Missing? Nobody")
    commit(tree, git)
    assert cli(tree, "cache", "prefetch").code == 0
    git(tree, "merge", "-q", "--no-edit", "other")
    assert why(cli, tree, "Shop.Order") == [
        "header:Shop.Order no longer holds",
        "  structure:Shop.Customer  # -> #",
        "    shape:Shop.Customer  # -> #",
        "      prints:Shop.Customer  # -> #",
        "        source:Customer.cs  # -> #",
    ]


def test_history_and_diff_tell_what_a_node_was(tree, cli):
    edit(tree, "Customer.cs", "int Age()", "long Age()")
    assert cli(tree, "cache", "prefetch").code == 0
    versions = json.loads(cli(tree, "cache", "history", "structure:Shop.Customer", "--json").out)["versions"]
    assert len({row["value"] for row in versions}) == 2
    told = json.loads(cli(tree, "cache", "diff", "structure:Shop.Customer", "--json").out)
    assert (told["after"], told["before"]) == tuple(row["value"] for row in versions)
    assert [each["input"] for each in told["inputs"]] == ["shape:Shop.Customer"]
    assert cli(tree, "cache", "diff", "structure:Shop.Customer", "3", "1").code == 2


def test_what_is_thrown_away_is_made_anew(tree, cli):
    told = json.loads(cli(tree, "cache", "invalidate", "structure:Shop.Customer", "--input", "--json").out)
    assert told["nodes"] == ["header:Shop.Order", "structure:Shop.Customer"]
    assert "was never made" in why(cli, tree, "Shop.Order")[0]
    assert cli(tree, "cache", "prefetch", *NODES).out.startswith("2 nodes")
    assert why(cli, tree, "Shop.Order") == ["header:Shop.Order holds"]


def test_verify_finds_nothing_in_a_sound_cache(tree, cli):
    found = cli(tree, "cache", "verify")
    assert (found.code, found.out) == (0, "9 nodes built again: 0 came out otherwise; 0 damaged rows\n")


@pytest.mark.parametrize(
    ("table", "column"),
    [
        *[("facts", "data"), ("snapshots", "data"), ("records", "digests"), ("outputs", "data"), ("lines", "state")],
        *[("names", "name"), ("names", "space"), ("names", "readers")],
    ],
)
def test_verify_finds_names_and_mends_a_damaged_row(tree, cli, table, column):
    with sqlite3.connect(tree / ".git/codecortex" / FILE_NAME) as db:
        db.execute(f"UPDATE {table} SET {column} = x'00' WHERE rowid = (SELECT max(rowid) FROM {table})")  # noqa: S608
    db.close()
    found = cli(tree, "cache", "verify")
    assert found.code == 1
    assert f"  {table} " in found.out
    assert " is damaged\n" in found.out
    assert cli(tree, "cache", "prefetch", *NODES).code == 0
    assert cli(tree, "cache", "verify").code == 0


@pytest.mark.parametrize("rest", [0.5, 0.05])
def test_verify_tells_of_a_database_that_is_damaged_as_a_whole(tree, cli, rest):
    file = tree / ".git/codecortex" / FILE_NAME
    os.truncate(file, int(file.stat().st_size * rest))
    found = cli(tree, "cache", "verify", "--json")
    assert (found.code, json.loads(found.out)["setAside"]) == (1, True)
    assert cli(tree, "cache", "verify").code == 0


def test_without_a_cache_there_is_nothing_to_verify(tree, cli):
    found = cli(tree, "--no-cache", "cache", "verify")
    assert found.code == 3
    assert found.err.startswith("error: There is no local cache to verify in ")


@pytest.mark.parametrize("words", [("clear",), ("gc",), ("invalidate", "Shop.Order"), ("prefetch", *NODES)])
def test_what_could_not_be_written_is_told(tree, cli, words):
    edit(tree, "Customer.cs", "int Age()", "long Age()")
    before = cli(tree, "cache", "history", "Shop.Customer").out
    holder = sqlite3.connect(tree / ".git/codecortex" / FILE_NAME, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    found = cli(tree, "cache", *words)
    holder.close()
    assert found.code == 3
    assert "was not written: database is locked" in found.err
    assert cli(tree, "cache", "history", "Shop.Customer").out == before


@pytest.mark.parametrize("words", [("clear",), ("gc",), ("invalidate", "Shop.Order"), ("prefetch", *NODES)])
def test_that_there_can_be_no_cache_is_told(tree, cli, words):
    folder = tree / ".git/codecortex"
    shutil.rmtree(folder)
    (folder / FILE_NAME).mkdir(parents=True)  # which is no file that could be one
    found = cli(tree, "cache", *words)
    assert found.code == 3
    assert "was not written: it could not be made" in found.err


@pytest.mark.parametrize(
    "damage", ["names SET id = id + (1 << 33)", "names SET id = -id", "counters SET next_record = 1 << 33"]
)
def test_numbers_that_none_can_be_set_the_cache_aside(tree, cli, damage):
    edit(tree, "Customer.cs", "int Age()", "long Age()")
    with sqlite3.connect(tree / ".git/codecortex" / FILE_NAME) as db:
        db.execute(f"UPDATE {damage}")
    db.close()
    done = cli(tree, "cache", "prefetch", *NODES)
    assert done.code == 0
    assert done.err.startswith("warning: the local cache was corrupt; it is kept as ")
    assert cli(tree, "cache", "prefetch", *NODES).code == 0
    assert cli(tree, "cache", "verify").code == 0


def test_whose_readers_are_lost_reaches_them_all_the_same(tree, cli):
    """A name whose row is damaged may have been read by any node: each is looked at."""
    with sqlite3.connect(tree / ".git/codecortex" / FILE_NAME) as db:
        db.execute("UPDATE names SET readers = x''")
    db.close()
    edit(tree, "Customer.cs", "int Age()", "long Age()")
    assert cli(tree, "cache", "prefetch", *NODES).code == 0
    fresh = [line for node in NODES for line in why(cli, tree, node)]
    assert fresh == [f"{node} holds" for node in NODES]
    assert cli(tree, "cache", "verify").out.count("came out otherwise\n") == 0
    assert cli(tree, "cache", "verify").code == 0


def test_collection_keeps_what_is_in_use(tree, cli):
    for body in range(8):
        edit(tree, "Customer.cs", f"=> {body + 1}", f"=> {body + 2}")
        assert cli(tree, "cache", "prefetch").code == 0
    write_files(tree, {".codecortex/config.yaml": "cache:\n  maxMegabytes: 1\n"})
    before = json.loads(cli(tree, "cache", "history", "shape:Shop.Customer", "--json").out)["versions"]
    gone = json.loads(cli(tree, "cache", "gc", "--json").out)
    after = json.loads(cli(tree, "cache", "history", "shape:Shop.Customer", "--json").out)["versions"]
    assert len(before) == 9
    assert after == before[:5]
    assert gone["records"] > 0
    assert why(cli, tree, "Shop.Customer") == ["header:Shop.Customer holds"]
    assert cli(tree, "cache", "verify").code == 0


def test_clear_leaves_nothing_and_status_counts_what_there_is(tree, cli):
    told = json.loads(cli(tree, "cache", "status", "--json").out)
    assert told["kinds"] == {"header": 2, "prints": 2, "shape": 2, "silent": 1, "structure": 1, "tokens": 1}
    assert cli(tree, "cache", "clear").code == 0
    assert json.loads(cli(tree, "cache", "status", "--json").out)["kinds"] == {}
    assert "was never made" in why(cli, tree, "Shop.Order")[0]


def test_status_tells_how_often_nodes_were_kept_and_when_the_cache_was_collected(tree, cli):
    told = json.loads(cli(tree, "cache", "status", "--json").out)
    assert (told["hitRatio"], told["collected"]) == (None, None)
    cli(tree, "outline", "Shop.Order")
    cli(tree, "outline", "Shop.Customer")
    assert cli(tree, "cache", "gc").code == 0
    told = json.loads(cli(tree, "cache", "status", "--json").out)
    assert told["hitRatio"] == 1
    assert told["collected"] is not None
    edit(tree, "Customer.cs", "=> 1", "=> 2")
    cli(tree, "outline", "Shop.Customer")
    assert json.loads(cli(tree, "cache", "status", "--json").out)["hitRatio"] == 0.667


NAMES = "bindings:Order.cs in A.csproj"


def test_the_names_of_a_file_hold_until_what_they_asked_for_is_declared_otherwise(tree, cli, git):
    assert "was never made" in why(cli, tree, "bindings:Order.cs")[0]
    assert cli(tree, "bindings", "Order.cs").code == 0
    assert why(cli, tree, "bindings:Order.cs") == [f"{NAMES} holds"]
    edit(tree, "Customer.cs", "=> 1", "=> 2")
    assert why(cli, tree, NAMES) == [f"{NAMES} holds"]
    write_files(tree, {"Missing.cs": "namespace Shop;\npublic class Missing { }\n"})
    git(tree, "add", "Missing.cs")
    assert why(cli, tree, "bindings:Order.cs") == [
        f"{NAMES} no longer holds",
        "  declared:types Missing in A.csproj  # -> #",
    ]
    assert cli(tree, "cache", "prefetch", "bindings:Order.cs").out.startswith("1 nodes")
    assert why(cli, tree, "bindings:Order.cs") == [f"{NAMES} holds"]
    assert "source:Order.cs" in cli(tree, "cache", "show", "bindings:Order.cs").out
    assert len(cli(tree, "cache", "history", "bindings:Order.cs").out.splitlines()) == 3
    assert cli(tree, "cache", "verify").out.startswith("10 nodes built again: 0 came out otherwise; 0 damaged rows")


@pytest.mark.parametrize("node", ["bindings:Nowhere.cs", "bindings:Order.cs in B.csproj", "bindings:A.csproj"])
def test_the_names_of_a_file_that_is_not_compiled_are_refused(tree, cli, node):
    found = cli(tree, "cache", "why", node)
    assert found.code == 2, found
    assert "compiled" in found.err or "sources" in found.err


def test_an_unknown_kind_is_refused_with_those_there_are(tree, cli):
    found = cli(tree, "cache", "why", "outlines:Shop.Order")
    assert found.code == 2
    assert "prints" in found.err


FULL = """
import resource, sys
from codecortex.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes")
def test_a_disk_that_is_full_in_the_middle_of_a_write_costs_a_warning(tree, cli, source, git):
    write_files(
        tree, {f"T{n}.cs": f"public class T{n} {{ public T{n}? Next; public Order? By; }}\n" for n in range(150)}
    )
    git(tree, "add", ".")
    expected = cli(tree, "--no-cache", "search", "T149")
    assert expected.out
    command = [sys.executable, "-c", FULL, "-C", str(tree), "search", "T149"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": source}
    )
    assert (done.returncode, done.stdout) == (0, expected.out)
    assert "the local cache is not used any further" in done.stderr
    assert cli(tree, "cache", "verify").code == 0
    assert cli(tree, "search", "T149").out == expected.out


@pytest.mark.parametrize("how", ["option", "configuration"])
def test_without_a_cache_the_answers_are_the_same_and_nothing_is_kept(tmp_path, git, cli, how):
    git(tmp_path, "init", "-q")
    write_files(tmp_path, FILES)
    if how == "configuration":
        write_files(tmp_path, {".codecortex/config.yaml": "cache:\n  enabled: false\n"})
    commit(tmp_path, git)
    options = ["--no-cache"] if how == "option" else []
    answers = [cli(tmp_path, *options, "outline", "Shop.Order"), cli(tmp_path, *options, "search", "customer")]
    assert cli(tmp_path, *options, "cache", "prefetch", *NODES).out.startswith("9 nodes")
    assert cli(tmp_path, *options, "cache", "prefetch", *NODES).out.startswith("9 nodes")
    for command in (("diff", "Shop.Order"), ("changes", "--each", "HEAD")):
        assert cli(tmp_path, *options, *command).code == 0
    found = tmp_path / ".git/codecortex" / FILE_NAME
    if found.exists():
        with sqlite3.connect(found) as db:
            assert db.execute("SELECT count(*) FROM facts").fetchone() == (0,)
            assert db.execute("SELECT count(*) FROM records").fetchone() == (0,)
    write_files(tmp_path, {".codecortex/config.yaml": "{}\n"})
    assert answers == [cli(tmp_path, "outline", "Shop.Order"), cli(tmp_path, "search", "customer")]
