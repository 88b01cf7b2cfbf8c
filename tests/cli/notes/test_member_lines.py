"""Lines on members in notes: written once, and asked for anew where a body changed, that line alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.notes.test_agent import NO_CHANGE, WHOLE, answer, ask, edit, show

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Cli

SOURCE = "src/Core/Ledger.cs"
METHODS = 40
ADD_7 = "    public int Add7(int amount)"


def write_method(number: int) -> str:
    return (
        f"    public int Add{number}(int amount)\n    {{\n"
        f'        if (amount < {number}) throw new System.ArgumentException("below {number}");\n'
        f"        _total += amount * {number};\n        _entries.Add(amount);\n        return _total;\n    }}\n"
    )


LEDGER = (
    "namespace Shop.Core;\n\n/// <summary>Adds amounts up.</summary>\npublic class Ledger\n{\n    private int _total;\n"
    "    private readonly System.Collections.Generic.List<int> _entries = new();\n\n"
    + "\n".join(map(write_method, range(METHODS)))
    + "    private int Half() => _total / 2;\n    public int Total { get; set; }\n}\n"
)
LINES = "MEMBERS:\n" + "".join(f"- `Add{number}(int)`: Adds {number} times.\n" for number in range(METHODS))


@pytest.fixture
def ledger(shop: Path, cli: Cli, git: Callable[..., str]) -> Path:
    """A committed type of forty methods with a note that says something of each."""
    config = shop / ".codecortex/config.yaml"
    config.write_text(config.read_text() + "\nsemantics:\n  members: true\nllm:\n  provider: agent\n")
    (shop / SOURCE).write_text(LEDGER)
    git(shop, "add", "--all")
    assert cli(shop, "refresh").code == 0
    told = ask(cli, shop, "Ledger")
    assert answer(cli, shop, told["id"], f"{WHOLE}\n{LINES}").code == 0
    git(shop, "add", "--all")
    git(shop, "commit", "--quiet", "-m", "ledger")
    return shop


def told_of(shop: Path, cli: Cli) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in show(cli, shop, "Ledger")["note"]["members"]}


def test_a_body_that_changed_has_its_line_alone_asked_for(ledger: Path, cli: Cli) -> None:
    before = show(cli, ledger, "Ledger")["note"]
    whole = measure_whole(ledger, cli)
    edit(ledger, SOURCE, "_total += amount * 7;", "_total += amount * 70;")
    assert [name for name, each in told_of(ledger, cli).items() if each["changed"]] == ["Add7(int)"]
    told = ask(cli, ledger, "Ledger")
    assert told["tokens"] < whole * 0.15, (told["tokens"], whole)
    assert told["promptVersion"] == "members-1"
    assert "+        _total += amount * 70;" in told["prompt"].replace("+    _total", "+        _total")
    assert "Adds 7 times." in told["prompt"]
    assert "Add8" not in told["prompt"]
    refused = answer(cli, ledger, told["id"], WHOLE)
    assert (refused.code, "`MEMBERS:`" in refused.err) == (3, True), refused.err
    strange = answer(cli, ledger, told["id"], "MEMBERS:\n- `Add8(int)`: Adds 80 times.\n")
    assert "No line was asked for on `Add8(int)`." in strange.err
    done = answer(cli, ledger, told["id"], "Here it is:\n\nMEMBERS:\n- `Add7(int)`: Adds 70 times.\n", "--json")
    assert json.loads(done.out)["members"] == ["Add7(int)"]
    after = show(cli, ledger, "Ledger")["note"]
    assert (after["semanticState"], after["sections"]) == ("cached", before["sections"])
    lines = {each["name"]: each["text"] for each in after["members"]}
    assert lines == {each["name"]: each["text"] for each in before["members"]} | {"Add7(int)": "Adds 70 times."}


def measure_whole(shop: Path, cli: Cli) -> int:
    """The tokens of the prompt for the whole note."""
    (note,) = (shop / ".codecortex/semantic").glob("**/*.md")
    data = note.read_bytes()
    note.unlink()
    tokens = json.loads(cli(shop, "semantic", "prompt", "Ledger", "--json").out)["tokens"]
    note.write_bytes(data)
    return int(tokens)


def test_a_line_that_still_holds_is_confirmed(ledger: Path, cli: Cli) -> None:
    before = told_of(ledger, cli)
    edit(ledger, SOURCE, "_total += amount * 7;", "_total += 7 * amount;")
    assert answer(cli, ledger, ask(cli, ledger, "Ledger")["id"], NO_CHANGE).code == 0
    assert show(cli, ledger, "Ledger")["note"]["semanticState"] == "cached"
    assert told_of(ledger, cli) == before


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        (ADD_7, ADD_7.replace("int amount", "long amount"), "`Add7(long)`"),  # a signature
        ("_total / 2", "_total / 3", "Add7"),  # what is not visible, together with a body
        (ADD_7, write_method(99) + ADD_7, "`Add99(int)`"),  # a new member
    ],
)
def test_a_change_beyond_bodies_asks_for_the_note(ledger: Path, cli: Cli, old: str, new: str, wanted: str) -> None:
    edit(ledger, SOURCE, "_total += amount * 7;", "_total += amount * 70;")
    edit(ledger, SOURCE, old, new)
    told = ask(cli, ledger, "Ledger")
    assert told["promptVersion"] == "update-1"
    assert wanted in told["prompt"]
    kept = {name for name in told_of(ledger, cli) if name.partition("(")[0] not in ("Add7", "Add99")}
    assert answer(cli, ledger, told["id"], "ROLE:\nAdds up.\n").code == 0
    assert kept <= told_of(ledger, cli).keys()
    assert "Add7(int)" not in told_of(ledger, cli) or "Add7(long)" not in (ledger / SOURCE).read_text()


def test_the_line_of_a_member_that_went_goes(ledger: Path, cli: Cli) -> None:
    edit(ledger, SOURCE, write_method(7), "")
    assert answer(cli, ledger, ask(cli, ledger, "Ledger")["id"], "ROLE:\nAdds up.\n").code == 0
    assert told_of(ledger, cli).keys() == {f"Add{number}(int)" for number in range(METHODS) if number != 7}


def test_what_a_person_wrote_of_a_member_is_theirs(ledger: Path, cli: Cli) -> None:
    (note,) = (ledger / ".codecortex/semantic").glob("**/*.md")
    note.write_text(note.read_text().replace("Adds 7 times.", "Adds seven times,\n  as the law says."))
    assert [name for name, each in told_of(ledger, cli).items() if each["edited"]] == ["Add7(int)"]
    edit(ledger, SOURCE, "_total += amount * 7;", "_total += amount * 70;")
    told = ask(cli, ledger, "Ledger")
    assert "A person wrote what the previous text says under `Add7(int)`" in told["prompt"]
    assert answer(cli, ledger, told["id"], NO_CHANGE).code == 0
    assert told_of(ledger, cli)["Add7(int)"]["text"] == "Adds seven times,\n  as the law says."
    assert told_of(ledger, cli)["Add7(int)"]["edited"]
    edit(ledger, SOURCE, "_total += amount * 70;", "_total += amount * 7;")
    kept = cli(ledger, "semantic", "generate", "Ledger", "--provider", "extract", "--replace", "agent")
    assert told_of(ledger, cli)["Add7(int)"]["text"] == "Adds seven times,\n  as the law says.", kept.out


def test_a_person_hands_a_line_in(ledger: Path, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_text("MEMBERS:\n- `Add7(int)`: Seven.\n")
    done = cli(ledger, "semantic", "put", "Ledger", str(file))
    assert (done.code, "MEMBERS written" in done.out) == (0, True), done.err
    assert told_of(ledger, cli)["Add7(int)"]["edited"]
    file.write_text("MEMBERS:\n- `Add700(int)`: Seven.\n")
    strange = cli(ledger, "semantic", "put", "Ledger", str(file))
    assert (strange.code, "no member Add700(int)" in strange.err) == (3, True), strange.err
    file.write_text("MEMBERS:\nSeven.\n")
    assert "'Seven.' is no line on a member" in cli(ledger, "semantic", "put", "Ledger", str(file)).err


def test_lines_are_of_format_two_and_come_and_go_with_the_setting(ledger: Path, cli: Cli) -> None:
    (note,) = (ledger / ".codecortex/semantic").glob("**/*.md")
    assert "\nFormat: 2\n" in note.read_text()
    config = ledger / ".codecortex/config.yaml"
    config.write_text(config.read_text().replace("members: true", "members: false"))
    edit(ledger, SOURCE, "_total += amount * 7;", "_total += amount * 70;")
    told = ask(cli, ledger, "Ledger")
    assert (told["promptVersion"], "MEMBERS:" in told["prompt"]) == ("update-1", False)
    assert answer(cli, ledger, told["id"], "ROLE:\nAdds up.\n").code == 0
    assert "Add7(int)" not in told_of(ledger, cli)  # it was about another body, and nobody was asked
    assert len(told_of(ledger, cli)) == METHODS - 1


def test_extracts_write_lines_from_documentation_and_throws(ledger: Path, cli: Cli) -> None:
    edit(ledger, SOURCE, ADD_7, "    /// <summary>Adds seven. Only once.</summary>\n" + ADD_7)
    done = cli(ledger, "semantic", "generate", "Ledger", "--provider", "extract", "--replace", "agent")
    assert done.code == 0, done.err
    told = told_of(ledger, cli)
    assert told["Add7(int)"]["text"] == "Adds seven. Throws `ArgumentException`."
    assert told["Add8(int)"]["text"] == "Throws `ArgumentException`."
    assert told.keys() == {f"Add{number}(int)" for number in range(METHODS)}


def test_a_plan_tells_how_many_members_have_a_line(ledger: Path, cli: Cli) -> None:
    edit(ledger, SOURCE, "_total += amount * 7;", "_total += amount * 70;")
    told = json.loads(cli(ledger, "semantic", "plan", "Ledger", "--json").out)
    assert told["members"] == {"members": METHODS, "lines": METHODS, "wanted": 1}
    assert (
        "40 of 40 members of these types have a line; 1 would be asked for."
        in cli(ledger, "semantic", "plan", "Ledger").out
    )
