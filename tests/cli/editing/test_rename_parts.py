"""Renames of what several parts of a declaration declare, and of members that elements of tuples are called as."""

import json

import pytest

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>
<TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>
"""


@pytest.fixture
def rename(repo, cli, git):
    """Rename what stands at `$` in one of the sources; gives what they say then."""

    def run(*sources):
        (repo / "App.csproj").write_text(PROJECT)
        for number, source in enumerate(sources):
            (repo / f"p{number}.cs").write_text(source.replace("$", ""))
            if "$" in source:
                before = source.partition("$")[0]
                place = f"p{number}.cs:{before.count(chr(10)) + 1}:{len(before.rpartition(chr(10))[2]) + 1}"
        git(repo, "add", ".")
        answer = json.loads(cli(repo, "refactor", "rename", place, "New", "--write", "--json").out)
        assert answer.get("state") == "done", answer
        return [(repo / f"p{number}.cs").read_text() for number in range(len(sources))]

    return run


def check(rename, *sources):
    """Every `Old` is renamed."""
    assert rename(*sources) == [each.replace("$", "").replace("Old", "New") for each in sources]


NAMESPACES = {
    "the last part": "namespace Shop.$Old; class A { Shop.Old.A a; }\n",
    "a part around": "namespace Shop.$Old.Inner { class A { Old.Inner.A a; } }\nnamespace Shop.Old { class B { } }\n",
    "one within another": "namespace Shop { namespace $Old { class A { Shop.Old.A a; } } }\n",
}


@pytest.mark.parametrize("source", NAMESPACES.values(), ids=NAMESPACES)
def test_a_namespace_is_named_by_its_place(rename, source):
    check(rename, source, "using Shop.Old; class C { }\n" if "Inner" not in source else "class C { }\n")


def test_a_type_parameter_of_several_parts(rename):
    one = "/// <typeparam name='Old'>x</typeparam>\npartial class C<$Old, T> where Old : class { Old a; }\n"
    check(
        rename, one + "partial class C<Old, T> { Old b; T c; }\n", "partial class C<Old, T> { Old c() => default; }\n"
    )


def test_a_parameter_of_a_partial_method(rename):
    one = "partial class C {\n/** <param name='Old'>x</param> */\npublic partial int M(int a, int $Old); }\n"
    two = "partial class C { public partial int M(int a, int Old) => Old + a; }\n"
    two += "class D { int N(C c) => c.M(1, Old: 2); }\n"
    check(rename, one, two)
    check(rename, one.replace("$", ""), two.replace("=> Old", "=> $Old"))


def test_a_part_that_has_another_name_keeps_it(rename):
    one, two = rename(
        "partial class C { partial void M(int $Old); }\n", "partial class C { partial void M(int x) { x++; } }\n"
    )
    assert (one.count("New"), two.count("x")) == (1, 2)


def test_a_part_that_is_generated_elsewhere_is_not_waited_for(rename):
    check(rename, "partial class C { static partial void Log(System.Exception $Old); }\n")


def test_elements_of_tuples_are_no_members(rename):
    source = "class C { int $Old; (int %s, int B) M() => (%s: Old, 2); int N() => M().%s + Old; }\n"
    (text,) = rename(source % ("Old", "Old", "Old"))
    assert text == (source % ("#", "#", "#")).replace("$", "").replace("Old", "New").replace("#", "Old")


def test_a_file_that_went_along_is_read_by_the_next_rename(repo, cli, git):
    (repo / "App.csproj").write_text(PROJECT)
    (repo / "Old.cs").write_text("class Old { public void M() { } }\n")
    (repo / "User.cs").write_text("class User { void F(Old a) => a.M(); }\n")
    git(repo, "add", ".")
    for symbol, new in (("T:Old", "Newer"), ("M:Newer.M", "N"), ("T:User", "Client")):
        done = cli(repo, "refactor", "rename", symbol, new, "--write")
        assert done.code == 0, done.err
    assert (repo / "Newer.cs").read_text() == "class Newer { public void N() { } }\n"
    assert (repo / "Client.cs").read_text() == "class Client { void F(Newer a) => a.N(); }\n"
