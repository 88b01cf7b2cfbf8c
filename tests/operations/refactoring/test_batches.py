"""Batches: edits made one on the other, compiled together, and written at once, or not at all and kept in a session."""

import gc
import json
import os
import sys
from pathlib import Path

import pytest

from codecortex.analysis.binding.bind import Program
from codecortex.cli.main import main
from codecortex.operations.bindings import memory
from codecortex.operations.refactoring.rename import rename
from codecortex.operations.refactoring.results import EditRequest
from codecortex.operations.request import Request

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>
<TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>
"""
FILES = {
    "App.csproj": PROJECT,
    "store.cs": "namespace N;\nclass Store\n{\n    public int Count;\n    public void Find() { }\n}\n",
    "user.cs": "namespace N;\r\nclass User { void M(Store s) { s.Find(); s.Count++; } }\r\n",
}
RENAME = {"verb": "rename", "symbol": "Store.Find", "name": "Look"}
RENAME_TYPE = {"verb": "rename", "symbol": "N.Store", "name": "Shop"}
INSERT = {"verb": "member insert", "symbol": "N.Shop", "text": "public int Size;"}
WRONG = {"verb": "member remove", "symbol": "N.Shop.Nothing"}
# Stands in for an SDK: whatever source says BROKEN has an error, unless one says MENDED.
DOTNET = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
if words[0] == "--version":
    print("10.0.100")
elif words[0] == "msbuild":
    sources = sorted(map(str, pathlib.Path(words[1]).parent.glob("*.cs")))
    given = [{{"Identity": each}} for each in ["/target:library", *sources]]
    print(json.dumps({{"Items": {{"CscCommandLineArgs": given}}, "Properties": {{"ProjectAssetsFile": ""}}}}))
else:
    pathlib.Path({ran!r}).open("a").write("csc\\n")
    lines = [each.strip().strip('"') for each in open(words[-1][1:])]
    texts = {{each: open(each, newline="").read() for each in lines if each.endswith(".cs")}}
    mended = any("MENDED" in text for text in texts.values())
    found = [(file, number) for file, text in texts.items()
             for number, line in enumerate(text.split("\\n"), 1) if "BROKEN" in line and not mended]
    for file, number in found:
        print(f"{{file}}({{number}},1): error CS0001: it is broken")
    for each in lines if not found else ():
        if each.startswith(("/out:", "/refout:")):
            pathlib.Path(each.partition(":")[2].strip('"')).write_text("".join(texts.values()))
    sys.exit(bool(found))
"""


@pytest.fixture
def shop(tmp_path, git):
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "-q")
    for path, text in FILES.items():
        (root / path).write_bytes(text.encode())
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "shop")
    return root


@pytest.fixture
def batch(shop, capsys, tmp_path):
    def run(edits, *words):
        file = tmp_path / "edits.json"
        file.write_text(json.dumps(edits), "utf-8")
        capsys.readouterr()
        main(["-C", str(shop), "refactor", "batch", str(file), "--json", *words])
        return json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def compiler(shop, tmp_path, monkeypatch, capsys):
    """A program in place of `dotnet` that the user trusts; gives how often it compiled."""
    if sys.platform == "win32":
        pytest.skip("stands in for `dotnet` with a script")
    folder, ran = tmp_path / "sdk", tmp_path / "ran.txt"
    place = folder / "sdk" / "10.0.100" / "Roslyn" / "bincore"
    place.mkdir(parents=True)
    (place / "csc.dll").touch()
    (folder / "dotnet").write_text(DOTNET.format(python=sys.executable, ran=str(ran)))
    (folder / "dotnet").chmod(0o755)
    monkeypatch.setenv("DOTNET_ROOT", str(folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert main(["-C", str(shop), "trust", "--build"]) == 0
    capsys.readouterr()
    return lambda: len(ran.read_text().splitlines()) if ran.exists() else 0


def read(root):
    return {path.name: path.read_bytes() for path in Path(root).iterdir() if path.suffix == ".cs"}


def ask(root, capsys, *words):
    capsys.readouterr()
    code = main(["-C", str(root), *words])
    return code, capsys.readouterr()


BEFORE = {path: text.encode() for path, text in FILES.items() if path.endswith(".cs")}
AFTER = {
    "store.cs": b"namespace N;\nclass Shop\n{\n    public int Count;\n    public void Look() { }\n\n"
    b"    public int Size;\n}\n",
    "user.cs": b"namespace N;\r\nclass User { void M(Shop s) { s.Look(); s.Count++; } }\r\n",
}


def test_each_edit_stands_on_the_one_before_and_all_are_written_and_taken_back_at_once(batch, shop, capsys):
    planned = batch([RENAME, RENAME_TYPE, INSERT])
    assert (planned["verb"], planned["target"], planned["state"]) == ("batch", "3 edits", "planned")
    assert [each["target"] for each in planned["made"]] == ["N.Store.Find()", "N.Store", "N.Shop"]
    assert planned["patch"].count("diff --git") == 2
    assert read(shop) == BEFORE
    assert planned["session"] is None
    assert "no session" in ask(shop, capsys, "session", "list")[1].out

    done = batch([RENAME, RENAME_TYPE, INSERT], "--write")
    assert (done["state"], done["patch"], done["edits"]) == ("done", planned["patch"], planned["edits"])
    assert read(shop) == AFTER
    assert "no session" in ask(shop, capsys, "session", "list")[1].out
    ask(shop, capsys, "refactor", "undo")
    assert read(shop) == BEFORE


def test_what_git_does_not_know_yet_is_written_too(batch, shop):
    (shop / "late.cs").write_text("namespace N;\nclass Late { void M(Store s) => s.Find(); }\n")
    batch([RENAME], "--write")
    assert "s.Look()" in (shop / "late.cs").read_text()


def test_an_edit_that_cannot_be_made_is_named_and_the_others_are_kept(batch, shop):
    error = batch([RENAME, WRONG, RENAME_TYPE, INSERT], "--write")["error"]
    assert (error["code"], error["session"]) == ("EditRefused", "batch")
    assert [(each["number"], each["error"]["code"]) for each in error["rejected"]] == [(2, "SymbolNotFound")]
    assert [each["number"] for each in error["made"]] == [1, 3, 4]
    assert "edit 2 (member remove N.Shop.Nothing)" in error["message"]
    assert read(shop) == BEFORE
    done = batch([{"verb": "usings", "symbol": "store.cs"}], "--session", "batch", "--write")
    assert (done["state"], done["session"]) == ("done", "batch")
    assert read(shop) == AFTER


def test_candidates_have_to_be_chosen(batch, shop):
    (shop / "user.cs").write_bytes(b"class D { void M(dynamic d) => d.Find(); }\n")
    (rejected,) = batch([RENAME])["error"]["rejected"]
    assert (rejected["error"]["code"], len(rejected["candidates"])) == ("EditNotChosen", 1)
    chosen = {**RENAME, "include": [rejected["candidates"][0]["id"]]}
    assert "d.Look()" in batch([chosen])["patch"]


def test_versions_of_a_session_are_kept_and_merged(batch, shop, capsys):
    assert batch([RENAME, RENAME_TYPE], "--session", "try")["session"] == "try"
    assert batch([INSERT], "--session", "try")["state"] == "done"
    assert read(shop) == BEFORE
    assert ask(shop, capsys, "session", "merge", "try")[0] == 0
    assert read(shop) == AFTER


def test_nothing_is_written_over_what_changed_meanwhile(batch, shop):
    batch([RENAME], "--session", "try")
    (shop / "user.cs").write_bytes(BEFORE["user.cs"] + b"// mine\n")
    error = batch([RENAME_TYPE], "--session", "try", "--write")["error"]
    assert (error["code"], "user.cs was changed" in error["message"]) == ("ExternalConflict", True)
    assert read(shop)["store.cs"] == BEFORE["store.cs"]


def test_line_ends_that_git_converts_are_those_of_the_disk(batch, shop, git, capsys):
    git(shop, "config", "core.autocrlf", "true")
    (shop / "store.cs").write_bytes(BEFORE["store.cs"].replace(b"\n", b"\r\n"))
    git(shop, "add", "--renormalize", ".")
    git(shop, "commit", "-q", "-m", "normal")
    assert batch([RENAME], "--write")["state"] == "done"
    assert read(shop)["store.cs"] == BEFORE["store.cs"].replace(b"\n", b"\r\n").replace(b"Find", b"Look")
    ask(shop, capsys, "refactor", "undo")
    assert read(shop)["store.cs"] == BEFORE["store.cs"].replace(b"\n", b"\r\n")


BAD = {
    "[": "is not JSON",
    "[" * 50_000: "is not JSON",
    '{"verb": "rename"': ":1 is not JSON",
    "[]": "has no edits",
    "[1]": "edit 1 is no object",
    '[{"verb": "fly"}]': "edit 1: 'fly' is no verb",
    '[{"verb": "rename", "symbol": "A"}]': "edit 1: rename needs 'name'",
    '[{"verb": "member remove", "symbol": "A", "text": "x"}]': "takes no 'text'",
    '[{"verb": "rename", "symbol": 1, "name": "x"}]': "'symbol' of rename has to be a string",
}


@pytest.mark.parametrize("text", BAD, ids=BAD.values())
def test_a_batch_that_is_none_is_refused_with_the_place(shop, capsys, tmp_path, text):
    (tmp_path / "edits.json").write_text(text)
    code, said = ask(shop, capsys, "refactor", "batch", str(tmp_path / "edits.json"))
    assert code == 2
    assert BAD[text] in said.err


# -- with a compiler


def insert(number, text):
    return {"verb": "member insert", "symbol": "N.Store", "text": f"public int M{number}; // {text}"}


@pytest.mark.slow
def test_of_ten_edits_the_one_that_does_not_compile_is_named_and_the_others_are_kept(batch, shop, compiler):
    edits = [insert(number, "BROKEN" if number == 6 else "fine") for number in range(1, 11)]
    error = batch(edits, "--write")["error"]
    (rejected,) = error["rejected"]
    assert (rejected["number"], error["session"]) == (6, "batch")
    assert "store.cs:12:1: CS0001" in rejected["error"]["message"]
    assert [each["number"] for each in error["made"]] == [1, 2, 3, 4, 5, 7, 8, 9, 10]
    assert (error["compiled"]["done"], read(shop)) == (True, BEFORE)
    before = compiler()
    done = batch([insert(6, "fine")], "--session", "batch", "--write")
    assert (done["state"], done["compiled"]["done"]) == ("done", True)
    assert compiler() == before + 1
    text = (shop / "store.cs").read_text()
    assert all(f"M{number};" in text for number in range(1, 11))


@pytest.mark.slow
def test_an_edit_may_mend_what_an_earlier_one_broke(batch, compiler):
    assert batch([insert(1, "BROKEN"), insert(2, "MENDED")])["state"] == "planned"
    error = batch([insert(1, "fine"), insert(2, "BROKEN"), insert(3, "fine"), insert(4, "BROKEN")])["error"]
    assert [each["number"] for each in error["rejected"]] == [2, 4]
    assert compiler()


@pytest.mark.skipif(os.name == "nt", reason="stands in for `dotnet` with a script")
def test_a_session_that_did_not_compile_before_is_told(batch, shop, compiler):
    (shop / ".codecortex").mkdir()
    (shop / ".codecortex" / "config.yaml").write_text("edit:\n  compile: off\n")
    batch([insert(1, "BROKEN")], "--session", "try")
    (shop / ".codecortex" / "config.yaml").write_text("edit:\n  compile: auto\n")
    error = batch([insert(2, "fine")], "--session", "try")["error"]
    assert "Session try does not compile as it was: store.cs:7:1: CS0001" in error["message"]
    assert compiler()


@pytest.mark.slow
def test_a_process_that_lasts_keeps_nothing_that_earlier_calls_declared(shop, monkeypatch):
    monkeypatch.setattr(memory, "_MANY_BLOCKS", 0)  # in a shop as small as this one
    gc.collect()
    for _ in range(5):
        rename(EditRequest(Request(shop)), "Store.Find", "Look")
    assert sum(isinstance(each, Program) for each in gc.get_objects()) <= 2


def test_every_verb_that_stands_for_itself_goes_into_a_batch(batch):
    edits = [
        {"verb": "extract-interface", "symbol": "N.Store", "name": "IStore", "members": ["Find"]},
        {"verb": "signature", "symbol": "N.Store.Find", "add": "int most", "argument": "1"},
        {"verb": "move", "symbol": "N.IStore", "namespace": "N.Kept"},
    ]
    done = batch(edits, "--write")
    assert (done.get("state"), done.get("error")) == ("done", None)
    assert "s.Find(1)" in done["patch"]
    assert "namespace N.Kept" in done["patch"]
