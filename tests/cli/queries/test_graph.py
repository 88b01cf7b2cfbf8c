"""`codecortex graph`: what types name, how far, how it is written, and what it refuses."""

import json

import pytest

MORE = {
    "src/Core/Ring.cs": (
        "namespace Shop.Ring;\npublic class One { public Two Next; }\npublic class Two { public Three Next; }\n"
        "public class Three { public One Next; public Leaf End; }\npublic class Leaf { }\n"
        "public class User { void M() { var x = new One(); } }\n"
    ),
    "src/Core/Größe.cs": (
        "namespace Shop.Größe;\npublic class Maß<TÄ, T2> { public Maß<TÄ, int>.Innen A; public class Innen; }\n"
    ),
}


@pytest.fixture
def ring(shop, git):
    """The shop with a cycle of three types, and names beyond ASCII."""
    for path, text in MORE.items():
        (shop / path).write_text(text, "utf-8")
    git(shop, "add", ".")
    return shop


def ask(cli, root, *arguments):
    done = cli(root, "graph", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


def names(found):
    return [node["name"].removeprefix("Shop.") for node in found["nodes"]]


def edges(found):
    called = {node["id"]: node["name"].rpartition(".")[2] for node in found["nodes"]}
    return [(called[edge["source"]], called[edge["target"]]) for edge in found["edges"]]


def test_what_a_type_names(ring, cli):
    found = ask(cli, ring, "Store")
    assert names(found) == ["Core.Store<T>", "Core.IStore", "Core.Order"]
    (root,) = found["roots"]
    base, order = found["edges"]
    assert base == {
        "source": root, "target": found["nodes"][1]["id"], "structural": True, "base": True, "exact": True, "count": 1
    }  # fmt: skip
    assert (order["base"], order["structural"], order["count"]) == (False, True, 2)
    assert {key: found[key] for key in ("by", "kind", "reverse", "total", "components")} == {
        "by": "type", "kind": "all", "reverse": False, "total": 3, "components": [],
    }  # fmt: skip
    assert found["nodes"][0] | {"id": ""} == {
        "id": "", "name": "Shop.Core.Store<T>", "fqn": "Shop.Core.Store`1", "kind": "class", "fanIn": 1, "depth": 1,
        "component": None, "distance": 0, "types": 1,
    }  # fmt: skip


def test_what_names_a_type(ring, cli):
    found = ask(cli, ring, "Shop.Core.Order", "--reverse")
    assert names(found) == ["Core.Order", "Core.Store<T>", "App.Order"]
    assert [target for _, target in edges(found)] == ["Order", "Order"]


def test_steps(ring, cli):
    assert names(ask(cli, ring, "Ring.One")) == ["Ring.One", "Ring.Two"]
    assert names(ask(cli, ring, "Ring.One", "--depth", "2")) == ["Ring.One", "Ring.Two", "Ring.Three"]
    far = ask(cli, ring, "Ring.One", "--depth", "1000")
    assert names(far) == ["Ring.One", "Ring.Two", "Ring.Three", "Ring.Leaf"]
    assert [node["distance"] for node in far["nodes"]] == [0, 1, 2, 3]
    assert set(edges(far)) == {("One", "Two"), ("Two", "Three"), ("Three", "One"), ("Three", "Leaf")}


def test_a_component_is_named_whole_even_where_a_part_is_shown(ring, cli):
    found = ask(cli, ring, "Ring.One")
    (component,) = found["components"]
    assert len(component) == 3
    assert [node["component"] for node in found["nodes"]] == [0, 0]
    assert ask(cli, ring, "Ring.Leaf")["components"] == []


def test_bodies_count_unless_they_are_left_out(ring, cli):
    found = ask(cli, ring, "Ring.User")
    assert [edge["structural"] for edge in found["edges"]] == [False]
    assert names(ask(cli, ring, "Ring.User", "--kind", "structural")) == ["Ring.User"]
    assert names(ask(cli, ring, "Ring.One", "--reverse", "--kind", "structural")) == ["Ring.One", "Ring.Three"]


def test_a_namespace_stands_for_its_types(ring, cli):
    found = ask(cli, ring, "Shop.Ring")
    assert len(found["roots"]) == 5
    assert set(names(found)) == {f"Ring.{name}" for name in ("One", "Two", "Three", "Leaf", "User")}


def test_a_pattern_stands_for_the_types_it_matches(ring, cli):
    found = ask(cli, ring, "Shop.Ring.T*", "--reverse")
    assert set(names(found)) == {"Ring.Two", "Ring.Three", "Ring.One"}
    assert len(found["roots"]) == 2


def test_the_whole_tree(ring, cli):
    found = ask(cli, ring, "--all")
    assert (found["roots"], found["by"], found["total"]) == ([], "type", 12)
    assert [node["fqn"] for node in found["nodes"]] == sorted(node["fqn"] for node in found["nodes"])
    assert list(map(len, found["components"])) == [3]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("namespace", [("Shop.App", 1), ("Shop.Core", 4), ("Shop.Größe", 2), ("Shop.Ring", 5)]),
        ("project", [("App", 1), ("Core", 11)]),
    ],
)
def test_the_whole_tree_by_groups(ring, cli, by, expected):
    found = ask(cli, ring, "--all", "--by", by)
    assert [(node["name"], node["types"]) for node in found["nodes"]] == expected
    (edge,) = found["edges"]
    assert edge["count"] == 2  # App.Order names Store and Core.Order
    assert [node["fanIn"] for node in found["nodes"]] == [0, 1, 0, 0][: len(expected)]


def test_a_tree_too_large_for_people_is_grouped_and_says_so(ring, cli):
    told = cli(ring, "graph", "--all", "--limit", "4").out
    assert "Shop.Core  (4 types, names 0, named by 1, depth 0)" in told
    assert told.endswith("(12 types by namespace; --by type shows each.)\n")
    assert "12 types by project" in cli(ring, "graph", "--all", "--limit", "2").out


def test_what_does_not_fit_is_told(ring, cli):
    told = cli(ring, "graph", "--all", "--by", "type", "--limit", "2").out
    assert "(2 of 12 types, the most used; --limit shows more.)" in told
    told = cli(ring, "graph", "Store", "--limit", "2").out
    assert "(2 of 3 types, the nearest; --limit shows more.)" in told
    found = ask(cli, ring, "Store", "--limit", "2")
    assert (found["total"], len(found["nodes"]), len(found["edges"])) == (3, 2, 1)


def test_the_text_is_a_tree_with_cycles_marked(ring, cli):
    assert cli(ring, "graph", "Ring.One", "--depth", "4").out == (
        "Shop.Ring.One  (class, named by 2, depth 3, in a cycle of 3 types)\n"
        "  Shop.Ring.Two  (class, cycle)\n"
        "    Shop.Ring.Three  (class, cycle)\n"
        "      Shop.Ring.Leaf  (class)\n"
        "      Shop.Ring.One  (class, cycle, see above)\n"
    )


def test_drawings(ring, cli):
    mermaid = cli(ring, "graph", "Store", "--format", "mermaid").out
    assert mermaid.startswith('flowchart LR\n  n0["Shop.Core.Store#60;T#62;"]\n')
    assert "  n0 ==> n1\n  n0 --> n2\n" in mermaid
    dot = cli(ring, "graph", "Maß", "--format", "dot").out
    assert '  n0 [label="Shop.Größe.Maß<TÄ, T2>", style="bold' in dot
    assert cli(ring, "graph", "Store", "--format", "json").out == cli(ring, "graph", "Store", "--json").out


@pytest.mark.slow
def test_every_answer_is_the_same_every_time(ring, process):
    for arguments in (["Store", "--depth", "3"], ["--all", "--format", "dot"], ["--all", "--json", "--by", "project"]):
        one, other = (process(ring, "graph", *arguments, PYTHONHASHSEED=seed) for seed in "12")
        assert one.returncode == 0
        assert one.stdout == other.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ([], 2, "Give a symbol or --all."),
        (["Store", "--all"], 2, "Give a symbol or --all."),
        (["Store", "--by", "project"], 2, "--by groups the whole tree."),
        (["--all", "--reverse"], 2, "--reverse starts at a symbol."),
        (["Store", "--json", "--format", "dot"], 2, "two formats"),
        (["Store", "--depth", "0"], 2, "0 is not in the range"),
        (["Store", "--limit", "0"], 2, "0 is not in the range"),
        (["Order"], 3, "Shop.App.Order"),
        (["Stor"], 3, "Stor"),
        (["Shop.Nowhere"], 3, "Shop.Nowhere"),
        ([""], 3, "Nothing is called"),
    ],
)
def test_what_is_refused(ring, cli, arguments, code, told):
    done = cli(ring, "graph", *arguments)
    assert done.code == code
    assert told in done.err
    assert done.err.count("error: ") + done.err.count("Error: ") == 1


def test_another_tree(ring, cli):
    assert ask(cli, ring, "--all", "--rev", "HEAD")["total"] == 5
    assert ask(cli, ring, "--all", "--staged")["total"] == 12


def test_an_empty_repository(tmp_path, git, cli):
    git(tmp_path, "init", "--quiet")
    assert ask(cli, tmp_path, "--all")["nodes"] == []
    assert cli(tmp_path, "graph", "--all", "--format", "dot").out.startswith("digraph")
    assert cli(tmp_path, "graph", "--all").out == "There are no types.\n"
