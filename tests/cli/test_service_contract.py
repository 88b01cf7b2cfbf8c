"""What every answer says of itself: the id of its run, the symbol it is about, and what is public where that is not."""

from __future__ import annotations

import json

import pytest

from codecortex.operations.trace import VARIABLE

EXECUTOR = """namespace Shop.Core;
public abstract class ExecutorBase { public abstract void Run(); }
internal sealed class QueueExecutor : ExecutorBase { public override void Run() { } internal void Stop() { } }
public class Executors
{
    public void StartAll() { }
    public void Start() { }
    private void StartOne() { }
}
public class QueueExecutorOptions { }
"""


@pytest.fixture
def told(shop, cli, git):
    (shop / "src/Core/Executors.cs").write_text(EXECUTOR)
    git(shop, "add", "-A")
    cli(shop, "refresh")
    return lambda *words: json.loads(cli(shop, *words, "--json").out)


@pytest.mark.parametrize(
    "words",
    [
        ("resolve", "Shop.Core.Executors"), ("outline", "Shop.Core.Executors"), ("graph", "Executors"),
        ("usages", "Executors"), ("semantic", "show", "Executors"), ("pin", "Executors"), ("unpin", "Executors"),
        ("dismiss", "Executors"), ("context", "add", "Executors"), ("cache", "show", "Executors"),
        ("cache", "why", "outline:Executors"), ("blame", "Executors"), ("diff", "Executors"),
        ("semantic", "prompt", "Executors"), ("refactor", "rename", "Executors", "Runners"),
    ],
)  # fmt: skip
def test_every_answer_about_a_type_says_which_one(told, words):
    answer = told(*words)
    assert answer["resolved"] == {"path": "Shop.Core.Executors", "typeId": answer["resolved"]["typeId"]}
    assert answer["resolved"]["typeId"].startswith("T_")


def test_the_history_of_a_type_says_which_one(shop, told, git):
    git(shop, "commit", "-qm", "executors")
    assert told("log", "Executors")["resolved"]["path"] == "Shop.Core.Executors"
    (shop / "src/Core/Executors.cs").unlink()
    git(shop, "commit", "-qam", "none")
    assert told("log", "Executors")["resolved"] == {"path": "Shop.Core.Executors"}


@pytest.mark.parametrize("command", ["resolve", "outline", "usages", "callers", "callees"])
def test_of_a_member_its_id_is_told_and_of_several_overloads_the_name(shop, cli, told, command):
    answer = told(command, "Executors.Start")["resolved"]
    assert answer["path"] == "Shop.Core.Executors.Start"
    assert answer["memberId"].startswith(f"{answer['typeId']}_")
    again = json.loads(cli(shop, "outline", answer["memberId"], "--json").out)
    assert again["resolved"] == answer


def test_what_means_several_symbols_or_none_is_resolved_to_none(told):
    assert "resolved" not in told("resolve", "*Executor*")
    assert "resolved" not in told("status")
    assert told("outline", "Shop.Core")["resolved"] == {"path": "Shop.Core"}


def test_what_is_public_and_near_is_told_where_the_symbol_is_not(told):
    types = told("outline", "QueueExecutor")["publicAlternatives"]
    assert [each["fqn"] for each in types][:2] == ["Shop.Core.ExecutorBase", "Shop.Core.QueueExecutorOptions"]
    assert told("resolve", types[0]["id"])["resolved"]["path"] == "Shop.Core.ExecutorBase"
    members = told("outline", "Executors.StartOne")["publicAlternatives"]
    assert [each["fqn"] for each in members][:2] == ["Shop.Core.Executors.Start", "Shop.Core.Executors.StartAll"]
    assert "publicAlternatives" not in told("outline", "Executors.Start")


@pytest.mark.slow
def test_an_answer_and_stderr_have_one_id(shop, process):
    answers = [process(shop, "status", "--json", **{VARIABLE: given}) for given in ("", "", "my.run-7", "no good!")]
    ids = [json.loads(each.stdout)["traceId"] for each in answers]
    assert len(set(ids)) == 4
    assert ids[2] == "my.run-7"
    refused = process(shop, "outline", "NoSuchThing", "--json", **{VARIABLE: ""})
    error = json.loads(refused.stdout)
    assert error["error"]["code"] == "SymbolNotFound"
    assert f"trace: {error['traceId']}\n" in refused.stderr.decode()
    assert b"trace" not in process(shop, "outline", "NoSuchThing").stderr


def test_a_defect_of_ours_is_an_error_object_too(shop, cli, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("codecortex.operations.queries.outline.outline", fail)
    failed = cli(shop, "outline", "Order", "--json")
    error = json.loads(failed.out)["error"]
    assert (failed.code, error["code"], error["traceId"]) == (70, "InternalError", "test")
    assert "trace: test" in failed.err
    assert "ZeroDivisionError" in failed.err
    assert cli(shop, "outline", "Order").out == ""


def test_the_hash_of_a_project_follows_what_it_compiles_and_how(shop, told):
    def hashes():
        return {each["name"]: each["hash"] for each in told("index")["projects"]}

    before = hashes()
    assert hashes() == before
    source = shop / "src/Core/Executors.cs"
    source.write_text(EXECUTOR + "// more\n")
    edited = hashes()
    assert {name for name in before if edited[name] != before[name]} == {"Core"}
    project = next((shop / "src/Core").glob("*.csproj"))
    project.write_text(
        project.read_text().replace("</PropertyGroup>", "<Nullable>enable</Nullable></PropertyGroup>", 1)
    )
    assert {name for name in before if hashes()[name] != edited[name]} == {"Core"}


def test_the_index_says_under_which_settings_it_was_made(shop, told, cli):
    assert told("index")["configSnapshot"] == {
        "hashVersion": "3", "outlineVersion": "2", "structureHashIncludesXmlDoc": False,
        "includeInternalInStructureHash": False, "includeInternalForDependencies": False,
        "internalImplAffectsSemantic": False, "semanticDocsAffect": False, "driftLimit": 5, "driftHours": 24,
    }  # fmt: skip
    config = shop / ".codecortex/config.yaml"
    config.write_text(config.read_text() + "semantics:\n  driftLimit: 7\n  internalImplAffectsSemantic: true\n")
    snapshot = told("index")["configSnapshot"]
    assert (snapshot["driftLimit"], snapshot["internalImplAffectsSemantic"]) == (7, True)
    assert cli(shop, "index").code == 0


def test_status_counts_outlines_and_warns_of_a_large_server(shop, told):
    before = told("status")
    assert before["outline"]["gen"]["count"] > 0
    told("outline", "Executors")
    assert told("status")["outline"]["gen"]["count"] == before["outline"]["gen"]["count"] + 1
    assert before["metrics"]["serverMemoryMb"] is None
    (log,) = (shop / ".git").rglob("metrics.log")
    for held, warned in ((2049, True), (2048, False)):
        with log.open("a") as file:
            file.write(f'{{"name":"mcp.outline","ms":1.0,"exit":0,"counts":{{"memoryMb":{held}}}}}\n')
        status = told("status")
        assert status["metrics"]["serverMemoryMb"] == held
        assert any("MB of memory" in each for each in status["warnings"]) is warned


@pytest.mark.parametrize("form", [["--format", "json"], ["--format=json"]])
def test_an_error_is_an_object_however_json_is_asked_for(shop, cli, form):
    refused = cli(shop, "graph", "NoSuchThing", *form)
    assert json.loads(refused.out)["error"]["code"] == "SymbolNotFound"
    assert cli(shop, "graph", "NoSuchThing", "--format", "dot").out == ""
