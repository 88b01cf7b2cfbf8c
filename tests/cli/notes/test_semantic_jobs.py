"""`codecortex semantic list` and `plan`, as a person and a program see them."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.generation.jobs.jobs import Selection
from codecortex.operations.generation.plan import plan
from codecortex.operations.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Cli

ORDER = (
    "namespace Shop.Core;\npublic record Order(string Key) {{ private volatile int _seen; }}\n"
    '[Obsolete("Use Store.")] public interface IStore {{ int Count {{ get; }} {more} }}\n'
)

NEXT = "Next: `codecortex semantic generate`; `codecortex semantic plan` says what a model would be sent."


def put(cli: Cli, shop: Path, symbol: str) -> None:
    (shop / "body.md").write_text("ROLE: Says it.\n")
    assert cli(shop, "semantic", "put", symbol, "body.md").code == 0


def test_a_new_repository_lists_its_public_types_the_most_used_first(shop: Path, cli: Cli) -> None:
    told = cli(shop, "semantic", "list")
    assert told.code == 0
    *rows, total, following = told.out.splitlines()
    assert [row.split()[0] for row in rows] == ["new"] * 4
    assert rows[0].split()[1:] == ["-", "2.0", "Shop.Core.Order"]
    assert total == "4 jobs (4 new); types: 0 cached, 0 stale, 4 without a note."
    assert following == NEXT
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
        NEXT.replace("generate", "generate IStore Shop.Core.Store").replace("plan", "plan IStore Shop.Core.Store"),
    ]


def test_what_to_do_next_depends_on_who_writes_and_on_what_can_be_written(shop: Path, cli: Cli) -> None:
    put(cli, shop, "IStore")
    (note,) = (shop / ".codecortex/semantic").iterdir()
    note.write_text(f"<<<<<<< a\n{note.read_text()}=======\n>>>>>>> b\n")
    *_, following = cli(shop, "semantic", "list", "IStore").out.splitlines()
    assert following.startswith(f"Next: .codecortex/semantic/{note.name}:1: conflict marker. Resolve it")
    (shop / ".codecortex/config.yaml").write_text("llm: {provider: agent}\n")
    *_, following = cli(shop, "semantic", "list", "Shop.*").out.splitlines()
    assert following == "Next: `codecortex semantic next 'Shop.*'` gives the prompt for one of them."


def test_a_limit_says_how_many_there_are(shop: Path, cli: Cli) -> None:
    lines = cli(shop, "semantic", "list", "--all", "--limit", "1").out.splitlines()
    assert lines[1:] == [
        "1 of 4 jobs shown.",
        "4 jobs (4 new); types: 0 cached, 0 stale, 5 without a note (1 of them with nothing to say).",
        NEXT.replace("generate", "generate --all").replace("plan", "plan --all"),
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
        "semanticState": "stale",
        "changeClass": "Structure",
        "causes": [{"kind": "Structure", "typeId": type_["id"], "detail": None}],
        "reasons": ["Structure of Shop.Core.IStore changed"],
        "priority": 2.0,
        "path": f".codecortex/semantic/{type_['id']}.md",
        "previous": [f".codecortex/semantic/{type_['id']}.md"],
        "cut": [],
    }
    assert told["kinds"] == {"new": 0, "stale": 1, "drifted": 0, "redirected": 0, "damaged": 0, "replaced": 0}
    assert told["states"] == {"none": 0, "cached": 0, "stale": 1}
    assert (told["total"], told["leftOver"], told["problems"]) == (1, [], [])


def test_a_tree_of_git_has_its_own_jobs(shop: Path, cli: Cli) -> None:
    put(cli, shop, "IStore")
    assert cli(shop, "semantic", "list", "--rev", "HEAD").out.endswith(
        f"0 cached, 0 stale, 4 without a note.\n{NEXT}\n"
    )
    assert cli(shop, "semantic", "list").out.endswith(f"1 cached, 0 stale, 3 without a note.\n{NEXT}\n")


def test_a_symbol_that_means_nothing_and_a_filter_that_makes_no_sense_are_told(shop: Path, cli: Cli) -> None:
    told = cli(shop, "semantic", "list", "Stor")
    assert (told.code, "Did you mean" in told.err) == (3, True)
    (shop / ".codecortex" / "config.yaml").write_text("semantics:\n  types: acces:public\n")
    told = cli(shop, "semantic", "list")
    assert told.code == 2
    assert "config.yaml:2: semantics.types: The filter makes no sense at character 0" in told.err
    checked = cli(shop, "check")
    assert checked.code == 1
    assert ".codecortex/config.yaml:2: semantics.types: The filter makes no sense" in checked.out
    assert "[note-filter]" in checked.out
    assert "config.yaml:2: semantics.types: The filter makes no sense" in cli(shop, "doctor").out
    (shop / ".codecortex" / "config.yaml").write_text("semantics:\n  types: 3\n")
    told = cli(shop, "semantic", "list")
    assert told.code == 2
    assert "semantics.types" in told.err


PRICED = "llm:\n  provider: openai\n  model: some\n  priceIn: 2\n  priceOut: 10\n"


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No configuration of the user's own, and no key."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "nobody"))
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("alone")
def test_a_plan_says_what_would_be_sent_and_writes_nothing(shop: Path, cli: Cli) -> None:
    before = sorted(path for path in (shop / ".codecortex").rglob("*"))
    told = cli(shop, "semantic", "plan")
    assert told.code == 0
    *rows, total, who = told.out.splitlines()
    assert [row.split()[0] for row in rows] == ["new"] * 4
    sent = sum(int(row.split()[1].replace(",", "")) for row in rows)
    assert total.startswith(f"4 prompts: {sent:,} tokens in, at most ")
    assert total.endswith(" out; no price is configured.")
    assert who == "The provider is extract, which asks no model: nothing is sent."
    assert sorted(path for path in (shop / ".codecortex").rglob("*")) == before


@pytest.mark.usefixtures("alone")
def test_a_plan_has_a_price_where_one_is_configured_and_knows_the_limits_of_a_run(shop: Path, cli: Cli) -> None:
    config = shop / ".codecortex" / "config.yaml"
    config.write_text(PRICED)
    told = json.loads(cli(shop, "semantic", "plan", "--json").out)
    cost = Decimal(2 * told["tokensIn"] + 10 * told["mostTokensOut"]) / 1_000_000
    assert Decimal(told["mostCost"]) == cost
    assert told["tokensIn"] == sum(job["tokensIn"] for job in told["jobs"])
    assert told["mostTokensOut"] == sum(job["mostTokensOut"] for job in told["jobs"])
    assert (told["provider"], told["model"], told["total"]) == ("openai", "some", 4)
    assert (told["exact"], told["fits"]) == (True, True)
    config.write_text(f"{PRICED}  maxTokensPerRun: 1000\n")
    assert json.loads(cli(shop, "semantic", "plan", "--json").out)["fits"] is False
    assert cli(shop, "semantic", "plan").out.endswith("what is left would wait for the next.\n")
    config.write_text(f"{PRICED}  maxCostPerRun: 0.0001\n")
    assert json.loads(cli(shop, "semantic", "plan", "--json").out)["fits"] is False
    one = json.loads(cli(shop, "semantic", "plan", "IStore", "--provider", "anthropic", "--json").out)
    assert (one["provider"], one["model"], one["total"]) == ("anthropic", None, 1)


@pytest.mark.usefixtures("alone")
def test_a_job_that_no_model_may_be_sent_is_told_and_costs_nothing(shop: Path, cli: Cli) -> None:
    (shop / ".codecortex" / "config.yaml").write_text("llm:\n  exclude: [src/Core/Order.cs]\n")
    told = json.loads(cli(shop, "semantic", "plan", "IStore", "--json").out)
    (job,) = told["jobs"]
    assert (job["tokensIn"], told["tokensIn"], told["mostTokensOut"]) == (None, 0, 0)
    assert job["problem"] == "No model may be sent the sources of Shop.Core.IStore."
    row = cli(shop, "semantic", "plan", "IStore").out.splitlines()[0]
    assert row == "new         -  Shop.Core.IStore  (No model may be sent the sources of Shop.Core.IStore.)"


@pytest.mark.usefixtures("alone")
def test_a_note_that_is_certain_to_hold_is_asked_of_nobody(shop: Path, cli: Cli, git: Callable[..., str]) -> None:
    user = shop / "src/Core/User.cs"
    user.write_text("namespace Shop.Core;\n[Obsolete] public class User { public IStore? Stock() => null; }\n")
    git(shop, "add", ".")
    assert cli(shop, "semantic", "generate", "User").code == 0
    (shop / "src/Core/Order.cs").write_text(ORDER.format(more="int More { get; }"))
    told = json.loads(cli(shop, "semantic", "plan", "User", "--provider", "agent", "--json").out)
    (job,) = told["jobs"]
    assert (job["kind"], job["settled"], job["tokensIn"], job["problem"]) == ("stale", True, None, None)
    assert (told["total"], told["settled"], told["refused"], told["tokensIn"]) == (1, 1, 0, 0)
    lines = cli(shop, "semantic", "plan", "User", "--provider", "agent").out.splitlines()
    assert lines == [
        "stale       -  Shop.Core.User  (the text is certain to hold: nobody is asked)",
        "0 prompts: 0 tokens in, at most 0 out; no price is configured.",
        "1 note would count as holding again without a prompt.",
    ]
    shown = cli(shop, "semantic", "generate", "User", "--show-prompt")
    assert (shown.out, "certain to hold" in shown.err) == ("", True)


def make_newer(note: Path) -> None:
    note.write_text(note.read_text().replace("\nGenerator: ", "\nFormat: 99\nGenerator: ", 1))


def make_link(note: Path) -> None:
    note.rename(note.with_suffix(".txt"))
    note.symlink_to(note.with_suffix(".txt"))


def make_folder(note: Path) -> None:
    note.unlink()
    note.mkdir()


def make_conflict(note: Path) -> None:
    note.write_text("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("spoil", "why"),
    [(make_newer, "newer"), (make_link, "link"), (make_folder, "cannot be read"), (make_conflict, "conflict")],
)
def test_a_note_that_no_run_would_write_is_told_and_costs_nothing(
    shop: Path, cli: Cli, spoil: Callable[[Path], None], why: str
) -> None:
    put(cli, shop, "IStore")
    (note,) = (shop / ".codecortex/semantic").iterdir()
    spoil(note)
    told = json.loads(cli(shop, "semantic", "plan", "--provider", "agent", "--json").out)
    (refused,) = [job for job in told["jobs"] if job["problem"]]
    assert (refused["path"], refused["tokensIn"]) == (f".codecortex/semantic/{note.name}", None)
    assert why in refused["problem"]
    assert (told["total"], told["refused"], told["exact"]) == (4, 1, True)
    assert told["tokensIn"] == sum(job["tokensIn"] for job in told["jobs"] if job["problem"] is None)
    *_, total, left = cli(shop, "semantic", "plan", "--provider", "agent").out.splitlines()
    assert total.startswith(f"3 prompts: {told['tokensIn']:,} tokens in")
    assert left == "1 note would not be written; why stands above."
    shown = cli(shop, "semantic", "generate", "--show-prompt", refused["owner"])
    assert (shown.out, refused["problem"] in shown.err) == ("", True)
    run = json.loads(cli(shop, "semantic", "generate", "--json").out)["run"]
    assert [job["path"] for job in run["jobs"] if job["state"] == "failed"] == [refused["path"]]


@pytest.mark.usefixtures("alone")
def test_a_note_that_a_merge_left_nothing_of_is_told_to_be_unmerged(
    shop: Path, cli: Cli, git: Callable[..., str]
) -> None:
    path = json.loads(cli(shop, "semantic", "plan", "IStore", "--json").out)["jobs"][0]["path"]
    blob = git(shop, "hash-object", "-w", "src/Core/Order.cs")
    git(shop, "update-index", "--index-info", stdin=f"100644 {blob} 1\t{path}\n100644 {blob} 2\t{path}\n".encode())
    told = json.loads(cli(shop, "semantic", "plan", "--json").out)
    assert [(job["path"], "git add" in job["problem"]) for job in told["jobs"] if job["problem"]] == [(path, True)]
    assert "3 notes would be written; 1 note would not" in cli(shop, "semantic", "generate", "--dry-run").out
    run = json.loads(cli(shop, "semantic", "generate", "--json").out)["run"]
    assert [job["path"] for job in run["jobs"] if job["state"] == "failed"] == [path]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("settings", "provider", "missing"),
    [
        ("{}", "openai", "llm.model names no model"),
        ("{}", "anthropic", "llm.model names no model"),
        ("{}", "command", "llm.command names none"),
        ("{provider: openai, model: tiny}", "openai", "api.openai.com wants a key"),
        ("{provider: openai, model: tiny, baseUrl: 'https://a.example'}", "openai", "codecortex trust"),
        ("{provider: command, command: [ask]}", "command", "codecortex trust"),
        ("{provider: openai, model: tiny, maxCostPerRun: 1}", "openai", "llm.priceIn and llm.priceOut"),
    ],
)
def test_a_plan_says_what_generate_would_miss_and_is_made_all_the_same(
    shop: Path, cli: Cli, settings: str, provider: str, missing: str
) -> None:
    (shop / ".codecortex" / "config.yaml").write_text(f"llm: {settings}\n")
    told = cli(shop, "semantic", "plan", "--provider", provider, "--json")
    assert not (shop / ".codecortex/local").exists()
    refused = cli(shop, "semantic", "generate", "--provider", provider, "--json")
    plan, error = json.loads(told.out), json.loads(refused.out)["error"]
    assert (told.code, refused.code, plan["problem"]) == (0, 2, error["message"])
    assert told.err == f"warning: `semantic generate` would ask nobody: {error['message']} {error['hint']}\n"
    assert missing in told.err
    assert (plan["total"], plan["refused"]) == (4, 0)
    assert plan["tokensIn"] > 0


@pytest.mark.usefixtures("alone")
def test_a_plan_of_some_prompts_is_scaled_and_said_to_be(shop: Path) -> None:
    with Workspace(Request(shop)) as workspace:
        whole = plan(workspace, Selection())
    half = whole._replace(planned=whole.planned[::2])
    assert (whole.exact, half.exact) == (True, False)
    assert half.as_json()["tokensIn"] == half.tokens_in == 2 * sum(each.prompt.tokens for each in half.planned)
    assert half.most_tokens_out == 2 * sum(each.prompt.most_answer_tokens for each in half.planned)
    assert "about" not in whole.as_text()
    rows = half.as_text().splitlines()
    assert rows[2].startswith(f"4 prompts: about {half.tokens_in:,} tokens in, at most about ")
    assert rows[3] == "Estimated from the 2 prompts above; --exact makes them all."
