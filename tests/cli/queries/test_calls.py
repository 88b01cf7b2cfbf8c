"""`codecortex callers`, `callees` and `graph --calls`."""

import pytest

from tests.cli.conftest import ask, commit_files

FILES = {
    "Shop/Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework>'
    "</PropertyGroup></Project>",
    "Shop/Steps.cs": (
        "namespace Shop;\n"
        "public interface IStep { void Run(); }\n"
        "public class First : IStep { public void Run() => Helper.Log(); }\n"
        "public class Second : IStep { public void Run() { Helper.Log(); Helper.Log(); } }\n"
        "public static class Helper { public static void Log() { } public static int Count { get; set; } }\n"
        "public class Desk { public void All(IStep step) { step.Run(); Helper.Count++; }"
        " public void One() => new First().Run(); }\n"
        "public class Main { public void Start() => new Desk().All(new Second()); }\n"
    ),
}


@pytest.fixture
def shop(tmp_path, git):
    return commit_files(tmp_path / "shop", FILES, git)


def edges(answer):
    return {(_short(e["source"]), _short(e["target"]), e["dispatch"], e["count"]) for e in answer["edges"]}


def _short(symbol):
    return symbol.partition("(")[0].removeprefix("M:Shop.").removeprefix("P:Shop.")


def test_callers_through_an_interface_are_told_apart(cli, shop):
    answer = ask(cli, shop, "callers", "Shop.First.Run")

    assert answer["direction"] == "callers"
    assert edges(answer) == {("Desk.One", "First.Run", False, 1), ("Desk.All", "First.Run", True, 1)}


def test_callers_some_steps_back(cli, shop):
    answer = ask(cli, shop, "callers", "Shop.Helper.Log", "--depth", "3")

    assert ("Second.Run", "Helper.Log", False, 2) in edges(answer)
    assert ("Main.Start", "Desk.All", False, 1) in edges(answer)
    assert {_short(n["id"]): n["distance"] for n in answer["nodes"]}["Main.Start"] == 3


def test_callees_with_what_may_answer(cli, shop):
    answer = ask(cli, shop, "callees", "Shop.Desk.All")

    assert edges(answer) == {
        ("Desk.All", "IStep.Run", False, 1),
        ("Desk.All", "First.Run", True, 1),
        ("Desk.All", "Second.Run", True, 1),
        ("Desk.All", "Helper.Count", False, 1),
    }
    assert answer == ask(cli, shop, "graph", "Shop.Desk.All", "--calls")


def test_no_override_answers_a_call_of_the_base(cli, tmp_path, git):
    text = "namespace Shop; public class A { public virtual void Go() { } public void Do() => Go(); }\n"
    text += "public class B : A { public override void Go() { base.Go(); } }\n"
    place = commit_files(tmp_path / "other", {**FILES, "Shop/Steps.cs": text}, git)

    assert edges(ask(cli, place, "callers", "Shop.B.Go")) == {("A.Do", "B.Go", True, 1)}
    assert edges(ask(cli, place, "callees", "Shop.B.Go")) == {("B.Go", "A.Go", False, 1)}


def test_a_place_names_the_member(cli, shop):
    assert edges(ask(cli, shop, "callers", "Shop/Steps.cs:4:58")) == edges(ask(cli, shop, "callers", "Shop.Helper.Log"))
    assert ask(cli, shop, "callees", "Shop/Steps.cs:6:57") == ask(cli, shop, "callees", "Shop.IStep.Run")
    assert ask(cli, shop, "usages", "Shop/Steps.cs:7:48")["symbol"]["name"] == "Shop.Desk"


def test_a_place_names_an_element_of_a_tuple(cli, tmp_path, git):
    text = "public class A { public (int Count, string Name) M() => (1, null); public int F() => M().Count; }\n"
    place = commit_files(tmp_path / "other", {**FILES, "Shop/Steps.cs": text}, git)

    answer = ask(cli, place, "usages", "Shop/Steps.cs:1:90")
    assert answer == ask(cli, place, "usages", "F:System.ValueTuple{System.Int32,System.String}.Count")
    assert 90 in [each["column"] for each in answer["usages"] if each["label"] == "exact"]


LEFT_OUT = (
    "namespace Shop;\npublic class A {\n#if A\n#elif OLD // then\n  void B() { Gone(); }\n#endif\n}\n"
    "#if OLD\nclass Gone { }\n#endif\n"
)


def test_code_that_is_not_compiled_is_told_by_its_directive(cli, tmp_path, git):
    place = commit_files(tmp_path / "other", {**FILES, "Shop/Steps.cs": LEFT_OUT}, git)

    assert "Shop/Steps.cs:5:14 is not compiled (#elif OLD)." in cli(place, "usages", "Shop/Steps.cs:5:14").err
    told = cli(place, "outline", "Gone").err
    assert "It stands in Shop/Steps.cs:9, which is not compiled (#if OLD): --define or --tfm reads it." in told
    assert "not compiled (#elif OLD)" in cli(place, "resolve", "A.B").err
    assert "not compiled" not in cli(place, "resolve", "Nope.B").err
    assert cli(place, "outline", "Gone", "--define", "OLD").code == 0
    for verb in (["move", "--to-namespace", "N"], ["rename", "New"]):
        done = cli(place, "refactor", verb[0], "Shop/Steps.cs:9:7", *verb[1:])
        assert "Shop/Steps.cs:9:7 is not compiled (#if OLD)." in done.err
    done = cli(place, "refactor", "extract-method", "Shop/Steps.cs:5:14-5:21", "M")
    assert "is not compiled (#elif OLD)." in done.err


WRONG = {
    "Shop/Steps.cs:1:1": "No name stands at Shop/Steps.cs:1:1.",
    "Shop/Steps.cs:6:43": "step at Shop/Steps.cs:6:43 is a parameter.",
    "Shop/Steps.cs:0:3": "Nothing is called 'Shop/Steps.cs:0:3'.",
    "Shop/None.cs:1:1": "Shop/None.cs is none of the sources.",
}


@pytest.mark.parametrize(("place", "told"), WRONG.items())
def test_a_place_that_names_none(cli, shop, place, told):
    for command in ("callers", "usages"):
        assert told in cli(shop, command, place).err


def test_types_are_written_as_in_code(cli, tmp_path, git):
    text = "using System; using System.Collections.Generic; public class A { public void M(string? s, int[] n, "
    text += "DateTime? d, Dictionary<int, List<bool>> m) { } public void F() => M(null, null, null, null); }\n"
    place = commit_files(tmp_path / "other", {**FILES, "Shop/Steps.cs": text}, git)

    shown = cli(place, "callers", "A.M").out.splitlines()
    assert shown[0] == "A.M(string, int[], DateTime?, Dictionary<int, List<bool>>)  (Shop/Steps.cs:1)"


def test_text_and_pictures(cli, shop):
    assert cli(shop, "callers", "Shop.Desk.All").out.splitlines() == [
        "Desk.All(IStep)  (Shop/Steps.cs:6)",
        "  Main.Start()  (Shop/Steps.cs:7)",
    ]
    assert cli(shop, "graph", "Shop.First.Run", "--calls", "--reverse").out.splitlines() == [
        "First.Run()  (Shop/Steps.cs:3)",
        "  Desk.One()  (Shop/Steps.cs:6)",
        "  Desk.All(IStep)  (Shop/Steps.cs:6, dispatch)",
    ]
    assert cli(shop, "callees", "Shop.Main.Start", "--format", "mermaid").out.startswith("flowchart LR\n")


def test_what_has_no_calls_is_refused(cli, shop):
    assert cli(shop, "callers", "Shop.Desk").code == 2
    assert cli(shop, "graph", "Shop.Desk.All", "--calls", "--kind", "structural").code == 2
    assert cli(shop, "callers", "Shop.Nothing").code == 3
