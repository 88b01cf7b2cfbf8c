"""`codecortex chat`: messages answered by a model, with their context; changes taken into a session."""

import json
import os
import subprocess
import sys

import pytest

from codecortex.model.errors import UsageError
from codecortex.operations.chat.commands import COMMANDS, run_command
from codecortex.operations.chat.values import Chat
from codecortex.operations.request import Request
from tests.cli.conftest import read_prompts

QUESTION = "How does the Store count its orders?"
ADDING = "src/Core/Store.Adding.cs"
DIFF = f"""--- a/{ADDING}
+++ b/{ADDING}
@@ -4 +4 @@
-    internal void Add(T order) {{ Count++; }}
+    internal void Add(T order) {{ Count += 1; }}
"""
BLOCK = f"""*** Begin Patch
*** Update File: {ADDING}
-    internal void Add(T order) {{ Count++; }}
+    internal void Add(T order) {{ Count += 1; }}
*** End Patch
"""
LIST = json.dumps([{"file": ADDING, "old": "Count++", "new": "Count += 1"}])
PROPOSED = f"`Count` grows in `Add`. This is clearer:\n\n```diff\n{DIFF}```\n\nIt does the same.\n"


@pytest.fixture
def shop(shop, cli):
    assert cli(shop, "refresh").code == 0
    return shop


@pytest.fixture
def talk(shop):
    """A chat whose commands are run in this process: `talk("/edit")` gives what is told."""
    state = Chat(Request(shop))

    def run(line):
        nonlocal state
        told = run_command(state, line)
        state = told.chat
        return told.copied or told.text

    return run


def ask(cli, root, *words):
    done = cli(root, "chat", *words, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def read(root, path=ADDING):
    return (root / path).read_text()


def test_a_message_is_answered_and_kept_as_a_round(shop, cli, model):
    folder = model("`Count` grows in `Add`.", priceIn=3, priceOut=15)
    done = cli(shop, "chat", QUESTION)
    assert (done.code, done.out) == (0, "`Count` grows in `Add`.\n")
    assert "tokens in, " in done.err
    (prompt,) = read_prompts(folder)
    assert prompt.endswith(f"THE MESSAGE\n{QUESTION}")
    assert "internal void Add(T order)" in prompt
    shown = json.loads(cli(shop, "conversation", "show", "chat", "--json").out)
    (each,) = shown["rounds"]
    assert (each["question"], each["answer"]["text"]) == (QUESTION, "`Count` grows in `Add`.")
    assert each["answer"]["spent"] == shown["spent"]
    assert float(shown["spent"]["cost"]) > 0


def test_what_is_spent_adds_up(shop, cli, model):
    model("First.", "Second.")
    first, second = ask(cli, shop, QUESTION), ask(cli, shop, "And who calls it?")
    assert (first["round"], second["round"]) == (1, 2)
    assert first["total"] == first["spent"]
    assert second["total"]["tokensIn"] == first["spent"]["tokensIn"] + second["spent"]["tokensIn"]
    assert second["total"]["cost"] is None, "no price is known"
    assert "all: " in cli(shop, "chat", "/rounds").out


def test_without_a_model_what_would_be_sent_is_printed_to_be_pasted(shop, cli):
    done = cli(shop, "chat", QUESTION)
    assert done.code == 0
    assert done.out.rstrip().endswith(f"THE MESSAGE\n{QUESTION}")
    assert "internal void Add(T order)" in done.out
    assert "llm.provider is extract" in done.err
    assert "codecortex doctor" in done.err
    told = ask(cli, shop, "And then?")
    assert (told["answer"], told["prompt"].endswith("And then?")) == (None, True)


def test_earlier_rounds_go_along_and_what_they_were_shown_is_a_line(shop, cli, model):
    folder = model("`Count` grows in `Add`.", "It is called nowhere.")
    assert cli(shop, "chat", QUESTION).code == 0
    assert cli(shop, "chat", "Who calls Add?").code == 0
    _, first, rest = read_prompts(folder)[1].split("--- USER ---")
    first, _, second = first.partition("--- ASSISTANT ---")
    assert first.startswith(f"\n{QUESTION}\n[context src/Core/")
    assert "internal void Add" not in first, "older results are one line"
    assert "`Count` grows in `Add`." in second
    assert rest.rstrip().endswith("THE MESSAGE\nWho calls Add?")


def test_what_is_edited_is_in_the_last_message_alone(shop, cli, model, talk):
    folder = model(PROPOSED, "Yes.", "No.")
    assert cli(shop, "chat", QUESTION).code == 0
    talk("/edit")
    assert cli(shop, "chat", "Is it right now?").code == 0
    assert cli(shop, "chat", "And really?").code == 0
    _, second, third = read_prompts(folder)
    for prompt in (second, third):
        assert prompt.count("WHAT IS BEING EDITED RIGHT NOW") == 1
        assert prompt.count("# Live context") == 1
        *history, last = prompt.split("--- USER ---")
        assert "Live context" not in "".join(history)
        assert "Count += 1;" in last.partition("# Live context")[2]
    assert f"DONE SINCE YOUR LAST ANSWER\n[edit apply {ADDING}: done]\n" in second
    assert "Applied the patch to 1 file." in second, "the newest is whole"
    assert f"[edit apply {ADDING}: done]" in third
    assert "Applied the patch" not in third, "an older one is a line"


@pytest.mark.parametrize("patch", [DIFF, BLOCK, LIST])
def test_a_proposed_change_goes_into_the_session_and_to_disk_only_when_told(shop, cli, model, talk, patch):
    before = read(shop)
    model(f"Like this:\n\n```\n{patch}\n```\n")
    assert cli(shop, "chat", QUESTION).code == 0
    assert "Nothing is on disk yet" in talk("/edit")
    assert read(shop) == before
    assert "+    internal void Add(T order) { Count += 1; }" in talk("/edit diff")
    assert cli(shop, "session", "show", "chat").code == 0
    assert "Wrote" in talk("/edit write") or read(shop) != before
    assert read(shop) == before.replace("Count++", "Count += 1")
    talk("/edit undo")
    talk("/edit write")
    assert read(shop) == before
    actions = json.loads(cli(shop, "conversation", "show", "chat", "--json").out)["rounds"][0]["actions"]
    assert [each["what"] for each in actions] == ["edit apply", "edit commit", "edit undo", "edit commit"]
    assert {each["outcome"] for each in actions} == {"done"}


def test_an_edit_that_cannot_be_written_fails_and_one_of_another_start_is_taken_back(shop, cli, model):
    before = read(shop)
    model(f"Like this:\n\n```\n{DIFF}\n```\n")
    for line in (QUESTION, "/edit"):
        assert cli(shop, "chat", line).code == 0
    (shop / ADDING).write_text(before + "// mine\n")
    for _ in range(2):
        done = cli(shop, "chat", "/edit write")
        assert (done.code, "codecortex edit VERB FILE --session chat" in done.out) == (3, True)
    (shop / ADDING).write_text(before)
    assert cli(shop, "chat", "/edit write").code == 0
    assert read(shop) == before.replace("Count++", "Count += 1")
    assert cli(shop, "chat", "/edit undo").code == 0
    assert cli(shop, "chat", "/edit write").code == 0
    assert read(shop) == before
    done = cli(shop, "chat", "/edit undo")
    assert (done.code, "No change was taken last" in done.err) == (2, True)


def test_of_several_places_one_is_chosen(shop, cli, model, talk):
    items = [{"file": "src/Core/Order.cs", "old": "public", "new": "internal"}]
    model(f"```json\n{json.dumps(items)}\n```")
    assert cli(shop, "chat", QUESTION).code == 0
    told = talk("/edit")
    assert "  1. line 2: public record Order(string Key);\n  2. line 3: public interface IStore" in told
    with pytest.raises(UsageError, match="2 places"):
        talk("/edit select 3")
    assert "Applied the patch" in talk("/edit select 2")
    with pytest.raises(UsageError, match="Nothing waits"):
        talk("/edit select 2")
    talk("/edit write")
    assert "\ninternal interface IStore" in read(shop, "src/Core/Order.cs")
    assert "\npublic record Order" in read(shop, "src/Core/Order.cs")


def test_of_several_changes_one_is_taken(shop, cli, model, talk):
    model(f"Either\n\n```diff\n{DIFF}```\n\nor\n\n{BLOCK}\nas you like.")
    assert cli(shop, "chat", QUESTION).code == 0
    assert "proposes 2 changes" in talk("/edit")
    assert "Applied" in talk("/edit 2")
    with pytest.raises(UsageError, match="2 changes"):
        talk("/edit 3")


def test_a_change_that_does_not_apply_is_refused_part_by_part_and_told_to_the_model(shop, cli, model, talk):
    folder = model(f"```diff\n{DIFF.replace('Count++', 'Count--')}```", "Sorry.")
    assert cli(shop, "chat", QUESTION).code == 0
    assert "hunk on line 3 of the patch: Its lines stand nowhere in the file." in talk("/edit")
    assert cli(shop, "chat", "It does not apply.").code == 0
    assert f"[edit apply {ADDING}: failed]" in read_prompts(folder)[1]


def test_edit_says_what_is_missing(shop, cli, model, talk):
    with pytest.raises(UsageError, match="no answer yet"):
        talk("/edit")
    model("Nothing to change.")
    assert cli(shop, "chat", QUESTION).code == 0
    for line, told in {
        "/edit": "proposes no change",
        "/edit write": "waits to be written",
        "/edit undo": "No change was taken",
        "/edit nonsense": "does not take that",
    }.items():
        with pytest.raises(UsageError, match=told):
            talk(line)


def test_what_a_message_names_comes_first(shop, cli, model):
    folder = model("Yes.")
    done = cli(shop, "chat", "Is @src/Core/Order.cs and #Store.Find fine? #if @nobody", "--budget", "400")
    assert "nobody: nothing that is ranked is called that" in done.err
    round_ = json.loads(cli(shop, "conversation", "show", "chat", "--json").out)["rounds"][0]
    assert round_["mentioned"] == ["src/Core/Order.cs", "Store.Find"]
    assert "public Order? Find" in read_prompts(folder)[0]


def test_names_are_added_and_dropped(talk):
    assert talk("/add src/Core/Order.cs #Store") == "first from now on: src/Core/Order.cs, Store"
    assert "first: Store" in talk("/context")
    assert talk("/drop Store") == "first from now on: src/Core/Order.cs"
    assert talk("/drop") == "first from now on: nothing"
    for line in ("/add Nobody", "/add", "/drop Store"):
        with pytest.raises(UsageError):
            talk(line)


def test_commands_of_a_conversation(shop, cli, model, talk, tmp_path):
    model("One.", "Two.", "Three.")
    for question in (QUESTION, "And then?", "And last?"):
        assert cli(shop, "chat", question).code == 0
    assert talk("/budget 500") == "500 tokens a message from now on"
    assert "src/Core/Store" in talk(f"/context {QUESTION}")
    assert talk("/copy") == "Three."
    assert talk(f"/copy {tmp_path}/answer.md").startswith("copied to ")
    assert (tmp_path / "answer.md").read_text() == "Three.\n"
    assert talk(f"/save {tmp_path}/talk.json").startswith("saved  chat to ")
    assert talk("/compact 1").startswith("compacted  chat, 1 round")
    assert "all: " in talk("/rounds")
    assert talk(f"/load {tmp_path}/talk.json again") == "loaded  again, 3 rounds"
    assert "3. " in talk("/rounds")
    assert all(each.usage in talk("/help") for each in COMMANDS.values())
    for line in (
        "/nothing",
        "/budget much",
        "/budget 1",
        f"/copy {tmp_path}/answer.md",
        "/load none.json",
        "/quit now",
    ):
        with pytest.raises(UsageError):
            talk(line)
    assert run_command(Chat(Request(shop)), "/quit").leaves


def test_rounds_that_were_compacted_are_told_as_lines_of_the_model_s(shop, cli, model, talk):
    told = "Here they are:\n1: `Count` grows in `Add` alone.\n9: Nobody asked."
    folder = model(
        "Decision: `Count` grows in `Add`. And more.", "Two.", "Three.", told, "Five.", priceIn=3, priceOut=15
    )
    for question in (QUESTION, "And then?", "And now?"):
        assert cli(shop, "chat", question).code == 0
    before = json.loads(cli(shop, "conversation", "show", "chat", "--json").out)["spent"]
    compacted, left, spent = talk("/compact 1").splitlines()
    assert compacted.startswith("compacted  chat, 1 round")
    assert left == "of 1 round the answer's own sentence is kept: the model left them out"
    assert "tokens in, " in spent
    after = json.loads(cli(shop, "conversation", "show", "chat", "--json").out)
    assert after["spent"]["tokensIn"] > before["tokensIn"]
    decisions = ["`Count` grows in `Add` alone.", "Two."]
    assert [each["decision"] for each in after["compacted"]] == decisions
    asked = read_prompts(folder)[3]
    assert "ROUND 1\n" in asked
    assert "And now?" not in asked, "the last round stays whole"
    assert cli(shop, "chat", "And last?").code == 0
    prompt = read_prompts(folder)[4]
    assert f"EARLIER IN THIS CONVERSATION\n- {QUESTION} -> `Count` grows in `Add` alone. (" in prompt
    assert prompt.count("--- ASSISTANT ---") == 1


def test_many_rounds_are_told_to_the_model_in_parts(shop, cli, model, talk):
    long = "It grows in Add. " * 450
    folder = model(*[long] * 12, *["\n".join(f"{number}: Told." for number in range(1, 12))] * 9)
    for number in range(12):
        assert cli(shop, "chat", f"{QUESTION} {number}", "--budget", "100").code == 0
    assert len(talk("/compact 1").splitlines()) == 2
    asked = read_prompts(folder)[12:]
    assert len(asked) > 1
    assert [sum(f"ROUND {number}\n" in text for text in asked) for number in range(1, 13)] == [1] * 11 + [0]
    shown = json.loads(cli(shop, "conversation", "show", "chat", "--json").out)
    assert {each["decision"] for each in shown["compacted"]} == {"Told."}


def test_what_no_model_tells_of_compacted_rounds_is_taken_from_their_answers(shop, cli, model, talk):
    model("Decision: `Count` grows in `Add`. " + "It does so. " * 600, "Two.")
    for question in (QUESTION, "And then?"):
        assert cli(shop, "chat", question).code == 0
    model(maxTokensPerRun=1000)
    compacted, left = talk("/compact 1").splitlines()
    assert compacted.startswith("compacted  chat, 1 round")
    assert left.startswith("of 1 round the answer's own sentence is kept: ")
    assert "llm.maxTokensPerRun" in left
    shown = json.loads(cli(shop, "conversation", "show", "chat", "--json").out)
    assert [each["decision"] for each in shown["compacted"]] == ["Decision: `Count` grows in `Add`."]


def test_a_limit_is_told_before_anything_is_sent(shop, cli, model):
    folder = model("Yes.", maxTokensPerRun=5000)
    done = cli(shop, "chat", QUESTION)
    assert (done.code, "llm.maxTokensPerRun, 5,000" in done.err) == (2, True)
    assert read_prompts(folder) == []
    model("Yes.", maxTokensPerRun=50_000)
    assert ask(cli, shop, QUESTION)["answer"] == "Yes."


def test_what_no_model_may_see_is_not_sent(shop, cli, model, talk):
    with (shop / ".codecortex/config.yaml").open("a") as config:
        config.write(f"llm: {{exclude: ['{ADDING}']}}\n")
    folder = model(f"```diff\n{DIFF}```", "Yes.")
    assert cli(shop, "chat", QUESTION).code == 0
    talk("/edit")
    assert cli(shop, "chat", "Is it right?").code == 0
    first, second = read_prompts(folder)
    assert "void Add(T order)" not in first
    assert "Live context" not in second


def test_what_only_the_repository_names_is_not_asked(shop, cli):
    with (shop / ".codecortex/config.yaml").open("a") as config:
        config.write("llm: {provider: command, command: [sh, ask.sh]}\n")
    done = cli(shop, "chat", QUESTION)
    assert (done.code, "codecortex trust" in done.err) == (2, True)
    assert cli(shop, "conversation", "list").out == "There is no conversation.\n", "nothing was begun"


def test_an_answer_that_fails_is_told_with_what_was_heard(shop, cli, model, tmp_path):
    folder = model("Yes.")
    program = tmp_path / "model.py"
    program.write_text("import sys\nprint('The beginning', flush=True)\nsys.exit('no more')\n")
    done = cli(shop, "chat", QUESTION)
    assert (done.code, done.out) == (3, "The beginning\n")
    assert "ended with exit code 1: no more" in done.err
    round_ = json.loads(cli(shop, "conversation", "show", "chat", "--json").out)["rounds"][0]
    assert round_["answer"]["text"] == "The beginning"
    assert not read_prompts(folder)


def test_a_message_comes_from_standard_input_too(shop, model, source):
    folder = model("Yes.")
    done = subprocess.run(
        [sys.executable, "-m", "codecortex", "chat"], cwd=shop, input=f"{QUESTION}\n", capture_output=True, text=True,
        check=False, env={**os.environ, "PYTHONPATH": source},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "Yes.\n"), done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert read_prompts(folder)[0].endswith(QUESTION)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((" ", "--json"), "question"),
        (("--conversation", "a/b", "Hi"), "name of a conversation"),
        (("/nothing",), "no command /nothing"),
        (("/help", "--json"), "Leave out --json"),
    ],
)
def test_bad_words_are_one_error(shop, cli, model, words, told):
    model("Yes.")
    done = cli(shop, "chat", *words)
    assert (done.code, told in done.err) == (2, True), done.err
