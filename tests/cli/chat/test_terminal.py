"""`codecortex chat` in a real terminal: where the cursor stands, what keys do, and what outlives a kill."""

import json
import os
import random
import signal
import sys
import unicodedata

import pytest

from codecortex.git.repository import open_repository
from codecortex.operations.context.rounds.files import lock_conversations
from tests.cli.conftest import read_prompts

POSITIONS = int(os.environ.get("CODECORTEX_CURSORS", "12"))
SEED = int(os.environ.get("CODECORTEX_SEED", "20"))
ALPHABET = ["a", "b", "z", ".", "é", "e\u0301", "u\u0308", "世", "界", "한", "\uff37", "🎉", "🚀", "\t", "\n"]
SIZES = [(40, 24), (80, 24), (200, 50)]
MARGIN, TITLE = 2, "== chat =="
MEASURE = """
import os, sys, termios, tty
tty.setraw(0)
told = []
for line in open(sys.argv[1], encoding="utf-8").read().split("\\n"):
    os.write(1, ("\\r\\x1b[2K" + line + "\\x1b[6n").encode())
    answer = b""
    while not answer.endswith(b"R"):
        answer += os.read(0, 1)
    told.append(str(int(answer.rpartition(b";")[2][:-1]) - 1))
open(sys.argv[2], "w").write(" ".join(told))
"""


@pytest.fixture
def shop(shop, cli):
    assert cli(shop, "refresh").code == 0
    return shop


def measure(text):
    """The columns of a text of the alphabet."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def expand(line):
    """A line with its tabs as they are shown."""
    shown = ""
    for char in line:
        shown += " " * (4 - measure(shown) % 4) if char == "\t" else char
    return shown


class Editor:
    """What a line editor does to a text: the model that the box is compared with."""

    def __init__(self):
        self.text, self.place, self._column = "", 0, None

    @property
    def before(self):
        return self.text[: self.place]

    def insert(self, text):
        self.text = f"{self.before}{text}{self.text[self.place :]}"
        self.place, self._column = self.place + len(text), None

    def press(self, key):
        start = self.before.rfind("\n") + 1
        end = self.text.find("\n", self.place) % (len(self.text) + 1)
        column = self.place - start
        if key in ("Up", "Down"):
            wanted = self._column or column
            line = self.before.count("\n") + (1 if key == "Down" else -1)
            lines = self.text.split("\n")
            if 0 <= line < len(lines):
                self.place = sum(len(each) + 1 for each in lines[:line]) + min(wanted, len(lines[line]))
                self._column = wanted
            return
        self._column = None
        if key == "BSpace" and self.place:
            self.text, self.place = self.text[: self.place - 1] + self.text[self.place :], self.place - 1
        elif key == "DC":
            self.text = self.before + self.text[self.place + 1 :]
        else:
            moves = {"Left": max(start, self.place - 1), "Right": min(end, self.place + 1), "C-a": start, "C-e": end}
            self.place = moves.get(key, self.place)


def find_prefixes(terminal, editor):
    """What may stand before the cursor on its row if the screen is right, with the column; empty where it is wrong."""
    screen, (column, row) = terminal.screen(), terminal.cursor()
    titles = [number for number, line in enumerate(screen) if line == TITLE]
    if len(titles) != 1 or row <= titles[0]:
        return []
    above = "".join(line[MARGIN:] for line in screen[titles[0] + 1 : row]).replace(" ", "")
    current = screen[row][MARGIN:] + " " * 240
    line, whole = expand(editor.before.rpartition("\n")[2]), "".join(map(expand, editor.before.split("\n")))
    found = []
    for end in range(len(current)):
        prefix = current[:end]
        fits = line.endswith(prefix) and whole.replace(" ", "").endswith(above + prefix.replace(" ", ""))
        if fits and MARGIN + measure(prefix) == column and (prefix or line == "" or above):
            found.append((" " * MARGIN + prefix, column))
    return found


def test_the_cursor_stands_where_the_terminal_has_it(terminal, tmp_path):
    chance, editor, seen = random.Random(SEED), Editor(), []  # noqa: S311 - nothing secret
    terminal.start("--title", TITLE)
    for number in range(POSITIONS):
        if number % 10 == 5:
            terminal.resize(*chance.choice(SIZES))
        for _ in range(chance.randint(1, 4)):
            if chance.random() < 0.6:
                text = "".join(chance.choices(ALPHABET, k=chance.choice([1, 3, 60])))
                editor.insert(text)
                terminal.paste(text)
            else:
                key = chance.choice(["Left", "Right", "C-a", "C-e", "Up", "Down", "BSpace", "DC"])
                editor.press(key)
                terminal.keys(key)
        seen += terminal.wait(lambda: terminal.kept() == editor.text and find_prefixes(terminal, editor))
    assert len(seen) >= POSITIONS
    given, told = tmp_path / "rows", tmp_path / "columns"
    given.write_text("\n".join(prefix for prefix, _ in seen), "utf-8")
    terminal.open(f"exec {sys.executable} -c '{MEASURE}' {given} {told}", "-x", "300", "-y", "24")  # wider than any row
    terminal.wait(lambda: told.exists() and len(told.read_text().split()) == len(seen))
    assert [int(each) for each in told.read_text().split()] == [column for _, column in seen]


def test_joiners_and_flags_stay_as_they_are_and_the_row_is_drawn_right(terminal):
    text = "👨\u200d👩\u200d👧 🇩🇪 ❤\ufe0f 👍🏽 x"
    terminal.start()
    terminal.paste(text)
    terminal.wait(lambda: terminal.kept() == text and terminal.shows("DE"))
    terminal.keys("C-a")
    terminal.type("ab")
    terminal.keys("C-e")
    terminal.type("!")
    terminal.wait(lambda: terminal.kept() == f"ab{text}!" and terminal.shows("x!"))
    assert terminal.screen()[0] == "> ab👨👩👧 DE ❤ 👍 x!"


def test_a_paste_of_many_lines_is_taken_and_the_cursor_seen(terminal):
    text = "\n".join(f"line {number} 世界" for number in range(2000))
    terminal.start(height=30)
    terminal.paste(text)
    terminal.wait(lambda: terminal.kept() == text and terminal.shows("line 1999"))
    terminal.keys(*["Up"] * 10)  # of the ten rows, so that the last one scrolls
    terminal.wait(lambda: "line 1989" in terminal.screen()[terminal.cursor()[1]])
    assert terminal.cursor()[1] == 6, "two thirds of the box"
    terminal.keys("C-c", "C-c")
    terminal.wait(lambda: terminal.shows("LEFT 0"))


@pytest.mark.slow
def test_what_was_typed_is_there_after_a_kill(terminal):
    terminal.start()
    terminal.paste("first 世界\n\tsecond")
    terminal.type(" third")
    terminal.wait(lambda: terminal.kept().endswith("third") and terminal.shows("third"))
    os.kill(terminal.pid(), signal.SIGKILL)
    terminal.wait(lambda: terminal.shows("LEFT 137"))
    terminal.start()
    terminal.wait(lambda: terminal.shows("  second third"))
    assert terminal.screen()[0] == "> first 世界"
    assert terminal.cursor() == (MARGIN + 4 + len("second third"), 1)
    terminal.keys("C-d", "C-c", "C-c")
    terminal.wait(lambda: terminal.shows("LEFT 0"))
    assert terminal.kept() == "first 世界\n\tsecond third"


@pytest.mark.slow
def test_an_answer_is_shown_as_it_arrives_and_ctrl_c_stops_it(terminal, model, cli):
    model("# Title\n\nSome **bold** words,\nand more that is not whole wait", "Done.")
    terminal.start()
    terminal.type("How does Store count?")
    terminal.keys("Enter")
    terminal.wait(lambda: terminal.shows("Some **bold** words,"))
    assert terminal.shows("Title")
    assert not terminal.shows("# Title"), "it is whole, and so rendered"
    terminal.keys("C-c")
    terminal.wait(lambda: terminal.shows("Some bold words, and more that is not whole"))
    terminal.wait(lambda: terminal.shows("tokens in, "))
    (round_,) = json.loads(cli(terminal.root, "conversation", "show", "chat", "--json").out)["rounds"]
    assert round_["answer"]["text"].startswith("# Title")
    spent = round_["answer"]["spent"]
    assert spent["tokensIn"] > spent["tokensOut"] > 0, "it was stopped, and has to be paid"
    terminal.wait(lambda: terminal.shows("Ctrl-C again leaves"))
    terminal.type("and now\\")
    terminal.keys("Enter")
    terminal.type("more?")
    terminal.wait(lambda: terminal.kept() == "and now\nmore?")
    terminal.keys("Enter")
    terminal.wait(lambda: terminal.shows("Done."))
    terminal.wait(lambda: terminal.kept() == "")
    terminal.type("/qu")
    terminal.keys("Tab")
    terminal.wait(lambda: terminal.shows("> /quit"))
    terminal.keys("Enter", "Enter")
    terminal.wait(lambda: terminal.shows("LEFT 0"))


def test_what_is_typed_during_an_answer_shows_in_the_next_box_alone(terminal, model):
    model("A beginning wait", "Done.")
    terminal.start()
    terminal.type("How does Store count?")
    terminal.keys("Enter")
    terminal.wait(lambda: terminal.shows("A beginning"))
    terminal.type("typed early")
    terminal.keys("C-c")
    terminal.wait(lambda: terminal.shows("> typed early"))
    assert "\n".join(terminal.screen()).count("typed") == 1


def test_ctrl_c_before_the_first_word_of_an_answer_gives_the_message_back(terminal, model, cli):
    folder = model("wait", "Done.")
    terminal.start()
    terminal.type("How does Store count?")
    terminal.keys("Enter")
    terminal.wait(lambda: len(read_prompts(folder)) == 1)
    terminal.keys("C-c")
    terminal.wait(lambda: terminal.shows("error: Stopped"))
    terminal.wait(lambda: terminal.shows("0 tokens in, 0 out"))
    terminal.wait(lambda: terminal.kept() == "How does Store count?")
    terminal.wait(lambda: terminal.shows("Ctrl-C again leaves"))
    terminal.keys("Enter")
    terminal.wait(lambda: terminal.shows(" 2 out; all:"))
    shown = json.loads(cli(terminal.root, "conversation", "show", "chat", "--json").out)
    assert [each["answer"] and each["answer"]["text"] for each in shown["rounds"]] == [None, "Done."]


def test_ctrl_c_twice_leaves_while_a_model_answers(terminal, model):
    model("A beginning wait")
    terminal.start()
    terminal.type("How does Store count?")
    terminal.keys("Enter")
    terminal.wait(lambda: terminal.shows("A beginning"))
    terminal.keys("C-c")
    terminal.wait(lambda: terminal.shows("error: Stopped"))
    terminal.keys("C-c")
    terminal.wait(lambda: terminal.shows("LEFT 0"))


def test_ctrl_c_before_anything_is_sent_gives_the_message_back(terminal, model):
    folder = model("Never asked.")
    terminal.start()
    terminal.type("How does Store count?")
    with lock_conversations(open_repository(terminal.root)):  # which a round waits for
        terminal.keys("Enter")
        terminal.wait(lambda: not terminal.shows("session chat"))
        terminal.keys("C-c")
        terminal.wait(lambda: terminal.shows("interrupted; nothing was sent"))
    terminal.wait(lambda: terminal.shows("Ctrl-C again leaves"))
    assert terminal.kept() == "How does Store count?"
    terminal.keys("C-c")
    terminal.wait(lambda: terminal.shows("LEFT 0"))
    assert read_prompts(folder) == []


def test_names_are_completed(terminal):
    terminal.start()
    terminal.type("Look at @Store.Ad")
    terminal.wait(lambda: terminal.shows("src/Core/Store.Adding.cs"))
    terminal.keys("Tab")
    terminal.wait(lambda: terminal.kept() == "Look at @src/Core/Store.Adding.cs")
    terminal.type(" and #IStore.C")
    terminal.wait(lambda: terminal.shows("IStore.Count"))
    terminal.keys("Tab", "Enter")
    terminal.wait(lambda: terminal.kept() == "Look at @src/Core/Store.Adding.cs and #IStore.Count")
    assert not terminal.shows("tokens in, ")


def test_a_terminal_that_cannot_move_its_cursor_reads_lines(terminal, model, source):
    model("**Bold** answer.")
    command = f"TERM=dumb PYTHONPATH={source} {sys.executable} -m codecortex chat; echo LEFT $?; sleep 999"
    terminal.open(command, "-x", "80", "-y", "24")
    terminal.wait(lambda: terminal.shows(">"))
    terminal.type("How does Store \\")
    terminal.keys("Enter")
    terminal.type("count?")
    terminal.keys("Enter")
    terminal.wait(lambda: terminal.shows("**Bold** answer.") and terminal.shows("tokens in, "))
    terminal.type("/quit")
    terminal.keys("Enter")
    terminal.wait(lambda: terminal.shows("LEFT 0"))
