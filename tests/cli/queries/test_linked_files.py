"""A file that several projects compile: a type of each, with the symbols of each."""

import pytest

from tests.cli.conftest import ask, commit_files

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework>
<DefineConstants>{symbol}</DefineConstants></PropertyGroup>
<ItemGroup><Compile Include="../shared/*.cs" /></ItemGroup></Project>
"""
FILES = {
    "A/A.csproj": PROJECT.format(symbol="IN_A"),
    "B/B.csproj": PROJECT.format(symbol="IN_B"),
    "shared/Opt.cs": (
        "#if IN_A\nnamespace A;\n#else\nnamespace B;\n#endif\npublic class Opt { public Opt Clone() => new Opt(); }\n"
    ),
    "shared/Same.cs": (
        "namespace S;\npublic class Same {\n#if IN_B\n  public int More;\n#endif\n  public Same Next; }\n"
    ),
    "A/Use.cs": "namespace A; class Use { Opt o; S.Same s; }\n",
    "B/Use.cs": "namespace B; class Use { Opt o; int M(S.Same s) => s.More; }\n",
}
SHARED = """<Project><ItemGroup><Compile Include="$(MSBuildThisFileDirectory)Opt.cs" />
<Compile Include="$(MSBuildThisFileDirectory)Same.cs" /></ItemGroup></Project>
"""


@pytest.fixture(params=["links", "shared project"])
def linked(tmp_path, git, cli, request):
    files = dict(FILES)
    if request.param == "shared project":
        files["shared/shared.projitems"] = SHARED
        files["shared/shared.shproj"] = '<Project><Import Project="shared.projitems" Label="Shared" /></Project>\n'
        for name in ("A/A.csproj", "B/B.csproj"):
            files[name] = files[name].replace(
                '<ItemGroup><Compile Include="../shared/*.cs" /></ItemGroup>',
                '<Import Project="..\\shared\\shared.projitems" Label="Shared" />',
            )
    return commit_files(tmp_path / "linked", files, git, cli)


def places(answer, label="exact"):
    rows = [row for row in answer["usages"] if row["label"] == label]
    return {(row["role"], row["file"], row["line"]) for row in rows}


def test_each_project_has_its_type_with_its_symbols(linked, cli):
    types = {(t["fqn"], t["projectId"]): t for t in ask(cli, linked, "index", "--members")["types"]}
    names = [fqn for fqn, _ in types]
    assert sorted(names) == ["A.Opt", "A.Use", "B.Opt", "B.Use", "S.Same", "S.Same"]
    same = [{m["name"] for m in t["members"]} for (fqn, _), t in sorted(types.items()) if fqn == "S.Same"]
    assert sorted("More" in names for names in same) == [False, True]


def test_the_type_of_each_project_is_declared_and_used(linked, cli):
    for own in ("A", "B"):
        answer = ask(cli, linked, "usages", f"{own}.Opt")
        assert places(answer) == {
            ("declaration", "shared/Opt.cs", 6),
            ("type", "shared/Opt.cs", 6),
            ("type", f"{own}/Use.cs", 1),
        }


def test_types_of_one_name_in_two_projects_are_each_declared(linked, cli):
    ids = [t["id"] for t in ask(cli, linked, "index")["types"] if t["fqn"] == "S.Same"]
    assert len(ids) == 2
    users = set()
    for each in ids:
        found = places(ask(cli, linked, "usages", each))
        assert ("declaration", "shared/Same.cs", 2) in found
        users |= {file for _, file, _ in found}
    assert users == {"shared/Same.cs", "A/Use.cs", "B/Use.cs"}


def test_a_member_of_one_project_alone_is_found_there(linked, cli):
    answer = ask(cli, linked, "usages", "S.Same.More")
    assert places(answer) == {("declaration", "shared/Same.cs", 4), ("read", "B/Use.cs", 1)}


def test_a_change_of_the_file_is_one_of_each_project(linked, cli):
    file = linked / "shared/Same.cs"
    file.write_text(file.read_text().replace("public Same Next;", "public Same Last;"))
    changes = ask(cli, linked, "changes")["changes"]
    changed = sorted((each["fqn"], each["project"]) for each in changes if each["ownClass"])
    assert changed == [("S.Same", "A/A.csproj"), ("S.Same", "B/B.csproj")]
    text = cli(linked, "changes").out
    assert "S.Same in A/A.csproj" in text
    assert "S.Same in B/B.csproj" in text


def test_a_change_of_a_symbol_is_one_of_its_project(linked, cli):
    project = linked / "A/A.csproj"
    project.write_text(project.read_text().replace(">IN_A<", ">IN_A;IN_B<"))
    changes = ask(cli, linked, "changes")["changes"]
    assert [(each["fqn"], each["project"]) for each in changes] == [("S.Same", "A/A.csproj")]


def test_bindings_are_those_of_the_project_in_whose_folder_the_file_lies(tmp_path, git, cli):
    files = {
        "A.Lite/A.Lite.csproj": PROJECT.format(symbol="LITE").replace("../shared/*.cs", "../A/*.cs"),
        "A/A.csproj": PROJECT.format(symbol="FULL"),
        "A/One.cs": "namespace N;\nclass One {\n#if LITE\n int x;\n#else\n long x;\n#endif\n}\n",
    }
    root = commit_files(tmp_path / "near", files, git, cli)
    rows = ask(cli, root, "bindings", "A/One.cs")["bindings"]

    assert [(each["line"], each["symbol"]) for each in rows if each["name"] == "x"] == [(6, "F:N.One.x")]
