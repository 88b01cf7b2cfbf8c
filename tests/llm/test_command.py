"""A program as the provider: what it gets, what it may do wrong, and that nothing of it stays."""

import os
import sys
import threading
import time

import pytest

from codecortex.context.tokens import estimate_tokens
from codecortex.llm.command import Command, Program, ProgramLimits
from codecortex.llm.provider import Message, Role
from codecortex.model.errors import ProviderError, ProviderUnusableError, StoppedError
from tests.conftest import is_alive

from .conftest import ask

PATIENCE = 120.0  # no test is judged by the clock
SMALL = ProgramLimits(total=PATIENCE, most_bytes=1 << 20)


def run(folder, code, *, bounds=SMALL, hidden=frozenset(), **options):
    program = Program((sys.executable, "-c", code), folder, hidden, "tiny")
    return ask(Command(program, estimate_tokens, bounds), **options)


def fail(folder, code, **options):
    with pytest.raises(ProviderError) as caught:
        run(folder, code, **options)
    return caught.value


def wait_for(file):
    end = time.monotonic() + PATIENCE
    while not (file.exists() and file.read_text()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return int(file.read_text())


def wait_until_gone(number):
    end = time.monotonic() + PATIENCE
    while is_alive(number):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_prompt_goes_in_and_the_answer_comes_out(tmp_path):
    code = "import sys; sys.stdout.write(sys.stdin.read().upper())"
    prompt = "Was heißt Ω? " * 20_000
    assert run(tmp_path, code, prompt=prompt) == (
        prompt.upper(),
        estimate_tokens(prompt),
        estimate_tokens(prompt.upper()),
        "tiny",
    )


def test_what_it_prints_is_heard_while_it_runs(tmp_path):
    """The second piece, whose first half of a character comes apart, waits until the first one was heard."""
    heard, gate = [], tmp_path / "heard"
    code = (
        "import os, sys, time\nos.write(1, 'one '.encode())\n"
        f"while not os.path.exists({str(gate)!r}): time.sleep(.01)\n"
        "os.write(1, b'\\xc3'); time.sleep(.1); os.write(1, b'\\xa9')"
    )

    def hear(piece):
        heard.append(piece)
        gate.touch()

    assert run(tmp_path, code, heard=hear).text == "one é"
    assert (heard[0], "".join(heard)) == ("one ", "one é")


def test_what_was_said_before_stands_before_the_prompt(tmp_path):
    code = "import sys; print(sys.stdin.read())"
    before = (Message(Role.USER, "Who are you?"), Message(Role.ASSISTANT, "Tiny."))
    said = run(tmp_path, code, before=before).text.split()
    assert " ".join(said) == "--- USER --- Who are you? --- ASSISTANT --- Tiny. --- USER --- Say hello."


def test_it_runs_in_the_repository_and_is_told_the_limits(tmp_path):
    code = "import os; print(os.getcwd(), os.environ['CODECORTEX_MAX_TOKENS'], os.environ['CODECORTEX_MODEL'])"
    assert run(tmp_path, code).text.split() == [os.path.realpath(tmp_path), "100", "tiny"]


def test_what_is_hidden_is_not_in_its_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    code = "import os; print(os.environ.get('OPENAI_API_KEY'))"
    assert run(tmp_path, code, hidden=frozenset({"OPENAI_API_KEY"})).text == "None\n"
    assert run(tmp_path, code).text == "sk-secret\n"


def test_it_need_not_read_all_of_the_prompt(tmp_path):
    assert run(tmp_path, "print('done')", prompt="x" * 1_000_000).text == "done\n"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys; sys.stderr.write('x' * 100000 + '\\x1b[31m\\n'); sys.exit(3)", "ended with exit code 3: "),
        ("import sys; sys.stderr.write('no quota'); sys.exit(3)", "ended with exit code 3: no quota."),
        ("import os; os.kill(os.getpid(), 9)", "ended with exit code -9"),
        ("", "printed nothing"),
        ("print('  ')", "printed nothing"),
        ("import sys; sys.stdout.buffer.write(b'a\\xff')", "is not UTF-8 text"),
    ],
)  # fmt: skip
def test_what_it_does_wrong_is_one_clear_error(tmp_path, code, words):
    problem = fail(tmp_path, code)
    assert words in problem.message
    assert problem.message.isprintable()
    assert not problem.retryable
    assert len(problem.message) < 500


def test_fifty_megabytes_are_not_kept(tmp_path):
    problem = fail(tmp_path, "import sys\nfor _ in range(800): sys.stdout.write('x' * 65536)")
    assert problem.message == "The command printed more than 1,048,576 bytes."


def test_fifty_megabytes_of_complaints_do_not_block_it(tmp_path):
    code = "import sys\nfor _ in range(800): sys.stderr.write('x' * 65536)\nprint('done')"
    assert run(tmp_path, code).text == "done\n"


@pytest.mark.slow
def test_one_that_never_ends_is_killed_with_all_that_it_started(tmp_path):
    code = (
        "import subprocess, sys, time, signal\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('child', 'w').write(str(child.pid))\ntime.sleep(600)"
    )
    for seconds in (1.5, 6.0, 24.0, 96.0):  # on a busy machine, one may be over before the program has started another
        problem = fail(tmp_path, code, bounds=ProgramLimits(total=seconds))
        assert problem.message == f"The command took more than {seconds:g} seconds."
        if (tmp_path / "child").exists() and (tmp_path / "child").read_text():
            break
    wait_until_gone(wait_for(tmp_path / "child"))


@pytest.mark.slow
def test_what_it_leaves_running_is_ended_and_not_waited_for(tmp_path):
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('child', 'w').write(str(child.pid))\nprint('done')"
    )
    assert run(tmp_path, code).text == "done\n"
    wait_until_gone(wait_for(tmp_path / "child"))


def test_it_can_be_given_up(tmp_path):
    stop = threading.Event()

    def watch():
        wait_for(tmp_path / "self")
        stop.set()

    threading.Thread(target=watch, daemon=True).start()
    code = "import os, time\nopen('self', 'w').write(str(os.getpid()))\ntime.sleep(600)"
    with pytest.raises(StoppedError):
        run(tmp_path, code, stopped=stop.is_set)
    wait_until_gone(wait_for(tmp_path / "self"))


def test_nothing_is_run_once_stopped(tmp_path):
    with pytest.raises(StoppedError):
        run(tmp_path, "open('marker', 'w')", stopped=lambda: True)
    assert not (tmp_path / "marker").exists()


@pytest.mark.parametrize("name", ["no-such-program-here", "./missing", "/missing/program", "notes.txt"])
def test_one_that_is_missing_or_no_program_is_told(tmp_path, name):
    (tmp_path / "notes.txt").write_text("no program")
    name = f"./{name}" if name == "notes.txt" else name
    with pytest.raises(ProviderUnusableError) as caught:
        ask(Command(Program((name,), tmp_path, frozenset(), ""), estimate_tokens, SMALL))
    assert name.removeprefix("./") in caught.value.message


def test_words_are_no_shell(tmp_path):
    words = (sys.executable, "-c", "import sys; print(sys.argv[1:])", "$HOME; touch marker", "`touch marker`")
    found = ask(Command(Program(words, tmp_path, frozenset(), ""), estimate_tokens, SMALL))
    assert found.text == "['$HOME; touch marker', '`touch marker`']\n"
    assert not (tmp_path / "marker").exists()
