"""`edit replace --in SYMBOL`: the match is looked for in one declaration alone."""

import json

import pytest

SOURCE = """namespace A.B;
/// <summary>Find value.</summary>
public class Store<T>
{
    [Obsolete("value")] public int Value => value; int other = value;
    public int Find(string key) => value;
    public int Find(string key, Dictionary<string, int> é) { return value; }
    class Inner { int value; }
}
"""


@pytest.fixture
def edit(repo, cli):
    (repo / "a.cs").write_text(SOURCE, "utf-8")

    def run(*words, file="a.cs"):
        done = cli(repo, "edit", "replace", file, *words, "--json")
        return done.code, json.loads(done.out)

    return run


@pytest.mark.parametrize(
    ("symbol", "new", "where"),
    [
        ("Value", "1", "public int Value => 1; int other = value;"),
        ("Store.other", "2", "public int Value => value; int other = 2;"),
        ("Find(string)", "3", "Find(string key) => 3;"),
        ("A.B.Store.Find(string, Dictionary<string,int>)", "4", "é) { return 4; }"),
        ("Store<T>.Inner", "five", "class Inner { int five; }"),
    ],
)
def test_the_match_is_sought_in_one_declaration(edit, repo, symbol, new, where):
    code, told = edit("--old", "value", "--new", new, "--in", symbol)
    assert (code, told["status"]) == (0, "Success")
    text = (repo / "a.cs").read_text("utf-8")
    assert where in text
    assert len(text) - len(SOURCE) == len(new) - len("value")


def test_candidates_and_near_passages_are_of_the_declaration(edit):
    code, told = edit("--old", "Find", "--new", "Seek", "--in", "Store")
    assert (code, told["metrics"]["selection_count"]) == (1, 2)
    code, told = edit("--old", "VALUE", "--new", "x", "--in", "Inner")
    assert (code, told["status"]) == (1, "NoMatch")
    assert [(each["line"], each["preview"]) for each in told["nearest"]] == [(8, "value")]


@pytest.mark.parametrize(
    ("symbol", "code", "said"),
    [("Find", "AmbiguousSymbol", "several Find"), ("Gone", "SymbolNotFound", "does not declare Gone")],
)
def test_what_is_not_one_declaration_is_refused(edit, repo, symbol, code, said):
    exit_code, told = edit("--old", "value", "--new", "x", "--in", symbol)
    assert (exit_code, told["error"]["code"]) == (3, code)
    assert said in told["error"]["message"]
    assert (repo / "a.cs").read_text("utf-8") == SOURCE


def test_other_files_declare_nothing(edit):
    assert edit("--old", "notes", "--new", "x", "--in", "Store", file="notes.txt")[1]["error"]["code"] == "UsageError"
