"""`codecortex investigate`: a question answered in rounds, with evidence that is checked, kept in a committed file."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import read_prompts
from tests.llm.conftest import listener, reply, user

__all__ = ["listener", "user"]

QUESTION = "How does the Store count its orders?"
FIRST = (
    "MORE:\n- symbol Shop.Core.Store\n- usages Store.Count\n- read src/Core/Order.cs:1-2\n- history Shop.Core.Store\n"
)
LAST = """CONCLUSION:
`Count` grows by one whenever `Add` takes an order.

EVIDENCE:
- `Shop.Core.Store.Count`: the number itself
- src/Core/Store.Adding.cs:99 `Count++`: where it grows

OPEN POINTS:
- none
"""
INVENTED = LAST.replace("Shop.Core.Store.Count", "Shop.Core.Ledger.Total")


def find_file(root):
    (file,) = (root / ".codecortex/investigations").glob("*.md")
    return file


def edit(root, path, before, after):
    file = root / path
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after, 1))


def show(cli, root, name=QUESTION):
    done = cli(root, "investigate", "show", name, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


@pytest.fixture
def answered(shop, cli, git, model):
    """A shop whose question was answered, committed."""
    folder = model(FIRST, LAST)
    assert cli(shop, "refresh").code == 0
    done = cli(shop, "investigate", QUESTION)
    assert done.code == 0, done.err + done.out
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "answered")
    assert len(read_prompts(folder)) == 2
    return shop


def test_a_question_becomes_a_file_with_evidence_that_was_checked(answered, cli):
    file = find_file(answered)
    assert file.name.startswith("how-does-the-store-count-its-orders-")
    text = file.read_text()
    assert text.startswith(f"# Investigation: {QUESTION}\nTypes:\n- Shop.Core.Store`1 T_")
    assert "- src/Core/Store.Adding.cs:4 `Count++`: where it grows\n" in text, "the line is the one that says so"
    assert re.search(r"^Generator: command:python[\d.]* prompt 1$", text, re.MULTILINE)
    told = show(cli, answered)
    assert (told["state"], told["reasons"], [each["holds"] for each in told["evidence"]]) == (
        "cached",
        [],
        [True, True],
    )
    again = cli(answered, "investigate", QUESTION)
    assert (again.code, "is answered and holds" in again.out) == (0, True)


def test_each_round_is_shown_what_the_last_one_asked_for(shop, cli, model):
    folder = model(FIRST, LAST)
    assert cli(shop, "investigate", QUESTION, "--scope", "Shop.Core.Order").code == 0
    first, second = read_prompts(folder)
    assert f"QUESTION\n{QUESTION}\n" in first
    assert "(round 1 of 6)" in first
    for shown in (
        "[symbol Shop.Core.Store]",
        "[usages Store.Count]",
        "internal void Add(T order)",
        "Count++",
        "(round 2 of 6)",
    ):
        assert shown in second
    assert second.index("YOU ASKED IN ROUND 1") > second.index("THE CODE THAT MAY MATTER")
    assert "Scope: Shop.Core.Order\n" in find_file(shop).read_text()


def test_an_invented_symbol_is_refused_and_asked_for_again(shop, cli, model):
    folder = model(INVENTED, LAST.replace("`Add`", "`Increase`"), LAST)
    assert cli(shop, "investigate", QUESTION).code == 0
    _, second, third = read_prompts(folder)
    assert "YOUR LAST ANSWER COULD NOT BE USED\n" in second.replace(" ---", "\n")
    assert "No such symbol: `Shop.Core.Ledger.Total`" in second
    assert "No such member exists: `Increase`" in third
    job = json.loads(cli(shop, "ops", "show", "--json").out)["jobs"][0]
    assert (job["state"], job["attempts"]) == ("cached", 2)
    events = [json.loads(line) for line in cli(shop, "ops", "stream").out.splitlines()]
    assert [each["event"] for each in events] == [
        "started", *("asked", "answered", "retried") * 2, "asked", "answered", "written", "done",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (LAST.replace("Count++", "Count--"), "does not say `Count--`"),
        (LAST.replace("src/Core/Store.Adding.cs", "src/Core/None.cs"), "No source `src/Core/None.cs`"),
        (LAST.replace("Shop.Core.Store.Count", "Order"), "means 2 symbols"),
        (LAST.replace("OPEN POINTS:", "OPEN:"), "the sections have to be"),
        (LAST.replace("- `Shop", "- Shop"), "no evidence"),
        ("MORE:\n- run rm -rf\n", "No request"),
        ("NO CHANGE", "was not answered yet"),
        ("I do not know.", "It cannot be read"),
    ],
)
def test_an_answer_that_cannot_be_used_is_refused_with_the_reason(shop, cli, model, answer, why):
    model(answer)
    done = cli(shop, "investigate", QUESTION)
    assert done.code == 1
    assert why in done.out
    assert not (shop / ".codecortex/investigations").exists()


def test_the_rounds_are_bounded_and_the_last_one_has_to_conclude(shop, cli, model):
    with (shop / ".codecortex/config.yaml").open("a") as config:
        config.write("investigate: {rounds: 2}\n")
    folder = model(FIRST, FIRST, LAST)
    assert cli(shop, "investigate", QUESTION).code == 0
    prompts = read_prompts(folder)
    assert ["This is the last round." in prompt for prompt in prompts] == [False, True, True]
    assert "This was the last round: conclude" in prompts[2]


def test_a_quota_that_is_reached_in_the_middle_is_told_and_gone_on_with(shop, cli, model):
    folder = model(FIRST, LAST, maxTokensPerRun=4000)
    stopped = cli(shop, "investigate", QUESTION)
    assert (stopped.code, "llm.maxTokensPerRun" in stopped.out) == (1, True), stopped.out + stopped.err
    assert "investigate" in stopped.out
    assert not (shop / ".codecortex/investigations").exists()
    run = json.loads(cli(shop, "ops", "show", "--json").out)
    assert (run["status"], run["task"], 0 < run["progress"] < 1) == ("stopped", "investigate", True)
    asked = read_prompts(folder)
    model(LAST, maxTokensPerRun=60000)
    done = cli(shop, "investigate", "--resume", "latest")
    assert done.code == 0, done.out + done.err
    (prompt,) = read_prompts(folder)
    assert "YOU ASKED IN ROUND 1" in prompt, "what was asked so far is not asked again"
    assert len(asked) == 1
    assert show(cli, shop)["state"] == "cached"


def test_check_warns_and_status_counts_what_does_not_hold(answered, cli):
    assert cli(answered, "check").out == "ok\n"
    assert json.loads(cli(answered, "status", "--json").out)["investigations"] == {"cached": 1, "stale": 0}
    edit(answered, "src/Core/Store.Adding.cs", "Count++;", "Count++; ;")
    assert cli(answered, "refresh").code == 0
    done = cli(answered, "check", "--json")
    (finding,) = [each for each in json.loads(done.out)["findings"] if each["code"] == "investigation-stale"]
    assert (done.code, finding["level"]) == (0, "warning")
    assert finding["command"] == f"codecortex investigate --update {find_file(answered).stem}"
    assert "0 hold, 1 stale" in cli(answered, "status").out


def test_what_was_answered_is_found_again(answered, cli):
    path = find_file(answered).relative_to(answered).as_posix()
    line = f"investigated: {QUESTION} ({path})"
    assert line in cli(answered, "search", "count orders").out
    assert line in cli(answered, "search", "how does the store count orders").out
    assert line in cli(answered, "context", "How does Store count its orders?").out
    assert line in cli(answered, "semantic", "show", "Shop.Core.Store").out
    assert line not in cli(answered, "semantic", "show", "IStore").out
    assert line not in cli(answered, "search", "Key").out


def test_an_answer_that_both_sides_changed_is_a_conflict_that_names_both(answered, cli, git, model):
    for branch, answer in (("ours", LAST.replace("none", "first")), ("theirs", LAST.replace("by one", "by 1"))):
        git(answered, "checkout", "--quiet", "-b", branch, "main")
        assert cli(answered, "investigate", "remove", QUESTION).code == 0
        model(answer)
        assert cli(answered, "investigate", QUESTION).code == 0
        git(answered, "commit", "--quiet", "--all", "-m", branch)
    told = git(answered, "merge", "ours", check=False)
    path = find_file(answered).relative_to(answered).as_posix()
    assert f"CONFLICT (content): Merge conflict in {path}" in told
    assert "grows by 1" in find_file(answered).read_text(), "no mixture of both"
    assert git(answered, "ls-files", "-u", "--", path).count(path) == 3
    done = cli(answered, "check", "--json")
    (finding,) = [each for each in json.loads(done.out)["findings"] if each["path"] == path]
    assert (done.code, finding["code"]) == (1, "merge-marker")
    assert "`--ours` or `--theirs`" in finding["message"]
    git(answered, "checkout", "--ours", "--", path)
    git(answered, "add", path)
    assert cli(answered, "check").out == "ok\n"


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("# Investigation: How", "# Investigation: Why", "this is the investigation why-"),
        ("Types:", "Kinds:", "not a line of the header"),
        ("EVIDENCE:", "PROOF:", "the sections have to be"),
        ("Generator: ", "<<<<<<< ours\nGenerator: ", "conflict marker"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(answered, cli, before, after, why):
    edit(answered, find_file(answered).relative_to(answered), before, after)
    done = cli(answered, "check")
    assert (done.code, why in done.out) == (1, True), done.out
    assert cli(answered, "investigate", "list").code == 0
    assert find_file(answered).stem in cli(answered, "investigate", "list").out


def test_what_changed_is_told_and_an_update_sends_that_alone(answered, cli, model):
    edit(answered, "src/Core/Store.Adding.cs", "Count++;", "Count++; Count++;")
    told = show(cli, answered)
    assert (told["state"], told["reasons"]) == ("stale", ["Internal of Shop.Core.Store`1 changed"])
    listed = cli(answered, "investigate", "list").out
    assert listed.startswith("stale ")
    folder = model(LAST.replace("by one", "by two"))
    done = cli(answered, "investigate", "--update")
    assert done.code == 0, done.out + done.err
    (prompt,) = read_prompts(folder)
    assert "+internal void Add(T order) { Count++; Count++; }" in prompt
    assert "grows by one" in prompt
    assert "Keeps orders" not in prompt, "what did not change is not sent"
    assert "grows by two" in find_file(answered).read_text()
    assert show(cli, answered)["state"] == "cached"
    assert cli(answered, "investigate", "--update").out == "Every investigation holds: nobody was asked.\n"


def test_an_answer_that_still_holds_keeps_its_words(answered, cli, model):
    before = find_file(answered).read_text()
    edit(answered, "src/Core/Store.Adding.cs", "namespace Shop.Core;", "namespace Shop.Core;\n\n")
    assert show(cli, answered)["state"] == "cached", "words that moved are no reason"
    edit(answered, "src/Core/Store.Adding.cs", "Count++;", "Count++; ;")
    model("NO CHANGE")
    assert cli(answered, "investigate", QUESTION).code == 0
    after = find_file(answered).read_text()
    assert "Store.Adding.cs:6 `Count++`" in after
    assert after.replace("cs:6", "cs:4").partition("CONCLUSION")[2] == before.partition("CONCLUSION")[2]
    assert show(cli, answered)["state"] == "cached"


def test_what_the_evidence_named_and_is_gone_makes_it_stale(answered, cli):
    edit(answered, "src/Core/Store.Adding.cs", "Count++;", "Count += 1;")
    reasons = show(cli, answered)["reasons"]
    assert any("Store.Adding.cs:4 does not say `Count++`" in each for each in reasons)


def test_an_agent_answers_round_by_round(shop, cli, tmp_path):
    told = json.loads(cli(shop, "investigate", "next", QUESTION, "--json").out)
    assert (told["round"], told["more"]) == (1, True)
    answer = tmp_path / "answer.md"
    answer.write_text(FIRST)
    second = json.loads(cli(shop, "investigate", "put", told["id"], str(answer), "--json").out)["next"]
    assert (second["round"], "[usages Store.Count]" in second["prompt"]) == (2, True)
    answer.write_text(INVENTED)
    refused = cli(shop, "investigate", "put", second["id"], str(answer), "--json")
    assert (refused.code, json.loads(refused.out)["error"]["code"]) == (3, "AnswerRefused")
    answer.write_text(LAST)
    assert cli(shop, "investigate", "put", told["id"], str(answer)).code == 2
    done = json.loads(cli(shop, "investigate", "put", second["id"], str(answer), "--json", "--generator", "me:1").out)
    assert done["path"] == find_file(shop).relative_to(shop).as_posix()
    assert "Generator: me:1 prompt 1\n" in find_file(shop).read_text()
    assert cli(shop, "investigate", "next").out == "Every investigation holds: there is nothing to ask.\n"
    edit(shop, "src/Core/Store.Adding.cs", "Count++;", "Count++; ;")
    assert json.loads(cli(shop, "investigate", "next", "--json").out)["noChange"]


def test_an_agents_prompt_that_shows_what_is_no_more_is_outdated(shop, cli, tmp_path):
    told = json.loads(cli(shop, "investigate", "next", QUESTION, "--json").out)
    edit(shop, "src/Core/Store.Adding.cs", "Count++;", "Count += 1;")
    answer = tmp_path / "answer.md"
    answer.write_text(LAST)
    refused = cli(shop, "investigate", "put", told["id"], str(answer), "--json")
    assert json.loads(refused.out)["error"]["code"] == "OutdatedPrompt"


def test_what_no_model_may_see_is_not_sent(shop, cli, model):
    with (shop / ".codecortex/config.yaml").open("a") as config:
        config.write("llm: {exclude: ['src/Core/Store.Adding.cs']}\n")
    folder = model(
        "MORE:\n- symbol Shop.Core.Store\n- read src/Core/Store.Adding.cs\n"
        "- usages Store.Count\n- context adding orders\n",
        LAST,
    )
    done = cli(shop, "investigate", QUESTION)
    assert done.code == 0, done.err + done.out
    assert all("Count++" not in prompt.replace("`Count++`", "") for prompt in read_prompts(folder)[:2])
    assert len(read_prompts(folder)) > 1


def test_a_server_is_asked_round_by_round_refused_once_and_gone_on_with_after_a_limit(shop, cli, user, listener):
    def use(*texts, **settings):
        told = {"usage": {"prompt_tokens": 1200, "completion_tokens": 90}}
        listener.requests.clear()
        listener.answers = [reply({"choices": [{"message": {"content": text}}], **told}) for text in texts]
        llm = {"provider": "openai", "model": "m", "baseUrl": listener.url, **settings}
        user.configure(json.dumps({"llm": llm}))

    use(FIRST, INVENTED, maxTokensPerRun=4000)
    stopped = cli(shop, "investigate", QUESTION)
    assert (stopped.code, "llm.maxTokensPerRun" in stopped.out) == (1, True), stopped.out + stopped.err
    assert not (shop / ".codecortex/investigations").exists()
    assert len(listener.requests) == 1
    use(INVENTED, LAST, maxTokensPerRun=100_000)
    done = cli(shop, "investigate", "--resume", "latest")
    assert done.code == 0, done.out + done.err
    sent = [each.body["messages"][-1]["content"] for each in listener.requests]
    assert ["YOU ASKED IN ROUND 1" in text for text in sent] == [True, True]
    assert ["No such symbol: `Shop.Core.Ledger.Total`" in text for text in sent] == [False, True]
    told = show(cli, shop)
    assert (told["state"], [each["holds"] for each in told["evidence"]]) == ("cached", [True, True])
    assert "Generator: openai:m prompt 1\n" in find_file(shop).read_text()


def test_without_a_model_it_says_who_could_answer(shop, cli):
    done = cli(shop, "investigate", QUESTION)
    assert (done.code, "codecortex investigate next" in done.err) == (2, True)
    assert cli(shop, "investigate", "").code == 2


def test_removing_takes_the_file_and_git_keeps_it(answered, cli, git):
    slug = find_file(answered).stem
    assert cli(answered, "investigate", "remove", slug[:12]).code == 0
    assert not list((answered / ".codecortex/investigations").glob("*"))
    assert cli(answered, "investigate", "remove", slug).code == 2
    shown = cli(answered, "investigate", "show", slug, "--rev", "HEAD")
    assert "CONCLUSION" in shown.out
    git(answered, "checkout", "--", ".codecortex/investigations")
    assert show(cli, answered)["state"] == "cached"


@pytest.mark.slow
def test_killed_at_any_moment_the_file_is_whole_or_absent(shop, cli, model, source):
    folder = model(FIRST, "wait")
    run = subprocess.Popen(
        [sys.executable, "-m", "codecortex", "investigate", QUESTION],
        cwd=shop, env={**os.environ, "PYTHONPATH": source}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while not (folder / "prompt-1").exists():
        assert run.poll() is None
        time.sleep(0.02)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert not (shop / ".codecortex/investigations").exists()
    assert json.loads(cli(shop, "ops", "show", "--json").out)["status"] == "interrupted"
    model(LAST)
    assert cli(shop, "investigate", "--resume", "latest").code == 0
    assert "YOU ASKED IN ROUND 1" in read_prompts(Path(folder))[0]
    assert show(cli, shop)["state"] == "cached"
