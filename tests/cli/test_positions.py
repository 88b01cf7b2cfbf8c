"""A positional property that a base record has already is not invented again; the same warm, cold and after edits."""

import pytest

from tests.cli.conftest import PROJECT, ask, commit_files

FILES = {
    "src/App/App.csproj": PROJECT,
    "src/App/Base.cs": (
        "namespace App;\npublic abstract record Base(int A) { public int F; public abstract int Ab { get; init; }\n"
        "  private int Own { get; } protected int Pt { get; set; } internal int In { get; set; } }\n"
    ),
    "src/App/Middle.cs": "namespace App;\npublic abstract record Middle(int A) : Base(A);\n",
    "src/App/Heir.cs": (
        "namespace App;\n"
        "public record Heir(int A, int F, int Ab, int Own, int Pt, int In, string S) : Middle(A);\n"
        "public interface IA { int A { get; } }\n"
        "public record Alone(int A) : IA;\n"
        "public record Declares(int A) { public int A { get; } }\n"
        "public record Generic<T>(T A);\npublic record OfGeneric(int A) : Generic<int>(A);\n"
    ),
    "src/App/Use.cs": "namespace App;\nclass Use { int M(Heir h) => h.A; }\n",
}
EXPECTED = {
    "App.Base": ["A"],
    "App.Middle": [],
    "App.Heir": ["Ab", "Own", "S"],
    "App.Alone": ["A"],
    "App.Declares": [],
    "App.Generic`1": ["A"],
    "App.OfGeneric": [],
}


@pytest.fixture
def records(tmp_path, git, cli):
    return commit_files(tmp_path / "records", FILES, git, cli)


def invented(cli, root):
    """The properties of records that no declaration of theirs has: those from positions are written in their head."""
    found = {}
    for each in ask(cli, root, "index", "--members")["types"]:
        if each["kind"] == "record":
            names = [m["name"] for m in each["members"] if m["kind"] == "property" and not m["implicit"]]
            declared = FILES["src/App/Base.cs"] if each["fqn"] == "App.Base" else ""
            own = {"Ab", "Own", "Pt", "In"} if declared else {"A"} if each["fqn"] == "App.Declares" else set()
            found[each["fqn"]] = sorted(set(names) - own)
    return found


def members_told(cli, root, name):
    """The members of a type as questions tell them."""
    return cli(root, "outline", name).out, ask(cli, root, "search", f"{name}.*")["hits"]


def test_what_a_base_has_is_not_invented_again(records, cli):
    assert invented(cli, records) == EXPECTED


def test_questions_say_the_same(records, cli):
    cli(records, "refresh")
    outline = cli(records, "outline", "App.Heir").out
    assert "public string S { get; init; }" in outline
    assert "int A {" not in outline
    (committed,) = [
        text for file in (records / ".codecortex/types").rglob("*.md") if "# App.Heir " in (text := file.read_text())
    ]
    assert committed == outline
    rows = ask(cli, records, "usages", "App.Base.A")["usages"]
    assert ("src/App/Use.cs", "exact") not in {(row["file"], row["label"]) for row in rows if row.get("means")}
    assert not [row for row in rows if row["file"] == "src/App/Use.cs" and row.get("means")]


STEPS = {
    "the base loses it": ("src/App/Base.cs", "record Base(int A)", "record Base(int B)"),
    "the base gets another": ("src/App/Base.cs", "public int F;", "public int F; public string S;"),
    "the base is no base any more": ("src/App/Middle.cs", " : Base(A)", ""),
    "the heir changes": ("src/App/Heir.cs", "string S)", "string S, int T)"),
    "another type takes the base's name": ("src/App/Use.cs", "class Use", "public record Middle2(int S); class Use"),
    "a body changes": ("src/App/Base.cs", "public int F;", "public int F = 1;"),
}


@pytest.mark.parametrize("step", STEPS)
def test_an_edit_is_told_as_if_nothing_was_remembered(records, cli, step):
    path, old, new = STEPS[step]
    cli(records, "refresh")
    members_told(cli, records, "App.Heir")
    file = records / path
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    warm = members_told(cli, records, "App.Heir")
    assert cli(records, "refresh").code == 0
    files = {each: each.read_bytes() for each in (records / ".codecortex").rglob("*") if each.is_file()}
    assert cli(records, "refresh", "--full").code == 0
    assert files == {each: each.read_bytes() for each in (records / ".codecortex").rglob("*") if each.is_file()}
    (records / ".git/codecortex/cache.sqlite").unlink()
    assert warm == members_told(cli, records, "App.Heir")
