"""Renames reach code of other target frameworks, and sources that several projects compile."""

import json

import pytest

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>
<TargetFrameworks>net10.0;net8.0</TargetFrameworks></PropertyGroup>%s</Project>
"""


@pytest.fixture
def rename(repo, cli, git):
    def run(files, symbol, new, *words):
        for path, text in files.items():
            (repo / path).parent.mkdir(exist_ok=True)
            (repo / path).write_text(text)
        git(repo, "add", ".")
        return json.loads(cli(repo, "refactor", "rename", symbol, new, "--json", *words).out)

    return run


def places(answer, of="edits"):
    return [(each["file"], each["line"], each["column"]) for each in answer[of]]


TWICE = """class Old { public void Go() { } }
class Other { public void Go() { } }
class User
{
    void M(Old a, Other b)
    {
#if NET10_0_OR_GREATER
        a.Go();
#elif NET8_0
        a.Go(); b.Go();
#else
        a.Go();
#endif
    }
#if NET8_0
    /// <see cref="Other.Go"/>
    void N() { }
#endif
}
"""


def test_code_of_another_framework_is_bound_there(rename):
    answer = rename({"App.csproj": PROJECT % "", "a.cs": TWICE}, "Old.Go", "Run")
    assert places(answer) == [("a.cs", 1, 25), ("a.cs", 8, 11), ("a.cs", 10, 11)]
    assert places(answer, "candidates") == [("a.cs", 12, 11)]
    sure = TWICE.replace("#else\n        a.Go();\n", "")
    assert rename({"a.cs": sure}, "Old.Go", "Run")["state"] == "planned"


CAPTURED = """class User
{
    int Size;
    int M()
    {
#if NET8_0
        int all = 1; return Size + all;
#endif
        return 0;
    }
}
"""


def test_what_would_change_a_meaning_there_is_refused(rename):
    error = rename({"App.csproj": PROJECT % "", "a.cs": CAPTURED}, "User.Size", "all")["error"]
    assert (error["code"], "a.cs:7:29" in error["message"]) == ("EditRefused", True)


OVERRIDDEN = """class B { public virtual void Old() { } }
class D : B {
#if NET8_0
 public override void Old() { }
#endif
}
"""


def test_a_member_that_another_framework_overrides_is_found_there(rename):
    answer = rename({"App.csproj": PROJECT % "", "a.cs": OVERRIDDEN}, "B.Old", "New")
    assert (answer["state"], places(answer)) == ("planned", [("a.cs", 1, 31), ("a.cs", 4, 23)])


def test_code_of_projects_that_do_not_see_the_symbol_is_not_asked_about(rename):
    files = {"A/A.csproj": PROJECT % "", "A/a.cs": "class Old { public int Size; }\n", "B/B.csproj": PROJECT % ""}
    files["B/b.cs"] = "class C {\n#if NEVER\n int Size;\n#endif\n}\n"
    answer = rename(files, "Old.Size", "Total")
    assert (answer["state"], places(answer)) == ("planned", [("A/a.cs", 1, 24)])


SHARED = '<ItemGroup><Compile Include="../Shared/*.cs"/></ItemGroup>'


def test_sources_that_two_projects_compile_are_renamed_for_both(rename):
    files = {f"{name}/{name}.csproj": PROJECT % SHARED for name in "AB"}
    files["Shared/s.cs"] = "class Pool { int _items; int M() => _items; }\n"
    files["A/a.cs"] = "class InA { Pool p; }\n"
    files["B/b.cs"] = "class InB { Pool p; }\n"
    assert places(rename(files, "Pool._items", "_all")) == [("Shared/s.cs", 1, 18), ("Shared/s.cs", 1, 37)]
    answer = rename({}, "Pool", "Store")
    assert places(answer) == [("A/a.cs", 1, 13), ("B/b.cs", 1, 13), ("Shared/s.cs", 1, 7)]
    assert rename({}, "Shared/s.cs:1:37", "_all")["state"] == "planned"
