"""Callers and siblings of the best members, as `codecortex context` tells them."""

import json
import re

import pytest

from tests.cli.conftest import PROJECT, write_files

STORES = """namespace Shop;
public interface IBasket { void EmptyBasket(int days); }
public class Basket : IBasket
{
    public virtual void EmptyBasket(int days) { /* expired coupons are dropped when a basket is emptied */ }
    public void EmptyBasket(string coupon) { }
}
public class GiftBasket : Basket { public override void EmptyBasket(int days) { } }
public class GuestBasket : IBasket { void IBasket.EmptyBasket(int days) { } }
public class Bin { public void EmptyBasket(int days) { } }
"""
USES = """namespace Shop;
class ByClass { void Run(Basket basket) { basket.EmptyBasket(3); } }
class ByInterface
{
    IBasket held;
    void Run() { held.EmptyBasket(3); }
}
class ByBase { void Run(GiftBasket gift) { gift.EmptyBasket(3); } }
class OtherOverload { void Run(Basket basket) { basket.EmptyBasket(1, 2); } }
class Unrelated { void Run(Bin bin) { bin.EmptyBasket(3); } }
class ByVar { void Run() { var some = Outside.Make(); some.EmptyBasket(3); } }
class Telling { /* EmptyBasket */ string Run() => "EmptyBasket"; }
"""


@pytest.fixture
def near(tmp_path, git, cli):
    """Make a repository of files and return what is near each member that a question is about, by the member."""

    def run(files: dict[str, str], question: str, *options: str):
        root = tmp_path / "near"
        root.mkdir()
        git(root, "init", "--quiet")
        write_files(root, {"src/P/P.csproj": PROJECT} | files)
        git(root, "add", ".")
        told = json.loads(cli(root, "context", "--json", question, *options).out)
        return {
            each["of"]: {
                sort: [(one["name"], one["line"], one["exact"], one["through"]) for one in each[sort]]
                for sort in ("callers", "siblings")
            }
            for each in told["neighbours"]
        }

    return run


def names(rows):
    return {name for name, *_ in rows}


def test_callers_are_found_through_interfaces_and_never_those_of_another_member(near):
    found = near({"src/P/Stores.cs": STORES, "src/P/Uses.cs": USES}, "src/P/Stores.cs:5")["Basket.EmptyBasket"]
    assert ("ByInterface.Run", 6, True, "IBasket") in found["callers"]
    assert names(found["callers"]).isdisjoint({"Unrelated.Run", "Telling.Run"})
    assert ("ByVar.Run", 11, False, None) in found["callers"]


def test_of_an_overload_only_its_own_callers_are_exact(near):
    stores = STORES.replace("EmptyBasket(string coupon)", "EmptyBasket(string coupon, bool all)")
    uses = USES.replace("EmptyBasket(1, 2)", 'EmptyBasket("x", true)')
    found = near({"src/P/Stores.cs": stores, "src/P/Uses.cs": uses}, "src/P/Stores.cs:5")["Basket.EmptyBasket"]
    assert ("ByClass.Run", 2, True, None) in found["callers"]
    assert "OtherOverload.Run" not in names(found["callers"])


def test_overloads_that_take_as_many_are_told_by_name(near):
    found = near({"src/P/Stores.cs": STORES, "src/P/Uses.cs": USES}, "src/P/Stores.cs:5")["Basket.EmptyBasket"]
    assert ("ByClass.Run", 2, False, None) in found["callers"]


def test_callers_of_an_override_are_those_of_its_base(near):
    files = {
        "src/P/Shape.cs": "namespace N;\npublic abstract class Shape { public abstract int FindArea(); }\n",
        "src/P/Disc.cs": "namespace N;\nclass Disc : Shape { public override int FindArea() { return 3; } }\n",
        "src/P/Plain.cs": "namespace N;\nclass Plain : Shape { public override int FindArea() { return 1; } }\n",
        "src/P/Hidden.cs": "namespace N;\nclass Hidden : Shape { public new int FindArea() { return 2; } }\n",
        "src/P/Uses.cs": (
            "namespace N;\nclass Uses\n{\n    int Sum(Shape one) => one.FindArea();\n"
            "    int Own(Disc disc) => disc.FindArea();\n    int Not(Plain plain) => plain.FindArea();\n}\n"
        ),
    }
    found = near(files, "src/P/Disc.cs:2")["Disc.FindArea"]
    assert found["callers"] == [("Uses.Sum", 4, True, "Shape"), ("Uses.Own", 5, True, None)]
    assert set(found["siblings"]) == {("Shape.FindArea", 2, True, None), ("Plain.FindArea", 2, True, "Shape")}


def test_an_explicit_implementation_is_called_through_its_interface(near):
    found = near({"src/P/Stores.cs": STORES, "src/P/Uses.cs": USES}, "src/P/Stores.cs:9")["GuestBasket.EmptyBasket"]
    assert ("ByInterface.Run", 6, True, "IBasket") in found["callers"]
    assert "ByClass.Run" not in names(each for each in found["callers"] if each[2])


def test_a_call_of_another_overload_of_the_interface_is_no_call(near):
    files = {
        "src/P/Gates.cs": (
            "public interface IGate { void OpenGate(int a); void OpenGate(int a, int b); }\n"
            "class Gate : IGate\n{\n    public void OpenGate(int a) { }\n"
            "    public void OpenGate(int a, int b) { }\n}\n"
        ),
        "src/P/Uses.cs": (
            "class Uses\n{\n    void One(IGate gate) { gate.OpenGate(1); }\n"
            "    void Two(IGate gate) { gate.OpenGate(1, 2); }\n}\n"
        ),
    }
    assert near(files, "src/P/Gates.cs:4")["Gate.OpenGate"]["callers"] == [("Uses.One", 3, True, "IGate")]


def test_siblings_implement_the_same_interface(near):
    found = near({"src/P/Stores.cs": STORES}, "src/P/Stores.cs:5")["Basket.EmptyBasket"]
    assert set(found["siblings"]) == {
        ("IBasket.EmptyBasket", 2, True, None),
        ("GiftBasket.EmptyBasket", 8, True, "IBasket"),
        ("GuestBasket.EmptyBasket", 9, True, "IBasket"),
    }


def test_types_that_share_a_base_outside_of_the_tree_are_siblings_by_name(near):
    files = {
        "src/P/One.cs": "class One : IOutside { public void OpenGate() { } }\n",
        "src/P/Two.cs": "class Two : IOutside { public void OpenGate() { } }\n",
        "src/P/Three.cs": "class Three { public void OpenGate() { } }\n",
    }
    found = near(files, "src/P/One.cs:1")["One.OpenGate"]
    assert found["siblings"] == [("Two.OpenGate", 1, False, None)]


def test_an_extension_method_is_called_by_name_where_it_looks_like_a_member(near):
    files = {
        "src/P/Extensions.cs": (
            "static class Extensions { public static int CountWords(this string text) { return 1; } }\n"
        ),
        "src/P/Uses.cs": (
            "class Uses\n{\n    int As(string text) => text.CountWords();\n"
            "    int Plain(string text) => Extensions.CountWords(text);\n}\n"
        ),
    }
    found = near(files, "src/P/Extensions.cs:1")["Extensions.CountWords"]
    assert found["callers"] == [("Uses.Plain", 4, True, None), ("Uses.As", 3, False, None)]


def test_global_usings_and_other_projects_are_seen(near):
    reference = '<ItemGroup><ProjectReference Include="../P/P.csproj" /></ItemGroup></Project>'
    files = {
        "src/P/Clock.cs": "namespace Times;\npublic class Clock { public int ReadHour() { return 1; } }\n",
        "src/Q/Q.csproj": PROJECT.replace("</Project>", reference),
        "src/Q/Usings.cs": "global using Times;\n",
        "src/Q/Uses.cs": "class Uses { int Run(Clock clock) => clock.ReadHour(); }\n",
        "src/R/R.csproj": PROJECT,
        "src/R/Uses.cs": "class Apart { int Run(Clock clock) => clock.ReadHour(); }\n",
    }
    found = near(files, "src/P/Clock.cs:2")["Clock.ReadHour"]
    assert found["callers"] == [("Uses.Run", 1, True, None), ("Apart.Run", 1, False, None)]


def test_the_text_tells_what_is_not_exact_and_through_what(shop, cli, git):
    write_files(shop, {"src/Core/Stores.cs": STORES, "src/Core/Uses.cs": USES})
    git(shop, "add", ".")
    lines = cli(shop, "context", "Stores.cs:5").out.splitlines()
    used = next(line for line in lines if line.startswith("Basket.EmptyBasket is used in: "))
    assert "ByInterface.Run src/Core/Uses.cs:6 (through IBasket)" in used
    assert "ByVar.Run src/Core/Uses.cs:11 (by name)" in used
    also = next(line for line in lines if line.startswith("Basket.EmptyBasket is also in: "))
    assert "GuestBasket.EmptyBasket Stores.cs:9 (through IBasket)" in also
    told = cli(shop, "context", "--explain", "Stores.cs:5").out
    assert re.search(r"\d bodies, \d signatures; callers and siblings: \d exact, \d by name\n", told), told
