import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.analysis.msbuild.globs import Tree, locate
from codecortex.analysis.msbuild.projects import evaluate_projects
from codecortex.model.code.projects import Flavour, Project
from codecortex.parsing.project_xml import read_global_json, read_project


def setting(name: str, value: str) -> str:
    return f"<PropertyGroup><{name}>{value}</{name}></PropertyGroup>"


SDK = '<Project Sdk="Microsoft.NET.Sdk">'
TFM = "<PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>"


def evaluate(texts: dict[str, str], *sources: str, flavour: Flavour | None = None) -> dict[str, Project]:
    facts = {
        path: read_global_json(text.encode()) if path.endswith(".json") else read_project(text.encode(), path)
        for path, text in texts.items()
    }
    markers = [source for source in sources if not source.endswith(".cs")]
    compiled = sorted(source for source in sources if source.endswith(".cs"))
    return {each.path: each for each in evaluate_projects(facts, compiled, flavour or Flavour(), markers)}


def evaluate_one(body: str, *sources: str, flavour: Flavour | None = None, **others: str) -> Project:
    texts = {"src/App/App.csproj": f"{SDK}{TFM}{body}</Project>", **others}
    return evaluate(texts, *sources, flavour=flavour)["src/App/App.csproj"]


def own(project: Project) -> set[str]:
    """The symbols that do not stem from the framework."""
    return {name for name in project.symbols if not name.startswith("NET")}


def test_a_plain_project_compiles_its_folder():
    project = evaluate_one(
        "", "src/App/A.cs", "src/App/x/B.cs", "src/App/bin/C.cs", "src/App/.x/D.cs", "src/Apple/E.cs"
    )

    assert project == Project(
        path="src/App/App.csproj",
        name="App",
        assembly="App",
        root_namespace="App",
        tfm="net8.0",
        tfms=("net8.0",),
        symbols=project.symbols,
        files=("src/App/A.cs", "src/App/x/B.cs"),
        references=(),
        usings=(),
        reports=(),
    )
    assert own(project) == {"RELEASE", "TRACE"}
    assert {"NET", "NET8_0", "NET8_0_OR_GREATER", "NETCOREAPP"} <= project.symbols


def test_what_no_project_compiles_is_the_implicit_project():
    projects = evaluate({"a/A.csproj": f"{SDK}{TFM}</Project>"}, "a/A.cs", "b/B.cs")

    assert list(projects) == ["a/A.csproj", ""]
    assert projects[""].files == ("b/B.cs",)
    assert list(evaluate({"A.csproj": f"{SDK}{TFM}</Project>"}, "A.cs")) == ["A.csproj"]


def test_nested_and_neighbouring_projects_share_files_as_in_msbuild():
    text = f"{SDK}{TFM}</Project>"
    projects = evaluate({"a/A.csproj": text, "a/B.csproj": text, "a/n/N.csproj": text}, "a/A.cs", "a/n/N.cs")

    assert projects["a/A.csproj"].files == projects["a/B.csproj"].files == ("a/A.cs", "a/n/N.cs")
    assert projects["a/n/N.csproj"].files == ("a/n/N.cs",)


@pytest.mark.parametrize(
    ("items", "files"),
    [
        ('<Compile Remove="x\\**" />', ["A.cs", "B.cs"]),
        ('<Compile Remove="**/*.cs" /><Compile Include="x/*.cs" Exclude="x/C.cs;y" />', ["x/D.cs"]),
        ('<Compile Remove="?.cs;x/C.cs" />', ["x/D.cs"]),
        ('<Compile Remove="x/**" /><Compile Include="X\\c.cs" />', ["A.cs", "B.cs", "x/C.cs"]),
        ('<Compile Remove="x/**" Condition="false" />', ["A.cs", "B.cs", "x/C.cs", "x/D.cs"]),
        ('<Compile Include="gone.cs" Update="A.cs" />', ["A.cs", "B.cs", "x/C.cs", "x/D.cs"]),
        ('<Compile Remove="@(Compile)" /><Compile Include="A.cs" />', ["A.cs"]),
        ('<Own Include="x/*" Exclude="x/D.cs" /><Compile Remove="@(Own)" />', ["A.cs", "B.cs", "x/D.cs"]),
        ('<Own Include="x/*" /><More Include="@(Own);A.cs" /><Compile Remove="@(More)" />', ["B.cs"]),
    ],
)
def test_compile_items(items, files):
    sources = [f"src/App/{name}" for name in ("A.cs", "B.cs", "x/C.cs", "x/D.cs")]

    project = evaluate_one(f"<ItemGroup>{items}</ItemGroup>", *sources)

    assert list(project.files) == [f"src/App/{name}" for name in files]


def test_files_are_linked_from_elsewhere():
    body = """<ItemGroup><Compile Include="..\\Shared\\*.cs;$(MSBuildThisFileDirectory)../../Version.cs" Link="x" />
              <Compile Include="../../../outside.cs" /></ItemGroup>"""

    project = evaluate_one(body, "src/Shared/S.cs", "src/Shared/x/T.cs", "Version.cs")

    assert project.files == ("Version.cs", "src/Shared/S.cs")


@pytest.mark.parametrize(
    ("item", "files"),
    [
        ('Include="../Lib/**/*.cs" Exclude="**/Shims/**"', ["Lib/G.cs", "Lib/sub/A.cs"]),
        ('Include="..\\Lib\\**\\*.cs" Exclude="**\\A.cs"', ["Lib/G.cs", "Lib/Shims/I.cs"]),
        ('Include="../Lib/**/*.cs" Exclude="**/Lib/*.cs;**/I.cs"', ["Lib/sub/A.cs"]),
        ('Include="../Lib/**/*.cs" Exclude="sub/**;A.cs"', ["Lib/G.cs", "Lib/Shims/I.cs", "Lib/sub/A.cs"]),
        ('Include="../Lib/**/*.cs" /><Compile Remove="**/A.cs"', ["Lib/G.cs", "Lib/Shims/I.cs"]),
        ('Include="../Lib/**/*.cs" Exclude="**/src/**"', ["Lib/G.cs", "Lib/Shims/I.cs", "Lib/sub/A.cs"]),
    ],
)
def test_patterns_leave_out_files_of_other_folders_as_these_are_spelled(item, files):
    sources = [f"src/Lib/{name}" for name in ("G.cs", "Shims/I.cs", "sub/A.cs")]
    project = evaluate_one(f"<ItemGroup><Compile {item} /></ItemGroup>", *sources)
    assert list(project.files) == [f"src/{name}" for name in files]


@pytest.mark.parametrize("name", ["EnableDefaultItems", "EnableDefaultCompileItems"])
def test_default_items_may_be_off(name):
    assert evaluate_one(f"<PropertyGroup><{name}>false</{name}></PropertyGroup>", "src/App/A.cs").files == ()


def test_default_excludes_are_honoured():
    body = """<PropertyGroup><DefaultItemExcludes>$(DefaultItemExcludes);gen/**</DefaultItemExcludes>
              <BaseIntermediateOutputPath>temp\\</BaseIntermediateOutputPath></PropertyGroup>"""

    assert evaluate_one(body, "src/App/A.cs", "src/App/gen/B.cs", "src/App/temp/C.cs").files == ("src/App/A.cs",)


OLD = """<?xml version="1.0" encoding="utf-8"?>
<Project ToolsVersion="15.0" xmlns="http://schemas.microsoft.com/developer/msbuild/2003">
  <Import Project="$(MSBuildExtensionsPath)\\$(MSBuildToolsVersion)\\Microsoft.Common.props"
          Condition="Exists('$(MSBuildExtensionsPath)\\$(MSBuildToolsVersion)\\Microsoft.Common.props')" />
  <PropertyGroup>
    <Configuration Condition=" '$(Configuration)' == '' ">Debug</Configuration>
    <Platform Condition=" '$(Platform)' == '' ">x86</Platform>
    <TargetFrameworkVersion>v4.7.2</TargetFrameworkVersion>
    <AssemblyName>Old.Assembly</AssemblyName>
  </PropertyGroup>
  <PropertyGroup Condition=" '$(Configuration)|$(Platform)' == 'Debug|x86' ">
    <DefineConstants>DEBUG;TRACE</DefineConstants>
  </PropertyGroup>
  <PropertyGroup Condition=" '$(Configuration)|$(Platform)' == 'Release|x86' ">
    <DefineConstants>TRACE;OLD,STYLE</DefineConstants>
  </PropertyGroup>
  <ItemGroup>
    <Compile Include="Program.cs" />
    <Compile Include="Properties\\AssemblyInfo.cs" />
  </ItemGroup>
  <Import Project="$(MSBuildToolsPath)\\Microsoft.CSharp.targets" />
</Project>"""


def test_the_old_style_lists_its_files_and_symbols():
    texts = {
        "Old.csproj": OLD,
        "Directory.Build.props": f"<Project>{setting('RootNamespace', 'R')}</Project>",
    }

    project = evaluate(texts, "Program.cs", "Unlisted.cs", "Properties/AssemblyInfo.cs")["Old.csproj"]
    debug = evaluate(texts, flavour=Flavour(configuration="Debug"))["Old.csproj"]

    assert project.files == ("Program.cs", "Properties/AssemblyInfo.cs")
    assert (project.tfm, project.assembly, project.root_namespace) == ("net472", "Old.Assembly", "R")
    assert project.symbols == {"TRACE", "OLD", "STYLE"}
    assert debug.symbols == {"DEBUG", "TRACE"}
    assert project.reports == ()


def test_the_nearest_props_come_before_and_the_nearest_targets_after_the_project():
    def set_property(value: str) -> str:
        return f"<Project>{setting('DefineConstants', '$(DefineConstants);' + value)}</Project>"

    others = {
        "Directory.Build.props": set_property("FAR"),
        "src/Directory.Build.props": set_property("NEAR"),
        "Directory.Build.targets": set_property("$(AssemblyName)"),
    }

    assert own(evaluate_one("", **others)) == {"NEAR", "App", "RELEASE", "TRACE"}


@pytest.mark.parametrize(
    "project",
    [
        "$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(MSBuildThisFileDirectory)../'))",
        "$(MSBuildThisFileDirectory)..\\Directory.Build.props",
        "../Directory.Build.props",
        "$([MSBuild]::GetDirectoryNameOfFileAbove($(MSBuildThisFileDirectory)../, root.props))/Directory.Build.props",
        "$(MSBuildProjectDirectory)/../../*.Build.props",
    ],
)
def test_props_import_the_next_ones(project):
    others = {
        "root.props": "<Project />",
        "Directory.Build.props": "<Project><PropertyGroup><AssemblyName>Far</AssemblyName></PropertyGroup></Project>",
        "src/Directory.Build.props": f'<Project><Import Project="{project}" /></Project>',
    }

    imported = evaluate_one("", **others)

    assert imported.assembly == "Far"
    assert imported.reports == ()


def test_imports_that_go_round_end():
    others = {
        "Directory.Build.props": """<Project><Import Project="Directory.Build.props" />
            <Import Project="src/App/App.csproj" /></Project>"""
    }

    assert evaluate_one("", "src/App/A.cs", **others).files == ("src/App/A.cs",)


def test_a_file_is_imported_once():
    others = {"x.props": f"<Project>{setting('AssemblyName', '$(AssemblyName)x')}</Project>"}

    assert evaluate_one('<Import Project="../../x.props" />' * 2, **others).assembly == "Appx"


def test_a_name_that_differs_in_case_must_be_the_only_one():
    body = '<ItemGroup><Compile Remove="**" /><Compile Include="ONE.cs;TWO.cs" /></ItemGroup>'

    assert evaluate_one(body, "src/App/One.cs", "src/App/Two.cs", "src/App/two.cs").files == ("src/App/One.cs",)


def test_shared_projects_bring_their_files():
    others = {
        "src/S/S.projitems": """<Project><ItemGroup>
            <Compile Include="$(MSBuildThisFileDirectory)S.cs" /></ItemGroup></Project>"""
    }

    assert evaluate_one('<Import Project="..\\S\\S.projitems" Label="Shared" />', "src/S/S.cs", **others).files == (
        "src/S/S.cs",
    )


@pytest.mark.parametrize(
    ("written", "reports"),
    [
        ('<Import Project="gone.props" />', 1),
        ('<Import Project="gone.props" Condition="Exists(\'gone.props\')" />', 0),
        ('<Import Project="$(NuGetRoot)\\x.props" />', 0),
        ('<Import Project="Sdk.props" Sdk="Microsoft.DotNet.Arcade.Sdk" />', 0),
        ('<Import Project="a.props" Condition="$([Unknown]::F())" />', 1),
        ("<PropertyGroup><Copyright>$([System.DateTime]::Now)</Copyright></PropertyGroup>", 0),
        ("<PropertyGroup><A>$([System.Guid]::NewGuid())</A><AssemblyName>$(A)</AssemblyName></PropertyGroup>", 1),
        ('<PropertyGroup><DefineConstants Condition="$(A)">X</DefineConstants></PropertyGroup>', 1),
        ('<ItemGroup><Compile Include="$(SolutionDir)x.cs" /></ItemGroup>', 1),
        ('<ItemGroup><Compile Include="@(Other)" /></ItemGroup>', 0),
        ("<ItemGroup><Compile Include=\"@(Other->'%(Path)')\" /></ItemGroup>", 1),
        (setting("AssemblyName", "$(A.Nope())") + setting("AssemblyName", "B"), 0),
    ],
)
def test_only_what_matters_is_reported(written, reports):
    project = evaluate_one(written, "src/App/A.cs")

    assert len(project.reports) == reports
    assert all(report.startswith("src/App/App.csproj: ") for report in project.reports)
    assert project.files == ("src/App/A.cs",)


def test_a_report_names_property_and_text():
    project = evaluate_one("<PropertyGroup><AssemblyName>$(A.Nope())</AssemblyName></PropertyGroup>")

    assert project.assembly == "App"
    assert "AssemblyName `$(A.Nope())`" in project.reports[0]


def test_a_malformed_project_is_a_report():
    project = evaluate({"A.csproj": "<Project>"}, "A.cs")["A.csproj"]

    assert project.files == ()
    assert project.reports[0].startswith("A.csproj: it is not well-formed XML")


MANY = "<PropertyGroup><TargetFrameworks>net472;net6.0;$(Extra)</TargetFrameworks></PropertyGroup>"


@pytest.mark.parametrize(
    ("wanted", "tfm"), [(None, "net9.0"), ("net472", "net472"), ("net8.0", "net6.0"), ("net20", "net9.0")]
)
def test_one_of_several_frameworks_is_evaluated(wanted, tfm):
    texts = {
        "Directory.Build.props": "<Project><PropertyGroup><Extra>net9.0</Extra></PropertyGroup></Project>",
        "A.csproj": f"""{SDK}{MANY}<ItemGroup Condition="'$(TargetFrameworkIdentifier)' == '.NETFramework'">
                        <Compile Remove="A.cs" /></ItemGroup></Project>""",
    }

    project = evaluate(texts, "A.cs", flavour=Flavour(tfm=wanted))["A.csproj"]

    assert project.tfms == ("net472", "net6.0", "net9.0")
    assert project.tfm == tfm
    assert project.files == (() if tfm == "net472" else ("A.cs",))


def test_a_framework_that_no_file_names_is_reported_and_the_one_asked_for_is_taken():
    texts = {
        "A.csproj": f"{SDK}<PropertyGroup><TargetFramework>$(NetCurrent)</TargetFramework></PropertyGroup></Project>"
    }

    unknown = evaluate(texts)["A.csproj"]
    asked = evaluate(texts, flavour=Flavour(tfm="net9.0"))["A.csproj"]

    assert (unknown.tfm, unknown.symbols) == ("", {"RELEASE", "TRACE"})
    assert "`$(NetCurrent)`" in unknown.reports[0]
    assert asked.tfm == "net9.0"
    assert "NET9_0" in asked.symbols


@pytest.mark.parametrize(
    ("value", "flavour", "symbols"),
    [
        ("$(DefineConstants);A,B C", Flavour(), {"A", "B", "C", "TRACE", "RELEASE"}),
        ("A", Flavour(), {"A", "RELEASE"}),
        ("$(DefineConstants)", Flavour(configuration="Debug"), {"DEBUG", "TRACE"}),
        ("$(DefineConstants)", Flavour(configuration="My-Own"), {"MY_OWN", "TRACE"}),
        ("$(DefineConstants);1X;Y=2", Flavour(defines=("MINE",)), {"MINE", "TRACE", "RELEASE"}),
    ],
)
def test_symbols(value, flavour, symbols):
    body = f"<PropertyGroup><DefineConstants>{value}</DefineConstants></PropertyGroup>"

    assert own(evaluate_one(body, flavour=flavour)) == symbols


def test_a_group_asks_its_condition_once():
    body = """<PropertyGroup Condition="'$(A)' == ''"><A>set</A><AssemblyName>Second</AssemblyName></PropertyGroup>"""

    assert evaluate_one(body).assembly == "Second"


def test_the_first_branch_that_holds_counts():
    body = f"""<Choose><When Condition="false">{setting("AssemblyName", "no")}</When>
        <When Condition="'$(TargetFramework)' == 'net8.0'">{setting("AssemblyName", "yes")}</When>
        <Otherwise>{setting("AssemblyName", "late")}</Otherwise></Choose>"""

    assert evaluate_one(body).assembly == "yes"


def test_references_are_those_of_the_repository():
    body = """<PropertyGroup><Lib>..\\Lib</Lib></PropertyGroup><ItemGroup>
        <ProjectReference Include="$(Lib)\\Lib.csproj;..\\Gone\\Gone.csproj" />
        <ProjectReference Include="../*/*.csproj" /><ProjectReference Remove="../p2/P2.csproj" /></ItemGroup>"""
    others = dict.fromkeys(("src/Lib/Lib.csproj", "src/p1/P1.csproj", "src/p2/P2.csproj"), "<Project />")

    assert evaluate_one(body, **others).references == ("src/Lib/Lib.csproj", "src/p1/P1.csproj")


def test_what_is_only_built_before_is_not_referenced():
    body = """<ItemGroup><ProjectReference Include="../Lib/Lib.csproj" />
        <ProjectReference Include="../gen/Gen.csproj" OutputItemType="Analyzer" ReferenceOutputAssembly="false" />
        <ProjectReference Include="../run/Run.csproj"><ReferenceOutputAssembly>False</ReferenceOutputAssembly>
        </ProjectReference></ItemGroup>"""
    others = dict.fromkeys(("src/Lib/Lib.csproj", "src/gen/Gen.csproj", "src/run/Run.csproj"), "<Project />")

    assert evaluate_one(body, **others).references == ("src/Lib/Lib.csproj",)


def test_global_usings():
    body = """<PropertyGroup><ImplicitUsings>enable</ImplicitUsings></PropertyGroup><ItemGroup>
        <Using Include="System.Math" Static="True" /><Using Include="System.Text.StringBuilder" Alias="SB" />
        <Using Include="A;B" /><Using Remove="System.Net.Http;system.io" /></ItemGroup>"""

    assert evaluate_one(body).usings == (
        "A",
        "B",
        "SB = System.Text.StringBuilder",
        "System",
        "System.Collections.Generic",
        "System.Linq",
        "System.Threading",
        "System.Threading.Tasks",
        "static System.Math",
    )


@pytest.mark.parametrize(
    ("sdk", "tfm", "has", "lacks"),
    [
        ("Microsoft.NET.Sdk", "net8.0", "System.Net.Http", "Microsoft.AspNetCore.Http"),
        ("Microsoft.NET.Sdk", "net48", "System.IO", "System.Net.Http"),
        ("Microsoft.NET.Sdk.Web/8.0.100", "net8.0", "Microsoft.AspNetCore.Http", "Xunit"),
        ("Microsoft.NET.Sdk.Worker", "net8.0", "Microsoft.Extensions.Hosting", "Microsoft.AspNetCore.Http"),
    ],
)
def test_each_sdk_has_its_implicit_usings(sdk, tfm, has, lacks):
    body = (
        f"<PropertyGroup><TargetFramework>{tfm}</TargetFramework><ImplicitUsings>true</ImplicitUsings></PropertyGroup>"
    )

    usings = evaluate({"A.csproj": f'<Project Sdk="{sdk}">{body}</Project>'})["A.csproj"].usings

    assert has in usings
    assert lacks not in usings


def test_names_default_to_the_file_s():
    project = evaluate({"a/My App.csproj": f"{SDK}{TFM}</Project>"})["a/My App.csproj"]

    assert (project.name, project.assembly, project.root_namespace) == ("My App", "My App", "My_App")


def test_an_explicit_sdk_import_is_an_sdk():
    text = f"""<Project><Import Project="Sdk.props" Sdk="Microsoft.NET.Sdk" />{TFM}
               <Import Project="Sdk.targets" Sdk="Microsoft.NET.Sdk" /></Project>"""

    project = evaluate({"A.csproj": text}, "A.cs")["A.csproj"]

    assert project.files == ("A.cs",)
    assert {"NET8_0", "RELEASE", "TRACE"} <= project.symbols


def test_properties_that_double_one_another_end():
    doubling = "".join(f"<P{n + 1}>$(P{n})$(P{n})</P{n + 1}>" for n in range(60))

    project = evaluate_one(f"<PropertyGroup><P0>x</P0>{doubling}<AssemblyName>$(P60)</AssemblyName></PropertyGroup>")

    assert "longer than" in project.reports[0]


def match_naively(pattern: list[str], names: list[str]) -> bool:
    if not pattern:
        return not names
    if pattern[0] == "**":
        return (
            bool(names) if len(pattern) == 1 else any(match_naively(pattern[1:], names[n:]) for n in range(len(names)))
        )
    return bool(names) and match_name(pattern[0], names[0]) and match_naively(pattern[1:], names[1:])


def match_name(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return match_name(pattern[1:], name) or (bool(name) and match_name(pattern, name[1:]))
    return bool(name) and pattern[0] in {"?", name[0]} and match_name(pattern[1:], name[1:])


PATHS = st.lists(st.text("ab.", min_size=1, max_size=4), min_size=1, max_size=4).map("/".join)
PATTERNS = st.lists(st.just("**") | st.text("ab.*?", min_size=1, max_size=5), min_size=1, max_size=5).map("/".join)


@given(st.frozensets(PATHS, max_size=12), PATTERNS.filter(lambda pattern: "*" in pattern or "?" in pattern))
def test_globs_agree_with_a_naive_matcher(paths, pattern):
    names = [name if name != "*" * len(name) or name == "**" else "*" for name in pattern.split("/")]
    expected = sorted(path for path in paths if match_naively(names, path.split("/")))

    assert list(Tree(paths).find("/".join(names))) == expected


def test_hostile_globs_are_fast():
    path = "/".join(["a" * 200] * 20)
    started = time.process_time()

    assert Tree([path]).find("**/" * 30 + "*a" * 60 + "b") == ()
    assert Tree([path]).find("**/a*/" * 10 + "*a*a*a*a*b") == ()
    assert time.process_time() - started < 1


def test_paths_that_leave_the_repository_are_none():
    assert locate("..\\x.cs", "a/b") == "a/x.cs"
    assert locate("../..", "a/b") == ""
    assert locate("../../../x.cs", "a/b") is None
    assert locate("/usr/x.cs", "a") is None


def test_a_large_repository_takes_a_moment():
    folders = [f"src/P{n}" for n in range(100)]
    texts = {
        f"{folder}/P.csproj": f"{SDK}{TFM}<ItemGroup><Compile Remove='x/**' /></ItemGroup></Project>"
        for folder in folders
    }
    sources = [f"{folder}/d{n % 7}/F{n}.cs" for folder in folders for n in range(60)]
    started = time.process_time()

    projects = evaluate(texts, *sources)

    assert all(len(project.files) == 60 for project in projects.values())
    assert time.process_time() - started < 1


def test_a_solution_marks_the_root():
    texts = {
        "src/A/A.csproj": f"""{SDK}<Import Project="$([MSBuild]::GetDirectoryNameOfFileAbove($(MSBuildProjectDirectory),
                              'All.slnx'))\\build\\Common.props" /></Project>""",
        "build/Common.props": """<Project><PropertyGroup>
            <Root>$([System.IO.Directory]::GetParent($(MSBuildThisFileDirectory)).Parent.FullName)</Root>
            <TargetFramework>net8.0</TargetFramework></PropertyGroup>
            <ItemGroup><Compile Include="$(Root)/shared/S.cs;$(SolutionDir)T.cs" /></ItemGroup></Project>""",
    }

    project = evaluate(texts, "All.slnx", "shared/S.cs", "T.cs")["src/A/A.csproj"]

    assert (project.files, project.tfm, project.reports) == (("T.cs", "shared/S.cs"), "net8.0", ())


def test_each_cause_is_reported_once():
    text = f'{SDK}{TFM}<ItemGroup><ProjectReference Include="$(Gone)/X.csproj" /></ItemGroup></Project>'
    projects = evaluate({f"{name}/{name}.csproj": text for name in "ABC"}, "A/A.cs")

    assert projects["A/A.csproj"].reports == (
        "A/A.csproj: nothing sets `$(gone)`, needed by ProjectReference `$(Gone)/X.csproj` … and 2 more projects",
    )
    assert projects["B/B.csproj"].reports == projects["C/C.csproj"].reports == ()


ARCADE = '{"sdk": {"version": "11.0.100"}, "msbuild-sdks": {"Microsoft.DotNet.Arcade.Sdk": "11.0.0-beta.1"}}'


@pytest.mark.parametrize(
    ("written", "tfm"),
    [
        ("$(NetCurrent)", "net11.0"),
        ("$(NetMinimum)", "net10.0"),
        ("net$(BundledNETCoreAppTargetFrameworkVersion)", "net11.0"),
        ("$(FromVersions)", "net7.0"),
    ],
)
def test_frameworks_of_the_sdk_follow_from_global_json(written, tfm):
    texts = {
        "global.json": ARCADE,
        "eng/Versions.props": f"<Project>{setting('FromVersions', 'net7.0')}</Project>",
        "Directory.Build.props": '<Project><Import Project="Sdk.props" Sdk="Microsoft.DotNet.Arcade.Sdk" /></Project>',
        "src/A.csproj": f"{SDK}{setting('TargetFramework', written)}</Project>",
    }

    project = evaluate(texts)["src/A.csproj"]

    assert (project.tfm, project.reports) == (tfm, ())


def test_a_framework_that_no_file_names_is_that_of_the_sdk():
    texts = {"global.json": ARCADE, "A.csproj": f"{SDK}{setting('TargetFrameworks', 'net472;$(Ours)')}</Project>"}

    project = evaluate(texts)["A.csproj"]

    assert (project.tfm, project.tfms) == ("net11.0", ("net472",))
    assert project.reports == (
        "A.csproj: no file of the repository says which framework `$(Ours)` is, so net11.0 is taken",
    )
    assert evaluate(texts, flavour=Flavour(tfm="net48"))["A.csproj"].tfm == "net472"


def test_an_sdk_that_is_a_package_may_name_the_framework():
    texts = {"A.csproj": '<Project Sdk="My.Own.Sdk/1.0" />'}

    assert evaluate(texts)["A.csproj"].tfm == ""
    assert evaluate(texts, flavour=Flavour(tfm="net8.0"))["A.csproj"].tfm == "net8.0"
    assert evaluate({**texts, "global.json": ARCADE})["A.csproj"].tfm == "net11.0"


@pytest.mark.parametrize(("version", "defined"), [("6.0.400", False), ("8.0.100", True), (None, True)])
def test_the_sdk_s_version_can_be_asked_for(version, defined):
    body = """<PropertyGroup Condition="$([MSBuild]::VersionGreaterThanOrEquals($(NETCoreSdkVersion), '7.0'))">
              <DefineConstants>$(DefineConstants);SEVEN</DefineConstants></PropertyGroup>"""
    chosen = {"global.json": f'{{"sdk": {{"version": "{version}"}}}}'} if version else {}

    assert ("SEVEN" in evaluate_one(body, **chosen).symbols) is defined


def test_a_project_may_be_the_import_of_another():
    texts = {"a/A.csproj": f"{SDK}{TFM}</Project>", "a/Tool.csproj": '<Project><Import Project="A.csproj" /></Project>'}

    projects = evaluate(texts, "a/A.cs")

    assert projects["a/Tool.csproj"].files == ("a/A.cs",)
    assert projects["a/Tool.csproj"].symbols == projects["a/A.csproj"].symbols


def test_the_files_around_a_project_may_be_chosen():
    texts = {
        "Directory.Build.props": """<Project><PropertyGroup>
            <DirectoryBuildTargetsPath>$(MSBuildThisFileDirectory)eng/Own.targets</DirectoryBuildTargetsPath>
            </PropertyGroup></Project>""",
        "src/Directory.Build.props": """<Project><PropertyGroup><Up>$([System.IO.Path]::Combine('..',
            '$(_DirectoryBuildPropsFile)'))</Up></PropertyGroup>
            <Import Project="$(Up)" Condition="Exists('$(Up)')" /></Project>""",
        "Directory.Build.targets": f"<Project>{setting('DefineConstants', 'WRONG')}</Project>",
        "eng/Own.targets": f"<Project>{setting('DefineConstants', '$(DefineConstants);OWN')}</Project>",
        "src/A.csproj": f"{SDK}{TFM}</Project>",
    }

    assert own(evaluate(texts)["src/A.csproj"]) == {"OWN", "RELEASE", "TRACE"}


@pytest.mark.parametrize(("page", "told"), [("1251", True), ("65001", False), ("932", False)])
def test_a_code_page_that_sources_are_not_read_in_is_reported(page, told):
    reports = evaluate_one(setting("CodePage", page), "src/App/a.cs").reports
    assert (len(reports) == 1) == told
    assert all(report.startswith("src/App/App.csproj: CodePage 1251 ") for report in reports)
