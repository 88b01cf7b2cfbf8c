"""`codecortex semantic list`, as a person and a program see it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

ORDER = (
    "namespace Shop.Core;\npublic record Order(string Key);\n"
    "public interface IStore {{ int Count {{ get; }} {more} }}\n"
)


def put(cli: Cli, shop: Path, symbol: str) -> None:
    (shop / "body.md").write_text("ROLE: Says it.\n")
    assert cli(shop, "semantic", "put", symbol, "body.md").code == 0


def test_a_new_repository_lists_its_public_types_the_most_used_first(shop: Path, cli: Cli) -> None:
    told = cli(shop, "semantic", "list")
    assert told.code == 0
    *rows, total = told.out.splitlines()
    assert [row.split()[0] for row in rows] == ["new"] * 4
    assert rows[0].split()[1:] == ["-", "2.0", "Shop.Core.Order"]
    assert total == "4 jobs (4 new); types: 0 cached, 0 stale, 4 without a note."
    assert not (shop / ".codecortex" / "semantic").exists()


def test_what_went_stale_is_told_with_its_class_and_cause(shop: Path, cli: Cli) -> None:
    for symbol in ("IStore", "Shop.Core.Store"):
        put(cli, shop, symbol)
    (shop / "src/Core/Order.cs").write_text(ORDER.format(more="int More { get; }"))
    lines = cli(shop, "semantic", "list", "IStore", "Shop.Core.Store").out.splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        "stale Structure 2.0 Shop.Core.IStore (Structure of Shop.Core.IStore changed)",
        "stale Structure-Dependency 0.6 Shop.Core.Store`1 (structure of its dependency Shop.Core.IStore)",
        "2 jobs (2 stale); types: 0 cached, 2 stale, 0 without a note.",
    ]


def test_a_limit_says_how_many_there_are(shop: Path, cli: Cli) -> None:
    lines = cli(shop, "semantic", "list", "--all", "--limit", "1").out.splitlines()
    assert lines[1:] == [
        "1 of 5 jobs shown.",
        "5 jobs (5 new); types: 0 cached, 0 stale, 5 without a note.",
    ]


def test_what_holds_is_no_job(shop: Path, cli: Cli) -> None:
    put(cli, shop, "IStore")
    assert cli(shop, "semantic", "list", "IStore").out == "0 jobs; types: 1 cached, 0 stale, 0 without a note.\n"


def test_json_holds_all_that_is_known_of_a_job(shop: Path, cli: Cli) -> None:
    put(cli, shop, "IStore")
    (shop / "src/Core/Order.cs").write_text(ORDER.format(more="int More { get; }"))
    told = json.loads(cli(shop, "semantic", "list", "IStore", "--json").out)
    (job,) = told["jobs"]
    (type_,) = job.pop("types")
    assert type_["fqn"] == "Shop.Core.IStore"
    assert job == {
        "owner": type_["id"],
        "kind": "stale",
        "changeClass": "Structure",
        "causes": [{"kind": "Structure", "typeId": type_["id"], "detail": None}],
        "reasons": ["Structure of Shop.Core.IStore changed"],
        "priority": 2.0,
        "path": f".codecortex/semantic/{type_['id']}.md",
        "previous": [f".codecortex/semantic/{type_['id']}.md"],
        "cut": [],
    }
    assert told["kinds"] == {"new": 0, "stale": 1, "drifted": 0, "redirected": 0, "damaged": 0}
    assert told["states"] == {"none": 0, "cached": 0, "stale": 1}
    assert (told["total"], told["leftOver"], told["problems"]) == (1, [], [])


def test_a_tree_of_git_has_its_own_jobs(shop: Path, cli: Cli) -> None:
    put(cli, shop, "IStore")
    assert cli(shop, "semantic", "list", "--rev", "HEAD").out.endswith("0 cached, 0 stale, 4 without a note.\n")
    assert cli(shop, "semantic", "list").out.endswith("1 cached, 0 stale, 3 without a note.\n")


def test_a_symbol_that_means_nothing_and_a_filter_that_makes_no_sense_are_told(shop: Path, cli: Cli) -> None:
    told = cli(shop, "semantic", "list", "Stor")
    assert (told.code, "Did you mean" in told.err) == (3, True)
    (shop / ".codecortex" / "config.yaml").write_text("semantics:\n  types: acces:public\n")
    told = cli(shop, "semantic", "list")
    assert told.code == 2
    assert "config.yaml: semantics.types: The filter makes no sense at character 0" in told.err
    (shop / ".codecortex" / "config.yaml").write_text("semantics:\n  types: 3\n")
    told = cli(shop, "semantic", "list")
    assert told.code == 2
    assert "semantics.types" in told.err
