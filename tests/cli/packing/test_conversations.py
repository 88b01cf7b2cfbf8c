import io
import json
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

FOLDER = ".codecortex/local/conversations"


@pytest.fixture
def ask(shop, cli):
    """Ask a round of the conversation `talk`; the JSON of its answer."""

    def run(question, *options):
        asked = cli(shop, "context", "--json", "--conversation", "talk", *options, question)
        assert asked.code == 0, asked.err
        return json.loads(asked.out)

    return run


@pytest.fixture
def stdin(monkeypatch):
    """Give bytes on standard input."""

    def give(data):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    return give


def list_bodies(told):
    return {(each["path"], body["name"]) for each in told["shown"] for body in each["bodies"]}


def list_seen(told):
    return {(each["path"], seen["name"], seen["round"]) for each in told["shown"] for seen in each["seen"]}


def test_what_was_shown_is_named_and_not_repeated(shop, cli, ask):
    first = ask("Find order by key in Store")
    assert ("src/Core/Store.cs", "Find") in list_bodies(first)
    second = ask("Find order by key in Store")
    assert (first["round"], second["round"]) == (1, 2)
    assert not list_bodies(first) & list_bodies(second)
    assert ("src/Core/Store.cs", "Find", 1) in list_seen(second)
    assert "9: Find: shown in round 1" in second["text"].splitlines()
    assert cli(shop, "context", "Find order by key in Store").out.count("shown in round") == 0


def test_a_body_is_shown_again_once_it_changed_wherever_it_stands(shop, ask):
    question = "Find order by key in Store"
    ask(question)
    store = shop / "src/Core/Store.cs"
    store.write_text("// a line more\n" + store.read_text("utf-8"), "utf-8")
    assert ("src/Core/Store.cs", "Find", 1) in list_seen(ask(question))
    store.write_text(store.read_text("utf-8").replace("=> null;", "=> default;"), "utf-8")
    assert ("src/Core/Store.cs", "Find") in list_bodies(ask(question))
    assert ("src/Core/Store.cs", "Find", 3) in list_seen(ask(question))


@pytest.mark.parametrize("way", ["work tree", "index", "commit"])
def test_what_was_edited_since_the_last_round_weighs_more(shop, ask, git, way):
    assert ask("key of an order")["edited"] == []
    other = shop / "src/App/Order.cs"
    other.write_text(other.read_text("utf-8") + "// more\n", "utf-8")
    if way != "work tree":
        git(shop, "add", "--all")
    if way == "commit":
        git(shop, "commit", "--quiet", "-m", "more")
    told = ask("key of an order", "--explain")
    assert told["edited"] == ["src/App/Order.cs"]
    assert told["inherited"] == [{"path": "src/App/Order.cs", "added": 1.5}]
    assert next(each for each in told["shown"] if each["path"] == "src/App/Order.cs")["why"]["inherited"] == 1.5
    assert ask("key of an order")["edited"] == []


def test_at_most_twenty_edited_files_count_those_that_the_question_fits_best(shop, ask, git):
    told = ask("zebra")
    assert told["matching"] == 0
    for number in range(40):
        name = "Zebra" if number % 4 == 0 else "Widget"
        (shop / f"src/Core/{name}{number}.cs").write_text(f"class {name}{number} {{ }}\n", "utf-8")
    git(shop, "add", "--all")
    told = ask("zebra")
    assert len(told["edited"]) == 40
    assert len(told["inherited"]) == 20
    inherited = [each["path"] for each in told["inherited"]]
    assert [path for path in told["edited"] if "Zebra" in path and path not in inherited] == []
    assert told["matching"] == 20


def test_what_is_edited_back_or_taken_away_counts_for_what_it_is(shop, ask, git):
    order = shop / "src/App/Order.cs"
    was = order.read_bytes()
    order.write_bytes(was + b"// more\n")
    assert ask("order")["edited"] == []
    order.write_bytes(was)
    assert ask("order")["edited"] == ["src/App/Order.cs"]
    order.unlink()
    assert ask("order")["edited"] == []
    git(shop, "checkout", "--", ".")
    assert ask("order")["edited"] == ["src/App/Order.cs"]


def test_without_the_commit_of_the_last_round_nothing_counts_as_edited(shop, cli, ask, git):
    ask("order")
    (shop / "src/App/Order.cs").write_text("class Order { }\n", "utf-8")
    git(shop, "commit", "--quiet", "-am", "other", "--amend")
    git(shop, "reflog", "expire", "--expire=now", "--all")
    git(shop, "gc", "--quiet", "--prune=now")
    asked = cli(shop, "context", "--json", "--conversation", "talk", "order")
    assert asked.code == 0
    assert json.loads(asked.out)["edited"] == []
    assert "is gone" in asked.err


def test_a_conversation_may_begin_before_the_first_commit(tmp_path, cli, git):
    git(tmp_path, "init", "--quiet")
    (tmp_path / "A.cs").write_text("class Lease { int Depth; }\n", "utf-8")
    git(tmp_path, "add", "A.cs")
    assert cli(tmp_path, "init").code == 0
    assert cli(tmp_path, "context", "--conversation", "talk", "lease depth").code == 0
    (tmp_path / "A.cs").write_text("class Lease { int Depth; int Width; }\n", "utf-8")
    git(tmp_path, "add", "A.cs")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    told = json.loads(cli(tmp_path, "context", "--json", "--conversation", "talk", "lease depth").out)
    assert told["edited"] == ["A.cs"]


def test_edited_tests_are_named_first_among_the_tests(shop, ask, git):
    tests = shop / "tests"
    tests.mkdir()
    for name in ("OrderTests", "ZebraTests"):
        (tests / f"{name}.cs").write_text(f"class {name} {{ }}\n", "utf-8")
    git(shop, "add", "--all")
    assert ask("key of an order")["text"].splitlines()[-1] == "tests: tests/OrderTests.cs"
    (tests / "ZebraTests.cs").write_text("class ZebraTests { int A; }\n", "utf-8")
    assert ask("key of an order")["text"].splitlines()[-1] == "tests: tests/ZebraTests.cs, tests/OrderTests.cs"


@pytest.mark.parametrize("name", ["src/App/Order.cs", "App/Order.cs", "Shop.App.Order.Store"])
def test_what_is_mentioned_comes_first(shop, cli, ask, name):
    assert cli(shop, "context", "--json", "count of the store").code == 0
    told = ask("count of the store", "--mention", name, "--explain")
    assert told["files"][0] == "src/App/Order.cs"
    assert told["shown"][0]["why"]["told"] == 6.0
    assert "src/App/Order.cs" in told["named"]


def test_a_member_that_is_mentioned_is_shown_whole(ask):
    told = ask("anything about order", "--mention", "Add")
    assert ("src/Core/Store.Adding.cs", "Add") in list_bodies(told)


@pytest.mark.parametrize("name", ["Nothing", "", "Gone.cs", "\x1b[2J", "x" * 100_000])
def test_a_mention_of_nothing_is_one_error_and_no_round(shop, cli, name):
    refused = cli(shop, "context", "--conversation", "talk", "--mention", name, "order")
    assert refused.code == 2
    assert refused.err.startswith("error: --mention ")
    assert "\x1b" not in refused.err
    assert not (shop / FOLDER / "talk.json").exists()


def test_classic_inheritance_and_ranking_can_be_chosen(shop, cli, ask):
    with (shop / ".codecortex/config.yaml").open("a", encoding="utf-8") as config:
        config.write("context:\n  inheritance: classic\n  ranking: classic\n  budget: 700\n")
    first = ask("how many orders has the store", "--explain")
    assert first["budget"] == 700
    features = {name for each in first["shown"] for name in each["why"]}
    assert features <= {"bm25f", "freq", "rec", "refin", "cover"}
    second = ask("how many orders has the store, and why?")
    assert second["inherited"]
    assert ask("zebra widgets of Order.cs")["budget"] == 700
    assert cli(shop, "context", "--json", "--budget", "300", "--conversation", "talk", "order").code == 0


def test_the_budget_holds_in_every_round(ask):
    for number, budget in enumerate((100, 120, 150, 300, 1000), 1):
        told = ask("order store count key find", "--budget", str(budget))
        assert (told["round"], told["budget"]) == (number, budget)
        assert told["tokens"] <= budget


def test_the_same_state_gives_the_same_bytes(shop, cli, ask):
    ask("Find order by key")
    (shop / "src/App/Order.cs").write_text("class Order { int Key; }\n", "utf-8")
    file = shop / FOLDER / "talk.json"
    state = file.read_bytes()
    options = ("--json", "--explain", "--conversation", "talk", "why is the key of an order lost?")
    once = cli(shop, "context", *options).out
    file.write_bytes(state)
    assert cli(shop, "context", *options).out == once
    assert cli(shop, "context", *options).out != once


@pytest.mark.slow
def test_processes_at_once_lose_no_round(shop, source):
    command = [sys.executable, "-m", "codecortex", "context", "--conversation", "talk", "--budget", "200"]
    running = [
        subprocess.Popen([*command, f"order {number}"], cwd=shop, env={"PYTHONPATH": source, "PATH": "/usr/bin:/bin"},
                         stdout=subprocess.DEVNULL)
        for number in range(4)
    ]  # fmt: skip
    assert [each.wait() for each in running] == [0] * 4
    rounds = json.loads((shop / FOLDER / "talk.json").read_bytes())["rounds"]
    assert [each["number"] for each in rounds] == [1, 2, 3, 4]
    assert sorted(each["question"] for each in rounds) == [f"order {number}" for number in range(4)]


WRITE_FOREVER = """
import sys
from pathlib import Path
from codecortex.git.repository import open_repository
from codecortex.model.conversations import Conversation, RoundSummary
from codecortex.operations.context.rounds.files import update_conversation
repository = open_repository(Path.cwd())
while True:
    update_conversation(repository, "talk", lambda held: Conversation(compacted=(*(held or Conversation()).compacted,
        RoundSummary((held or Conversation()).last_number + 1, "question " * 2000, "", ()))))
    print("written", flush=True)
"""


def test_a_killed_write_leaves_the_old_file_or_the_new_one(shop, cli, source):
    for moment in range(5):
        with subprocess.Popen(
            [sys.executable, "-c", WRITE_FOREVER], cwd=shop, env={"PYTHONPATH": source, "PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
        ) as writer:  # fmt: skip
            assert writer.stdout.readline() == b"written\n"
            time.sleep(moment * 0.013)  # into the writes that follow
            writer.send_signal(signal.SIGKILL)
        listed = json.loads(cli(shop, "conversation", "list", "--json").out)["conversations"]
        assert [(each["name"], each["problem"]) for each in listed] == [("talk", None)]


def test_an_answer_is_kept_with_what_it_names(shop, cli, ask, stdin):
    ask("why is the order lost?")
    stdin("Decided: `Store.Find` in src/Core/Store.cs drops it; see OrderTests and IStore. 鍵 🔑".encode())
    told = json.loads(cli(shop, "conversation", "end", "talk", "--answer", "-", "--json").out)
    assert told["number"] == 1
    assert told["files"] == ["src/Core/Store.cs"]
    assert told["symbols"] == ["Store.Find", "Store", "IStore"]
    shown = cli(shop, "conversation", "show", "talk").out
    assert "鍵 🔑" in shown
    again = cli(shop, "conversation", "end", "talk")
    assert again.code == 2
    assert again.err.startswith("error: Round 1 of talk has an answer already.")


def test_a_round_may_end_without_an_answer_and_get_one_later(shop, cli, ask):
    ask("why is the order lost?")
    assert cli(shop, "conversation", "end", "talk").out == "ended  round 1 of talk, without an answer\n"
    (shop / "answer.txt").write_text("It is not.", "utf-8")
    assert cli(shop, "conversation", "end", "talk", "--answer", "answer.txt").code == 0
    assert "  It is not." in cli(shop, "conversation", "show", "talk").out


@pytest.mark.parametrize("data", [b"", b" \n", b"\xff\xd8\x00", b"a\0b", b"word " * 60_000, b"x" * 2_000_000])
def test_an_answer_that_cannot_be_kept_is_one_error_and_nothing_changes(shop, cli, ask, stdin, data):
    ask("why is the order lost?")
    was = (shop / FOLDER / "talk.json").read_bytes()
    stdin(data)
    refused = cli(shop, "conversation", "end", "talk", "--answer", "-")
    assert refused.code == 2
    assert refused.err.startswith("error: ")
    assert (shop / FOLDER / "talk.json").read_bytes() == was


@pytest.mark.parametrize("data", [b"", b"  ", b"\xff\xd8\x00", b"a\0b", b"word " * 20_000])
def test_a_question_that_cannot_be_asked_is_one_error_and_no_round(shop, cli, ask, stdin, data):
    ask("why is the order lost?")
    was = (shop / FOLDER / "talk.json").read_bytes()
    stdin(data)
    refused = cli(shop, "context", "--conversation", "talk", "--question-file", "-")
    assert refused.code == 2
    assert refused.err.startswith("error: ")
    assert (shop / FOLDER / "talk.json").read_bytes() == was


def test_compacting_copies_first_and_goes_on_counting(shop, cli, ask):
    for number in range(7):
        ask(f"why is order {number} lost?")
    was = (shop / FOLDER / "talk.json").read_bytes()
    done = json.loads(cli(shop, "conversation", "compact", "talk", "--json").out)
    assert (done["action"], done["rounds"]) == ("compacted", 5)
    assert (shop / done["kept"]).read_bytes() == was
    told = json.loads(cli(shop, "conversation", "show", "talk", "--json").out)
    assert [each["question"] for each in told["compacted"]] == ["why is order 0 lost?", "why is order 1 lost?"]
    assert json.loads(cli(shop, "conversation", "compact", "talk", "--json").out)["action"] == "unchanged"
    assert ask("and now?")["round"] == 8
    assert [each["name"] for each in json.loads(cli(shop, "conversation", "list", "--json").out)["conversations"]] == [
        "talk"
    ]
    assert cli(shop, "conversation", "load", done["kept"], "--as", "before").code == 0
    assert len(json.loads(cli(shop, "conversation", "show", "before", "--json").out)["rounds"]) == 7


def test_what_was_compacted_is_shown_again(shop, cli, ask):
    first = ask("Find order by key in Store")
    assert cli(shop, "conversation", "compact", "talk", "--keep", "0").code == 0
    assert list_bodies(ask("Find order by key in Store")) == list_bodies(first)


def test_a_conversation_is_saved_loaded_renamed_and_dropped(shop, cli, ask):
    ask("why is the order lost?")
    file = shop / FOLDER / "talk.json"
    was = file.read_bytes()
    assert cli(shop, "conversation", "save", "talk", "copy.json").code == 0
    assert cli(shop, "conversation", "save", "talk", "copy.json").code == 2
    assert cli(shop, "conversation", "save", "talk", "no/such/folder.json").code == 2
    taken = cli(shop, "conversation", "load", "copy.json")
    assert (taken.code, taken.err.splitlines()[0]) == (2, "error: There is a conversation talk already.")
    assert cli(shop, "conversation", "rename", "talk", "Talk").code == 2
    assert cli(shop, "conversation", "rename", "talk", "other").code == 0
    assert not file.exists()
    assert cli(shop, "conversation", "load", "copy.json").code == 0
    assert file.read_bytes() == was
    unsure = cli(shop, "conversation", "drop", "other")
    assert unsure.code == 2
    assert "--yes" in unsure.err
    assert cli(shop, "conversation", "drop", "other", "--yes").code == 0
    assert [each.name for each in (shop / FOLDER).glob("*.json")] == ["talk.json"]


def test_a_file_cut_in_half_is_refused_and_stays(shop, cli, ask):
    ask("why is the order lost?")
    file = shop / FOLDER / "talk.json"
    half = file.read_bytes()[: file.stat().st_size // 2]
    file.write_bytes(half)
    (shop / "answer.txt").write_text("It is so.", "utf-8")
    for words in (
        ("context", "--conversation", "talk", "order"),
        ("conversation", "show", "talk"),
        ("conversation", "end", "talk", "--answer", "answer.txt"),
        ("conversation", "compact", "talk"),
        ("conversation", "rename", "talk", "other"),
        ("conversation", "save", "talk", "copy.json"),
        ("conversation", "load", f"{FOLDER}/talk.json", "--as", "other"),
    ):
        refused = cli(shop, *words)
        assert refused.code == 3, words
        assert refused.err.startswith(f"error: {FOLDER}/talk.json:"), words
        assert file.read_bytes() == half
    assert "cannot be read" in cli(shop, "conversation", "list").out
    assert not (shop / "copy.json").exists()
    assert cli(shop, "conversation", "drop", "talk", "--yes").code == 0


@pytest.mark.parametrize("data", [b"", b"not JSON", b"{}", b"[]", b"\xff\xfe", b'{"schemaVersion":"9.0"}'])
def test_what_is_no_conversation_is_not_loaded(shop, cli, data):
    (shop / "file.json").write_bytes(data)
    refused = cli(shop, "conversation", "load", "file.json")
    assert refused.code == 3
    assert refused.err.startswith("error: file.json:")
    assert not list((shop / ".codecortex/local").glob("conversations/*"))


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".hidden", "con", "x" * 65, "a\nb", "\x1b[31m", "end.", "ä"])
def test_a_name_that_is_no_file_name_is_one_error(shop, cli, name):
    for words in (
        ("context", "--conversation", name, "order"),
        ("conversation", "show", name),
        ("conversation", "drop", name, "--yes"),
        ("conversation", "end", name),
    ):
        refused = cli(shop, *words)
        assert refused.code == 2, words
        assert "cannot be the name of a conversation" in refused.err
        assert "\x1b" not in refused.err


def test_what_is_not_there_is_one_error(shop, cli, ask):
    ask("order")
    for command in ("show", "end", "compact", "drop"):
        refused = cli(shop, "conversation", command, "tlak")
        assert (refused.code, refused.err) == (2, "error: There is no conversation tlak.\nhint: There are talk.\n")
    assert cli(shop, "context", "--conversation", "TALK", "order").code == 2
    for option in (("--rev", "HEAD"), ("--staged",)):
        assert cli(shop, "context", "--conversation", "talk", *option, "order").code == 2


def test_without_init_a_conversation_is_refused_and_a_question_is_not(repo, cli):
    refused = cli(repo, "context", "--conversation", "talk", "a")
    assert refused.code == 2
    assert "codecortex init" in refused.err
    assert cli(repo, "context", "a").code == 0
    assert not (repo / ".codecortex").exists()


def test_hostile_texts_neither_steer_a_terminal_nor_break_the_file(shop, cli, ask, stdin):
    question = 'order \x1b[2J \u202e "quoted" \\ud800 {} \udc80 鍵'
    ask(question)
    stdin("answer \x1b]0;title\x07 \u2066 Store.Find\n```\nunclosed".encode())
    assert cli(shop, "conversation", "end", "talk", "--answer", "-").code == 0
    assert cli(shop, "conversation", "compact", "talk", "--keep", "0").code == 0
    for words in (("show", "talk"), ("list",)):
        printed = cli(shop, "conversation", *words)
        assert printed.code == 0
        assert not {"\x1b", "\u202e", "\u2066", "\x07"} & set(printed.out)
    assert "鍵" in json.loads(cli(shop, "conversation", "show", "talk", "--json").out)["compacted"][0]["question"]


def test_quality_and_what_was_left_out_are_told(shop, cli, git):
    told = json.loads(cli(shop, "context", "--json", "--budget", "100", "order store count key find").out)
    assert {0 <= told["quality"][key] <= 1 for key in ("relevance", "budget")} == {True}
    assert told["omitted"]["files"] == told["matching"] - len(told["files"])
    whole = json.loads(cli(shop, "context", "--json", "Store.Find order").out)
    assert whole["quality"]["dependencies"] == 1.0
    for number in range(30):
        (shop / f"src/Core/Order{number}.cs").write_text(f"class OrderKeyCount{number} {{ }}\n", "utf-8")
    git(shop, "add", "--all")
    explained = cli(shop, "context", "--explain", "--budget", "100", "order store count key find").out
    assert "of the budget" in explained
    assert "left out, best first: " in explained
